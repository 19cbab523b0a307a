//! The greedy driver: folding, constants, dead code, order of patterns, limits, size. The walk driver: once and no more.

mod support;

use segra_ir::interfaces::Rewriter;
use segra_ir::*;
use segra_pass::rewrite::{
    GreedyConfig, GreedyOutcome, Limit, Order, Pattern, PatternSet, WalkOrder, greedy,
    walk_and_rewrite,
};
use std::sync::{Arc, Mutex};
use support::*;

fn run(ir: &mut Ir) -> GreedyOutcome {
    let root = ir.root();
    greedy(ir, root, &PatternSet::new(), &GreedyConfig::default())
}

fn used_constant(ir: &Ir, block: Block) -> Option<i64> {
    let last = ir.last_op(block)?;
    interfaces::constant_of(ir, ir.operand(last, 0))?.as_i64(ir.ctx())
}

#[test]
fn constants_fold_through_chains_and_what_is_unused_goes() {
    let (mut ir, blocks) = program(&["f"]);
    let mut b = Builder::at_end(&mut ir, blocks[0], Loc::UNKNOWN);
    let mut sum = constant(&mut b, 0);
    for value in 1..=100 {
        let next = constant(&mut b, value);
        sum = AddOp::build(&mut b, next, sum).result(b.ir);
    }
    UseOp::build(&mut b, &[sum]);
    let done = run(&mut ir);
    assert_eq!(names(&ir, blocks[0]), ["t.const", "t.use"]);
    assert_eq!(used_constant(&ir, blocks[0]), Some(5050));
    assert_eq!(done.folded, 100);
    assert_eq!(done.stopped_by, None);
    assert_eq!(
        run(&mut ir),
        GreedyOutcome {
            rounds: 1,
            ..GreedyOutcome::default()
        }
    );
}

#[test]
fn equal_constants_become_one_at_the_start_and_operands_of_commutative_ops_are_sorted() {
    let (mut ir, blocks) = program(&["f", "g"]);
    for &block in &blocks {
        let x = ir.add_block_arg(block, ir.ctx().i32(), Loc::UNKNOWN);
        let mut b = Builder::at_end(&mut ir, block, Loc::UNKNOWN);
        for _ in 0..3 {
            let seven = constant(&mut b, 7);
            let sum = AddOp::build(&mut b, seven, x).result(b.ir);
            UseOp::build(&mut b, &[sum]);
        }
    }
    run(&mut ir);
    for &block in &blocks {
        assert_eq!(
            names(&ir, block),
            [
                "t.const", "t.add", "t.use", "t.add", "t.use", "t.add", "t.use"
            ],
            "functions are isolated: each keeps a constant of its own"
        );
        let add = ir.ops(block).nth(1).expect("the block has an op");
        assert_eq!(ir.operand(add, 0), ir.block_args(block)[0]);
    }
}

#[test]
fn constants_keep_their_places_in_both_orders() {
    for order in [Order::TopDown, Order::BottomUp] {
        let (mut ir, blocks) = program(&["f"]);
        let x = ir.add_block_arg(blocks[0], ir.ctx().i32(), Loc::UNKNOWN);
        let mut b = Builder::at_end(&mut ir, blocks[0], Loc::UNKNOWN);
        for value in [7, 8, 9] {
            let seven = constant(&mut b, value);
            let sum = AddOp::build(&mut b, seven, x).result(b.ir);
            UseOp::build(&mut b, &[sum]);
        }
        let config = GreedyConfig {
            order,
            ..GreedyConfig::default()
        };
        let root = ir.root();
        let first = greedy(&mut ir, root, &PatternSet::new(), &config);
        assert_eq!((first.rounds, first.stopped_by), (2, None), "{order:?}");
        let again = GreedyOutcome {
            rounds: 1,
            ..GreedyOutcome::default()
        };
        let second = greedy(&mut ir, root, &PatternSet::new(), &config);
        assert_eq!(second, again, "{order:?}");
    }
}

#[test]
fn rewriting_that_never_ends_is_ended_with_a_reason() {
    let (mut ir, blocks) = program(&["f"]);
    PingOp::build(&mut Builder::at_end(&mut ir, blocks[0], Loc::UNKNOWN));
    let done = run(&mut ir);
    let Some(Limit::Rewrites(count, last)) = &done.stopped_by else {
        panic!("{done:?}")
    };
    assert!(
        *count > 10_000 && last.starts_with("canonicalization of `t.p"),
        "{done:?}"
    );
    assert!(
        done.limit_message()
            .expect("it was stopped")
            .contains("limit")
    );
    assert_eq!(names(&ir, blocks[0]).len(), 1);
}

#[test]
fn unreachable_blocks_go_even_where_they_use_one_another() {
    let (mut ir, blocks) = program(&["f"]);
    let region = ir
        .block_region(blocks[0])
        .expect("the block is in a function");
    let (exit, dead) = (ir.add_block(region, &[]), ir.add_block(region, &[]));
    let dead_too = ir.add_block(region, &[]);
    let ctx = ir.context();
    BrOp::build(&mut Builder::at_end(&mut ir, blocks[0], Loc::UNKNOWN), exit);
    let mut b = Builder::at_end(&mut ir, dead, Loc::UNKNOWN);
    let one = ConstOp::build(&mut b, ctx.i32_attr(1), ctx.i32()).result(b.ir);
    BrOp::build(&mut b, dead_too);
    let mut b = Builder::at_end(&mut ir, dead_too, Loc::UNKNOWN);
    UseOp::build(&mut b, &[one]);
    BrOp::build(&mut b, dead);
    let done = run(&mut ir);
    assert_eq!(done.regions.unreachable, 2);
    assert_eq!(ir.blocks(region).collect::<Vec<_>>(), [blocks[0], exit]);
}

struct Tagged {
    name: &'static str,
    root: Option<&'static str>,
    benefit: u16,
}

impl Pattern for Tagged {
    fn name(&self) -> &str {
        self.name
    }
    fn root(&self) -> Option<&str> {
        self.root
    }
    fn benefit(&self) -> u16 {
        self.benefit
    }
    fn rewrite(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        if rewriter.ir().attr_named(op, "by").is_some() || !rewriter.ir().isa::<UseOp>(op) {
            return false;
        }
        let by = rewriter.ir().ctx().str_attr(self.name);
        rewriter.modify(op, &mut |ir| ir.set_attr_named(op, "by", Some(by)));
        true
    }
}

#[test]
fn the_pattern_with_the_most_benefit_comes_first() {
    let (mut ir, blocks) = program(&["f"]);
    let ctx = ir.context();
    let tag = |patterns: &[Tagged]| {
        let mut set = PatternSet::new();
        for pattern in patterns {
            set.add(&ctx, Tagged { ..*pattern });
        }
        set
    };
    let low = Tagged {
        name: "low",
        root: Some("t.use"),
        benefit: 1,
    };
    let high = Tagged {
        name: "high",
        root: None,
        benefit: 5,
    };
    let first = Tagged {
        name: "first",
        root: Some("t.use"),
        benefit: 5,
    };
    for (set, winner) in [
        (tag(&[low, high]), "high"),
        (
            tag(&[
                Tagged {
                    name: "high",
                    root: None,
                    benefit: 5,
                },
                first,
            ]),
            "first",
        ),
    ] {
        let mut b = Builder::at_end(&mut ir, blocks[0], Loc::UNKNOWN);
        let op = UseOp::build(&mut b, &[]).op();
        let root = ir.root();
        greedy(
            &mut ir,
            root,
            &set,
            &GreedyConfig {
                order: Order::BottomUp,
                ..GreedyConfig::default()
            },
        );
        let by = ir.attr_named(op, "by").expect("a pattern matched");
        assert_eq!(by.as_str(&ctx), Some(winner));
    }
}

/// The time per op must not grow with the number of ops.
#[test]
fn a_block_of_many_ops_takes_linear_time() {
    let time = |count: i32| {
        let (mut ir, blocks) = program(&["f"]);
        let x = ir.add_block_arg(blocks[0], ir.ctx().i32(), Loc::UNKNOWN);
        let mut b = Builder::at_end(&mut ir, blocks[0], Loc::UNKNOWN);
        for value in 0..count {
            // A new constant, a fold to a new constant, a value that stays.
            let (one, two) = (
                constant(&mut b, 2 * value + 1),
                constant(&mut b, 1_000_000 + value),
            );
            let sum = AddOp::build(&mut b, one, two).result(b.ir);
            let sum = AddOp::build(&mut b, sum, x).result(b.ir);
            UseOp::build(&mut b, &[sum]);
        }
        let start = std::time::Instant::now();
        let done = run(&mut ir);
        assert_eq!(done.folded, count as u64);
        start.elapsed()
    };
    // The best of several: other programs run on this machine too. Quadratic time would show as a factor of 256.
    let best = |count: i32| (0..3).map(|_| time(count)).min().expect("three runs");
    let (small, large) = (best(2_000), best(32_000));
    assert!(
        large < small * 16 * 8,
        "2,000: {small:?}, 32,000: {large:?}"
    );
}

/// Makes `t.pong` of `t.ping`; what it made is not looked at again.
struct PingToPong;

impl Pattern for PingToPong {
    fn name(&self) -> &'static str {
        "ping-to-pong"
    }
    fn root(&self) -> Option<&str> {
        Some("t.ping")
    }
    fn rewrite(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        rewriter.replace_with(op, |b| {
            PongOp::build(b);
            []
        });
        true
    }
}

/// Makes `t.ping` of `t.pong`.
struct PongToPing;

impl Pattern for PongToPing {
    fn name(&self) -> &'static str {
        "pong-to-ping"
    }
    fn root(&self) -> Option<&str> {
        Some("t.pong")
    }
    fn rewrite(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        rewriter.replace_with(op, |b| {
            PingOp::build(b);
            []
        });
        true
    }
}

#[test]
fn the_walk_driver_looks_at_every_op_once_and_not_at_what_it_made() {
    for order in [WalkOrder::PreOrder, WalkOrder::PostOrder] {
        let (mut ir, blocks) = program(&["f", "g"]);
        for &block in &blocks {
            let mut b = Builder::at_end(&mut ir, block, Loc::UNKNOWN);
            PingOp::build(&mut b);
            PongOp::build(&mut b);
            let zero = constant(&mut b, 0);
            let sum = AddOp::build(&mut b, zero, zero).result(b.ir);
            UseOp::build(&mut b, &[sum]);
        }
        let ctx = ir.context();
        let mut patterns = PatternSet::new();
        patterns.add(&ctx, PingToPong).add(&ctx, PongToPing);
        let root = ir.root();
        assert_eq!(
            walk_and_rewrite(&mut ir, root, &patterns, order),
            4,
            "two in each function, once"
        );
        for &block in &blocks {
            // Nothing is folded, and nothing is erased that no pattern erases.
            assert_eq!(
                names(&ir, block),
                ["t.pong", "t.ping", "t.const", "t.add", "t.use"]
            );
        }
        assert_eq!(
            walk_and_rewrite(&mut ir, root, &PatternSet::new(), order),
            0
        );
    }
}

/// Erases the op before `t.use`, inside whatever it stands.
struct EraseNext;

impl Pattern for EraseNext {
    fn name(&self) -> &'static str {
        "erase-next"
    }
    fn root(&self) -> Option<&str> {
        Some("t.ping")
    }
    fn rewrite(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        match rewriter.ir().next_op(op) {
            Some(next) => {
                rewriter.erase_op(next);
                true
            }
            None => false,
        }
    }
}

#[test]
fn the_walk_driver_passes_over_ops_that_went() {
    let (mut ir, blocks) = program(&["f"]);
    let mut b = Builder::at_end(&mut ir, blocks[0], Loc::UNKNOWN);
    for _ in 0..4 {
        PingOp::build(&mut b);
    }
    let ctx = ir.context();
    let mut patterns = PatternSet::new();
    patterns.add(&ctx, EraseNext);
    let root = ir.root();
    // The first erases the second, which is not looked at any more; the third the fourth.
    assert_eq!(
        walk_and_rewrite(&mut ir, root, &patterns, WalkOrder::PreOrder),
        2
    );
    assert_eq!(names(&ir, blocks[0]), ["t.ping", "t.ping"]);
}

/// Remembers the names of ops it is tried on.
struct Remembers(Arc<Mutex<Vec<String>>>);

impl Pattern for Remembers {
    fn name(&self) -> &'static str {
        "remembers"
    }
    fn root(&self) -> Option<&str> {
        None
    }
    fn rewrite(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let name = rewriter.ir().op_name_str(op).to_owned();
        self.0.lock().expect("nobody panicked").push(name);
        false
    }
}

#[test]
fn the_walk_driver_goes_in_the_order_it_is_told_and_not_to_its_root() {
    for (order, wanted) in [
        (
            WalkOrder::PreOrder,
            ["t.func", "t.ping", "t.use", "t.func", "t.pong"],
        ),
        (
            WalkOrder::PostOrder,
            ["t.ping", "t.use", "t.func", "t.pong", "t.func"],
        ),
    ] {
        let (mut ir, blocks) = program(&["f", "g"]);
        let mut b = Builder::at_end(&mut ir, blocks[0], Loc::UNKNOWN);
        PingOp::build(&mut b);
        UseOp::build(&mut b, &[]);
        PongOp::build(&mut Builder::at_end(&mut ir, blocks[1], Loc::UNKNOWN));
        let seen = Arc::new(Mutex::new(Vec::new()));
        let mut patterns = PatternSet::new();
        patterns.add(&ir.context(), Remembers(seen.clone()));
        let root = ir.root();
        assert_eq!(
            walk_and_rewrite(&mut ir, root, &patterns, order),
            0,
            "a pattern that declines is no rewrite"
        );
        assert_eq!(*seen.lock().expect("nobody panicked"), wanted);
        // A root that stands in a block itself is passed over no less.
        seen.lock().expect("nobody panicked").clear();
        let function = ir
            .parent_op(ir.first_op(blocks[0]).expect("it has ops"))
            .expect("it is in a function");
        walk_and_rewrite(&mut ir, function, &patterns, order);
        assert_eq!(*seen.lock().expect("nobody panicked"), ["t.ping", "t.use"]);
    }
}

/// Erases the op after a `t.ping` and makes a `t.pong`, which may get its number: one of the two behind the driver's
/// back.
struct MakesInPlace {
    erases_openly: bool,
}

impl Pattern for MakesInPlace {
    fn name(&self) -> &'static str {
        "makes-in-place"
    }
    fn root(&self) -> Option<&str> {
        Some("t.ping")
    }
    fn rewrite(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let Some(next) = rewriter.ir().next_op(op) else {
            return false;
        };
        if self.erases_openly {
            rewriter.erase_op(next);
            rewriter.modify(op, &mut |ir| {
                PongOp::build(&mut Builder::before(ir, op));
            });
        } else {
            rewriter.modify(op, &mut |ir| ir.erase_op(next));
            rewriter.build(op, |b| PongOp::build(b).op());
        }
        true
    }
}

#[test]
fn the_walk_driver_passes_over_what_was_made_in_the_place_of_an_op_that_went() {
    for erases_openly in [true, false] {
        let (mut ir, blocks) = program(&["f"]);
        let mut b = Builder::at_end(&mut ir, blocks[0], Loc::UNKNOWN);
        PingOp::build(&mut b);
        PongOp::build(&mut b);
        let ctx = ir.context();
        let mut patterns = PatternSet::new();
        patterns
            .add(&ctx, MakesInPlace { erases_openly })
            .add(&ctx, PongToPing);
        let root = ir.root();
        assert_eq!(
            walk_and_rewrite(&mut ir, root, &patterns, WalkOrder::PreOrder),
            1
        );
        assert_eq!(names(&ir, blocks[0]), ["t.pong", "t.ping"]);
    }
}
