// pass: builtin.module(inline{default-pipeline=})
// Sizes of a callee's types become those of the call; names it binds itself get names of their own at each call.
builtin.module {
  func.func private @products(%xs: !array.array<[n]i32>, %ys: !array.array<[m]i32>) -> !array.array<[n][m]i32> {
    %r = array.map (%x in %xs : [n]i32) {
      %row = array.map (%y in %ys : [m]i32) {
        %p = arith.muli %x, %y : i32
        array.yield %p : i32
      }
      array.yield %row : [m]i32
    }
    func.return %r : !array.array<[n][m]i32>
  }
  func.func private @positive(%xs: !array.array<[n]i32>) -> !array.array<[k]i32> {
    %zero = arith.constant 0 : i32
    %r = array.filter (%x in %xs : [n]i32) -> [k] {
      %keep = arith.cmpi sgt, %x, %zero : i32
      array.yield %keep : i1
    }
    func.return %r : !array.array<[k]i32>
  }
  func.func @main(%a: !array.array<[p]i32>, %b: !array.array<[3]i32>) -> !array.array<[p][?]i32> {
    %c = func.call @positive(%b) : (!array.array<[3]i32>) -> !array.array<[some]i32>
    %d = func.call @products(%a, %c) : (!array.array<[p]i32>, !array.array<[some]i32>) -> !array.array<[p][?]i32>
    func.return %d : !array.array<[p][?]i32>
  }
}
// ===== expected
builtin.module {
  func.func @main(%a: !array.array<[p]i32>, %b: !array.array<[3]i32>) -> !array.array<[p][?]i32> {
    %zero = arith.constant 0 : i32
    %r = array.filter (%x in %b : [3]i32) -> [some] {
      %keep = arith.cmpi sgt, %x, %zero : i32
      array.yield %keep : i1
    }
    %r_0 = array.map (%x in %a : [p]i32) {
      %row = array.map (%y in %r : [some]i32) {
        %p = arith.muli %x, %y : i32
        array.yield %p : i32
      }
      array.yield %row : [some]i32
    }
    %0 = array.cast %r_0 : [p][some]i32 -> [p][?]i32
    func.return %0 : !array.array<[p][?]i32>
  }
}
