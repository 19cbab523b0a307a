//! Blocks that wait for each other: fences, barriers and counters in the right order, and not.

use super::case;

/// Each thread stores a word; thread 0 of each block counts it in, and reads on when all have come. The lines in between
/// can be changed.
macro_rules! met {
    ($fence:literal, $count:literal, $behind:literal) => {
        concat!(
            "mov.u32 %r20, 1; mov.u32 %r21, %nctaid.x; add.u64 %rd20, %rd2, 2048; setp.ne.u32 %p1, %r1, 0;\n",
            "st.global.u32 [%rd5], %r3;\n", $fence, "\n@%p1 bra $M;\n", $count, "\n",
            "red.global.add.u32 [%rd20], 1;\n",
            "$W: ld.volatile.global.u32 %r22, [%rd20]; setp.lt.u32 %p2, %r22, %r21; @%p2 bra $W;\n",
            "$M: bar.sync 0;\n", $behind, "\n",
            "xor.b32 %r23, %r3, 64; mul.wide.u32 %rd21, %r23, 4; add.u64 %rd21, %rd2, %rd21;\n",
            "ld.global.u32 %r24, [%rd21]; // BUG store by\n",
            "st.global.u32 [%rd6], %r24;"
        )
    };
}

case!(grid_barrier_whose_threads_fence_before_they_meet, 4 x 64, Race, met!(
    "membar.gl; // right\nbar.sync 0;", "", "membar.gl;"
));

case!(grid_barrier_whose_threads_fence_before_they_store, 4 x 64, Race, met!(
    "membar.gl;\nst.global.u32 [%rd5], %r3; // wrong\nbar.sync 0;", "", "membar.gl;"
));

case!(grid_barrier_behind_which_nobody_fences, 4 x 64, Race, met!(
    "membar.gl; bar.sync 0;", "", "membar.gl; // right"
));

case!(grid_barrier_by_fences_of_one_thread, 4 x 64, Race, met!(
    "bar.sync 0; // right\nbar.warp.sync 0xffffffff; // wrong", "membar.gl;", "membar.gl;"
));
