//! Maps that become part of the kernel whose results they read, by a later pass (`rows-in-blocks`): of what rows have been
//! reduced to, and of what the parts of tiles are combined to. The times of combinations take it into account
//! ([`combine`](super::combine)). Maps of tiles' results run where the kernel's versions do ([`Group::followers`]).
//!
//! Legality: a map over the rows that reads their results at its own one, and no results of the kernel elsewhere; what else it needs
//! does not need the kernel.
//!
//! [`Group::followers`]: super::group::Group::followers

use crate::traverse::cost::{Elements, Work};
use crate::traverse::figures::{Alone, Figures};
use crate::traverse::member::Kind;
use crate::traverse::search::{Exploration, Fusion, Kernel, Priced, bits, of_bits};
use rustc_hash::{FxHashMap, FxHashSet};
use segra_ir::Value;
use segra_kernel::segop::SegmentedOp;

/// A kernel that maps become part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Rows {
    /// Its nests, as bits.
    pub(super) nests: u64,
    /// Of tiles: what they combine that is mapped.
    pub(super) of_tiles: Option<Kind>,
}

/// The gain where a map becomes part of a kernel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Join {
    /// Microseconds.
    pub(super) time: f64,
    pub(super) bytes: f64,
}

/// The gains of a map, by the kernel.
pub(super) type Joins = FxHashMap<Rows, Join>;

impl Exploration {
    /// The gain where a kernel's map becomes part of one that reduces rows, or tiles, if it does.
    pub(super) fn join(&self, (rows, map): (usize, usize)) -> Option<Join> {
        let rows = self.joined((rows, map))?;
        self.kernels[map].joins.get(&rows).copied()
    }

    /// The kind of results of tiles that a kernel maps where their parts are combined.
    pub(super) fn mapped(&self, pair: (usize, usize)) -> Option<Kind> {
        self.joined(pair)?.of_tiles
    }

    /// The kernel that a map becomes part of.
    fn joined(&self, (rows, map): (usize, usize)) -> Option<Rows> {
        let (rows, joins) = (&self.kernels[rows], &self.kernels[map].joins);
        let known = |of_tiles: Option<Kind>| {
            let nests = rows.mask();
            let rows = Rows { nests, of_tiles };
            joins.contains_key(&rows).then_some(rows)
        };
        match rows.tile {
            None => known(None),
            Some(_) => rows.in_blocks.iter().find_map(|&kind| known(Some(kind))),
        }
    }
}

/// A kernel that maps may become part of: its results, and the extents of the arrays that they are.
struct Source {
    rows: Rows,
    results: Vec<Value>,
    extents: Vec<f64>,
    /// Other nests that a map of them may need, as bits.
    before: u64,
    /// The kernel with the rows' results at hand; none of tiles, whose parts a kernel of its own combines.
    kernel: Option<Kernel>,
}

impl Priced<'_> {
    /// Finds the maps of other kernels' results.
    pub(super) fn find_joins(&self, found: &mut Exploration, figures: &Figures) {
        let needs: Vec<u64> = found.nests.iter().map(|nest| bits(&nest.needs)).collect();
        let mut sources: Vec<Source> = Vec::new();
        for rows in &found.kernels {
            if self.is_of_kind(rows, Alone::Rows) {
                sources.extend(self.of_rows(rows));
            }
        }
        let tiled = found.kernels.iter().filter(|one| !one.in_blocks.is_empty());
        let tiled: FxHashSet<u64> = tiled.map(Kernel::mask).collect();
        for fusion in &self.search.fusions {
            let nests = bits(&fusion.nests);
            if tiled.contains(&nests) {
                let before = !dependents(&needs, nests);
                let kinds = [Kind::Columns, Kind::Rows].into_iter();
                let of_kinds = kinds.filter_map(|kind| self.of_tiles(fusion, kind, before));
                sources.extend(of_kinds);
            }
        }
        for map in &mut found.kernels {
            if !self.is_of_kind(map, Alone::Map) {
                continue;
            }
            let of_map = of_bits(map.mask()).fold(0, |all, nest| all | needs[nest]);
            let ready = sources.iter().filter(|source| {
                let others = of_map & !source.rows.nests;
                of_map & source.rows.nests != 0 && others & !source.before == 0
            });
            let joins =
                ready.filter_map(|source| Some((source.rows, self.gain(source, map, figures)?)));
            map.joins = joins.collect();
        }
    }

    fn of_rows(&self, rows: &Kernel) -> Option<Source> {
        let nests = rows.nests();
        let mut extents = self.extents_of(*nests.first()?);
        let length = extents.pop()?;
        if !segra_kernel::rows::pay(length, extents.iter().product()) {
            return None;
        }
        let writes = nests.iter().flat_map(|&nest| &self.works[nest].writes);
        Some(Source {
            rows: Rows {
                nests: rows.mask(),
                of_tiles: None,
            },
            results: writes.map(|row| row.0).collect(),
            extents,
            before: (1 << rows.mask().trailing_zeros()) - 1,
            kernel: Some(rows.clone()),
        })
    }

    /// The results of tiles for rows, or for columns.
    fn of_tiles(&self, fusion: &Fusion, kind: Kind, before: u64) -> Option<Source> {
        let group = &fusion.group;
        let space = &group.members.first()?.space;
        let results = group.of_kind(kind).flat_map(|member| {
            let results = self.ir.results(member.op);
            results.take(member.neutral.len())
        });
        let results: Vec<Value> = results.collect();
        let last = match kind {
            Kind::Rows => space.rows?,
            _ => space.columns,
        };
        let sizes = space.outer.iter().chain([&last]);
        let extents = sizes.map(|&size| self.sizes.value(self.ir, size)).collect();
        (!results.is_empty()).then_some(Source {
            rows: Rows {
                nests: bits(&fusion.nests),
                of_tiles: Some(kind),
            },
            results,
            extents,
            before,
            kernel: None,
        })
    }

    fn extents_of(&self, nest: usize) -> Vec<f64> {
        let op = self.search.sequence.items[self.search.items[nest]].op;
        let model = self.ir.interface::<dyn SegmentedOp>(op);
        let sizes = model
            .map(|model| model.sizes(self.ir, op))
            .unwrap_or_default();
        let sizes = sizes.into_iter();
        sizes.map(|size| self.sizes.value(self.ir, size)).collect()
    }

    /// The gain where `map` becomes part of a kernel; none where it does not.
    fn gain(&self, source: &Source, map: &Kernel, figures: &Figures) -> Option<Join> {
        let (nests, of_map) = (source.rows.nests, map.nests());
        // Several maps as one nest are a kernel of their own beside tiles.
        if source.kernel.is_none() && of_map.len() > 1 {
            return None;
        }
        if nests & map.mask() != 0
            || of_map
                .iter()
                .any(|&nest| self.extents_of(nest) != source.extents)
        {
            return None;
        }
        let made = |row: &&(Elements, f64)| {
            let value = row.0.0;
            let mut writes = of_bits(nests).flat_map(|nest| &self.works[nest].writes);
            writes.any(|write| write.0 == value)
        };
        let reads = of_map.iter().flat_map(|&nest| &self.works[nest].reads);
        let mut reads = reads.filter(made).peekable();
        reads.peek()?;
        let at_own_row = |((value, numbers), _): &(Elements, f64)| {
            source.results.contains(value)
                && numbers.len() == source.extents.len()
                && numbers.iter().all(Option::is_some)
        };
        if !reads.all(at_own_row) {
            return None;
        }
        let own: Vec<usize> = of_bits(nests).collect();
        let all = [&own[..], &of_map].concat();
        let bytes = self.bytes(&own) + map.bytes - self.bytes(&all);
        let time = match &source.kernel {
            Some(rows) => {
                let works: Vec<&Work> = own.iter().map(|&nest| &self.works[nest]).collect();
                let whole = self.untiled(&all, &Work::together(&works)?, figures);
                // A thread block maps a row's result when it has it.
                rows.time + map.time - (whole.time + map.parts.computation)
            }
            None => map.launches * figures.launch,
        };
        Some(Join {
            time: time.max(0.0),
            bytes,
        })
    }
}

/// The nests that need, directly or not, one of some; `needs` has those that each needs.
fn dependents(needs: &[u64], of: u64) -> u64 {
    let mut found = 0;
    for (nest, needed) in needs.iter().enumerate() {
        if needed & (of | found) != 0 && of >> nest & 1 == 0 {
            found |= 1 << nest;
        }
    }
    found
}
