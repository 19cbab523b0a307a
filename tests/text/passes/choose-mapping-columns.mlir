// pass: builtin.module(func.func(choose-mapping{strategy=columns(auto)}))
// The width of columns is found in what threads read: a tall neighbourhood has narrow columns, a flat
// one wide ones, a transposed read the narrowest, as a product has. Elements that are read anywhere say nothing.
func.func @main(%xs: tensor<?x?xf32>, %ys: tensor<?x?xf32>, %at: tensor<?xindex>, %zero: f32) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %xs, %c0 : tensor<?x?xf32>
  %c1 = arith.constant 1 : index
  %m = tensor.dim %xs, %c1 : tensor<?x?xf32>
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  %c40 = arith.constant 40 : index
  %right = arith.subi %m, %c1 : index
  %tall = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x?xf32>) {
    %sum = scf.for %k = %c0 to %c40 step %c1 iter_args(%s = %zero) -> (f32) {
      %row = arith.addi %i, %k : index
      %wrapped = arith.remui %row, %n : index
      %x = tensor.extract %xs[%wrapped, %j] : tensor<?x?xf32>
      %t = arith.addf %s, %x : f32
      scf.yield %t : f32
    }
    kernel.return %sum : f32
  }
  %flat = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x?xf32>) {
    %sum = scf.for %k = %c0 to %c9 step %c1 iter_args(%s = %zero) -> (f32) {
      %left = arith.subi %j, %c4 : index
      %place = arith.addi %left, %k : index
      %inside = arith.maxsi %place, %c0 : index
      %clamped = arith.minsi %inside, %right : index
      %x = tensor.extract %xs[%i, %clamped] : tensor<?x?xf32>
      %t = arith.addf %s, %x : f32
      scf.yield %t : f32
    }
    kernel.return %sum : f32
  }
  %transposed = kernel.segmap thread (%i < %m, %j < %n) -> (tensor<?x?xf32>) {
    %x = tensor.extract %xs[%j, %i] : tensor<?x?xf32>
    kernel.return %x : f32
  }
  %product = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x?xf32>) {
    %sum = scf.for %k = %c0 to %m step %c1 iter_args(%s = %zero) -> (f32) {
      %x = tensor.extract %xs[%i, %k] : tensor<?x?xf32>
      %y = tensor.extract %ys[%k, %j] : tensor<?x?xf32>
      %z = arith.mulf %x, %y : f32
      %t = arith.addf %s, %z : f32
      scf.yield %t : f32
    }
    kernel.return %sum : f32
  }
  %gathered = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x?xf32>) {
    %k = tensor.extract %at[%j] : tensor<?xindex>
    %x = tensor.extract %xs[%k, %i] : tensor<?x?xf32>
    kernel.return %x : f32
  }
  func.return %tall, %flat, %transposed, %product, %gathered : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}
// ===== expected
builtin.module {
  func.func @main(%xs: tensor<?x?xf32>, %ys: tensor<?x?xf32>, %at: tensor<?xindex>, %zero: f32) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %n = tensor.dim %xs, %c0 : tensor<?x?xf32>
    %c1 = arith.constant 1 : index
    %m = tensor.dim %xs, %c1 : tensor<?x?xf32>
    %c4 = arith.constant 4 : index
    %c9 = arith.constant 9 : index
    %c40 = arith.constant 40 : index
    %right = arith.subi %m, %c1 : index
    %tall = kernel.segmap thread (%i < %n, %j < %m) mapping #kernel.mapping<GridBlock(1, SplitLast(256, Column(32, ShiftLB(Gen))))> -> (tensor<?x?xf32>) {
      %sum = scf.for %k = %c0 to %c40 step %c1 iter_args(%s = %zero) -> (f32) {
        %row = arith.addi %i, %k : index
        %wrapped = arith.remui %row, %n : index
        %x = tensor.extract %xs[%wrapped, %j] : tensor<?x?xf32>
        %t = arith.addf %s, %x : f32
        scf.yield %t : f32
      }
      kernel.return %sum : f32
    }
    %flat = kernel.segmap thread (%i < %n, %j < %m) mapping #kernel.mapping<GridBlock(1, SplitLast(256, Column(256, ShiftLB(Gen))))> -> (tensor<?x?xf32>) {
      %sum = scf.for %k = %c0 to %c9 step %c1 iter_args(%s = %zero) -> (f32) {
        %left = arith.subi %j, %c4 : index
        %place = arith.addi %left, %k : index
        %inside = arith.maxsi %place, %c0 : index
        %clamped = arith.minsi %inside, %right : index
        %x = tensor.extract %xs[%i, %clamped] : tensor<?x?xf32>
        %t = arith.addf %s, %x : f32
        scf.yield %t : f32
      }
      kernel.return %sum : f32
    }
    %transposed = kernel.segmap thread (%i < %m, %j < %n) mapping #kernel.mapping<GridBlock(1, SplitLast(256, Column(32, ShiftLB(Gen))))> -> (tensor<?x?xf32>) {
      %x = tensor.extract %xs[%j, %i] : tensor<?x?xf32>
      kernel.return %x : f32
    }
    %product = kernel.segmap thread (%i < %n, %j < %m) mapping #kernel.mapping<GridBlock(1, SplitLast(256, Column(32, ShiftLB(Gen))))> -> (tensor<?x?xf32>) {
      %sum = scf.for %k = %c0 to %m step %c1 iter_args(%s = %zero) -> (f32) {
        %x = tensor.extract %xs[%i, %k] : tensor<?x?xf32>
        %y = tensor.extract %ys[%k, %j] : tensor<?x?xf32>
        %z = arith.mulf %x, %y : f32
        %t = arith.addf %s, %z : f32
        scf.yield %t : f32
      }
      kernel.return %sum : f32
    }
    %gathered = kernel.segmap thread (%i < %n, %j < %m) mapping #kernel.mapping<GridBlock(1, SplitLast(256, Column(32, ShiftLB(Gen))))> -> (tensor<?x?xf32>) {
      %k = tensor.extract %at[%j] : tensor<?xindex>
      %x = tensor.extract %xs[%k, %i] : tensor<?x?xf32>
      kernel.return %x : f32
    }
    func.return %tall, %flat, %transposed, %product, %gathered : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
  }
}
