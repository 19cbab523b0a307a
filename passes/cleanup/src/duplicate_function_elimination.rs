//! `duplicate-function-elimination`: of functions that are equal but for their names, the first one stays.
//!
//! ```text
//! gpu.func @main_segmap_0(%x: ...) kernel { A }          gpu.func @main_segmap_0(%x: ...) kernel { A }
//! gpu.func @main_segmap_7(%y: ...) kernel { A }    ->
//! gpu.launch_func @kernels::@main_segmap_7 ...           gpu.launch_func @kernels::@main_segmap_0 ...
//! ```
//! Versions of a nest, and equal nests over different arrays, come to equal kernels; every one of them would be compiled
//! once per target.
//!
//! Two functions are equal if their attributes agree but for the name (and those that option `ignored` names), and
//! their bodies do up to the names of what they define. Functions are ops with a name and a body that is isolated from
//! above. Legality: the function that goes is private, or lies in a symbol table inside the op the pass runs on (as
//! kernels do in a `gpu.module`), so that all that refer to it are seen. Both lie in the same table.
//! Cost: one hash of every body, one comparison per function that goes.
//! Limits: functions that only are equal once what they call was merged stay apart; what is left has the first one's
//! source locations.

use rustc_hash::FxHashMap;
use segra_ir::equivalence::{BodyHash, equivalent_bodies};
use segra_ir::interfaces::{SymbolOp, symbol_name};
use segra_ir::symbol::SymbolTables;
use segra_ir::{Attr, AttrKind, Dict, Ident, Ir, Op, Trait};
use segra_pass::{Anchors, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options};

pass_options! {
    /// The pass `duplicate-function-elimination`.
    pub struct DuplicateFunctionElimination {
        /// An attribute of functions in which equal ones may differ, beside their names; empty: none.
        pub ignored: String = String::new(),
    }
}

const INFO: PassInfo = PassInfo {
    name: "duplicate-function-elimination",
    summary: "merge functions and kernels that are equal but for their names",
    reads: &["*"],
    writes: &[],
    anchors: Anchors::Any,
};

impl Pass for DuplicateFunctionElimination {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        if !ir.has_trait(op, Trait::SymbolTable) {
            return Err(cx.fail(
                ir,
                op,
                "holds no symbols: duplicate-function-elimination runs on symbol tables",
            ));
        }
        let ignored: Vec<Ident> = [SYM_NAME, self.ignored.as_str()]
            .iter()
            .map(|name| ir.ctx().ident(name))
            .collect();
        let mut survivors = FxHashMap::default();
        let mut tables = vec![op];
        while let Some(table) = tables.pop() {
            merge(ir, (op, table), &ignored, &mut survivors, &mut tables);
        }
        cx.count("functions merged", survivors.len() as u64);
        if survivors.is_empty() {
            return Ok(Outcome::unchanged());
        }
        refer_to_survivors(ir, op, &survivors);
        let mut gone: Vec<Op> = survivors.into_keys().collect();
        gone.sort_unstable();
        for function in gone {
            ir.erase_op(function);
        }
        Ok(Outcome::changed())
    }
}

const SYM_NAME: &str = "sym_name";

/// Finds the functions directly inside `table` that go, with the name of the one that each is equal to. `tables` learns
/// of the tables inside what stays: each function is gone through once for both.
fn merge(
    ir: &Ir,
    (root, table): (Op, Op),
    ignored: &[Ident],
    survivors: &mut FxHashMap<Op, Ident>,
    tables: &mut Vec<Op>,
) {
    let mut first: FxHashMap<u64, Vec<(Op, Ident)>> = FxHashMap::default();
    let mut bodies = BodyHash::default();
    let inside = ir
        .regions(table)
        .iter()
        .flat_map(|&region| ir.blocks(region))
        .flat_map(|block| ir.ops(block));
    for function in inside {
        let Some(name) = symbol_name(ir, function).filter(|_| is_function(ir, function)) else {
            add_tables(ir, function, tables);
            continue;
        };
        let mut holds_tables = false;
        let hash = bodies.of(ir, function, ignored, &mut |op| {
            holds_tables |= ir.has_trait(op, Trait::SymbolTable);
        });
        let known = first.entry(hash).or_default();
        let may_go = table != root
            || ir
                .interface::<dyn SymbolOp>(function)
                .is_some_and(|symbol| symbol.is_private(ir, function));
        let same = known
            .iter()
            .find(|known| may_go && equivalent_bodies(ir, known.0, function, ignored));
        if let Some(&(_, survivor)) = same {
            survivors.insert(function, survivor);
            continue;
        }
        known.push((function, name));
        if holds_tables {
            add_tables(ir, function, tables);
        }
    }
}

/// Adds the outermost symbol tables in an op, which may be one itself.
fn add_tables(ir: &Ir, op: Op, tables: &mut Vec<Op>) {
    ir.walk_into(op, &mut |op| {
        let is_table = ir.has_trait(op, Trait::SymbolTable);
        tables.extend(is_table.then_some(op));
        !is_table
    });
}

fn is_function(ir: &Ir, op: Op) -> bool {
    ir.has_trait(op, Trait::IsolatedFromAbove)
        && !ir.has_trait(op, Trait::SymbolTable)
        && ir
            .regions(op)
            .first()
            .is_some_and(|&region| ir.entry_block(region).is_some())
}

/// Lets every reference to a function that goes name the one that stays, but for those in functions that go.
fn refer_to_survivors(ir: &mut Ir, root: Op, survivors: &FxHashMap<Op, Ident>) {
    let ctx = ir.context();
    let mut tables = SymbolTables::new();
    let mut ops = Vec::new();
    ir.walk_into(root, &mut |op| {
        let stays = !survivors.contains_key(&op);
        ops.extend(stays.then_some(op));
        stays
    });
    for op in ops {
        for dict in [ir.properties(op), ir.discardable_attrs(op)] {
            for &(name, attr) in ctx.entries(dict) {
                if let Some(renamed) = renamed(ir, op, attr, survivors, &mut tables) {
                    ir.set_attr(op, name, Some(renamed));
                }
            }
        }
    }
}

/// The attribute with other references inside; `None` where nothing changes.
fn renamed(
    ir: &Ir,
    from: Op,
    attr: Attr,
    survivors: &FxHashMap<Op, Ident>,
    tables: &mut SymbolTables,
) -> Option<Attr> {
    let ctx = ir.ctx();
    match ctx.attr_kind(attr) {
        AttrKind::SymbolRef { root, nested } => {
            let &survivor = survivors.get(&tables.resolve(ir, from, attr)?)?;
            let (mut root, mut nested) = (*root, nested.clone());
            *nested.last_mut().unwrap_or(&mut root) = survivor;
            Some(ctx.attr(AttrKind::SymbolRef { root, nested }))
        }
        AttrKind::Array(items) => {
            let new: Vec<Option<Attr>> = items
                .iter()
                .map(|&item| renamed(ir, from, item, survivors, tables))
                .collect();
            new.iter().any(Option::is_some).then(|| {
                let items: Vec<Attr> = items
                    .iter()
                    .zip(new)
                    .map(|(&item, renamed)| renamed.unwrap_or(item))
                    .collect();
                ctx.array_attr(&items)
            })
        }
        AttrKind::Dict(dict) => renamed_dict(ir, from, *dict, survivors, tables)
            .map(|dict| ctx.attr(AttrKind::Dict(dict))),
        _ => None,
    }
}

fn renamed_dict(
    ir: &Ir,
    from: Op,
    dict: Dict,
    survivors: &FxHashMap<Op, Ident>,
    tables: &mut SymbolTables,
) -> Option<Dict> {
    let mut changed = false;
    let mut entries = ir.ctx().entries(dict).to_vec();
    for (_, attr) in &mut entries {
        if let Some(renamed) = renamed(ir, from, *attr, survivors, tables) {
            (*attr, changed) = (renamed, true);
        }
    }
    changed.then(|| ir.ctx().dict(&entries))
}
