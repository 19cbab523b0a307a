// pass: builtin.module(coalesce-inputs,canonicalize,cse)
// A loop around the read that counts in another type than `index` is no factor of the comparison on the host: it counts as
// one round.
func.func @main(%b: tensor<?x?xf32>, %n: index, %k: index, %t: i32) -> tensor<?xf32> {
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0.0 : f32
  %r = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
    %s = scf.for %j = %z to %t step %o iter_args(%u = %none) -> (f32) : i32 {
      %v = scf.for %at = %zero to %k step %one iter_args(%acc = %u) -> (f32) {
        %x = tensor.extract %b[%i, %at] : tensor<?x?xf32>
        %w = arith.addf %acc, %x : f32
        scf.yield %w : f32
      }
      scf.yield %v : f32
    }
    kernel.return %s : f32
  }
  func.return %r : tensor<?xf32>
}
// ===== expected
builtin.module {
  func.func @main(%b: tensor<?x?xf32>, %n: index, %k: index, %t: i32) -> tensor<?xf32> {
    %z = arith.constant 0 : i32
    %o = arith.constant 1 : i32
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
    %0 = arith.minsi %n, %c32 : index
    %1 = tensor.dim %b, %one : tensor<?x?xf32>
    %2 = arith.muli %1, %c4 : index
    %3 = arith.minsi %2, %c128 : index
    %4 = arith.addi %3, %c-4 : index
    %5 = arith.muli %n, %k : index
    %6 = arith.muli %5, %0 : index
    %7 = arith.divsi %6, %c512 : index
    %8 = arith.muli %7, %4 : index
    %9 = tensor.dim %b, %zero : tensor<?x?xf32>
    %10 = arith.muli %9, %1 : index
    %11 = arith.muli %10, %c12 : index
    %12 = arith.addi %11, %c33554432 : index
    %13 = arith.muli %8, %c100 : index
    %14 = arith.divsi %13, %12 : index
    %15 = kernel.at_least %14, "main.copies0" default 100
    %16 = scf.if %15 -> (tensor<?xf32>) {
      %17 = kernel.segmap thread (%arg0 < %1, %arg1 < %9) -> (tensor<?x?xf32>) {
        %18 = tensor.extract %b[%arg1, %arg0] : tensor<?x?xf32>
        kernel.return %18 : f32
      }
      %r = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
        %s = scf.for %j = %z to %t step %o iter_args(%u = %none) -> (f32) : i32 {
          %v = scf.for %at = %zero to %k step %one iter_args(%acc = %u) -> (f32) {
            %18 = tensor.extract %17[%at, %i] : tensor<?x?xf32>
            %w = arith.addf %acc, %18 : f32
            scf.yield %w : f32
          }
          scf.yield %v : f32
        }
        kernel.return %s : f32
      }
      scf.yield %r : tensor<?xf32>
    } else {
      %r = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
        %s = scf.for %j = %z to %t step %o iter_args(%u = %none) -> (f32) : i32 {
          %v = scf.for %at = %zero to %k step %one iter_args(%acc = %u) -> (f32) {
            %x = tensor.extract %b[%i, %at] : tensor<?x?xf32>
            %w = arith.addf %acc, %x : f32
            scf.yield %w : f32
          }
          scf.yield %v : f32
        }
        kernel.return %s : f32
      }
      scf.yield %r : tensor<?xf32>
    }
    func.return %16 : tensor<?xf32>
  }
}
