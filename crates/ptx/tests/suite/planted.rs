//! Planted bugs: a kernel with a mistake, and the same kernel without it. The checkers must report the mistake, at its
//! line and nowhere else, and nothing about the twin.
//!
//! A case is the body of a kernel. A line that ends with `// BUG what` is where the report must be, and what it must
//! say; `// right` marks lines of the twin only, `// wrong` lines of the mistaken kernel only. All cases begin with
//! [`HEAD`]; `case!` gives blocks and threads. The kernels are as compilers and people write them: loops, pipelines,
//! reductions, scans, flags, locks.

mod copies;
mod grids;
mod memory;
mod products;
mod races;
mod synchronisation;

use crate::common::{Arg, Device, kernel, parse};
use segra_ptx::{FaultKind, Finding, Options};

/// The prelude of every case. Buffers: `a` counts up, `b` holds zeros, `c` nothing, 1024 words each. `%r1` thread,
/// `%r2` block, `%r3` thread of the grid, `%r4` lane, `%r5` warp; `%rd1` to `%rd3` the buffers, `%rd4` to `%rd6` the
/// thread's words in them; `%r10` the address of 4 KiB of shared memory `s`, `%r11` the thread's word there.
const HEAD: &str = ".shared .align 128 .b8 s[4096]; .shared .align 8 .b8 bar[32]; .local .align 16 .b8 l[64];
    ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c];
    mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r9, %ntid.x; mad.lo.u32 %r3, %r2, %r9, %r1;
    mul.wide.u32 %rd10, %r3, 4; add.u64 %rd4, %rd1, %rd10; add.u64 %rd5, %rd2, %rd10; add.u64 %rd6, %rd3, %rd10;
    and.b32 %r4, %r1, 31; shr.u32 %r5, %r1, 5; mov.u32 %r10, s; mad.lo.u32 %r11, %r1, 4, %r10;";

/// Everything found, with its line in the body.
fn findings(body: &str, [grid, block]: [u32; 2], threads: usize) -> Vec<(u32, Finding)> {
    let text = kernel("k", ".param .u64 a, .param .u64 b, .param .u64 c", &format!("{HEAD}\n{body}"))
        .replace(
            ".visible .entry",
            ".const .align 4 .u32 table[4] = {1, 2, 3, 4};\n.global .align 4 .u32 flag;\n.visible .entry",
        )
        .replace(".target sm_80", ".target sm_90");
    let offset = text
        .lines()
        .position(|line| line.contains("mov.u32 %r10, s"))
        .expect("the head's last line")
        + 1;
    let module = parse(&text);
    let mut device = Device::new();
    device.options = Options {
        threads: Some(threads),
        ..device.options
    };
    let a = device.buffer("a", &(0..1024).collect::<Vec<u32>>());
    let b = device.buffer("b", &[0u32; 1024]);
    let c = device.memory.alloc(4096, "c").expect("it fits");
    let args = [a, b, c].map(Arg::U64);
    let found = match device.try_launch(&module, "k", [grid, 1, 1], [block, 1, 1], &args) {
        Ok(stats) => stats.findings,
        Err(fault) => fault.findings().collect(),
    };
    let line = |finding: &Finding| finding.report.line.saturating_sub(offset as u32);
    found
        .into_iter()
        .map(|finding| (line(&finding), finding))
        .collect()
}

/// The lines with one of the marks blanked out, so that all others keep their numbers.
fn without(body: &str, mark: &str) -> String {
    body.lines()
        .map(|line| {
            if line.trim_end().ends_with(mark) {
                ""
            } else {
                line
            }
        })
        .collect::<Vec<_>>()
        .join("\n")
}

fn check(name: &str, body: &str, shape: [u32; 2], kind: FaultKind) {
    let planted: Vec<(u32, &str)> = body
        .lines()
        .enumerate()
        .filter_map(|(at, line)| {
            Some((
                at as u32 + 1,
                line.split_once("// BUG ")?
                    .1
                    .trim_end_matches("// wrong")
                    .trim(),
            ))
        })
        .collect();
    assert!(!planted.is_empty(), "{name} has no bug");
    // One host thread and several must tell the same.
    for threads in [1, 4] {
        let found = findings(&without(body, "// right"), shape, threads);
        let all: Vec<String> = found
            .iter()
            .map(|(_, finding)| finding.to_string())
            .collect();
        for (line, what) in &planted {
            let here =
                |(at, finding): &(u32, Finding)| at == line && finding.to_string().contains(what);
            assert!(
                found.iter().any(here),
                "{name}: no `{what}` in line {line} of the body: {all:#?}"
            );
        }
        assert!(
            found.iter().any(|(_, finding)| finding.kind() == kind),
            "{name}: {all:#?}"
        );
        // A mistake may show at its lines in several ways, and nowhere else.
        let elsewhere = found
            .iter()
            .find(|(at, _)| !planted.iter().any(|(line, _)| line == at));
        assert!(elsewhere.is_none(), "{name}: {elsewhere:#?}");
        let found = findings(&without(body, "// wrong"), shape, threads);
        let clean: Vec<String> = found
            .iter()
            .map(|(_, finding)| finding.to_string())
            .collect();
        assert_eq!(clean, [""; 0], "{name}: the twin without the bug");
    }
}

/// `name, grid, block, kind, body`
macro_rules! case {
    ($name:ident, $grid:literal x $block:literal, $kind:ident, $body:expr) => {
        #[test]
        fn $name() {
            super::check(
                stringify!($name),
                $body,
                [$grid, $block],
                segra_ptx::FaultKind::$kind,
            );
        }
    };
}
use case;
