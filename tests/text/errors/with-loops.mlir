// errors
// Misuse of with-loops is refused with its place.
func.func @bounds(%zero: f32) {
  %a = array.with_loop genarray [9, 9] default (%zero : f32) partition ([0, -1] <= (%i, %j) < [10, 9] step [0, 2] width [1, 3]) {
    array.yield %zero : f32
  } partition ((%i, %j) < [9, 9] step [2, 2] width [0, 1]) {
    array.yield %zero : f32
  } : [9][9]f32
  func.return
}
// -----
func.func @rank(%zero: f32) {
  %a = array.with_loop genarray [9] default (%zero : f32) partition ((%i, %j) < [9, 9]) {
    array.yield %zero : f32
  } : [9]f32
  func.return
}
// -----
func.func @entries(%zero: f32) {
  %a = array.with_loop genarray [9, 9] default (%zero : f32) partition ((%i, %j) < [9, 9] step [1]) {
    array.yield %zero : f32
  } : [9][9]f32
  func.return
}
// -----
func.func @extents(%xs: !array.array<[4]f32>, %zero: f32) {
  %a = array.with_loop modarray (%xs : [4]f32) partition ((%i) < [5]) {
    array.yield %zero : f32
  }
  func.return
}
// -----
func.func @result(%zero: f32) {
  %a = array.with_loop genarray [9] default (%zero : f32) partition ((%i) < [9]) {
    array.yield %zero : f32
  } : [8]f32
  func.return
}
// -----
func.func @values(%zero: f32, %none: i32) {
  %a = array.with_loop genarray [9] default (%zero : f32) partition ((%i) < [9]) {
    array.yield %none : i32
  } : [9]f32
  func.return
}
// -----
func.func @rows(%row: !array.array<[?]f32>) {
  %a = array.with_loop genarray [9] default (%row : [?]f32) partition ((%i) < [9]) {
    array.yield %row : [?]f32
  } : [9][?]f32
  func.return
}
// -----
func.func @defaults(%zero: f32) {
  %a = array.with_loop genarray [9] partition ((%i) < [9]) {
    array.yield %zero : f32
  } : [9]f32
  func.return
}
// -----
func.func @mapping(%zero: f32) {
  %a = array.with_loop genarray [9] default (%zero : f32) partition ((%i) < [9]) mapping "GridBlok(1, Gen)" {
    array.yield %zero : f32
  } : [9]f32
  func.return
}
// -----
func.func @mapped(%zero: f32) {
  %a = array.with_loop genarray [9] default (%zero : f32) partition ((%i) < [9]) {
    array.yield %zero : f32
  } {mapping = "GridBlock(1, Gen)"} : [9]f32
  func.return
}
// -----
func.func @fold(%zero: f32) {
  %a = array.with_loop fold init (%zero : f32) partition ((%i) < [9]) {
    array.yield %zero : f32
  } combine (%x, %y) {
    %z = arith.subf %x, %y : f32
    array.yield %z : f32
  }
  func.return
}
// -----
func.func @kind(%zero: f32) {
  %a = array.with_loop newarray [9]
  func.return
}
// ===== expected
input:4:8: error: 'array.with_loop' op partition #0, dimension 0: a step must be at least 1, but is 0
  |
4 |   %a = array.with_loop genarray [9, 9] default (%zero : f32) partition ([0, -1] <= (%i, %j) < [10, 9] step [0, 2] width [1, 3]) {
  |        ^^^^^^^^^^^^^^^
  |
  = op: %a = "array.with_loop"(%zero) <{bounds = array<i64: 0, -1, 10, 9, 0, 2, 1, 3, 0, 0, 9, 9, 2, 2, 0, 1>, kind = 0 : i32, operandSegmentSizes = array<i32: 0, 0, 1, 0>, rank = 2 : i64, shape = array<i64: 9, 9>}> ({...}, {...}, {...}) : (f32) -> !array.array<[9][9]f32>
input:4:8: error: 'array.with_loop' op partition #0, dimension 1: a width cannot be above its step: 3 is above 2
  |
4 |   %a = array.with_loop genarray [9, 9] default (%zero : f32) partition ([0, -1] <= (%i, %j) < [10, 9] step [0, 2] width [1, 3]) {
  |        ^^^^^^^^^^^^^^^
  |
  = op: %a = "array.with_loop"(%zero) <{bounds = array<i64: 0, -1, 10, 9, 0, 2, 1, 3, 0, 0, 9, 9, 2, 2, 0, 1>, kind = 0 : i32, operandSegmentSizes = array<i32: 0, 0, 1, 0>, rank = 2 : i64, shape = array<i64: 9, 9>}> ({...}, {...}, {...}) : (f32) -> !array.array<[9][9]f32>
input:4:8: error: 'array.with_loop' op partition #1, dimension 0: a width must be at least 1, but is 0
  |
4 |   %a = array.with_loop genarray [9, 9] default (%zero : f32) partition ([0, -1] <= (%i, %j) < [10, 9] step [0, 2] width [1, 3]) {
  |        ^^^^^^^^^^^^^^^
  |
  = op: %a = "array.with_loop"(%zero) <{bounds = array<i64: 0, -1, 10, 9, 0, 2, 1, 3, 0, 0, 9, 9, 2, 2, 0, 1>, kind = 0 : i32, operandSegmentSizes = array<i32: 0, 0, 1, 0>, rank = 2 : i64, shape = array<i64: 9, 9>}> ({...}, {...}, {...}) : (f32) -> !array.array<[9][9]f32>
input:13:70: error: 2 entries, but the index spaces have 1 dimensions
   |
13 |   %a = array.with_loop genarray [9] default (%zero : f32) partition ((%i, %j) < [9, 9]) {
   |                                                                      ^
input:20:96: error: 1 entries, but the index spaces have 2 dimensions
   |
20 |   %a = array.with_loop genarray [9, 9] default (%zero : f32) partition ((%i, %j) < [9, 9] step [1]) {
   |                                                                                                ^
input:27:8: error: 'array.with_loop' op partition #0, dimension 0: the upper bound 5 is outside of the array, whose extent is 4
   |
27 |   %a = array.with_loop modarray (%xs : [4]f32) partition ((%i) < [5]) {
   |        ^^^^^^^^^^^^^^^
   |
   = op: %a = "array.with_loop"(%xs) <{bounds = array<i64: 0, 5, 1, 1>, kind = 1 : i32, operandSegmentSizes = array<i32: 0, 0, 1, 0>, rank = 1 : i64, shape = array<i64>}> ({...}, {...}) : (!array.array<[4]f32>) -> !array.array<[4]f32>
input:34:8: error: 'array.with_loop' op makes arrays of extent 9 in dimension 0, but result #0 has 8
   |
34 |   %a = array.with_loop genarray [9] default (%zero : f32) partition ((%i) < [9]) {
   |        ^^^^^^^^^^^^^^^
   |
   = op: %a = "array.with_loop"(%zero) <{bounds = array<i64: 0, 9, 1, 1>, kind = 0 : i32, operandSegmentSizes = array<i32: 0, 0, 1, 0>, rank = 1 : i64, shape = array<i64: 9>}> ({...}, {...}) : (f32) -> !array.array<[8]f32>
input:41:8: error: 'array.with_loop' op the values region `bodies #0` yields: #0 must be `f32`, but is `i32`
   |
41 |   %a = array.with_loop genarray [9] default (%zero : f32) partition ((%i) < [9]) {
   |        ^^^^^^^^^^^^^^^
   |
   = op: %a = "array.with_loop"(%zero) <{bounds = array<i64: 0, 9, 1, 1>, kind = 0 : i32, operandSegmentSizes = array<i32: 0, 0, 1, 0>, rank = 1 : i64, shape = array<i64: 9>}> ({...}, {...}) : (f32) -> !array.array<[9]f32>
input:48:8: error: 'array.with_loop' op result #0 has values whose sizes are not the same for all indices: `?` says so
   |
48 |   %a = array.with_loop genarray [9] default (%row : [?]f32) partition ((%i) < [9]) {
   |        ^^^^^^^^^^^^^^^
   |
   = op: %a = "array.with_loop"(%row) <{bounds = array<i64: 0, 9, 1, 1>, kind = 0 : i32, operandSegmentSizes = array<i32: 0, 0, 1, 0>, rank = 1 : i64, shape = array<i64: 9>}> ({...}, {...}) : (!array.array<[?]f32>) -> !array.array<[9][?]f32>
input:55:8: error: 'array.with_loop' op needs 1 of the default values, but there are 0
   |
55 |   %a = array.with_loop genarray [9] partition ((%i) < [9]) {
   |        ^^^^^^^^^^^^^^^
   |
   = op: %a = "array.with_loop"() <{bounds = array<i64: 0, 9, 1, 1>, kind = 0 : i32, operandSegmentSizes = array<i32: 0, 0, 0, 0>, rank = 1 : i64, shape = array<i64: 9>}> ({...}, {...}) : () -> !array.array<[9]f32>
input:62:8: error: 'array.with_loop' op partition #0: its mapping is wrong: at column 1: expected `GridBlock`, found `GridBlok`
   |
62 |   %a = array.with_loop genarray [9] default (%zero : f32) partition ((%i) < [9]) mapping "GridBlok(1, Gen)" {
   |        ^^^^^^^^^^^^^^^
   |
   = op: %a = "array.with_loop"(%zero) <{bounds = array<i64: 0, 9, 1, 1>, kind = 0 : i32, mappings = ["GridBlok(1, Gen)"], operandSegmentSizes = array<i32: 0, 0, 1, 0>, rank = 1 : i64, shape = array<i64: 9>}> ({...}, {...}) : (f32) -> !array.array<[9]f32>
input:69:8: error: 'array.with_loop' op has no mapping of its own: each partition has one, `partition (...) mapping "..."`
   |
69 |   %a = array.with_loop genarray [9] default (%zero : f32) partition ((%i) < [9]) {
   |        ^^^^^^^^^^^^^^^
   |
   = op: %a = "array.with_loop"(%zero) <{bounds = array<i64: 0, 9, 1, 1>, kind = 0 : i32, operandSegmentSizes = array<i32: 0, 0, 1, 0>, rank = 1 : i64, shape = array<i64: 9>}> ({...}, {...}) {mapping = "GridBlock(1, Gen)"} : (f32) -> !array.array<[9]f32>
input:76:8: error: 'array.with_loop' op has an operator whose neutral element is not known: write it behind the start values, as in `init (...) neutral (%e : f32)`
   |
76 |   %a = array.with_loop fold init (%zero : f32) partition ((%i) < [9]) {
   |        ^^^^^^^^^^^^^^^
   |
   = op: %a = "array.with_loop"(%zero) <{bounds = array<i64: 0, 9, 1, 1>, kind = 2 : i32, operandSegmentSizes = array<i32: 0, 0, 1, 0>, rank = 1 : i64, shape = array<i64>}> ({...}, {...}) : (f32) -> f32
input:86:24: error: expected `genarray`, `modarray` or `fold`
   |
86 |   %a = array.with_loop newarray [9]
   |                        ^^^^^^^^
