// round-trip
// A scatter whose points have two dimensions, all of them different and in range.
builtin.module {
  func.func @part(%n: index, %m: index, %ys: tensor<?x?xf32>, %x: f32) -> tensor<?x?xf32> {
    %two = arith.constant 2 : index
    %zs = kernel.scatter thread distinct points 2 (%i < %n, %j < %m) into (%ys : tensor<?x?xf32>) -> (tensor<?x?xf32>) {
      %k = arith.muli %j, %two : index
      kernel.return %i, %k, %x : index, index, f32
    }
    func.return %zs : tensor<?x?xf32>
  }
}
