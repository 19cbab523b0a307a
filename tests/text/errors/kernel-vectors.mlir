// errors
// Marks of accesses: how many points at once, which ops, which reads.
func.func @three(%n: index, %xs: tensor<?xf32>) -> tensor<?xf32> {
  %r = kernel.segmap thread vector 3 (%i < %n) -> (tensor<?xf32>) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    kernel.return %x : f32
  }
  func.return %r : tensor<?xf32>
}
// -----
func.func @in_order(%n: index, %xs: tensor<?xf32>, %zero: f32) -> f32 {
  %r = kernel.segred thread form block vector 4 (%i < %n) init (%zero : f32) -> (f32) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    kernel.return %x : f32
  } combine (%a, %b) {
    kernel.return %b : f32
  }
  func.return %r : f32
}
// -----
func.func @one_by_one(%n: index, %xs: tensor<?xf32>) -> tensor<?xf32> {
  %r = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
    %x = tensor.extract %xs[%i] {kernel.vector} : tensor<?xf32>
    kernel.return %x : f32
  }
  func.return %r : tensor<?xf32>
}
// -----
func.func @elsewhere(%n: index, %xs: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = kernel.segmap thread vector 4 (%i < %n, %j < %n) -> (tensor<?x?xf32>) {
    %x = tensor.extract %xs[%j, %i] {kernel.vector} : tensor<?x?xf32>
    kernel.return %x : f32
  }
  func.return %r : tensor<?x?xf32>
}
// -----
func.func @rows_anywhere(%n: index, %xs: tensor<?xf32>) -> tensor<?x?xf32> {
  %r = kernel.segmap thread vector 4 (%i < %n, %j < %n) -> (tensor<?x?xf32>) {
    %x = tensor.extract %xs[%j] {kernel.vector} : tensor<?xf32>
    kernel.return %x : f32
  }
  func.return %r : tensor<?x?xf32>
}
// -----
func.func @in_place(%n: index, %xs: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = kernel.segmap thread (%i < %n, %j < %n) -> (tensor<?x?xf32>) {
    %x = tensor.extract %xs[%i, %j] {kernel.staged} : tensor<?x?xf32>
    kernel.return %x : f32
  }
  func.return %r : tensor<?x?xf32>
}
// -----
func.func @of_a_reduction(%n: index, %xs: tensor<?x?xf32>, %zero: f32) -> tensor<?xf32> {
  %r = kernel.segred thread (%i < %n, %j < %n) init (%zero : f32) -> (tensor<?xf32>) {
    %x = tensor.extract %xs[%j, %i] {kernel.staged} : tensor<?x?xf32>
    kernel.return %x : f32
  } combine (%a, %b) {
    %s = arith.addf %a, %b : f32
    kernel.return %s : f32
  }
  func.return %r : tensor<?xf32>
}
// -----
func.func @rows_of_a_scan(%n: index, %xs: tensor<?x?xf32>, %zero: f32) -> tensor<?x?xf32> {
  %r = kernel.segscan thread form tiles vector 4 (%i < %n, %j < %n) init (%zero : f32) -> (tensor<?x?xf32>) {
    %x = tensor.extract %xs[%i, %j] : tensor<?x?xf32>
    kernel.return %x : f32
  } combine (%a, %b) {
    %s = arith.addf %a, %b : f32
    kernel.return %s : f32
  }
  func.return %r : tensor<?x?xf32>
}
// -----
func.func @branches(%n: index, %xs: tensor<?xf32>, %c: i1, %zero: f32) -> tensor<?xf32> {
  %r = kernel.segmap thread vector 4 (%i < %n) -> (tensor<?xf32>) {
    %x = scf.if %c -> (f32) {
      %x = tensor.extract %xs[%i] : tensor<?xf32>
      scf.yield %x : f32
    } else {
      scf.yield %zero : f32
    }
    kernel.return %x : f32
  }
  func.return %r : tensor<?xf32>
}
// ===== expected
input:4:8: error: 'kernel.segmap' op attribute `vector` must be 2, 4, 8 or 16
  |
4 |   %r = kernel.segmap thread vector 3 (%i < %n) -> (tensor<?xf32>) {
  |        ^^^^^^^^^^^^^
  |
  = op: %r = "kernel.segmap"(%n) <{level = 2 : i32, vector = 3 : i64}> ({...}) : (index) -> tensor<?xf32>
input:12:8: error: 'kernel.segred' op cannot take several points at once
   |
12 |   %r = kernel.segred thread form block vector 4 (%i < %n) init (%zero : f32) -> (f32) {
   |        ^^^^^^^^^^^^^
   |
   = op: %r = "kernel.segred"(%n, %zero) <{form = 2 : i32, level = 2 : i32, operandSegmentSizes = array<i32: 1, 1>, vector = 4 : i64}> ({...}, {...}) : (index, f32) -> f32
input:23:10: error: 'tensor.extract' op marked `kernel.vector` must stand directly in an op that takes several points at once
   |
23 |     %x = tensor.extract %xs[%i] {kernel.vector} : tensor<?xf32>
   |          ^^^^^^^^^^^^^^
   |
   = op: %x = tensor.extract %xs[%i] {kernel.vector} : tensor<?xf32>
input:31:10: error: 'tensor.extract' op marked `kernel.vector` must read a number of 8 to 64 bits at the last indices of its point
   |
31 |     %x = tensor.extract %xs[%j, %i] {kernel.vector} : tensor<?x?xf32>
   |          ^^^^^^^^^^^^^^
   |
   = op: %x = tensor.extract %xs[%j, %i] {kernel.vector} : tensor<?x?xf32>
input:39:10: error: 'tensor.extract' op marked `kernel.vector` has fewer indices than its point, whose rows are no multiple of 4
   |
39 |     %x = tensor.extract %xs[%j] {kernel.vector} : tensor<?xf32>
   |          ^^^^^^^^^^^^^^
   |
   = op: %x = tensor.extract %xs[%j] {kernel.vector} : tensor<?xf32>
input:47:10: error: 'tensor.extract' op marked `kernel.staged` must read a number at all indices of its point, the innermost one not last, and the same as in other reads so marked
   |
47 |     %x = tensor.extract %xs[%i, %j] {kernel.staged} : tensor<?x?xf32>
   |          ^^^^^^^^^^^^^^
   |
   = op: %x = tensor.extract %xs[%i, %j] {kernel.staged} : tensor<?x?xf32>
input:55:10: error: 'tensor.extract' op marked `kernel.staged` must stand directly in a segmap
   |
55 |     %x = tensor.extract %xs[%j, %i] {kernel.staged} : tensor<?x?xf32>
   |          ^^^^^^^^^^^^^^
   |
   = op: %x = tensor.extract %xs[%j, %i] {kernel.staged} : tensor<?x?xf32>
input:65:8: error: 'kernel.segscan' op cannot take several points at once
   |
65 |   %r = kernel.segscan thread form tiles vector 4 (%i < %n, %j < %n) init (%zero : f32) -> (tensor<?x?xf32>) {
   |        ^^^^^^^^^^^^^^
   |
   = op: %r = "kernel.segscan"(%n, %n, %zero) <{form = 4 : i32, level = 2 : i32, operandSegmentSizes = array<i32: 2, 1>, vector = 4 : i64}> ({...}, {...}) : (index, index, f32) -> tensor<?x?xf32>
input:76:8: error: 'kernel.segmap' op cannot take several points at once
   |
76 |   %r = kernel.segmap thread vector 4 (%i < %n) -> (tensor<?xf32>) {
   |        ^^^^^^^^^^^^^
   |
   = op: %r = "kernel.segmap"(%n) <{level = 2 : i32, vector = 4 : i64}> ({...}) : (index) -> tensor<?xf32>
