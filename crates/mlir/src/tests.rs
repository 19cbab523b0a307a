//! Kernels through the whole exit, and every way to be refused.
//!
//! The kernels under `tests/` are in generic form, as
//! Segra's device level prints them.

use segra_tests::ptxas::{KernelUsage, Ptxas};

use segra_worker::{
    Chip, ErrorCode, LIBDEVICE_MATH, MlirError, NATIVE_MATH, PtxVersion, Stage, Target,
};

use crate::compile::compile;
use crate::session::Session;
use crate::{libdevice as library, math};

mod copies;
mod fragments;
mod hint;
mod libdevice;
mod places;
mod short;
mod split;
mod tf32;
mod warpgroup;

const SAXPY: &str = include_str!("tests/saxpy.mlir");
const ROW_SUM: &str = include_str!("tests/row_sum.mlir");
const TRANSPOSE: &str = include_str!("tests/shared_global.mlir");
const SCALARS: &str = include_str!("tests/scalars.mlir");
const ATOMICS: &str = include_str!("tests/atomics.mlir");
const PRIVATE: &str = include_str!("tests/private.mlir");

const CHIPS: [Chip; 3] = [Chip::SM_75, Chip::SM_80, Chip::SM_90];

fn ptx(text: &str, chip: Chip) -> String {
    match compile(text, &Target::new(chip), Stage::Ptx, 1) {
        Ok(output) => output.text,
        Err(error) => panic!("{chip}: {error}"),
    }
}

fn refusal(text: &str, target: &Target) -> MlirError {
    match compile(text, target, Stage::Ptx, 1) {
        Ok(output) => panic!("compiled, but should not:\n{}", output.text),
        Err(error) => error,
    }
}

fn assemble(ptx: &str, chip: Chip) -> Vec<KernelUsage> {
    let kernels = Ptxas::find().and_then(|ptxas| ptxas.assemble(ptx, &chip.to_string()));
    kernels.unwrap_or_else(|error| panic!("{error}\n{ptx}"))
}

fn verify(text: &str) -> Result<(), MlirError> {
    Session::new().parse(text).map(drop)
}

/// A kernel of one thread with `body` between its signature and its return.
fn kernel(signature: &str, body: &str) -> String {
    format!(
        "module attributes {{gpu.container_module}} {{\ngpu.module @m {{\n\
         gpu.func @k({signature}) kernel {{\n{body}\ngpu.return\n}}\n}}\n}}\n"
    )
}

/// The parameter declarations of the first entry, as `.param` types and attributes.
fn parameters(ptx: &str) -> Vec<&str> {
    let (_, rest) = ptx.split_once(".entry").unwrap();
    let (list, _) = rest.split_once("\n)").unwrap();
    list.lines()
        .filter_map(|line| line.trim().strip_prefix(".param "))
        .collect()
}

#[test]
fn every_kernel_assembles_for_every_chip_without_spills() {
    for text in [SAXPY, ROW_SUM, TRANSPOSE, SCALARS, ATOMICS, PRIVATE] {
        for chip in CHIPS {
            let ptx = ptx(text, chip);
            assert!(ptx.contains(&format!(".target {chip}")), "{ptx}");
            let kernels = assemble(&ptx, chip);
            assert_eq!(kernels.len(), 1, "{ptx}");
            assert!(
                !kernels[0].spills() && kernels[0].stack_bytes == 0,
                "{:?}\n{ptx}",
                kernels[0]
            );
        }
    }
}

#[test]
fn an_array_is_one_pointer_parameter_that_keeps_its_attributes() {
    let ptx = ptx(SAXPY, Chip::SM_80);
    let parameters = parameters(&ptx);
    assert_eq!(parameters.len(), 4, "{ptx}");
    assert!(
        parameters[0].starts_with(".f32 ") && parameters[1].starts_with(".u64 "),
        "{parameters:?}"
    );
    assert!(
        parameters[2].starts_with(".u64 .ptr .global .align 16"),
        "{parameters:?}"
    );
    assert!(
        parameters[3].starts_with(".u64 .ptr .global .align 16"),
        "{parameters:?}"
    );
    assert!(
        ptx.contains("ld.global.nc.b32"),
        "noalias and readonly did not arrive:\n{ptx}"
    );
    assert!(
        ptx.contains("fma.rn.f32") && !ptx.contains("mul.rn.f32"),
        "contract did not arrive:\n{ptx}"
    );
    assert!(ptx.contains(".maxntid 256"), "{ptx}");
}

#[test]
fn arrays_without_a_memory_space_are_global_too() {
    let ptx = ptx(TRANSPOSE, Chip::SM_80);
    assert!(
        ptx.contains("st.global.b32") && ptx.contains("ld.global.nc.b32"),
        "{ptx}"
    );
    assert!(
        ptx.contains("st.shared.b32") && ptx.contains("ld.shared.b32"),
        "{ptx}"
    );
    assert_eq!(assemble(&ptx, Chip::SM_80)[0].shared_bytes, 16 * 17 * 4);
}

#[test]
fn scalars_have_their_own_widths() {
    let ptx = ptx(SCALARS, Chip::SM_80);
    let widths: Vec<_> = parameters(&ptx)
        .iter()
        .map(|line| line.split(' ').next().unwrap_or_default())
        .collect();
    // Half floats travel as two aligned bytes, booleans as one byte.
    let expected = [
        ".u8", ".u8", ".u16", ".u32", ".u64", ".align", ".align", ".f64", ".u64", ".u64", ".u64",
        ".u64",
    ];
    assert_eq!(widths, expected, "{ptx}");
}

#[test]
fn barriers_shuffles_and_shared_memory_arrive() {
    let ptx = ptx(ROW_SUM, Chip::SM_75);
    for instruction in [
        "bar.sync",
        "shfl.sync.bfly.b32",
        "st.shared.b32",
        "ld.global.nc.b32",
    ] {
        assert!(ptx.contains(instruction), "no {instruction}:\n{ptx}");
    }
    assert_eq!(assemble(&ptx, Chip::SM_75)[0].shared_bytes, 32);
}

#[test]
fn atomics_are_single_instructions() {
    let ptx = ptx(ATOMICS, Chip::SM_75);
    for instruction in ["add.u32", "max.s32", "add.f32", "add.f64"] {
        let found = ptx.lines().any(|line| {
            (line.contains("atom.") || line.contains("red.")) && line.contains(instruction)
        });
        assert!(found, "no atomic {instruction}:\n{ptx}");
    }
    assert!(!ptx.contains(".cas."), "{ptx}");
}

#[test]
fn any_other_update_is_a_loop_of_compare_and_swap() {
    // A product that is only written where it is larger, of every type there is an instruction for.
    for (ty, bits, one) in [
        ("f32", 32, "1.0"),
        ("f64", 64, "1.0"),
        ("i64", 64, "1"),
        ("i16", 16, "1"),
        ("bf16", 16, "1.0"),
    ] {
        let float = ty.contains('f');
        let (times, compare) = if float {
            ("mulf", "cmpf ogt")
        } else {
            ("muli", "cmpi sgt")
        };
        let update = |memref: &str, shape: &str| {
            format!(
                "memref.generic_atomic_rmw %{memref}[%n] : {shape} {{
                 ^bb0(%old: {ty}):
                   %p = arith.{times} %old, %v : {ty}
                   %more = arith.{compare}, %p, %old : {ty}
                   %new = scf.if %more -> ({ty}) {{ scf.yield %p : {ty} }} else {{ scf.yield %old : {ty} }}
                   memref.atomic_yield %new : {ty}
                 }}"
            )
        };
        let tile = format!("memref<32x{ty}, #gpu.address_space<workgroup>>");
        let body = format!(
            "%v = arith.constant {one} : {ty}
             %old_y = {}
             memref.store %old_y, %y[%n] : memref<?x{ty}>
             %tile = memref.get_global @tile : {tile}
             %old_tile = {}",
            update("y", &format!("memref<?x{ty}>")),
            update("tile", &tile),
        );
        let text = kernel(&format!("%n: index, %y: memref<?x{ty}>"), &body);
        let text = text.replacen(
            "gpu.func",
            &format!("memref.global \"private\" @tile : {tile}\n    gpu.func"),
            1,
        );
        for chip in CHIPS {
            let ptx = ptx(&text, chip);
            for scoped in ["gpu.global", "cta.shared"] {
                let (scope, space) = scoped.split_once('.').unwrap();
                let wanted = format!("atom.relaxed.{scope}.{space}.cas.b{bits}");
                assert!(ptx.contains(&wanted), "{ty} on {chip}: no {wanted}\n{ptx}");
                let first = format!("ld.relaxed.{scope}.{space}.b{bits}");
                assert!(ptx.contains(&first), "{ty} on {chip}: no {first}\n{ptx}");
            }
            assert!(
                !ptx.contains("fence") && !ptx.contains("membar"),
                "{ty} on {chip}: {ptx}"
            );
            assemble(&ptx, chip);
        }
    }
}

#[test]
fn small_private_arrays_live_in_registers_and_vector_loads_stay_whole() {
    let ptx = ptx(PRIVATE, Chip::SM_90);
    assert!(!ptx.contains(".local"), "{ptx}");
    assert!(ptx.contains("ld.global.nc.v4.b32"), "{ptx}");
}

#[test]
fn math_ops_become_single_instructions() {
    let unary = |op: &str, r#type: &str| {
        kernel(
            &format!("%x: {type}, %y: memref<?x{type}>"),
            &format!(
                "%i = arith.constant 0 : index\n%r = {op} %x : {type}\nmemref.store %r, %y[%i] : memref<?x{type}>"
            ),
        )
    };
    let cases = [
        ("math.sqrt", "f32", "sqrt.rn.f32"),
        ("math.sqrt", "f64", "sqrt.rn.f64"),
        ("math.rsqrt", "f32", "rsqrt.approx.f32"),
        ("math.rsqrt", "f64", "rsqrt.approx.f64"),
        ("math.absf", "f32", "abs.f32"),
        ("math.floor", "f32", "cvt.rmi.f32.f32"),
        ("math.ceil", "f64", "cvt.rpi.f64.f64"),
        ("math.trunc", "f32", "cvt.rzi.f32.f32"),
        ("math.roundeven", "f32", "cvt.rni.f32.f32"),
        ("math.exp2", "f32", "ex2.approx.f32"),
        ("math.log2", "f32", "lg2.approx.f32"),
        ("math.absi", "i32", "abs.s32"),
        ("math.ctlz", "i32", "clz.b32"),
        ("math.ctlz", "i64", "clz.b64"),
        ("math.cttz", "i32", "popc.b32"),
        ("math.ctpop", "i64", "popc.b64"),
    ];
    for (op, r#type, instruction) in cases {
        let text = unary(op, r#type);
        for chip in CHIPS {
            let ptx = ptx(&text, chip);
            assert!(
                ptx.contains(instruction),
                "{op} {type}: no {instruction}:\n{ptx}"
            );
            assemble(&ptx, chip);
        }
    }
}

#[test]
fn math_ops_of_several_operands_and_vectors_pass() {
    let body = "
        %c0 = arith.constant 0 : index
        %r0 = math.fma %a, %b, %b : f32
        %r1 = math.copysign %r0, %a : f32
        %r2 = arith.maximumf %r1, %a : f32
        %r3 = arith.minnumf %r2, %b fastmath<nnan> : f32
        %r4 = arith.maxnumf %r3, %a : f32
        %r5 = math.round %r4 : f32
        %nan = math.isnan %r5 : f32
        %r6 = arith.select %nan, %a, %r5 : f32
        memref.store %r6, %y[%c0] : memref<?xf32>
        %v = vector.load %y[%c0] : memref<?xf32>, vector<4xf32>
        %w = math.sqrt %v fastmath<afn> : vector<4xf32>
        %u = math.fma %w, %v, %w : vector<4xf32>
        vector.store %u, %y[%c0] : memref<?xf32>, vector<4xf32>";
    let text = kernel("%a: f32, %b: f32, %y: memref<?xf32>", body);
    for chip in CHIPS {
        let ptx = ptx(&text, chip);
        for instruction in [
            "fma.rn.f32",
            "copysign.f32",
            "max.f32",
            "min.f32",
            "sqrt.approx.f32",
        ] {
            let found = ptx.contains(instruction);
            assert!(found, "{chip}: no {instruction}:\n{ptx}");
        }
        assemble(&ptx, chip);
    }
}

#[test]
fn every_native_math_op_is_accepted_on_every_type_it_names() {
    for name in math::routed_ops() {
        for r#type in ["f16", "bf16", "f32", "f64", "i8", "i16", "i32", "i64"] {
            let operands = match name {
                "math.fma" => "%x, %x, %x",
                "math.copysign" | "arith.maxnumf" | "arith.minnumf" => "%x, %x",
                _ => "%x",
            };
            let result = if name.starts_with("math.is") {
                "i1"
            } else {
                r#type
            };
            let text = kernel(
                &format!("%x: {type}, %y: memref<?x{result}>"),
                &format!(
                    "%i = arith.constant 0 : index\n%r = {name} {operands} : {type}\n\
                     memref.store %r, %y[%i] : memref<?x{result}>"
                ),
            );
            if verify(&text).is_err() {
                continue;
            }
            for chip in CHIPS {
                match compile(&text, &Target::new(chip), Stage::Ptx, 1) {
                    Ok(output) => drop(assemble(&output.text, chip)),
                    Err(error) => {
                        assert_eq!(error.code, ErrorCode::Unsupported, "{name} {type}: {error}")
                    }
                }
            }
        }
    }
}

#[test]
fn the_same_text_gives_the_same_output() {
    for stage in [Stage::Llvm, Stage::Ptx] {
        let target = Target::new(Chip::SM_80);
        let first = compile(ROW_SUM, &target, stage, 1).unwrap();
        let second = std::thread::spawn(move || compile(ROW_SUM, &target, stage, 1).unwrap())
            .join()
            .unwrap();
        assert_eq!(first, second);
    }
}

#[test]
fn stages_return_what_they_say() {
    let target = Target::new(Chip::SM_80);
    let llvm = compile(SAXPY, &target, Stage::Llvm, 1).unwrap().text;
    assert!(
        llvm.contains("llvm.func @saxpy") && !llvm.contains("unrealized"),
        "{llvm}"
    );
    verify(&llvm).unwrap();
    assert!(
        compile(SAXPY, &target, Stage::Ptx, 1)
            .unwrap()
            .text
            .contains(".entry saxpy")
    );
}

#[test]
fn the_lists_of_math_ops_that_clients_see_are_those_of_the_rewrites() {
    assert_eq!(math::routed_ops().collect::<Vec<_>>(), NATIVE_MATH);
    assert_eq!(library::functions().collect::<Vec<_>>(), LIBDEVICE_MATH);
}

#[test]
fn each_gpu_module_is_one_unit() {
    let one = |name: &str| {
        format!("gpu.module @{name} {{ gpu.func @k_{name}() kernel {{ gpu.return }} }}\n")
    };
    let text = format!(
        "module attributes {{gpu.container_module}} {{\n{}{}}}",
        one("a"),
        one("b")
    );
    let output = compile(&text, &Target::new(Chip::SM_80), Stage::Ptx, 1).unwrap();
    let names: Vec<_> = output.units.iter().map(|unit| unit.name.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
    assert!(output.units[1].text.contains(".entry k_b") && !output.units[1].text.contains("k_a"));
}

#[test]
fn a_ptx_version_can_be_asked_for() {
    let target = Target {
        ptx_version: Some("8.0".parse().unwrap()),
        ..Target::new(Chip::SM_80)
    };
    assert!(
        compile(SAXPY, &target, Stage::Ptx, 1)
            .unwrap()
            .text
            .contains(".version 8.0")
    );
    assert!(ptx(SAXPY, Chip::SM_75).contains(".version 6.3"));
}

#[test]
fn unknown_chips_and_impossible_versions_are_refused() {
    let error = "sm_999".parse::<Chip>().unwrap_err();
    assert_eq!(error.code, ErrorCode::BadTarget);
    assert!(
        error.message.contains("sm_999") && error.message.contains("sm_75"),
        "{error}"
    );
    for name in Chip::names() {
        assert_eq!(name.parse::<Chip>().unwrap().to_string(), name);
    }
    let old = Target {
        ptx_version: Some(PtxVersion::new(7, 0)),
        ..Target::new(Chip::SM_90)
    };
    assert_eq!(refusal(SAXPY, &old).code, ErrorCode::BadTarget);
    let unknown = Target {
        ptx_version: Some(PtxVersion::new(7, 9)),
        ..Target::new(Chip::SM_90)
    };
    assert_eq!(refusal(SAXPY, &unknown).code, ErrorCode::BadTarget);
    let level = Target {
        opt_level: 4,
        ..Target::new(Chip::SM_90)
    };
    assert_eq!(refusal(SAXPY, &level).code, ErrorCode::BadTarget);
}

#[test]
fn text_that_is_not_mlir_is_a_parse_error_with_its_place() {
    for text in [
        "module {",
        "\"builtin.module\"() ({",
        "module { foo.bar }",
        "module {}\0",
        "",
    ] {
        match verify(text) {
            Ok(()) => assert_eq!(text, "", "upstream reads an empty text as an empty module"),
            Err(error) => assert_eq!(error.code, ErrorCode::Parse, "{text}: {error}"),
        }
    }
    let error = verify("module {\n  foo.bar\n}").unwrap_err();
    let position = error.diagnostics[0].location.position.clone().unwrap();
    assert_eq!(
        (position.file.as_str(), position.line, position.column),
        ("-", 2, 3),
        "{error}"
    );
}

#[test]
fn what_the_verifier_says_arrives_with_place_and_notes() {
    let text = "module {\n  func.func @f(%a: i32) -> f32 {\n    return %a : i32 loc(\"user.segra\":7:9)\n  }\n}";
    let error = verify(text).unwrap_err();
    assert_eq!(error.code, ErrorCode::Verify, "{error}");
    let position = error.diagnostics[0].location.position.clone().unwrap();
    assert_eq!(
        (position.file.as_str(), position.line, position.column),
        ("user.segra", 7, 9),
        "{error}"
    );
}

#[test]
fn ops_without_a_lowering_are_refused_all_at_once_with_their_places() {
    let text = kernel(
        "%x: f32, %y: memref<?xf32>",
        "%c0 = arith.constant 0 : index\n\
         %a = math.sin %x : f32 loc(\"user.segra\":3:4)\n\
         %b = arith.remf %a, %x : f32\n\
         %n = memref.dim %y, %c0 : memref<?xf32>\n\
         memref.store %b, %y[%n] : memref<?xf32>",
    );
    let error = refusal(&text, &Target::new(Chip::SM_80));
    assert_eq!(error.code, ErrorCode::Unsupported);
    assert_eq!(error.diagnostics.len(), 3, "{error}");
    assert!(error.diagnostics[0].message.contains("math.sin"), "{error}");
    assert_eq!(error.diagnostics[0].location.to_string(), "user.segra:3:4");
    assert!(
        error.diagnostics[1].message.contains("arith.remf"),
        "{error}"
    );
    assert!(
        error.diagnostics[2].message.contains("memref.dim"),
        "{error}"
    );
}

#[test]
fn forms_of_ops_without_an_instruction_are_refused() {
    let cases = [
        ("memref.alloca", "%p = memref.alloca(%n) : memref<?xf32>"),
        ("gpu.shuffle", "%s, %p = gpu.shuffle up %h, %i, %i : f16"),
        (
            "gpu.subgroup_reduce",
            "%s = gpu.subgroup_reduce add %x : (f32) -> f32",
        ),
        (
            "memref.atomic_rmw",
            "%r = memref.atomic_rmw mulf %x, %y[%n] : (f32, memref<?xf32>) -> f32",
        ),
        (
            "memref.generic_atomic_rmw",
            "%p = memref.alloca() : memref<4xi8>\n\
             %r = memref.generic_atomic_rmw %p[%n] : memref<4xi8> {\n^bb0(%o: i8):\n\
             memref.atomic_yield %o : i8\n}",
        ),
        (
            "vector.transfer_read",
            "%v = vector.transfer_read %y[%n], %x : memref<?xf32>, vector<4xf32>\n\
             vector.store %v, %y[%n] : memref<?xf32>, vector<4xf32>",
        ),
        (
            "arith.extf",
            "%f = arith.constant 1.0 : f8E4M3FN\n%g = arith.extf %f : f8E4M3FN to f32",
        ),
        (
            "affine.apply",
            "%m = affine.apply affine_map<(d0) -> (d0 + 1)>(%n)",
        ),
    ];
    for (name, body) in cases {
        let text = kernel(
            "%x: f32, %h: f16, %i: i32, %n: index, %y: memref<?xf32>",
            body,
        );
        for chip in CHIPS {
            let error = refusal(&text, &Target::new(chip));
            assert_eq!(error.code, ErrorCode::Unsupported, "{name}: {error}");
            let named = error
                .diagnostics
                .iter()
                .any(|diagnostic| diagnostic.message.contains(name));
            assert!(named, "{name}: {error}");
        }
    }
}

#[test]
fn ops_the_chip_lacks_are_refused_by_name_and_chip() {
    let text = kernel("", "nvvm.cp.async.commit.group\nnvvm.cp.async.wait.group 0");
    let error = refusal(&text, &Target::new(Chip::SM_75));
    assert_eq!(error.code, ErrorCode::Unsupported);
    let shown = error.to_string();
    assert!(
        shown.contains("nvvm.cp.async.commit.group")
            && shown.contains("sm_80")
            && shown.contains("sm_75")
    );
    assemble(&ptx(&text, Chip::SM_80), Chip::SM_80);

    let exact = kernel("", "nvvm.wgmma.fence.aligned");
    assert!(
        refusal(&exact, &Target::new(Chip::SM_90))
            .to_string()
            .contains("sm_90a")
    );
    let hopper: Chip = "sm_90a".parse().unwrap();
    assert!(ptx(&exact, hopper).contains("wgmma.fence.sync.aligned"));
}

#[test]
fn intrinsics_that_would_abort_are_refused() {
    for (name, fits) in [
        ("llvm.sin.f32", false),
        ("llvm.pow.f32", false),
        ("llvm.floor.f32", true),
    ] {
        let arguments = if name.contains("pow") {
            ("%x, %x", "f32, f32")
        } else {
            ("%x", "f32")
        };
        let text = kernel(
            "%x: f32, %y: memref<?xf32>",
            &format!(
                "%i = arith.constant 0 : index\n%r = llvm.call_intrinsic \"{name}\"({}) : ({}) -> f32\n\
                 memref.store %r, %y[%i] : memref<?xf32>",
                arguments.0, arguments.1
            ),
        );
        match compile(&text, &Target::new(Chip::SM_80), Stage::Ptx, 1) {
            Ok(_) => assert!(fits, "{name}"),
            Err(error) => assert!(
                !fits && error.code == ErrorCode::Unsupported,
                "{name}: {error}"
            ),
        }
    }
}

#[test]
fn calls_of_undefined_functions_are_named() {
    let text = "module attributes {gpu.container_module} {\ngpu.module @m {\n\
        func.func private @somewhere_else(f32) -> f32\n\
        gpu.func @k(%x: f32, %y: memref<?xf32>) kernel {\n%c0 = arith.constant 0 : index\n\
        %r = func.call @somewhere_else(%x) : (f32) -> f32\nmemref.store %r, %y[%c0] : memref<?xf32>\n\
        gpu.return\n}\n}\n}";
    let error = refusal(text, &Target::new(Chip::SM_80));
    assert_eq!(error.code, ErrorCode::UnresolvedSymbol, "{error}");
    assert!(error.message.contains("somewhere_else"), "{error}");
}

#[test]
fn functions_inside_the_gpu_module_can_be_called() {
    let text = "module attributes {gpu.container_module} {\ngpu.module @m {\n\
        func.func @twice(%x: f32) -> f32 {\n%r = arith.addf %x, %x : f32\nreturn %r : f32\n}\n\
        gpu.func @k(%x: f32, %y: memref<?xf32>) kernel {\n%c0 = arith.constant 0 : index\n\
        %r = func.call @twice(%x) : (f32) -> f32\nmemref.store %r, %y[%c0] : memref<?xf32>\n\
        gpu.return\n}\n}\n}";
    assemble(&ptx(text, Chip::SM_80), Chip::SM_80);
}

#[test]
fn parameters_that_are_no_plain_arrays_are_refused() {
    let types = [
        "memref<?x?xf32>",
        "memref<?xf32, 3>",
        "memref<8xf32, strided<[2]>>",
        "memref<?xf32, strided<[?]>>",
    ];
    for r#type in types {
        let error = refusal(
            &kernel(&format!("%x: {type}"), ""),
            &Target::new(Chip::SM_80),
        );
        assert_eq!(error.code, ErrorCode::KernelContract, "{type}: {error}");
        assert!(error.to_string().contains(r#type), "{error}");
    }
}

#[test]
fn a_module_without_kernels_is_refused() {
    assert_eq!(
        refusal("module {}", &Target::new(Chip::SM_80)).code,
        ErrorCode::KernelContract
    );
}

#[test]
fn ordered_accesses_are_acquire_and_release_at_the_scope_of_the_device() {
    let text = kernel(
        "%x: memref<?xi32>, %i: index",
        "%v = memref.load %x[%i] {segra.memory_order = \"acquire\"} : memref<?xi32>\n\
         memref.store %v, %x[%i] {segra.memory_order = \"release\"} : memref<?xi32>",
    );
    for chip in CHIPS {
        let ptx = ptx(&text, chip);
        assert!(ptx.contains("ld.acquire.gpu.global.b32"), "{ptx}");
        assert!(ptx.contains("st.release.gpu.global.b32"), "{ptx}");
        assemble(&ptx, chip);
    }
    let error = refusal(
        &text.replace("\"release\"", "\"acquire\""),
        &Target::new(Chip::SM_80),
    );
    assert_eq!(error.code, ErrorCode::KernelContract, "{error}");
}
