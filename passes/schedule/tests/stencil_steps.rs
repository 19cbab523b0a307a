//! Several steps of a loop of stencils by one kernel, and stencils that feed one another, of few tiles: by the number of steps, by the
//! cycles of one, and by what is around them.

mod support;

use segra_ir::Ir;
use segra_schedule::ScheduleStencils;
use support::{floats, keeps, parse, run_pass, text};

fn schedule(ir: &mut Ir) {
    let (_, done) = run_pass(&ScheduleStencils::default(), ir);
    assert!(done, "{}", text(ir));
}

/// A loop of so many steps over an array, each element from its neighbours and from `sums` further sums.
struct Loop {
    shape: &'static [usize],
    steps: &'static str,
    sums: usize,
    /// Whether it stands in a loop of three iterations.
    inner: bool,
}

impl Loop {
    fn program(&self) -> String {
        let dims = self.shape.len();
        let extents: String = self.shape.iter().map(|n| format!("{n}x")).collect();
        let ty = format!("tensor<{extents}f32>");
        let space: Vec<String> = (0..dims).map(|d| format!("%i{d} < %n{d}")).collect();
        let at: Vec<String> = (0..dims).map(|d| format!("%i{d}")).collect();
        let mut text = String::new();
        for (dim, extent) in self.shape.iter().enumerate() {
            text += &format!("%n{dim} = arith.constant {extent} : index\n");
        }
        let (outer, start, end) = match self.inner {
            true => (
                format!("%w = scf.for %o = %c0 to %c3 step %c1 iter_args(%b = %a) -> ({ty}) {{\n"),
                "%b",
                format!("scf.yield %r : {ty}\n}}\nfunc.return %w : {ty}\n"),
            ),
            false => (String::new(), "%a", format!("func.return %r : {ty}\n")),
        };
        text += &outer;
        text += &format!(
            "%r = scf.for %t = %c0 to %steps step %c1 iter_args(%u = {start}) -> ({ty}) {{\n\
             %v = kernel.segmap thread ({}) -> ({ty}) {{\n%s0 = arith.constant 0.0 : f32\n",
            space.join(", ")
        );
        let near = (0..dims)
            .flat_map(|dim| [(dim, -1), (dim, 1)])
            .chain([(0, 0)]);
        let mut last = 0;
        for (dim, by) in near {
            let offsets: Vec<String> = (0..dims)
                .map(|d| if d == dim { by } else { 0 }.to_string())
                .collect();
            text += &format!(
                "%x{last} = kernel.near %u[{}] clamp {{offsets = array<i64: {}>}} : {ty}\n\
                 %s{} = arith.addf %s{last}, %x{last} : f32\n",
                at.join(", "),
                offsets.join(", "),
                last + 1
            );
            last += 1;
        }
        for _ in 0..self.sums {
            text += &format!("%s{} = arith.mulf %s{last}, %half : f32\n", last + 1);
            last += 1;
        }
        text += &format!("kernel.return %s{last} : f32\n}}\nscf.yield %v : {ty}\n}}\n{end}");
        format!(
            "func.func @main(%a: {ty}{}) -> {ty} {{\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n\
             %c3 = arith.constant 3 : index\n%half = arith.constant 0.5 : f32\n{}{text}}}",
            if self.steps.is_empty() {
                ", %steps: index"
            } else {
                ""
            },
            match self.steps {
                "" => String::new(),
                steps => format!("%steps = arith.constant {steps} : index\n"),
            },
        )
    }

    /// Whether one kernel does several steps.
    fn is_fused(&self) -> bool {
        self.kernels() > 0
    }

    /// How many kernels do several steps.
    fn kernels(&self) -> usize {
        let mut ir = parse(&self.program());
        schedule(&mut ir);
        text(&ir).matches("kernel.segmap block").count()
    }
}

/// Steps of a tile that take longer than a launch of a graph, and less time than one alone.
const PLANE: Loop = Loop {
    shape: &[33, 40],
    steps: "17",
    sums: 0,
    inner: false,
};
/// Steps that take less time than both.
const LINE: Loop = Loop {
    shape: &[100],
    steps: "17",
    sums: 0,
    inner: false,
};

#[test]
fn few_steps_are_one_kernel_from_one_tile_on() {
    assert!(PLANE.is_fused());
    let at = |steps| Loop { steps, ..PLANE }.is_fused();
    assert!(at("63"), "none of them is in a graph");
    assert!(!at("5000"), "nearly all are in graphs");
    let inner = Loop {
        inner: true,
        ..PLANE
    };
    assert!(!inner.is_fused(), "batches come again");
}

#[test]
fn steps_that_are_left_are_done_several_at_once_too() {
    let kernels = |steps| Loop { steps, ..PLANE }.kernels();
    assert_eq!(kernels(""), 2, "16 steps, and 4 of those that are left");
    assert_eq!(kernels("20"), 2);
    assert_eq!(kernels("17"), 1, "one is left");
    assert_eq!(kernels("8"), 1, "none is left of eight at once");
    assert_eq!(kernels("11"), 2, "eight, then two");
    assert_eq!(kernels("1"), 0);
}

#[test]
fn short_steps_are_one_kernel_wherever_they_are() {
    for (steps, inner) in [("17", false), ("5000", false), ("17", true)] {
        let line = Loop {
            steps,
            inner,
            ..LINE
        };
        assert!(line.is_fused(), "{steps} steps, {inner}");
    }
}

#[test]
fn long_steps_are_one_kernel_each() {
    let long = Loop { sums: 100, ..PLANE };
    assert!(!long.is_fused());
    let full = Loop {
        shape: &[512, 512],
        ..PLANE
    };
    assert!(full.is_fused(), "full tiles for all multiprocessors");
}

#[test]
fn tiles_that_take_turns_count_where_they_are_full() {
    let narrow = |shape| Loop { shape, ..PLANE }.is_fused();
    assert!(narrow(&[1, 9000]));
    assert!(
        narrow(&[1, 20_000]),
        "313 tiles: little more than run at once"
    );
    assert!(!narrow(&[1, 30_000]), "469 tiles, none of them full");
}

#[test]
fn a_number_of_steps_that_is_not_known_is_asked_for() {
    let asked = Loop { steps: "", ..PLANE };
    let program = asked.program();
    let inputs: Vec<Vec<_>> = [0, 1, 16, 19]
        .map(|steps| vec![floats(&[33, 40], 3), segra_interp::Datum::Int(steps)])
        .to_vec();
    let after = keeps(&program, &inputs, schedule);
    assert!(
        after.contains("\"main.stencil0.steps\" default 32"),
        "{after}"
    );
}

/// Three stencils of a plane that feed one another, each of some further products; in a loop that they do not carry, or not.
fn chain(products: usize, inner: bool) -> String {
    let ty = "tensor<33x40xf32>";
    let mut stages = String::new();
    for stage in 0..3 {
        let from = match stage {
            0 => "%a".to_owned(),
            _ => format!("%v{}", stage - 1),
        };
        let mut body = String::new();
        for (number, offsets) in ["-1, 0", "1, 0", "0, -1", "0, 1", "0, 0"]
            .iter()
            .enumerate()
        {
            body += &format!(
                "%x{number} = kernel.near {from}[%i, %j] clamp {{offsets = array<i64: {offsets}>}} : {ty}\n\
                 %s{} = arith.addf %s{number}, %x{number} : f32\n",
                number + 1
            );
        }
        for number in 5..5 + products {
            body += &format!("%s{} = arith.mulf %s{number}, %half : f32\n", number + 1);
        }
        stages += &format!(
            "%v{stage} = kernel.segmap thread (%i < %n, %j < %m) -> ({ty}) {{\n\
             %s0 = arith.constant 0.0 : f32\n{body}kernel.return %s{} : f32\n}}\n",
            5 + products
        );
    }
    let whole = match inner {
        true => format!(
            "%w = scf.for %o = %c0 to %c3 step %c1 iter_args(%b = %a) -> ({ty}) {{\n{stages}scf.yield %v2 : {ty}\n}}\n\
             func.return %w : {ty}"
        ),
        false => format!("{stages}func.return %v2 : {ty}"),
    };
    format!(
        "func.func @main(%a: {ty}) -> {ty} {{\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n\
         %c3 = arith.constant 3 : index\n%n = arith.constant 33 : index\n%m = arith.constant 40 : index\n\
         %half = arith.constant 0.5 : f32\n{whole}\n}}"
    )
}

#[test]
fn stencils_that_feed_one_another_save_launches() {
    let is_one = |products, inner| {
        let after = keeps(
            &chain(products, inner),
            &[vec![floats(&[33, 40], 5)]],
            schedule,
        );
        after.contains("kernel.segmap block")
    };
    assert!(is_one(0, false), "launches by themselves");
    assert!(!is_one(40, false), "long ones");
    assert!(!is_one(20, true), "launches of graphs");
    assert!(is_one(20, false), "launches by themselves, of longer ones");
}
