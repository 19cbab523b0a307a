//! Traces of profiled launches: who accessed what in which order, and what served it; and the machines that profiles are for.

use crate::common::{Arg, Device, kernel, parse};
use segra_ptx::{
    Checks, Level, Machine, Options, ProfileOptions, Sample, ThreadAccess, Trace, TraceOptions,
    TracedThreads,
};

/// Each thread reads its element and that of thread 0 of its block, and stores one.
const BODY: &str = "ld.param.u64 %rd1, [data]; mov.u32 %r9, %tid.x; mov.u32 %r8, %ctaid.x; mov.u32 %r7, %ntid.x;
    mul.lo.u32 %r6, %r8, %r7; add.u32 %r1, %r6, %r9; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd1, %rd2;
    mul.wide.u32 %rd3, %r6, 4; add.u64 %rd3, %rd1, %rd3; ld.global.u32 %r2, [%rd2]; ld.global.u32 %r3, [%rd3];
    st.global.u32 [%rd2+16384], %r2;";

/// The trace of so many blocks of 64 threads, and the address of the buffer.
fn trace(blocks: u32, multiprocessors: u32, options: TraceOptions) -> (Trace, u64) {
    let machine = Machine {
        multiprocessors,
        blocks: 2,
        ..Machine::T4
    };
    let module = parse(&kernel("k", ".param .u64 data", BODY));
    let mut device = Device::new();
    device.options = Options {
        checks: Checks::FAULTS,
        profile: Some(ProfileOptions {
            machine,
            registers: None,
            sample: Sample::All,
            trace: Some(options),
        }),
        ..Options::default()
    };
    let data = device.buffer("data", &[0u32; 8 << 10]);
    let stats = device.try_launch(&module, "k", [blocks, 1, 1], [64, 1, 1], &[Arg::U64(data)]);
    let profile = stats.unwrap_or_else(|fault| panic!("{fault}")).profile;
    let trace = profile.expect("a profile was asked for").trace;
    (trace.expect("a trace was asked for"), data)
}

const ALL: TraceOptions = TraceOptions {
    multiprocessor: 1,
    sectors: 1 << 20,
    threads: TracedThreads::All,
    thread_accesses: 1 << 20,
};

#[test]
fn blocks_go_to_multiprocessors_in_turn_and_a_trace_shows_those_of_one() {
    let (trace, data) = trace(8, 3, ALL);
    // Multiprocessor 1 of 3 has blocks 1, 4 and 7; two of them at a time.
    let mut blocks: Vec<u64> = (trace.touched.iter())
        .filter(|touched| !touched.writes)
        .map(|touched| (touched.address - data) / 256)
        .collect();
    blocks.dedup();
    assert_eq!((blocks[0], *blocks.last().expect("some")), (1, 7));
    blocks.sort_unstable();
    blocks.dedup();
    assert_eq!(blocks, [1, 4, 7]);
    assert!(!trace.cut);
    assert_eq!(
        trace.buffer_of(data + 5).map(|buffer| buffer.name.as_str()),
        Some("data")
    );
    // The first load of a block comes from memory, that of its first element from the L1 cache; stores go to the L2.
    let level = |request: u32| {
        trace
            .touched
            .iter()
            .find(|touched| touched.request == request)
            .map(|t| (t.writes, t.level))
    };
    assert_eq!(level(0), Some((false, Level::Memory)));
    assert!(trace.touched.iter().any(|t| t.level == Level::L1));
    assert!(
        trace
            .touched
            .iter()
            .filter(|t| t.writes)
            .all(|t| t.level == Level::L2)
    );
    // 4 warps of 3 requests each, and 2 of the last block.
    assert_eq!(trace.touched.last().map(|t| t.request), Some(3 * 6 - 1));
}

#[test]
fn threads_are_traced_one_after_the_other_each_in_its_own_order() {
    let (trace, data) = trace(2, 3, ALL);
    assert_eq!(trace.accesses.len(), 2 * 64 * 3);
    let access = |thread, offset, writes| ThreadAccess {
        thread,
        address: data + offset,
        bytes: 4,
        writes,
    };
    let of = |thread: u64| trace.accesses[thread as usize * 3..][..3].to_vec();
    for thread in [0, 1, 63, 64, 100, 127] {
        let first = thread / 64 * 256;
        assert_eq!(
            of(thread),
            [
                access(thread, 4 * thread, false),
                access(thread, first, false),
                access(thread, 4 * thread + 16384, true)
            ]
        );
    }
    // One block, in the middle of those that run at once.
    let one = TraceOptions {
        threads: TracedThreads::MiddleBlock,
        ..ALL
    };
    let (trace, _) = self::trace(8, 3, one);
    let threads: Vec<u64> = trace.accesses.iter().map(|access| access.thread).collect();
    assert_eq!((threads[0], threads[191], threads.len()), (192, 255, 192));
}

#[test]
fn a_trace_that_is_full_says_so() {
    for options in [
        TraceOptions { sectors: 5, ..ALL },
        TraceOptions {
            thread_accesses: 20,
            ..ALL
        },
    ] {
        let (trace, _) = trace(8, 3, options);
        assert!(trace.cut && trace.touched.len() <= options.sectors);
        assert!(trace.accesses.len() <= options.thread_accesses);
    }
    let nothing = TraceOptions {
        sectors: 0,
        thread_accesses: 0,
        ..ALL
    };
    let (trace, _) = trace(8, 3, nothing);
    assert!(!trace.cut && trace.touched.is_empty() && trace.accesses.is_empty());
}

#[test]
fn row_002_01_table_2_1() {
    // L1 KiB, L2 KiB, coverage in MiB and page in KiB of both TLBs.
    for (machine, l1, l2, tlbs) in [
        (Machine::T4, 64, 4096, [32, 2048, 8192, 32 << 10]),
        (Machine::V100, 128, 6144, [32, 2048, 8192, 32 << 10]),
        (Machine::P100, 24, 4096, [32, 2048, 2048, 32 << 10]),
        (Machine::M60, 24, 2048, [2, 128, 128, 2048]),
    ] {
        assert_eq!(
            (machine.l1.bytes >> 10, machine.l2.bytes >> 10),
            (l1, l2),
            "{}",
            machine.name
        );
        // The table's lines are sectors; lines of the text have four.
        assert_eq!((machine.l1.sector_bytes, machine.l1.line_bytes), (32, 128));
        let [first, second] = machine.tlbs.expect("in the table");
        let found = [
            first.coverage_mib,
            first.page_kib,
            second.coverage_mib,
            second.page_kib,
        ];
        assert_eq!(found, tlbs, "{}", machine.name);
        assert_eq!(Machine::named(machine.name), Some(machine.clone()));
    }
}

#[test]
fn row_002_02_latencies_of_turing() {
    let latency = Machine::T4.latency;
    assert_eq!(
        (latency.l1, latency.l2, latency.memory),
        (32.0, 188.0, 296.0)
    );
    assert_eq!(latency.untranslated, Some(616.0));
}
