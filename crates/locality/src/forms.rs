//! Closed forms: the cache that an order of tasks needs, and the lines it fetches with that much and with less.
//!
//! Source: column-based iteration thesis, chapters 3 and 4, equations 3.2 to 3.10 and 4.8, and sections 2.1.2 and 2.4.1.
//! Tasks run one after the other on one cache. Sizes are in elements, `L` is the number of elements of a line.
//!
//! | | needs lines | fetches, where it has them | and where not |
//! |---|---|---|---|
//! | stencil, linear | ceil((Iw+Sw)/L) Sh (3.2) | ceil((Iw+Sw)/L) Ih | the same times Sh |
//! | stencil, tiles w by h | ceil((w+Sw)/L) Sh (3.3) | ceil(Iw/w) ceil((w+Sw)/L) ceil(Ih/h) (h+Sh) (3.5) | Sh of each row of a tile |
//! | stencil, columns of c | ceil((c+Sw)/L) (Sh + ceil(t/c)) | ceil(Iw/c) ceil((c+Sw)/L) (Ih+Sh) (4.8) | Sh of each row of a column |
//! | product, columns of c | ceil(D/L) + D ceil(c/L) | ceil(Iw/c) (ceil(D/L) Ih + D ceil(c/L)) | each row of a column anew |
//!
//! Corrected: 3.4 solves for the width of a tile and ends in a `[TODO]`: [`Stencil::widest_tile`] is `L M / Sh - Sw` in whole
//! elements. `u` stands for bytes of an element and `M` for bytes in 4.3 and 4.4, where 4.8 counts lines: all is lines or
//! elements here. In 4.4, `c = M / (u h)` means the inner dimension D by `h`. In 3.6 to 3.10 the sizes of A and B are exchanged: A
//! is Ih by D, B is D by Iw; a row of A and a column of B have to stay for (3.7), a row of A and all of B for (3.10). And (3.7)
//! counts a column of B for each of the L neighbours that share its lines: `D Iw Ih`, where the next line is needed every L
//! tasks only: `D ceil(Iw/L) Ih`, which simulations give. The linear order is one column as wide as the product.
//! All bounds of stencils are a little generous, as a row has Sw - 1 elements more than tasks, and edges have fewer. Where the
//! cache does not hold the neighbourhood of one task, neighbours do not even share lines, and the thesis' worst case is not the
//! worst: every task then fetches its neighbourhood. (3.9) and 4.4 count one row of A; a cache that replaces the least recently
//! used line needs two, as the next row would take the place of the part of B that is needed next ([`Cost::fits`] asks for
//! both). The last column of a product may be narrower and fetches less of B.

use crate::cache::{Cache, CacheShape};

/// A cache as closed forms see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    /// Lines it holds.
    pub held: u64,
    /// Elements of a line; at least 1.
    pub elements: u64,
}

/// The order of tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Rows one after the other.
    Linear,
    /// Tiles row by row, rows in each.
    Tiled {
        /// Elements across.
        width: u64,
        /// Elements down.
        height: u64,
    },
    /// Columns one after the other, rows in each; in a zigzag or not.
    Column {
        /// Elements across.
        width: u64,
    },
}

/// The cost of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Cost {
    /// Lines that must stay in the cache.
    pub working_set: u64,
    /// Whether it has as many.
    pub fits: bool,
    /// Lines fetched.
    pub fetches: u64,
}

impl Cost {
    fn of(lines: Lines, working_set: u64, fetches: u64, otherwise: u64) -> Cost {
        let fits = working_set <= lines.held;
        Cost {
            working_set,
            fits,
            fetches: if fits { fetches } else { otherwise },
        }
    }
}

/// A stencil: each task reads its neighbourhood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Stencil {
    /// Tasks of a row.
    pub width: u64,
    /// Rows; of more dimensions, the product of all but the innermost.
    pub height: u64,
    /// Elements of a neighbourhood across.
    pub across: u64,
    /// Elements down.
    pub down: u64,
    /// Arrays that are read in that way.
    pub inputs: u64,
}

impl Stencil {
    /// The cost of an order where `threads` tasks are in progress at once (1 in the thesis' analysis of one thread).
    pub fn cost(&self, lines: Lines, order: Order, threads: u64) -> Cost {
        let Stencil {
            width,
            height,
            across,
            down,
            inputs,
        } = *self;
        let row = |tasks: u64| (tasks + across).div_ceil(lines.elements.max(1)) * inputs;
        let cost = match order {
            Order::Linear => {
                let row = row(width);
                Cost::of(lines, row * down, row * height, row * height * down)
            }
            Order::Tiled {
                width: w,
                height: h,
            } => {
                let (w, h) = (w.clamp(1, width.max(1)), h.clamp(1, height.max(1)));
                let (row, beside) = (row(w), width.div_ceil(w));
                let below = height.div_ceil(h);
                Cost::of(
                    lines,
                    row * down,
                    beside * row * below * (h + down),
                    beside * row * height * down,
                )
            }
            Order::Column { width: c } => {
                let c = c.clamp(1, width.max(1));
                let (row, beside) = (row(c), width.div_ceil(c));
                let more = if threads > 1 { threads.div_ceil(c) } else { 0 };
                Cost::of(
                    lines,
                    row * (down + more),
                    beside * row * (height + down),
                    beside * row * height * down,
                )
            }
        };
        // Wherever its rows begin in lines.
        let most = (across.max(1) - 1).div_ceil(lines.elements.max(1)) + 1;
        let neighbourhood = most * down * inputs;
        if neighbourhood > lines.held {
            let fetches = width * height * neighbourhood;
            return Cost { fetches, ..cost };
        }
        cost
    }

    /// The widest tile whose neighbourhood's rows fit (3.4); 0 where none does.
    pub fn widest_tile(&self, lines: Lines) -> u64 {
        (lines.elements * lines.held / self.down.max(1)).saturating_sub(self.across)
    }

    /// The widest column that fits with so many tasks in progress, by the asymptote of 4.3; 0 where none does.
    pub fn widest_column(&self, lines: Lines, threads: u64) -> u64 {
        let elements = lines.held * lines.elements / self.inputs.max(1);
        elements.saturating_sub(self.down * self.across + threads) / self.down.max(1)
    }

    /// Lines that a warp of 32 tasks uses (3.3.1), all in one row or in two.
    pub fn warp_lines(&self, elements: u64, rows: WarpRows) -> u64 {
        let across = match rows {
            WarpRows::One => self.across,
            WarpRows::Two => 2 * self.across,
        };
        (32 + across).div_ceil(elements.max(1)) * self.down
    }
}

/// Rows that the tasks of a warp lie in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarpRows {
    /// One.
    One,
    /// Two.
    Two,
}

/// A matrix product, height by depth with depth by width; each task makes one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Product {
    /// Columns of the result.
    pub width: u64,
    /// Rows of the result.
    pub height: u64,
    /// Products of each sum.
    pub depth: u64,
}

impl Product {
    /// The cost of an order. Tiles are columns of so many rows.
    pub fn cost(&self, lines: Lines, order: Order) -> Cost {
        let Product {
            width,
            height,
            depth,
        } = *self;
        let (c, h) = match order {
            Order::Linear => (width, height),
            Order::Column { width: c } => (c, height),
            Order::Tiled {
                width: c,
                height: h,
            } => (c, h),
        };
        let (c, h) = (c.clamp(1, width.max(1)), h.clamp(1, height.max(1)));
        let row_of_a = depth.div_ceil(lines.elements.max(1));
        let part_of_b = |width: u64| depth * width.div_ceil(lines.elements.max(1));
        let (beside, below) = (width.div_ceil(c), height.div_ceil(h));
        let all_of_b = width / c * part_of_b(c) + part_of_b(width % c);
        let working_set = row_of_a + part_of_b(c);
        let fits = working_set + row_of_a <= lines.held;
        let times = if fits { below } else { height };
        let cost = Cost {
            working_set,
            fits,
            fetches: beside * height * row_of_a + times * all_of_b,
        };
        // Not even a row of A and the lines of one column of B: every task fetches both (3.8).
        if row_of_a + depth > lines.held {
            let fetches = width * height * (row_of_a + depth);
            return Cost { fetches, ..cost };
        }
        cost
    }

    /// The widest column whose part of B fits, by the asymptote of 4.4.
    pub fn widest_column(&self, lines: Lines) -> u64 {
        lines.held * lines.elements / self.depth.max(1)
    }
}

/// Misses of a variable by Lam's model (2.1.2): of `references`, each element used `reuse` times, where an element that is used
/// again has been displaced with probability `displaced`.
pub fn misses(references: f64, reuse: f64, displaced: f64) -> f64 {
    references * (1.0 / reuse + (reuse - 1.0) / reuse * displaced)
}

/// The probability that an element has been displaced before it is used again: by its own variable with probability `itself`, by
/// others, of which each takes a share of the cache. (The thesis' formula lacks the minus behind the 1.)
pub fn displaced(itself: f64, others: &[f64]) -> f64 {
    let stays = others.iter().map(|share| 1.0 - share).product::<f64>();
    1.0 - (1.0 - itself) * stays
}

/// Side of the tile that Lam proposes for products, where a cache holds so many elements.
pub fn lam_tile(elements: u64) -> u64 {
    (elements / 2).isqrt()
}

/// Lam's critical blocking factor: the side of the largest square block of a matrix, with rows of so many elements of so many
/// bytes, that can lie in a cache without displacing part of itself.
pub fn critical_block(shape: CacheShape, row_elements: u64, element_bytes: u32) -> u64 {
    let cache = Cache::new(shape);
    let line = u64::from(shape.line_bytes.max(1));
    let bytes = u64::from(element_bytes.max(1));
    let fits = |side: u64| {
        let mut used = rustc_hash::FxHashMap::<u64, u32>::default();
        let rows = (0..side).map(|row| row * row_elements * bytes);
        let mut lines: Vec<u64> = rows
            .flat_map(|start| start / line..=(start + side * bytes - 1) / line)
            .collect();
        lines.dedup();
        lines.into_iter().all(|number| {
            let ways = used.entry(cache.set_of(number * line)).or_default();
            *ways += 1;
            *ways <= shape.ways.max(1)
        })
    };
    (1..=row_elements)
        .take_while(|&side| fits(side))
        .last()
        .unwrap_or(0)
}
