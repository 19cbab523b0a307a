//! Functions from a text: libraries that a frontend's programs call.
//!
//! ```
//! use segra::graph::{Extent, Graph, Parameter, Places};
//!
//! # fn main() -> Result<(), segra::Failure> {
//! let graph = Graph::new();
//! let library = "func.func private @twice(%x: f32) -> f32 {
//!   %y = arith.addf %x, %x : f32
//!   func.return %y : f32
//! }";
//! let functions = graph.import("library.mlir", library, Places::Calls)?;
//! let (file, f32) = (graph.add_source("main.calc", "twice x"), graph.ctx().f32());
//! let here = graph.place(file, 1, 1);
//! graph.function(here, "main", &[Parameter::new("x", f32, here)], |args| {
//!     graph.call(here, &functions[0], args)
//! })?;
//! # let _: segra::Program = graph.finish()?;
//! # Ok(())
//! # }
//! ```

use super::{Built, Function, Graph};
use segra_ir::clone::Mapping;
use segra_ir::interfaces::symbol_name;
use segra_ir::{Builder, Diagnostics, Ir, Loc, LocKind, Op};
use segra_std::func::FuncOp;
use segra_text::{ParseOptions, parse_source};

/// The place that messages about the ops of an imported function have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Places {
    /// Their own, in the imported text; the place of the call is a note.
    Own,
    /// That of the call: whoever wrote the program did not write the function. Ops carry its name only.
    Calls,
}

impl Graph {
    /// Adds the functions of a text, to be called; in the order of the text.
    ///
    /// # Errors
    /// Everything that is wrong with the text, at its places; ops at the top that are no functions; a name that is taken.
    pub fn import(&self, name: &str, text: &str, places: Places) -> Built<Vec<Function>> {
        let parsed = parse_source(&self.ctx, name, text, &ParseOptions::default());
        if parsed.diags.has_errors() {
            return Err(self.failure(parsed.diags));
        }
        let from = parsed.ir;
        let functions = self.functions_of(&from)?;
        let copies: Vec<Op> = functions
            .iter()
            .map(|&(op, _)| self.copied(&from, op, places))
            .collect();
        // All are there before one is verified: they may call one another.
        for &copy in &copies {
            if let Err(failure) = self.verified(copy) {
                copies.iter().for_each(|&copy| self.take_out(copy));
                return Err(failure);
            }
        }
        let functions = functions.into_iter().map(|(_, function)| function);
        Ok(functions.collect())
    }

    /// The functions at the top of a text, each with its signature.
    fn functions_of(&self, from: &Ir) -> Built<Vec<(Op, Function)>> {
        let taken = |name: &str| {
            let ir = self.ir.borrow();
            ir.ops(self.module)
                .any(|op| symbol_name(&ir, op).is_some_and(|other| self.ctx.str(other) == name))
        };
        let body = from
            .regions(from.root())
            .first()
            .and_then(|&region| from.entry_block(region));
        let (mut functions, mut diagnostics) = (Vec::new(), Diagnostics::new());
        for op in body.into_iter().flat_map(|block| from.ops(block)) {
            let loc = from.loc(op);
            let (Some(function), Some(name)) = (from.cast::<FuncOp>(op), symbol_name(from, op))
            else {
                diagnostics.error(loc, "only functions can be imported");
                continue;
            };
            let name = self.ctx.str(name).to_owned();
            if taken(&name) {
                diagnostics.error(loc, format!("there is a function `{name}` already"));
            }
            let (inputs, results) = function.function_type(from);
            let function = Function {
                graph: self.id,
                name,
                inputs: inputs.to_vec(),
                results: results.to_vec(),
            };
            functions.push((op, function));
        }
        if diagnostics.has_errors() {
            return Err(self.failure(diagnostics));
        }
        Ok(functions)
    }

    /// Copies a function to the end of the module.
    fn copied(&self, from: &Ir, op: Op, places: Places) -> Op {
        let mut mapping = match (places, symbol_name(from, op)) {
            (Places::Calls, Some(name)) => {
                let child = Loc::UNKNOWN;
                Mapping::with_loc(self.ctx.loc(LocKind::Name { name, child }))
            }
            _ => Mapping::new(),
        };
        let mut ir = self.ir.borrow_mut();
        let mut b = Builder::at_end(&mut ir, self.module, from.loc(op));
        b.copy_op(from, op, &mut mapping)
    }
}
