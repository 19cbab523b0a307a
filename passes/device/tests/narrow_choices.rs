//! Indices in 32 bits beside choices by thresholds: a launch may leave large sizes to another version of the program, but
//! only to one that is right for them, and whatever thresholds are set to afterwards.

mod support;

use segra_device::NarrowIndices;
use segra_gpu::host::LaunchFuncOp;
use segra_interp::random::Rng;
use segra_interp::{ArrayValue, Datum, Fault, Interpreter, MemRefValue, Observation, Observer};
use segra_ir::symbol::SymbolTables;
use segra_ir::{Attr, Ir, Op};
use segra_kernel::threshold::AtLeastOp;
use segra_text::{PrintOptions, print};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write;
use support::{apply, from_device, ints, parse};

/// Beyond what any size is compared with.
const NEVER: i64 = i64::MAX;
/// 2^32 is 0 in 32 bits.
const LARGE: i64 = 1 << 32;

/// A program of versions: kernels, and a function of two sizes and an array that launches some of them.
#[derive(Default)]
struct Versions {
    kernels: usize,
    host: String,
    values: usize,
}

impl Versions {
    fn value(&mut self, op: &str) -> String {
        let name = format!("%v{}", self.values);
        self.values += 1;
        writeln!(self.host, "    {name} = {op}").expect("a string takes it");
        name
    }

    fn at_least(&mut self, value: &str, name: &str, default: i64) -> String {
        self.value(&format!(
            "kernel.at_least {value}, \"{name}\" default {default}"
        ))
    }

    /// Launches a kernel of its own, which finds 1 where `x * y` is more than the thread's number and `right` holds, or
    /// neither.
    fn launch(&mut self, right: &str) {
        let kernel = self.kernels;
        self.kernels += 1;
        let right = self.value(&format!("arith.extui {right} : i1 to i32"));
        writeln!(
            self.host,
            "    gpu.launch_func @kernels::@k{kernel} blocks in (%one, %one, %one) threads in (%four, %one, %one) args(%x : index, %y : index, {right} : i32, %p : memref<4xi32>)"
        )
        .expect("a string takes it");
    }

    fn choice(
        &mut self,
        condition: &str,
        then: impl FnOnce(&mut Self),
        otherwise: impl FnOnce(&mut Self),
    ) {
        self.open(condition);
        then(self);
        self.otherwise();
        otherwise(self);
        self.close();
    }

    fn open(&mut self, condition: &str) {
        writeln!(self.host, "    scf.if {condition} {{").expect("a string takes it");
    }

    fn otherwise(&mut self) {
        writeln!(self.host, "    }} else {{").expect("a string takes it");
    }

    fn close(&mut self) {
        writeln!(self.host, "    }}").expect("a string takes it");
    }

    fn text(&self) -> String {
        let mut text =
            "module attributes {gpu.container_module} {\n  gpu.module @kernels {\n".to_owned();
        for kernel in 0..self.kernels {
            write!(
                text,
                "    gpu.func @k{kernel}(%a: index, %b: index, %right: i32, %out: memref<4xi32>) kernel attributes {{known_block_size = array<i32: 4, 1, 1>}} {{
      %none = arith.constant 0 : i32
      %i = gpu.thread_id x
      %s = arith.muli %a, %b : index
      %less = arith.cmpi ult, %i, %s : index
      %wrong = arith.cmpi eq, %right, %none : i32
      %r = arith.xori %less, %wrong : i1
      %n = arith.extui %r : i1 to i32
      memref.store %n, %out[%i] : memref<4xi32>
      gpu.return
    }}
"
            )
            .expect("a string takes it");
        }
        write!(
            text,
            "  }}
  func.func @main(%x: index, %y: index, %p: memref<4xi32>) {{
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    %true = arith.constant true
    %xy = arith.muli %x, %y : index
{}    func.return
  }}
}}",
            self.host
        )
        .expect("a string takes it");
        text
    }

    /// The program after the pass, and how many launches leave large sizes to another version.
    fn narrowed(&self) -> (Ir, u64) {
        let mut ir = parse(&self.text());
        apply(&NarrowIndices::default(), &mut ir);
        let wide = print(&ir, ir.root(), &PrintOptions::default())
            .matches("gpu.func @")
            .count()
            - self.kernels;
        (ir, (self.kernels - wide) as u64)
    }
}

/// Sets thresholds.
fn set(ir: &mut Ir, to: &BTreeMap<String, i64>) {
    let ctx = ir.context();
    let asked: Vec<(Op, Attr)> = ir
        .walk(ir.root())
        .into_iter()
        .filter_map(|op| Some((op, ir.cast::<AtLeastOp>(op)?.name(ir))))
        .collect();
    for (op, name) in asked {
        let value = to.iter().find(|(known, _)| ctx.str_attr(known) == name);
        let value = ctx.i64_attr(*value.expect("all are set").1);
        ir.set_attr_named(op, "default", Some(value));
    }
}

/// Runs the program: whether `x * y` is more than the threads' numbers.
#[track_caller]
fn check(ir: &Ir, x: i64, y: i64) {
    let out = MemRefValue::from_array(&ints(&[4], 1));
    let inputs = [Datum::Int(x), Datum::Int(y), Datum::memref(out.clone())];
    let text = || print(ir, ir.root(), &PrintOptions::default());
    Interpreter::new(ir)
        .call("main", &inputs)
        .unwrap_or_else(|error| panic!("{error}\n{}", text()));
    let wanted = [0, 1, 2, 3].map(|i| i32::from(i < x * y));
    assert_eq!(
        format!("{:?}", from_device(&Datum::memref(out))),
        format!("{:?}", Datum::array(ArrayValue::i32s(&wanted))),
        "{x} * {y}: {}",
        text()
    );
}

/// The launches of a run, in order.
struct Launches(RefCell<Vec<Op>>);

impl Observer for Launches {
    fn wants(&self, ir: &Ir, op: Op) -> bool {
        ir.isa::<LaunchFuncOp>(op)
    }
    fn observe(&self, observation: Observation) -> Result<(), Fault> {
        self.0.borrow_mut().push(observation.op);
        Ok(())
    }
}

/// The kernels that are launched.
fn launched(ir: &Ir, x: i64, y: i64) -> Vec<String> {
    let launches = Launches(RefCell::default());
    let out = Datum::memref(MemRefValue::from_array(&ints(&[4], 1)));
    Interpreter::new(ir)
        .with_observer(&launches)
        .call("main", &[Datum::Int(x), Datum::Int(y), out])
        .expect("it runs");
    let names = launches.0.take().into_iter().map(|op| {
        let launch = ir.cast::<LaunchFuncOp>(op).expect("a launch");
        let kernel = launch
            .resolve_kernel(ir, &mut SymbolTables::new())
            .expect("a kernel");
        ir.ctx()
            .str(kernel.name(ir).expect("it has a name"))
            .to_owned()
    });
    names.collect()
}

/// Runs the program with sizes of all kinds, whatever its thresholds are set to.
#[track_caller]
fn check_all(ir: &mut Ir, names: &[&str]) {
    for setting in 0..1 << (2 * names.len()) {
        let values = [0, 60, NEVER, LARGE];
        let to = names.iter().enumerate();
        let to = to.map(|(at, name)| ((*name).to_owned(), values[setting >> (2 * at) & 3]));
        set(ir, &to.collect());
        for (x, y) in [
            (0, 3),
            (1, 3),
            (50, 1),
            (65_536, 65_536),
            (LARGE, 1),
            (LARGE, 0),
            (LARGE, 50),
        ] {
            check(ir, x, y);
        }
    }
}

#[test]
fn a_version_for_few_leaves_large_sizes_to_that_for_many() {
    let mut versions = Versions::default();
    let many = versions.at_least("%xy", "many", 1000);
    versions.choice(&many, |v| v.launch("%true"), |v| v.launch("%true"));
    let (mut ir, left) = versions.narrowed();
    assert_eq!(left, 1);
    check_all(&mut ir, &["many"]);
}

#[test]
fn a_version_that_may_be_for_large_sizes_by_default_has_both_widths() {
    let mut versions = Versions::default();
    let many = versions.at_least("%x", "many", 1000);
    versions.choice(&many, |v| v.launch("%true"), |v| v.launch("%true"));
    let (mut ir, left) = versions.narrowed();
    assert_eq!(left, 0);
    check_all(&mut ir, &["many"]);
}

#[test]
fn a_version_that_large_sizes_lead_to_whatever_its_threshold_takes_over() {
    // Few are not many of any size, so by the threshold alone both versions are for large sizes.
    for (most, wanted) in [(i64::from(i32::MAX), 1), (LARGE, 0)] {
        let mut versions = Versions::default();
        let many = versions.at_least("%x", "many", 1000);
        let most = versions.value(&format!("arith.constant {most} : index"));
        let huge = versions.value(&format!("arith.cmpi ugt, %xy, {most} : index"));
        let either = versions.value(&format!("arith.ori {many}, {huge} : i1"));
        versions.choice(&either, |v| v.launch("%true"), |v| v.launch("%true"));
        let (mut ir, left) = versions.narrowed();
        assert_eq!(left, wanted);
        check_all(&mut ir, &["many"]);
    }
}

#[test]
fn whole_tiles_are_bounded_by_the_elements_of_a_matrix() {
    // Tiles of 64 by 128 elements, those of one row or column in whole; matrices of as many elements, or twice as many, are large.
    for (most, wanted) in [(1 << 29, 1), (1 << 30, 0)] {
        let mut versions = Versions::default();
        let [down, across] = [("%x", 64), ("%y", 128)].map(|(size, of_tile)| {
            let of_tile = versions.value(&format!("arith.constant {of_tile} : index"));
            versions.value(&format!("arith.divui {size}, {of_tile} : index"))
        });
        let whole = versions.value(&format!("arith.muli {down}, {across} : index"));
        let many = versions.at_least(&whole, "many", 1000);
        let most = versions.value(&format!("arith.constant {most} : index"));
        let huge = versions.value(&format!("arith.cmpi ugt, %xy, {most} : index"));
        let either = versions.value(&format!("arith.ori {many}, {huge} : i1"));
        let [(rows, _), (_, columns)] = [("%x", 64), ("%y", 128)].map(|(size, of_tile)| {
            let of_tile = versions.value(&format!("arith.constant {of_tile} : index"));
            let tiles = versions.value(&format!("arith.ceildivsi {size}, {of_tile} : index"));
            let elements = versions.value(&format!("arith.muli {tiles}, {of_tile} : index"));
            (tiles, elements)
        });
        versions.choice(&either, |v| v.launch("%true"), |v| v.launch("%true"));
        versions.host = versions.host.replace(
            "args(%x : index, %y : index",
            &format!("args({rows} : index, {columns} : index"),
        );
        let (_, left) = versions.narrowed();
        assert_eq!(left, wanted, "{}", versions.text());
    }
}

#[test]
fn a_quotient_bounds_a_size_where_its_divisor_is_bounded() {
    // Each of at most 8 turns has fewer than 100 of x; the turns of y, of which there is no bound, do not bound it.
    for (most, expected) in [(Some("8"), 1), (None, 0)] {
        let mut versions = Versions::default();
        let many = versions.at_least("%y", "rows", 1000);
        versions.open(&many);
        versions.launch("%true");
        versions.otherwise();
        let mut turns = versions.value("arith.ceildivsi %xy, %four : index");
        if let Some(most) = most {
            let most = versions.value(&format!("arith.constant {most} : index"));
            turns = versions.value(&format!("arith.minsi {turns}, {most} : index"));
        }
        let turns = versions.value(&format!("arith.maxsi {turns}, %one : index"));
        let each = versions.value(&format!("arith.divsi %x, {turns} : index"));
        let long = versions.at_least(&each, "long", 100);
        versions.choice(&long, |v| v.launch("%true"), |v| v.launch("%true"));
        versions.close();
        let (mut ir, left) = versions.narrowed();
        assert_eq!(left, expected, "{most:?}");
        check_all(&mut ir, &["rows", "long"]);
    }
}

#[test]
fn parts_of_rows_bound_the_elements_of_as_many_rows() {
    // Threads have 4 columns each, the last one of a row fewer: 3 more columns make one more thread, 2 may leave some without.
    for (more, expected) in [(6, 1), (3, 1), (2, 0)] {
        let mut versions = Versions::default();
        let more = versions.value(&format!("arith.constant {more} : index"));
        let whole = versions.value(&format!("arith.addi %y, {more} : index"));
        let parts = versions.value(&format!("arith.divui {whole}, %four : index"));
        let parts = versions.value(&format!("arith.minsi {parts}, %y : index"));
        let threads = versions.value(&format!("arith.muli %x, {parts} : index"));
        let each = versions.value(&format!("arith.maxsi {parts}, %one : index"));
        let rows = versions.value(&format!("arith.divui {threads}, {each} : index"));
        let many = versions.at_least("%xy", "many", 1 << 28);
        versions.choice(&many, |v| v.launch("%true"), |v| v.launch("%true"));
        let arguments = format!("args({rows} : index, %y : index");
        versions.host = versions
            .host
            .replace("args(%x : index, %y : index", &arguments);
        let (_, left) = versions.narrowed();
        assert_eq!(left, expected, "{}", versions.text());
    }
}

#[test]
fn a_version_that_a_size_allows_does_not_take_over() {
    // The version for many is right where one size is at most 2000.
    let mut versions = Versions::default();
    let many = versions.at_least("%xy", "many", 1000);
    let limit = versions.value("arith.constant 2000 : index");
    let allowed = versions.value(&format!("arith.cmpi ule, %x, {limit} : index"));
    let both = versions.value(&format!("arith.andi {many}, {allowed} : i1"));
    versions.choice(&both, |v| v.launch(&allowed), |v| v.launch("%true"));
    let (mut ir, left) = versions.narrowed();
    assert_eq!(left, 0);
    check_all(&mut ir, &["many"]);
}

#[test]
fn an_inner_version_takes_over_where_an_outer_size_allows_it() {
    // Inside of what a size allows, thresholds choose; outside there is one version.
    let mut versions = Versions::default();
    let limit = versions.value("arith.constant 2000 : index");
    let allowed = versions.value(&format!("arith.cmpi ule, %y, {limit} : index"));
    versions.choice(
        &allowed,
        |v| {
            let many = v.at_least("%xy", "many", 1000);
            v.choice(&many, |v| v.launch(&allowed), |v| v.launch(&allowed));
        },
        |v| v.launch("%true"),
    );
    let (mut ir, left) = versions.narrowed();
    assert_eq!(left, 1);
    check_all(&mut ir, &["many"]);
}

#[test]
fn a_threshold_that_decides_elsewhere_is_not_gone_against() {
    // The second choice goes on with what the first one's version has left.
    let mut versions = Versions::default();
    let many = versions.at_least("%xy", "many", 1000);
    let few = versions.value(&format!("arith.xori {many}, %true : i1"));
    versions.choice(&many, |v| v.launch("%true"), |v| v.launch("%true"));
    let kept = versions.value(&format!("arith.extui {many} : i1 to i32"));
    let kept = versions.value(&format!("arith.trunci {kept} : i32 to i1"));
    let lost = versions.value(&format!("arith.xori {kept}, %true : i1"));
    versions.choice(&few, |v| v.launch(&lost), |v| v.launch(&kept));
    let (mut ir, left) = versions.narrowed();
    assert_eq!(left, 0);
    check_all(&mut ir, &["many"]);
}

#[test]
fn the_outer_threshold_does_not_lead_to_an_inner_choice_by_it() {
    // The inner choice's other side is never reached, and wrong.
    let mut versions = Versions::default();
    let many = versions.at_least("%xy", "many", 1000);
    versions.choice(
        &many,
        |v| v.launch("%true"),
        |v| {
            let wrong = v.value("arith.constant false");
            v.choice(&many, |v| v.launch(&wrong), |v| v.launch("%true"));
        },
    );
    let (mut ir, left) = versions.narrowed();
    assert!(left <= 1, "{left}");
    check_all(&mut ir, &["many"]);
}

#[test]
fn sizes_for_which_a_launch_is_not_reached_stay_where_they_are() {
    // The first launch of the version for many is for some of them only; others do not go to the version for few.
    let mut versions = Versions::default();
    let many = versions.at_least("%x", "many", 1000);
    versions.choice(
        &many,
        |v| {
            let limit = v.value("arith.constant 70000 : index");
            let some = v.value(&format!("arith.cmpi ule, %xy, {limit} : index"));
            v.choice(&some, |v| v.launch("%true"), |v| v.launch("%true"));
        },
        |v| v.launch("%true"),
    );
    let (mut ir, left) = versions.narrowed();
    assert_eq!(left, 1);
    check_all(&mut ir, &["many"]);
    // Its kernel is launched for large sizes as before.
    set(&mut ir, &BTreeMap::from([("many".to_owned(), 1000)]));
    let text = print(&ir, ir.root(), &PrintOptions::default());
    assert_eq!(launched(&ir, 3000, 3), ["k0"], "{text}");
    assert_eq!(launched(&ir, LARGE, 1), ["k1_64"], "{text}");
    assert_eq!(launched(&ir, 50, 1), ["k2"], "{text}");
}

/// Thresholds by their numbers, and whether they are met.
type Known = Vec<(usize, bool)>;

/// Makes random versions.
struct Maker {
    rng: Rng,
    versions: Versions,
    /// The thresholds so far: what they are compared with, and their defaults.
    thresholds: Vec<(&'static str, i64)>,
}

impl Maker {
    fn of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.rng.below(values.len() as u64) as usize]
    }

    fn size(&mut self) -> &'static str {
        self.of(&["%x", "%y", "%xy", "%xy"])
    }

    /// A comparison with a threshold, at times one of those there are, and its number.
    fn asked(&mut self) -> (String, usize) {
        let at = match self.rng.below(6) {
            0 if !self.thresholds.is_empty() => {
                self.rng.below(self.thresholds.len() as u64) as usize
            }
            _ => {
                let size = self.size();
                let default = self.of(&[0, 2, 100, 1000, 70_000, NEVER]);
                self.thresholds.push((size, default));
                self.thresholds.len() - 1
            }
        };
        let (size, default) = self.thresholds[at];
        (self.versions.at_least(size, &format!("t{at}"), default), at)
    }

    /// Both operands of an op.
    fn both(&mut self, op: &str, x: &str, y: &str) -> String {
        self.versions.value(&format!("arith.{op} {x}, {y} : i1"))
    }

    /// A tree of versions, each right where `right` holds; `met` are the thresholds on the way.
    fn tree(&mut self, depth: usize, right: &str, met: &BTreeMap<usize, bool>) {
        if depth == 0 || self.rng.below(5) == 0 {
            return self.versions.launch(right);
        }
        let (asked, first) = self.asked();
        let (other, second) = self.asked();
        let compared = {
            let (size, limit) = (self.size(), self.of(&[1, 60, 3000]));
            let limit = self
                .versions
                .value(&format!("arith.constant {limit} : index"));
            let predicate = self.of(&["ult", "uge"]);
            let op = format!("arith.cmpi {predicate}, {size}, {limit} : index");
            self.versions.value(&op)
        };
        let not_compared = self.both("xori", &compared, "%true");
        let with = self.both("andi", right, &compared);
        let without = self.both("andi", right, &not_compared);
        // The condition, where each side is right, and which thresholds are known on it.
        let (condition, sides, known): (_, [&str; 2], [Known; 2]) = match self.rng.below(8) {
            0 => (compared, [&with, &without], [vec![], vec![]]),
            1 => {
                let known = [vec![(first, true)], vec![]];
                (self.both("andi", &asked, &compared), [&with, right], known)
            }
            2 => {
                let known = [vec![], vec![(first, false)]];
                (
                    self.both("ori", &asked, &compared),
                    [right, &without],
                    known,
                )
            }
            3 => {
                let known = [vec![(first, true), (second, true)], vec![]];
                (self.both("andi", &asked, &other), [right, right], known)
            }
            4 => {
                let known = [vec![], vec![(first, false), (second, false)]];
                (self.both("ori", &asked, &other), [right, right], known)
            }
            5 => {
                let known = [vec![(first, false)], vec![(first, true)]];
                (self.both("xori", &asked, "%true"), [right, right], known)
            }
            _ => {
                let known = [vec![(first, true)], vec![(first, false)]];
                (asked, [right, right], known)
            }
        };
        let sides = sides.map(str::to_owned);
        self.versions.open(&condition);
        for (index, (right, known)) in sides.iter().zip(&known).enumerate() {
            if index == 1 {
                self.versions.otherwise();
            }
            let mut here = met.clone();
            let contradicts = known.iter().any(|(at, holds)| {
                here.insert(*at, *holds)
                    .is_some_and(|other| other != *holds)
            });
            // No thresholds lead here: it may be wrong.
            if contradicts {
                let wrong = self.versions.value("arith.constant false");
                self.versions.launch(&wrong);
            } else {
                self.tree(depth - 1, right, &here);
            }
        }
        self.versions.close();
    }
}

#[test]
fn random_versions_are_right_whatever_their_thresholds() {
    let (mut left, mut kernels) = (0, 0);
    for seed in 0..150 {
        let mut maker = Maker {
            rng: Rng::new(seed),
            versions: Versions::default(),
            thresholds: Vec::new(),
        };
        for _ in 0..2 {
            maker.tree(4, "%true", &BTreeMap::new());
        }
        let (mut ir, these) = maker.versions.narrowed();
        left += these;
        kernels += maker.versions.kernels;
        for _ in 0..6 {
            let mut to = BTreeMap::new();
            for at in 0..maker.thresholds.len() {
                to.insert(format!("t{at}"), maker.of(&[0, 0, 60, 2000, LARGE, NEVER]));
            }
            set(&mut ir, &to);
            for _ in 0..4 {
                let x = maker.of(&[0, 1, 50, 2999, 65_536, LARGE, LARGE + 1]);
                let y = maker.of(&[0, 1, 3, 70, 65_536]);
                check(&ir, x, y);
            }
        }
    }
    // A tenth of the launches leave sizes to others.
    assert!(left * 10 > kernels as u64, "{left} of {kernels}");
}
