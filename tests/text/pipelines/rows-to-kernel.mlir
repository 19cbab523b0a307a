// pass: builtin.module(array-to-kernel)
// Sums of rows of a known size: one thread per row, or all of it flattened. The size is beyond a thread block's threads,
// so there is no version inside one.
func.func @main(%xss: !array.array<[n][4096]f32>) -> !array.array<[n]f32> {
  %zero = arith.constant 0.0 : f32
  %ys = array.map (%xs in %xss : [n][4096]f32) {
    %y = array.reduce (%xs : [4096]f32) init (%zero : f32) combine (%acc, %x) {
      %s = arith.addf %acc, %x : f32
      array.yield %s : f32
    }
    array.yield %y : f32
  }
  func.return %ys : !array.array<[n]f32>
}
// ===== expected
builtin.module {
  func.func @main(%xss: tensor<?x4096xf32> {array.sizes = ["n", 4096]}) -> (tensor<?xf32> {array.sizes = ["n"]}) {
    %c0 = arith.constant 0 : index
    %c4096 = arith.constant 4096 : index
    %zero = arith.constant 0.000000e+00 : f32
    %true = arith.constant true
    %c1 = arith.constant 1 : index
    %0 = tensor.dim %xss, %c0 : tensor<?x4096xf32>
    %1 = kernel.at_least %0, "main.top.0" default 32768
    %2 = kernel.at_least %c4096, "main.top.0.long" default 8
    %3 = arith.xori %2, %true : i1
    %4 = arith.andi %1, %3 : i1
    %5 = scf.if %4 -> (tensor<?xf32>) {
      %6 = kernel.segmap thread (%arg0 < %0) -> (tensor<?xf32>) {
        %y = scf.for %arg1 = %c0 to %c4096 step %c1 iter_args(%acc = %zero) -> (f32) {
          %x = tensor.extract %xss[%arg0, %arg1] : tensor<?x4096xf32>
          %s = arith.addf %acc, %x : f32
          scf.yield %s : f32
        } {kernel.reduction}
        kernel.return %y : f32
      }
      scf.yield %6 : tensor<?xf32>
    } else {
      %6 = kernel.segred thread (%arg0 < %0, %arg1 < %c4096) init (%zero : f32) -> (tensor<?xf32>) {
        %7 = tensor.extract %xss[%arg0, %arg1] : tensor<?x4096xf32>
        kernel.return %7 : f32
      } combine (%acc, %x) {
        %s = arith.addf %acc, %x : f32
        kernel.return %s : f32
      }
      scf.yield %6 : tensor<?xf32>
    }
    func.return %5 : tensor<?xf32>
  }
}
