//! Products of a warp: an instruction of the whole depth where the chip has it, two of half the depth on sm_75; and code
//! for some targets only.

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

/// A warp's product of fragments that are arguments of the kernel in memory, of these types, to a sum.
fn product_of([a, b, sum]: [&str; 3], shape: [i64; 3], attributes: &str) -> String {
    let scalar = sum
        .rsplit_once('x')
        .map_or("", |(_, scalar)| scalar.trim_end_matches('>'));
    let zero = if scalar == "i32" { "0" } else { "0.0" };
    let [m, n, k] = shape;
    let element = |vector: &str| {
        let element = vector.rsplit_once('x').map_or("", |(_, element)| element);
        element.trim_end_matches('>').to_owned()
    };
    let factor = element(a);
    let body = format!(
        "%t = gpu.thread_id x\n\
         %x = memref.load %xs[%t] : memref<?x{factor}>\n\
         %a = vector.broadcast %x : {factor} to {a}\n\
         %b = vector.broadcast %x : {factor} to {b}\n\
         %z = arith.constant dense<{zero}> : {sum}\n\
         %d = nvgpu.mma.sync (%a, %b, %z) {{mmaShape = [{m}, {n}, {k}]{attributes}}} : ({a}, {b}, {sum}) -> {sum}\n\
         %d0 = vector.extract %d[0, 1] : {scalar} from {sum}\n\
         memref.store %d0, %y[%t] : memref<?x{scalar}>"
    );
    kernel(
        &format!("%xs: memref<?x{factor}>, %y: memref<?x{scalar}>"),
        &body,
    )
}

#[test]
fn bytes_doubles_and_sums_of_halves_have_instructions_from_sm_80_on() {
    let bytes = ["vector<4x4xi8>", "vector<2x4xi8>", "vector<2x2xi32>"];
    let doubles = ["vector<1x1xf64>", "vector<1x1xf64>", "vector<1x2xf64>"];
    let halves = ["vector<4x2xf16>", "vector<2x2xf16>", "vector<2x2xf16>"];
    for (types, shape, attributes, instruction) in [
        (bytes, [16, 8, 32], "", "m16n8k32.row.col.s32.s8.s8.s32"),
        (
            bytes,
            [16, 8, 32],
            ", segra.unsigned_a",
            "m16n8k32.row.col.s32.u8.s8.s32",
        ),
        (
            bytes,
            [16, 8, 32],
            ", segra.unsigned_b",
            "m16n8k32.row.col.s32.s8.u8.s32",
        ),
        (doubles, [8, 8, 4], "", "m8n8k4.row.col.f64.f64.f64.f64"),
        (halves, [16, 8, 16], "", "m16n8k16.row.col.f16.f16.f16.f16"),
    ] {
        let text = product_of(types, shape, attributes);
        for chip in [Chip::SM_80, Chip::SM_90] {
            let ptx = ptx(&text, chip);
            let instruction = format!("mma.sync.aligned.{instruction}");
            assert_eq!(ptx.matches(&instruction).count(), 1, "{ptx}");
            assemble(&ptx, chip);
        }
    }
    let turing = ptx(&product_of(halves, [16, 8, 16], ""), Chip::SM_75);
    let instruction = "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16";
    assert_eq!(turing.matches(instruction).count(), 2, "{turing}");
    assemble(&turing, Chip::SM_75);
    let error = refusal(
        &product_of(bytes, [16, 8, 32], ""),
        &Target::new(Chip::SM_75),
    );
    assert_eq!(error.code, ErrorCode::Unsupported);
}

#[test]
fn of_two_versions_a_target_has_its_own() {
    let types = ["vector<1x1xf64>", "vector<1x1xf64>", "vector<1x2xf64>"];
    let text = product_of(types, [8, 8, 4], "");
    let (before, rest) = text.split_once("%d = nvgpu").expect("it has a product");
    let (product, after) = rest.split_once('\n').expect("it has lines");
    let text = format!(
        "{before}%has = builtin.unrealized_conversion_cast to i1 {{segra.target_since = 80 : i64}}\n\
         %d = scf.if %has -> (vector<1x2xf64>) {{\n%m = nvgpu{product}\nscf.yield %m : vector<1x2xf64>\n}} else {{\n\
         %s = math.sqrt %z : vector<1x2xf64>\nscf.yield %s : vector<1x2xf64>\n}}\n{after}"
    );
    for chip in CHIPS {
        let ptx = ptx(&text, chip);
        let count = usize::from(chip != Chip::SM_75);
        assert_eq!(ptx.matches("mma.sync").count(), count, "{ptx}");
        assert!(!ptx.contains("bra"), "{ptx}");
        assemble(&ptx, chip);
    }
    let odd = text.replace("80 : i64", "\"new\"");
    let error = refusal(&odd, &Target::new(Chip::SM_80));
    assert_eq!(error.code, ErrorCode::KernelContract);
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
