//! The parts of a space that are there at run time, and how often it goes through a chain: sections 6.2 and 6.3 of the index-space
//! combinators paper.

mod common;

use common::*;
use segra_space::*;

#[test]
fn row_004_24_a_space_is_four_scalars_a_dimension_and_an_index_each_in_the_kernel() {
    let mut arena = Arena::new();
    let mut dimension = |number: usize| Dimension {
        lower: arena.symbol(&format!("lb{number}"), Interval::ALL),
        upper: arena.symbol(&format!("ub{number}"), Interval::ALL),
        step: arena.symbol(&format!("st{number}"), Interval::POSITIVE),
        width: arena.symbol(&format!("wi{number}"), Interval::NON_NEGATIVE),
    };
    let space = Descriptor::new(vec![dimension(1), dimension(0)]);
    let text = "GridBlock(1, SplitLast(32, PruneGrid(ShiftLB(Gen))))";
    let mapping = Mapping::new(&mut arena, space, chain(text)).expect("it fits");
    let names = |arena: &Arena, roots: &[Expr]| {
        let mut names: Vec<String> = arena
            .topological(roots)
            .into_iter()
            .filter_map(|expr| arena.as_symbol(expr))
            .map(|symbol| arena.symbol_name(symbol).unwrap_or("?").to_owned())
            .collect();
        names.sort();
        names
    };
    // The host needs no step and no width, as idle threads stand for the gaps.
    assert_eq!(names(&arena, &mapping.grid()), ["lb0", "lb1", "ub0", "ub1"]);
    let ids = ThreadIds::declare(&mut arena, &HardwareLimits::CUDA);
    let recovery = mapping
        .recover(&mut arena, &ids)
        .expect("it can be recovered");
    assert_eq!(recovery.indices.len(), 2);
    // Of the dimension that is not split, no thread needs the upper bound.
    let all = [
        "block_id.x",
        "block_id.y",
        "lb0",
        "lb1",
        "st0",
        "st1",
        "thread_id.x",
        "ub0",
        "wi0",
        "wi1",
    ];
    assert_eq!(names(&arena, &recovery.roots()), all);
}

#[test]
fn row_004_28_forward_once_and_back_once() {
    let mut arena = Arena::new();
    let (space, _) = symbolic_shape(&mut arena, &[1; 3]);
    let text = "GridBlock(1, SplitLast(32, FoldLast2(Permute([1,0,2], ShiftLB(Gen)))))";
    let mapping = Mapping::new(&mut arena, space, chain(text)).expect("it fits");
    let ranks: Vec<usize> = mapping.stages().iter().map(Descriptor::rank).collect();
    assert_eq!(ranks, [3, 3, 3, 2, 3]);
    // Back from the last stage, one inverse for each combinator, none is left.
    let last = mapping.stages()[4].rank();
    let mut at: Vec<Expr> = (0..last)
        .map(|_| arena.unnamed_symbol(Interval::NON_NEGATIVE))
        .collect();
    for (stage, combinator) in mapping.chain().combinators.iter().enumerate().rev() {
        let inverse = combinator
            .invert(&mut arena, &mapping.stages()[stage], &at)
            .expect("undone");
        at = inverse.indices;
        assert_eq!(at.len(), mapping.stages()[stage].rank());
    }
    assert_eq!(at.len(), mapping.space().rank());
}
