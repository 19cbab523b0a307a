//! The shape of tiles: how many points a thread block and a thread have, from what the points read and do.
//!
//! A block of extents `B` reads `product(B + halo)` elements of an array for `product(B)` points, so blocks are as large as
//! their elements fit in shared memory. A thread with several neighbouring points reads what they share once: with `p` points
//! along a dimension `p + reach` elements in place of `p (1 + reach)`. Its code is `p` times as long.

use super::find::Stencil;
use segra_ir::{Ir, OpView};
use segra_kernel::registers::Registers;
use segra_kernel::vector::element_bytes;
use segra_space::Target;

/// Ops of a thread's code at most: longer ones take compilers seconds.
const MOST_OPS: usize = 8192;

/// Elements that points share with others, at least: fewer are as cheap to read where they are.
const FEWEST: usize = 3;

/// The shape of the tiles of a stencil.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// Points of a block along each tiled dimension.
    pub(super) extents: Vec<i64>,
    /// Points of a thread.
    pub(super) registers: Registers,
}

/// Points of a thread and threads of a block along each of `tiled` dimensions, largest first.
fn shapes(tiled: usize) -> Vec<(Vec<i64>, Vec<i64>)> {
    let shape = |points: &[i64], threads: &[i64]| (points.to_vec(), threads.to_vec());
    match tiled {
        1 => [8, 4, 2, 1]
            .iter()
            .map(|&points| shape(&[points], &[256]))
            .collect(),
        2 => [[8, 4], [4, 4], [4, 2], [2, 1], [1, 1]]
            .iter()
            .map(|points| shape(points, &[8, 32]))
            .collect(),
        3 => [[8, 1, 1], [4, 1, 1], [2, 1, 1], [1, 1, 1]]
            .iter()
            .map(|points| shape(points, &[1, 8, 32]))
            .collect(),
        _ => {
            let (mut points, mut threads) = (vec![2; tiled], vec![1; tiled]);
            points[tiled - 1] = 1;
            threads[tiled - 1] = 32;
            threads[tiled - 2] = 4;
            threads[tiled - 3] = 2;
            vec![(points, threads)]
        }
    }
}

impl Shape {
    fn new(points: &[i64], threads: &[i64]) -> Shape {
        let extents = points
            .iter()
            .zip(threads)
            .map(|(points, threads)| points * threads);
        Shape {
            extents: extents.collect(),
            registers: Registers {
                counts: points.to_vec(),
                runs: points.to_vec(),
            },
        }
    }

    /// Bytes of the elements around a tile, of all arrays.
    fn bytes(&self, ir: &Ir, stencil: &Stencil) -> Option<i64> {
        let mut all = 0;
        for group in &stencil.groups {
            let (_, element) = ir.value_type(group.tensor).shaped(ir.ctx())?;
            let mut bytes = element_bytes(ir, element)?;
            for (dim, extent) in self.extents.iter().enumerate() {
                let (low, high) = group.reach(dim);
                bytes *= extent + high - low;
            }
            all += bytes + Target::CUDA.shared_alignment;
        }
        Some(all)
    }

    /// The shape for a stencil.
    ///
    /// # Errors
    /// Why it runs in no tiles.
    pub(super) fn of(ir: &Ir, stencil: &Stencil) -> Result<Shape, &'static str> {
        let shared: usize = stencil.groups.iter().map(|group| group.offsets.len()).sum();
        if shared < FEWEST {
            return Err("reads few neighbours");
        }
        let ops = ir.walk(stencil.segmap.op()).len();
        let wide = stencil.groups.iter().any(|group| {
            let shaped = ir.value_type(group.tensor).shaped(ir.ctx());
            shaped.and_then(|(_, element)| element_bytes(ir, element)) == Some(8)
        });
        for (points, threads) in shapes(stencil.tiled(ir)) {
            let shape = Shape::new(&points, &threads);
            let count = points.iter().product::<i64>() as usize;
            let long = count * ops > MOST_OPS || wide && count > 16;
            match shape.bytes(ir, stencil) {
                None => return Err("reads elements that are no numbers of 8 to 64 bits"),
                Some(bytes) if bytes <= Target::CUDA.shared_bytes && (!long || count == 1) => {
                    return Ok(shape);
                }
                Some(_) => {}
            }
        }
        Err("reads more around a tile than shared memory holds")
    }
}
