//! Edge values of scalar types.

use super::elem;
use segra_artifact::Scalar;

/// Values of a type that go through conversions and ops with one operand.
pub(crate) fn all(ty: &str) -> Vec<Scalar> {
    let mut values = few(ty);
    let elem = elem(ty);
    if elem.is_float() {
        let mut numbers = vec![
            0.5, -0.5, 2.5, 3.5, -3.5, 0.1, -0.9, 1e-8, 6e-8, 127.4, 127.5, 128.0, -128.0, -128.5,
            -129.0, 255.0, 255.5, 256.0, 32767.5, 32768.0, -32768.5, -32769.0, 65503.0, 65504.0,
            65520.0, 65535.5, 65536.0, 16777217.0, 1e38,
        ];
        // Beside the middle of neighbours in bf16 and in f16, by less than f32 holds.
        numbers.extend([8, 11].map(|bits| 1.0 + 2f64.powi(-bits) + 2f64.powi(-40)));
        for power in [31, 32, 53, 63, 64] {
            let exact = 2f64.powi(power);
            // The numbers beside it, in the formats that have more than one there.
            for beside in [
                exact,
                exact * (1.0 - 2f64.powi(-24)),
                exact * (1.0 - 2f64.powi(-53)),
                exact * (1.0 + 2f64.powi(-23)),
            ] {
                numbers.extend([beside, -beside, beside - 1.0, -beside - 1.0]);
            }
        }
        values.extend(
            numbers
                .into_iter()
                .map(|number| Scalar::from_f64(elem, number)),
        );
    } else {
        let mut numbers: Vec<i64> = vec![
            127, 128, -128, -129, 255, 256, 257, 259, 2049, 2051, 65519, 65520, 65535, 65536,
        ];
        numbers.extend([
            16_777_217,
            33_554_435,
            (1 << 30) + (1 << 22) + 1,
            (1 << 53) + 1,
            (1 << 60) + (1 << 36) + 1,
            (1 << 62) + (1 << 54) + 1,
        ]);
        for power in [24, 30, 31, 37, 38, 40, 52, 60] {
            // Beside the middle of neighbours in bf16, whichever way even is.
            let (first, half) = (1i64 << power, 1i64 << (power - 8));
            numbers.extend([
                first + half + 1,
                first + half - 1,
                first + 3 * half,
                -first - half - 1,
                -first - half + 1,
            ]);
        }
        numbers.extend([
            i64::MAX - 1,
            0x7fff_ffbf_ffff_ffff,
            -(1 << 31),
            -(1 << 31) - 1,
            (1 << 31) - 64,
        ]);
        values.extend(
            numbers
                .into_iter()
                .map(|number| Scalar::from_i64(elem, number)),
        );
    }
    distinct(values)
}

/// Values of a type whose pairs are taken.
pub(crate) fn few(ty: &str) -> Vec<Scalar> {
    let elem = elem(ty);
    let width = elem.bits();
    if elem.is_float() {
        let (digits, top) = match ty {
            "f16" => (10, 0x7c00),
            "bf16" => (7, 0x7f80),
            "f32" => (23, 0x7f80_0000),
            _ => (52, 0x7ff0_0000_0000_0000u64),
        };
        let sign = 1u64 << (width - 1);
        // Zero, the least subnormal and normal number, the largest number, infinity, NaN: with both signs.
        let magnitudes = [0, 1, 1 << digits, top - 1, top, top | 1 << (digits - 1)];
        let bits = magnitudes.into_iter().flat_map(|bits| [bits, bits | sign]);
        let numbers = [1.0, -1.0, 1.5, -2.5, 3.0].map(|number| Scalar::from_f64(elem, number));
        return distinct(
            bits.map(|bits| Scalar::from_bits(elem, bits))
                .chain(numbers)
                .collect(),
        );
    }
    let (least, width) = (i64::MIN >> (64 - width), i64::from(width));
    let numbers = [
        [0, 1, -1, 2, 3, 7, least, least + 1],
        [
            !least,
            width - 1,
            width,
            width + 1,
            -width,
            1 << 31,
            1 << 32,
            (1 << 32) + 1,
        ],
    ];
    distinct(
        numbers
            .concat()
            .into_iter()
            .map(|number| Scalar::from_i64(elem, number))
            .collect(),
    )
}

fn distinct(values: Vec<Scalar>) -> Vec<Scalar> {
    let mut kept: Vec<Scalar> = Vec::new();
    for value in values {
        if !kept.contains(&value) {
            kept.push(value);
        }
    }
    kept
}

/// Whether an integer divides.
pub(crate) fn is_divisor(value: Scalar) -> bool {
    value.elem().is_float() || value.bits() != 0
}

/// A value as a program writes it, with its type.
pub(crate) fn literal(ty: &str, value: Scalar) -> String {
    match ty {
        "i1" => (value.bits() != 0).to_string(),
        _ if value.elem().is_float() => {
            let digits = value.elem().bits() as usize / 4;
            format!("0x{:0digits$X} : {ty}", value.bits())
        }
        _ => format!("{} : {ty}", value.as_i64().unwrap_or_default()),
    }
}
