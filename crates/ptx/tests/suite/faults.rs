//! Each kind of fault names its line, thread and reason.

use crate::common::{Arg, Device, kernel, parse};
use segra_ptx::{Checks, Fault, FaultReason, LaunchConfig, Module, Options, launch};

fn fault(module: &Module, grid: u32, block: u32) -> Fault {
    let mut device = Device::new();
    let buffer = device.buffer("weights", &[0u32; 64]);
    device
        .try_launch(
            module,
            "k",
            [grid, 1, 1],
            [block, 1, 1],
            &[Arg::U64(buffer)],
        )
        .expect_err("the launch must fail")
}

fn fault_of(body: &str) -> Fault {
    let head = "ld.param.u64 %rd1, [w];\nmov.u32 %r1, %tid.x; mov.u32 %r9, %ctaid.x; mad.lo.u32 %r2, %r9, 32, %r1; mul.wide.u32 %rd2, %r2, 4; add.u64 %rd3, %rd1, %rd2;\n";
    fault(
        &parse(&kernel("k", ".param .u64 w", &format!("{head}{body}"))),
        3,
        32,
    )
}

#[test]
fn out_of_bounds_names_the_nearest_allocation_and_the_first_block() {
    let fault = fault_of("st.global.u32 [%rd3], %r1;");
    assert_eq!((fault.block, fault.thread), ([2, 0, 0], [0, 0, 0]));
    assert_eq!(fault.text, "st.global.u32 [%rd3], %r1;");
    let FaultReason::OutOfBounds {
        access: "store",
        bytes: 4,
        nearest: Some(nearest),
        ..
    } = &fault.reason
    else {
        panic!("{fault}");
    };
    assert_eq!(
        (nearest.name.as_str(), nearest.distance, nearest.after),
        ("weights", 0, true)
    );
    assert!(fault.to_string().contains("weights"), "{fault}");
}

#[test]
fn a_vector_that_crosses_the_end_is_out_of_bounds() {
    let fault = fault_of(
        "setp.eq.u32 %p1, %r2, 62; @%p1 ld.global.v2.u32 {%r3, %r4}, [%rd3]; setp.eq.u32 %p2, %r2, 60; @%p2 ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%rd3+16];",
    );
    assert_eq!((fault.block, fault.thread), ([1, 0, 0], [28, 0, 0]));
}

#[test]
fn misaligned_and_unmapped_accesses() {
    let fault = fault_of("ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%rd1+8];");
    assert!(
        matches!(
            fault.reason,
            FaultReason::Misaligned {
                access: "load",
                bytes: 16,
                ..
            }
        ),
        "{fault}"
    );
    let fault = fault_of("mov.u64 %rd5, 0; atom.global.add.u32 %r3, [%rd5], 1;");
    assert!(
        matches!(
            fault.reason,
            FaultReason::OutOfBounds {
                access: "atomic",
                address: 0,
                ..
            }
        ),
        "{fault}"
    );
    let fault =
        fault_of(".shared .align 4 .b8 s[64]; mov.u64 %rd5, s; ld.shared.u32 %r3, [%rd5+64];");
    assert!(
        matches!(
            fault.reason,
            FaultReason::OutOfBounds {
                space: "shared",
                address: 64,
                ..
            }
        ),
        "{fault}"
    );
    let fault = fault_of(".local .align 4 .b8 l[8]; st.local.u32 [l+4096], %r1;");
    assert!(
        matches!(
            fault.reason,
            FaultReason::OutOfBounds { space: "local", .. }
        ),
        "{fault}"
    );
    let fault = fault_of("mov.u64 %rd5, w; cvta.param.u64 %rd5, %rd5; st.u32 [%rd5], 1;");
    assert!(
        matches!(fault.reason, FaultReason::ReadOnly { space: "param", .. }),
        "{fault}"
    );
}

#[test]
fn a_freed_buffer_is_out_of_bounds() {
    let module = parse(&kernel(
        "k",
        ".param .u64 w",
        "ld.param.u64 %rd1, [w]; ld.global.u32 %r1, [%rd1];",
    ));
    let mut device = Device::new();
    let buffer = device.buffer("gone", &[0u32; 4]);
    device.memory.free(buffer).expect("the buffer is live");
    let fault = device
        .try_launch(&module, "k", [1; 3], [1; 3], &[Arg::U64(buffer)])
        .expect_err("freed");
    assert!(
        matches!(fault.reason, FaultReason::OutOfBounds { nearest: None, .. }),
        "{fault}"
    );
}

#[test]
fn traps_name_the_source_line() {
    let body = ".loc 1 42 7\nsetp.eq.u32 %p1, %r1, 5;\n@%p1 trap;";
    let text = format!(
        "{}.file 1 \"model.fut\"\n",
        kernel(
            "k",
            ".param .u64 w",
            &format!("mov.u32 %r1, %tid.x;\n{body}")
        )
    );
    let fault = fault(&parse(&text), 1, 32);
    assert_eq!(
        (fault.thread, &fault.reason),
        ([5, 0, 0], &FaultReason::Trap)
    );
    let at = fault
        .source_location
        .clone()
        .expect("the trap has a location");
    assert_eq!((at.file.as_str(), at.line, at.column), ("model.fut", 42, 7));
    assert!(fault.to_string().contains("model.fut:42:7"), "{fault}");
}

#[test]
fn without_bounds_any_address_in_device_memory_will_do() {
    let text = kernel(
        "k",
        ".param .u64 w",
        "ld.param.u64 %rd1, [w]; st.global.u32 [%rd1+OFFSET], 7;",
    );
    let run = |offset: u64| {
        let module = parse(&text.replace("OFFSET", &offset.to_string()));
        let mut device = Device::new();
        let buffer = device.buffer("weights", &[0u32; 64]);
        let checks = Checks {
            bounds: false,
            ..Checks::FAULTS
        };
        let config = LaunchConfig {
            grid: [1; 3],
            block: [1; 3],
            dynamic_shared: 0,
        };
        let options = Options {
            checks,
            ..Options::default()
        };
        launch(
            &module,
            "k",
            &config,
            &buffer.to_le_bytes(),
            &device.memory,
            &options,
        )
        .map(drop)
    };
    assert_eq!(run(256), Ok(()), "just past the end of the buffer");
    assert!(run(1 << 40).is_err(), "beyond device memory");
}

#[test]
fn endless_loops_hit_the_instruction_limit() {
    let fault = fault_of("$again: bra.uni $again;");
    assert!(
        matches!(fault.reason, FaultReason::InstructionLimit { .. }),
        "{fault}"
    );
}

#[test]
fn lanes_that_never_come_are_a_deadlock() {
    // Lane 0 waits at the block barrier for lanes that wait for it at a shuffle.
    let fault = fault_of(
        "setp.eq.u32 %p1, %r1, 0; @%p1 bra $zero; shfl.sync.idx.b32 %r3, %r1, 0, 31, -1; bra.uni $end; $zero: bar.sync 0; $end:",
    );
    assert!(matches!(fault.reason, FaultReason::Deadlock(_)), "{fault}");
}

#[test]
fn branch_tables_check_their_index() {
    let fault = fault_of("$t: .branchtargets $a, $b; brx.idx %r1, $t; $a: $b:");
    assert!(
        matches!(
            fault.reason,
            FaultReason::BranchIndex {
                index: 2,
                targets: 2
            }
        ),
        "{fault}"
    );
}

#[test]
fn launches_outside_the_limits_are_refused() {
    let text = kernel("k", ".param .u64 w", ".shared .align 4 .b8 s[64];")
        .replace(".param .u64 w)\n{", ".param .u64 w)\n.maxntid 64, 1, 1\n{");
    let module = parse(&text);
    assert_eq!(module.kernels()[0].max_threads(), Some([64, 1, 1]));
    let device = Device::new();
    let config = LaunchConfig {
        grid: [1; 3],
        block: [32, 1, 1],
        dynamic_shared: 0,
    };
    let refused = |kernel: &str, config: LaunchConfig, params: &[u8]| {
        let fault = launch(
            &module,
            kernel,
            &config,
            params,
            &device.memory,
            &device.options,
        )
        .expect_err("refused");
        assert!(matches!(fault.reason, FaultReason::Launch(_)), "{fault}");
        fault.reason.to_string()
    };
    assert!(refused("missing", config, &[0; 8]).contains("missing"));
    assert!(
        refused(
            "k",
            LaunchConfig {
                block: [128, 1, 1],
                ..config
            },
            &[0; 8]
        )
        .contains("64")
    );
    assert!(
        refused(
            "k",
            LaunchConfig {
                block: [2048, 1, 1],
                ..config
            },
            &[0; 8]
        )
        .contains("1024")
    );
    assert!(
        refused(
            "k",
            LaunchConfig {
                grid: [1, 0, 1],
                ..config
            },
            &[0; 8]
        )
        .contains("grid")
    );
    assert!(
        refused(
            "k",
            LaunchConfig {
                dynamic_shared: 1 << 20,
                ..config
            },
            &[0; 8]
        )
        .contains("shared")
    );
    assert!(refused("k", config, &[0; 4]).contains('8'));
    assert!(
        launch(
            &module,
            "k",
            &config,
            &[0; 8],
            &device.memory,
            &device.options
        )
        .is_ok()
    );
}
