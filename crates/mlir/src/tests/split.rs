//! Kernels compiled by several threads: the output is that of one, whatever the number.

use super::{ATOMICS, CHIPS, PRIVATE, ROW_SUM, SAXPY, SCALARS, TRANSPOSE, assemble};
use crate::compile::compile;
use crate::split;
use segra_worker::{Stage, Target};

/// Dynamic shared memory, as several kernels of a module have it.
const DYNAMIC: &str = r#""memref.global"() <{alignment = 16 : i64, sym_name = "dynamic_shared",
    type = memref<0xi8, #gpu.address_space<workgroup>>}> : () -> ()"#;

/// The ops of the module of kernels in one of the texts.
fn kernels(text: &str) -> &str {
    let inside = || {
        let (_, rest) = text.split_once("\"gpu.module\"")?;
        let (_, rest) = rest.split_once("({\n")?;
        rest.rsplit_once("  }) : () -> ()\n}) {gpu.container_module}")
    };
    inside().map_or("", |(ops, _)| ops)
}

fn module(kernels: &str) -> String {
    format!(
        "\"builtin.module\"() ({{\n\"gpu.module\"() <{{sym_name = \"m\"}}> ({{\n{kernels}\n\
         }}) : () -> ()\n}}) {{gpu.container_module}} : () -> ()\n"
    )
}

/// One that writes to dynamic shared memory and to an array that is no register, at a place in a file of its own.
fn dynamic(name: &str, file: &str) -> String {
    format!(
        r#""gpu.func"() <{{function_type = (i8, memref<?xi8>) -> ()}}> ({{
        ^bb0(%x: i8, %y: memref<?xi8>):
          %i = "gpu.thread_id"() <{{dimension = #gpu<dim x>}}> : () -> index loc("{file}":3:4)
          %all = "memref.get_global"() <{{name = @dynamic_shared}}> : () -> memref<0xi8, #gpu.address_space<workgroup>>
          %zero = "arith.constant"() <{{value = 0 : index}}> : () -> index
          %n = "arith.constant"() <{{value = 64 : index}}> : () -> index
          %part = "memref.view"(%all, %zero, %n) : (memref<0xi8, #gpu.address_space<workgroup>>, index, index) -> memref<?xi8, #gpu.address_space<workgroup>>
          "memref.store"(%x, %part, %i) : (i8, memref<?xi8, #gpu.address_space<workgroup>>, index) -> () loc("{file}":5:4)
          "gpu.barrier"() : () -> ()
          %v = "memref.load"(%part, %zero) : (memref<?xi8, #gpu.address_space<workgroup>>, index) -> i8 loc("both.mlir":7:8)
          %own = "memref.alloca"() <{{operandSegmentSizes = array<i32: 0, 0>}}> : () -> memref<64xi8>
          "memref.store"(%x, %own, %zero) : (i8, memref<64xi8>, index) -> ()
          "memref.store"(%v, %own, %i) : (i8, memref<64xi8>, index) -> ()
          %k = "arith.index_cast"(%v) : (i8) -> index
          %w = "memref.load"(%own, %k) : (memref<64xi8>, index) -> i8
          "memref.store"(%w, %y, %i) : (i8, memref<?xi8>, index) -> () loc("{file}":8:4)
          "gpu.return"() : () -> ()
        }}) {{gpu.kernel, sym_name = "{name}"}} : () -> () loc("{file}":1:1)
        "#
    )
}

/// One of a switch of so many cases that LLVM makes a table of jumps.
fn switch(name: &str) -> String {
    let cases = 0..24;
    let blocks: String = cases
        .clone()
        .map(|case| {
            format!(
                r#"^b{case}:
          %c{case} = "arith.constant"() <{{value = {} : i32}}> : () -> i32
          %r{case} = "arith.{}"(%x, %c{case}) : (i32, i32) -> i32
          "memref.store"(%r{case}, %y, %v) : (i32, memref<?xi32>, index) -> ()
          "cf.br"()[^end] : () -> ()
        "#,
                case * case + 7,
                ["addi", "muli", "xori", "remui"][case as usize % 4],
            )
        })
        .collect();
    let joined = |text: fn(i32) -> String| cases.clone().map(text).collect::<Vec<_>>().join(", ");
    format!(
        r#""gpu.func"() <{{function_type = (i32, memref<?xi32>) -> ()}}> ({{
        ^bb0(%x: i32, %y: memref<?xi32>):
          %v = "gpu.thread_id"() <{{dimension = #gpu<dim x>}}> : () -> index
          "cf.switch"(%x)[^end, {}] <{{case_operand_segments = array<i32: {}>, case_values = dense<[{}]> : tensor<24xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}}> : (i32) -> ()
        {blocks}^end:
          "gpu.return"() : () -> ()
        }}) {{gpu.kernel, sym_name = "{name}"}} : () -> ()
        "#,
        joined(|case| format!("^b{case}")),
        joined(|_| "0".to_owned()),
        joined(|case| case.to_string()),
    )
}

fn many() -> String {
    let parts = [
        DYNAMIC,
        kernels(SAXPY),
        &dynamic("first", "a.mlir"),
        &switch("cases"),
        kernels(ROW_SUM),
        kernels(SCALARS),
        &dynamic("second", "b c.mlir"),
        kernels(ATOMICS),
        &switch("more_cases"),
        kernels(PRIVATE),
        &dynamic("third", "a.mlir"),
    ];
    module(&parts.join("\n"))
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let text = many();
    for target in CHIPS.map(Target::new) {
        let whole = compile(&text, &target, Stage::Ptx, 1).unwrap();
        assert_eq!(whole.text.matches(".visible .entry").count(), 10);
        // Labels, places and declarations of all kinds are there to be numbered anew.
        for kind in [
            "$L__BB2_",
            "$L__tmp",
            "$L_brx_",
            "__local_depot",
            "\t.loc\t2 ",
            "\t.file\t3 ",
            ".extern .shared",
            "has been demoted",
        ] {
            assert!(whole.text.contains(kind), "no {kind} in\n{}", whole.text);
        }
        assert_eq!(assemble(&whole.text, target.chip).len(), 10);
        for threads in [2, 3, 5, 8, 100] {
            let parts = split::compile(&text, &target, Stage::Ptx, threads);
            let parts = parts.unwrap_or_else(|| panic!("{threads} threads had no shares"));
            let mut lines = parts.text.lines().zip(whole.text.lines());
            let differ = lines.find(|(part, whole)| part != whole);
            assert_eq!(differ, None, "{threads} threads, {}", target.chip);
            assert_eq!(parts, whole, "{threads} threads, {}", target.chip);
        }
    }
}

#[test]
fn a_thread_reads_the_text_of_its_kernels_alone_where_lines_show_it() {
    let names = ["first", "second", "third", "fourth"];
    let parts = names.map(|name| dynamic(name, "a.mlir"));
    let text = module(&[&[DYNAMIC.to_owned()], &parts[..]].concat().join("\n"));
    let kernels = split::Kernels::of(&text, names.len()).expect("kernels in lines of their own");
    for (index, name) in names.into_iter().enumerate() {
        let own = kernels.of_share(split::Share { index, of: 4 });
        assert_eq!(own.matches("gpu.func").count(), 1);
        assert!(own.contains(&format!("sym_name = \"{name}\"")), "{own}");
        // Lines that are left are where they were, so places without a location are the same.
        for (line, all) in own.lines().zip(text.lines()) {
            assert!(line.is_empty() || line == all, "{line}");
        }
        assert_eq!(own.lines().count(), text.lines().count());
    }
    let target = Target::new(CHIPS[1]);
    let whole = compile(&text, &target, Stage::Ptx, 1).unwrap();
    for threads in [2, 3, 9] {
        assert_eq!(
            split::compile(&text, &target, Stage::Ptx, threads).as_ref(),
            Some(&whole),
            "{threads} threads"
        );
    }
    // One that is written otherwise: the whole text is read by all.
    let custom = text.replacen("\"gpu.func\"() <{", "\"gpu.func\" () <{", 1);
    assert!(split::Kernels::of(&custom, names.len()).is_none());
    assert_eq!(split::compile(&custom, &target, Stage::Ptx, 2), Some(whole));
}

#[test]
fn modules_whose_kernels_may_depend_on_each_other_are_compiled_by_one_thread() {
    let target = Target::new(CHIPS[1]);
    let variable = module(&(kernels(TRANSPOSE).to_owned() + kernels(SAXPY)));
    let helper = r#""func.func"() <{function_type = () -> (), sym_name = "h"}> ({
        "func.return"() : () -> ()
        }) : () -> ()"#;
    let helped = module(&[helper, kernels(SAXPY), kernels(ROW_SUM)].join("\n"));
    let several = many().replacen(
        "\"gpu.module\"",
        "\"gpu.module\"() <{sym_name = \"other\"}> ({}) : () -> ()\n\"gpu.module\"",
        1,
    );
    for text in [variable, helped, several] {
        assert_eq!(
            split::compile(&text, &target, Stage::Ptx, 2),
            None,
            "{text}"
        );
        let one = compile(&text, &target, Stage::Ptx, 1);
        assert_eq!(compile(&text, &target, Stage::Ptx, 2), one);
    }
}

#[test]
fn a_refusal_reads_the_same_for_any_number_of_threads() {
    let target = Target::new(CHIPS[1]);
    let wrong = many().replace("\"gpu.barrier\"()", "\"gpu.printf\"() <{format = \"x\"}>");
    let one = compile(&wrong, &target, Stage::Ptx, 1).unwrap_err();
    for threads in [2, 8] {
        assert_eq!(
            compile(&wrong, &target, Stage::Ptx, threads),
            Err(one.clone())
        );
    }
}
