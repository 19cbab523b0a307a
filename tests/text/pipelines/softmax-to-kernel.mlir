// pass: builtin.module(array-to-kernel-one)
// Softmax of rows: two reductions and two maps over the same space.
func.func @main(%xss: !array.array<[n][m]f32>) -> !array.array<[n][m]f32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %yss = array.map (%xs in %xss : [n][m]f32) {
    %max = array.reduce (%xs : [m]f32) init (%lowest : f32) combine (%acc, %x) {
      %larger = arith.maximumf %acc, %x : f32
      array.yield %larger : f32
    }
    %es = array.map (%x in %xs : [m]f32) {
      %d = arith.subf %x, %max : f32
      %e = math.exp %d : f32
      array.yield %e : f32
    }
    %sum = array.reduce (%es : [m]f32) init (%zero : f32) combine (%acc, %e) {
      %s = arith.addf %acc, %e : f32
      array.yield %s : f32
    }
    %ys = array.map (%e in %es : [m]f32) {
      %y = arith.divf %e, %sum : f32
      array.yield %y : f32
    }
    array.yield %ys : [m]f32
  }
  func.return %yss : !array.array<[n][m]f32>
}
// ===== expected
builtin.module {
  func.func @main(%xss: tensor<?x?xf32> {array.sizes = ["n", "m"]}) -> (tensor<?x?xf32> {array.sizes = ["n", "m"]}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.000000e+00 : f32
    %lowest = arith.constant 0xFF800000 : f32
    %0 = tensor.dim %xss, %c0 : tensor<?x?xf32>
    %1 = tensor.dim %xss, %c1 : tensor<?x?xf32>
    %2 = kernel.segred thread (%arg0 < %0, %arg1 < %1) init (%lowest : f32) -> (tensor<?xf32>) {
      %5 = tensor.extract %xss[%arg0, %arg1] : tensor<?x?xf32>
      kernel.return %5 : f32
    } combine (%acc, %x) {
      %larger = arith.maximumf %acc, %x : f32
      kernel.return %larger : f32
    }
    %3:2 = kernel.segred thread (%arg0 < %0, %arg1 < %1) init (%zero : f32) -> (tensor<?xf32>, tensor<?x?xf32>) {
      %5 = tensor.extract %xss[%arg0, %arg1] : tensor<?x?xf32>
      %6 = tensor.extract %2[%arg0] : tensor<?xf32>
      %d = arith.subf %5, %6 : f32
      %e = math.exp %d : f32
      kernel.return %e, %e : f32, f32
    } combine (%arg0, %arg1) {
      %s = arith.addf %arg0, %arg1 : f32
      kernel.return %s : f32
    }
    %4 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?xf32>) {
      %5 = tensor.extract %3#1[%arg0, %arg1] : tensor<?x?xf32>
      %6 = tensor.extract %3#0[%arg0] : tensor<?xf32>
      %y = arith.divf %5, %6 : f32
      kernel.return %y : f32
    }
    func.return %4 : tensor<?x?xf32>
  }
}
