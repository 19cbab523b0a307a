// errors: builtin.module(func.func(choose-mapping),lower-to-gpu)
// An op without a form is not lowered.
func.func @sum(%n: index, %xs: tensor<?xf32>, %zero: f32) -> f32 {
  %r = kernel.segred thread (%i < %n) init (%zero : f32) -> (f32) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    kernel.return %x : f32
  } combine (%a, %b) {
    %s = arith.addf %a, %b : f32
    kernel.return %s : f32
  }
  func.return %r : f32
}
// -----
func.func @counts(%n: index, %is: tensor<?xindex>, %ys: tensor<?xi32>, %one: i32) -> tensor<?xi32> {
  %r = kernel.seghist thread (%i < %n) into (%ys : tensor<?xi32>) init (%one : i32) -> (tensor<?xi32>) {
    %at = tensor.extract %is[%i] : tensor<?xindex>
    kernel.return %at, %one : index, i32
  } combine (%a, %b) {
    %s = arith.muli %a, %b : i32
    kernel.return %s : i32
  }
  func.return %r : tensor<?xi32>
}
// ===== expected
input:4:8: error: 'kernel.segred' op has no form that can be lowered: `choose-forms` gives it one
  |
4 |   %r = kernel.segred thread (%i < %n) init (%zero : f32) -> (f32) {
  |        ^^^^^^^^^^^^^
  |
  = op: %r = "kernel.segred"(%n, %zero) <{level = 2 : i32, operandSegmentSizes = array<i32: 1, 1>}> ({...}, {...}) : (index, f32) -> f32
input:15:8: error: 'kernel.seghist' op has no form that can be lowered: `choose-forms` gives it one
   |
15 |   %r = kernel.seghist thread (%i < %n) into (%ys : tensor<?xi32>) init (%one : i32) -> (tensor<?xi32>) {
   |        ^^^^^^^^^^^^^^
   |
   = op: %r = "kernel.seghist"(%n, %ys, %one) <{level = 2 : i32, operandSegmentSizes = array<i32: 1, 1, 1>}> ({...}, {...}) : (index, memref<?xi32>, i32) -> memref<?xi32>
