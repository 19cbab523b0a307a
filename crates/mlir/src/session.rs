//! One compilation's upstream context, its captured diagnostics, and the few walks over upstream IR.
//!
//! Every call makes its own context with multi-threading off: nothing is shared between calls, and the order
//! of everything upstream does (so the PTX, byte for byte) depends on the input alone.

use std::cell::RefCell;
use std::rc::Rc;

use melior::Context;
use melior::diagnostic::DiagnosticSeverity;
use melior::dialect::DialectRegistry;
use melior::ir::attribute::{IntegerAttribute, StringAttribute, TypeAttribute};
use melior::ir::operation::{OperationLike, OperationRef, OperationRefMut, OperationResult};
use melior::ir::r#type::FunctionType;
use melior::ir::{BlockLike, Location, Module, RegionLike, Value, ValueLike};
use melior::utility::{register_all_dialects, register_all_llvm_translations, register_all_passes};

use segra_worker::{Diagnostic, ErrorCode, MlirError, Position, Severity, SourceLocation};

/// The upstream context of one call, and what upstream said during it.
pub(crate) struct Session {
    pub(crate) context: Context,
    diagnostics: Rc<RefCell<Vec<Diagnostic>>>,
}

impl Session {
    pub(crate) fn new() -> Self {
        register_all_passes();
        let registry = DialectRegistry::new();
        register_all_dialects(&registry);
        let context = Context::new_with_registry(&registry, false);
        register_all_llvm_translations(&context);
        // The parser loads a dialect when the text mentions it; the rewrites need these in any case.
        context.get_or_load_dialect("llvm");
        context.get_or_load_dialect("nvvm");

        let diagnostics = Rc::new(RefCell::new(Vec::new()));
        let sink = Rc::clone(&diagnostics);
        context.attach_diagnostic_handler(move |diagnostic| {
            sink.borrow_mut().push(convert(&diagnostic));
            true
        });
        Self {
            context,
            diagnostics,
        }
    }

    /// Takes what upstream said so far.
    pub(crate) fn take_diagnostics(&self) -> Vec<Diagnostic> {
        self.diagnostics.take()
    }

    /// Parses and verifies `text`.
    pub(crate) fn parse(&self, text: &str) -> Result<Module<'_>, MlirError> {
        // Upstream reads a C string: a NUL would end it early.
        if text.contains('\0') {
            return Err(MlirError::new(
                ErrorCode::Parse,
                "the MLIR text contains a NUL character",
            ));
        }
        Module::parse(&self.context, text).ok_or_else(|| {
            let diagnostics = self.take_diagnostics();
            let (code, message) = match diagnostics.iter().find(|d| d.severity == Severity::Error) {
                Some(first) if is_of_verifier(first) => (
                    ErrorCode::Verify,
                    "upstream MLIR's verifier refuses the module",
                ),
                _ => (ErrorCode::Parse, "upstream MLIR cannot read the module"),
            };
            MlirError::new(code, message).with_diagnostics(diagnostics)
        })
    }
}

/// Upstream parses and verifies in one call; only its verifier shows the op it complains about in a note.
fn is_of_verifier(diagnostic: &Diagnostic) -> bool {
    diagnostic
        .notes
        .iter()
        .any(|note| note.message.starts_with("see current operation"))
}

fn convert(diagnostic: &melior::diagnostic::Diagnostic<'_>) -> Diagnostic {
    let notes = (0..diagnostic.note_count())
        .filter_map(|index| diagnostic.note(index).ok())
        .map(|note| convert(&note))
        .collect();
    Diagnostic {
        severity: match diagnostic.severity() {
            DiagnosticSeverity::Error => Severity::Error,
            DiagnosticSeverity::Warning => Severity::Warning,
            DiagnosticSeverity::Remark => Severity::Remark,
            DiagnosticSeverity::Note => Severity::Note,
        },
        location: source_location(diagnostic.location()),
        message: diagnostic.to_string(),
        notes,
    }
}

/// An upstream location as a value.
pub(crate) fn source_location(location: Location<'_>) -> SourceLocation {
    SourceLocation {
        position: position(location),
        text: location.to_string(),
    }
}

/// The first file position in a location: of the name's child, of the first fused part that has one, of the callee.
fn position(location: Location<'_>) -> Option<Position> {
    if location.is_file_line_col_range() {
        let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        Some(Position {
            file: location
                .file_line_col_range_filename()
                .as_string_ref()
                .as_str()
                .ok()?
                .to_owned(),
            line: number(location.file_line_col_range_start_line()),
            column: number(location.file_line_col_range_start_column()),
        })
    } else if location.is_name() {
        position(location.name_child_location())
    } else if location.is_fused() {
        (0..location.fused_num_locations())
            .find_map(|index| position(location.fused_location(index)))
    } else if location.is_call_site() {
        position(location.call_site_callee())
    } else {
        None
    }
}

/// An error diagnostic of this crate about `op`.
pub(crate) fn error_at(op: OperationRef<'_, '_>, message: impl Into<String>) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        location: source_location(op.location()),
        message: message.into(),
        notes: Vec::new(),
    }
}

/// The op's full name, such as `gpu.func`.
pub(crate) fn op_name(op: OperationRef<'_, '_>) -> String {
    op.name()
        .as_string_ref()
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

/// `op` and everything nested in it, parents first.
pub(crate) fn collect_ops<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut found = Vec::new();
    let mut pending = vec![op];
    while let Some(op) = pending.pop() {
        found.push(op);
        let children_from = pending.len();
        for region in op.regions() {
            let mut block = region.first_block();
            while let Some(current) = block {
                let mut child = current.first_operation();
                while let Some(op) = child {
                    pending.push(op);
                    child = op.next_in_block();
                }
                block = current.next_in_region();
            }
        }
        pending[children_from..].reverse();
    }
    found
}

/// The ops directly in the module's body with this name.
pub(crate) fn top_level<'c: 'a, 'a>(
    module: &'a Module<'c>,
    name: &str,
) -> Vec<OperationRef<'c, 'a>> {
    let mut found = Vec::new();
    let mut next = module.body().first_operation();
    while let Some(op) = next {
        if op_name(op) == name {
            found.push(op);
        }
        next = op.next_in_block();
    }
    found
}

/// A mutable handle of an op inside a block. Only the block hands those out without unsafe code.
pub(crate) fn mutable<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<OperationRefMut<'c, 'a>> {
    let mut next = op.block()?.first_operation_mut();
    while let Some(current) = next {
        if current.to_raw().ptr == op.to_raw().ptr {
            return Some(current);
        }
        next = current.next_in_block_mut();
    }
    None
}

/// The op that makes a value; none for an argument of a block.
///
/// Melior's conversions print a value of the other kind into their error, and upstream numbers and verifies the whole
/// function for that: asked for every index of a kernel, this takes longer than the rest of the way to PTX.
pub(crate) fn made_by<'c, 'a>(value: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let result = value
        .is_operation_result()
        .then(|| OperationResult::try_from(value).ok())??;
    Some(result.owner())
}

/// The number that a value is, where it is a constant integer or index.
pub(crate) fn constant(value: Value<'_, '_>) -> Option<i64> {
    let made = made_by(value).filter(|&made| op_name(made) == "arith.constant")?;
    let value = IntegerAttribute::try_from(made.attribute("value").ok()?).ok()?;
    Some(value.value())
}

/// The symbol an op defines.
pub(crate) fn symbol_name<'c>(op: OperationRef<'c, '_>) -> Option<&'c str> {
    let attribute = op.attribute("sym_name").ok()?;
    StringAttribute::try_from(attribute)
        .ok()
        .map(|name| name.value())
}

/// The function type of a `gpu.func`.
pub(crate) fn function_type<'c>(op: OperationRef<'c, '_>) -> Option<FunctionType<'c>> {
    let attribute = op.attribute("function_type").ok()?;
    FunctionType::try_from(TypeAttribute::try_from(attribute).ok()?.value()).ok()
}
