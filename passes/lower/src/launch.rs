//! Index-space mappings in IR: extents of the launch on the host, recovered indices and guards in the kernel.
//!
//! Spaces of one form (as many dimensions, the same of them constant, the same of them equal) are mapped once for all
//! kernels of a module ([`Mappings`]): simplifying indices is most of what lowering would take.

use rustc_hash::FxHashMap;
use segra_ir::{Builder, Value};
use segra_space::{
    Arena, ChooseChain, Combinator, Descriptor, Expr, Facts, HardwareLimits, Interval, Mapping,
    Recovery, SimplifyLimits, Strategy, StrategyError, Symbol, ThreadIds, first_fitting,
};
use segra_std::arith;
use segra_std::arith::expr::emit;
use std::rc::Rc;

/// A strategy as text. Threads of a kernel have one point each: a chain with steps of threads is refused.
pub(crate) fn read_strategy(text: &str) -> Result<Strategy, String> {
    match text.parse() {
        Ok(Strategy::Explicit(chain)) if chain.serial_rank > 0 => Err(format!(
            "`{chain}` has steps of threads (Serial), kernels are made with one point per thread"
        )),
        Ok(strategy) => Ok(strategy),
        Err(error) => Err(error.to_string()),
    }
}

/// Extent of a dimension of a space to be launched.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Extent {
    /// A host value of type index.
    Value(Value),
    /// A constant.
    Constant(i64),
}

/// A dimension of a form of spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Dim {
    Constant(i64),
    /// The extent with this number, among those only the run knows.
    Unknown(usize),
}

/// The mapping of a form of spaces, without values.
struct Mapped {
    arena: Arena,
    mapping: Mapping,
    ids: ThreadIds,
    recovery: Recovery,
    /// Conditions on the extents beyond the hardware's limits, not decided before run time.
    conditions: Vec<Expr>,
    /// The extents that only the run knows, by number.
    symbols: Vec<Symbol>,
}

impl Mapped {
    fn new(form: &[Dim], strategies: &[Strategy]) -> Result<Mapped, StrategyError> {
        let mut arena = Arena::new();
        let mut unknown: Vec<Expr> = Vec::new();
        let mut shape = Vec::new();
        for (dim, &extent) in form.iter().enumerate() {
            shape.push(match extent {
                Dim::Constant(extent) => arena.int(extent),
                Dim::Unknown(number) => match unknown.get(number) {
                    Some(&known) => known,
                    None => {
                        unknown.push(arena.symbol(&format!("n{dim}"), Interval::NON_NEGATIVE));
                        unknown[unknown.len() - 1]
                    }
                },
            });
        }
        let symbols = unknown
            .iter()
            .filter_map(|&expr| arena.as_symbol(expr))
            .collect();
        let descriptor = Descriptor::of_shape(&mut arena, &shape);
        let choices: Vec<&dyn ChooseChain> = strategies
            .iter()
            .map(|strategy| strategy as &dyn ChooseChain)
            .collect();
        let fitting = first_fitting(&mut arena, &descriptor, &choices, &HardwareLimits::CUDA)?;
        let ids = ThreadIds::declare(&mut arena, &HardwareLimits::CUDA);
        let mapping = fitting.mapping;
        let recovery = mapping
            .recover_simplified(&mut arena, &ids, &Facts::new(), &SimplifyLimits::default())
            .map_err(|source| segra_space::MappingError::Combinator {
                stage: 0,
                chain: mapping.chain().to_string(),
                source,
            })?;
        Ok(Mapped {
            arena,
            mapping,
            ids,
            recovery,
            conditions: fitting.conditions,
            symbols,
        })
    }
}

/// Mappings made so far, by form of the space and strategies.
#[derive(Default)]
pub(crate) struct Mappings {
    known: FxHashMap<(Vec<Dim>, Vec<Strategy>), Rc<Mapped>>,
}

impl Mappings {
    /// Maps a space by the first of `strategies` that fits it.
    pub(crate) fn launch(
        &mut self,
        space: &[Extent],
        strategies: &[Strategy],
    ) -> Result<Launch, StrategyError> {
        let mut values: Vec<Value> = Vec::new();
        let form: Vec<Dim> = space
            .iter()
            .map(|&extent| match extent {
                Extent::Constant(extent) => Dim::Constant(extent),
                Extent::Value(value) => {
                    let number = values.iter().position(|&known| known == value);
                    Dim::Unknown(number.unwrap_or_else(|| {
                        values.push(value);
                        values.len() - 1
                    }))
                }
            })
            .collect();
        let key = (form, strategies.to_vec());
        let mapped = match self.known.get(&key) {
            Some(mapped) => mapped.clone(),
            None => {
                let mapped = Rc::new(Mapped::new(&key.0, strategies)?);
                self.known.insert(key, mapped.clone());
                mapped
            }
        };
        let symbols = mapped.symbols.iter().copied().zip(values).collect();
        Ok(Launch { mapped, symbols })
    }
}

/// A mapped space: what to launch, and how threads find their indices.
pub(crate) struct Launch {
    mapped: Rc<Mapped>,
    /// The host value each symbol of the space stands for.
    symbols: Vec<(Symbol, Value)>,
}

impl Launch {
    /// Host values the kernel needs for its indices and guards, in order.
    pub(crate) fn kernel_inputs(&self) -> Vec<Value> {
        let mut roots = self.mapped.recovery.indices.clone();
        roots.extend(&self.mapped.recovery.guards);
        let used = self.mapped.arena.topological(&roots);
        let is_used = |symbol: Symbol| used.contains(&self.mapped.arena.symbol_expr(symbol));
        self.symbols
            .iter()
            .filter(|row| is_used(row.0))
            .map(|row| row.1)
            .collect()
    }

    /// Grid and thread block extents, x, y, z, as host values; extents the hardware cannot have stop the program.
    pub(crate) fn extents(&self, b: &mut Builder<'_>) -> ([Value; 3], [Value; 3]) {
        let known: FxHashMap<Symbol, Value> = self.symbols.iter().copied().collect();
        let mut roots: Vec<Expr> = self.mapped.mapping.grid().to_vec();
        roots.extend(self.mapped.mapping.block());
        roots.extend(&self.mapped.conditions);
        let values = emit(b, &self.mapped.arena, &roots, &known);
        for &condition in &values[6..] {
            let message = b
                .ctx()
                .str_attr("the launch is larger than the hardware allows");
            segra_std::cf::AssertOp::build(b, condition, message);
        }
        (
            [values[0], values[1], values[2]],
            [values[3], values[4], values[5]],
        )
    }

    /// The combinators that map the space, as text.
    pub(crate) fn chain(&self) -> String {
        self.mapped.mapping.chain().to_string()
    }

    /// The thread block's extents where they are constants.
    pub(crate) fn constant_block(&self) -> Option<[i64; 3]> {
        let [x, y, z] = self
            .mapped
            .mapping
            .block()
            .map(|extent| self.mapped.arena.as_int(extent));
        Some([x?, y?, z?])
    }

    /// The indices of this thread and whether it has any, in a kernel where `inputs` stand for [`Self::kernel_inputs`].
    pub(crate) fn recover(
        &self,
        b: &mut Builder<'_>,
        inputs: &[Value],
    ) -> (Vec<Value>, Option<Value>) {
        let mut known: FxHashMap<Symbol, Value> = FxHashMap::default();
        for (host, &value) in self.kernel_inputs().into_iter().zip(inputs) {
            known.extend(
                self.symbols
                    .iter()
                    .filter(|row| row.1 == host)
                    .map(|row| (row.0, value)),
            );
        }
        let mut roots = self.mapped.recovery.indices.clone();
        roots.extend(&self.mapped.recovery.guards);
        self.declare_ids(b, &roots, &mut known);
        let mut values = emit(b, &self.mapped.arena, &roots, &known);
        let guards = values.split_off(self.mapped.recovery.indices.len());
        let guard = guards
            .into_iter()
            .reduce(|all, guard| arith::AndIOp::build(b, all, guard).result(b.ir));
        (values, guard)
    }

    /// Reads the thread and block ids that are used.
    fn declare_ids(
        &self,
        b: &mut Builder<'_>,
        roots: &[Expr],
        known: &mut FxHashMap<Symbol, Value>,
    ) {
        use segra_gpu::attrs::Dimension;
        use segra_gpu::device::{BlockIdOp, ThreadIdOp};
        let used = self.mapped.arena.topological(roots);
        for (axis, &dimension) in Dimension::ALL.iter().enumerate() {
            let attr = dimension.attr(b.ctx());
            for (expr, of_block) in [
                (self.mapped.ids.block[axis], true),
                (self.mapped.ids.thread[axis], false),
            ] {
                let Some(symbol) = self
                    .mapped
                    .arena
                    .as_symbol(expr)
                    .filter(|_| used.contains(&expr))
                else {
                    continue;
                };
                let value = if of_block {
                    BlockIdOp::build(b, attr).result(b.ir)
                } else {
                    ThreadIdOp::build(b, attr).result(b.ir)
                };
                known.insert(symbol, value);
            }
        }
    }
}

/// The indices of the point with this number in a space of these extents, row-major: the inverse of folding it.
pub(crate) fn unfold(b: &mut Builder<'_>, extents: &[Value], number: Value) -> Vec<Value> {
    if extents.is_empty() {
        return Vec::new();
    }
    let mut arena = Arena::new();
    let mut symbols = FxHashMap::default();
    let mut symbol = |arena: &mut Arena, name: String, value: Value| {
        let expr = arena.symbol(&name, Interval::NON_NEGATIVE);
        symbols.extend(arena.as_symbol(expr).map(|symbol| (symbol, value)));
        expr
    };
    let mut shape = Vec::new();
    for (dim, &extent) in extents.iter().enumerate() {
        shape.push(symbol(&mut arena, format!("n{dim}"), extent));
    }
    let linear = symbol(&mut arena, "number".to_owned(), number);
    let mut stages = vec![Descriptor::of_shape(&mut arena, &shape)];
    for _ in 1..extents.len() {
        let folded = Combinator::FoldLast2.apply(&mut arena, &stages[stages.len() - 1]);
        stages.push(folded.expect("a dense space can be folded"));
    }
    stages.pop();
    let mut indices = vec![linear];
    for stage in stages.iter().rev() {
        let inverse = Combinator::FoldLast2.invert(&mut arena, stage, &indices);
        indices = inverse.expect("a dense space can be folded").indices;
    }
    emit(b, &arena, &indices, &symbols)
}

/// `x / y`, rounded up, of a value that is not negative and a positive constant.
pub(crate) fn ceil_div(b: &mut Builder<'_>, x: Value, y: i64) -> Value {
    if let Some(x) = b.ir.constant_int(x).filter(|&x| x >= 0) {
        return constant(b, x / y + i64::from(x % y > 0));
    }
    let (last, y) = (constant(b, y - 1), constant(b, y));
    let up = add(b, x, last);
    arith::DivUIOp::build(b, up, y).result(b.ir)
}

/// `value : index`
pub(crate) fn constant(b: &mut Builder<'_>, value: i64) -> Value {
    let attr = b.ctx().index_attr(value);
    arith::ConstantOp::build(b, attr).result(b.ir)
}

/// `x + y`; of constants, a constant.
pub(crate) fn add(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    match (b.ir.constant_int(x), b.ir.constant_int(y)) {
        (Some(0), _) => y,
        (_, Some(0)) => x,
        (Some(x), Some(y)) => constant(b, x.wrapping_add(y)),
        _ => arith::AddIOp::build(b, x, y).result(b.ir),
    }
}

/// `x * y`; of constants, a constant.
pub(crate) fn mul(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    match (b.ir.constant_int(x), b.ir.constant_int(y)) {
        (Some(1), _) => y,
        (_, Some(1)) => x,
        (Some(x), Some(y)) => constant(b, x.wrapping_mul(y)),
        _ => arith::MulIOp::build(b, x, y).result(b.ir),
    }
}

/// A comparison of two integers.
pub(crate) fn compare(
    b: &mut Builder<'_>,
    predicate: arith::CmpIPredicate,
    x: Value,
    y: Value,
) -> Value {
    let predicate = predicate.attr(b.ctx());
    arith::CmpIOp::build(b, predicate, x, y).result(b.ir)
}
