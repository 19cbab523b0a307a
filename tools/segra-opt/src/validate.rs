//! `--validate-passes`: runs the program in the reference interpreter before the pipeline and after every pass that
//! changed something, on the same arguments, and compares results and written buffers.
//!
//! Integers must agree exactly; floats may differ by `--validate-ulps` (reductions may be reassociated). A program that
//! fails at run time must go on failing.

use crate::args::Validate;
use segra_array::types::{ArrayType, Size, sizes_and_element};
use segra_gpu::record::Records;
use segra_interp::random::Rng;
use segra_interp::{Datum, Elem, Interpreter, MemRefValue, Tolerance, compare};
use segra_ir::interfaces::{Callable, symbol_name};
use segra_ir::{Context, Ident, Ir, Op, Type, TypeKind, types};
use segra_pass::{PassValidator, same_outcome};
use segra_text::print_type;
use std::collections::HashMap;

/// Sizes an argument's type leaves open are random in `1..=LARGEST_EXTENT`.
const LARGEST_EXTENT: u64 = 9;

/// Compares what a program computes with what it computed at first.
pub(crate) struct Validator<'a> {
    how: &'a Validate,
    /// The results of the program at first; `Err`: how it failed.
    first: Result<Vec<Datum>, String>,
    /// The arguments as they were made for the program's first form, buffers as arrays: passes may change the types of
    /// parameters (and so lose which sizes are equal), but the values stay.
    contents: Vec<Datum>,
}

impl<'a> Validator<'a> {
    pub(crate) fn new(how: &'a Validate) -> Validator<'a> {
        Validator {
            how,
            first: Ok(Vec::new()),
            contents: Vec::new(),
        }
    }

    /// Makes the arguments for the program's first form.
    fn make_arguments(&mut self, ir: &Ir, root: Op) -> Result<(), String> {
        let types = parameters(ir, self.entry(ir, root)?);
        if self.how.inputs.len() > types.len() {
            return Err(format!(
                "{} inputs for {} parameters",
                self.how.inputs.len(),
                types.len()
            ));
        }
        let mut generator = InputGenerator {
            ctx: ir.ctx(),
            rng: Rng::new(self.how.seed),
            sizes: HashMap::new(),
        };
        for (index, &ty) in types.iter().enumerate() {
            let input = self.how.inputs.get(index).map_or("random", String::as_str);
            let argument = generator
                .argument(ty, input)
                .map_err(|why| format!("parameter {index}: {why}"))?;
            self.contents
                .push(match argument.as_memref().map(|memref| memref.to_array()) {
                    Some(array) => {
                        Datum::array(array.map_err(|fault| format!("parameter {index}: {fault}"))?)
                    }
                    None => argument,
                });
        }
        Ok(())
    }

    /// Runs the program: results, then the arguments (buffers among them may have been written).
    fn run(&self, ir: &Ir, root: Op) -> Result<Result<Vec<Datum>, String>, String> {
        let function = self.entry(ir, root)?;
        let types = parameters(ir, function);
        if types.len() != self.contents.len() {
            return Err(format!(
                "it has {} parameters now, and had {}",
                types.len(),
                self.contents.len()
            ));
        }
        let argument =
            |(content, &ty): (&Datum, &Type)| match (content.as_array(), ir.ctx().type_kind(ty)) {
                (Some(array), TypeKind::MemRef { .. }) => {
                    Datum::memref(MemRefValue::from_array(array))
                }
                _ => content.clone(),
            };
        let args: Vec<Datum> = self.contents.iter().zip(&types).map(argument).collect();
        let records = Records::default();
        let interpreter = Interpreter::new(ir).with_observer(&records);
        Ok(match interpreter.call_op(function, &args) {
            Ok(mut results) => {
                results.extend(args);
                records.failure(ir, root).map_or(Ok(results), Err)
            }
            Err(error) => Err(error.message().to_owned()),
        })
    }

    /// The function to run: the named one, or the only one with a body.
    fn entry(&self, ir: &Ir, root: Op) -> Result<Op, String> {
        let has_body = |op: &Op| {
            let callable = ir.interface::<dyn Callable>(*op);
            callable
                .and_then(|callable| callable.callable_region(ir, *op))
                .is_some_and(|body| ir.entry_block(body).is_some())
        };
        let inside = ir
            .regions(root)
            .iter()
            .flat_map(|&region| ir.blocks(region))
            .flat_map(|block| ir.ops(block));
        let functions: Vec<(Op, &str)> = inside
            .filter(has_body)
            .filter_map(|op| symbol_name(ir, op).map(|name| (op, ir.ctx().str(name))))
            .collect();
        let names = || {
            functions
                .iter()
                .map(|row| format!("@{}", row.1))
                .collect::<Vec<_>>()
                .join(", ")
        };
        match (&self.how.entry, functions.as_slice()) {
            (Some(entry), all) => {
                let found = all
                    .iter()
                    .find(|row| row.1 == entry.trim_start_matches('@'));
                found
                    .map(|row| row.0)
                    .ok_or_else(|| format!("there is no function @{entry}; there are: {}", names()))
            }
            (None, [only]) => Ok(only.0),
            (None, []) => Err("it has no function to run".to_owned()),
            (None, _) => Err(format!("choose a function by --entry: {}", names())),
        }
    }
}

impl PassValidator for Validator<'_> {
    fn before_pipeline(&mut self, ir: &Ir, root: Op) -> Result<(), String> {
        self.make_arguments(ir, root)?;
        self.first = self.run(ir, root)?;
        Ok(())
    }
    fn after_pass(&mut self, _: &str, ir: &Ir, root: Op) -> Result<(), String> {
        let now = self.run(ir, root)?;
        let tolerance = match self.how.ulps {
            0 => Tolerance::EXACT,
            ulps => Tolerance {
                ulps,
                absolute: 1e-6,
            },
        };
        same_outcome(&self.first, &now, |first, now| {
            let difference = compare(first, now, tolerance)?;
            Some(format!(
                "{difference} (before the pipeline against after the pass)"
            ))
        })
    }
}

/// Types of a function's parameters.
fn parameters(ir: &Ir, function: Op) -> Vec<Type> {
    let callable = ir.interface::<dyn Callable>(function);
    callable
        .map(|callable| callable.signature(ir, function).0)
        .unwrap_or_default()
}

/// Makes arguments.
struct InputGenerator<'a> {
    ctx: &'a Context,
    rng: Rng,
    /// The values of symbolic sizes: arguments that share one have equal extents.
    sizes: HashMap<Ident, usize>,
}

impl InputGenerator<'_> {
    /// An argument of a type: `random`, `random:4x5`, or a literal.
    fn argument(&mut self, ty: Type, input: &str) -> Result<Datum, String> {
        let Some(rest) = input.strip_prefix("random") else {
            return self.literal(ty, input);
        };
        let given = given_shape(rest.strip_prefix(':').unwrap_or(rest))?;
        let (sizes, element) = self.sizes(ty);
        if given
            .as_ref()
            .is_some_and(|given| given.len() != sizes.len())
        {
            return Err(format!("`{input}` does not fit type {}", self.name(ty)));
        }
        let mut shape = Vec::with_capacity(sizes.len());
        for (index, &size) in sizes.iter().enumerate() {
            let wanted = given.as_ref().map(|given| given[index]);
            let extent = self.extent(size, wanted);
            if wanted.is_some_and(|wanted| wanted != extent) {
                let size = size.text(self.ctx);
                return Err(format!(
                    "`{input}` does not fit type {}: {size} is {extent}",
                    self.name(ty)
                ));
            }
            shape.push(extent);
        }
        self.random(ty, element, &shape)
            .ok_or_else(|| format!("no value of type {} can be made", self.name(ty)))
    }

    fn random(&mut self, ty: Type, element: Type, shape: &[usize]) -> Option<Datum> {
        if ty.dialect::<ArrayType>(self.ctx).is_some() {
            return self
                .rng
                .array(Elem::of(self.ctx, element)?, shape)
                .map(Datum::array);
        }
        let mut open = shape.iter().copied();
        let known = ty
            .shaped(self.ctx)
            .map(|row| row.0.to_vec())
            .unwrap_or_default();
        let mut extents = known
            .iter()
            .filter_map(|&dim| open.next().filter(|_| dim == types::DYNAMIC));
        self.rng
            .value(self.ctx, ty, |_| extents.next().unwrap_or(1))
    }

    /// Sizes and element type of any shaped type; a scalar has no sizes.
    fn sizes(&self, ty: Type) -> (Vec<Size>, Type) {
        match ty.shaped(self.ctx) {
            Some((dims, element)) => {
                let size = |&dim: &i64| {
                    if dim == types::DYNAMIC {
                        Size::Unknown
                    } else {
                        Size::Constant(dim)
                    }
                };
                (dims.iter().map(size).collect(), element)
            }
            None => sizes_and_element(self.ctx, ty),
        }
    }

    fn extent(&mut self, size: Size, wanted: Option<usize>) -> usize {
        let rng = &mut self.rng;
        let mut choose = || wanted.unwrap_or_else(|| 1 + rng.below(LARGEST_EXTENT) as usize);
        match size {
            Size::Constant(extent) => usize::try_from(extent).unwrap_or(0),
            Size::Symbol(name) => *self.sizes.entry(name).or_insert_with(choose),
            Size::Unknown => choose(),
        }
    }

    fn literal(&self, ty: Type, input: &str) -> Result<Datum, String> {
        let elem = Elem::of(self.ctx, ty)
            .ok_or_else(|| format!("type {} takes random:SHAPE, not a literal", self.name(ty)))?;
        let value = match (elem, input) {
            (Elem::Int(_), "true") => Some(Datum::Int(1)),
            (Elem::Int(_), "false") => Some(Datum::Int(0)),
            (Elem::Int(width), text) => {
                text.parse().ok().map(|value| Datum::Int(width.wrap(value)))
            }
            (Elem::Index, text) => text.parse().ok().map(Datum::Int),
            (elem, text) => text.parse().ok().map(|value| Datum::from_f64(value, elem)),
        };
        value.ok_or_else(|| format!("`{input}` is no {}", self.name(ty)))
    }

    fn name(&self, ty: Type) -> String {
        print_type(self.ctx, ty)
    }
}

/// The extents `4x5` gives; `None` for an empty text.
fn given_shape(text: &str) -> Result<Option<Vec<usize>>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let extents: Option<Vec<usize>> = text.split('x').map(|part| part.parse().ok()).collect();
    extents
        .map(Some)
        .ok_or_else(|| format!("`{text}` is no shape; write random:4x5"))
}
