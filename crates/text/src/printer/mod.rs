//! Writes programs as text: MLIR's generic form, and custom forms on request.
//!
//! Naming values, collecting aliases and writing are three linear walks; the text grows in one buffer. Ops that are
//! not well-formed (see [`segra_ir::verify::is_well_formed`]) are written generically, whatever is asked for, so that
//! any program can be printed. Deliberately absent: checks (a program that does not verify is printed all the same).

mod affine;
mod alias;
mod custom;
mod data;
mod elements;
mod float;
mod locations;
mod names;
mod op;
mod resources;

pub use op::{EntryArgs, LastOp};

use crate::form_of;
use alias::{Aliases, Place, Wanted};
use data::{DataWriter, TypeText};
use names::Names;
use segra_ir::attrs::{AffineMap, Attr};
use segra_ir::context::Context;
use segra_ir::signature::SignatureTable;
use segra_ir::store::{Ir, Op};
use segra_ir::types::Type;

/// Which form ops are written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// An op's own form where it has one.
    #[default]
    Custom,
    /// `"dialect.op"(...) <{...}> ({...}) {...} : (...) -> ...` for every op.
    Generic,
}

/// Whether and how locations are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Locations {
    /// Not at all.
    #[default]
    Hidden,
    /// As aliases, defined after the program (`--mlir-print-debuginfo`).
    Aliased,
    /// In place (`--mlir-print-debuginfo --mlir-print-local-scope`).
    Inline,
}

/// The names of values and blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NamePolicy {
    /// As in the source, or as ops suggest in custom forms; numbers for the rest.
    #[default]
    Kept,
    /// Numbers, as `mlir-opt` does.
    Numbered,
}

/// Whether aliases stand for affine maps, integer sets and the like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AliasPolicy {
    /// As in MLIR.
    #[default]
    Defined,
    /// Everything is written in place (`--mlir-print-local-scope`), but for what would be exponentially long there.
    Inline,
}

/// Whether regions are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RegionPolicy {
    /// With all their ops.
    #[default]
    Full,
    /// As `{...}` (`--mlir-print-skip-regions`).
    Skipped,
}

/// From how many elements on large constants are not written one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementsLimits {
    /// More elements than this are written in hexadecimal; `None`: never.
    pub hex_above: Option<usize>,
    /// More elements than this are left out, which cannot be read back; `None`: never.
    pub elide_above: Option<usize>,
}

impl Default for ElementsLimits {
    fn default() -> Self {
        ElementsLimits {
            hex_above: Some(100),
            elide_above: None,
        }
    }
}

/// How a program is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PrintOptions {
    /// Custom or generic.
    pub form: Form,
    /// Locations.
    pub locations: Locations,
    /// Names of values and blocks.
    pub names: NamePolicy,
    /// Aliases of attributes and types.
    pub aliases: AliasPolicy,
    /// Regions.
    pub regions: RegionPolicy,
    /// Large constants.
    pub elements: ElementsLimits,
}

impl PrintOptions {
    /// The options of `mlir-opt --mlir-print-op-generic`.
    pub fn mlir_generic() -> PrintOptions {
        PrintOptions {
            form: Form::Generic,
            names: NamePolicy::Numbered,
            ..PrintOptions::default()
        }
    }
}

/// The text of an op and everything in it, with a newline at the end.
pub fn print(ir: &Ir, op: Op, options: &PrintOptions) -> String {
    let mut out = String::new();
    print_to(ir, op, options, &mut out);
    out
}

/// Appends the text of an op and everything in it.
pub fn print_to(ir: &Ir, op: Op, options: &PrintOptions, out: &mut String) {
    let start = out.len();
    let wanted = if options.aliases == AliasPolicy::Defined {
        Wanted::Usual
    } else {
        Wanted::None
    };
    if print_with(ir, op, options, wanted, out) == Extent::Cut {
        // Types, attributes and locations that would be too long or too deep in place have aliases, whatever is asked for.
        out.truncate(start);
        let wanted = if options.aliases == AliasPolicy::Defined {
            Wanted::UsualAndLong
        } else {
            Wanted::Long
        };
        let inline = options.locations == Locations::Inline;
        let locations = if inline {
            Locations::Aliased
        } else {
            options.locations
        };
        print_with(
            ir,
            op,
            &PrintOptions {
                locations,
                ..options.clone()
            },
            wanted,
            out,
        );
    }
}

/// Whether all was written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Whole,
    Cut,
}

fn print_with(ir: &Ir, op: Op, options: &PrintOptions, wanted: Wanted, out: &mut String) -> Extent {
    let names = Names::of(ir, names::naming_scope(ir, op), options.names, options.form);
    let mut printer = Printer::new(ir, names, options, std::mem::take(out));
    printer.data.aliases = Aliases::collect(ir, op, options, wanted);
    printer.data.alias_definitions(Place::BeforeProgram);
    printer.op(op);
    printer.newline();
    printer.data.alias_definitions(Place::AfterProgram);
    if op == ir.root() {
        printer.data.resources(ir.resources());
    }
    *out = printer.data.out;
    if printer.data.is_cut {
        Extent::Cut
    } else {
        Extent::Whole
    }
}

/// One line without the regions' contents, for diagnostics.
pub fn print_op_line(ir: &Ir, op: Op) -> String {
    let names = Names::of(
        ir,
        names::naming_scope(ir, op),
        NamePolicy::Kept,
        Form::Custom,
    );
    op_line(ir, op, names)
}

/// As [`print_op_line`], but values are numbered from this op on: costs nothing for the surroundings.
pub(crate) fn print_op_line_alone(ir: &Ir, op: Op) -> String {
    op_line(ir, op, Names::of_line(ir, op))
}

fn op_line(ir: &Ir, op: Op, names: Names) -> String {
    // A hand-written form may look into regions and trusts the verifier: only data-driven ones are safe here.
    let by_hand = ir
        .info(op)
        .is_none_or(|info| form_of(ir.ctx(), info).syntax.is_some());
    let options = PrintOptions {
        form: if by_hand { Form::Generic } else { Form::Custom },
        aliases: AliasPolicy::Inline,
        regions: RegionPolicy::Skipped,
        elements: ElementsLimits {
            hex_above: None,
            elide_above: Some(16),
        },
        ..PrintOptions::default()
    };
    let mut printer = Printer::new(ir, names, &options, String::new());
    printer.op(op);
    let mut line = printer.data.out;
    // Beyond this nobody reads on; an op may have a million operands.
    const LONGEST: usize = 1000;
    if line.len() > LONGEST {
        let end = (0..=LONGEST)
            .rev()
            .find(|&end| line.is_char_boundary(end))
            .unwrap_or(0);
        line.truncate(end);
        line.push_str(" ...");
    }
    line
}

/// The text of a type.
pub fn print_type(ctx: &Context, ty: Type) -> String {
    let mut writer = DataWriter::new(ctx, String::new());
    writer.ty(ty);
    writer.out
}

/// The text of an affine map: `(d0)[s0] -> (d0 + s0)`.
pub fn print_affine_map(map: &AffineMap) -> String {
    let mut out = String::new();
    affine::write_map(&mut out, map);
    out
}

/// The text of an attribute.
pub fn print_attr(ctx: &Context, attr: Attr) -> String {
    let mut writer = DataWriter::new(ctx, String::new());
    writer.attr(attr, TypeText::Always);
    writer.out
}

/// The text of a location, `loc(...)`.
pub fn print_loc(ctx: &Context, loc: segra_ir::location::Loc) -> String {
    let mut writer = DataWriter::new(ctx, String::new());
    writer.loc(loc, locations::OuterAlias::Allowed);
    writer.out
}

/// Writes ops. Handed to [`crate::Syntax::print`], which uses the methods in `op` order: what is written is
/// appended to the text as it is, spaces included.
#[derive(Debug)]
pub struct Printer<'a> {
    ir: &'a Ir,
    options: &'a PrintOptions,
    names: Names,
    data: DataWriter<'a>,
    indent: usize,
    /// Where ops of a signature were written generically before.
    written: SignatureTable<op::Written>,
}

impl<'a> Printer<'a> {
    fn new(ir: &'a Ir, names: Names, options: &'a PrintOptions, out: String) -> Printer<'a> {
        let mut data = DataWriter::new(ir.ctx(), out);
        data.limits = options.elements;
        data.locations = options.locations;
        Printer {
            ir,
            options,
            names,
            data,
            indent: 0,
            written: SignatureTable::default(),
        }
    }
}
