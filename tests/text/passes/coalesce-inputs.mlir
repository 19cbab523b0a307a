// pass: builtin.module(coalesce-inputs{when=always})
// A thread that iterates over a row of %a reads a copy that has the threads' index last; %b has it last already; a row of
// eight elements is one sector, and stays.
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x8xf32>, %n: index, %m: index) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0.0 : f32
  %r = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
    %sum = scf.for %k = %zero to %m step %one iter_args(%acc = %none) -> (f32) {
      %x = tensor.extract %a[%i, %k] : tensor<?x?xf32>
      %y = tensor.extract %b[%k, %i] : tensor<?x?xf32>
      %z = tensor.extract %c[%i, %k] : tensor<?x8xf32>
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %acc, %p : f32
      %t = arith.addf %s, %z : f32
      scf.yield %t : f32
    }
    kernel.return %sum : f32
  }
  func.return %r : tensor<?xf32>
}
// ===== expected
builtin.module {
  func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x8xf32>, %n: index, %m: index) -> tensor<?xf32> {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %none = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %0 = tensor.dim %a, %c0 : tensor<?x?xf32>
    %c1 = arith.constant 1 : index
    %1 = tensor.dim %a, %c1 : tensor<?x?xf32>
    %2 = kernel.segmap thread (%arg0 < %1, %arg1 < %0) -> (tensor<?x?xf32>) {
      %3 = tensor.extract %a[%arg1, %arg0] : tensor<?x?xf32>
      kernel.return %3 : f32
    }
    %r = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
      %sum = scf.for %k = %zero to %m step %one iter_args(%acc = %none) -> (f32) {
        %3 = tensor.extract %2[%k, %i] : tensor<?x?xf32>
        %y = tensor.extract %b[%k, %i] : tensor<?x?xf32>
        %z = tensor.extract %c[%i, %k] : tensor<?x8xf32>
        %p = arith.mulf %3, %y : f32
        %s = arith.addf %acc, %p : f32
        %t = arith.addf %s, %z : f32
        scf.yield %t : f32
      }
      kernel.return %sum : f32
    }
    func.return %r : tensor<?xf32>
  }
}
