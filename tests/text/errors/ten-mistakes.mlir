// errors
// Ten different mistakes in one file, each with its place.
module {
  func.func @unknown_op(%x: i32) {
    %0 = arith.adddi %x, %x : i32
    return
  }
  func.func @wrong_operand_type(%x: i32, %y: f32) {
    %0 = "arith.addi"(%x, %y) : (i32, f32) -> i32
    return
  }
  func.func @use_before_definition() -> i32 {
    %a = arith.addi %b, %b : i32
    %b = arith.constant 1 : i32
    return %a : i32
  }
  func.func @missing_terminator(%x: i32) {
    %0 = arith.addi %x, %x : i32
  }
  func.func @bad_symbol() {
    call @nowhere() : () -> ()
    return
  }
  func.func @wrong_region_argument_count(%xs: !array.array<[n]f32>) {
    %ys = "array.map"(%xs) ({
    ^bb0(%x: f32, %y: f32):
      "array.yield"(%x) : (f32) -> ()
    }) : (!array.array<[n]f32>) -> !array.array<[n]f32>
    return
  }
  func.func @size_mismatch(%xs: !array.array<[n]f32>, %ys: !array.array<[m]f32>) {
    %zs = array.map (%x in %xs : [n]f32, %y in %ys : [m]f32) {
      array.yield %x : f32
    }
    return
  }
  func.func @duplicate_symbol() {
    return
  }
  func.func @duplicate_symbol() {
    return
  }
  func.func @malformed_attribute() {
    "func.return"() {bad = dense<[1, 2>} : () -> ()
  }
  func.func @unclosed_region(%c: i1) {
    scf.if %c {
      %0 = arith.constant 1 : i32
    return
  }
// ===== expected
input:5:10: error: unknown op 'arith.adddi' in dialect 'arith'; did you mean 'arith.addi'?
  |
5 |     %0 = arith.adddi %x, %x : i32
  |          ^^^^^^^^^^^
input:9:10: error: 'arith.addi' op operand `rhs` must be a signless integer or index, or a vector or tensor of them, but is `f32`
  |
9 |     %0 = "arith.addi"(%x, %y) : (i32, f32) -> i32
  |          ^^^^^^^^^^^^
  |
  = op: %0 = "arith.addi"(%x, %y) : (i32, f32) -> i32
input:13:10: error: 'arith.addi' op operand `lhs` is used before it is defined
   |
13 |     %a = arith.addi %b, %b : i32
   |          ^^^^^^^^^^
   |
   = op: %a = arith.addi %b, %b : i32
input:14:10: note: defined here, which does not come before the use on every path
   |
14 |     %b = arith.constant 1 : i32
   |          ^^^^^^^^^^^^^^
input:13:10: error: 'arith.addi' op operand `rhs` is used before it is defined
   |
13 |     %a = arith.addi %b, %b : i32
   |          ^^^^^^^^^^
   |
   = op: %a = arith.addi %b, %b : i32
input:14:10: note: defined here, which does not come before the use on every path
   |
14 |     %b = arith.constant 1 : i32
   |          ^^^^^^^^^^^^^^
input:17:3: error: 'func.func' op region `body` has a block without a terminator
   |
17 |   func.func @missing_terminator(%x: i32) {
   |   ^^^^^^^^^
   |
   = op: "func.func"() <{function_type = (i32) -> (), sym_name = "missing_terminator"}> ({...}) : () -> ()
input:18:10: note: the block ends with 'arith.addi'
   |
18 |     %0 = arith.addi %x, %x : i32
   |          ^^^^^^^^^^
input:21:5: error: 'func.call' op calls @nowhere, which is not defined
   |
21 |     call @nowhere() : () -> ()
   |     ^^^^
   |
   = op: func.call @nowhere() : () -> ()
input:25:11: error: 'array.map' op needs 1 of the arguments of region `body`, but there are 2
   |
25 |     %ys = "array.map"(%xs) ({
   |           ^^^^^^^^^^^
   |
   = op: %ys = "array.map"(%xs) ({...}) : (!array.array<[n]f32>) -> !array.array<[n]f32>
input:32:11: error: 'array.map' op operand `arrays` #1 has outer size `m`, but the others have `n`
   |
32 |     %zs = array.map (%x in %xs : [n]f32, %y in %ys : [m]f32) {
   |           ^^^^^^^^^
   |
   = op: %zs = "array.map"(%xs, %ys) ({...}) : (!array.array<[n]f32>, !array.array<[m]f32>) -> !array.array<[n]f32>
input:40:3: error: 'func.func' op defines the symbol `@duplicate_symbol` a second time
   |
40 |   func.func @duplicate_symbol() {
   |   ^^^^^^^^^
   |
   = op: "func.func"() <{function_type = () -> (), sym_name = "duplicate_symbol"}> ({...}) : () -> ()
input:37:3: note: defined here first
   |
37 |   func.func @duplicate_symbol() {
   |   ^^^^^^^^^
input:44:39: error: expected ',' or ']'
   |
44 |     "func.return"() {bad = dense<[1, 2>} : () -> ()
   |                                       ^
input:46:3: error: 'func.func' op region `body` has a block without a terminator
   |
46 |   func.func @unclosed_region(%c: i1) {
   |   ^^^^^^^^^
   |
   = op: "func.func"() <{function_type = (i1) -> (), sym_name = "unclosed_region"}> ({...}) : () -> ()
input:47:5: note: the block ends with 'scf.if'
   |
47 |     scf.if %c {
   |     ^^^^^^
input:49:5: error: 'func.return' op must end the body of a func.func
   |
49 |     return
   |     ^^^^^^
   |
   = op: func.return
input:50:4: error: expected '}' to end a region, found the end of the file
   |
50 |   }
   |    ^
   |
input:46:38: note: region begins here
   |
46 |   func.func @unclosed_region(%c: i1) {
   |                                      ^
