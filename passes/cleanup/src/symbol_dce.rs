//! `symbol-dce`: erases private symbols nothing refers to.
//!
//! ```text
//! func.func private @helper() { ... }          func.func @main() { func.return }
//! func.func @main() { func.return }      ->
//! ```
//! A symbol is live if it is not private, or a live op's attributes or properties refer to it: in the nearest table
//! around that op that has the name. A reference that resolves to nothing keeps nothing alive. Symbols that only refer to
//! one another go. Tables inside are gone through as well; what is `nested` in one goes, too, where nothing outside of
//! the op the pass runs on can name it.
//! Limits: ops without `SymbolOp` count as public; what the attributes of the table itself refer to lies outside.

use rustc_hash::{FxHashMap, FxHashSet};
use segra_ir::interfaces::SymbolOp;
use segra_ir::symbol::{SymbolTables, is_nested, nearest_table};
use segra_ir::{Attr, AttrKind, Dict, Ident, Ir, Op, Trait};
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
        Ok(if dead.is_empty() {
            Outcome::unchanged()
        } else {
            Outcome::changed()
        })
    }
}

/// Symbols inside `table`, also in tables inside of it, that only what is dead refers to; of those inside one another
/// the outermost.
pub(crate) fn dead_symbols(ir: &Ir, table: Op) -> Vec<Op> {
    let mut search = Search::of(ir);
    let outside = ir.parent_op(table).is_some() && ir.interface::<dyn SymbolOp>(table).is_some();
    search
        .hidden
        .insert(table, !outside || is_private(ir, table));
    search.enter(table);
    while let Some(op) = search.pending.pop() {
        if ir.has_trait(op, Trait::SymbolTable) {
            search.enter(op);
        }
        search.refer(op);
    }
    let inside = search.entered.iter().flat_map(|&table| contents(ir, table));
    inside.filter(|op| !search.live.contains(op)).collect()
}

fn is_private(ir: &Ir, op: Op) -> bool {
    ir.interface::<dyn SymbolOp>(op)
        .is_some_and(|symbol| symbol.is_private(ir, op))
}

/// The ops directly inside a table.
fn contents(ir: &Ir, table: Op) -> impl Iterator<Item = Op> {
    ir.regions(table)
        .iter()
        .flat_map(|&region| ir.blocks(region))
        .flat_map(|block| ir.ops(block))
}

/// The search for what is live.
struct Search<'a> {
    ir: &'a Ir,
    tables: SymbolTables,
    /// Ops directly inside tables, and symbols.
    live: FxHashSet<Op>,
    /// Those of them whose references were not followed.
    pending: Vec<Op>,
    /// Tables whose contents were looked at.
    entered: Vec<Op>,
    /// Whether nothing outside of the program at hand can name what a table holds.
    hidden: FxHashMap<Op, bool>,
    /// Attributes that were followed, by the table their references are resolved in.
    followed: FxHashSet<(Op, Dict)>,
}

impl<'a> Search<'a> {
    fn of(ir: &'a Ir) -> Search<'a> {
        Search {
            ir,
            tables: SymbolTables::new(),
            live: FxHashSet::default(),
            pending: Vec::new(),
            entered: Vec::new(),
            hidden: FxHashMap::default(),
            followed: FxHashSet::default(),
        }
    }
    fn mark(&mut self, op: Op) {
        if self.live.insert(op) {
            self.pending.push(op);
        }
    }
    /// Ops in a live table are live, but for symbols that only references keep.
    fn enter(&mut self, table: Op) {
        let ir = self.ir;
        let hidden = self.is_hidden(table);
        self.entered.push(table);
        for op in contents(ir, table) {
            let symbol = ir.interface::<dyn SymbolOp>(op).is_some();
            if !symbol || !(is_private(ir, op) || hidden && is_nested(ir, op)) {
                self.mark(op);
            }
        }
    }
    fn is_hidden(&mut self, table: Op) -> bool {
        let ir = self.ir;
        let mut unknown = Vec::new();
        let mut at = Some(table);
        let mut hidden = true;
        // Up to a table of which it is known, and down again.
        while let Some(table) = at {
            if let Some(&known) = self.hidden.get(&table) {
                hidden = known;
                break;
            }
            unknown.push(table);
            at = nearest_table(ir, table);
        }
        for table in unknown.into_iter().rev() {
            hidden |= ir.interface::<dyn SymbolOp>(table).is_none() || is_private(ir, table);
            self.hidden.insert(table, hidden);
        }
        hidden
    }
    /// Marks what an op and those inside refer to. The ops inside a table refer when that is entered.
    fn refer(&mut self, from: Op) {
        let ir = self.ir;
        let Some(table) = nearest_table(ir, from) else {
            return;
        };
        let mut inside = vec![from];
        while let Some(op) = inside.pop() {
            for dict in [ir.properties(op), ir.discardable_attrs(op)] {
                if self.followed.insert((table, dict)) {
                    self.follow(table, dict);
                }
            }
            match ir.has_trait(op, Trait::SymbolTable) {
                false => inside.extend(contents(ir, op)),
                true if op != from => self.mark(op),
                true => {}
            }
        }
    }
    fn follow(&mut self, table: Op, dict: Dict) {
        let ctx = self.ir.ctx();
        let mut seen: FxHashSet<Attr> = FxHashSet::default();
        let mut pending: Vec<Attr> = ctx.entries(dict).iter().map(|entry| entry.1).collect();
        while let Some(attr) = pending.pop() {
            if !seen.insert(attr) {
                continue;
            }
            match ctx.attr_kind(attr) {
                AttrKind::SymbolRef { root, nested } => {
                    let found = self.resolved(table, *root, nested).unwrap_or_default();
                    found.into_iter().for_each(|symbol| self.mark(symbol));
                }
                AttrKind::Array(items) => pending.extend(items),
                AttrKind::Dict(inner) => {
                    pending.extend(ctx.entries(*inner).iter().map(|entry| entry.1))
                }
                _ => {}
            }
        }
    }
    /// The symbols along a reference: the root in the nearest table that has it, then inwards.
    fn resolved(&mut self, table: Op, root: Ident, nested: &[Ident]) -> Option<Vec<Op>> {
        let ir = self.ir;
        let mut at = table;
        let first = loop {
            match self.tables.get(ir, at, root) {
                Some(found) => break found,
                None => at = nearest_table(ir, at)?,
            }
        };
        let mut found = vec![first];
        for &name in nested {
            found.push(self.tables.get(ir, *found.last()?, name)?);
        }
        Some(found)
    }
}
