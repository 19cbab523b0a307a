//! Tuning files: what is read, what is refused with its line, what is written.

use proptest::prelude::*;
use segra_tune::Tuning;

#[test]
fn settings_comments_and_blank_lines_are_read() {
    let text =
        "# found on a T4\n\nmain.top.0=512\n  main.intra.0 = 9223372036854775807  # never\r\n";
    let tuning = Tuning::parse(text).expect("reads");
    assert_eq!(tuning.values.len(), 2);
    assert_eq!(tuning.values["main.intra.0"], i64::MAX);
    let again = tuning.to_text(&["one\ntwo".to_owned(), "three".to_owned()]);
    assert_eq!(
        again,
        "# one\n# two\n# three\nmain.intra.0=9223372036854775807\nmain.top.0=512\n"
    );
    assert_eq!(Tuning::parse(&again).expect("reads"), tuning);
}

#[test]
fn mistakes_are_refused_with_their_line() {
    let refused = |text: &str| Tuning::parse(text).expect_err(text).to_string();
    assert_eq!(
        refused("a=1\n\nb"),
        "line 3: `b` is not of the form name=value"
    );
    assert_eq!(refused("a=1\na=2"), "line 2: `a` has a value already");
    assert_eq!(
        refused("a=-1"),
        "line 1: `a` cannot be -1: it is never negative"
    );
    assert_eq!(
        refused("a=1.5"),
        "line 1: `1.5` is not a whole number from 0 to 9223372036854775807"
    );
    assert_eq!(
        refused("a=9223372036854775808"),
        "line 1: `9223372036854775808` is not a whole number from 0 to 9223372036854775807"
    );
    assert_eq!(
        refused("a="),
        "line 1: `` is not a whole number from 0 to 9223372036854775807"
    );
    assert_eq!(refused("=1"), "line 1: `` is no name of a threshold");
    assert_eq!(refused("a b=1"), "line 1: `a b` is no name of a threshold");
}

proptest! {
    #[test]
    fn no_text_panics(text in ".{0,200}") {
        let _ = Tuning::parse(&text);
    }

    #[test]
    fn what_is_written_is_read(values in prop::collection::btree_map("[a-z][a-z.0-9]{0,8}", 0i64.., 0..8)) {
        let tuning = Tuning { values };
        prop_assert_eq!(Tuning::parse(&tuning.to_text(&[])).expect("reads"), tuning);
    }
}
