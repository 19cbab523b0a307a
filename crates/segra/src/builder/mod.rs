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
//! (an array of rows), and so on, so bodies nest as the programs do. Several arrays go in and out as tuples. Sizes are names
//! (or numbers, or `?`); that two arrays have one size is checked when the program is built. Ops carry the place in the Rust
//! source they were made at, so errors point there.
//!
//! * here: values, functions, parameters; [`bundle`]: tuples of values; [`number`]: arithmetic on `Val`s; `combinators`: map,
//!   reduce and their kin; `arrays`: making arrays, reading them, other arrays of the same elements; `with_loops`: arrays by
//!   index; `control`: branches and loops.
//!
//! It is a thin layer on [`graph`](crate::graph): each method is one of the graph's, with types. [`Val::node`] and
//! [`FunctionBuilder::graph`] lead there, [`Val::of_node`] back. Errors wait for the end, so values need no `?`: after one, the
//! value is a poison that nobody sees, for the program is not finished.

mod arrays;
mod bundle;
mod combinators;
mod control;
mod number;
mod with_loops;

pub use bundle::{ArrayBundle, Bundle, IntoBundle, ItemBundle, WithNeutral, with_neutral};
pub use combinators::{
    filter, hist, map, map_reduce, map_scan, reduce, scan, scan_before, scatter,
};
pub use control::{branch, count, repeat};
pub use number::{Cast, Float, Index, Integer, Number};
pub use with_loops::{Space, fold, genarray, modarray};

use crate::failure::Failure;
use crate::graph::{Built, Extent, Graph, Node, Parameter, With};
use crate::program::Program;
use segra_array::types::sizes_and_element;
use segra_ir::{Attr, Block, Context, InsertPoint, Loc, LocKind, OpDef, OpView, Type};
use segra_std::ub;
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
    node: Node,
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
        self.node.fmt(f)
    }
}

impl<'g, K: Kind> Val<'g, K> {
    /// The value in the graph, for what has no method here.
    pub fn node(self) -> Node {
        self.node
    }

    /// A value that was made by methods of the graph.
    ///
    /// # Errors
    /// A value of another rank or element type than `K` says, or of another program, at `loc`.
    pub fn of_node(graph: &'g Graph, loc: Loc, node: Node) -> Built<Val<'g, K>> {
        graph.values(loc, &[node])?;
        let ty = graph.type_of(node);
        let (sizes, element) = sizes_and_element(&graph.ctx, ty);
        if (sizes.len(), element) == (K::RANK, K::element(&graph.ctx)) {
            let kind = PhantomData;
            return Ok(Val { graph, node, kind });
        }
        let wanted = segra_text::print_type(&graph.ctx, K::element(&graph.ctx));
        let (rank, found) = (K::RANK, segra_text::print_type(&graph.ctx, ty));
        let message = format!("must have rank {rank} and elements `{wanted}`, but is `{found}`");
        Err(graph.error(loc, message))
    }
}

/// Builds a program: `body` defines its functions.
///
/// # Errors
/// All errors of what was built, such as arrays of different sizes in one map.
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
        let loc = graph.here();
        let (func, entry) = graph.open_function(loc, name, &[]);
        let before = graph.point.replace(InsertPoint::End(entry));
        let results = body(&FunctionBuilder { graph, entry }).nodes();
        let closed = graph
            .named_function(loc, name)
            .and_then(|()| graph.values(loc, &results))
            .and_then(|results| graph.close_function(loc, func, &results));
        graph.point.set(before);
        if let Err(failure) = closed {
            graph.put_off(failure);
        }
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
        self.parameter(name, &[])
    }
    /// An array parameter with one dimension.
    #[track_caller]
    pub fn array<T: Number>(&self, name: &str, sizes: [&str; 1]) -> Val<'g, Arr<T>> {
        self.parameter(name, &sizes)
    }
    /// An array parameter with two dimensions: an array of rows.
    #[track_caller]
    pub fn matrix<T: Number>(&self, name: &str, sizes: [&str; 2]) -> Val<'g, Arr<Arr<T>>> {
        self.parameter(name, &sizes)
    }
    /// A parameter of any rank, with as many sizes: a number, `Arr` of one, and so on.
    #[track_caller]
    pub fn parameter<K: Kind>(&self, name: &str, sizes: &[&str]) -> Val<'g, K> {
        let (graph, loc) = (self.graph, self.graph.here());
        let extents: Vec<Extent> = sizes.iter().map(|size| extent(size)).collect();
        let ty = graph.array_type(&extents, K::element(&graph.ctx));
        let parameter = Parameter::new(name, ty, loc);
        if let Err(failure) = graph.named_extents(std::slice::from_ref(&parameter)) {
            graph.put_off(failure);
        }
        let node = graph.add_parameter(self.entry, &parameter);
        graph.keep(loc, Ok(vec![node]))
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
}

/// A size as text: a number, `?`, or a name.
fn extent(text: &str) -> Extent {
    match text.parse() {
        Ok(extent) => Extent::Fixed(extent),
        Err(_) if text == "?" => Extent::Unknown,
        Err(_) => Extent::named(text),
    }
}

fn extents(names: &[&str]) -> Vec<Extent> {
    names.iter().map(|name| extent(name)).collect()
}

fn nodes<K>(values: &[Val<'_, K>]) -> Vec<Node> {
    values.iter().map(|value| value.node).collect()
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

    /// The values that were built; after an error, which the end of building reports, poison.
    fn keep<'g, B: Bundle<'g>>(&'g self, loc: Loc, built: Built<Vec<Node>>) -> B {
        match built.and_then(|nodes| B::from_nodes(self, loc, &nodes)) {
            Ok(bundle) => bundle,
            Err(failure) => {
                self.put_off(failure);
                B::poison(self, loc)
            }
        }
    }

    fn keep_one<K: Kind>(&self, loc: Loc, built: Built<Node>) -> Val<'_, K> {
        self.keep(loc, built.map(|node| vec![node]))
    }

    /// A value in the place of one that could not be made.
    fn poison<K: Kind>(&self, loc: Loc) -> Val<'_, K> {
        let ty = self.array_type(&vec![Extent::Unknown; K::RANK], K::element(&self.ctx));
        let value = [("value", ub::poison(&self.ctx))];
        let node = self.build(loc, |b| {
            let op = b.insert_op(ub::PoisonOp::DEF, &[], &[ty], &value);
            b.ir.result(op, 0)
        });
        Val {
            graph: self,
            node: self.node(node),
            kind: PhantomData,
        }
    }

    /// An op with one result of a type that is known.
    #[track_caller]
    fn typed<K: Kind>(
        &self,
        def: &'static OpDef,
        operands: &[Node],
        ty: Type,
        attrs: &[(&str, Attr)],
    ) -> Val<'_, K> {
        let loc = self.here();
        let with = With {
            attrs,
            results: Some(&[ty]),
        };
        self.keep(loc, self.op(loc, def, operands, with))
    }

    #[track_caller]
    fn typed_constant<T: Number>(&self, value: T) -> Val<'_, T> {
        let loc = self.here();
        self.keep_one(loc, self.constant(loc, value.attr(&self.ctx)))
    }
}
