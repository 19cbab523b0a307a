// run
// Windows at leading indices that are a part of what lies behind them: read and replaced at points and on the host. Whole rows are
// parts of memory as they are, these are not.
// inputs: random:NxMxK; B where N = 2 3 37; M = 1 4; K = 3 8; B = 0 1 3
// given: one of the rows of rows is replaced, so there is one
// numpy: def run():
// numpy:     n, m, k = a.shape
// numpy:     by = np.arange(m * b, dtype=np.int32).reshape(m, b)
// numpy:     sums = (a[:, :, :b] * by).sum(axis=(1, 2), dtype=np.int32)
// numpy:     c = a.copy()
// numpy:     c[:, 0, :b] = a[:, m - 1, :b] + np.int32(1)
// numpy:     d = a.copy()
// numpy:     d[n - 1, :, :b] = a[0, :, :b]
// numpy:     return sums, c, d
// numpy: *run(),
// structure: kernel.segmap 2
// versions: kernel.segmap 2
func.func @main(%a: tensor<?x?x?xi32>, %b: index) -> (tensor<?xi32>, tensor<?x?x?xi32>, tensor<?x?x?xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %a, %c0 : tensor<?x?x?xi32>
  %m = tensor.dim %a, %c1 : tensor<?x?x?xi32>
  %k = tensor.dim %a, %c2 : tensor<?x?x?xi32>
  %last = arith.subi %m, %c1 : index
  %sums = kernel.segmap thread (%i < %n) -> (tensor<?xi32>) {
    %part = tensor.extract_slice %a[%i, 0, 0] [1, %m, %b] [1, 1, 1] : tensor<?x?x?xi32> to tensor<?x?xi32>
    %sum = scf.for %p = %c0 to %m step %c1 iter_args(%r = %zero) -> (i32) {
      %row = scf.for %q = %c0 to %b step %c1 iter_args(%s = %r) -> (i32) {
        %x = tensor.extract %part[%p, %q] : tensor<?x?xi32>
        %f = arith.muli %p, %b : index
        %g = arith.addi %f, %q : index
        %by = arith.index_cast %g : index to i32
        %y = arith.muli %x, %by : i32
        %t = arith.addi %s, %y : i32
        scf.yield %t : i32
      }
      scf.yield %row : i32
    }
    kernel.return %sum : i32
  }
  %c = kernel.segmap thread (%i < %n) -> (tensor<?x?x?xi32>) {
    %own = tensor.extract_slice %a[%i, 0, 0] [1, %m, %k] [1, 1, 1] : tensor<?x?x?xi32> to tensor<?x?xi32>
    %row = tensor.extract_slice %own[%last, 0] [1, %b] [1, 1] : tensor<?x?xi32> to tensor<?xi32>
    %none = tensor.empty(%b) : tensor<?xi32>
    %more = scf.for %q = %c0 to %b step %c1 iter_args(%s = %none) -> (tensor<?xi32>) {
      %x = tensor.extract %row[%q] : tensor<?xi32>
      %y = arith.addi %x, %one : i32
      %t = tensor.insert %y into %s[%q] : tensor<?xi32>
      scf.yield %t : tensor<?xi32>
    }
    %new = tensor.insert_slice %more into %own[%c0, 0] [1, %b] [1, 1] : tensor<?xi32> into tensor<?x?xi32>
    kernel.return %new : tensor<?x?xi32>
  }
  %first = tensor.extract_slice %a[%c0, 0, 0] [1, %m, %b] [1, 1, 1] : tensor<?x?x?xi32> to tensor<?x?xi32>
  %end = arith.subi %n, %c1 : index
  %d = tensor.insert_slice %first into %a[%end, 0, 0] [1, %m, %b] [1, 1, 1] : tensor<?x?xi32> into tensor<?x?x?xi32>
  func.return %sums, %c, %d : tensor<?xi32>, tensor<?x?x?xi32>, tensor<?x?x?xi32>
}
