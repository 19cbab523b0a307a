//! Support of the fuzz targets: an allocator that counts, and reading with every dialect registered.

use segra_ir::Context;
use segra_text::{ParseOptions, Parsed, parse_source};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes that are allocated now, and the most there ever were since the last [`measure`] began.
static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

/// Counts bytes.
pub struct Counting;

// SAFETY: every call is forwarded to the system's allocator as it came; the counters hand out no memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(now, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(at, layout) }
    }
}

/// The result of `work`, and the most bytes that were allocated at once meanwhile beyond those before.
pub fn measure<R>(work: impl FnOnce() -> R) -> (R, usize) {
    let before = NOW.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    let result = work();
    (result, MOST.load(Ordering::Relaxed).saturating_sub(before))
}

/// A context with every dialect.
pub fn context() -> Arc<Context> {
    let ctx = Arc::new(Context::new());
    segra_pipeline::register_all_dialects(&ctx);
    ctx
}

/// Reads a text; ops of unknown dialects are kept.
pub fn read(ctx: &Arc<Context>, text: &str) -> Parsed {
    parse_source(ctx, "fuzz", text, &ParseOptions::allowing_unregistered())
}
