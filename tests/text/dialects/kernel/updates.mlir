// round-trip
// Scatters and histograms, segmented and not, with forms; an exclusive scan.
builtin.module {
  func.func @updates(%is: tensor<?x?xindex>, %vs: tensor<?x?xf32>, %xs: tensor<?x?xf32>, %n: index, %m: index) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
    %zero = arith.constant 0.000000e+00 : f32
    %a = kernel.scatter thread (%i < %n, %j < %m) into (%xs : tensor<?x?xf32>) -> (tensor<?x?xf32>) {
      %at = tensor.extract %is[%i, %j] : tensor<?x?xindex>
      %v = tensor.extract %vs[%i, %j] : tensor<?x?xf32>
      kernel.return %at, %v : index, f32
    }
    %b = kernel.seghist block (%i < %n) into (%a : tensor<?x?xf32>) init (%zero : f32) -> (tensor<?x?xf32>) {
      %at = tensor.extract %is[%i, %i] : tensor<?x?xindex>
      kernel.return %at, %i, %zero : index, index, f32
    } combine (%u, %v) {
      %s = arith.addf %u, %v : f32
      kernel.return %s : f32
    }
    %c = kernel.segscan thread exclusive (%i < %n, %j < %m) init (%zero : f32) -> (tensor<?x?xf32>) {
      %x = tensor.extract %b[%i, %j] : tensor<?x?xf32>
      kernel.return %x : f32
    } combine (%u, %v) {
      %s = arith.addf %u, %v : f32
      kernel.return %s : f32
    }
    %d = kernel.seghist thread form shared capacity 512 (%i < %n) into (%c : tensor<?x?xf32>) init (%zero : f32) -> (tensor<?x?xf32>) {
      kernel.return %i, %i, %zero : index, index, f32
    } combine (%u, %v) {
      %s = arith.addf %u, %v : f32
      kernel.return %s : f32
    }
    %e = kernel.seghist thread form atomics (%i < %n) into (%d : tensor<?x?xf32>) init (%zero : f32) -> (tensor<?x?xf32>) {
      kernel.return %i, %i, %zero : index, index, f32
    } combine (%u, %v) {
      %s = arith.addf %u, %v : f32
      kernel.return %s : f32
    }
    func.return %a, %b, %e : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
  }
}
