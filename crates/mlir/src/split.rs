//! Kernels of one module compiled by several threads, each in an upstream context of its own.
//!
//! Each thread compiles a run of neighbouring kernels of about the same work; `join` makes one text of theirs. A
//! thread reads only the text of its kernels, with empty lines for the others, where lines show which these are ([`Kernels`]);
//! else it reads the whole module and takes the others out.
//!
//! Legality: one `gpu.module` of kernels and global variables alone, without libraries to link. So no kernel's code
//! depends on another kernel: nothing is inlined but what upstream itself brings along, for each kernel anew. A module of
//! another form, one that is refused, and one about which upstream has something to say, is compiled by one thread,
//! which is what decides how a refusal reads.
//!
//! Invariant: the output is that of one thread, byte for byte.

use std::ops::Range;
use std::thread;

use melior::IrRewriter;
use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, Module, RegionLike};

use crate::compile::lower;
use crate::join;
use crate::session::{Session, collect_ops, op_name, top_level};
use segra_worker::{ErrorCode, MlirError, Output, Stage, Target, Unit};

/// Threads at most: each reads the whole module, and has a few kernels at least.
const MOST_THREADS: usize = 16;

/// Work of a kernel beside that of its text, in bytes of text (measured where kernels have 4 to 70 kB): passes have a cost for each
/// function, and short loops are unrolled.
const BYTES_PER_KERNEL: usize = 2000;

/// As much as the first thread of a process has, where LLVM is used to run.
const STACK_BYTES: usize = 8 << 20;

/// Which part of a module's kernels a thread compiles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    pub(crate) index: usize,
    pub(crate) of: usize,
}

impl Share {
    /// All of them.
    const ALL: Share = Share { index: 0, of: 1 };

    /// Whether it has the kernel in whose middle there is this much of all.
    fn has(self, middle: usize, total: usize) -> bool {
        middle * self.of / total.max(1) == self.index
    }
}

/// Which lines of a module's text are kernels: those from `"gpu.func"() ...` to `}) {gpu.kernel ...`, as Segra writes them.
pub(crate) struct Kernels<'t> {
    text: &'t str,
    /// Their bytes, one kernel after the other.
    places: Vec<Range<usize>>,
}

impl<'t> Kernels<'t> {
    /// `None` where kernels may be written otherwise: those that are found are not as many as are named.
    pub(crate) fn of(text: &'t str, named: usize) -> Option<Kernels<'t>> {
        let (mut places, mut first, mut at) = (Vec::new(), None, 0);
        for line in text.split_inclusive('\n') {
            let end = at + line.len();
            let code = line.trim_start();
            if code.starts_with("\"gpu.func\"()") {
                if first.replace(at).is_some() {
                    return None;
                }
            } else if code.starts_with("}) {gpu.kernel") {
                places.push(first.take()?..end);
            }
            at = end;
        }
        let all = first.is_none() && places.len() == named;
        all.then_some(Kernels { text, places })
    }

    /// The module with the kernels of a share alone, each in the lines where it was.
    pub(crate) fn of_share(&self, share: Share) -> String {
        let work = |place: &Range<usize>| place.len() + BYTES_PER_KERNEL;
        let total = self.places.iter().map(work).sum();
        let (mut text, mut at, mut before) = (String::new(), 0, 0);
        for place in &self.places {
            text += &self.text[at..place.start];
            let kernel = &self.text[place.clone()];
            if share.has(before + work(place) / 2, total) {
                text += kernel;
            } else {
                text.extend(kernel.matches('\n'));
            }
            (at, before) = (place.end, before + work(place));
        }
        text + &self.text[at..]
    }
}

/// The output for all kernels; `None` where one thread has to compile them.
pub(crate) fn compile(
    module_text: &str,
    target: &Target,
    stage: Stage,
    threads: usize,
) -> Option<Output> {
    // Kernels, and maybe names that look like one: the number decides about time only.
    let kernels = module_text.matches("gpu.func").count();
    let of = threads.min(MOST_THREADS).min(kernels);
    if of < 2 || stage != Stage::Ptx || target.libdevice.is_some() {
        return None;
    }
    let kernels = Kernels::of(module_text, kernels);
    let part = |share: Share| match &kernels {
        Some(kernels) => lower(&kernels.of_share(share), target, stage, Some(Share::ALL)),
        None => lower(module_text, target, stage, Some(share)),
    };
    let part = &part;
    let parts = thread::scope(|scope| {
        let start = |index| {
            let part = move || part(Share { index, of });
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            builder.spawn_scoped(scope, part).ok()
        };
        let threads: Vec<_> = (0..of).map(start).collect();
        // Each is waited for, so that the first one that fails leaves nothing behind.
        let parts: Vec<_> = threads
            .into_iter()
            .map(|it| it?.join().ok()?.ok())
            .collect();
        parts.into_iter().collect::<Option<Vec<Output>>>()
    })?;
    if parts.iter().any(|part| !part.diagnostics.is_empty()) {
        return None;
    }
    let name = parts
        .iter()
        .flat_map(|part| &part.units)
        .next()?
        .name
        .clone();
    let texts: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
    let text = join::join(&texts)?;
    let units = vec![Unit {
        name,
        text: text.clone(),
    }];
    Some(Output {
        text,
        units,
        diagnostics: Vec::new(),
    })
}

/// Takes the kernels of other threads out of a module; says whether any is left.
///
/// # Errors
/// The kernels of the module depend on each other, or may.
pub(crate) fn keep<'c>(
    session: &'c Session,
    module: &Module<'c>,
    share: Share,
) -> Result<bool, MlirError> {
    let refused = |what: &str| MlirError::new(ErrorCode::Unsupported, what);
    let [gpu_module] = top_level(module, "gpu.module")[..] else {
        return Err(refused("kernels of several modules"));
    };
    let body = gpu_module.region(0).ok();
    let body = body.and_then(|region| region.first_block());
    let mut next = body.and_then(|block| block.first_operation());
    let (mut kernels, mut total) = (Vec::new(), 0);
    while let Some(op) = next {
        next = op.next_in_block();
        match op_name(op).as_str() {
            "gpu.func" if op.has_attribute("gpu.kernel") => {
                let ops = collect_ops(op).len();
                kernels.push((op, total + ops / 2));
                total += ops;
            }
            // A variable that LLVM sees all uses of is the kernel's where only one uses it.
            "memref.global"
                if !op.has_attribute("sym_visibility") && !op.has_attribute("initial_value") => {}
            other => return Err(refused(other)),
        }
    }
    let mut kept = false;
    let rewriter = IrRewriter::new(&session.context);
    for (op, middle) in kernels {
        match share.has(middle, total) {
            true => kept = true,
            false => rewriter.as_rewriter_base().erase_op(op),
        }
    }
    Ok(kept)
}
