//! The reader: no panic, no hang, and no more memory than it states for the length of the input.
#![no_main]

use libfuzzer_sys::fuzz_target;
use segra_fuzz::{Counting, context, measure, read};
use segra_text::{MEMORY_AT_LEAST, MEMORY_PER_BYTE};

#[global_allocator]
static COUNTING: Counting = Counting;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let ctx = context();
    let (_parsed, most) = measure(|| read(&ctx, text));
    let allowed = MEMORY_AT_LEAST + MEMORY_PER_BYTE * text.len();
    assert!(most <= allowed, "{most} bytes for an input of {}: {allowed} are allowed", text.len());
});
