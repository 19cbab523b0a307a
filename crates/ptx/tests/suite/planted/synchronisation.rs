//! Barriers and operations across a warp used as PTX forbids.

use super::case;

case!(barrier_in_one_side_of_a_branch, 1 x 64, Deadlock, "
    setp.lt.u32 %p1, %r1, 32; @!%p1 bra $J;
    bar.sync 1; // BUG deadlock // wrong
    $J: bar.sync 0;
");

case!(barrier_that_a_warp_meets_at_two_places, 1 x 32, Synchronisation, "
    setp.lt.u32 %p1, %r1, 16; @%p1 bra $T;
    bar.sync 0; bra.uni $J; // wrong
    bra.uni $T; // right
    $T: bar.sync 0; // BUG divergent
    $J: st.global.u32 [%rd5], %r1;
");

case!(barrier_after_half_of_a_warp_has_left, 1 x 64, Synchronisation, "
    setp.ge.u32 %p1, %r1, 32; // right
    setp.ge.u32 %p1, %r1, 48; // wrong
    @%p1 exit; st.shared.u32 [%r11], %r1;
    bar.sync 0; // BUG 16 threads of the warp exited
    ld.shared.u32 %r20, [s]; st.global.u32 [%rd5], %r20;
");

case!(barrier_for_a_number_of_threads_that_is_no_warp, 1 x 64, Synchronisation, "
    bar.sync 1, 64; // right
    bar.sync 1, 48; // BUG not a positive multiple of 32 // wrong
");

case!(shuffle_from_lanes_that_are_not_there, 1 x 32, Synchronisation, "
    mov.u32 %r20, 0; setp.ge.u32 %p1, %r4, 16; @%p1 bra $E;
    shfl.sync.bfly.b32 %r20, %r1, 8, 31, 0xffff; // right
    shfl.sync.bfly.b32 %r20, %r1, 16, 31, 0xffff; // BUG gets its `shfl.sync` from lane 16 // wrong
    $E: st.global.u32 [%rd5], %r20;
");

case!(shuffle_whose_mask_leaves_lanes_out, 1 x 32, Synchronisation, "
    shfl.sync.bfly.b32 %r20, %r1, 1, 31, 0xffffffff; // right
    shfl.sync.bfly.b32 %r20, %r1, 1, 31, 0x0000ffff; // BUG leaves it out // wrong
    st.global.u32 [%rd5], %r20;
");

case!(vote_whose_mask_leaves_lanes_out, 1 x 32, Synchronisation, "
    setp.lt.u32 %p1, %r1, 7;
    vote.sync.ballot.b32 %r20, %p1, 0xffffffff; // right
    vote.sync.ballot.b32 %r20, %p1, 0xfffffffe; // BUG lane 0 executes `vote.sync` // wrong
    st.global.u32 [%rd5], %r20;
");

case!(lanes_that_wait_for_another_shuffle, 1 x 32, Deadlock, "
    setp.lt.u32 %p1, %r4, 16; @%p1 bra $T;
    shfl.sync.up.b32 %r20, %r1, 1, 0, 0xffffffff; bra.uni $J; // BUG deadlock // wrong
    shfl.sync.bfly.b32 %r20, %r1, 1, 31, 0xffffffff; bra.uni $J; // right
    $T: shfl.sync.bfly.b32 %r20, %r1, 1, 31, 0xffffffff;
    $J: st.global.u32 [%rd5], %r20;
");

case!(spinning_on_a_flag_nobody_sets, 1 x 32, Limit, "
    setp.ne.u32 %p1, %r1, 0; @%p1 bra $E;
    st.volatile.global.u32 [%rd2], 1; // right
    $W: ld.volatile.global.u32 %r20, [%rd2]; setp.eq.u32 %p2, %r20, 0; @%p2 bra $W; // BUG more than
    $E:
");

/// A warpgroup multiplies 64 by 16 halves, 2048 bytes, with 16 by 8, which lie behind them.
macro_rules! product {
    ($ready:literal, $second:literal) => {
        concat!(
            "mad.lo.u32 %r20, %r1, 16, %r10; mov.u32 %r21, 0; st.shared.v4.u32 [%r20], {%r21, %r21, %r21, %r21};\n",
            $second, "\nfence.proxy.async;\n", $ready, "\n",
            "wgmma.fence.sync.aligned; shr.u32 %r22, %r10, 4; cvt.u64.u32 %rd20, %r22; or.b64 %rd20, %rd20, 0x1000080000;\n",
            "add.u64 %rd21, %rd20, 128; setp.ne.u32 %p2, %r21, 0; mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;\n",
            "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd20, %rd21, %p2, 1, 1, 0, 0; // BUG load\n",
            "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; st.global.f32 [%rd5], %f0;"
        )
    };
}

case!(warpgroup_that_multiplies_before_a_barrier, 1 x 128, Race, product!(
    "bar.sync 0; // right",
    "setp.lt.u32 %p1, %r1, 16; @%p1 st.shared.v4.u32 [%r20+2048], {%r21, %r21, %r21, %r21};"
));

case!(warpgroup_that_multiplies_what_nobody_wrote, 1 x 128, UninitialisedMemory, product!(
    "bar.sync 0;",
    "setp.lt.u32 %p1, %r1, 16; // right\n@%p1 st.shared.v4.u32 [%r20+2048], {%r21, %r21, %r21, %r21}; // right"
));

case!(arriving_twice_while_the_other_side_waits_once, 1 x 64, Race, "
    mov.u32 %r20, 0; setp.ge.u32 %p1, %r1, 32; @%p1 bra $C;
    $P: bar.sync 1, 64; mad.lo.u32 %r21, %r4, 4, %r10; st.shared.u32 [%r21], %r20; bar.arrive 2, 64;
    add.u32 %r20, %r20, 1; setp.lt.u32 %p2, %r20, 4; @%p2 bra $P; bra.uni $E;
    $C: bar.arrive 1, 64;
    bar.arrive 1, 64; // wrong
    $L: bar.sync 2, 64; mad.lo.u32 %r21, %r4, 4, %r10; ld.shared.u32 %r22, [%r21]; // BUG store by
    add.u32 %r20, %r20, 1; setp.lt.u32 %p2, %r20, 4; @%p2 bar.arrive 1, 64; @%p2 bra $L;
    $E:
");

case!(barrier_for_half_of_the_threads_that_come, 1 x 128, Race, "
    st.shared.u32 [%r11], %r1;
    bar.sync 1, 128; // right
    bar.sync 1, 64; // wrong
    sub.u32 %r20, 127, %r1; mad.lo.u32 %r20, %r20, 4, %r10; ld.shared.u32 %r21, [%r20]; st.global.u32 [%rd5], %r21; // BUG store by
");
