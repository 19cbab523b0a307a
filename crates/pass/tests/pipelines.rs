//! Pipelines as text: reading, writing, and what is said about mistakes.

mod support;

use proptest::prelude::*;
use segra_pass::options::OptionValue;
use segra_pass::{PassOptions, Pipeline, PipelineAnchor, PipelineItem, ShowOptions};
use support::*;

fn parse(text: &str) -> Result<Pipeline, segra_pass::PipelineError> {
    Pipeline::parse(text, &registry())
}

fn complaint(text: &str) -> String {
    parse(text).expect_err("the text is wrong").to_string()
}

#[test]
fn nested_pipelines_read_back_as_written() {
    for text in [
        "t.module()",
        "any(act)",
        "t.module(act,t.func(act,on-functions),any(act{times=3}))",
        "t.module(t.func(act{what=grow times=2}),act{word=\"two words\"})",
    ] {
        assert_eq!(parse(text).expect("it is right").to_string(), text);
    }
}

#[test]
fn the_normalised_text_shows_every_option_and_expands_named_pipelines() {
    let pipeline =
        parse(" t.module ( grow-twice , act { remark  what=fail } ) ").expect("it is right");
    let grow = "t.func(act{what=grow times=1 words=\"\" word=plain remark=false})";
    assert_eq!(
        pipeline.text(ShowOptions::All),
        format!(
            "t.module({grow},{grow},act{{what=fail times=1 words=\"\" word=plain remark=true}})"
        )
    );
}

#[test]
fn options_take_quoted_and_braced_values() {
    let pipeline = parse("any(act{word='a } b' words=x,\"y,z\",w},act{word={1 {2} 3} number=-4})")
        .expect("it is right");
    let mut words = Vec::new();
    pipeline.for_each_pass(&mut |pass| {
        words.push(
            pass.option_texts()
                .into_iter()
                .map(|text| text.value.unwrap_or_default())
                .collect::<Vec<_>>(),
        );
    });
    assert_eq!(words[0][3], "a } b");
    assert_eq!(words[0][2], "x,\"y,z\",w");
    assert_eq!(
        Vec::<String>::from_option_text(&words[0][2]),
        Some(vec!["x".into(), "y,z".into(), "w".into()])
    );
    assert_eq!(
        (words[1][3].as_str(), words[1][5].as_str()),
        ("1 {2} 3", "-4")
    );
}

#[test]
fn mistakes_are_shown_at_their_place() {
    assert_eq!(
        complaint("t.module(act,t.func(atc))"),
        "`atc` is neither a pass nor a pipeline\n  t.module(act,t.func(atc))\n                      ^^^\n  did you mean `act`?"
    );
    assert_eq!(
        complaint("any(act{times=many})"),
        "pass `act`: option `times` takes an integer from 0 to 4294967295, not `many`\n  any(act{times=many})\n          ^^^^^^^^^^"
    );
    assert_eq!(
        complaint("any(act{what=shrink})"),
        "pass `act`: option `what` takes one of nothing, grow, grow-in-stages, fail, fail-silently, not `shrink`\n  any(act{what=shrink})\n          ^^^^^^^^^^^"
    );
    assert!(complaint("any(act{time=1})").ends_with("did you mean `times`?"));
    assert!(complaint("any(act{times})").starts_with("pass `act`: option `times` needs a value"));
    assert!(
        complaint("t.module(act").contains("this `(` is never closed\n  t.module(act\n          ^")
    );
    assert!(
        complaint("any(act{what=grow)").contains("is never closed")
            || complaint("any(act{what=grow)").contains("what")
    );
    assert!(complaint("any(act) act").contains("expected `,` or the end"));
    assert!(complaint("any(act,)").contains("expected the name of a pass"));
    assert!(complaint("act,on-functions").contains("write `builtin.module(act,on-functions)`"));
    assert!(complaint("t.module(on-functions)").contains("nest it: `t.func(on-functions)`"));
    assert!(complaint("any(endless)").contains("nest deeper than 64"));
    assert!(complaint("").contains("expected the name"));
    assert!(complaint("any(act{word=\"open})").contains("never closed"));
}

#[test]
fn passes_added_one_by_one_are_nested_where_they_must_be() {
    let mut pipeline = Pipeline::on("t.module");
    for _ in 0..2 {
        pipeline.add(Box::new(OnFunctions::default()));
    }
    pipeline.add(Box::new(ActPass::default()));
    assert_eq!(
        pipeline.to_string(),
        "t.module(t.func(on-functions,on-functions),act)"
    );
}

#[test]
fn other_defaults_are_for_what_a_pipeline_leaves_open() {
    let mut registry = registry();
    registry
        .set_default("act", "what", "fail")
        .expect("is an option");
    registry
        .set_default("none", "what", "fail")
        .expect("nobody");
    assert!(registry.set_default("act", "how", "fail").is_err());
    assert!(registry.set_default("act", "what", "sleep").is_err());
    for (text, wanted) in [
        ("any(act)", "any(act{what=fail})"),
        ("any(act{times=3})", "any(act{what=fail times=3})"),
        // Its own default, as the text says.
        ("any(act{what=nothing})", "any(act)"),
        (
            "any(grow-twice)",
            "any(t.func(act{what=grow}),t.func(act{what=grow}))",
        ),
    ] {
        let read = Pipeline::parse(text, &registry).expect("is a pipeline");
        assert_eq!(read.to_string(), wanted);
    }
}

#[test]
fn options_of_named_pipelines_are_those_of_their_passes() {
    let shown = |text: &str| parse(text).expect("it is right").to_string();
    // As with every default, a step that says otherwise does.
    for name in ["act-often", "act-outside"] {
        assert_eq!(
            shown(&format!("t.module({name}{{times=3}})")),
            "t.module(t.func(act{times=3}),t.func(act{times=2}))"
        );
        assert_eq!(
            shown(&format!("t.module({name},act)")),
            "t.module(t.func(act),t.func(act{times=2}),act)"
        );
    }
    assert_eq!(
        complaint("any(act-often{time=3})"),
        "pipeline `act-often`: has no option `time`; it has times\n  any(act-often{time=3})\n                ^^^^\n  \
         did you mean `times`?"
    );
    assert!(complaint("any(act-often{what=grow})").contains("has no option `what`; it has times"));
    assert!(complaint("any(act-often{times=x})").contains("`act-often`: option `times` takes"));
    assert!(complaint("any(act-often{times})").contains("option `times` needs a value"));
    assert!(complaint("any(grow-twice{times=1})").contains("has no option `times`; it has none"));
    assert!(complaint("any(act-often{times=1").contains("never closed"));
    let documented = registry().documentation();
    let (_, pipelines) = documented
        .split_once("# Pipelines")
        .expect("they are documented");
    assert_eq!(
        pipelines.matches("| `times` | `1` |").count(),
        2,
        "{pipelines}"
    );
}

#[test]
fn pipelines_have_only_options_that_their_passes_have() {
    use segra_pass::{NamedPipeline, PassRegistry, PipelineOption};
    let wrong = NamedPipeline {
        name: "wrong",
        summary: "has an option of nobody",
        steps: &["act"],
        options: &[PipelineOption {
            pass: "act",
            name: "speed",
        }],
    };
    let registry = PassRegistry::new(registry().passes().to_vec(), vec![wrong]);
    assert_eq!(
        registry.problems(),
        ["`wrong` has the option `speed`, which `act` has not"]
    );
}

#[test]
fn registries_know_when_their_lists_are_out_of_order() {
    assert_eq!(registry().problems(), Vec::<String>::new());
    use segra_pass::{PassEntry, PassRegistry};
    let wrong = PassRegistry::new(
        vec![PassEntry::of::<OnFunctions>(), PassEntry::of::<ActPass>()],
        vec![],
    );
    assert_eq!(wrong.problems(), ["`on-functions` stands before `act`"]);
}

#[test]
fn the_documentation_lists_every_option_with_its_default() {
    let text = registry().documentation();
    assert!(
        text.contains(
            "| `what` | `nothing` | one of nothing, grow, grow-in-stages, fail, fail-silently | The action. |"
        ),
        "{text}"
    );
    assert!(
        text.contains("| `number` | none | a 64-bit integer | A number to remember. |"),
        "{text}"
    );
    assert!(ActPass::specs().len() == 6);
}

fn any_pass() -> impl Strategy<Value = ActPass> {
    let acts = prop_oneof![
        Just(Act::Nothing),
        Just(Act::Grow),
        Just(Act::Fail),
        Just(Act::FailSilently)
    ];
    let text = "[ -~éß]{0,8}";
    let numbers = proptest::option::of(any::<i64>());
    (
        acts,
        any::<u32>(),
        proptest::collection::vec(text, 0..4),
        text,
        any::<bool>(),
        numbers,
    )
        .prop_map(|(what, times, words, word, remark, number)| ActPass {
            what,
            times,
            words,
            word,
            remark,
            number,
        })
}

fn any_pipeline() -> impl Strategy<Value = Pipeline> {
    let anchor = || {
        prop_oneof![
            Just(PipelineAnchor::Any),
            Just(PipelineAnchor::Op("t.func".to_owned()))
        ]
    };
    let leaf =
        (anchor(), proptest::collection::vec(any_pass(), 0..3)).prop_map(|(anchor, passes)| {
            Pipeline {
                anchor,
                items: passes
                    .into_iter()
                    .map(|pass| PipelineItem::Pass(Box::new(pass) as Box<dyn segra_pass::Pass>))
                    .collect(),
            }
        });
    // Strategies need values that can be cloned; pipelines are handed around as text.
    leaf
}

proptest! {
    #[test]
    fn any_pipeline_reads_back(inner in any_pipeline(), outer in any_pipeline()) {
        let mut outer = outer;
        outer.items.push(PipelineItem::Nested(inner));
        for show in [ShowOptions::All, ShowOptions::Changed] {
            let text = outer.text(show);
            let again = parse(&text).map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert_eq!(again.text(ShowOptions::All), outer.text(ShowOptions::All));
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "[a-z(){},=\"' é.]{0,40}") {
        if let Err(error) = parse(&text) {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}
