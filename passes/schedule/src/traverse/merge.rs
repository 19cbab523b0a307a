//! Nests that combine no columns, as one nest: what one makes at a point and another one reads there stays in a register.
//!
//! ```mlir
//! %z = kernel.segmap thread (%i < %n) { return %w[%i] - %a * %v[%i] }
//! %r = kernel.segred thread (%i < %n) init (%c0 : f32) { return %z[%i] * %u[%i] } combine ...
//! ==>
//! %r, %z = kernel.segred thread (%i < %n) init (%c0 : f32) { %d = %w[%i] - %a * %v[%i]; return %d * %u[%i], %d } combine ...
//! ```
//! Filipovič, Madzin, Fousek and Matyska, "Optimizing CUDA code by kernel fusion: application on BLAS", 3.2.1 and 3.2.2: maps
//! fuse where the same thread has the same point of both, a reduction with what makes its elements, and with other
//! reductions. Each thread runs the bodies in the order of the program; theirs has several orders, as each of their routines
//! ends by a barrier and holds shared memory until then, which decides how many blocks fit a multiprocessor. Bodies here
//! are straight-line code on registers, whose order the assembler chooses, so all orders are one implementation. Sizes
//! of thread blocks and points of a thread are chosen by later passes, for this nest as for any other.
//!
//! Legality: that of a [`Group`], whose members combine no columns: then all have the same indices in the same order. The
//! operators act on values of their own, side by side, so that each is associative as before.
//!
//! Limits: as many arrays as a kernel has parameters for, and bytes of accumulators as a thread has registers for
//! ([`Target::most_arrays`], [`Target::most_reduced_bytes`]); the fusion of arrays has the same.

use crate::traverse::group::Group;
use crate::traverse::member::Kind;
use crate::traverse::plan::{Combined, Stored};
use crate::traverse::sequence::Sequence;
use rustc_hash::FxHashSet;
use segra_ir::clone::Mapping;
use segra_ir::{Builder, Ir, Type, Value};
use segra_kernel::access::Read;
use segra_kernel::level::Level;
use segra_kernel::segop::{ReturnOp, SegMapOp, SegRedOp};
use segra_space::Target;

/// Whether the members of a group, none of which combines columns, may be one nest.
pub(super) fn is_possible(ir: &Ir, group: &Group, sequence: &Sequence) -> bool {
    let mut arrays: FxHashSet<Value> = FxHashSet::default();
    let mut combined = 0;
    for member in &group.members {
        let read = member
            .reads(ir)
            .map(|read| sequence.resolve(read.tensor(ir)));
        arrays.extend(read);
        arrays.extend(ir.results(member.op));
        combined += member.state(ir);
    }
    arrays.len() <= Target::CUDA.most_arrays && combined <= Target::CUDA.most_reduced_bytes
}

/// Emits the nest: what stands for the members' results that are `needed`. `around` maps what is outside of the members.
pub(super) fn emit(
    b: &mut Builder<'_>,
    (group, sequence): (&Group, &Sequence),
    around: &Mapping,
    needed: &dyn Fn(Value) -> bool,
) -> Option<Vec<(Value, Value)>> {
    let ir = &*b.ir;
    let of_rows = group
        .members
        .iter()
        .filter(|member| member.kind == Kind::Rows);
    let combined: Vec<Combined> = of_rows
        .map(|member| Combined::of(ir, member))
        .collect::<Option<_>>()?;
    let stored = Stored::of(ir, group, needed);
    let made = |(value, result): (&Value, &Value)| (*value, *result);
    let mut values: Vec<(Value, Value)> = combined
        .iter()
        .flat_map(|one| one.values.iter().zip(&one.results).map(made))
        .collect();
    values.extend(stored.iter().map(|one| (one.value, one.result)));
    let results: Vec<Type> = values.iter().map(|row| b.type_of(row.1)).collect();
    let sizes = around.get_all(group.members.first()?.space.sizes());
    let neutral = around.get_all(Combined::neutrals(&combined));
    let ctx = b.ir.context();
    let level = Level::Thread.attr(&ctx);
    let (body, new) = if combined.is_empty() {
        let segmap = SegMapOp::builder()
            .level(level)
            .sizes(&sizes)
            .results_types(&results)
            .build(b);
        (segmap.body(b.ir), segmap.results(b.ir))
    } else {
        let types: Vec<Type> = neutral.iter().map(|&value| b.type_of(value)).collect();
        let segred = SegRedOp::builder()
            .level(level)
            .sizes(&sizes)
            .neutral(&neutral)
            .results_types(&results)
            .build(b);
        let both = [&types[..], &types].concat();
        let region = segred.combine(b.ir);
        b.build_block(region, &both, |b, args| {
            let (left, right) = args.split_at(types.len());
            let next = Combined::apply_all(b, &combined, around, left, right);
            ReturnOp::build(b, &next);
        });
        (segred.body(b.ir), segred.results(b.ir))
    };
    b.build_block(body, &vec![ctx.index(); sizes.len()], |b, args| {
        let mapping = bodies(b, (group, sequence), around, args);
        let returned = mapping.get_all(values.iter().map(|row| row.0));
        ReturnOp::build(b, &returned);
    });
    Some(values.iter().map(|row| row.1).zip(new).collect())
}

/// Emits the bodies of all members at a point, one after another.
fn bodies(
    b: &mut Builder<'_>,
    (group, sequence): (&Group, &Sequence),
    around: &Mapping,
    point: &[Value],
) -> Mapping {
    let mut mapping = around.clone();
    for member in &group.members {
        mapping.map_all(&member.element(), point);
        let last = b.ir.last_op(member.body);
        let ops: Vec<_> =
            b.ir.ops(member.body)
                .filter(|&op| Some(op) != last)
                .collect();
        for op in ops {
            let ir = &*b.ir;
            let link = Read::of(ir, op)
                .and_then(|read| group.link(ir, sequence, read))
                .and_then(|(maker, index)| maker.returned(ir).get(index).copied());
            match link {
                Some(value) => {
                    let here = mapping.get(value);
                    mapping.map(b.ir.result(op, 0), here);
                }
                None => {
                    b.clone_op(op, &mut mapping);
                }
            }
        }
    }
    mapping
}
