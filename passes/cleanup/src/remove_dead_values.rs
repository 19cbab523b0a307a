//! `remove-dead-values`: what nothing observable depends on goes, also across calls and around loops.
//!
//! ```text
//! func.func private @f(%a: i32, %b: i32) -> (i32, i32) {    func.func private @f(%a: i32) -> i32 {
//!   return %a, %b : i32, i32                                  return %a : i32
//! }                                                         }
//! %0:2 = func.call @f(%x, %y)                               %0 = func.call @f(%x)
//! use(%0#0)                                           ->    use(%0)
//! ```
//! Values are live as the backward analysis [`LiveValuesAnalysis`] says. Arguments and results that are dead for all
//! callers go from private functions (those only reached by calls whose operands are all arguments), with what calls
//! pass for them; then dead ops, arguments of blocks, and what loops and branches carry for nobody.
//! Limits: signatures of functions that others may call stay, and so do values that flow to where a live one does.

use rustc_hash::{FxHashMap, FxHashSet};
use segra_ir::build::OpState;
use segra_ir::interfaces::{CallLike, Callable, RegionBranch, constant_of, region_edges};
use segra_ir::{Attr, Ir, Op, OpName, Trait, Type, Value};
use segra_pass::analysis::call_graph::{CallGraph, body};
use segra_pass::dataflow::{BackwardFacts, Lattice, LiveFact, LiveValuesAnalysis, solve_backward};
use segra_pass::rewrite::{
    Folds, GreedyConfig, PatternFilter, PatternSet, REGION_BRANCH, RegionSimplification,
    erase_dead, greedy, materialize_constant,
};
use segra_pass::{
    Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options,
};

pass_options! {
    /// The pass `remove-dead-values`.
    pub struct RemoveDeadValues {}
}

const INFO: PassInfo = PassInfo {
    name: "remove-dead-values",
    summary: "remove arguments, results, carried values and ops nothing observable depends on",
    reads: &["*"],
    writes: &["ub"],
    anchors: Anchors::Any,
};

impl Pass for RemoveDeadValues {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        let facts = solve_backward(ir, op, &LiveValuesAnalysis);
        let signatures = dead_parts(ir, op, &facts);
        let narrowed: usize = signatures
            .iter()
            .map(|part| part.args.len() + part.results.len())
            .sum();
        for part in &signatures {
            part.drop(ir);
        }
        cut_dead_edges(ir, op, &facts);
        let first = erase_dead(ir, op);
        // Of the rewrites only those of ops with regions, as upstream: what they forward for nobody is dropped.
        let config = GreedyConfig {
            folds: Folds::Allowed,
            regions: RegionSimplification::Disabled,
            filter: PatternFilter {
                enabled: structured_ops(ir, op),
                disabled: Vec::new(),
            },
            ..GreedyConfig::default()
        };
        let carried = greedy(ir, op, &PatternSet::new(), &config);
        let second = erase_dead(ir, op);
        cx.count(
            "arguments and results of functions removed",
            narrowed as u64,
        );
        cx.count("ops with regions narrowed", carried.rewritten);
        cx.count("block arguments erased", first.args + second.args);
        cx.count(
            "dead ops erased",
            first.ops + second.ops + carried.erased_dead,
        );
        let swept = first.args + first.ops + second.args + second.ops;
        Ok(Outcome::of(
            Changed::when(narrowed > 0 || swept > 0).or(carried.changed()),
        ))
    }
}

/// The names of the ops inside `root` that say where control goes in their regions, and of what all of them share.
fn structured_ops(ir: &Ir, root: Op) -> Vec<String> {
    let mut names: FxHashSet<OpName> = FxHashSet::default();
    ir.walk_with(root, &mut |op| {
        if ir.interface::<dyn RegionBranch>(op).is_some() {
            names.insert(ir.op_name(op));
        }
    });
    let names = names
        .into_iter()
        .map(|name| ir.ctx().op_name_str(name).to_owned());
    names.chain([REGION_BRANCH.to_owned()]).collect()
}

/// Dead arguments and results of one function.
struct DeadParts {
    function: Op,
    callers: Vec<Op>,
    args: FxHashSet<usize>,
    results: FxHashSet<usize>,
}

fn dead_parts(ir: &Ir, root: Op, facts: &BackwardFacts<LiveFact>) -> Vec<DeadParts> {
    let graph = CallGraph::of(ir, root);
    let is_dead = |value: Value| facts.of(value) == LiveFact::Dead;
    let part = |&function: &Op| -> Option<DeadParts> {
        let node = graph.node(function).filter(|node| !node.escapes)?;
        let entry = ir.entry_block(body(ir, function)?)?;
        let (inputs, outputs) = ir
            .interface::<dyn Callable>(function)?
            .signature(ir, function);
        let plain = |&call: &Op| {
            let passed = ir
                .interface::<dyn CallLike>(call)
                .map(|model| model.arguments(ir, call));
            passed.is_some_and(|passed| ir.operands(call).eq(passed))
                && ir.num_results(call) == outputs.len()
        };
        let narrowable = ir.attr_named(function, FUNCTION_TYPE).is_some()
            && ir.block_args(entry).len() == inputs.len()
            && node.callers.iter().all(plain)
            && returns(ir, function)
                .iter()
                .all(|&last| ir.num_operands(last) == outputs.len());
        let args = ir
            .block_args(entry)
            .iter()
            .enumerate()
            .filter(|row| is_dead(*row.1))
            .map(|row| row.0);
        let unused = |&index: &usize| {
            node.callers
                .iter()
                .all(|&call| is_dead(ir.result(call, index)))
        };
        let results = (0..outputs.len()).filter(unused);
        let part = DeadParts {
            function,
            callers: node.callers.clone(),
            args: args.collect(),
            results: results.collect(),
        };
        (narrowable && !(part.args.is_empty() && part.results.is_empty())).then_some(part)
    };
    graph.callables().iter().filter_map(part).collect()
}

/// Values that ops with regions forward only to dead values need not be computed: poison is forwarded in their place.
fn cut_dead_edges(ir: &mut Ir, root: Op, facts: &BackwardFacts<LiveFact>) {
    for op in ir.walk(root) {
        let Some(edges) = region_edges(ir, op) else {
            continue;
        };
        // The same operand may be handed to a region and out of the op.
        let mut handed: FxHashMap<(Op, usize), LiveFact> = FxHashMap::default();
        for edge in &edges {
            for (position, &input) in edge.operands.clone().zip(&edge.inputs) {
                handed
                    .entry((edge.from, position))
                    .or_default()
                    .join(&facts.of(input));
            }
        }
        let mut dead: Vec<(Op, usize)> = handed
            .into_iter()
            .filter(|row| row.1 == LiveFact::Dead)
            .map(|row| row.0)
            .collect();
        dead.sort_unstable();
        for (from, position) in dead {
            let value = ir.operand(from, position);
            let nothing = constant_of(ir, value).is_some();
            if let Some(poison) = poison_before(ir, from, ir.value_type(value)).filter(|_| !nothing)
            {
                ir.set_operand(from, position, poison);
            }
        }
    }
}

const FUNCTION_TYPE: &str = "function_type";

/// The ops that end the function.
fn returns(ir: &Ir, function: Op) -> Vec<Op> {
    let blocks = body(ir, function)
        .into_iter()
        .flat_map(|region| ir.blocks(region));
    let ends = blocks.filter_map(|block| ir.last_op(block));
    ends.filter(|&last| ir.has_trait(last, Trait::ReturnLike))
        .collect()
}

fn kept<T: Clone>(all: &[T], dead: &FxHashSet<usize>) -> Vec<T> {
    all.iter()
        .enumerate()
        .filter(|row| !dead.contains(&row.0))
        .map(|row| row.1.clone())
        .collect()
}

impl DeadParts {
    fn drop(&self, ir: &mut Ir) {
        self.drop_from_signature(ir);
        self.drop_from_body(ir);
        for &call in &self.callers {
            self.drop_from_call(ir, call);
        }
    }
    fn drop_from_signature(&self, ir: &mut Ir) {
        let ctx = ir.context();
        let signature = ir
            .interface::<dyn Callable>(self.function)
            .map(|model| model.signature(ir, self.function));
        let Some((inputs, outputs)) = signature else {
            return;
        };
        let ty = ctx.function(&kept(&inputs, &self.args), &kept(&outputs, &self.results));
        ir.set_attr_named(self.function, FUNCTION_TYPE, Some(ctx.type_attr(ty)));
        for (name, dead) in [("arg_attrs", &self.args), ("res_attrs", &self.results)] {
            drop_entries(ir, self.function, name, dead);
        }
    }
    fn drop_from_body(&self, ir: &mut Ir) {
        for last in returns(ir, self.function) {
            let operands: Vec<Value> = ir.operands(last).collect();
            ir.set_operands(last, &kept(&operands, &self.results));
        }
        let entry = body(ir, self.function).and_then(|region| ir.entry_block(region));
        let Some(entry) = entry else { return };
        let mut dead: Vec<usize> = self.args.iter().copied().collect();
        dead.sort_unstable();
        for &index in dead.iter().rev() {
            let arg = ir.block_args(entry)[index];
            if ir.has_uses(arg) {
                // Its remaining users are dead themselves, and goes right after this.
                let Some(poison) = poison_at(ir, entry, ir.value_type(arg)) else {
                    continue;
                };
                ir.replace_all_uses(arg, poison);
            }
            ir.erase_block_arg(entry, index);
        }
    }
    fn drop_from_call(&self, ir: &mut Ir, call: Op) {
        let operands: Vec<Value> = ir.operands(call).collect();
        let types: Vec<Type> = ir
            .results(call)
            .map(|result| ir.value_type(result))
            .collect();
        let mut state = OpState::new(ir.op_name(call), ir.loc(call));
        state.operands = kept(&operands, &self.args).into();
        state.result_types = kept(&types, &self.results).into();
        let new = ir.create_op(state);
        ir.set_properties(new, ir.properties(call));
        ir.set_discardable_attrs(new, ir.discardable_attrs(call));
        for (name, dead) in [("arg_attrs", &self.args), ("res_attrs", &self.results)] {
            drop_entries(ir, new, name, dead);
        }
        ir.insert_before(new, call);
        let mut rest = ir.results(new).collect::<Vec<Value>>().into_iter();
        for (index, &ty) in types.iter().enumerate() {
            let old = ir.result(call, index);
            let value = match self.results.contains(&index) {
                false => rest.next(),
                true if ir.has_uses(old) => {
                    ir.block_of(call).and_then(|block| poison_at(ir, block, ty))
                }
                true => None,
            };
            if let Some(value) = value {
                let name = ir.value_name(old);
                ir.replace_all_uses(old, value);
                if let Some(name) = name.filter(|_| !self.results.contains(&index)) {
                    ir.set_value_name(value, name);
                }
            }
        }
        ir.erase_op(call);
    }
}

/// Entries of an array attribute; without entries that say something it goes.
fn drop_entries(ir: &mut Ir, op: Op, name: &str, dead: &FxHashSet<usize>) {
    let ctx = ir.context();
    let Some(list) = ir.attr_named(op, name).and_then(|attr| attr.as_array(&ctx)) else {
        return;
    };
    let list: Vec<Attr> = kept(list, dead);
    let attr = (!list.is_empty()).then(|| ctx.array_attr(&list));
    ir.set_attr_named(op, name, attr);
}

/// A value of no meaning at the start of a block.
fn poison_at(ir: &mut Ir, block: segra_ir::Block, ty: Type) -> Option<Value> {
    match ir.first_op(block) {
        Some(first) => poison_before(ir, first, ty),
        None => None,
    }
}

/// A value of no meaning right before an op.
fn poison_before(ir: &mut Ir, op: Op, ty: Type) -> Option<Value> {
    let poison = segra_text::parse_attr(&ir.context(), "#ub.poison", &Default::default()).ok()?;
    let point = segra_ir::InsertPoint::Before(op);
    let mut b = segra_ir::Builder::new(ir, point, segra_ir::Loc::UNKNOWN);
    let made = materialize_constant(&mut b, "ub", poison, ty)?;
    Some(ir.result(made, 0))
}
