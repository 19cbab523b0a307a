//! Which of the thesis' problems a program is, from what its tasks read and write.
//!
//! A task is known by the element of the result that it writes. A stencil reads elements of arrays of the result's shape, most
//! tasks in the same neighbourhood of their own place (at the edges a boundary rule makes it another). A product reads one array by
//! the row of the task and another by its column, both from end to end. All of it is seen from accesses alone, so any
//! program will do, whatever compiled it; a few rows of tasks are enough.

use crate::forms::{Product, Stencil};
use rustc_hash::FxHashMap;

/// The accesses of a task: numbers of elements in their arrays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// The element of the result, or the first of several neighbours.
    pub writes: u64,
    /// How many it writes.
    pub count: u64,
    /// Array and element.
    pub reads: Vec<(usize, u64)>,
}

/// The problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Pattern {
    /// Each task reads the elements around its own place; of a map only that one.
    Stencil(Stencil),
    /// Each task reads a row of one array and a column of another.
    Product(Product),
    /// Anything else.
    Other,
}

/// Recognises a problem whose result has `height` rows of `width`; `lengths` are the numbers of elements of the arrays.
pub fn recognise(tasks: &[Task], (height, width): (u64, u64), lengths: &[u64]) -> Pattern {
    if tasks.is_empty() || width == 0 || height == 0 {
        return Pattern::Other;
    }
    if let Some(product) = product(tasks, (height, width), lengths) {
        return Pattern::Product(product);
    }
    stencil(tasks, (height, width), lengths).map_or(Pattern::Other, Pattern::Stencil)
}

/// The elements a task reads of an array, ascending.
fn elements(task: &Task, array: usize) -> Vec<u64> {
    let mine = task.reads.iter().filter(|read| read.0 == array);
    let mut elements: Vec<u64> = mine.map(|read| read.1).collect();
    elements.sort_unstable();
    elements.dedup();
    elements
}

fn product(tasks: &[Task], (height, width): (u64, u64), lengths: &[u64]) -> Option<Product> {
    let by = |array: usize, of: &dyn Fn(u64, u64) -> (u64, u64), depth: u64| {
        tasks.iter().all(|task| {
            if task.count != 1 {
                return false;
            }
            let (first, step) = of(task.writes / width, task.writes % width);
            elements(task, array)
                .into_iter()
                .eq((0..depth).map(|k| first + k * step))
        })
    };
    let (rows, columns) = (0..lengths.len()).fold((None, None), |found, array| {
        let length = lengths[array];
        let depth = length / height;
        let by_row =
            depth > 1 && depth * height == length && by(array, &|y, _| (y * depth, 1), depth);
        let depth = length / width;
        let by_column =
            depth > 1 && depth * width == length && by(array, &|_, x| (x, width), depth);
        (
            found.0.or(by_row.then_some(length / height)),
            found.1.or(by_column.then_some(depth)),
        )
    });
    rows.filter(|_| rows == columns).map(|depth| Product {
        width,
        height,
        depth,
    })
}

fn stencil(tasks: &[Task], (height, width): (u64, u64), lengths: &[u64]) -> Option<Stencil> {
    let mut boxes: FxHashMap<(i64, i64, i64, i64, u64), u64> = FxHashMap::default();
    for task in tasks {
        let (y, x) = ((task.writes / width) as i64, (task.writes % width) as i64);
        let (mut top, mut bottom, mut left, mut right) = (0, 0, 0, 0);
        let mut inputs = 0;
        for (array, &length) in lengths.iter().enumerate() {
            let read = elements(task, array);
            // An array that all tasks read alike, as weights, is no input of this shape.
            if read.is_empty() || length != height * width {
                continue;
            }
            inputs += 1;
            for element in read {
                let (dy, dx) = ((element / width) as i64 - y, (element % width) as i64 - x);
                (top, bottom) = (dy.min(top), dy.max(bottom));
                (left, right) = (dx.min(left), dx.max(right));
            }
        }
        // Of a task with several neighbours the last one reads that much further to the right.
        right = (right - task.count.saturating_sub(1) as i64).max(0);
        *boxes.entry((top, bottom, left, right, inputs)).or_default() += 1;
    }
    // The most common one; of several the smallest, so that the result is the same each time.
    let (most, _) = boxes
        .into_iter()
        .max_by_key(|&(shape, count)| (count, core::cmp::Reverse(shape)))?;
    let (top, bottom, left, right, inputs) = most;
    let (down, across) = ((bottom - top + 1) as u64, (right - left + 1) as u64);
    // A neighbourhood as large as the array is none.
    let small = inputs > 0 && (down < height || height == 1) && (across < width || width == 1);
    small.then_some(Stencil {
        width,
        height,
        across,
        down,
        inputs,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stencil_tasks(n: i64, reach: i64) -> Vec<Task> {
        let task = |i: i64| {
            let near = |at: i64| (-reach..=reach).map(move |d| (at + d).clamp(0, n - 1));
            let reads = near(i / n).flat_map(|y| near(i % n).map(move |x| (0, (y * n + x) as u64)));
            Task {
                writes: i as u64,
                count: 1,
                reads: reads.collect(),
            }
        };
        (0..n * n).map(task).collect()
    }

    #[test]
    fn stencils_are_known_by_the_neighbourhood_of_most_tasks() {
        for reach in [0, 1, 3] {
            let side = (2 * reach + 1) as u64;
            let expected = Stencil {
                width: 16,
                height: 16,
                across: side,
                down: side,
                inputs: 1,
            };
            let found = recognise(&stencil_tasks(16, reach), (16, 16), &[256]);
            assert_eq!(found, Pattern::Stencil(expected));
        }
    }

    #[test]
    fn products_are_known_by_a_row_and_a_column() {
        let (height, width, depth) = (3, 5, 4);
        let task = |i: u64| Task {
            writes: i,
            count: 1,
            reads: (0..depth)
                .flat_map(|k| [(0, i / width * depth + k), (1, k * width + i % width)])
                .collect(),
        };
        let tasks: Vec<Task> = (0..height * width).map(task).collect();
        let product = Product {
            width,
            height,
            depth,
        };
        let found = |tasks: &[Task]| recognise(tasks, (height, width), &[12, 20]);
        assert_eq!(found(&tasks), Pattern::Product(product));
        assert_eq!(found(&tasks[..1]), Pattern::Product(product));
        // One task that leaves out an element.
        let mut wrong = tasks.clone();
        wrong[7].reads.pop();
        assert_eq!(found(&wrong), Pattern::Other);
    }

    #[test]
    fn anything_else_is_neither() {
        assert_eq!(recognise(&[], (4, 4), &[16]), Pattern::Other);
        let all = Task {
            writes: 0,
            count: 1,
            reads: (0..16).map(|i| (0, i)).collect(),
        };
        assert_eq!(recognise(&[all], (4, 4), &[16]), Pattern::Other);
    }
}
