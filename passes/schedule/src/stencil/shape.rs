//! The shape of tiles: how many points a thread block and a thread have, from what the points read and do.
//!
//! A block of extents `B` reads `product(B + halo)` elements of an array for `product(B)` points, so blocks are as large as
//! their elements fit in shared memory. A thread with several neighbouring points reads what they share once: with `p` points
//! along a dimension `p + reach` elements in place of `p (1 + reach)`. Its code is `p` times as long.

use super::find::Stencil;
use segra_ir::{Ir, OpView};
use segra_kernel::registers::Registers;
use segra_kernel::vector::element_bytes;
use segra_space::{FEWEST_SHARED, Strips, Target, stencil_tiles};

/// The shape of the tiles of a stencil.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// Points of a block along each tiled dimension.
    pub(super) extents: Vec<i64>,
    /// Points of a thread.
    pub(super) registers: Registers,
}

impl Shape {
    /// Of so many points of a thread along each dimension, which follow each other in runs.
    fn new(extents: Vec<i64>, counts: &[i64], runs: &[i64]) -> Shape {
        Shape {
            extents,
            registers: Registers {
                counts: counts.to_vec(),
                runs: runs.to_vec(),
                apart: None,
            },
        }
    }

    /// The shape that a schedule gives.
    ///
    /// # Errors
    /// Why a stencil cannot have it.
    pub(super) fn given(ir: &Ir, stencil: &Stencil, strips: &Strips) -> Result<Shape, String> {
        let one = vec![1; strips.tiles.len()];
        let counts = match strips.registers.is_empty() {
            true => &one,
            false => &strips.registers,
        };
        let runs = match strips.runs.is_empty() {
            true => counts,
            false => &strips.runs,
        };
        let shape = Shape::new(strips.tiles.clone(), counts, runs);
        let most = Target::CUDA.shared_bytes;
        match shape.bytes(ir, stencil) {
            None => Err("reads elements that are no numbers of 8 to 64 bits".to_owned()),
            Some(bytes) if bytes > most => Err(format!(
                "reads {bytes} bytes around a tile, and shared memory holds {most}"
            )),
            Some(_) => Ok(shape),
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
        if shared < FEWEST_SHARED {
            return Err("reads few neighbours");
        }
        let ops = ir.walk(stencil.segmap.op()).len();
        let wide = stencil.groups.iter().any(|group| {
            let shaped = ir.value_type(group.tensor).shaped(ir.ctx());
            shaped.and_then(|(_, element)| element_bytes(ir, element)) == Some(8)
        });
        for tile in stencil_tiles(stencil.tiled(ir)) {
            let shape = Shape::new(tile.extents(), &tile.points, &tile.points);
            match shape.bytes(ir, stencil) {
                None => return Err("reads elements that are no numbers of 8 to 64 bits"),
                Some(bytes) if bytes <= Target::CUDA.shared_bytes && tile.is_short(ops, wide) => {
                    return Ok(shape);
                }
                Some(_) => {}
            }
        }
        Err("reads more around a tile than shared memory holds")
    }
}
