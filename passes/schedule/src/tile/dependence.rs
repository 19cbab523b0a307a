//! Dependences between the iterations of a nest, as direction vectors.
//!
//! ```text
//! kernel.segmap (%i < %m, %j < %n) {                      i  j  k
//!   %s = scf.for %k = 0 to %u iter_args(%acc = %zero) {   =  =     %acc starts
//!     yield %acc + %a[%i, %k] * %b[%k, %j]                =  =  <  %acc is carried
//!   }                                                     =  =     %acc is the result
//!   return %s }
//! ```
//! "Teaching the Futhark compiler block and register tiled matrix multiplication" (2020), 2.1, step 0: a row for each
//! dependence, a column for each loop around both of its ends: `=`, the same iteration; `<`, a later one; `>`, an earlier
//! one; `*`, any. A loop is parallel where each entry of its column is `=` or has a `<` before it in its row. Loops may be
//! put into another order where no row then has `>` (or `*`, which may be that) as its first entry that is not `=`. (The
//! thesis asks this of interchange in footnote 12; the printed listing 1 has lost its vectors.)
//!
//! In a segmap, points have no memory in common, so the columns of its dimensions are `=`. Loops depend on themselves by
//! what they carry: a scalar, from each round to the next, in whichever rounds of the loops inside that it comes from or
//! goes to; an array, of which only elements are read and replaced, by the elements: two indices that are sums of multiples
//! of counters, of values from outside and of a constant are compared dimension by dimension (equal multiples of one
//! counter: the distance; else whether the greatest common divisor allows a meeting). An array that is used otherwise is
//! a scalar here.
//!
//! Deliberately absent: how far a dependence reaches, beyond its direction; operators that may combine in any order.

use rustc_hash::FxHashMap;
use segra_ir::{Ir, Op, OpView, Value};
use segra_kernel::access::{Read, Update};
use segra_kernel::segop::SegMapOp;
use segra_std::arith::{AddIOp, MulIOp, SubIOp};
use segra_std::scf::{ForOp, IfOp};
use std::fmt;

/// From which iteration of a loop to which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// `=`: the same.
    Equal,
    /// `<`: a later one.
    Later,
    /// `>`: an earlier one.
    Earlier,
    /// `*`: any.
    Any,
}

impl Direction {
    fn reversed(self) -> Direction {
        match self {
            Direction::Later => Direction::Earlier,
            Direction::Earlier => Direction::Later,
            other => other,
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Direction::Equal => "=",
            Direction::Later => "<",
            Direction::Earlier => ">",
            Direction::Any => "*",
        })
    }
}

/// A loop of a nest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its counter.
    pub counter: Value,
    /// The counter's name, or what stands for it.
    pub name: String,
}

/// A dependence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The value that is carried, and how.
    pub what: String,
    /// By column; none for loops that are not around both of its ends.
    pub directions: Vec<Option<Direction>>,
}

/// The dependences of a nest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matrix {
    /// Dimensions of the segmap, then loops in its points, outer ones first.
    pub columns: Vec<Column>,
    /// One per dependence.
    pub rows: Vec<Row>,
}

impl Matrix {
    /// The dependences of a segmap's points and of the loops in them.
    pub fn of(ir: &Ir, segmap: SegMapOp) -> Matrix {
        let body = segmap.body_block(ir);
        let mut nest = Nest {
            ir,
            columns: Vec::new(),
            loops: Vec::new(),
            classes: FxHashMap::default(),
        };
        for &index in ir.block_args(body) {
            nest.column(index, 'i');
        }
        let dimensions = nest.columns.len();
        for op in ir.walk(segmap.op()) {
            if let Some(looped) = ir.cast::<ForOp>(op) {
                let column = nest.column(ir.block_args(looped.region_block(ir))[0], 'k');
                nest.loops.push((looped, column));
            }
        }
        nest.join(segmap.op());
        let mut rows = Vec::new();
        for &(looped, column) in &nest.loops {
            nest.carried(segmap.op(), (looped, column), dimensions, &mut rows);
        }
        nest.elements(segmap.op(), dimensions, &mut rows);
        Matrix {
            columns: nest.columns,
            rows,
        }
    }

    /// Whether the iterations of a loop are independent of each other.
    pub fn is_parallel(&self, column: usize) -> bool {
        self.rows.iter().all(|row| {
            let before = &row.directions[..column];
            matches!(row.directions[column], None | Some(Direction::Equal))
                || before.contains(&Some(Direction::Later))
        })
    }

    /// Whether loops may have another order, outermost first.
    ///
    /// # Errors
    /// The first dependence that would go backwards.
    pub fn reordered(&self, order: &[usize]) -> Result<(), &Row> {
        let backwards = |row: &&Row| {
            let mut entries = order.iter().filter_map(|&column| row.directions[column]);
            let first = entries.find(|&direction| direction != Direction::Equal);
            matches!(first, Some(Direction::Earlier | Direction::Any))
        };
        self.rows.iter().find(backwards).map_or(Ok(()), Err)
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entries = self.directions.iter().map(|entry| match entry {
            Some(direction) => direction.to_string(),
            None => " ".to_owned(),
        });
        let entries: Vec<String> = entries.collect();
        write!(f, "[{}] {}", entries.join(" ").trim_end(), self.what)
    }
}

impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for column in &self.columns {
            write!(f, "{}  ", column.name)?;
        }
        for row in &self.rows {
            writeln!(f)?;
            for (column, entry) in self.columns.iter().zip(&row.directions) {
                let entry = entry.map_or(String::new(), |entry| entry.to_string());
                write!(f, "{entry:<width$}  ", width = column.name.len())?;
            }
            write!(f, "{}", row.what)?;
        }
        Ok(())
    }
}

struct Nest<'a> {
    ir: &'a Ir,
    columns: Vec<Column>,
    /// Loops, and their columns.
    loops: Vec<(ForOp, usize)>,
    /// Arrays that are one memory, by a representative of them.
    classes: FxHashMap<Value, Value>,
}

/// An element that an array is read or replaced at.
struct Access {
    op: Op,
    indices: Vec<Value>,
    replaces: bool,
}

/// A sum of multiples of values and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Affine {
    terms: Vec<(Value, i64)>,
    constant: i64,
}

impl<'a> Nest<'a> {
    /// A column for a loop; counters without a name have one with this letter.
    fn column(&mut self, counter: Value, letter: char) -> usize {
        let name = self.ir.value_name(counter);
        let name = name.map(|name| self.ir.ctx().str(name).to_owned());
        let number = self.columns.len();
        self.columns.push(Column {
            counter,
            name: name.unwrap_or_else(|| format!("{letter}{number}")),
        });
        number
    }

    /// The loops around an op, by column.
    fn around(&self, op: Op, dimensions: usize) -> Vec<bool> {
        let outside: Vec<Op> = self.ir.ancestors(op).skip(1).collect();
        let mut around = vec![false; self.columns.len()];
        around[..dimensions].fill(true);
        for &(looped, column) in &self.loops {
            around[column] = outside.contains(&looped.op());
        }
        around
    }

    /// Arrays that updates, loops and branches make of each other are one.
    fn join(&mut self, nest: Op) {
        for op in self.ir.walk(nest) {
            if let Some(update) = Update::of(self.ir, op) {
                self.same(update.tensor(self.ir), update.result(self.ir));
            } else if let Some(looped) = self.ir.cast::<ForOp>(op) {
                let body = looped.region_block(self.ir);
                let yielded = self.yielded(body);
                let args = self.ir.block_args(body)[1..].to_vec();
                let inits = looped.init_args(self.ir);
                for (at, &result) in looped.results(self.ir).iter().enumerate() {
                    for other in [inits[at], args[at], yielded[at]] {
                        self.same(other, result);
                    }
                }
            } else if self.ir.isa::<IfOp>(op) {
                let results: Vec<Value> = self.ir.results(op).collect();
                for &region in self.ir.regions(op) {
                    let block = self.ir.entry_block(region);
                    let values = block.map_or(Vec::new(), |block| self.yielded(block));
                    values
                        .into_iter()
                        .zip(&results)
                        .for_each(|(value, &result)| {
                            self.same(value, result);
                        });
                }
            }
        }
    }

    fn yielded(&self, block: segra_ir::Block) -> Vec<Value> {
        let last = self.ir.last_op(block);
        last.map_or(Vec::new(), |last| self.ir.operands(last).collect())
    }

    fn class(&self, mut value: Value) -> Value {
        while let Some(&next) = self.classes.get(&value) {
            value = next;
        }
        value
    }

    fn same(&mut self, x: Value, y: Value) {
        if self.ir.value_type(x).shaped(self.ir.ctx()).is_none() {
            return;
        }
        let (x, y) = (self.class(x), self.class(y));
        if x != y {
            self.classes.insert(x, y);
        }
    }

    /// Rows of what a loop carries as a whole.
    fn carried(
        &self,
        nest: Op,
        (looped, column): (ForOp, usize),
        dimensions: usize,
        rows: &mut Vec<Row>,
    ) {
        let ir = self.ir;
        let outer = self.around(looped.op(), dimensions);
        let args = &ir.block_args(looped.region_block(ir))[1..];
        for &arg in args {
            if self.by_elements(nest, arg) {
                continue;
            }
            let name = self.name(arg);
            let start = outer
                .iter()
                .map(|&around| around.then_some(Direction::Equal));
            let mut directions: Vec<Option<Direction>> = start.collect();
            rows.push(row(&name, "starts", directions.clone()));
            let end = row(&name, "is the result", directions.clone());
            directions[column] = Some(Direction::Later);
            // In whichever round of a loop inside it is used or made.
            for &(inner, column) in &self.loops {
                let inside = ir.ancestors(inner.op()).skip(1).any(|op| op == looped.op());
                if inside && self.touches(inner, arg, looped) {
                    directions[column] = Some(Direction::Any);
                }
            }
            rows.push(row(&name, "is carried", directions));
            rows.push(end);
        }
    }

    /// Whether a loop inside of another uses what that one carries, or makes it.
    fn touches(&self, inner: ForOp, carried: Value, outer: ForOp) -> bool {
        let ir = self.ir;
        let number = ir.block_args(outer.region_block(ir))[1..]
            .iter()
            .position(|&arg| arg == carried);
        let made = number.and_then(|at| self.yielded(outer.region_block(ir)).get(at).copied());
        let uses = ir
            .walk(inner.op())
            .into_iter()
            .any(|op| ir.operands(op).any(|value| value == carried));
        uses || made.is_some_and(|made| inner.results(ir).contains(&made))
    }

    /// Whether a value is an array of which only elements are read and replaced, and some are replaced.
    fn by_elements(&self, nest: Op, value: Value) -> bool {
        if self.ir.value_type(value).shaped(self.ir.ctx()).is_none() {
            return false;
        }
        self.accesses(nest, self.class(value))
            .is_some_and(|accesses| accesses.iter().any(|access| access.replaces))
    }

    /// The accesses to a memory; none where it is used otherwise.
    fn accesses(&self, nest: Op, class: Value) -> Option<Vec<Access>> {
        let ir = self.ir;
        let mut found = Vec::new();
        for op in ir.walk(nest) {
            if let Some(read) = Read::of(ir, op) {
                if self.class(read.tensor(ir)) == class {
                    found.push(Access {
                        op,
                        indices: read.indices(ir),
                        replaces: false,
                    });
                }
            } else if let Some(update) = Update::of(ir, op) {
                if self.class(update.value(ir)) == class {
                    return None;
                }
                if self.class(update.tensor(ir)) == class {
                    found.push(Access {
                        op,
                        indices: update.indices(ir),
                        replaces: true,
                    });
                }
            } else {
                let structure = ir.isa::<ForOp>(op) || ir.isa::<IfOp>(op);
                let forwards = structure || ir.results(op).len() == 0;
                if !forwards && ir.operands(op).any(|value| self.class(value) == class) {
                    return None;
                }
            }
        }
        Some(found)
    }

    /// Rows of arrays that loops carry and of which only elements are read and replaced.
    fn elements(&self, nest: Op, dimensions: usize, rows: &mut Vec<Row>) {
        let ir = self.ir;
        let mut seen = Vec::new();
        for &(looped, _) in &self.loops {
            for &arg in &ir.block_args(looped.region_block(ir))[1..] {
                let class = self.class(arg);
                if seen.contains(&class) || !self.by_elements(nest, arg) {
                    continue;
                }
                seen.push(class);
                let accesses = self.accesses(nest, class).unwrap_or_default();
                for (at, first) in accesses.iter().enumerate() {
                    for second in &accesses[at..] {
                        if first.replaces || second.replaces {
                            self.pair(&self.name(arg), (first, second), dimensions, rows);
                        }
                    }
                }
            }
        }
    }

    /// Rows of two accesses to one memory, the second not before the first in a round of all loops.
    fn pair(
        &self,
        name: &str,
        (first, second): (&Access, &Access),
        dimensions: usize,
        rows: &mut Vec<Row>,
    ) {
        let (one, other) = (
            self.around(first.op, dimensions),
            self.around(second.op, dimensions),
        );
        let common = one.iter().zip(&other).map(|(&one, &other)| one && other);
        // Points share nothing; rounds of loops may, unless indices tell otherwise.
        let mut directions: Vec<Option<Direction>> = common
            .enumerate()
            .map(|(column, common)| match column < dimensions {
                true => Some(Direction::Equal),
                false => common.then_some(Direction::Any),
            })
            .collect();
        for (&x, &y) in first.indices.iter().zip(&second.indices) {
            let (Some(x), Some(y)) = (self.affine(x, 0), self.affine(y, 0)) else {
                continue;
            };
            match self.meets(&x, &y) {
                Meeting::Never => return,
                Meeting::Unknown => {}
                Meeting::At(column, found) => {
                    let known = directions[column];
                    match known {
                        Some(Direction::Any) => directions[column] = Some(found),
                        Some(known) if known != found => return,
                        _ => {}
                    }
                }
            }
        }
        let same = first.op == second.op;
        let how = match (first.replaces, second.replaces) {
            (true, true) => "an element is replaced again",
            (true, false) => "an element is read",
            _ => "an element is replaced",
        };
        let back = match (first.replaces, second.replaces) {
            (true, false) => "an element is replaced",
            (false, true) => "an element is read",
            _ => how,
        };
        for (directions, forwards) in ordered(&directions) {
            // An access depends on itself in other rounds only.
            let within = directions
                .iter()
                .all(|entry| matches!(entry, None | Some(Direction::Equal)));
            if same && (within || !forwards) {
                continue;
            }
            rows.push(row(name, if forwards { how } else { back }, directions));
        }
    }

    /// A value as a sum of multiples of counters and of values from outside of the nest.
    fn affine(&self, value: Value, depth: usize) -> Option<Affine> {
        const DEEPEST: usize = 32;
        if let Some(constant) = self.ir.constant_int(value) {
            return Some(Affine {
                terms: Vec::new(),
                constant,
            });
        }
        let single = || Affine {
            terms: vec![(value, 1)],
            constant: 0,
        };
        let Some(op) = self.ir.defining_op(value).filter(|_| depth < DEEPEST) else {
            let counter = self.columns.iter().any(|column| column.counter == value);
            let outside = self.is_outside(value);
            return (counter || outside).then(single);
        };
        if self.is_outside(value) {
            return Some(single());
        }
        let of = |value: Value| self.affine(value, depth + 1);
        if let Some(add) = self.ir.cast::<AddIOp>(op) {
            return of(add.lhs(self.ir))?.plus(&of(add.rhs(self.ir))?, 1);
        }
        if let Some(sub) = self.ir.cast::<SubIOp>(op) {
            return of(sub.lhs(self.ir))?.plus(&of(sub.rhs(self.ir))?, -1);
        }
        let mul = self.ir.cast::<MulIOp>(op)?;
        let (x, y) = (of(mul.lhs(self.ir))?, of(mul.rhs(self.ir))?);
        match (x.terms.is_empty(), y.terms.is_empty()) {
            (true, _) => Affine::default().plus(&y, x.constant),
            (_, true) => Affine::default().plus(&x, y.constant),
            _ => None,
        }
    }

    /// Whether a value is the same for all iterations of the nest.
    fn is_outside(&self, value: Value) -> bool {
        let Some(first) = self.columns.first() else {
            return false;
        };
        let nest = self.ir.value_block(first.counter);
        let nest = nest.and_then(|block| self.ir.block_parent(block));
        let around = self.ir.value_block(value);
        let around = around.and_then(|block| self.ir.block_parent(block));
        !around.is_some_and(|op| self.ir.ancestors(op).any(|op| Some(op) == nest))
    }

    /// Whether two indices meet, the first in some iterations, the second in others.
    fn meets(&self, x: &Affine, y: &Affine) -> Meeting {
        let counters = |affine: &Affine| -> Vec<(usize, i64)> {
            let column = |&(value, factor): &(Value, i64)| {
                let at = self
                    .columns
                    .iter()
                    .position(|column| column.counter == value)?;
                Some((at, factor))
            };
            affine.terms.iter().filter_map(column).collect()
        };
        let others = |affine: &Affine| -> Vec<(Value, i64)> {
            let is_counter = |value| self.columns.iter().any(|column| column.counter == value);
            let mut terms = affine.terms.clone();
            terms.retain(|&(value, _)| !is_counter(value));
            terms
        };
        let (mut own, mut theirs) = (others(x), others(y));
        own.sort();
        theirs.sort();
        let Some(between) = x.constant.checked_sub(y.constant).filter(|_| own == theirs) else {
            return Meeting::Unknown;
        };
        let (one, other) = (counters(x), counters(y));
        match (&one[..], &other[..]) {
            ([], []) if between == 0 => Meeting::Unknown,
            ([], []) => Meeting::Never,
            (&[(column, factor)], &[(same, equal)]) if column == same && factor == equal => {
                // factor * first + x = factor * second + y, so second - first = (x - y) / factor.
                match (between % factor, (between / factor).signum()) {
                    (0, 0) => Meeting::At(column, Direction::Equal),
                    (0, 1) => Meeting::At(column, Direction::Later),
                    (0, _) => Meeting::At(column, Direction::Earlier),
                    _ => Meeting::Never,
                }
            }
            _ => {
                let factors = one.iter().chain(&other).map(|row| row.1);
                let divisor = factors.fold(0, divisor);
                match between % divisor.max(1) {
                    0 => Meeting::Unknown,
                    _ => Meeting::Never,
                }
            }
        }
    }

    fn name(&self, value: Value) -> String {
        let name = self.ir.value_name(value);
        name.map_or("a value".to_owned(), |name| {
            format!("%{}", self.ir.ctx().str(name))
        })
    }
}

/// Whether two indices may be the same.
enum Meeting {
    Never,
    /// In these iterations of a loop only.
    At(usize, Direction),
    Unknown,
}

impl Affine {
    /// The sum with a multiple of another.
    fn plus(mut self, other: &Affine, factor: i64) -> Option<Affine> {
        self.constant = self
            .constant
            .checked_add(other.constant.checked_mul(factor)?)?;
        for &(value, times) in &other.terms {
            let more = times.checked_mul(factor)?;
            match self.terms.iter_mut().find(|term| term.0 == value) {
                Some(term) => term.1 = term.1.checked_add(more)?,
                None => self.terms.push((value, more)),
            }
        }
        self.terms.retain(|term| term.1 != 0);
        Some(self)
    }
}

fn row(name: &str, how: &str, directions: Vec<Option<Direction>>) -> Row {
    Row {
        what: format!("{name} {how}"),
        directions,
    }
}

/// The same dependences with none that goes backwards: those are the other way round. `false`: it is one of them.
fn ordered(directions: &[Option<Direction>]) -> Vec<(Vec<Option<Direction>>, bool)> {
    let mut found = Vec::new();
    let mut row = directions.to_vec();
    for at in 0..row.len() {
        let reversed = |row: &[Option<Direction>]| -> Vec<Option<Direction>> {
            row.iter()
                .map(|entry| entry.map(Direction::reversed))
                .collect()
        };
        match row[at] {
            None | Some(Direction::Equal) => {}
            Some(Direction::Later) => {
                found.push((row, true));
                return found;
            }
            Some(Direction::Earlier) => {
                found.push((reversed(&row), false));
                return found;
            }
            Some(Direction::Any) => {
                row[at] = Some(Direction::Later);
                found.push((row.clone(), true));
                found.push((
                    {
                        row[at] = Some(Direction::Earlier);
                        reversed(&row)
                    },
                    false,
                ));
                row[at] = Some(Direction::Equal);
            }
        }
    }
    found.push((row, true));
    found
}

fn divisor(x: i64, y: i64) -> i64 {
    let (mut x, mut y) = (x.unsigned_abs(), y.unsigned_abs());
    while y != 0 {
        (x, y) = (y, x % y);
    }
    i64::try_from(x).unwrap_or(i64::MAX)
}
