//! Finding the wrong kernel: a device that damages PTX as it loads it is found out, at the right kernel.

use segra::bisect::{Finding, Verdict, bisect};
use segra::{
    Array, CompileOptions, Compiler, Device, DeviceInfo, Program, Scalar, Tolerance, Value,
    embedded, interpret,
};
use segra_artifact::{SourceMap, Target};
use segra_runtime::{
    DeviceError, DevicePtr, KernelLaunch, LaunchOutcome, MemoryInfo, ModuleHandle, SimDevice,
    SimOptions,
};
use std::sync::Arc;

const SOFTMAX: &str = include_str!("../../../examples/softmax.mlir");

/// The simulator, with every `from` in a module's PTX replaced by `to`.
struct Faulty {
    inner: SimDevice,
    from: &'static str,
    to: &'static str,
}

impl Device for Faulty {
    fn info(&self) -> &DeviceInfo {
        self.inner.info()
    }
    fn memory(&self) -> Result<MemoryInfo, DeviceError> {
        self.inner.memory()
    }
    fn load(
        &self,
        target: &Target,
        kernels: &[&str],
        sources: &SourceMap,
    ) -> Result<ModuleHandle, DeviceError> {
        let ptx = target.ptx.replace(self.from, self.to);
        self.inner.load(
            &Target {
                ptx,
                ..target.clone()
            },
            kernels,
            sources,
        )
    }
    fn unload(&self, module: ModuleHandle) -> Result<(), DeviceError> {
        self.inner.unload(module)
    }
    fn alloc(&self, bytes: u64, name: &str) -> Result<DevicePtr, DeviceError> {
        self.inner.alloc(bytes, name)
    }
    fn free(&self, ptr: DevicePtr) -> Result<(), DeviceError> {
        self.inner.free(ptr)
    }
    fn upload(&self, dst: DevicePtr, data: &[u8]) -> Result<(), DeviceError> {
        self.inner.upload(dst, data)
    }
    fn download(&self, src: DevicePtr, out: &mut [u8]) -> Result<(), DeviceError> {
        self.inner.download(src, out)
    }
    fn copy(&self, dst: DevicePtr, src: DevicePtr, bytes: u64) -> Result<(), DeviceError> {
        self.inner.copy(dst, src, bytes)
    }
    fn fill(&self, dst: DevicePtr, pattern: &[u8], count: u64) -> Result<(), DeviceError> {
        self.inner.fill(dst, pattern, count)
    }
    fn launch(&self, launch: &KernelLaunch<'_>) -> Result<LaunchOutcome, DeviceError> {
        self.inner.launch(launch)
    }
    fn synchronize(&self) -> Result<(), DeviceError> {
        self.inner.synchronize()
    }
}

fn device(from: &'static str, to: &'static str) -> Arc<dyn Device> {
    Arc::new(Faulty {
        inner: SimDevice::new(&SimOptions::default()),
        from,
        to,
    })
}

fn compiler() -> Compiler {
    let targets = vec!["sm_80".parse().expect("a chip")];
    Compiler::new(CompileOptions {
        targets,
        ..CompileOptions::default()
    })
}

/// Elements of a row that no thread block has threads for: softmax of them takes three kernels.
const WIDE: usize = 1030;

fn matrix(rows: usize, columns: usize) -> Value {
    let values: Vec<f32> = (0..rows * columns)
        .map(|i| (i * 7 % 11) as f32 / 4.0)
        .collect();
    Value::Array(Array::new(&[rows, columns], &values).expect("fits"))
}

fn search(text: &str, device: &Arc<dyn Device>, args: &[Value]) -> Verdict {
    let program =
        Program::from_text("program.mlir", text).unwrap_or_else(|failure| panic!("{failure}"));
    bisect(
        &compiler(),
        &program,
        device,
        "main",
        args,
        Tolerance::for_length(WIDE),
    )
    .unwrap_or_else(|failure| panic!("{failure}"))
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn a_right_program_agrees_kernel_by_kernel() {
    match search(
        SOFTMAX,
        &device("nothing to damage", ""),
        &[matrix(5, WIDE)],
    ) {
        Verdict::Agrees(kernels) => assert_eq!(kernels, 3),
        other => panic!("{other:?}"),
    }
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn the_damaged_kernel_is_named_and_its_file_shows_the_fault() {
    // Only the quotients divide: the last of three kernels.
    let faulty = device("div.rn.f32", "mul.rn.f32");
    let Verdict::Kernel(suspect) = search(SOFTMAX, &faulty, &[matrix(5, WIDE)]) else {
        panic!("nothing found")
    };
    assert_eq!((suspect.number, suspect.op.as_str()), (3, "kernel.segmap"));
    assert_eq!(suspect.location, "program.mlir:19:11");
    assert!(
        matches!(suspect.finding, Finding::Differs(_)),
        "{}",
        suspect.finding
    );

    // The file stands alone: right in the interpreter, wrong on that device, right on a sound one.
    let alone = Program::from_text("kernel.mlir", &suspect.reproducer)
        .unwrap_or_else(|why| panic!("{why}"));
    let inputs = embedded::inputs(alone.ir(), "main")
        .expect("carries inputs")
        .expect("are values");
    let expected = interpret(alone.ir(), "main", &inputs).unwrap_or_else(|why| panic!("{why}"));
    let first = |value: &Value| {
        value
            .as_array()
            .and_then(|array| array.get(0))
            .map(Scalar::to_f64)
    };
    assert!(
        first(&expected[0]).is_some_and(|x| x > 0.0 && x < 1.0),
        "{:?}",
        expected[0]
    );
    let Verdict::Kernel(again) = search(&suspect.reproducer, &faulty, &inputs) else {
        panic!("not reproduced")
    };
    assert_eq!(again.finding, suspect.finding);
    assert!(matches!(
        search(&suspect.reproducer, &device("nothing", ""), &inputs),
        Verdict::Agrees(1)
    ));
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn a_kernel_in_a_loop_is_found_in_the_iteration_that_goes_wrong() {
    let text = r#"
func.func @main(%xs: !array.array<[n]i32>) -> !array.array<[n]i32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %k = arith.constant 77 : i32
  %r = scf.for %i = %zero to %four step %one iter_args(%ys = %xs) -> (!array.array<[n]i32>) {
    %zs = array.map (%y in %ys : [n]i32) {
      %s = arith.muli %y, %y : i32
      %t = arith.xori %s, %k : i32
      array.yield %t : i32
    }
    scf.yield %zs : !array.array<[n]i32>
  }
  func.return %r : !array.array<[n]i32>
}
"#;
    // `or` for `xor`: they agree on 0, whose square has no bit of 77, and differ on the square of 77.
    let faulty = device("xor.b32", "or.b32");
    let args = [Value::Array(Array::vector(&[0i32]))];
    let Verdict::Kernel(suspect) = search(text, &faulty, &args) else {
        panic!("nothing found")
    };
    assert_eq!(suspect.number, 2);
    assert!(matches!(
        search(text, &device("nothing", ""), &args),
        Verdict::Agrees(4)
    ));
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn a_kernel_that_the_device_stops_is_a_finding() {
    let faulty = device("ret;", "trap;");
    let Verdict::Kernel(suspect) = search(SOFTMAX, &faulty, &[matrix(2, 3)]) else {
        panic!("nothing found")
    };
    assert_eq!(suspect.number, 1);
    assert!(
        matches!(suspect.finding, Finding::Fails(_)),
        "{}",
        suspect.finding
    );
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn a_wrong_operator_in_the_middle_is_named() {
    let text = r#"
func.func @main(%xss: !array.array<[n][m]i32>) -> !array.array<[n]i32> {
  %low = arith.constant -2147483648 : i32
  %zero = arith.constant 0 : i32
  %rs = array.map (%xs in %xss : [n][m]i32) {
    %most = array.reduce (%xs : [m]i32) init (%low : i32) combine (%a, %x) {
      %s = arith.maxsi %a, %x : i32
      array.yield %s : i32
    }
    %bits = array.redomap (%x in %xs : [m]i32) init (%zero : i32) map {
      %d = arith.subi %most, %x : i32
      array.yield %d : i32
    } combine (%a, %b) {
      %s = arith.xori %a, %b : i32
      array.yield %s : i32
    }
    %r = arith.muli %bits, %most : i32
    array.yield %r : i32
  }
  func.return %rs : !array.array<[n]i32>
}
"#;
    // Too wide for a thread block with a row each; distances to the maximum whose bits differ.
    let values: Vec<i32> = (0..2 * WIDE as i32).map(|i| i * 7 % 1001).collect();
    let args = [Value::Array(Array::new(&[2, WIDE], &values).expect("fits"))];
    let Verdict::Kernel(suspect) = search(text, &device("xor.b32", "or.b32"), &args) else {
        panic!("nothing found")
    };
    assert_eq!((suspect.number, suspect.op.as_str()), (2, "kernel.segred"));
    assert_eq!(suspect.location, "program.mlir:10:13");
    assert!(matches!(
        search(text, &device("nothing", ""), &args),
        Verdict::Agrees(_)
    ));
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn a_kernel_of_several_results_in_a_branch_is_found_where_the_branch_is_taken() {
    let text = r#"
func.func @main(%xs: !array.array<[n]i32>) -> (!array.array<[n]i32>, !array.array<[n]i32>) {
  %zero = arith.constant 0 : i32
  %five = arith.constant 5 : i32
  %sum = array.reduce (%xs : [n]i32) init (%zero : i32) combine (%acc, %x) {
    %s = arith.addi %acc, %x : i32
    array.yield %s : i32
  }
  %positive = arith.cmpi sgt, %sum, %zero : i32
  %ys, %zs = scf.if %positive -> (!array.array<[n]i32>, !array.array<[n]i32>) {
    %a, %b = array.map (%x in %xs : [n]i32) {
      %d = arith.addi %x, %five : i32
      %e = arith.xori %x, %five : i32
      array.yield %d, %e : i32, i32
    }
    scf.yield %a, %b : !array.array<[n]i32>, !array.array<[n]i32>
  } else {
    scf.yield %xs, %xs : !array.array<[n]i32>, !array.array<[n]i32>
  }
  func.return %ys, %zs : !array.array<[n]i32>, !array.array<[n]i32>
}
"#;
    let faulty = device("xor.b32", "or.b32");
    let taken = [Value::Array(Array::vector(&[1i32, 4, 6]))];
    let Verdict::Kernel(suspect) = search(text, &faulty, &taken) else {
        panic!("nothing found")
    };
    assert_eq!((suspect.number, suspect.op.as_str()), (2, "kernel.segmap"));
    let Finding::Differs(difference) = &suspect.finding else {
        panic!("{}", suspect.finding)
    };
    assert!(difference.to_string().contains("result"), "{difference}");
    let other = [Value::Array(Array::vector(&[-1i32, -4]))];
    assert!(matches!(search(text, &faulty, &other), Verdict::Agrees(1)));
}
