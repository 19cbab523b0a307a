//! Index expressions: a hash-consed arena of integer and boolean expressions over symbols.
//!
//! Meaning. Values are integers that fit `i64` ([`Sort::Index`]) or truth values ([`Sort::Bool`]). Division rounds
//! towards minus infinity and the remainder has the divisor's sign, so `x == k * (x / k) + x % k` always and
//! `0 <= x % k < k` for `k > 0`. On non-negative operands, which is all that a mapping produces, this is what
//! unsigned hardware division computes. Every operator is strict: both arms of a select, both sides of an `and`.
//!
//! Invariants: equal nodes have equal ids; operands have smaller ids than the node that uses them, so ascending
//! ids are a topological order; range and residue class of each node follow from those of the symbols.
//! Constructors fold what ranges decide (`n + 0`, `max(0, n)` for a size `n`, `3 < 5`); that is the "constant-folded
//! form" the simplifier falls back to.
//!
//! Absent: rewriting (see [`crate::simplify()`]), overflow behaviour (evaluation reports it; the machine wraps), and
//! checks of sorts at construction: an ill-sorted expression is found by [`crate::evaluate`].
//! An [`Expr`] is only meaningful in the arena that made it.

use crate::congruence::Congruence;
use crate::interval::Interval;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::fmt;

/// An expression of one [`Arena`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Expr(u32);

/// A free variable of one [`Arena`]: a size, an id, a tunable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub(crate) u32);

impl Expr {
    /// Position in the arena, for side tables.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Symbol {
    /// Position in the arena's symbol table, for side tables.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "e{}", self.0)
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}", self.0)
    }
}

/// The kind of value an expression has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// An integer.
    Index,
    /// A truth value.
    Bool,
}

/// Operators of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BinaryOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient rounded towards minus infinity; undefined for divisor 0.
    FloorDiv,
    /// Quotient rounded towards plus infinity; undefined for divisor 0.
    CeilDiv,
    /// Remainder with the divisor's sign; undefined for divisor 0.
    Mod,
    /// Smaller operand.
    Min,
    /// Larger operand.
    Max,
    /// `==` on indices.
    Equal,
    /// `!=` on indices.
    NotEqual,
    /// `<` on indices.
    Less,
    /// `<=` on indices.
    LessEqual,
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
}

impl BinaryOp {
    /// Sort of both operands.
    #[must_use]
    pub fn operand_sort(self) -> Sort {
        if matches!(self, Self::And | Self::Or) {
            Sort::Bool
        } else {
            Sort::Index
        }
    }

    /// Sort of the result.
    #[must_use]
    pub fn result_sort(self) -> Sort {
        match self {
            Self::Add | Self::Sub | Self::Mul | Self::FloorDiv | Self::CeilDiv | Self::Mod => {
                Sort::Index
            }
            Self::Min | Self::Max => Sort::Index,
            Self::Equal | Self::NotEqual | Self::Less | Self::LessEqual | Self::And | Self::Or => {
                Sort::Bool
            }
        }
    }

    /// The range of the result, from the ranges of the operands.
    pub(crate) fn range(self, a: Interval, b: Interval) -> Interval {
        match self {
            Self::Add => a.add(b),
            Self::Sub => a.sub(b),
            Self::Mul => a.mul(b),
            Self::FloorDiv => a.floor_div(b),
            Self::CeilDiv => a.ceil_div(b),
            Self::Mod => a.modulo(b),
            Self::Min => a.min(b),
            Self::Max => a.max(b),
            Self::Equal => a.equal(b),
            Self::NotEqual => a.equal(b).not(),
            Self::Less => a.less(b),
            Self::LessEqual => a.less_equal(b),
            Self::And => a.and(b),
            Self::Or => a.or(b),
        }
    }

    /// The residue class of the result, from those of the operands.
    pub(crate) fn congruence(self, a: Congruence, b: Congruence) -> Congruence {
        match self {
            Self::Add => a.add(b),
            Self::Sub => a.sub(b),
            Self::Mul => a.mul(b),
            Self::FloorDiv => a.floor_div(b),
            Self::CeilDiv => a.ceil_div(b),
            Self::Mod => a.modulo(b),
            Self::Min | Self::Max => a.hull(b),
            Self::Equal if a.is_disjoint(b) => Congruence::point(0),
            Self::NotEqual if a.is_disjoint(b) => Congruence::point(1),
            _ => Congruence::ALL,
        }
    }
}

/// One node of the expression graph: what a lowering matches on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// An integer constant.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A free variable, of sort index.
    Symbol(Symbol),
    /// Operator, left operand, right operand.
    Binary(BinaryOp, Expr, Expr),
    /// Negation of a truth value.
    Not(Expr),
    /// `then` where `condition` holds, else `otherwise`; both are evaluated.
    Select {
        /// Of sort bool.
        condition: Expr,
        /// Of the sort of the result.
        then: Expr,
        /// Of the sort of the result.
        otherwise: Expr,
    },
}

impl Node {
    /// The operands, in the order they are written.
    #[must_use]
    pub fn operands(self) -> SmallVec<[Expr; 3]> {
        match self {
            Self::Int(_) | Self::Bool(_) | Self::Symbol(_) => SmallVec::new(),
            Self::Binary(_, a, b) => SmallVec::from_slice(&[a, b]),
            Self::Not(a) => SmallVec::from_slice(&[a]),
            Self::Select {
                condition,
                then,
                otherwise,
            } => SmallVec::from_slice(&[condition, then, otherwise]),
        }
    }
}

struct SymbolData {
    name: Option<String>,
    range: Interval,
    congruence: Congruence,
    expr: Expr,
}

/// Owner of expressions.
#[derive(Default)]
pub struct Arena {
    nodes: Vec<Node>,
    ranges: Vec<Interval>,
    congruences: Vec<Congruence>,
    ids: FxHashMap<Node, Expr>,
    symbols: Vec<SymbolData>,
}

impl Arena {
    /// An arena without expressions.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A new named symbol whose values lie in `range`. The name is for people: two symbols may share one.
    pub fn symbol(&mut self, name: &str, range: Interval) -> Expr {
        self.declare(Some(name.to_owned()), range, Congruence::ALL)
    }

    /// A new named symbol whose values lie in `range` and in `congruence`: a size that is a multiple of 32, say.
    pub fn congruent_symbol(
        &mut self,
        name: &str,
        range: Interval,
        congruence: Congruence,
    ) -> Expr {
        self.declare(Some(name.to_owned()), range, congruence)
    }

    /// A new symbol without a name, printed as `s` and its number.
    pub fn unnamed_symbol(&mut self, range: Interval) -> Expr {
        self.declare(None, range, Congruence::ALL)
    }

    fn declare(&mut self, name: Option<String>, range: Interval, congruence: Congruence) -> Expr {
        let symbol = Symbol(id_of(self.symbols.len()));
        let expr = self.intern(Node::Symbol(symbol), range, congruence);
        self.symbols.push(SymbolData {
            name,
            range,
            congruence,
            expr,
        });
        expr
    }

    /// The values of a symbol lie in `range`, too. Expressions made of it before keep the range that they have; an expression that
    /// is no symbol stays as it is.
    ///
    /// ```
    /// use segra_space::{Arena, Interval};
    ///
    /// let mut arena = Arena::new();
    /// let n = arena.symbol("n", Interval::NON_NEGATIVE);
    /// arena.narrow(n, Interval::at_least(1));
    /// assert_eq!(arena.range(n), Interval::at_least(1));
    /// ```
    pub fn narrow(&mut self, symbol: Expr, range: Interval) {
        if let Node::Symbol(known) = self.nodes[symbol.index()] {
            let range = self.ranges[symbol.index()].intersect(range);
            self.ranges[symbol.index()] = range;
            self.symbols[known.index()].range = range;
        }
    }

    /// The name a symbol was declared with.
    #[must_use]
    pub fn symbol_name(&self, symbol: Symbol) -> Option<&str> {
        self.symbols[symbol.index()].name.as_deref()
    }

    /// The expression that is the symbol.
    #[must_use]
    pub fn symbol_expr(&self, symbol: Symbol) -> Expr {
        self.symbols[symbol.index()].expr
    }

    /// The range a symbol was declared with.
    #[must_use]
    pub fn symbol_range(&self, symbol: Symbol) -> Interval {
        self.symbols[symbol.index()].range
    }

    /// The residue class a symbol was declared with.
    #[must_use]
    pub fn symbol_congruence(&self, symbol: Symbol) -> Congruence {
        self.symbols[symbol.index()].congruence
    }

    /// The node of an expression.
    #[must_use]
    pub fn node(&self, expr: Expr) -> Node {
        self.nodes[expr.index()]
    }

    /// The range of the value, from the declarations of the symbols.
    #[must_use]
    pub fn range(&self, expr: Expr) -> Interval {
        self.ranges[expr.index()]
    }

    /// The congruence of the value, from the declarations of the symbols.
    #[must_use]
    pub fn congruence(&self, expr: Expr) -> Congruence {
        self.congruences[expr.index()]
    }

    /// The value of an integer constant.
    #[must_use]
    pub fn as_int(&self, expr: Expr) -> Option<i64> {
        if let Node::Int(value) = self.node(expr) {
            Some(value)
        } else {
            None
        }
    }

    /// The value of a boolean constant.
    #[must_use]
    pub fn as_bool(&self, expr: Expr) -> Option<bool> {
        if let Node::Bool(value) = self.node(expr) {
            Some(value)
        } else {
            None
        }
    }

    /// The symbol, if the expression is one.
    #[must_use]
    pub fn as_symbol(&self, expr: Expr) -> Option<Symbol> {
        if let Node::Symbol(symbol) = self.node(expr) {
            Some(symbol)
        } else {
            None
        }
    }

    /// The sort of the value.
    #[must_use]
    pub fn sort(&self, expr: Expr) -> Sort {
        let mut expr = expr;
        loop {
            match self.node(expr) {
                Node::Int(_) | Node::Symbol(_) => return Sort::Index,
                Node::Bool(_) | Node::Not(_) => return Sort::Bool,
                Node::Binary(op, ..) => return op.result_sort(),
                Node::Select { then, .. } => expr = then,
            }
        }
    }

    /// How many distinct expressions exist.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether no expression exists yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Everything that `roots` need, each expression once, operands before users. The order is the same on
    /// every run.
    #[must_use]
    pub fn topological(&self, roots: &[Expr]) -> Vec<Expr> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut pending = roots.to_vec();
        while let Some(expr) = pending.pop() {
            if seen.insert(expr) {
                pending.extend(self.node(expr).operands());
            }
        }
        let mut order: Vec<Expr> = seen.into_iter().collect();
        order.sort_unstable();
        order
    }

    /// An integer constant.
    pub fn int(&mut self, value: i64) -> Expr {
        let congruence = Congruence::point(value);
        self.intern(Node::Int(value), Interval::point(value), congruence)
    }

    /// A truth value.
    pub fn bool(&mut self, value: bool) -> Expr {
        let value_of = i64::from(value);
        let congruence = Congruence::point(value_of);
        self.intern(Node::Bool(value), Interval::point(value_of), congruence)
    }

    /// `a op b`, folded where ranges decide the result.
    pub fn binary(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        if let Some(folded) = self.identity(op, a, b) {
            return folded;
        }
        let range = op.range(self.range(a), self.range(b));
        let congruence = op.congruence(self.congruence(a), self.congruence(b));
        if let Some(value) = range.single().or(congruence.single()) {
            return match op.result_sort() {
                Sort::Index => self.int(value),
                Sort::Bool => self.bool(value != 0),
            };
        }
        self.intern(Node::Binary(op, a, b), range, congruence)
    }

    /// Results that are one of the operands, or follow from the operands being the same expression.
    fn identity(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Option<Expr> {
        let (ra, rb) = (self.range(a), self.range(b));
        let (left, right) = (ra.single(), rb.single());
        match op {
            BinaryOp::Add if right == Some(0) => Some(a),
            BinaryOp::Add if left == Some(0) => Some(b),
            BinaryOp::Sub if right == Some(0) => Some(a),
            BinaryOp::Sub if a == b => Some(self.int(0)),
            BinaryOp::Mul | BinaryOp::FloorDiv | BinaryOp::CeilDiv if right == Some(1) => Some(a),
            BinaryOp::Mul if left == Some(1) => Some(b),
            BinaryOp::Mod if ra.is_non_negative() && ra.is_below(rb) => Some(a),
            BinaryOp::Min if a == b || ra.is_at_most(rb) => Some(a),
            BinaryOp::Min if rb.is_at_most(ra) => Some(b),
            BinaryOp::Max if a == b || rb.is_at_most(ra) => Some(a),
            BinaryOp::Max if ra.is_at_most(rb) => Some(b),
            BinaryOp::Equal | BinaryOp::LessEqual if a == b => Some(self.bool(true)),
            BinaryOp::NotEqual | BinaryOp::Less if a == b => Some(self.bool(false)),
            BinaryOp::And | BinaryOp::Or if a == b => Some(a),
            BinaryOp::And if right == Some(1) => Some(a),
            BinaryOp::And if left == Some(1) => Some(b),
            BinaryOp::Or if right == Some(0) => Some(a),
            BinaryOp::Or if left == Some(0) => Some(b),
            _ => None,
        }
    }

    /// `a + b`.
    pub fn add(&mut self, a: Expr, b: Expr) -> Expr {
        self.binary(BinaryOp::Add, a, b)
    }

    /// `a - b`.
    pub fn sub(&mut self, a: Expr, b: Expr) -> Expr {
        self.binary(BinaryOp::Sub, a, b)
    }

    /// `a * b`.
    pub fn mul(&mut self, a: Expr, b: Expr) -> Expr {
        self.binary(BinaryOp::Mul, a, b)
    }

    /// `a / b` rounded down.
    pub fn floor_div(&mut self, a: Expr, b: Expr) -> Expr {
        self.binary(BinaryOp::FloorDiv, a, b)
    }

    /// `a / b` rounded up.
    pub fn ceil_div(&mut self, a: Expr, b: Expr) -> Expr {
        self.binary(BinaryOp::CeilDiv, a, b)
    }

    /// `a % b`, with the sign of `b`.
    pub fn modulo(&mut self, a: Expr, b: Expr) -> Expr {
        self.binary(BinaryOp::Mod, a, b)
    }

    /// The smaller of two.
    pub fn min(&mut self, a: Expr, b: Expr) -> Expr {
        self.binary(BinaryOp::Min, a, b)
    }

    /// The larger of two.
    pub fn max(&mut self, a: Expr, b: Expr) -> Expr {
        self.binary(BinaryOp::Max, a, b)
    }

    /// `a == b`.
    pub fn equal(&mut self, a: Expr, b: Expr) -> Expr {
        self.binary(BinaryOp::Equal, a, b)
    }

    /// `a != b`.
    pub fn not_equal(&mut self, a: Expr, b: Expr) -> Expr {
        self.binary(BinaryOp::NotEqual, a, b)
    }

    /// `a < b`.
    pub fn less(&mut self, a: Expr, b: Expr) -> Expr {
        self.binary(BinaryOp::Less, a, b)
    }

    /// `a <= b`.
    pub fn less_equal(&mut self, a: Expr, b: Expr) -> Expr {
        self.binary(BinaryOp::LessEqual, a, b)
    }

    /// Both hold.
    pub fn and(&mut self, a: Expr, b: Expr) -> Expr {
        self.binary(BinaryOp::And, a, b)
    }

    /// At least one holds.
    pub fn or(&mut self, a: Expr, b: Expr) -> Expr {
        self.binary(BinaryOp::Or, a, b)
    }

    /// All hold; true for none.
    pub fn all(&mut self, predicates: &[Expr]) -> Expr {
        let mut result = self.bool(true);
        for &predicate in predicates {
            result = self.and(result, predicate);
        }
        result
    }

    /// The product of all; 1 for none.
    pub fn product(&mut self, factors: &[Expr]) -> Expr {
        let mut result = self.int(1);
        for &factor in factors {
            result = self.mul(result, factor);
        }
        result
    }

    /// Does not hold.
    pub fn not(&mut self, a: Expr) -> Expr {
        match (self.node(a), self.range(a).single()) {
            (Node::Not(inner), _) => inner,
            (_, Some(value)) => self.bool(value == 0),
            _ => self.intern(Node::Not(a), self.range(a).not(), Congruence::ALL),
        }
    }

    /// `then` where `condition` holds, else `otherwise`.
    pub fn select(&mut self, condition: Expr, then: Expr, otherwise: Expr) -> Expr {
        match self.range(condition).single() {
            _ if then == otherwise => then,
            Some(0) => otherwise,
            Some(_) => then,
            None => {
                let range = self.range(then).hull(self.range(otherwise));
                let congruence = self.congruence(then).hull(self.congruence(otherwise));
                self.intern(
                    Node::Select {
                        condition,
                        then,
                        otherwise,
                    },
                    range,
                    congruence,
                )
            }
        }
    }

    /// `expr` with symbols replaced, rebuilt through the constructors (and so folded again).
    pub fn substitute(
        &mut self,
        roots: &[Expr],
        replacement: &dyn Fn(Symbol) -> Option<Expr>,
    ) -> Vec<Expr> {
        let mut new: FxHashMap<Expr, Expr> = FxHashMap::default();
        for expr in self.topological(roots) {
            let image = match self.node(expr) {
                Node::Int(_) | Node::Bool(_) => expr,
                Node::Symbol(symbol) => replacement(symbol).unwrap_or(expr),
                Node::Binary(op, a, b) => self.binary(op, new[&a], new[&b]),
                Node::Not(a) => self.not(new[&a]),
                Node::Select {
                    condition,
                    then,
                    otherwise,
                } => self.select(new[&condition], new[&then], new[&otherwise]),
            };
            new.insert(expr, image);
        }
        roots.iter().map(|root| new[root]).collect()
    }

    fn intern(&mut self, node: Node, range: Interval, congruence: Congruence) -> Expr {
        if let Some(&known) = self.ids.get(&node) {
            return known;
        }
        let expr = Expr(id_of(self.nodes.len()));
        self.nodes.push(node);
        self.ranges.push(range);
        self.congruences.push(congruence);
        self.ids.insert(node, expr);
        expr
    }
}

/// Ids are `u32`: an arena of more than four billion nodes does not fit any memory this runs on.
fn id_of(position: usize) -> u32 {
    u32::try_from(position).expect("fewer than 2^32 expressions in an arena")
}
