//! Prints a program of so many SOACs, for `benches/compile.py`: `long-program SHAPE SOACS`.

use segra_tests::long_programs::Shape;
use std::io::Write as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [shape, soacs] = args.as_slice() else {
        return ExitCode::FAILURE;
    };
    let (Some(shape), Ok(soacs)) = (Shape::named(shape), soacs.parse()) else {
        return ExitCode::FAILURE;
    };
    match std::io::stdout().write_all(shape.program(soacs).as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
