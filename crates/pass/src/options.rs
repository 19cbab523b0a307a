//! Options of passes: struct fields that round-trip through the pipeline string.
//!
//! [`pass_options!`](crate::pass_options) declares a pass's struct; each field is an option with a default, its doc
//! comment is the help text, its name with `-` for `_` is the name in the string: `name{width=3 versions=all}`.
//! [`option_enum!`](crate::option_enum) declares a closed set of keywords as an option type.
//!
//! Deliberately absent: how the string is cut into names and texts (see [`crate::pipeline`]).

use std::fmt::Display;

/// The description of an option without a pass at hand: for help and documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionSpec {
    /// Name in the pipeline string.
    pub name: String,
    /// The kind of effect.
    pub doc: String,
    /// Its possible values, in words.
    pub expects: String,
    /// The default's text; `None` where the option is simply absent by default.
    pub default: Option<String>,
}

/// The present value of an option as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionText {
    /// Name in the pipeline string.
    pub name: String,
    /// The value's text; `None`: the option is absent.
    pub value: Option<String>,
    /// Whether it is the default.
    pub is_default: bool,
}

/// Why an option could not be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// The pass has no option of that name.
    #[error("has no option `{name}`{}", known(.options))]
    Unknown {
        /// The name that was given.
        name: String,
        /// The names there are.
        options: Vec<String>,
    },
    /// The option needs a value and none was given.
    #[error("option `{name}` needs a value: {expects}")]
    NoValue {
        /// The option.
        name: String,
        /// Its possible values.
        expects: String,
    },
    /// The value does not fit.
    #[error("option `{name}` takes {expects}, not `{text}`")]
    BadValue {
        /// The option.
        name: String,
        /// The text that was given.
        text: String,
        /// Its possible values.
        expects: String,
    },
}

fn known(options: &[String]) -> String {
    if options.is_empty() {
        "; it has none".to_owned()
    } else {
        format!("; it has {}", options.join(", "))
    }
}

/// The options of a pass; implemented by [`pass_options!`](crate::pass_options).
pub trait PassOptions {
    /// All options, in order of declaration.
    fn specs() -> Vec<OptionSpec>
    where
        Self: Sized;
    /// Sets one option from text; `None`: the name was written without a value.
    fn set_option(&mut self, name: &str, text: Option<&str>) -> Result<(), OptionError>;
    /// The present values, in order of declaration.
    fn option_texts(&self) -> Vec<OptionText>;
}

/// A type an option may have.
pub trait OptionValue: Sized {
    /// Its possible texts, in words.
    fn expects() -> String;
    /// Reads the text.
    fn from_option_text(text: &str) -> Option<Self>;
    /// The text that reads back as this value; `None`: leaving the option out does.
    fn to_option_text(&self) -> Option<String>;
    /// The value that the option's bare name means.
    fn when_only_named() -> Option<Self> {
        None
    }
}

impl OptionValue for bool {
    fn expects() -> String {
        "true or false".to_owned()
    }
    fn from_option_text(text: &str) -> Option<bool> {
        match text {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => None,
        }
    }
    fn to_option_text(&self) -> Option<String> {
        Some(self.to_string())
    }
    fn when_only_named() -> Option<bool> {
        Some(true)
    }
}

macro_rules! number_options {
    ($($ty:ty => $words:literal),*) => {$(
        impl OptionValue for $ty {
            fn expects() -> String { $words.to_owned() }
            fn from_option_text(text: &str) -> Option<$ty> { text.parse().ok() }
            fn to_option_text(&self) -> Option<String> { Some(self.to_string()) }
        }
    )*};
}

number_options! {
    u32 => "an integer from 0 to 4294967295", u64 => "an integer of at least 0", usize => "an integer of at least 0",
    i32 => "a 32-bit integer", i64 => "a 64-bit integer", f64 => "a number"
}

impl OptionValue for String {
    fn expects() -> String {
        "a text".to_owned()
    }
    fn from_option_text(text: &str) -> Option<String> {
        Some(text.to_owned())
    }
    fn to_option_text(&self) -> Option<String> {
        Some(self.clone())
    }
}

impl<T: OptionValue> OptionValue for Option<T> {
    fn expects() -> String {
        T::expects()
    }
    fn from_option_text(text: &str) -> Option<Option<T>> {
        T::from_option_text(text).map(Some)
    }
    fn to_option_text(&self) -> Option<String> {
        self.as_ref().and_then(T::to_option_text)
    }
}

/// A comma-separated list; elements with commas are quoted.
impl<T: OptionValue> OptionValue for Vec<T> {
    fn expects() -> String {
        format!("a comma-separated list, each {}", T::expects())
    }
    fn from_option_text(text: &str) -> Option<Vec<T>> {
        if text.is_empty() {
            return Some(Vec::new());
        }
        let parts = crate::quote::split_list(text);
        parts
            .iter()
            .map(|part| T::from_option_text(&crate::quote::unquote(part)))
            .collect()
    }
    fn to_option_text(&self) -> Option<String> {
        let parts: Option<Vec<String>> = self.iter().map(T::to_option_text).collect();
        Some(
            parts?
                .iter()
                .map(|part| crate::quote::quote_element(part))
                .collect::<Vec<_>>()
                .join(","),
        )
    }
}

/// Sets a field from text; what the macro's output calls.
#[doc(hidden)]
pub fn set_field<T: OptionValue>(
    field: &mut T,
    name: &str,
    text: Option<&str>,
) -> Result<(), OptionError> {
    let value = match text {
        Some(text) => T::from_option_text(text).ok_or_else(|| OptionError::BadValue {
            name: name.to_owned(),
            text: text.to_owned(),
            expects: T::expects(),
        }),
        None => T::when_only_named().ok_or_else(|| OptionError::NoValue {
            name: name.to_owned(),
            expects: T::expects(),
        }),
    };
    *field = value?;
    Ok(())
}

/// The texts of a field and of its default; what the macro's output calls.
#[doc(hidden)]
pub fn field_text<T: OptionValue>(name: String, field: &T, default: &T) -> OptionText {
    let value = field.to_option_text();
    OptionText {
        name,
        is_default: value == default.to_option_text(),
        value,
    }
}

/// The description of a field; called by the macro's output.
#[doc(hidden)]
pub fn field_spec<T: OptionValue>(name: String, doc: &str, default: &T) -> OptionSpec {
    let doc = doc
        .lines()
        .map(str::trim)
        .collect::<Vec<_>>()
        .join(" ")
        .trim()
        .to_owned();
    OptionSpec {
        name,
        doc,
        expects: T::expects(),
        default: default.to_option_text(),
    }
}

/// The name of a field in the pipeline string; what the macro's output calls.
#[doc(hidden)]
pub fn option_name(field: impl Display) -> String {
    field.to_string().trim_start_matches("r#").replace('_', "-")
}

/// Declares the struct of a pass: its fields are the pass's options, each with a doc comment and a default.
///
/// ```
/// segra_pass::pass_options! {
///     /// Unrolls loops.
///     pub struct Unroll {
///         /// How many copies of the body.
///         pub factor: u32 = 4,
///     }
/// }
/// use segra_pass::PassOptions;
/// let mut unroll = Unroll::default();
/// unroll.set_option("factor", Some("8")).expect("8 is an integer");
/// assert_eq!(unroll.factor, 8);
/// assert!(unroll.set_option("factor", Some("many")).is_err());
/// ```
#[macro_export]
macro_rules! pass_options {
    ($(#[$meta:meta])* $vis:vis struct $name:ident {
        $($(#[doc = $doc:literal])* $field_vis:vis $field:ident : $ty:ty = $default:expr),* $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        $vis struct $name {
            $($(#[doc = $doc])* $field_vis $field: $ty,)*
        }
        impl ::std::default::Default for $name {
            fn default() -> Self { $name { $($field: $default),* } }
        }
        impl $crate::PassOptions for $name {
            fn specs() -> ::std::vec::Vec<$crate::options::OptionSpec> {
                #[allow(unused_variables, reason = "a pass may have no option")]
                let default = $name::default();
                vec![$($crate::options::field_spec(
                    $crate::options::option_name(stringify!($field)), concat!($($doc, "\n"),*), &default.$field)),*]
            }
            fn set_option(&mut self, name: &str, text: ::std::option::Option<&str>)
                -> ::std::result::Result<(), $crate::options::OptionError> {
                $(if name == $crate::options::option_name(stringify!($field)) {
                    return $crate::options::set_field(&mut self.$field, name, text);
                })*
                #[allow(unused_variables, reason = "a pass may have no option")]
                let text = text;
                ::std::result::Result::Err($crate::options::OptionError::Unknown {
                    name: name.to_owned(),
                    options: vec![$($crate::options::option_name(stringify!($field))),*],
                })
            }
            fn option_texts(&self) -> ::std::vec::Vec<$crate::options::OptionText> {
                #[allow(unused_variables, reason = "a pass may have no option")]
                let default = $name::default();
                vec![$($crate::options::field_text(
                    $crate::options::option_name(stringify!($field)), &self.$field, &default.$field)),*]
            }
        }
    };
}

/// Declares an option type with a closed set of keywords.
///
/// `option_enum! { /// doc  pub enum Versions { /// doc  All = "all", /// doc  Full = "full" } }`
#[macro_export]
macro_rules! option_enum {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($(#[$case_meta:meta])* $case:ident = $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        $vis enum $name { $($(#[$case_meta])* $case),+ }
        impl $crate::options::OptionValue for $name {
            fn expects() -> ::std::string::String {
                let words: &[&str] = &[$($text),+];
                format!("one of {}", words.join(", "))
            }
            fn from_option_text(text: &str) -> ::std::option::Option<Self> {
                match text { $($text => ::std::option::Option::Some($name::$case),)+ _ => ::std::option::Option::None }
            }
            fn to_option_text(&self) -> ::std::option::Option<::std::string::String> {
                ::std::option::Option::Some(match self { $($name::$case => $text),+ }.to_owned())
            }
        }
    };
}
