//! The verifier, in layers. All errors are collected; a layer runs on an op only where those before found nothing
//! wrong.
//!
//! 1. **Structure**: links between ops, blocks and regions agree; blocks end in terminators where they must and have
//!    none elsewhere; successors stay in the region; every use is dominated by its definition and does not look out
//!    of an isolated op; operands exist.
//! 2. **Signature**: numbers and types of operands, results, attributes, regions and successors are those of the
//!    definition; segment sizes add up. Then **traits and interfaces**: what the op's traits promise, inferred result
//!    types, arguments of successors, symbols and their tables, discardable attributes of dialects.
//! 3. **The op's own rule** ([`crate::interfaces::Verify`]), where the ops around it, directly inside it and those
//!    that define its operands would pass 2: the rule may use their accessors. The rule of an isolated op that looks at
//!    nothing around it is asked before the op around it is looked at.
//! 4. **Symbol uses** ([`crate::interfaces::SymbolUser`]), where every symbol passed 2. A use is asked about early, when the
//!    isolated op around it is left; that it is right is certain if all it looks up is defined by then.
//!
//! Ops that stand for what could not be read ([`UNREADABLE`]) are passed over, so that the program of
//! `segra_text::Parsed` can be checked for further mistakes after syntax errors.
//!
//! Ids are trusted to be in range, and use-def chains to be linked (only [`crate::store`] can break them). Everything
//! is linear in the size of the program, but for dominance between different blocks, which is linear in the depth of
//! the dominator tree.

mod attached;
mod frame;
mod leaf;
mod naming;
mod scopes;
mod signature;
mod structure;
mod symbols;
mod traits;

use crate::attrs::Attr;
use crate::context::OpName;
use crate::def::{OpInfo, Origin, Trait};
use crate::diag::{Diagnostic, Diagnostics};
use crate::interfaces::{RuleScope, SymbolUser, Verify};
use crate::signature::{Signature, SignatureTable};
use crate::store::{Ir, Op};
use crate::symbol::SymbolTables;
use crate::walk::{Event, Walk};
use attached::Attached;
use frame::{KnownFrames, Left};
use leaf::KnownSignatures;
use rustc_hash::FxHashSet;
use structure::{Isolation, Structure, StructureScratch};
use symbols::Symbols;

/// Name of the ops that stand for what could not be read. They have any results; checks skip them.
pub const UNREADABLE: &str = "segra.unreadable";

/// How ops, types and attributes of dialects that are not registered are treated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unregistered {
    /// They are errors.
    #[default]
    Refuse,
    /// They are kept as they stand.
    Allow,
}

/// How to verify.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VerifyOptions {
    /// Ops of dialects that are not registered; where they are allowed, only their structure is checked.
    pub unregistered: Unregistered,
}

/// Checks the whole program; all errors are collected, in the order of the source. Unregistered ops are errors.
pub fn verify(ir: &Ir, diags: &mut Diagnostics) {
    verify_op(ir, ir.root(), &VerifyOptions::default(), diags);
}

/// Checks an op and everything inside it; all errors are collected, in the order of the source.
pub fn verify_op(ir: &Ir, root: Op, options: &VerifyOptions, diags: &mut Diagnostics) {
    Verifier::new(*options).verify_op(ir, root, diags);
}

/// Checks the symbols used in an op and inside it: what [`Verifier::verify_isolated`] leaves out. The op passed that.
pub fn verify_symbol_uses(ir: &Ir, root: Op, tables: &mut SymbolTables, diags: &mut Diagnostics) {
    for event in Walk::new(ir, root) {
        if let Event::EnterOp(op) | Event::Leaf(op) = event
            && let Some(user) = ir.info(op).and_then(|info| info.symbol_user)
        {
            user.verify_symbol_uses(ir, op, tables, &mut diags.about(ir, op));
        }
    }
}

/// A verifier for many ops of programs of one context: what it found out about signatures is kept, so that verifying
/// the parts of a program one by one costs no more than verifying it whole.
#[derive(Debug, Default)]
pub struct Verifier {
    options: VerifyOptions,
    scratch: StructureScratch,
    known: Known,
}

/// Whether layer 4 is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Uses {
    Checked,
    LeftOut,
}

/// Checks that do not depend on the op's position.
#[derive(Debug, Default)]
struct Known {
    leaves: KnownSignatures,
    frames: KnownFrames,
    /// The signatures without attributes, where it was found to be right.
    shapes: SignatureTable<()>,
    attached: Attached,
}

impl Verifier {
    /// Nothing known yet.
    pub fn new(options: VerifyOptions) -> Verifier {
        Verifier {
            options,
            ..Verifier::default()
        }
    }

    /// How it verifies.
    pub fn options(&self) -> VerifyOptions {
        self.options
    }

    /// As [`verify_op`].
    pub fn verify_op(&mut self, ir: &Ir, root: Op, diags: &mut Diagnostics) {
        let mut found = self.check_inside(ir, root, Uses::Checked);
        symbols::check_uses(ir, &mut found);
        found.diags.sort_by_position(ir.ctx());
        diags.extend(found.diags);
    }

    /// Checks an isolated op and everything inside it but for the symbols that are used: what of it can be known
    /// without looking at what is around the op. All errors are collected, in the order of the source.
    pub fn verify_isolated(&mut self, ir: &Ir, root: Op, diags: &mut Diagnostics) {
        let mut found = self.check_inside(ir, root, Uses::LeftOut);
        found.diags.sort_by_position(ir.ctx());
        diags.extend(found.diags);
    }

    /// Layers 1 to 3.
    fn check_inside(&mut self, ir: &Ir, root: Op, uses: Uses) -> Findings {
        let mut found = Findings {
            broken: FxHashSet::default(),
            malformed: FxHashSet::default(),
            stand_in: ir.ctx().op_name(UNREADABLE),
            has_stand_ins: false,
            rules: Vec::new(),
            users: Vec::new(),
            tables: SymbolTables::new(),
            diags: Diagnostics::new(),
        };
        check_structure_and_signatures(ir, (root, uses), self, &mut found);
        check_own_rules(ir, 0, &mut self.known, &mut found);
        found
    }
}

/// Whether the op is what its definition asks for (layer 2 of the verifier, its regions' number of blocks included):
/// what accessors and custom text forms rely on. True for unregistered ops.
pub fn is_well_formed(ir: &Ir, op: Op) -> bool {
    let Some(info) = ir.info(op) else { return true };
    let mut fine = true;
    check_signature(ir, op, info, &mut |_| fine = false);
    fine
}

/// Errors found so far, and where.
struct Findings {
    /// Ops that did not pass layer 1.
    broken: FxHashSet<Op>,
    /// Ops that would not pass layer 2: their accessors may not be used.
    malformed: FxHashSet<Op>,
    /// Name of the ops that stand for what the reader could not read: they are not looked at, nor is what depends on
    /// what they are.
    stand_in: OpName,
    has_stand_ins: bool,
    /// Ops with rules of their own (layer 3), each after what is inside it.
    rules: Vec<(Op, &'static dyn Verify)>,
    /// Ops that refer to symbols (layer 4), likewise.
    users: Vec<(Op, &'static dyn SymbolUser)>,
    /// The symbols inside the op that is verified.
    tables: SymbolTables,
    diags: Diagnostics,
}

impl Findings {
    /// A structural error: later layers keep off the op.
    fn broken(&mut self, ir: &Ir, op: Op, message: impl Into<String>) -> &mut Diagnostic {
        self.broken.insert(op);
        self.diags.op_error(ir, op, message)
    }
    fn is_broken(&self, op: Op) -> bool {
        !self.broken.is_empty() && self.broken.contains(&op)
    }
    /// Whether the op's accessors can be used.
    fn is_accessible(&self, op: Op) -> bool {
        self.malformed.is_empty() || !self.malformed.contains(&op)
    }
}

fn check_structure_and_signatures(
    ir: &Ir,
    (root, uses): (Op, Uses),
    verifier: &mut Verifier,
    found: &mut Findings,
) {
    let Verifier {
        options,
        scratch,
        known,
    } = verifier;
    let structure = Structure::around(ir, root, scratch);
    let symbols = Symbols::new(ir, root);
    let mut check = Check {
        ir,
        options,
        uses,
        structure,
        symbols,
        known,
        isolated: Vec::new(),
    };
    check.walk(root, found);
    check.structure.end();
    found.tables = check.symbols.into_tables();
}

/// Layers 1 and 2 on their way through the program.
struct Check<'a> {
    ir: &'a Ir,
    options: &'a VerifyOptions,
    uses: Uses,
    structure: Structure<'a>,
    symbols: Symbols,
    known: &'a mut Known,
    /// Isolated ops around the current one, and where the rules of what is inside them begin.
    isolated: Vec<(Op, usize)>,
}

impl Check<'_> {
    /// Enters every op before, and leaves it after, what is inside it; without recursion.
    fn walk(&mut self, root: Op, found: &mut Findings) {
        let outside = self.structure.depth();
        self.visit(root, found);
        while self.structure.depth() > outside {
            if let Some(first) = self.structure.next_op() {
                let op = self
                    .known
                    .leaves
                    .pass_over(&mut self.structure, self.ir, first, found);
                self.structure.go_on_after(op);
                if let Some(op) = op {
                    self.visit(op, found);
                }
            } else if !self.structure.next_block(found)
                && let Some(op) = self.structure.leave_regions()
            {
                self.leave(op, found);
            }
        }
    }

    fn visit(&mut self, op: Op, found: &mut Findings) {
        let info = self.ir.info(op);
        self.structure.enter_op(op, info, found);
        if self.ir.regions(op).is_empty() {
            self.structure.define_results(op);
            self.check(op, info, found);
            note_rules(op, info, found);
            return;
        }
        let isolation = Isolation::of(info);
        if isolation == Isolation::FromAbove {
            self.isolated.push((op, found.rules.len()));
        }
        if !self.structure.enter_regions(op, isolation, found) {
            self.leave(op, found);
        }
    }

    fn leave(&mut self, op: Op, found: &mut Findings) {
        let ir = self.ir;
        let known = self.known.frames.ask(ir, op);
        self.structure.define_results(op);
        match known.filter(|_| !found.is_broken(op)) {
            Some(Left::Nothing) if cfg!(debug_assertions) => frame::assert_settled(ir, op),
            Some(_) => {}
            None => self.check(op, ir.info(op), found),
        }
        // All that the rules inside may look at is checked, and likely still in a cache.
        let isolated = self.isolated.pop_if(|row| row.0 == op);
        if let Some((_, rules)) = isolated {
            check_own_rules(ir, rules, self.known, found);
            if self.uses == Uses::Checked {
                self.symbols.check_settled_uses(ir, found);
            }
        }
        if known == Some(Left::Nothing) {
            return;
        }
        let rules = found.rules.len();
        note_rules(op, ir.info(op), found);
        let looks_inside = |row: &(Op, &dyn Verify)| row.1.scope().is_inside();
        if isolated.is_some()
            && found.malformed.is_empty()
            && found.rules[rules..].iter().all(looks_inside)
        {
            check_own_rules(ir, rules, self.known, found);
        }
    }

    /// Looks at an op about which nothing is known.
    fn check(&mut self, op: Op, info: Option<&OpInfo>, found: &mut Findings) {
        let ir = self.ir;
        structure::check_regions(ir, op, found);
        let name = self.symbols.enter(ir, op, found);
        if !self.known.attached.check(ir, op, &mut found.diags) {
            found.malformed.insert(op);
            return;
        }
        match info {
            Some(info) => self.registered(op, info, name, found),
            None if ir.op_name(op) == found.stand_in => {
                found.malformed.insert(op);
                found.has_stand_ins = true;
            }
            None if self.options.unregistered == Unregistered::Refuse || is_of_upstream(ir, op) => {
                found.diags.op_error(ir, op, unregistered_message(ir, op));
            }
            None if name.is_some() => {}
            None => self
                .known
                .leaves
                .insert(ir, op, None, Signature::of(ir, op)),
        }
    }

    fn registered(&mut self, op: Op, info: &OpInfo, name: Option<Attr>, found: &mut Findings) {
        let ir = self.ir;
        if found.is_broken(op) {
            if !is_well_formed(ir, op) {
                found.malformed.insert(op);
            }
            return;
        }
        // Checks of attributes and types together are made on the whole.
        let is_apart = info.infer.is_none()
            && info.operand_segments.is_none()
            && info.result_segments.is_none()
            && !info.has(Trait::ConstantLike);
        let signature = Signature::of(ir, op);
        let has_shape = is_apart && ir.successors(op).is_empty();
        let shape = signature
            .filter(|_| has_shape)
            .map(Signature::without_attributes);
        let mut messages = Vec::new();
        if shape.is_some_and(|shape| self.known.shapes.get(&shape).is_some()) {
            signature::check_attrs(ir, op, info, &mut |message| messages.push(message));
            signature::check_regions(ir, op, info, &mut |message| messages.push(message));
            if messages.is_empty() {
                traits::check_regions(ir, op, info, &mut |message| messages.push(message));
            }
        } else {
            check_signature(ir, op, info, &mut |message| messages.push(message));
            if let Some(shape) = shape.filter(|_| messages.is_empty()) {
                self.known.shapes.insert(shape, ());
            }
        }
        if messages.is_empty() {
            match name {
                // Each op with a name is looked at: it may be the name's second.
                Some(name) => self.symbols.check(ir, op, name, found),
                None => {
                    self.known.leaves.insert(ir, op, Some(info), signature);
                    self.known.frames.insert(ir, op, info);
                }
            }
            return;
        }
        found.malformed.insert(op);
        for message in messages {
            found.diags.op_error(ir, op, message);
        }
    }
}

/// Keeps in mind that an op has a rule of its own and refers to symbols, if so.
fn note_rules(op: Op, info: Option<&OpInfo>, found: &mut Findings) {
    if let Some(info) = info {
        found.rules.extend(info.verify.map(|rule| (op, rule)));
        found.users.extend(info.symbol_user.map(|user| (op, user)));
    }
}

/// Whether the op's dialect is registered with all its ops, and so would have defined the op if there was one.
fn is_of_upstream(ir: &Ir, op: Op) -> bool {
    let dialect = ir.op_name_str(op).split('.').next().unwrap_or_default();
    ir.ctx()
        .dialect(dialect)
        .is_some_and(|dialect| dialect.origin == Origin::Upstream)
}

fn unregistered_message(ir: &Ir, op: Op) -> String {
    let name = ir.op_name_str(op);
    let dialect = name.split('.').next().unwrap_or(name);
    match ir.ctx().dialect(dialect).map(|known| known.origin) {
        Some(Origin::PartOfUpstream) => format!(
            "is unknown: it is none of the ops of dialect `{dialect}` that are defined here (--allow-unregistered-dialect keeps it)"
        ),
        Some(_) => format!("is unknown: dialect `{dialect}` has no such op"),
        None => format!(
            "is unknown: dialect `{dialect}` is not registered (--allow-unregistered-dialect keeps its ops)"
        ),
    }
}

/// Layer 2: first what the definition says field by field, then, if that holds, the traits.
fn check_signature(ir: &Ir, op: Op, info: &OpInfo, report: &mut dyn FnMut(String)) {
    let mut fine = true;
    signature::check(ir, op, info, &mut |message| {
        fine = false;
        report(message);
    });
    if fine {
        traits::check(ir, op, info, report);
    }
}

/// Layer 3, for the rules from the `first`-th on.
fn check_own_rules(ir: &Ir, first: usize, known: &mut Known, found: &mut Findings) {
    for index in first..found.rules.len() {
        let (op, rule) = found.rules[index];
        if found.is_broken(op) || !can_look_around(ir, op, found) {
            continue;
        }
        let before = found.diags.error_count();
        rule.verify(ir, op, &mut found.diags.about(ir, op));
        if found.diags.error_count() > before {
            continue;
        }
        match (rule.scope(), ir.info(op)) {
            (RuleScope::Signature, Some(info)) => known.leaves.settle(ir, op, info),
            (RuleScope::Parent, Some(info)) if ir.next_op(op).is_none() => {
                known.leaves.settle(ir, op, info)
            }
            (RuleScope::Frame, _) => known.frames.settle(ir, op),
            _ => {}
        }
    }
    found.rules.truncate(first);
}

/// Whether an op's rule may use accessors of the op, of the ops around and directly inside it, and of those that define
/// its operands.
fn can_look_around(ir: &Ir, op: Op, found: &Findings) -> bool {
    if found.malformed.is_empty() {
        return true;
    }
    let inside = || {
        let blocks = ir.regions(op).iter().flat_map(|&region| ir.blocks(region));
        blocks
            .flat_map(|block| ir.ops(block))
            .all(|nested| found.is_accessible(nested))
    };
    found.is_accessible(op)
        && ir
            .parent_op(op)
            .is_none_or(|parent| found.is_accessible(parent))
        && ir
            .operands(op)
            .filter_map(|value| ir.defining_op(value))
            .all(|def| found.is_accessible(def))
        && inside()
}
