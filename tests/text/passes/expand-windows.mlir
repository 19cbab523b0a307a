// pass: builtin.module(expand-windows,canonicalize,cse,dce)
// Windows on the host and at points become nests over their elements; whole rows stay; a cast that says nothing new is a reshape.
func.func @main(%t: tensor<?x?xf32>, %u: tensor<?x8xf32>, %a: index, %n: index, %m: index) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %t, %c0 : tensor<?x?xf32>
  %columns = tensor.dim %t, %c1 : tensor<?x?xf32>
  %w = tensor.extract_slice %t[%a, 0] [%n, %m] [1, 2] : tensor<?x?xf32> to tensor<?x?xf32>
  %v = tensor.insert_slice %w into %t[0, 0] [%n, %m] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
  %first = kernel.segmap thread (%i < %rows) -> (tensor<?xf32>) {
    %row = tensor.extract_slice %t[%i, 0] [1, %columns] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
    %part = tensor.extract_slice %row[%a] [%m] [1] : tensor<?xf32> to tensor<?xf32>
    %x = tensor.extract %part[%c0] : tensor<?xf32>
    kernel.return %x : f32
  }
  %same = tensor.cast %u : tensor<?x8xf32> to tensor<?x?xf32>
  func.return %v, %first, %w, %same : tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}
// -----
// On the host whole rows become nests, too, and an element that is replaced a scatter of one; what may be out of range is checked.
func.func @host(%t: tensor<?x?xf32>, %a: index, %x: f32) -> (tensor<?xf32>, tensor<?x?xf32>) {
  %c1 = arith.constant 1 : index
  %columns = tensor.dim %t, %c1 : tensor<?x?xf32>
  %row = tensor.extract_slice %t[%a, 0] [1, %columns] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
  %u = tensor.insert %x into %row[%a] {kernel.checked} : tensor<?xf32>
  %v = tensor.insert_slice %u into %t[%a, 0] [1, %columns] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
  func.return %u, %v : tensor<?xf32>, tensor<?x?xf32>
}
// ===== expected
builtin.module {
  func.func @main(%t: tensor<?x?xf32>, %u: tensor<?x8xf32>, %a: index, %n: index, %m: index) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %rows = tensor.dim %t, %c0 : tensor<?x?xf32>
    %columns = tensor.dim %t, %c1 : tensor<?x?xf32>
    %0 = kernel.segmap thread (%arg0 < %n, %arg1 < %m) -> (tensor<?x?xf32>) {
      %6 = arith.addi %a, %arg0 : index
      %7 = arith.muli %arg1, %c2 : index
      %8 = tensor.extract %t[%6, %7] {kernel.checked} : tensor<?x?xf32>
      kernel.return %8 : f32
    }
    %1 = arith.muli %n, %m : index
    %2 = kernel.scatter thread (%arg0 < %1) into (%t : tensor<?x?xf32>) -> (tensor<?x?xf32>) {
      %6 = arith.divui %arg0, %m : index
      %7 = arith.remui %arg0, %m : index
      %8 = arith.cmpi ult, %6, %rows : index
      %9 = check.require %8, %6 else %c0 : index, index, "index {0} of dimension 0 is out of range for an extent of {1}"(%6, %rows : index, index)
      %10 = arith.cmpi ult, %7, %columns : index
      %11 = check.require %10, %7 else %c0 : index, index, "index {0} of dimension 1 is out of range for an extent of {1}"(%7, %columns : index, index)
      %12 = tensor.extract %0[%6, %7] : tensor<?x?xf32>
      kernel.return %9, %11, %12 : index, index, f32
    }
    %first = kernel.segmap thread (%i < %rows) -> (tensor<?xf32>) {
      %row = tensor.extract_slice %t[%i, 0] [1, %columns] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
      %6 = tensor.empty(%m) : tensor<?xf32>
      %7 = scf.for %arg0 = %c0 to %m step %c1 iter_args(%arg1 = %6) -> (tensor<?xf32>) {
        %8 = arith.addi %a, %arg0 : index
        %9 = tensor.extract %row[%8] {kernel.checked} : tensor<?xf32>
        %10 = tensor.insert %9 into %arg1[%arg0] : tensor<?xf32>
        scf.yield %10 : tensor<?xf32>
      }
      %x = tensor.extract %7[%c0] : tensor<?xf32>
      kernel.return %x : f32
    }
    %3 = tensor.dim %u, %c0 : tensor<?x8xf32>
    %4 = tensor.from_elements %3, %c8 : tensor<2xindex>
    %5 = tensor.reshape %u(%4) : (tensor<?x8xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    func.return %2, %first, %0, %5 : tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
  }
  func.func @host(%t: tensor<?x?xf32>, %a: index, %x: f32) -> (tensor<?xf32>, tensor<?x?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %columns = tensor.dim %t, %c1 : tensor<?x?xf32>
    %0 = kernel.segmap thread (%arg0 < %columns) -> (tensor<?xf32>) {
      %3 = tensor.extract %t[%a, %arg0] : tensor<?x?xf32>
      kernel.return %3 : f32
    }
    %1 = kernel.scatter thread (%arg0 < %c1) into (%0 : tensor<?xf32>) -> (tensor<?xf32>) {
      %3 = arith.cmpi ult, %a, %columns : index
      %4 = check.require %3, %a else %c0 : index, index, "index {0} is out of range for an array of {1}"(%a, %columns : index, index)
      kernel.return %4, %x : index, f32
    }
    %2 = kernel.scatter thread (%arg0 < %columns) into (%t : tensor<?x?xf32>) -> (tensor<?x?xf32>) {
      %3 = tensor.extract %1[%arg0] : tensor<?xf32>
      kernel.return %a, %arg0, %3 : index, index, f32
    }
    func.return %1, %2 : tensor<?xf32>, tensor<?x?xf32>
  }
}
