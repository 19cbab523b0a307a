//! The command line.

use crate::locality::CacheSize;
use crate::order::Order;
use clap::{Args as Group, Parser, Subcommand, ValueEnum, ValueHint};
use segra::{Chip, DeviceChoice, Libdevice, Stage};
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  segra run examples/axpy.mlir --input 2 --input random:8 --input random:8
                                        compile, run on a GPU or else the simulator, print the result
  segra run dot.mlir --input x.npy --input y.npy --device sim --check
                                        ... on the simulator; compare with the reference interpreter
  segra compile dot.mlir -o dot.segra   one file with PTX for sm_75, sm_80, sm_90
  segra run dot.segra --input x.npy --input y.npy --output results
                                        run it elsewhere; results/0.npy
  segra compile dot.mlir --emit ptx --target sm_90
                                        show the PTX (or kernel, gpu, mlir, llvm: the stages before)
  segra explain dot.mlir                which kernels came out, and why
  segra explain dot.mlir --rewrites     what algebra on whole arrays made of it, and what that saves
  segra bisect dot.mlir --input random:99 --input random:99
                                        which kernel computes something else than the interpreter
  segra compile matmul.mlir             matmul.segra, with all versions of each nest
  segra tune matmul.segra --data 'random:16x4096; random:4096x16' --data 'random:512x64; random:64x512'
                                        choose the versions for such sizes: matmul.segra.tuning
  segra bench matmul.segra --data 'random:256x256; random:256x256'
                                        what a run costs, with the tuning and without (--no-tuning)

  segra run bicgk.blas --input A=A.npy --input p=p.npy --input r=r.npy
                                        a script of linear algebra calls; inputs by name
  segra locality examples/matmul.mlir --input random:64x64 --input random:64x64 --order linear,column:32 --svg matmul.svg
                                        what orders of its points fetch, and a diagram of address against time
  segra ptx kernel.ptx --grid 64 --block 256 --param x.npy --param out:16384:f32 --param 16384
                                        run the PTX of any compiler with all checkers, print what it computes

Exit code: 0 done; 1 the program, an input or a file is wrong; 2 the command line is wrong; 3 --check or bisect found a difference;
130 interrupted.
SEGRA_LOG=debug logs passes and launches.";

/// Compiles array programs to GPU kernels, and runs them on a GPU or on a simulator of one.
#[derive(Debug, Parser)]
#[command(name = "segra", version, about, after_help = EXAMPLES, max_term_width = 110)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Compile a program to an artifact, or show a stage on the way.
    Compile(Compile),
    /// Run a program or an artifact.
    Run(Run),
    /// Find the first kernel whose result on a device differs from the reference interpreter's
    Bisect(Bisect),
    /// Measure what runs cost on a GPU, or estimate it on the simulator.
    Bench(Bench),
    /// Choose between the versions of a program for the data it is to run on.
    Tune(Tune),
    /// Show which kernels a program became, and why.
    Explain(Explain),
    /// List what programs can run on here.
    Devices(Devices),
    /// Show what orders of a program's points fetch through caches, and draw address against time.
    Locality(Locality),
    /// Run a kernel in PTX, of any compiler, on the simulator: check it, count, profile, without a GPU.
    Ptx(Ptx),
    /// Write a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

impl Command {
    pub(crate) fn color(&self) -> Color {
        match self {
            Command::Compile(command) => command.common.color,
            Command::Run(command) => command.common.color,
            Command::Bisect(command) => command.common.color,
            Command::Bench(command) => command.common.color,
            Command::Tune(command) => command.common.color,
            Command::Explain(command) => command.common.color,
            Command::Locality(command) => command.color,
            Command::Ptx(command) => command.color,
            Command::Devices(_) | Command::Completions { .. } => Color::Auto,
        }
    }
}

/// When messages are coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The kind of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emit {
    /// The artifact: PTX, host plan, manifest in one file.
    Artifact,
    /// The program as segmented nests on values: of another than the default pipeline, scheduled, right before device code.
    Kernel,
    /// The program as device functions and host code.
    Gpu,
    /// The kernels as upstream MLIR reads them, in its generic form.
    Mlir,
    /// The kernels in MLIR's LLVM dialect.
    Llvm,
    /// The kernels' PTX.
    Ptx,
}

impl Emit {
    /// The stage; `None` for the artifact.
    pub(crate) fn stage(self) -> Option<Stage> {
        match self {
            Emit::Artifact => None,
            Emit::Kernel => Some(Stage::Kernel),
            Emit::Gpu => Some(Stage::Gpu),
            Emit::Mlir => Some(Stage::Mlir),
            Emit::Llvm => Some(Stage::Llvm),
            Emit::Ptx => Some(Stage::Ptx),
        }
    }
}

/// The options of every subcommand that compiles.
#[derive(Clone, Debug, Group)]
pub(crate) struct Common {
    /// Chip to make PTX for, such as sm_90; repeatable [default: sm_75, sm_80, sm_90]
    #[arg(long = "target", value_name = "CHIP")]
    pub(crate) targets: Vec<Chip>,
    /// The passes: names of passes or pipelines with options, as in `array-to-kernel,lower-to-gpu{block-size=128}`
    #[arg(long, value_name = "TEXT", default_value = segra::DEFAULT_PIPELINE)]
    pub(crate) pipeline: String,
    /// How spaces of kernels are mapped to thread blocks and threads: auto, fold-all, jing, jing-ext, or a chain as
    /// `GridBlock(1, SplitLast(128, FoldLast2(ShiftLB(Gen))))` for those that it fits; --pipeline 'array-to-gpu{strategy=STRATEGY}' is the same [default: that of the pipeline]
    #[arg(long, value_name = "STRATEGY")]
    pub(crate) mapping_strategy: Option<String>,
    /// Let tensor cores make sums of products of f32, from sm_80 on: each factor is rounded to 11 bits of 24 (tf32)
    #[arg(long)]
    pub(crate) allow_tf32: bool,
    /// Print each nest that is rewritten by a schedule, on standard error after each step
    #[arg(long)]
    pub(crate) print_schedule: bool,
    /// Leave out the checks of indices that the program gives: it promises that all are in range
    #[arg(long, conflicts_with = "pipeline")]
    pub(crate) unchecked: bool,
    /// Visit the points of each kernel in this order: linear, column:WIDTH, zigzag:WIDTH or tiled:WIDTHxHEIGHT, each with @THREADS for
    /// thread blocks of so many; column alone is as wide, in blocks of as many threads, as is best for what a kernel reads. The
    /// program is then one version, without tiles in shared memory
    #[arg(long, value_name = "ORDER", conflicts_with_all = ["pipeline", "mapping_strategy"])]
    pub(crate) order: Option<Order>,
    /// CUDA's device library to link math functions from: a file, auto (that of a CUDA toolkit here, if there is one), or none
    /// (Segra's own functions)
    #[arg(long, value_name = "FILE", default_value = "none", value_hint = ValueHint::FilePath)]
    pub(crate) libdevice: Libdevice,
    /// Colour messages
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
}

/// The arguments a function is run on.
#[derive(Clone, Debug, Group)]
pub(crate) struct Arguments {
    /// The function to run [default: main, or the only one]
    #[arg(long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    /// An argument, in order or as NAME=VALUE: a .npy file, a literal such as 2.5 or [1, 2, 3], or random:4x5; repeatable
    #[arg(long = "input", value_name = "VALUE", allow_hyphen_values = true)]
    pub(crate) inputs: Vec<String>,
    /// Seed of random inputs
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// How far floats may be apart when results are compared, in units in the last place [default: 16 + 8 sqrt(n),
    /// n the largest extent of an input]
    #[arg(long, value_name = "ULPS", value_parser = tolerance)]
    pub(crate) tolerance: Option<f64>,
}

/// Which versions of a program are run.
#[derive(Clone, Debug, Group)]
pub(crate) struct Thresholds {
    /// Set a threshold between versions (`segra explain` lists them); repeatable
    #[arg(long = "threshold", value_name = "NAME=VALUE", value_parser = segra_tune::file::parse_setting)]
    pub(crate) thresholds: Vec<(String, i64)>,
    /// Take thresholds from a tuning file [default: FILE.tuning, beside the program, where there is one]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) tuning: Option<PathBuf>,
    /// Take them from no file
    #[arg(long, conflicts_with = "tuning")]
    pub(crate) no_tuning: bool,
}

/// The data a program is measured on.
#[derive(Clone, Debug, Group)]
pub(crate) struct Data {
    /// The function to run [default: main, or the only one]
    #[arg(long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    /// A data set: one input per parameter, separated by semicolons, each as `run --input` takes it; repeatable
    #[arg(
        long = "data",
        value_name = "VALUE; VALUE; ...",
        allow_hyphen_values = true
    )]
    pub(crate) data: Vec<String>,
    /// A file of data sets, one a line; # begins a comment
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) data_file: Option<PathBuf>,
    /// Seed of random inputs
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Where to run: sim, cuda, or auto (a GPU where there is one, else the simulator)
    #[arg(long, value_name = "DEVICE", default_value = "auto")]
    pub(crate) device: DeviceChoice,
    /// The GPU whose time the simulator estimates (T4, RTX-2080-Super, A100, H100, H200)
    #[arg(long, value_name = "GPU", default_value = "H100")]
    pub(crate) profile: String,
    /// Of each launch the simulator runs only so many waves of as many thread blocks as the GPU holds at once (at least 2; more
    /// while that takes little time), and takes the others to be like them: estimates in a fraction of the time, no results
    #[arg(long, value_name = "WAVES", value_parser = clap::value_parser!(u32).range(2..))]
    pub(crate) sample: Option<u32>,
}

#[derive(Clone, Debug, Group)]
pub(crate) struct Compile {
    /// The program; - for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// Where the result goes; - for standard output [default: FILE with the ending .segra; text: standard output]
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Compile the combination of kernels in a tuning file, where `segra tune --top` has put one
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) tuning: Option<PathBuf>,
    /// The output to make
    #[arg(long, value_name = "WHAT", default_value = "artifact")]
    pub(crate) emit: Emit,
    /// Leave out kernels that runs with this symbolic size do not launch, which spares making their PTX; such a run by another
    /// size ends with an error. Repeatable
    #[arg(long = "size", value_name = "NAME=VALUE", value_parser = segra_tune::file::parse_setting)]
    pub(crate) sizes: Vec<(String, i64)>,
    /// Run the program in the reference interpreter after every pass and compare what it computes
    #[arg(long)]
    pub(crate) validate_passes: bool,
    #[command(flatten)]
    pub(crate) arguments: Arguments,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Clone, Debug, Group)]
pub(crate) struct Run {
    /// A program, or an artifact made by `segra compile`
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) arguments: Arguments,
    /// Write results as DIR/0.npy, DIR/1.npy, ... (and the PTX) instead of printing them
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) thresholds: Thresholds,
    /// Where to run: sim, cuda, or auto (a GPU where there is one, else the simulator)
    #[arg(long, value_name = "DEVICE", default_value = "auto")]
    pub(crate) device: DeviceChoice,
    /// Compare the results with the reference interpreter's on the program as written
    #[arg(long)]
    pub(crate) check: bool,
    /// Run the program in the reference interpreter after every pass, too
    #[arg(long)]
    pub(crate) validate_passes: bool,
    /// End the run if it takes longer, compiling not counted
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,
    /// End the run if the host plan does more steps; loops on the host take some in each round
    #[arg(long, value_name = "N")]
    pub(crate) step_limit: Option<u64>,
    /// Where the PTX that ran is kept [default: in DIR of --output, else in a folder for temporary files]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) keep_ptx: Option<PathBuf>,
    /// On the simulator, find reads of uninitialised memory and data races: what is found fails the run. Launches that are
    /// independent run in another order than the program's
    #[arg(long)]
    pub(crate) check_memory: bool,
    /// On the simulator, count what a profiler counts on a GPU (T4, RTX-2080-Super, A100, H100, H200) and estimate time
    #[arg(long, value_name = "GPU", num_args = 0..=1, require_equals = true, default_missing_value = "H100")]
    pub(crate) profile: Option<String>,
    /// Write one JSON object instead of text
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Clone, Debug, Group)]
pub(crate) struct Bisect {
    /// The program
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) arguments: Arguments,
    /// Where the wrong kernel is written, as a program that carries its inputs [default: FILE with the ending .kernel.mlir]
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Where kernels run: sim, cuda, or auto (a GPU where there is one, else the simulator)
    #[arg(long, value_name = "DEVICE", default_value = "auto")]
    pub(crate) device: DeviceChoice,
    /// End the command if it takes longer, compiling included
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,
    /// Write one JSON object instead of text
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Clone, Debug, Group)]
pub(crate) struct Bench {
    /// A program, or an artifact made by `segra compile`
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) data: Data,
    #[command(flatten)]
    pub(crate) thresholds: Thresholds,
    /// Runs of each data set where time is measured; three will do once they have taken a second
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) runs: u32,
    /// End the command if it takes longer, compiling included
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,
    /// Write one JSON object instead of a table
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Clone, Debug, Group)]
pub(crate) struct Tune {
    /// A program, or an artifact made by `segra compile`
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) data: Data,
    /// First run the K combinations of kernels that are predicted best (`segra explain --fusion` lists them), and go on with the
    /// one that costs least, which the tuning file then names; of a program, not of an artifact
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) top: Option<u32>,
    /// Let these combinations differ in thread blocks of maps, too
    #[arg(long, requires = "top")]
    pub(crate) blocks: bool,
    /// The extent of symbolic sizes that times are predicted for [default: the largest extent of the data]
    #[arg(long, value_name = "N", requires = "top", value_parser = clap::value_parser!(i64).range(1..))]
    pub(crate) extent: Option<i64>,
    /// First run the program with its points in these orders, of those that `--order` takes linear@THREADS and
    /// column:WIDTH@THREADS, and go on with the one that costs least, which the tuning file then names, where none is as good
    #[arg(
        long,
        value_name = "ORDERS",
        value_delimiter = ',',
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "linear@256,column:32@256,column:64@256,column:64@512,column:64@1024,column:128@512,column:128@1024",
        conflicts_with_all = ["top", "pipeline", "mapping_strategy", "order"]
    )]
    pub(crate) orders: Option<Vec<Order>>,
    /// First run the program with the K shapes of its largest tiles that are predicted best, and go on with the one that costs
    /// least, which the tuning file then names, where none is as good
    #[arg(
        long,
        value_name = "K",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "8",
        value_parser = clap::value_parser!(u32).range(1..),
        conflicts_with_all = ["top", "orders", "pipeline", "order"]
    )]
    pub(crate) tiles: Option<u32>,
    /// Where the thresholds go [default: FILE.tuning, where `run` and `bench` look]
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Where runs are logged; a search that was stopped goes on from there [default: OUTPUT.log]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) log: Option<PathBuf>,
    /// Start anew, whatever the log says
    #[arg(long)]
    pub(crate) fresh: bool,
    /// End the command if it takes longer, compiling included
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,
    /// Write one JSON object instead of tables
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Clone, Debug, Group)]
pub(crate) struct Explain {
    /// The program
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// Show which rewrites of the array program were tried and taken, with its cost before and after, instead of kernels
    #[arg(long)]
    pub(crate) rewrites: bool,
    /// Show which nests may be one kernel, the kernels predicted best and what they move, instead of what is compiled
    #[arg(long, conflicts_with_all = ["rewrites", "mapping"])]
    pub(crate) fusion: bool,
    /// List thread blocks of maps, too: of how many threads, which take one point or several
    #[arg(long, requires = "fusion")]
    pub(crate) blocks: bool,
    /// The extent that a symbolic size has for predictions; repeatable
    #[arg(long = "size", value_name = "NAME=N", requires = "fusion", value_parser = segra_tune::file::parse_setting)]
    pub(crate) sizes: Vec<(String, i64)>,
    /// The extent of all others
    #[arg(long, value_name = "N", requires = "fusion", default_value_t = 4096)]
    pub(crate) extent: i64,
    /// The GPU that times are predicted for: one that figures are stored of, A100 or H100
    #[arg(long, value_name = "NAME", requires = "fusion", default_value = "H100")]
    pub(crate) gpu: String,
    /// How many combinations of kernels are listed, best first
    #[arg(long, value_name = "K", requires = "fusion", default_value_t = 5)]
    pub(crate) top: usize,
    /// Draw the kernels predicted best to a file
    #[arg(long, value_name = "FILE", requires = "fusion", value_hint = ValueHint::FilePath)]
    pub(crate) svg: Option<PathBuf>,
    /// Show which compositions of index-space combinators map the space of each kernel to thread blocks and threads, with their
    /// scores and the index code of the first, instead of kernels
    #[arg(long, conflicts_with = "rewrites")]
    pub(crate) mapping: bool,
    /// Show the nests with loops in their points, dependences between their iterations, and which schedules of tiles are tried,
    /// taken or declined and why, instead of kernels
    #[arg(long, conflicts_with_all = ["rewrites", "mapping", "fusion"])]
    pub(crate) tiling: bool,
    /// Show a table of the kernels, too: threads, shared memory, parameters, index-space mapping
    #[arg(long, conflicts_with_all = ["rewrites", "mapping", "tiling"])]
    pub(crate) kernels: bool,
    /// Show what passes decided, too
    #[arg(long, conflicts_with_all = ["rewrites", "mapping", "tiling"])]
    pub(crate) decisions: bool,
    /// Show the host plan, too
    #[arg(long, conflicts_with_all = ["rewrites", "mapping", "tiling"])]
    pub(crate) plan: bool,
    /// Write one JSON object with everything instead of text
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Clone, Debug, Group)]
pub(crate) struct Locality {
    /// The program
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) arguments: Arguments,
    /// The inputs in one text, separated by semicolons, instead of --input
    #[arg(
        long,
        value_name = "VALUE; VALUE; ...",
        allow_hyphen_values = true,
        conflicts_with = "inputs"
    )]
    pub(crate) data: Option<String>,
    /// Orders to compare, separated by commas: linear, tiled:WIDTHxHEIGHT, column:WIDTH, zigzag:WIDTH, each with @THREADS for
    /// thread blocks of so many; column is as wide as is best for what a kernel reads
    #[arg(
        long = "order",
        value_name = "ORDER,...",
        value_delimiter = ',',
        default_value = "linear,tiled:32x8,column:32"
    )]
    pub(crate) orders: Vec<Order>,
    /// The GPU whose caches are used (T4, RTX-2080-Super, A100, H100, H200)
    #[arg(long, value_name = "GPU", default_value = "H100")]
    pub(crate) profile: String,
    /// Use one cache instead, one thread after the other: so many lines of so many elements, the least recently used line goes
    /// first
    #[arg(long, value_name = "LINESxELEMENTS", conflicts_with_all = ["sample", "profile"])]
    pub(crate) cache: Option<CacheSize>,
    /// Of each launch run so many waves of as many thread blocks as the GPU holds at once, and more while that takes little
    /// time [default: 2, fewer instructions]
    #[arg(long, value_name = "WAVES", value_parser = clap::value_parser!(u32).range(2..))]
    pub(crate) sample: Option<u32>,
    /// Run all thread blocks, however many
    #[arg(long, conflicts_with = "sample")]
    pub(crate) all: bool,
    /// The kernel to draw [default: the one with the most accesses]
    #[arg(long, value_name = "NAME")]
    pub(crate) kernel: Option<String>,
    /// Draw the diagram as SVG
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) svg: Option<PathBuf>,
    /// Draw the diagram as PNG
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) png: Option<PathBuf>,
    /// Leave out the checks of indices that the program gives
    #[arg(long)]
    pub(crate) unchecked: bool,
    /// End the command if it takes longer, compiling included
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,
    /// Write one JSON object instead of tables
    #[arg(long)]
    pub(crate) json: bool,
    /// Colour messages
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
}

#[derive(Clone, Debug, Group)]
pub(crate) struct Devices {
    /// Write one JSON object instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// Extents along x, y, z.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extents(pub(crate) [u32; 3]);

/// Reads `X`, `X,Y` or `X,Y,Z`; `x` may stand for the comma.
fn extents(text: &str) -> Result<Extents, String> {
    let mut extents = [1; 3];
    let parts: Vec<&str> = text.split([',', 'x']).collect();
    if parts.len() > 3 {
        return Err("there are three dimensions at most".to_owned());
    }
    for (extent, part) in extents.iter_mut().zip(parts) {
        *extent = match part.trim().parse() {
            Ok(0) | Err(_) => return Err(format!("`{part}` is not a positive extent")),
            Ok(number) => number,
        };
    }
    Ok(Extents(extents))
}

/// Which checkers watch a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckLevel {
    /// All: races, reads of what nothing has written, parts of warps, besides faults.
    All,
    /// Only faults that a GPU would stop at, and accesses outside of buffers: several times as fast.
    Faults,
}

/// Refuses a parameter that stands alone.
fn behind_param(value: &str) -> Result<String, String> {
    Err(format!(
        "the kernel's parameters are given in order, each with --param, as in `--param {value}`"
    ))
}

#[derive(Clone, Debug, Group)]
pub(crate) struct Ptx {
    /// PTX text; - for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// Refused
    #[arg(hide = true, value_name = "VALUE", value_parser = behind_param)]
    pub(crate) bare: Vec<String>,
    /// The kernel [default: the only one]
    #[arg(long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    /// Thread blocks along x, y, z
    #[arg(long, value_name = "X,Y,Z", value_parser = extents, default_value = "1")]
    pub(crate) grid: Extents,
    /// Threads of a block along x, y, z
    #[arg(long, value_name = "X,Y,Z", value_parser = extents)]
    pub(crate) block: Extents,
    /// Bytes of dynamic shared memory
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    pub(crate) shared: u32,
    /// A parameter, in order: a buffer (x.npy, inout:x.npy, [1, 2]:i32, random:4x5:f32, zeros:4x5:f32, out:4x5:f32), a number
    /// (7, 2.5, 7:i64), or the bytes of a structure (x.npy, [1, 2]:i32); zeros, inout and out are results; repeatable
    #[arg(long = "param", value_name = "VALUE", allow_hyphen_values = true)]
    pub(crate) params: Vec<String>,
    /// Seed of random buffers
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Write results as DIR/0.npy, DIR/1.npy, ... instead of printing them
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) output: Option<PathBuf>,
    /// Which checkers watch
    #[arg(long, value_name = "LEVEL", default_value = "all")]
    pub(crate) checks: CheckLevel,
    /// Most findings that are reported; each line of the PTX counts once for each kind
    #[arg(long, value_name = "N", default_value_t = 32)]
    pub(crate) max_findings: usize,
    /// Show counters, and the opcodes that ran most often
    #[arg(long)]
    pub(crate) counters: bool,
    /// Count what a profiler counts on a GPU (T4, RTX-2080-Super, A100, H100, H200) and estimate time
    #[arg(long, value_name = "GPU", num_args = 0..=1, require_equals = true, default_missing_value = "H100")]
    pub(crate) profile: Option<String>,
    /// Registers of a thread, for the profile's occupancy (`ptxas -v` prints them) [default: no limit by registers]
    #[arg(long, value_name = "N", requires = "profile")]
    pub(crate) registers: Option<u32>,
    /// Stop a thread block that executes more warp instructions than this [default: 2^33]
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u64>,
    /// Threads of this machine to simulate on; one makes racing kernels repeatable [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) threads: Option<u32>,
    /// Write one JSON object instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// Write findings as JUnit XML
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) junit: Option<PathBuf>,
    /// Write findings as SARIF
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) sarif: Option<PathBuf>,
    /// Colour messages
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
}

/// A number of units in the last place.
fn tolerance(text: &str) -> Result<f64, String> {
    let ulps = text
        .parse()
        .ok()
        .filter(|ulps: &f64| ulps.is_finite() && *ulps >= 0.0);
    ulps.ok_or_else(|| "a tolerance is a number that is not negative".to_owned())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let time = text
        .parse()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.filter(|time| !time.is_zero())
        .ok_or_else(|| "a time is a positive number of seconds".to_owned())
}
