//! Quoting in pipeline strings: an option's value may be written bare, in `"..."` (with `\"` and `\\`), in `'...'` or
//! in `{...}` with balanced braces inside. Printing quotes exactly where reading back needs it.

/// Characters that end or confuse a bare value.
fn is_special(c: char) -> bool {
    c.is_whitespace() || matches!(c, '{' | '}' | '"' | '\'' | ',' | '(' | ')' | '\\' | '=')
}

/// The text as an option's value: bare where that reads back, quoted otherwise. Commas are fine outside lists.
pub(crate) fn quote_value(text: &str) -> String {
    let bare = !text.is_empty() && !text.chars().any(|c| c != ',' && is_special(c));
    if bare { text.to_owned() } else { quoted(text) }
}

/// The text as an element of a list.
pub(crate) fn quote_element(text: &str) -> String {
    let bare = !text.is_empty() && !text.chars().any(is_special);
    if bare { text.to_owned() } else { quoted(text) }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Takes one layer of quotes or braces off a whole text, if it has one.
pub(crate) fn unquote(text: &str) -> String {
    let inner = |open: char, close: char| {
        text.strip_prefix(open)
            .and_then(|rest| rest.strip_suffix(close))
    };
    if quoted_length(text) != Some(text.len()) {
        return text.to_owned();
    }
    if let Some(body) = inner('"', '"') {
        let mut out = String::with_capacity(body.len());
        let mut chars = body.chars();
        while let Some(c) = chars.next() {
            out.push(if c == '\\' {
                chars.next().unwrap_or('\\')
            } else {
                c
            });
        }
        return out;
    }
    inner('\'', '\'')
        .or_else(|| inner('{', '}'))
        .unwrap_or(text)
        .to_owned()
}

/// Length of the quoted or braced text at the start of `text`; `None` if there is none or it does not end.
pub(crate) fn quoted_length(text: &str) -> Option<usize> {
    let open = text.chars().next()?;
    let (mut depth, mut escaped) = (0usize, false);
    for (at, c) in text.char_indices() {
        if escaped {
            escaped = false;
            continue;
        }
        match (open, c) {
            ('"', '\\') => escaped = true,
            ('"' | '\'', c) if c == open && at > 0 => return Some(at + 1),
            ('{', '{') => depth += 1,
            ('{', '}') => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            ('"' | '\'' | '{', _) => {}
            _ => return None,
        }
    }
    None
}

/// Splits a list at commas outside quotes and braces.
pub(crate) fn split_list(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
    while let Some(c) = text[at..].chars().next() {
        if c == ',' {
            parts.push(text[start..at].trim());
            start = at + 1;
        }
        at += quoted_length(&text[at..]).unwrap_or(c.len_utf8());
    }
    parts.push(text[start..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_survives_quoting() {
        for text in [
            "a", "", "a b", "a\"b", "\\", "{", "}{", "a,b", "'", "\"\"", "{a}", "x=y",
        ] {
            assert_eq!(unquote(&quote_value(text)), text);
            let list = format!("{},{}", quote_element(text), quote_element("z"));
            assert_eq!(
                split_list(&list)
                    .iter()
                    .map(|part| unquote(part))
                    .collect::<Vec<_>>(),
                [text, "z"]
            );
        }
    }
}
