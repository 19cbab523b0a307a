//! `segra ptx`: kernels of any compiler on the simulator, from the command line.

#[allow(dead_code, reason = "each test binary uses a part")]
mod support;

use std::path::Path;
use std::process::Output;
use support::segra;

/// Doubles `n` floats of `x` into `y`; a block of 64 sums what it read in shared memory, with or without a barrier.
const KERNEL: &str = r#"
.version 7.8
.target sm_80
.address_size 64
.visible .entry scale(.param .u64 x, .param .u64 y, .param .u64 sums, .param .u32 n, .param .f32 by)
{
    .reg .pred %p<4>; .reg .b32 %r<16>; .reg .f32 %f<8>; .reg .b64 %rd<16>;
    .shared .align 4 .b8 s[256];
    ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; ld.param.u64 %rd3, [sums]; ld.param.u32 %r1, [n]; ld.param.f32 %f1, [by];
    mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x; mad.lo.u32 %r4, %r3, 64, %r2;
    mul.wide.u32 %rd4, %r4, 4; add.u64 %rd5, %rd1, %rd4; add.u64 %rd6, %rd2, %rd4;
    ld.global.f32 %f2, [%rd5]; mul.f32 %f3, %f2, %f1; st.global.f32 [%rd6], %f3;
    mov.u32 %r5, s; mad.lo.u32 %r6, %r2, 4, %r5; st.shared.f32 [%r6], %f2;
    bar.sync 0;
    setp.ne.u32 %p1, %r2, 0; @%p1 bra $E;
    mov.f32 %f4, 0f00000000; mov.u32 %r7, 0;
$L: mad.lo.u32 %r8, %r7, 4, %r5;
    ld.shared.f32 %f5, [%r8];
    add.f32 %f4, %f4, %f5; add.u32 %r7, %r7, 1; setp.lt.u32 %p2, %r7, 64; @%p2 bra $L;
    mul.wide.u32 %rd7, %r3, 4; add.u64 %rd8, %rd3, %rd7; st.global.f32 [%rd8], %f4;
$E: ret;
}
"#;

const ARGUMENTS: [&str; 14] = [
    "--grid",
    "2",
    "--block",
    "64",
    "--param",
    "[IN]",
    "--param",
    "out:128:f32",
    "--param",
    "zeros:2:f32",
    "--param",
    "128",
    "--param",
    "2",
];

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("can be written")
    };
    write("good.ptx", KERNEL);
    write("racy.ptx", &KERNEL.replace("    bar.sync 0;\n", "\n"));
    folder
}

/// Runs a kernel of the folder on 128 ones.
fn run(folder: &Path, file: &str, more: &[&str]) -> Output {
    let ones = format!("[{}]:f32", ["1"; 128].join(", "));
    let mut args = vec!["ptx", file];
    args.extend(
        ARGUMENTS
            .iter()
            .map(|&arg| if arg == "[IN]" { ones.as_str() } else { arg }),
    );
    args.extend(more);
    segra(folder, &args)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

#[test]
fn results_are_printed_in_the_order_of_their_parameters() {
    let folder = folder();
    let output = run(folder.path(), "good.ptx", &[]);
    assert_eq!(text(&output.stderr), "");
    assert!(output.status.success());
    let out = text(&output.stdout);
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("[2.0, 2.0, 2.0, "), "{out}");
    assert_eq!(lines.last(), Some(&"[64.0, 64.0]"));
}

#[test]
fn findings_end_with_code_1_and_results_are_written_all_the_same() {
    let folder = folder();
    let more = [
        "--threads",
        "1",
        "--output",
        "results",
        "--junit",
        "report.xml",
        "--sarif",
        "report.sarif",
    ];
    let output = run(folder.path(), "racy.ptx", &more);
    assert_eq!(output.status.code(), Some(1));
    let errors = text(&output.stderr);
    assert!(
        errors.contains("racy.ptx:18: race: kernel `scale`, block (0, 0, 0)")
            && errors.contains("PTX line 18"),
        "{errors}"
    );
    assert!(
        errors.ends_with("segra: error: kernel `scale`: 2 findings\n"),
        "{errors}"
    );
    let read = |name: &str| std::fs::read(folder.path().join(name)).expect(name);
    assert_eq!(text(&output.stdout).lines().count(), 2);
    let doubled = read("results/0.npy");
    assert_eq!(
        doubled[doubled.len() - 512..],
        2.0f32.to_le_bytes().repeat(128)
    );
    let junit = text(&read("report.xml"));
    assert!(
        junit.contains("failures=\"2\"")
            && junit.contains("<testcase classname=\"scale\" name=\"race\">"),
        "{junit}"
    );
    let sarif: serde_json::Value =
        serde_json::from_slice(&read("report.sarif")).expect("it is JSON");
    let result = &sarif["runs"][0]["results"][1];
    assert_eq!(
        (&result["ruleId"], &sarif["version"]),
        (&"race".into(), &"2.1.0".into())
    );
    assert_eq!(
        result["locations"][0]["physicalLocation"]["region"]["startLine"],
        18
    );
}

#[test]
fn findings_and_results_are_shown_where_a_report_cannot_be_written() {
    let folder = folder();
    for more in [
        ["--output", "good.ptx"],
        ["--junit", "no/such/folder/x"],
        ["--sarif", "."],
    ] {
        let output = run(folder.path(), "racy.ptx", &more);
        assert_eq!(output.status.code(), Some(1));
        let errors = text(&output.stderr);
        assert!(
            errors.contains("racy.ptx:18: race: ") && errors.contains("segra: error: cannot "),
            "{more:?}: {errors}"
        );
        assert_eq!(text(&output.stdout).lines().count(), 2, "{more:?}");
    }
    #[cfg(target_os = "linux")]
    {
        let full = std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .expect("a device");
        let args = ["ptx", "racy.ptx", "--grid", "2", "--block", "64"];
        let values = ["random:128:f32", "out:128:f32", "zeros:2:f32", "128", "2"];
        let values = values.iter().flat_map(|value| ["--param", value]);
        let args: Vec<&str> = args.into_iter().chain(values).collect();
        let mut command = support::command(folder.path(), &args);
        let output = command.stdout(full).output().expect("the tool starts");
        assert_eq!(output.status.code(), Some(1));
        let errors = text(&output.stderr);
        assert!(
            errors.contains("racy.ptx:18: race: ")
                && errors.contains("segra: error: cannot write standard output"),
            "{errors}"
        );
    }
}

#[test]
fn a_fault_keeps_what_was_found_before_and_what_was_computed() {
    let folder = folder();
    let broken = KERNEL
        .replace("    bar.sync 0;\n", "\n")
        .replace("$E: ret;", "$E: trap;");
    std::fs::write(folder.path().join("broken.ptx"), broken).expect("can be written");
    let output = run(folder.path(), "broken.ptx", &["--threads", "1", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let kinds: Vec<&str> = json["findings"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|finding| finding["kind"].as_str())
        .collect();
    assert_eq!(kinds, ["uninitialised-memory", "race", "stopped"]);
    assert_eq!(
        (&json["stopped"], &json["results"][0]["shape"][0]),
        (&true.into(), &128.into())
    );
}

#[test]
fn json_holds_counters_opcodes_and_the_profile() {
    let folder = folder();
    let output = run(folder.path(), "good.ptx", &["--json", "--profile=A100"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let counter = |name: &str| json["counters"][name].as_u64();
    assert_eq!((counter("blocks"), counter("barriers")), (Some(2), Some(2)));
    assert_eq!(
        (
            counter("global_loads"),
            counter("global_stores"),
            counter("global_atomics")
        ),
        (Some(4), Some(6), Some(0))
    );
    assert_eq!(json["opcodes"]["ld.shared.f32"]["thread"], 128);
    assert_eq!(json["opcodes"]["bar.sync"]["warp"], 4);
    assert_eq!(
        (&json["profile"]["machine"], &json["shared_bytes"]),
        (&"A100".into(), &256.into())
    );
    assert_eq!(json["results"][1]["elements"][1], 64.0);
    let output = run(folder.path(), "good.ptx", &["--counters", "--profile"]);
    let errors = text(&output.stderr);
    assert!(
        errors.contains("global_loads             4") && errors.contains("Profile for H100"),
        "{errors}"
    );
}

#[test]
fn files_go_in_and_out() {
    let folder = folder();
    let output = run(folder.path(), "good.ptx", &["--output", "first"]);
    assert!(output.status.success());
    let mut args = vec![
        "ptx",
        "-",
        "--grid",
        "2",
        "--block",
        "64,1,1",
        "--param",
        "first/0.npy",
    ];
    args.extend([
        "--param",
        "inout:first/0.npy",
        "--param",
        "zeros:2:f32",
        "--param",
        "128:i32",
        "--param",
        "0.5:f32",
    ]);
    let mut command = support::command(folder.path(), &args);
    let file = std::fs::File::open(folder.path().join("good.ptx")).expect("was written");
    let output = command.stdin(file).output().expect("the tool starts");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let out = text(&output.stdout);
    assert!(
        out.starts_with("[1.0, 1.0, 1.0, ") && out.ends_with("[128.0, 128.0]\n"),
        "{out}"
    );
}

/// `segra ptx` refuses the arguments, and names what is wrong with them.
fn refused(path: &Path, args: &[&str], code: i32, parts: &[&str]) {
    let output = segra(path, &[&["ptx"], args].concat());
    let (out, errors) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(
        (output.status.code(), out.as_str()),
        (Some(code), ""),
        "{args:?}: {errors}"
    );
    for part in parts {
        assert!(
            errors.contains(part),
            "{args:?}: `{part}` is not in {errors}"
        );
    }
    assert!(
        !errors.contains("panicked") && !errors.contains('\x1b'),
        "{args:?}: {errors}"
    );
}

/// The good program and bad ones.
#[test]
fn a_text_that_ends_too_early_is_quoted_only_where_there_is_text() {
    let folder = folder();
    let (cut, _) = KERNEL.split_once("    .shared").expect("it has the line");
    std::fs::write(folder.path().join("cut.ptx"), cut).expect("can be written");
    let output = segra(
        folder.path(),
        &["ptx", "cut.ptx", "--grid", "1", "--block", "1"],
    );
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(
        said.contains("truncated\n") && !said.contains("``"),
        "{said}"
    );
}

fn bad_files() -> tempfile::TempDir {
    let folder = folder();
    let path = folder.path();
    let write =
        |name: &str, bytes: &[u8]| std::fs::write(path.join(name), bytes).expect("can be written");
    write("binary.ptx", &[0x7f, 0xff, 0xfe]);
    write("typo.ptx", KERNEL.replace("mul.f32", "mull.f32").as_bytes());
    write(
        "escape.ptx",
        b".version 7.8\n.target sm_80\n.address_size 64\n.entry k() { foo\x1b[31m; }\n",
    );
    write("empty.ptx", b"");
    write(
        "header.ptx",
        b".version 7.8\n.target sm_80\n.address_size 64\n",
    );
    write(
        "tabs.ptx",
        KERNEL.replace("mul.f32 ", "mull.f32\t").as_bytes(),
    );
    write(
        "two.ptx",
        (KERNEL.to_owned() + &KERNEL.replace("scale", "other")).as_bytes(),
    );
    write("bad.npy", b"no array");
    folder
}

#[test]
fn bad_input_is_refused_with_a_message_that_names_it() {
    let folder = bad_files();
    let refused = |args: &[&str], code, parts: &[&str]| refused(folder.path(), args, code, parts);
    refused(&["good.ptx"], 2, &["--block"]);
    refused(
        &["good.ptx", "--block", "0"],
        2,
        &["`0` is not a positive extent"],
    );
    refused(
        &["good.ptx", "--block", "1,2,3,4"],
        2,
        &["three dimensions"],
    );
    refused(
        &["missing.ptx", "--block", "1"],
        1,
        &["cannot read missing.ptx"],
    );
    refused(&["binary.ptx", "--block", "1"], 1, &["byte 1 is not UTF-8"]);
    refused(&["empty.ptx", "--block", "1"], 1, &["empty.ptx is empty"]);
    refused(
        &["header.ptx", "--block", "1"],
        1,
        &["header.ptx has no kernel"],
    );
    refused(&["tabs.ptx", "--block", "1"], 1, &["mull.f32 %f3"]);
    refused(
        &["typo.ptx", "--block", "1"],
        1,
        &["typo.ptx:12", "mull.f32"],
    );
    refused(&["escape.ptx", "--block", "1"], 1, &["escape.ptx:4"]);
    refused(&["two.ptx", "--block", "1"], 1, &["--entry: scale, other"]);
    refused(
        &["good.ptx", "--entry", "x", "--block", "1"],
        1,
        &["no kernel `x`", "scale"],
    );
    refused(
        &["good.ptx", "--block", "1"],
        1,
        &["takes 5 parameters (.u64 x, .u64 y, .u64 sums, .u32 n, .f32 by), and 0"],
    );
    refused(
        &["good.ptx", "--block", "1", "--profile=Z80"],
        1,
        &[".u64 x"],
    );
}

#[test]
fn bad_parameters_are_refused_with_a_message_that_names_them() {
    let folder = bad_files();
    let path = folder.path();
    let with = |first: &str, n: &str, parts: &[&str]| {
        let rest = [
            "--param",
            "zeros:2:f32",
            "--param",
            "zeros:2:f32",
            "--param",
            n,
            "--param",
            "1",
        ];
        refused(
            path,
            &[&["good.ptx", "--block", "1", "--param", first], &rest[..]].concat(),
            1,
            parts,
        );
    };
    refused(
        path,
        &["good.ptx", "7", "8"],
        2,
        &["'7'", "in order, each with --param, as in `--param 7`"],
    );
    with("absent.npy", "1", &["--param 0", "absent.npy"]);
    with("bad.npy", "1", &["--param 0", "bad.npy"]);
    with("out:4xq:f32", "1", &["`q` is not an extent"]);
    with("out:4", "1", &["it needs a type"]);
    with("out:4:f31", "1", &["`f31` is not a type; types are i1"]);
    with("[1, 2]", "1", &["it needs a type"]);
    with("out:99999999999x99999999999:f32", "1", &["memory"]);
    with("zeros:99999999999999:f64", "1", &["--param 0"]);
    with("7:i32", "1", &["i32 has 4 bytes, the parameter 8"]);
    with(
        "zeros:2:f32",
        "out:4:f32",
        &["an array needs a parameter that can hold a pointer"],
    );
    with("zeros:2:f32", "4294967296", &["does not fit into 4 bytes"]);
    with("zeros:2:f32", "abc", &["--param 3 (`abc`) for .u32 n"]);
    // The launch itself is refused: more threads than a block may have.
    let output = run(path, "good.ptx", &["--shared", "4000000000"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains("launch: kernel `scale`: 4000000256 bytes of shared memory")
    );
    // Reports that cannot be written do not keep the others from being written.
    let output = run(
        path,
        "good.ptx",
        &["--junit", "no/such/folder.xml", "--sarif", "written.sarif"],
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains("no/such/folder.xml") && path.join("written.sarif").exists()
    );
}

/// Adds the words of a structure of 12 bytes to one of 8.
const BY_VALUE: &str = r#"
.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .align 4 .b8 three[12], .param .align 4 .b8 two[8], .param .u64 sum)
{
    .reg .b32 %r<8>; .reg .b64 %rd<2>;
    ld.param.u32 %r1, [three]; ld.param.u32 %r2, [three+4]; ld.param.u32 %r3, [three+8];
    ld.param.u32 %r4, [two]; ld.param.u32 %r5, [two+4]; ld.param.u64 %rd1, [sum];
    add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3; add.u32 %r1, %r1, %r4; add.u32 %r1, %r1, %r5;
    st.global.u32 [%rd1], %r1;
    ret;
}
"#;

#[test]
fn structures_are_passed_by_value_and_integers_have_the_names_of_unsigned_types() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path();
    std::fs::write(path.join("k.ptx"), BY_VALUE).expect("can be written");
    let given = |three: &str| {
        let out = [
            "--param",
            three,
            "--param",
            "[10, 20]:u32",
            "--param",
            "out:1:u32",
        ];
        segra(
            path,
            &[&["ptx", "k.ptx", "--block", "1"], &out[..]].concat(),
        )
    };
    let output = given("[1, 2, 3]:i32");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "[36]");
    for (three, part) in [
        ("[1, 2]:i32", "12"),
        (
            "5",
            "a structure by value is given as an array of its bytes",
        ),
    ] {
        let output = given(three);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            !output.status.success() && text.contains(part),
            "{three}: {text}"
        );
    }
}
