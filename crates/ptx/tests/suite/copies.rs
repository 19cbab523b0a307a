//! Asynchronous copies: what arrives, and when. A program that reads before it waits sees the old bytes.

use crate::common::{Arg, Device, kernel, parse};
use segra_ptx::{
    FaultReason, Finding, LaunchConfig, OutOfBoundsFill, RaceCause, Swizzle, TensorMap, launch,
};

/// One warp; `%r1` the lane, `%r2` the address of 1 KiB of shared memory that holds 7 in every word, `%rd1` the input
/// (lane `l` at `%rd3` reads 16 bytes of words `4 l …`), `%r0` the result.
fn run(body: &str) -> (Vec<u32>, Vec<Finding>) {
    let head = ".shared .align 128 .b8 s[1024]; .shared .align 8 .b8 bar[16];
        ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %laneid; mov.u32 %r2, s;
        mul.wide.u32 %rd4, %r1, 16; add.u64 %rd3, %rd1, %rd4; mad.lo.u32 %r3, %r1, 16, %r2;
        mad.lo.u32 %r4, %r1, 32, %r2; st.shared.v4.u32 [%r4], {7, 7, 7, 7}; st.shared.v4.u32 [%r4+16], {7, 7, 7, 7}; bar.sync 0;";
    let tail = "mul.wide.u32 %rd5, %r1, 4; add.u64 %rd6, %rd2, %rd5; st.global.u32 [%rd6], %r0;";
    let module = parse(&kernel(
        "k",
        ".param .u64 in, .param .u64 out",
        &format!("{head}\n{body}\n{tail}"),
    ));
    let mut device = Device::new();
    let input: Vec<u32> = (100..356).collect();
    let (input, out) = (
        device.buffer("in", &input),
        device.buffer("out", &[0u32; 32]),
    );
    let args = [Arg::U64(input), Arg::U64(out)];
    let stats = device
        .try_launch(&module, "k", [1; 3], [32, 1, 1], &args)
        .expect("no fault");
    (device.read(out, 32), stats.findings)
}

fn expect(body: &str, f: impl Fn(u32) -> u32) {
    let wanted: Vec<u32> = (0..32).map(f).collect();
    assert_eq!(run(body), (wanted, vec![]), "{body}");
}

/// The program reads what a copy brings before it has waited, sees the old bytes, and is told.
fn expect_early(body: &str, f: impl Fn(u32) -> u32) {
    let wanted: Vec<u32> = (0..32).map(f).collect();
    let (found, findings) = run(body);
    assert_eq!(found, wanted, "{body}");
    let in_flight = |finding: &Finding| matches!(&finding.report.reason, FaultReason::Race(race) if race.cause == RaceCause::CopyInFlight);
    assert!(
        !findings.is_empty() && findings.iter().all(in_flight),
        "{body}: {findings:?}"
    );
}

#[test]
fn a_copy_arrives_when_its_group_is_waited_for() {
    let copy = "cp.async.cg.shared.global [%r3], [%rd3], 16; cp.async.commit_group;";
    expect_early(&format!("{copy} ld.shared.u32 %r0, [%r3];"), |_| 7);
    expect_early(
        &format!("{copy} bar.sync 0; ld.shared.u32 %r0, [%r3];"),
        |_| 7,
    );
    expect_early(
        &format!("{copy} cp.async.wait_group 1; ld.shared.u32 %r0, [%r3];"),
        |_| 7,
    );
    expect(
        &format!("{copy} cp.async.wait_group 0; ld.shared.u32 %r0, [%r3];"),
        |l| 100 + 4 * l,
    );
    expect(
        &format!("{copy} cp.async.wait_all; ld.shared.u32 %r0, [%r3+12];"),
        |l| 103 + 4 * l,
    );
    // Not committed: only wait_all waits for it.
    let open = "cp.async.ca.shared.global [%r3], [%rd3], 4;";
    expect_early(
        &format!("{open} cp.async.wait_group 0; ld.shared.u32 %r0, [%r3];"),
        |_| 7,
    );
    expect(
        &format!("{open} cp.async.wait_all; ld.shared.u32 %r0, [%r3];"),
        |l| 100 + 4 * l,
    );
}

#[test]
fn groups_arrive_oldest_first_and_each_thread_has_its_own() {
    let two = "cp.async.ca.shared.global [%r3], [%rd3], 4; cp.async.commit_group;
        cp.async.ca.shared.global [%r3+512], [%rd3+4], 4; cp.async.commit_group;";
    let read =
        "ld.shared.u32 %r5, [%r3]; ld.shared.u32 %r6, [%r3+512]; mad.lo.u32 %r0, %r6, 1000, %r5;";
    expect_early(&format!("{two} cp.async.wait_group 2; {read}"), |_| 7007);
    expect_early(&format!("{two} cp.async.wait_group 1; {read}"), |l| {
        7000 + 100 + 4 * l
    });
    expect(&format!("{two} cp.async.wait_group 0; {read}"), |l| {
        1000 * (101 + 4 * l) + 100 + 4 * l
    });
    // Even lanes commit an empty group more, so their first copies are older by one.
    let uneven = "and.b32 %r7, %r1, 1; setp.eq.u32 %p1, %r7, 0; @%p1 cp.async.commit_group;";
    expect_early(
        &format!("{two} {uneven} cp.async.wait_group 2; {read}"),
        |l| 7000 + if l % 2 == 0 { 100 + 4 * l } else { 7 },
    );
}

#[test]
fn copies_fill_with_zeros() {
    let all = "cp.async.commit_group; cp.async.wait_group 0;";
    let sum = "ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [%r3]; add.u32 %r0, %r5, %r6; add.u32 %r0, %r0, %r7; add.u32 %r0, %r0, %r8;";
    expect(
        &format!("cp.async.cg.shared.global [%r3], [%rd3], 16, 8; {all} {sum}"),
        |l| 201 + 8 * l,
    );
    expect(
        &format!("cp.async.cg.shared.global [%r3], [%rd3], 16, 12; {all} {sum}"),
        |l| 303 + 12 * l,
    );
    // Nothing is read, so the address may be anything.
    expect(
        &format!("mov.u64 %rd3, 16; cp.async.cg.shared.global [%r3], [%rd3], 16, 0; {all} {sum}"),
        |_| 0,
    );
    let odd = "and.b32 %r9, %r1, 1; setp.eq.u32 %p1, %r9, 1;";
    expect(
        &format!("{odd} cp.async.cg.shared.global [%r3], [%rd3], 16, %p1; {all} {sum}"),
        |l| {
            if l % 2 == 1 { 0 } else { 406 + 16 * l }
        },
    );
    expect(
        &format!(
            "{odd} cp.async.cg.shared.global.L2::cache_hint [%r3], [%rd3], 16, %rd9; {all} {sum}"
        ),
        |l| 406 + 16 * l,
    );
}

#[test]
fn copies_are_checked_when_they_are_issued() {
    let body = "ld.param.u64 %rd1, [in]; .shared .align 16 .b8 s[64]; mov.u32 %r2, s;\ncp.async.cg.shared.global [%r2], [%rd1+OFF], 16;";
    for (offset, text) in [("8", "misaligned"), ("64", "out of bounds")] {
        let module = parse(&kernel("k", ".param .u64 in", &body.replace("OFF", offset)));
        let mut device = Device::new();
        let input = device.buffer("in", &[0u32; 16]);
        let fault = device
            .try_launch(&module, "k", [1; 3], [32, 1, 1], &[Arg::U64(input)])
            .expect_err("the launch must fail");
        assert!(
            fault.to_string().contains(text) && fault.text.starts_with("cp.async"),
            "{fault}"
        );
    }
}

#[test]
fn barrier_objects_count_arrivals_in_phases() {
    let init = "setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [bar], 32; bar.sync 0;";
    let test = "mbarrier.test_wait.parity.shared.b64 %p2, [bar], 0; selp.u32 %r0, 1, 0, %p2;";
    expect(&format!("{init} {test}"), |_| 0);
    let arrive = "mbarrier.arrive.shared.b64 %rd7, [bar];";
    expect(&format!("{init} {arrive} {test}"), |_| 1);
    // Parity 1 stands for the phase before the first, which counts as ended.
    expect(
        &format!(
            "{init} mbarrier.try_wait.parity.shared.b64 %p2, [bar], 1; selp.u32 %r0, 1, 0, %p2;"
        ),
        |_| 1,
    );
    // The token of the last arrival belongs to a phase that has ended by then.
    expect(
        &format!(
            "{init} {arrive} bar.sync 0; mbarrier.test_wait.acquire.cta.shared.b64 %p2, [bar], %rd7; selp.u32 %r0, 1, 0, %p2;"
        ),
        |_| 1,
    );
    expect(
        &format!("{init} {arrive} mbarrier.pending_count.b64 %r0, %rd7;"),
        |l| 32 - l,
    );
    // Half of the threads leave; the other half makes up the second phase.
    expect(
        &format!(
            "{init} setp.lt.u32 %p3, %r1, 16; @%p3 mbarrier.arrive_drop.shared.b64 _, [bar]; @!%p3 {arrive} bar.sync 0;
             @!%p3 {arrive} bar.sync 0; mbarrier.test_wait.parity.shared.b64 %p2, [bar], 1; selp.u32 %r0, 1, 0, %p2;"
        ),
        |_| 1,
    );
    expect(
        &format!(
            "{init} setp.lt.u32 %p3, %r1, 8; @%p3 mbarrier.arrive.release.cta.shared.b64 _, [bar], 4; bar.sync 0; {test}"
        ),
        |_| 1,
    );
}

#[test]
fn transaction_bytes_hold_a_phase_open() {
    let init = "setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [bar], 1; bar.sync 0;";
    let test = "mbarrier.test_wait.parity.shared.b64 %p2, [bar], 0; selp.u32 %r0, 1, 0, %p2;";
    let expect_tx =
        "@%p1 mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [bar], 64; bar.sync 0;";
    expect(&format!("{init} {expect_tx} {test}"), |_| 0);
    let complete = "@%p1 mbarrier.complete_tx.shared.b64 [bar], 64; bar.sync 0;";
    expect(&format!("{init} {expect_tx} {complete} {test}"), |_| 1);
    expect(
        &format!(
            "{init} @%p1 mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], 64; @%p1 mbarrier.arrive.shared.b64 %rd7, [bar]; {complete} {test}"
        ),
        |_| 1,
    );
}

#[test]
fn copies_can_arrive_at_a_barrier_object() {
    let init = "setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [bar], 32; bar.sync 0;";
    let copy = "cp.async.cg.shared.global [%r3], [%rd3], 16; cp.async.mbarrier.arrive.noinc.shared.b64 [bar]; bar.sync 0;";
    expect_early(&format!("{init} {copy} ld.shared.u32 %r0, [%r3];"), |_| 7);
    let wait = "W: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra W;";
    expect(
        &format!("{init} {copy} {wait} ld.shared.u32 %r0, [%r3];"),
        |l| 100 + 4 * l,
    );
    let counted = "cp.async.cg.shared.global [%r3], [%rd3], 16; cp.async.mbarrier.arrive.shared.b64 [bar]; bar.sync 0;";
    // Without .noinc the arrival makes up for itself, so the phase needs the 32 others still.
    let test = "mbarrier.test_wait.parity.shared.b64 %p2, [bar], 0; selp.u32 %r0, 1, 0, %p2;";
    expect(&format!("{init} {counted} {test}"), |_| 0);
    expect(
        &format!("{init} {counted} mbarrier.arrive.shared.b64 %rd7, [bar]; {test}"),
        |_| 1,
    );
}

#[test]
fn bulk_copies_move_bytes_both_ways() {
    let init = "setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [bar], 1; fence.proxy.async.shared::cta; bar.sync 0;";
    let copy = "@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 512;
        @%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd1], 512, [bar]; bar.sync 0;";
    expect_early(&format!("{init} {copy} ld.shared.u32 %r0, [%r3];"), |_| 7);
    let wait = "W: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra W;";
    expect(
        &format!("{init} {copy} {wait} ld.shared.u32 %r0, [%r3];"),
        |l| 100 + 4 * l,
    );
    // To global memory: the input's first words become sevens once the group is waited for.
    let store = "fence.proxy.async.shared::cta; bar.sync 0; @%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r2], 256; @%p1 cp.async.bulk.commit_group; bar.sync 0;";
    let read = "mul.wide.u32 %rd8, %r1, 8; add.u64 %rd8, %rd1, %rd8; ld.global.u32 %r0, [%rd8];";
    let after = |wait: &str| format!("setp.eq.u32 %p1, %r1, 0; {store} {wait} bar.sync 0; {read}");
    let early = |l| 100 + 2 * l;
    let late = "cp.async.bulk.wait_group.read 0;";
    expect_early(&format!("{} {late}", after("")), early);
    let one = after("@%p1 cp.async.bulk.wait_group 1;");
    expect_early(&format!("{one} {late}"), early);
    // The source is read then, but nothing is promised about what was written.
    expect_early(&after("@%p1 cp.async.bulk.wait_group.read 0;"), early);
    expect(&after("@%p1 cp.async.bulk.wait_group 0;"), |_| 7);
    let overwritten = "@%p1 cp.async.bulk.wait_group.read 0; bar.sync 0; st.shared.u32 [%r3], 9;
        @%p1 cp.async.bulk.wait_group 0;";
    expect(&after(overwritten), |_| 7);
}

#[test]
fn a_phase_that_overflows_is_a_fault() {
    let body = ".shared .align 8 .b8 bar[8]; mov.u32 %r1, %laneid; setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [bar], 2; bar.sync 0;\nmbarrier.arrive.shared.b64 _, [bar], 3;";
    let module = parse(&kernel("k", "", body));
    let fault = Device::new()
        .try_launch(&module, "k", [1; 3], [32, 1, 1], &[])
        .expect_err("must fail");
    assert!(
        fault
            .to_string()
            .contains("3 arrivals at an mbarrier that expects 2 more"),
        "{fault}"
    );
}

/// Copies a box of a 20 × 9 tensor of words (row stride 128 bytes) at (`x`, `y`) to shared memory and its raw bytes
/// out.
fn tensor_box(x: i32, y: i32, swizzle: Swizzle, fill: OutOfBoundsFill) -> Vec<u32> {
    let body = format!(
        ".shared .align 1024 .b8 s[512]; .shared .align 8 .b8 bar[8];
         mov.b64 %rd1, map; cvta.param.u64 %rd2, %rd1; ld.param.u64 %rd3, [out]; mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 0;
         @%p1 mbarrier.init.shared.b64 [bar], 1; bar.sync 0;
         mov.u32 %r3, {x}; mov.u32 %r4, {y}; mov.u32 %r5, s;
         @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 512;
         @%p1 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r5], [%rd2, {{%r3, %r4}}], [bar];
         W: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra W;
         mad.lo.u32 %r6, %r1, 4, %r5; ld.shared.u32 %r7, [%r6]; mul.wide.u32 %rd4, %r1, 4; add.u64 %rd4, %rd3, %rd4; st.global.u32 [%rd4], %r7;"
    );
    let module = parse(&kernel(
        "k",
        ".param .align 64 .b8 map[128], .param .u64 out",
        &body,
    ));
    let mut device = Device::new();
    let input: Vec<u32> = (0..9 * 32).map(|at| 1000 * (at / 32) + at % 32).collect();
    let (input, out) = (
        device.buffer("in", &input),
        device.buffer("out", &[0u32; 128]),
    );
    let map = TensorMap {
        address: input,
        element_bytes: 4,
        extents: vec![20, 9],
        strides: vec![128],
        box_extents: vec![16, 8],
        swizzle,
        fill,
        ..TensorMap::default()
    };
    let mut params = map.to_bytes().expect("a legal map").to_vec();
    params.extend(out.to_le_bytes());
    let config = LaunchConfig {
        grid: [1; 3],
        block: [128, 1, 1],
        dynamic_shared: 0,
    };
    launch(
        &module,
        "k",
        &config,
        &params,
        &device.memory,
        &device.options,
    )
    .unwrap_or_else(|f| panic!("{f}"));
    device.read(out, 128)
}

#[test]
fn a_box_of_a_tensor_arrives_in_rows() {
    let wanted = |x: i32, y: i32, outside: u32| -> Vec<u32> {
        let at = |row: i32, column: i32| {
            let inside = (0..9).contains(&row) && (0..20).contains(&column);
            if inside {
                (1000 * row + column) as u32
            } else {
                outside
            }
        };
        (0..128).map(|i| at(y + i / 16, x + i % 16)).collect()
    };
    assert_eq!(
        tensor_box(0, 0, Swizzle::None, OutOfBoundsFill::Zero),
        wanted(0, 0, 0)
    );
    assert_eq!(
        tensor_box(8, 5, Swizzle::None, OutOfBoundsFill::Zero),
        wanted(8, 5, 0)
    );
    assert_eq!(
        tensor_box(-3, -2, Swizzle::None, OutOfBoundsFill::Nan),
        wanted(-3, -2, u32::MAX)
    );
    // Rows of 64 bytes: units of 16 bytes change places by bits 7 and 8 of the address.
    let plain = wanted(2, 1, 0);
    let swizzled = tensor_box(2, 1, Swizzle::Bytes64, OutOfBoundsFill::Zero);
    for (at, &word) in plain.iter().enumerate() {
        assert_eq!(swizzled[at ^ (at >> 5 & 3) << 2], word, "word {at}");
    }
}

#[test]
fn a_parameter_that_is_no_tensor_map_is_a_fault() {
    let body = ".shared .align 128 .b8 s[512]; .shared .align 8 .b8 bar[8]; mov.b64 %rd1, map; cvta.param.u64 %rd2, %rd1; mov.u32 %r5, s; mbarrier.init.shared.b64 [bar], 1;
        cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%r5], [%rd2, {0}], [bar];";
    let module = parse(&kernel("k", ".param .align 64 .b8 map[128]", body));
    let device = Device::new();
    let config = LaunchConfig {
        grid: [1; 3],
        block: [1, 1, 1],
        dynamic_shared: 0,
    };
    let fault = launch(
        &module,
        "k",
        &config,
        &[1; 128],
        &device.memory,
        &device.options,
    )
    .expect_err("must fail");
    assert!(fault.to_string().contains("not a tensor map"), "{fault}");
}
