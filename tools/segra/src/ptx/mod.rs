//! `segra ptx`: a kernel in PTX, of whatever compiler, on the simulator; a sanitizer and a profiler without a GPU.
//!
//! * `params`: arguments of the kernel from the command line. `report`: results, counters and findings, as text and JSON.
//!   `ci`: findings for machines, as JUnit and SARIF.
//!
//! A launch that finds a fault or that the checkers complain about ends with exit code 1; whatever it computed,
//! counted and printed until then is written all the same.

mod ci;
mod params;
mod report;

use crate::args::{CheckLevel, Ptx};
use crate::report::{Error, shown};
use crate::{output, profile};
use params::Buffers;
use segra_ptx::{
    Checks, Finding, Kernel, LaunchConfig, LaunchStats, Module, Options, ProfileOptions, Sample,
    launch,
};
use std::io::Read;
use std::path::Path;

/// The results of a launch.
pub(super) struct Ran {
    pub(super) stats: LaunchStats,
    /// The findings of the checkers, and the fault that stopped the launch, last.
    pub(super) findings: Vec<Finding>,
    /// The last finding stopped it.
    pub(super) stopped: bool,
}

/// Runs a kernel.
pub(crate) fn ptx(args: &Ptx) -> Result<(), Error> {
    let text = read(&args.file)?;
    let module = Module::parse(&text).map_err(|errors| unreadable(&args.file, &errors))?;
    let kernel = choose(&module, &args.file, args.entry.as_deref())?;
    let buffers = Buffers::of(kernel, &args.params, args.seed)?;
    let config = LaunchConfig {
        grid: args.grid.0,
        block: args.block.0,
        dynamic_shared: args.shared,
    };
    let block = kernel
        .parameter_block(&buffers.arguments)
        .map_err(|error| Error::message(error.to_string()))?;
    let ran = run(&module, kernel, &config, &block, &buffers, &options(args)?);
    let (files, mut reported) = match report::results(args, &buffers) {
        Ok(files) => (files, Ok(())),
        Err(error) => (Vec::new(), Err(error)),
    };
    // Every report is written that can be; the first that cannot is the error.
    let mut also = |result: Result<(), Error>| {
        if reported.is_ok() {
            reported = result;
        }
    };
    if let Some(path) = &args.junit {
        also(output::write(
            path,
            ci::junit(&args.file, kernel, &ran).as_bytes(),
        ));
    }
    if let Some(path) = &args.sarif {
        also(output::write(path, ci::sarif(&args.file, &ran).as_bytes()));
    }
    also(if args.json {
        output::print(&format!(
            "{}\n",
            report::json(args, kernel, &ran, &buffers, &files)
        ))
    } else {
        report::text(args, &ran, &buffers, &files)
    });
    reported?;
    match ran.findings.len() {
        0 => Ok(()),
        count => Err(Error::message(format!(
            "kernel `{}`: {count} finding{}",
            kernel.name(),
            if count == 1 { "" } else { "s" }
        ))),
    }
}

fn run(
    module: &Module,
    kernel: &Kernel,
    config: &LaunchConfig,
    block: &[u8],
    buffers: &Buffers,
    options: &Options,
) -> Ran {
    match launch(
        module,
        kernel.name(),
        config,
        block,
        &buffers.memory,
        options,
    ) {
        Ok(mut stats) => Ran {
            findings: core::mem::take(&mut stats.findings),
            stats,
            stopped: false,
        },
        Err(fault) => Ran {
            findings: fault.findings().collect(),
            stats: fault.stats().clone(),
            stopped: true,
        },
    }
}

fn options(args: &Ptx) -> Result<Options, Error> {
    let profile = match &args.profile {
        Some(name) => Some(ProfileOptions {
            machine: profile::machine(name)?,
            registers: args.registers,
            sample: Sample::All,
            trace: None,
        }),
        None => None,
    };
    let checks = match args.checks {
        CheckLevel::All => Checks {
            max_findings: args.max_findings,
            ..Checks::ALL
        },
        CheckLevel::Faults => Checks::FAULTS,
    };
    let defaults = Options::default();
    let instruction_limit = args.limit.or(defaults.instruction_limit);
    Ok(Options {
        threads: args.threads.map(|n| n as usize),
        instruction_limit,
        checks,
        profile,
        ..defaults
    })
}

/// Reads a file of text; `-` is standard input.
fn read(path: &Path) -> Result<String, Error> {
    let mut bytes = Vec::new();
    let result = if path == Path::new("-") {
        std::io::stdin().lock().read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|mut file| file.read_to_end(&mut bytes))
    };
    result.map_err(|error| Error::file("read", path, error))?;
    if bytes.is_empty() {
        return Err(Error::message(format!("{} is empty", shown(path))));
    }
    let text = String::from_utf8(bytes).map(|text| match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    });
    text.map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Error::message(format!(
            "{} is not PTX text: byte {at} is not UTF-8",
            shown(path)
        ))
    })
}

fn unreadable(path: &Path, errors: &[segra_ptx::ParseError]) -> Error {
    const SHOWN: usize = 10;
    let mut lines: Vec<String> = errors
        .iter()
        .take(SHOWN)
        .map(|error| {
            let at = format!("{}:{}: {}", shown(path), error.line, error.kind);
            // Where the file ends there is no text.
            match error.text.is_empty() {
                true => at,
                false => format!("{at}: `{}`", error.text),
            }
        })
        .collect();
    if errors.len() > SHOWN {
        lines.push(format!("and {} more", errors.len() - SHOWN));
    }
    Error::message(format!("this PTX cannot be run\n{}", lines.join("\n")))
}

fn choose<'m>(module: &'m Module, file: &Path, name: Option<&str>) -> Result<&'m Kernel, Error> {
    let names = || {
        module
            .kernels()
            .iter()
            .map(Kernel::name)
            .collect::<Vec<_>>()
            .join(", ")
    };
    match (name, module.kernels()) {
        (_, []) => Err(Error::message(format!(
            "{} has no kernel (`.entry`)",
            shown(file)
        ))),
        (Some(name), _) => module.kernel(name).ok_or_else(|| {
            Error::message(format!(
                "there is no kernel `{name}`; there are: {}",
                names()
            ))
        }),
        (None, [only]) => Ok(only),
        (None, _) => Err(Error::message(format!(
            "there are several kernels; choose one by --entry: {}",
            names()
        ))),
    }
}
