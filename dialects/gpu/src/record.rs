//! The error record of kernels with checks: attributes that tell the runtime which parameter it is, and the checks by number.
//!
//! Pass `lower-checks` writes them, the translation to an artifact reads them. A run in the interpreter has nobody who reads the
//! record, but [`Records`].

use crate::host::AllocOp;
use core::cell::RefCell;
use segra_interp::{Fault, MemRefValue, Observation, Observer};
use segra_ir::{Attr, AttrKind, Ir, Op, TypeKind, Value};
use segra_std::check::with_numbers;
use std::rc::Rc;

/// Attribute of kernels whose last parameter is the error record, and of its allocation on the host.
pub const RECORD: &str = "segra.error_record";
/// Attribute of a module: an array of `{message, file, line, column}`, one per check.
pub const SITES: &str = "segra.check_sites";

/// A check of a kernel, as the runtime reports it.
pub struct Site {
    /// The runtime's message, with `{0}`… for numbers.
    pub message: String,
    /// File, line and column in the source program.
    pub place: Option<(String, u32, u32)>,
}

/// A module's checks, by number.
pub fn sites(ir: &Ir, module: Op) -> Vec<Site> {
    let ctx = ir.ctx();
    let list = ir
        .attr_named(module, SITES)
        .and_then(|attr| match ctx.attr_kind(attr) {
            AttrKind::Array(list) => Some(list.to_vec()),
            _ => None,
        });
    let entry = |attr: Attr| {
        let AttrKind::Dict(dict) = *ctx.attr_kind(attr) else {
            return Site {
                message: String::new(),
                place: None,
            };
        };
        let find = |name: &str| {
            ctx.entries(dict)
                .iter()
                .find(|row| ctx.str(row.0) == name)
                .map(|row| row.1)
        };
        let number = |name| u32::try_from(find(name)?.as_i64(ctx)?).ok();
        let message = find("message")
            .and_then(|attr| attr.as_str(ctx))
            .unwrap_or_default()
            .to_owned();
        let file = find("file")
            .and_then(|attr| attr.as_str(ctx))
            .map(str::to_owned);
        let place = file.zip(number("line").zip(number("column")));
        Site {
            message,
            place: place.map(|(file, (line, column))| (file, line, column)),
        }
    };
    list.unwrap_or_default().into_iter().map(entry).collect()
}

/// Whether a value is the record the runtime adds to launches by itself.
pub fn is_record(ir: &Ir, value: Value) -> bool {
    matches!(
        ir.ctx().type_kind(ir.value_type(value)),
        TypeKind::MemRef { .. }
    ) && ir
        .defining_op(value)
        .is_some_and(|op| ir.attr_named(op, RECORD).is_some())
}

/// The error records of a run in the interpreter, as its observer.
#[derive(Debug, Default)]
pub struct Records(RefCell<Vec<Rc<MemRefValue>>>);

impl Observer for Records {
    fn wants(&self, ir: &Ir, op: Op) -> bool {
        ir.isa::<AllocOp>(op) && ir.attr_named(op, RECORD).is_some()
    }
    fn observe(&self, observation: Observation) -> Result<(), Fault> {
        let records = observation.results.iter().filter_map(|it| it.as_memref());
        self.0.borrow_mut().extend(records.cloned());
        Ok(())
    }
}

impl Records {
    /// The message of a check that has failed, of a module of kernels whose checks are lowered.
    pub fn failure(&self, ir: &Ir, module: Op) -> Option<String> {
        let records = self.0.borrow();
        let words = records.iter().find_map(|record| {
            let word = |at: i64| record.load(&[at]).ok()?.as_int();
            let words = [word(0)?, word(1)?, word(2)?, word(3)?];
            (words[0] != 0).then_some(words)
        })?;
        let [first, numbers @ ..] = words;
        // The upper half says that a thread has won.
        let number = usize::try_from(first & i64::from(u32::MAX)).ok()?;
        let sites = sites(ir, module);
        let site = number.checked_sub(1).and_then(|at| sites.get(at));
        Some(site.map_or_else(
            || "a check failed".to_owned(),
            |site| with_numbers(&site.message, &numbers),
        ))
    }
}
