//! Array programs built at run time: types, ranks and names are values, so any frontend can make them.
//!
//! ```
//! use segra::Failure;
//! use segra::graph::{Extent, Graph, Parameter};
//! use segra::dialects::arith;
//!
//! # fn main() -> Result<(), Failure> {
//! let graph = Graph::new();
//! let file = graph.add_source("twice.calc", "input x; return x + x;");
//! let vector = graph.array_type(&[Extent::named("n")], graph.ctx().f32());
//! let here = graph.place(file, 1, 17);
//! graph.function(here, "main", &[Parameter::new("x", vector, here)], |args| {
//!     graph.map(here, args, |x| Ok(vec![graph.apply::<arith::AddFOp>(here, &[x[0], x[0]])?]))
//! })?;
//! let program: segra::Program = graph.finish()?;
//! # let _ = program;
//! # Ok(())
//! # }
//! ```
//!
//! * here: [`Graph`], values ([`Node`]), places in the caller's source, types, functions, checks;
//! * `ops`: any op without regions, by its definition; `combinators`: map, reduce, scan and their kin; `with_loop`:
//!   with-loops; `stencil`: neighbours; `layout`: other arrays of the same elements; `control`: branches, loops, calls;
//!   `import`: functions from a text.
//!
//! Invariants: every op carries the location its caller gave. An op is verified when it is made, those with bodies when their
//! bodies are there; what is wrong is an error at that location, and the op is not part of the program. A failed call leaves
//! the graph as it was, so a frontend may go on and collect further errors. No sequence of calls panics.
//!
//! Deliberately absent: memory and machine levels, and every rewrite: what is built is what was said.

mod combinators;
mod control;
mod import;
mod layout;
mod ops;
mod stencil;
mod with_loop;

pub use combinators::{Prefixes, Start};
pub use control::Count;
pub use import::Places;
pub use layout::{Elements, Slice};
pub use ops::With;
pub use stencil::{Around, Outside, Results};
pub use with_loop::Partition;

use crate::failure::Failure;
use crate::program::{Program, context};
use segra_array::extent::{Origin, origin_of_number};
use segra_array::types::{Size, array_or_scalar, sizes_and_element};
use segra_ir::interfaces::constant_of;
use segra_ir::verify::{VerifyOptions, verify_op};
use segra_ir::{
    Block, Builder, Context, Diagnostics, Ident, InsertPoint, Ir, Loc, LocKind, Op, OpView, Type,
    Value,
};
use segra_std::builtin::ModuleOp;
use segra_std::func::{FuncOp, ReturnOp};
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The result of building: a value, or what is wrong with places in the caller's source.
pub type Built<T> = Result<T, Failure>;

/// A value of a program under construction: a number or an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    graph: u32,
    value: Value,
}

/// The extent of one dimension of an array type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// Known now.
    Fixed(u32),
    /// A name bound in the function: by the first parameter that has it, else by the first array made with it. Arrays that
    /// share the name have the same extent.
    Named(String),
    /// Only known when the program runs.
    Unknown,
}

impl Extent {
    /// An extent with a name.
    pub fn named(name: &str) -> Extent {
        Extent::Named(name.to_owned())
    }
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Number or array type.
    pub ty: Type,
    /// Where it is declared.
    pub loc: Loc,
}

impl Parameter {
    /// A parameter.
    pub fn new(name: &str, ty: Type, loc: Loc) -> Parameter {
        Parameter {
            name: name.to_owned(),
            ty,
            loc,
        }
    }
}

/// A function that was built, to be called by others.
#[derive(Clone, Debug)]
pub struct Function {
    graph: u32,
    name: String,
    inputs: Vec<Type>,
    results: Vec<Type>,
}

impl Function {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// The types of its parameters.
    pub fn inputs(&self) -> &[Type] {
        &self.inputs
    }
    /// The types of its results, with the names of extents that it gives them.
    pub fn results(&self) -> &[Type] {
        &self.results
    }
}

/// A file of the caller's, so that messages can show its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct File(Ident);

/// A program under construction.
#[derive(Debug)]
pub struct Graph {
    pub(crate) ctx: Arc<Context>,
    pub(crate) ir: RefCell<Ir>,
    pub(crate) point: Cell<InsertPoint>,
    module: Block,
    id: u32,
    /// Errors that wait for the end.
    put_off: RefCell<Diagnostics>,
}

impl Default for Graph {
    fn default() -> Graph {
        Graph::new()
    }
}

/// Tells the graphs of a process apart.
static NEXT: AtomicU32 = AtomicU32::new(0);

impl Graph {
    /// An empty program.
    pub fn new() -> Graph {
        let ctx = context();
        let mut ir = Ir::new(ctx.clone());
        let module = ModuleOp::root(&mut ir, Loc::UNKNOWN);
        let module = module.body_block(&ir);
        Graph {
            ctx,
            ir: RefCell::new(ir),
            point: Cell::new(InsertPoint::End(module)),
            module,
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            put_off: RefCell::new(Diagnostics::new()),
        }
    }

    /// The context: makes types, attributes and locations.
    pub fn ctx(&self) -> &Context {
        &self.ctx
    }

    /// The program.
    ///
    /// # Errors
    /// Those that were put off; faults that only the whole program shows, such as two functions of one name.
    pub fn finish(self) -> Built<Program> {
        let mut diagnostics = self.put_off.take();
        if diagnostics.has_errors() {
            diagnostics.sort_by_position(&self.ctx);
            return Err(self.failure(diagnostics));
        }
        Program::from_ir(self.ir.into_inner())
    }

    /// Keeps the text of a file of the caller's.
    pub fn add_source(&self, name: &str, text: &str) -> File {
        File(self.ctx.add_source(name, Arc::new(text.to_owned())))
    }

    /// A place in a file; line and column (in characters) count from 1.
    pub fn place(&self, file: File, line: u32, column: u32) -> Loc {
        let file = file.0;
        self.ctx.loc(LocKind::File { file, line, column })
    }

    /// An error at a place, of the caller's own finding.
    pub fn error(&self, loc: Loc, message: impl Into<String>) -> Failure {
        let mut diagnostics = Diagnostics::new();
        diagnostics.error(loc, message);
        self.failure(diagnostics)
    }

    /// Several errors as one failure.
    pub fn failure(&self, diagnostics: Diagnostics) -> Failure {
        Failure {
            context: self.ctx.clone(),
            diagnostics,
        }
    }

    /// Keeps an error for [`Graph::finish`], so that building may go on.
    pub fn put_off(&self, failure: Failure) {
        self.put_off.borrow_mut().extend(failure.diagnostics);
    }

    /// The type of arrays with these extents, outermost first; without any, the element type.
    pub fn array_type(&self, extents: &[Extent], element: Type) -> Type {
        let sizes: Vec<Size> = extents.iter().map(|extent| self.size(extent)).collect();
        array_or_scalar(&self.ctx, &sizes, element)
    }

    /// The type of a value.
    pub fn type_of(&self, node: Node) -> Type {
        match node.graph == self.id {
            true => self.ir.borrow().value_type(node.value),
            // A value of another graph has no type here; whoever uses it is told.
            false => self.ctx.i1(),
        }
    }

    /// The extents of a value, outermost first; none for a number.
    pub fn extents(&self, node: Node) -> Vec<Extent> {
        let (sizes, _) = sizes_and_element(&self.ctx, self.type_of(node));
        sizes.into_iter().map(|size| self.extent(size)).collect()
    }

    /// The type of a value's elements; of a number its own.
    pub fn element_type(&self, node: Node) -> Type {
        sizes_and_element(&self.ctx, self.type_of(node)).1
    }

    /// The extent that a number of type `index` is: a constant, or the name of the dimension it was asked of.
    pub fn extent_of(&self, number: Node) -> Extent {
        if number.graph != self.id {
            return Extent::Unknown;
        }
        let ir = self.ir.borrow();
        match origin_of_number(&ir, number.value) {
            Origin::Dim(array, dim) => {
                let (sizes, _) = sizes_and_element(&self.ctx, ir.value_type(array));
                sizes
                    .get(dim)
                    .map_or(Extent::Unknown, |&size| self.extent(size))
            }
            Origin::Value(value) => constant_of(&ir, value)
                .and_then(|attr| attr.as_i64(&self.ctx))
                .and_then(|extent| u32::try_from(extent).ok())
                .map_or(Extent::Unknown, Extent::Fixed),
        }
    }

    /// Calls a value by a name in the program's text. A name that no identifier can be is left out.
    pub fn set_name(&self, node: Node, name: &str) {
        if node.graph == self.id && is_name(name) {
            let name = self.ctx.ident(name);
            self.ir.borrow_mut().set_value_name(node.value, name);
        }
    }

    /// Adds a function. `body` gets the parameters and returns the results.
    ///
    /// # Errors
    /// The result of `body`, or a result that is no value of this function.
    pub fn function(
        &self,
        loc: Loc,
        name: &str,
        parameters: &[Parameter],
        body: impl FnOnce(&[Node]) -> Built<Vec<Node>>,
    ) -> Built<Function> {
        self.named_function(loc, name)?;
        self.named_extents(parameters)?;
        let inputs: Vec<Type> = parameters.iter().map(|parameter| parameter.ty).collect();
        let (func, entry) = self.open_function(loc, name, parameters);
        let before = self.point.replace(InsertPoint::End(entry));
        let results = body(&self.nodes(&self.args(entry)))
            .and_then(|results| self.values(loc, &results))
            .and_then(|results| self.close_function(loc, func, &results));
        self.point.set(before);
        if results.is_err() {
            self.take_out(func.op());
        }
        Ok(Function {
            graph: self.id,
            name: name.to_owned(),
            inputs,
            results: results?,
        })
    }

    /// The function's op and its entry block, with named arguments.
    pub(crate) fn open_function(
        &self,
        loc: Loc,
        name: &str,
        parameters: &[Parameter],
    ) -> (FuncOp, Block) {
        let (func, entry) = {
            let mut ir = self.ir.borrow_mut();
            let mut b = Builder::at_end(&mut ir, self.module, loc);
            let ty = self.ctx.type_attr(self.ctx.function(&[], &[]));
            let func = FuncOp::build(&mut b, self.ctx.str_attr(name), ty);
            let region = func.body(&ir);
            (func, ir.add_block(region, &[]))
        };
        for parameter in parameters {
            self.add_parameter(entry, parameter);
        }
        (func, entry)
    }

    /// Adds a parameter to an open function.
    pub(crate) fn add_parameter(&self, entry: Block, parameter: &Parameter) -> Node {
        let mut ir = self.ir.borrow_mut();
        let value = ir.add_block_arg(entry, parameter.ty, parameter.loc);
        if is_name(&parameter.name) {
            ir.set_value_name(value, self.ctx.ident(&parameter.name));
        }
        self.node(value)
    }

    /// Returns, and gives the function its type; the types of the results.
    pub(crate) fn close_function(
        &self,
        loc: Loc,
        func: FuncOp,
        results: &[Value],
    ) -> Built<Vec<Type>> {
        let types = self.types(results);
        {
            let mut ir = self.ir.borrow_mut();
            ReturnOp::build(&mut Builder::new(&mut ir, self.point.get(), loc), results);
            let entry = func.entry(&ir);
            let inputs: Vec<Type> = entry
                .map(|entry| ir.block_args(entry).to_vec())
                .unwrap_or_default()
                .into_iter()
                .map(|arg| ir.value_type(arg))
                .collect();
            let ty = self.ctx.type_attr(self.ctx.function(&inputs, &types));
            ir.set_attr_named(func.op(), "function_type", Some(ty));
        }
        self.verified(func.op())?;
        Ok(types)
    }

    /// A function's name can be read back.
    pub(crate) fn named_function(&self, loc: Loc, name: &str) -> Built<()> {
        match is_name(name) {
            true => Ok(()),
            false => Err(self.error(loc, format!("a function cannot be called `{name}`"))),
        }
    }

    /// Names of extents in parameters can be read back.
    pub(crate) fn named_extents(&self, parameters: &[Parameter]) -> Built<()> {
        for parameter in parameters {
            let (sizes, _) = sizes_and_element(&self.ctx, parameter.ty);
            let mut names = sizes.into_iter().filter_map(|size| match size {
                Size::Symbol(name) => Some(self.ctx.str(name)),
                _ => None,
            });
            if let Some(name) = names.find(|name| !is_name(name)) {
                let message = format!("an extent cannot be called `{name}`");
                return Err(self.error(parameter.loc, message));
            }
        }
        Ok(())
    }

    pub(crate) fn size(&self, extent: &Extent) -> Size {
        match extent {
            Extent::Fixed(extent) => Size::Constant(i64::from(*extent)),
            Extent::Named(name) => Size::Symbol(self.ctx.ident(name)),
            Extent::Unknown => Size::Unknown,
        }
    }

    fn extent(&self, size: Size) -> Extent {
        match size {
            Size::Constant(extent) => u32::try_from(extent).map_or(Extent::Unknown, Extent::Fixed),
            Size::Symbol(name) => Extent::named(self.ctx.str(name)),
            Size::Unknown => Extent::Unknown,
        }
    }

    pub(crate) fn node(&self, value: Value) -> Node {
        Node {
            graph: self.id,
            value,
        }
    }

    fn nodes(&self, values: &[Value]) -> Vec<Node> {
        values.iter().map(|&value| self.node(value)).collect()
    }

    /// The values behind nodes.
    pub(crate) fn values(&self, loc: Loc, nodes: &[Node]) -> Built<Vec<Value>> {
        if nodes.iter().any(|node| node.graph != self.id) {
            return Err(self.error(loc, "uses a value of another program"));
        }
        Ok(nodes.iter().map(|node| node.value).collect())
    }

    fn args(&self, block: Block) -> Vec<Value> {
        self.ir.borrow().block_args(block).to_vec()
    }

    pub(crate) fn types(&self, values: &[Value]) -> Vec<Type> {
        let ir = self.ir.borrow();
        values.iter().map(|&value| ir.value_type(value)).collect()
    }

    /// Makes something at the insertion point.
    pub(crate) fn build<R>(&self, loc: Loc, make: impl FnOnce(&mut Builder<'_>) -> R) -> R {
        let mut ir = self.ir.borrow_mut();
        make(&mut Builder::new(&mut ir, self.point.get(), loc))
    }

    /// The results of an op that was just made, if there is nothing wrong with it; else it is taken out.
    fn verified(&self, op: Op) -> Built<Vec<Node>> {
        let mut diagnostics = Diagnostics::new();
        let options = VerifyOptions::default();
        verify_op(&self.ir.borrow(), op, &options, &mut diagnostics);
        if diagnostics.has_errors() {
            self.take_out(op);
            return Err(self.failure(diagnostics));
        }
        let results: Vec<Value> = self.ir.borrow().results(op).collect();
        Ok(self.nodes(&results))
    }

    /// Takes an op out of the program. It is not erased: values in it may be in the caller's hands.
    fn take_out(&self, op: Op) {
        let mut ir = self.ir.borrow_mut();
        if ir.block_of(op).is_some() {
            ir.detach_op(op);
        }
    }

    /// Runs `body` with `block` as the place new ops go to.
    fn inside<R>(&self, block: Block, body: impl FnOnce(&[Node]) -> R) -> R {
        let before = self.point.replace(InsertPoint::End(block));
        let made = body(&self.nodes(&self.args(block)));
        self.point.set(before);
        made
    }
}

/// Whether the text forms can have it as a name.
fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}
