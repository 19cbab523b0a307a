// errors: builtin.module(func.func(bound-arrays,choose-mapping),lower-to-gpu)
// Rows that points return have one size, which is known before they run: rows as long as an element says are refused.
func.func @main(%ns: tensor<?xindex>, %b: index) -> tensor<?x?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = kernel.segmap thread (%i < %b) -> (tensor<?x?xindex>) {
    %n = tensor.extract %ns[%i] : tensor<?xindex>
    %s = tensor.empty(%n) : tensor<?xindex>
    %row = scf.for %j = %c0 to %n step %c1 iter_args(%t = %s) -> (tensor<?xindex>) {
      %u = tensor.insert %j into %t[%j] : tensor<?xindex>
      scf.yield %u : tensor<?xindex>
    }
    kernel.return %row : tensor<?xindex>
  }
  func.return %r : tensor<?x?xindex>
}
// ===== expected
input:6:8: error: 'kernel.segmap' op returns rows whose extent each point decides: an array has rows of one size, known before its points run
  |
6 |   %r = kernel.segmap thread (%i < %b) -> (tensor<?x?xindex>) {
  |        ^^^^^^^^^^^^^
  |
  = op: %r = "kernel.segmap"(%b) <{level = 2 : i32}> ({...}) : (index) -> memref<?x?xindex>
