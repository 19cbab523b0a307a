//! Compilation: a pipeline of passes, then the exit to PTX for each target.

use crate::failure::Failure;
use crate::program::Program;
use crate::ptx;
use segra_artifact::{Artifact, Chip, ChipReach, KernelId};
use segra_emit::{kernels_text, translate};
use segra_ir::{Context, Diagnostics, Ir};
use segra_pass::print_ir::PrintStages;
use segra_pass::{PassManager, PassRegistry, PassValidator, Pipeline, PipelineItem, VerifyEach};
use segra_runtime::KnownInputs;
use segra_schedule::tile::TileShape;
use segra_text::{PrintOptions, print};
use segra_worker::Starting;
use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

/// The pipeline from array programs to the device level.
pub const DEFAULT_PIPELINE: &str = "array-to-gpu";
/// The part of it that stops at the kernel level.
pub const KERNEL_PIPELINE: &str = "array-to-kernel";

/// The default pipeline without the checks of indices that the program gives: it promises that all are in range.
pub fn unchecked_pipeline() -> String {
    let vectorize = "func.func(vectorize{checks=off})";
    default_pipeline_with("lower-to-gpu", "lower-to-gpu{checks=off}")
        .replace("func.func(vectorize)", vectorize)
}

/// The pipeline of a program in one version, whose kernels [`CompileOptions::mapping_strategy`] lays out. Nothing is tiled or
/// given to rows of thread blocks before, stencils neither: points of a tile have an order of their own.
pub fn one_version_pipeline(checks: bool) -> String {
    use segra_pipeline::named::{ARRAY_TO_KERNEL_ONE, KERNEL_TO_GPU};
    let (vectorize, lower) = match checks {
        true => ("func.func(vectorize)", "lower-to-gpu"),
        false => (
            "func.func(vectorize{checks=off})",
            "lower-to-gpu{checks=off}",
        ),
    };
    let steps = KERNEL_TO_GPU.steps.iter().map(|&step| match step {
        "lower-to-gpu" => lower,
        "func.func(vectorize)" => vectorize,
        "schedule-stencils" => "schedule-stencils{tiles=false}",
        step => step,
    });
    let steps: Vec<&str> = core::iter::once(ARRAY_TO_KERNEL_ONE.name)
        .chain(steps)
        .collect();
    steps.join(",")
}

/// The default pipeline with one of its passes written as `text`: with options, or with other passes around it.
pub fn default_pipeline_with(pass: &str, text: &str) -> String {
    use segra_pipeline::named::{ARRAY_TO_GPU, KERNEL_TO_GPU};
    let steps = ARRAY_TO_GPU.steps.iter().flat_map(|step| match *step {
        name if name == KERNEL_TO_GPU.name => KERNEL_TO_GPU.steps,
        _ => std::slice::from_ref(step),
    });
    steps
        .map(|&step| if step == pass { text } else { step })
        .collect::<Vec<_>>()
        .join(",")
}

/// The rest of the message of a run that would launch a kernel without PTX.
const LEFT_OUT: &str =
    "was left out: the program was compiled for runs with other sizes, scalars or thresholds";

/// The producer that artifacts name.
const PRODUCER: &str = concat!("segra ", env!("CARGO_PKG_VERSION"));

/// Turing, Ampere and Hopper: PTX for these runs on everything since.
pub fn default_targets() -> Vec<Chip> {
    vec![Chip::sm(7, 5), Chip::sm(8, 0), Chip::sm(9, 0)]
}

/// The chip whose warpgroups multiply matrices where they lie in shared memory. Where it is the only target, they do.
const WARPGROUPS: Chip = Chip {
    major: 9,
    minor: 0,
    reach: ChipReach::Exact,
};

/// Whether math functions come from CUDA's device library, `libdevice.10.bc`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Libdevice {
    /// No: all are Segra's own, whatever is installed, so a program is the same PTX everywhere.
    #[default]
    None,
    /// From the library of a CUDA toolkit on this machine; Segra's own, where there is none.
    Auto,
    /// From this file.
    File(PathBuf),
}

impl Libdevice {
    /// The file to link, if any.
    pub fn path(&self) -> Option<PathBuf> {
        match self {
            Libdevice::None => None,
            Libdevice::Auto => segra_worker::find_libdevice(),
            Libdevice::File(path) => Some(path.clone()),
        }
    }
}

impl FromStr for Libdevice {
    type Err = std::convert::Infallible;
    /// `none`, `auto`, or the path of a file.
    fn from_str(text: &str) -> Result<Libdevice, Self::Err> {
        Ok(match text {
            "none" => Libdevice::None,
            "auto" => Libdevice::Auto,
            path => Libdevice::File(PathBuf::from(path)),
        })
    }
}

/// How to compile.
#[derive(Clone, Debug)]
pub struct CompileOptions {
    /// Chips to make PTX for; at least one. Where sm_90a is the only one, warpgroups multiply f16 and bf16.
    pub targets: Vec<Chip>,
    /// The compute capability of the one device that the program is to run on, which spares making PTX that it does not
    /// load: it is made for the newest target that runs there. The kernels are still those for all targets.
    pub device: Option<(u32, u32)>,
    /// The passes, as text: names of passes or pipelines with options, as in
    /// `array-to-kernel,lower-to-gpu{block-size=128}` or `builtin.module(...)`.
    pub pipeline: String,
    /// Facts about the inputs of all runs. PTX is made only of the kernels that such runs may launch, and a run that would
    /// launch another one ends with an error that says so.
    pub inputs: Option<KnownInputs>,
    /// Where math functions come from. With a library, the pass `expand-math` of the pipeline leaves what that has, unless
    /// the pipeline's text gives the pass the option `functions`.
    pub libdevice: Libdevice,
    /// The strategy that maps spaces of kernels to thread blocks and threads, as `choose-mapping` takes it, where the
    /// pipeline's text gives that pass no `strategy`; none: the pass's own.
    pub mapping_strategy: Option<String>,
    /// Whether tensor cores may make sums of products of `f32`, each factor rounded to 11 bits (`tf32`), where the pipeline's
    /// text does not say so itself (`use-tensor-cores{allow-tf32=false}`).
    pub allow_tf32: bool,
    /// The combination of kernels that nests over the same matrices become, where the pipeline's text gives the pass
    /// `fuse-traversals` no `combination`; none: the one that is predicted best.
    pub fusion: Option<FusionChoice>,
    /// The largest tiles of nests that share what they read, where the pipeline's text gives `tile-blocks` no `large`; none: the
    /// pass's own.
    pub tiles: Option<TileShape>,
    /// Whether every pass's result is verified.
    pub verify_each: VerifyEach,
    /// Called with the program's text after each step of a schedule, under a heading that names the step.
    pub print_schedule: Option<fn(&str)>,
}

/// A combination of kernels, as [`crate::fusion`] lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FusionChoice {
    /// Its number in the order of predicted time, from 1 on.
    pub combination: usize,
    /// The extent of symbolic sizes that times are predicted for.
    pub extent: i64,
    /// Whether combinations differ in thread blocks of maps, too.
    pub blocks: bool,
}

impl Default for CompileOptions {
    fn default() -> Self {
        CompileOptions {
            targets: default_targets(),
            device: None,
            inputs: None,
            pipeline: DEFAULT_PIPELINE.to_owned(),
            libdevice: Libdevice::None,
            mapping_strategy: None,
            allow_tf32: false,
            fusion: None,
            tiles: None,
            verify_each: VerifyEach::Yes,
            print_schedule: None,
        }
    }
}

/// A form of the program on its way down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Segmented nests on values.
    Kernel,
    /// Device functions and host code on memory.
    Gpu,
    /// The kernels as upstream MLIR reads them, in its generic form.
    Mlir,
    /// The kernels in MLIR's LLVM dialect.
    Llvm,
    /// The kernels' PTX.
    Ptx,
}

impl Stage {
    /// All of them, from top to bottom.
    pub const ALL: [Stage; 5] = [
        Stage::Kernel,
        Stage::Gpu,
        Stage::Mlir,
        Stage::Llvm,
        Stage::Ptx,
    ];
    /// Its name on command lines.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Kernel => "kernel",
            Stage::Gpu => "gpu",
            Stage::Mlir => "mlir",
            Stage::Llvm => "llvm",
            Stage::Ptx => "ptx",
        }
    }
}

impl FromStr for Stage {
    type Err = String;
    fn from_str(text: &str) -> Result<Stage, String> {
        let names = Stage::ALL.map(Stage::name).join(", ");
        Stage::ALL
            .into_iter()
            .find(|stage| stage.name() == text)
            .ok_or_else(|| format!("`{text}` is no stage; there are {names}"))
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A compiled program.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// To write to a file, or to load on a device.
    pub artifact: Artifact,
    /// The index-space mapping of each kernel of the manifest; empty where it is not recorded.
    pub mappings: Vec<String>,
    /// Decisions of passes, with reasons; remarks and warnings only.
    pub remarks: Diagnostics,
    /// The program at the device level.
    pub lowered: Ir,
}

/// A program that lacks only its PTX.
struct Plan {
    compiled: Compiled,
    /// The kernels as the worker reads them, if there are any.
    kernels: Option<String>,
}

/// Compiles programs; made once, used for many.
#[derive(Debug, Default)]
pub struct Compiler {
    options: CompileOptions,
}

impl Compiler {
    /// A compiler with these options.
    pub fn new(options: CompileOptions) -> Compiler {
        Compiler { options }
    }
    /// How it compiles.
    pub fn options(&self) -> &CompileOptions {
        &self.options
    }
    /// Compiles for all targets.
    ///
    /// # Errors
    /// A pass fails, or its result does not verify, or something has no place on the device or the host.
    pub fn compile(&self, program: Program) -> Result<Compiled, Failure> {
        self.compile_with(program, None)
    }
    /// As [`Compiler::compile`]; `validator` compares what the program computes after every pass.
    pub fn compile_with(
        &self,
        program: Program,
        validator: Option<Box<dyn PassValidator + '_>>,
    ) -> Result<Compiled, Failure> {
        let chips = self.chips();
        let workers = segra_worker::start(chips.len());
        let Plan {
            mut compiled,
            kernels,
        } = self.translate(program, validator)?;
        match kernels.filter(|_| !compiled.artifact.kernels.is_empty()) {
            Some(text) => {
                let libdevice = self.options.libdevice.path();
                let ctx = compiled.lowered.context();
                workers.wait();
                for (chip, ptx) in ptx::all(&ctx, &text, &chips, libdevice.as_deref())? {
                    compiled.artifact.add_target(chip, ptx);
                }
            }
            // A program without kernels still says what it was compiled for.
            None => chips.into_iter().for_each(|chip| {
                compiled.artifact.add_target(chip, String::new());
            }),
        }
        Ok(compiled)
    }
    /// The targets to make PTX for. Where none runs on the device, these are all, and loading says so.
    fn chips(&self) -> Vec<Chip> {
        let targets = &self.options.targets;
        let loaded = self.options.device.and_then(|(major, minor)| {
            let run_there = targets.iter().filter(|chip| chip.runs_on(major, minor));
            run_there.max()
        });
        loaded.map_or_else(|| targets.clone(), |&chip| vec![chip])
    }
    /// All but the PTX: the artifact has kernels and a host plan, and is for no target. Needs no LLVM.
    ///
    /// # Errors
    /// As [`Compiler::compile`].
    pub fn plan(&self, program: Program) -> Result<Compiled, Failure> {
        self.translate(program, None).map(|plan| plan.compiled)
    }
    fn translate(
        &self,
        program: Program,
        validator: Option<Box<dyn PassValidator + '_>>,
    ) -> Result<Plan, Failure> {
        let mut lowered = self.lower(program, &self.options.pipeline, validator)?;
        let module = lowered.ir.root();
        let mut diags = Diagnostics::new();
        let translation = translate(&lowered.ir, module, PRODUCER, &mut diags);
        let Some(translation) = translation else {
            return Err(Failure {
                context: lowered.ir.context(),
                diagnostics: diags,
            });
        };
        lowered.remarks.extend(diags);
        let (mut artifact, mut mappings) = (translation.artifact, translation.mappings);
        if let Some(inputs) = &self.options.inputs {
            let kept = inputs.kernels(&artifact);
            let kept =
                kept.map_err(|error| Failure::new(lowered.ir.context(), error.to_string()))?;
            let is_kept = |kernel: KernelId| kept.contains(&kernel);
            let mut numbers = (0..).map(KernelId::new);
            mappings.retain(|_| numbers.next().is_some_and(is_kept));
            artifact.keep_kernels(&is_kept, LEFT_OUT);
        }
        let names: BTreeSet<&str> = artifact.kernels.iter().map(|it| it.name.as_str()).collect();
        let kernels = kernels_text(&lowered.ir, module, &|name| names.contains(name));
        let kernels = kernels.filter(|_| !names.is_empty());
        let compiled = Compiled {
            artifact,
            mappings,
            remarks: lowered.remarks,
            lowered: lowered.ir,
        };
        Ok(Plan { compiled, kernels })
    }
    /// The text of one stage; below [`Stage::Mlir`] for the last target, by the worker program. The segmented nests of the
    /// default pipeline are those of [`KERNEL_PIPELINE`], before they are scheduled; of another pipeline, what its first pass
    /// to device code reads.
    ///
    /// # Errors
    /// As [`Compiler::compile`].
    pub fn emit(&self, program: Program, stage: Stage) -> Result<String, Failure> {
        let by_worker = matches!(stage, Stage::Llvm | Stage::Ptx);
        let workers = segra_worker::start(usize::from(by_worker));
        let lowered = match (stage, self.options.pipeline.as_str()) {
            (Stage::Kernel, DEFAULT_PIPELINE) => self.lower(program, KERNEL_PIPELINE, None)?,
            (Stage::Kernel, text) => {
                let mut pipeline = self.pipeline(&program.ir().context(), text)?;
                keep_nests(&mut pipeline);
                self.run(program.into_ir(), &pipeline, None)?
            }
            (Stage::Gpu, text) => self.lower(program, text, None)?,
            _ => return self.emit_kernels(program, stage, workers),
        };
        let ir = &lowered.ir;
        Ok(print(ir, ir.root(), &PrintOptions::default()))
    }
    /// The text of one stage of the kernels.
    fn emit_kernels(
        &self,
        program: Program,
        stage: Stage,
        workers: Starting,
    ) -> Result<String, Failure> {
        let (ctx, text) = match self.options.inputs {
            // Which kernels these are is in the host plan.
            Some(_) => {
                let plan = self.translate(program, None)?;
                (plan.compiled.lowered.context(), plan.kernels)
            }
            None => {
                let ir = self.lower(program, &self.options.pipeline, None)?.ir;
                (ir.context(), kernels_text(&ir, ir.root(), &|_| true))
            }
        };
        let text = text.unwrap_or_default();
        let stage = match stage {
            Stage::Llvm => segra_worker::Stage::Llvm,
            Stage::Ptx => segra_worker::Stage::Ptx,
            Stage::Kernel | Stage::Gpu | Stage::Mlir => return Ok(text),
        };
        if text.is_empty() {
            return Ok(text);
        }
        let Some(&chip) = self.options.targets.last() else {
            return Err(Failure::new(ctx, "no target is given"));
        };
        workers.wait();
        ptx::one(
            &ctx,
            &text,
            chip,
            stage,
            self.options.libdevice.path().as_deref(),
        )
    }
    /// Runs the passes alone.
    ///
    /// # Errors
    /// The pipeline's text is wrong, a pass fails, or its result does not verify.
    pub fn lower(
        &self,
        program: Program,
        pipeline: &str,
        validator: Option<Box<dyn PassValidator + '_>>,
    ) -> Result<Lowered, Failure> {
        let pipeline = self.pipeline(&program.ir().context(), pipeline)?;
        self.run(program.into_ir(), &pipeline, validator)
    }

    /// A pipeline as text.
    pub(crate) fn pipeline(&self, ctx: &Arc<Context>, text: &str) -> Result<Pipeline, Failure> {
        let fail = |message: String| Failure::new(ctx.clone(), message);
        let mut registry = segra_pipeline::registry();
        for (pass, option, value) in self.pass_options() {
            let set = registry.set_default(pass, option, &value);
            set.map_err(|error| fail(format!("pass `{pass}`: {error}")))?;
        }
        parse_pipeline(text, &registry).map_err(fail)
    }

    /// The options of passes that follow from those of the compiler: pass, option, value.
    fn pass_options(&self) -> Vec<(&'static str, &'static str, String)> {
        let yes = || "true".to_owned();
        let mut options = Vec::new();
        if self.options.libdevice.path().is_some() {
            options.push(("expand-math", "functions", "library".to_owned()));
        }
        if let Some(strategy) = &self.options.mapping_strategy {
            options.push(("choose-mapping", "strategy", strategy.clone()));
        }
        if let Some(choice) = self.options.fusion {
            let pass = "fuse-traversals";
            options.push((pass, "combination", choice.combination.to_string()));
            options.push((pass, "extent", choice.extent.to_string()));
            options.push((pass, "blocks", choice.blocks.to_string()));
            options.push(("algebra", "apart", yes()));
            options.push(("fuse", "apart", yes()));
        }
        if let Some(tiles) = self.options.tiles {
            options.push(("tile-blocks", "large", tiles.to_string()));
        }
        let targets = &self.options.targets;
        let capabilities = targets.iter().map(|chip| chip.major * 10 + chip.minor);
        let tensor_cores = "use-tensor-cores";
        if let (Some(oldest), Some(newest)) = (capabilities.clone().min(), capabilities.max()) {
            options.push((tensor_cores, "oldest", oldest.to_string()));
            options.push(("tile-blocks", "oldest", oldest.to_string()));
            options.push(("expand-tf32", "oldest", oldest.to_string()));
            options.push((tensor_cores, "newest", newest.to_string()));
            if targets.iter().all(|&chip| chip == WARPGROUPS) {
                options.push((tensor_cores, "warpgroups", yes()));
                options.push(("tile-blocks", "warpgroups", yes()));
            }
        }
        if self.options.allow_tf32 {
            options.push((tensor_cores, "allow-tf32", yes()));
            options.push(("tile-blocks", "allow-tf32", yes()));
        }
        options
    }

    /// Runs a pipeline.
    pub(crate) fn run(
        &self,
        mut ir: Ir,
        pipeline: &Pipeline,
        validator: Option<Box<dyn PassValidator + '_>>,
    ) -> Result<Lowered, Failure> {
        let mut diags = Diagnostics::new();
        let mut manager = PassManager::new(pipeline).verify_each(self.options.verify_each);
        if let Some(validator) = validator {
            manager = manager.validate(Boxed(validator));
        }
        if let Some(sink) = self.options.print_schedule {
            let text = |ir: &Ir, op| print(ir, op, &PrintOptions::default());
            manager = manager.instrument(PrintStages::new(text, sink));
        }
        match manager.run(&mut ir, &mut diags) {
            Ok(_) => Ok(Lowered { ir, remarks: diags }),
            Err(_) => Err(Failure {
                context: ir.context(),
                diagnostics: diags,
            }),
        }
    }
}

/// A program after a pipeline.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The program.
    pub ir: Ir,
    /// The diagnostics of passes.
    pub remarks: Diagnostics,
}

/// Takes the first pass from nests to device code off a pipeline, and all behind it.
fn keep_nests(pipeline: &mut Pipeline) {
    let lowers = |item: &PipelineItem| match item {
        PipelineItem::Pass(pass) => {
            let info = pass.info();
            info.reads.contains(&"kernel") && info.writes.contains(&"gpu")
        }
        PipelineItem::Nested(_) => false,
    };
    if let Some(at) = pipeline.items.iter().position(lowers) {
        pipeline.items.truncate(at);
    }
}

/// Lets a boxed validator stand where a validator is wanted.
struct Boxed<'a>(Box<dyn PassValidator + 'a>);

impl PassValidator for Boxed<'_> {
    fn before_pipeline(&mut self, ir: &Ir, root: segra_ir::Op) -> Result<(), String> {
        self.0.before_pipeline(ir, root)
    }
    fn after_pass(&mut self, pass: &str, ir: &Ir, root: segra_ir::Op) -> Result<(), String> {
        self.0.after_pass(pass, ir, root)
    }
}

/// `builtin.module(...)` as it stands, or a list of steps on the module.
fn parse_pipeline(text: &str, registry: &PassRegistry) -> Result<Pipeline, String> {
    let anchored = text.trim_start().starts_with("builtin.module(");
    let whole = if anchored {
        text.to_owned()
    } else {
        format!("builtin.module({text})")
    };
    Pipeline::parse(&whole, registry).map_err(|error| format!("the pipeline is wrong: {error}"))
}
