//! Runs a mapping the way a device would: every thread of the launch, one after the other.

#![allow(dead_code, reason = "each test binary uses its part")]

use segra_space::*;
use std::collections::BTreeMap;

/// Values of symbols.
pub(crate) type Values = BTreeMap<Symbol, i64>;

pub(crate) fn eval(arena: &Arena, roots: &[Expr], values: &Values) -> Vec<i64> {
    evaluate(arena, roots, &|symbol| values.get(&symbol).copied())
        .unwrap_or_else(|error| panic!("{error} in {}", arena.display(roots[0])))
}

/// Grid and block extents in the order x, y, z.
pub(crate) fn extents(arena: &Arena, mapping: &Mapping, values: &Values) -> ([i64; 3], [i64; 3]) {
    let grid = eval(arena, &mapping.grid(), values);
    let block = eval(arena, &mapping.block(), values);
    ([grid[0], grid[1], grid[2]], [block[0], block[1], block[2]])
}

/// Number of threads of the launch, idle ones included.
pub(crate) fn threads(arena: &Arena, mapping: &Mapping, values: &Values) -> i64 {
    let (grid, block) = extents(arena, mapping, values);
    grid.iter().chain(&block).product()
}

/// Number of steps of all threads of the launch, idle ones included.
pub(crate) fn positions(arena: &Arena, mapping: &Mapping, values: &Values) -> i64 {
    let steps = eval(arena, &mapping.steps(), values);
    threads(arena, mapping, values) * steps.iter().product::<i64>()
}

/// Launches here need not fit any hardware: a block may be 91 threads deep.
const ANY_SIZE: HardwareLimits = HardwareLimits {
    grid: [1 << 31; 3],
    block: [1 << 31; 3],
    block_threads: 1 << 31,
};

/// Which recovery the threads execute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Recover {
    Plain,
    Simplified,
}

/// The indices and guards that threads of CUDA's limits compute, simplified, and the ids they are made of.
pub(crate) fn recovered(arena: &mut Arena, mapping: &Mapping) -> (ThreadIds, Recovery) {
    let ids = ThreadIds::declare(arena, &HardwareLimits::CUDA);
    let limits = SimplifyLimits::default();
    let recovery = mapping.recover_simplified(arena, &ids, &Facts::new(), &limits);
    (ids, recovery.expect("a mapping can be recovered"))
}

/// The index vectors recovered by the threads whose guards hold, in launch order (steps, then x fastest).
pub(crate) fn hits(
    arena: &mut Arena,
    mapping: &Mapping,
    values: &Values,
    how: Recover,
) -> Vec<Vec<i64>> {
    let ids = ThreadIds::declare(arena, &ANY_SIZE);
    let recovery = match how {
        Recover::Plain => mapping.recover(arena, &ids),
        Recover::Simplified => {
            let limits = SimplifyLimits {
                nodes: 1500,
                ..SimplifyLimits::default()
            };
            mapping.recover_simplified(arena, &ids, &Facts::new(), &limits)
        }
    }
    .expect("a mapping can be recovered");
    let (grid, block) = extents(arena, mapping, values);
    let steps = eval(arena, &mapping.steps(), values);
    let roots = recovery.roots();
    let axes = [&steps[..], &block, &grid].concat();
    let ids = [ids.step, ids.thread, ids.block].concat();
    let ids: Vec<usize> = ids
        .iter()
        .filter_map(|&id| arena.as_symbol(id))
        .map(Symbol::index)
        .collect();
    // Ids are declared one after the other, so that a position says which one it is.
    let first = *ids.iter().min().expect("there are ids");
    let mut places = vec![0; ids.len()];
    for (place, &id) in ids.iter().enumerate() {
        places[id - first] = place;
    }
    let mut evaluator = Evaluator::new(arena, &roots).expect("sorts fit");
    let mut found = Vec::new();
    let mut at = vec![0; axes.len()];
    for position in 0..axes.iter().product() {
        let mut rest: i64 = position;
        for (id, axis) in at.iter_mut().zip(&axes) {
            *id = rest % axis;
            rest /= axis;
        }
        let environment = |symbol: Symbol| match symbol.index().checked_sub(first) {
            Some(id) => Some(at[places[id]]),
            None => values.get(&symbol).copied(),
        };
        let (index, guards) = evaluator
            .values(&environment)
            .unwrap_or_else(|error| panic!("{error} at {at:?}"))
            .split_at(recovery.indices.len());
        if guards.iter().all(|&guard| guard == 1) {
            found.push(index.to_vec());
        }
    }
    found
}

/// All index vectors of a space given as (lower, upper, step, width) per dimension, in order.
pub(crate) fn index_set(space: &[(i64, i64, i64, i64)]) -> Vec<Vec<i64>> {
    let mut vectors = vec![Vec::new()];
    for &(lower, upper, step, width) in space {
        vectors = vectors
            .iter()
            .flat_map(|prefix: &Vec<i64>| {
                (lower..upper)
                    .filter(|i| (i - lower) % step < width)
                    .map(|i| [prefix.as_slice(), &[i]].concat())
            })
            .collect();
    }
    vectors
}

/// A space of constants.
pub(crate) fn constant_space(arena: &mut Arena, space: &[(i64, i64, i64, i64)]) -> Descriptor {
    Descriptor::new(
        space
            .iter()
            .map(|&(lower, upper, step, width)| Dimension {
                lower: arena.int(lower),
                upper: arena.int(upper),
                step: arena.int(step),
                width: arena.int(width),
            })
            .collect(),
    )
}

/// A dense space of symbols `d0`, `d1`, … with the given values.
pub(crate) fn symbolic_shape(arena: &mut Arena, sizes: &[i64]) -> (Descriptor, Values) {
    let mut values = Values::new();
    let mut shape = Vec::new();
    for (place, &size) in sizes.iter().enumerate() {
        let symbol = arena.symbol(&format!("d{place}"), Interval::NON_NEGATIVE);
        values.insert(arena.as_symbol(symbol).expect("a symbol"), size);
        shape.push(symbol);
    }
    (Descriptor::of_shape(arena, &shape), values)
}

/// (lower, upper, step, width) of each dimension.
pub(crate) fn quadruples(
    arena: &Arena,
    space: &Descriptor,
    values: &Values,
) -> Vec<(i64, i64, i64, i64)> {
    let quadruple = |d: &Dimension| {
        let values = eval(arena, &[d.lower, d.upper, d.step, d.width], values);
        (values[0], values[1], values[2], values[3])
    };
    space.dimensions.iter().map(quadruple).collect()
}

pub(crate) fn chain(text: &str) -> Chain {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}
