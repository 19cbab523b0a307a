//! Names that a mistyped one may stand for.

/// The known name nearest to a mistyped one, if one is near: at most a third of its characters are wrong, or one, and not all.
///
/// ```
/// assert_eq!(segra_text::suggestion("fnuc", ["func", "arith"]), Some("func"));
/// assert_eq!(segra_text::suggestion("tosa", ["func", "arith"]), None);
/// assert_eq!(segra_text::suggestion("x", ["y", "z"]), None);
/// ```
pub fn suggestion<'n>(typed: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let length = typed.chars().count();
    let limit = length.div_ceil(3).max(1);
    let near = known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(typed, name), name));
    let near =
        near.filter(|&(wrong, name)| wrong <= limit && wrong < length.max(name.chars().count()));
    near.min().map(|row| row.1)
}
