//! The worker as a user of the library meets it: a child process that outlives nothing and takes nobody down.

use segra_worker::{Chip, ErrorCode, MlirError, Output, Stage, Target, WorkerProgram};
use std::path::PathBuf;
use std::process::{Command, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_segra-ptx");

const SAXPY: &str = include_str!("../src/tests/saxpy.mlir");

fn compile(text: &str, chip: Chip) -> Result<Output, MlirError> {
    WorkerProgram::at(PROGRAM).compile(text, &Target::new(chip), Stage::Ptx, 1)
}

/// A module with this kernel and two that compile.
fn beside_others(kernel: &str) -> String {
    let other = |name: &str| {
        format!(
            "gpu.func @{name}(%x: f32, %y: memref<?xf32>) kernel {{\n%c0 = arith.constant 0 : index\n\
             memref.store %x, %y[%c0] : memref<?xf32>\ngpu.return\n}}\n"
        )
    };
    let (before, after) = (other("before"), other("after"));
    kernel
        .replace("gpu.func", &format!("{before}gpu.func"))
        .replace(
            "gpu.return\n}\n}\n}",
            &format!("gpu.return\n}}\n{after}}}\n}}"),
        )
}

/// No table of the gate lists this intrinsic, and only sm_100a has it: LLVM ends its process.
fn aborts() -> String {
    "module attributes {gpu.container_module} {\ngpu.module @m {\n\
     gpu.func @k(%x: f32, %m: i32, %y: memref<?xf32>) kernel {\n%c0 = arith.constant 0 : index\n\
     %r = llvm.call_intrinsic \"llvm.nvvm.redux.sync.fmin\"(%x, %m) : (f32, i32) -> f32\n\
     memref.store %r, %y[%c0] : memref<?xf32>\ngpu.return\n}\n}\n}"
        .to_owned()
}

#[test]
fn an_abort_inside_llvm_is_an_error_and_compiling_goes_on() {
    for _ in 0..2 {
        let error = compile(&aborts(), Chip::SM_75).unwrap_err();
        assert_eq!(error.code, ErrorCode::Aborted, "{error}");
        assert!(
            error.message.contains("LLVM ERROR: Cannot select"),
            "{error}"
        );
        compile(SAXPY, Chip::SM_75).unwrap();
    }
}

#[test]
fn an_abort_in_a_kernel_among_others_is_the_same_error_for_any_number_of_threads() {
    let text = beside_others(&aborts());
    for threads in [1, 2, 3, 8] {
        let program = WorkerProgram::at(PROGRAM);
        let target = Target::new(Chip::SM_75);
        let error = program
            .compile(&text, &target, Stage::Ptx, threads)
            .unwrap_err();
        assert_eq!(error.code, ErrorCode::Aborted, "{error}");
        assert!(
            error.message.contains("LLVM ERROR: Cannot select"),
            "{error}"
        );
        let good = text.replace("llvm.nvvm.redux.sync.fmin", "llvm.nvvm.redux.sync.umin");
        let good = good.replace(
            "(%x, %m) : (f32, i32) -> f32",
            "(%m, %m) : (i32, i32) -> i32",
        );
        let good = good.replace("memref.store %r,", "memref.store %x,");
        let done = program.compile(&good, &Target::new(Chip::SM_80), Stage::Ptx, threads);
        assert_eq!(done.unwrap().text.matches(".entry").count(), 3);
    }
}

#[test]
fn a_worker_that_has_served_replies_what_a_new_one_does() {
    let folder = tempfile::tempdir().unwrap();
    let texts = [
        SAXPY,
        "module { foo.bar }",
        include_str!("../src/tests/row_sum.mlir"),
        SAXPY,
    ];
    // Workers are kept for the path they were started by.
    let new = |index: usize, text: &str| {
        let link: PathBuf = folder.path().join(index.to_string());
        std::os::unix::fs::symlink(PROGRAM, &link).unwrap();
        WorkerProgram::at(link).compile(text, &Target::new(Chip::SM_80), Stage::Ptx, 1)
    };
    for (index, text) in texts.into_iter().enumerate() {
        assert_eq!(compile(text, Chip::SM_80), new(index, text));
    }
}

#[test]
fn many_threads_compile_at_once() {
    let expected = compile(SAXPY, Chip::SM_90).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| assert_eq!(compile(SAXPY, Chip::SM_90).as_ref(), Ok(&expected)));
        }
    });
}

#[test]
fn targets_that_do_not_exist_are_refused_before_anything_starts() {
    let target = Target {
        opt_level: 4,
        ..Target::new(Chip::SM_80)
    };
    let error = WorkerProgram::at("/no/such/program")
        .compile(SAXPY, &target, Stage::Ptx, 1)
        .unwrap_err();
    assert_eq!(error.code, ErrorCode::BadTarget, "{error}");
}

#[test]
fn the_program_ends_with_its_input_and_says_what_it_is() {
    let run = |arguments: &[&str]| {
        let output = Command::new(PROGRAM)
            .args(arguments)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text =
            String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        (output.status.code(), text)
    };
    let greeting = format!("{}\n", segra_worker::protocol::greeting());
    assert_eq!(run(&["serve"]), (Some(0), greeting.clone()));
    assert_eq!(run(&["--version"]), (Some(0), greeting));
    let (code, text) = run(&[]);
    assert!(
        code == Some(2) && text.contains("programs that use Segra"),
        "{text}"
    );
}

/// A switch of 40 cases that share five destinations with arguments.
fn shared_destinations() -> String {
    let cases = (0..40).map(|case| format!(", {case}: ^b{}(%c{case} : i32)", case % 5));
    let constants = (0..40).map(|case| format!("%c{case} = arith.constant {} : i32\n", case * 7));
    let blocks = (0..5).map(|at| {
        let combine = ["addi", "muli", "xori", "andi", "subi"][at];
        format!(
            "^b{at}(%a{at}: i32):\n%r{at} = arith.{combine} %a{at}, %v : i32\n\
             memref.store %r{at}, %x[%t] : memref<?xi32>\ncf.br ^e\n"
        )
    });
    format!(
        "module attributes {{gpu.container_module}} {{\ngpu.module @m {{\n\
         gpu.func @k(%x: memref<?xi32>) kernel {{\n%t = gpu.thread_id x\n\
         %v = memref.load %x[%t] : memref<?xi32>\n{}\
         cf.switch %v : i32, [default: ^e{}]\n{}^e:\ngpu.return\n}}\n}}\n}}",
        constants.collect::<String>(),
        cases.collect::<String>(),
        blocks.collect::<String>()
    )
}

/// Addresses differ from process to process, and the text must not depend on them.
#[test]
fn cases_that_share_destinations_are_the_same_text_in_each_process() {
    let folder = tempfile::tempdir().unwrap();
    let text = shared_destinations();
    let outputs: Vec<String> = (0..10)
        .map(|index| {
            let link = folder.path().join(index.to_string());
            std::os::unix::fs::symlink(PROGRAM, &link).unwrap();
            let program = WorkerProgram::at(link);
            let output = program.compile(&text, &Target::new(Chip::SM_80), Stage::Ptx, 1);
            output.unwrap().text
        })
        .collect();
    let other = outputs.iter().position(|output| *output != outputs[0]);
    assert_eq!(other, None, "{}", outputs[0]);
}
