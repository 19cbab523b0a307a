//! The parameter sizes of a kernel, read from PTX text.
//!
//! A CUDA launch hands the driver bare pointers to arguments; how many it reads is decided by the PTX alone. So the
//! declaration is read here, without understanding anything else of the text, and arguments are compared with it.

/// Sizes in bytes of a kernel's parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    pub(crate) sizes: Vec<usize>,
}

impl Signature {
    /// Reads the declaration of the kernel; `None` when the PTX has none that can be read.
    pub(crate) fn of(ptx: &str, kernel: &str) -> Option<Signature> {
        let mut rest = ptx;
        while let Some(at) = rest.find(".entry") {
            rest = &rest[at + ".entry".len()..];
            let Some(declared) = rest.trim_start().strip_prefix(kernel) else {
                continue;
            };
            let declared = declared.trim_start();
            if declared.starts_with('{') || declared.starts_with('.') {
                return Some(Signature { sizes: Vec::new() });
            }
            // Anything else than an opening parenthesis means that the name was longer.
            let Some(list) = declared.strip_prefix('(') else {
                continue;
            };
            return Signature::of_list(&list[..list.find(')')?]);
        }
        None
    }

    fn of_list(list: &str) -> Option<Signature> {
        let declarations = list
            .split(',')
            .map(str::trim)
            .filter(|declaration| !declaration.is_empty());
        let sizes = declarations
            .map(param_size)
            .collect::<Option<Vec<usize>>>()?;
        Some(Signature { sizes })
    }
}

/// `.param .u64 .ptr .global .align 16 name`, `.param .align 8 .b8 name[24]`.
fn param_size(declaration: &str) -> Option<usize> {
    let words = declaration.split_whitespace();
    let elem = words.filter_map(type_size).next()?;
    let count = match declaration.split_once('[') {
        Some((_, rest)) => rest.trim_end().strip_suffix(']')?.trim().parse().ok()?,
        None => 1,
    };
    elem.checked_mul(count)
}

fn type_size(word: &str) -> Option<usize> {
    let bits = match word.strip_prefix('.')? {
        "pred" => 8,
        "f16x2" => 32,
        name => name
            .strip_prefix(['b', 'u', 's', 'f'])?
            .parse::<usize>()
            .ok()?,
    };
    matches!(bits, 8 | 16 | 32 | 64 | 128).then_some(bits / 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PTX: &str = "
        .visible .entry saxpy_long(.param .u64 p0) { ret; }
        .visible .entry saxpy(
            .param .u64 .ptr .global .align 16 saxpy_param_0,
            .param .f32 saxpy_param_1, .param .align 8 .b8 saxpy_param_2[24],
            .param .u8 saxpy_param_3
        )
        .maxntid 256, 1, 1 { ret; }
        .entry nothing() { ret; }
        .entry bare { ret; }";

    #[test]
    fn parameter_sizes_are_read_from_declarations() {
        let sizes = |kernel| Signature::of(PTX, kernel).map(|signature| signature.sizes);
        assert_eq!(sizes("saxpy"), Some(vec![8, 4, 24, 1]));
        assert_eq!(sizes("saxpy_long"), Some(vec![8]));
        assert_eq!(sizes("nothing"), Some(vec![]));
        assert_eq!(sizes("bare"), Some(vec![]));
        assert_eq!(sizes("other"), None);
        assert_eq!(Signature::of(".entry cut(.param .u64 a", "cut"), None);
    }
}
