//! Inputs as people write them after `--input`, and `.npy` files made by numpy.

use proptest::prelude::*;
use segra_artifact::{Dim, ElemType, ParamType, Scalar, SizeId};
use segra_runtime::{
    Array, Input, InputError, NpyError, Value, npy_bytes, parse_npy, random_array, write_npy,
};

fn vector(elem: ElemType) -> ParamType {
    ParamType::Array {
        elem,
        dims: vec![Dim::Size(SizeId(0))],
    }
}

fn matrix(elem: ElemType) -> ParamType {
    ParamType::Array {
        elem,
        dims: vec![Dim::Size(SizeId(0)), Dim::Const(2)],
    }
}

fn read(text: &str, ty: &ParamType) -> Result<Value, InputError> {
    Input::parse(text)?.materialise(ty, 1, 0)
}

fn message(text: &str, ty: &ParamType) -> String {
    read(text, ty).expect_err("an error").to_string()
}

#[test]
fn literals_take_the_type_of_their_parameter() {
    let scalar = |text, elem| read(text, &ParamType::Scalar(elem)).unwrap();
    assert_eq!(scalar("3.5", ElemType::F32), Scalar::f32(3.5).into());
    assert_eq!(scalar("3", ElemType::F64), Scalar::f64(3.0).into());
    assert_eq!(
        scalar("-inf", ElemType::F64),
        Scalar::f64(f64::NEG_INFINITY).into()
    );
    assert_eq!(scalar("true", ElemType::Bool), Scalar::bool(true).into());
    assert_eq!(
        scalar("9223372036854775807", ElemType::I64),
        Scalar::i64(i64::MAX).into()
    );
    assert_eq!(
        scalar("0xff", ElemType::I8),
        Scalar::from_i64(ElemType::I8, -1).into()
    );
    assert_eq!(
        read("7", &ParamType::Size(SizeId(0))).unwrap(),
        Scalar::i64(7).into()
    );

    assert_eq!(
        read("[1, 2,3]", &vector(ElemType::F32)).unwrap(),
        Array::vector(&[1f32, 2.0, 3.0]).into()
    );
    let matrix_value = read("[[1.0,2],[3,4]]", &matrix(ElemType::F64)).unwrap();
    assert_eq!(
        matrix_value,
        Array::new(&[2, 2], &[1f64, 2.0, 3.0, 4.0]).unwrap().into()
    );
    assert_eq!(
        read("[]", &vector(ElemType::I32)).unwrap(),
        Array::vector::<i32>(&[]).into()
    );
    assert_eq!(
        read("[[],[]]", &matrix(ElemType::F32))
            .unwrap()
            .to_array()
            .shape(),
        [2, 0]
    );
}

#[test]
fn literals_that_do_not_fit_are_refused_with_the_reason() {
    assert_eq!(
        message("3.5", &ParamType::Scalar(ElemType::I32)),
        "`3.5` is not a value of type i32"
    );
    assert_eq!(
        message("300", &ParamType::Scalar(ElemType::I8)),
        "`300` is not a value of type i8"
    );
    assert_eq!(
        message("-129", &ParamType::Scalar(ElemType::I8)),
        "`-129` is not a value of type i8"
    );
    assert_eq!(
        message("2", &ParamType::Scalar(ElemType::Bool)),
        "`2` is not a value of type i1"
    );
    assert!(
        message("[[1],[2,3]]", &matrix(ElemType::F32))
            .contains("a list of 2 stands beside one of 1")
    );
    assert!(message("[1,[2]]", &vector(ElemType::F32)).contains("a list stands beside a number"));
    let rank = message("[1,2]", &matrix(ElemType::F32));
    assert_eq!(
        rank,
        "the parameter has 2 dimensions, the input has 1 dimension"
    );
    assert!(message("[1]", &ParamType::Scalar(ElemType::F32)).contains("a scalar type"));
    for text in [
        "",
        "foo",
        "[1,2",
        "[1 2]",
        "[1],",
        "[,]",
        "1e",
        "random:",
        "random:3x",
        "random:-1",
    ] {
        let message = message(text, &vector(ElemType::F32));
        assert!(
            message.contains("is no input") && message.contains("random:1024x512"),
            "{text}: {message}"
        );
    }
    assert!(
        message(&"[".repeat(10_000), &vector(ElemType::F32)).contains("nest more than 32 deep")
    );
}

#[test]
fn random_inputs_depend_on_seed_and_position_only() {
    let ty = matrix(ElemType::F32);
    let input = Input::parse("random:3x2").unwrap();
    let first = input.materialise(&ty, 5, 0).unwrap();
    assert_eq!(
        first,
        random_array(ElemType::F32, &[3, 2], 5, 0).unwrap().into()
    );
    assert_ne!(first, input.materialise(&ty, 5, 1).unwrap());
    assert!(message("random:3", &ty).contains("2 dimensions"));
    assert!(message("random", &ty).contains("needs a shape"));
    assert!(
        read("random", &ParamType::Scalar(ElemType::I32))
            .unwrap()
            .as_scalar()
            .is_some()
    );
    let constant = ParamType::Array {
        elem: ElemType::I8,
        dims: vec![Dim::Const(4)],
    };
    assert_eq!(read("random", &constant).unwrap().to_array().shape(), [4]);
    assert!(message("random:99999999999x99999999999", &ty).contains("does not fit in memory"));
}

#[test]
fn a_printed_array_can_be_given_again() {
    let array = random_array(ElemType::F32, &[7, 2], 3, 0).unwrap();
    assert_eq!(
        read(&array.to_string(), &matrix(ElemType::F32)).unwrap(),
        array.into()
    );
}

#[test]
fn files_are_read_for_parameters_of_their_type() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("x.npy");
    let array = Array::vector(&[1.5f32, -2.0]);
    write_npy(&path, &array.clone().into()).unwrap();
    let text = path.to_str().unwrap();
    assert_eq!(read(text, &vector(ElemType::F32)).unwrap(), array.into());
    assert_eq!(
        message(text, &vector(ElemType::F64)),
        "the parameter holds f64, the input holds f32"
    );
    let bf16 = read(text, &vector(ElemType::BF16)).unwrap();
    assert_eq!(bf16.to_array().elem(), ElemType::BF16);
    assert_eq!(bf16.to_string(), "[ 1.5, -2.0]");
    assert!(message("/nonexistent/x.npy", &vector(ElemType::F32)).contains("/nonexistent/x.npy"));
    write_npy(&path, &Scalar::i64(4).into()).unwrap();
    assert_eq!(
        read(text, &ParamType::Scalar(ElemType::I64)).unwrap(),
        Scalar::i64(4).into()
    );
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
}

/// Header and data as numpy 2 writes them.
fn numpy_file(dict: &str, data: &[u8]) -> Vec<u8> {
    let mut text = dict.to_owned();
    while !(10 + text.len() + 1).is_multiple_of(64) {
        text.push(' ');
    }
    text.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend_from_slice(&(text.len() as u16).to_le_bytes());
    bytes.extend_from_slice(text.as_bytes());
    bytes.extend_from_slice(data);
    bytes
}

#[test]
fn files_made_by_numpy_are_read() {
    for (name, bytes, expected) in [
        (
            "c_f32",
            &include_bytes!("npy/c_f32.npy")[..],
            Array::new(&[2, 3], &[0f32, 1.0, 2.0, 3.0, 4.0, 5.0]),
        ),
        (
            "fortran_i32",
            include_bytes!("npy/fortran_i32.npy"),
            Array::new(&[2, 3, 2], &(0..12).collect::<Vec<i32>>()),
        ),
        (
            "big_endian_f64",
            include_bytes!("npy/big_endian_f64.npy"),
            Array::new(&[2], &[1.5f64, -1e300]),
        ),
        (
            "bool",
            include_bytes!("npy/bool.npy"),
            Array::new(&[3], &[true, false, true]),
        ),
        (
            "f16",
            include_bytes!("npy/f16.npy"),
            Array::new(&[2], &[half::f16::from_f32(0.1), half::f16::MAX]),
        ),
        (
            "u8",
            include_bytes!("npy/u8.npy"),
            Array::new(&[2], &[-1i8, 7]),
        ),
        (
            "scalar_i64",
            include_bytes!("npy/scalar_i64.npy"),
            Array::new(&[], &[42i64]),
        ),
        (
            "empty",
            include_bytes!("npy/empty.npy"),
            Array::new::<f32>(&[0, 3], &[]),
        ),
    ] {
        assert_eq!(parse_npy(bytes).unwrap(), expected.unwrap(), "{name}");
    }
}

#[test]
fn written_files_read_back_and_are_aligned() {
    for bytes in [
        &include_bytes!("npy/c_f32.npy")[..],
        include_bytes!("npy/bool.npy"),
        include_bytes!("npy/f16.npy"),
        include_bytes!("npy/scalar_i64.npy"),
        include_bytes!("npy/empty.npy"),
    ] {
        let array = parse_npy(bytes).unwrap();
        let written = npy_bytes(&array);
        assert_eq!(parse_npy(&written).unwrap(), array);
        assert!(written.ends_with(array.bytes()));
        assert_eq!(
            (written.len() - array.bytes().len()) % 16,
            0,
            "the data are aligned"
        );
    }
    let bf16 = Array::vector(&[half::bf16::from_f32(0.1)]);
    assert_eq!(
        parse_npy(&npy_bytes(&bf16))
            .unwrap()
            .to_vec::<f32>()
            .unwrap(),
        [0.100097656]
    );
}

#[test]
fn unusable_files_are_refused_with_the_reason() {
    let refused = |dict: &str, data: &[u8]| parse_npy(&numpy_file(dict, data)).unwrap_err();
    let complex = refused(
        "{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }",
        &[0; 8],
    );
    assert!(
        matches!(complex, NpyError::DType(_)) && complex.to_string().contains("c8"),
        "{complex}"
    );
    let record = refused(
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }",
        &[0; 4],
    );
    assert!(matches!(record, NpyError::DType(_)), "{record}");
    let short = refused(
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }",
        &[0; 8],
    );
    assert!(
        matches!(
            short,
            NpyError::Length {
                expected: 12,
                found: 8
            }
        ),
        "{short}"
    );
    let huge = "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }";
    assert!(
        refused(huge, &[])
            .to_string()
            .contains("does not fit in memory")
    );
    let deep = format!("{{'descr': {}", "(".repeat(30_000));
    assert!(
        refused(&deep, &[])
            .to_string()
            .contains("nested too deeply")
    );
    assert!(
        parse_npy(b"PK\x03\x04 some zip file")
            .unwrap_err()
            .to_string()
            .contains("numpy's signature")
    );
}

/// `cases`, unless the environment asks for another number.
fn config(cases: u32) -> ProptestConfig {
    let asked = std::env::var_os("PROPTEST_CASES").is_some();
    let default = ProptestConfig::default();
    ProptestConfig {
        cases: if asked { default.cases } else { cases },
        failure_persistence: None,
        ..default
    }
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn damaged_npy_files_never_panic(edits in prop::collection::vec((0usize..140, any::<u8>()), 1..5)) {
        let mut bytes = include_bytes!("npy/fortran_i32.npy").to_vec();
        for (at, value) in edits {
            bytes[at] = value;
        }
        let _ = parse_npy(&bytes);
    }

    #[test]
    fn any_text_as_input_never_panics(text in "\\PC{0,40}", pieces in "[\\[\\],0-9.x truefalsndomi:-]{0,30}") {
        for text in [&text, &pieces] {
            let _ = read(text, &matrix(ElemType::I16));
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn files_without_end_are_read_no_further_than_their_header_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let zero =
        segra_runtime::read_npy(std::path::Path::new("/dev/zero")).expect_err("no signature");
    assert!(zero.to_string().contains("numpy's signature"), "{zero}");
    // A header that claims 4 GB of itself, one whose array is longer than the file, one whose array is shorter.
    let good = npy_bytes(&Array::vector(&[1i32, 2, 3]));
    let mut claims = good.clone();
    claims.splice(6..10, [2, 0, 0xff, 0xff, 0xff, 0xff]);
    for (bytes, message) in [
        (claims, "its header has 4294967307 bytes"),
        (
            good[..good.len() - 1].to_vec(),
            "12 bytes of data expected, 11 found",
        ),
        (
            [&good[..], &[0; 100]].concat(),
            "12 bytes of data expected, more found",
        ),
        (good[..20].to_vec(), "truncated"),
    ] {
        let path = folder.path().join("x.npy");
        std::fs::write(&path, bytes).expect("can be written");
        let refused = segra_runtime::read_npy(&path)
            .expect_err("is refused")
            .to_string();
        assert!(refused.contains(message), "{refused}");
    }
    for text in [
        "random:9223372036854775808x0",
        "random:0x18446744073709551615",
    ] {
        assert!(
            message(text, &matrix(ElemType::F32)).contains("is not an extent"),
            "{text}"
        );
    }
}
