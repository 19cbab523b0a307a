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
