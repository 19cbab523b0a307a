//! Schedules of small hand-written and random steps.

use super::check::{Unordered, ordered};
use super::*;
use segra_random::SplitMix64;

/// Eight bytes at a place, for reading or writing.
fn at(place: u64, writes: bool) -> Use {
    Use {
        start: place * 8,
        bytes: 8,
        writes,
    }
}

fn task() -> Task {
    Task::Copy {
        dst: DevicePtr(0),
        src: DevicePtr(0),
        bytes: 8,
    }
}

/// The schedule of steps that read and write these places.
fn schedule(steps: &[(&[u64], &[u64])]) -> (Vec<Step>, usize) {
    let mut schedule = Schedule::default();
    for (reads, writes) in steps {
        let reads = reads.iter().map(|&place| at(place, false));
        schedule.push(
            task(),
            reads
                .chain(writes.iter().map(|&place| at(place, true)))
                .collect(),
        );
    }
    schedule.take()
}

fn streams(steps: &[Step]) -> Vec<usize> {
    steps.iter().map(|step| step.stream).collect()
}

#[test]
fn independent_chains_run_in_streams_of_their_own_and_join_by_one_wait() {
    let (steps, count) = schedule(&[
        (&[0], &[1]),
        (&[0], &[2]),
        (&[1], &[3]),
        (&[2], &[4]),
        (&[3, 4], &[5]),
    ]);
    assert_eq!((streams(&steps), count), (vec![0, 1, 0, 1, 1], 2));
    let waits: Vec<&[usize]> = steps.iter().map(|step| &step.waits[..]).collect();
    assert_eq!(waits, [&[][..], &[], &[], &[], &[2]]);
}

#[test]
fn a_chain_stays_in_one_stream_without_waits() {
    let (steps, count) = schedule(&[(&[0], &[1]), (&[1], &[2]), (&[2], &[1]), (&[1], &[2])]);
    assert_eq!((streams(&steps), count), (vec![0; 4], 1));
    assert!(steps.iter().all(|step| step.waits.is_empty()));
}

#[test]
fn a_write_waits_for_reads_and_a_wait_implies_what_that_step_waited_for() {
    // Two readers of place 1 in two streams; the writer comes behind the later and waits for the earlier.
    let (steps, _) = schedule(&[
        (&[], &[1]),
        (&[1], &[2]),
        (&[1], &[3]),
        (&[], &[1]),
        (&[1], &[4]),
    ]);
    assert_eq!(steps[3].stream, steps[2].stream);
    assert_eq!(steps[3].waits, [1]);
    assert_eq!(steps[4].waits, []);
}

#[test]
fn overlap_counts_not_equal_addresses() {
    let (low, high) = (
        Use {
            start: 0,
            bytes: 16,
            writes: true,
        },
        Use {
            start: 15,
            bytes: 4,
            writes: false,
        },
    );
    assert!(low.conflicts(&high) && high.conflicts(&low));
    assert!(!low.conflicts(&Use {
        start: 16,
        bytes: 4,
        writes: true
    }));
    assert!(!high.conflicts(&Use {
        writes: false,
        ..low
    }));
}

#[test]
fn the_check_finds_a_wait_that_is_missing() {
    let (mut steps, _) = schedule(&[(&[0], &[1]), (&[0], &[2]), (&[1, 2], &[3])]);
    assert_eq!(ordered(&steps), Ok(()));
    steps[2].waits.clear();
    assert_eq!(
        ordered(&steps),
        Err(Unordered {
            first: 0,
            second: 2
        })
    );
    steps[2].waits = vec![2];
    assert_eq!(
        ordered(&steps),
        Err(Unordered {
            first: 2,
            second: 2
        })
    );
}

/// Steps with few places, random by a seed.
fn random_steps(seed: u64) -> Vec<Step> {
    let mut random = SplitMix64::new(seed);
    let mut schedule = Schedule::default();
    for _ in 0..MAX_STEPS {
        let mut place = || (random.next_u64() >> 1) % 24;
        let uses = vec![
            at(place(), false),
            at(place(), false),
            at(place(), place() % 2 == 0),
        ];
        schedule.push(task(), uses);
    }
    assert!(schedule.is_full());
    schedule.take().0
}

#[test]
fn random_steps_are_ordered_use_several_streams_and_need_each_of_their_waits() {
    for seed in 0..20 {
        let steps = random_steps(seed);
        assert_eq!(ordered(&steps), Ok(()), "seed {seed}");
        assert!(steps.iter().any(|step| step.stream == MAX_STREAMS - 1));
        for (index, at) in steps
            .iter()
            .enumerate()
            .flat_map(|(index, step)| (0..step.waits.len()).map(move |at| (index, at)))
            .step_by(17)
        {
            let mut mutant = steps.clone();
            mutant[index].waits.remove(at);
            assert!(
                ordered(&mutant).is_err(),
                "seed {seed}: step {index} waits in vain"
            );
        }
    }
}

#[test]
fn drawn_orders_are_legal_repeatable_and_not_the_program_s() {
    let steps = random_steps(7);
    let order = draw(&steps, &mut SplitMix64::new(1));
    assert_eq!(order, draw(&steps, &mut SplitMix64::new(1)));
    assert_ne!(order, draw(&steps, &mut SplitMix64::new(2)));
    assert!(order.iter().enumerate().any(|(at, &step)| at != step));
    let mut position = vec![usize::MAX; steps.len()];
    order
        .iter()
        .enumerate()
        .for_each(|(at, &step)| position[step] = at);
    for (second, step) in steps.iter().enumerate() {
        for first in 0..second {
            let conflict = step
                .uses
                .iter()
                .any(|mine| steps[first].uses.iter().any(|other| mine.conflicts(other)));
            assert!(
                !conflict || position[first] < position[second],
                "{first} and {second}"
            );
        }
    }
}

#[test]
fn a_shape_that_comes_again_is_a_graph_whatever_its_arguments() {
    let launch = |kernel, block| {
        let (module, args) = (ModuleHandle(0), vec![KernelArg::Pointer(DevicePtr(block))]);
        Task::Launch(LaunchTask {
            module,
            kernel,
            grid: [1; 3],
            block: [1; 3],
            dynamic_shared: 0,
            args,
        })
    };
    let batch = |kernels: [usize; 2], place: u64| {
        let mut schedule = Schedule::default();
        for kernel in kernels {
            schedule.push(launch(kernel, place), vec![at(place, true)]);
        }
        schedule.take().0
    };
    let mut graphs = Graphs::default();
    assert_eq!(graphs.number(&batch([0, 1], 1)), None);
    assert_eq!(graphs.number(&batch([1, 0], 1)), None);
    assert_eq!(graphs.number(&batch([0, 1], 2)), Some(0));
    assert_eq!(graphs.number(&batch([1, 0], 3)), Some(1));
    assert_eq!(graphs.number(&batch([0, 1], 1)), Some(0));
    assert_eq!(graphs.number(&batch([0, 1], 1)[..1]), None);
    assert_eq!(graphs.number(&batch([0, 1], 1)[..1]), None);
}
