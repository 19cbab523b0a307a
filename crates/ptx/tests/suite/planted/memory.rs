//! Accesses to what is not there, not aligned, not writable or not written.

use super::case;

case!(one_past_the_end_of_a_buffer, 1 x 32, OutOfBounds, "
    setp.ne.u32 %p1, %r1, 31; @%p1 bra $E;
    ld.global.u32 %r20, [%rd1+4092]; // right
    ld.global.u32 %r20, [%rd1+4096]; // BUG just past // wrong
    st.global.u32 [%rd5], %r20;
    $E:
");

case!(guard_that_lets_one_thread_too_many, 9 x 128, OutOfBounds, "
    setp.ge.u32 %p1, %r3, 1024; // right
    setp.gt.u32 %p1, %r3, 1024; // wrong
    @%p1 bra $E; st.global.u32 [%rd5], %r3; // BUG store of 4 bytes
    $E:
");

case!(before_the_start_of_a_buffer, 1 x 32, OutOfBounds, "
    max.s32 %r20, %r1, 1; // right
    mov.u32 %r20, %r1; // wrong
    sub.s32 %r20, %r20, 1; mul.wide.s32 %rd20, %r20, 4; add.u64 %rd20, %rd1, %rd20;
    ld.global.u32 %r21, [%rd20]; // BUG load of 4 bytes
    st.global.u32 [%rd5], %r21;
");

case!(vector_that_reaches_past_the_end, 1 x 32, OutOfBounds, "
    mul.wide.u32 %rd20, %r1, 16; add.u64 %rd20, %rd1, %rd20;
    ld.global.v4.u32 {%r20, %r21, %r22, %r23}, [%rd20+3584]; // right
    ld.global.v4.u32 {%r20, %r21, %r22, %r23}, [%rd20+3600]; // BUG load of 16 bytes // wrong
    st.global.u32 [%rd5], %r23;
");

case!(shared_memory_past_its_end, 1 x 64, OutOfBounds, "
    st.shared.u32 [%r11+3840], %r1; // right
    st.shared.u32 [%r11+3904], %r1; // BUG shared // wrong
");

case!(local_array_past_its_end, 1 x 32, OutOfBounds, "
    mov.u32 %r20, 0;
    $L: mul.wide.u32 %rd20, %r20, 4; mov.u64 %rd21, l; add.u64 %rd21, %rd21, %rd20;
    st.local.u32 [%rd21], %r20; // BUG local
    add.u32 %r20, %r20, 1;
    setp.lt.u32 %p1, %r20, 16; // right
    setp.le.u32 %p1, %r20, 16; // wrong
    @%p1 bra $L;
");

case!(vector_at_an_odd_address, 1 x 32, Misaligned, "
    mul.wide.u32 %rd20, %r1, 16; add.u64 %rd20, %rd1, %rd20;
    ld.global.v2.u32 {%r20, %r21}, [%rd20+8]; // right
    ld.global.v4.u32 {%r20, %r21, %r22, %r23}, [%rd20+8]; // BUG misaligned // wrong
    st.global.u32 [%rd5], %r21;
");

case!(shared_vector_at_an_odd_address, 1 x 32, Misaligned, "
    mad.lo.u32 %r20, %r1, 16, %r10; // right
    mad.lo.u32 %r20, %r1, 12, %r10; // wrong
    st.shared.v4.u32 [%r20], {%r1, %r1, %r1, %r1}; // BUG misaligned
");

case!(store_to_constant_memory, 1 x 32, ReadOnly, "
    mov.u64 %rd20, table;
    ld.const.u32 %r20, [%rd20]; st.global.u32 [%rd5], %r20; // right
    cvta.const.u64 %rd20, %rd20; st.u32 [%rd20], %r1; // BUG read-only const // wrong
");

case!(constant_table_read_past_its_end, 1 x 32, OutOfBounds, "
    and.b32 %r20, %r1, 3; // right
    and.b32 %r20, %r1, 7; // wrong
    mul.wide.u32 %rd20, %r20, 4; mov.u64 %rd21, table; add.u64 %rd21, %rd21, %rd20;
    ld.const.u32 %r21, [%rd21]; // BUG const
    st.global.u32 [%rd5], %r21;
");

case!(a_pointer_not_yet_computed, 1 x 32, OutOfBounds, "
    mov.u64 %rd20, 0;
    mov.u64 %rd20, %rd1; // right
    ld.global.u32 %r20, [%rd20]; // BUG address 0x0
    st.global.u32 [%rd5], %r20;
");

case!(buffer_that_nobody_filled, 1 x 32, UninitialisedMemory, "
    ld.global.u32 %r20, [%rd4]; // right
    ld.global.u32 %r20, [%rd6]; // BUG uninitialised global // wrong
    st.global.u32 [%rd5], %r20;
");

case!(shared_padding_that_is_summed, 1 x 32, UninitialisedMemory, "
    st.shared.u32 [%r11], %r1; bar.sync 0; setp.ne.u32 %p1, %r1, 0; @%p1 bra $E; mov.u32 %r20, 0; mov.u32 %r21, 0;
    $L: mad.lo.u32 %r22, %r20, 4, %r10;
    ld.shared.u32 %r23, [%r22]; add.u32 %r21, %r21, %r23; // BUG uninitialised shared
    add.u32 %r20, %r20, 1;
    setp.lt.u32 %p2, %r20, 32; // right
    setp.le.u32 %p2, %r20, 32; // wrong
    @%p2 bra $L; st.global.u32 [%rd2], %r21;
    $E:
");

case!(shared_accumulator_that_starts_nowhere, 1 x 32, UninitialisedMemory, "
    setp.eq.u32 %p1, %r1, 0;
    @%p1 st.shared.u32 [s], 0; // right
    bar.sync 0;
    atom.shared.add.u32 %r20, [s], %r1; // BUG atomic of 4 bytes
    bar.sync 0; ld.shared.u32 %r21, [s]; st.global.u32 [%rd5], %r21;
");

case!(local_slot_read_before_it_is_written, 1 x 32, UninitialisedMemory, "
    mov.u64 %rd20, l; st.local.u32 [%rd20], %r1;
    st.local.u32 [%rd20+4], %r1; // right
    ld.local.u32 %r20, [%rd20+4]; // BUG uninitialised local
    st.global.u32 [%rd5], %r20;
");

case!(register_written_on_one_side_only, 1 x 32, UninitialisedRegister, "
    setp.lt.u32 %p1, %r1, 16; @%p1 bra $T;
    mov.u32 %r20, 1; // right
    bra.uni $J;
    $T: mov.u32 %r20, 2;
    $J: add.u32 %r21, %r20, %r1; // BUG register
    st.global.u32 [%rd5], %r21;
");

case!(register_kept_in_local_memory, 1 x 32, UninitialisedRegister, "
    mov.u32 %r20, 7; // right
    st.local.u32 [l], %r20; st.local.v2.u32 [l+8], {%r1, %r21};
    ld.local.v2.u32 {%r22, %r23}, [l+8]; st.local.u32 [l+16], %r23; ld.local.u32 %r24, [l]; mov.u32 %r25, %r24;
    add.u32 %r26, %r25, %r22; // BUG register
    st.global.u32 [%rd5], %r26;
");

case!(register_stored_at_last, 1 x 32, UninitialisedRegister, "
    mov.u64 %rd20, l; cvta.local.u64 %rd20, %rd20; st.u32 [%rd20], %r20; ld.u32 %r21, [%rd20];
    mov.u32 %r21, 1; // right
    st.u32 [%rd5], %r21; // BUG register
");

case!(predicate_never_set, 1 x 32, UninitialisedRegister, "
    setp.lt.u32 %p5, %r1, 16; // right
    @%p5 st.global.u32 [%rd5], %r1; // BUG register
");

case!(shuffled_value_of_the_first_lane_that_has_one, 1 x 32, UninitialisedRegister, "
    .reg .b32 %v; setp.ne.u32 %p1, %r4, 0; @!%p1 ld.global.u32 %v, [%rd1];
    shfl.sync.idx.b32 %v, %v, 0, 31, -1; // right
    add.u32 %v, %v, 1; // BUG that no instruction has written
    st.global.u32 [%rd5], %v;
");
