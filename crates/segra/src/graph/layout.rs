//! Making arrays, reading them, and other arrays of the same elements.

use super::ops::With;
use super::{Built, Extent, Graph, Node};
use segra_array::layout::{
    ConcatOp, FromTensorOp, GatherOp, PadOp, ReshapeOp, ReverseOp, SliceOp, UpdateOp,
};
use segra_array::shape::{CastOp, DimOp, IndexOp, IotaOp, RearrangeOp, ReplicateOp};
use segra_ir::attrs::Splat;
use segra_ir::{Attr, AttrKind, Loc, OpDef, OpView, Type, TypeKind};

/// Where a slice begins, how many elements it has and how far they are apart; one each per dimension.
#[derive(Clone, Copy, Debug)]
pub struct Slice<'a> {
    /// Indices of the first element.
    pub offsets: &'a [Node],
    /// Numbers of elements.
    pub sizes: &'a [Node],
    /// Distances of neighbours; negative ones go backwards.
    pub strides: &'a [Node],
}

/// Elements of an array that is known now.
#[derive(Clone, Copy, Debug)]
pub enum Elements<'a> {
    /// Of a float type.
    Floats(&'a [f64]),
    /// Of an integer type; they wrap at its width.
    Integers(&'a [i64]),
}

impl Elements<'_> {
    fn len(self) -> usize {
        match self {
            Elements::Floats(values) => values.len(),
            Elements::Integers(values) => values.len(),
        }
    }
}

impl Graph {
    /// `[0, 1, ..., count - 1]` in an integer type, `extent` long.
    ///
    /// # Errors
    /// A count that is not of type `index`; an element type that is no integer's.
    pub fn iota(&self, loc: Loc, count: Node, extent: &Extent, element: Type) -> Built<Node> {
        let ty = self.array_type(std::slice::from_ref(extent), element);
        self.made::<IotaOp>(loc, &[&[count]], &[], Some(ty))
    }

    /// An array all of whose elements are `value`; `sizes` become the outer dimensions, with `extents`.
    ///
    /// # Errors
    /// No sizes, or as many extents as sizes missing.
    pub fn replicate(
        &self,
        loc: Loc,
        value: Node,
        sizes: &[Node],
        extents: &[Extent],
    ) -> Built<Node> {
        let all = [extents, &self.extents(value)].concat();
        let ty = self.array_type(&all, self.element_type(value));
        self.made::<ReplicateOp>(loc, &[&[value], sizes], &[], Some(ty))
    }

    /// The array with its dimensions permuted: dimension `k` of the result is dimension `permutation[k]` of the array.
    ///
    /// # Errors
    /// No permutation of the array's dimensions.
    pub fn rearrange(&self, loc: Loc, array: Node, permutation: &[i64]) -> Built<Node> {
        let permutation = self.ctx.dense_i64_attr(permutation);
        self.made::<RearrangeOp>(loc, &[&[array]], &[("permutation", permutation)], None)
    }

    /// The extent of a dimension, as a number of type `index`.
    ///
    /// # Errors
    /// A dimension that the array does not have.
    pub fn dim(&self, loc: Loc, array: Node, dim: usize) -> Built<Node> {
        let dim = self.dimension(dim);
        self.made::<DimOp>(loc, &[&[array]], &[("dim", dim)], Some(self.ctx.index()))
    }

    /// An element, or a subarray where there are fewer indices than dimensions.
    ///
    /// # Errors
    /// More indices than dimensions, or none.
    pub fn element(&self, loc: Loc, array: Node, indices: &[Node]) -> Built<Node> {
        self.made::<IndexOp>(loc, &[&[array], indices], &[], None)
    }

    /// The same array with other extents in its type: a claim that is checked when the program runs.
    ///
    /// # Errors
    /// Another rank.
    pub fn claim(&self, loc: Loc, array: Node, extents: &[Extent]) -> Built<Node> {
        let ty = self.array_type(extents, self.element_type(array));
        self.made::<CastOp>(loc, &[&[array]], &[], Some(ty))
    }

    /// The same elements in row-major order under other sizes, with `extents` in the type.
    ///
    /// # Errors
    /// As many sizes as extents missing; numbers of elements that are known to differ.
    pub fn reshape(
        &self,
        loc: Loc,
        array: Node,
        sizes: &[Node],
        extents: &[Extent],
    ) -> Built<Node> {
        let ty = self.array_type(extents, self.element_type(array));
        self.made::<ReshapeOp>(loc, &[&[array], sizes], &[], Some(ty))
    }

    /// The elements in reverse order along a dimension.
    ///
    /// # Errors
    /// A dimension that the array does not have.
    pub fn reverse(&self, loc: Loc, array: Node, dim: usize) -> Built<Node> {
        let dim = self.dimension(dim);
        self.made::<ReverseOp>(loc, &[&[array]], &[("dim", dim)], None)
    }

    /// A regular part, with `extents` in its type.
    ///
    /// # Errors
    /// Lists that do not have one entry per dimension.
    pub fn slice(&self, loc: Loc, array: Node, part: Slice<'_>, extents: &[Extent]) -> Built<Node> {
        let ty = self.array_type(extents, self.element_type(array));
        let groups = [&[array][..], part.offsets, part.sizes, part.strides];
        self.made::<SliceOp>(loc, &groups, &[], Some(ty))
    }

    /// One array after the other along the outermost dimension, `extent` long.
    ///
    /// # Errors
    /// No arrays, or arrays with different rows.
    pub fn concat(&self, loc: Loc, arrays: &[Node], extent: &Extent) -> Built<Node> {
        let Some(&first) = arrays.first() else {
            return Err(self.error(loc, "needs at least one array"));
        };
        let mut extents = self.extents(first);
        match extents.first_mut() {
            Some(outer) => *outer = extent.clone(),
            None => return Err(self.error(loc, "needs arrays, but this is a number")),
        }
        let ty = self.array_type(&extents, self.element_type(first));
        self.made::<ConcatOp>(loc, &[arrays], &[], Some(ty))
    }

    /// The array with elements `value` added before and after it along each dimension, with `extents` in its type.
    ///
    /// # Errors
    /// Lists that do not have one entry per dimension; a value that is no element of the array.
    pub fn pad(
        &self,
        loc: Loc,
        (array, value): (Node, Node),
        (low, high): (&[Node], &[Node]),
        extents: &[Extent],
    ) -> Built<Node> {
        let ty = self.array_type(extents, self.element_type(array));
        self.made::<PadOp>(loc, &[&[array], &[value], low, high], &[], Some(ty))
    }

    /// The array with one element, or a subarray, replaced by `value`.
    ///
    /// # Errors
    /// More indices than dimensions, or none; a value of another type.
    pub fn update(&self, loc: Loc, array: Node, indices: &[Node], value: Node) -> Built<Node> {
        self.made::<UpdateOp>(loc, &[&[value], &[array], indices], &[], None)
    }

    /// The elements, or rows, of the array at the given indices.
    ///
    /// # Errors
    /// Indices that are no array of rank 1 with elements of type `index`.
    pub fn gather(&self, loc: Loc, array: Node, indices: Node) -> Built<Node> {
        self.made::<GatherOp>(loc, &[&[array], &[indices]], &[], None)
    }

    /// An array known now: its elements in row-major order, converted to `element` as [`Graph::number`] does.
    ///
    /// # Errors
    /// As many elements as the extents say missing; no extents; an element type that does not hold them.
    pub fn literal(
        &self,
        loc: Loc,
        extents: &[u32],
        elements: Elements<'_>,
        element: Type,
    ) -> Built<Node> {
        let wanted = extents.iter().try_fold(1usize, |product, &extent| {
            product.checked_mul(extent as usize)
        });
        if extents.is_empty() || wanted != Some(elements.len()) {
            let message = format!("{} elements do not fit extents {extents:?}", elements.len());
            return Err(self.error(loc, message));
        }
        let Some(data) = self.bytes(elements, element) else {
            let found = segra_text::print_type(&self.ctx, element);
            return Err(self.error(loc, format!("`{found}` does not hold such elements")));
        };
        let ty = self.ctx.ty(TypeKind::Tensor {
            shape: extents.iter().map(|&extent| i64::from(extent)).collect(),
            element,
            encoding: None,
        });
        let splat = Splat::No;
        let tensor = self.ctx.attr(AttrKind::DenseElements { ty, data, splat });
        let tensor = self.constant(loc, tensor)?;
        self.made::<FromTensorOp>(loc, &[&[tensor]], &[], None)
    }

    /// Elements one after the other, each little-endian in whole bytes.
    fn bytes(&self, elements: Elements<'_>, element: Type) -> Option<Vec<u8>> {
        let bytes = |bits: u128, count: usize| bits.to_le_bytes().into_iter().take(count);
        match (elements, element.float_kind(&self.ctx)) {
            (Elements::Floats(values), Some(kind)) => {
                let count = kind.storage_bytes();
                let bits = values.iter().map(|&value| kind.encode(value));
                Some(bits.flat_map(|bits| bytes(bits, count)).collect())
            }
            (Elements::Integers(values), None) => {
                let width = if element.is_index(&self.ctx) {
                    64
                } else {
                    element.integer_width(&self.ctx)?
                };
                let mask = u128::MAX
                    .checked_shr(128u32.checked_sub(width)?)
                    .unwrap_or(0);
                let count = width.div_ceil(8) as usize;
                let bits = values.iter().map(|&value| i128::from(value) as u128 & mask);
                Some(bits.flat_map(|bits| bytes(bits, count)).collect())
            }
            _ => None,
        }
    }

    fn dimension(&self, dim: usize) -> Attr {
        self.ctx.i64_attr(i64::try_from(dim).unwrap_or(i64::MAX))
    }

    /// An op with one result.
    pub(super) fn made<V: OpView>(
        &self,
        loc: Loc,
        groups: &[&[Node]],
        attrs: &[(&str, Attr)],
        result: Option<Type>,
    ) -> Built<Node> {
        let def: &'static OpDef = V::DEF;
        let result = result.map(|ty| [ty]);
        let with = With {
            attrs,
            results: result.as_ref().map(|types| types.as_slice()),
        };
        let made = self.grouped_op(loc, def, groups, with)?;
        made.first()
            .copied()
            .ok_or_else(|| self.error(loc, format!("`{}` has no result", def.name)))
    }
}
