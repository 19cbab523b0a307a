//! The cost of an op: at most twelve lines, its documentation, text form and checks included.

const OPS: &str = include_str!("../src/ops.rs");

#[test]
fn no_op_takes_more_than_twelve_lines() {
    let blocks: Vec<&str> = OPS.split("\n\n").filter(|block| block.contains("#[op(")).collect();
    assert_eq!(blocks.len(), fixed::dialect().ops.len(), "ops stand apart by empty lines");
    for block in blocks {
        let lines = block.trim().lines().count();
        assert!(lines <= 12, "{lines} lines:\n{block}");
    }
}
