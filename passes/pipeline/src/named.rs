//! Named pipelines: plain lists of steps. A comment stands where order matters.

use segra_pass::{NamedPipeline, PipelineOption};

/// All named pipelines, in alphabetic order.
pub fn pipelines() -> Vec<NamedPipeline> {
    vec![
        ARRAY_TO_FUSED,
        ARRAY_TO_GPU,
        ARRAY_TO_GPU_TILED,
        ARRAY_TO_KERNEL,
        ARRAY_TO_KERNEL_ONE,
        CLEANUP,
        KERNEL_TO_GPU,
    ]
}

/// The strategy by which spaces of kernels are mapped to thread blocks and threads.
const STRATEGY: PipelineOption = PipelineOption {
    pass: "choose-mapping",
    name: "strategy",
};

/// From array programs to what the exit to PTX takes.
pub const ARRAY_TO_GPU: NamedPipeline = NamedPipeline {
    name: "array-to-gpu",
    summary: "bring an array program to device functions and host code",
    steps: &[
        "array-to-kernel",
        "expand-windows", // before all that looks at nests: it makes some, of a program that begins with them
        "apply-schedules", // before what chooses: the program says how these nests run
        "tile-chains",    // before what makes single nests of them
        "func.func(fuse-traversals)", // before what gives nests to thread blocks one by one
        "canonicalize",   // values that members have in common
        "cse",            // elements that they read
        "dce",
        "rows-in-blocks", // of flattened versions, too: they are what short outer dimensions leave
        "tile-blocks{versions=by-size}", // after rows-in-blocks: what is left to single threads
        "coalesce-inputs", // after tile-blocks: tiles are copied along rows, whatever the layout
        "canonicalize",   // what tiling forwards and nobody uses
        "cse",            // copies of the same elements
        "dce",
        "kernel-to-gpu",
    ],
    options: &[STRATEGY],
};

/// As [`ARRAY_TO_GPU`], with tiles in shared memory.
pub const ARRAY_TO_GPU_TILED: NamedPipeline = NamedPipeline {
    name: "array-to-gpu-tiled",
    summary: "as array-to-gpu, with reductions in nests sequential, and what several points read in them in shared memory",
    steps: &[
        "array-to-fused",
        "flatten{inner-reduce=sequential}",
        "canonicalize",
        "cse", // before fuse-loops: equal extents are one value; before tile-blocks: reads of one element twice are one
        "fuse-loops", // before dce: scratch space that nothing uses any more
        "dce",
        "expand-windows",
        "apply-schedules", // before tile-blocks: which leaves them to it
        "tile-blocks",
        "canonicalize", // what tiling forwards and nobody uses
        "cse",          // copies of the same elements
        "dce",
        "kernel-to-gpu",
    ],
    options: &[STRATEGY],
};

/// The passes on arrays before flattening.
pub const ARRAY_TO_FUSED: NamedPipeline = NamedPipeline {
    name: "array-to-fused",
    summary: "simplify and fuse an array program",
    steps: &[
        "record-source",      // before anything changes the program
        "recognise-stencils", // before explicit-checks: indices are as the program has them
        "explicit-checks", // early: messages are about the program as it is written, its calls too
        // A call in a nest has no place on the device, and sizes are inferred through it. Without changing more than calls.
        "inline{default-pipeline=}",
        "explicit-partitions", // before separate-starts: folds become reductions that start with something
        "separate-starts", // before algebra and fuse: they take only what begins with neutral elements
        "canonicalize",
        "cse",          // before fuse: what is computed twice would be fused twice
        "algebra",      // before fuse: it sees producers and consumers apart
        "fuse",         // after canonicalize: views of views are one, unused results are gone
        "canonicalize", // bodies that came together
        "cse",
    ],
    options: &[],
};

/// From array programs to segmented nests, in all versions.
pub const ARRAY_TO_KERNEL: NamedPipeline = NamedPipeline {
    name: "array-to-kernel",
    summary: "bring an array program to perfect segmented nests on values, in all versions that thresholds choose from \
              when the program runs",
    steps: &[
        "array-to-fused",
        "flatten{versions=incremental}",
        "canonicalize",
        "cse",        // before fuse-loops: equal extents are one value
        "fuse-loops", // before dce: scratch space that nothing uses any more
        "dce",
    ],
    options: &[],
};

/// As [`ARRAY_TO_KERNEL`], without a choice: what people read, and what the versions are compared with.
pub const ARRAY_TO_KERNEL_ONE: NamedPipeline = NamedPipeline {
    name: "array-to-kernel-one",
    summary: "as array-to-kernel, in one version: reductions in two or more maps are sequential, all else is parallel",
    steps: &[
        "array-to-fused",
        "flatten",
        "canonicalize",
        "cse",
        "fuse-loops",
        "dce",
    ],
    options: &[],
};

/// From segmented nests to what the exit to PTX takes.
pub const KERNEL_TO_GPU: NamedPipeline = NamedPipeline {
    name: "kernel-to-gpu",
    summary: "bring segmented nests to device functions and host code",
    steps: &[
        "record-source",           // of a program that begins here
        "expand-windows",          // of a program that begins here: before all that looks at nests
        "apply-schedules", // of a program that begins here, or of a pipeline without the step
        "schedule-stencils", // what moves nests is done
        "func.func(bound-arrays)", // what makes or moves nests is done; before choose-forms: it makes reductions
        "func.func(choose-forms)",
        "func.func(vectorize)", // after choose-forms: not every form takes several elements
        "use-tensor-cores",
        "copy-boxes",                // after use-tensor-cores: of products by warpgroups
        "unroll-registers",          // after what looks at nests: it makes them long
        "func.func(choose-mapping)", // last: what is mapped follows from forms, levels and wide accesses
        "lower-to-gpu",
        // Function by function, here and below: a kernel stays in the processor's caches from pass to pass.
        // On the host what is changed in place lives on, so that comes before free-memory; what is freed can be taken.
        "func.func(canonicalize,cse,dce,expand-tf32,update-in-place,free-memory,reuse-memory)",
        // On the device cse finds index arithmetic of neighbouring accesses; what folds is not expanded; expansions rely
        // on every rounding, so products are contracted before. Promises of the program are dropped; those that narrow-indices
        // promises later holds.
        "gpu.module(gpu.func(canonicalize,cse,dce,widen-loads,drop-promises,contract-fma,expand-math,expand-tf32))",
        "lower-checks",       // after dce: only checks that are left need a record
        "annotate-kernels",   // says what the final loads and stores are
        "hint-loads", // after annotate-kernels: of what is only read; before narrow-indices: it sees launches
        "narrow-indices", // here: what comes before it is done once for both widths
        "func.func(cse,dce)", // what the widths have in common on the host
        // advance-copies: places have their final width; cse, dce: indices in 32 bits, and those in 64 bits that nothing needs
        // any more.
        "gpu.module(gpu.func(advance-copies,cse,dce))",
        // After lower-checks: kernels that report other places differ. After narrow-indices, which looks at the one
        // launch of a kernel. Summaries of kernels are for people only.
        "duplicate-function-elimination{ignored=summary}",
    ],
    options: &[STRATEGY],
};

/// The passes that run after every large change to a program.
pub const CLEANUP: NamedPipeline = NamedPipeline {
    name: "cleanup",
    summary: "bring a program to its canonical form and drop what it does not need",
    steps: &[
        "canonicalize",
        "cse",        // after canonicalize: equal ops then look equal
        "dce",        // what only dead code used
        "symbol-dce", // last: calls may have gone with dead code
    ],
    options: &[],
};
