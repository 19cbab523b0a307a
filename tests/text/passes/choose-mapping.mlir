// pass: builtin.module(func.func(choose-forms,vectorize,choose-mapping{strategy=jing-ext}))
// A mapping is of what the op's form says: its space, its pieces of several points, its segments, what a thread block runs; a
// mapping that is there stays, one that the hardware cannot have is folded, and a scan in tiles has none.
func.func @main(%xs: tensor<?x?xf32>, %ys: tensor<?xf32>, %at: tensor<?xindex>, %zero: f32) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %xs, %c0 : tensor<?x?xf32>
  %c1 = arith.constant 1 : index
  %m = tensor.dim %xs, %c1 : tensor<?x?xf32>
  %forty = arith.constant 40 : index
  %transposed = kernel.segmap thread (%i < %m, %j < %n) -> (tensor<?x?xf32>) {
    %x = tensor.extract %xs[%j, %i] : tensor<?x?xf32>
    kernel.return %x : f32
  }
  %pieces = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
    %x = tensor.extract %ys[%i] : tensor<?xf32>
    %y = arith.addf %x, %x : f32
    kernel.return %y : f32
  }
  %scattered = kernel.scatter thread (%i < %n) into (%ys : tensor<?xf32>) -> (tensor<?xf32>) {
    %k = tensor.extract %at[%i] : tensor<?xindex>
    kernel.return %k, %zero : index, f32
  }
  %sums = kernel.segred thread form warp (%i < %n, %j < %m) init (%zero : f32) -> (tensor<?xf32>) {
    %x = tensor.extract %xs[%i, %j] : tensor<?x?xf32>
    kernel.return %x : f32
  } combine (%a, %b) {
    %s = arith.addf %a, %b : f32
    kernel.return %s : f32
  }
  %rows = kernel.segmap block (%i < %n) -> (tensor<?x?xf32>) {
    %row = kernel.segmap thread (%j < %m) -> (tensor<?xf32>) {
      %x = tensor.extract %xs[%i, %j] : tensor<?x?xf32>
      kernel.return %x : f32
    }
    kernel.return %row : tensor<?xf32>
  }
  %large = kernel.segmap thread (%h < %n, %i < %forty, %j < %forty) -> (tensor<?x?x?xi1>) {
    %same = arith.cmpi eq, %i, %j : index
    kernel.return %same : i1
  }
  %own = kernel.segmap thread (%i < %n, %j < %m) mapping #kernel.mapping<GridBlock(1, Serial(1, Split(0, 64, SplitLast(4, Column(32, Gen)))))> -> (tensor<?x?xf32>) {
    %x = tensor.extract %xs[%i, %j] : tensor<?x?xf32>
    kernel.return %x : f32
  }
  %scanned = kernel.segscan thread (%i < %n) init (%zero : f32) -> (tensor<?xf32>) {
    %x = tensor.extract %ys[%i] : tensor<?xf32>
    kernel.return %x : f32
  } combine (%a, %b) {
    %s = arith.addf %a, %b : f32
    kernel.return %s : f32
  }
  func.return %transposed, %pieces, %scattered, %sums, %rows, %own, %scanned : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>
}
// ===== expected
builtin.module {
  func.func @main(%xs: tensor<?x?xf32>, %ys: tensor<?xf32>, %at: tensor<?xindex>, %zero: f32) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>) {
    %c0 = arith.constant 0 : index
    %n = tensor.dim %xs, %c0 : tensor<?x?xf32>
    %c1 = arith.constant 1 : index
    %m = tensor.dim %xs, %c1 : tensor<?x?xf32>
    %forty = arith.constant 40 : index
    %transposed = kernel.segmap thread vector 4 (%i < %m, %j < %n) mapping #kernel.mapping<GridBlock(0, ShiftLB(Gen))> -> (tensor<?x?xf32>) {
      %x = tensor.extract %xs[%j, %i] {kernel.staged} : tensor<?x?xf32>
      kernel.return %x : f32
    }
    %pieces = kernel.segmap thread vector 4 (%i < %n) mapping #kernel.mapping<GridBlock(1, SplitLast(32, ShiftLB(Gen)))> -> (tensor<?xf32>) {
      %x = tensor.extract %ys[%i] {kernel.vector} : tensor<?xf32>
      %y = arith.addf %x, %x : f32
      kernel.return %y : f32
    }
    %scattered = kernel.scatter thread (%i < %n) mapping #kernel.mapping<GridBlock(1, SplitLast(32, ShiftLB(Gen)))> into (%ys : tensor<?xf32>) -> (tensor<?xf32>) {
      %k = tensor.extract %at[%i] : tensor<?xindex>
      kernel.return %k, %zero : index, f32
    }
    %sums = kernel.segred thread form warp vector 4 (%i < %n, %j < %m) mapping #kernel.mapping<GridBlock(1, SplitLast(8, ShiftLB(Gen)))> init (%zero : f32) -> (tensor<?xf32>) {
      %x = tensor.extract %xs[%i, %j] {kernel.vector} : tensor<?x?xf32>
      kernel.return %x : f32
    } combine (%a, %b) {
      %s = arith.addf %a, %b : f32
      kernel.return %s : f32
    }
    %rows = kernel.segmap block (%i < %n) mapping #kernel.mapping<GridBlock(0, ShiftLB(Gen))> -> (tensor<?x?xf32>) {
      %row = kernel.segmap thread (%j < %m) -> (tensor<?xf32>) {
        %x = tensor.extract %xs[%i, %j] : tensor<?x?xf32>
        kernel.return %x : f32
      }
      kernel.return %row : tensor<?xf32>
    }
    %large = kernel.segmap thread (%h < %n, %i < %forty, %j < %forty) mapping #kernel.mapping<GridBlock(1, SplitLast(256, FoldLast2(FoldLast2(ShiftLB(Gen)))))> -> (tensor<?x?x?xi1>) {
      %same = arith.cmpi eq, %i, %j : index
      kernel.return %same : i1
    }
    %own = kernel.segmap thread (%i < %n, %j < %m) mapping #kernel.mapping<GridBlock(1, Serial(1, Split(0, 64, SplitLast(4, Column(32, Gen)))))> -> (tensor<?x?xf32>) {
      %x = tensor.extract %xs[%i, %j] : tensor<?x?xf32>
      kernel.return %x : f32
    }
    %scanned = kernel.segscan thread form tiles vector 4 (%i < %n) init (%zero : f32) -> (tensor<?xf32>) {
      %x = tensor.extract %ys[%i] {kernel.vector} : tensor<?xf32>
      kernel.return %x : f32
    } combine (%a, %b) {
      %s = arith.addf %a, %b : f32
      kernel.return %s : f32
    }
    func.return %transposed, %pieces, %scattered, %sums, %rows, %own, %scanned : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>
  }
}
