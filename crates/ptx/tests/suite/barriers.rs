//! Block barriers: full, named, partial, reducing, with divergence and early exits.

use crate::common::{Arg, Device, kernel, parse};
use segra_ptx::{FaultReason, LaunchStats};

fn try_run(body: &str, threads: u32) -> Result<(Vec<u32>, LaunchStats), segra_ptx::Fault> {
    let head = ".shared .align 4 .b8 s[4096]; ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4;
                add.u64 %rd1, %rd1, %rd2; mov.u64 %rd3, s; add.u64 %rd4, %rd3, %rd2; shr.u32 %r9, %r1, 5;";
    let module = parse(&kernel("k", ".param .u64 out", &format!("{head}\n{body}")));
    let mut device = Device::new();
    let out = device.buffer("out", &vec![0u32; threads as usize]);
    let stats = device.try_launch(&module, "k", [1; 3], [threads, 1, 1], &[Arg::U64(out)])?;
    Ok((device.read(out, threads as usize), stats))
}

fn run(body: &str, threads: u32) -> Vec<u32> {
    try_run(body, threads)
        .unwrap_or_else(|fault| panic!("{fault}"))
        .0
}

#[test]
fn every_thread_sees_what_others_wrote_before_the_barrier() {
    // Rotations by one over several rounds, two barriers each.
    let body = "mov.u32 %r2, %r1; mov.u32 %r3, 0;
                $loop: st.shared.u32 [%rd4], %r2; bar.sync 0;
                add.u32 %r4, %r1, 1; rem.u32 %r4, %r4, 160; mul.wide.u32 %rd5, %r4, 4; add.u64 %rd5, %rd3, %rd5;
                ld.shared.u32 %r2, [%rd5]; barrier.cta.sync.aligned 0;
                add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 5; @%p1 bra $loop;
                st.global.u32 [%rd1], %r2;";
    let out = run(body, 160);
    assert!(
        out.iter()
            .enumerate()
            .all(|(i, &v)| v == (i as u32 + 5) % 160)
    );
}

#[test]
fn reducing_barriers_count_and_combine() {
    let body = "setp.lt.u32 %p1, %r1, 37; barrier.cta.red.popc.aligned.u32 %r2, 0, %p1;
                bar.red.popc.u32 %r3, 0, !%p1; bar.red.and.pred %p2, 0, %p1; bar.red.or.pred %p3, 0, %p1;
                selp.u32 %r4, 1, 0, %p2; selp.u32 %r5, 2, 0, %p3; mad.lo.u32 %r2, %r2, 1000, %r3; mad.lo.u32 %r2, %r2, 10, %r4;
                add.u32 %r2, %r2, %r5; st.global.u32 [%rd1], %r2;";
    assert!(
        run(body, 96)
            .iter()
            .all(|&v| v == (37 * 1000 + 59) * 10 + 2)
    );
}

#[test]
fn producers_arrive_and_consumers_wait_at_named_barriers() {
    // Warps 0 and 1 fill, warps 2 and 3 read; a second barrier hands the buffer back.
    let body = "setp.ge.u32 %p1, %r9, 2; mov.u32 %r3, 0; mov.u32 %r8, 0; @%p1 bra $consume;
                $fill: mad.lo.u32 %r4, %r3, 100, %r1; st.shared.u32 [%rd4], %r4; bar.arrive 1, 128; bar.sync 2, 128;
                add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 3; @%p2 bra $fill; bra.uni $end;
                $consume: bar.sync 1, 128; ld.shared.u32 %r5, [%rd4+-256]; add.u32 %r8, %r8, %r5; bar.arrive 2, 128;
                add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 3; @%p2 bra $consume;
                $end: st.global.u32 [%rd1], %r8;";
    let out = run(body, 128);
    for i in 0..64 {
        assert_eq!((out[i], out[i + 64]), (0, 300 + 3 * i as u32));
    }
}

#[test]
fn a_partial_barrier_does_not_hold_other_warps() {
    let body = "setp.ge.u32 %p1, %r9, 2; @%p1 bra $others; bar.sync 3, 64; $others: bar.sync 0; st.global.u32 [%rd1], 1;";
    let (out, stats) = try_run(body, 128).unwrap_or_else(|fault| panic!("{fault}"));
    assert!(out.iter().all(|&v| v == 1));
    assert_eq!(stats.barriers, 2);
}

#[test]
fn exited_threads_do_not_hold_a_barrier() {
    let body = "setp.gt.u32 %p1, %r1, LAST; @%p1 exit; BARRIER 0; st.global.u32 [%rd1], 1;";
    let with = |last: &str, barrier: &str| {
        let (out, stats) =
            try_run(&body.replace("LAST", last).replace("BARRIER", barrier), 96).expect("no fault");
        (out.iter().sum::<u32>(), stats.findings)
    };
    assert_eq!(with("63", "bar.sync"), (64, vec![]), "a whole warp leaves");
    assert_eq!(
        with("70", "barrier.sync"),
        (71, vec![]),
        "it need not be aligned"
    );
    // Seven threads of a warp at an aligned barrier that the other 25 will never execute.
    let (sum, findings) = with("70", "bar.sync");
    assert_eq!((sum, findings.len()), (71, 1));
    let reason = &findings[0].report.reason;
    assert_eq!(
        *reason,
        FaultReason::ExitedBeforeBarrier {
            barrier: 0,
            lanes: 25
        }
    );
}

#[test]
fn threads_that_never_were_are_not_missed_at_a_barrier() {
    let (_, stats) = try_run("bar.sync 0; st.global.u32 [%rd1], 1;", 41).expect("no fault");
    assert_eq!(stats.findings, []);
}

#[test]
fn unaligned_barriers_may_be_met_at_different_places() {
    let body = "and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0; @%p1 bra $even;
                st.shared.u32 [%rd4], %r1; barrier.sync 0; bra.uni $join;
                $even: barrier.sync 0; ld.shared.u32 %r3, [%rd4+4]; st.global.u32 [%rd1], %r3; $join:";
    let out = run(body, 64);
    assert!(
        out.iter()
            .enumerate()
            .all(|(i, &v)| v == if i % 2 == 0 { i as u32 + 1 } else { 0 })
    );
}

#[test]
fn an_aligned_barrier_in_divergent_code_is_a_fault() {
    let body = "setp.lt.u32 %p1, %r1, 16; @%p1 bra $low; bar.sync 0; bra.uni $join;\n$low: bar.sync 0;\n$join: st.global.u32 [%rd1], 1;";
    let fault = try_run(body, 32).unwrap_err();
    let FaultReason::BarrierDivergence {
        barrier: 0,
        first_line,
        second_line,
    } = fault.reason
    else {
        panic!("{fault}");
    };
    assert_ne!(first_line, second_line);
}

#[test]
fn threads_that_wait_at_different_barriers_deadlock() {
    let body = "setp.lt.u32 %p1, %r1, 32; @%p1 bra $low; bar.sync 1; bra.uni $join; $low: bar.sync 2; $join: st.global.u32 [%rd1], 1;";
    let fault = try_run(body, 64).unwrap_err();
    assert!(matches!(fault.reason, FaultReason::Deadlock(_)), "{fault}");
    let fault = try_run("mov.u32 %r2, 16; bar.sync %r2;", 32).unwrap_err();
    assert!(
        matches!(fault.reason, FaultReason::BarrierOperand(_)),
        "{fault}"
    );
    let fault = try_run("bar.sync 1, 33;", 64).unwrap_err();
    assert!(
        matches!(fault.reason, FaultReason::BarrierOperand(_)),
        "{fault}"
    );
}
