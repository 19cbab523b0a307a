//! The binary `segra-opt`: the driver of the library with every dialect and pass of Segra.

use std::process::ExitCode;

fn main() -> ExitCode {
    segra_opt::Tool::segra().main()
}
