//! Array programs built in Rust: typed values, closures for the bodies of map, reduce and scan.
//!
//! ```no_run
//! use segra::builder::{build, map, map_reduce};
//!
//! let program = build(|p| {
//!     p.function("main", |f| {
//!         let a = f.scalar::<f32>("a");
//!         let (x, y) = (f.array::<f32>("x", ["n"]), f.array::<f32>("y", ["n"]));
//!         let z = map((x, y), |(x, y)| a * x + y);
//!         (z, map_reduce((z, y), |(z, y)| z * y, 0.0, |s, t| s + t))
//!     });
//! })?;
//! # let _: segra::Program = program;
//! # Ok::<(), segra::Failure>(())
//! ```
//! A value's Rust type says what it is: `Val<f32>` a number, `Val<Arr<f32>>` an array, `Val<Arr<Arr<f32>>>` a matrix
//! (an array of rows), so bodies nest as the programs do. Several arrays go in and out as tuples. Sizes are names; that
//! two arrays have one size is checked when the program is built. Ops carry the place in the Rust source they were
//! made at, so errors point there.
//!
//! * [`bundle`]: tuples of values; [`number`]: arithmetic on `Val`s; here: functions and the array combinators.
//!
//! It is a layer on [`graph`](crate::graph): [`Val::node`] and [`FunctionBuilder::graph`] lead there, [`Val::of_node`] back, so
//! that what has no method here can be said all the same. Errors wait for the end, so values need no `?`.

mod bundle;
mod number;

pub use bundle::{ArrayBundle, Bundle, IntoBundle, ItemBundle, WithNeutral, with_neutral};
pub use number::{Cast, Float, Index, Integer, Number};

use crate::failure::Failure;
use crate::graph::{Built, Graph, Node};
use crate::program::Program;
use segra_array::combinator::{Flavour, Parts};
use segra_array::filter::FilterOp;
use segra_array::shape;
use segra_array::shape::DimOp;
use segra_array::soac::{YieldOp, arrays_of, row_types};
use segra_array::types::{Size, array_or_scalar, sizes_and_element};
use segra_ir::{
    Attr, Block, Builder, Context, InsertPoint, Loc, LocKind, OpDef, OpView, Type, Value,
};
use segra_std::func::FuncOp;
use segra_std::{arith, func};
use std::marker::PhantomData;
use std::panic::Location;

/// The kind of a value: a number type, or [`Arr`] of one.
pub trait Kind: 'static {
    /// Number of dimensions.
    const RANK: usize;
    /// The number type of the elements.
    fn element(ctx: &Context) -> Type;
}

/// Arrays whose elements are `T`.
#[derive(Clone, Copy, Debug)]
pub struct Arr<T>(PhantomData<T>);

impl<T: Kind> Kind for Arr<T> {
    const RANK: usize = T::RANK + 1;
    fn element(ctx: &Context) -> Type {
        T::element(ctx)
    }
}

/// A value of the program: a number or an array, as `K` says.
pub struct Val<'g, K> {
    graph: &'g Graph,
    value: Value,
    kind: PhantomData<K>,
}

impl<K> Clone for Val<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<K> Copy for Val<'_, K> {}
impl<K> std::fmt::Debug for Val<'_, K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.value.fmt(f)
    }
}

/// Builds a program: `body` defines its functions.
///
/// # Errors
/// The verifier's errors, such as arrays of different sizes in one map.
pub fn build(body: impl FnOnce(&ProgramBuilder)) -> Result<Program, Failure> {
    let builder = ProgramBuilder {
        graph: Graph::new(),
    };
    body(&builder);
    builder.graph.finish()
}

/// Collects functions.
#[derive(Debug)]
pub struct ProgramBuilder {
    graph: Graph,
}

impl ProgramBuilder {
    /// Adds a function: `body` declares its parameters and returns its results.
    #[track_caller]
    pub fn function<'g, R: Bundle<'g>>(
        &'g self,
        name: &str,
        body: impl FnOnce(&FunctionBuilder<'g>) -> R,
    ) {
        let graph = &self.graph;
        let before = graph.point.get();
        let (func, entry) = graph.build_here(|b| {
            let func = FuncOp::define(b, name, &[], &[], |_, _| ());
            let entry = func.entry(b.ir);
            (func, entry)
        });
        // `define` makes the block; a function without one cannot come out of it.
        let Some(entry) = entry else { return };
        graph.point.set(InsertPoint::End(entry));
        let results = body(&FunctionBuilder { graph, entry }).values();
        graph.typed_op(func::ReturnOp::DEF, &results, &[], &[]);
        graph.point.set(before);
        let mut ir = graph.ir.borrow_mut();
        let inputs: Vec<Type> = ir
            .block_args(entry)
            .iter()
            .map(|&arg| ir.value_type(arg))
            .collect();
        let outputs: Vec<Type> = results.iter().map(|&value| ir.value_type(value)).collect();
        let ty = graph.ctx.type_attr(graph.ctx.function(&inputs, &outputs));
        ir.set_attr_named(func.op(), "function_type", Some(ty));
    }
}

/// Declares parameters of a function.
#[derive(Debug)]
pub struct FunctionBuilder<'g> {
    graph: &'g Graph,
    entry: Block,
}

impl<'g> FunctionBuilder<'g> {
    /// A number parameter.
    #[track_caller]
    pub fn scalar<T: Number>(&self, name: &str) -> Val<'g, T> {
        self.parameter(name, T::element(&self.graph.ctx))
    }
    /// An array parameter with one dimension.
    #[track_caller]
    pub fn array<T: Number>(&self, name: &str, sizes: [&str; 1]) -> Val<'g, Arr<T>> {
        self.parameter(name, self.graph.typed_array::<T>(&sizes))
    }
    /// An array parameter with two dimensions: an array of rows.
    #[track_caller]
    pub fn matrix<T: Number>(&self, name: &str, sizes: [&str; 2]) -> Val<'g, Arr<Arr<T>>> {
        self.parameter(name, self.graph.typed_array::<T>(&sizes))
    }
    /// The program, for what is not said here.
    pub fn graph(&self) -> &'g Graph {
        self.graph
    }
    /// A constant number.
    #[track_caller]
    pub fn constant<T: Number>(&self, value: T) -> Val<'g, T> {
        self.graph.typed_constant(value)
    }
    /// `[0, 1, ..., count - 1]`, its size called `size`.
    #[track_caller]
    pub fn iota<T: Integer>(&self, count: Val<'g, Index>, size: &str) -> Val<'g, Arr<T>> {
        let ty = self.graph.typed_array::<T>(&[size]);
        self.graph
            .result(shape::IotaOp::DEF, &[count.value], ty, &[])
    }

    #[track_caller]
    fn parameter<K>(&self, name: &str, ty: Type) -> Val<'g, K> {
        let loc = self.graph.here();
        let name = self.graph.ctx.ident(name);
        let mut ir = self.graph.ir.borrow_mut();
        let value = ir.add_block_arg(self.entry, ty, loc);
        ir.set_value_name(value, name);
        Val {
            graph: self.graph,
            value,
            kind: PhantomData,
        }
    }
}

impl Graph {
    /// The place in the Rust source that is building.
    #[track_caller]
    pub fn here(&self) -> Loc {
        let place = Location::caller();
        let file = self.ctx.ident(place.file());
        self.ctx.loc(LocKind::File {
            file,
            line: place.line(),
            column: place.column(),
        })
    }

    #[track_caller]
    fn build_here<R>(&self, make: impl FnOnce(&mut Builder<'_>) -> R) -> R {
        self.build(self.here(), make)
    }

    #[track_caller]
    fn typed_op(
        &self,
        def: &OpDef,
        operands: &[Value],
        types: &[Type],
        properties: &[(&str, Attr)],
    ) -> Vec<Value> {
        self.build_here(|b| {
            let op = b.insert_op(def, operands, types, properties);
            b.ir.results(op).collect()
        })
    }

    #[track_caller]
    fn result<K>(
        &self,
        def: &OpDef,
        operands: &[Value],
        ty: Type,
        properties: &[(&str, Attr)],
    ) -> Val<'_, K> {
        let value = self.typed_op(def, operands, &[ty], properties)[0];
        Val {
            graph: self,
            value,
            kind: PhantomData,
        }
    }

    #[track_caller]
    fn typed_constant<T: Number>(&self, value: T) -> Val<'_, T> {
        let ty = T::element(&self.ctx);
        self.result(
            arith::ConstantOp::DEF,
            &[],
            ty,
            &[("value", value.attr(&self.ctx))],
        )
    }

    fn typed_array<T: Kind>(&self, sizes: &[&str]) -> Type {
        let size = |text: &&str| match text.parse() {
            Ok(extent) => Size::Constant(extent),
            Err(_) => Size::Symbol(self.ctx.ident(text)),
        };
        let sizes: Vec<Size> = sizes.iter().map(size).collect();
        array_or_scalar(&self.ctx, &sizes, T::element(&self.ctx))
    }

    /// A detached block with the ops `body` makes and a yield of what it returns.
    #[track_caller]
    fn typed_block(&self, types: &[Type], body: impl FnOnce(&[Value]) -> Vec<Value>) -> Block {
        let (block, args) = {
            let mut ir = self.ir.borrow_mut();
            let block = ir.create_block(types);
            (block, ir.block_args(block).to_vec())
        };
        let before = self.point.replace(InsertPoint::End(block));
        let yielded = body(&args);
        self.build_here(|b| YieldOp::build(b, &yielded));
        self.point.set(before);
        block
    }

    /// An op around detached blocks, one per region.
    #[track_caller]
    fn around<V: OpView>(
        &self,
        blocks: &[Block],
        make: impl FnOnce(&mut Builder<'_>) -> V,
    ) -> Vec<Value> {
        self.build_here(|b| {
            let op = make(b).op();
            for (index, &block) in blocks.iter().enumerate() {
                let region = b.ir.region(op, index);
                b.ir.append_block(region, block);
            }
            b.ir.results(op).collect()
        })
    }

    /// Builds a combinator; its results.
    #[track_caller]
    fn combinator(&self, parts: &Parts) -> Vec<Value> {
        self.build_here(|b| {
            let op = parts.build(b);
            b.ir.results(op).collect()
        })
    }

    /// Builds a combinator with start values (and neutral elements if they are given) and an operator; its results.
    #[track_caller]
    fn typed_combination<'g, R: Bundle<'g>>(
        &'g self,
        mut parts: Parts,
        start: impl IntoBundle<'g, R>,
        combine: impl FnOnce(R, R) -> R,
    ) -> Vec<Value> {
        let (start, neutral) = start.into_start(self);
        parts.start = start.values();
        parts.written = neutral.map(R::values).unwrap_or_default();
        let types = self.types(&parts.start);
        parts.combine = Some(self.operator(&types, combine));
        self.combinator(&parts)
    }

    #[track_caller]
    fn operator<'g, R: Bundle<'g>>(
        &'g self,
        types: &[Type],
        combine: impl FnOnce(R, R) -> R,
    ) -> Block {
        let doubled: Vec<Type> = types.iter().chain(types).copied().collect();
        self.typed_block(&doubled, |args| {
            let (left, right) = args.split_at(types.len());
            combine(R::of(self, left), R::of(self, right)).values()
        })
    }
}

impl<'g, K: Kind> Val<'g, K> {
    /// The value in the graph, for what has no method here.
    pub fn node(self) -> Node {
        self.graph.node(self.value)
    }

    /// A value that was made by methods of the graph.
    ///
    /// # Errors
    /// A value of another rank or element type than `K` says, or of another program, at `loc`.
    pub fn of_node(graph: &'g Graph, loc: Loc, node: Node) -> Built<Val<'g, K>> {
        let value = graph.values(loc, &[node])?[0];
        let ty = graph.types(&[value])[0];
        let (sizes, element) = sizes_and_element(&graph.ctx, ty);
        if (sizes.len(), element) == (K::RANK, K::element(&graph.ctx)) {
            return Ok(Val {
                graph,
                value,
                kind: PhantomData,
            });
        }
        let wanted = segra_text::print_type(&graph.ctx, K::element(&graph.ctx));
        let (rank, found) = (K::RANK, segra_text::print_type(&graph.ctx, ty));
        let message = format!("must have rank {rank} and elements `{wanted}`, but is `{found}`");
        Err(graph.error(loc, message))
    }
}

/// Applies `body` to each tuple of elements of the arrays.
#[track_caller]
pub fn map<'g, A: ArrayBundle<'g>, R: ItemBundle<'g>>(
    arrays: A,
    body: impl FnOnce(A::Items) -> R,
) -> R::Arrays {
    let (graph, values) = (arrays.graph(), arrays.values());
    let rows = row_types(&graph.ir.borrow(), &values);
    let block = graph.typed_block(&rows, |args| body(A::Items::of(graph, args)).values());
    let parts = Parts::new(Flavour::Map, values, Some(block));
    R::Arrays::of(graph, &graph.combinator(&parts))
}

/// Combines all elements with an associative operator, beginning with `start`; an empty array gives `start`. Where the
/// operator's neutral element cannot be derived from it, `start` is [`with_neutral`].
#[track_caller]
pub fn reduce<'g, A: ArrayBundle<'g>>(
    arrays: A,
    start: impl IntoBundle<'g, A::Items>,
    combine: impl FnOnce(A::Items, A::Items) -> A::Items,
) -> A::Items {
    let (graph, values) = (arrays.graph(), arrays.values());
    let parts = Parts::new(Flavour::Reduce, values, None);
    A::Items::of(graph, &graph.typed_combination(parts, start, combine))
}

const INCLUSIVE: Flavour = Flavour::Scan { exclusive: false };

/// All prefixes of a reduction that begins with `start`, each including its own element.
#[track_caller]
pub fn scan<'g, A: ArrayBundle<'g>>(
    arrays: A,
    start: impl IntoBundle<'g, A::Items>,
    combine: impl FnOnce(A::Items, A::Items) -> A::Items,
) -> A {
    let (graph, values) = (arrays.graph(), arrays.values());
    let parts = Parts::new(INCLUSIVE, values, None);
    A::of(graph, &graph.typed_combination(parts, start, combine))
}

/// A map whose results are reduced at once, beginning with `start`, and never stored.
#[track_caller]
pub fn map_reduce<'g, A: ArrayBundle<'g>, R: Bundle<'g>>(
    arrays: A,
    body: impl FnOnce(A::Items) -> R,
    start: impl IntoBundle<'g, R>,
    combine: impl FnOnce(R, R) -> R,
) -> R {
    let (graph, values) = (arrays.graph(), arrays.values());
    let rows = row_types(&graph.ir.borrow(), &values);
    let block = graph.typed_block(&rows, |args| body(A::Items::of(graph, args)).values());
    let parts = Parts::new(Flavour::Reduce, values, Some(block));
    R::of(graph, &graph.typed_combination(parts, start, combine))
}

/// A map whose results are scanned at once and never stored: all prefixes, each beginning with
/// `start` and including its own element.
#[track_caller]
pub fn map_scan<'g, A: ArrayBundle<'g>, R: ItemBundle<'g>>(
    arrays: A,
    body: impl FnOnce(A::Items) -> R,
    start: impl IntoBundle<'g, R>,
    combine: impl FnOnce(R, R) -> R,
) -> R::Arrays {
    let (graph, values) = (arrays.graph(), arrays.values());
    let rows = row_types(&graph.ir.borrow(), &values);
    let block = graph.typed_block(&rows, |args| body(A::Items::of(graph, args)).values());
    let parts = Parts::new(INCLUSIVE, values, Some(block));
    R::Arrays::of(graph, &graph.typed_combination(parts, start, combine))
}

/// The elements for which `keep` is true, in order; `size` is the name of how many they are. Not inside other bodies:
/// there the number would differ between elements, and [`build`] gives an error.
#[track_caller]
pub fn filter<'g, A: ArrayBundle<'g>>(
    arrays: A,
    size: &str,
    keep: impl FnOnce(A::Items) -> Val<'g, bool>,
) -> A {
    let (graph, values) = (arrays.graph(), arrays.values());
    let rows = row_types(&graph.ir.borrow(), &values);
    let block = graph.typed_block(&rows, |args| keep(A::Items::of(graph, args)).values());
    let types = arrays_of(&graph.ctx, Size::Symbol(graph.ctx.ident(size)), &rows);
    let kept = graph.around(&[block], |b| {
        FilterOp::builder()
            .arrays(&values)
            .results_types(&types)
            .build(b)
    });
    A::of(graph, &kept)
}

impl<'g, T: Kind> Val<'g, Arr<T>> {
    /// Number of elements of the outermost dimension.
    #[track_caller]
    pub fn len(self) -> Val<'g, Index> {
        let graph = self.graph;
        let dim = graph.ctx.i64_attr(0);
        graph.result(
            DimOp::DEF,
            &[self.value],
            graph.ctx.index(),
            &[("dim", dim)],
        )
    }
}

impl<'g, T: Kind> Val<'g, Arr<Arr<T>>> {
    /// Rows become columns.
    #[track_caller]
    pub fn transpose(self) -> Val<'g, Arr<Arr<T>>> {
        let graph = self.graph;
        let rank = <Arr<Arr<T>>>::RANK as i64;
        let permutation: Vec<i64> = [1, 0].into_iter().chain(2..rank).collect();
        let permutation = graph.ctx.dense_i64_attr(&permutation);
        let sizes_type = {
            let ir = graph.ir.borrow();
            let (mut sizes, element) = sizes_and_element(&graph.ctx, ir.value_type(self.value));
            if sizes.len() >= 2 {
                sizes.swap(0, 1);
            }
            array_or_scalar(&graph.ctx, &sizes, element)
        };
        graph.result(
            shape::RearrangeOp::DEF,
            &[self.value],
            sizes_type,
            &[("permutation", permutation)],
        )
    }
}
