//! Asynchronous copies to shared memory: an instruction where the chip has it, a load and a store where not.

use super::{CHIPS, assemble, kernel, ptx, refusal};
use segra_worker::{Chip, ErrorCode, Target};

/// Copies of one size, in elements of a type, and whether they bypass the first level cache.
fn copies(count: u32, element: &str, attributes: &str) -> String {
    let array = format!("memref<?x{element}, #gpu.address_space<workgroup>>");
    let body = format!(
        "%c0 = arith.constant 0 : index\n%t = gpu.thread_id x\n\
         %all = memref.get_global @bytes : memref<0xi8, #gpu.address_space<workgroup>>\n\
         %s = memref.view %all[%c0][%n] : memref<0xi8, #gpu.address_space<workgroup>> to {array}\n\
         %k = nvgpu.device_async_copy %x[%t], %s[%t], {count}{attributes} : memref<?x{element}> to {array}\n\
         %g = nvgpu.device_async_create_group %k\n\
         nvgpu.device_async_wait %g {{numGroups = 0 : i32}}\n\
         gpu.barrier\n\
         %v = memref.load %s[%t] : {array}\nmemref.store %v, %y[%t] : memref<?x{element}>"
    );
    let signature = format!("%x: memref<?x{element}>, %y: memref<?x{element}>, %n: index");
    let global = "memref.global @bytes : memref<0xi8, #gpu.address_space<workgroup>> {alignment = 16 : i64}\n";
    kernel(&signature, &body).replacen("gpu.func", &format!("{global}gpu.func"), 1)
}

#[test]
fn copies_are_instructions_from_sm_80_on_and_accesses_below() {
    for (count, element, attributes, native, load) in [
        (1, "f32", "", "cp.async.ca.shared.global", "ld.global.b32"),
        (1, "f64", "", "cp.async.ca.shared.global", "ld.global.b64"),
        (
            8,
            "f16",
            " {bypassL1}",
            "cp.async.cg.shared.global",
            "ld.global.v4.b32",
        ),
        (
            4,
            "i32",
            "",
            "cp.async.ca.shared.global",
            "ld.global.v4.b32",
        ),
    ] {
        for chip in CHIPS {
            let ptx = ptx(&copies(count, element, attributes), chip);
            let wanted = match chip {
                Chip::SM_75 => [load, "st.shared", "bar.sync"],
                _ => [native, "cp.async.commit_group", "cp.async.wait_group"],
            };
            for instruction in wanted {
                assert!(ptx.contains(instruction), "no {instruction}:\n{ptx}");
            }
            assert_eq!(ptx.contains("cp.async"), chip != Chip::SM_75, "{ptx}");
            assemble(&ptx, chip);
        }
    }
}

#[test]
fn zeros_behind_the_end_need_the_instruction() {
    let text = copies(4, "f32", ", %n {bypassL1}");
    let ptx = ptx(&text, Chip::SM_80);
    assert!(ptx.contains("], 16, %r"), "{ptx}");
    let error = refusal(&text, &Target::new(Chip::SM_75));
    assert_eq!(error.code, ErrorCode::Unsupported);
    let message = &error.diagnostics[0].message;
    assert!(
        message.contains("needs sm_80, the target is sm_75"),
        "{message}"
    );
}

#[test]
fn other_ops_of_the_dialect_are_refused() {
    let body = "%b = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>>";
    let error = refusal(&kernel("", body), &Target::new(Chip::SM_90));
    assert_eq!(error.code, ErrorCode::Unsupported);
}
