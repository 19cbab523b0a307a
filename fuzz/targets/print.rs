//! The printer: what it writes reads back, and is written the same again, in both forms.
#![no_main]

use libfuzzer_sys::fuzz_target;
use segra_fuzz::{context, read};
use segra_text::printer::{Form, Locations};
use segra_text::{PrintOptions, print};
use segra_ir::verify::{VerifyOptions, verify_op};
use segra_ir::Diagnostics;
use segra_ir::verify::Unregistered;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let ctx = context();
    let parsed = read(&ctx, text);
    if parsed.diags.has_errors() {
        return;
    }
    let mut diags = Diagnostics::new();
    let options = VerifyOptions { unregistered: Unregistered::Allow };
    verify_op(&parsed.ir, parsed.ir.root(), &options, &mut diags);
    for (form, locations) in
        [(Form::Generic, Locations::Hidden), (Form::Custom, Locations::Hidden), (Form::Generic, Locations::Aliased)]
    {
        let options = PrintOptions { form, locations, ..PrintOptions::default() };
        let written = print(&parsed.ir, parsed.ir.root(), &options);
        if diags.has_errors() {
            // A program that does not verify need only be printed, for messages.
            continue;
        }
        let again = read(&context(), &written);
        let errors: Vec<_> = again.diags.iter().map(|one| one.message.as_str()).collect();
        assert!(!again.diags.has_errors(), "does not read back: {errors:?}\n{written}");
        let rewritten = print(&again.ir, again.ir.root(), &options);
        assert!(rewritten == written, "not a fixpoint:\n{written}\n{rewritten}");
    }
});
