//! The reader of scripts: no panic and no hang, whatever the text; what it takes is a program that verifies.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Err(failure) = segra_blas::read("fuzz", text) {
        assert!(failure.diagnostics.has_errors() && !failure.to_string().is_empty());
    }
});
