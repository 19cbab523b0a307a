//! Results of ops at the edges of their formats; folding gives the same wherever it gives something.

mod support;

use half::f16;
use segra_interp::{ArrayValue, Datum, EvalError, Interpreter};
use segra_ir::interfaces::FoldResult;
use segra_ir::{Attr, Ir, Op};

/// Applies `op` (text between operands and type) to constants of a type, by evaluation and by folding.
fn apply(op: &str, ty: &str, operands: &[&str], result: &str) -> Result<Datum, EvalError> {
    let constants: String = operands
        .iter()
        .enumerate()
        .map(|(index, value)| format!("%a{index} = arith.constant {value}\n"))
        .collect();
    let names: Vec<String> = (0..operands.len())
        .map(|index| format!("%a{index}"))
        .collect();
    let names = names.join(", ");
    let names = if op.ends_with(',') {
        format!(" {names}")
    } else {
        names
    };
    let text = format!(
        "func.func @f() -> {result} {{
           {constants}%r = {op} {names} : {ty}
           func.return %r : {result}
         }}"
    );
    let ir = support::program(&text);
    let evaluated = Interpreter::new(&ir)
        .call("f", &[])
        .map(|mut values| values.remove(0));
    if let Some(folded) = fold(&ir) {
        // Which not-a-number a host's unit makes is its own affair.
        let is_nan = |value: &Datum| value.as_f64().is_some_and(f64::is_nan);
        if !(is_nan(&folded) && evaluated.as_ref().is_ok_and(is_nan)) {
            assert_eq!(
                Ok(&folded),
                evaluated.as_ref(),
                "folding and evaluation of {op} {operands:?} : {ty}"
            );
        }
    }
    evaluated
}

/// The fold of the op before the return.
fn fold(ir: &Ir) -> Option<Datum> {
    let ops: Vec<Op> = ir.walk(ir.root());
    let op = *ops.get(ops.len().checked_sub(2)?)?;
    let operands: Vec<Option<Attr>> = ir
        .operands(op)
        .map(|value| segra_ir::interfaces::constant_of(ir, value))
        .collect();
    let fold = ir.info(op)?.fold?;
    match fold.fold(ir, op, &operands)?.first()? {
        FoldResult::Attr(attr) => segra_std::constants::attr_to_datum(ir.ctx(), *attr),
        FoldResult::Value(value) => {
            let attr = segra_ir::interfaces::constant_of(ir, *value)?;
            segra_std::constants::attr_to_datum(ir.ctx(), attr)
        }
    }
}

fn ints(op: &str, ty: &str, cases: &[(i64, i64, i64)]) {
    for &(a, b, expected) in cases {
        let operands = [format!("{a} : {ty}"), format!("{b} : {ty}")];
        let found = apply(op, ty, &[&operands[0], &operands[1]], ty);
        assert_eq!(found, Ok(Datum::Int(expected)), "{op} {a}, {b} : {ty}");
    }
}

#[test]
fn integers_wrap_at_their_width() {
    ints(
        "arith.addi",
        "i8",
        &[(127, 1, -128), (-128, -1, 127), (5, -7, -2)],
    );
    ints("arith.addi", "i64", &[(i64::MAX, 1, i64::MIN)]);
    ints(
        "arith.subi",
        "i16",
        &[(-32768, 1, 32767), (3, 3, 0), (3, 0, 3)],
    );
    ints(
        "arith.muli",
        "i32",
        &[(65536, 65536, 0), (-3, 7, -21), (9, 1, 9), (9, 0, 0)],
    );
    ints("arith.muli", "index", &[(i64::MAX, 2, -2)]);
}

#[test]
fn quotients_round_as_their_names_say() {
    ints(
        "arith.divsi",
        "i32",
        &[
            (7, 2, 3),
            (-7, 2, -3),
            (7, -2, -3),
            (i32::MIN.into(), -1, i32::MIN.into()),
        ],
    );
    ints("arith.divui", "i8", &[(-1, 2, 127), (7, 1, 7)]);
    ints(
        "arith.ceildivsi",
        "i32",
        &[(7, 2, 4), (-7, 2, -3), (7, -2, -3), (-7, -2, 4), (6, 2, 3)],
    );
    ints("arith.ceildivui", "i8", &[(7, 2, 4), (-1, 2, -128)]);
    ints(
        "arith.floordivsi",
        "i32",
        &[(7, 2, 3), (-7, 2, -4), (7, -2, -4), (-7, -2, 3)],
    );
    ints(
        "arith.remsi",
        "i32",
        &[(7, 3, 1), (-7, 3, -1), (7, -3, 1), (i32::MIN.into(), -1, 0)],
    );
    ints("arith.remui", "i8", &[(-1, 10, 5)]);
}

#[test]
fn division_by_zero_is_an_error_with_a_place() {
    for op in [
        "divsi",
        "divui",
        "ceildivsi",
        "ceildivui",
        "floordivsi",
        "remsi",
        "remui",
    ] {
        let error = apply(
            &format!("arith.{op}"),
            "i32",
            &["1 : i32", "0 : i32"],
            "i32",
        )
        .unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("test.mlir:4:6: 'arith.{op}' op divides by zero")
        );
    }
}

#[test]
fn bits_are_combined_and_shifted() {
    ints(
        "arith.andi",
        "i8",
        &[(0b1100, 0b1010, 0b1000), (7, -1, 7), (7, 0, 0)],
    );
    ints("arith.ori", "i8", &[(0b1100, 0b1010, 0b1110), (7, 0, 7)]);
    ints("arith.xori", "i8", &[(0b1100, 0b1010, 0b0110), (7, 7, 0)]);
    ints(
        "arith.shli",
        "i8",
        &[(1, 7, -128), (3, 0, 3), (1, 8, 0), (1, -1, 0)],
    );
    ints("arith.shrui", "i8", &[(-1, 1, 127), (-1, 7, 1), (-1, 8, 0)]);
    ints(
        "arith.shrsi",
        "i8",
        &[(-128, 7, -1), (64, 6, 1), (-1, 9, -1), (1, 9, 0)],
    );
}

#[test]
fn extrema_look_at_the_sign_as_their_names_say() {
    ints("arith.maxsi", "i8", &[(-1, 1, 1)]);
    ints("arith.maxui", "i8", &[(-1, 1, -1)]);
    ints("arith.minsi", "i8", &[(-1, 1, -1)]);
    ints("arith.minui", "i8", &[(-1, 1, 1)]);
    // `true` of i1 is -1 as a signed number.
    ints("arith.maxsi", "i1", &[(0, 1, 0)]);
    ints("arith.maxui", "i1", &[(0, 1, 1)]);
}

#[test]
fn comparisons_of_integers() {
    for (predicate, expected) in [
        ("eq", false),
        ("ne", true),
        ("slt", true),
        ("sle", true),
        ("sgt", false),
        ("sge", false),
        ("ult", false),
        ("ule", false),
        ("ugt", true),
        ("uge", true),
    ] {
        let found = apply(
            &format!("arith.cmpi {predicate},"),
            "i32",
            &["-1 : i32", "1 : i32"],
            "i1",
        );
        assert_eq!(found, Ok(Datum::bool(expected)), "{predicate}");
    }
}

#[test]
fn comparisons_of_floats_tell_ordered_from_unordered() {
    let nan = "0x7FC00000 : f32";
    for (predicate, less, equal, unordered) in [
        ("false", false, false, false),
        ("oeq", false, true, false),
        ("ogt", false, false, false),
        ("oge", false, true, false),
        ("olt", true, false, false),
        ("ole", true, true, false),
        ("one", true, false, false),
        ("ord", true, true, false),
        ("ueq", false, true, true),
        ("ugt", false, false, true),
        ("uge", false, true, true),
        ("ult", true, false, true),
        ("ule", true, true, true),
        ("une", true, false, true),
        ("uno", false, false, true),
        ("true", true, true, true),
    ] {
        for (b, expected) in [("2.0 : f32", less), ("1.0 : f32", equal), (nan, unordered)] {
            let found = apply(
                &format!("arith.cmpf {predicate},"),
                "f32",
                &["1.0 : f32", b],
                "i1",
            );
            assert_eq!(found, Ok(Datum::bool(expected)), "1.0 {predicate} {b}");
        }
    }
}

fn floats(op: &str, operands: &[f32], expected: f32) {
    let operands: Vec<String> = operands
        .iter()
        .map(|value| format!("0x{:08X} : f32", value.to_bits()))
        .collect();
    let operands: Vec<&str> = operands.iter().map(String::as_str).collect();
    let found = apply(op, "f32", &operands, "f32").expect("floats raise no error");
    let Datum::F32(found) = found else {
        panic!("{op} gives {found}")
    };
    let same = found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan());
    assert!(same, "{op} {operands:?} gives {found:?}, not {expected:?}");
}

#[test]
fn floats_follow_ieee_754() {
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    floats("arith.addf", &[1.0, f32::EPSILON / 2.0], 1.0);
    floats("arith.addf", &[-0.0, 0.0], 0.0);
    floats("arith.addf", &[-0.0, -0.0], -0.0);
    floats("arith.subf", &[inf, inf], nan);
    floats("arith.mulf", &[f32::MAX, 2.0], inf);
    floats(
        "arith.mulf",
        &[f32::MIN_POSITIVE, 0.5],
        f32::MIN_POSITIVE / 2.0,
    );
    floats("arith.divf", &[1.0, -0.0], -inf);
    floats("arith.divf", &[0.0, 0.0], nan);
    floats("arith.remf", &[-7.5, 2.0], -1.5);
    floats("arith.negf", &[0.0], -0.0);
    floats("arith.maximumf", &[-0.0, 0.0], 0.0);
    floats("arith.maximumf", &[1.0, nan], nan);
    floats("arith.minimumf", &[0.0, -0.0], -0.0);
    floats("arith.minimumf", &[nan, 1.0], nan);
    floats("arith.maxnumf", &[1.0, nan], 1.0);
    floats("arith.minnumf", &[nan, 1.0], 1.0);
}

#[test]
fn functions_at_known_points() {
    let (inf, nan, pi) = (f32::INFINITY, f32::NAN, std::f32::consts::PI);
    for (name, x, expected) in [
        ("absf", -0.0, 0.0),
        ("ceil", -0.5, -0.0),
        ("floor", -0.5, -1.0),
        ("round", 2.5, 3.0),
        ("round", -2.5, -3.0),
        ("roundeven", 2.5, 2.0),
        ("trunc", -1.7, -1.0),
        ("sqrt", 2.0, std::f32::consts::SQRT_2),
        ("sqrt", -1.0, nan),
        ("rsqrt", 4.0, 0.5),
        ("rsqrt", 0.0, inf),
        ("exp", 1.0, std::f32::consts::E),
        ("exp", 89.0, inf),
        ("exp2", -1.0, 0.5),
        ("expm1", 1e-8, 1e-8),
        ("log", 1.0, 0.0),
        ("log", 0.0, -inf),
        ("log2", 8.0, 3.0),
        ("log10", 1000.0, 3.0),
        ("log1p", 1e-8, 1e-8),
        ("sin", pi, -8.742_278e-8),
        ("cos", pi, -1.0),
        ("tan", 0.0, 0.0),
        ("atan", 1.0, pi / 4.0),
        ("tanh", 100.0, 1.0),
        ("erf", 0.5, 0.520_499_9),
    ] {
        floats(&format!("math.{name}"), &[x], expected);
    }
    floats("math.atan2", &[1.0, -1.0], 3.0 * pi / 4.0);
    floats("math.powf", &[2.0, 10.0], 1024.0);
    floats("math.copysign", &[3.0, -0.0], -3.0);
    // The product alone would round to 1.
    let above = 1.0 + f32::EPSILON;
    floats(
        "math.fma",
        &[above, 1.0 - f32::EPSILON, -1.0],
        -f32::EPSILON * f32::EPSILON,
    );
}

#[test]
fn bits_are_counted() {
    for (name, x, expected) in [
        ("absi", -128, -128),
        ("absi", -5, 5),
        ("ctlz", 1, 7),
        ("ctlz", 0, 8),
        ("ctlz", -1, 0),
        ("cttz", 8, 3),
        ("cttz", 0, 8),
        ("ctpop", -1, 8),
    ] {
        let found = apply(&format!("math.{name}"), "i8", &[&format!("{x} : i8")], "i8");
        assert_eq!(found, Ok(Datum::Int(expected)), "{name} {x}");
    }
}

fn cast(op: &str, from: &str, to: &str, value: &str, expected: Datum) {
    let found = apply(
        op,
        &format!("{from} to {to}"),
        &[&format!("{value} : {from}")],
        to,
    );
    assert_eq!(found, Ok(expected), "{op} {value} : {from} to {to}");
}

#[test]
fn conversions() {
    cast("arith.extsi", "i8", "i32", "-1", Datum::Int(-1));
    cast("arith.extsi", "i1", "i32", "1", Datum::Int(-1));
    cast("arith.extui", "i8", "i32", "-1", Datum::Int(255));
    cast("arith.extui", "i1", "i32", "1", Datum::Int(1));
    cast("arith.trunci", "i32", "i8", "300", Datum::Int(44));
    cast("arith.trunci", "i32", "i1", "3", Datum::Int(1));
    cast("arith.extf", "f16", "f32", "0.5", Datum::F32(0.5));
    cast("arith.truncf", "f64", "f32", "0.1", Datum::F32(0.1));
    cast(
        "arith.truncf",
        "f32",
        "f16",
        "65520.0",
        Datum::F16(f16::INFINITY),
    );
    cast(
        "arith.sitofp",
        "i64",
        "f32",
        "16777217",
        Datum::F32(16_777_216.0),
    );
    cast("arith.uitofp", "i8", "f32", "-1", Datum::F32(255.0));
    cast("arith.fptosi", "f32", "i32", "-1.9", Datum::Int(-1));
    cast("arith.fptosi", "f32", "i8", "1.0e+10", Datum::Int(127));
    cast("arith.fptosi", "f32", "i32", "0x7FC00000", Datum::Int(0));
    cast("arith.fptoui", "f32", "i8", "200.0", Datum::Int(-56));
    cast("arith.fptoui", "f32", "i8", "-3.0", Datum::Int(0));
    cast("arith.index_cast", "i32", "index", "-1", Datum::Int(-1));
    cast(
        "arith.index_castui",
        "i32",
        "index",
        "-1",
        Datum::Int(0xFFFF_FFFF),
    );
    cast("arith.index_cast", "index", "i8", "257", Datum::Int(1));
    cast(
        "arith.bitcast",
        "f32",
        "i32",
        "1.0",
        Datum::Int(0x3F80_0000),
    );
    cast(
        "arith.bitcast",
        "i32",
        "f32",
        "-2147483648",
        Datum::F32(-0.0),
    );
}

#[test]
fn narrowing_rounds_once_and_as_it_is_told() {
    // 1 + 2^-11 is halfway between two f16; the 2^-40 above it decides, though f32 cannot see it.
    cast(
        "arith.truncf",
        "f64",
        "f16",
        "1.0004882812509095",
        Datum::F16(f16::from_bits(0x3C01)),
    );
    cast(
        "arith.truncf",
        "f64",
        "f16",
        "1.00048828125",
        Datum::F16(f16::from_bits(0x3C00)),
    );
    for (mode, value, expected) in [
        ("downward", "1.0000001", 0x3C00),
        ("upward", "1.0000001", 0x3C01),
        ("toward_zero", "-1.0000001", 0xBC00),
        ("downward", "-1.0000001", 0xBC01),
        ("to_nearest_away", "1.00048828125", 0x3C01),
        ("to_nearest_even", "1.00048828125", 0x3C00),
    ] {
        let operand = format!("{value} : f64");
        let text = format!(
            "func.func @f() -> f16 {{
               %a = arith.constant {operand}
               %r = arith.truncf %a {mode} : f64 to f16
               func.return %r : f16
             }}"
        );
        assert_eq!(
            support::run(&text, &[]),
            Ok(vec![Datum::F16(f16::from_bits(expected))]),
            "{mode} {value}"
        );
    }
}

#[test]
fn vectors_are_computed_element_by_element() {
    let found = apply(
        "arith.addi",
        "vector<4xi8>",
        &[
            "dense<[1, 2, 3, 127]> : vector<4xi8>",
            "dense<1> : vector<4xi8>",
        ],
        "vector<4xi8>",
    );
    let Ok(Datum::Vector(vector)) = found else {
        panic!("{found:?}")
    };
    let elements: Vec<Datum> = vector.iter().collect();
    assert_eq!(elements, [2, 3, 4, -128].map(Datum::Int));
    let found = apply(
        "arith.cmpf olt,",
        "vector<2xf32>",
        &[
            "dense<[1.0, 2.0]> : vector<2xf32>",
            "dense<1.5> : vector<2xf32>",
        ],
        "vector<2xi1>",
    );
    assert_eq!(found, Ok(Datum::vector(ArrayValue::bools(&[true, false]))));
    let text = "func.func @f() -> vector<2xf32> {
        %c = arith.constant dense<[true, false]> : vector<2xi1>
        %a = arith.constant dense<1.0> : vector<2xf32>
        %b = arith.constant dense<2.0> : vector<2xf32>
        %s = arith.select %c, %a, %b : vector<2xi1>, vector<2xf32>
        %r = vector.fma %s, %b, %a : vector<2xf32>
        func.return %r : vector<2xf32>
      }";
    assert_eq!(
        support::run(text, &[]),
        Ok(vec![Datum::vector(ArrayValue::f32s(&[3.0, 5.0]))])
    );
}
