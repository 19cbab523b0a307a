//! The reader: what a module says about itself, collected errors, and no panic on damaged text.

use crate::common::{Arg, Device, kernel, parse};
use proptest::prelude::*;
use segra_ptx::{Module, ParseError, ParseErrorKind};

const CONTROL: &str = include_str!("../ptx/control.ptx");
const COMPUTE: &str = include_str!("../ptx/compute.ptx");

#[test]
fn a_module_tells_its_kernels_and_their_parameters() {
    let module = parse(COMPUTE);
    assert_eq!(module.target(), "sm_80");
    let names: Vec<_> = module
        .kernels()
        .iter()
        .map(|kernel| kernel.name())
        .collect();
    assert_eq!(
        names,
        ["fma_chains", "matmul_tiled", "mandelbrot", "histogram"]
    );
    let matmul = module.kernel("matmul_tiled").expect("listed above");
    assert_eq!(
        (
            matmul.static_shared_bytes(),
            matmul.param_bytes(),
            matmul.params().len()
        ),
        (2048, 28, 4)
    );
    let last = &matmul.params()[3];
    assert_eq!(
        (last.name.as_str(), last.size, last.align, last.offset),
        ("matmul_tiled_param_3", 4, 4, 24)
    );
    assert!(module.kernel("absent").is_none());
}

#[test]
fn all_errors_are_collected_with_their_lines() {
    let body = "\nfoo.bar %r1, %r2;\nadd.s32 %r1, %rd1, %r2;\nadd.s32 %r1, %undeclared, 1;\nbra $nowhere;\nld.global.u32 %r1, %rd1;\nadd.s32 %r1, ;\nmma.sp.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32 {%f1}, {%r1}, {%r2}, {%f1}, %r3, 0;";
    let errors = Module::parse(&kernel("k", "", body)).expect_err("seven mistakes");
    let listed: Vec<_> = errors
        .iter()
        .map(|error| (error.line - 12, &error.kind))
        .collect();
    assert_eq!(errors.len(), 7, "{errors:#?}");
    assert!(matches!(listed[0], (_, ParseErrorKind::Unsupported(text)) if text == "foo.bar"));
    assert!(matches!(listed[1].1, ParseErrorKind::Operand(_)));
    assert!(matches!(listed[2].1, ParseErrorKind::Name(text) if text.contains("%undeclared")));
    assert!(matches!(listed[3].1, ParseErrorKind::Name(text) if text.contains("$nowhere")));
    assert!(matches!(listed[4].1, ParseErrorKind::Operand(_)));
    assert!(matches!(listed[5].1, ParseErrorKind::Syntax(_)));
    assert!(matches!(listed[6].1, ParseErrorKind::Unsupported(text) if text.starts_with("mma.sp")));
    let lines: Vec<u32> = errors.iter().map(|error| error.line).collect();
    assert!(
        lines.windows(2).all(|pair| pair[1] == pair[0] + 1),
        "{lines:?}"
    );
    insta::assert_snapshot!(errors[0].to_string(), @"line 13: unsupported instruction `foo.bar`: `foo.bar %r1, %r2;`");
}

#[test]
fn clusters_of_several_blocks_are_refused_at_their_line() {
    let with = |blocks: &str| {
        let text = kernel("k", "", "ret;");
        let brace = text
            .rfind("{\n")
            .or_else(|| text.rfind('{'))
            .expect("a body");
        let (head, body) = text.split_at(brace);
        let line = 1 + head.lines().count() as u32;
        (
            format!("{}\n.reqnctapercluster {blocks}\n{body}", head.trim_end()),
            line,
        )
    };
    let (one, _) = with("1, 1, 1");
    Module::parse(&one).expect("a cluster of one block");
    let (two, line) = with("2, 1, 1");
    let errors = Module::parse(&two).expect_err("a cluster of two blocks");
    assert_eq!((errors.len(), errors[0].line), (1, line), "{two}");
    assert!(
        errors[0]
            .to_string()
            .contains("clusters of several thread blocks"),
        "{}",
        errors[0]
    );
}

#[test]
fn unresolved_functions_are_named() {
    let declared = ".extern .func (.param .b32 r) __nv_expf (.param .b32 x);\n";
    let call = "{ .param .b32 p; .param .b32 q; call.uni (q), __nv_expf, (p); }";
    let text = kernel("k", "", call).replace(".visible", &format!("{declared}.visible"));
    let errors = Module::parse(&text).expect_err("no body");
    assert!(errors[0].to_string().contains("__nv_expf"), "{}", errors[0]);
}

fn mutate(text: &str, edits: &[(usize, u8, usize)]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for &(at, value, kind) in edits {
        let at = at % bytes.len();
        match kind % 5 {
            0 => bytes[at] = value,
            1 => {
                bytes.remove(at);
            }
            2 => bytes.insert(at, value),
            3 => bytes.truncate(at.max(16)),
            _ => {
                // Moves a piece of the text elsewhere.
                let end = (at + usize::from(value)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                let to = at / 2;
                bytes.splice(to..to, piece);
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn damaged_text_never_panics_the_reader(
        which in 0usize..2,
        edits in proptest::collection::vec((any::<usize>(), prop_oneof![any::<u8>(), Just(b'{'), Just(b'}'), Just(b';'), Just(b'9'), Just(b'.')], any::<usize>()), 1..12),
    ) {
        let text = mutate([CONTROL, COMPUTE][which], &edits);
        if let Ok(module) = Module::parse(&text) {
            prop_assert!(module.kernels().iter().all(|kernel| !kernel.name().is_empty()));
        }
    }

    #[test]
    fn arbitrary_text_never_panics_the_reader(text in "[ -~\n]{0,300}") {
        let _ = Module::parse(&text);
        let _ = Module::parse(&kernel("k", "", &text));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Every text that the reader accepts runs to an end or a fault.
    #[test]
    fn damaged_programs_never_panic_the_simulator(
        which in 0usize..2,
        edits in proptest::collection::vec((any::<usize>(), prop_oneof![b'0'..=b'9', b'a'..=b'z', Just(b' ')], Just(0usize)), 1..4),
    ) {
        let Ok(module) = Module::parse(&mutate([CONTROL, COMPUTE][which], &edits)) else { return Ok(()) };
        let mut device = Device::new();
        device.options.instruction_limit = Some(1 << 12);
        device.options.threads = Some(1);
        let buffer = device.buffer("data", &[3u32; 4096]);
        for kernel in module.kernels() {
            let mut params = buffer.to_le_bytes().repeat(8);
            params.resize(kernel.param_bytes() as usize, 0);
            let config = segra_ptx::LaunchConfig { grid: [2, 1, 1], block: [48, 1, 1], dynamic_shared: 64 };
            let _ = segra_ptx::launch(&module, kernel.name(), &config, &params, &device.memory, &device.options);
        }
    }
}

#[test]
fn constants_may_be_expressions() {
    let body = "ld.param.u64 %rd1, [out]; mov.u32 %r1, (1<<4)|3; st.global.u32 [%rd1], %r1;
        mov.s32 %r1, -3+5*2-(7-2)/2; st.global.u32 [%rd1+2*2], %r1; mov.u32 %r1, ~5&0xff^1; st.global.u32 [%rd1+16-8], %r1;
        mov.s32 %r1, 10-3-2; st.global.u32 [%rd1+(4+8)], %r1; mov.u32 %r1, !0; st.global.u32 [%rd1+0x20>>1], %r1;";
    let mut device = Device::new();
    let out = device.buffer("out", &[0u32; 5]);
    let module = parse(&kernel("k", ".param .u64 out", body));
    device.launch(&module, "k", 1, 1, &[Arg::U64(out)]);
    assert_eq!(device.read::<u32>(out, 5), [19, 5, 251, 5, 1]);
    let errors = Module::parse(&kernel(
        "k",
        "",
        "mov.u32 %r1, 1/0;\nmov.f32 %f1, 1+0f3F800000;\nmov.u32 %r1, ~%r2;",
    ));
    assert_eq!(errors.expect_err("three mistakes").len(), 3);
}

#[test]
fn directives_and_types_need_no_blank_between_them() {
    let text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible.entry k(.param.u64.ptr.global.align 4 out)\n{
        .reg.b64 %rd<2>; .reg.b32 %r<2>; ld.param.u64 %rd1, [out]; {.reg.b16 low, high; mov.b32 {low, high}, 0x30005; cvt.u32.u16 %r1, high;}
        st.global.u32 [%rd1], %r1; ret;\n}";
    let mut device = Device::new();
    let out = device.buffer("out", &[0u32]);
    device.launch(&parse(text), "k", 1, 1, &[Arg::U64(out)]);
    assert_eq!(device.read::<u32>(out, 1), [3]);
}

#[test]
fn kernels_that_ask_for_reserved_shared_memory_have_some() {
    let body = ".shared .align 4 .b8 s[12]; ld.param.u64 %rd1, [out]; mov.u32 %r1, %reserved_smem_offset_begin; mov.u32 %r2, %reserved_smem_offset_end;
        sub.u32 %r3, %r2, %r1; st.global.u32 [%rd1], %r3; mov.u32 %r4, 7; st.shared.u32 [%r2+-4], %r4; ld.shared.u32 %r5, [%r1+1020];
        st.global.u32 [%rd1+4], %r5; setp.ge.u32 %p1, %r1, 12; selp.u32 %r6, 1, 0, %p1; st.global.u32 [%rd1+8], %r6;";
    let mut device = Device::new();
    let out = device.buffer("out", &[0u32; 3]);
    device.launch(
        &parse(&kernel("k", ".param .u64 out", body)),
        "k",
        1,
        1,
        &[Arg::U64(out)],
    );
    assert_eq!(device.read::<u32>(out, 3), [1024, 7, 1]);
}

#[test]
fn of_a_truncated_text_only_that_is_said() {
    for text in [CONTROL, COMPUTE] {
        let first = text.find(".entry").expect("there are kernels");
        for end in (first..text.len()).step_by(61) {
            let cut = &text[..end];
            // Between functions nothing tells that more was to come.
            let open = |brace: char| cut.matches(brace).count();
            if open('{') == open('}') {
                continue;
            }
            let errors = Module::parse(cut).expect_err("the text is truncated");
            let syntax = |error: &ParseError| matches!(error.kind, ParseErrorKind::Syntax(_));
            let truncated = |error: &ParseError| error.to_string().contains("truncated");
            assert!(
                errors.iter().all(syntax) && errors.iter().any(truncated),
                "{end}: {errors:#?}"
            );
        }
    }
}
