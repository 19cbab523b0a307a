//! Map, reduce and redomap seen as one: inputs, what is done with each tuple of elements, what is combined.

use rustc_hash::FxHashMap;
use segra_array::soac::{MapOp, RedomapOp, ReduceOp, YieldOp, row_types};
use segra_ir::clone::Mapping;
use segra_ir::{Block, Builder, Ir, Op, OpView, Type, Value};

/// A combinator to be fused.
#[derive(Clone, Debug)]
pub(crate) struct Soac {
    pub(crate) op: Op,
    pub(crate) arrays: Vec<Value>,
    /// What is done with the elements; `None`: they are combined as they are.
    pub(crate) body: Option<Block>,
    /// Neutral elements; none for a map.
    pub(crate) neutral: Vec<Value>,
    pub(crate) combine: Option<Block>,
}

impl Soac {
    /// What `op` is, if it is one of the three.
    pub(crate) fn of(ir: &Ir, op: Op) -> Option<Soac> {
        if let Some(map) = ir.cast::<MapOp>(op) {
            let body = Some(map.body_block(ir));
            return Some(Soac { op, arrays: map.arrays(ir), body, neutral: Vec::new(), combine: None });
        }
        if let Some(reduce) = ir.cast::<ReduceOp>(op) {
            let combine = Some(reduce.combine_block(ir));
            return Some(Soac {
                op,
                arrays: reduce.arrays(ir),
                body: None,
                neutral: reduce.neutral(ir),
                combine,
            });
        }
        let redomap = ir.cast::<RedomapOp>(op)?;
        Some(Soac {
            op,
            arrays: redomap.arrays(ir),
            body: Some(redomap.body_block(ir)),
            neutral: redomap.neutral(ir),
            combine: Some(redomap.combine_block(ir)),
        })
    }

    pub(crate) fn is_map(&self) -> bool {
        self.combine.is_none()
    }

    /// Results that are arrays of what the body yields, and the first of them among all results.
    pub(crate) fn stored(&self, ir: &Ir) -> Vec<Value> {
        ir.results(self.op).skip(self.neutral.len()).collect()
    }

    /// Whether there is a combinator inside its regions.
    pub(crate) fn has_parallelism(&self, ir: &Ir) -> bool {
        ir.walk(self.op)
            .into_iter()
            .skip(1)
            .any(|op| ir.op_name_str(op).starts_with("array.") && !ir.regions(op).is_empty())
    }
}

/// A body under construction: inputs without repetition, and a block over their elements.
pub(crate) struct Body {
    pub(crate) arrays: Vec<Value>,
    pub(crate) block: Block,
    elements: FxHashMap<Value, Value>,
}

impl Body {
    /// The body over the elements of all of `arrays`.
    pub(crate) fn over(ir: &mut Ir, arrays: impl IntoIterator<Item = Value>) -> Body {
        let mut distinct: Vec<Value> = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        distinct.extend(arrays.into_iter().filter(|&array| seen.insert(array)));
        let rows = row_types(ir, &distinct);
        let block = ir.create_block(&rows);
        let elements = distinct.iter().copied().zip(ir.block_args(block).to_vec()).collect();
        Body { arrays: distinct, block, elements }
    }

    /// The element of an input.
    pub(crate) fn element(&self, array: Value) -> Value {
        self.elements[&array]
    }

    /// Copies what `soac` does with elements into the body; `element` says what stands for an element of each input.
    /// Returns what its body yields: the values to combine, then those to store.
    pub(crate) fn inline(&self, ir: &mut Ir, soac: &Soac, element: &dyn Fn(Value) -> Value) -> Vec<Value> {
        let args: Vec<Value> = soac.arrays.iter().map(|&array| element(array)).collect();
        let Some(body) = soac.body else { return args };
        let loc = ir.loc(soac.op);
        let mut mapping = Mapping::new();
        Builder::at_end(ir, self.block, loc).clone_block_body(body, &args, &mut mapping)
    }

    /// Ends the body and makes the op before `place`: a map where nothing is combined, else a redomap. `types` are
    /// those of the results.
    pub(crate) fn finish(
        self,
        ir: &mut Ir,
        place: Op,
        yields: &[Value],
        combined: Option<(&[Value], Block)>,
        types: &[Type],
    ) -> Op {
        let loc = ir.loc(place);
        YieldOp::build(&mut Builder::at_end(ir, self.block, loc), yields);
        let mut b = Builder::before(ir, place);
        match combined {
            None => {
                let map = MapOp::build(&mut b, &self.arrays, types);
                let region = map.body(ir);
                ir.append_block(region, self.block);
                map.op()
            }
            Some((neutral, combine)) => {
                let redomap = RedomapOp::build(&mut b, &self.arrays, neutral, types);
                let (body, operator) = (redomap.body(ir), redomap.combine(ir));
                ir.append_block(body, self.block);
                ir.append_block(operator, combine);
                redomap.op()
            }
        }
    }
}

/// A copy of an operator's block, detached.
pub(crate) fn copy_operator(ir: &mut Ir, blocks: &[Block]) -> Block {
    // Several operators side by side: all accumulators, then all values.
    let halves: Vec<usize> = blocks.iter().map(|&block| ir.block_args(block).len() / 2).collect();
    let mut types: Vec<Type> = Vec::new();
    for (&block, &half) in blocks.iter().zip(&halves) {
        types.extend(ir.block_args(block)[..half].iter().map(|&arg| ir.value_type(arg)));
    }
    let doubled: Vec<Type> = types.iter().chain(&types).copied().collect();
    let copy = ir.create_block(&doubled);
    let args = ir.block_args(copy).to_vec();
    let mut yields = Vec::new();
    let mut first = 0;
    let mut loc = segra_ir::Loc::UNKNOWN;
    for (&block, &half) in blocks.iter().zip(&halves) {
        let mut own = args[first..first + half].to_vec();
        own.extend(&args[types.len() + first..types.len() + first + half]);
        loc = ir.last_op(block).map_or(loc, |last| ir.loc(last));
        let mut mapping = Mapping::new();
        yields.extend(Builder::at_end(ir, copy, loc).clone_block_body(block, &own, &mut mapping));
        first += half;
    }
    YieldOp::build(&mut Builder::at_end(ir, copy, loc), &yields);
    copy
}
