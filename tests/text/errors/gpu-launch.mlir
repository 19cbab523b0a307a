// errors
// Launches on which upstream's verifier reads beyond the end of the arguments: the body must have them all.
func.func @clusters_without_their_arguments(%i: index) {
  "gpu.launch"(%i, %i, %i, %i, %i, %i, %i, %i, %i) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0>}> ({
  ^bb0(%a: index, %b: index, %c: index, %d: index, %e: index, %f: index, %g: index, %h: index, %j: index, %k: index, %l: index, %m: index):
    "gpu.terminator"() : () -> ()
  }) : (index, index, index, index, index, index, index, index, index) -> ()
  return
}
// -----
func.func @less_than_no_workgroup_buffers(%i: index) {
  "gpu.launch"(%i, %i, %i, %i, %i, %i) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({
  ^bb0(%a: index, %b: index, %c: index, %d: index, %e: index, %f: index, %g: index, %h: index, %j: index, %k: index, %l: index, %m: index):
    "gpu.terminator"() : () -> ()
  }) {workgroup_attributions = -1 : i64} : (index, index, index, index, index, index) -> ()
  return
}
// ===== expected
input:4:3: error: 'gpu.launch' op its body needs an argument for each id, extent and workgroup buffer
  |
4 |   "gpu.launch"(%i, %i, %i, %i, %i, %i, %i, %i, %i) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0>}> ({
  |   ^^^^^^^^^^^^
  |
  = op: "gpu.launch"(%i, %i, %i, %i, %i, %i, %i, %i, %i) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0>}> ({...}) : (index, index, index, index, index, index, index, index, index) -> ()
input:12:3: error: 'gpu.launch' op the attribute `workgroup_attributions` must not be negative
   |
12 |   "gpu.launch"(%i, %i, %i, %i, %i, %i) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({
   |   ^^^^^^^^^^^^
   |
   = op: "gpu.launch"(%i, %i, %i, %i, %i, %i) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({...}) {workgroup_attributions = -1 : i64} : (index, index, index, index, index, index) -> ()
