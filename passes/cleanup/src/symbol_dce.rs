//! `symbol-dce`: erases private symbols nothing refers to.
//!
//! ```text
//! func.func private @helper() { ... }          func.func @main() { func.return }
//! func.func @main() { func.return }      ->
//! ```
//! A symbol is live if it is not private, or a live op's attributes or properties refer to it. References are resolved
//! as the verifier does; one that resolves to nothing keeps nothing alive. Symbols that only refer to one another go.
//! Limits: only symbols directly inside the op the pass runs on; ops without `SymbolOp` count as public.

use rustc_hash::{FxHashMap, FxHashSet};
use segra_ir::interfaces::{SymbolOp, symbol_name};
use segra_ir::symbol::is_nested;
use segra_ir::{Attr, AttrKind, Context, Dict, Ident, Ir, Op, Trait};
use segra_pass::{Anchors, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options};

pass_options! {
    /// The pass `symbol-dce`.
    pub struct SymbolDce {}
}

const INFO: PassInfo = PassInfo {
    name: "symbol-dce",
    summary: "erase private symbols nothing refers to",
    reads: &["*"],
    writes: &[],
    anchors: Anchors::Any,
};

impl Pass for SymbolDce {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        if !ir.has_trait(op, Trait::SymbolTable) {
            return Err(cx.fail(ir, op, "holds no symbols: symbol-dce runs on symbol tables"));
        }
        let dead = dead_symbols(ir, op);
        cx.count("symbols erased", dead.len() as u64);
        for &symbol in &dead {
            ir.erase_op(symbol);
        }
        Ok(if dead.is_empty() { Outcome::unchanged() } else { Outcome::changed() })
    }
}

/// Private symbols directly inside `table` that nothing live refers to.
pub(crate) fn dead_symbols(ir: &Ir, table: Op) -> Vec<Op> {
    let inside: Vec<Op> = ir
        .regions(table)
        .iter()
        .flat_map(|&region| ir.blocks(region))
        .flat_map(|block| ir.ops(block))
        .collect();
    let by_name: FxHashMap<Ident, Op> =
        inside.iter().filter_map(|&op| Some((symbol_name(ir, op)?, op))).collect();
    // What a table holds that nothing outside can name is seen as a whole.
    let private = |op: Op| ir.interface::<dyn SymbolOp>(op).is_some_and(|symbol| symbol.is_private(ir, op));
    let hidden = ir.parent_op(table).is_none() || private(table);
    let is_private = |op: Op| private(op) || hidden && is_nested(ir, op);
    let mut pending: Vec<Op> = inside.iter().copied().filter(|&op| !is_private(op)).collect();
    let mut live: FxHashSet<Op> = pending.iter().copied().collect();
    let mut names = ReferredNames { ctx: ir.ctx(), seen: FxHashSet::default(), found: Vec::new() };
    // The table's own attributes may refer to what it holds.
    names.of_dict(ir.properties(table));
    names.of_dict(ir.discardable_attrs(table));
    loop {
        for name in names.found.drain(..) {
            if let Some(&op) = by_name.get(&name)
                && live.insert(op)
            {
                pending.push(op);
            }
        }
        let Some(op) = pending.pop() else { break };
        for nested in ir.walk(op) {
            names.of_dict(ir.properties(nested));
            names.of_dict(ir.discardable_attrs(nested));
        }
    }
    inside.into_iter().filter(|op| !live.contains(op)).collect()
}

/// Collects the root names of symbol references inside attributes, each attribute looked at once.
struct ReferredNames<'a> {
    ctx: &'a Context,
    seen: FxHashSet<Attr>,
    found: Vec<Ident>,
}

impl ReferredNames<'_> {
    fn of_dict(&mut self, dict: Dict) {
        let mut pending: Vec<Attr> = self.ctx.entries(dict).iter().map(|entry| entry.1).collect();
        while let Some(attr) = pending.pop() {
            if !self.seen.insert(attr) {
                continue;
            }
            match self.ctx.attr_kind(attr) {
                AttrKind::SymbolRef { root, .. } => self.found.push(*root),
                AttrKind::Array(items) => pending.extend(items),
                AttrKind::Dict(inner) => pending.extend(self.ctx.entries(*inner).iter().map(|entry| entry.1)),
                _ => {}
            }
        }
    }
}
