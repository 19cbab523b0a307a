// round-trip
// Filters of one and of several arrays; the size they name is used by types after them.
builtin.module {
  func.func @main(%xs: !array.array<[n]i32>, %yss: !array.array<[n][m]f32>, %limit: i32) -> (!array.array<[k]i32>, !array.array<[k][m]f32>, !array.array<[?]i32>) {
    %a, %b = array.filter (%x in %xs : [n]i32, %ys in %yss : [n][m]f32) -> [k] {
      %keep = arith.cmpi sgt, %x, %limit : i32
      array.yield %keep : i1
    }
    %c = array.map (%x in %a : [k]i32) {
      %y = arith.addi %x, %limit : i32
      array.yield %y : i32
    }
    %d = array.filter (%x in %c : [k]i32) -> [?] {
      %keep = arith.cmpi slt, %x, %limit : i32
      array.yield %keep : i1
    }
    func.return %c, %b, %d : !array.array<[k]i32>, !array.array<[k][m]f32>, !array.array<[?]i32>
  }
}
