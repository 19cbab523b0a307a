// pass: builtin.module(canonicalize)
// The extent of what an op makes is a value the op already has.
module {
  func.func @extents(%n: index, %m: index, %x: f32) -> (index, index, index) {
    %is = array.iota %n : [?]i64
    %a = array.dim %is, 0 : [?]i64
    %xs = array.replicate %x, [%n, %m] : f32 -> [?][?]f32
    %b = array.dim %xs, 1 : [?][?]f32
    %t = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x?xf32>) {
      kernel.return %x : f32
    }
    %c0 = arith.constant 0 : index
    %c = tensor.dim %t, %c0 : tensor<?x?xf32>
    func.return %a, %b, %c : index, index, index
  }
}
// ===== expected
builtin.module {
  func.func @extents(%n: index, %m: index, %x: f32) -> (index, index, index) {
    func.return %n, %m, %n : index, index, index
  }
}
