//! `segra-ptx`: the worker program that turns upstream MLIR into PTX; the only program that links LLVM.
//!
//! The crate `segra-worker` starts it, and says what goes in and what comes out. Nothing else may depend on this package:
//! it has no library.
//!
//! # The way down
//! `serve` answers requests. For each, `compile` goes the whole way: `session` parses, `gate` refuses what would
//! abort, `abi`, `copies`, `fragments`, `math`, `order`, `short`, `swap` and `total` rewrite kernels, copies and products that the chip has not, math ops,
//! ordered accesses, short loops, atomic updates and what LLVM leaves undefined, `pipeline` runs upstream's passes, `ptx` takes the text out and refuses unresolved calls.
//! `split` does so by several threads, each with kernels of its own, and `join` makes one text of theirs.
//!
//! # Invariants
//! - The same text and target give the same PTX, byte for byte: fresh, single-threaded contexts for each request, and the
//!   same numbers of labels whatever the number of threads.
//! - A refusal is an `MlirError` with every diagnostic and its location. LLVM itself aborts the process on an
//!   instruction it cannot select: `gate` lists what is known to be safe, and the client outlives the rest.
//!
//! # Cost
//! All of MLIR and LLVM is linked from archives, into 240 MB, in 2 s by `lld`: with Debian's shared libraries, each start looked up
//! 47,000 symbols and took 24 ms more, of the 162 that a matrix product of known sizes takes on one core.

mod abi;
mod apart;
mod bulk;
mod compile;
mod copies;
mod fragments;
mod gate;
mod hint;
mod join;
mod libdevice;
mod math;
mod order;
mod pipeline;
mod places;
mod pointer;
mod ptx;
mod serve;
mod session;
mod short;
mod split;
mod swap;
mod targets;
#[cfg(test)]
mod tests;
mod tf32;
mod total;
mod warpgroup;

use segra_worker::protocol;
use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let done = match arguments.as_slice() {
        [only] if only == protocol::SERVE => {
            serve::serve(&mut io::stdin().lock(), &mut io::stdout().lock())
        }
        [only] if only == "--version" => writeln!(io::stdout(), "{}", protocol::greeting()),
        _ => {
            let usage = "segra-ptx makes PTX for programs that use Segra, which start it; see also --version";
            // Standard error is the only one to tell.
            let _ = writeln!(io::stderr(), "{usage}");
            return ExitCode::from(2);
        }
    };
    // A worker that cannot talk to its client can only tell by how it ends.
    if done.is_ok() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
