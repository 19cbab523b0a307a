//! Chains of nests, found by what they read of each other.

use super::needed;
use crate::choice::is_choice;
use crate::tile::strip::yielded;
use rustc_hash::FxHashMap;
use segra_ir::interfaces::is_pure;
use segra_ir::{Block, Ir, Op, OpView, Value};
use segra_kernel::access::Read;
use segra_kernel::level::Level;
use segra_kernel::segop::{Combiner, ReturnOp, SegMapOp, SegRedOp, SegmentedOp};
use segra_kernel::vector::element_bytes;
use segra_std::arith::{AddFOp, DivFOp, MulFOp};
use segra_std::rescaled::{self, Form, Proof, are_sums, is_number, may_regroup};
use segra_std::scf::{ForOp, IfOp, YieldOp};

/// Nests of a chain that make something of scores, at most: more would not fit a thread block.
const MOST_MEMBERS: usize = 8;

/// Bytes of an element, at most.
const MOST_BYTES: i64 = 8;

/// An array that a nest of the chain makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Made {
    /// A number of each row and column, by the first nest of products.
    Score,
    /// One by another nest, and which of the values that its points return.
    Element(usize, usize),
    /// A number of each row, reduced along the columns.
    Row(usize, usize),
}

/// A number of the row that each element of an array has yet to be multiplied with, or divided by, when all columns are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Late {
    /// The nest that makes it, and which of the values that its points return.
    pub(super) row: (usize, usize),
    /// Whether it divides.
    pub(super) divides: bool,
}

/// A nest between the two products.
pub(super) struct Member {
    pub(super) op: Op,
    /// How many of the values that its points return are reduced; others are stored.
    pub(super) reduced: usize,
    /// How each of them depends on the extreme.
    pub(super) forms: Vec<Form>,
    /// The factor that each of them lacks, and what it is without.
    pub(super) late: Lacking,
}

/// For each of some values, the factor that it lacks, and what it is without; none where it lacks nothing.
type Lacking = Vec<Option<(Value, Late)>>;

/// The extreme of each row that later nests are relative to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extreme {
    pub(super) row: (usize, usize),
    /// The extreme of nothing.
    pub(super) neutral: f64,
}

/// Nests that are one kernel.
pub(super) struct Chain {
    /// The outermost choice between versions of all of them; its result is that of the chain.
    pub(super) choice: Op,
    /// Extents: those around, rows, columns (over which is summed up), and elements of a result's row.
    pub(super) outer: Vec<Value>,
    pub(super) rows: Value,
    pub(super) columns: Value,
    pub(super) width: Value,
    /// The first product.
    pub(super) scores: SegMapOp,
    pub(super) members: Vec<Member>,
    /// The second one, and its loop over the columns.
    pub(super) last: SegMapOp,
    pub(super) looped: ForOp,
    /// Of each sum of the loop.
    pub(super) sums: Vec<(Form, Option<Late>)>,
    pub(super) extreme: Extreme,
    pub(super) made: FxHashMap<Value, Made>,
    /// Bytes of the widest element that a tile has.
    pub(super) bytes: i64,
    /// Ops of the choice that nests of the chain use, which may go before it, in order.
    pub(super) before: Vec<Op>,
}

/// The chain that ends with a segmap.
pub(super) fn chain(ir: &Ir, last: SegMapOp) -> Option<Chain> {
    let sizes = last.sizes(ir);
    let [outer @ .., rows, width] = sizes.as_slice() else {
        return None;
    };
    let looped = only_loop(ir, last)?;
    if !is_plain(ir, last.op()) || !looped.counts_from_zero(ir) || last.results(ir).len() != 1 {
        return None;
    }
    let mut find = Find {
        ir,
        choice: outermost(ir, last)?,
        space: [outer, &[*rows, looped.upper_bound(ir)]].concat(),
        scores: None,
        depth: 0,
        members: Vec::new(),
        made: FxHashMap::default(),
    };
    find.nest(last.op())?;
    let scores = find.scores?;
    let read = find.reads(last.op(), Some(looped))?;
    let extreme = find.extreme(&read)?;
    find.classify(extreme)?;
    let sums = find.sums(looped, extreme)?;
    let before = find.before(last.op())?;
    let bytes = find.bytes(looped)?;
    let (choice, members, made) = (find.choice, find.members, find.made);
    Some(Chain {
        choice,
        outer: outer.to_vec(),
        rows: *rows,
        columns: looped.upper_bound(ir),
        width: *width,
        scores,
        members,
        last,
        looped,
        sums,
        extreme,
        made,
        bytes,
        before,
    })
}

/// The body of a nest.
pub(super) fn body_of(ir: &Ir, nest: Op) -> Option<Block> {
    let segmented = ir.interface::<dyn SegmentedOp>(nest)?;
    ir.entry_block(segmented.body(ir, nest))
}

/// The loop directly in the body of a segmap, if there is one and no other op with code in it.
fn only_loop(ir: &Ir, segmap: SegMapOp) -> Option<ForOp> {
    let mut with_code = ir
        .ops(segmap.body_block(ir))
        .filter(|&op| !ir.regions(op).is_empty());
    let only = with_code.next()?;
    with_code.next().is_none().then_some(())?;
    ir.cast::<ForOp>(only)
}

/// Whether a nest is run by threads in no way that is chosen yet, and reads and computes numbers only.
fn is_plain(ir: &Ir, nest: Op) -> bool {
    let undecided = match (ir.cast::<SegMapOp>(nest), ir.cast::<SegRedOp>(nest)) {
        (Some(map), _) => {
            map.level(ir) == Level::Thread
                && map.mapping_attr(ir).is_none()
                && map.schedule_attr(ir).is_none()
                && map.registers_attr(ir).is_none()
                && map.vector_attr(ir).is_none()
        }
        (_, Some(reduction)) => {
            reduction.level(ir) == Level::Thread
                && reduction.form_attr(ir).is_none()
                && reduction.mapping_attr(ir).is_none()
                && reduction.vector_attr(ir).is_none()
        }
        _ => false,
    };
    let harmless = |op: &Op| {
        let code = ir.isa::<ForOp>(*op) || ir.isa::<IfOp>(*op);
        let ends = ir.isa::<YieldOp>(*op) || ir.isa::<ReturnOp>(*op);
        let scalars = ir
            .results(*op)
            .all(|result| ir.value_type(result).is_scalar(ir.ctx()));
        scalars && (code || ends || is_pure(ir, *op) || Read::is(ir, *op))
    };
    undecided && ir.walk(nest).iter().skip(1).all(harmless)
}

/// The outermost choice between versions of which the segmap's result is that of the first.
fn outermost(ir: &Ir, last: SegMapOp) -> Option<Op> {
    let mut made = last.op();
    let mut found = None;
    loop {
        let block = ir.block_of(made)?;
        let around = ir.block_parent(block)?;
        let yielded = yielded(ir, block);
        if !is_choice(ir, around) || yielded != ir.results(made).collect::<Vec<_>>() {
            return found;
        }
        made = around;
        found = Some(around);
    }
}

struct Find<'a> {
    ir: &'a Ir,
    choice: Op,
    /// Extents around, rows, columns.
    space: Vec<Value>,
    scores: Option<SegMapOp>,
    /// How many nests are being looked at, each because the one before reads what it makes.
    depth: usize,
    members: Vec<Member>,
    made: FxHashMap<Value, Made>,
}

impl Find<'_> {
    /// Finds what a nest reads of arrays that are made in the choice.
    fn nest(&mut self, nest: Op) -> Option<()> {
        let ir = self.ir;
        for read in ir.walk(nest).into_iter().filter_map(|op| Read::of(ir, op)) {
            let array = read.tensor(ir);
            if ir.is_defined_inside(array, self.choice) && !self.made.contains_key(&array) {
                self.array(array)?;
            }
        }
        Some(())
    }

    /// Finds the nest that makes an array, and those before it.
    fn array(&mut self, array: Value) -> Option<()> {
        let ir = self.ir;
        let maker = ir.defining_op(array)?;
        if let Some(scores) = first_version(ir, array).and_then(|op| ir.cast::<SegMapOp>(op))
            && only_loop(ir, scores).is_some()
        {
            let outside = ir.walk(scores.op()).into_iter().all(|op| {
                Read::of(ir, op).is_none_or(|read| {
                    let array = read.tensor(ir);
                    !ir.is_defined_inside(array, self.choice)
                })
            });
            let alone = ir.num_results(maker) == 1 && scores.results(ir).len() == 1;
            let first = self.scores.is_none() && alone && outside;
            let plain = is_plain(ir, scores.op()) && self.is_space(&scores.sizes(ir));
            (first && plain).then_some(())?;
            self.scores = Some(scores);
            self.made.insert(array, Made::Score);
            return Some(());
        }
        let segmented = ir.interface::<dyn SegmentedOp>(maker)?;
        let sizes = segmented.sizes(ir, maker);
        (is_plain(ir, maker) && self.is_space(&sizes)).then_some(())?;
        (self.depth < MOST_MEMBERS).then_some(())?;
        self.depth += 1;
        self.nest(maker)?;
        self.depth -= 1;
        let reduced = ir
            .cast::<SegRedOp>(maker)
            .map_or(0, |reduction| reduction.neutral(ir).len());
        let member = self.members.len();
        (member < MOST_MEMBERS).then_some(())?;
        for (at, result) in ir.results(maker).enumerate() {
            let made = match at < reduced {
                true => Made::Row(member, at),
                false => Made::Element(member, at),
            };
            self.made.insert(result, made);
        }
        self.members.push(Member {
            op: maker,
            reduced,
            forms: Vec::new(),
            late: Vec::new(),
        });
        Some(())
    }

    fn is_space(&self, sizes: &[Value]) -> bool {
        let ir = self.ir;
        let same = |(&x, &y): (&Value, &Value)| {
            x == y || ir.constant_int(x).is_some() && ir.constant_int(x) == ir.constant_int(y)
        };
        sizes.len() == self.space.len() && sizes.iter().zip(&self.space).all(same)
    }

    /// The arrays of the chain that a nest reads, each at its own row and column; none where it reads anything in another way. `looped`: of
    /// the last one, whose loop counts the columns.
    fn reads(&self, nest: Op, looped: Option<ForOp>) -> Option<Vec<(Value, Made)>> {
        let ir = self.ir;
        let body = body_of(ir, nest)?;
        let args = ir.block_args(body);
        let (&last, row) = args.split_last()?;
        let column = looped.map_or(last, |looped| looped.induction_var(ir));
        let inside = looped.map(|looped| looped.region_block(ir));
        let mut found = Vec::new();
        for read in ir.walk(nest).into_iter().filter_map(|op| Read::of(ir, op)) {
            let Some(&made) = self.made.get(&read.tensor(ir)) else {
                continue;
            };
            let indices = read.indices(ir);
            let block = ir.block_of(read.op());
            let whole = |columns: &[Value]| indices == [row, columns].concat();
            let fits = match made {
                Made::Row(..) => whole(&[]) && (block == Some(body) || block == inside),
                Made::Score | Made::Element(..) => {
                    whole(&[column]) && block == inside.or(Some(body))
                }
            };
            fits.then_some(())?;
            found.push((read.result(ir), made));
        }
        Some(found)
    }

    /// The extreme that nests are relative to.
    fn extreme(&self, last: &[(Value, Made)]) -> Option<Extreme> {
        let ir = self.ir;
        let mut found: Option<Extreme> = None;
        let mut reads = last.to_vec();
        for member in &self.members {
            reads.extend(self.reads(member.op, None)?);
        }
        for (_, made) in reads {
            let Made::Row(member, at) = made else {
                continue;
            };
            let op = self.members.get(member)?.op;
            let Some(reduction) = ir.cast::<SegRedOp>(op) else {
                continue;
            };
            let combine = ir.entry_block(reduction.combine(ir))?;
            let start = reduction.neutral(ir)[at];
            let Some(neutral) = rescaled::extreme(ir, combine, at, start) else {
                continue;
            };
            let new = Extreme {
                row: (member, at),
                neutral,
            };
            is_number(ir, ir.value_type(start)).then_some(())?;
            if found.is_some_and(|found| found.row != new.row) {
                return None;
            }
            found = Some(new);
        }
        found
    }

    /// How what the nests return depends on the extreme.
    fn classify(&mut self, extreme: Extreme) -> Option<()> {
        for number in 0..self.members.len() {
            let (forms, late) = self.member(number, extreme)?;
            let member = &mut self.members[number];
            (member.forms, member.late) = (forms, late);
        }
        Some(())
    }

    /// The forms of values that are read of the chain.
    fn given(&self, reads: &[(Value, Made)], extreme: Extreme) -> Option<Vec<(Value, Form)>> {
        let form = |made: Made| match made {
            Made::Score => Some(Form::Free),
            Made::Element(member, at) => self.members[member].forms.get(at).copied(),
            Made::Row(member, at) if (member, at) == extreme.row => Some(Form::EXTREME),
            // Not known before all columns are: only what is read of them in the end.
            Made::Row(..) => Some(Form::Unknown),
        };
        let reads = reads.iter();
        reads
            .map(|&(value, made)| Some((value, form(made)?)))
            .collect()
    }

    fn member(&self, number: usize, extreme: Extreme) -> Option<(Vec<Form>, Lacking)> {
        let ir = self.ir;
        let member = &self.members[number];
        let body = body_of(ir, member.op)?;
        let reads = self.reads(member.op, None)?;
        let before = extreme.row.0 < number;
        let mut given = self.given(&reads, extreme)?;
        // They may be what the extreme is of.
        given.retain(|(_, form)| !form.is_free());
        let proof = Proof::of(ir, body, given, |value| {
            before && self.is_element(extreme, body, value)
        });
        let values = yielded(ir, body);
        let (mut forms, mut late) = (Vec::new(), Vec::new());
        for (at, &value) in values.iter().enumerate() {
            let known = proof.form(ir, value);
            let (form, missing) = match known.rescales(extreme.neutral) {
                true => (known, None),
                false if at >= member.reduced => {
                    let (rest, missing) = self.late(&reads, value)?;
                    (proof.form(ir, rest), Some((rest, missing)))
                }
                false => return None,
            };
            form.rescales(extreme.neutral).then_some(())?;
            forms.push(form);
            late.push(missing);
        }
        // Only the last product makes up for factors that elements lack.
        let tiles = reads.iter().any(|&(_, made)| self.lacks(made));
        (!tiles).then_some(())?;
        if let Some(reduction) = ir.cast::<SegRedOp>(member.op)
            && forms[..member.reduced].iter().any(|form| !form.is_free())
        {
            let combine = ir.entry_block(reduction.combine(ir))?;
            let numbers = reduction.neutral(ir);
            let suits = numbers
                .iter()
                .all(|&start| is_number(ir, ir.value_type(start)));
            (suits && are_sums(ir, combine, &numbers)).then_some(())?;
        }
        let scaled =
            |(form, value): (&Form, &Value)| form.is_free() || is_number(ir, ir.value_type(*value));
        let all = forms.iter().zip(&values).all(scaled);
        all.then_some((forms, late))
    }

    fn made_of(&self, reads: &[(Value, Made)], value: Value) -> Option<Made> {
        let found = reads.iter().find(|(read, _)| *read == value);
        found.map(|&(_, made)| made)
    }

    /// Whether an array's elements lack a factor.
    fn lacks(&self, made: Made) -> bool {
        match made {
            Made::Element(member, at) => {
                matches!(self.members[member].late.get(at), Some(Some(_)))
            }
            Made::Score | Made::Row(..) => false,
        }
    }

    /// A value as another one, times or divided by a number of the row that all columns make.
    fn late(&self, reads: &[(Value, Made)], value: Value) -> Option<(Value, Late)> {
        let ir = self.ir;
        let op = ir.defining_op(value).filter(|&op| may_regroup(ir, op))?;
        let row = |value: Value| match self.made_of(reads, value)? {
            Made::Row(member, at) => Some((member, at)),
            Made::Score | Made::Element(..) => None,
        };
        if let Some(quotient) = ir.cast::<DivFOp>(op) {
            let row = row(quotient.rhs(ir))?;
            return Some((quotient.lhs(ir), Late { row, divides: true }));
        }
        let product = ir.cast::<MulFOp>(op)?;
        let sides = [product.lhs(ir), product.rhs(ir)];
        let (at, row) = (0..2).find_map(|at| Some((at, row(sides[at])?)))?;
        let divides = false;
        Some((sides[1 - at], Late { row, divides }))
    }

    /// Whether a value in a nest's body is that of the element that the extreme is of.
    fn is_element(&self, extreme: Extreme, body: Block, value: Value) -> bool {
        let ir = self.ir;
        let (member, at) = extreme.row;
        let Some(of) = body_of(ir, self.members[member].op) else {
            return false;
        };
        let element = yielded(ir, of)[at];
        let number = |body: Block, value: Value| {
            let mut args = ir.block_args(body).iter();
            args.position(|&arg| arg == value)
        };
        let same_index = |x: Value, y: Value| {
            x == y || number(body, x).is_some() && number(body, x) == number(of, y)
        };
        let same = |x: Value, y: Value| {
            let reads = [x, y].map(|value| Read::of(ir, ir.defining_op(value)?));
            let [Some(p), Some(q)] = reads else {
                return x == y;
            };
            let (mut left, right) = (p.indices(ir).into_iter(), q.indices(ir));
            p.tensor(ir) == q.tensor(ir)
                && left.len() == right.len()
                && right
                    .iter()
                    .all(|&y| left.next().is_some_and(|x| same_index(x, y)))
        };
        rescaled::equal(ir, value, element, &same)
    }

    /// The sums of the last product's loop.
    fn sums(&self, looped: ForOp, extreme: Extreme) -> Option<Vec<(Form, Option<Late>)>> {
        let ir = self.ir;
        let body = looped.region_block(ir);
        let nest = ir.block_parent(ir.block_of(looped.op())?)?;
        let mut reads = self.reads(nest, Some(looped))?;
        reads.retain(|&(value, _)| ir.value_block(value) == Some(body));
        let given = self.given(&reads, extreme)?;
        let proof = Proof::of(ir, body, given.clone(), |_| false);
        let mut missing: Vec<Option<Late>> = Vec::new();
        let mut of_late = None;
        for (&(_, made), &(_, form)) in reads.iter().zip(&given) {
            if let (Made::Element(member, at), false) = (made, form.is_free()) {
                let late = self.members[member].late[at].map(|row| row.1);
                missing.push(late);
                of_late = late.map(|_| form).or(of_late);
            } else if self.lacks(made) {
                return None;
            }
        }
        let late = missing.first().copied().flatten();
        missing.iter().all(|it| *it == late).then_some(())?;
        let carried = &ir.block_args(body)[1..];
        let yielded = yielded(ir, body);
        let starts = looped.init_args(ir);
        let sums = yielded.iter().zip(carried).zip(starts);
        sums.map(|((&value, &carried), start)| {
            let sum = ir.defining_op(value).filter(|&op| may_regroup(ir, op))?;
            let sum = ir.cast::<AddFOp>(sum)?;
            let sides = [sum.lhs(ir), sum.rhs(ir)];
            let at = (0..2).find(|&at| sides[at] == carried)?;
            let start = segra_ir::interfaces::constant_of(ir, start)?;
            (rescaled::number(ir.ctx(), start) == Some(0.0)).then_some(())?;
            let form = proof.form(ir, sides[1 - at]);
            form.rescales(extreme.neutral).then_some(())?;
            // Another power of what lacks a factor lacks another one.
            let linear = late.is_none() || form.is_free() || of_late == Some(form);
            linear.then_some((form, late.filter(|_| !form.is_free())))
        })
        .collect()
    }

    /// Bytes of the widest element in a tile; none where there are more tiles than fit a thread block, or wider elements.
    fn bytes(&self, looped: ForOp) -> Option<i64> {
        let ir = self.ir;
        let first = only_loop(ir, self.scores?)?;
        let copied = |looped: ForOp| -> Vec<Value> {
            let reads = ir.ops(looped.region_block(ir));
            let reads = reads.filter_map(|op| Read::of(ir, op));
            let others = reads.filter(|read| !self.made.contains_key(&read.tensor(ir)));
            others.map(|read| read.result(ir)).collect()
        };
        let [of_first, of_last] = [first, looped].map(copied);
        let mut stored = Vec::new();
        for member in &self.members {
            let values = yielded(ir, body_of(ir, member.op)?);
            let values = values.into_iter().zip(&member.late).skip(member.reduced);
            let values = values.map(|(value, late)| late.map_or(value, |(rest, _)| rest));
            let values: Vec<Value> = values.collect();
            let is_there = |&value: &Value| {
                let read = ir.defining_op(value).and_then(|op| Read::of(ir, op));
                read.is_some_and(|read| self.made.contains_key(&read.tensor(ir)))
            };
            // A nest that only reads elements, and what they lack, makes no tile of its own.
            if member.reduced > 0 || !values.iter().all(is_there) {
                stored.extend(values);
            }
        }
        let scores = yielded(ir, self.scores?.body_block(ir));
        let fits = stored.len() <= 1 && of_first.len() <= 2 && of_last.len() <= 1;
        fits.then_some(())?;
        let all = [of_first, of_last, stored, scores].concat().into_iter();
        let bytes: Option<Vec<i64>> = all
            .map(|value| element_bytes(ir, ir.value_type(value)))
            .collect();
        let widest = bytes?.into_iter().max()?;
        (widest <= MOST_BYTES).then_some(widest)
    }

    /// The ops of the choice that nests use, all of which may go before it.
    fn before(&self, last: Op) -> Option<Vec<Op>> {
        let ir = self.ir;
        let nests = self.members.iter().map(|member| member.op);
        let nests = nests.chain([self.scores?.op(), last]);
        let values = nests.flat_map(|nest| ir.operands(nest).chain(ir.free_values(nest)));
        needed(ir, values, self.choice, |value| {
            self.made.contains_key(&value)
        })
    }
}

/// The op that makes a value in the first version of each choice.
fn first_version(ir: &Ir, value: Value) -> Option<Op> {
    let mut value = value;
    loop {
        let maker = ir.defining_op(value)?;
        if !is_choice(ir, maker) {
            return Some(maker);
        }
        let at = ir.results(maker).position(|result| result == value)?;
        let first = ir.entry_block(ir.region(maker, 0))?;
        value = *yielded(ir, first).get(at)?;
    }
}

/// The operator of a reduction.
pub(super) fn combiner(ir: &Ir, nest: Op) -> Option<Block> {
    let reduction = ir.cast::<SegRedOp>(nest)?;
    Combiner::of(ir, nest)?;
    ir.entry_block(reduction.combine(ir))
}
