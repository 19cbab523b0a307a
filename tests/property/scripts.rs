//! Scripts of linear algebra: no text makes their reader panic, whether tokens in any order, scripts with tokens exchanged,
//! or values as deep or long as texts can be.

use super::seeds;
use segra_tests::draft::Choices;

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

/// Reads a text; errors must have a text, too.
fn read(text: &str) {
    if let Err(failure) = segra_blas::read("script", text) {
        assert!(failure.diagnostics.has_errors(), "{text}");
        assert!(!failure.to_string().is_empty(), "{text}");
    }
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
