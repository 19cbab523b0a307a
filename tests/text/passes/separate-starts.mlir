// pass: builtin.module(separate-starts)
// Start values that are not neutral are combined once: beside a reduction, in the first element of a scan, and of an
// exclusive scan in its first result, too. Those that are neutral stay, as do constants that a maximum takes in once.
func.func @neutral(%xs: !array.array<[n]i32>) -> (i32, i32, !array.array<[n]i32>) {
  %zero = arith.constant 0 : i32
  %hundred = arith.constant 100 : i32
  %a = array.reduce (%xs : [n]i32) init (%zero : i32) combine arith.addi
  %b = array.reduce (%xs : [n]i32) init (%hundred : i32) combine arith.maxsi
  %c = array.scan (%xs : [n]i32) init (%zero : i32) combine arith.addi
  func.return %a, %b, %c : i32, i32, !array.array<[n]i32>
}
func.func @others(%xs: !array.array<[n]i32>, %k: i32) -> (i32, !array.array<[n]i32>, !array.array<[n]i32>) {
  %a = array.reduce (%xs : [n]i32) init (%k : i32) combine arith.muli
  %b = array.scan (%xs : [n]i32) init (%k : i32) combine arith.maxsi
  %c = array.scanomap exclusive (%x in %xs : [n]i32) init (%k : i32) map {
    %y = arith.addi %x, %x : i32
    array.yield %y : i32
  } combine arith.addi
  func.return %a, %b, %c : i32, !array.array<[n]i32>, !array.array<[n]i32>
}
func.func @written(%xs: !array.array<[n]i32>, %start: i32, %least: i32) -> i32 {
  %r = array.reduce (%xs : [n]i32) init (%start : i32) neutral (%least : i32) combine (%a, %b) {
    %more = arith.cmpi ugt, %a, %b : i32
    %m = scf.if %more -> (i32) {
      scf.yield %a : i32
    } else {
      scf.yield %b : i32
    }
    array.yield %m : i32
  }
  func.return %r : i32
}
func.func @rows(%xss: !array.array<[n][m]f32>, %start: !array.array<[m]f32>) -> !array.array<[n][m]f32> {
  %r = array.scan (%xss : [n][m]f32) init (%start : [m]f32) combine (%acc, %row) {
    %s = array.map (%a in %acc : [m]f32, %b in %row : [m]f32) arith.addf
    array.yield %s : [m]f32
  }
  func.return %r : !array.array<[n][m]f32>
}
// ===== expected
builtin.module {
  func.func @neutral(%xs: !array.array<[n]i32>) -> (i32, i32, !array.array<[n]i32>) {
    %zero = arith.constant 0 : i32
    %hundred = arith.constant 100 : i32
    %a = array.reduce (%xs : [n]i32) init (%zero : i32) combine (%arg0, %arg1) {
      %0 = arith.addi %arg0, %arg1 : i32
      array.yield %0 : i32
    }
    %b = array.reduce (%xs : [n]i32) init (%hundred : i32) combine (%arg0, %arg1) {
      %0 = arith.maxsi %arg0, %arg1 : i32
      array.yield %0 : i32
    }
    %c = array.scan (%xs : [n]i32) init (%zero : i32) combine (%arg0, %arg1) {
      %0 = arith.addi %arg0, %arg1 : i32
      array.yield %0 : i32
    }
    func.return %a, %b, %c : i32, i32, !array.array<[n]i32>
  }
  func.func @others(%xs: !array.array<[n]i32>, %k: i32) -> (i32, !array.array<[n]i32>, !array.array<[n]i32>) {
    %c1_i32 = arith.constant 1 : i32
    %0 = array.reduce (%xs : [n]i32) init (%c1_i32 : i32) combine (%arg0, %arg1) {
      %7 = arith.muli %arg0, %arg1 : i32
      array.yield %7 : i32
    }
    %a = arith.muli %k, %0 : i32
    %c-2147483648_i32 = arith.constant -2147483648 : i32
    %1 = array.dim %xs, 0 : [n]i32
    %2 = array.iota %1 : [n]index
    %b = array.scanomap (%arg0 in %xs : [n]i32, %arg1 in %2 : [n]index) init (%c-2147483648_i32 : i32) map {
      %c0 = arith.constant 0 : index
      %7 = arith.cmpi eq, %arg1, %c0 : index
      %8 = arith.maxsi %k, %arg0 : i32
      %9 = arith.select %7, %8, %arg0 : i32
      array.yield %9 : i32
    } combine (%arg0, %arg1) {
      %7 = arith.maxsi %arg0, %arg1 : i32
      array.yield %7 : i32
    }
    %c0_i32 = arith.constant 0 : i32
    %3 = array.dim %xs, 0 : [n]i32
    %4 = array.iota %3 : [n]index
    %5 = array.scanomap exclusive (%x in %xs : [n]i32, %arg0 in %4 : [n]index) init (%c0_i32 : i32) map {
      %y = arith.addi %x, %x : i32
      %c0 = arith.constant 0 : index
      %7 = arith.cmpi eq, %arg0, %c0 : index
      %8 = arith.addi %k, %y : i32
      %9 = arith.select %7, %8, %y : i32
      array.yield %9 : i32
    } combine (%arg0, %arg1) {
      %7 = arith.addi %arg0, %arg1 : i32
      array.yield %7 : i32
    }
    %c1 = arith.constant 1 : index
    %6 = array.iota %c1 : [1]index
    %c = array.scatter (%arg0 in %6 : [1]index) into (%5 : [n]i32) {
      array.yield %arg0, %k : index, i32
    }
    func.return %a, %b, %c : i32, !array.array<[n]i32>, !array.array<[n]i32>
  }
  func.func @written(%xs: !array.array<[n]i32>, %start: i32, %least: i32) -> i32 {
    %0 = array.reduce (%xs : [n]i32) init (%least : i32) neutral (%least : i32) combine (%a, %b) {
      %more_0 = arith.cmpi ugt, %a, %b : i32
      %m = scf.if %more_0 -> (i32) {
        scf.yield %a : i32
      } else {
        scf.yield %b : i32
      }
      array.yield %m : i32
    }
    %more = arith.cmpi ugt, %start, %0 : i32
    %r = scf.if %more -> (i32) {
      scf.yield %start : i32
    } else {
      scf.yield %0 : i32
    }
    func.return %r : i32
  }
  func.func @rows(%xss: !array.array<[n][m]f32>, %start: !array.array<[m]f32>) -> !array.array<[n][m]f32> {
    %cst = arith.constant -0.000000e+00 : f32
    %0 = array.dim %start, 0 : [m]f32
    %1 = array.replicate %cst, [%0] : f32 -> [m]f32
    %2 = array.dim %xss, 0 : [n][m]f32
    %3 = array.iota %2 : [n]index
    %r = array.scanomap (%arg0 in %xss : [n][m]f32, %arg1 in %3 : [n]index) init (%1 : [m]f32) map {
      %c0 = arith.constant 0 : index
      %4 = arith.cmpi eq, %arg1, %c0 : index
      %s = array.map (%a in %start : [m]f32, %b in %arg0 : [m]f32) {
        %6 = arith.addf %a, %b : f32
        array.yield %6 : f32
      }
      %5 = array.map (%arg2 in %s : [m]f32, %arg3 in %arg0 : [m]f32) {
        %6 = arith.select %4, %arg2, %arg3 : f32
        array.yield %6 : f32
      }
      array.yield %5 : [m]f32
    } combine (%acc, %row) {
      %s = array.map (%a in %acc : [m]f32, %b in %row : [m]f32) {
        %4 = arith.addf %a, %b : f32
        array.yield %4 : f32
      }
      array.yield %s : [m]f32
    }
    func.return %r : !array.array<[n][m]f32>
  }
}
