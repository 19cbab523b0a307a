//! Schedules as text: what is read is what is printed, and what cannot stand where it stands is refused with its place.

use segra_space::{Depth, Schedule, Step, Strips, SumOrder};

fn refused(text: &str) -> (usize, String) {
    let error = text.parse::<Schedule>().expect_err(text);
    (error.offset, error.message)
}

#[test]
fn what_is_read_is_what_is_printed() {
    for text in [
        "stripmine [16]",
        "chunk 8",
        "chunk 8, distribute, interchange",
        "stripmine [16, 16], chunk 32, distribute, interchange, stage",
        "stripmine [2, 4, 8], peel 1, chunk 1, distribute, interchange, stage, repeat",
        "stripmine [64, 64] registers [4, 4], peel 16, chunk 16, distribute, interchange, stage, pipeline 2, repeat, \
         contract, unroll",
        "stripmine [64, 64] registers [4, 4] runs [1, 4], chunk 16, distribute, interchange, stage, pipeline upto 3, \
         contract reassoc",
    ] {
        let text = text.replace("stripmine [16]", "stripmine [32]");
        let schedule: Schedule = text.parse().expect(&text);
        assert_eq!(schedule.to_string(), text);
        assert_eq!(
            Schedule::new(schedule.steps().to_vec()).as_ref(),
            Ok(&schedule)
        );
    }
    let spaced: Schedule = " stripmine[ 64,64 ]registers[4,4],chunk  16 "
        .parse()
        .expect("spaces are free");
    assert_eq!(
        spaced.to_string(),
        "stripmine [64, 64] registers [4, 4], chunk 16"
    );
}

#[test]
fn parts_of_a_schedule_are_data() {
    let schedule: Schedule = "stripmine [64, 32] registers [4, 2], chunk 16, distribute, interchange, stage, pipeline upto 3"
        .parse()
        .expect("it is one");
    let strips = Strips {
        tiles: vec![64, 32],
        registers: vec![4, 2],
        runs: Vec::new(),
    };
    assert_eq!(schedule.strips(), Some(&strips));
    assert_eq!(strips.threads(), Some(256));
    assert_eq!(schedule.depth(), Some(16));
    assert_eq!(
        schedule.steps().last(),
        Some(&Step::Pipeline(Depth::AtMost(3)))
    );
    assert_eq!(
        Step::Contract(SumOrder::Any).to_string(),
        "contract reassoc"
    );
}

/// Texts are refused at these places, with these messages.
fn all_refused(rows: &[(&str, usize, &str)]) {
    for &(text, at, message) in rows {
        let (offset, found) = refused(text);
        assert!(found.contains(message), "{text}: {found}");
        assert_eq!(offset, at, "{text}: {found}");
    }
}

#[test]
fn mistakes_are_named_with_their_place() {
    all_refused(&[
        ("", 0, "expected a step, found the end of the text"),
        ("chunk 8,", 8, "expected a step, found the end of the text"),
        (
            "tile 8",
            0,
            "expected a step, found `tile`; there are join, stripmine, halo, peel, chunk",
        ),
        (
            "stripmin [8]",
            0,
            "unknown step `stripmin`, did you mean `stripmine`?",
        ),
        (
            "chunk",
            5,
            "expected the rounds of a tile, a number, found the end",
        ),
        (
            "chunk eight",
            6,
            "expected the rounds of a tile, a number, found `eight`",
        ),
        ("chunk 99999999999999999999", 6, "is too large"),
        ("chunk 8 distribute", 8, "expected the end of the schedule"),
        ("stripmine 16", 10, "expected `[`, found `1`"),
        ("stripmine []", 0, "`stripmine`: needs the points of a tile"),
        (
            "stripmine [0, 32]",
            0,
            "`stripmine`: needs the points of a tile",
        ),
        (
            "stripmine [50, 50]",
            0,
            "a block of 2500 threads: it can have from 1 to 1024",
        ),
        ("stripmine [64, 64]", 0, "a block of 4096 threads"),
        (
            "stripmine [64, 64] registers [3, 4]",
            0,
            "points of a thread: 3 does not divide 64",
        ),
        (
            "stripmine [64, 64] registers [4]",
            0,
            "points of a thread: 1 numbers for 2 dimensions",
        ),
        (
            "stripmine [64, 64] registers [4, 4] runs [1, 3]",
            0,
            "runs: 3 does not divide 4",
        ),
    ]);
}

#[test]
fn steps_that_cannot_stand_where_they_stand_are_named() {
    let strip = "stripmine [16, 16], chunk 32, distribute, interchange";
    all_refused(&[
        ("chunk 8, chunk 8", 9, "`chunk` stands here a second time"),
        (
            "chunk 8, stripmine [32]",
            9,
            "`stripmine` comes before `chunk`",
        ),
        (
            "chunk 0",
            0,
            "`chunk`: a tile of a loop has at least one round",
        ),
        (
            "peel 8, chunk 16",
            8,
            "`chunk`: tiles of 16 rounds, where full ones have 8",
        ),
        ("chunk 8, peel 8", 9, "`peel` comes before `chunk`"),
        ("distribute", 0, "`distribute` needs `chunk` before it"),
        (
            "chunk 8, interchange",
            9,
            "`interchange` needs `distribute` before it",
        ),
        (
            "chunk 8, distribute, interchange, stage",
            34,
            "`stage` needs `stripmine` before it",
        ),
        (
            &format!("{strip}, pipeline 2"),
            55,
            "`pipeline` needs `stage` before it",
        ),
        (
            &format!("{strip}, stage, pipeline 1"),
            62,
            "a pipeline has from 2 to 8 tiles at a time",
        ),
        (
            &format!("{strip}, stage, unroll"),
            62,
            "`unroll` needs `registers` of `stripmine`",
        ),
    ]);
}

#[test]
fn steps_given_as_data_are_checked_too() {
    let fault =
        Schedule::new(vec![Step::Chunk(8), Step::Interchange]).expect_err("nothing is distributed");
    assert_eq!(
        fault.to_string(),
        "step 2: `interchange` needs `distribute` before it"
    );
}
