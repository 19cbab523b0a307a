// round-trip
// A loop whose dimensions are mapped to units of a device.
builtin.module {
  func.func @mapped(%i: index, %t: tensor<4x8xf32>) -> tensor<4x8xf32> {
    scf.forall (%k, %l) = (%i, 1) to (16, %i) step (1, %i) {
    } {mapping = [#gpu.block<y>, #gpu.block<x>]}
    %0 = scf.forall (%k) in (4) shared_outs(%o = %t) -> (tensor<4x8xf32>) {
      scf.forall.in_parallel {
      }
    } {mapping = [#gpu.thread<x>], test.note = 1 : i64}
    func.return %0 : tensor<4x8xf32>
  }
}
