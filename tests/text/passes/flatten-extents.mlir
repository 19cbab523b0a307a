// pass: builtin.module(flatten,canonicalize,cse)
// Extents that types of the program fix are part of the types of tensors, where all that control flow brings together agrees.
// A loop and a branch keep them; rows of a nest have them.
func.func @kept(%rows: !array.array<[n][4]i32>, %start: !array.array<[4]i32>, %count: index, %take: i1) -> (!array.array<[4]i32>, !array.array<[n][4]i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %count step %c1 iter_args(%now = %start) -> (!array.array<[4]i32>) {
    %next = array.map (%x in %now : [4]i32) {
      %y = arith.addi %x, %x : i32
      array.yield %y : i32
    }
    scf.yield %next : !array.array<[4]i32>
  }
  %either = scf.if %take -> (!array.array<[4]i32>) {
    scf.yield %last : !array.array<[4]i32>
  } else {
    scf.yield %start : !array.array<[4]i32>
  }
  %sums = array.map (%row in %rows : [n][4]i32) {
    %s = array.map (%x in %row : [4]i32, %y in %either : [4]i32) {
      %z = arith.addi %x, %y : i32
      array.yield %z : i32
    }
    array.yield %s : !array.array<[4]i32>
  }
  func.return %either, %sums : !array.array<[4]i32>, !array.array<[n][4]i32>
}
// -----
// A list that changes its length is open, and the parameter it starts with is cast.
func.func @halved(%start: !array.array<[8]i32>, %count: index) -> !array.array<[?]i32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2 : index
  %first = array.cast %start : [8]i32 -> [?]i32
  %last = scf.for %i = %c0 to %count step %c1 iter_args(%now = %first) -> (!array.array<[?]i32>) {
    %length = array.dim %now, 0 : [?]i32
    %half = arith.divui %length, %two : index
    %part = array.slice %now[%c0] sizes [%half] strides [%c1] : [?]i32 -> [?]i32
    scf.yield %part : !array.array<[?]i32>
  }
  func.return %last : !array.array<[?]i32>
}
// -----
// Bins have the extent of their destination, and so have their rows.
func.func @bins(%at: !array.array<[n]index>, %xs: !array.array<[n][2]i32>, %into: !array.array<[5][2]i32>) -> !array.array<[5][2]i32> {
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : index
  %zeros = array.replicate %zero, [%two] : i32 -> [2]i32
  %r = array.hist (%i in %at : [n]index, %x in %xs : [n][2]i32) into (%into : [5][2]i32) neutral (%zeros : [2]i32) map {
    array.yield %i, %x : index, !array.array<[2]i32>
  } combine (%a, %b) {
    %s = array.map (%x in %a : [2]i32, %y in %b : [2]i32) {
      %z = arith.addi %x, %y : i32
      array.yield %z : i32
    }
    array.yield %s : !array.array<[2]i32>
  }
  func.return %r : !array.array<[5][2]i32>
}
// -----
// An extent of 0 stays open; a function that is called keeps open parameters, which it checks.
func.func @main(%none: !array.array<[0][3]i32>, %some: !array.array<[3]i32>) -> (!array.array<[3]i32>, !array.array<[0][3]i32>) {
  %doubled = array.map (%row in %none : [0][3]i32) {
    %r = array.map (%x in %row : [3]i32) {
      %y = arith.addi %x, %x : i32
      array.yield %y : i32
    }
    array.yield %r : !array.array<[3]i32>
  }
  %again = func.call @again(%some) : (!array.array<[3]i32>) -> !array.array<[3]i32>
  func.return %again, %doubled : !array.array<[3]i32>, !array.array<[0][3]i32>
}
func.func private @again(%xs: !array.array<[3]i32>) -> !array.array<[3]i32> {
  %r = func.call @again(%xs) : (!array.array<[3]i32>) -> !array.array<[3]i32>
  func.return %r : !array.array<[3]i32>
}
// -----
// A tensor without dimensions has no extent.
func.func @none(%t: tensor<4xf32>, %i: index, %x: f32) -> (tensor<f32>, tensor<f32>) {
  %a = tensor.extract_slice %t[%i] [1] [1] : tensor<4xf32> to tensor<f32>
  %e = tensor.empty() : tensor<f32>
  %b = tensor.insert %x into %e[] : tensor<f32>
  func.return %a, %b : tensor<f32>, tensor<f32>
}
// -----
// A tensor that is cast to an extent that it does not have: the program stops there, so it stays open.
func.func @stops() -> tensor<4xf32> {
  %k = arith.constant 3 : index
  %e = tensor.empty(%k) : tensor<?xf32>
  %c = tensor.cast %e : tensor<?xf32> to tensor<4xf32>
  func.return %c : tensor<4xf32>
}
// ===== expected
builtin.module {
  func.func @kept(%rows: tensor<?x4xi32>, %start: tensor<4xi32>, %count: index, %take: i1) -> (tensor<4xi32>, tensor<?x4xi32>) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %0 = tensor.dim %rows, %c0 : tensor<?x4xi32>
    %last = scf.for %i = %c0 to %count step %c1 iter_args(%now = %start) -> (tensor<4xi32>) {
      %2 = kernel.segmap thread (%arg0 < %c4) -> (tensor<4xi32>) {
        %3 = tensor.extract %now[%arg0] : tensor<4xi32>
        %y = arith.addi %3, %3 : i32
        kernel.return %y : i32
      }
      scf.yield %2 : tensor<4xi32>
    }
    %either = scf.if %take -> (tensor<4xi32>) {
      scf.yield %last : tensor<4xi32>
    } else {
      scf.yield %start : tensor<4xi32>
    }
    %1 = kernel.segmap thread (%arg0 < %0, %arg1 < %c4) -> (tensor<?x4xi32>) {
      %2 = tensor.extract %rows[%arg0, %arg1] : tensor<?x4xi32>
      %3 = tensor.extract %either[%arg1] : tensor<4xi32>
      %z = arith.addi %2, %3 : i32
      kernel.return %z : i32
    }
    func.return %either, %1 : tensor<4xi32>, tensor<?x4xi32>
  }
  func.func @halved(%start: tensor<8xi32>, %count: index) -> tensor<?xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %two = arith.constant 2 : index
    %0 = tensor.cast %start : tensor<8xi32> to tensor<?xi32>
    %last = scf.for %i = %c0 to %count step %c1 iter_args(%now = %0) -> (tensor<?xi32>) {
      %1 = tensor.dim %now, %c0 : tensor<?xi32>
      %half = arith.divui %1, %two : index
      %2 = kernel.segmap thread (%arg0 < %half) -> (tensor<?xi32>) {
        %3 = tensor.extract %now[%arg0] : tensor<?xi32>
        kernel.return %3 : i32
      }
      scf.yield %2 : tensor<?xi32>
    }
    func.return %last : tensor<?xi32>
  }
  func.func @bins(%at: tensor<?xindex>, %xs: tensor<?x2xi32>, %into: tensor<5x2xi32>) -> tensor<5x2xi32> {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant 0 : i32
    %0 = tensor.dim %at, %c0 : tensor<?xindex>
    %1 = tensor.dim %xs, %c0 : tensor<?x2xi32>
    %2 = arith.cmpi eq, %0, %1 : index
    cf.assert %2, "size `n`: dimension 0 of parameter #1 differs from dimension 0 of parameter #0"
    %3 = arith.muli %0, %c2 : index
    %4 = kernel.seghist thread (%arg0 < %3) into (%into : tensor<5x2xi32>) init (%zero : i32) -> (tensor<5x2xi32>) {
      %5 = arith.divui %arg0, %c2 : index
      %6 = arith.remui %arg0, %c2 : index
      %7 = tensor.extract %at[%5] : tensor<?xindex>
      %8 = tensor.extract %xs[%5, %6] : tensor<?x2xi32>
      kernel.return %7, %6, %8 : index, index, i32
    } combine (%x, %y) {
      %z = arith.addi %x, %y : i32
      kernel.return %z : i32
    }
    func.return %4 : tensor<5x2xi32>
  }
  func.func @main(%none: tensor<?x3xi32>, %some: tensor<3xi32>) -> (tensor<?xi32>, tensor<?x3xi32>) {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %0 = tensor.dim %none, %c0 : tensor<?x3xi32>
    %1 = arith.cmpi eq, %0, %c0 : index
    cf.assert %1, "dimension 0 of parameter #0 is not 0"
    %2 = tensor.cast %some : tensor<3xi32> to tensor<?xi32>
    %3 = kernel.segmap thread (%arg0 < %c0, %arg1 < %c3) -> (tensor<?x3xi32>) {
      %4 = tensor.extract %none[%arg0, %arg1] : tensor<?x3xi32>
      %y = arith.addi %4, %4 : i32
      kernel.return %y : i32
    }
    %again = func.call @again(%2) : (tensor<?xi32>) -> tensor<?xi32>
    func.return %again, %3 : tensor<?xi32>, tensor<?x3xi32>
  }
  func.func private @again(%xs: tensor<?xi32>) -> tensor<?xi32> {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %0 = tensor.dim %xs, %c0 : tensor<?xi32>
    %1 = arith.cmpi eq, %0, %c3 : index
    cf.assert %1, "dimension 0 of parameter #0 is not 3"
    %r = func.call @again(%xs) : (tensor<?xi32>) -> tensor<?xi32>
    func.return %r : tensor<?xi32>
  }
  func.func @none(%t: tensor<4xf32>, %i: index, %x: f32) -> (tensor<f32>, tensor<f32>) {
    %a = tensor.extract_slice %t[%i] [1] [1] : tensor<4xf32> to tensor<f32>
    %e = tensor.empty() : tensor<f32>
    %b = tensor.insert %x into %e[] : tensor<f32>
    func.return %a, %b : tensor<f32>, tensor<f32>
  }
  func.func @stops() -> tensor<4xf32> {
    %k = arith.constant 3 : index
    %e = tensor.empty(%k) : tensor<?xf32>
    %c = tensor.cast %e : tensor<?xf32> to tensor<4xf32>
    func.return %c : tensor<4xf32>
  }
}
