//! pliron's figures on a module like Segra's but for its shape: functions of 38 additions and a return, for pliron has
//! no loops, loads or calls of its own. Built through its API, verified, printed, read. One `name value` pair a line.

use pliron::builtin::op_interfaces::{
    IsTerminatorInterface, NOpdsInterface, OneResultInterface, SingleBlockRegionInterface,
};
use pliron::builtin::ops::{FuncOp, ModuleOp};
use pliron::builtin::types::{FunctionType, IntegerType, Signedness};
use pliron::context::{Context, Ptr};
use pliron::derive::pliron_op;
use pliron::identifier::Identifier;
use pliron::irfmt::parsers::spaced;
use pliron::op::Op;
use pliron::operation::{Operation, verify_operation};
use pliron::parsable::parse_from_str;
use pliron::printable::Printable;
use pliron::value::Value;

const OPS_PER_FUNCTION: usize = 39;

#[pliron_op(
    name = "bench.add",
    format = "$0 `, ` $1 ` : ` type($0)",
    interfaces = [NOpdsInterface<2>, OneResultInterface],
    verifier = "succ",
)]
struct AddOp;

impl AddOp {
    fn new(ctx: &mut Context, left: Value, right: Value) -> AddOp {
        let ty = IntegerType::get(ctx, 32, Signedness::Signless);
        let info = Self::get_concrete_op_info();
        AddOp { op: Operation::new(ctx, info, vec![ty.into()], vec![left, right], vec![], 0) }
    }
}

#[pliron_op(name = "bench.return", format = "$0", interfaces = [IsTerminatorInterface], verifier = "succ")]
struct ReturnOp;

impl ReturnOp {
    fn new(ctx: &mut Context, value: Value) -> ReturnOp {
        ReturnOp { op: Operation::new(ctx, Self::get_concrete_op_info(), vec![], vec![value], vec![], 0) }
    }
}

fn timed<T>(name: &str, step: impl FnOnce() -> T) -> T {
    let start = processor_time();
    let result = step();
    println!("{name} {:.6}", processor_time() - start);
    result
}

/// Seconds this process has run: other work on the machine does not count.
fn processor_time() -> f64 {
    // The system counts when it switches processes or its clock ticks; being ready to switch is enough.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/self/schedstat").expect("a Linux kernel that counts");
    let nanoseconds: f64 = text.split(' ').next().and_then(|first| first.parse().ok()).expect("a number");
    nanoseconds * 1e-9
}

fn build(ctx: &mut Context, functions: usize) -> Ptr<Operation> {
    let name = |text: String| Identifier::try_from(text).expect("an identifier");
    let module = ModuleOp::new(ctx, name("module".to_owned()));
    let ty = IntegerType::get(ctx, 32, Signedness::Signless);
    for number in 0..functions {
        let signature = FunctionType::get(ctx, vec![ty.into()], vec![ty.into()]);
        let func = FuncOp::new(ctx, name(format!("f{number}")), signature);
        module.append_operation(ctx, func.get_operation(), 0);
        let block = func.get_entry_block(ctx);
        let argument = block.deref(ctx).get_argument(0);
        let mut last = argument;
        for _ in 0..OPS_PER_FUNCTION - 2 {
            let op = AddOp::new(ctx, last, argument);
            op.get_operation().insert_at_back(block, ctx);
            last = op.get_result(ctx);
        }
        ReturnOp::new(ctx, last).get_operation().insert_at_back(block, ctx);
    }
    module.get_operation()
}

fn main() {
    let ops: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).expect("a number of ops");
    let functions = (ops / OPS_PER_FUNCTION).max(1);
    let ctx = &mut Context::new();
    let module = timed("build", || build(ctx, functions));
    println!("ops {}", functions * OPS_PER_FUNCTION);
    timed("verify", || verify_operation(module, ctx)).expect("the module is right");
    let text = timed("print", || module.disp(ctx).to_string());
    println!("printed_bytes {}", text.len());
    let ctx = &mut Context::new();
    timed("parse", || parse_from_str(spaced(Operation::top_level_parser()), ctx, &text))
        .expect("it reads back");
    // The system takes back the rest.
    std::process::exit(0);
}
