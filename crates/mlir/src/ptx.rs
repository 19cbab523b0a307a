//! Gets PTX out of what upstream made, and refuses PTX that cannot be loaded.

use melior::ir::attribute::ArrayAttribute;
use melior::ir::operation::{OperationLike, OperationRef};

use crate::session::error_at;
use segra_worker::{Diagnostic, ErrorCode, MlirError};

/// The PTX text inside a `gpu.binary`.
pub(crate) fn text_of_binary(binary: OperationRef<'_, '_>) -> Result<String, MlirError> {
    let missing = || MlirError::new(ErrorCode::Internal, "upstream MLIR returned no PTX");
    let objects = binary.attribute("objects").map_err(|_| missing())?;
    let objects = ArrayAttribute::try_from(objects).map_err(|_| missing())?;
    let object = objects.element(0).map_err(|_| missing())?.to_string();
    // #gpu.object<#nvvm.target<…>, "assembly" = "…"> : the text is the last string of the attribute.
    let (_, quoted) = object.split_once("assembly = \"").ok_or_else(missing)?;
    unescape(quoted).ok_or_else(missing)
}

/// The same text with parameters of kernels called `param_0` and so on: they are names of the kernel's own, and LLVM puts its name before
/// each, which takes 3 % of the text.
pub(crate) fn with_short_parameters(text: &str) -> String {
    let mut short = String::with_capacity(text.len());
    let mut prefix = String::new();
    for line in text.split_inclusive('\n') {
        if let Some((_, declared)) = line.split_once(".entry ") {
            let name = declared.split(['(', '\n']).next().unwrap_or_default();
            prefix = format!("{name}_param_");
        }
        match prefix.is_empty() || !line.contains(&prefix) {
            true => short.push_str(line),
            false => short.push_str(&line.replace(&prefix, "param_")),
        }
    }
    short
}

/// Reads an MLIR string literal up to its closing quote: `\\`, `\"`, `\n`, `\t`, and two hexadecimal digits.
fn unescape(quoted: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(quoted.len());
    let mut rest = quoted.bytes();
    loop {
        match rest.next()? {
            b'"' => break,
            b'\\' => match rest.next()? {
                b'n' => bytes.push(b'\n'),
                b't' => bytes.push(b'\t'),
                escaped @ (b'\\' | b'"') => bytes.push(escaped),
                high => bytes.push(hexadecimal(high)? << 4 | hexadecimal(rest.next()?)?),
            },
            plain => bytes.push(plain),
        }
    }
    while bytes.last() == Some(&0) {
        bytes.pop();
    }
    String::from_utf8(bytes).ok()
}

fn hexadecimal(digit: u8) -> Option<u8> {
    char::from(digit)
        .to_digit(16)
        .and_then(|value| u8::try_from(value).ok())
}

/// Names of functions the PTX declares but nobody defines, in order of appearance.
///
/// The compiler succeeds with them; only the driver would refuse the module, at run time.
fn unresolved(ptx: &str) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    let mut rest = ptx;
    while let Some((_, after)) = rest.split_once(".extern .func") {
        rest = after;
        let mut declaration = after.trim_start();
        // A return value stands in parentheses before the name.
        if let Some(inner) = declaration.strip_prefix('(') {
            declaration = inner
                .split_once(')')
                .map_or("", |(_, tail)| tail)
                .trim_start();
        }
        let end = declaration
            .find(|character: char| {
                !character.is_alphanumeric() && !matches!(character, '_' | '$' | '.')
            })
            .unwrap_or(declaration.len());
        let name = &declaration[..end];
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Refuses PTX with unresolved functions, at the `calls` of them where they are known.
pub(crate) fn check_resolved(
    ptx: &str,
    calls: &[(String, Diagnostic)],
    binary: OperationRef<'_, '_>,
) -> Result<(), MlirError> {
    let names = unresolved(ptx);
    if names.is_empty() {
        return Ok(());
    }
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    for name in &names {
        let before = diagnostics.len();
        // An op of the program may be in several kernels, several times in each.
        for (_, diagnostic) in calls.iter().filter(|call| call.0 == *name) {
            if !diagnostics.contains(diagnostic) {
                diagnostics.push(diagnostic.clone());
            }
        }
        if diagnostics.len() == before {
            let message = format!("the PTX calls `{name}`, which nothing defines");
            diagnostics.push(error_at(binary, message));
        }
    }
    let message = format!("unresolved functions in the PTX: {}", names.join(", "));
    Err(MlirError::new(ErrorCode::UnresolvedSymbol, message).with_diagnostics(diagnostics))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn string_literals_are_read_up_to_their_end() {
        assert_eq!(
            unescape("a\\0Ab\\09\\22c\\\\\\00\", rest").as_deref(),
            Some("a\nb\t\"c\\")
        );
        assert_eq!(unescape("never closed"), None);
        assert_eq!(unescape("bad \\zz\""), None);
    }

    #[test]
    fn parameters_have_short_names_in_their_kernel() {
        let text = ".visible .entry k(\n\t.param .u64 k_param_0\n)\n{\nld.param.b64 %rd1, [k_param_0];\n}\n\
                    .visible .entry k_1(\n\t.param .u64 k_1_param_0\n)\n{\nld.param.b64 %rd1, [k_1_param_0];\n}\n";
        let short = with_short_parameters(text);
        assert_eq!(short.matches("param_0").count(), 4);
        assert!(
            !short.contains("k_param") && !short.contains("k_1_param"),
            "{short}"
        );
        assert_eq!(with_short_parameters("no kernels"), "no kernels");
    }

    #[test]
    fn unresolved_functions_are_found_with_and_without_a_result() {
        let ptx = ".extern .func  (.param .b32 func_retval0) __nv_sinf\n(\n)\n;\n.extern .func helper()\n;\n\
                   .extern .func helper()\n;";
        assert_eq!(unresolved(ptx), ["__nv_sinf", "helper"]);
        assert!(unresolved(".visible .entry k()").is_empty());
    }
}
