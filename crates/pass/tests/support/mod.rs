//! A dialect of the tests' own, and passes that do as they are told.

#![allow(dead_code, unreachable_pub, reason = "each test file uses a part")]

use segra_ir::constraint::*;
use segra_ir::interfaces::{
    Canonicalize, Effect, EffectKind, Effects, Fold, FoldResult, Rewriter, SymbolOp,
};
use segra_ir::*;
use segra_pass::{
    Anchors, Outcome, Pass, PassContext, PassInfo, PassResult, option_enum, pass_options,
};
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

/// A module.
#[op("t.module", traits(SymbolTable, IsolatedFromAbove, NoTerminator))]
pub struct ModuleOp {
    body: BlockRegion,
}

/// A function.
#[op(
    "t.func",
    traits(Symbol, IsolatedFromAbove, NoTerminator),
    interfaces(SymbolOp)
)]
pub struct FuncOp {
    sym_name: Attr<StrAttr>,
    body: AnyRegion,
}

impl SymbolOp for FuncOp {
    fn is_private(&self, _: &Ir, _: Op) -> bool {
        false
    }
}

/// A number.
#[op("t.const", traits(Pure, ConstantLike))]
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
    ) -> Option<SmallVec<[FoldResult; 1]>> {
        let ctx = ir.ctx();
        let right = operands[1]?.as_integer(ctx)?;
        if right == 0 {
            return Some(smallvec![FoldResult::Value(ir.operand(op, 0))]);
        }
        let ty = ir.value_type(ir.result(op, 0));
        Some(smallvec![FoldResult::Attr(
            ctx.int_attr(operands[0]?.as_integer(ctx)? + right, ty)
        )])
    }
}

/// Something observable.
#[op("t.use", interfaces(Effects))]
pub struct UseOp {
    values: VariadicOperand<AnyType>,
}

impl Effects for UseOp {
    fn effects(&self, _: &Ir, _: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect {
            kind: EffectKind::Write,
            on: None,
        });
    }
}

/// Becomes `t.pong` when canonicalized.
#[op("t.ping", interfaces(Canonicalize))]
pub struct PingOp {}

/// Becomes `t.ping` when canonicalized.
#[op("t.pong", interfaces(Canonicalize))]
pub struct PongOp {}

impl Canonicalize for PingOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        rewriter.replace_with(op, |b| {
            PongOp::build(b);
            []
        });
        true
    }
}
impl Canonicalize for PongOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        rewriter.replace_with(op, |b| {
            PingOp::build(b);
            []
        });
        true
    }
}

/// Ends a block and goes on in another.
#[op("t.br", traits(Pure, Terminator))]
pub struct BrOp {
    to: Successor,
}

pub fn context() -> Arc<Context> {
    let ctx = Arc::new(Context::new());
    ctx.register(Dialect {
        name: "t",
        ops: vec![
            ModuleOp::DEF,
            FuncOp::DEF,
            ConstOp::DEF,
            AddOp::DEF,
            UseOp::DEF,
            PingOp::DEF,
            PongOp::DEF,
            BrOp::DEF,
        ],
        materialize_constant: Some(|b, attr, ty| Some(ConstOp::build(b, attr, ty).op())),
        ..Dialect::default()
    });
    ctx
}

/// A module with one function per name, each with an empty block.
pub fn program(names: &[&str]) -> (Ir, Vec<Block>) {
    let ctx = context();
    let mut ir = Ir::new(ctx.clone());
    let mut state = OpState::new(ctx.op_name("t.module"), Loc::UNKNOWN);
    state.regions = 1;
    let root = ir.create_op(state);
    ir.set_root(root);
    let region = ir.region(root, 0);
    let body = ir.add_block(region, &[]);
    let mut blocks = Vec::new();
    for name in names {
        let mut b = Builder::at_end(&mut ir, body, Loc::UNKNOWN);
        let func = FuncOp::build(&mut b, ctx.str_attr(name));
        let region = func.body(&ir);
        blocks.push(ir.add_block(region, &[]));
    }
    (ir, blocks)
}

pub fn constant(b: &mut Builder<'_>, value: i32) -> Value {
    let ctx = b.ir.context();
    ConstOp::build(b, ctx.i32_attr(value), ctx.i32()).result(b.ir)
}

pub fn names(ir: &Ir, block: Block) -> Vec<&str> {
    ir.ops(block).map(|op| ir.op_name_str(op)).collect()
}

option_enum! {
    /// The work of the pass `act`.
    pub enum Act {
        /// Nothing.
        Nothing = "nothing",
        /// Adds an op at the end of every block.
        Grow = "grow",
        /// Adds an op at the end of the last block, in stages of one each.
        GrowInStages = "grow-in-stages",
        /// Fails, saying why.
        Fail = "fail",
        /// Fails without a word.
        FailSilently = "fail-silently",
    }
}

pass_options! {
    /// Does as it is told.
    pub struct ActPass {
        /// The action.
        pub what: Act = Act::Nothing,
        /// How often.
        pub times: u32 = 1,
        /// Words to remember.
        pub words: Vec<String> = Vec::new(),
        /// A word to remember.
        pub word: String = "plain".to_owned(),
        /// Whether to remark.
        pub remark: bool = false,
        /// A number to remember.
        pub number: Option<i64> = None,
    }
}

const ACT: PassInfo = PassInfo {
    name: "act",
    summary: "does as it is told",
    reads: &["*"],
    writes: &["t"],
    anchors: Anchors::Any,
};

impl Pass for ActPass {
    fn info(&self) -> &'static PassInfo {
        &ACT
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        if self.remark {
            cx.remark(ir, op, "was acted on");
        }
        cx.count("runs", 1);
        match self.what {
            Act::Nothing => Ok(Outcome::unchanged()),
            Act::Fail => Err(cx.fail(ir, op, "was to make this pass fail")),
            Act::FailSilently => Err(segra_pass::PassFailure),
            Act::Grow => {
                let blocks: Vec<Block> = ir.blocks(ir.region(op, 0)).collect();
                for block in blocks {
                    for _ in 0..self.times {
                        UseOp::build(&mut Builder::at_end(ir, block, Loc::UNKNOWN), &[]);
                    }
                }
                Ok(Outcome::changed())
            }
            Act::GrowInStages => {
                let last = ir.blocks(ir.region(op, 0)).last();
                let Some(block) = last else {
                    return Ok(Outcome::unchanged());
                };
                for time in 1..=self.times {
                    let op = UseOp::build(&mut Builder::at_end(ir, block, Loc::UNKNOWN), &[]).op();
                    let title = &format!("use {time}");
                    cx.stage(ir, segra_pass::Stage { op, title })?;
                }
                Ok(Outcome::changed())
            }
        }
    }
}

pass_options! {
    /// Runs on functions only.
    pub struct OnFunctions {}
}

const ON_FUNCTIONS: PassInfo = PassInfo {
    name: "on-functions",
    summary: "runs on functions only",
    reads: &[],
    writes: &[],
    anchors: Anchors::Ops(&["t.func"]),
};

impl Pass for OnFunctions {
    fn info(&self) -> &'static PassInfo {
        &ON_FUNCTIONS
    }
    fn run(&self, _: &mut Ir, _: Op, cx: &mut PassContext<'_>) -> PassResult {
        cx.count("runs", 1);
        Ok(Outcome::unchanged())
    }
}

pub fn registry() -> segra_pass::PassRegistry {
    use segra_pass::{NamedPipeline, PassEntry, PassRegistry, PipelineOption};
    const TIMES: PipelineOption = PipelineOption {
        pass: "act",
        name: "times",
    };
    PassRegistry::new(
        vec![PassEntry::of::<ActPass>(), PassEntry::of::<OnFunctions>()],
        vec![
            NamedPipeline {
                name: "act-often",
                summary: "acts on every function as often as it is told",
                steps: &["t.func(act)", "t.func(act{times=2})"],
                options: &[TIMES],
            },
            NamedPipeline {
                name: "act-outside",
                summary: "the same, from another pipeline",
                steps: &["act-often"],
                options: &[TIMES],
            },
            NamedPipeline {
                name: "endless",
                summary: "names itself",
                steps: &["endless"],
                options: &[],
            },
            NamedPipeline {
                name: "grow-twice",
                summary: "grows every function twice",
                steps: &["t.func(act{what=grow})", "t.func(act{what=grow})"],
                options: &[],
            },
        ],
    )
}
