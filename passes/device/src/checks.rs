//! Pass `lower-checks`: checks in kernels become entries in the error record, which the runtime reports.
//!
//! ```mlir
//! gpu.check %inside, "index {0} ..." (%i, %n : index, index)
//!   ==>
//! scf.if %outside {
//!   %taken = memref.atomic_rmw ori %flag, %record[%zero]      // one thread of all launches wins
//!   scf.if %first { %record[1..] = values; %record[0] = flag | number of the check + 1 }
//! }
//! ```
//! A `check.require` becomes the same, and a selection between its two values.
//! Kernels with checks get the record as their last parameter and the attribute [`RECORD`]; on the host it is an
//! allocation with that attribute, which the exit leaves to the runtime. The module's attribute [`SITES`] lists messages
//! and places by number. A thread whose check fails runs on: the lowering guards what the check is for.
//!
//! The layout is that of [`segra_artifact::ErrorRecord`]: four words, the first with the number in its lower half.

use rustc_hash::{FxHashMap, FxHashSet};
use segra_gpu::device::{CheckOp, GpuFuncOp};
use segra_gpu::host::{AllocOp, GpuModuleOp, LaunchFuncOp, launches, top_level};
use segra_gpu::record::{RECORD, SITES};
use segra_ir::symbol::SymbolTables;
use segra_ir::types::DYNAMIC;
use segra_ir::{
    Attr, AttrKind, Block, Builder, Context, InsertPoint, Ir, Op, OpState, OpView, Type, Value,
};
use segra_pass::{Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult};

/// In the padding of the record's first word: some thread has won.
const TAKEN: i64 = 1 << 32;
/// Words of the record.
const WORDS: i64 = 4;

segra_pass::pass_options! {
    /// The pass; it has no options.
    pub struct LowerChecks {}
}

impl Pass for LowerChecks {
    fn info(&self) -> &'static PassInfo {
        &PassInfo {
            name: "lower-checks",
            summary: "turn checks in kernels into entries of the error record",
            reads: &["gpu"],
            writes: &["arith", "gpu", "memref", "scf"],
            anchors: Anchors::Ops(&["builtin.module"]),
        }
    }
    fn run(&self, ir: &mut Ir, module: Op, cx: &mut PassContext<'_>) -> PassResult {
        let mut sites: Vec<Attr> = Vec::new();
        let mut kernels = FxHashSet::default();
        let modules: Vec<Op> = top_level(ir, module)
            .filter(|&op| ir.isa::<GpuModuleOp>(op))
            .collect();
        for device in modules {
            let functions: Vec<GpuFuncOp> =
                top_level(ir, device).filter_map(|op| ir.cast(op)).collect();
            for func in functions {
                let mut checks = ir.walk(func.op());
                checks.retain(|&op| Check::of(ir, op).is_some());
                if checks.is_empty() {
                    continue;
                }
                let Some(record) = add_record(ir, func) else {
                    continue;
                };
                for op in checks {
                    // Now: a check may use what another one gave.
                    let Some(check) = Check::of(ir, op) else {
                        continue;
                    };
                    sites.push(site(ir, &check));
                    lower(ir, &check, record, sites.len() as i64);
                }
                kernels.insert(func.op());
            }
        }
        if sites.is_empty() {
            return Ok(Outcome::of(Changed::No));
        }
        cx.count("checks lowered", sites.len() as u64);
        let list = ir.ctx().array_attr(&sites);
        ir.set_attr_named(module, SITES, Some(list));
        pass_records(ir, module, &kernels);
        Ok(Outcome::of(Changed::Yes))
    }
}

/// The op that gives a value under a condition, on host and device.
const REQUIRE: &str = "check.require";

/// A check of a kernel.
struct Check {
    op: Op,
    condition: Value,
    values: Vec<Value>,
    message: Option<Attr>,
    /// What its result is where the condition holds, and where not.
    gives: Option<[Value; 2]>,
}

impl Check {
    fn of(ir: &Ir, op: Op) -> Option<Check> {
        if let Some(check) = ir.cast::<CheckOp>(op) {
            let (condition, values) = (check.condition(ir), check.values(ir));
            return Some(Check {
                op,
                condition,
                values,
                message: check.message_attr(ir),
                gives: None,
            });
        }
        if ir.op_name_str(op) != REQUIRE {
            return None;
        }
        let operands: Vec<Value> = ir.operands(op).collect();
        let [condition, value, otherwise, values @ ..] = operands.as_slice() else {
            return None;
        };
        let message = ir.attr_named(op, "message");
        let (condition, gives) = (*condition, Some([*value, *otherwise]));
        Some(Check {
            op,
            condition,
            values: values.to_vec(),
            message,
            gives,
        })
    }
}

fn record_type(ctx: &Context) -> Type {
    ctx.memref(&[DYNAMIC], ctx.i64(), None)
}

/// The record as a new last parameter, before the workgroup buffers.
fn add_record(ir: &mut Ir, func: GpuFuncOp) -> Option<Value> {
    let ctx = ir.context();
    let entry = ir.entry_block(func.body(ir))?;
    let loc = ir.loc(func.op());
    let buffers = func.workgroup_buffers(ir);
    let mut inputs = func.inputs(ir);
    inputs.push(record_type(&ctx));
    let record = ir.add_block_arg(entry, record_type(&ctx), loc);
    for old in buffers {
        let new = ir.add_block_arg(entry, ir.value_type(old), loc);
        ir.replace_all_uses(old, new);
        if let Some(position) = ir.block_args(entry).iter().position(|&arg| arg == old) {
            ir.erase_block_arg(entry, position);
        }
    }
    let ty = ctx.type_attr(ctx.function(&inputs, &[]));
    ir.set_attr_named(func.op(), "function_type", Some(ty));
    ir.set_attr_named(func.op(), RECORD, Some(ctx.unit()));
    Some(record)
}

/// What the runtime has to know of a check.
fn site(ir: &Ir, check: &Check) -> Attr {
    let ctx = ir.ctx();
    let message = check
        .message
        .unwrap_or_else(|| ctx.str_attr("a check failed"));
    let mut entries = vec![(ctx.ident("message"), message)];
    if let Some((file, line, column)) = segra_ir::diag::file_position(ctx, ir.loc(check.op)) {
        entries.push((ctx.ident("column"), ctx.i64_attr(i64::from(column))));
        entries.push((ctx.ident("file"), ctx.str_attr(ctx.str(file))));
        entries.push((ctx.ident("line"), ctx.i64_attr(i64::from(line))));
    }
    entries.sort_by_key(|entry| ctx.str(entry.0).to_owned());
    ctx.attr(AttrKind::Dict(ctx.dict(&entries)))
}

/// Emits ops by name: this crate knows the ops of other dialects by their text alone.
struct Emit<'a, 'b> {
    b: &'a mut Builder<'b>,
}

impl Emit<'_, '_> {
    fn op(
        &mut self,
        name: &str,
        operands: &[Value],
        ty: Option<Type>,
        properties: &[(&str, Attr)],
    ) -> Op {
        let ctx = self.b.ir.context();
        let mut state = OpState::new(ctx.op_name(name), self.b.loc);
        state.operands.extend_from_slice(operands);
        state.result_types.extend(ty);
        state.properties.extend(
            properties
                .iter()
                .map(|&(name, attr)| (ctx.ident(name), attr)),
        );
        self.b.insert(state)
    }
    fn value(
        &mut self,
        name: &str,
        operands: &[Value],
        ty: Type,
        properties: &[(&str, Attr)],
    ) -> Value {
        let op = self.op(name, operands, Some(ty), properties);
        self.b.ir.result(op, 0)
    }
    fn index(&mut self, value: i64) -> Value {
        let ctx = self.b.ir.context();
        self.value(
            "arith.constant",
            &[],
            ctx.index(),
            &[("value", ctx.index_attr(value))],
        )
    }
    fn word(&mut self, value: i64) -> Value {
        let ctx = self.b.ir.context();
        self.value(
            "arith.constant",
            &[],
            ctx.i64(),
            &[("value", ctx.i64_attr(value))],
        )
    }
    /// `scf.if` without results; builds its body.
    fn when(&mut self, condition: Value, body: impl FnOnce(&mut Emit<'_, '_>)) {
        let mut state = OpState::new(self.b.ctx().op_name("scf.if"), self.b.loc);
        state.operands.push(condition);
        state.regions = 2;
        let (op, loc) = (self.b.insert(state), self.b.loc);
        let region = self.b.ir.region(op, 0);
        let block = self.b.ir.add_block(region, &[]);
        let mut inner = Builder::at_end(self.b.ir, block, loc);
        let mut inner = Emit { b: &mut inner };
        body(&mut inner);
        inner.op("scf.yield", &[], None, &[]);
    }
}

/// Replaces a check by the entry of its number (from 1) where it fails.
fn lower(ir: &mut Ir, check: &Check, record: Value, number: i64) {
    let (condition, values) = (check.condition, &check.values);
    let ctx = ir.context();
    let mut b = Builder::before(ir, check.op);
    let mut e = Emit { b: &mut b };
    let yes = e.value(
        "arith.constant",
        &[],
        ctx.i1(),
        &[("value", ctx.bool_attr(true))],
    );
    let fails = e.value("arith.xori", &[condition, yes], ctx.i1(), &[]);
    e.when(fails, |e| {
        let (zero, taken) = (e.index(0), e.word(TAKEN));
        // 14 is `ori`.
        let kind = ctx.int_attr(14, ctx.i64());
        let before = e.value(
            "memref.atomic_rmw",
            &[taken, record, zero],
            ctx.i64(),
            &[("kind", kind)],
        );
        let none = e.word(0);
        let equal = ctx.i64_attr(0);
        let first = e.value(
            "arith.cmpi",
            &[before, none],
            ctx.i1(),
            &[("predicate", equal)],
        );
        e.when(first, |e| {
            for (at, &value) in values.iter().enumerate() {
                let place = e.index(at as i64 + 1);
                let value = e.value("arith.index_cast", &[value], ctx.i64(), &[]);
                e.op("memref.store", &[value, record, place], None, &[]);
            }
            let entry = e.word(TAKEN | number);
            let zero = e.index(0);
            e.op("memref.store", &[entry, record, zero], None, &[]);
        });
    });
    match check.gives {
        Some([value, otherwise]) => {
            let ty = e.b.ir.value_type(value);
            let given = e.value("arith.select", &[condition, value, otherwise], ty, &[]);
            ir.replace_op(check.op, &[given]);
        }
        None => ir.erase_op(check.op),
    }
}

/// Launches of these kernels pass a record, one per function.
fn pass_records(ir: &mut Ir, module: Op, kernels: &FxHashSet<Op>) {
    let ctx = ir.context();
    let launches = launches(ir, module);
    let mut records: FxHashMap<Block, Value> = FxHashMap::default();
    let mut tables = SymbolTables::new();
    for launch in launches {
        let checked = launch
            .resolve_kernel(ir, &mut tables)
            .is_some_and(|func| kernels.contains(&func.op()));
        let host = ir
            .ancestors(launch.op())
            .find(|&op| ir.op_name_str(op) == "func.func");
        let entry = host.and_then(|host| ir.entry_block(*ir.regions(host).first()?));
        let (true, Some(entry)) = (checked, entry) else {
            continue;
        };
        let record = match records.get(&entry) {
            Some(&record) => record,
            None => {
                let point = ir
                    .first_op(entry)
                    .map_or(InsertPoint::End(entry), InsertPoint::Before);
                let mut b = Builder::new(ir, point, segra_ir::Loc::UNKNOWN);
                let words = Emit { b: &mut b }.index(WORDS);
                let alloc = AllocOp::builder()
                    .dynamic_sizes(&[words])
                    .memref_type(record_type(&ctx))
                    .build(&mut b);
                ir.set_attr_named(alloc.op(), RECORD, Some(ctx.unit()));
                let record = alloc.memref(ir);
                records.insert(entry, record);
                record
            }
        };
        add_argument(ir, launch, record);
    }
}

/// Appends an argument to a launch: the same op with one operand more.
fn add_argument(ir: &mut Ir, launch: LaunchFuncOp, record: Value) {
    let op = launch.op();
    let mut arguments = launch.arguments(ir);
    arguments.push(record);
    let (grid, block) = (launch.grid(ir), launch.block(ir));
    let (shared, kernel) = (launch.dynamic_shared_memory(ir), launch.kernel_attr(ir));
    let Some(kernel) = kernel else { return };
    let mut b = Builder::before(ir, op);
    LaunchFuncOp::builder()
        .grid_x(grid[0])
        .grid_y(grid[1])
        .grid_z(grid[2])
        .block_x(block[0])
        .block_y(block[1])
        .block_z(block[2])
        .dynamic_shared_memory(shared)
        .arguments(&arguments)
        .kernel(kernel)
        .build(&mut b);
    ir.erase_op(op);
}
