//! Scripts of linear algebra: no text makes their reader panic, whether tokens in any order, scripts with tokens exchanged,
//! examples that are cut up, or values as deep or long as texts can be. Every error has a place in the script.

use super::seeds;
use segra_ir::diag::file_position;
use segra_tests::case::{files, folder};
use segra_tests::draft::Choices;
use std::path::PathBuf;

/// Tokens of scripts, some wrong.
#[rustfmt::skip] // by kind
const TOKENS: &[&str] = &[
    "matrix", "vector", "scalar", "TILE32x32", "subvector32", "input", "return", "f32", "f64", "i64",
    "A", "B", "x", "y", "z", "alpha", "_",
    "gemv", "sgemv", "dgemtv", "axpy", "dot", "swap", "iamax", "trsv_upper", "nothing",
    "0", "1", "2.5", "1e400", "2x", "4294967296",
    ";", ",", "=", "(", ")", "[", "]", "+", "-", "*", "/", "// c\n", "ß", "\n",
];

const SCRIPT: &str = "matrix f32 A [ m , n ] ; vector x , y , z ; scalar alpha ; input A , x , alpha ; \
    y = gemv ( A , x ) ; z = scal ( alpha / dot ( y , y ) , y ) ; return z , y ;";

/// Reads a text; errors must have texts and places. Says whether there are none.
fn read(text: &str) -> bool {
    let Err(failure) = segra_blas::read("script", text) else {
        return true;
    };
    assert!(failure.diagnostics.has_errors(), "{text}");
    assert!(!failure.to_string().is_empty(), "{text}");
    let lines = text.split('\n').count();
    for diagnostic in failure.diagnostics.iter() {
        let place = file_position(&failure.context, diagnostic.loc);
        let inside = place.is_some_and(|(_, line, _)| (1..=lines).contains(&(line as usize)));
        assert!(inside, "{}\n{text}", diagnostic.message);
    }
    false
}

/// The paths of the scripts of `examples/blas`, in order of their names.
pub(super) fn examples() -> Vec<PathBuf> {
    let folder = folder().join("../examples/blas");
    files(&folder, segra_blas::ENDING).expect("the examples are there")
}

/// The text of each of them.
fn example_texts() -> Vec<String> {
    let text = |path| std::fs::read_to_string(path).expect("it is a text");
    examples().into_iter().map(text).collect()
}

/// Words, numbers, spaces and single characters.
fn pieces(text: &str) -> Vec<&str> {
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' || c == '.' => 'a',
        c if c.is_whitespace() => ' ',
        c => c,
    };
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let single = !matches!(kind(first), 'a' | ' ');
        let end = match single {
            true => first.len_utf8(),
            false => rest.find(|c| kind(c) != kind(first)).unwrap_or(rest.len()),
        };
        let (piece, behind) = rest.split_at(end);
        pieces.push(piece);
        rest = behind;
    }
    pieces
}

/// A range of pieces, mostly short.
fn range(choices: &mut Choices, of: usize) -> std::ops::Range<usize> {
    let start = choices.below(of + 1);
    let most = *choices.pick(&[1, 3, 10, 100]);
    start..(start + choices.below(most + 1)).min(of)
}

#[test]
fn tokens_in_any_order_never_panic_the_reader_of_scripts() {
    for seed in seeds() {
        let mut choices = Choices::new(seed);
        let tokens: Vec<&str> = (0..choices.below(60))
            .map(|_| *choices.pick(TOKENS))
            .collect();
        read(&tokens.join(" "));
    }
}

#[test]
fn damaged_scripts_never_panic_the_reader() {
    for seed in seeds() {
        let mut choices = Choices::new(seed);
        let mut tokens: Vec<&str> = SCRIPT.split(' ').collect();
        for _ in 0..1 + choices.below(4) {
            let at = choices.below(tokens.len());
            match choices.below(3) {
                0 => tokens[at] = *choices.pick(TOKENS),
                1 => drop(tokens.remove(at)),
                _ => tokens.insert(at, *choices.pick(TOKENS)),
            }
        }
        read(&tokens.join(" "));
    }
}

#[test]
fn examples_that_are_cut_up_never_panic_the_reader_and_errors_have_places() {
    let examples = example_texts();
    assert!(examples.len() >= 16, "{}", examples.len());
    assert!(examples.iter().all(|text| read(text)));
    let (mut accepted, mut refused) = (0, 0);
    for seed in seeds() {
        let mut choices = Choices::new(seed);
        let mut script = pieces(choices.pick::<String>(&examples));
        for _ in 0..1 + choices.below(4) {
            let cut = range(&mut choices, script.len());
            match choices.below(5) {
                0 => drop(script.drain(cut)),
                1 => {
                    let copied = script[cut].to_vec();
                    let at = choices.below(script.len() + 1);
                    script.splice(at..at, copied);
                }
                2 => {
                    let other = pieces(choices.pick::<String>(&examples));
                    let taken = range(&mut choices, other.len());
                    script.splice(cut, other[taken].to_vec());
                }
                3 => drop(script.splice(cut, [*choices.pick(TOKENS)])),
                // One piece stands where another did.
                _ if script.is_empty() => {}
                _ => {
                    let (from, to) = (choices.below(script.len()), choices.below(script.len()));
                    script[to] = script[from];
                }
            }
        }
        match read(&script.concat()) {
            true => accepted += 1,
            false => refused += 1,
        }
    }
    // Both the reader's errors and what follows a script that is read are met.
    assert!(accepted > 0 && refused > 0, "{accepted} and {refused}");
}

#[test]
fn deep_and_long_values_are_read_or_refused() {
    let script = |value: &str| format!("scalar a, b; input a; b = {value}; return b;");
    let deep = [
        "(".repeat(100_000),
        "sqrt(".repeat(100_000),
        format!("{}a", "-".repeat(20_000)),
    ];
    for value in deep {
        read(&script(&value));
    }
    let sum = vec!["a"; 2_000].join(" + ");
    assert!(segra_blas::read("long", &script(&sum)).is_ok());
    let nested = format!("{}a{}", "sqrt(".repeat(200), ")".repeat(200));
    assert!(segra_blas::read("nested", &script(&nested)).is_ok());
}

#[test]
fn the_papers_own_script_is_read_as_it_stands() {
    let listing = "TILE32x32 A;\nsubvector32 p, q, r, s;\n\ninput A, p, r;\n\nq = sgemv(A, p);\ns = sgemtv(A, r);\n\n\
        return q, s;\n";
    let program = segra_blas::read("listing1.blas", listing);
    let program = program.unwrap_or_else(|failure| panic!("{failure}"));
    let signatures = program.signatures();
    let main = signatures.get("main").expect("is there");
    assert_eq!((main.entry.params.len(), main.entry.results.len()), (3, 2));
}
