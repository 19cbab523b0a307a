//! Encoding and decoding of every format by way of `f64`, also of those that the oracle of `tests/oracle` has not.

use segra_float::{FloatKind, Round};
use segra_random::SplitMix64;

#[test]
fn encoding_finds_the_nearest_number_ties_to_even() {
    let mut random = SplitMix64::new(1);
    for step in 0..100_000u64 {
        let seed = random.next_u64();
        // Anywhere, around the ranges of the small formats, and there with many ties.
        let near = seed >> 12 | (1023 - 30 + seed % 60) << 52;
        let bits = [seed, near, near & !((1 << 44) - 1)][(step % 3) as usize];
        let value = f64::from_bits(bits);
        if value.is_nan() {
            continue;
        }
        assert_eq!(
            FloatKind::F32.encode(value),
            u128::from((value as f32).to_bits()),
            "{value:e}"
        );
        assert_eq!(FloatKind::F64.encode(value), u128::from(value.to_bits()));
        assert_eq!(FloatKind::F80.decode(FloatKind::F80.encode(value)), value);
        assert_eq!(FloatKind::F128.decode(FloatKind::F128.encode(value)), value);
        for kind in [
            FloatKind::F16,
            FloatKind::BF16,
            FloatKind::TF32,
            FloatKind::F8E5M2,
            FloatKind::F8E4M3FN,
        ] {
            let code = kind.encode(value);
            let error = |code: u128| (kind.decode(code) - value).abs();
            if !kind.decode(code).is_finite() {
                continue;
            }
            for other in [code.wrapping_sub(1), code + 1] {
                let finite = kind.decode(other).is_finite() && other >> kind.width() == 0;
                let nearer = error(other) < error(code);
                let even_tie = error(other) == error(code) && code & 1 == 1;
                assert!(
                    !finite || !(nearer || even_tie),
                    "{kind:?} {value:e}: {code:#x} or {other:#x}"
                );
            }
        }
    }
}

#[test]
fn every_number_of_a_small_format_survives() {
    for kind in FloatKind::all().filter(|kind| kind.width() <= 19) {
        for bits in 0..1u128 << kind.width() {
            let value = kind.decode(bits);
            if !value.is_nan() {
                assert_eq!(kind.encode(value), bits, "{kind:?} {bits:#x} = {value:e}");
            }
        }
    }
}

#[test]
fn formats_without_infinity_overflow_as_defined() {
    assert_eq!(FloatKind::F8E4M3FN.encode(1e9), 0x7F);
    assert_eq!(FloatKind::F8E5M2FNUZ.encode(-1e9), 0x80);
    assert_eq!(
        FloatKind::F4E2M1FN.decode(FloatKind::F4E2M1FN.encode(100.0)),
        6.0
    );
    assert_eq!(FloatKind::F8E8M0FNU.decode(127), 1.0);
    assert_eq!(FloatKind::F80.encode(1.0), 0x3FFF_8000_0000_0000_0000);
}

#[test]
fn powers_of_two_round_to_the_even_power_and_have_neither_sign_nor_zero() {
    let kind = FloatKind::F8E8M0FNU;
    let codes = [
        (1.5, 127),
        (3.0, 129),
        (1.4, 127),
        (1.6, 128),
        (0.0, 0),
        (1e-300, 0),
        (1e300, 255),
        (-1.0, 255),
        (-0.0, 255),
    ];
    for (value, code) in codes {
        assert_eq!(kind.encode(value), code, "{value}");
    }
    let third = FloatKind::F64.unpack::<u128>(0.3f64.to_bits().into());
    let rounded = [Round::Zero, Round::Down, Round::Up].map(|round| kind.pack(&third, round));
    assert_eq!(rounded, [125, 125, 126]);
    let huge = FloatKind::F64.unpack::<u128>(1e300f64.to_bits().into());
    assert_eq!(kind.pack(&huge, Round::Down), 254);
    assert_eq!(kind.pack_saturating(&huge, Round::NearestEven), 254);
}

#[test]
fn bits_that_no_x87_makes_are_known() {
    let kind = FloatKind::F80;
    for bits in [
        0,
        1,
        0x3FFF_8000_0000_0000_0000,
        0x7FFF_8000_0000_0000_0000,
        kind.encode(f64::NAN),
    ] {
        assert!(kind.is_canonical(bits), "{bits:#x}");
    }
    for bits in [1 << 63, 1 << 64, 0x7FFF_0000_0000_0000_0000] {
        assert!(!kind.is_canonical(bits), "{bits:#x}");
    }
}
