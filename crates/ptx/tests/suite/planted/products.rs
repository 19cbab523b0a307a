//! Products of warpgroups whose results are used before they are waited for, and mbarriers that nobody ends.

use super::case;

/// A warpgroup multiplies twice, 64 by 16 halves with 16 by 8, all zero. The lines around the products can be changed.
macro_rules! products {
    ($first:literal, $second:literal, $last:literal) => {
        concat!(
            "mad.lo.u32 %r20, %r1, 16, %r10; mov.u32 %r21, 0; st.shared.v4.u32 [%r20], {%r21, %r21, %r21, %r21};\n",
            "setp.lt.u32 %p1, %r1, 16; @%p1 st.shared.v4.u32 [%r20+2048], {%r21, %r21, %r21, %r21}; fence.proxy.async;\n",
            "bar.sync 0; shr.u32 %r22, %r10, 4; cvt.u64.u32 %rd20, %r22; or.b64 %rd20, %rd20, 0x1000080000;\n",
            "add.u64 %rd21, %rd20, 128; setp.ne.u32 %p2, %r21, 0; mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;\n",
            "wgmma.fence.sync.aligned;\n",
            "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd20, %rd21, %p2, 1, 1, 0, 0;\n",
            $first, "\n",
            "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f4, %f5, %f6, %f7}, %rd20, %rd21, 0, 1, 1, 0, 0;\n",
            $second, "\n",
            "mov.f32 %f10, %f0; mov.f32 %f11, %f4;\n", $last, "\n",
            "add.f32 %f12, %f10, 0f3f800000; // BUG while `wgmma.mma_async` writes it\n",
            "st.global.f32 [%rd5], %f12; st.global.f32 [%rd6], %f11; // BUG while `wgmma.mma_async` writes it\n"
        )
    };
}

case!(products_that_nobody_waits_for, 1 x 128, CopyInFlight, products!(
    "", "wgmma.commit_group.sync.aligned;", "wgmma.wait_group.sync.aligned 0; // right"
));

case!(products_of_a_group_that_is_never_closed, 1 x 128, CopyInFlight, products!(
    "", "wgmma.commit_group.sync.aligned; // right", "wgmma.wait_group.sync.aligned 0;"
));

case!(products_of_which_the_last_group_may_be_in_flight, 1 x 128, CopyInFlight, concat!(
    products!(
        "wgmma.commit_group.sync.aligned;", "wgmma.commit_group.sync.aligned;",
        "wgmma.wait_group.sync.aligned 0; // right\nwgmma.wait_group.sync.aligned 2; // wrong"
    )
));

case!(product_of_what_no_fence_of_proxies_covers, 1 x 128, Race, "
    mad.lo.u32 %r20, %r1, 32, %r10; mov.u32 %r21, 0;
    st.shared.v4.u32 [%r20], {%r21, %r21, %r21, %r21}; st.shared.v4.u32 [%r20+16], {%r21, %r21, %r21, %r21};
    fence.proxy.async.shared::cta; // right
    bar.sync 0; shr.u32 %r22, %r10, 4; cvt.u64.u32 %rd20, %r22; or.b64 %rd20, %rd20, 0x1000080000; add.u64 %rd21, %rd20, 128;
    wgmma.fence.sync.aligned;
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd20, %rd21, 0, 1, 1, 0, 0; // BUG no fence.proxy.async
    wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;
    st.global.f32 [%rd5], %f0;
");

/// A warpgroup multiplies 64 by 16 halves with 16 by 8, all zero; then come the given lines, and the wait for the product
/// at last. Each warp reads the 512 bytes of the left tile that its threads have filled, 16 at `%r20`, and the last one
/// all of the right tile, 256 bytes behind.
macro_rules! tiles {
    ($($rest:literal),*) => {
        concat!(
            "mad.lo.u32 %r20, %r1, 16, %r10; mov.u32 %r21, 0; st.shared.v4.u32 [%r20], {%r21, %r21, %r21, %r21};\n",
            "setp.lt.u32 %p1, %r1, 16; @%p1 st.shared.v4.u32 [%r20+2048], {%r21, %r21, %r21, %r21}; setp.eq.u32 %p9, %r1, 0;\n",
            "@%p9 mbarrier.init.shared.b64 [bar], 1; fence.proxy.async; setp.ge.u32 %p3, %r1, 96;\n",
            "bar.sync 0; shr.u32 %r22, %r10, 4; cvt.u64.u32 %rd20, %r22; or.b64 %rd20, %rd20, 0x1000080000; add.u64 %rd21, %rd20, 128;\n",
            "wgmma.fence.sync.aligned;\n",
            "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd20, %rd21, 0, 1, 1, 0, 0;\n",
            $($rest, "\n",)*
            "cp.async.wait_all; wgmma.wait_group.sync.aligned 0; st.global.f32 [%rd5], %f0;\n"
        )
    };
}

case!(tile_overwritten_before_the_product_is_waited_for, 1 x 128, CopyInFlight, tiles!(
    "wgmma.commit_group.sync.aligned;",
    "wgmma.wait_group.sync.aligned 0; // right",
    "bar.sync 0;",
    "st.shared.u32 [%r20], %r1; // BUG %rd21, 0, 1, 1, 0, 0; no `wgmma.wait_group` has waited"
));

case!(tile_of_a_group_that_is_never_closed, 1 x 128, CopyInFlight, tiles!(
    "wgmma.commit_group.sync.aligned; // right",
    "wgmma.wait_group.sync.aligned 0; bar.sync 0;",
    "st.shared.u32 [%r20], %r1; // BUG load by",
    "wgmma.commit_group.sync.aligned;"
));

case!(tile_of_a_group_that_may_be_on_its_way, 1 x 128, CopyInFlight, tiles!(
    "wgmma.commit_group.sync.aligned;",
    "wgmma.wait_group.sync.aligned 0; // right",
    "wgmma.wait_group.sync.aligned 1; // wrong",
    "bar.sync 0;",
    "st.shared.u32 [%r20], %r1; // BUG no `wgmma.wait_group` has waited"
));

case!(tile_that_a_later_group_reads_too, 1 x 128, CopyInFlight, tiles!(
    "wgmma.commit_group.sync.aligned;",
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f4, %f5, %f6, %f7}, %rd20, %rd21, 0, 1, 1, 0, 0;",
    "wgmma.commit_group.sync.aligned;",
    "wgmma.wait_group.sync.aligned 0; // right",
    "wgmma.wait_group.sync.aligned 1; // wrong",
    "bar.sync 0;",
    "st.shared.u32 [%r20+2048], %r1; // BUG {%f4, %f5, %f6, %f7}"
));

case!(tile_that_a_copy_overwrites_before_the_wait, 1 x 128, CopyInFlight, tiles!(
    "wgmma.commit_group.sync.aligned;",
    "wgmma.wait_group.sync.aligned 0; // right",
    "bar.sync 0;",
    "cp.async.ca.shared.global [%r20], [%rd4], 4; // BUG asynchronous copy here, load by"
));

case!(tile_that_a_bulk_copy_overwrites_before_the_wait, 1 x 128, CopyInFlight, tiles!(
    "wgmma.commit_group.sync.aligned;",
    "wgmma.wait_group.sync.aligned 0; // right",
    "bar.sync 0; @!%p9 bra $W; mbarrier.arrive.expect_tx.shared.b64 _, [bar], 256;",
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r10+1024], [%rd1], 256, [bar]; // BUG no `wgmma.wait_group`",
    "$W: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra $W;"
));

case!(tile_overwritten_without_a_barrier_behind_the_wait, 1 x 128, Race, tiles!(
    "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;",
    "bar.sync 0; // right",
    "@%p3 st.shared.u32 [%r20+-1536], %r1; // BUG load by"
));

case!(tile_overwritten_behind_a_barrier_before_the_wait, 1 x 128, Race, tiles!(
    "wgmma.commit_group.sync.aligned;",
    "bar.sync 0; // wrong",
    "wgmma.wait_group.sync.aligned 0;",
    "bar.sync 0; // right",
    "@%p3 st.shared.u32 [%r20+-1536], %r1; // BUG load by"
));

#[test]
fn a_lane_that_waited_may_free_the_tile_for_its_warp() {
    let body = tiles!(
        "wgmma.commit_group.sync.aligned; bar.sync 0; wgmma.wait_group.sync.aligned 0;",
        "setp.eq.u32 %p9, %r1, 7; @%p9 mbarrier.arrive.shared.b64 %rd22, [bar]; @!%p3 bra $E;",
        "$W: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra $W;",
        "st.shared.u32 [%r20+-1536], %r1;",
        "$E:"
    );
    let found = super::findings(body, [1, 128], 1);
    assert!(found.is_empty(), "{found:#?}");
}

/// CUTLASS frees a stage of its pipeline by an arrival of one thread of each warpgroup.
#[test]
fn a_lane_that_waited_may_free_the_tiles_of_its_warpgroup() {
    let body = tiles!(
        "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;",
        "setp.eq.u32 %p9, %r1, 7; @%p9 mbarrier.arrive.shared.b64 %rd22, [bar]; @!%p3 bra $E;",
        "$W: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra $W;",
        "st.shared.u32 [%r20+-1536], %r1; st.shared.u32 [%r20+-1024], %r1; st.shared.u32 [%r20+-512], %r1;",
        "$E:"
    );
    let found = super::findings(body, [1, 128], 1);
    assert!(found.is_empty(), "{found:#?}");
}

case!(tile_that_is_freed_before_the_product_is_waited_for, 1 x 128, CopyInFlight, tiles!(
    "wgmma.commit_group.sync.aligned; setp.eq.u32 %p9, %r1, 7;",
    "wgmma.wait_group.sync.aligned 0; // right",
    "@%p9 mbarrier.arrive.shared.b64 %rd22, [bar]; @!%p3 bra $E;",
    "$W: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra $W;",
    "st.shared.u32 [%r20+-512], %r1; // BUG no `wgmma.wait_group` has waited",
    "$E:"
));

/// The last warp comes to its product late: the first three wait for it, so that a tile that one of them frees has been read.
#[test]
fn a_product_is_done_where_all_warps_of_the_warpgroup_have_come_to_it() {
    let body = concat!(
        "mov.u32 %r20, %r10; setp.eq.u32 %p9, %r1, 0; @%p9 mbarrier.init.shared.b64 [bar], 1;\n",
        "mad.lo.u32 %r20, %r1, 16, %r10; mov.u32 %r21, 0x3c003c00; st.shared.v4.u32 [%r20], {%r21, %r21, %r21, %r21};\n",
        "setp.lt.u32 %p1, %r1, 16; @%p1 st.shared.v4.u32 [%r20+2048], {%r21, %r21, %r21, %r21}; fence.proxy.async;\n",
        "bar.sync 0; setp.ge.u32 %p3, %r1, 96; shr.u32 %r22, %r10, 4; cvt.u64.u32 %rd20, %r22; or.b64 %rd20, %rd20, 0x1000080000;\n",
        "add.u64 %rd21, %rd20, 128; @!%p3 bra $N; mov.u32 %r23, 0;\n",
        "$L: add.u32 %r23, %r23, 1; setp.lt.u32 %p4, %r23, 20000; @%p4 bra $L;\n",
        "$N: wgmma.fence.sync.aligned;\n",
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd20, %rd21, 0, 1, 1, 0, 0;\n",
        "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n",
        "@%p9 mbarrier.arrive.shared.b64 %rd22, [bar]; setp.lt.u32 %p5, %r1, 32; @!%p5 bra $E;\n",
        "$W: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra $W;\n",
        "mov.u32 %r21, 0; st.shared.v4.u32 [%r20+1536], {%r21, %r21, %r21, %r21};\n",
        "$E: st.global.f32 [%rd5], %f0;"
    );
    let found = super::findings(body, [1, 128], 1);
    assert!(found.is_empty(), "{found:#?}");
}

/// Two warps wait for the first phase of an mbarrier that takes two arrivals and some bytes.
macro_rules! phase {
    ($($arrive:literal),*) => {
        concat!(
            "setp.ne.u32 %p9, %r1, 0; @%p9 bra $B; mbarrier.init.shared.b64 [bar], 2;\n",
            $($arrive, "\n",)*
            "$B: bar.sync 0;\n",
            "$W:\n",
            "mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; // BUG nobody arrives any more\n",
            "@!%p1 bra $W;\n",
            "st.global.u32 [%rd5], %r1;"
        )
    };
}

case!(a_phase_that_lacks_an_arrival, 1 x 64, Deadlock, phase!(
    "mbarrier.arrive.shared.b64 %rd20, [bar];", "mbarrier.arrive.shared.b64 %rd20, [bar]; // right"
));

case!(a_phase_that_expects_bytes_which_no_copy_brings, 1 x 64, Deadlock, phase!(
    "mbarrier.arrive.shared.b64 %rd20, [bar];",
    "mbarrier.arrive.expect_tx.shared.b64 _, [bar], 64; // right\nmbarrier.arrive.expect_tx.shared.b64 _, [bar], 128; // wrong",
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r10], [%rd1], 64, [bar];"
));

#[test]
fn one_of_two_groups_may_be_in_flight_while_the_other_is_read() {
    let body = products!(
        "wgmma.commit_group.sync.aligned;",
        "wgmma.commit_group.sync.aligned;",
        "wgmma.wait_group.sync.aligned 1;"
    );
    // The first product's result is read, then the second one is waited for.
    let body = body.replace(
        "st.global.f32 [%rd5], %f12;",
        "wgmma.wait_group.sync.aligned 0; st.global.f32 [%rd5], %f12;",
    );
    let found = super::findings(&body, [1, 128], 1);
    assert!(found.is_empty(), "{found:#?}");
}
