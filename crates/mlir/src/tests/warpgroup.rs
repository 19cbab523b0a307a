//! Products of a warpgroup: descriptors, fences and waits around the instructions, on the one chip that has them.

use super::{assemble, kernel, ptx, refusal};
use segra_worker::{Chip, ErrorCode, Target};

/// A product of two arrays in shared memory at these steps, in loop, as a kernel has it.
fn product(element: &str, (starts_a, starts_b): (&str, &str), more: &str) -> String {
    const SUMS: usize = 32;
    let array = format!("memref<?x{element}, #gpu.address_space<workgroup>>");
    let all = "memref<0xi8, #gpu.address_space<workgroup>>";
    let list = |name: &str| {
        let all: Vec<String> = (0..SUMS).map(|at| format!("%{name}{at}")).collect();
        all.join(", ")
    };
    let parts = |name: &str| {
        let all: Vec<String> = (0..SUMS).map(|at| format!("%{name}#{at}")).collect();
        all.join(", ")
    };
    let floats = vec!["f32"; SUMS].join(", ");
    let starts: Vec<String> = (0..SUMS).map(|at| format!("%s{at} = %z")).collect();
    let stores: Vec<String> = (0..SUMS)
        .map(|at| {
            format!(
                "%at{at} = arith.constant {at} : index\n%p{at} = arith.addi %first, %at{at} : index\n\
                 memref.store %r#{at}, %y[%p{at}] : memref<?xf32>"
            )
        })
        .collect();
    let body = format!(
        "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c32 = arith.constant 32 : index\n\
         %c8192 = arith.constant 8192 : index\n%t = gpu.thread_id x\n%z = arith.constant 0.0 : f32\n\
         %all = memref.get_global @bytes : {all}\n\
         %a = memref.view %all[%c0][%n] : {all} to {array}\n\
         %b = memref.view %all[%c8192][%n] : {all} to {array}\n\
         %r:{SUMS} = scf.for %k = %c0 to %n step %c1 iter_args({}) -> ({floats}) {{\n\
         gpu.barrier\n\
         %d:{SUMS} = \"builtin.unrealized_conversion_cast\"(%a, %c0, %b, %c0, {}) {{segra.warpgroup_mma, \
         segra.columns = 64 : i64, segra.starts_a = array<i64: {starts_a}>, segra.starts_b = array<i64: {starts_b}>, \
         segra.apart_a = 512 : i64, segra.apart_b = array<i64: 4096, 512>{more}}} : \
         ({array}, index, {array}, index, {floats}) -> ({floats})\n\
         %e:{SUMS} = \"builtin.unrealized_conversion_cast\"({}) {{segra.warpgroup_wait}} : ({floats}) -> ({floats})\n\
         scf.yield {} : {floats}\n}}\n\
         %first = arith.muli %t, %c32 : index\n{}",
        starts.join(", "),
        list("s"),
        parts("d"),
        parts("e"),
        stores.join("\n"),
    );
    let global = format!("memref.global @bytes : {all} {{alignment = 1024 : i64}}\n");
    kernel("%y: memref<?xf32>, %n: index", &body).replacen(
        "gpu.func",
        &format!("{global}gpu.func"),
        1,
    )
}

fn hopper() -> Chip {
    "sm_90a".parse().expect("the chip is known")
}

#[test]
fn steps_are_instructions_between_a_fence_and_a_wait() {
    for (element, across) in [("f16", ""), ("bf16", ", segra.across_b")] {
        let text = ptx(&product(element, ("0, 16", "0, 1024"), across), hopper());
        let trans = i32::from(!across.is_empty());
        let instruction = format!("wgmma.mma_async.sync.aligned.m64n64k16.f32.{element}.{element}");
        let order = [
            "fence.proxy.async.shared::cta",
            "bar.sync",
            "wgmma.fence.sync.aligned",
            &instruction,
            &instruction,
            "wgmma.commit_group.sync.aligned",
            "wgmma.wait_group.sync.aligned",
        ];
        let mut rest = &text[..];
        for wanted in order {
            let at = rest.find(wanted);
            let at = at.unwrap_or_else(|| panic!("no {wanted} here:\n{text}"));
            rest = &rest[at + wanted.len()..];
        }
        assert_eq!(text.matches(&instruction).count(), 2, "{text}");
        // Both signs are those of the numbers; the second matrix is transposed, or not.
        assert!(text.contains(&format!("p, 1,  1, 0,  {trans};")), "{text}");
        assemble(&text, hopper());
    }
}

#[test]
fn other_chips_refuse() {
    let text = product("f16", ("0", "0"), "");
    for chip in [Chip::SM_80, Chip::SM_90] {
        let error = refusal(&text, &Target::new(chip));
        assert_eq!(error.code, ErrorCode::Unsupported);
        let message = error.to_string();
        assert!(message.contains("sm_90a"), "{message}");
    }
}
