//! Orders that a batch may run in, for devices that run one step at a time.

use super::Step;

/// In which order a device without streams runs steps that may run in any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepOrder {
    /// As the program has them.
    #[default]
    Program,
    /// Any that streams and waits allow, chosen by this number; results must not depend on it. The orders a GPU may run steps in, made
    /// repeatable: a step that forgets to wait is found.
    Shuffled(u64),
}

/// Draws a step among those that may run next, again and again. `state` moves on, so that batches differ.
pub(crate) fn draw(steps: &[Step], state: &mut u64) -> Vec<usize> {
    let streams = steps.iter().map(|step| step.stream + 1).max().unwrap_or(0);
    let mut queues: Vec<Vec<usize>> = vec![Vec::new(); streams];
    for (index, step) in steps.iter().enumerate().rev() {
        queues[step.stream].push(index);
    }
    let mut done = vec![false; steps.len()];
    let mut order = Vec::with_capacity(steps.len());
    while order.len() < steps.len() {
        let may_run = |queue: &&mut Vec<usize>| -> bool {
            queue
                .last()
                .is_some_and(|&next| steps[next].waits.iter().all(|&wait| done[wait]))
        };
        let mut ready: Vec<&mut Vec<usize>> = queues.iter_mut().filter(may_run).collect();
        let choice = next(state) as usize % ready.len().max(1);
        // The first step that has not run can always run: it waits for earlier ones only.
        let Some(step) = ready.get_mut(choice).and_then(|queue| queue.pop()) else {
            break;
        };
        done[step] = true;
        order.push(step);
    }
    order
}

/// The next of a sequence of evenly spread numbers (SplitMix64; Steele, Lea and Flood 2014).
pub(super) fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed ^ (mixed >> 31)) >> 1
}
