// pass: builtin.module(explicit-checks)
// Arrays that one op takes together: where they may not go together, that becomes a check.
// Inputs inside a combinator: where a check does not hold there are no elements. On the host nothing comes behind it.
func.func @inputs(%ks: !array.array<[n]index>, %xs: !array.array<[?]i32>, %ys: !array.array<[?]i32>) -> (!array.array<[n]i32>, !array.array<[?]i32>) {
  %c = arith.constant 0 : i32
  %r = array.map (%k in %ks : [n]index) {
    %is = array.iota %k : [?]i32
    %s = array.redomap (%x in %is : [?]i32, %y in %ys : [?]i32) init (%c : i32) map {
      %p = arith.muli %x, %y : i32
      array.yield %p : i32
    } combine arith.addi
    array.yield %s : i32
  }
  %t = array.map (%x in %xs : [?]i32, %y in %ys : [?]i32) {
    %p = arith.muli %x, %y : i32
    array.yield %p : i32
  }
  func.return %r, %t : !array.array<[n]i32>, !array.array<[?]i32>
}

// Indices that nothing tells about are checked by a map: the one that reads, where a combinator takes all elements.
func.func @gathers(%xs: !array.array<[n]i32>, %is: !array.array<[m]index>) -> (!array.array<[m]i32>, !array.array<[m]i32>, !array.array<[n]i32>) {
  %a = array.gather %xs[%is] : [n]i32, [m]index
  %ys = array.map (%x in %a : [m]i32) {
    array.yield %x : i32
  }
  %b = array.gather %xs[%is] : [n]i32, [m]index
  %n = array.dim %xs, 0 : [n]i32
  %all = array.iota %n : [n]index
  %c = array.gather %xs[%all] : [n]i32, [n]index
  func.return %ys, %b, %c : !array.array<[m]i32>, !array.array<[m]i32>, !array.array<[n]i32>
}

func.func @shapes(%xs: !array.array<[n][?]i32>, %ys: !array.array<[m][?]i32>, %row: !array.array<[?]i32>, %at: index, %k: index) -> (!array.array<[?][?]i32>, !array.array<[n][?]i32>, !array.array<[?][?][?]i32>) {
  %r = array.concat %xs, %ys : [n][?]i32, [m][?]i32 -> [?][?]i32
  %u = array.update %row, %xs[%at] : [?]i32, [n][?]i32
  %v = array.replicate %row, [%k, %at] : [?]i32 -> [?][?][?]i32
  func.return %r, %u, %v : !array.array<[?][?]i32>, !array.array<[n][?]i32>, !array.array<[?][?][?]i32>
}
// ===== expected
builtin.module {
  func.func @inputs(%ks: !array.array<[n]index>, %xs: !array.array<[?]i32>, %ys: !array.array<[?]i32>) -> (!array.array<[n]i32>, !array.array<[?]i32>) {
    %c = arith.constant 0 : i32
    %r = array.map (%k in %ks : [n]index) {
      %c0_0 = arith.constant 0 : index
      %4 = arith.cmpi sge, %k, %c0_0 : index
      %c0_1 = arith.constant 0 : index
      %5 = check.require %4, %k else %c0_1 : index, index, "'array.iota' op a size cannot be {0}"(%k : index)
      %is = array.iota %5 : [?]i32
      %6 = array.dim %is, 0 : [?]i32
      %7 = array.dim %ys, 0 : [?]i32
      %8 = arith.cmpi eq, %6, %7 : index
      %c0_2 = arith.constant 0 : index
      %9 = check.require %8, %6 else %c0_2 : index, index, "'array.redomap' op input #0 has outer size {0}, but input #1 has {1}"(%6, %7 : index, index)
      %c0_3 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %10 = array.slice %is[%c0_3] sizes [%9] strides [%c1] : [?]i32 -> [?]i32
      %s = array.redomap (%x in %10 : [?]i32, %y in %ys : [?]i32) init (%c : i32) map {
        %p = arith.muli %x, %y : i32
        array.yield %p : i32
      } combine (%arg0, %arg1) {
        %11 = arith.addi %arg0, %arg1 : i32
        array.yield %11 : i32
      }
      array.yield %s : i32
    }
    %0 = array.dim %xs, 0 : [?]i32
    %1 = array.dim %ys, 0 : [?]i32
    %2 = arith.cmpi eq, %0, %1 : index
    %c0 = arith.constant 0 : index
    %3 = check.require %2, %0 else %c0 : index, index, "'array.map' op input #0 has outer size {0}, but input #1 has {1}"(%0, %1 : index, index)
    %t = array.map (%x in %xs : [?]i32, %y in %ys : [?]i32) {
      %p = arith.muli %x, %y : i32
      array.yield %p : i32
    }
    func.return %r, %t : !array.array<[n]i32>, !array.array<[?]i32>
  }
  func.func @gathers(%xs: !array.array<[n]i32>, %is: !array.array<[m]index>) -> (!array.array<[m]i32>, !array.array<[m]i32>, !array.array<[n]i32>) {
    %0 = array.map (%arg0 in %is : [m]index) {
      %c0 = arith.constant 0 : index
      %2 = array.dim %xs, 0 : [n]i32
      %3 = arith.cmpi ult, %arg0, %2 : index
      %4 = check.require %3, %arg0 else %c0 : index, index, "'array.gather' op index {0} is out of range for dimension 0 of [n]i32, which has {1}"(%arg0, %2 : index, index)
      %5 = array.index %xs[%4] : [n]i32
      array.yield %5 : i32
    }
    %ys = array.map (%x in %0 : [m]i32) {
      array.yield %x : i32
    }
    %1 = array.map (%arg0 in %is : [m]index) {
      %c0 = arith.constant 0 : index
      %2 = array.dim %xs, 0 : [n]i32
      %3 = arith.cmpi ult, %arg0, %2 : index
      %4 = check.require %3, %arg0 else %c0 : index, index, "'array.gather' op index {0} is out of range for dimension 0 of [n]i32, which has {1}"(%arg0, %2 : index, index)
      %5 = array.index %xs[%4] : [n]i32
      array.yield %5 : i32
    }
    %n = array.dim %xs, 0 : [n]i32
    %all = array.iota %n : [n]index
    %c = array.gather %xs[%all] : [n]i32, [n]index
    func.return %ys, %1, %c : !array.array<[m]i32>, !array.array<[m]i32>, !array.array<[n]i32>
  }
  func.func @shapes(%xs: !array.array<[n][?]i32>, %ys: !array.array<[m][?]i32>, %row: !array.array<[?]i32>, %at: index, %k: index) -> (!array.array<[?][?]i32>, !array.array<[n][?]i32>, !array.array<[?][?][?]i32>) {
    %0 = array.dim %xs, 1 : [n][?]i32
    %1 = array.dim %ys, 1 : [m][?]i32
    %2 = arith.cmpi eq, %0, %1 : index
    %c0 = arith.constant 0 : index
    %3 = check.require %2, %0 else %c0 : index, index, "'array.concat' op array #0 has extent {0} in dimension 1, but array #1 has {1}"(%0, %1 : index, index)
    %r = array.concat %xs, %ys : [n][?]i32, [m][?]i32 -> [?][?]i32
    %4 = array.dim %xs, 0 : [n][?]i32
    %5 = arith.cmpi ult, %at, %4 : index
    %c0_0 = arith.constant 0 : index
    %6 = check.require %5, %at else %c0_0 : index, index, "'array.update' op index {0} is out of range for dimension 0 of [n][?]i32, which has {1}"(%at, %4 : index, index)
    %7 = array.dim %row, 0 : [?]i32
    %8 = array.dim %xs, 1 : [n][?]i32
    %9 = arith.cmpi eq, %7, %8 : index
    %c-1 = arith.constant -1 : index
    %10 = check.require %9, %6 else %c-1 : index, index, "'array.update' op the value has extent {0} in dimension 0, but the array has {1} in dimension 1"(%7, %8 : index, index)
    %u = array.update %row, %xs[%10] : [?]i32, [n][?]i32
    %c0_1 = arith.constant 0 : index
    %11 = arith.cmpi sge, %k, %c0_1 : index
    %c0_2 = arith.constant 0 : index
    %12 = check.require %11, %k else %c0_2 : index, index, "'array.replicate' op a size cannot be {0}"(%k : index)
    %c0_3 = arith.constant 0 : index
    %13 = arith.cmpi sge, %at, %c0_3 : index
    %c0_4 = arith.constant 0 : index
    %14 = check.require %13, %at else %c0_4 : index, index, "'array.replicate' op a size cannot be {0}"(%at : index)
    %15 = array.dim %row, 0 : [?]i32
    %c1 = arith.constant 1 : index
    %c9223372036854775807 = arith.constant 9223372036854775807 : index
    %16 = arith.maxsi %14, %c1 : index
    %17 = arith.divui %c9223372036854775807, %16 : index
    %18 = arith.cmpi ule, %12, %17 : index
    %19 = arith.muli %12, %14 : index
    %c1_5 = arith.constant 1 : index
    %c9223372036854775807_6 = arith.constant 9223372036854775807 : index
    %20 = arith.maxsi %15, %c1_5 : index
    %21 = arith.divui %c9223372036854775807_6, %20 : index
    %22 = arith.cmpi ule, %19, %21 : index
    %23 = arith.andi %18, %22 : i1
    %24 = arith.muli %19, %15 : index
    %c0_7 = arith.constant 0 : index
    %25 = check.require %23, %12 else %c0_7 : index, index, "'array.replicate' op the sizes are those of more elements than can be counted"
    %v = array.replicate %row, [%25, %14] : [?]i32 -> [?][?][?]i32
    func.return %r, %u, %v : !array.array<[?][?]i32>, !array.array<[n][?]i32>, !array.array<[?][?][?]i32>
  }
}
