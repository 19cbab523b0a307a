//! Names that a mistyped one may stand for.

/// The known name nearest to a mistyped one, if one is near: at most a third of its characters are wrong, or one.
///
/// ```
/// assert_eq!(segra_text::suggestion("fnuc", ["func", "arith"]), Some("func"));
/// assert_eq!(segra_text::suggestion("tosa", ["func", "arith"]), None);
/// ```
pub fn suggestion<'n>(typed: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let limit = typed.chars().count().div_ceil(3).max(1);
    let near = known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(typed, name), name));
    near.filter(|row| row.0 <= limit).min().map(|row| row.1)
}
