//! The kernel that a chain of nests becomes.

use super::find::{Chain, Late, Made, body_of, combiner};
use crate::tile::strip::{returned, tensor_of, yielded};
use segra_ir::clone::Mapping;
use segra_ir::{Block, Builder, Ir, Op, OpView, Type, Value};
use segra_kernel::access::Read;
use segra_kernel::level::Level;
use segra_kernel::segop::{ReturnOp, SegMapOp, SegRedOp, tensor_over};
use segra_kernel::tile::UntileOp;
use segra_std::arith::{AndIOp, CmpIPredicate, DivFOp, FastMath, MulFOp, SelectOp, index};
use segra_std::rescaled::{Base, Form, equals, factor, float};
use segra_std::scf::{Bounds, ForOp};

/// The extents of a thread block's tiles, and the points of a thread in them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Rows of a thread block.
    pub(super) rows: i64,
    /// Columns at a time.
    pub(super) columns: i64,
    /// Elements of a result's row.
    pub(super) width: i64,
    /// Points of a thread of the scores, and of the result.
    pub(super) scores: [i64; 2],
    pub(super) result: [i64; 2],
    /// From how many thread blocks on it is taken.
    pub(super) blocks: i64,
}

/// Nests of the kernel that are tiled further.
#[derive(Default)]
pub(super) struct Nests {
    /// Those that make scores.
    pub(super) scores: Vec<SegMapOp>,
    /// Those that add products of the columns at hand to the result.
    pub(super) last: Vec<SegMapOp>,
    /// Those whose points are the same, before and after.
    pub(super) beside: Vec<SegMapOp>,
}

/// Builds the kernel at the end of a block; its result is that of the chain.
pub(super) fn kernel(ir: &mut Ir, chain: &Chain, shape: &Shape, to: Block) -> (Value, Nests) {
    let loc = ir.loc(chain.last.op());
    let mut b = Builder::at_end(ir, to, loc);
    let (rows, columns, width) = (chain.rows, chain.columns, chain.width);
    let constant = |b: &mut Builder<'_>, value| index::constant(b, value);
    let extents = [shape.rows, shape.columns, shape.width].map(|it| constant(&mut b, it));
    let (zero, one) = (constant(&mut b, 0), constant(&mut b, 1));
    let all = [
        (rows, shape.rows),
        (columns, shape.columns),
        (width, shape.width),
    ];
    let lasts = all.map(|(size, extent)| {
        let whole =
            b.ir.constant_int(size)
                .is_some_and(|size| size % extent == 0);
        (!whole).then(|| index::sub(&mut b, size, one))
    });
    let blocks = [(rows, extents[0]), (width, extents[2])];
    let mut space = chain.outer.clone();
    space.extend(blocks.map(|(size, extent)| index::ceil_div(&mut b, size, extent)));
    let full = index::div(&mut b, columns, extents[1]);
    let all = index::ceil_div(&mut b, columns, extents[1]);
    let ctx = b.ir.context();
    let element = returned(b.ir, chain.last);
    let row = tensor_of(&b, &[shape.rows, shape.width], b.type_of(element[0]));
    let ty = tensor_over(&ctx, space.len(), row);
    let block = SegMapOp::builder()
        .level(Level::Block.attr(&ctx))
        .sizes(&space)
        .results_types(&[ty])
        .build(&mut b);
    let region = block.body(b.ir);
    let mut nests = Nests::default();
    b.build_block(region, &vec![ctx.index(); space.len()], |b, points| {
        let (outer, tile) = points.split_at(points.len() - 2);
        let firsts = [
            index::mul(b, tile[0], extents[0]),
            index::mul(b, tile[1], extents[2]),
        ];
        let mut make = Make {
            chain,
            shape,
            outer,
            firsts,
            extents,
            lasts,
            nests: &mut nests,
        };
        let mut state = make.start(b);
        for (lower, upper, is_full) in [(zero, full, true), (full, all, false)] {
            let known = |b: &Builder<'_>, value| b.ir.constant_int(value);
            if known(b, lower).is_some() && known(b, lower) == known(b, upper) {
                continue;
            }
            let bounds = Bounds {
                lower,
                upper,
                step: one,
            };
            let looped = ForOp::with_body(b, bounds, &state, |b, step, state| {
                make.step(b, step, state, is_full)
            });
            state = looped.results(b.ir);
        }
        let result = make.end(b, &state);
        ReturnOp::build(b, &[result]);
    });
    let tiles = block.results(b.ir)[0];
    let ty = b.type_of(chain.last.results(b.ir)[0]);
    let result = UntileOp::build(&mut b, tiles, &[rows, width], ty).result(b.ir);
    (result, nests)
}

struct Make<'a> {
    chain: &'a Chain,
    shape: &'a Shape,
    /// Indices around, and the first row and element of the thread block.
    outer: &'a [Value],
    firsts: [Value; 2],
    /// Of tiles: rows, columns, elements; and the last index of each, where tiles may have places beyond it.
    extents: [Value; 3],
    lasts: [Option<Value>; 3],
    nests: &'a mut Nests,
}

/// Where a part of the kernel finds what the chain has made so far.
struct Held {
    /// Scores, and what other nests store: arrays over a tile's rows and columns.
    scores: Option<Value>,
    elements: Vec<Vec<Value>>,
    /// The reduced values, by nest: arrays over a tile's rows.
    rows: Vec<Vec<Value>>,
    /// The extreme, and where it is that of nothing, 0: exponentials of its elements are then 0, as beside any other element.
    reference: Option<Value>,
    /// By which sums relative to the extreme before the step are multiplied, for each way to depend on it.
    factors: Vec<((Base, f64), Value)>,
}

impl Held {
    /// By what a sum of this form is multiplied: an array over a tile's rows.
    fn factor(&self, form: Form) -> Option<Value> {
        let Form::Scaled { base, k } = form else {
            return None;
        };
        let mut known = self.factors.iter();
        known.find(|(way, _)| *way == (base, k)).map(|row| row.1)
    }
}

/// The columns of a step.
struct Columns {
    first: Value,
    /// How many there are; none: as many as a tile has.
    count: Option<Value>,
}

impl Make<'_> {
    /// The state before the first column: what is reduced in each row, then the sums of the result.
    fn start(&mut self, b: &mut Builder<'_>) -> Vec<Value> {
        let chain = self.chain;
        let mut neutral = Vec::new();
        for member in &chain.members {
            if let Some(reduction) = b.ir.cast::<SegRedOp>(member.op) {
                neutral.extend(reduction.neutral(b.ir));
            }
        }
        let mut state = self.by_row(b, |_, _| neutral.clone());
        let starts = chain.looped.init_args(b.ir);
        let sums = self.over_result(b, |_, _, _| starts);
        self.nests.beside.push(sums);
        state.extend(sums.results(b.ir));
        state
    }

    /// A segmap over the rows.
    fn by_row(
        &self,
        b: &mut Builder<'_>,
        body: impl FnOnce(&mut Builder<'_>, Value) -> Vec<Value>,
    ) -> Vec<Value> {
        let sizes = [self.extents[0]];
        let shape = [self.shape.rows];
        let made = over(b, (&sizes, &shape), |b, args| body(b, args[0]));
        made.results(b.ir)
    }

    /// A segmap over the elements of the result; `body` gets the row and the element in the tile and the indices of the point.
    fn over_result(
        &self,
        b: &mut Builder<'_>,
        body: impl FnOnce(&mut Builder<'_>, [Value; 2], Vec<Value>) -> Vec<Value>,
    ) -> SegMapOp {
        let sizes = [self.extents[0], self.extents[2]];
        let shape = [self.shape.rows, self.shape.width];
        over(b, (&sizes, &shape), |b, args| {
            let row = self.clamped(b, self.firsts[0], args[0], self.lasts[0]);
            let element = self.clamped(b, self.firsts[1], args[1], self.lasts[2]);
            let point = [self.outer, &[row, element]].concat();
            body(b, [args[0], args[1]], point)
        })
    }

    /// The index of a place in a tile; beyond the last one, the last one.
    fn clamped(
        &self,
        b: &mut Builder<'_>,
        first: Value,
        place: Value,
        last: Option<Value>,
    ) -> Value {
        let at = index::add(b, first, place);
        match last {
            Some(last) => index::min(b, at, last),
            None => at,
        }
    }

    /// Splits the state as [`Self::start`] has it.
    fn held(&self, state: &[Value]) -> (Held, Vec<Value>) {
        let mut rest = state;
        let mut rows = Vec::new();
        for member in &self.chain.members {
            let (own, others) = rest.split_at(member.reduced);
            rows.push(own.to_vec());
            rest = others;
        }
        let held = Held {
            scores: None,
            elements: Vec::new(),
            rows,
            reference: None,
            factors: Vec::new(),
        };
        (held, rest.to_vec())
    }

    /// A step: the next columns, of which there are as many as a tile has, or fewer.
    fn step(
        &mut self,
        b: &mut Builder<'_>,
        step: Value,
        state: &[Value],
        full: bool,
    ) -> Vec<Value> {
        let first = index::mul(b, step, self.extents[1]);
        let count = (!full).then(|| index::sub(b, self.chain.columns, first));
        let columns = Columns { first, count };
        let (mut held, sums) = self.held(state);
        let scores = self.scores(b, &columns);
        held.scores = scores.results(b.ir).first().copied();
        self.nests.scores.push(scores);
        for number in 0..self.chain.members.len() {
            self.member(b, number, &columns, &mut held);
        }
        let sums = self.products(b, &columns, &held, &sums);
        let mut state: Vec<Value> = held.rows.concat();
        state.extend(sums);
        state
    }

    /// The indices of a row and a column of a tile.
    fn point(
        &self,
        b: &mut Builder<'_>,
        columns: &Columns,
        [row, column]: [Value; 2],
    ) -> Vec<Value> {
        let row = self.clamped(b, self.firsts[0], row, self.lasts[0]);
        let column = match columns.count {
            None => index::add(b, columns.first, column),
            Some(_) => self.clamped(b, columns.first, column, self.lasts[1]),
        };
        [self.outer, &[row, column]].concat()
    }

    fn scores(&self, b: &mut Builder<'_>, columns: &Columns) -> SegMapOp {
        let body = self.chain.scores.body_block(b.ir);
        let sizes = [self.extents[0], self.extents[1]];
        let shape = [self.shape.rows, self.shape.columns];
        over(b, (&sizes, &shape), |b, args| {
            let point = self.point(b, columns, [args[0], args[1]]);
            b.clone_block_body(body, &point, &mut Mapping::new())
        })
    }

    /// Copies ops of a nest's body; what they read of the chain is in `held`, at these places of tiles.
    fn copy(
        &self,
        b: &mut Builder<'_>,
        ops: &[Op],
        mapping: &mut Mapping,
        (held, places): (&Held, [Option<Value>; 2]),
    ) {
        for &op in ops {
            let read = Read::of(b.ir, op);
            let made = read.and_then(|read| {
                let made = self.chain.made.get(&read.tensor(b.ir))?;
                Some((read.result(b.ir), *made))
            });
            let Some((result, made)) = made else {
                b.clone_op(op, mapping);
                continue;
            };
            let (array, rank) = match (made, self.array(made, held)) {
                (Made::Row(member, at), _) if (member, at) == self.chain.extreme.row => {
                    (held.reference.unwrap_or(held.rows[member][at]), 1)
                }
                (Made::Row(member, at), _) => (held.rows[member][at], 1),
                (_, Some(array)) => (array, 2),
                // Not there yet: not found by `find`.
                (_, None) => continue,
            };
            let places: Vec<Value> = places.into_iter().take(rank).flatten().collect();
            let value = Read::build(b, array, &places).result(b.ir);
            mapping.map(result, value);
        }
    }

    /// Whether a row has met nothing but the extreme of nothing.
    fn is_empty(&self, b: &mut Builder<'_>, extreme: Value) -> Value {
        let ty = b.type_of(extreme);
        let neutral = float(b, self.chain.extreme.neutral, ty);
        equals(b, extreme, neutral)
    }

    /// The extreme of a row, as it is in `held`.
    fn extreme(&self, b: &mut Builder<'_>, held: &Held, row: Value) -> Value {
        let (member, at) = self.chain.extreme.row;
        Read::build(b, held.rows[member][at], &[row]).result(b.ir)
    }

    fn member(&self, b: &mut Builder<'_>, number: usize, columns: &Columns, held: &mut Held) {
        let member = &self.chain.members[number];
        let sizes = [self.extents[0], self.extents[1]];
        let shape = [self.shape.rows, self.shape.columns];
        let body = body_of(b.ir, member.op);
        let values = body.map_or(Vec::new(), |body| yielded(b.ir, body));
        let types: Vec<Type> = values.iter().map(|&value| b.type_of(value)).collect();
        let neutral = b.ir.cast::<SegRedOp>(member.op);
        let neutral = neutral.map(|reduction| reduction.neutral(b.ir));
        let neutral = neutral.unwrap_or_default();
        let inside = |b: &mut Builder<'_>, args: &[Value]| {
            let places = [args[0], args[1]];
            self.elements(b, number, columns, (&*held, places))
        };
        if let Some(tiles) = self.known(b.ir, number, held) {
            held.elements.push(tiles);
            return;
        }
        let Some(combine) = combiner(b.ir, member.op) else {
            let made = over(b, (&sizes, &shape), inside);
            held.elements.push(made.results(b.ir));
            return;
        };
        let (reduced, stored) = types.split_at(member.reduced);
        let rows = reduced.iter().map(|&ty| tensor_of(b, &shape[..1], ty));
        let tiles = stored.iter().map(|&ty| tensor_of(b, &shape, ty));
        let results: Vec<Type> = rows.chain(tiles).collect();
        let ctx = b.ir.context();
        let parts = SegRedOp::builder()
            .level(Level::Thread.attr(&ctx))
            .sizes(&sizes)
            .neutral(&neutral)
            .results_types(&results)
            .build(b);
        let region = parts.body(b.ir);
        b.build_block(region, &[ctx.index(); 2], |b, args| {
            let values = inside(b, args);
            ReturnOp::build(b, &values);
        });
        let region = parts.combine(b.ir);
        let operator = |b: &mut Builder<'_>, args: &[Value]| {
            b.clone_block_body(combine, args, &mut Mapping::new())
        };
        b.build_block(region, &[reduced, reduced].concat(), |b, args| {
            let values = operator(b, args);
            ReturnOp::build(b, &values);
        });
        let results = parts.results(b.ir);
        let (parts, tiles) = results.split_at(member.reduced);
        held.elements.push(tiles.to_vec());
        let old = held.rows[number].clone();
        let forms = &member.forms[..member.reduced];
        let ways = self.ways();
        let rows = self.by_row(b, |b, row| {
            let read = |b: &mut Builder<'_>, arrays: &[Value]| -> Vec<Value> {
                let arrays = arrays.iter();
                arrays
                    .map(|&array| Read::build(b, array, &[row]).result(b.ir))
                    .collect()
            };
            let mut left = read(b, &old);
            let right = read(b, parts);
            for (value, &form) in left.iter_mut().zip(forms) {
                if let Some(factor) = held.factor(form) {
                    let factor = Read::build(b, factor, &[row]).result(b.ir);
                    *value = product(b, *value, factor);
                }
            }
            let old = left.clone();
            let mut values = operator(b, &[left, right].concat());
            let (of, at) = self.chain.extreme.row;
            if of == number {
                let (from, to) = (old[at], values[at]);
                let (empty, ty) = (self.is_empty(b, to), b.type_of(to));
                let zero = float(b, 0.0, ty);
                values.push(SelectOp::build(b, empty, zero, to).result(b.ir));
                let ways = ways.iter();
                values.extend(ways.map(|&(base, k)| factor(b, base, k, (from, to))));
            }
            values
        });
        let (rows, others) = rows.split_at(member.reduced);
        held.rows[number] = rows.to_vec();
        if let [reference, factors @ ..] = others {
            held.reference = Some(*reference);
            held.factors = ways.into_iter().zip(factors.iter().copied()).collect();
        }
    }

    /// The tiles of what a nest stores, where all of it is there already, but for what comes late.
    fn known(&self, ir: &Ir, number: usize, held: &Held) -> Option<Vec<Value>> {
        let member = &self.chain.members[number];
        let values = yielded(ir, body_of(ir, member.op)?);
        let tile = |(&value, &late): (&Value, &Option<(Value, Late)>)| {
            let value = late.map_or(value, |(rest, _)| rest);
            let read = Read::of(ir, ir.defining_op(value)?)?;
            self.array(*self.chain.made.get(&read.tensor(ir))?, held)
        };
        let tiles = values.iter().zip(&member.late).map(tile);
        (member.reduced == 0).then(|| tiles.collect())?
    }

    /// Where an array over a tile's rows and columns is.
    fn array(&self, made: Made, held: &Held) -> Option<Value> {
        match made {
            Made::Score => held.scores,
            Made::Element(member, at) => {
                let at = at.checked_sub(self.chain.members[member].reduced)?;
                held.elements.get(member)?.get(at).copied()
            }
            Made::Row(..) => None,
        }
    }

    /// The ways in which what is summed up depends on the extreme.
    fn ways(&self) -> Vec<(Base, f64)> {
        let reduced = self.chain.members.iter();
        let reduced = reduced.flat_map(|member| &member.forms[..member.reduced]);
        let sums = self.chain.sums.iter().map(|(form, _)| form);
        let mut found = Vec::new();
        for &form in reduced.chain(sums) {
            if let Form::Scaled { base, k } = form
                && !found.contains(&(base, k))
            {
                found.push((base, k));
            }
        }
        found
    }

    /// The values that a nest between the products returns at places of tiles.
    fn elements(
        &self,
        b: &mut Builder<'_>,
        number: usize,
        columns: &Columns,
        (held, places): (&Held, [Value; 2]),
    ) -> Vec<Value> {
        let member = &self.chain.members[number];
        let Some(body) = body_of(b.ir, member.op) else {
            return Vec::new();
        };
        let point = self.point(b, columns, places);
        let mut mapping = Mapping::new();
        mapping.map_all(b.ir.block_args(body), &point);
        let mut ops: Vec<Op> = b.ir.ops(body).collect();
        ops.pop();
        self.copy(b, &ops, &mut mapping, (held, places.map(Some)));
        let neutral = b.ir.cast::<SegRedOp>(member.op);
        let neutral = neutral.map(|reduction| reduction.neutral(b.ir));
        let neutral = neutral.unwrap_or_default();
        let inside = columns.count.map(|count| {
            let ordered = CmpIPredicate::Slt;
            index::cmp(b, ordered, places[1], count)
        });
        let values = yielded(b.ir, body);
        let mut made = Vec::new();
        for (at, value) in values.into_iter().enumerate() {
            // A factor that it lacks comes in the end.
            let value = member.late[at].map_or(value, |(rest, _)| rest);
            let mut value = mapping.get(value);
            if let (Some(inside), true) = (inside, at < member.reduced) {
                value = SelectOp::build(b, inside, value, neutral[at]).result(b.ir);
            }
            made.push(value);
        }
        made
    }

    /// The sums of the result, with the products of the columns at hand.
    fn products(
        &mut self,
        b: &mut Builder<'_>,
        columns: &Columns,
        held: &Held,
        sums: &[Value],
    ) -> Vec<Value> {
        let chain = self.chain;
        let looped = chain.looped;
        let made = self.over_result(b, |b, places, point| {
            let mut mapping = Mapping::new();
            let body = chain.last.body_block(b.ir);
            mapping.map_all(b.ir.block_args(body), &point);
            let ops: Vec<Op> = b.ir.ops(body).collect();
            let before = ops.into_iter().take_while(|&op| op != looped.op());
            let before: Vec<Op> = before.collect();
            self.copy(b, &before, &mut mapping, (held, [Some(places[0]), None]));
            let mut starts = Vec::new();
            for (&array, &(form, _)) in sums.iter().zip(&chain.sums) {
                let mut start = Read::build(b, array, &places).result(b.ir);
                if let Some(factor) = held.factor(form) {
                    let factor = Read::build(b, factor, &places[..1]).result(b.ir);
                    start = product(b, start, factor);
                }
                starts.push(start);
            }
            let bounds = Bounds {
                lower: index::constant(b, 0),
                upper: columns.count.unwrap_or(self.extents[1]),
                step: index::constant(b, 1),
            };
            let inner = looped.region_block(b.ir);
            let new = ForOp::with_body(b, bounds, &starts, |b, place, carried| {
                let column = index::add(b, columns.first, place);
                let args = [&[column], carried].concat();
                mapping.map_all(b.ir.block_args(inner), &args);
                let mut ops: Vec<Op> = b.ir.ops(inner).collect();
                ops.pop();
                let at = [Some(places[0]), Some(place)];
                self.copy(b, &ops, &mut mapping, (held, at));
                mapping.get_all(yielded(b.ir, inner))
            });
            new.results(b.ir)
        });
        self.nests.last.push(made);
        made.results(b.ir)
    }

    /// The code of the last nest after its loop.
    fn end(&mut self, b: &mut Builder<'_>, state: &[Value]) -> Value {
        let chain = self.chain;
        let (mut held, sums) = self.held(state);
        let ends = self.by_row(b, |b, row| {
            let extreme = self.extreme(b, &held, row);
            let empty = self.is_empty(b, extreme);
            let zero = index::constant(b, 0);
            let any = index::cmp(b, CmpIPredicate::Sgt, self.chain.columns, zero);
            let undefined = AndIOp::build(b, empty, any).result(b.ir);
            let mut values = vec![undefined];
            for (member, arrays) in chain.members.iter().zip(&held.rows) {
                for (&array, &form) in arrays.iter().zip(&member.forms) {
                    let value = Read::build(b, array, &[row]).result(b.ir);
                    values.push(undefined_or(b, undefined, value, form));
                }
            }
            values
        });
        let undefined = ends[0];
        let mut rest = &ends[1..];
        for (member, arrays) in chain.members.iter().zip(&mut held.rows) {
            let (own, others) = rest.split_at(member.reduced);
            (*arrays, rest) = (own.to_vec(), others);
        }
        let made = self.over_result(b, |b, places, point| {
            let mut mapping = Mapping::new();
            let body = chain.last.body_block(b.ir);
            mapping.map_all(b.ir.block_args(body), &point);
            let undefined = Read::build(b, undefined, &places[..1]).result(b.ir);
            let results = chain.looped.results(b.ir);
            for ((&array, result), &(form, late)) in sums.iter().zip(results).zip(&chain.sums) {
                let mut value = Read::build(b, array, &places).result(b.ir);
                if let Some(late) = late {
                    let array = held.rows[late.row.0][late.row.1];
                    let row = Read::build(b, array, &places[..1]).result(b.ir);
                    let whole = match late.divides {
                        true => DivFOp::build(b, value, row).result(b.ir),
                        false => product(b, value, row),
                    };
                    // Without columns, there is nothing that lacks it.
                    let zero = index::constant(b, 0);
                    let any = index::cmp(b, CmpIPredicate::Sgt, self.chain.columns, zero);
                    value = SelectOp::build(b, any, whole, value).result(b.ir);
                }
                let value = undefined_or(b, undefined, value, form);
                mapping.map(result, value);
            }
            let mut ops: Vec<Op> = b.ir.ops(body).collect();
            ops.pop();
            ops.retain(|&op| op != chain.looped.op());
            self.copy(b, &ops, &mut mapping, (&held, [Some(places[0]), None]));
            mapping.get_all(yielded(b.ir, body))
        });
        self.nests.beside.push(made);
        made.results(b.ir)[0]
    }
}

/// NaN, where all elements of a row were the extreme of nothing, for what they scale: as without rescaling.
fn undefined_or(b: &mut Builder<'_>, undefined: Value, value: Value, form: Form) -> Value {
    let Form::Scaled { .. } = form else {
        return value;
    };
    let ty = b.type_of(value);
    let nan = float(b, f64::NAN, ty);
    SelectOp::build(b, undefined, nan, value).result(b.ir)
}

fn product(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    let value = MulFOp::build(b, x, y).result(b.ir);
    let flags = FastMath::REASSOC.attr(b.ctx());
    if let Some(op) = b.ir.defining_op(value) {
        b.ir.set_attr_named(op, "fastmath", Some(flags));
    }
    value
}

/// A segmap of threads over a tile.
fn over(
    b: &mut Builder<'_>,
    (sizes, shape): (&[Value], &[i64]),
    body: impl FnOnce(&mut Builder<'_>, &[Value]) -> Vec<Value>,
) -> SegMapOp {
    let ctx = b.ir.context();
    let block = b.ir.create_block(&vec![ctx.index(); sizes.len()]);
    let args = b.ir.block_args(block).to_vec();
    let loc = b.loc;
    let mut inner = Builder::at_end(b.ir, block, loc);
    let values = body(&mut inner, &args);
    ReturnOp::build(&mut inner, &values);
    let values = values.into_iter();
    let types: Vec<Type> = values
        .map(|it| tensor_of(b, shape, b.type_of(it)))
        .collect();
    let made = SegMapOp::builder()
        .level(Level::Thread.attr(&ctx))
        .sizes(sizes)
        .results_types(&types)
        .build(b);
    let region = made.body(b.ir);
    b.ir.append_block(region, block);
    made
}
