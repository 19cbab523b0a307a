//! Functions the driver provides on hardware: `vprintf` and `__assertfail` (CUDA C++ Programming Guide, "Formatted
//! Output" and "Assertion").
//!
//! Arguments lie in the parameter variables of the call. Printed text is collected and handed back with the launch's
//! statistics, in the order of blocks.
//! Deliberately absent: `malloc` and `free` on the device.

use super::memory::{generic_byte, local_value, set_local_value};
use super::observe::AccessKind;
use super::view::{LaneResult, View};
use crate::fault::FaultReason;
use crate::isa::{Builtin, BuiltinKind};
use crate::regs::{LANES, lanes};
use crate::types::Space;

/// Longest text one call prints, and longest string read for it.
const LONGEST: usize = 4096;

/// Executes the call lane by lane.
pub(crate) fn execute(view: &mut View<'_>, call: &Builtin, mask: u32) -> LaneResult<()> {
    if let Some(place) = call.result {
        view.touch(
            AccessKind::Store,
            Space::Local,
            &[u64::from(place); LANES],
            mask,
            4,
            None,
        );
    }
    for lane in lanes(mask) {
        let argument = |view: &View<'_>, at: usize, size: usize| {
            call.arguments
                .get(at)
                .map_or(0, |&place| local_value(view, place, size, lane))
        };
        match call.kind {
            BuiltinKind::Print => {
                let format = string(view, argument(view, 0, 8), lane);
                let (text, count) = print(view, &format, argument(view, 1, 8), lane);
                view.counters.printed.push_str(&text);
                if let Some(place) = call.result {
                    set_local_value(view, place, 4, lane, u64::from(count));
                }
            }
            BuiltinKind::AssertFail => {
                let text = |at| string(view, argument(view, at, 8), lane);
                let reason = FaultReason::Assertion {
                    message: text(0),
                    file: text(1),
                    line: argument(view, 2, 4) as u32,
                    function: text(3),
                };
                return Err((lane, reason));
            }
        }
    }
    Ok(())
}

/// A C string at a generic address.
fn string(view: &View<'_>, address: u64, lane: usize) -> String {
    let bytes =
        (0..LONGEST as u64).map_while(|at| generic_byte(view, address.wrapping_add(at), lane));
    let bytes: Vec<u8> = bytes.take_while(|&byte| byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Reads the arguments one after another, each at a multiple of its size.
struct Arguments<'v, 'a> {
    view: &'v View<'a>,
    next: u64,
    lane: usize,
    count: u32,
}

impl Arguments<'_, '_> {
    fn take(&mut self, size: u64) -> u64 {
        self.next = self.next.next_multiple_of(size);
        let value = (0..size).rev().fold(0, |value, at| {
            let byte = generic_byte(self.view, self.next.wrapping_add(at), self.lane).unwrap_or(0);
            value << 8 | u64::from(byte)
        });
        self.next += size;
        self.count += 1;
        value
    }
}

/// A conversion specification of `printf`.
#[derive(Default)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    zero: bool,
    alternate: bool,
    width: usize,
    precision: Option<usize>,
    /// Size of an integer argument.
    wide: bool,
}

/// The formatted text and the number of arguments it took.
fn print(view: &View<'_>, format: &str, address: u64, lane: usize) -> (String, u32) {
    let mut arguments = Arguments {
        view,
        next: address,
        lane,
        count: 0,
    };
    let mut out = String::new();
    let mut rest = format.chars().peekable();
    while let Some(next) = rest.next() {
        if next != '%' {
            out.push(next);
            continue;
        }
        let mut spec = Spec::default();
        while let Some(flag) = rest.next_if(|c| "-+ 0#".contains(*c)) {
            match flag {
                '-' => spec.left = true,
                '+' => spec.plus = true,
                ' ' => spec.space = true,
                '0' => spec.zero = true,
                _ => spec.alternate = true,
            }
        }
        spec.width = number(&mut rest, &mut arguments).unwrap_or(0).min(LONGEST);
        if rest.next_if_eq(&'.').is_some() {
            spec.precision = Some(number(&mut rest, &mut arguments).unwrap_or(0).min(LONGEST));
        }
        while let Some(size) = rest.next_if(|c| "hlLqjzt".contains(*c)) {
            spec.wide |= !matches!(size, 'h' | 'L');
        }
        match rest.next() {
            Some('%') => out.push('%'),
            Some(conversion) => {
                out.push_str(&pad(&spec, &convert(&spec, conversion, &mut arguments)))
            }
            None => {}
        }
        if out.len() > LONGEST {
            break;
        }
    }
    (out, arguments.count)
}

/// A number of a specification, or `*` for an argument.
fn number(
    rest: &mut core::iter::Peekable<core::str::Chars<'_>>,
    arguments: &mut Arguments<'_, '_>,
) -> Option<usize> {
    if rest.next_if_eq(&'*').is_some() {
        return Some((arguments.take(4) as u32 as i32).unsigned_abs() as usize);
    }
    let mut value = None;
    while let Some(digit) = rest.peek().and_then(|c| c.to_digit(10)) {
        value = Some((value.unwrap_or(0) * 10 + digit as usize).min(LONGEST));
        rest.next();
    }
    value
}

/// The text of an unsigned argument: decimal, hexadecimal or octal.
fn unsigned(spec: &Spec, conversion: char, arguments: &mut Arguments<'_, '_>) -> String {
    let value = if spec.wide {
        arguments.take(8)
    } else {
        arguments.take(4)
    };
    let (prefix, text) = match conversion {
        'x' => ("0x", format!("{value:x}")),
        'X' => ("0X", format!("{value:X}")),
        'o' => ("0", format!("{value:o}")),
        _ => ("", value.to_string()),
    };
    let prefix = if spec.alternate && value != 0 {
        prefix
    } else {
        ""
    };
    format!("{prefix}{}", digits(spec, text))
}

/// The text of one argument, not yet padded.
fn convert(spec: &Spec, conversion: char, arguments: &mut Arguments<'_, '_>) -> String {
    let sign = |negative: bool| match (negative, spec.plus, spec.space) {
        (true, ..) => "-",
        (false, true, _) => "+",
        (false, false, true) => " ",
        _ => "",
    };
    match conversion {
        'd' | 'i' => {
            let value = if spec.wide {
                arguments.take(8) as i64
            } else {
                i64::from(arguments.take(4) as u32 as i32)
            };
            format!(
                "{}{}",
                sign(value < 0),
                digits(spec, value.unsigned_abs().to_string())
            )
        }
        'u' | 'x' | 'X' | 'o' => unsigned(spec, conversion, arguments),
        'c' => char::from(arguments.take(4) as u8).to_string(),
        'p' => format!("{:#x}", arguments.take(8)),
        's' => {
            let address = arguments.take(8);
            let text = string(arguments.view, address, arguments.lane);
            text.chars()
                .take(spec.precision.unwrap_or(usize::MAX))
                .collect()
        }
        'f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A' => {
            let value = f64::from_bits(arguments.take(8));
            let text = float(spec, conversion.to_ascii_lowercase(), value.abs());
            let text = if conversion.is_ascii_uppercase() {
                text.to_uppercase()
            } else {
                text
            };
            format!(
                "{}{text}",
                sign(value.is_sign_negative() && !value.is_nan())
            )
        }
        other => format!("%{other}"),
    }
}

fn digits(spec: &Spec, text: String) -> String {
    match spec.precision {
        Some(least) if text.len() < least => format!("{text:0>least$}"),
        _ => text,
    }
}

/// A magnitude in one of the floating-point conversions. `%a` is printed as `%e`.
fn float(spec: &Spec, conversion: char, value: f64) -> String {
    if !value.is_finite() {
        return if value.is_nan() { "nan" } else { "inf" }.into();
    }
    let precision = spec.precision.unwrap_or(6);
    match conversion {
        'f' => format!("{value:.precision$}"),
        'g' => general(spec, value, precision.max(1)),
        _ => exponent_form(&format!("{value:.precision$e}")),
    }
}

/// Rust writes `1.5e3`; C writes `1.5e+03`.
fn exponent_form(text: &str) -> String {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (sign, magnitude) = match exponent.strip_prefix('-') {
        Some(magnitude) => ('-', magnitude),
        None => ('+', exponent),
    };
    format!("{mantissa}e{sign}{magnitude:0>2}")
}

/// `%g`: as many significant digits as the precision says, without trailing zeros.
fn general(spec: &Spec, value: f64, significant: usize) -> String {
    let scientific = format!("{value:.*e}", significant - 1);
    let exponent: i32 = scientific
        .split_once('e')
        .and_then(|(_, e)| e.parse().ok())
        .unwrap_or(0);
    let trim = |text: &str| -> String {
        if spec.alternate || !text.contains('.') {
            return text.to_owned();
        }
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    if exponent < -4 || exponent >= significant as i32 {
        let form = exponent_form(&scientific);
        let (mantissa, exponent) = form.split_once('e').unwrap_or((&form, "+00"));
        return format!("{}e{exponent}", trim(mantissa));
    }
    let places = (significant as i32 - 1 - exponent).max(0) as usize;
    trim(&format!("{value:.places$}"))
}

fn pad(spec: &Spec, text: &str) -> String {
    let missing = spec.width.saturating_sub(text.chars().count());
    if missing == 0 {
        return text.to_owned();
    }
    if spec.left {
        return format!("{text}{}", " ".repeat(missing));
    }
    if spec.zero && spec.precision.is_none() {
        let signs = text.len() - text.trim_start_matches(['-', '+', ' ']).len();
        return format!(
            "{}{}{}",
            &text[..signs],
            "0".repeat(missing),
            &text[signs..]
        );
    }
    format!("{}{text}", " ".repeat(missing))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_read_as_in_c() {
        let spec = |precision| Spec {
            precision,
            ..Spec::default()
        };
        assert_eq!(float(&spec(None), 'f', 1.5), "1.500000");
        assert_eq!(float(&spec(Some(2)), 'e', 1234.5), "1.23e+03");
        assert_eq!(float(&spec(None), 'g', 0.0001), "0.0001");
        assert_eq!(float(&spec(None), 'g', 0.00001), "1e-05");
        assert_eq!(float(&spec(None), 'g', 1e6), "1e+06");
        assert_eq!(float(&spec(None), 'g', 123456.0), "123456");
        assert_eq!(float(&spec(Some(3)), 'g', 0.0), "0");
        assert_eq!(
            pad(
                &Spec {
                    width: 6,
                    zero: true,
                    ..Spec::default()
                },
                "-42"
            ),
            "-00042"
        );
        assert_eq!(
            pad(
                &Spec {
                    width: 6,
                    left: true,
                    ..Spec::default()
                },
                "42"
            ),
            "42    "
        );
    }
}
