// pass: builtin.module(array-to-kernel-one,lower-to-gpu)

// A function may be called as the module of kernels would be, and have a name that no assembler takes.
func.func @kernels(%xs: !array.array<[n]f32>) -> !array.array<[n]f32> {
  %ys = array.map (%x in %xs : [n]f32) {
    %d = arith.addf %x, %x : f32
    array.yield %d : f32
  }
  func.return %ys : !array.array<[n]f32>
}
func.func @"a.b-c%e"(%xs: !array.array<[n]f32>) -> !array.array<[n]f32> {
  %ys = array.map (%x in %xs : [n]f32) {
    %d = arith.mulf %x, %x : f32
    array.yield %d : f32
  }
  func.return %ys : !array.array<[n]f32>
}
