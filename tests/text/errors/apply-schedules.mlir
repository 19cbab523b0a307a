// errors: builtin.module(apply-schedules)
// Steps that a nest refuses: which step, why, and the nest.
  func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = tensor.dim %a, %c0 : tensor<?x?xf32>
    %u = tensor.dim %a, %c1 : tensor<?x?xf32>
    %n = tensor.dim %b, %c1 : tensor<?x?xf32>
    %c = kernel.segmap thread (%i < %m, %j < %n) schedule #kernel.schedule<stripmine [4, 8], chunk 8, distribute, interchange> -> (tensor<?x?xf32>) {
      %0 = scf.for %k = %c0 to %i step %c1 iter_args(%acc = %zero) -> (f32) {
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
    %c = kernel.segmap thread (%i < %m, %j < %n) schedule #kernel.schedule<stripmine [4, 8], chunk 8> -> (tensor<?x?xf32>) {
      %0 = scf.for %k = %c1 to %u step %c1 iter_args(%acc = %zero) -> (f32) {
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
    %c = kernel.segmap thread (%i < %m, %j < %n) schedule #kernel.schedule<stripmine [64, 64] registers [4, 4], chunk 64, distribute, interchange, stage, pipeline 8> -> (tensor<?x?xf32>) {
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
    %c = kernel.segmap thread (%i < %m, %j < %n) schedule #kernel.schedule<stripmine [64, 64] registers [4, 4], chunk 16, distribute, interchange, stage, contract> -> (tensor<?x?xf32>) {
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
input:11:12: error: 'scf.for' op stops step 4 of the schedule, `interchange`: the nest has a loop whose bounds differ between points
   |
11 |       %0 = scf.for %k = %c0 to %i step %c1 iter_args(%acc = %zero) -> (f32) {
   |            ^^^^^^^
   |
   = op: %20 = "scf.for"(%c0_4, %18, %c1_5, %19) ({...}) : (index, index, index, f32) -> f32
input:10:10: note: the nest with the schedule
   |
10 |     %c = kernel.segmap thread (%i < %m, %j < %n) schedule #kernel.schedule<stripmine [4, 8], chunk 8, distribute, interchange> -> (t...
   |          ^^^^^^^^^^^^^
input:31:12: error: 'scf.for' op stops step 2 of the schedule, `chunk 8`: the nest has a loop that does not count from 0 by ones
   |
31 |       %0 = scf.for %k = %c1 to %u step %c1 iter_args(%acc = %zero) -> (f32) {
   |            ^^^^^^^
   |
   = op: %15 = "scf.for"(%c1, %u, %c1, %zero) ({...}) : (index, index, index, f32) -> f32
input:30:10: note: the nest with the schedule
   |
30 |     %c = kernel.segmap thread (%i < %m, %j < %n) schedule #kernel.schedule<stripmine [4, 8], chunk 8> -> (tensor<?x?xf32>) {
   |          ^^^^^^^^^^^^^
input:50:10: error: 'scf.for' op stops step 6 of the schedule, `pipeline 8`: the nest has a loop that copies more than shared memory holds so often
   |
50 |     %c = kernel.segmap thread (%i < %m, %j < %n) schedule #kernel.schedule<stripmine [64, 64] registers [4, 4], chunk 64, distribute...
   |          ^^^^^^^^^^^^^
   |
   = op: %12 = "scf.for"(%c0_6, %11, %c1_7, %8) ({...}) : (index, index, index, tensor<64x64xf32>) -> tensor<64x64xf32>
input:50:10: note: the nest with the schedule
   |
50 |     %c = kernel.segmap thread (%i < %m, %j < %n) schedule #kernel.schedule<stripmine [64, 64] registers [4, 4], chunk 64, distribute...
   |          ^^^^^^^^^^^^^
input:70:10: error: 'kernel.segmap' op stops step 6 of the schedule, `contract`: the nest has no sums of products that suit tensor cores
   |
70 |     %c = kernel.segmap thread (%i < %m, %j < %n) schedule #kernel.schedule<stripmine [64, 64] registers [4, 4], chunk 16, distribute...
   |          ^^^^^^^^^^^^^
   |
   = op: %6 = "kernel.segmap"(%1, %4) <{level = 1 : i32}> ({...}) : (index, index) -> tensor<?x?x64x64xf32>
input:70:10: note: the nest with the schedule
   |
70 |     %c = kernel.segmap thread (%i < %m, %j < %n) schedule #kernel.schedule<stripmine [64, 64] registers [4, 4], chunk 16, distribute...
   |          ^^^^^^^^^^^^^
