// errors
// Forms: reductions have no tiles, scans no parts; operators that combine arrays have one form; a thread block's none.
func.func @tiles_of_a_reduction(%n: index, %xs: tensor<?xf32>, %zero: f32) -> f32 {
  %r = kernel.segred thread form tiles (%i < %n) init (%zero : f32) -> (f32) {
    %x = kernel.read %xs[%i] : tensor<?xf32>
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
    %x = kernel.read %xs[%i] : tensor<?xf32>
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
    %x = kernel.read %xs[%i] : tensor<?xf32>
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
      %x = kernel.read %xss[%i, %j] : tensor<?x?xf32>
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
    %x = kernel.read %xs[%i] : tensor<?xf32>
    kernel.return %x : f32
  } combine (%a, %b) {
    %s = arith.addf %a, %b : f32
    kernel.return %s : f32
  }
  func.return %r : f32
}
// ===== expected
input:4:8: error: 'kernel.segred' op cannot take the form `tiles`
  |
4 |   %r = kernel.segred thread form tiles (%i < %n) init (%zero : f32) -> (f32) {
  |        ^^^^^^^^^^^^^
  |
  = op: %r = "kernel.segred"(%n, %zero) <{form = 4 : i32, level = 2 : i32, operandSegmentSizes = array<i32: 1, 1>}> ({...}, {...}) : (index, f32) -> f32
input:15:8: error: 'kernel.segscan' op cannot take the form `parts`
   |
15 |   %r = kernel.segscan thread form parts (%i < %n) init (%zero : f32) -> (tensor<?xf32>) {
   |        ^^^^^^^^^^^^^^
   |
   = op: %r = "kernel.segscan"(%n, %zero) <{form = 3 : i32, level = 2 : i32, operandSegmentSizes = array<i32: 1, 1>}> ({...}, {...}) : (index, f32) -> tensor<?xf32>
input:26:8: error: 'kernel.segred' op cannot take the form `threads`
   |
26 |   %r = kernel.segred thread form threads (%i < %n) init (%zero : f32) -> (f32) {
   |        ^^^^^^^^^^^^^
   |
   = op: %r = "kernel.segred"(%n, %zero) <{form = 5 : i32, level = 2 : i32, operandSegmentSizes = array<i32: 1, 1>}> ({...}, {...}) : (index, f32) -> f32
input:38:12: error: 'kernel.segred' op cannot take the form `warp` inside of another segmented op
   |
38 |     %sum = kernel.segred thread form warp (%j < %n) init (%zero : f32) -> (f32) {
   |            ^^^^^^^^^^^^^
   |
   = op: %sum = "kernel.segred"(%n, %zero) <{form = 1 : i32, level = 2 : i32, operandSegmentSizes = array<i32: 1, 1>}> ({...}, {...}) : (index, f32) -> f32
input:51:34: error: `heap` is not a form (`lanes`, `warp`, `block`, `parts`, `tiles` or `threads`)
   |
51 |   %r = kernel.segred thread form heap (%i < %n) init (%zero : f32) -> (f32) {
   |                                  ^^^^
