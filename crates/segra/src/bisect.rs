//! Finding the wrong kernel.
//!
//! The program is brought to the kernel level and run there by the reference interpreter. Every kernel (a segmented op
//! of host code) also stands alone as a function of what it reads; whenever the interpreter has run one, that function
//! runs on the device with the very same inputs and the results are compared. So all kernels before the suspect have
//! the interpreter's results, and the first difference names the kernel that makes it, in one run of the program.
//!
//! The suspect is written out as a program of one kernel whose inputs are in the file (see [`crate::embedded`]).
//!
//! Legal: any program that `array-to-kernel` and the compiler's pipeline take. Not seen this way: faults of the host
//! plan around kernels (sizes, reuse of memory); they remain when all kernels agree and the whole program does not,
//! which is told apart as [`Verdict::Together`].

use crate::check::{Difference, Tolerance, compare};
use crate::compile::{Compiler, KERNEL_PIPELINE};
use crate::embedded;
use crate::failure::Failure;
use crate::interpret::{run, value};
use crate::program::Program;
use segra_interp::{Fault, Interpreter, Observation, Observer};
use segra_ir::clone::Mapping;
use segra_ir::{Ir, Op, Type, Value as IrValue};
use segra_runtime::{Device, Program as Loaded, Value};
use segra_std::func::{FuncOp, ReturnOp};
use segra_text::{PrintOptions, print};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

/// The kernel that computes something else on the device.
#[derive(Clone, Debug)]
pub struct Suspect {
    /// Which kernel of the run, from 1.
    pub number: usize,
    /// Its op.
    pub op: String,
    /// `file:line:column` of the source it comes from; empty where that is unknown.
    pub location: String,
    /// The problem.
    pub finding: Finding,
    /// A program that shows it: `main` without arguments given runs the kernel on the inputs it had.
    pub reproducer: String,
}

/// The problem with a kernel.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// A result differs from the interpreter's.
    Differs(Difference),
    /// The device reports an error.
    Fails(String),
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Finding::Differs(difference) => difference.fmt(f),
            Finding::Fails(message) => f.write_str(message),
        }
    }
}

/// The result of a search.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Nothing: that many kernels ran, and the whole program agrees, too.
    Agrees(usize),
    /// The first kernel that is wrong.
    Kernel(Box<Suspect>),
    /// That many kernels agree one by one, the program as a whole does not: the host plan is wrong.
    Together(usize, Finding),
}

/// Runs `entry` kernel by kernel on the device and in the interpreter.
///
/// # Errors
/// The program cannot be compiled, the arguments do not suit, or it fails in the interpreter.
pub fn bisect(
    compiler: &Compiler,
    program: &Program,
    device: &Arc<dyn Device>,
    entry: &str,
    args: &[Value],
    tolerance: Tolerance,
) -> Result<Verdict, Failure> {
    let kernels = compiler.lower(program.clone(), KERNEL_PIPELINE, None)?.ir;
    let pieces = Pieces::of(&kernels);
    let loaded = load(compiler, pieces.alone(compiler, &kernels)?, device)?;
    let duel = Duel {
        ir: &kernels,
        loaded: loaded.as_ref(),
        pieces: &pieces,
        tolerance,
        ran: Cell::new(0),
        found: RefCell::new(None),
    };
    let interpreter = Interpreter::new(&kernels).with_observer(&duel);
    let Some(function) = interpreter.entry(entry) else {
        return Err(Failure::new(
            kernels.context(),
            format!("there is no function @{entry}"),
        ));
    };
    let outcome = run(&interpreter, function, args);
    let ran = duel.ran.get();
    if let Some((piece, inputs, finding)) = duel.found.take() {
        return Ok(Verdict::Kernel(Box::new(suspect(
            compiler,
            &kernels,
            pieces.ops[piece],
            ran,
            &inputs,
            finding,
        )?)));
    }
    let expected = outcome.map_err(|why| why.into_failure(&kernels))?;
    let whole = load(compiler, program.clone(), device)?;
    let finding = whole.and_then(|whole| compare_run(&whole, entry, args, &expected, tolerance));
    Ok(finding.map_or(Verdict::Agrees(ran), |finding| {
        Verdict::Together(ran, finding)
    }))
}

/// Compiles and loads; `None` for a program without functions to run.
fn load(
    compiler: &Compiler,
    program: Program,
    device: &Arc<dyn Device>,
) -> Result<Option<Loaded>, Failure> {
    let context = program.ir().context();
    if program.signatures().iter().next().is_none() {
        return Ok(None);
    }
    let artifact = compiler.compile(program)?.artifact;
    let loaded = Loaded::load(artifact, device.clone());
    loaded
        .map(Some)
        .map_err(|error| Failure::new(context, format!("the program cannot be loaded: {error}")))
}

fn compare_run(
    loaded: &Loaded,
    entry: &str,
    args: &[Value],
    expected: &[Value],
    tolerance: Tolerance,
) -> Option<Finding> {
    match loaded.entry(entry).and_then(|entry| entry.run(args)) {
        Ok(found) => compare(&found, expected, tolerance).map(Finding::Differs),
        Err(error) => Some(Finding::Fails(error.to_string())),
    }
}

/// The kernels of a program at the kernel level.
struct Pieces {
    ops: Vec<Op>,
    positions: HashMap<Op, usize>,
}

impl Pieces {
    /// Segmented ops that are not inside another one.
    fn of(ir: &Ir) -> Pieces {
        let is_kernel =
            |op: Op| ir.op_name_str(op).starts_with("kernel.") && !ir.regions(op).is_empty();
        let mut ops = Vec::new();
        let mut pending = vec![ir.root()];
        while let Some(op) = pending.pop() {
            if is_kernel(op) {
                ops.push(op);
                continue;
            }
            let start = pending.len();
            for &region in ir.regions(op) {
                pending.extend(ir.blocks(region).flat_map(|block| ir.ops(block)));
            }
            pending[start..].reverse();
        }
        let positions = ops
            .iter()
            .enumerate()
            .map(|(piece, &op)| (op, piece))
            .collect();
        Pieces { ops, positions }
    }

    fn position(&self, op: Op) -> Option<usize> {
        self.positions.get(&op).copied()
    }

    fn name(piece: usize) -> String {
        format!("kernel_{piece}")
    }

    /// A program with one function for each kernel.
    fn alone(&self, compiler: &Compiler, kernels: &Ir) -> Result<Program, Failure> {
        let mut ir = kernels.clone();
        let old = functions(&ir);
        for (piece, &op) in self.ops.iter().enumerate() {
            define(&mut ir, op, &Pieces::name(piece));
        }
        hide(&mut ir, &old);
        reachable(compiler, ir)
    }
}

/// The program without functions that nothing public needs.
fn reachable(compiler: &Compiler, ir: Ir) -> Result<Program, Failure> {
    Program::from_ir(
        compiler
            .lower(Program::from_ir(ir)?, "symbol-dce", None)?
            .ir,
    )
}

fn functions(ir: &Ir) -> Vec<Op> {
    let body = ir
        .regions(ir.root())
        .first()
        .and_then(|&region| ir.entry_block(region));
    body.into_iter()
        .flat_map(|block| ir.ops(block))
        .filter(|&op| ir.isa::<FuncOp>(op))
        .collect()
}

/// Makes functions private: what kernels call stays, the rest has no entry.
fn hide(ir: &mut Ir, functions: &[Op]) {
    let private = ir.ctx().str_attr("private");
    for &function in functions {
        ir.set_attr_named(function, "sym_visibility", Some(private));
    }
}

/// A function at the end of the module that computes a kernel's results from what the kernel reads.
fn define(ir: &mut Ir, op: Op, name: &str) -> Option<FuncOp> {
    let root = ir.root();
    let body = ir
        .regions(root)
        .first()
        .and_then(|&region| ir.entry_block(region))?;
    let free = ir.free_values(op);
    let inputs: Vec<Type> = free.iter().map(|&value| ir.value_type(value)).collect();
    let results: Vec<Type> = ir.results(op).map(|value| ir.value_type(value)).collect();
    let names: Vec<_> = free.iter().map(|&value| ir.value_name(value)).collect();
    let loc = ir.loc(op);
    let mut builder = segra_ir::Builder::at_end(ir, body, loc);
    let function = FuncOp::define(
        &mut builder,
        name,
        &inputs,
        &results,
        |b, args: &[IrValue]| {
            let mut mapping = Mapping::new();
            mapping.map_all(&free, args);
            let copy = b.clone_op(op, &mut mapping);
            let values: Vec<IrValue> = b.ir.results(copy).collect();
            ReturnOp::build(b, &values);
        },
    );
    let args: Vec<IrValue> = function
        .entry(ir)
        .map(|block| ir.block_args(block).to_vec())
        .unwrap_or_default();
    for (arg, name) in args.into_iter().zip(names) {
        if let Some(name) = name {
            ir.set_value_name(arg, name);
        }
    }
    Some(function)
}

/// Runs each kernel on the device after the interpreter has.
struct Duel<'a> {
    ir: &'a Ir,
    loaded: Option<&'a Loaded>,
    pieces: &'a Pieces,
    tolerance: Tolerance,
    ran: Cell<usize>,
    /// The piece that differs, its inputs and how.
    found: RefCell<Option<(usize, Vec<Value>, Finding)>>,
}

impl Observer for Duel<'_> {
    fn wants(&self, _: &Ir, op: Op) -> bool {
        self.pieces.position(op).is_some()
    }

    fn observe(&self, seen: Observation) -> Result<(), Fault> {
        let Some((piece, loaded)) = self.pieces.position(seen.op).zip(self.loaded) else {
            return Ok(());
        };
        self.ran.set(self.ran.get() + 1);
        let ir = self.ir;
        let outside = |data: &[segra_interp::Datum], values: Vec<IrValue>| {
            let pairs = data.iter().zip(values);
            let values = pairs.map(|(datum, of)| value(ir.ctx(), datum, ir.value_type(of)));
            values.collect::<Option<Vec<Value>>>()
        };
        let inputs = outside(&seen.inputs, ir.free_values(seen.op));
        let results = outside(&seen.results, ir.results(seen.op).collect());
        let (Some(inputs), Some(expected)) = (inputs, results) else {
            return Err(Fault::new(
                "reads or computes something that has no form outside the program",
            ));
        };
        match compare_run(
            loaded,
            &Pieces::name(piece),
            &inputs,
            &expected,
            self.tolerance,
        ) {
            None => Ok(()),
            Some(finding) => {
                self.found.replace(Some((piece, inputs, finding)));
                Err(Fault::new("computes something else on the device"))
            }
        }
    }
}

fn suspect(
    compiler: &Compiler,
    kernels: &Ir,
    op: Op,
    number: usize,
    inputs: &[Value],
    finding: Finding,
) -> Result<Suspect, Failure> {
    let ctx = kernels.context();
    let place = segra_ir::Diagnostic::new(segra_ir::Severity::Error, kernels.loc(op), "")
        .fields(&ctx)
        .place;
    let location = place.map_or_else(String::new, |place| {
        format!("{}:{}:{}", place.file, place.line, place.column)
    });
    let mut ir = kernels.clone();
    let old = functions(&ir);
    let main = old.iter().copied().find(|&op| {
        segra_ir::interfaces::symbol_name(&ir, op).is_some_and(|name| ctx.str(name) == "main")
    });
    let rest: Vec<Op> = old.into_iter().filter(|&op| Some(op) != main).collect();
    hide(&mut ir, &rest);
    if let Some(function) = define(&mut ir, op, "main") {
        embedded::attach(&mut ir, function, inputs);
    }
    if let Some(main) = main {
        // Nothing that kernels call calls the entry point: they are not recursive.
        ir.erase_op(main);
    }
    let reproducer = Reproducer {
        number,
        location: &location,
        finding: &finding,
    };
    let program = reachable(compiler, ir)?;
    let text = reproducer.text(&print(
        program.ir(),
        program.ir().root(),
        &PrintOptions::default(),
    ));
    Ok(Suspect {
        number,
        op: kernels.op_name_str(op).to_owned(),
        location,
        finding,
        reproducer: text,
    })
}

/// The text of a file that shows a wrong kernel.
struct Reproducer<'a> {
    number: usize,
    location: &'a str,
    finding: &'a Finding,
}

impl Reproducer<'_> {
    fn text(&self, module: &str) -> String {
        let from = if self.location.is_empty() {
            "an unknown place"
        } else {
            self.location
        };
        let mut text = format!(
            "// Kernel {} of a run, from {from}, with the inputs it had.\n",
            self.number
        );
        for line in self.finding.to_string().lines() {
            text += &format!("// {line}\n");
        }
        text += "// Shown by: segra run THIS-FILE --check\n";
        text + module
    }
}
