//! Orders that a batch may run in, for devices that run one step at a time.

use super::Step;
use segra_random::SplitMix64;

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

/// Draws a step among those that may run next, again and again. `random` moves on, so that batches differ.
pub(crate) fn draw(steps: &[Step], random: &mut SplitMix64) -> Vec<usize> {
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
        let choice = (random.next_u64() >> 1) as usize % ready.len().max(1);
        // The first step that has not run can always run: it waits for earlier ones only.
        let Some(step) = ready.get_mut(choice).and_then(|queue| queue.pop()) else {
            break;
        };
        done[step] = true;
        order.push(step);
    }
    order
}
