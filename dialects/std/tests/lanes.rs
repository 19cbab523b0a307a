//! Many lanes at once: a data-parallel loop and a thread block of this test's own, with bodies of std ops.

mod support;

use segra_interp::{
    ArrayBuilder, ArrayValue, Cx, Datum, Elem, Eval, EvalResult, Flow, Inst, Interpreter, Lanes,
};
use segra_interp::{Parents, RegionKind};
use segra_ir::constraint::AnyType;
use segra_ir::{Context, Dialect, Ir, Op, OpView, op};
use std::sync::Arc;

/// Runs its region for every element of an array, as one batch, and collects what it yields.
#[op("t.map", interfaces(Eval))]
pub struct MapOp {
    input: Operand<AnyType>,
    body: BlockRegion,
    result: OpResult<AnyType>,
}

impl Eval for MapOp {
    fn region_kind(&self, _ir: &Ir, _op: Op, _index: usize) -> RegionKind {
        RegionKind::Batch
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            let input = cx.array(inst, 0, lane)?.clone();
            let mut builder = ArrayBuilder::new(input.elem(), input.len());
            cx.run_batch(
                inst,
                &inst.regions[0],
                input.shape().first().copied().unwrap_or(0),
                Parents::One(lane),
                |_, range, out| {
                    for (value, position) in out.iter_mut().zip(range) {
                        *value = input.row(position).unwrap_or_default();
                    }
                    Ok(())
                },
                |_, _, column| column.iter().try_for_each(|value| builder.push(value)),
            )?;
            cx.set_result(inst, 0, lane, builder.finish().into());
        }
        Ok(Flow::Next)
    }
}

/// Runs its region with as many threads as the operand says, in lockstep; the argument is the thread's number.
#[op("t.block", interfaces(Eval))]
pub struct ThreadsOp {
    threads: Operand<AnyType>,
    body: BlockRegion,
}

impl Eval for ThreadsOp {
    fn region_kind(&self, _ir: &Ir, _op: Op, _index: usize) -> RegionKind {
        RegionKind::Batch
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            let threads = cx.int(inst, 0, lane)? as usize;
            cx.run_group(inst, &inst.regions[0], threads, lane, |_, range, out| {
                for (value, thread) in out.iter_mut().zip(range) {
                    *value = Datum::Int(thread as i64);
                }
                Ok(())
            })?;
        }
        Ok(Flow::Next)
    }
}

/// Waits for all threads.
#[op("t.barrier", interfaces(Eval))]
pub struct BarrierOp {}

impl Eval for BarrierOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        if cx.is_converged(lanes) {
            Ok(Flow::Next)
        } else {
            Err(cx.error(inst, "is not reached by all threads"))
        }
    }
}

/// Ends a region.
#[op("t.yield", traits(Terminator, ReturnLike), interfaces(Eval))]
pub struct YieldOp {
    values: VariadicOperand<AnyType>,
}

impl Eval for YieldOp {
    fn eval(&self, _cx: &mut Cx<'_>, _inst: &Inst, _lanes: &Lanes) -> EvalResult {
        Ok(Flow::Yield)
    }
}

fn program(text: &str) -> Ir {
    let ctx = Arc::new(Context::new());
    segra_std::register(&ctx);
    let ops = vec![MapOp::DEF, ThreadsOp::DEF, BarrierOp::DEF, YieldOp::DEF];
    ctx.register(Dialect {
        name: "t",
        ops,
        ..Dialect::default()
    });
    support::read(&ctx, text)
}

/// More than one batch.
const MANY: i32 = 2000;

#[test]
fn lanes_take_their_own_way_through_loops_branches_and_calls() {
    // Sum of the odd numbers below each element, by a loop whose length differs between lanes.
    let ir = program(
        "func.func private @square(%x: i32) -> i32 {
           %r = arith.muli %x, %x : i32
           func.return %r : i32
         }
         func.func @f(%a: tensor<?xi32>, %offset: i32) -> tensor<?xi32> {
           %r = \"t.map\"(%a) ({
           ^bb0(%x: i32):
             %zero = arith.constant 0 : i32
             %one = arith.constant 1 : i32
             %ten = arith.constant 10 : i32
             %n = arith.remui %x, %ten : i32
             %sum = scf.for %i = %zero to %n step %one iter_args(%s = %offset) -> (i32) : i32 {
               %bit = arith.andi %i, %one : i32
               %odd = arith.cmpi eq, %bit, %one : i32
               %t = scf.if %odd -> (i32) {
                 %q = func.call @square(%i) : (i32) -> i32
                 %u = arith.addi %s, %q : i32
                 scf.yield %u : i32
               } else {
                 scf.yield %s : i32
               }
               scf.yield %t : i32
             }
             \"t.yield\"(%sum) : (i32) -> ()
           }) : (tensor<?xi32>) -> tensor<?xi32>
           func.return %r : tensor<?xi32>
         }",
    );
    let input: Vec<i32> = (0..MANY).collect();
    let args = [ArrayValue::i32s(&input).into(), Datum::Int(100)];
    let result = Interpreter::new(&ir).call("f", &args).expect("it runs");
    let expected: Vec<i32> = input
        .iter()
        .map(|x| {
            100 + (0..x % 10)
                .filter(|i| i % 2 == 1)
                .map(|i| i * i)
                .sum::<i32>()
        })
        .collect();
    assert_eq!(result, [Datum::from(ArrayValue::i32s(&expected))]);
}

#[test]
fn batches_nest_and_capture_what_is_around_them() {
    let ir = program(
        "func.func @f(%a: tensor<?x?xi32>, %k: i32) -> tensor<?x?xi32> {
           %r = \"t.map\"(%a) ({
           ^bb0(%row: tensor<?xi32>):
             %two = arith.constant 2 : i32
             %m = arith.muli %k, %two : i32
             %s = \"t.map\"(%row) ({
             ^bb0(%x: i32):
               %y = arith.addi %x, %m : i32
               %z = arith.addi %y, %k : i32
               \"t.yield\"(%z) : (i32) -> ()
             }) : (tensor<?xi32>) -> tensor<?xi32>
             \"t.yield\"(%s) : (tensor<?xi32>) -> ()
           }) : (tensor<?x?xi32>) -> tensor<?x?xi32>
           func.return %r : tensor<?x?xi32>
         }",
    );
    let matrix = |values: &[i32]| {
        ArrayValue::i32s(values)
            .reshaped(vec![2, 3])
            .expect("six elements")
    };
    let args = [matrix(&[1, 2, 3, 4, 5, 6]).into(), Datum::Int(10)];
    let result = Interpreter::new(&ir).call("f", &args).expect("it runs");
    assert_eq!(result, [Datum::from(matrix(&[31, 32, 33, 34, 35, 36]))]);
}

#[test]
fn a_barrier_separates_writes_from_reads_and_notices_divergence() {
    let text = |guard: &str| {
        format!(
            "func.func @f(%m: memref<64xindex>, %n: index) {{
               \"t.block\"(%n) ({{
               ^bb0(%id: index):
                 memref.store %id, %m[%id] : memref<64xindex>
                 {guard}
                 %c63 = arith.constant 63 : index
                 %other = arith.subi %c63, %id : index
                 %v = memref.load %m[%other] : memref<64xindex>
                 \"t.barrier\"() : () -> ()
                 memref.store %v, %m[%id] : memref<64xindex>
                 \"t.yield\"() : () -> ()
               }}) : (index) -> ()
               func.return
             }}"
        )
    };
    let run = |guard: &str| {
        let ir = program(&text(guard));
        let memory = segra_interp::MemRefValue::row_major(
            segra_interp::Buffer::zeros(Elem::Index, 64),
            &[64],
        );
        let memory = memory.expect("the extents fit");
        let args = [Datum::memref(memory.clone()), Datum::Int(64)];
        Interpreter::new(&ir)
            .call("f", &args)
            .map(|_| memory.to_array().expect("not freed"))
    };
    let reversed: Vec<i64> = (0..64).rev().collect();
    assert_eq!(
        run("\"t.barrier\"() : () -> ()"),
        Ok(ArrayValue::indices(&reversed))
    );
    let diverged = run("%c7 = arith.constant 7 : index
         %first = arith.cmpi ult, %id, %c7 : index
         scf.if %first {
           \"t.barrier\"() : () -> ()
         }");
    let error = diverged.expect_err("only seven threads reach the barrier");
    assert!(
        error
            .to_string()
            .ends_with("'t.barrier' op is not reached by all threads"),
        "{error}"
    );
}
