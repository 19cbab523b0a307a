//! Loops of few iterations: one copy of their body.

use super::{assemble, kernel, ptx};
use segra_worker::Chip;

/// Copies of the body of a loop over the rest of `vector` elements that do not fit into `%n`: LLVM sees that the lesser of
/// the two ends is `%n` there, and no longer that the other one is near.
fn copies_of_body(vector: u32, end: &str) -> usize {
    let body = format!(
        "%c1 = arith.constant 1 : i32\n%c = arith.constant {vector} : i32\n\
         %t = gpu.thread_id x\n%k = arith.index_cast %t : index to i32\n\
         %start = arith.muli %k, %c overflow<nsw, nuw> : i32\n\
         %near = arith.addi %start, %c overflow<nsw, nuw> : i32\n\
         %fits = arith.cmpi sle, %near, %n : i32\n\
         scf.if %fits {{\n}} else {{\n%end = {end} : i32\n\
         scf.for %i = %start to %end step %c1 : i32 {{\n\
         %at = arith.index_castui %i : i32 to index\n\
         %a = memref.load %x[%at] : memref<?xf32>\n%b = memref.load %y[%at] : memref<?xf32>\n\
         %s = arith.addf %a, %b : f32\nmemref.store %s, %z[%at] : memref<?xf32>\n}}\n}}"
    );
    let read = "memref<?xf32> {llvm.noalias, llvm.readonly}";
    let signature = format!("%x: {read}, %y: {read}, %z: memref<?xf32> {{llvm.noalias}}, %n: i32");
    let ptx = ptx(&kernel(&signature, &body), Chip::SM_80);
    assemble(&ptx, Chip::SM_80);
    ptx.matches("st.global").count()
}

#[test]
fn the_rest_of_a_vector_is_not_unrolled() {
    assert_eq!(copies_of_body(4, "arith.minsi %near, %n"), 1);
    assert_eq!(copies_of_body(4, "arith.minsi %n, %near"), 1);
}

#[test]
fn longer_loops_are_left_to_llvm() {
    assert!(copies_of_body(8, "arith.minsi %near, %n") > 1);
    assert!(copies_of_body(4, "arith.addi %n, %n") > 1);
}
