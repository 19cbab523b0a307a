//! Asynchronous copies read, overwritten or forwarded before they are waited for; mbarriers misused.

use super::case;

/// A pipeline of three stages: 64 threads copy 64 words a stage, and read what their neighbours copied. The lines of
/// the loop can be left out or changed.
macro_rules! pipeline {
    ($wait:literal, $ready:literal, $read:literal, $done:literal, $issue:literal) => {
        concat!(
            "mov.u32 %r20, 0; mov.u32 %r21, 0; mov.u32 %r30, 0; mov.u64 %rd20, %rd4;\n",
            "cp.async.ca.shared.global [%r11], [%rd20], 4; cp.async.commit_group;\n",
            "cp.async.ca.shared.global [%r11+256], [%rd20+256], 4; cp.async.commit_group; add.u64 %rd20, %rd20, 512;\n",
            "mov.u32 %r31, 512; xor.b32 %r22, %r1, 33; mad.lo.u32 %r23, %r22, 4, %r10;\n",
            "$L:\n", $wait, "\n", $ready, "\n",
            "add.u32 %r24, %r23, %r30; add.u32 %r26, %r11, %r31;\n", $read, "\n",
            "add.u32 %r21, %r21, %r25;\n", $done, "\n", $issue, "\n",
            "cp.async.commit_group; add.u64 %rd20, %rd20, 256;\n",
            "add.u32 %r30, %r30, 256; setp.eq.u32 %p1, %r30, 768; @%p1 mov.u32 %r30, 0;\n",
            "add.u32 %r31, %r31, 256; setp.eq.u32 %p1, %r31, 768; @%p1 mov.u32 %r31, 0;\n",
            "add.u32 %r20, %r20, 1; setp.lt.u32 %p1, %r20, 6; @%p1 bra $L;\n",
            "cp.async.wait_all; st.global.u32 [%rd5], %r21;"
        )
    };
}

case!(pipeline_without_a_wait, 1 x 64, CopyInFlight, pipeline!(
    "cp.async.wait_group 1; // right", "bar.sync 0;", "ld.shared.u32 %r25, [%r24]; // BUG load here, asynchronous copy by", "bar.sync 0;",
    "cp.async.ca.shared.global [%r26], [%rd20], 4; // BUG asynchronous copy here"
));

case!(pipeline_that_waits_for_one_stage_too_few, 1 x 64, CopyInFlight, pipeline!(
    "cp.async.wait_group 1; // right\ncp.async.wait_group 2; // wrong", "bar.sync 0;",
    "ld.shared.u32 %r25, [%r24]; // BUG load here, asynchronous copy by", "bar.sync 0;",
    "cp.async.ca.shared.global [%r26], [%rd20], 4; // BUG asynchronous copy here"
));

case!(pipeline_without_a_barrier_behind_the_wait, 1 x 64, Race, pipeline!(
    "cp.async.wait_group 1;", "bar.sync 0; // right", "ld.shared.u32 %r25, [%r24]; // BUG load here, asynchronous copy by", "bar.sync 0;",
    "cp.async.ca.shared.global [%r26], [%rd20], 4; // BUG asynchronous copy here"
));

case!(pipeline_whose_barrier_comes_before_the_wait, 1 x 64, Race, pipeline!(
    "bar.sync 0; // wrong\ncp.async.wait_group 1;", "bar.sync 0; // right",
    "ld.shared.u32 %r25, [%r24]; // BUG load here, asynchronous copy by", "bar.sync 0;",
    "cp.async.ca.shared.global [%r26], [%rd20], 4; // BUG asynchronous copy here"
));

case!(pipeline_that_copies_into_the_stage_being_read, 1 x 64, CopyInFlight, pipeline!(
    "cp.async.wait_group 1;", "bar.sync 0;", "ld.shared.u32 %r25, [%r24]; // BUG uninitialised shared",
    "bar.sync 0; // right\nadd.u32 %r26, %r11, %r30; // wrong",
    "cp.async.ca.shared.global [%r26], [%rd20], 4; // BUG asynchronous copy here, load by"
));

case!(pipeline_of_one_group_that_never_closes, 1 x 64, CopyInFlight, "
    cp.async.ca.shared.global [%r11], [%rd4], 4;
    cp.async.commit_group; // right
    cp.async.wait_group 0; bar.sync 0;
    xor.b32 %r20, %r1, 33; mad.lo.u32 %r21, %r20, 4, %r10;
    ld.shared.u32 %r22, [%r21]; // BUG asynchronous copy by
    st.global.u32 [%rd5], %r22;
");

case!(own_copy_read_without_a_wait, 1 x 32, CopyInFlight, "
    cp.async.ca.shared.global [%r11], [%rd4], 4; cp.async.commit_group;
    cp.async.wait_group 0; // right
    ld.shared.u32 %r22, [%r11]; // BUG nothing has waited
    st.global.u32 [%rd5], %r22;
");

case!(store_into_what_a_copy_still_fills, 1 x 32, CopyInFlight, "
    cp.async.ca.shared.global [%r11], [%rd4], 4; cp.async.commit_group;
    cp.async.wait_all; // right
    st.shared.u32 [%r11], %r1; // BUG asynchronous copy by
    cp.async.wait_all; ld.shared.u32 %r22, [%r11]; st.global.u32 [%rd5], %r22;
");

case!(waited_for_by_half_of_the_threads, 1 x 64, CopyInFlight, "
    cp.async.ca.shared.global [%r11], [%rd4], 4; cp.async.commit_group;
    setp.lt.u32 %p1, %r1, 32;
    cp.async.wait_all; // right
    @%p1 cp.async.wait_all; // wrong
    bar.sync 0; xor.b32 %r20, %r1, 33; mad.lo.u32 %r21, %r20, 4, %r10;
    ld.shared.u32 %r22, [%r21]; // BUG asynchronous copy by
    st.global.u32 [%rd5], %r22;
");

/// An mbarrier for 64 arrivals at `bar`.
macro_rules! with_mbarrier {
    ($($body:literal),*) => {
        concat!("setp.eq.u32 %p9, %r1, 0; @%p9 mbarrier.init.shared.b64 [bar], 64; bar.sync 0;\n", $($body, "\n"),*)
    };
}

case!(copies_announced_to_an_mbarrier_nobody_waits_on, 1 x 64, CopyInFlight, with_mbarrier!(
    "cp.async.ca.shared.global [%r11], [%rd4], 4; cp.async.mbarrier.arrive.noinc.shared.b64 [bar];",
    "$W: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra $W; // right",
    "bar.sync 0; xor.b32 %r20, %r1, 33; mad.lo.u32 %r21, %r20, 4, %r10;",
    "ld.shared.u32 %r22, [%r21]; // BUG asynchronous copy by",
    "st.global.u32 [%rd5], %r22;"
));

case!(a_phase_that_one_thread_waited_for_alone, 1 x 64, Race, with_mbarrier!(
    "cp.async.ca.shared.global [%r11], [%rd4], 4; cp.async.mbarrier.arrive.noinc.shared.b64 [bar];",
    "setp.ne.u32 %p2, %r1, 0; @%p2 bra $B;",
    "$W: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra $W;",
    "$B:",
    "bar.sync 0; // right",
    "bar.warp.sync 0xffffffff; // wrong",
    "xor.b32 %r20, %r1, 33; mad.lo.u32 %r21, %r20, 4, %r10; nanosleep.u32 10;",
    "ld.shared.u32 %r22, [%r21]; // BUG asynchronous copy by",
    "st.global.u32 [%rd5], %r22;"
));

case!(data_handed_over_before_the_arrival, 1 x 64, Race, with_mbarrier!(
    "st.shared.u32 [%r11+1024], %r1; // right",
    "mbarrier.arrive.shared.b64 %rd20, [bar];",
    "st.shared.u32 [%r11+1024], %r1; // wrong",
    "$W: mbarrier.test_wait.shared.b64 %p1, [bar], %rd20; @!%p1 bra $W;",
    "xor.b32 %r20, %r1, 33; mad.lo.u32 %r21, %r20, 4, %r10;",
    "ld.shared.u32 %r22, [%r21+1024]; // BUG store by",
    "st.global.u32 [%rd5], %r22;"
));

case!(more_arrivals_than_expected, 1 x 64, Operand, with_mbarrier!(
    "mov.u32 %r20, 1; // right",
    "mov.u32 %r20, 65; // wrong",
    "mbarrier.arrive.shared.b64 %rd20, [bar], %r20; // BUG arrivals at an mbarrier"
));

case!(bulk_copy_read_before_its_phase_ends, 1 x 64, CopyInFlight, "
    setp.eq.u32 %p9, %r1, 0; @!%p9 bra $B; mbarrier.init.shared.b64 [bar], 1;
    mbarrier.arrive.expect_tx.shared.b64 _, [bar], 256;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r10], [%rd1], 256, [bar];
    $B: bar.sync 0;
    $W: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra $W; // right
    ld.shared.u32 %r22, [%r11]; // BUG asynchronous copy by
    st.global.u32 [%rd5], %r22;
");

case!(bulk_store_whose_source_is_overwritten, 1 x 64, CopyInFlight, "
    st.shared.u32 [%r11], %r1; fence.proxy.async.shared::cta; bar.sync 0; setp.eq.u32 %p9, %r1, 0; @!%p9 bra $B;
    cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r10], 256; cp.async.bulk.commit_group;
    cp.async.bulk.wait_group.read 0; // right
    $B: bar.sync 0;
    st.shared.u32 [%r11], 0; // BUG asynchronous copy by
    cp.async.bulk.wait_group.read 0;
");

case!(bulk_store_whose_thread_reads_its_source_before_others_overwrite_it, 1 x 64, CopyInFlight, "
    st.shared.u32 [%r11], %r1; fence.proxy.async.shared::cta; bar.sync 0; setp.eq.u32 %p9, %r1, 0; @!%p9 bra $B;
    cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r10], 16; cp.async.bulk.commit_group; ld.shared.u32 %r20, [%r10];
    cp.async.bulk.wait_group.read 0; // right
    $B: bar.sync 0; setp.eq.u32 %p8, %r1, 32;
    @%p8 st.shared.u32 [%r10], 0; // BUG asynchronous copy by
    bar.sync 0; cp.async.bulk.wait_group.read 0;
");

case!(bulk_store_of_what_others_still_write, 1 x 64, Race, "
    st.shared.u32 [%r11], %r1; fence.proxy.async.shared::cta;
    bar.sync 0; // right
    setp.eq.u32 %p9, %r1, 32; @!%p9 bra $B; 
    cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r10], 256; // BUG store by
    cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
    $B:
");

case!(bulk_store_without_a_fence_of_proxies, 1 x 64, Race, "
    st.shared.u32 [%r11], %r1;
    fence.proxy.async.shared::cta; // right
    bar.sync 0; setp.eq.u32 %p9, %r1, 32; @!%p9 bra $B;
    cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r10], 256; // BUG no fence.proxy.async stands between
    cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
    $B:
");

case!(stores_behind_the_fence_of_proxies, 1 x 64, Race, "
    fence.proxy.async; // wrong
    st.shared.u32 [%r11], %r1; fence.proxy.async.global;
    bar.sync 0; setp.eq.u32 %p9, %r1, 32; @!%p9 bra $B;
    fence.proxy.async; // right
    cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r10], 256; // BUG no fence.proxy.async stands between
    cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
    $B:
");

/// Thread 0 stores what 64 threads left in shared memory to `b` by one bulk copy. The lines behind it can be changed.
macro_rules! bulk_store {
    ($store:literal, $($rest:literal),*) => {
        concat!(
            "st.shared.u32 [%r11], %r1; fence.proxy.async.shared::cta; bar.sync 0;\n",
            "setp.eq.u32 %p9, %r1, 0; @!%p9 bra $B;\n", $store, "\n", $($rest, "\n"),*
        )
    };
}

case!(bulk_store_that_outlives_its_block, 1 x 64, CopyInFlight, bulk_store!(
    "cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r10], 256; // BUG the thread block ends while this copy may still read",
    "cp.async.bulk.commit_group;",
    "cp.async.bulk.wait_group.read 0; // right",
    "$B:"
));

case!(bulk_store_of_no_group_outlives_its_block, 1 x 64, CopyInFlight, bulk_store!(
    "cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r10], 256; // BUG the thread block ends while this copy may still read",
    "cp.async.bulk.commit_group; // right",
    "cp.async.bulk.wait_group 0;",
    "$B:"
));

case!(the_last_of_two_bulk_stores_outlives_its_block, 1 x 64, CopyInFlight, bulk_store!(
    "cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r10], 128; cp.async.bulk.commit_group;",
    "cp.async.bulk.global.shared::cta.bulk_group [%rd2+128], [%r10+128], 128; // BUG the thread block ends",
    "cp.async.bulk.commit_group;",
    "cp.async.bulk.wait_group.read 0; // right",
    "cp.async.bulk.wait_group.read 1; // wrong",
    "$B:"
));

case!(bulk_store_read_without_a_wait, 1 x 64, CopyInFlight, bulk_store!(
    "cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r10], 256; cp.async.bulk.commit_group;",
    "cp.async.bulk.wait_group 0; // right",
    "$B: bar.sync 0;",
    "ld.global.u32 %r20, [%rd5]; // BUG asynchronous copy by",
    "st.global.u32 [%rd6], %r20; cp.async.bulk.wait_group.read 0;"
));

case!(bulk_store_of_which_only_the_source_was_waited_for, 1 x 64, CopyInFlight, bulk_store!(
    "cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r10], 256; cp.async.bulk.commit_group;",
    "cp.async.bulk.wait_group.read 0; // wrong",
    "cp.async.bulk.wait_group 0; // right",
    "$B: bar.sync 0;",
    "ld.global.u32 %r20, [%rd5]; // BUG asynchronous copy by",
    "st.global.u32 [%rd6], %r20;"
));

case!(bulk_store_waited_for_but_not_handed_on, 1 x 64, Race, bulk_store!(
    "cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r10], 256;",
    "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
    "$B:",
    "bar.sync 0; // right",
    "ld.global.u32 %r20, [%rd5]; // BUG asynchronous copy by",
    "st.global.u32 [%rd6], %r20;"
));

case!(bulk_store_over_what_others_still_read, 1 x 64, Race, concat!(
    "ld.global.u32 %r20, [%rd5];\n",
    "st.shared.u32 [%r11], %r1; fence.proxy.async.shared::cta;\n",
    "bar.sync 0; // right\n",
    "setp.eq.u32 %p9, %r1, 32; @!%p9 bra $B;\n",
    "cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r10], 128; // BUG by block (0, 0, 0)\n",
    "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n",
    "$B: st.global.u32 [%rd6], %r20;\n"
));

case!(two_bulk_stores_to_one_place, 1 x 64, CopyInFlight, bulk_store!(
    "cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r10], 128; cp.async.bulk.commit_group;",
    "cp.async.bulk.wait_group 0; // right",
    "cp.async.bulk.global.shared::cta.bulk_group [%rd2+64], [%r10+128], 128; // BUG asynchronous copy by",
    "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
    "$B:"
));

case!(store_into_what_a_bulk_store_still_writes, 1 x 64, CopyInFlight, bulk_store!(
    "cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r10], 256; cp.async.bulk.commit_group;",
    "cp.async.bulk.wait_group 0; // right",
    "st.global.u32 [%rd2+16], %r9; // BUG asynchronous copy by",
    "$B: cp.async.bulk.wait_group.read 0;"
));

case!(bulk_store_published_by_a_flag_before_it_is_written, 2 x 64, CopyInFlight, "
    setp.eq.u32 %p8, %r1, 0; setp.eq.u32 %p9, %r2, 1; @%p9 bra $W;
    st.shared.u32 [%r11], %r1; fence.proxy.async.shared::cta; bar.sync 0; @!%p8 bra $E;
    cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r10], 256; cp.async.bulk.commit_group;
    cp.async.bulk.wait_group.read 0; // wrong
    cp.async.bulk.wait_group 0; // right
    st.release.gpu.global.u32 [%rd2+2048], 1; bra $E;
    $W: ld.acquire.gpu.global.u32 %r20, [%rd2+2048]; setp.eq.u32 %p1, %r20, 0; @%p1 bra $W;
    mul.wide.u32 %rd20, %r1, 4; add.u64 %rd20, %rd2, %rd20;
    ld.global.u32 %r21, [%rd20]; // BUG asynchronous copy by
    st.global.u32 [%rd6], %r21;
    $E:
");

case!(blocks_whose_bulk_stores_overlap, 2 x 64, CopyInFlight, "
    st.shared.u32 [%r11], %r3; fence.proxy.async.shared::cta; bar.sync 0;
    mul.wide.u32 %rd20, %r2, 256; // right
    mul.wide.u32 %rd20, %r2, 240; // wrong
    add.u64 %rd20, %rd2, %rd20; setp.eq.u32 %p9, %r1, 0; @!%p9 bra $B;
    cp.async.bulk.global.shared::cta.bulk_group [%rd20], [%r10], 256; // BUG asynchronous copy by
    cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;
    $B:
");

case!(mbarrier_that_nobody_initialised, 1 x 64, Operand, "
    setp.eq.u32 %p9, %r1, 0;
    @%p9 mbarrier.init.shared.b64 [bar], 64; // right
    @%p9 mbarrier.init.shared.b64 [bar+8], 64; // wrong
    bar.sync 0;
    mbarrier.arrive.shared.b64 %rd20, [bar]; // BUG used but not initialised
");

case!(mbarrier_used_after_it_was_invalidated, 1 x 32, Operand, "
    setp.eq.u32 %p9, %r1, 0; @%p9 mbarrier.init.shared.b64 [bar], 32; bar.sync 0;
    mbarrier.arrive.shared.b64 %rd20, [bar];
    $W: mbarrier.test_wait.shared.b64 %p1, [bar], %rd20; @!%p1 bra $W; bar.sync 0;
    @%p9 mbarrier.inval.shared.b64 [bar]; bar.sync 0;
    @%p9 mbarrier.init.shared.b64 [bar], 32; bar.sync 0; // right
    mbarrier.arrive.shared.b64 %rd20, [bar]; // BUG used but not initialised
");

case!(bulk_copy_that_signals_what_is_no_mbarrier, 1 x 32, Operand, "
    setp.eq.u32 %p9, %r1, 0; @!%p9 bra $B; mbarrier.init.shared.b64 [bar], 1;
    mbarrier.arrive.expect_tx.shared.b64 _, [bar], 256;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r10], [%rd1], 256, [bar]; // right
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r10], [%rd1], 256, [bar+16]; // BUG used but not initialised // wrong
    $B: bar.sync 0;
    $W: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra $W;
");

case!(mbarrier_used_before_others_know_that_it_is_initialised, 1 x 64, Race, "
    setp.eq.u32 %p9, %r1, 0; @%p9 mbarrier.init.shared.b64 [bar], 64;
    bar.sync 0; // right
    bar.warp.sync 0xffffffff; // wrong
    mbarrier.arrive.shared.b64 %rd20, [bar]; // BUG store by
");

case!(words_of_a_phase_overwritten_before_the_next_one, 1 x 64, Race, with_mbarrier!(
    "st.shared.u32 [%r11], %r1; mbarrier.arrive.shared.b64 %rd20, [bar];",
    "$A: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra $A;",
    "xor.b32 %r20, %r1, 33; mad.lo.u32 %r22, %r20, 4, %r10; ld.shared.u32 %r21, [%r22];",
    "mbarrier.arrive.shared.b64 %rd20, [bar]; // right",
    "$B: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 1; @!%p1 bra $B; // right",
    "st.shared.u32 [%r11], %r21; // BUG race",
    "mbarrier.arrive.shared.b64 %rd20, [bar]; // wrong",
    "$C: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 1; @!%p1 bra $C; // wrong",
    "ld.shared.u32 %r20, [%r11]; st.global.u32 [%rd5], %r20;"
));
