//! `segra locality`: what each order of a program's points fetches, by the simulator's caches or by one cache that tasks use one
//! after the other, beside the closed forms of column-based iteration; tables, and a diagram of address against time.
//!
//! * `replayed`: compiles a program in an order and runs it on the simulator, which records accesses.
//! * `analysis`: what a kernel's tasks are, and what its order should cost.
//! * `report`: tables and JSON. `draw`: the diagram. `canvas`: SVG and PNG.
//!
//! Source: Prasetya, "Column-based iteration" (2022), chapters 3 and 4.

mod analysis;
mod canvas;
mod draw;
mod replayed;
mod report;

use crate::args::Locality as Args;
use crate::report::{Error, note, shown};
use crate::{output, watch};
use segra_locality::CacheShape;
use std::str::FromStr;

/// Lines of a cache, and elements of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CacheSize {
    pub(crate) lines: u32,
    pub(crate) elements: u32,
}

impl CacheSize {
    /// The cache for elements of so many bytes.
    pub(crate) fn shape(self, element_bytes: u32) -> CacheShape {
        CacheShape::fully_associative(self.lines, self.elements.saturating_mul(element_bytes))
    }
}

impl FromStr for CacheSize {
    type Err = String;

    fn from_str(text: &str) -> Result<CacheSize, String> {
        const MOST_LINES: u32 = 1 << 16;
        const MOST_ELEMENTS: u32 = 1 << 10;
        let parts = text
            .split_once('x')
            .and_then(|(lines, elements)| Some((lines.parse().ok()?, elements.parse().ok()?)));
        match parts {
            Some((lines @ 1..=MOST_LINES, elements @ 1..=MOST_ELEMENTS))
                if u32::is_power_of_two(elements) =>
            {
                Ok(CacheSize { lines, elements })
            }
            _ => Err(format!(
                "a cache is written LINESxELEMENTS, as in 24x4: at most {MOST_LINES} lines, elements of a line a power of two, at most {MOST_ELEMENTS}"
            )),
        }
    }
}

/// Replays a program in each order and reports.
pub(crate) fn locality(args: &Args) -> Result<(), Error> {
    watch::end_after(args.time_limit, "accesses are replayed");
    let runs = replayed::all(args)?;
    let kernels = analysis::kernels(args, &runs)?;
    if args.json {
        output::print(&format!("{}\n", report::json(args, &runs, &kernels)))?;
    } else {
        output::print(&report::text(args, &runs, &kernels))?;
    }
    if args.svg.is_none() && args.png.is_none() {
        return Ok(());
    }
    let kernel = chosen(args, &kernels)?;
    let picture = draw::picture(args, &runs, kernel);
    if let Some(path) = &args.svg {
        output::write(path, canvas::svg(&picture).as_bytes())?;
        note(&format!("diagram of {}: {}", kernel.name, shown(path)));
    }
    if let Some(path) = &args.png {
        let bytes = canvas::png(&picture).map_err(Error::message)?;
        output::write(path, &bytes)?;
        note(&format!("diagram of {}: {}", kernel.name, shown(path)));
    }
    Ok(())
}

/// The kernel to draw: the one asked for, else the one with the most accesses.
fn chosen<'a>(args: &Args, kernels: &'a [analysis::Kernel]) -> Result<&'a analysis::Kernel, Error> {
    let found = match &args.kernel {
        Some(name) => kernels.iter().find(|kernel| kernel.name == *name),
        None => kernels.iter().max_by_key(|kernel| {
            let most = kernel.orders.iter().map(analysis::InOrder::accesses).max();
            (most, core::cmp::Reverse(kernel.launch))
        }),
    };
    found.ok_or_else(|| {
        let names: Vec<&str> = kernels.iter().map(|kernel| kernel.name.as_str()).collect();
        Error::message(format!(
            "no kernel `{}` was launched; there are {}",
            args.kernel.as_deref().unwrap_or_default(),
            names.join(", ")
        ))
    })
}
