// errors
// Sizes that do not fit are refused with their names and places: at calls, of filters, in nests.
func.func private @product(%a: !array.array<[n]f32>, %b: !array.array<[n][4]f32>) -> !array.array<[4]f32>
func.func @different(%a: !array.array<[p]f32>, %b: !array.array<[q][4]f32>) {
  %r = func.call @product(%a, %b) : (!array.array<[p]f32>, !array.array<[q][4]f32>) -> !array.array<[4]f32>
  func.return
}
// -----
func.func private @rows(%a: !array.array<[n][4]f32>) -> !array.array<[n]f32>
func.func @constant(%a: !array.array<[p][5]f32>) {
  %r = func.call @rows(%a) : (!array.array<[p][5]f32>) -> !array.array<[p]f32>
  func.return
}
// -----
func.func private @outer(%a: !array.array<[n]f32>, %b: !array.array<[m]f32>) -> !array.array<[n][m]f32>
func.func @swapped(%a: !array.array<[p]f32>, %b: !array.array<[q]f32>) {
  %r = func.call @outer(%a, %b) : (!array.array<[p]f32>, !array.array<[q]f32>) -> !array.array<[q][p]f32>
  func.return
}
// -----
func.func @filter_in_map(%xss: !array.array<[n][m]i32>, %limit: i32) {
  %r = array.map (%xs in %xss : [n][m]i32) {
    %ys = array.filter (%x in %xs : [m]i32) -> [k] {
      %keep = arith.cmpi sgt, %x, %limit : i32
      array.yield %keep : i1
    }
    array.yield %ys : [k]i32
  }
  func.return
}
// -----
func.func @name_taken(%xs: !array.array<[n]i32>, %limit: i32) {
  %ys = array.filter (%x in %xs : [n]i32) -> [n] {
    %keep = arith.cmpi sgt, %x, %limit : i32
    array.yield %keep : i1
  }
  func.return
}
// -----
func.func @no_predicate(%xs: !array.array<[n]i32>) {
  %ys = array.filter (%x in %xs : [n]i32) -> [k] {
    array.yield %x : i32
  }
  func.return
}
// -----
func.func @irregular(%xs: !array.array<[n]index>) {
  %yss = array.map (%x in %xs : [n]index) {
    %ys = array.iota %x : [x]i32
    array.yield %ys : [x]i32
  }
  func.return
}
// -----
func.func private @evens(%xs: !array.array<[n]i32>) -> !array.array<[k]i32>
func.func @call_in_map(%xss: !array.array<[n][m]i32>) {
  %yss = array.map (%xs in %xss : [n][m]i32) {
    %ys = func.call @evens(%xs) : (!array.array<[m]i32>) -> !array.array<[j]i32>
    array.yield %ys : [j]i32
  }
  func.return
}
// -----
// One name, two extents: neither differs between elements, but they are not the same.
func.func @two_extents(%xs: !array.array<[n]index>, %p: index, %q: index) -> !array.array<[n]index> {
  %rs = array.map (%x in %xs : [n]index) {
    %one = arith.constant 1 : index
    %more = arith.addi %p, %one : index
    %as = array.iota %more : [k]index
    %again = arith.addi %p, %one : index
    %bs = array.iota %again : [k]index
    %cs = array.iota %q : [k]index
    array.yield %x : index
  }
  func.return %rs : !array.array<[n]index>
}
// ===== expected
input:5:8: error: 'func.call' op operands must have the types of @product's signature: size `n` is `p` in dimension 0 of operand #0, but `q` in dimension 0 of operand #1
  |
5 |   %r = func.call @product(%a, %b) : (!array.array<[p]f32>, !array.array<[q][4]f32>) -> !array.array<[4]f32>
  |        ^^^^^^^^^
  |
  = op: %r = func.call @product(%a, %b) : (!array.array<[p]f32>, !array.array<[q][4]f32>) -> !array.array<[4]f32>
input:3:1: note: defined here
  |
3 | func.func private @product(%a: !array.array<[n]f32>, %b: !array.array<[n][4]f32>) -> !array.array<[4]f32>
  | ^^^^^^^^^
input:11:8: error: 'func.call' op operands must have the types of @rows's signature: dimension 1 of operand #0 is `5`, not `4`
   |
11 |   %r = func.call @rows(%a) : (!array.array<[p][5]f32>) -> !array.array<[p]f32>
   |        ^^^^^^^^^
   |
   = op: %r = func.call @rows(%a) : (!array.array<[p][5]f32>) -> !array.array<[p]f32>
input:9:1: note: defined here
   |
 9 | func.func private @rows(%a: !array.array<[n][4]f32>) -> !array.array<[n]f32>
   | ^^^^^^^^^
input:17:8: error: 'func.call' op results must have the types of @outer's signature: size `n` is `p` in dimension 0 of operand #0, but `q` in dimension 0 of result #0
   |
17 |   %r = func.call @outer(%a, %b) : (!array.array<[p]f32>, !array.array<[q]f32>) -> !array.array<[q][p]f32>
   |        ^^^^^^^^^
   |
   = op: %r = func.call @outer(%a, %b) : (!array.array<[p]f32>, !array.array<[q]f32>) -> !array.array<[q][p]f32>
input:15:1: note: defined here
   |
15 | func.func private @outer(%a: !array.array<[n]f32>, %b: !array.array<[m]f32>) -> !array.array<[n][m]f32>
   | ^^^^^^^^^
input:23:11: error: 'array.filter' op makes an array of size `k`, but the extent may differ between the elements of the combinator around it: such an extent is written `?`
   |
23 |     %ys = array.filter (%x in %xs : [m]i32) -> [k] {
   |           ^^^^^^^^^^^^
   |
   = op: %ys = "array.filter"(%xs) ({...}) : (!array.array<[m]i32>) -> !array.array<[k]i32>
input:22:8: note: the combinator around it
   |
22 |   %r = array.map (%xs in %xss : [n][m]i32) {
   |        ^^^^^^^^^
input:33:9: error: 'array.filter' op names the size of its results `n`, but that name is taken
   |
33 |   %ys = array.filter (%x in %xs : [n]i32) -> [n] {
   |         ^^^^^^^^^^^^
   |
   = op: %ys = "array.filter"(%xs) ({...}) : (!array.array<[n]i32>) -> !array.array<[n]i32>
input:41:9: error: 'array.filter' op the values region `body` yields: #0 must be `i1`, but is `i32`
   |
41 |   %ys = array.filter (%x in %xs : [n]i32) -> [k] {
   |         ^^^^^^^^^^^^
   |
   = op: %ys = "array.filter"(%xs) ({...}) : (!array.array<[n]i32>) -> !array.array<[k]i32>
input:49:11: error: 'array.iota' op makes an array of size `x`, but the extent may differ between the elements of the combinator around it: such an extent is written `?`
   |
49 |     %ys = array.iota %x : [x]i32
   |           ^^^^^^^^^^
   |
   = op: %ys = "array.iota"(%x) : (index) -> !array.array<[x]i32>
input:48:10: note: the combinator around it
   |
48 |   %yss = array.map (%x in %xs : [n]index) {
   |          ^^^^^^^^^
input:58:11: error: 'func.call' op makes an array of size `j`, but the extent may differ between the elements of the combinator around it: such an extent is written `?`
   |
58 |     %ys = func.call @evens(%xs) : (!array.array<[m]i32>) -> !array.array<[j]i32>
   |           ^^^^^^^^^
   |
   = op: %ys = func.call @evens(%xs) : (!array.array<[m]i32>) -> !array.array<[j]i32>
input:57:10: note: the combinator around it
   |
57 |   %yss = array.map (%xs in %xss : [n][m]i32) {
   |          ^^^^^^^^^
input:72:11: error: 'array.iota' op makes an array of size `k`, but another array of the combinator around it has another extent of that name
   |
72 |     %cs = array.iota %q : [k]index
   |           ^^^^^^^^^^
   |
   = op: %cs = "array.iota"(%q) : (index) -> !array.array<[k]index>
input:66:9: note: the combinator around it
   |
66 |   %rs = array.map (%x in %xs : [n]index) {
   |         ^^^^^^^^^
