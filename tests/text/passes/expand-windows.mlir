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
    %true = arith.constant true
    %c8 = arith.constant 8 : index
    %rows = tensor.dim %t, %c0 : tensor<?x?xf32>
    %columns = tensor.dim %t, %c1 : tensor<?x?xf32>
    %0 = kernel.segmap thread (%arg0 < %n, %arg1 < %m) -> (tensor<?x?xf32>) {
      %8 = arith.addi %a, %arg0 : index
      %9 = arith.muli %arg1, %c2 : index
      %10 = tensor.extract %t[%8, %9] {kernel.checked} : tensor<?x?xf32>
      kernel.return %10 : f32
    }
    %1 = check.require %true, %n else %c0 : index, index, "a window of {0} elements cannot take a part of {1}"(%n, %n : index, index)
    %2 = check.require %true, %m else %c0 : index, index, "a window of {0} elements cannot take a part of {1}"(%m, %m : index, index)
    %3 = arith.muli %n, %m : index
    %4 = kernel.scatter thread (%arg0 < %3) into (%t : tensor<?x?xf32>) -> (tensor<?x?xf32>) {
      %8 = arith.divui %arg0, %m : index
      %9 = arith.remui %arg0, %m : index
      %10 = arith.cmpi ult, %8, %rows : index
      %11 = check.require %10, %8 else %c0 : index, index, "index {0} of dimension 0 is out of range for an extent of {1}"(%8, %rows : index, index)
      %12 = arith.cmpi ult, %9, %columns : index
      %13 = check.require %12, %9 else %c0 : index, index, "index {0} of dimension 1 is out of range for an extent of {1}"(%9, %columns : index, index)
      %14 = tensor.extract %0[%8, %9] : tensor<?x?xf32>
      kernel.return %11, %13, %14 : index, index, f32
    }
    %first = kernel.segmap thread (%i < %rows) -> (tensor<?xf32>) {
      %row = tensor.extract_slice %t[%i, 0] [1, %columns] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
      %8 = tensor.empty(%m) : tensor<?xf32>
      %9 = scf.for %arg0 = %c0 to %m step %c1 iter_args(%arg1 = %8) -> (tensor<?xf32>) {
        %10 = arith.addi %a, %arg0 : index
        %11 = tensor.extract %row[%10] {kernel.checked} : tensor<?xf32>
        %12 = tensor.insert %11 into %arg1[%arg0] : tensor<?xf32>
        scf.yield %12 : tensor<?xf32>
      }
      %x = tensor.extract %9[%c0] : tensor<?xf32>
      kernel.return %x : f32
    }
    %5 = tensor.dim %u, %c0 : tensor<?x8xf32>
    %6 = tensor.from_elements %5, %c8 : tensor<2xindex>
    %7 = tensor.reshape %u(%6) : (tensor<?x8xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    func.return %4, %first, %0, %7 : tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
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
