// pass: builtin.module(func.func(vectorize))
// Elements of four bytes are taken four at a time; what is read elsewhere stays. A body with a check is done one by one.
func.func @maps(%xs: tensor<?xf32>, %ys: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %wide = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    %j = arith.subi %n, %i : index
    %y = tensor.extract %ys[%j] : tensor<?xf32>
    %z = arith.addf %x, %y : f32
    kernel.return %z : f32
  }
  %checked = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
    %x = tensor.extract %xs[%i] {kernel.checked} : tensor<?xf32>
    kernel.return %x : f32
  }
  func.return %wide, %checked : tensor<?xf32>, tensor<?xf32>
}
// An assert proves that arrays are as wide as the space; a row is read so where all rows start aligned. The knowledge about
// the innermost extent is written down.
func.func @rows(%xs: tensor<?x?xf32>, %ys: tensor<?x?xf32>, %zs: tensor<?x64xf64>, %row: tensor<64xf64>, %n: index, %m: index) -> (tensor<?x?xf32>, tensor<?x64xf64>) {
  %c1 = arith.constant 1 : index
  %width = tensor.dim %xs, %c1 : tensor<?x?xf32>
  %same = arith.cmpi eq, %width, %m : index
  cf.assert %same, "as wide"
  %proven = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x?xf32>) {
    %x = tensor.extract %xs[%i, %j] : tensor<?x?xf32>
    %y = tensor.extract %ys[%i, %j] : tensor<?x?xf32>
    %z = arith.addf %x, %y : f32
    kernel.return %z : f32
  }
  %inner = tensor.dim %zs, %c1 : tensor<?x64xf64>
  %aligned = kernel.segmap thread (%i < %n, %j < %inner) -> (tensor<?x64xf64>) {
    %x = tensor.extract %zs[%i, %j] : tensor<?x64xf64>
    %y = tensor.extract %row[%j] : tensor<64xf64>
    %z = arith.addf %x, %y : f64
    kernel.return %z : f64
  }
  func.return %proven, %aligned : tensor<?x?xf32>, tensor<?x64xf64>
}
// A transposition goes through shared memory, four elements of at most four bytes at a time.
func.func @transposed(%xs: tensor<?x?xf32>, %ys: tensor<?x?xf64>, %n: index, %m: index) -> (tensor<?x?xf32>, tensor<?x?xf64>) {
  %narrow = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x?xf32>) {
    %x = tensor.extract %xs[%j, %i] : tensor<?x?xf32>
    kernel.return %x : f32
  }
  %wide = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x?xf64>) {
    %x = tensor.extract %ys[%j, %i] : tensor<?x?xf64>
    kernel.return %x : f64
  }
  func.return %narrow, %wide : tensor<?x?xf32>, tensor<?x?xf64>
}
// Reductions where the order of elements makes no difference, scans in tiles where segments start aligned; what says how
// it is mapped is not changed.
func.func @combined(%xs: tensor<?xf32>, %n: index) -> (f32, f32, tensor<?xf32>, tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %sum = kernel.segred thread form block (%i < %n) init (%zero : f32) -> (f32) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    kernel.return %x : f32
  } combine (%a, %b) {
    %s = arith.addf %a, %b : f32
    kernel.return %s : f32
  }
  %last = kernel.segred thread form block (%i < %n) init (%zero : f32) -> (f32) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    kernel.return %x : f32
  } combine (%a, %b) {
    kernel.return %b : f32
  }
  %sums = kernel.segscan thread form tiles (%i < %n) init (%zero : f32) -> (tensor<?xf32>) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    kernel.return %x : f32
  } combine (%a, %b) {
    %s = arith.addf %a, %b : f32
    kernel.return %s : f32
  }
  %mapped = kernel.segmap thread (%i < %n) mapping #kernel.mapping<GridBlock(1, SplitLast(256, Gen))> -> (tensor<?xf32>) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    kernel.return %x : f32
  }
  func.return %sum, %last, %sums, %mapped : f32, f32, tensor<?xf32>, tensor<?xf32>
}
// ===== expected
builtin.module {
  func.func @maps(%xs: tensor<?xf32>, %ys: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
    %wide = kernel.segmap thread vector 4 (%i < %n) -> (tensor<?xf32>) {
      %x = tensor.extract %xs[%i] {kernel.vector} : tensor<?xf32>
      %j = arith.subi %n, %i : index
      %y = tensor.extract %ys[%j] : tensor<?xf32>
      %z = arith.addf %x, %y : f32
      kernel.return %z : f32
    }
    %checked = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
      %x = tensor.extract %xs[%i] {kernel.checked} : tensor<?xf32>
      kernel.return %x : f32
    }
    func.return %wide, %checked : tensor<?xf32>, tensor<?xf32>
  }
  func.func @rows(%xs: tensor<?x?xf32>, %ys: tensor<?x?xf32>, %zs: tensor<?x64xf64>, %row: tensor<64xf64>, %n: index, %m: index) -> (tensor<?x?xf32>, tensor<?x64xf64>) {
    %c1 = arith.constant 1 : index
    %width = tensor.dim %xs, %c1 : tensor<?x?xf32>
    %same = arith.cmpi eq, %width, %m : index
    cf.assert %same, "as wide"
    %proven = kernel.segmap thread vector 4 (%i < %n, %j < %m) -> (tensor<?x?xf32>) {
      %x = tensor.extract %xs[%i, %j] {kernel.vector} : tensor<?x?xf32>
      %y = tensor.extract %ys[%i, %j] : tensor<?x?xf32>
      %z = arith.addf %x, %y : f32
      kernel.return %z : f32
    }
    %inner = tensor.dim %zs, %c1 : tensor<?x64xf64>
    %c64 = arith.constant 64 : index
    %aligned = kernel.segmap thread vector 2 (%i < %n, %j < %c64) -> (tensor<?x64xf64>) {
      %x = tensor.extract %zs[%i, %j] {kernel.vector} : tensor<?x64xf64>
      %y = tensor.extract %row[%j] {kernel.vector} : tensor<64xf64>
      %z = arith.addf %x, %y : f64
      kernel.return %z : f64
    }
    func.return %proven, %aligned : tensor<?x?xf32>, tensor<?x64xf64>
  }
  func.func @transposed(%xs: tensor<?x?xf32>, %ys: tensor<?x?xf64>, %n: index, %m: index) -> (tensor<?x?xf32>, tensor<?x?xf64>) {
    %narrow = kernel.segmap thread vector 4 (%i < %n, %j < %m) -> (tensor<?x?xf32>) {
      %x = tensor.extract %xs[%j, %i] {kernel.staged} : tensor<?x?xf32>
      kernel.return %x : f32
    }
    %wide = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x?xf64>) {
      %x = tensor.extract %ys[%j, %i] {kernel.staged} : tensor<?x?xf64>
      kernel.return %x : f64
    }
    func.return %narrow, %wide : tensor<?x?xf32>, tensor<?x?xf64>
  }
  func.func @combined(%xs: tensor<?xf32>, %n: index) -> (f32, f32, tensor<?xf32>, tensor<?xf32>) {
    %zero = arith.constant 0.000000e+00 : f32
    %sum = kernel.segred thread form block vector 4 (%i < %n) init (%zero : f32) -> (f32) {
      %x = tensor.extract %xs[%i] {kernel.vector} : tensor<?xf32>
      kernel.return %x : f32
    } combine (%a, %b) {
      %s = arith.addf %a, %b : f32
      kernel.return %s : f32
    }
    %last = kernel.segred thread form block (%i < %n) init (%zero : f32) -> (f32) {
      %x = tensor.extract %xs[%i] : tensor<?xf32>
      kernel.return %x : f32
    } combine (%a, %b) {
      kernel.return %b : f32
    }
    %sums = kernel.segscan thread form tiles vector 4 (%i < %n) init (%zero : f32) -> (tensor<?xf32>) {
      %x = tensor.extract %xs[%i] {kernel.vector} : tensor<?xf32>
      kernel.return %x : f32
    } combine (%a, %b) {
      %s = arith.addf %a, %b : f32
      kernel.return %s : f32
    }
    %mapped = kernel.segmap thread (%i < %n) mapping #kernel.mapping<GridBlock(1, SplitLast(256, Gen))> -> (tensor<?xf32>) {
      %x = tensor.extract %xs[%i] : tensor<?xf32>
      kernel.return %x : f32
    }
    func.return %sum, %last, %sums, %mapped : f32, f32, tensor<?xf32>, tensor<?xf32>
  }
}
