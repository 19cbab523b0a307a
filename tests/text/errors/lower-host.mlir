// errors: builtin.module(lower-to-gpu)
// Copies on the host that no pass has made nests of.
func.func @main(%t: tensor<?x?xf32>, %a: index, %x: f32) -> (tensor<?xf32>, tensor<?x?xf32>) {
  %c1 = arith.constant 1 : index
  %columns = tensor.dim %t, %c1 : tensor<?x?xf32>
  %row = tensor.extract_slice %t[%a, 0] [1, %columns] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
  %u = tensor.insert %x into %row[%a] : tensor<?xf32>
  %v = tensor.insert_slice %u into %t[%a, 0] [1, %columns] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
  func.return %u, %v : tensor<?xf32>, tensor<?x?xf32>
}
// ===== expected
input:6:10: error: 'tensor.extract_slice' op copies on the host: `expand-windows` makes it a nest
  |
6 |   %row = tensor.extract_slice %t[%a, 0] [1, %columns] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
  |          ^^^^^^^^^^^^^^^^^^^^
  |
  = op: %row = tensor.extract_slice %t[%a, 0] [1, %columns] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
input:7:8: error: 'tensor.insert' op copies on the host: `expand-windows` makes it a nest
  |
7 |   %u = tensor.insert %x into %row[%a] : tensor<?xf32>
  |        ^^^^^^^^^^^^^
  |
  = op: %u = "tensor.insert"(%x, %row, %a) : (f32, tensor<?xf32>, index) -> tensor<?xf32>
input:8:8: error: 'tensor.insert_slice' op copies on the host: `expand-windows` makes it a nest
  |
8 |   %v = tensor.insert_slice %u into %t[%a, 0] [1, %columns] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
  |        ^^^^^^^^^^^^^^^^^^^
  |
  = op: %v = tensor.insert_slice %u into %t[%a, 0] [1, %columns] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
