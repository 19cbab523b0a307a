//! The checkers on patterns that are right, on their near misses, and what of them can be switched.

use crate::common::{Arg, Device, kernel, parse};
use segra_ptx::{Checks, FaultReason, Finding, Options, RaceCause};

/// `%r1` thread, `%r2` block, `%r3` blocks, `%rd1` data (zeros), `%rd2` flags (zeros), `%rd3` shared memory,
/// `%rd4` the thread's word of it.
const HEAD: &str =
    ".shared .align 16 .b8 tile[4096]; ld.param.u64 %rd1, [data]; ld.param.u64 %rd2, [flags];
    mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %nctaid.x; mov.u64 %rd3, tile;
    mul.wide.u32 %rd4, %r1, 4; add.u64 %rd4, %rd3, %rd4; st.shared.u32 [%rd4], 0; bar.sync 0;";

fn run_with(body: &str, grid: u32, block: u32, options: Options) -> (Vec<Finding>, Vec<u32>) {
    let module = parse(&kernel(
        "k",
        ".param .u64 data, .param .u64 flags",
        &format!("{HEAD}\n{body}"),
    ));
    let mut device = Device::new();
    device.options = options;
    let data = device.buffer("data", &[0u32; 1024]);
    let flags = device.buffer("flags", &[0u32; 1024]);
    let stats = device
        .try_launch(
            &module,
            "k",
            [grid, 1, 1],
            [block, 1, 1],
            &[Arg::U64(data), Arg::U64(flags)],
        )
        .unwrap_or_else(|fault| panic!("{fault}"));
    (stats.findings, device.read(data, 1024))
}

fn run(body: &str, grid: u32, block: u32) -> Vec<Finding> {
    run_with(body, grid, block, Options::default()).0
}

fn assert_clean(body: &str, grid: u32, block: u32) {
    for threads in [1, 4] {
        let (found, _) = run_with(
            body,
            grid,
            block,
            Options {
                threads: Some(threads),
                ..Options::default()
            },
        );
        assert!(found.is_empty(), "{}", found[0]);
    }
}

fn is_race(finding: &Finding) -> bool {
    matches!(finding.report.reason, FaultReason::Race(_))
}

/// Every block adds up its own part; the one that comes last adds up the parts.
const LAST_BLOCK: &str =
    "mad.lo.u32 %r4, %r2, 7, 1; mul.wide.u32 %rd5, %r2, 4; add.u64 %rd5, %rd1, %rd5;
    setp.ne.u32 %p1, %r1, 0; @%p1 bra $wait;
    st.global.u32 [%rd5], %r4;
    fence.acq_rel.gpu;
    atom.relaxed.gpu.global.add.u32 %r5, [%rd2], 1;
    fence.acq_rel.gpu;
    st.shared.u32 [%rd3], %r5;
    $wait: bar.sync 0;
    ld.shared.u32 %r5, [%rd3]; add.u32 %r6, %r5, 1; setp.ne.u32 %p2, %r6, %r3; @%p2 ret;
    setp.ge.u32 %p3, %r1, %r3; @%p3 ret;
    mul.wide.u32 %rd6, %r1, 4; add.u64 %rd6, %rd1, %rd6; ld.global.u32 %r7, [%rd6];
    red.global.add.u32 [%rd2+64], %r7;";

#[test]
fn a_last_block_reduction_is_clean() {
    assert_clean(LAST_BLOCK, 20, 64);
    // Fences of the atomic itself do as well.
    let folded = LAST_BLOCK
        .replace("fence.acq_rel.gpu;", "")
        .replace("atom.relaxed", "atom.acq_rel");
    assert_clean(&folded, 20, 64);
}

#[test]
fn a_last_block_reduction_without_its_fence_or_with_too_narrow_a_one_races() {
    for wrong in [
        LAST_BLOCK.replace("fence.acq_rel.gpu;", ""),
        LAST_BLOCK.replace("fence.acq_rel.gpu;", "fence.acq_rel.cta;"),
        LAST_BLOCK.replacen("fence.acq_rel.gpu;", "", 1),
    ] {
        let found = run(&wrong, 20, 64);
        assert_eq!(found.len(), 1, "{found:#?}");
        assert!(is_race(&found[0]));
        assert!(
            found[0].report.text.contains("ld.global.u32 %r7"),
            "{}",
            found[0]
        );
        assert!(found[0].to_string().contains("of `data`"), "{}", found[0]);
    }
}

/// Each block publishes its sum and a flag, and waits for the flag of the block before it.
const LOOK_BACK: &str =
    "setp.ne.u32 %p1, %r1, 0; @%p1 ret; mul.wide.u32 %rd5, %r2, 4; add.u64 %rd6, %rd1, %rd5;
    add.u64 %rd7, %rd2, %rd5; mov.u32 %r6, 0; setp.eq.u32 %p2, %r2, 0; @%p2 bra $publish;
    $spin: ld.acquire.gpu.global.u32 %r5, [%rd7+-4]; setp.eq.u32 %p3, %r5, 0; @%p3 bra $spin;
    ld.global.u32 %r6, [%rd6+-4];
    $publish: add.u32 %r7, %r6, %r2; st.global.u32 [%rd6], %r7; st.release.gpu.global.u32 [%rd7], 1;";

#[test]
fn a_decoupled_look_back_is_clean() {
    assert_clean(LOOK_BACK, 40, 32);
    let (_, data) = run_with(LOOK_BACK, 40, 32, Options::default());
    assert_eq!(data[39], 39 * 40 / 2);
    let volatile = LOOK_BACK
        .replace(
            "ld.acquire.gpu.global.u32 %r5, [%rd7+-4];",
            "ld.volatile.global.u32 %r5, [%rd7+-4]; membar.gl;",
        )
        .replace(
            "st.release.gpu.global.u32",
            "membar.gl; st.volatile.global.u32",
        );
    assert_clean(&volatile, 40, 32);
}

#[test]
fn a_look_back_whose_flag_does_not_release_or_acquire_races() {
    let relaxed_load = LOOK_BACK.replace("ld.acquire", "ld.relaxed");
    let relaxed_store = LOOK_BACK.replace("st.release", "st.relaxed");
    for wrong in [relaxed_load, relaxed_store] {
        let found = run(&wrong, 40, 32);
        assert!(!found.is_empty() && found.iter().all(is_race), "{found:#?}");
        assert!(
            found
                .iter()
                .any(|f| f.report.text.contains("data") || f.to_string().contains("of `data`"))
        );
    }
    let weak_flag = LOOK_BACK.replace("st.release.gpu.global", "st.global");
    assert!(
        run(&weak_flag, 40, 32)
            .iter()
            .any(|f| f.to_string().contains("of `flags`"))
    );
    let narrow = LOOK_BACK.replace("st.release.gpu", "st.release.cta");
    let found = run(&narrow, 40, 32);
    let cause = |f: &Finding| matches!(&f.report.reason, FaultReason::Race(race) if race.cause != RaceCause::Unordered);
    assert!(found.iter().any(cause), "{found:#?}");
}

#[test]
fn knowledge_travels_from_block_to_block() {
    // Block 2 acquires from block 1 what block 1 had acquired from block 0.
    let chain = "setp.ne.u32 %p1, %r1, 0; @%p1 ret; setp.eq.u32 %p1, %r2, 1; setp.eq.u32 %p2, %r2, 2; @%p1 bra $one; @%p2 bra $two;
        st.global.u32 [%rd1], 5; st.release.gpu.global.u32 [%rd2], 1; ret;
        $one: ld.acquire.gpu.global.u32 %r4, [%rd2]; setp.eq.u32 %p3, %r4, 0; @%p3 bra $one; st.release.gpu.global.u32 [%rd2+4], 1; ret;
        $two: ld.acquire.gpu.global.u32 %r4, [%rd2+4]; setp.eq.u32 %p3, %r4, 0; @%p3 bra $two; ld.global.u32 %r5, [%rd1];";
    assert_clean(chain, 3, 32);
    let found = run(
        &chain.replace("$one: ld.acquire.gpu", "$one: ld.relaxed.gpu"),
        3,
        32,
    );
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].report.text.contains("%r5"));
}

#[test]
fn lanes_are_ordered_by_warp_barriers_and_not_by_shuffles() {
    let body = "add.u32 %r4, %r1, 1; st.shared.u32 [%rd4], %r4; bar.warp.sync -1;
                xor.b32 %r5, %r1, 1; mul.wide.u32 %rd5, %r5, 4; add.u64 %rd5, %rd3, %rd5; ld.shared.u32 %r6, [%rd5];";
    assert_clean(body, 1, 96);
    let shuffled = body.replace(
        "bar.warp.sync -1;",
        "shfl.sync.bfly.b32 %r7, %r4, 1, 31, -1;",
    );
    assert!(run(&shuffled, 1, 96).iter().all(is_race) && !run(&shuffled, 1, 96).is_empty());
    // Half-warp barriers order halves: the partner is in the same half, its mirror image is not.
    let halves = "setp.lt.u32 %p1, %r1, 16; selp.b32 %r8, 0xffff, 0xffff0000, %p1;";
    let by_half = body.replace("bar.warp.sync -1;", &format!("{halves} bar.warp.sync %r8;"));
    assert_clean(&by_half, 1, 32);
    assert!(
        !run(
            &by_half.replace("xor.b32 %r5, %r1, 1;", "xor.b32 %r5, %r1, 31;"),
            1,
            32
        )
        .is_empty()
    );
    // A warp barrier orders one warp only.
    assert!(
        !run(
            &body.replace("xor.b32 %r5, %r1, 1;", "xor.b32 %r5, %r1, 32;"),
            1,
            64
        )
        .is_empty()
    );
}

#[test]
fn named_barriers_hand_buffers_over() {
    // Warps 0 and 1 fill, warps 2 and 3 read; a second barrier hands the buffer back.
    let body = "shr.u32 %r9, %r1, 5; setp.ge.u32 %p1, %r9, 2; mov.u32 %r5, 0; @%p1 bra $consume;
        $fill: mad.lo.u32 %r4, %r5, 100, %r1; st.shared.u32 [%rd4], %r4; bar.arrive 1, 128; bar.sync 2, 128;
        add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 3; @%p2 bra $fill; ret;
        $consume: bar.sync 1, 128; ld.shared.u32 %r6, [%rd4+-256]; bar.arrive 2, 128;
        add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 3; @%p2 bra $consume;";
    assert_clean(body, 1, 128);
    let early = body.replace(
        "ld.shared.u32 %r6, [%rd4+-256]; bar.arrive 2, 128;",
        "bar.arrive 2, 128; ld.shared.u32 %r6, [%rd4+-256];",
    );
    assert!(run(&early, 1, 128).iter().all(is_race) && !run(&early, 1, 128).is_empty());
}

#[test]
fn locks_in_shared_memory_order_their_critical_sections() {
    let body = "and.b32 %r9, %r1, 31; setp.ne.u32 %p1, %r9, 0; @%p1 ret;
        $spin: atom.acquire.cta.shared.cas.b32 %r4, [%rd3], 0, 1; setp.ne.u32 %p2, %r4, 0; @%p2 bra $spin;
        ld.shared.u32 %r5, [%rd3+4]; add.u32 %r5, %r5, 1; st.shared.u32 [%rd3+4], %r5;
        atom.release.cta.shared.exch.b32 %r6, [%rd3], 0;";
    assert_clean(body, 1, 256);
    let unlocked = body.replace("atom.release.cta", "atom.relaxed.cta");
    assert!(run(&unlocked, 1, 256).iter().all(is_race) && !run(&unlocked, 1, 256).is_empty());
}

#[test]
fn writes_of_the_same_value_and_neighbouring_bytes_do_not_race() {
    assert_clean("st.shared.u32 [%rd3], 1; st.global.u32 [%rd1], 1;", 4, 96);
    // Blocks that run together store to the same words at about the same time.
    let together = "mov.u32 %r4, 0; mov.u64 %rd5, %rd1;
        $L: st.global.v4.u32 [%rd5], {%r4, %r4, %r4, %r4};
        add.u64 %rd5, %rd5, 16; add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 256; @%p1 bra $L;";
    for _ in 0..20 {
        assert_clean(together, 4, 32);
    }
    assert!(!run("st.shared.u32 [%rd3], %r1;", 1, 96).is_empty());
    assert!(!run("st.global.u32 [%rd1], %r2;", 4, 1).is_empty());
    assert_clean(
        "cvt.u64.u32 %rd5, %r1; add.u64 %rd5, %rd3, %rd5; st.shared.u8 [%rd5], %r1;",
        1,
        96,
    );
    assert_clean(
        "mad.lo.u32 %r5, %r2, 96, %r1; cvt.u64.u32 %rd5, %r5; add.u64 %rd5, %rd1, %rd5; st.global.u8 [%rd5], %r1;",
        4,
        96,
    );
}

#[test]
fn threads_of_one_block_race_on_global_memory_too() {
    let body = "mul.wide.u32 %rd5, %r1, 4; add.u64 %rd6, %rd1, %rd5; st.global.u32 [%rd6], %r1; bar.sync 0; xor.b32 %r5, %r1, 33;
                mul.wide.u32 %rd5, %r5, 4; add.u64 %rd6, %rd1, %rd5; ld.global.u32 %r6, [%rd6];";
    assert_clean(body, 1, 64);
    let found = run(&body.replace(" bar.sync 0;", ""), 1, 64);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(is_race(&found[0]) && found[0].count > 1);
}

#[test]
fn a_write_to_what_other_blocks_read_before_races() {
    // Blocks 0 and 1 read the word, then block 1 alone writes it.
    let body = "setp.ne.u32 %p1, %r1, 0; @%p1 ret; ld.global.u32 %r5, [%rd1]; setp.eq.u32 %p2, %r2, 1; @%p2 st.global.u32 [%rd1], %r2;";
    let found = run(body, 2, 32);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].report.text.contains("st.global"), "{}", found[0]);
}

#[test]
fn what_one_launch_writes_the_next_may_read() {
    let module = parse(&kernel(
        "k",
        ".param .u64 a, .param .u64 b",
        "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4;
         add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3; ld.global.u32 %r2, [%rd1]; st.global.u32 [%rd2], %r2;",
    ));
    let mut device = Device::new();
    let a = device.buffer("a", &[1u32; 32]);
    let (b, c) = (
        device.memory.alloc(128, "b").expect("fits"),
        device.memory.alloc(128, "c").expect("fits"),
    );
    let findings = |from, to| {
        device
            .try_launch(
                &module,
                "k",
                [1; 3],
                [32, 1, 1],
                &[Arg::U64(from), Arg::U64(to)],
            )
            .expect("runs")
            .findings
    };
    let found = findings(b, c);
    assert_eq!((found.len(), found[0].count), (1, 32));
    assert!(
        found[0].to_string().contains("uninitialised global memory")
            && found[0].to_string().contains("of `b`")
    );
    assert!(findings(a, b).is_empty());
    assert!(findings(b, c).is_empty());
}

#[test]
fn uninitialised_shared_local_and_atomic_reads_are_found() {
    let found = run(
        ".shared .align 4 .b8 other[256]; mov.u64 %rd5, other; ld.shared.u32 %r5, [%rd5+8];",
        1,
        32,
    );
    assert!(
        found[0].to_string().contains("uninitialised shared memory")
            && found[0].to_string().contains("byte 8 of `other`"),
        "{}",
        found[0]
    );
    let found = run(
        ".local .align 4 .b8 mine[16]; st.local.u32 [mine], 1; ld.local.u32 %r5, [mine]; ld.local.u32 %r6, [mine+4];",
        1,
        32,
    );
    assert_eq!(found.len(), 1);
    assert!(
        found[0].report.text.contains("mine+4") && found[0].count == 32,
        "{}",
        found[0]
    );
    let found = run(
        ".shared .align 4 .b8 sum[4]; mov.u64 %rd5, sum; red.shared.add.u32 [%rd5], 1;",
        1,
        32,
    );
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].count, 1, "after the first it has been written");
}

#[test]
fn values_that_no_path_uses_may_be_copied() {
    // %r5 is set and used under the same condition; %r6 copies it on both paths, as compilers do at joins.
    let body =
        "setp.lt.u32 %p1, %r1, 7; @!%p1 bra $a; mov.u32 %r5, 1; $a: mov.u32 %r6, %r5; @!%p1 bra $b;
                add.u32 %r7, %r6, 1; st.shared.u32 [%rd4], %r7; $b:";
    assert_clean(body, 1, 32);
    let found = run(&body.replace("@!%p1 bra $b;", ""), 1, 32);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!((found[0].report.thread, found[0].count), ([7, 0, 0], 1));
    assert!(matches!(
        found[0].report.reason,
        FaultReason::UninitialisedRegister
    ));
}

#[test]
fn a_source_that_a_permutation_takes_no_byte_of_is_not_read() {
    let takes_first = "prmt.b32 %r6, %r1, %r5, 0x0123U; st.shared.u32 [%rd4], %r6;";
    assert_clean(takes_first, 1, 32);
    assert_clean(
        &takes_first.replace("%r1, %r5, 0x0123U", "%r5, %r1, 0xf654U"),
        1,
        32,
    );
    for both in ["0x4123U", "%r2"] {
        let found = run(&takes_first.replace("0x0123U", both), 1, 32);
        assert_eq!(found.len(), 1, "{found:#?}");
        assert!(matches!(
            found[0].report.reason,
            FaultReason::UninitialisedRegister
        ));
    }
}

/// Three bytes of a word, loaded as a word: of the fourth, which nobody has written, nobody takes anything.
#[test]
fn a_byte_of_a_load_that_nobody_takes_may_be_unwritten() {
    let three = "st.shared.b8 [%rd3+2048], %r1; st.shared.b8 [%rd3+2049], %r1; st.shared.b8 [%rd3+2050], %r1;
                ld.shared.b32 %r5, [%rd3+2048]; prmt.b32 %r6, %r5, 0, 0x7770U; prmt.b32 %r7, %r5, 0, 0x7721U;
                add.u32 %r6, %r6, %r7; st.global.u32 [%rd2], %r6;";
    assert_clean(three, 1, 1);
    // The fourth is taken; as is a byte of the three that nobody has written; and all of the word.
    for (was, is) in [
        ("0x7721U", "0x7723U"),
        ("st.shared.b8 [%rd3+2049], %r1;", ""),
        ("add.u32 %r6, %r6, %r7", "add.u32 %r6, %r6, %r5"),
    ] {
        let found = run(&three.replace(was, is), 1, 1);
        assert_eq!(found.len(), 1, "{is}: {found:#?}");
        assert!(matches!(
            found[0].report.reason,
            FaultReason::Uninitialised { .. }
        ));
    }
}

#[test]
fn a_guard_nobody_set_is_found() {
    let found = run("@%p5 st.shared.u32 [%rd4], 1;", 1, 32);
    assert_eq!(found.len(), 1);
    assert!(matches!(
        found[0].report.reason,
        FaultReason::UninitialisedRegister
    ));
}

#[test]
fn shared_accesses_past_the_end_name_the_variable() {
    let module = parse(&kernel(
        "k",
        "",
        ".shared .align 4 .b8 small[64]; mov.u64 %rd1, small; st.shared.u32 [%rd1+72], 1;",
    ));
    let fault = Device::new()
        .try_launch(&module, "k", [1; 3], [32, 1, 1], &[])
        .expect_err("out of bounds");
    assert!(
        fault
            .to_string()
            .contains("8 bytes past the end of `small` of 64 bytes"),
        "{fault}"
    );
}

#[test]
fn every_checker_can_be_switched_off_and_findings_are_bounded() {
    let racy =
        "st.shared.u32 [%rd3], %r1; st.global.u32 [%rd1], %r2; ld.shared.u32 %r5, [%rd3+2048];";
    let count = |checks: Checks| {
        run_with(
            racy,
            2,
            64,
            Options {
                checks,
                ..Options::default()
            },
        )
        .0
        .len()
    };
    assert_eq!(count(Checks::ALL), 3);
    assert_eq!(
        count(Checks {
            shared_races: false,
            ..Checks::ALL
        }),
        2
    );
    assert_eq!(
        count(Checks {
            global_races: false,
            ..Checks::ALL
        }),
        2
    );
    assert_eq!(
        count(Checks {
            uninitialised: false,
            ..Checks::ALL
        }),
        2
    );
    assert_eq!(
        count(Checks {
            max_findings: 1,
            ..Checks::ALL
        }),
        1
    );
    assert_eq!(count(Checks::FAULTS), 0);
}
