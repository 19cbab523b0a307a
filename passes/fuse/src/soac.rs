//! All combinators seen as one: inputs, what is done with each tuple of elements, what happens to the values made.
//!
//! Invariant: [`Soac::of`] takes apart and [`Parts::finish`] puts together without loss. Deliberately absent: what may
//! be fused (`plan`) and the code that does it (`build`).

use segra_array::neutral::Starting;
use segra_array::soac::{
    MapOp, RedomapOp, ReduceOp, ScanOp, ScanomapOp, YieldOp, is_combinator, row_types,
};
use segra_array::types::{ArrayType, Size};
use segra_array::update::{HistOp, ScatterOp};
use segra_ir::interfaces::{EffectKind, is_speculatable, visit_effects};
use segra_ir::{Block, Builder, Ir, Op, OpView, Region, Type, Value};

/// What happens to the values a combinator makes of its elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flavour {
    /// All are stored.
    Map,
    /// The first are reduced, the others stored.
    Reduce,
    /// The first are scanned, the others stored.
    Scan {
        /// Whether a prefix lacks its own element.
        exclusive: bool,
    },
    /// They say where in the destinations what is put.
    Scatter,
    /// They say with what which elements of the destinations are combined.
    Hist,
}

impl Flavour {
    /// What two combinators done in one traversal are; `None`: no op is both. Two scatters or two hists are one only
    /// where they go to the same places.
    pub(crate) fn join(self, other: Flavour) -> Option<Flavour> {
        match (self, other) {
            (Flavour::Map, flavour) | (flavour, Flavour::Map) => Some(flavour),
            (a, b) => (a == b).then_some(a),
        }
    }
    /// Whether arrays can be returned beside the op's own results.
    pub(crate) fn stores(self) -> bool {
        !matches!(self, Flavour::Scatter | Flavour::Hist)
    }
}

/// What running a combinator may do besides giving its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Behaviour {
    /// Nothing: it may run anywhere, any number of times.
    Total,
    /// It may stop the program, by an index out of range for example.
    MayStop,
    /// Anything else: it reads or writes memory.
    Effects,
}

/// A combinator.
#[derive(Clone, Debug)]
pub(crate) struct Soac {
    pub(crate) op: Op,
    pub(crate) flavour: Flavour,
    pub(crate) arrays: Vec<Value>,
    /// What is done with the elements; `None`: they are combined as they are.
    pub(crate) body: Option<Block>,
    /// Neutral elements; none for map and scatter.
    pub(crate) neutral: Vec<Value>,
    pub(crate) combine: Option<Block>,
    /// What is updated; none but for scatter and hist.
    pub(crate) destinations: Vec<Value>,
}

impl Soac {
    /// What `op` is, if it is a combinator; not one whose start values are not neutral, which `separate-starts` takes
    /// apart before.
    pub(crate) fn of(ir: &Ir, op: Op) -> Option<Soac> {
        if Starting::of(ir, op).is_some_and(|starting| !starting.is_neutral(ir)) {
            return None;
        }
        let soac = |flavour, arrays| Soac {
            op,
            flavour,
            arrays,
            body: None,
            neutral: Vec::new(),
            combine: None,
            destinations: Vec::new(),
        };
        if let Some(map) = ir.cast::<MapOp>(op) {
            return Some(Soac {
                body: Some(map.body_block(ir)),
                ..soac(Flavour::Map, map.arrays(ir))
            });
        }
        if let Some(reduce) = ir.cast::<ReduceOp>(op) {
            let combine = Some(reduce.combine_block(ir));
            let neutral = reduce.start(ir);
            return Some(Soac {
                neutral,
                combine,
                ..soac(Flavour::Reduce, reduce.arrays(ir))
            });
        }
        if let Some(redomap) = ir.cast::<RedomapOp>(op) {
            let (body, combine) = (
                Some(redomap.body_block(ir)),
                Some(redomap.combine_block(ir)),
            );
            let neutral = redomap.start(ir);
            return Some(Soac {
                body,
                neutral,
                combine,
                ..soac(Flavour::Reduce, redomap.arrays(ir))
            });
        }
        if let Some(scan) = ir.cast::<ScanOp>(op) {
            let flavour = Flavour::Scan {
                exclusive: scan.exclusive_attr(ir).is_some(),
            };
            let (neutral, combine) = (scan.start(ir), Some(scan.combine_block(ir)));
            return Some(Soac {
                neutral,
                combine,
                ..soac(flavour, scan.arrays(ir))
            });
        }
        if let Some(scan) = ir.cast::<ScanomapOp>(op) {
            let flavour = Flavour::Scan {
                exclusive: scan.exclusive_attr(ir).is_some(),
            };
            let (body, combine) = (Some(scan.body_block(ir)), Some(scan.combine_block(ir)));
            return Some(Soac {
                body,
                neutral: scan.start(ir),
                combine,
                ..soac(flavour, scan.arrays(ir))
            });
        }
        if let Some(scatter) = ir.cast::<ScatterOp>(op) {
            let (body, destinations) = (Some(scatter.body_block(ir)), scatter.destinations(ir));
            return Some(Soac {
                body,
                destinations,
                ..soac(Flavour::Scatter, scatter.arrays(ir))
            });
        }
        let hist = ir.cast::<HistOp>(op)?;
        Some(Soac {
            body: Some(hist.body_block(ir)),
            neutral: hist.neutral(ir),
            combine: Some(hist.combine_block(ir)),
            destinations: hist.destinations(ir),
            ..soac(Flavour::Hist, hist.arrays(ir))
        })
    }

    /// How many results are combined or updated rather than stored: they come first.
    pub(crate) fn combined(&self) -> usize {
        if self.flavour.stores() {
            self.neutral.len()
        } else {
            self.destinations.len()
        }
    }

    /// Results whose elements are what the body yields.
    pub(crate) fn stored(&self, ir: &Ir) -> impl Iterator<Item = Value> + use<> {
        ir.results(self.op).skip(self.combined())
    }

    /// Whether there is a combinator inside its regions.
    pub(crate) fn has_parallelism(&self, ir: &Ir) -> bool {
        let mut found = false;
        ir.walk_with(self.op, &mut |op| {
            found |= op != self.op && is_combinator(ir, op)
        });
        found
    }

    /// What running it may do.
    pub(crate) fn behaviour(&self, ir: &Ir) -> Behaviour {
        if is_speculatable(ir, self.op) && segra_ir::interfaces::is_pure(ir, self.op) {
            return Behaviour::Total;
        }
        // Array ops that may stop the program say that they read anything.
        let only_stops = visit_effects(ir, self.op, &mut |(owner, effect)| {
            effect.kind == EffectKind::Stop
                || effect.kind == EffectKind::Read && ir.op_name_str(owner).starts_with("array.")
        });
        if only_stops {
            Behaviour::MayStop
        } else {
            Behaviour::Effects
        }
    }

    /// The extent of its inputs, as their types tell it.
    pub(crate) fn extent(&self, ir: &Ir) -> Size {
        segra_array::soac::outer_size(ir, &self.arrays)
    }
}

/// The type of an array's rows.
pub(crate) fn row_type(ir: &Ir, array: Value) -> Type {
    let ty = ir.value_type(array);
    ty.dialect::<ArrayType>(ir.ctx())
        .map_or(ty, |array| array.row(ir.ctx()))
}

/// What a combinator is put together from.
pub(crate) struct Parts {
    pub(crate) flavour: Flavour,
    pub(crate) arrays: Vec<Value>,
    pub(crate) neutral: Vec<Value>,
    pub(crate) destinations: Vec<Value>,
    /// A detached block over the elements of `arrays`, its terminator included.
    pub(crate) body: Block,
    /// A detached block, where something is combined.
    pub(crate) combine: Option<Block>,
    pub(crate) results: Vec<Type>,
}

impl Parts {
    /// A detached block over the elements of arrays, and those elements.
    pub(crate) fn body_over(ir: &mut Ir, arrays: &[Value]) -> (Block, Vec<Value>) {
        let rows = row_types(ir, arrays);
        let block = ir.create_block(&rows);
        (block, ir.block_args(block).to_vec())
    }

    /// Makes the op before `place`.
    pub(crate) fn finish(self, ir: &mut Ir, place: Op) -> Op {
        let mut b = Builder::before(ir, place);
        let (op, regions): (Op, Vec<Region>) = match self.flavour {
            Flavour::Map => {
                let map = MapOp::builder()
                    .arrays(&self.arrays)
                    .results_types(&self.results)
                    .build(&mut b);
                (map.op(), vec![map.body(b.ir)])
            }
            Flavour::Reduce => {
                let redomap = RedomapOp::builder()
                    .arrays(&self.arrays)
                    .start(&self.neutral)
                    .results_types(&self.results)
                    .build(&mut b);
                (
                    redomap.op(),
                    vec![redomap.body(b.ir), redomap.combine(b.ir)],
                )
            }
            Flavour::Scan { exclusive } => {
                let unit = exclusive.then(|| b.ctx().unit());
                let scan = ScanomapOp::builder()
                    .exclusive(unit)
                    .arrays(&self.arrays)
                    .start(&self.neutral)
                    .results_types(&self.results)
                    .build(&mut b);
                (scan.op(), vec![scan.body(b.ir), scan.combine(b.ir)])
            }
            Flavour::Scatter => {
                let scatter = ScatterOp::builder()
                    .arrays(&self.arrays)
                    .destinations(&self.destinations)
                    .results_types(&self.results)
                    .build(&mut b);
                (scatter.op(), vec![scatter.body(b.ir)])
            }
            Flavour::Hist => {
                let (arrays, bins) = (&self.arrays, &self.destinations);
                let hist = HistOp::builder()
                    .arrays(arrays)
                    .destinations(bins)
                    .neutral(&self.neutral)
                    .results_types(&self.results)
                    .build(&mut b);
                (hist.op(), vec![hist.body(b.ir), hist.combine(b.ir)])
            }
        };
        for (region, block) in regions
            .into_iter()
            .zip([Some(self.body), self.combine].into_iter().flatten())
        {
            ir.append_block(region, block);
        }
        segra_array::start::write_neutral(ir, op);
        op
    }
}

/// Ends a block of a combinator.
pub(crate) fn end_block(ir: &mut Ir, block: Block, values: &[Value], loc: segra_ir::Loc) {
    YieldOp::build(&mut Builder::at_end(ir, block, loc), values);
}
