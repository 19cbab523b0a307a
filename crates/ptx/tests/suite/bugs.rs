//! Planted bugs: each `tests/bugs/NAME.ptx` has mistakes at the lines marked `// BUG: what`, and a clean twin
//! `NAME_clean.ptx`. The checkers must report exactly those lines, and nothing on the twin.
//!
//! A file says how it is launched: `// launch: grid G, block B`, then one `// buffer NAME: N words, …` per parameter,
//! "counting up" or "uninitialised".

use crate::common::{Arg, Device, parse};
use segra_ptx::{LaunchStats, Options};

/// Line and message of every report.
fn reports(text: &str, options: &Options) -> Vec<(u32, String)> {
    let module = parse(text);
    let mut device = Device::new();
    device.options = options.clone();
    let numbers = |line: &str| -> Vec<u32> {
        line.split(|c: char| !c.is_ascii_digit())
            .filter_map(|word| word.parse().ok())
            .collect()
    };
    let launch = text
        .lines()
        .find_map(|line| line.strip_prefix("// launch:"))
        .expect("a launch line");
    let [grid, block] = numbers(launch)[..] else {
        panic!("{launch}")
    };
    let mut args = Vec::new();
    for line in text
        .lines()
        .filter_map(|line| line.strip_prefix("// buffer "))
    {
        let (name, rest) = line.split_once(':').expect("a name");
        let words = numbers(rest)[0];
        let address = if rest.contains("uninitialised") {
            device
                .memory
                .alloc(u64::from(words) * 4, name)
                .expect("it fits")
        } else {
            device.buffer(name, &(0..words).collect::<Vec<u32>>())
        };
        args.push(Arg::U64(address));
    }
    match device.try_launch(&module, "k", [grid, 1, 1], [block, 1, 1], &args) {
        Ok(LaunchStats { findings, .. }) => findings
            .iter()
            .map(|finding| (finding.report.line, finding.to_string()))
            .collect(),
        Err(fault) => vec![(fault.line, fault.to_string())],
    }
}

/// The lines marked as bugs, with what the report must say.
fn planted(text: &str) -> Vec<(u32, &str)> {
    let marked = text.lines().enumerate();
    marked
        .filter_map(|(at, line)| Some((at as u32 + 1, line.split_once("// BUG: ")?.1)))
        .collect()
}

fn check(name: &str, bug: &str, clean: &str) {
    // One host thread and several must tell the same.
    for threads in [1, 4] {
        let options = Options {
            threads: Some(threads),
            ..Options::default()
        };
        let (found, expected) = (reports(bug, &options), planted(bug));
        assert!(!expected.is_empty());
        let lines = |of: &[(u32, String)]| of.iter().map(|(line, _)| *line).collect::<Vec<_>>();
        assert_eq!(
            lines(&found),
            expected.iter().map(|(line, _)| *line).collect::<Vec<_>>(),
            "{name}: {found:#?}"
        );
        for ((_, message), (_, what)) in found.iter().zip(&expected) {
            assert!(
                message.contains(what),
                "{name}: `{what}` is not in\n{message}"
            );
        }
        assert_eq!(reports(clean, &options), [], "{name}: the clean twin");
    }
}

macro_rules! bugs {
    ($($name:ident),* $(,)?) => {$(
        #[test]
        fn $name() {
            check(
                stringify!($name),
                include_str!(concat!("../bugs/", stringify!($name), ".ptx")),
                include_str!(concat!("../bugs/", stringify!($name), "_clean.ptx")),
            );
        }
    )*};
}

bugs! {
    missing_barrier,
    off_by_one,
    shared_race,
    cross_block_race,
    uninitialised_read,
    misaligned_vector,
    divergent_barrier,
    narrow_scope,
}
