//! The storage, the op macro and the builder, on a dialect of this test's own.

use segra_ir::constraint::*;
use segra_ir::interfaces::{Fold, FoldResult, is_pure};
use segra_ir::*;
use std::sync::Arc;

/// A number.
#[op(
    "t.const",
    traits(Pure, ConstantLike),
    format = "$value attr-dict `:` type($result)"
)]
pub struct ConstOp {
    value: Attr<AnyAttr>,
    result: OpResult<AnyInteger>,
}

/// A sum.
#[op(
    "t.add",
    traits(Pure, Commutative, SameOperandsAndResultType),
    interfaces(Fold)
)]
pub struct AddOp {
    lhs: Operand<AnyInteger>,
    rhs: Operand<AnyInteger>,
    result: OpResult<AnyInteger>,
}

impl Fold for AddOp {
    fn fold(
        &self,
        ir: &Ir,
        op: Op,
        operands: &[Option<Attr>],
    ) -> Option<smallvec::SmallVec<[FoldResult; 1]>> {
        let ctx = ir.ctx();
        let sum = operands[0]?.as_integer(ctx)? + operands[1]?.as_integer(ctx)?;
        let ty = ir.value_type(AddOp::from_op(op).result(ir));
        Some(smallvec::smallvec![FoldResult::Attr(ctx.int_attr(sum, ty))])
    }
}

/// Two variadic groups and a region.
#[op("t.group")]
pub struct GroupOp {
    heads: VariadicOperand<AnyType>,
    mask: OptionalOperand<AnyInteger>,
    tails: VariadicOperand<AnyType>,
    body: BlockRegion,
    outs: VariadicResult<AnyType>,
}

fn setup() -> (Ir, Block) {
    let ctx = Arc::new(Context::new());
    ctx.register(Dialect {
        name: "t",
        ops: vec![ConstOp::DEF, AddOp::DEF, GroupOp::DEF],
        ..Dialect::default()
    });
    let mut ir = Ir::new(ctx.clone());
    let mut state = OpState::new(ctx.op_name("builtin.module"), Loc::UNKNOWN);
    state.regions = 1;
    let root = ir.create_op(state);
    ir.set_root(root);
    let region = ir.region(root, 0);
    let block = ir.add_block(region, &[]);
    (ir, block)
}

#[test]
fn uses_follow_replacements_and_erasure() {
    let (mut ir, block) = setup();
    let ctx = ir.context();
    let mut b = Builder::at_end(&mut ir, block, Loc::UNKNOWN);
    let one = ConstOp::build(&mut b, ctx.i32_attr(1), ctx.i32());
    let two = ConstOp::build(&mut b, ctx.i32_attr(2), ctx.i32());
    let (x, y) = (one.result(b.ir), two.result(b.ir));
    let sum = AddOp::build(&mut b, x, x);
    assert_eq!(b.ir.users(x).count(), 2);
    assert!(is_pure(b.ir, sum.op()));
    b.ir.replace_all_uses(x, y);
    assert!(!b.ir.has_uses(x));
    assert_eq!(sum.lhs(b.ir), y);
    assert_eq!(
        b.ir.uses(y)
            .map(|id| b.ir.use_index(id))
            .collect::<Vec<_>>()
            .len(),
        2
    );
    b.ir.erase_op(one.op());
    b.ir.erase_op(sum.op());
    assert!(!b.ir.has_uses(y));
    // Slots are reused: the next op takes the erased one's place.
    let again = ConstOp::build(&mut b, ctx.i32_attr(7), ctx.i32());
    assert_eq!(again.value(b.ir).as_integer(&ctx), Some(7));
    assert_eq!(ir.ops(block).count(), 2);
}

#[test]
fn segments_find_their_groups() {
    let (mut ir, block) = setup();
    let ctx = ir.context();
    let mut b = Builder::at_end(&mut ir, block, Loc::UNKNOWN);
    let v: Vec<Value> = (0..4)
        .map(|i| ConstOp::build(&mut b, ctx.i32_attr(i), ctx.i32()).result(b.ir))
        .collect();
    let group = GroupOp::builder()
        .heads(&v[..2])
        .tails(&v[2..])
        .outs_types(&[ctx.i32(), ctx.i64()])
        .build(&mut b);
    assert_eq!(group.heads(&ir), &v[..2]);
    assert_eq!(group.mask(&ir), None);
    assert_eq!(group.tails(&ir), &v[2..]);
    assert_eq!(group.outs(&ir).len(), 2);
}

#[test]
fn order_numbers_survive_many_insertions_at_one_place() {
    let (mut ir, block) = setup();
    let ctx = ir.context();
    let mut b = Builder::at_end(&mut ir, block, Loc::UNKNOWN);
    let last = ConstOp::build(&mut b, ctx.i32_attr(0), ctx.i32()).op();
    b.point = InsertPoint::Before(last);
    for i in 0..1000 {
        ConstOp::build(&mut b, ctx.i32_attr(i), ctx.i32());
    }
    let ops: Vec<Op> = ir.ops(block).collect();
    assert_eq!(ops.len(), 1001);
    assert!(ops.windows(2).all(|pair| ir.is_before(pair[0], pair[1])));
}

#[test]
fn order_numbers_stay_right_wherever_ops_are_inserted() {
    let (mut ir, block) = setup();
    let ctx = ir.context();
    let mut b = Builder::at_end(&mut ir, block, Loc::UNKNOWN);
    let mut ops = vec![ConstOp::build(&mut b, ctx.i32_attr(0), ctx.i32()).op()];
    // A fixed pseudo-random walk over places: far apart, close together, at both ends.
    let mut random = segra_random::SplitMix64::new(1);
    for round in 0..3000u64 {
        let at = match round / 500 % 3 {
            0 => random.below(ops.len() as u64) as usize,
            1 => ops.len() / 2,
            _ => 0,
        };
        b.point = InsertPoint::Before(ops[at]);
        ops.insert(at, ConstOp::build(&mut b, ctx.i32_attr(1), ctx.i32()).op());
    }
    assert_eq!(ir.ops(block).collect::<Vec<_>>(), ops);
    assert!(
        ops.windows(2)
            .all(|pair| ir.is_before(pair[0], pair[1]) && !ir.is_before(pair[1], pair[0]))
    );
}

#[test]
fn erasing_an_op_erases_what_is_inside_and_its_uses_outside() {
    let (mut ir, block) = setup();
    let ctx = ir.context();
    let mut b = Builder::at_end(&mut ir, block, Loc::UNKNOWN);
    let outer = ConstOp::build(&mut b, ctx.i32_attr(0), ctx.i32()).result(b.ir);
    let group = GroupOp::builder().build(&mut b);
    let body = group.body(b.ir);
    b.build_block(body, &[ctx.i32()], |b, args| {
        let inner = AddOp::build(b, outer, args[0]);
        AddOp::build(b, inner.result(b.ir), outer);
    });
    assert_eq!(b.ir.walk(group.op()).len(), 3);
    assert_eq!(b.ir.users(outer).count(), 2);
    b.ir.erase_op(group.op());
    assert!(!b.ir.has_uses(outer));
}

#[test]
fn clones_map_values_inside() {
    let (mut ir, block) = setup();
    let ctx = ir.context();
    let mut b = Builder::at_end(&mut ir, block, Loc::UNKNOWN);
    let outer = ConstOp::build(&mut b, ctx.i32_attr(0), ctx.i32()).result(b.ir);
    let other = ConstOp::build(&mut b, ctx.i32_attr(1), ctx.i32()).result(b.ir);
    let group = GroupOp::builder().heads(&[outer]).build(&mut b);
    let body = group.body(b.ir);
    b.build_block(body, &[ctx.i32()], |b, args| {
        let inner = AddOp::build(b, outer, args[0]);
        AddOp::build(b, inner.result(b.ir), outer);
    });
    let mut mapping = clone::Mapping::new();
    mapping.map(outer, other);
    let copy = b.clone_op(group.op(), &mut mapping);
    let copy = ir
        .cast::<GroupOp>(copy)
        .expect("a copy is the same kind of op");
    assert_eq!(copy.heads(&ir), [other]);
    let ops: Vec<Op> = ir.ops(copy.body_block(&ir)).collect();
    let adds: Vec<AddOp> = ops.iter().filter_map(|&op| ir.cast(op)).collect();
    assert_eq!(adds[0].lhs(&ir), other);
    assert_eq!(adds[1].lhs(&ir), adds[0].result(&ir));
    assert_eq!(ir.users(other).count(), 3);
}

#[test]
fn a_caller_is_named_once_however_often_it_was_inlined() {
    use segra_ir::diag::render::{Style, render};
    let ctx = Context::new();
    let file = ctx.ident("loop.mlir");
    let at = |line| {
        ctx.loc(LocKind::File {
            file,
            line,
            column: 1,
        })
    };
    // Two functions that call each other, three times over, called from line 9.
    let callers = [2, 6, 2, 6, 2, 9].into_iter().map(at);
    let call = |callee, caller| ctx.loc(LocKind::CallSite { callee, caller });
    let inlined = callers.fold(at(6), call);
    // Functions that are inlined into inlined ones: each caller is a location of its own.
    let callees = [2, 6, 2, 6, 2, 6].into_iter().map(at);
    let nested = callees.fold(at(9), |caller, callee| call(callee, caller));
    for loc in [inlined, nested] {
        let diagnostic = Diagnostic::new(Severity::Error, loc, "it recurses");
        let text = render(&ctx, &diagnostic, Style::Plain);
        let places: Vec<&str> = text.lines().filter(|line| line.contains("note")).collect();
        let wanted = [2, 6, 9].map(|line| format!("loop.mlir:{line}:1: note: called from here"));
        assert_eq!(places, wanted);
    }
}

#[test]
fn diagnostics_do_not_command_the_terminal() {
    use segra_ir::diag::render::{Style, render};
    const TITLE: &str = "\u{1b}]0;bad\u{7}\u{9b}31m\u{202e}";
    let ctx = Context::new();
    let text = format!("{TITLE} op {TITLE}\n");
    let file = ctx.add_source(&format!("a\nb\t{TITLE}.mlir"), Arc::new(text.clone()));
    let at = |column| {
        ctx.loc(LocKind::File {
            file,
            line: 1,
            column,
        })
    };
    let column = text.find("op").expect("it is there") as u32 + 1;
    let mut diagnostic = Diagnostic::new(Severity::Error, at(column), format!("{TITLE} is wrong"));
    diagnostic.note(at(1), format!("{TITLE} is near"));
    diagnostic.note(Loc::UNKNOWN, TITLE);
    diagnostic.op_text = Some(TITLE.to_owned());
    let shown = render(&ctx, &diagnostic, Style::Plain);
    let obeyed = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
    assert!(!shown.contains(obeyed), "{shown:?}");
    let places = shown
        .lines()
        .filter(|line| line.starts_with("a\\u{a}b\\u{9}\\u{1b}]0;bad"));
    assert_eq!(places.count(), 2, "{shown}");
    // The caret stands below the op.
    let line = shown
        .lines()
        .position(|line| line.contains(" op "))
        .expect("the line is shown");
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(
        lines[line].find(" op ").map(|at| at + 1),
        lines[line + 1].find("^^"),
        "{shown}"
    );
}
