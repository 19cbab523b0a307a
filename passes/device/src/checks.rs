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
//! and places by number. A thread whose check fails runs on: the lowering guards what the check is for. It only enters no further
//! iteration of a `scf.while`: what a check gives instead may never meet the loop's condition. Loops in which threads wait for each
//! other or exchange values are left alone.
//!
//! The layout is that of `ErrorRecord` in `segra-artifact`: four words, the first with the number in its lower half.

use rustc_hash::{FxHashMap, FxHashSet};
use segra_gpu::device::{CheckOp, GpuFuncOp};
use segra_gpu::host::{AllocOp, GpuModuleOp, LaunchFuncOp, launches, top_level};
use segra_gpu::record::{RECORD, SITES};
use segra_ir::interfaces::{EffectKind, own_effects};
use segra_ir::symbol::SymbolTables;
use segra_ir::types::DYNAMIC;
use segra_ir::{Attr, AttrKind, Block, Builder, Context, InsertPoint, Ir, Op, OpView, Type, Value};
use segra_pass::{Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult};
use segra_std::arith::{self, CmpIPredicate, index};
use segra_std::check::RequireOp;
use segra_std::{builtin, func, memref, scf};

/// In the padding of the record's first word: some thread has won.
const TAKEN: i64 = 1 << 32;
/// Words of the record.
const WORDS: i64 = 4;

segra_pass::pass_options! {
    /// The pass; it has no options.
    pub struct LowerChecks {}
}

const INFO: PassInfo = PassInfo {
    name: "lower-checks",
    summary: "turn checks in kernels into entries of the error record",
    reads: &["gpu"],
    writes: &["arith", "gpu", "memref", "scf"],
    anchors: Anchors::Ops(&[builtin::ModuleOp::DEF.name]),
};

impl Pass for LowerChecks {
    fn info(&self) -> &'static PassInfo {
        &INFO
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
                let failed = leave_loops(ir, func);
                for op in checks {
                    // Now: a check may use what another one gave.
                    let Some(check) = Check::of(ir, op) else {
                        continue;
                    };
                    sites.push(site(ir, &check));
                    lower(ir, &check, record, failed, sites.len() as i64);
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

/// A check of a kernel.
struct Check {
    op: Op,
    condition: Value,
    values: Vec<Value>,
    message: Option<Attr>,
    /// Its result where the condition holds, and where not.
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
        let require = ir.cast::<RequireOp>(op)?;
        Some(Check {
            op,
            condition: require.condition(ir),
            values: require.numbers(ir),
            message: require.message_attr(ir),
            gives: Some([require.value(ir), require.otherwise(ir)]),
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

/// The runtime's description of a check.
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

/// A word of the record.
fn word(b: &mut Builder<'_>, value: i64) -> Value {
    let ty = b.ctx().i64();
    arith::ConstantOp::int(b, value, ty)
}

fn flag(b: &mut Builder<'_>, value: bool) -> Value {
    let ty = b.ctx().i1();
    arith::ConstantOp::int(b, i64::from(value), ty)
}

/// `scf.if` without results; builds its body.
fn when(b: &mut Builder<'_>, condition: Value, body: impl FnOnce(&mut Builder<'_>)) {
    let op = scf::IfOp::build(b, condition, &[]).op();
    let region = b.ir.region(op, 0);
    b.build_block(region, &[], |b, _| {
        body(b);
        scf::YieldOp::build(b, &[]);
    });
}

/// Replaces a check by the entry of its number (from 1) where it fails.
fn lower(ir: &mut Ir, check: &Check, record: Value, failed: Option<Value>, number: i64) {
    let (condition, values) = (check.condition, &check.values);
    let mut b = Builder::before(ir, check.op);
    let b = &mut b;
    let fails = arith::XOrIOp::not(b, condition);
    when(b, fails, |b| {
        if let Some(failed) = failed {
            let yes = flag(b, true);
            memref::StoreOp::build(b, yes, failed, &[]);
        }
        let (zero, taken) = (index::constant(b, 0), word(b, TAKEN));
        let kind = memref::AtomicRmwKind::Ori.attr(b.ctx());
        let before = memref::AtomicRmwOp::builder()
            .kind(kind)
            .value(taken)
            .memref(record)
            .indices(&[zero])
            .build(b)
            .result(b.ir);
        let none = word(b, 0);
        let equal = CmpIPredicate::Eq.attr(b.ctx());
        let first = arith::CmpIOp::build(b, equal, before, none).result(b.ir);
        when(b, first, |b| {
            for (at, &value) in values.iter().enumerate() {
                let place = index::constant(b, at as i64 + 1);
                let word = b.ctx().i64();
                let value = arith::IndexCastOp::build(b, value, word).out(b.ir);
                memref::StoreOp::build(b, value, record, &[place]);
            }
            let entry = word(b, TAKEN | number);
            let zero = index::constant(b, 0);
            memref::StoreOp::build(b, entry, record, &[zero]);
        });
    });
    match check.gives {
        Some([value, otherwise]) => {
            let given = arith::SelectOp::build(b, condition, value, otherwise).result(b.ir);
            ir.replace_op(check.op, &[given]);
        }
        None => ir.erase_op(check.op),
    }
}

/// Threads that have failed leave loops: memory for whether this one has, where there are such loops.
fn leave_loops(ir: &mut Ir, func: GpuFuncOp) -> Option<Value> {
    let inside = ir.walk(func.op());
    let meeting = meeting_places(ir, &inside);
    let loops = inside.into_iter().filter(|op| !meeting.contains(op));
    let loops: Vec<scf::WhileOp> = loops.filter_map(|op| ir.cast(op)).collect();
    if loops.is_empty() {
        return None;
    }
    let ctx = ir.context();
    let entry = ir.entry_block(func.body(ir))?;
    let point = ir
        .first_op(entry)
        .map_or(InsertPoint::End(entry), InsertPoint::Before);
    let mut b = Builder::new(ir, point, segra_ir::Loc::UNKNOWN);
    let failed = memref::AllocaOp::builder()
        .memref_type(ctx.memref(&[], ctx.i1(), None))
        .build(&mut b)
        .memref(b.ir);
    let no = flag(&mut b, false);
    memref::StoreOp::build(&mut b, no, failed, &[]);
    for looped in loops {
        let before = looped.before_block(ir);
        let Some(condition) = ir.last_op(before) else {
            continue;
        };
        let goes_on = ir.operand(condition, 0);
        let mut b = Builder::before(ir, condition);
        let failed = memref::LoadOp::build(&mut b, failed, &[]).result(b.ir);
        let well = arith::XOrIOp::not(&mut b, failed);
        let both = arith::AndIOp::build(&mut b, goes_on, well).result(b.ir);
        ir.set_operand(condition, 0, both);
    }
    Some(failed)
}

/// The ops in which threads wait for each other or exchange values, of those that a walk gives.
fn meeting_places(ir: &Ir, inside: &[Op]) -> FxHashSet<Op> {
    let mut meeting = FxHashSet::default();
    for &op in inside {
        let waits = own_effects(ir, op).is_none_or(|effects| {
            let mut kinds = effects.iter().map(|effect| effect.kind);
            kinds.any(|kind| kind == EffectKind::Control)
        });
        if waits && Check::of(ir, op).is_none() {
            let around = ir.ancestors(op);
            // Those around an op that is known are known.
            for op in around
                .take_while(|&op| !meeting.contains(&op))
                .collect::<Vec<_>>()
            {
                meeting.insert(op);
            }
        }
    }
    meeting
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
            .find(|&op| ir.isa::<func::FuncOp>(op));
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
                let words = index::constant(&mut b, WORDS);
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
