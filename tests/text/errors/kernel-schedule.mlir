// errors
// Schedules that no nest can have: steps and numbers that are wrong, with their place.
  func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = tensor.dim %a, %c0 : tensor<?x?xf32>
    %u = tensor.dim %a, %c1 : tensor<?x?xf32>
    %n = tensor.dim %b, %c1 : tensor<?x?xf32>
    %c = kernel.segmap thread (%i < %m, %j < %n) schedule #kernel.schedule<stripmin [64, 64]> -> (tensor<?x?xf32>) {
      %0 = scf.for %k = %c0 to %u step %c1 iter_args(%acc = %zero) -> (f32) {
        %x = tensor.extract %a[%i, %k] : tensor<?x?xf32>
        %y = tensor.extract %b[%k, %j] : tensor<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %next = arith.addf %acc, %p : f32
        scf.yield %next : f32
      }
      kernel.return %0 : f32
    }
    func.return %c : tensor<?x?xf32>
  }
// -----
  func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = tensor.dim %a, %c0 : tensor<?x?xf32>
    %u = tensor.dim %a, %c1 : tensor<?x?xf32>
    %n = tensor.dim %b, %c1 : tensor<?x?xf32>
    %c = kernel.segmap thread (%i < %m, %j < %n) schedule #kernel.schedule<stripmine [64, 64, chunk 8> -> (tensor<?x?xf32>) {
      %0 = scf.for %k = %c0 to %u step %c1 iter_args(%acc = %zero) -> (f32) {
        %x = tensor.extract %a[%i, %k] : tensor<?x?xf32>
        %y = tensor.extract %b[%k, %j] : tensor<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %next = arith.addf %acc, %p : f32
        scf.yield %next : f32
      }
      kernel.return %0 : f32
    }
    func.return %c : tensor<?x?xf32>
  }
// -----
  func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = tensor.dim %a, %c0 : tensor<?x?xf32>
    %u = tensor.dim %a, %c1 : tensor<?x?xf32>
    %n = tensor.dim %b, %c1 : tensor<?x?xf32>
    %c = kernel.segmap thread (%i < %m, %j < %n) schedule #kernel.schedule<stripmine [40, 40], chunk 8> -> (tensor<?x?xf32>) {
      %0 = scf.for %k = %c0 to %u step %c1 iter_args(%acc = %zero) -> (f32) {
        %x = tensor.extract %a[%i, %k] : tensor<?x?xf32>
        %y = tensor.extract %b[%k, %j] : tensor<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %next = arith.addf %acc, %p : f32
        scf.yield %next : f32
      }
      kernel.return %0 : f32
    }
    func.return %c : tensor<?x?xf32>
  }
// -----
  func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = tensor.dim %a, %c0 : tensor<?x?xf32>
    %u = tensor.dim %a, %c1 : tensor<?x?xf32>
    %n = tensor.dim %b, %c1 : tensor<?x?xf32>
    %c = kernel.segmap thread (%i < %m, %j < %n) schedule #kernel.schedule<stripmine [64, 64] registers [3, 4]> -> (tensor<?x?xf32>) {
      %0 = scf.for %k = %c0 to %u step %c1 iter_args(%acc = %zero) -> (f32) {
        %x = tensor.extract %a[%i, %k] : tensor<?x?xf32>
        %y = tensor.extract %b[%k, %j] : tensor<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %next = arith.addf %acc, %p : f32
        scf.yield %next : f32
      }
      kernel.return %0 : f32
    }
    func.return %c : tensor<?x?xf32>
  }
// -----
  func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = tensor.dim %a, %c0 : tensor<?x?xf32>
    %u = tensor.dim %a, %c1 : tensor<?x?xf32>
    %n = tensor.dim %b, %c1 : tensor<?x?xf32>
    %c = kernel.segmap thread (%i < %m, %j < %n) schedule #kernel.schedule<chunk 8, interchange, distribute> -> (tensor<?x?xf32>) {
      %0 = scf.for %k = %c0 to %u step %c1 iter_args(%acc = %zero) -> (f32) {
        %x = tensor.extract %a[%i, %k] : tensor<?x?xf32>
        %y = tensor.extract %b[%k, %j] : tensor<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %next = arith.addf %acc, %p : f32
        scf.yield %next : f32
      }
      kernel.return %0 : f32
    }
    func.return %c : tensor<?x?xf32>
  }
// -----
  func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = tensor.dim %a, %c0 : tensor<?x?xf32>
    %u = tensor.dim %a, %c1 : tensor<?x?xf32>
    %n = tensor.dim %b, %c1 : tensor<?x?xf32>
    %c = kernel.segmap thread (%i < %m, %j < %n) schedule #kernel.schedule<chunk 8, distribute, chunk 8> -> (tensor<?x?xf32>) {
      %0 = scf.for %k = %c0 to %u step %c1 iter_args(%acc = %zero) -> (f32) {
        %x = tensor.extract %a[%i, %k] : tensor<?x?xf32>
        %y = tensor.extract %b[%k, %j] : tensor<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %next = arith.addf %acc, %p : f32
        scf.yield %next : f32
      }
      kernel.return %0 : f32
    }
    func.return %c : tensor<?x?xf32>
  }
// -----
  func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = tensor.dim %a, %c0 : tensor<?x?xf32>
    %u = tensor.dim %a, %c1 : tensor<?x?xf32>
    %n = tensor.dim %b, %c1 : tensor<?x?xf32>
    %c = kernel.segmap thread (%i < %m, %j < %n) schedule #kernel.schedule<stripmine [2, 4, 8], chunk 8> -> (tensor<?x?xf32>) {
      %0 = scf.for %k = %c0 to %u step %c1 iter_args(%acc = %zero) -> (f32) {
        %x = tensor.extract %a[%i, %k] : tensor<?x?xf32>
        %y = tensor.extract %b[%k, %j] : tensor<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %next = arith.addf %acc, %p : f32
        scf.yield %next : f32
      }
      kernel.return %0 : f32
    }
    func.return %c : tensor<?x?xf32>
  }
// -----
  func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = tensor.dim %a, %c0 : tensor<?x?xf32>
    %u = tensor.dim %a, %c1 : tensor<?x?xf32>
    %n = tensor.dim %b, %c1 : tensor<?x?xf32>
    %c = kernel.segmap block (%i < %m, %j < %n) schedule #kernel.schedule<chunk 8> -> (tensor<?x?xf32>) {
      %0 = scf.for %k = %c0 to %u step %c1 iter_args(%acc = %zero) -> (f32) {
        %x = tensor.extract %a[%i, %k] : tensor<?x?xf32>
        %y = tensor.extract %b[%k, %j] : tensor<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %next = arith.addf %acc, %p : f32
        scf.yield %next : f32
      }
      kernel.return %0 : f32
    }
    func.return %c : tensor<?x?xf32>
  }
// -----
  func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = tensor.dim %a, %c0 : tensor<?x?xf32>
    %u = tensor.dim %a, %c1 : tensor<?x?xf32>
    %n = tensor.dim %b, %c1 : tensor<?x?xf32>
    %c = kernel.segmap thread (%i < %m, %j < %n) mapping #kernel.mapping<GridBlock(1, SplitLast(32, FoldLast2(ShiftLB(Gen))))> schedule #kernel.schedule<chunk 8> -> (tensor<?x?xf32>) {
      %0 = scf.for %k = %c0 to %u step %c1 iter_args(%acc = %zero) -> (f32) {
        %x = tensor.extract %a[%i, %k] : tensor<?x?xf32>
        %y = tensor.extract %b[%k, %j] : tensor<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %next = arith.addf %acc, %p : f32
        scf.yield %next : f32
      }
      kernel.return %0 : f32
    }
    func.return %c : tensor<?x?xf32>
  }
// ===== expected
input:10:76: error: the schedule: unknown step `stripmin`, did you mean `stripmine`?
   |
10 |     %c = kernel.segmap thread (%i < %m, %j < %n) schedule #kernel.schedule<stripmin [64, 64]> -> (tensor<?x?xf32>) {
   |                                                                            ^^^^^^^^
input:30:95: error: the schedule: expected a list entry, a number, found `chunk`
   |
30 |     %c = kernel.segmap thread (%i < %m, %j < %n) schedule #kernel.schedule<stripmine [64, 64, chunk 8> -> (tensor<?x?xf32>) {
   |                                                                                               ^^^^^
input:50:76: error: the schedule: `stripmine`: a block of 1600 threads: it can have from 1 to 1024
   |
50 |     %c = kernel.segmap thread (%i < %m, %j < %n) schedule #kernel.schedule<stripmine [40, 40], chunk 8> -> (tensor<?x?xf32>) {
   |                                                                            ^^^^^^^^^
input:70:76: error: the schedule: `stripmine`: points of a thread: 3 does not divide 64
   |
70 |     %c = kernel.segmap thread (%i < %m, %j < %n) schedule #kernel.schedule<stripmine [64, 64] registers [3, 4]> -> (tensor<?x?xf32>) {
   |                                                                            ^^^^^^^^^
input:90:85: error: the schedule: `interchange` needs `distribute` before it
   |
90 |     %c = kernel.segmap thread (%i < %m, %j < %n) schedule #kernel.schedule<chunk 8, interchange, distribute> -> (tensor<?x?xf32>) {
   |                                                                                     ^^^^^^^^^^^
input:110:97: error: the schedule: `chunk` stands here a second time
    |
110 |     %c = kernel.segmap thread (%i < %m, %j < %n) schedule #kernel.schedule<chunk 8, distribute, chunk 8> -> (tensor<?x?xf32>) {
    |                                                                                                 ^^^^^
input:130:10: error: 'kernel.segmap' op attribute `schedule`: tiles of 3 dimensions for a space of 2
    |
130 |     %c = kernel.segmap thread (%i < %m, %j < %n) schedule #kernel.schedule<stripmine [2, 4, 8], chunk 8> -> (tensor<?x?xf32>) {
    |          ^^^^^^^^^^^^^
    |
    = op: %c = "kernel.segmap"(%m, %n) <{level = 2 : i32, schedule = #kernel.schedule<stripmine [2, 4, 8], chunk 8>}> ({...}) : (index, index) -> tensor<?x?xf32>
input:150:10: error: 'kernel.segmap' op has a schedule, so it must be of level `thread` and inside of no other segmented op
    |
150 |     %c = kernel.segmap block (%i < %m, %j < %n) schedule #kernel.schedule<chunk 8> -> (tensor<?x?xf32>) {
    |          ^^^^^^^^^^^^^
    |
    = op: %c = "kernel.segmap"(%m, %n) <{level = 1 : i32, schedule = #kernel.schedule<chunk 8>}> ({...}) : (index, index) -> tensor<?x?xf32>
input:170:10: error: 'kernel.segmap' op has a schedule, which says what thread blocks run; attribute `mapping` has no place
    |
170 |     %c = kernel.segmap thread (%i < %m, %j < %n) mapping #kernel.mapping<GridBlock(1, SplitLast(32, FoldLast2(ShiftLB(Gen))))> sche...
    |          ^^^^^^^^^^^^^
    |
    = op: %c = "kernel.segmap"(%m, %n) <{level = 2 : i32, mapping = #kernel.mapping<GridBlock(1, SplitLast(32, FoldLast2(ShiftLB(Gen))))>, schedule = #kernel.schedule<chunk 8>}> ({...}) : (index, index) -> tensor<?x?xf32>
