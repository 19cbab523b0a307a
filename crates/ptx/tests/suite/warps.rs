//! Divergence, reconvergence and operations across the lanes of a warp.

use crate::common::{Arg, Device, kernel, parse};
use segra_ptx::FaultReason;

/// Runs `body` on one warp of `threads` lanes; `%r1` is the lane and `%r0` the result.
fn run(body: &str, threads: u32) -> Vec<u32> {
    let head = "ld.param.u64 %rd1, [out]; mov.u32 %r1, %laneid; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;";
    let module = parse(&kernel(
        "k",
        ".param .u64 out",
        &format!("{head}\n{body}\nst.global.u32 [%rd1], %r0;"),
    ));
    let mut device = Device::new();
    let out = device.buffer("out", &vec![0u32; threads as usize]);
    device.launch(&module, "k", 1, threads, &[Arg::U64(out)]);
    device.read(out, threads as usize)
}

fn expect(body: &str, f: impl Fn(u32) -> u32) {
    for (lane, got) in run(body, 32).into_iter().enumerate() {
        assert_eq!(got, f(lane as u32), "lane {lane} of `{body}`");
    }
}

#[test]
fn shuffles_in_every_mode() {
    let source = "mul.lo.u32 %r2, %r1, 10;";
    expect(
        &format!("{source} shfl.sync.bfly.b32 %r0, %r2, 5, 31, -1;"),
        |l| (l ^ 5) * 10,
    );
    expect(
        &format!("{source} shfl.sync.idx.b32 %r0, %r2, 7, 31, -1;"),
        |_| 70,
    );
    expect(
        &format!("{source} xor.b32 %r3, %r1, 31; shfl.sync.idx.b32 %r0, %r2, %r3, 31, -1;"),
        |l| (31 - l) * 10,
    );
    expect(
        &format!("{source} shfl.sync.up.b32 %r0, %r2, 3, 0, -1;"),
        |l| if l < 3 { l } else { l - 3 } * 10,
    );
    expect(
        &format!("{source} shfl.sync.down.b32 %r0, %r2, 3, 31, -1;"),
        |l| if l > 28 { l } else { l + 3 } * 10,
    );
    // Segments of eight lanes: the mask is 0b11000 in bits 8 to 12.
    expect(
        &format!("{source} shfl.sync.down.b32 %r0, %r2, 3, 6175, -1;"),
        |l| 10 * if l % 8 > 4 { l } else { l + 3 },
    );
    expect(
        &format!("{source} shfl.sync.up.b32 %r0|%p1, %r2, 1, 6144, -1; @!%p1 mov.u32 %r0, 999;"),
        |l| {
            if l % 8 == 0 { 999 } else { (l - 1) * 10 }
        },
    );
    expect(
        &format!("{source} shfl.sync.idx.b32 %r0, %r2, 2, 6175, -1;"),
        |l| (l / 8 * 8 + 2) * 10,
    );
}

#[test]
fn votes_matches_and_reductions() {
    let odd = "and.b32 %r2, %r1, 1; setp.ne.u32 %p1, %r2, 0;";
    expect(&format!("{odd} vote.sync.ballot.b32 %r0, %p1, -1;"), |_| {
        0xaaaa_aaaa
    });
    expect(
        &format!("{odd} vote.sync.ballot.b32 %r0, !%p1, -1;"),
        |_| 0x5555_5555,
    );
    expect(
        &format!("{odd} vote.sync.any.pred %p2, %p1, -1; selp.u32 %r0, 1, 0, %p2;"),
        |_| 1,
    );
    expect(
        &format!("{odd} vote.sync.all.pred %p2, %p1, -1; selp.u32 %r0, 1, 0, %p2;"),
        |_| 0,
    );
    expect(
        &format!("{odd} vote.sync.uni.pred %p2, %p1, -1; selp.u32 %r0, 1, 0, %p2;"),
        |_| 0,
    );
    expect(
        "rem.u32 %r2, %r1, 3; match.any.sync.b32 %r0, %r2, -1;",
        |l| {
            (0..32)
                .filter(|other| other % 3 == l % 3)
                .fold(0, |mask, other| mask | 1 << other)
        },
    );
    expect(
        "mov.u64 %rd5, 77; match.all.sync.b64 %r0|%p1, %rd5, -1; @!%p1 mov.u32 %r0, 0;",
        |_| u32::MAX,
    );
    expect(
        "match.all.sync.b32 %r0|%p1, %r1, -1; @%p1 mov.u32 %r0, 5;",
        |_| 0,
    );
    expect("redux.sync.add.u32 %r0, %r1, -1;", |_| 496);
    expect(
        "sub.s32 %r2, %r1, 20; redux.sync.min.s32 %r0, %r2, -1;",
        |_| -20i32 as u32,
    );
    expect(
        "sub.s32 %r2, %r1, 20; redux.sync.max.u32 %r0, %r2, -1;",
        |_| u32::MAX,
    );
    expect("redux.sync.xor.b32 %r0, %r1, -1;", |_| 0);
    expect("elect.sync %r2|%p1, -1; selp.u32 %r0, %r2, 50, %p1;", |l| {
        if l == 0 { 0 } else { 50 }
    });
    expect("mov.u32 %r0, %lanemask_lt;", |l| (1 << l) - 1);
    expect("mov.u32 %r0, %lanemask_ge;", |l| !((1 << l) - 1));
}

#[test]
fn lanes_of_a_partial_warp_reduce_among_themselves() {
    let body = "mov.u32 %r0, %r1; vote.sync.ballot.b32 %r2, 1, 0x7ff; activemask.b32 %r3; add.u32 %r0, %r2, %r3;";
    assert!(run(body, 11).iter().all(|&v| v == 2 * 0x7ff));
}

#[test]
fn both_sides_of_a_branch_run_and_meet_again() {
    let body = "setp.lt.u32 %p1, %r1, 12; @%p1 bra $then;
                mul.lo.u32 %r2, %r1, 3; activemask.b32 %r5; bra.uni $join;
                $then: add.u32 %r2, %r1, 100; activemask.b32 %r5;
                $join: activemask.b32 %r6; setp.ne.u32 %p2, %r6, -1; add.u32 %r0, %r2, %r5; @%p2 mov.u32 %r0, 0;";
    expect(body, |l| {
        if l < 12 {
            l + 100 + 0xfff
        } else {
            (l * 3).wrapping_add(0xffff_f000)
        }
    });
}

#[test]
fn lanes_that_loop_longer_are_waited_for() {
    let body = "mov.u32 %r2, 0; mov.u32 %r3, 0;
                $loop: add.u32 %r3, %r3, %r2; add.u32 %r2, %r2, 1; setp.le.u32 %p1, %r2, %r1; @%p1 bra $loop;
                activemask.b32 %r4; setp.ne.u32 %p2, %r4, -1; mov.u32 %r0, %r3; @%p2 mov.u32 %r0, 9999;";
    expect(body, |l| l * (l + 1) / 2);
}

#[test]
fn a_shuffle_waits_for_lanes_that_come_another_way() {
    // The blocks lie so that the shuffle has a lower address than one of the ways to it.
    let body = "and.b32 %r2, %r1, 1; setp.ne.u32 %p1, %r2, 0; mov.u32 %r3, %r1; @%p1 bra $far;
                $join: shfl.sync.bfly.b32 %r0, %r3, 1, 31, -1; bra.uni $end;
                $far: add.u32 %r3, %r1, 1000; bra.uni $join;
                $end:";
    expect(body, |l| if l % 2 == 0 { l + 1 + 1000 } else { l - 1 });
}

#[test]
fn disjoint_member_masks_proceed_separately() {
    let body = "setp.lt.u32 %p1, %r1, 16; @%p1 bra $low;
                redux.sync.add.u32 %r0, %r1, 0xffff0000; bra.uni $end;
                $low: redux.sync.add.u32 %r0, %r1, 0x0000ffff;
                $end: bar.warp.sync -1;";
    expect(body, |l| if l < 16 { 120 } else { 376 });
}

#[test]
fn tiles_of_a_warp_use_their_own_masks_in_one_instruction() {
    let masks =
        "shr.u32 %r2, %r1, 3; shl.b32 %r2, %r2, 3; mov.u32 %r3, 0xff; shl.b32 %r3, %r3, %r2;";
    expect(&format!("{masks} redux.sync.add.u32 %r0, %r1, %r3;"), |l| {
        (0..8).map(|k| l / 8 * 8 + k).sum()
    });
    // The odd tiles come by another way.
    let body = "and.b32 %r4, %r1, 8; setp.ne.u32 %p1, %r4, 0; mov.u32 %r5, %r1; @%p1 bra $odd; bra.uni $join;
                $odd: add.u32 %r5, %r1, 100;
                $join: setp.lt.u32 %p2, %r5, 104; vote.sync.ballot.b32 %r0, %p2, %r3;";
    expect(&format!("{masks}{body}"), |l| match l / 8 {
        0 => 0xff,
        1 => 0,
        2 => 0xff_0000,
        _ => 0,
    });
}

#[test]
fn warp_barriers_may_be_met_at_different_instructions() {
    let body =
        ".shared .align 4 .b8 s[128]; mov.u64 %rd5, s; mul.wide.u32 %rd6, %r1, 4; add.u64 %rd5, %rd5, %rd6;
                and.b32 %r2, %r1, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra $odd;
                bar.warp.sync -1; ld.shared.u32 %r0, [%rd5+4]; bra.uni $end;
                $odd: st.shared.u32 [%rd5], %r1; bar.warp.sync -1; mov.u32 %r0, 7;
                $end:";
    expect(body, |l| if l % 2 == 0 { l + 1 } else { 7 });
}

#[test]
fn returns_inside_divergent_code() {
    let body = "mov.u32 %r0, 1; st.global.u32 [%rd1], %r0; setp.gt.u32 %p1, %r1, 20; @%p1 ret;
                setp.gt.u32 %p2, %r1, 10; @!%p2 bra $rest; mov.u32 %r0, 2; st.global.u32 [%rd1], %r0; exit;
                $rest: mov.u32 %r0, 3;";
    expect(body, |l| {
        if l > 20 {
            1
        } else if l > 10 {
            2
        } else {
            3
        }
    });
}

#[test]
fn branches_through_tables() {
    let body = "rem.u32 %r2, %r1, 3; $targets: .branchtargets $a, $b, $c; brx.idx %r2, $targets;
                $a: mov.u32 %r0, 10; bra.uni $end; $b: mov.u32 %r0, 20; bra.uni $end; $c: mov.u32 %r0, 30; $end:";
    expect(body, |l| (l % 3 + 1) * 10);
}

#[test]
fn functions_take_register_parameters_and_call_each_other() {
    let text = format!(
        ".version 7.8\n.target sm_80\n.address_size 64\n
         .func (.reg .u32 out) twice (.reg .u32 x) {{ add.u32 out, x, x; ret; }}
         .func (.param .b32 result) outer (.param .b32 x) {{ .reg .u32 %a, %b; .reg .pred %q; ld.param.u32 %a, [x];
            setp.gt.u32 %q, %a, 20; @%q bra $big; call (%b), twice, (%a); st.param.b32 [result+0], %b; ret;
            $big: st.param.b32 [result], %a; ret; }}\n{}",
        kernel(
            "k",
            ".param .u64 out",
            "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;
             { .param .b32 p; .param .b32 r; st.param.b32 [p], %r1; call.uni (r), outer, (p); ld.param.b32 %r2, [r]; }
             call (%r3), twice, (%r2); st.global.u32 [%rd1], %r3;"
        )
        .split_once(".address_size 64\n")
        .expect("the helper writes a header")
        .1
    );
    let mut device = Device::new();
    let out = device.buffer("out", &[0u32; 32]);
    device.launch(&parse(&text), "k", 1, 32, &[Arg::U64(out)]);
    for (i, got) in device.read::<u32>(out, 32).into_iter().enumerate() {
        assert_eq!(got, if i > 20 { 2 * i as u32 } else { 4 * i as u32 });
    }
}

/// Findings, warp and thread instructions of a kernel of one warp whose result is `%r0`.
fn checked(body: &str) -> (Vec<u32>, Vec<FaultReason>, (u64, u64)) {
    let head =
        "ld.param.u64 %rd1, [out]; mov.u32 %r1, %laneid; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;
        and.b32 %r9, %r1, 1; setp.eq.u32 %p9, %r9, 0;";
    let module = parse(&kernel(
        "k",
        ".param .u64 out",
        &format!("{head}\n{body}\nst.global.u32 [%rd1], %r0;"),
    ));
    let mut device = Device::new();
    let out = device.buffer("out", &[0u32; 32]);
    let stats = device
        .try_launch(&module, "k", [1; 3], [32, 1, 1], &[Arg::U64(out)])
        .expect("no fault");
    let reasons = stats
        .findings
        .iter()
        .map(|finding| finding.report.reason.clone())
        .collect();
    let first = stats
        .lines
        .iter()
        .filter(|line| line.warp_instructions > 0)
        .map(|line| line.line)
        .min();
    let line = first.expect("it ran") + 3;
    let counted = stats.lines.iter().find(|count| count.line == line);
    let counts = counted.map_or((0, 0), |count| {
        (count.warp_instructions, count.thread_instructions)
    });
    (device.read(out, 32), reasons, counts)
}

#[test]
fn lanes_that_leave_a_loop_wait_behind_it_wherever_its_latch_lies() {
    // Four rounds of an inner loop that each lane runs one to four times, in other rounds others; the latches of both loops
    // lie before their bodies, as LLVM lays them. All lanes that run the inner loop once more run it together.
    let body = "mov.u32 %r0, 0; mov.u32 %r4, 0; bra.uni $outer;
                $latch: add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r6; @%p1 bra $body; add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 4; @%p2 bra $outer; bra.uni $end; $outer: add.u32 %r6, %r1, %r4; and.b32 %r6, %r6, 3; add.u32 %r6, %r6, 1; mov.u32 %r3, 0; $body: add.u32 %r0, %r0, 1; bra.uni $latch; $end:";
    let (out, reasons, counts) = checked(body);
    assert_eq!((out, reasons), (vec![10; 32], vec![]));
    // The second line: an inner round has 5 instructions, of which the longest lane has 4 in each outer round, which has 7, and the
    // last one ends by a jump. Jumps back are those of lanes that go on.
    let warp = 4 * 4 * 5 + 4 * 7 + 1;
    let threads = 32 * (10 * 5 + 4 * 7 + 1) - 32 * (4 + 1);
    assert_eq!(counts, (warp, threads));
}

#[test]
fn lanes_meet_at_different_instructions_with_the_same_qualifiers() {
    // Both sides of a branch do the same, with other registers and operands.
    let both = |even: &str, odd: &str| {
        let body = format!("@%p9 bra $even; {odd} bra.uni $join; $even: {even} $join:");
        let (out, reasons, _) = checked(&body);
        assert_eq!(reasons, [], "{body}");
        out
    };
    let out = both(
        "shfl.sync.bfly.b32 %r0, %r1, 1, 31, -1;",
        "shfl.sync.bfly.b32 %r0, %r1, 1, 31, -1;",
    );
    assert_eq!(out, (0..32).map(|lane| lane ^ 1).collect::<Vec<u32>>());
    let out = both(
        "add.u32 %r2, %r1, 100; shfl.sync.idx.b32 %r0, %r2, 31, 31, -1;",
        "add.u32 %r3, %r1, 200; shfl.sync.idx.b32 %r0, %r3, %r9, 31, -1;",
    );
    // Even lanes read lane 31's 200 + 31; odd lanes read lane 1.
    assert_eq!(
        out,
        (0..32)
            .map(|lane| if lane % 2 == 0 { 231 } else { 201 })
            .collect::<Vec<u32>>()
    );
    let out = both(
        "vote.sync.ballot.b32 %r0, %p9, -1;",
        "vote.sync.ballot.b32 %r0, !%p9, -1;",
    );
    assert_eq!(out, [u32::MAX; 32]);
    let out = both(
        "redux.sync.add.u32 %r0, 1, -1;",
        "redux.sync.add.u32 %r0, %r1, -1;",
    );
    assert_eq!(out, [16 + 256; 32]);
    let out = both(
        "mov.u64 %rd5, 7; match.any.sync.b64 %r0, %rd5, -1;",
        "mov.u64 %rd6, 8; match.any.sync.b64 %r0, %rd6, -1;",
    );
    assert_eq!(out[..2], [0x5555_5555, 0xaaaa_aaaa]);
}

#[test]
fn lanes_do_not_meet_at_other_operations() {
    let body = "@%p9 bra $even; shfl.sync.up.b32 %r0, %r1, 1, 0, -1; bra.uni $join;
        $even: shfl.sync.bfly.b32 %r0, %r1, 1, 31, -1; $join:";
    let head = "mov.u32 %r1, %laneid; and.b32 %r9, %r1, 1; setp.eq.u32 %p9, %r9, 0;";
    let module = parse(&kernel("k", "", &format!("{head} {body}")));
    let fault = Device::new()
        .try_launch(&module, "k", [1; 3], [32, 1, 1], &[])
        .expect_err("a deadlock");
    assert!(matches!(fault.reason, FaultReason::Deadlock(_)), "{fault}");
}

#[test]
fn an_operation_counts_once_however_its_lanes_came() {
    // The counted line is the second of the body.
    let body = "@!%p9 bra $late;\n$meet: shfl.sync.bfly.b32 %r0, %r1, 1, 31, -1;\nbra.uni $end; $late: add.u32 %r2, %r1, 7; bra.uni $meet; $end:";
    let (out, reasons, counts) = checked(body);
    assert_eq!(
        (&out[..4], reasons, counts),
        (&[1, 0, 3, 2][..], vec![], (1, 32))
    );
    let body = "@!%p9 bra $late;\n$meet: bar.warp.sync -1;\nmov.u32 %r0, 1; bra.uni $end; $late: bra.uni $meet; $end:";
    assert_eq!(checked(body).2, (1, 32));
}

#[test]
fn lanes_that_do_not_take_part_are_reported() {
    let not_member = |body: &str, name: &str| {
        let (_, reasons, _) = checked(body);
        let [
            FaultReason::NotAMember {
                instruction,
                lane: 16,
                members: 0xffff,
            },
        ] = reasons[..]
        else {
            panic!("{body}: {reasons:?}");
        };
        assert_eq!(instruction, name);
    };
    not_member("shfl.sync.bfly.b32 %r0, %r1, 2, 31, 0xffff;", "shfl.sync");
    not_member("vote.sync.ballot.b32 %r0, %p9, 0xffff;", "vote.sync");
    not_member("mov.u32 %r0, 1; bar.warp.sync 0xffff;", "bar.warp.sync");
    // The upper half of the warp waits for the lower, which it is no part of, in a divergent branch, too.
    not_member(
        "mov.u32 %r0, 1; @!%p9 bra $o; bar.warp.sync 0xffff; bra.uni $e; $o: bar.warp.sync 0xffff; $e:",
        "bar.warp.sync",
    );
    // The lower half shuffles; its upper lanes read those that do not.
    let half = "mov.u32 %r0, 0; setp.lt.u32 %p1, %r1, 16; @!%p1 bra $end; shfl.sync.MODE.b32 %r0, %r1, 8, OPERAND, 0xffff; $end:";
    let (_, reasons, _) = checked(&half.replace("MODE", "down").replace("OPERAND", "31"));
    assert_eq!(
        reasons,
        [FaultReason::InactiveLane {
            instruction: "shfl.sync",
            lane: 8,
            source_lane: 16
        }]
    );
    let (_, reasons, _) = checked(&half.replace("MODE", "bfly").replace("OPERAND", "31"));
    assert_eq!(reasons, []);
    // Segments of sixteen lanes keep the same shuffle inside.
    let (_, reasons, _) = checked(&half.replace("MODE", "down").replace("OPERAND", "4127"));
    assert_eq!(reasons, []);
    // A lane that has exited gives nothing either.
    let (_, reasons, _) =
        checked("setp.eq.u32 %p1, %r1, 5; @%p1 exit; shfl.sync.idx.b32 %r0, %r1, 5, 31, -1;");
    assert_eq!(
        reasons,
        [FaultReason::InactiveLane {
            instruction: "shfl.sync",
            lane: 0,
            source_lane: 5
        }]
    );
}
