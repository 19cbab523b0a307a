// run
// Parts of tensors as upstream writes them: windows with offsets, sizes and strides, on the host and at points, some with indices
// and sizes that only the run knows; inserted into other tensors.
// inputs: random:NxM; 2 where N = 3 4 37; M = 5 8 33
// numpy: def run():
// numpy:     s = a[1:3, ::2][:, :2] + np.int32(1)
// numpy:     c = a.copy()
// numpy:     c[1:3, 0:4:2] = s
// numpy:     rows = a[:, 1:1 + 2 * b:2]
// numpy:     d = a.copy()
// numpy:     d[:, 2:4] = a[:, 0:2]
// numpy:     return c, rows.sum(axis=1, dtype=np.int32), d, a[2]
// numpy: *run(),
// structure: kernel.segmap 3
// versions: kernel.segmap 3
// shapes: 2
func.func @main(%a: tensor<?x?xi32>, %b: index) -> (tensor<?x?xi32>, tensor<?xi32>, tensor<?x?xi32>, tensor<?xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xi32>
  %m = tensor.dim %a, %c1 : tensor<?x?xi32>
  %w = tensor.extract_slice %a[1, 0] [2, %b] [1, 2] : tensor<?x?xi32> to tensor<2x?xi32>
  %s = kernel.segmap thread (%i < %c2, %j < %b) -> (tensor<2x?xi32>) {
    %x = tensor.extract %w[%i, %j] : tensor<2x?xi32>
    %y = arith.addi %x, %one : i32
    kernel.return %y : i32
  }
  %c = tensor.insert_slice %s into %a[1, 0] [2, %b] [1, 2] : tensor<2x?xi32> into tensor<?x?xi32>
  %sums = kernel.segmap thread (%i < %n) -> (tensor<?xi32>) {
    %row = tensor.extract_slice %a[%i, 1] [1, %b] [1, 2] : tensor<?x?xi32> to tensor<?xi32>
    %sum = scf.for %k = %c0 to %b step %c1 iter_args(%r = %zero) -> (i32) {
      %x = tensor.extract %row[%k] : tensor<?xi32>
      %t = arith.addi %r, %x : i32
      scf.yield %t : i32
    }
    kernel.return %sum : i32
  }
  %d = kernel.segmap thread (%i < %n) -> (tensor<?x?xi32>) {
    %row = tensor.extract_slice %a[%i, 0] [1, %m] [1, 1] : tensor<?x?xi32> to tensor<?xi32>
    %first = tensor.extract_slice %row[0] [2] [1] : tensor<?xi32> to tensor<2xi32>
    %moved = tensor.insert_slice %first into %row[2] [2] [1] : tensor<2xi32> into tensor<?xi32>
    kernel.return %moved : tensor<?xi32>
  }
  %third = tensor.extract_slice %a[2, 0] [1, %m] [1, 1] : tensor<?x?xi32> to tensor<?xi32>
  func.return %c, %sums, %d, %third : tensor<?x?xi32>, tensor<?xi32>, tensor<?x?xi32>, tensor<?xi32>
}
