//! Pass `drop-promises`: scalar ops of device code have a value whatever their operands are.
//!
//! ```mlir
//! %s = arith.addi %a, %b overflow<nsw> : i32             %s = arith.addi %a, %b : i32
//! %q = arith.divf %x, %y fastmath<nnan,arcp> : f32  ==>  %q = arith.divf %x, %y fastmath<arcp> : f32
//! %z = math.copysign %x, %y : f32                        %none = arith.cmpf uno, %y, %y : f32
//!                                                        %plus = math.absf %y : f32
//!                                                        %sign = arith.select %none, %plus, %y : f32
//!                                                        %z = math.copysign %x, %sign : f32
//! ```
//! A flag that promises something (`nsw`, `nuw`, `exact`, `nnan`, `ninf`) makes the result poison where the promise is
//! broken, for LLVM; evaluation does not rely on it. So only flags that permit something stay (`contract`, `afn`, ...). The
//! sign of a NaN is not the same on every machine and counts as plus where it is asked for.
//!
//! Legality: any function. To be run before passes that make promises they keep (`narrow-indices`), and before
//! `expand-math`, whose formulas may copy the sign of a NaN since their result is one, too. The other operations that LLVM leaves undefined
//! (shifts by the width, `MIN / -1`, floats as integers) are guarded at the exit, `crates/mlir`.

use segra_gpu::{device, host};
use segra_ir::{Builder, InsertPoint, Ir, Op, OpView};
use segra_pass::{Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult};
use segra_std::arith::{CmpFOp, CmpFPredicate, FastMath, SelectOp};
use segra_std::func;
use segra_std::math::{AbsFOp, CopySignOp};

segra_pass::pass_options! {
    /// The pass `drop-promises`.
    #[derive(Copy)]
    pub struct DropPromises {}
}

/// Attributes that only hold promises.
const PROMISES: &[&str] = &["overflowFlags", "isExact"];

const FLAGS: &str = "fastmath";

const INFO: PassInfo = PassInfo {
    name: "drop-promises",
    summary: "let scalar ops of device code have a value whatever their operands are",
    reads: &["arith", "math"],
    writes: &["arith", "math"],
    anchors: Anchors::Ops(&[
        func::FuncOp::DEF.name,
        device::GpuFuncOp::DEF.name,
        host::GpuModuleOp::DEF.name,
    ]),
};

impl Pass for DropPromises {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, anchor: Op, cx: &mut PassContext<'_>) -> PassResult {
        let (mut dropped, mut signs) = (0u64, 0u64);
        for op in ir.walk(anchor) {
            let name = ir.op_name_str(op);
            if !name.starts_with("arith.") && !name.starts_with("math.") {
                continue;
            }
            let copies_sign = ir.isa::<CopySignOp>(op);
            dropped += u64::from(drop_promises(ir, op));
            if copies_sign {
                define_sign(ir, op);
                signs += 1;
            }
        }
        cx.count("promises dropped", dropped);
        cx.count("signs defined", signs);
        Ok(Outcome::of(Changed::when(dropped + signs > 0)))
    }
}

fn drop_promises(ir: &mut Ir, op: Op) -> bool {
    let mut dropped = false;
    for &name in PROMISES {
        if ir.attr_named(op, name).is_some() {
            ir.set_attr_named(op, name, None);
            dropped = true;
        }
    }
    let ctx = ir.context();
    let Some(flags) = ir
        .attr_named(op, FLAGS)
        .and_then(|attr| attr.dialect::<FastMath>(&ctx).copied())
    else {
        return dropped;
    };
    let kept = flags.without(FastMath::NNAN.union(FastMath::NINF));
    if kept != flags {
        let attr = (kept != FastMath::NONE).then(|| kept.attr(&ctx));
        ir.set_attr_named(op, FLAGS, attr);
    }
    dropped || kept != flags
}

/// The sign that is copied becomes plus where it is that of a NaN.
fn define_sign(ir: &mut Ir, op: Op) {
    let (sign, loc) = (CopySignOp::from_op(op).rhs(ir), ir.loc(op));
    let mut b = Builder::new(ir, InsertPoint::Before(op), loc);
    let predicate = CmpFPredicate::Uno.attr(b.ctx());
    let none = CmpFOp::build(&mut b, predicate, sign, sign).result(b.ir);
    let plus = AbsFOp::build(&mut b, sign).result(b.ir);
    let defined = SelectOp::build(&mut b, none, plus, sign).result(b.ir);
    ir.set_operand(op, 1, defined);
}
