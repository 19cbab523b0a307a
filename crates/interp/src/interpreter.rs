//! The entry point: runs a function of a program on given values.

use crate::code::{RegionCode, decode_function};
use crate::cx::Cx;
use crate::datum::Datum;
use crate::error::EvalError;
use crate::observe::Observer;
use segra_ir::interfaces::Callable;
use segra_ir::symbol::SymbolTables;
use segra_ir::types::DYNAMIC;
use segra_ir::{EntityId, Ir, Loc, Op, TypeKind};
use std::cell::RefCell;
use std::rc::Rc;

/// Resource limits of a run; a run that exceeds one fails with an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Ops evaluated, once for each lane: what a run takes grows with it.
    pub steps: u64,
    /// Regions entered one inside the other, calls included.
    pub depth: u32,
    /// Elements of one array or buffer.
    pub elements: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            steps: u64::MAX,
            depth: 10_000,
            elements: 1 << 31,
        }
    }
}

/// Runs functions of one program. Functions are decoded when first called.
pub struct Interpreter<'a> {
    ir: &'a Ir,
    limits: Limits,
    observer: Option<&'a dyn Observer>,
    functions: RefCell<Vec<Option<Rc<RegionCode>>>>,
    symbols: RefCell<SymbolTables>,
}

impl<'a> Interpreter<'a> {
    /// An interpreter of a program that verifies.
    pub fn new(ir: &'a Ir) -> Interpreter<'a> {
        Interpreter {
            ir,
            limits: Limits::default(),
            observer: None,
            functions: RefCell::default(),
            symbols: RefCell::default(),
        }
    }
    /// The same with other limits.
    pub fn with_limits(mut self, limits: Limits) -> Interpreter<'a> {
        self.limits = limits;
        self
    }
    /// The same, telling `observer` of the evaluations it wants to know of.
    pub fn with_observer(mut self, observer: &'a dyn Observer) -> Interpreter<'a> {
        self.observer = Some(observer);
        self
    }
    pub(crate) fn observer(&self) -> Option<&'a dyn Observer> {
        self.observer
    }
    /// The program.
    pub fn ir(&self) -> &'a Ir {
        self.ir
    }
    /// The resource limits of a run.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }
    /// The function named `entry` directly inside the root op.
    pub fn entry(&self, entry: &str) -> Option<Op> {
        let name = self.ir.ctx().ident(entry);
        self.symbols.borrow_mut().get(self.ir, self.ir.root(), name)
    }
    /// Calls the function named `entry` in one lane. Memrefs among the arguments are written in place.
    pub fn call(&self, entry: &str, args: &[Datum]) -> Result<Vec<Datum>, EvalError> {
        let function = self.entry(entry).ok_or_else(|| {
            EvalError::new(Loc::UNKNOWN, format!("there is no function @{entry}"))
        })?;
        self.call_op(function, args)
    }
    /// Calls a function in one lane.
    pub fn call_op(&self, function: Op, args: &[Datum]) -> Result<Vec<Datum>, EvalError> {
        self.check_extents(function, args)?;
        let mut cx = Cx::new(self);
        cx.call_with(function, args, 1, |cx, code| {
            code.yields
                .iter()
                .map(|&slot| cx.get(slot, 0).clone())
                .collect()
        })
    }
    /// Stops where an argument lacks an extent that the type of its parameter says.
    fn check_extents(&self, function: Op, args: &[Datum]) -> Result<(), EvalError> {
        let callable = self.ir.interface::<dyn Callable>(function);
        let body = callable.and_then(|callable| callable.callable_region(self.ir, function));
        let entry = body.and_then(|body| self.ir.entry_block(body));
        let params = entry.map_or(&[][..], |entry| self.ir.block_args(entry));
        for (index, (&param, arg)) in params.iter().zip(args).enumerate() {
            let TypeKind::Tensor { shape, .. } = self.ir.ctx().type_kind(self.ir.value_type(param))
            else {
                continue;
            };
            let found = arg
                .as_array()
                .map(|array| array.shape())
                .unwrap_or_default();
            for (dim, (&wanted, &found)) in shape.iter().zip(found).enumerate() {
                if wanted != DYNAMIC && usize::try_from(wanted) != Ok(found) {
                    let message = format!("dimension {dim} of parameter #{index} is not {wanted}");
                    return Err(EvalError::at(self.ir, function, message));
                }
            }
        }
        Ok(())
    }
    pub(crate) fn function(&self, function: Op) -> Result<Rc<RegionCode>, EvalError> {
        let index = function.index();
        if let Some(Some(code)) = self.functions.borrow().get(index) {
            return Ok(code.clone());
        }
        let callable = self.ir.interface::<dyn Callable>(function);
        let body = callable.and_then(|callable| callable.callable_region(self.ir, function));
        let body = body.filter(|&body| self.ir.entry_block(body).is_some());
        let body = body.ok_or_else(|| EvalError::at(self.ir, function, "has no body to run"))?;
        let code = Rc::new(decode_function(
            self.ir,
            &mut self.symbols.borrow_mut(),
            body,
            self.observer,
        )?);
        let mut functions = self.functions.borrow_mut();
        if functions.len() <= index {
            functions.resize(index + 1, None);
        }
        functions[index] = Some(code.clone());
        Ok(code)
    }
}
