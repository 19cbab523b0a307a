//! How large the indices of a kernel can be: expressions of the launch's operands, computed on the host.
//!
//! A bound holds where all values it is made of are from 0 to the limit, which the host checks with it. Values that are
//! the same for all threads are known themselves, not only by a bound: divisors, above all.
//!
//! Deliberately absent: indices from memory, from loops that carry them, from branches.

use rustc_hash::FxHashMap;
use segra_gpu::device::{BlockDimOp, BlockIdOp, GpuFuncOp, GridDimOp, ThreadIdOp};
use segra_gpu::host::LaunchFuncOp;
use segra_ir::stack::deep;
use segra_ir::{Builder, Ir, Op, OpView, TypeKind, Value};
use segra_std::arith::{self, index};
use segra_std::scf;

/// A number on the host: a node of [`Bounds`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Number(u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Node {
    Constant(i64),
    Host(Value),
    Add(Number, Number),
    Mul(Number, Number),
    /// Rounded down; by at least 1.
    Div(Number, Number),
    Min(Number, Number),
    Max(Number, Number),
}

/// The knowledge about an index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    /// Whether it may be negative.
    pub(super) sign: Sign,
    /// The largest it can be, or, where it may be negative, its magnitude.
    pub(super) most: Number,
    /// Its value, where it is the same for all threads.
    uniform: Option<Number>,
    /// Whether it is far from what the index can be: of a quotient whose divisor threads differ in, it is the dividend's.
    pub(super) slack: Slack,
}

impl Bound {
    /// Of a number that is not negative.
    fn plain(most: Number, uniform: Option<Number>) -> Bound {
        Bound {
            sign: Sign::NotNegative,
            most,
            uniform,
            slack: Slack::None,
        }
    }
    /// Of a number that may be negative.
    fn any(most: Number) -> Bound {
        Bound {
            sign: Sign::Any,
            most,
            uniform: None,
            slack: Slack::None,
        }
    }
    fn with(self, slack: Slack) -> Bound {
        Bound { slack, ..self }
    }
}

/// The extent of a launch that an id is below, or that an op gives; whether it gives it.
fn of_launch(ir: &Ir, op: Op, launch: LaunchFuncOp) -> Option<(Value, bool)> {
    let (grid, block) = (launch.grid(ir), launch.block(ir));
    if let Some(id) = ir.cast::<BlockIdOp>(op) {
        Some((grid[id.dimension(ir) as usize], false))
    } else if let Some(id) = ir.cast::<ThreadIdOp>(op) {
        Some((block[id.dimension(ir) as usize], false))
    } else if let Some(extent) = ir.cast::<GridDimOp>(op) {
        Some((grid[extent.dimension(ir) as usize], true))
    } else {
        let extent = ir.cast::<BlockDimOp>(op)?;
        Some((block[extent.dimension(ir) as usize], true))
    }
}

/// Whether a number may be negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    NotNegative,
    Any,
}

impl Sign {
    pub(super) fn and(self, other: Sign) -> Sign {
        if self == Sign::NotNegative {
            other
        } else {
            Sign::Any
        }
    }
}

/// Whether a bound is far from what an index can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Slack {
    None,
    Some,
}

/// The bounds of a kernel's indices.
#[derive(Default)]
pub(super) struct Bounds {
    nodes: Vec<Node>,
    known: FxHashMap<Node, Number>,
    of: FxHashMap<Value, Bound>,
    emitted: FxHashMap<Number, Value>,
}

impl Bounds {
    /// The bounds of all indices of a kernel that is launched once.
    pub(super) fn of(ir: &Ir, func: GpuFuncOp, launch: LaunchFuncOp) -> Bounds {
        let mut bounds = Bounds::default();
        let ctx = ir.ctx();
        for (param, argument) in func.parameters(ir).into_iter().zip(launch.arguments(ir)) {
            if ir.value_type(param).is_index(ctx) {
                let node = bounds.host(ir, argument);
                bounds.of.insert(param, Bound::plain(node, Some(node)));
            }
        }
        for op in ir.walk(func.op()) {
            if let Some(looped) = ir.cast::<scf::ForOp>(op) {
                bounds.counter(ir, looped);
            } else if ir.num_results(op) == 1
                && ir.value_type(ir.result(op, 0)).is_index(ctx)
                && let Some(bound) = bounds.bound(ir, op, launch)
            {
                bounds.of.insert(ir.result(op, 0), bound);
            }
        }
        bounds
    }

    /// The knowledge about an index.
    pub(super) fn get(&self, value: Value) -> Option<Bound> {
        self.of.get(&value).copied()
    }

    /// A fact about one index holds for another.
    pub(super) fn also(&mut self, old: Value, new: Value) {
        if let Some(bound) = self.get(old) {
            self.of.insert(new, bound);
        }
    }

    /// A number that the program text gives.
    pub(super) fn constant(&self, number: Number) -> Option<i64> {
        match self.nodes.get(number.0 as usize) {
            Some(&Node::Constant(value)) => Some(value),
            _ => None,
        }
    }

    /// The sum of two numbers.
    pub(super) fn sum(&mut self, x: Number, y: Number) -> Number {
        self.node(Node::Add(x, y))
    }

    fn host(&mut self, ir: &Ir, value: Value) -> Number {
        let known = ir.constant_int(value);
        self.node(known.map_or(Node::Host(value), Node::Constant))
    }

    fn node(&mut self, node: Node) -> Number {
        let constant = |this: &Self, number| this.constant(number);
        let folded = match node {
            Node::Add(a, b) => constant(self, a)
                .zip(constant(self, b))
                .and_then(|(a, b)| a.checked_add(b)),
            Node::Mul(a, b) => constant(self, a)
                .zip(constant(self, b))
                .and_then(|(a, b)| a.checked_mul(b)),
            Node::Div(a, b) => constant(self, a)
                .zip(constant(self, b))
                .map(|(a, b)| a.max(0) / b.max(1)),
            Node::Min(a, b) => constant(self, a)
                .zip(constant(self, b))
                .map(|(a, b)| a.min(b)),
            Node::Max(a, b) => constant(self, a)
                .zip(constant(self, b))
                .map(|(a, b)| a.max(b)),
            Node::Constant(_) | Node::Host(_) => None,
        };
        let node = folded.map_or(node, Node::Constant);
        let next = Number(self.nodes.len() as u32);
        let number = *self.known.entry(node).or_insert(next);
        if number == next {
            self.nodes.push(node);
        }
        number
    }

    fn counter(&mut self, ir: &Ir, looped: scf::ForOp) {
        let region = ir.region(looped.op(), 0);
        let Some(&counter) = ir
            .entry_block(region)
            .and_then(|block| ir.block_args(block).first())
        else {
            return;
        };
        let (lower, upper) = (
            self.get(looped.lower_bound(ir)),
            self.get(looped.upper_bound(ir)),
        );
        if let (Some(lower), Some(upper)) = (lower, upper) {
            let most = match lower.sign.and(upper.sign) {
                Sign::NotNegative => upper.most,
                Sign::Any => self.node(Node::Max(lower.most, upper.most)),
            };
            self.of.insert(
                counter,
                Bound {
                    sign: lower.sign,
                    most,
                    uniform: None,
                    slack: lower.slack.max(upper.slack),
                },
            );
        }
    }

    fn bound(&mut self, ir: &Ir, op: Op, launch: LaunchFuncOp) -> Option<Bound> {
        if let Some(value) = ir.constant_int(ir.result(op, 0)) {
            let most = self.node(Node::Constant(value.saturating_abs()));
            return Some(match value < 0 {
                true => Bound::any(most),
                false => Bound::plain(most, Some(most)),
            });
        }
        if let Some((extent, is_extent)) = of_launch(ir, op, launch) {
            let extent = self.host(ir, extent);
            return Some(Bound::plain(extent, is_extent.then_some(extent)));
        }
        let operands: Vec<Value> = ir.operands(op).collect();
        match *operands.as_slice() {
            [from] if ir.isa::<arith::IndexCastOp>(op) => {
                let TypeKind::Integer { width, .. } = *ir.ctx().type_kind(ir.value_type(from))
                else {
                    return None;
                };
                let most = self.node(Node::Constant((1 << (width.min(33) - 1)) - 1));
                (width <= 32).then_some(Bound::any(most))
            }
            [_, x, y] if ir.isa::<arith::SelectOp>(op) => {
                let (x, y) = (self.get(x)?, self.get(y)?);
                let most = self.node(Node::Max(x.most, y.most));
                Some(Bound {
                    sign: x.sign.and(y.sign),
                    most,
                    uniform: None,
                    slack: x.slack.max(y.slack),
                })
            }
            [x, y] => {
                let (x, y) = (self.get(x)?, self.get(y)?);
                self.binary(ir, op, x, y)
            }
            _ => None,
        }
    }

    /// The bound of an op that is not monotone in both numbers: a remainder, a difference or a quotient of numbers that may be
    /// negative.
    fn magnitude(&mut self, ir: &Ir, op: Op, x: Bound, y: Bound) -> Option<Bound> {
        let both = x.sign.and(y.sign);
        let positive = both == Sign::NotNegative;
        let unsigned_rest = ir.isa::<arith::RemUIOp>(op);
        if unsigned_rest && positive || ir.isa::<arith::RemSIOp>(op) {
            let most = self.node(Node::Min(x.most, y.most));
            Some(Bound {
                sign: both,
                most,
                uniform: None,
                slack: x.slack.min(y.slack),
            })
        } else if ir.isa::<arith::DivSIOp>(op) {
            Some(Bound::any(x.most).with(Slack::Some))
        } else if ir.isa::<arith::SubIOp>(op) {
            // Of two that are not negative, the difference is as large as the larger one.
            let most = self.node(if positive { Node::Max } else { Node::Add }(x.most, y.most));
            Some(Bound::any(most).with(x.slack.max(y.slack)))
        } else {
            None
        }
    }

    fn binary(&mut self, ir: &Ir, op: Op, x: Bound, y: Bound) -> Option<Bound> {
        let both = x.sign.and(y.sign);
        let positive = both == Sign::NotNegative;
        let divides = ir.isa::<arith::DivSIOp>(op) || ir.isa::<arith::DivUIOp>(op);
        let largest = ir.isa::<arith::MaxSIOp>(op);
        let make: fn(Number, Number) -> Node = if ir.isa::<arith::AddIOp>(op) {
            Node::Add
        } else if ir.isa::<arith::MulIOp>(op) {
            Node::Mul
        } else if divides && positive {
            Node::Div
        } else if largest {
            Node::Max
        } else if ir.isa::<arith::MinSIOp>(op) {
            if positive { Node::Min } else { Node::Max }
        } else {
            return self.magnitude(ir, op, x, y);
        };
        let uniform = x.uniform.zip(y.uniform).filter(|_| positive);
        let uniform = uniform.map(|(x, y)| self.node(make(x, y)));
        // A quotient is largest where the divisor is smallest, which is known where it is one number.
        let divisor = if divides { y.uniform } else { Some(y.most) };
        let most = match (uniform, divisor) {
            (Some(uniform), _) => uniform,
            (None, Some(y)) => self.node(make(x.most, y)),
            (None, None) => x.most,
        };
        let sign = if largest && x.sign != y.sign {
            Sign::NotNegative
        } else {
            both
        };
        let slack = match (divides, uniform.or(divisor)) {
            (true, None) => Slack::Some,
            (true, Some(_)) => x.slack,
            _ if positive && ir.isa::<arith::MinSIOp>(op) => x.slack.min(y.slack),
            _ => x.slack.max(y.slack),
        };
        Some(Bound {
            sign,
            most,
            uniform,
            slack,
        })
    }

    /// A number as a value of the host, and what else must be within the limit for it to be right: its parts.
    pub(super) fn emit(
        &mut self,
        b: &mut Builder<'_>,
        number: Number,
        parts: &mut Vec<Value>,
    ) -> Value {
        if let Some(&value) = self.emitted.get(&number) {
            return value;
        }
        let node = self.nodes[number.0 as usize];
        let value = match node {
            Node::Constant(value) => index::constant(b, value),
            Node::Host(value) => {
                parts.push(value);
                value
            }
            Node::Add(x, y)
            | Node::Mul(x, y)
            | Node::Div(x, y)
            | Node::Min(x, y)
            | Node::Max(x, y) => {
                let (x, y) = (
                    deep(|| self.emit(b, x, parts)),
                    deep(|| self.emit(b, y, parts)),
                );
                match node {
                    Node::Add(left, right) => {
                        // So sums do not overflow, however many products they are of.
                        let is_product = |number: Number| {
                            matches!(self.nodes.get(number.0 as usize), Some(Node::Mul(..)))
                        };
                        parts.extend(is_product(left).then_some(x));
                        parts.extend(is_product(right).then_some(y));
                        index::add(b, x, y)
                    }
                    Node::Mul(..) => {
                        // Products of what is within the limit do not overflow.
                        parts.extend([x, y]);
                        index::mul(b, x, y)
                    }
                    Node::Div(..) => {
                        let one = index::constant(b, 1);
                        let y = index::max(b, y, one);
                        index::div(b, x, y)
                    }
                    Node::Min(..) => index::min(b, x, y),
                    _ => index::max(b, x, y),
                }
            }
        };
        self.emitted.insert(number, value);
        value
    }
}
