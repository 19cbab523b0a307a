//! The verifier: no panic and no hang on whatever could be read, also where reading found mistakes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use segra_fuzz::{context, read};
use segra_ir::Diagnostics;
use segra_text::Unregistered;
use segra_ir::verify::{VerifyOptions, verify_op};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let ctx = context();
    let parsed = read(&ctx, text);
    let mut diags = Diagnostics::new();
    let options = VerifyOptions { unregistered: Unregistered::Allow };
    verify_op(&parsed.ir, parsed.ir.root(), &options, &mut diags);
});
