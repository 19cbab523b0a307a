//! Accesses that nothing orders: barriers left out, flags without fences, atomics mixed with plain accesses.

use super::case;

case!(reduction_tree_without_its_barrier, 1 x 128, Race, "
    ld.global.u32 %r20, [%rd4]; st.shared.u32 [%r11], %r20;
    bar.sync 0;
    mov.u32 %r21, 64;
    $L: setp.ge.u32 %p1, %r1, %r21; @%p1 bra $N;
    mad.lo.u32 %r22, %r21, 4, %r11;
    ld.shared.u32 %r23, [%r22];
    ld.shared.u32 %r24, [%r11]; add.u32 %r24, %r24, %r23;
    st.shared.u32 [%r11], %r24; // BUG load by
    $N:
    bar.sync 0; // right
    shr.u32 %r21, %r21, 1; setp.ne.u32 %p2, %r21, 0; @%p2 bra $L;
    setp.ne.u32 %p3, %r1, 0; @%p3 bra $E; ld.shared.u32 %r25, [s]; st.global.u32 [%rd2], %r25;
    $E:
");

case!(scan_without_the_barrier_before_the_write, 1 x 64, Race, "
    st.shared.u32 [%r11], %r1; bar.sync 0;
    mov.u32 %r20, 4;
    $L: sub.u32 %r21, %r11, %r20; setp.lt.u32 %p1, %r21, %r10; mov.u32 %r22, 0;
    @!%p1 ld.shared.u32 %r22, [%r21];
    ld.shared.u32 %r23, [%r11]; add.u32 %r23, %r23, %r22;
    bar.sync 0; // right
    st.shared.u32 [%r11], %r23; // BUG load by
    bar.sync 0;
    shl.b32 %r20, %r20, 1; setp.lt.u32 %p2, %r20, 256; @%p2 bra $L;
    ld.shared.u32 %r24, [%r11]; st.global.u32 [%rd5], %r24;
");

case!(tile_overwritten_while_others_read, 1 x 64, Race, "
    mov.u32 %r20, 0; mov.u32 %r21, 0;
    $L: add.u32 %r22, %r20, %r1;
    st.shared.u32 [%r11], %r22;
    bar.sync 0;
    xor.b32 %r23, %r1, 63; mad.lo.u32 %r24, %r23, 4, %r10;
    ld.shared.u32 %r25, [%r24]; add.u32 %r21, %r21, %r25; // BUG store by
    bar.sync 0; // right
    add.u32 %r20, %r20, 1; setp.lt.u32 %p1, %r20, 4; @%p1 bra $L;
    st.global.u32 [%rd5], %r21;
");

case!(double_buffer_with_the_wrong_parity, 1 x 64, Race, "
    mov.u32 %r20, 0; mov.u32 %r21, 0; st.shared.u32 [%r11], %r1; st.shared.u32 [%r11+256], %r1; bar.sync 0;
    $L: and.b32 %r22, %r20, 1; mad.lo.u32 %r23, %r22, 256, %r11;
    xor.b32 %r24, %r1, 63; mad.lo.u32 %r25, %r24, 4, %r10; mad.lo.u32 %r25, %r22, 256, %r25;
    xor.b32 %r26, %r22, 1; mad.lo.u32 %r27, %r26, 256, %r11; // right
    mov.u32 %r27, %r23; // wrong
    ld.shared.u32 %r28, [%r25]; add.u32 %r21, %r21, %r28;
    st.shared.u32 [%r27], %r21; // BUG load by
    bar.sync 0;
    add.u32 %r20, %r20, 1; setp.lt.u32 %p1, %r20, 4; @%p1 bra $L;
    st.global.u32 [%rd5], %r21;
");

case!(one_thread_publishes_without_a_barrier, 2 x 64, Race, "
    setp.ne.u32 %p1, %r1, 0; @%p1 bra $W; mov.u32 %r20, 42; st.shared.u32 [s], %r20;
    $W:
    bar.sync 0; // right
    ld.shared.u32 %r21, [s]; // BUG store by
    st.global.u32 [%rd5], %r21;
");

case!(warp_exchange_without_a_warp_barrier, 1 x 32, Race, "
    st.shared.u32 [%r11], %r1;
    bar.warp.sync 0xffffffff; // right
    xor.b32 %r20, %r4, 1; mad.lo.u32 %r21, %r20, 4, %r10;
    ld.shared.u32 %r22, [%r21]; // BUG store by
    st.global.u32 [%rd5], %r22;
");

case!(warp_barrier_where_the_block_has_to_meet, 1 x 64, Race, "
    st.shared.u32 [%r11], %r1;
    bar.sync 0; // right
    bar.warp.sync 0xffffffff; // wrong
    xor.b32 %r20, %r1, 32; mad.lo.u32 %r21, %r20, 4, %r10;
    ld.shared.u32 %r22, [%r21]; // BUG store by
    st.global.u32 [%rd5], %r22;
");

case!(a_shuffle_is_no_barrier, 1 x 32, Race, "
    st.shared.u32 [%r11], %r1;
    bar.warp.sync 0xffffffff; // right
    shfl.sync.idx.b32 %r20, %r1, 0, 31, 0xffffffff;
    xor.b32 %r20, %r4, 7; mad.lo.u32 %r21, %r20, 4, %r10;
    ld.shared.u32 %r22, [%r21]; // BUG store by
    st.global.u32 [%rd5], %r22;
");

case!(histogram_without_atomics, 1 x 64, Race, "
    setp.ge.u32 %p1, %r1, 8; @%p1 bra $Z; st.shared.u32 [%r11], 0;
    $Z: bar.sync 0;
    and.b32 %r20, %r1, 7; mad.lo.u32 %r21, %r20, 4, %r10;
    red.shared.add.u32 [%r21], 1; // right
    ld.shared.u32 %r22, [%r21]; add.u32 %r22, %r22, %r1; // wrong
    st.shared.u32 [%r21], %r22; // BUG by block // wrong
    bar.sync 0;
    @%p1 bra $E; ld.shared.u32 %r23, [%r11]; st.global.u32 [%rd5], %r23;
    $E:
");

case!(histogram_not_cleared_before_others_add, 1 x 64, Race, "
    setp.ge.u32 %p1, %r1, 8; @%p1 bra $Z; st.shared.u32 [%r11], 0;
    $Z:
    bar.sync 0; // right
    xor.b32 %r20, %r1, 1; and.b32 %r20, %r20, 7; mad.lo.u32 %r21, %r20, 4, %r10;
    red.shared.add.u32 [%r21], 1; // BUG store by
    bar.sync 0;
    @%p1 bra $E; ld.shared.u32 %r23, [%r11]; st.global.u32 [%rd5], %r23;
    $E:
");

case!(plain_store_beside_atomics_in_global_memory, 1 x 64, Race, "
    atom.global.add.u32 %r20, [%rd2], 1;
    setp.ne.u32 %p1, %r1, 0; @%p1 bra $E;
    atom.global.exch.b32 %r21, [%rd2], 7; // right
    st.global.u32 [%rd2], 7; // BUG atomic by // wrong
    $E:
");

case!(plain_load_of_a_counter_others_add_to, 2 x 32, Race, "
    atom.global.add.u32 %r20, [%rd2], 1;
    ld.relaxed.gpu.global.u32 %r21, [%rd2]; // right
    ld.global.u32 %r21, [%rd2]; // BUG atomic by // wrong
    st.global.u32 [%rd6], %r21;
");

case!(blocks_write_overlapping_ranges, 2 x 32, Race, "
    mad.lo.u32 %r20, %r2, 32, %r1; // right
    mad.lo.u32 %r20, %r2, 31, %r1; // wrong
    mul.wide.u32 %rd20, %r20, 4; add.u64 %rd20, %rd2, %rd20;
    st.global.u32 [%rd20], %r3; // BUG store by
");

case!(a_block_reads_what_another_writes, 2 x 32, Race, "
    st.global.u32 [%rd5], %r3;
    xor.b32 %r20, %r3, 1; // right
    xor.b32 %r20, %r3, 32; // wrong
    bar.sync 0;
    mul.wide.u32 %rd20, %r20, 4; add.u64 %rd20, %rd2, %rd20;
    ld.global.u32 %r21, [%rd20]; // BUG store by
    st.global.u32 [%rd6], %r21;
");

case!(flag_without_a_fence, 2 x 32, Race, "
    setp.ne.u32 %p1, %r1, 0; @%p1 bra $E; setp.ne.u32 %p2, %r2, 0; @%p2 bra $W;
    st.global.u32 [%rd2+64], 17;
    membar.gl; // right
    st.volatile.global.u32 [%rd2], 1; bra.uni $E;
    $W: ld.volatile.global.u32 %r20, [%rd2]; setp.eq.u32 %p3, %r20, 0; @%p3 bra $W;
    membar.gl;
    ld.global.u32 %r21, [%rd2+64]; // BUG store by
    st.global.u32 [%rd2+128], %r21;
    $E:
");

case!(flag_whose_reader_does_not_acquire, 2 x 32, Race, "
    setp.ne.u32 %p1, %r1, 0; @%p1 bra $E; setp.ne.u32 %p2, %r2, 0; @%p2 bra $W;
    st.global.u32 [%rd2+64], 17; st.release.gpu.global.u32 [%rd2], 1; bra.uni $E;
    $W:
    ld.acquire.gpu.global.u32 %r20, [%rd2]; // right
    ld.relaxed.gpu.global.u32 %r20, [%rd2]; // wrong
    setp.eq.u32 %p3, %r20, 0; @%p3 bra $W;
    ld.global.u32 %r21, [%rd2+64]; // BUG store by
    st.global.u32 [%rd2+128], %r21;
    $E:
");

case!(release_of_the_block_only, 2 x 32, Race, "
    setp.ne.u32 %p1, %r1, 0; @%p1 bra $E; setp.ne.u32 %p2, %r2, 0; @%p2 bra $W;
    st.global.u32 [%rd2+64], 17;
    fence.acq_rel.gpu; // right
    fence.acq_rel.cta; // wrong
    st.relaxed.gpu.global.u32 [%rd2], 1; bra.uni $E;
    $W: ld.acquire.gpu.global.u32 %r20, [%rd2]; setp.eq.u32 %p3, %r20, 0; @%p3 bra $W;
    ld.global.u32 %r21, [%rd2+64]; // BUG store by
    st.global.u32 [%rd2+128], %r21;
    $E:
");

case!(lock_released_without_order, 4 x 32, Race, "
    setp.ne.u32 %p1, %r1, 0; @%p1 bra $E;
    $W: atom.acquire.gpu.global.cas.b32 %r20, [%rd2], 0, 1; setp.ne.u32 %p2, %r20, 0; @%p2 bra $W;
    ld.global.u32 %r21, [%rd2+64]; add.u32 %r21, %r21, 1;
    st.global.u32 [%rd2+64], %r21; // BUG nothing orders
    atom.release.gpu.global.exch.b32 %r22, [%rd2], 0; // right
    atom.relaxed.gpu.global.exch.b32 %r22, [%rd2], 0; // wrong
    $E:
");

case!(last_block_sums_without_a_fence, 4 x 32, Race, "
    setp.ne.u32 %p1, %r1, 0; @%p1 bra $E;
    mul.wide.u32 %rd20, %r2, 4; add.u64 %rd21, %rd2, %rd20; st.global.u32 [%rd21+64], %r2;
    membar.gl; // right
    atom.global.add.u32 %r20, [%rd2], 1; setp.ne.u32 %p2, %r20, 3; @%p2 bra $E;
    membar.gl;
    ld.global.v4.u32 {%r21, %r22, %r23, %r24}, [%rd2+64]; // BUG store by
    add.u32 %r21, %r21, %r24; st.global.u32 [%rd2+128], %r21;
    $E:
");

case!(overwritten_by_a_warp_that_read_before_and_after_the_other, 1 x 64, Race, "
    setp.lt.u32 %p1, %r1, 32; @!%p1 bra $A; st.shared.u32 [%r11], %r1;
    $A: bar.sync 0;
    xor.b32 %r20, %r4, 1; mad.lo.u32 %r21, %r20, 4, %r10; mov.u32 %r22, 0;
    @%p1 bra $F; nanosleep.u32 20; ld.shared.u32 %r22, [%r21]; bra.uni $S;
    $F: ld.shared.u32 %r22, [%r21]; nanosleep.u32 20; nanosleep.u32 20; nanosleep.u32 20;
    xor.b32 %r24, %r4, 2; mad.lo.u32 %r25, %r24, 4, %r10; ld.shared.u32 %r23, [%r25];
    add.u32 %r22, %r22, %r23;
    $S: bar.warp.sync 0xffffffff;
    bar.sync 0; // right
    @%p1 st.shared.u32 [%r11], %r22; // BUG load by
    bar.sync 0; st.global.u32 [%rd5], %r22;
");

case!(non_coherent_load_of_what_the_thread_has_stored, 1 x 32, Race, "
    st.global.u32 [%rd5], %r1;
    ld.global.u32 %r20, [%rd5]; // right
    ld.global.nc.u32 %r20, [%rd5]; // BUG loads by .nc // wrong
    ld.global.nc.u32 %r21, [%rd4]; add.u32 %r20, %r20, %r21; st.global.u32 [%rd6], %r20;
");

case!(non_coherent_load_behind_a_barrier, 1 x 64, Race, "
    xor.b32 %r20, %r1, 33; mul.wide.u32 %rd20, %r20, 4; add.u64 %rd21, %rd2, %rd20;
    st.global.u32 [%rd5], %r1; bar.sync 0;
    ld.global.u32 %r21, [%rd21]; // right
    ld.global.nc.L1::evict_last.u32 %r21, [%rd21]; // BUG loads by .nc // wrong
    st.global.u32 [%rd6], %r21;
");

case!(counter_set_by_the_first_thread_that_counts, 1 x 64, Race, "
    setp.ne.u32 %p1, %r1, 0; mov.u32 %r20, 0; @!%p1 st.shared.u32 [s], %r20;
    bar.sync 0; // right
    atom.shared.add.u32 %r21, [s], 1; // BUG store by
    st.global.u32 [%rd5], %r21;
");

case!(counter_read_before_others_go_on_counting, 1 x 32, Race, "
    setp.ne.u32 %p1, %r1, 0; mov.u32 %r20, 0; @!%p1 st.shared.u32 [s], %r20; bar.sync 0;
    @!%p1 ld.shared.u32 %r20, [s];
    bar.sync 0; // right
    atom.shared.add.u32 %r21, [s], %r20; // BUG load by
    st.global.u32 [%rd5], %r21;
");

case!(counter_in_memory_set_by_the_block_that_counts_first, 2 x 32, Race, "
    or.b32 %r20, %r1, %r2; setp.ne.u32 %p1, %r20, 0; mov.u32 %r21, 5;
    @!%p1 st.global.u32 [%rd2], %r21; // wrong
    atom.global.add.u32 %r22, [%rd2], 1; // BUG store by
");

case!(mbarrier_given_up_for_one_warp_while_another_asks, 1 x 64, Race, "
    mov.u32 %r20, bar; setp.ne.u32 %p1, %r1, 0;
    mov.u32 %r21, 32; // right
    mov.u32 %r21, 64; // wrong
    @!%p1 mbarrier.init.shared.b64 [%r20], %r21; bar.sync 0;
    setp.ge.u32 %p2, %r1, %r21; @%p2 bra $E;
    mbarrier.arrive.shared.b64 %rd20, [%r20];
    $W: mbarrier.test_wait.shared.b64 %p3, [%r20], %rd20; @!%p3 bra $W;
    @!%p1 mbarrier.inval.shared.b64 [%r20]; // BUG load by
    $E:
");

case!(read_by_all_and_written_by_the_last_to_read, 1 x 64, Race, "
    ld.global.u32 %r20, [%rd1];
    bar.sync 0; // right
    setp.eq.u32 %p1, %r1, 63; @%p1 st.global.u32 [%rd1], %r1; // BUG load by
    st.global.u32 [%rd5], %r20;
");
