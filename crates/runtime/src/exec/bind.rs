//! Arguments against an entry's signature: types, ranks, and the sizes that arrays share.

use super::error::RunErrorKind;
use crate::Value;
use segra_artifact::{Dim, ElemType, Entry, EntryParam, ParamType, Scalar, SizeId};

/// The value of each of the entry's sizes, or the first thing wrong with the arguments.
pub(super) fn bind(entry: &Entry, args: &[Value]) -> Result<Vec<i64>, RunErrorKind> {
    if args.len() != entry.params.len() {
        return Err(RunErrorKind::ArgumentCount {
            signature: entry.to_string(),
            expected: entry.params.len(),
            found: args.len(),
        });
    }
    let mut binder = Binder {
        entry,
        sizes: vec![None; entry.sizes.len()],
    };
    for (param, arg) in entry.params.iter().zip(args) {
        binder.param(param, arg)?;
    }
    // Validation made sure that every size occurs in a parameter.
    Ok(binder
        .sizes
        .into_iter()
        .map(|size| size.map_or(0, |known| known.value as i64))
        .collect())
}

/// A size's value and where it came from.
#[derive(Clone)]
struct Known {
    value: u64,
    source: String,
}

struct Binder<'a> {
    entry: &'a Entry,
    sizes: Vec<Option<Known>>,
}

impl Binder<'_> {
    fn param(&mut self, param: &EntryParam, arg: &Value) -> Result<(), RunErrorKind> {
        match &param.ty {
            ParamType::Scalar(elem) => self.scalar(param, *elem, arg).map(|_| ()),
            ParamType::Size(size) => {
                let value = self.scalar(param, ElemType::I64, arg)?;
                self.size(param, *size, value.bits() as i64)
            }
            ParamType::Array { elem, dims } => self.array(param, *elem, dims, arg),
        }
    }

    fn scalar(
        &self,
        param: &EntryParam,
        elem: ElemType,
        arg: &Value,
    ) -> Result<Scalar, RunErrorKind> {
        arg.as_scalar()
            .filter(|scalar| scalar.elem() == elem)
            .ok_or_else(|| self.wrong_type(param, elem.to_string(), arg.type_text()))
    }

    fn wrong_type(&self, param: &EntryParam, expected: String, found: String) -> RunErrorKind {
        RunErrorKind::ArgumentType {
            entry: self.entry.name.clone(),
            param: param.name.clone(),
            expected,
            found,
        }
    }

    fn size(&mut self, param: &EntryParam, size: SizeId, value: i64) -> Result<(), RunErrorKind> {
        let wrong = |problem: String| RunErrorKind::Size {
            entry: self.entry.name.clone(),
            param: param.name.clone(),
            problem,
        };
        let name = self.entry.size_name(size);
        let Ok(value) = u64::try_from(value) else {
            return Err(wrong(format!(
                "size `{name}` is {value}, which is negative"
            )));
        };
        match &self.sizes[size.index()] {
            Some(known) if known.value != value => Err(wrong(format!(
                "size `{name}` is given as {value}, but {} makes it {}",
                known.source, known.value
            ))),
            Some(_) => Ok(()),
            None => {
                let source = format!("parameter `{}`", param.name);
                self.sizes[size.index()] = Some(Known { value, source });
                Ok(())
            }
        }
    }

    fn array(
        &mut self,
        param: &EntryParam,
        elem: ElemType,
        dims: &[Dim],
        arg: &Value,
    ) -> Result<(), RunErrorKind> {
        // A scalar is an array without dimensions.
        let (shape, found) = match arg {
            Value::Array(array) => (array.shape(), array.elem()),
            Value::Scalar(scalar) => (&[][..], scalar.elem()),
        };
        if found != elem || shape.len() != dims.len() {
            let rank = if dims.len() == 1 {
                "1 dimension".to_owned()
            } else {
                format!("{} dimensions", dims.len())
            };
            let expected = format!("{elem} array of {rank}");
            return Err(self.wrong_type(param, expected, arg.type_text()));
        }
        for (position, (dim, extent)) in dims.iter().zip(shape).enumerate() {
            let actual = *extent as u64;
            let (expected, because) = match dim {
                Dim::Any => continue,
                Dim::Const(expected) => (*expected, "its type says so".to_owned()),
                Dim::Size(size) => match &self.sizes[size.index()] {
                    Some(known) => (
                        known.value,
                        format!(
                            "size `{}`, from {}",
                            self.entry.size_name(*size),
                            known.source
                        ),
                    ),
                    None => {
                        let source = format!("dimension {position} of `{}`", param.name);
                        self.sizes[size.index()] = Some(Known {
                            value: actual,
                            source,
                        });
                        continue;
                    }
                },
            };
            if expected != actual {
                let (entry, param) = (self.entry.name.clone(), param.name.clone());
                return Err(RunErrorKind::Extent {
                    entry,
                    param,
                    dim: position,
                    expected,
                    because,
                    actual,
                });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Array;
    use segra_artifact::PlanId;

    fn entry(params: Vec<(&str, ParamType)>) -> Entry {
        let params = params
            .into_iter()
            .map(|(name, ty)| EntryParam {
                name: name.to_owned(),
                ty,
            })
            .collect();
        let sizes = vec!["n".to_owned(), "m".to_owned()];
        Entry {
            name: "f".to_owned(),
            sizes,
            params,
            results: vec![],
            plan: PlanId(0),
            location: None,
        }
    }

    fn f32s(shape: &[usize]) -> Value {
        Array::zeros(ElemType::F32, shape).unwrap().into()
    }

    fn matrix_vector() -> Entry {
        let (n, m) = (Dim::Size(SizeId(0)), Dim::Size(SizeId(1)));
        let array = |dims| ParamType::Array {
            elem: ElemType::F32,
            dims,
        };
        entry(vec![
            ("a", array(vec![n, m])),
            ("x", array(vec![m])),
            ("c", array(vec![Dim::Const(3)])),
        ])
    }

    #[test]
    fn sizes_are_bound_by_the_first_array_and_compared_with_the_others() {
        let entry = matrix_vector();
        assert_eq!(
            bind(&entry, &[f32s(&[4, 5]), f32s(&[5]), f32s(&[3])]),
            Ok(vec![4, 5])
        );
        let error = bind(&entry, &[f32s(&[4, 5]), f32s(&[6]), f32s(&[3])]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "parameter `x` of `f`, dimension 0: expected 5 (size `m`, from dimension 1 of `a`), found 6"
        );
        let error = bind(&entry, &[f32s(&[4, 5]), f32s(&[5]), f32s(&[2])]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "parameter `c` of `f`, dimension 0: expected 3 (its type says so), found 2"
        );
    }

    #[test]
    fn types_ranks_and_counts_are_compared() {
        let entry = matrix_vector();
        let error = bind(&entry, &[f32s(&[4]), f32s(&[5]), f32s(&[3])]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "parameter `a` of `f`: expected f32 array of 2 dimensions, found f32[4]"
        );
        let error = bind(&entry, &[Scalar::i64(1).into(), f32s(&[5]), f32s(&[3])]).unwrap_err();
        assert!(error.to_string().ends_with("found i64"), "{error}");
        let error = bind(&entry, &[]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`entry f(a: f32[n, m], x: f32[m], c: f32[3]) -> ()` takes 3 arguments, 0 given"
        );
    }

    #[test]
    fn a_scalar_can_give_a_size() {
        let size = SizeId(0);
        let array = ParamType::Array {
            elem: ElemType::F32,
            dims: vec![Dim::Size(size)],
        };
        let entry = entry(vec![("n", ParamType::Size(size)), ("x", array)]);
        assert_eq!(
            bind(&entry, &[Scalar::i64(2).into(), f32s(&[2])]),
            Ok(vec![2, 0])
        );
        let error = bind(&entry, &[Scalar::i64(2).into(), f32s(&[3])]).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("expected 2 (size `n`, from parameter `n`), found 3"),
            "{error}"
        );
        let error = bind(&entry, &[Scalar::i64(-1).into(), f32s(&[3])]).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("size `n` is -1, which is negative"),
            "{error}"
        );
    }
}
