//! The instructions the simulator executes, by section of the PTX ISA, and where it is freer than hardware.
//!
//! Any other instruction is a [`ParseErrorKind::Unsupported`](crate::ParseErrorKind::Unsupported) that names it and
//! its line; all of them are reported at once. This page holds no code: the selection is in `decode`, the meaning in
//! `exec`, and `tests/suite` has a value test for each family.
//!
//! | PTX ISA section | instructions |
//! |---|---|
//! | Integer Arithmetic | `add sub mul{.lo,.hi,.wide} mad{.lo,.hi,.wide} mul24 mad24 sad div rem abs neg min max` (`.sat` of `s32`), `popc clz bfind fns brev bfe bfi szext bmsk dp4a`; `add min max` of `u16x2 s16x2` |
//! | Extended-Precision Integer Arithmetic | `add.cc addc sub.cc subc mad.cc madc`, 32 and 64 bits |
//! | Floating Point | `testp copysign add sub mul fma mad div{.rn,.approx,.full} abs neg min max rcp sqrt rsqrt sin cos lg2 ex2 tanh` with `.rn .rz .rm .rp`, `.ftz`, `.sat`, `.NaN`, `.xorsign.abs` |
//! | Half Precision Floating Point | `add sub mul fma neg abs min max tanh ex2` of `f16 f16x2 bf16 bf16x2` with `.ftz .sat .relu .NaN` |
//! | Comparison and Selection | `set setp selp slct`, every comparison, `.and .or .xor` with a predicate, second predicate; `setp` of halves |
//! | Logic and Shift | `and or xor not cnot lop3 shf shl shr` |
//! | Data Movement and Conversion | `mov` (with packing and unpacking), `shfl.sync prmt ld ldu st cvta isspacep cvt cp.async{,.commit_group,.wait_group,.wait_all} cp.async.bulk{,.tensor,.commit_group,.wait_group} prefetch prefetchu discard applypriority`; `.v2 .v4 .v8`; all state spaces and generic addresses |
//! | Control Flow | `{} @ bra brx.idx call` (direct) `ret exit` |
//! | Parallel Synchronization and Communication | `bar{.sync,.arrive,.red} barrier{.sync,.arrive,.red,.cluster} bar.warp.sync membar fence atom red vote.sync match.sync activemask redux.sync elect.sync griddepcontrol mbarrier cp.async.mbarrier.arrive` |
//! | Warp Level Matrix Multiply-Accumulate | `mma.sync` of `f16 bf16 tf32 f64 e4m3 e5m2 s8 u8 s4 u4 b1`, `ldmatrix stmatrix` of `m8n8.b16`, `movmatrix` |
//! | Asynchronous Warpgroup Level Matrix Multiply-Accumulate | `wgmma.mma_async` (dense), `fence commit_group wait_group` |
//! | Miscellaneous | `trap brkpt nanosleep pmevent setmaxnreg` (the last two do nothing) |
//!
//! Special registers: `%tid %ntid %ctaid %nctaid %laneid %warpid %nwarpid %lanemask_* %clusterid %nclusterid
//! %cluster_ctaid %cluster_nctaid %cluster_ctarank %cluster_nctarank %smid %nsmid %gridid %envreg*
//! %dynamic_smem_size %total_smem_size %clock %clock64 %globaltimer`. Every block is a cluster of its own; the clocks
//! count something that grows.
//!
//! # Not executed
//! Sparse and block-scaled matrix products, tensor memory, im2col copies, textures and surfaces, video instructions,
//! `multimem`, calls through registers, recursion, `alloca`, 128-bit atomics, `satfinite` and 8-bit
//! float conversions, calls to functions without a body (`vprintf`, `__nv_*`).
//!
//! # Where results are defined here and open there
//! - Integer division by zero gives all ones, the remainder is the dividend.
//! - The `.approx` functions are computed in `f64` and rounded once: at least as exact as PTX asks, not bit-identical
//!   to any GPU. `div.full` and `div.approx` are correctly rounded.
//! - NaN results of `f32` and `f64` arithmetic have the host's bit pattern; those of `min`, `max`, `cvt`, directed
//!   rounding and halves are PTX's canonical NaN.
//! - Asynchronous copies read when they are issued and write at the latest moment a program may rely on: when their
//!   group is waited for or the barrier they signal is looked at. A program that reads too early sees old bytes.
//! - Matrix products are exact up to one rounding; `wgmma` writes its accumulators at once.
//! - A tensor map is what [`TensorMap::to_bytes`](crate::TensorMap::to_bytes) makes, not the driver's encoding.
//! - Memory accesses of different threads are sequentially ordered per warp instruction; weak orderings that hardware
//!   could show are not explored. Where they could show, the race checkers report the accesses: fences, scopes and
//!   acquire and release mean for them what the memory model says.
//! - Threads that have exited count as arrived at barriers of the whole block, as on hardware.
//! - A barrier executed with a false guard by some lanes of a warp, or in divergent code, waits per thread; an
//!   `.aligned` one met at two places by one warp is a fault.
//! - Fresh shared and local memory, and allocations, hold bytes of ones (NaN); registers hold anything. The checkers
//!   report reads of all of them, see [`Checks`](crate::Checks).
