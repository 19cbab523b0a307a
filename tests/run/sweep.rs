//! Every kind of parallelism and every array op, on every element type, at every awkward size.
//!
//! Two programs are written for each element type: one whose arrays have one dimension, one whose arrays have rows (short
//! and long segments). Each runs at [`SIZES`] on the simulator, with all checkers, and must give what numpy gives, and so must
//! the interpreter.
//! And every op of the dialects `array` and `kernel` must occur in some run test, as written or after flattening.

use crate::numpy::Numpy;
use crate::programs::ENTRY;
use crate::{Outcome, load, rendered};
use libtest_mimic::Trial;
use segra::{
    Compiled, Compiler, DeviceChoice, ElemType, Program, Tolerance, Value, compare, interpret,
};
use segra_tests::case;
use std::collections::BTreeSet;

/// None, one, around a warp, around a thread block, and several thread blocks and tiles.
const SIZES: [usize; 8] = [0, 1, 31, 32, 33, 1023, 1025, 40_009];
/// The length of short rows, and the number of long ones.
const ROWS: usize = 5;
/// The largest number of short rows.
const MOST_ROWS: usize = 8_009;

/// How an element type is combined: an operator that is associative in it (16-bit floats add up to different sums in
/// different orders, so they have the maximum), and its neutral element.
struct Element {
    elem: ElemType,
    combine: &'static str,
    neutral: &'static str,
    /// The op a map applies to two elements.
    map: &'static str,
    /// The operator, the neutral element and the function in numpy.
    numpy: [&'static str; 3],
}

#[rustfmt::skip] // a table
const ELEMENTS: [Element; 9] = [
    Element { elem: ElemType::Bool, combine: "arith.ori", neutral: "false", map: "arith.xori", numpy: ["np.bitwise_or", "False", "np.bitwise_xor"] },
    Element { elem: ElemType::I8, combine: "arith.addi", neutral: "0 : i8", map: "arith.muli", numpy: ["np.add", "0", "np.multiply"] },
    Element { elem: ElemType::I16, combine: "arith.maxsi", neutral: "-32768 : i16", map: "arith.subi", numpy: ["np.maximum", "-32768", "np.subtract"] },
    Element { elem: ElemType::I32, combine: "arith.xori", neutral: "0 : i32", map: "arith.muli", numpy: ["np.bitwise_xor", "0", "np.multiply"] },
    Element { elem: ElemType::I64, combine: "arith.addi", neutral: "0 : i64", map: "arith.minui", numpy: ["np.add", "0", "np.minimum"] },
    Element { elem: ElemType::F16, combine: "arith.maximumf", neutral: "0xFC00 : f16", map: "arith.addf", numpy: ["np.maximum", "-np.inf", "np.add"] },
    Element { elem: ElemType::BF16, combine: "arith.minimumf", neutral: "0x7F80 : bf16", map: "arith.mulf", numpy: ["np.minimum", "np.inf", "np.multiply"] },
    Element { elem: ElemType::F32, combine: "arith.addf", neutral: "0.0 : f32", map: "arith.mulf", numpy: ["np.add", "0", "np.multiply"] },
    Element { elem: ElemType::F64, combine: "arith.addf", neutral: "0.0 : f64", map: "arith.subf", numpy: ["np.add", "0", "np.subtract"] },
];

/// A program with the element's type for `T`, its operators for `COMBINE` and `MAP`, its neutral element for `NEUTRAL`.
const VECTORS: &str = "
func.func @main(%xs: !array.array<[n]T>, %keys: !array.array<[n]i32>) -> (!array.array<[n]T>, T, !array.array<[n]T>, T, !array.array<[n]T>, !array.array<[n]T>, !array.array<[7]T>, !array.array<[n]T>, !array.array<[n]T>, !array.array<[?]T>, !array.array<[?]T>, !array.array<[?]T>, !array.array<[k]T>, !array.array<[7]T>, T, !array.array<[n]T>) {
  %neutral = arith.constant NEUTRAL
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %seven = arith.constant 7 : index
  %seven32 = arith.constant 7 : i32
  %n = array.dim %xs, 0 : [n]T
  %places = array.iota %n : [n]index
  %mapped = array.map (%x in %xs : [n]T) {
    %y = MAP %x, %x : T
    array.yield %y : T
  }
  %reduced = array.reduce (%xs : [n]T) init (%neutral : T) combine (%acc, %x) {
    %s = COMBINE %acc, %x : T
    array.yield %s : T
  }
  %scanned = array.scan (%xs : [n]T) init (%neutral : T) combine (%acc, %x) {
    %s = COMBINE %acc, %x : T
    array.yield %s : T
  }
  %redomapped = array.redomap (%x in %xs : [n]T) init (%neutral : T) map {
    %y = MAP %x, %x : T
    array.yield %y : T
  } combine (%a, %b) {
    %s = COMBINE %a, %b : T
    array.yield %s : T
  }
  %scanomapped = array.scanomap (%x in %xs : [n]T) init (%neutral : T) map {
    %y = MAP %x, %x : T
    array.yield %y : T
  } combine (%a, %b) {
    %s = COMBINE %a, %b : T
    array.yield %s : T
  }
  %blank = array.replicate %neutral, [%n] : T -> [n]T
  %scattered = array.scatter (%x in %xs : [n]T, %i in %places : [n]index) into (%blank : [n]T) {
    %rest = arith.subi %n, %i : index
    %at = arith.subi %rest, %one : index
    array.yield %at, %x : index, T
  }
  %bins = array.replicate %neutral, [%seven] : T -> [7]T
  %counted = array.hist (%x in %xs : [n]T, %key in %keys : [n]i32) into (%bins : [7]T) neutral (%neutral : T) map {
    %bin = arith.remui %key, %seven32 : i32
    %at = arith.index_castui %bin : i32 to index
    array.yield %at, %x : index, T
  } combine (%a, %b) {
    %s = COMBINE %a, %b : T
    array.yield %s : T
  }
  %reversed = array.reverse %xs, 0 : [n]T
  %back = array.map (%i in %places : [n]index) {
    %rest = arith.subi %n, %i : index
    %at = arith.subi %rest, %one : index
    array.yield %at : index
  }
  %gathered = array.gather %xs[%back] : [n]T, [n]index
  %joined = array.concat %xs, %mapped : [n]T, [n]T -> [?]T
  %padded = array.pad %xs, %neutral low [%one] high [%two] : [n]T -> [?]T
  %half = arith.divui %n, %two : index
  %zero = arith.constant 0 : index
  %slice = array.slice %xs[%zero] sizes [%half] strides [%two] : [n]T -> [?]T
  %zero32 = arith.constant 0 : i32
  %kept, %kept_keys = array.filter (%x in %xs : [n]T, %key in %keys : [n]i32) -> [k] {
    %parity = arith.andi %key, %seven32 : i32
    %keep = arith.cmpi ugt, %parity, %zero32 : i32
    array.yield %keep : i1
  }
  %updated = array.update %reduced, %bins[%two] : T, [7]T
  %sixth = array.index %updated[%two] : [7]T
  %same = array.cast %reversed : [n]T -> [n]T
  func.return %mapped, %reduced, %scanned, %redomapped, %scanomapped, %scattered, %counted, %reversed, %gathered, %joined, %padded, %slice, %kept, %updated, %sixth, %same : !array.array<[n]T>, T, !array.array<[n]T>, T, !array.array<[n]T>, !array.array<[n]T>, !array.array<[7]T>, !array.array<[n]T>, !array.array<[n]T>, !array.array<[?]T>, !array.array<[?]T>, !array.array<[?]T>, !array.array<[k]T>, !array.array<[7]T>, T, !array.array<[n]T>
}
";

/// As [`VECTORS`], for `%xs` with many short rows and `%ys` with few long ones.
const ROWS_OF_BOTH_KINDS: &str = "
func.func @main(%xs: !array.array<[n][m]T>, %ys: !array.array<[m][n]T>) -> (!array.array<[m][n]T>, !array.array<[m][n]T>, !array.array<[n]T>, !array.array<[m]T>, !array.array<[n][m]T>, !array.array<[m][n]T>, !array.array<[n][m]T>, !array.array<[m][3]T>, !array.array<[l]T>, !array.array<[3]T>) {
  %neutral = arith.constant NEUTRAL
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %n = array.dim %xs, 0 : [n][m]T
  %m = array.dim %xs, 1 : [n][m]T
  %turned = array.rearrange %xs, [1, 0] : [n][m]T
  %both = array.map (%a in %turned : [m][n]T, %b in %ys : [m][n]T) {
    %row = array.map (%x in %a : [n]T, %y in %b : [n]T) {
      %z = MAP %x, %y : T
      array.yield %z : T
    }
    array.yield %row : !array.array<[n]T>
  }
  %short = array.map (%a in %xs : [n][m]T) {
    %r = array.reduce (%a : [m]T) init (%neutral : T) combine (%acc, %x) {
      %s = COMBINE %acc, %x : T
      array.yield %s : T
    }
    array.yield %r : T
  }
  %long = array.map (%a in %ys : [m][n]T) {
    %r = array.reduce (%a : [n]T) init (%neutral : T) combine (%acc, %x) {
      %s = COMBINE %acc, %x : T
      array.yield %s : T
    }
    array.yield %r : T
  }
  %short_scans = array.map (%a in %xs : [n][m]T) {
    %r = array.scan (%a : [m]T) init (%neutral : T) combine (%acc, %x) {
      %s = COMBINE %acc, %x : T
      array.yield %s : T
    }
    array.yield %r : !array.array<[m]T>
  }
  %long_scans = array.map (%a in %ys : [m][n]T) {
    %r = array.scan (%a : [n]T) init (%neutral : T) combine (%acc, %x) {
      %s = COMBINE %acc, %x : T
      array.yield %s : T
    }
    array.yield %r : !array.array<[n]T>
  }
  %columns = array.iota %m : [m]index
  %blank = array.replicate %neutral, [%m] : T -> [m]T
  %scattered = array.map (%a in %xs : [n][m]T) {
    %r = array.scatter (%x in %a : [m]T, %j in %columns : [m]index) into (%blank : [m]T) {
      %rest = arith.subi %m, %j : index
      %at = arith.subi %rest, %one : index
      array.yield %at, %x : index, T
    }
    array.yield %r : !array.array<[m]T>
  }
  %places = array.iota %n : [n]index
  %bins = array.replicate %neutral, [%three] : T -> [3]T
  %counted = array.map (%a in %ys : [m][n]T) {
    %r = array.hist (%x in %a : [n]T, %i in %places : [n]index) into (%bins : [3]T) neutral (%neutral : T) map {
      %bin = arith.remui %i, %three : index
      array.yield %bin, %x : index, T
    } combine (%a1, %b1) {
      %s = COMBINE %a1, %b1 : T
      array.yield %s : T
    }
    array.yield %r : !array.array<[3]T>
  }
  %length = arith.muli %n, %m : index
  %flat = array.reshape %xs, [%length] : [n][m]T -> [l]T
  %tensor = arith.constant dense<LITERAL> : tensor<3xT>
  %literal = array.from_tensor %tensor : tensor<3xT>
  func.return %turned, %both, %short, %long, %short_scans, %long_scans, %scattered, %counted, %flat, %literal : !array.array<[m][n]T>, !array.array<[m][n]T>, !array.array<[n]T>, !array.array<[m]T>, !array.array<[n][m]T>, !array.array<[m][n]T>, !array.array<[n][m]T>, !array.array<[m][3]T>, !array.array<[l]T>, !array.array<[3]T>
}
";

/// The results of [`VECTORS`] in numpy, with `combine`, `neutral` and `function` of the element. Random integers are not
/// negative, so that the least of them is the same with and without sign.
const VECTORS_IN_NUMPY: &str = "
n = len(xs)
mapped = function(xs, xs)
reduced = combine.reduce(xs, initial=neutral, dtype=xs.dtype)
counted = np.full(7, neutral, xs.dtype)
combine.at(counted, keys % 7, xs)
updated = np.full(7, neutral, xs.dtype)
updated[2] = reduced
(mapped, reduced, combine.accumulate(xs, dtype=xs.dtype), combine.reduce(mapped, initial=neutral, dtype=xs.dtype),
    combine.accumulate(mapped, dtype=xs.dtype), xs[::-1], counted, xs[::-1], xs[::-1], np.concatenate([xs, mapped]),
    np.pad(xs, (1, 2), constant_values=neutral), xs[::2][:n // 2], xs[keys % 8 != 0], updated, reduced, xs[::-1])
";

/// Those of [`ROWS_OF_BOTH_KINDS`].
const ROWS_IN_NUMPY: &str = "
def sums(rows):
    return combine.reduce(rows, axis=1, initial=neutral, dtype=rows.dtype)
counted = np.stack([sums(ys[:, bin::3]) for bin in range(3)], axis=1)
literal = np.full(3, {bool: True, int: 3, float: 1.5}[type(xs.dtype.type(0).item())], xs.dtype)
(xs.T, function(xs.T, ys), sums(xs), sums(ys), combine.accumulate(xs, axis=1, dtype=xs.dtype),
    combine.accumulate(ys, axis=1, dtype=ys.dtype), xs[:, ::-1], counted, xs.ravel(), literal)
";

impl Element {
    fn program(&self, template: &str) -> String {
        let ty = self.elem.to_string();
        let literal = if self.elem == ElemType::Bool {
            "true"
        } else if self.elem.is_float() {
            "1.5"
        } else {
            "3"
        };
        let words = template
            .replace("NEUTRAL", self.neutral)
            .replace("LITERAL", literal);
        let words = words
            .replace("COMBINE", self.combine)
            .replace("MAP", self.map);
        // The type stands alone, behind a bracket, or before the end of a tensor's.
        let mut out = String::new();
        let mut rest = words.as_str();
        while let Some(at) = rest.find('T') {
            out += &rest[..at];
            out += &ty;
            rest = &rest[at + 1..];
        }
        out + rest
    }

    fn numpy(&self, template: &str) -> Numpy {
        let [combine, neutral, function] = self.numpy;
        let words = format!(
            "combine, function, neutral = {combine}, {function}, xs.dtype.type({neutral})\n"
        );
        Numpy::of(words + template)
    }
}

pub(crate) fn trials(devices: &[DeviceChoice]) -> Vec<Trial> {
    let mut trials = vec![Trial::test("every op of arrays and kernels is run", || {
        every_op().map_err(Into::into)
    })];
    for element in &ELEMENTS {
        for &device in devices {
            let name = |what: &str| {
                format!(
                    "sweep {} {what}: {}",
                    element.elem,
                    crate::device_name(device)
                )
            };
            let vectors = move || {
                sweep(
                    &element.program(VECTORS),
                    &element.numpy(VECTORS_IN_NUMPY),
                    device,
                    |size| vec![(element.elem, vec![size]), (ElemType::I32, vec![size])],
                )
            };
            trials.push(Trial::test(name("vectors"), move || {
                vectors().map_err(Into::into)
            }));
            let rows = move || {
                sweep(
                    &element.program(ROWS_OF_BOTH_KINDS),
                    &element.numpy(ROWS_IN_NUMPY),
                    device,
                    |size| {
                        let size = size.min(MOST_ROWS);
                        vec![
                            (element.elem, vec![size, ROWS]),
                            (element.elem, vec![ROWS, size]),
                        ]
                    },
                )
            };
            trials.push(Trial::test(name("rows"), move || {
                rows().map_err(Into::into)
            }));
        }
    }
    trials
}

/// Runs a program at every size on arguments of these types and shapes.
fn sweep(
    text: &str,
    numpy: &Numpy,
    device: DeviceChoice,
    shapes: impl Fn(usize) -> Vec<(ElemType, Vec<usize>)>,
) -> Outcome {
    let program = Program::from_text("sweep.mlir", text).map_err(|failure| rendered(&failure))?;
    let signature = program
        .signatures()
        .get(ENTRY)
        .ok_or("there is no function @main")?
        .entry
        .clone();
    let compiled = Compiler::new(crate::compile_options(device)).compile(program.clone());
    let Compiled { artifact, .. } = compiled.map_err(|failure| rendered(&failure))?;
    let loaded = load(artifact, device)?;
    let entry = loaded.entry(ENTRY).map_err(|error| error.to_string())?;
    for size in SIZES {
        let context = |error: String| format!("size {size}: {error}");
        let mut arguments = Vec::new();
        for (stream, (elem, shape)) in shapes(size).into_iter().enumerate() {
            let array = segra_runtime::random_array(elem, &shape, size as u64, stream as u64);
            arguments.push(Value::Array(
                array.map_err(|error| context(error.to_string()))?,
            ));
        }
        let expected = numpy.results(&signature, &arguments).map_err(context)?;
        let interpreted = interpret(program.ir(), ENTRY, &arguments)
            .map_err(|failure| context(rendered(&failure)))?;
        let found = crate::results(&entry, &arguments).map_err(context)?;
        for (by, found) in [("the interpreter", interpreted), ("the device", found)] {
            if let Some(difference) = compare(&found, &expected, Tolerance::for_length(size)) {
                return Err(context(format!("{by}: {difference}")));
            }
        }
    }
    Ok(())
}

/// The programs for floats.
pub(crate) fn texts() -> impl Iterator<Item = String> {
    [VECTORS, ROWS_OF_BOTH_KINDS]
        .into_iter()
        .map(|text| ELEMENTS[7].program(text))
}

/// Names of ops that stand in no run test, neither as written nor at the kernel level.
fn every_op() -> Outcome {
    let mut known = BTreeSet::new();
    let mut run = BTreeSet::new();
    let folders = ["run", "../examples"].map(|folder| case::folder().join(folder));
    let mut texts: Vec<(String, String)> = texts().map(|text| ("sweep".to_owned(), text)).collect();
    for folder in folders {
        for path in case::files(&folder, "mlir").map_err(|error| error.to_string())? {
            let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
            texts.push((path.display().to_string(), text));
        }
    }
    let tiles = "tile-blocks{tile-y=16 tile-x=16 registers-y=2 registers-x=4}";
    let tiles = crate::tiled::to_kernel().replace("tile-blocks", tiles);
    let registers = format!("{tiles},use-tensor-cores,unroll-registers");
    let bounds = "array-to-kernel,expand-windows,func.func(bound-arrays)";
    for (name, text) in texts {
        let program = Program::from_text(&name, &text).map_err(|failure| rendered(&failure))?;
        let ir = program.ir();
        if known.is_empty() {
            let ours = ir
                .ctx()
                .dialects()
                .filter(|dialect| ["array", "kernel"].contains(&dialect.name));
            known.extend(ours.flat_map(|dialect| dialect.ops.iter().map(|op| op.name.to_owned())));
        }
        run.extend(
            ir.walk(ir.root())
                .into_iter()
                .map(|op| ir.op_name_str(op).to_owned()),
        );
        for pipeline in [
            "array-to-kernel-one",
            "array-to-kernel",
            &crate::tiled::to_kernel(),
            &registers,
            bounds,
        ] {
            let lowered = Compiler::default().lower(program.clone(), pipeline, None);
            let ir = lowered.map_err(|failure| rendered(&failure))?.ir;
            run.extend(
                ir.walk(ir.root())
                    .into_iter()
                    .map(|op| ir.op_name_str(op).to_owned()),
            );
        }
    }
    let missing: Vec<&String> = known.difference(&run).collect();
    if missing.is_empty() && !known.is_empty() {
        Ok(())
    } else {
        Err(format!("in no run test: {missing:?}"))
    }
}
