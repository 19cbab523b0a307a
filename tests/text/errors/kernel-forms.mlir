// errors
// Forms: reductions have no tiles, scans no parts; operators that combine arrays have one form; a thread block's none.
// Histograms have neither; in shared memory they have space for some bins; no atomics combine bytes.
func.func @tiles_of_a_reduction(%n: index, %xs: tensor<?xf32>, %zero: f32) -> f32 {
  %r = kernel.segred thread form tiles (%i < %n) init (%zero : f32) -> (f32) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    kernel.return %x : f32
  } combine (%a, %b) {
    %s = arith.addf %a, %b : f32
    kernel.return %s : f32
  }
  func.return %r : f32
}
// -----
func.func @parts_of_a_scan(%n: index, %xs: tensor<?xf32>, %zero: f32) -> tensor<?xf32> {
  %r = kernel.segscan thread form parts (%i < %n) init (%zero : f32) -> (tensor<?xf32>) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    kernel.return %x : f32
  } combine (%a, %b) {
    %s = arith.addf %a, %b : f32
    kernel.return %s : f32
  }
  func.return %r : tensor<?xf32>
}
// -----
func.func @scalars_by_threads(%n: index, %xs: tensor<?xf32>, %zero: f32) -> f32 {
  %r = kernel.segred thread form threads (%i < %n) init (%zero : f32) -> (f32) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    kernel.return %x : f32
  } combine (%a, %b) {
    %s = arith.addf %a, %b : f32
    kernel.return %s : f32
  }
  func.return %r : f32
}
// -----
func.func @in_a_block(%n: index, %xss: tensor<?x?xf32>, %zero: f32) -> tensor<?xf32> {
  %r = kernel.segmap block (%i < %n) -> (tensor<?xf32>) {
    %sum = kernel.segred thread form warp (%j < %n) init (%zero : f32) -> (f32) {
      %x = tensor.extract %xss[%i, %j] : tensor<?x?xf32>
      kernel.return %x : f32
    } combine (%a, %b) {
      %s = arith.addf %a, %b : f32
      kernel.return %s : f32
    }
    kernel.return %sum : f32
  }
  func.return %r : tensor<?xf32>
}
// -----
func.func @no_such_form(%n: index, %xs: tensor<?xf32>, %zero: f32) -> f32 {
  %r = kernel.segred thread form heap (%i < %n) init (%zero : f32) -> (f32) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    kernel.return %x : f32
  } combine (%a, %b) {
    %s = arith.addf %a, %b : f32
    kernel.return %s : f32
  }
  func.return %r : f32
}
// -----
func.func @tiles_of_a_histogram(%n: index, %is: tensor<?xindex>, %ys: tensor<?xi32>, %one: i32) -> tensor<?xi32> {
  %r = kernel.seghist thread form tiles (%i < %n) into (%ys : tensor<?xi32>) init (%one : i32) -> (tensor<?xi32>) {
    %at = tensor.extract %is[%i] : tensor<?xindex>
    kernel.return %at, %one : index, i32
  } combine (%a, %b) {
    %s = arith.addi %a, %b : i32
    kernel.return %s : i32
  }
  func.return %r : tensor<?xi32>
}
// -----
func.func @without_room(%n: index, %is: tensor<?xindex>, %ys: tensor<?xi32>, %one: i32) -> tensor<?xi32> {
  %r = kernel.seghist thread form shared (%i < %n) into (%ys : tensor<?xi32>) init (%one : i32) -> (tensor<?xi32>) {
    %at = tensor.extract %is[%i] : tensor<?xindex>
    kernel.return %at, %one : index, i32
  } combine (%a, %b) {
    %s = arith.addi %a, %b : i32
    kernel.return %s : i32
  }
  func.return %r : tensor<?xi32>
}
// -----
func.func @room_for_none(%n: index, %is: tensor<?xindex>, %ys: tensor<?xi32>, %one: i32) -> tensor<?xi32> {
  %r = kernel.seghist thread form shared capacity 0 (%i < %n) into (%ys : tensor<?xi32>) init (%one : i32) -> (tensor<?xi32>) {
    %at = tensor.extract %is[%i] : tensor<?xindex>
    kernel.return %at, %one : index, i32
  } combine (%a, %b) {
    %s = arith.addi %a, %b : i32
    kernel.return %s : i32
  }
  func.return %r : tensor<?xi32>
}
// -----
func.func @atomics_of_bytes(%n: index, %is: tensor<?xindex>, %ys: tensor<?xi8>, %one: i8) -> tensor<?xi8> {
  %r = kernel.seghist thread form atomics (%i < %n) into (%ys : tensor<?xi8>) init (%one : i8) -> (tensor<?xi8>) {
    %at = tensor.extract %is[%i] : tensor<?xindex>
    kernel.return %at, %one : index, i8
  } combine (%a, %b) {
    %s = arith.muli %a, %b : i8
    kernel.return %s : i8
  }
  func.return %r : tensor<?xi8>
}
// -----
func.func @capacity_without_sharing(%n: index, %is: tensor<?xindex>, %ys: tensor<?xi32>, %one: i32) -> tensor<?xi32> {
  %r = kernel.seghist thread form locks (%i < %n) into (%ys : tensor<?xi32>) init (%one : i32) -> (tensor<?xi32>) {
    %at = tensor.extract %is[%i] : tensor<?xindex>
    kernel.return %at, %one : index, i32
  } combine (%a, %b) {
    %s = arith.addi %a, %b : i32
    kernel.return %s : i32
  } {capacity = 5 : i64}
  func.return %r : tensor<?xi32>
}
// ===== expected
input:5:8: error: 'kernel.segred' op cannot take the form `tiles`
  |
5 |   %r = kernel.segred thread form tiles (%i < %n) init (%zero : f32) -> (f32) {
  |        ^^^^^^^^^^^^^
  |
  = op: %r = "kernel.segred"(%n, %zero) <{form = 4 : i32, level = 2 : i32, operandSegmentSizes = array<i32: 1, 1>}> ({...}, {...}) : (index, f32) -> f32
input:16:8: error: 'kernel.segscan' op cannot take the form `parts`
   |
16 |   %r = kernel.segscan thread form parts (%i < %n) init (%zero : f32) -> (tensor<?xf32>) {
   |        ^^^^^^^^^^^^^^
   |
   = op: %r = "kernel.segscan"(%n, %zero) <{form = 3 : i32, level = 2 : i32, operandSegmentSizes = array<i32: 1, 1>}> ({...}, {...}) : (index, f32) -> tensor<?xf32>
input:27:8: error: 'kernel.segred' op cannot take the form `threads`
   |
27 |   %r = kernel.segred thread form threads (%i < %n) init (%zero : f32) -> (f32) {
   |        ^^^^^^^^^^^^^
   |
   = op: %r = "kernel.segred"(%n, %zero) <{form = 5 : i32, level = 2 : i32, operandSegmentSizes = array<i32: 1, 1>}> ({...}, {...}) : (index, f32) -> f32
input:39:12: error: 'kernel.segred' op cannot take the form `warp` inside of another segmented op
   |
39 |     %sum = kernel.segred thread form warp (%j < %n) init (%zero : f32) -> (f32) {
   |            ^^^^^^^^^^^^^
   |
   = op: %sum = "kernel.segred"(%n, %zero) <{form = 1 : i32, level = 2 : i32, operandSegmentSizes = array<i32: 1, 1>}> ({...}, {...}) : (index, f32) -> f32
input:52:34: error: `heap` is not a form (`lanes`, `warp`, `block`, `parts`, `tiles`, `thread`, `threads`, `shared`, `atomics`, `locks`, `columns` or `last`)
   |
52 |   %r = kernel.segred thread form heap (%i < %n) init (%zero : f32) -> (f32) {
   |                                  ^^^^
input:63:8: error: 'kernel.seghist' op cannot take the form `tiles`
   |
63 |   %r = kernel.seghist thread form tiles (%i < %n) into (%ys : tensor<?xi32>) init (%one : i32) -> (tensor<?xi32>) {
   |        ^^^^^^^^^^^^^^
   |
   = op: %r = "kernel.seghist"(%n, %ys, %one) <{form = 4 : i32, level = 2 : i32, operandSegmentSizes = array<i32: 1, 1, 1>}> ({...}, {...}) : (index, tensor<?xi32>, i32) -> tensor<?xi32>
input:74:8: error: 'kernel.seghist' op of form `shared` needs a `capacity` of at least 1
   |
74 |   %r = kernel.seghist thread form shared (%i < %n) into (%ys : tensor<?xi32>) init (%one : i32) -> (tensor<?xi32>) {
   |        ^^^^^^^^^^^^^^
   |
   = op: %r = "kernel.seghist"(%n, %ys, %one) <{form = 6 : i32, level = 2 : i32, operandSegmentSizes = array<i32: 1, 1, 1>}> ({...}, {...}) : (index, tensor<?xi32>, i32) -> tensor<?xi32>
input:85:8: error: 'kernel.seghist' op of form `shared` needs a `capacity` of at least 1
   |
85 |   %r = kernel.seghist thread form shared capacity 0 (%i < %n) into (%ys : tensor<?xi32>) init (%one : i32) -> (tensor<?xi32>) {
   |        ^^^^^^^^^^^^^^
   |
   = op: %r = "kernel.seghist"(%n, %ys, %one) <{capacity = 0 : i64, form = 6 : i32, level = 2 : i32, operandSegmentSizes = array<i32: 1, 1, 1>}> ({...}, {...}) : (index, tensor<?xi32>, i32) -> tensor<?xi32>
input:96:8: error: 'kernel.seghist' op cannot take the form `atomics`
   |
96 |   %r = kernel.seghist thread form atomics (%i < %n) into (%ys : tensor<?xi8>) init (%one : i8) -> (tensor<?xi8>) {
   |        ^^^^^^^^^^^^^^
   |
   = op: %r = "kernel.seghist"(%n, %ys, %one) <{form = 7 : i32, level = 2 : i32, operandSegmentSizes = array<i32: 1, 1, 1>}> ({...}, {...}) : (index, tensor<?xi8>, i8) -> tensor<?xi8>
input:107:8: error: 'kernel.seghist' op has a `capacity`, but not the form `shared`
    |
107 |   %r = kernel.seghist thread form locks (%i < %n) into (%ys : tensor<?xi32>) init (%one : i32) -> (tensor<?xi32>) {
    |        ^^^^^^^^^^^^^^
    |
    = op: %r = "kernel.seghist"(%n, %ys, %one) <{capacity = 5 : i64, form = 8 : i32, level = 2 : i32, operandSegmentSizes = array<i32: 1, 1, 1>}> ({...}, {...}) : (index, tensor<?xi32>, i32) -> tensor<?xi32>
