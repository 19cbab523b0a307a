//! Elements computed from those around them.

use super::{Built, Extent, Graph, Node};
use segra_array::stencil::{NearOp, Neighbours, boxed, build, neighbour_types};
use segra_array::types::{Size, sizes_and_element};
use segra_ir::{Block, Builder, InsertPoint, Loc, OpView, Value};
use segra_std::boundary::Boundary;

/// The values taken for elements outside of an input.
#[derive(Clone, Copy)]
pub enum Outside<'a> {
    /// The nearest element.
    Clamp,
    /// The element as far inside; the edge is not repeated.
    Mirror,
    /// The element as far inside; the edge is repeated.
    Symmetric,
    /// The element at the index modulo the extent.
    Wrap,
    /// A value.
    Constant(Node),
    /// A function of the index outside.
    Function(&'a dyn Fn(&[Node]) -> Built<Node>),
    /// Nothing is: all elements that are read are inside.
    Nothing,
}

impl Outside<'_> {
    fn rule(self) -> Boundary {
        match self {
            Outside::Clamp => Boundary::Clamp,
            Outside::Mirror => Boundary::Mirror,
            Outside::Symmetric => Boundary::Symmetric,
            Outside::Wrap => Boundary::Wrap,
            Outside::Constant(_) | Outside::Function(_) => Boundary::Outside,
            Outside::Nothing => Boundary::Inside,
        }
    }
}

/// An input of a stencil, and which of its elements the body gets.
#[derive(Clone)]
pub struct Around<'a> {
    /// The array.
    pub array: Node,
    /// Offsets from the index, one number per dimension each.
    pub offsets: Vec<Vec<i64>>,
    /// The values taken for elements outside.
    pub outside: Outside<'a>,
}

impl<'a> Around<'a> {
    /// The elements up to `radius` to either side along each dimension, row-major.
    pub fn boxed(array: Node, radius: &[i64], outside: Outside<'a>) -> Around<'a> {
        let offsets = boxed(radius);
        Around {
            array,
            offsets,
            outside,
        }
    }
}

/// Extents of the results of a stencil.
#[derive(Clone, Copy, Debug)]
pub enum Results<'a> {
    /// Those of the inputs.
    OfInputs,
    /// These, and how types have them; nothing outside is read then.
    Sized(&'a [Node], &'a [Extent]),
}

impl Graph {
    /// The elements around each index that the inputs ask for.
    fn neighbours(&self, loc: Loc, inputs: &[Around<'_>]) -> Built<Vec<Neighbours>> {
        let mut all = Vec::new();
        for input in inputs {
            all.push(Neighbours {
                array: self.values(loc, &[input.array])?[0],
                offsets: input.offsets.clone(),
                boundary: input.outside.rule(),
            });
        }
        Ok(all)
    }

    /// At each index, what `body` returns for the elements of the inputs around it, input by input in the order of offsets.
    ///
    /// # Errors
    /// Inputs of different shapes, offsets of another number of dimensions, elements outside of which nothing is said, and
    /// what `body` finds.
    pub fn stencil(
        &self,
        loc: Loc,
        inputs: &[Around<'_>],
        results: Results<'_>,
        body: impl FnOnce(&[Node]) -> Built<Vec<Node>>,
    ) -> Built<Vec<Node>> {
        let all = self.neighbours(loc, inputs)?;
        let arrays: Vec<Value> = all.iter().map(|input| input.array).collect();
        let (sizes, space) = self.extents_of_stencil(loc, &arrays, results)?;
        let index = self.ctx.index();
        let (block, outside) = {
            let mut ir = self.ir.borrow_mut();
            let types = neighbour_types(&ir, &all);
            let block = ir.create_block(&types);
            let mut outside = Vec::new();
            for input in inputs
                .iter()
                .filter(|input| input.outside.rule() == Boundary::Outside)
            {
                let block = ir.create_block(&vec![index; space.len()]);
                outside.push((block, input.outside));
            }
            (block, outside)
        };
        let blocks: Vec<Block> = outside.iter().map(|row| row.0).collect();
        let frame = self.build(loc, |b| {
            build(b, &all, (&sizes, &space), block, &blocks).op()
        });
        let filled = self.filled(loc, block, body).and_then(|_| {
            outside.iter().try_for_each(|&(block, outside)| {
                self.filled(loc, block, |at| match outside {
                    Outside::Constant(value) => Ok(vec![value]),
                    Outside::Function(function) => Ok(vec![function(at)?]),
                    _ => Ok(Vec::new()),
                })
                .map(|_| ())
            })
        });
        if let Err(failure) = filled {
            self.take_out(frame);
            return Err(failure);
        }
        let op = {
            let mut ir = self.ir.borrow_mut();
            for &block in [block].iter().chain(&blocks) {
                ir.detach_block(block);
            }
            let mut b = Builder::new(&mut ir, InsertPoint::Before(frame), loc);
            let op = build(&mut b, &all, (&sizes, &space), block, &blocks).op();
            ir.erase_op(frame);
            op
        };
        self.verified(op)
    }

    fn extents_of_stencil(
        &self,
        loc: Loc,
        arrays: &[Value],
        results: Results<'_>,
    ) -> Built<(Vec<Value>, Vec<Size>)> {
        match results {
            Results::Sized(sizes, extents) => {
                let sizes = self.values(loc, sizes)?;
                Ok((
                    sizes,
                    extents.iter().map(|extent| self.size(extent)).collect(),
                ))
            }
            Results::OfInputs => {
                let ir = self.ir.borrow();
                let mut all: Vec<Size> = Vec::new();
                for &array in arrays {
                    let (sizes, _) = sizes_and_element(&self.ctx, ir.value_type(array));
                    all.resize(all.len().max(sizes.len()), Size::Unknown);
                    for (all, size) in all.iter_mut().zip(sizes) {
                        *all = all.or(size);
                    }
                }
                Ok((Vec::new(), all))
            }
        }
    }

    /// The element at an index plus constant offsets, or what is taken for it outside of the array. The index itself is one
    /// of the array's.
    ///
    /// # Errors
    /// Another number of indices or offsets than dimensions; a function of what is outside: that is a branch.
    pub fn near(
        &self,
        loc: Loc,
        array: Node,
        (indices, offsets): (&[Node], &[i64]),
        outside: Outside<'_>,
    ) -> Built<Node> {
        let otherwise: &[Node] = match &outside {
            Outside::Constant(value) => std::slice::from_ref(value),
            Outside::Function(_) => {
                return Err(self.error(loc, "a function of what is outside is for stencils"));
            }
            _ => &[],
        };
        let attrs = [
            ("offsets", self.ctx.dense_i64_attr(offsets)),
            ("boundary", outside.rule().attr(&self.ctx)),
        ];
        self.made::<NearOp>(loc, &[&[array], indices, otherwise], &attrs, None)
    }
}
