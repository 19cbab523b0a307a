//! Validation refuses every kind of contradiction, the builder reports misuse, the dump is readable.

mod support;

use segra_artifact::{
    BinaryOp, BlockId, Branch, Dim, ElemType, Instr, KernelParam, LocationId, MOST_EXTENTS,
    MapExtent, ParamType, Plan, PlanBuilder, PlanId, Scalar, Side, SizeId, Slot, SlotType, Stmt,
    TensorMap, TunableId,
};

/// The message of the contradiction that `change` brings into the sample.
fn refused(change: impl FnOnce(&mut segra_artifact::Artifact)) -> String {
    let mut artifact = support::sample();
    artifact.validate().expect("the sample is valid");
    change(&mut artifact);
    artifact
        .validate()
        .expect_err("a contradiction")
        .to_string()
}

fn stmt(instr: Instr) -> Stmt {
    Stmt {
        instr,
        location: None,
    }
}

#[test]
fn tables_are_checked() {
    assert!(refused(|a| a.kernels.push(a.kernels[0].clone())).contains("`step` occurs twice"));
    assert!(refused(|a| a.targets.push(a.targets[0].clone())).contains("two targets for sm_75"));
    assert!(refused(|a| a.tunables[0].default = -1).contains("not in 0..="));
    let itself = Some(Branch {
        tunable: TunableId(0),
        side: Side::Below,
    });
    assert!(refused(|a| a.tunables[0].under = itself).contains("does not come before it"));
    assert!(refused(|a| a.tunables[0].location = Some(LocationId(9))).contains("no loc9"));
    assert!(refused(|a| a.source_map.files.clear()).contains("source map"));
    assert!(refused(|a| a.check_sites[0].location = Some(LocationId(9))).contains("no loc9"));
    assert!(
        refused(|a| a.kernels[0].params.push(KernelParam::ErrorRecord)).contains("not the last")
    );
    let map = |rank, extent| TensorMap {
        elem: ElemType::F32,
        rank,
        extents: [extent; MOST_EXTENTS],
        extents_of_box: [64; MOST_EXTENTS],
        in_lines: false,
    };
    for (map, why) in [
        (map(6, MapExtent::Const(64)), "a tensor map has 6 extents"),
        (map(0, MapExtent::Const(64)), "a tensor map has 0 extents"),
        (map(2, MapExtent::Param(0)), "is no parameter of type i64"),
        (map(2, MapExtent::Param(99)), "is no parameter of type i64"),
    ] {
        let param = KernelParam::TensorMap(map);
        assert!(refused(|a| a.kernels[0].params.insert(0, param)).contains(why));
    }
}

#[test]
fn entries_are_checked_against_their_plans() {
    assert!(refused(|a| a.entries[0].plan = PlanId(7)).contains("no plan7"));
    assert!(
        refused(|a| a.entries[0].sizes.push("m".to_owned()))
            .contains("no parameter binds size `m`")
    );
    let array = |dims| ParamType::Array {
        elem: ElemType::F32,
        dims,
    };
    assert!(
        refused(|a| a.entries[0].params[1].ty = array(vec![Dim::Any])).contains("unnamed extent")
    );
    assert!(
        refused(|a| a.entries[0].params[1].ty = array(vec![Dim::Size(SizeId(4))]))
            .contains("no size4")
    );
    let message = refused(|a| a.entries[0].params[0].ty = ParamType::Scalar(ElemType::I8));
    assert_eq!(
        message,
        "entry `repeat`: plan parameters: expected (i64, i8, buffer<f32>), found (i64, i32, buffer<f32>)"
    );
}

#[test]
fn slots_are_written_once_before_they_are_read_and_only_in_their_block() {
    let read_early = |a: &mut segra_artifact::Artifact| a.plans[1].blocks[0].stmts.swap(0, 4);
    assert!(refused(read_early).contains("read before it is written"));
    let twice = |a: &mut segra_artifact::Artifact| {
        let again = a.plans[0].blocks[0].stmts[0].clone();
        a.plans[0].blocks[0].stmts.push(again);
    };
    assert!(refused(twice).contains("defined twice"));
    assert!(refused(|a| a.plans[0].blocks[0].results[0] = Slot(99)).contains("no slot %99"));
    // A value computed inside the loop is read after it.
    let escape = |a: &mut segra_artifact::Artifact| {
        let inner = a.plans[1].slots.len();
        a.plans[1].slots.push(SlotType::INDEX);
        let dst = Slot::new(inner);
        a.plans[1].blocks[1].stmts.push(stmt(Instr::Const {
            dst,
            value: Scalar::i64(1),
        }));
        a.plans[1].blocks[0].results[1] = dst;
    };
    assert!(refused(escape).contains("outside its block"));
}

#[test]
fn blocks_form_a_tree_of_bounded_depth() {
    assert!(refused(|a| a.plans[0].blocks.clear()).contains("no body"));
    assert!(
        refused(|a| a.plans[0].blocks.push(Default::default()))
            .contains("belongs to no instruction")
    );
    let cycle = |a: &mut segra_artifact::Artifact| {
        let instr = a.plans[1].blocks[0]
            .stmts
            .iter_mut()
            .find_map(|stmt| match &mut stmt.instr {
                Instr::For(for_loop) => Some(for_loop),
                _ => None,
            });
        instr.unwrap().body = Plan::BODY;
    };
    assert!(refused(cycle).contains("two owners"));
    let deep = |a: &mut segra_artifact::Artifact| {
        let mut b = PlanBuilder::new("deep");
        let cond = b.constant(Scalar::bool(true));
        for _ in 0..10_000 {
            b.begin_if(cond);
        }
        for _ in 0..10_000 {
            b.begin_else(&[]);
            b.end_if(&[]);
        }
        a.plans.push(b.finish(&[]).unwrap());
    };
    assert!(refused(deep).contains("nest more than 64 deep"));
}

#[test]
fn instruction_types_are_checked() {
    let change_type = |ty| move |a: &mut segra_artifact::Artifact| a.plans[0].slots[2] = ty;
    assert!(
        refused(change_type(SlotType::Buffer(ElemType::I64))).contains("slot %2 is buffer<i64>")
    );
    let launch = refused(|a| {
        a.kernels[0].params[2] = KernelParam::Scalar(ElemType::I32);
    });
    assert!(
        launch.contains("arguments of kernel `step`: expected (buffer<f32>, buffer<f32>, i32)"),
        "{launch}"
    );
    let instr = Instr::If {
        cond: Slot(1),
        then_block: BlockId(1),
        else_block: BlockId(1),
        results: vec![],
    };
    let not_a_condition = refused(|a| a.plans[0].blocks[0].stmts.push(stmt(instr)));
    assert!(
        not_a_condition.contains("slot %1 is i64, i1 is needed"),
        "{not_a_condition}"
    );
}

#[test]
fn the_builder_reports_the_first_misuse_where_it_happened() {
    let mut b = PlanBuilder::new("p");
    let x = b.param(SlotType::Buffer(ElemType::F32));
    let one = b.index(1);
    let wrong = b.binary(BinaryOp::Add, one, x);
    b.free(wrong);
    let error = b.finish(&[]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "plan `p`, instruction 1: slot %0 is buffer<f32>, i64 is needed"
    );

    let mut b = PlanBuilder::new("p");
    b.end_if(&[]);
    assert!(
        b.finish(&[])
            .unwrap_err()
            .to_string()
            .contains("end_if without begin_else")
    );
    let mut b = PlanBuilder::new("p");
    let cond = b.constant(Scalar::bool(true));
    b.begin_if(cond);
    assert!(b.finish(&[]).unwrap_err().to_string().contains("no end_"));
}

#[test]
fn the_dump_reads_as_a_program() {
    insta::assert_snapshot!(support::sample().to_string());
}
