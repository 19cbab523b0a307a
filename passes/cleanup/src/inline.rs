//! `inline`: calls become the body of what they call.
//!
//! ```text
//! func.func @main(%x: i32) -> i32 {                    func.func @main(%x: i32) -> i32 {
//!   %r = func.call @twice(%x) : (i32) -> i32     ->      %s = arith.addi %x, %x : i32
//!   func.return %r : i32                                 func.return %s : i32
//! }                                                    }
//! ```
//! Callees come before their callers, so that what is inlined was inlined into and simplified (`default-pipeline`)
//! before. Functions that call one another in a circle are gone through together, at most `max-iterations` times; a call
//! that came from inlining a function is not inlined into that function's own copy again. Private functions nothing
//! refers to go, also those that only call one another (which upstream keeps).
//! Legality: the callee has a body, neither it nor the call is marked `no_inline`, and it called neither itself nor the
//! caller before anything was inlined; a body of several blocks goes only into a region that may have several; ops that
//! are not registered stay where they are. Inlined ops have call-site locations.
//! Names in a callee's types (sizes of arrays) are replaced by what they stand for at the call.
//! Limits: indirect calls stay; where `inlining-threshold` is given, so do calls of functions that are larger than that
//! share (in percent) of their caller.

use crate::symbol_dce::dead_symbols;
use rustc_hash::FxHashMap;
use segra_ir::clone::{Mapping, clone_region};
use segra_ir::def::RegionBlocks;
use segra_ir::interfaces::{CallLike, InlineReturn};
use segra_ir::symbol::SymbolTables;
use segra_ir::type_arguments::{TypeArguments, parametric};
use segra_ir::{
    AttrKind, Block, Builder, Diagnostics, EntityId, Ir, LocKind, Op, Region, Trait, TypeKind,
    Value,
};
use segra_pass::analysis::call_graph::{CallGraph, body};
use segra_pass::{
    Analyses, Anchors, Outcome, Pass, PassContext, PassEntry, PassFailure, PassInfo, PassRegistry,
    PassResult, Pipeline, PipelineItem, Statistics, pass_options,
};

pass_options! {
    /// The pass `inline`; options are named as upstream's.
    pub struct Inline {
        /// Clean-up passes that run on functions before they are inlined.
        pub default_pipeline: String = "canonicalize".to_owned(),
        /// How often functions that call one another in a circle are gone through.
        pub max_iterations: u32 = 4,
        /// A callee that has more ops than this percentage of its caller's is not inlined.
        pub inlining_threshold: Option<u64> = None,
    }
}

const INFO: PassInfo = PassInfo {
    name: "inline",
    summary: "replace calls by the bodies of what they call",
    reads: &["*"],
    writes: &["*"],
    anchors: Anchors::Any,
};

impl Pass for Inline {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        if !ir.has_trait(op, Trait::SymbolTable) {
            return Err(cx.fail(ir, op, "holds no symbols: inline runs on symbol tables"));
        }
        let pipeline = self
            .pipeline()
            .map_err(|message| cx.fail(ir, op, message))?;
        let graph = CallGraph::of(ir, op);
        let mut inliner = Inliner {
            ir,
            pass: self,
            graph: &graph,
            pipeline,
            tables: SymbolTables::new(),
            changed: false,
            inlined: 0,
        };
        for component in graph.components() {
            inliner.component(&component, cx.diags())?;
        }
        let (mut changed, inlined) = (inliner.changed, inliner.inlined);
        let dead: Vec<Op> = dead_symbols(ir, op)
            .into_iter()
            .filter(|&symbol| body(ir, symbol).is_some())
            .collect();
        for &symbol in &dead {
            ir.erase_op(symbol);
        }
        changed |= !dead.is_empty();
        cx.count("calls inlined", inlined);
        cx.count("functions erased", dead.len() as u64);
        Ok(if changed {
            Outcome::changed()
        } else {
            Outcome::unchanged()
        })
    }
}

impl Inline {
    /// The passes of `default-pipeline`.
    fn pipeline(&self) -> Result<Option<Pipeline>, String> {
        if self.default_pipeline.trim().is_empty() {
            return Ok(None);
        }
        let registry = PassRegistry::new(
            vec![
                PassEntry::of::<crate::Canonicalize>(),
                PassEntry::of::<crate::Cse>(),
                PassEntry::of::<crate::Dce>(),
                PassEntry::of::<crate::Mem2Reg>(),
                PassEntry::of::<crate::Sccp>(),
            ],
            Vec::new(),
        );
        let text = format!("any({})", self.default_pipeline);
        let pipeline = Pipeline::parse(&text, &registry);
        pipeline.map(Some).map_err(|error| {
            format!("has an option `default-pipeline` that cannot be read: {error}")
        })
    }
}

struct Inliner<'a> {
    ir: &'a mut Ir,
    pass: &'a Inline,
    graph: &'a CallGraph,
    pipeline: Option<Pipeline>,
    tables: SymbolTables,
    changed: bool,
    inlined: u64,
}

/// A call that may be inlined.
#[derive(Clone, Copy)]
struct Call {
    op: Op,
    /// The function it is in.
    caller: Op,
    /// The entry of the history it came with.
    from: Option<usize>,
}

/// Where calls came from: the function whose body was copied, and where its call came from.
type History = Vec<(Op, Option<usize>)>;

impl Inliner<'_> {
    fn component(&mut self, component: &[Op], diags: &mut Diagnostics) -> Result<(), PassFailure> {
        for _ in 0..self.pass.max_iterations.max(1) {
            for &callable in component {
                self.simplify(callable, diags)?;
            }
            if !self.inline_calls(component) {
                break;
            }
        }
        Ok(())
    }

    fn simplify(&mut self, callable: Op, diags: &mut Diagnostics) -> Result<(), PassFailure> {
        let Some(pipeline) = &self.pipeline else {
            return Ok(());
        };
        if !self.ir.has_trait(callable, Trait::IsolatedFromAbove) {
            return Ok(());
        }
        for item in &pipeline.items {
            let PipelineItem::Pass(pass) = item else {
                continue;
            };
            let (mut analyses, mut statistics) = (Analyses::new(), Statistics::default());
            let mut cx = PassContext::new(pass.info().name, diags, &mut analyses, &mut statistics);
            let outcome = pass.run(self.ir, callable, &mut cx)?;
            self.changed |= outcome.changed == segra_pass::Changed::Yes;
        }
        Ok(())
    }

    /// Inlines calls inside functions that call one another. Whether any was. The order is upstream's: it decides what
    /// a body already holds when it is copied.
    fn inline_calls(&mut self, component: &[Op]) -> bool {
        let mut history: History = Vec::new();
        let mut calls: Vec<Call> = Vec::new();
        for &caller in component.iter().rev() {
            let blocks = body(self.ir, caller)
                .map(|region| blocks_of(self.ir, region))
                .unwrap_or_default();
            let found = calls_inside(self.ir, self.graph, blocks);
            calls.extend(found.into_iter().map(|op| Call {
                op,
                caller,
                from: None,
            }));
        }
        let mut sizes = FxHashMap::default();
        let mut any = false;
        let mut next = 0;
        // A call is copied only with a body in which it was not inlined itself: the history bounds the queue.
        while let Some(&call) = calls.get(next) {
            next += 1;
            let Some(callee) = self.callee(call.op) else {
                continue;
            };
            let mut at = call.from;
            let mut seen = false;
            while let Some(index) = at.filter(|_| !seen) {
                seen = history[index].0 == callee;
                at = history[index].1;
            }
            if seen
                || !self.may_inline(call, callee)
                || !self.is_small(call.caller, callee, &mut sizes)
            {
                continue;
            }
            history.push((callee, call.from));
            let from = Some(history.len() - 1);
            let copied = inline_call(self.ir, call.op, callee);
            let found = calls_inside(self.ir, self.graph, copied);
            calls.extend(found.into_iter().map(|op| Call {
                op,
                caller: call.caller,
                from,
            }));
            self.inlined += 1;
            self.changed = true;
            any = true;
        }
        any
    }

    /// The function with a body a call reaches. No function goes before the end, so what is known of names holds.
    fn callee(&mut self, call: Op) -> Option<Op> {
        let root = self
            .ir
            .interface::<dyn CallLike>(call)?
            .callee(self.ir, call)?;
        let reference = self.ir.ctx().attr(AttrKind::SymbolRef {
            root,
            nested: Vec::new(),
        });
        let found = self.tables.resolve(self.ir, call, reference);
        found.filter(|&callee| self.graph.node(callee).is_some())
    }

    fn may_inline(&mut self, call: Call, callee: Op) -> bool {
        let Call {
            op: call, caller, ..
        } = call;
        let calls = self.graph.node(callee).map_or(&[][..], |node| &node.calls);
        let reached = calls.iter().filter_map(|&inner| self.graph.callee(inner));
        let recursive = reached
            .into_iter()
            .any(|reached| reached == callee || reached == caller);
        let ir = &*self.ir;
        let marked = |op: Op| ir.attr_named(op, "no_inline").is_some();
        let Some(region) = body(ir, callee) else {
            return false;
        };
        if marked(call) || marked(callee) || recursive || ir.is_inside(call, callee) {
            return false;
        }
        // An op that nothing is known about may mean something else elsewhere.
        let mut known = true;
        ir.walk_with(callee, &mut |op| known &= ir.info(op).is_some());
        if !known {
            return false;
        }
        let single = ir.blocks(region).nth(1).is_none();
        let returns = |block: Block| {
            ir.last_op(block).is_some_and(|last| {
                !ir.successors(last).is_empty() || ir.interface::<dyn InlineReturn>(last).is_some()
            })
        };
        ir.blocks(region).all(returns) && (single || may_have_several_blocks(ir, call))
    }

    fn is_small(&self, caller: Op, callee: Op, sizes: &mut FxHashMap<Op, u64>) -> bool {
        let Some(threshold) = self.pass.inlining_threshold else {
            return true;
        };
        let count = |op: Op| {
            let mut count = 0u64;
            self.ir.walk_with(op, &mut |_| count += 1);
            count - 1
        };
        let around = *sizes.entry(caller).or_insert_with(|| count(caller));
        around > 0 && count(callee) * 100 / around <= threshold
    }
}

/// The ops of each block of a region.
fn blocks_of(ir: &Ir, region: Region) -> Vec<Vec<Op>> {
    ir.blocks(region)
        .map(|block| ir.ops(block).collect())
        .collect()
}

/// The calls inside these blocks and not inside other functions, in upstream's order: the last block first, and what
/// stands in regions after what stands around them.
fn calls_inside(ir: &Ir, graph: &CallGraph, mut blocks: Vec<Vec<Op>>) -> Vec<Op> {
    let mut calls = Vec::new();
    while let Some(ops) = blocks.pop() {
        for op in ops {
            if ir.interface::<dyn CallLike>(op).is_some() {
                calls.push(op);
            } else if graph.node(op).is_none() {
                blocks.extend(
                    ir.regions(op)
                        .iter()
                        .flat_map(|&region| blocks_of(ir, region)),
                );
            }
        }
    }
    calls
}

/// Whether the region a call is in may have several blocks.
fn may_have_several_blocks(ir: &Ir, call: Op) -> bool {
    let Some(region) = ir.block_of(call).and_then(|block| ir.block_region(block)) else {
        return false;
    };
    let Some(parent) = ir.region_parent(region) else {
        return false;
    };
    let Some(info) = ir.info(parent) else {
        return false;
    };
    let position = ir.regions(parent).iter().position(|&other| other == region);
    let fields = info.def.regions;
    position
        .and_then(|at| fields.get(at.min(fields.len().saturating_sub(1))))
        .is_some_and(|field| field.blocks == RegionBlocks::Any)
}

/// Puts a copy of the callee's body in place of a call. Returns the copied ops, block by block.
fn inline_call(ir: &mut Ir, call: Op, callee: Op) -> Vec<Vec<Op>> {
    let Some(region) = body(ir, callee) else {
        return Vec::new();
    };
    let arguments = ir
        .interface::<dyn CallLike>(call)
        .map(|model| model.arguments(ir, call))
        .unwrap_or_default();
    let mut mapping = Mapping::with_types(types_at(ir, call, callee, region, &arguments));
    if ir.blocks(region).nth(1).is_none() {
        vec![inline_block(ir, call, region, &arguments, &mut mapping)]
    } else {
        inline_blocks(ir, call, region, &arguments, &mut mapping)
    }
}

/// The bindings of names in the callee's types at a call; names of its own get the call's number.
fn types_at(ir: &Ir, call: Op, callee: Op, region: Region, arguments: &[Value]) -> TypeArguments {
    let ctx = ir.ctx();
    let mut known = TypeArguments::default();
    let params = ir
        .entry_block(region)
        .map(|block| ir.block_args(block))
        .unwrap_or_default();
    for (index, (&param, &argument)) in params.iter().zip(arguments).enumerate() {
        // Calls that verify fit.
        let _ = known.learn(
            ctx,
            ir.value_type(param),
            ir.value_type(argument),
            format_args!("argument #{index}"),
        );
    }
    let signature = ir
        .attr_named(callee, "function_type")
        .and_then(|attr| attr.as_type(ctx));
    if let Some(TypeKind::Function { results, .. }) = signature.map(|ty| ctx.type_kind(ty)) {
        for (index, (&declared, result)) in results.iter().zip(ir.results(call)).enumerate() {
            let _ = known.learn(
                ctx,
                declared,
                ir.value_type(result),
                format_args!("result #{index}"),
            );
        }
    }
    known.rename_others(format!("_{}", call.index()));
    known
}

/// `value` as the call's result had it, where names of its type were forgotten or learnt.
fn as_result(b: &mut Builder<'_>, value: Value, result: Value) -> Value {
    let (found, wanted) = (b.ir.value_type(value), b.ir.value_type(result));
    if found == wanted {
        return value;
    }
    let ctx = b.ir.context();
    let cast = parametric(&ctx, found).and_then(|own| own.cast(b, value, wanted));
    cast.unwrap_or(value)
}

/// Gives copied ops the location "callee's place, called from there".
fn set_locations(ir: &mut Ir, ops: &[Op], caller: segra_ir::Loc) {
    let ctx = ir.context();
    let mut known: FxHashMap<segra_ir::Loc, segra_ir::Loc> = FxHashMap::default();
    for &op in ops {
        for inner in ir.walk(op) {
            let callee = ir.loc(inner);
            let loc = *known
                .entry(callee)
                .or_insert_with(|| ctx.loc(LocKind::CallSite { callee, caller }));
            ir.set_loc(inner, loc);
        }
    }
}

fn inline_block(
    ir: &mut Ir,
    call: Op,
    region: Region,
    arguments: &[Value],
    mapping: &mut Mapping,
) -> Vec<Op> {
    let Some(block) = ir.entry_block(region) else {
        return Vec::new();
    };
    let loc = ir.loc(call);
    let before = ir.prev_op(call);
    let mut values = Builder::before(ir, call).clone_block_body(block, arguments, mapping);
    let results: Vec<Value> = ir.results(call).collect();
    for (value, result) in values.iter_mut().zip(results) {
        *value = as_result(&mut Builder::before(ir, call), *value, result);
    }
    let mut copied = Vec::new();
    let first = match before {
        Some(before) => ir.next_op(before),
        None => ir.block_of(call).and_then(|block| ir.first_op(block)),
    };
    let mut at = first;
    while let Some(op) = at.filter(|&op| op != call) {
        copied.push(op);
        at = ir.next_op(op);
    }
    set_locations(ir, &copied, loc);
    ir.replace_op(call, &values);
    copied
}

fn inline_blocks(
    ir: &mut Ir,
    call: Op,
    region: Region,
    arguments: &[Value],
    mapping: &mut Mapping,
) -> Vec<Vec<Op>> {
    let loc = ir.loc(call);
    let Some(before) = ir.block_of(call) else {
        return Vec::new();
    };
    let rest = ir.split_block(call);
    let scratch = ir.create_region();
    clone_region(ir, region, scratch, mapping);
    let blocks: Vec<Block> = ir.blocks(scratch).collect();
    let mut copied = blocks_of(ir, scratch);
    for ops in &copied {
        set_locations(ir, ops, loc);
    }
    // The callee's results are arguments of the block after the call.
    let results: Vec<Value> = ir.results(call).collect();
    for result in results {
        let (ty, loc, name) = (
            ir.value_type(result),
            ir.value_loc(result),
            ir.value_name(result),
        );
        let arg = ir.add_block_arg(rest, ty, loc);
        if let Some(name) = name {
            ir.set_value_name(arg, name);
        }
        ir.replace_all_uses(result, arg);
    }
    ir.erase_op(call);
    for ops in &mut copied {
        ops.retain(|&op| {
            let ends = ir.successors(op).is_empty();
            let Some(model) = ir.interface::<dyn InlineReturn>(op).filter(|_| ends) else {
                return true;
            };
            model.build_jump(&mut Builder::before(ir, op), op, rest);
            ir.erase_op(op);
            false
        });
    }
    // The callee's entry block goes on where the caller stopped.
    for (index, &block) in blocks.iter().enumerate() {
        ir.detach_block(block);
        if index == 0 {
            let args = ir.block_args(block).to_vec();
            for (arg, &value) in args.into_iter().zip(arguments) {
                ir.replace_all_uses(arg, value);
            }
            ir.move_ops_to_end(block, before);
        } else {
            ir.insert_block_before(block, rest);
        }
    }
    copied
}
