//! Early ends of a launch: the instruction limit in every kind of loop, cancellation; and that work stays linear.

use crate::common::{Arg, Device, kernel, parse};
use segra_ptx::{Cancel, Fault, FaultReason, LaunchStats, Module, Options};
use std::fmt::Write;

fn run(body: &str, options: Options) -> Result<LaunchStats, Fault> {
    launch(&parse(&kernel("k", ".param .u64 out", body)), options)
}

fn launch(module: &Module, options: Options) -> Result<LaunchStats, Fault> {
    let mut device = Device::new();
    let out = device.buffer("out", &[0u32; 64]);
    device.options = options;
    device.try_launch(module, "k", [1; 3], [32, 1, 1], &[Arg::U64(out)])
}

fn limited(limit: u64) -> Options {
    Options {
        instruction_limit: Some(limit),
        ..Options::default()
    }
}

#[test]
fn every_endless_loop_hits_the_instruction_limit() {
    for body in [
        "mov.u32 %r1, 0; $T: .branchtargets $L; $L: brx.idx %r1, $T;",
        "$L: bra.uni $L;",
        "ld.param.u64 %rd1, [out]; $L: atom.global.add.u32 %r1, [%rd1], 1; bra.uni $L;",
        "ld.param.u64 %rd1, [out]; $L: atom.acq_rel.gpu.global.add.u32 %r1, [%rd1], 1; bra.uni $L;",
        "mov.u32 %r1, %laneid; setp.lt.u32 %p1, %r1, 7; $L: @%p1 bra $M; bra.uni $L; $M: bra.uni $L;",
        "$L: nanosleep.u32 10; bra.uni $L;",
        "$L: bar.sync 0; bra.uni $L;",
    ] {
        let fault = run(body, limited(20_000)).expect_err(body);
        assert!(
            matches!(
                fault.reason,
                FaultReason::InstructionLimit { limit: 20_000 }
            ),
            "{fault}"
        );
        let ran = fault.stats().warp_instructions.total();
        assert!(
            (20_000..20_100).contains(&ran),
            "{body}: {ran} instructions ran"
        );
    }
}

/// Functions `f0` to `f(n - 1)`, each of which calls the next `calls` times, and a kernel that calls the first.
fn nested(count: usize, calls: usize) -> String {
    let mut text = String::from(".version 7.8\n.target sm_80\n.address_size 64\n");
    for at in (0..count).rev() {
        let call = if at + 1 < count {
            format!("call f{};\n", at + 1).repeat(calls)
        } else {
            String::new()
        };
        let _ = write!(text, ".func f{at}()\n{{\n{call}ret;\n}}\n");
    }
    text + ".visible .entry k(.param .u64 out)\n{\ncall f0;\nret;\n}\n"
}

#[test]
fn nested_calls_hit_the_instruction_limit() {
    let fault =
        launch(&parse(&nested(25, 2)), limited(100_000)).expect_err("2^25 calls are too many");
    assert!(
        matches!(fault.reason, FaultReason::InstructionLimit { .. }),
        "{fault}"
    );
    assert!(fault.stats().warp_instructions.total() < 100_100);
}

#[test]
fn chains_of_calls_are_read_in_linear_time() {
    // Quadratic work would be 64 times that of a chain an eighth as long, minutes.
    let module = parse(&nested(20_000, 1));
    assert_eq!(module.kernels().len(), 1);
    // No kernel: functions are decoded by themselves, for their errors, each once.
    let text = nested(20_000, 1).replace(".visible .entry k(.param .u64 out)", ".func k()");
    assert!(parse(&text).kernels().is_empty());
}

#[test]
fn functions_that_no_kernel_calls_are_read_for_their_errors() {
    let text = nested(3, 1)
        .replace("call f0;", "")
        .replace(".func f2()\n{\n", ".func f2()\n{\nfoo.u32 %r1;\n");
    let errors = Module::parse(&text).expect_err("foo is no instruction");
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert_eq!(errors[0].text, "foo.u32 %r1;");
}

#[test]
fn chains_of_releases_are_checked_in_linear_time() {
    // Every thread acquires what all have released before: quadratic work would take minutes.
    let body = "ld.param.u64 %rd1, [out]; mov.u32 %r2, 0;
        $L: atom.acq_rel.gpu.global.add.u32 %r1, [%rd1], 1; add.u32 %r2, %r2, 1;
        setp.lt.u32 %p1, %r2, 4000; @%p1 bra $L;";
    let module = parse(&kernel("k", ".param .u64 out", body));
    for grid in [1, 4] {
        let mut device = Device::new();
        let out = device.buffer("out", &[0u32; 64]);
        device.launch(&module, "k", grid, 64, &[Arg::U64(out)]);
        assert_eq!(device.read::<u32>(out, 1), [4000 * 64 * grid]);
    }
}

#[test]
fn a_launch_is_cancelled_from_outside() {
    let cancel = Cancel::default();
    let options = Options {
        cancel: Some(cancel.clone()),
        ..limited(u64::MAX)
    };
    let waiting = std::thread::spawn(move || run("$L: bra.uni $L;", options));
    cancel.set();
    let fault = waiting
        .join()
        .expect("no panic")
        .expect_err("it was cancelled");
    assert_eq!(fault.reason, FaultReason::Cancelled);
}

#[test]
fn a_fault_keeps_what_was_counted_printed_and_found_before() {
    let text = kernel(
        "k",
        ".param .u64 out",
        ".shared .align 4 .b8 s[128]; ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x;
        { .param .b64 format; .param .b64 values; .param .b32 printed; .reg .b64 %rd20;
          mov.u64 %rd20, text; cvta.global.u64 %rd20, %rd20; st.param.b64 [format], %rd20;
          mov.u64 %rd20, 0; st.param.b64 [values], %rd20;
          call.uni (printed), vprintf, (format, values); }
        ld.shared.u32 %r2, [s]; st.global.u32 [%rd1], %r2; trap;",
    );
    let text = text.replace(
        ".visible",
        ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 v);
        .global .align 1 .b8 text[4] = {104, 105, 10, 0};\n.visible",
    );
    let fault = launch(&parse(&text), Options::default()).expect_err("it traps");
    assert_eq!(fault.reason, FaultReason::Trap);
    assert_eq!(fault.stats().printed, "hi\n".repeat(32));
    assert_eq!(
        fault.stats().warp_instructions.store,
        3,
        "two parameters and the global store"
    );
    let found: Vec<FaultReason> = fault
        .findings()
        .map(|finding| finding.report.reason)
        .collect();
    assert!(
        matches!(
            found[..],
            [FaultReason::Uninitialised { .. }, FaultReason::Trap]
        ),
        "{found:?}"
    );
}

#[test]
fn module_variables_can_be_reset() {
    let text = kernel(
        "k",
        ".param .u64 out",
        "ld.param.u64 %rd1, [out]; atom.global.add.u32 %r1, [n], 1; st.global.u32 [%rd1], %r1;",
    )
    .replace(".visible", ".global .align 4 .u32 n = 5;\n.visible");
    let mut module = parse(&text);
    let mut device = Device::new();
    let out = device.buffer("out", &[0u32]);
    let count = |module: &Module| {
        device.launch(module, "k", 1, 1, &[Arg::U64(out)]);
        device.read::<u32>(out, 1)[0]
    };
    assert_eq!((count(&module), count(&module)), (5, 6));
    module.reset();
    assert_eq!(count(&module), 5);
}
