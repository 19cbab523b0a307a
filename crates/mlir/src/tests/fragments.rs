//! Products of a warp: an instruction of the whole depth where the chip has it, two of half the depth on sm_75.

use super::{CHIPS, assemble, kernel, ptx, refusal};
use segra_worker::{Chip, ErrorCode, PtxVersion, Target};

/// A warp's product of fragments that it reads from shared memory.
fn product(element: &str) -> String {
    let array = format!("memref<?x{element}, #gpu.address_space<workgroup>>");
    let fragment = |rows: u32| format!("vector<{rows}x2x{element}>");
    let (a, b) = (fragment(4), fragment(2));
    let body = format!(
        "%c0 = arith.constant 0 : index\n%t = gpu.thread_id x\n\
         %all = memref.get_global @bytes : memref<0xi8, #gpu.address_space<workgroup>>\n\
         %s = memref.view %all[%c0][%n] : memref<0xi8, #gpu.address_space<workgroup>> to {array}\n\
         %z = arith.constant dense<0.0> : vector<2x2xf32>\n\
         %a = nvgpu.ldmatrix %s[%t] {{numTiles = 4 : i32, transpose = false}} : {array} -> {a}\n\
         %b = nvgpu.ldmatrix %s[%t] {{numTiles = 2 : i32, transpose = true}} : {array} -> {b}\n\
         %d = nvgpu.mma.sync (%a, %b, %z) {{mmaShape = [16, 8, 16]}} : ({a}, {b}, vector<2x2xf32>) -> vector<2x2xf32>\n\
         %d0 = vector.extract %d[1, 0] : f32 from vector<2x2xf32>\n\
         memref.store %d0, %y[%t] : memref<?xf32>"
    );
    let global = "memref.global @bytes : memref<0xi8, #gpu.address_space<workgroup>> {alignment = 16 : i64}\n";
    kernel("%y: memref<?xf32>, %n: index", &body).replacen(
        "gpu.func",
        &format!("{global}gpu.func"),
        1,
    )
}

#[test]
fn halves_are_multiplied_by_all_chips() {
    for chip in CHIPS {
        let ptx = ptx(&product("f16"), chip);
        let (instruction, count) = match chip {
            Chip::SM_75 => ("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", 2),
            _ => ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 1),
        };
        assert_eq!(ptx.matches(instruction).count(), count, "{ptx}");
        assert!(ptx.contains("ldmatrix.sync.aligned.m8n8.x2.trans"), "{ptx}");
        assemble(&ptx, chip);
    }
}

#[test]
fn bfloat16_needs_sm_80() {
    for chip in [Chip::SM_80, Chip::SM_90] {
        let ptx = ptx(&product("bf16"), chip);
        let instruction = "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32";
        assert_eq!(ptx.matches(instruction).count(), 1, "{ptx}");
        assemble(&ptx, chip);
    }
    let error = refusal(&product("bf16"), &Target::new(Chip::SM_75));
    assert_eq!(error.code, ErrorCode::Unsupported);
    let message = &error.diagnostics[0].message;
    assert!(
        message.contains("needs sm_80, the target is sm_75"),
        "{message}"
    );
}

#[test]
fn an_older_ptx_version_is_refused_not_raised() {
    let target = Target {
        ptx_version: Some(PtxVersion::new(6, 3)),
        ..Target::new(Chip::SM_75)
    };
    let error = refusal(&product("f16"), &target);
    let message = &error.diagnostics[0].message;
    assert!(
        message.contains("needs PTX 6.5, the target writes PTX 6.3"),
        "{message}"
    );
}
