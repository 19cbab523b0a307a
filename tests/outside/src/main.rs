//! `fixed-opt`: Segra's opt driver with one more dialect and one more pass.

use segra_pass::PassEntry;
use std::process::ExitCode;

fn main() -> ExitCode {
    let passes = vec![PassEntry::of::<fixed::lower::FixedToArith>()];
    segra_opt::Tool::segra().named("fixed-opt").with_dialect(fixed::dialect).with_passes(passes).main()
}
