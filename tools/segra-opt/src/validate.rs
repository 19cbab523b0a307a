//! `--validate-passes`: runs the program in the reference interpreter before the pipeline and after every pass that
//! changed something, on the same arguments, and compares results and written buffers.
//!
//! Integers must agree exactly; floats may differ by `--validate-ulps` (reductions may be reassociated). A program that
//! fails at run time must go on failing.

use crate::args::Validate;
use segra_interp::random::Rng;
use segra_interp::{Datum, Elem, Interpreter, Tolerance, compare};
use segra_ir::interfaces::{Callable, symbol_name};
use segra_ir::{Context, Ir, Op, Type};
use segra_pass::PassValidator;

/// Sizes an argument's type leaves open are drawn from `1..=LARGEST_EXTENT`.
const LARGEST_EXTENT: u64 = 9;

/// Compares what a program computes with what it computed at first.
pub(crate) struct Validator<'a> {
    how: &'a Validate,
    /// What the program computed at first; `Err`: how it failed.
    first: Result<Vec<Datum>, String>,
}

impl<'a> Validator<'a> {
    pub(crate) fn new(how: &'a Validate) -> Validator<'a> {
        Validator { how, first: Ok(Vec::new()) }
    }

    /// Runs the program: results, then the arguments (buffers among them may have been written).
    fn run(&self, ir: &Ir, root: Op) -> Result<Result<Vec<Datum>, String>, String> {
        let function = self.entry(ir, root)?;
        let callable = ir.interface::<dyn Callable>(function);
        let types = callable.map(|callable| callable.signature(ir, function).0).unwrap_or_default();
        if self.how.inputs.len() > types.len() {
            return Err(format!("{} inputs for {} parameters", self.how.inputs.len(), types.len()));
        }
        let mut rng = Rng::new(self.how.seed);
        let mut args = Vec::with_capacity(types.len());
        for (index, &ty) in types.iter().enumerate() {
            let input = self.how.inputs.get(index).map_or("random", String::as_str);
            let arg = argument(ir.ctx(), ty, input, &mut rng);
            args.push(arg.map_err(|why| format!("parameter {index}: {why}"))?);
        }
        let results = Interpreter::new(ir).call_op(function, &args);
        Ok(match results {
            Ok(mut results) => {
                results.extend(args);
                Ok(results)
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
        let inside =
            ir.regions(root).iter().flat_map(|&region| ir.blocks(region)).flat_map(|block| ir.ops(block));
        let functions: Vec<(Op, &str)> = inside
            .filter(has_body)
            .filter_map(|op| symbol_name(ir, op).map(|name| (op, ir.ctx().str(name))))
            .collect();
        let names = || functions.iter().map(|row| format!("@{}", row.1)).collect::<Vec<_>>().join(", ");
        match (&self.how.entry, functions.as_slice()) {
            (Some(entry), all) => {
                let found = all.iter().find(|row| row.1 == entry.trim_start_matches('@'));
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
        self.first = self.run(ir, root)?;
        Ok(())
    }
    fn after_pass(&mut self, _: &str, ir: &Ir, root: Op) -> Result<(), String> {
        let now = self.run(ir, root)?;
        let tolerance = match self.how.ulps {
            0 => Tolerance::EXACT,
            ulps => Tolerance { ulps, absolute: 1e-6 },
        };
        match (&self.first, &now) {
            (Ok(first), Ok(now)) => match compare(first, now, tolerance) {
                Some(difference) => Err(format!("{difference} (before the pipeline against after the pass)")),
                None => Ok(()),
            },
            (Err(_), Err(_)) => Ok(()),
            (Ok(_), Err(error)) => {
                Err(format!("it ran before the pipeline and fails after the pass: {error}"))
            }
            (Err(error), Ok(_)) => {
                Err(format!("it failed before the pipeline ({error}) and runs after the pass"))
            }
        }
    }
}

/// An argument of a type: `random`, `random:4x5`, or a literal.
fn argument(ctx: &Context, ty: Type, input: &str, rng: &mut Rng) -> Result<Datum, String> {
    let name = || segra_ir::text::print_type(ctx, ty);
    if let Some(rest) = input.strip_prefix("random") {
        let mut extents = shape(rest.strip_prefix(':').unwrap_or(rest), ctx, ty)?.into_iter();
        let mut extent =
            |rng: &mut Rng| extents.next().unwrap_or_else(|| 1 + rng.below(LARGEST_EXTENT) as usize);
        return rng
            .value(ctx, ty, &mut extent)
            .ok_or_else(|| format!("no value of type {} can be made", name()));
    }
    let elem =
        Elem::of(ctx, ty).ok_or_else(|| format!("type {} takes random:SHAPE, not a literal", name()))?;
    let wrong = || format!("`{input}` is no {}", name());
    match (elem, input) {
        (Elem::Int(_), "true") => Ok(Datum::Int(1)),
        (Elem::Int(_), "false") => Ok(Datum::Int(0)),
        (Elem::Int(width), text) => {
            text.parse().map(|value| Datum::Int(width.wrap(value))).map_err(|_| wrong())
        }
        (Elem::Index, text) => text.parse().map(Datum::Int).map_err(|_| wrong()),
        (elem, text) => text.parse().map(|value| Datum::from_f64(value, elem)).map_err(|_| wrong()),
    }
}

/// The extents `4x5` gives for the dimensions the type leaves open.
fn shape(text: &str, ctx: &Context, ty: Type) -> Result<Vec<usize>, String> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let given: Option<Vec<usize>> = text.split('x').map(|part| part.parse().ok()).collect();
    let given = given.ok_or_else(|| format!("`{text}` is no shape; write random:4x5"))?;
    let Some((dims, _)) = ty.shaped(ctx) else { return Err("the type has no shape".to_owned()) };
    let fits = |(&dim, &extent): (&i64, &usize)| {
        dim == segra_ir::types::DYNAMIC || usize::try_from(dim) == Ok(extent)
    };
    if dims.len() != given.len() || !dims.iter().zip(&given).all(fits) {
        return Err(format!("shape {text} does not fit type {}", segra_ir::text::print_type(ctx, ty)));
    }
    Ok(dims.iter().zip(given).filter(|row| *row.0 == segra_ir::types::DYNAMIC).map(|row| row.1).collect())
}
