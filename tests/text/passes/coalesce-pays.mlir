// pass: builtin.module(coalesce-inputs,canonicalize,cse)
// Copies where they pay. Rows of %a are read once each: never, whatever the sizes. Rows of %b are read by each of %m rows:
// that is compared when the program runs, with the bytes of the copy. In @constant all is known: enough reads of %c, too
// few of %d. Extents that a check says are equal cancel out.
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %c1 = arith.constant 1 : index
  %k = tensor.dim %a, %c1 : tensor<?x?xf32>
  %l = tensor.dim %b, %c0 : tensor<?x?xf32>
  %k2 = tensor.dim %b, %c1 : tensor<?x?xf32>
  %same = arith.cmpi eq, %k, %k2 : index
  cf.assert %same, "size `k`"
  %sums = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
    %sum = scf.for %at = %zero to %k2 step %one iter_args(%acc = %none) -> (f32) {
      %x = tensor.extract %a[%i, %at] : tensor<?x?xf32>
      %s = arith.addf %acc, %x : f32
      scf.yield %s : f32
    }
    kernel.return %sum : f32
  }
  %products = kernel.segmap thread (%i < %n, %j < %l) -> (tensor<?x?xf32>) {
    %sum = scf.for %at = %zero to %k step %one iter_args(%acc = %none) -> (f32) {
      %x = tensor.extract %a[%i, %at] : tensor<?x?xf32>
      %y = tensor.extract %b[%j, %at] : tensor<?x?xf32>
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %acc, %p : f32
      scf.yield %s : f32
    }
    kernel.return %sum : f32
  }
  func.return %sums, %products : tensor<?xf32>, tensor<?x?xf32>
}
func.func @constant(%c: tensor<512x512xf32>, %d: tensor<32x512xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 512 : index
  %m = arith.constant 32 : index
  %none = arith.constant 0.0 : f32
  %many = kernel.segmap thread (%i < %n, %j < %n) -> (tensor<?x?xf32>) {
    %sum = scf.for %at = %zero to %n step %one iter_args(%acc = %none) -> (f32) {
      %y = tensor.extract %c[%j, %at] : tensor<512x512xf32>
      %s = arith.addf %acc, %y : f32
      scf.yield %s : f32
    }
    kernel.return %sum : f32
  }
  %few = kernel.segmap thread (%i < %m, %j < %m) -> (tensor<?x?xf32>) {
    %sum = scf.for %at = %zero to %n step %one iter_args(%acc = %none) -> (f32) {
      %y = tensor.extract %d[%j, %at] : tensor<32x512xf32>
      %s = arith.addf %acc, %y : f32
      scf.yield %s : f32
    }
    kernel.return %sum : f32
  }
  func.return %many, %few : tensor<?x?xf32>, tensor<?x?xf32>
}
// ===== expected
builtin.module {
  func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %none = arith.constant 0.000000e+00 : f32
    %c32 = arith.constant 32 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    %c-4 = arith.constant -4 : index
    %c512 = arith.constant 512 : index
    %c12 = arith.constant 12 : index
    %c33554432 = arith.constant 33554432 : index
    %c100 = arith.constant 100 : index
    %n = tensor.dim %a, %zero : tensor<?x?xf32>
    %k = tensor.dim %a, %one : tensor<?x?xf32>
    %l = tensor.dim %b, %zero : tensor<?x?xf32>
    %k2 = tensor.dim %b, %one : tensor<?x?xf32>
    %same = arith.cmpi eq, %k, %k2 : index
    cf.assert %same, "size `k`"
    %sums = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
      %sum = scf.for %at = %zero to %k2 step %one iter_args(%acc = %none) -> (f32) {
        %x = tensor.extract %a[%i, %at] : tensor<?x?xf32>
        %s = arith.addf %acc, %x : f32
        scf.yield %s : f32
      }
      kernel.return %sum : f32
    }
    %0 = arith.minsi %l, %c32 : index
    %1 = arith.muli %k2, %c4 : index
    %2 = arith.minsi %1, %c128 : index
    %3 = arith.addi %2, %c-4 : index
    %4 = arith.muli %n, %l : index
    %5 = arith.muli %4, %k : index
    %6 = arith.muli %5, %0 : index
    %7 = arith.divsi %6, %c512 : index
    %8 = arith.muli %7, %3 : index
    %9 = arith.muli %l, %k2 : index
    %10 = arith.muli %9, %c12 : index
    %11 = arith.addi %10, %c33554432 : index
    %12 = arith.muli %8, %c100 : index
    %13 = arith.divsi %12, %11 : index
    %14 = kernel.at_least %13, "main.copies0" default 100
    %15 = scf.if %14 -> (tensor<?x?xf32>) {
      %16 = kernel.segmap thread (%arg0 < %k2, %arg1 < %l) -> (tensor<?x?xf32>) {
        %17 = tensor.extract %b[%arg1, %arg0] : tensor<?x?xf32>
        kernel.return %17 : f32
      }
      %products = kernel.segmap thread (%i < %n, %j < %l) -> (tensor<?x?xf32>) {
        %sum = scf.for %at = %zero to %k step %one iter_args(%acc = %none) -> (f32) {
          %x = tensor.extract %a[%i, %at] : tensor<?x?xf32>
          %17 = tensor.extract %16[%at, %j] : tensor<?x?xf32>
          %p = arith.mulf %x, %17 : f32
          %s = arith.addf %acc, %p : f32
          scf.yield %s : f32
        }
        kernel.return %sum : f32
      }
      scf.yield %products : tensor<?x?xf32>
    } else {
      %products = kernel.segmap thread (%i < %n, %j < %l) -> (tensor<?x?xf32>) {
        %sum = scf.for %at = %zero to %k step %one iter_args(%acc = %none) -> (f32) {
          %x = tensor.extract %a[%i, %at] : tensor<?x?xf32>
          %y = tensor.extract %b[%j, %at] : tensor<?x?xf32>
          %p = arith.mulf %x, %y : f32
          %s = arith.addf %acc, %p : f32
          scf.yield %s : f32
        }
        kernel.return %sum : f32
      }
      scf.yield %products : tensor<?x?xf32>
    }
    func.return %sums, %15 : tensor<?xf32>, tensor<?x?xf32>
  }
  func.func @constant(%c: tensor<512x512xf32>, %d: tensor<32x512xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %n = arith.constant 512 : index
    %m = arith.constant 32 : index
    %none = arith.constant 0.000000e+00 : f32
    %0 = kernel.segmap thread (%arg0 < %n, %arg1 < %n) -> (tensor<512x512xf32>) {
      %1 = tensor.extract %c[%arg1, %arg0] : tensor<512x512xf32>
      kernel.return %1 : f32
    }
    %many = kernel.segmap thread (%i < %n, %j < %n) -> (tensor<?x?xf32>) {
      %sum = scf.for %at = %zero to %n step %one iter_args(%acc = %none) -> (f32) {
        %1 = tensor.extract %0[%at, %j] : tensor<512x512xf32>
        %s = arith.addf %acc, %1 : f32
        scf.yield %s : f32
      }
      kernel.return %sum : f32
    }
    %few = kernel.segmap thread (%i < %m, %j < %m) -> (tensor<?x?xf32>) {
      %sum = scf.for %at = %zero to %n step %one iter_args(%acc = %none) -> (f32) {
        %y = tensor.extract %d[%j, %at] : tensor<32x512xf32>
        %s = arith.addf %acc, %y : f32
        scf.yield %s : f32
      }
      kernel.return %sum : f32
    }
    func.return %many, %few : tensor<?x?xf32>, tensor<?x?xf32>
  }
}
