// pass: builtin.module(rows-in-blocks,canonicalize,cse,dce)
// Three ops along the same rows become one kernel; the length is a constant, so nothing is decided when it runs. Code that is
// between them stays in the block, and what others need is returned.
func.func @rows(%xs: tensor<?x128xf32>, %n: index) -> (tensor<?x128xf32>, tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %m = arith.constant 128 : index
  %sums, %squares = kernel.segred thread (%i < %n, %j < %m) init (%zero : f32) -> (tensor<?xf32>, tensor<?x128xf32>) {
    %x = tensor.extract %xs[%i, %j] : tensor<?x128xf32>
    %square = arith.mulf %x, %x : f32
    kernel.return %x, %square : f32, f32
  } combine (%a, %b) {
    %s = arith.addf %a, %b : f32
    kernel.return %s : f32
  }
  %two = arith.constant 2.0 : f32
  %halves = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
    %sum = tensor.extract %sums[%i] : tensor<?xf32>
    %half = arith.divf %sum, %two : f32
    kernel.return %half : f32
  }
  %ys = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x128xf32>) {
    %square = tensor.extract %squares[%i, %j] : tensor<?x128xf32>
    %half = tensor.extract %halves[%i] : tensor<?xf32>
    %y = arith.divf %square, %half : f32
    kernel.return %y : f32
  }
  func.return %ys, %halves : tensor<?x128xf32>, tensor<?xf32>
}
// Neighbours of other rows are read: no row is a thread block's own.
func.func @stencil(%xs: tensor<?x128xf32>, %n: index) -> tensor<?x128xf32> {
  %zero = arith.constant 0.0 : f32
  %m = arith.constant 128 : index
  %none = arith.constant 0 : index
  %sums = kernel.segred thread (%i < %n, %j < %m) init (%zero : f32) -> (tensor<?xf32>) {
    %x = tensor.extract %xs[%i, %j] : tensor<?x128xf32>
    kernel.return %x : f32
  } combine (%a, %b) {
    %s = arith.addf %a, %b : f32
    kernel.return %s : f32
  }
  %ys = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x128xf32>) {
    %first = tensor.extract %sums[%none] : tensor<?xf32>
    kernel.return %first : f32
  }
  func.return %ys : tensor<?x128xf32>
}
// ===== expected
builtin.module {
  func.func @rows(%xs: tensor<?x128xf32>, %n: index) -> (tensor<?x128xf32>, tensor<?xf32>) {
    %zero = arith.constant 0.000000e+00 : f32
    %m = arith.constant 128 : index
    %two = arith.constant 2.000000e+00 : f32
    %0:2 = kernel.segmap block (%arg0 < %n) -> (tensor<?xf32>, tensor<?x128xf32>) {
      %1:2 = kernel.segred thread (%arg1 < %m) init (%zero : f32) -> (f32, tensor<128xf32>) {
        %x = tensor.extract %xs[%arg0, %arg1] : tensor<?x128xf32>
        %square = arith.mulf %x, %x : f32
        kernel.return %x, %square : f32, f32
      } combine (%arg1, %arg2) {
        %s = arith.addf %arg1, %arg2 : f32
        kernel.return %s : f32
      }
      %2 = kernel.segmap thread () -> (f32) {
        %half = arith.divf %1#0, %two : f32
        kernel.return %half : f32
      }
      %3 = kernel.segmap thread (%arg1 < %m) -> (tensor<128xf32>) {
        %4 = tensor.extract %1#1[%arg1] : tensor<128xf32>
        %y = arith.divf %4, %2 : f32
        kernel.return %y : f32
      }
      kernel.return %2, %3 : f32, tensor<128xf32>
    }
    func.return %0#1, %0#0 : tensor<?x128xf32>, tensor<?xf32>
  }
  func.func @stencil(%xs: tensor<?x128xf32>, %n: index) -> tensor<?x128xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %m = arith.constant 128 : index
    %none = arith.constant 0 : index
    %sums = kernel.segred thread (%i < %n, %j < %m) init (%zero : f32) -> (tensor<?xf32>) {
      %x = tensor.extract %xs[%i, %j] : tensor<?x128xf32>
      kernel.return %x : f32
    } combine (%a, %b) {
      %s = arith.addf %a, %b : f32
      kernel.return %s : f32
    }
    %ys = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x128xf32>) {
      %first = tensor.extract %sums[%none] : tensor<?xf32>
      kernel.return %first : f32
    }
    func.return %ys : tensor<?x128xf32>
  }
}
