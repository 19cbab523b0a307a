//! Second-order array combinators: map, reduce, redomap, scan, scanomap.
//!
//! All take and return any number of arrays of one outer size (struct of arrays); operators are regions over
//! elements, which may be arrays themselves, so programs nest. Inputs are never changed.
//!
//! Operators are associative; they need not be commutative. Combinations begin with *start values*, which are combined
//! exactly once, left of the first element: the reduction of an empty array is its start value, the first result of an
//! exclusive scan, too. Beside them, an operator has a *neutral element*, which parallel code combines any number of
//! times: derived from the operator ([`crate::neutral`]), or else written behind the start values.

use crate::combinator::{Combinator, Flavour, Parts, Soac};
use crate::neutral;
use crate::types::{AnyArray, ArrayOrScalar, ArrayType, Size, array_of, types_compatible};
use segra_interp::Eval;
use segra_ir::constraint::UnitAttr;
use segra_ir::interfaces::{Canonicalize, EffectKind, Verify, own_effects};
use segra_ir::{Attr, Block, Context, Ir, Op, OpDiagnostics, OpView, Region, Type, Value, op};
use segra_std::func::{Calls, FuncOp};
use segra_text::Syntax;

pub use crate::build::{map, redomap, reduce, scan, scanomap};

/// Hands values from the body of a combinator to it.
#[op(
    "array.yield",
    traits(Pure, Terminator, ReturnLike),
    interfaces(Syntax, Eval)
)]
pub struct YieldOp {
    values: VariadicOperand<ArrayOrScalar>,
}

/// Applies the body to each tuple of elements of the arrays; the i-th elements of the results are what the body
/// yields for the i-th elements of the inputs. Inputs of different outer sizes stop the program, here as in all combinators.
///
/// ```mlir
/// %zs = array.map (%x in %xs : [n]f32, %y in %ys : [n]f32) {
///   %z = arith.addf %x, %y : f32
///   array.yield %z : f32
/// }
/// ```
///
/// Two attributes say how the nest is run that the map is the outermost of; such a map is fused with nothing, and its points are
/// sequential: `{schedule = #kernel.schedule<...>}`, steps that rewrite it, and `{mapping = #kernel.mapping<GridBlock(...)>}`, which thread
/// block and thread runs which point. A mapping is of all dimensions of the nest, with those of maps around.
#[op(
    "array.map",
    traits(RecursiveEffects),
    interfaces(Combinator, Canonicalize, Verify, Syntax, Eval)
)]
pub struct MapOp {
    /// Inputs, all of one outer size; at least one.
    arrays: VariadicOperand<AnyArray>,
    /// From one element of each input to one element of each result.
    body: BlockRegion,
    /// One array per yielded value.
    results: VariadicResult<AnyArray>,
}

/// Combines the elements of the arrays with an associative operator, beginning with the start values. An empty array
/// gives the start values.
///
/// The operator's neutral element is derived where it can be (sums, products, minima, maxima, bitwise ops, tuples and
/// arrays of them, integer matrices, selections by comparison); elsewhere it is written behind the start values. An operator
/// that can stop the program does so where it runs, once for each element; on neutral elements it must not.
///
/// ```mlir
/// %sum = array.reduce (%xs : [n]f32) init (%start : f32) combine (%acc, %x) {
///   %s = arith.addf %acc, %x : f32
///   array.yield %s : f32
/// }
/// %least = array.reduce (%ns : [n]i32) init (%limit : i32) combine arith.minsi
/// %f, %g = array.reduce (%fs : [n]f32, %gs : [n]f32) init (%f0 : f32, %g0 : f32) neutral (%one : f32, %zero : f32) combine (%a, %b, %c, %d) {
///   %ac = arith.mulf %a, %c : f32
///   %bc = arith.mulf %b, %c : f32
///   %bcd = arith.addf %bc, %d : f32
///   array.yield %ac, %bcd : f32, f32
/// }
/// ```
#[op(
    "array.reduce",
    traits(RecursiveEffects),
    interfaces(Combinator, Verify, Syntax, Eval)
)]
pub struct ReduceOp {
    /// Inputs, all of one outer size; as many as start values.
    arrays: VariadicOperand<AnyArray>,
    /// The values combined first; one per component of the operator.
    start: VariadicOperand<ArrayOrScalar>,
    /// Neutral elements of the operator; none where they are derived from it.
    neutral: VariadicOperand<ArrayOrScalar>,
    /// The operator: accumulators, then elements.
    combine: BlockRegion,
    /// The combined values.
    results: VariadicResult<ArrayOrScalar>,
}

/// A map whose first results are reduced at once and never stored; what it yields beyond them is returned as arrays.
/// A body that is one op on all of its arguments is read as the name of that op, here as in all combinators.
///
/// ```mlir
/// %sum_of_products = array.redomap (%x in %xs : [n]f32, %y in %ys : [n]f32) init (%zero : f32) map arith.mulf combine arith.addf
/// %dot = array.redomap (%x in %xs : [n]f32, %y in %ys : [n]f32) init (%zero : f32) map {
///   %p = arith.mulf %x, %y : f32
///   array.yield %p : f32
/// } combine (%a, %b) {
///   %s = arith.addf %a, %b : f32
///   array.yield %s : f32
/// }
/// ```
#[op(
    "array.redomap",
    traits(RecursiveEffects),
    interfaces(Combinator, Canonicalize, Verify, Syntax, Eval)
)]
pub struct RedomapOp {
    /// Inputs, all of one outer size; at least one.
    arrays: VariadicOperand<AnyArray>,
    /// The values combined first; one per component of the operator.
    start: VariadicOperand<ArrayOrScalar>,
    /// Neutral elements of the operator; none where they are derived from it.
    neutral: VariadicOperand<ArrayOrScalar>,
    /// From one element of each input to the values to reduce, then the values to return as arrays.
    body: BlockRegion,
    /// The operator: accumulators, then values.
    combine: BlockRegion,
    /// The combined values, then the arrays.
    results: VariadicResult<ArrayOrScalar>,
}

/// All prefixes of a reduction, each with the start values on its left and including its own element, or with `exclusive`
/// only those before it.
///
/// ```mlir
/// %sums = array.scan (%xs : [n]i32) init (%zero : i32) combine (%acc, %x) {
///   %s = arith.addi %acc, %x : i32
///   array.yield %s : i32
/// }
/// %offsets = array.scan exclusive (%xs : [n]i32) init (%base : i32) combine arith.addi
/// ```
#[op(
    "array.scan",
    traits(RecursiveEffects),
    interfaces(Combinator, Verify, Syntax, Eval)
)]
pub struct ScanOp {
    /// Whether the i-th result lacks the i-th element; the first is then the start value.
    exclusive: OptionalAttr<UnitAttr>,
    /// Inputs, all of one outer size; as many as start values.
    arrays: VariadicOperand<AnyArray>,
    /// The values combined first; one per component of the operator.
    start: VariadicOperand<ArrayOrScalar>,
    /// Neutral elements of the operator; none where they are derived from it.
    neutral: VariadicOperand<ArrayOrScalar>,
    /// The operator: accumulators, then elements.
    combine: BlockRegion,
    /// One array per input.
    results: VariadicResult<AnyArray>,
}

/// A map whose first results are scanned at once and never stored; what it yields beyond them is returned as arrays.
///
/// ```mlir
/// %sums, %squares = array.scanomap (%x in %xs : [n]f32) init (%zero : f32) map {
///   %p = arith.mulf %x, %x : f32
///   array.yield %p, %p : f32, f32
/// } combine (%a, %b) {
///   %s = arith.addf %a, %b : f32
///   array.yield %s : f32
/// }
/// %areas = array.scanomap exclusive (%x in %xs : [n]f32, %y in %ys : [n]f32) init (%zero : f32) map arith.mulf combine arith.addf
/// ```
#[op(
    "array.scanomap",
    traits(RecursiveEffects),
    interfaces(Combinator, Canonicalize, Verify, Syntax, Eval)
)]
pub struct ScanomapOp {
    /// Whether the i-th scanned result lacks what the i-th element gives; the first is then the start value.
    exclusive: OptionalAttr<UnitAttr>,
    /// Inputs, all of one outer size; at least one.
    arrays: VariadicOperand<AnyArray>,
    /// The values combined first; one per component of the operator.
    start: VariadicOperand<ArrayOrScalar>,
    /// Neutral elements of the operator; none where they are derived from it.
    neutral: VariadicOperand<ArrayOrScalar>,
    /// From one element of each input to the values to scan, then the values to return as arrays.
    body: BlockRegion,
    /// The operator: accumulators, then values.
    combine: BlockRegion,
    /// The prefixes, then the arrays.
    results: VariadicResult<AnyArray>,
}

/// The outer size of the inputs: the first that is not unknown.
pub fn outer_size(ir: &Ir, arrays: &[Value]) -> Size {
    arrays
        .iter()
        .filter_map(|&array| ir.value_type(array).dialect::<ArrayType>(ir.ctx()))
        .map(|ty| ty.sizes[0])
        .fold(Size::Unknown, Size::or)
}

/// Types of one element of each input.
pub fn row_types(ir: &Ir, arrays: &[Value]) -> Vec<Type> {
    let ctx = ir.ctx();
    arrays
        .iter()
        .map(|&array| {
            let ty = ir.value_type(array);
            ty.dialect::<ArrayType>(ctx)
                .map_or(ty, |array| array.row(ctx))
        })
        .collect()
}

/// Types of what a block's terminator forwards.
pub fn yielded_types(ir: &Ir, block: Block) -> Vec<Type> {
    ir.last_op(block)
        .map(|op| ir.operands(op).map(|value| ir.value_type(value)).collect())
        .unwrap_or_default()
}

/// The types each given element type has as an array of `outer` elements.
pub fn arrays_of(ctx: &Context, outer: Size, rows: &[Type]) -> Vec<Type> {
    rows.iter().map(|&row| array_of(ctx, outer, row)).collect()
}

/// The common checks of all combinators.
pub(crate) struct Check<'a, 'b> {
    pub(crate) ir: &'a Ir,
    pub(crate) op: Op,
    pub(crate) diags: &'a mut OpDiagnostics<'b>,
}

impl Check<'_, '_> {
    pub(crate) fn error(&mut self, message: impl Into<String>) {
        self.diags.error(message);
    }

    /// All inputs have one outer size; there is at least one.
    pub(crate) fn inputs(&mut self, arrays: &[Value]) -> bool {
        if arrays.is_empty() {
            self.error("needs at least one input array");
            return false;
        }
        let ctx = self.ir.ctx();
        let outer = outer_size(self.ir, arrays);
        for (index, &array) in arrays.iter().enumerate() {
            let Some(ty) = self.ir.value_type(array).dialect::<ArrayType>(ctx) else {
                continue;
            };
            if !ty.sizes[0].compatible(outer) {
                let (found, wanted) = (ty.sizes[0].text(ctx), outer.text(ctx));
                self.error(format!(
                    "operand `arrays` #{index} has outer size `{found}`, but the others have `{wanted}`"
                ));
                return false;
            }
        }
        true
    }

    /// Sizes that ops of a body name are the same for all elements: bound outside, or made of what is there outside of all
    /// combinators, the same wherever the name stands.
    fn regular(&mut self, region: Region) -> bool {
        let (ir, ctx) = (self.ir, self.ir.ctx());
        let nest = crate::extent::outermost(ir, self.op);
        let mut pending: Vec<Op> = ir.blocks(region).flat_map(|block| ir.ops(block)).collect();
        let mut bound = Vec::new();
        while let Some(inner) = pending.pop() {
            for value in ir.results(inner) {
                let (sizes, _) = crate::types::sizes_and_element(ctx, ir.value_type(value));
                for (dim, size) in sizes.into_iter().enumerate() {
                    let Size::Symbol(name) = size else { continue };
                    if bound.contains(&name) {
                        continue;
                    }
                    if crate::eval::sizes::binder(ir, self.op, name).is_some() {
                        bound.push(name);
                        continue;
                    }
                    if let Err(why) = crate::extent::uniform(ir, nest, value, dim, name) {
                        let message = format!("makes an array of size `{}`, {why}", ctx.str(name));
                        let around = "the combinator around it";
                        self.diags
                            .inside(inner)
                            .error(message)
                            .note(ir.loc(self.op), around);
                        return false;
                    }
                }
            }
            // Combinators inside look after their own bodies.
            if !ir.op_name_str(inner).starts_with("array.") {
                let regions = ir.regions(inner).iter();
                pending.extend(
                    regions
                        .flat_map(|&region| ir.blocks(region))
                        .flat_map(|block| ir.ops(block)),
                );
            }
        }
        true
    }

    /// The arguments of a region's block have the wanted types.
    pub(crate) fn args(&mut self, region: Region, name: &str, wanted: &[Type]) -> bool {
        let Some(block) = self.ir.entry_block(region) else {
            return false;
        };
        let found: Vec<Type> = self
            .ir
            .block_args(block)
            .iter()
            .map(|&arg| self.ir.value_type(arg))
            .collect();
        self.same(&format!("the arguments of region `{name}`"), &found, wanted)
            && self.regular(region)
    }

    /// The values a region yields have the wanted types.
    pub(crate) fn yields(&mut self, region: Region, name: &str, wanted: &[Type]) -> bool {
        let Some(block) = self.ir.entry_block(region) else {
            return false;
        };
        let found = yielded_types(self.ir, block);
        self.same(
            &format!("the values region `{name}` yields"),
            &found,
            wanted,
        )
    }

    pub(crate) fn results(&mut self, wanted: &[Type]) -> bool {
        let found: Vec<Type> = self
            .ir
            .results(self.op)
            .map(|value| self.ir.value_type(value))
            .collect();
        self.same("the results", &found, wanted)
    }

    pub(crate) fn same(&mut self, what: &str, found: &[Type], wanted: &[Type]) -> bool {
        let ctx = self.ir.ctx();
        if found.len() != wanted.len() {
            self.error(format!(
                "needs {} of {what}, but there are {}",
                wanted.len(),
                found.len()
            ));
            return false;
        }
        for (index, (&found, &wanted)) in found.iter().zip(wanted).enumerate() {
            if !types_compatible(ctx, found, wanted) {
                let (found, wanted) = (text(ctx, found), text(ctx, wanted));
                self.error(format!(
                    "{what}: #{index} must be `{wanted}`, but is `{found}`"
                ));
                return false;
            }
        }
        true
    }

    /// An operator over `types`: twice as many arguments, as many yields.
    pub(crate) fn operator(&mut self, region: Region, types: &[Type]) -> bool {
        let doubled: Vec<Type> = types.iter().chain(types).copied().collect();
        self.args(region, "combine", &doubled)
            && self.yields(region, "combine", types)
            && self.only_computes(region)
    }

    /// A neutral element is written, or can be derived; one that is written is not found to be wrong.
    fn neutral(&mut self) -> bool {
        Soac::of(self.ir, self.op).is_none_or(|soac| self.neutral_of(&soac))
    }

    /// The same of parts of a reduction or scan.
    pub(crate) fn neutral_of(&mut self, soac: &Parts) -> bool {
        let ir = self.ir;
        let Some(combine) = soac.combine else {
            return true;
        };
        let types = types_of(ir, &soac.start);
        if soac.written.is_empty() {
            if soac.start.is_empty() || neutral::derived(ir, combine).is_some() {
                return true;
            }
            if let Some(recursion) = self.recursion(combine) {
                self.error(format!(
                    "has an operator that {recursion}: a kernel has no recursion"
                ));
                return false;
            }
            let list: Vec<String> = types
                .iter()
                .map(|&ty| format!("%e : {}", bare(ir.ctx(), ty)))
                .collect();
            self.error(format!(
                "has an operator whose neutral element is not known: write it behind the start values, as in `init \
                 (...) neutral ({})`",
                list.join(", ")
            ));
            return false;
        }
        if !self.same("the neutral elements", &types_of(ir, &soac.written), &types) {
            return false;
        }
        self.not_refuted(combine, &soac.written)
    }

    /// The call of an operator that reaches itself, in words.
    fn recursion(&self, combine: Block) -> Option<String> {
        let ir = self.ir;
        let called: Vec<_> = ir
            .ops(combine)
            .flat_map(|op| Calls::inside(ir, op))
            .collect();
        if called.is_empty() {
            return None;
        }
        let function = ir.ancestors(self.op).find(|&op| ir.isa::<FuncOp>(op))?;
        let functions = ir.ops(ir.block_of(function)?);
        let calls = Calls::of(ir, functions.filter(|&op| ir.isa::<FuncOp>(op)));
        let mut called = called.into_iter();
        called.find_map(|(_, callee)| calls.recursion(ir, callee))
    }

    /// Folding the operator does not show that neutral elements are not neutral.
    pub(crate) fn not_refuted(&mut self, combine: Block, neutral: &[Value]) -> bool {
        let ir = self.ir;
        let constants: Option<Vec<Attr>> = neutral
            .iter()
            .map(|&value| neutral::element_of(ir, value))
            .collect();
        let Some((tried, found)) =
            constants.and_then(|all| neutral::counterexample(ir, combine, &all))
        else {
            return true;
        };
        let shown = |attrs: &[Attr]| {
            let texts: Vec<String> = attrs
                .iter()
                .map(|&attr| segra_text::print_attr(ir.ctx(), attr))
                .collect();
            texts.join(", ")
        };
        self.error(format!(
            "has a neutral element that is not neutral: combined with ({}) it gives ({})",
            shown(&tried),
            shown(&found)
        ));
        false
    }

    /// An operator writes nothing: it runs any number of times, in any grouping.
    fn only_computes(&mut self, region: Region) -> bool {
        let writes = |op: Op| {
            own_effects(self.ir, op).is_some_and(|effects| {
                effects
                    .iter()
                    .any(|effect| matches!(effect.kind, EffectKind::Write | EffectKind::Free))
            })
        };
        let inside = self.ir.blocks(region).flat_map(|block| self.ir.ops(block));
        let found = inside
            .flat_map(|op| self.ir.walk(op))
            .find(|&op| writes(op));
        if let Some(op) = found {
            let place = self.ir.loc(op);
            let message = "has an operator that writes memory, which an operator must not";
            self.diags.error(message).note(place, "the op that writes");
        }
        found.is_none()
    }
}

/// A type as the text forms of combinators write it: of arrays what stands in the angle brackets.
fn bare(ctx: &Context, ty: Type) -> String {
    ty.dialect::<ArrayType>(ctx)
        .map_or_else(|| text(ctx, ty), |array| array.bare(ctx))
}

fn text(ctx: &Context, ty: Type) -> String {
    segra_text::print_type(ctx, ty)
}

pub(crate) fn types_of(ir: &Ir, values: &[Value]) -> Vec<Type> {
    values.iter().map(|&value| ir.value_type(value)).collect()
}

/// Adds the operator, start values and neutral elements of a combination to its parts.
macro_rules! combining {
    ($view:ident, $ir:ident, $parts:expr) => {
        Parts {
            start: $view.start($ir),
            written: $view.neutral($ir),
            combine: $ir.entry_block($view.combine($ir)),
            ..$parts
        }
    };
}

impl Combinator for MapOp {
    fn parts(&self, ir: &Ir, op: Op) -> Parts {
        let map = MapOp::from_op(op);
        Parts::new(Flavour::Map, map.arrays(ir), ir.entry_block(map.body(ir)))
    }
}

impl Combinator for ReduceOp {
    fn parts(&self, ir: &Ir, op: Op) -> Parts {
        let reduce = ReduceOp::from_op(op);
        combining!(
            reduce,
            ir,
            Parts::new(Flavour::Reduce, reduce.arrays(ir), None)
        )
    }
}

impl Combinator for RedomapOp {
    fn parts(&self, ir: &Ir, op: Op) -> Parts {
        let redomap = RedomapOp::from_op(op);
        let (arrays, body) = (redomap.arrays(ir), ir.entry_block(redomap.body(ir)));
        combining!(redomap, ir, Parts::new(Flavour::Reduce, arrays, body))
    }
}

impl Combinator for ScanOp {
    fn parts(&self, ir: &Ir, op: Op) -> Parts {
        let scan = ScanOp::from_op(op);
        let exclusive = scan.exclusive_attr(ir).is_some();
        combining!(
            scan,
            ir,
            Parts::new(Flavour::Scan { exclusive }, scan.arrays(ir), None)
        )
    }
}

impl Combinator for ScanomapOp {
    fn parts(&self, ir: &Ir, op: Op) -> Parts {
        let scanomap = ScanomapOp::from_op(op);
        let exclusive = scanomap.exclusive_attr(ir).is_some();
        let (arrays, body) = (scanomap.arrays(ir), ir.entry_block(scanomap.body(ir)));
        combining!(
            scanomap,
            ir,
            Parts::new(Flavour::Scan { exclusive }, arrays, body)
        )
    }
}

impl Verify for MapOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let (map, mut check) = (MapOp::from_op(op), Check { ir, op, diags });
        let arrays = map.arrays(ir);
        if !check.inputs(&arrays) || !check.args(map.body(ir), "body", &row_types(ir, &arrays)) {
            return;
        }
        let rows = yielded_types(ir, map.body_block(ir));
        check.results(&arrays_of(ir.ctx(), outer_size(ir, &arrays), &rows));
    }
}

impl Verify for ReduceOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let (reduce, mut check) = (ReduceOp::from_op(op), Check { ir, op, diags });
        let (arrays, types) = (reduce.arrays(ir), types_of(ir, &reduce.start(ir)));
        let _ = check.inputs(&arrays)
            && check.same(
                "the elements of the inputs",
                &row_types(ir, &arrays),
                &types,
            )
            && check.operator(reduce.combine(ir), &types)
            && check.neutral()
            && check.results(&types);
    }
}

impl Verify for ScanOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let (scan, mut check) = (ScanOp::from_op(op), Check { ir, op, diags });
        let (arrays, types) = (scan.arrays(ir), types_of(ir, &scan.start(ir)));
        let _ = check.inputs(&arrays)
            && check.same(
                "the elements of the inputs",
                &row_types(ir, &arrays),
                &types,
            )
            && check.operator(scan.combine(ir), &types)
            && check.neutral()
            && check.results(&arrays_of(ir.ctx(), outer_size(ir, &arrays), &types));
    }
}

impl Check<'_, '_> {
    /// The rule of redomap and scanomap, but for their results: the types of what is combined and of what is stored.
    fn map_and_combine(
        &mut self,
        arrays: &[Value],
        types: &[Type],
        body: Region,
        combine: Region,
    ) -> Option<Vec<Type>> {
        let ir = self.ir;
        if !self.inputs(arrays) || !self.args(body, "body", &row_types(ir, arrays)) {
            return None;
        }
        let yielded = ir
            .entry_block(body)
            .map(|block| yielded_types(ir, block))
            .unwrap_or_default();
        let Some((combined, stored)) = yielded.split_at_checked(types.len()) else {
            self.error("its body must yield one value per start value at least");
            return None;
        };
        let fits = self.same("the values to combine", combined, types)
            && self.operator(combine, types)
            && self.neutral();
        fits.then(|| arrays_of(ir.ctx(), outer_size(ir, arrays), stored))
    }
}

impl Verify for RedomapOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let (redomap, mut check) = (RedomapOp::from_op(op), Check { ir, op, diags });
        let (arrays, types) = (redomap.arrays(ir), types_of(ir, &redomap.start(ir)));
        if let Some(stored) =
            check.map_and_combine(&arrays, &types, redomap.body(ir), redomap.combine(ir))
        {
            check.results(&[types, stored].concat());
        }
    }
}

impl Verify for ScanomapOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let (scanomap, mut check) = (ScanomapOp::from_op(op), Check { ir, op, diags });
        let (arrays, types) = (scanomap.arrays(ir), types_of(ir, &scanomap.start(ir)));
        if let Some(stored) =
            check.map_and_combine(&arrays, &types, scanomap.body(ir), scanomap.combine(ir))
        {
            let scanned = arrays_of(ir.ctx(), outer_size(ir, &arrays), &types);
            check.results(&[scanned, stored].concat());
        }
    }
}
