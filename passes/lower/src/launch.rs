//! Index-space mappings in IR: extents of the launch on the host; [`crate::recovery`] has the kernel's side.
//!
//! Spaces of one form (as many dimensions, the same of them constant, the same of them equal) are mapped once for all
//! kernels of a module ([`Mappings`]): simplifying indices is most of what lowering would take. Which mapping it is, is
//! said by the op ([`segra_kernel::mapping`]); kernels that the lowering adds of its own fold all dimensions.

use rustc_hash::{FxHashMap, FxHashSet};
use segra_ir::{Builder, Value};
use segra_space::{
    Arena, BlockSize, Chain, ChooseChain, Descriptor, Expr, Facts, Group, HardwareLimits, Interval,
    LaunchCondition, Mapping, Recovery, SimplifyLimits, Sort, Strategy, StrategyError, Symbol,
    ThreadIds,
};
use segra_std::arith;
use segra_std::arith::expr::{Known, emit_unknown};
use segra_std::check::RequireOp;
use std::rc::Rc;

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

/// Who runs an index, and with how many threads.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Team {
    Thread,
    Lanes(i64),
    /// A thread block of so many threads.
    Block(Extent),
}

impl Team {
    pub(crate) fn group(self) -> Group {
        match self {
            Team::Thread => Group::Thread,
            Team::Lanes(lanes) => Group::Lanes(lanes),
            Team::Block(_) => Group::Block,
        }
    }
}

/// The mapping of a form of spaces, without values.
pub(crate) struct Mapped {
    pub(crate) arena: Arena,
    pub(crate) mapping: Mapping,
    pub(crate) ids: ThreadIds,
    pub(crate) recovery: Recovery,
    /// Conditions on the extents beyond the hardware's limits, not decided before run time.
    conditions: Vec<LaunchCondition>,
    /// The parts of the recovery that are the same for all threads, each as large as possible: the host computes them.
    pub(crate) uniform: Vec<Expr>,
    /// The extents that only the run knows, by number.
    symbols: Vec<Symbol>,
}

/// How a space is mapped.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum How {
    /// As an op says.
    By(Chain),
    /// All dimensions folded: a kernel of the lowering's own.
    Folded,
}

impl Mapped {
    fn new(form: &[Dim], how: &How, group: Group) -> Result<Mapped, StrategyError> {
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
        let chain = match how {
            How::By(chain) => chain.clone(),
            How::Folded => {
                Strategy::FoldAll(BlockSize::Automatic).choose(&mut arena, &descriptor, group)?
            }
        };
        let mapping = Mapping::new(&mut arena, descriptor, chain)?;
        mapping.check_group(&mut arena, group)?;
        let limits = HardwareLimits::CUDA;
        let conditions = mapping.launch_conditions(&mut arena, group, &limits)?;
        let ids = ThreadIds::declare(&mut arena, &limits);
        let recovery = mapping
            .recover_simplified(&mut arena, &ids, &Facts::new(), &SimplifyLimits::default())
            .map_err(|source| segra_space::MappingError::Combinator {
                stage: 0,
                chain: mapping.chain().to_string(),
                source,
            })?;
        let uniform = uniform(&arena, &ids, &recovery);
        Ok(Mapped {
            arena,
            mapping,
            ids,
            recovery,
            conditions,
            uniform,
            symbols,
        })
    }
}

/// The parts of indices and guards that use no id, each as large as possible; constants are left out.
fn uniform(arena: &Arena, ids: &ThreadIds, recovery: &Recovery) -> Vec<Expr> {
    let roots = recovery.roots();
    let order = arena.topological(&roots);
    let all_ids = [ids.block, ids.thread, ids.step].concat();
    let mut varying: FxHashSet<Expr> = all_ids.into_iter().collect();
    for &expr in &order {
        if arena
            .node(expr)
            .operands()
            .iter()
            .any(|operand| varying.contains(operand))
        {
            varying.insert(expr);
        }
    }
    let is_passed = |expr: Expr| {
        !varying.contains(&expr)
            && arena.as_int(expr).is_none()
            && arena.as_bool(expr).is_none()
            && arena.sort(expr) == Sort::Index
    };
    let mut found = Vec::new();
    let users = order.iter().filter(|expr| varying.contains(*expr));
    let used = users.flat_map(|&expr| arena.node(expr).operands().to_vec());
    for expr in used.chain(roots) {
        if is_passed(expr) && !found.contains(&expr) {
            found.push(expr);
        }
    }
    found
}

/// Mappings made so far, by form of the space, chain and group.
#[derive(Default)]
pub(crate) struct Mappings {
    known: FxHashMap<(Vec<Dim>, How, Group), Rc<Mapped>>,
}

impl Mappings {
    /// Maps a space.
    pub(crate) fn launch(
        &mut self,
        space: &[Extent],
        how: How,
        team: Team,
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
        let key = (form, how, team.group());
        let mapped = match self.known.get(&key) {
            Some(mapped) => mapped.clone(),
            None => {
                let mapped = Rc::new(Mapped::new(&key.0, &key.1, key.2)?);
                self.known.insert(key, mapped.clone());
                mapped
            }
        };
        let symbols = mapped.symbols.iter().copied().zip(values).collect();
        Ok(Launch {
            mapped,
            symbols,
            team,
            elements: None,
        })
    }
}

/// A mapped space: what to launch, and how threads find their indices.
pub(crate) struct Launch {
    pub(crate) mapped: Rc<Mapped>,
    /// The host value each symbol of the space stands for.
    symbols: Vec<(Symbol, Value)>,
    pub(crate) team: Team,
    /// How many elements each team has, where without any nothing is launched.
    elements: Option<Value>,
}

impl Launch {
    /// The same where each team has so many elements, and has nothing to do without.
    pub(crate) fn of_elements(self, elements: Value) -> Launch {
        Launch {
            elements: Some(elements),
            ..self
        }
    }

    /// Expressions on sizes as host values.
    pub(crate) fn on_host(&self, b: &mut Builder<'_>, roots: &[Expr]) -> Vec<Value> {
        let mut known = Known::default();
        for &(symbol, value) in &self.symbols {
            known.insert(self.mapped.arena.symbol_expr(symbol), value);
        }
        emit_unknown(b, &self.mapped.arena, roots, &mut known);
        roots.iter().map(|root| known[root]).collect()
    }

    /// Grid and thread block extents, x, y, z, as host values; extents the hardware cannot have stop the program, which says
    /// what is too large and by how much.
    pub(crate) fn extents(&self, b: &mut Builder<'_>) -> ([Value; 3], [Value; 3]) {
        let mut roots: Vec<Expr> = self.mapped.mapping.grid().to_vec();
        roots.extend(self.mapped.mapping.block());
        for condition in &self.mapped.conditions {
            roots.extend([condition.within, condition.extent]);
        }
        let values = self.on_host(b, &roots);
        for (pair, condition) in values[6..].chunks_exact(2).zip(&self.mapped.conditions) {
            // A launch of known extents that fits has nothing to check.
            if b.ir.constant_int(pair[0]).is_none_or(|within| within == 0) {
                require(b, (pair[0], pair[1]), condition);
            }
        }
        let x = match self.team {
            Team::Thread => values[3],
            Team::Lanes(lanes) => {
                let lanes = constant(b, lanes);
                mul(b, values[3], lanes)
            }
            Team::Block(Extent::Constant(threads)) => constant(b, threads),
            Team::Block(Extent::Value(threads)) => threads,
        };
        let mut blocks = values[0];
        if let Some(elements) = self.elements
            && b.ir.constant_int(elements).is_none_or(|known| known <= 0)
        {
            let one = constant(b, 1);
            let any = arith::MinSIOp::build(b, elements, one).result(b.ir);
            blocks = mul(b, blocks, any);
        }
        ([blocks, values[1], values[2]], [x, values[4], values[5]])
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
        let x = match self.team {
            Team::Thread => x?,
            Team::Lanes(lanes) => x? * lanes,
            Team::Block(Extent::Constant(threads)) => threads,
            Team::Block(Extent::Value(_)) => return None,
        };
        Some([x, y?, z?])
    }
}

/// Stops the program where an extent of a launch is beyond what the hardware has.
fn require(b: &mut Builder<'_>, (within, extent): (Value, Value), condition: &LaunchCondition) {
    let (one, limit) = (constant(b, 1), constant(b, condition.limit));
    let more = arith::SubIOp::build(b, extent, limit).result(b.ir);
    let message = format!(
        "{} {} of the launch is {{0}}, the hardware allows at most {}: {{1}} too many",
        condition.level, condition.axis, condition.limit
    );
    let message = b.ctx().str_attr(&message);
    RequireOp::builder()
        .condition(within)
        .value(extent)
        .otherwise(one)
        .numbers(&[extent, more])
        .message(message)
        .build(b);
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
