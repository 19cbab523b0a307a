//! Which threads of a block have the points of an op that has fewer of them than there are threads, and which banks of shared
//! memory they meet: the lowered kernel's branches and addresses are evaluated for every thread.

mod support;

use segra_interp::Datum;
use segra_ir::{Ir, Op, Value};
use segra_lower::LowerToGpu;
use segra_space::Target;
use std::collections::BTreeSet;
use support::{context, ints, lower, parse, same};

/// The lowered program.
fn lowered(program: &str) -> Ir {
    let mut ir = parse(&context(), program);
    lower(&mut ir, &LowerToGpu::default()).unwrap_or_else(|error| panic!("{error}"));
    ir
}

fn named(ir: &Ir, name: &str) -> Vec<Op> {
    let ops = ir.walk(ir.root()).into_iter();
    ops.filter(|&op| ir.op_name_str(op) == name).collect()
}

/// Threads of a block of the only kernel: the most it may have, which the width of the squares below fills.
fn threads(ir: &Ir) -> i64 {
    let size = ir.attr_named(named(ir, "gpu.func")[0], "nvvm.maxntid");
    let size = size.and_then(|size| size.as_dense_i64(ir.ctx()));
    size.expect("a kernel says how many threads it may have")[0]
}

/// A thread of the first block, in a certain turn of each loop around an op.
struct Thread<'a> {
    ir: &'a Ir,
    number: i64,
    loops: Vec<(Value, i64)>,
}

impl Thread<'_> {
    /// The value of an index, or of a condition.
    fn value(&self, of: Value) -> i64 {
        let ir = self.ir;
        if let Some(known) = ir.constant_int(of) {
            return known;
        }
        if let Some(&(_, at)) = self.loops.iter().find(|row| row.0 == of) {
            return at;
        }
        let Some(op) = ir.defining_op(of) else {
            // The only index among a kernel's parameters that a thread computes with.
            return threads(ir);
        };
        let operands: Vec<Value> = ir.operands(op).collect();
        let at = |number: usize| self.value(operands[number]);
        match ir.op_name_str(op) {
            "gpu.thread_id" => self.number,
            "gpu.block_id" => 0,
            "arith.addi" => at(0) + at(1),
            "arith.subi" => at(0) - at(1),
            "arith.muli" => at(0) * at(1),
            "arith.divui" => at(0) / at(1),
            "arith.remui" => at(0) % at(1),
            "arith.cmpi" => {
                let text = segra_text::print(ir, op, &segra_text::PrintOptions::default());
                assert!(text.contains("cmpi slt"), "{text}");
                i64::from(at(0) < at(1))
            }
            name => panic!("{name} is no part of an index"),
        }
    }

    /// The values of `of` whenever the thread reaches it inside of `around`, outermost first.
    fn reaches(&mut self, around: &[Op], of: Value) -> Vec<i64> {
        let Some((&op, inner)) = around.split_first() else {
            return vec![self.value(of)];
        };
        let operands: Vec<Value> = self.ir.operands(op).collect();
        match self.ir.op_name_str(op) {
            "scf.if" if self.value(operands[0]) == 0 => Vec::new(),
            "scf.for" => {
                let [from, to, step] = [0, 1, 2].map(|number| self.value(operands[number]));
                let body = self.ir.blocks(self.ir.regions(op)[0]).next();
                let index = self.ir.block_args(body.expect("a loop has a body"))[0];
                let mut found = Vec::new();
                for at in (from..to).step_by(usize::try_from(step).expect("is positive")) {
                    self.loops.push((index, at));
                    found.extend(self.reaches(inner, of));
                    self.loops.pop();
                }
                found
            }
            _ => self.reaches(inner, of),
        }
    }
}

/// The accesses to shared memory, or to other memory, that have an op's name: the addresses of each thread.
fn addresses(ir: &Ir, name: &str, shared: bool) -> Vec<Vec<Vec<i64>>> {
    let memory = usize::from(name == "memref.store");
    let is_there = |&op: &Op| {
        let memory = ir.operands(op).nth(memory).expect("has memory");
        let by = ir.defining_op(memory);
        by.is_some_and(|op| ir.op_name_str(op) == "gpu.shared_array") == shared
    };
    let of_op = |op: Op| -> Vec<Vec<i64>> {
        let index = ir.operands(op).nth(memory + 1).expect("has an index");
        let mut around: Vec<Op> = ir.ancestors(op).skip(1).collect();
        around.reverse();
        let of_thread = |number: i64| {
            let loops = Vec::new();
            Thread { ir, number, loops }.reaches(&around, index)
        };
        (0..threads(ir)).map(of_thread).collect()
    };
    let ops = named(ir, name).into_iter().filter(is_there);
    ops.map(of_op).collect()
}

/// Each block fills a square of 32 rows, and multiplies elements of its first three rows: 9 times `length` points. Where it
/// `keeps` elements in registers, the number of its threads is a constant.
fn products_of_rows(length: i64, keeps: bool) -> String {
    let op = "%u = kernel.segmap thread (%x < %c32, %y < %c32) -> (tensor<32x32xi32>) {
      %e = tensor.extract %t[%y, %x] : tensor<32x32xi32>
      kernel.return %e : i32
    }";
    let (kept, kept_type, kept_value, op) = match keeps {
        true => ("%u, ", "tensor<?x32x32xi32>, ", "tensor<32x32xi32>, ", op),
        false => ("", "", "", ""),
    };
    format!(
        "func.func @main(%a: tensor<?xi32>, %n: index) -> ({kept_type}tensor<?x3x3x{length}xi32>) {{
  %c32 = arith.constant 32 : index
  %c3 = arith.constant 3 : index
  %length = arith.constant {length} : index
  {kept}%r = kernel.segmap block (%i < %n) -> ({kept_type}tensor<?x3x3x{length}xi32>) {{
    %t = kernel.segmap thread (%x < %c32, %y < %c32) -> (tensor<32x32xi32>) {{
      %s = arith.addi %x, %y : index
      %e = tensor.extract %a[%s] : tensor<?xi32>
      kernel.return %e : i32
    }}
    {op}
    %v = kernel.segmap thread (%x < %c3, %y < %c3, %z < %length) -> (tensor<3x3x{length}xi32>) {{
      %e = tensor.extract %t[%x, %z] : tensor<32x32xi32>
      %f = tensor.extract %t[%y, %z] : tensor<32x32xi32>
      %g = arith.muli %e, %f : i32
      kernel.return %g : i32
    }}
    kernel.return {kept}%v : {kept_value}tensor<3x3x{length}xi32>
  }}
  func.return {kept}%r : {kept_type}tensor<?x3x3x{length}xi32>
}}"
    )
}

/// Filipovič et al., 4.3.3: where a routine has fewer threads than the block, threads 0 to n - 1 go on, so that no more than
/// one warp is partly idle; indices of three dimensions are found from the number of the thread.
#[test]
fn the_first_threads_have_the_points_where_there_are_fewer_of_them() {
    let (mut fewer, mut more) = (0, 0);
    for (length, keeps) in [1, 3, 5, 7, 11, 28, 29, 31, 32]
        .into_iter()
        .flat_map(|length| [(length, false), (length, true)])
    {
        let program = products_of_rows(length, keeps);
        for blocks in [0, 1, 3] {
            same(
                &program,
                &[Datum::array(ints(&[63], 3)), Datum::Int(blocks)],
            );
        }
        let ir = lowered(&program);
        let (points, threads) = (9 * length, threads(&ir));
        let stores = addresses(&ir, "memref.store", false);
        let of_products = &stores[0];
        assert_eq!(stores.len(), 1 + usize::from(keeps));
        for (thread, found) in (0..).zip(of_products) {
            // Points lie one after another, and so do their threads.
            let step = usize::try_from(threads).expect("is positive");
            let wanted: Vec<i64> = (thread..points).step_by(step).collect();
            assert_eq!(found, &wanted, "thread {thread} of {threads}");
        }
        for turn in 0..=points / threads {
            let has = |warp: &&[Vec<i64>]| {
                let with = warp.iter().filter(|found| found.len() as i64 > turn);
                (1..warp.len()).contains(&with.count())
            };
            let warps = of_products.chunks(Target::CUDA.warp as usize);
            assert!(warps.filter(has).count() <= 1, "warps that are partly idle");
        }
        match points < threads {
            true => fewer += 1,
            false => more += 1,
        }
    }
    assert!(fewer > 5 && more > 1, "{fewer} with fewer points, {more}");
}

/// A square of 32 rows that a block makes, and reads at these indices; `%z` is `31 - %y`.
fn square(indices: &str) -> String {
    format!(
        "func.func @main(%a: tensor<?xi32>, %n: index) -> tensor<?x32x32xi32> {{
  %c32 = arith.constant 32 : index
  %c31 = arith.constant 31 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x32x32xi32>) {{
    %t = kernel.segmap thread (%x < %c32, %y < %c32) -> (tensor<32x32xi32>) {{
      %s = arith.muli %x, %c32 : index
      %p = arith.addi %s, %y : index
      %e = tensor.extract %a[%p] : tensor<?xi32>
      kernel.return %e : i32
    }}
    %u = kernel.segmap thread (%x < %c32, %y < %c32) -> (tensor<32x32xi32>) {{
      %z = arith.subi %c31, %y : index
      %e = tensor.extract %t[{indices}] : tensor<32x32xi32>
      kernel.return %e : i32
    }}
    kernel.return %u : tensor<32x32xi32>
  }}
  func.return %r : tensor<?x32x32xi32>
}}"
    )
}

/// Filipovič et al., 4.4: tiles of 32 by 32 lie in 33 by 32 elements where threads go down their columns.
#[test]
fn threads_that_go_down_a_column_meet_different_banks() {
    for (indices, apart) in [("%y, %x", 33), ("%x, %z", 32)] {
        let program = square(indices);
        for blocks in [0, 1, 2] {
            same(
                &program,
                &[Datum::array(ints(&[1024], 5)), Datum::Int(blocks)],
            );
        }
        let ir = lowered(&program);
        let (mut used, mut accesses) = (BTreeSet::new(), 0);
        for name in ["memref.load", "memref.store"] {
            for of_threads in addresses(&ir, name, true) {
                accesses += 1;
                for warp in of_threads.chunks(Target::CUDA.warp as usize) {
                    for turn in 0..warp[0].len() {
                        let banks: BTreeSet<i64> = warp
                            .iter()
                            .map(|found| found[turn] % Target::CUDA.banks)
                            .collect();
                        assert_eq!(banks.len(), 32, "{name} at [{indices}]: {warp:?}");
                    }
                }
                used.extend(of_threads.into_iter().flatten());
            }
        }
        assert_eq!(accesses, 2, "one load and one store");
        assert_eq!(used.len(), 1024, "each element has a location");
        assert_eq!(used.last(), Some(&(31 * apart + 31)));
    }
}
