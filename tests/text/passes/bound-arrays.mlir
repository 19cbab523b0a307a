// pass: builtin.module(func.func(bound-arrays))
// Lists of points that are as long as their elements say: the longest one is found first, by a thread for each point. The extent of
// the second list is at most that of a list there is, whatever the branch takes.
func.func @by_threads(%ns: tensor<?xindex>, %xs: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %b = tensor.dim %ns, %c0 : tensor<?xindex>
  %m = tensor.dim %xs, %c1 : tensor<?x?xf32>
  %r = kernel.segmap thread (%i < %b) -> (tensor<?xf32>) {
    %n = tensor.extract %ns[%i] : tensor<?xindex>
    %t = tensor.empty(%n) : tensor<?xf32>
    %row = scf.for %j = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<?xf32>) {
      %u = tensor.insert %zero into %a[%j] : tensor<?xf32>
      scf.yield %u : tensor<?xf32>
    }
    %x = tensor.extract %row[%c0] : tensor<?xf32>
    kernel.return %x : f32
  }
  %s = kernel.segmap thread (%i < %b) -> (tensor<?xf32>) {
    %x = tensor.extract %xs[%i, %c0] : tensor<?x?xf32>
    %less = arith.cmpf olt, %x, %zero : f32
    %n = arith.select %less, %m, %c5 : index
    %t = tensor.empty(%n) : tensor<?xf32>
    %u = tensor.insert %x into %t[%c0] : tensor<?xf32>
    %y = tensor.extract %u[%c0] : tensor<?xf32>
    kernel.return %y : f32
  }
  func.return %r, %s : tensor<?xf32>, tensor<?xf32>
}

// -----
// The length comes from a reduction of the point: thread blocks find it. An extent that a point does not decide has no search.
func.func @by_blocks(%ns: tensor<?x?xindex>, %k: index) -> (tensor<?xindex>, tensor<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %ns, %c0 : tensor<?x?xindex>
  %m = tensor.dim %ns, %c1 : tensor<?x?xindex>
  %r = kernel.segmap block (%i < %b) -> (tensor<?xindex>) {
    %n = kernel.segred thread (%j < %m) init (%c0 : index) -> (index) {
      %x = tensor.extract %ns[%i, %j] : tensor<?x?xindex>
      kernel.return %x : index
    } combine (%x, %y) {
      %s = arith.addi %x, %y : index
      kernel.return %s : index
    }
    %f = kernel.segmap thread (%j < %m) -> (tensor<?xindex>) {
      %t = tensor.empty(%n) : tensor<?xindex>
      %u = tensor.insert %j into %t[%c0] : tensor<?xindex>
      %x = tensor.extract %u[%c0] : tensor<?xindex>
      kernel.return %x : index
    }
    %first = tensor.extract %f[%c0] : tensor<?xindex>
    kernel.return %first : index
  }
  %s = kernel.segmap thread (%i < %b) -> (tensor<?xindex>) {
    %n = arith.addi %k, %m : index
    %t = tensor.empty(%n) : tensor<?xindex>
    %u = tensor.insert %i into %t[%c0] : tensor<?xindex>
    %x = tensor.extract %u[%c0] : tensor<?xindex>
    kernel.return %x : index
  }
  func.return %r, %s : tensor<?xindex>, tensor<?xindex>
}

// -----
// 3 points are known to be few: the reduction has its form at once. The second version cannot run and goes: nothing bounds a list that
// may grow in each of as many rounds as only its elements say.
func.func @left_out(%ns: tensor<3xindex>, %n: index) -> tensor<3xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %many = kernel.at_least %n, "left_out.top.0" default 100
  %r = scf.if %many -> (tensor<3xindex>) {
    %one = kernel.segmap thread (%i < %c3) -> (tensor<3xindex>) {
      %x = tensor.extract %ns[%i] : tensor<3xindex>
      %t = tensor.empty(%x) : tensor<?xindex>
      %u = tensor.insert %i into %t[%c0] : tensor<?xindex>
      %y = tensor.extract %u[%c0] : tensor<?xindex>
      kernel.return %y : index
    }
    scf.yield %one : tensor<3xindex>
  } else {
    %other = kernel.segmap thread (%i < %c3) -> (tensor<3xindex>) {
      %x = tensor.extract %ns[%i] : tensor<3xindex>
      %last = scf.while (%a = %x) : (index) -> (index) {
        %t = tensor.empty(%a) : tensor<?xindex>
        %u = tensor.insert %a into %t[%c0] : tensor<?xindex>
        %y = tensor.extract %u[%c0] : tensor<?xindex>
        %more = arith.cmpi slt, %y, %n : index
        scf.condition(%more) %y : index
      } do {
      ^bb0(%y: index):
        %next = arith.addi %y, %c1 : index
        scf.yield %next : index
      }
      kernel.return %last : index
    }
    scf.yield %other : tensor<3xindex>
  }
  func.return %r : tensor<3xindex>
}

// -----
// An op that has a bound keeps it.
func.func @kept(%ns: tensor<?xindex>, %b: index, %most: index) -> tensor<?xindex> {
  %c0 = arith.constant 0 : index
  %r = kernel.segmap thread (%i < %b) -> (tensor<?xindex>) {
    kernel.bound_arrays %most
    %x = tensor.extract %ns[%i] : tensor<?xindex>
    %t = tensor.empty(%x) : tensor<?xindex>
    %u = tensor.insert %i into %t[%c0] : tensor<?xindex>
    %y = tensor.extract %u[%c0] : tensor<?xindex>
    kernel.return %y : index
  }
  func.return %r : tensor<?xindex>
}
// ===== expected
builtin.module {
  func.func @by_threads(%ns: tensor<?xindex>, %xs: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %zero = arith.constant 0.000000e+00 : f32
    %b = tensor.dim %ns, %c0 : tensor<?xindex>
    %m = tensor.dim %xs, %c1 : tensor<?x?xf32>
    %c0_0 = arith.constant 0 : index
    %0 = kernel.at_least %b, "by_threads.bound0.parts" default 4097
    %1 = scf.if %0 -> (index) {
      %4 = kernel.segred thread form parts (%arg0 < %b) init (%c0_0 : index) -> (index) {
        %c0_2 = arith.constant 0 : index
        %n = tensor.extract %ns[%arg0] : tensor<?xindex>
        %5 = arith.maxsi %c0_2, %n : index
        kernel.return %5 : index
      } combine (%arg0, %arg1) {
        %5 = arith.maxsi %arg0, %arg1 : index
        kernel.return %5 : index
      }
      scf.yield %4 : index
    } else {
      %4 = kernel.segred thread form block (%arg0 < %b) init (%c0_0 : index) -> (index) {
        %c0_2 = arith.constant 0 : index
        %n = tensor.extract %ns[%arg0] : tensor<?xindex>
        %5 = arith.maxsi %c0_2, %n : index
        kernel.return %5 : index
      } combine (%arg0, %arg1) {
        %5 = arith.maxsi %arg0, %arg1 : index
        kernel.return %5 : index
      }
      scf.yield %4 : index
    }
    %r = kernel.segmap thread (%i < %b) -> (tensor<?xf32>) {
      kernel.bound_arrays %1
      %n = tensor.extract %ns[%i] : tensor<?xindex>
      %t = tensor.empty(%n) : tensor<?xf32>
      %row = scf.for %j = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<?xf32>) {
        %u = tensor.insert %zero into %a[%j] : tensor<?xf32>
        scf.yield %u : tensor<?xf32>
      }
      %x = tensor.extract %row[%c0] : tensor<?xf32>
      kernel.return %x : f32
    }
    %c0_1 = arith.constant 0 : index
    %2 = kernel.at_least %b, "by_threads.bound1.parts" default 4097
    %3 = scf.if %2 -> (index) {
      %4 = kernel.segred thread form parts (%arg0 < %b) init (%c0_1 : index) -> (index) {
        %c0_2 = arith.constant 0 : index
        %x = tensor.extract %xs[%arg0, %c0] : tensor<?x?xf32>
        %less = arith.cmpf olt, %x, %zero : f32
        %n = arith.select %less, %m, %c5 : index
        %5 = arith.maxsi %c0_2, %n : index
        kernel.return %5 : index
      } combine (%arg0, %arg1) {
        %5 = arith.maxsi %arg0, %arg1 : index
        kernel.return %5 : index
      }
      scf.yield %4 : index
    } else {
      %4 = kernel.segred thread form block (%arg0 < %b) init (%c0_1 : index) -> (index) {
        %c0_2 = arith.constant 0 : index
        %x = tensor.extract %xs[%arg0, %c0] : tensor<?x?xf32>
        %less = arith.cmpf olt, %x, %zero : f32
        %n = arith.select %less, %m, %c5 : index
        %5 = arith.maxsi %c0_2, %n : index
        kernel.return %5 : index
      } combine (%arg0, %arg1) {
        %5 = arith.maxsi %arg0, %arg1 : index
        kernel.return %5 : index
      }
      scf.yield %4 : index
    }
    %s = kernel.segmap thread (%i < %b) -> (tensor<?xf32>) {
      kernel.bound_arrays %3
      %x = tensor.extract %xs[%i, %c0] : tensor<?x?xf32>
      %less = arith.cmpf olt, %x, %zero : f32
      %n = arith.select %less, %m, %c5 : index
      %t = tensor.empty(%n) : tensor<?xf32>
      %u = tensor.insert %x into %t[%c0] : tensor<?xf32>
      %y = tensor.extract %u[%c0] : tensor<?xf32>
      kernel.return %y : f32
    }
    func.return %r, %s : tensor<?xf32>, tensor<?xf32>
  }
  func.func @by_blocks(%ns: tensor<?x?xindex>, %k: index) -> (tensor<?xindex>, tensor<?xindex>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %b = tensor.dim %ns, %c0 : tensor<?x?xindex>
    %m = tensor.dim %ns, %c1 : tensor<?x?xindex>
    %0 = kernel.segmap block (%arg0 < %b) -> (tensor<?xindex>) {
      %c0_1 = arith.constant 0 : index
      %n = kernel.segred thread (%j < %m) init (%c0 : index) -> (index) {
        %x = tensor.extract %ns[%arg0, %j] : tensor<?x?xindex>
        kernel.return %x : index
      } combine (%x, %y) {
        %s_3 = arith.addi %x, %y : index
        kernel.return %s_3 : index
      }
      %c0_2 = arith.constant 0 : index
      %3 = kernel.segred thread (%arg1 < %m) init (%c0_2 : index) -> (index) {
        %c0_3 = arith.constant 0 : index
        %5 = arith.maxsi %c0_3, %n : index
        kernel.return %5 : index
      } combine (%arg1, %arg2) {
        %5 = arith.maxsi %arg1, %arg2 : index
        kernel.return %5 : index
      }
      %4 = arith.maxsi %c0_1, %3 : index
      kernel.return %4 : index
    }
    %c0_0 = arith.constant 0 : index
    %1 = kernel.at_least %b, "by_blocks.bound0.parts" default 4097
    %2 = scf.if %1 -> (index) {
      %3 = kernel.segred thread form parts (%arg0 < %b) init (%c0_0 : index) -> (index) {
        %4 = tensor.extract %0[%arg0] : tensor<?xindex>
        kernel.return %4 : index
      } combine (%arg0, %arg1) {
        %4 = arith.maxsi %arg0, %arg1 : index
        kernel.return %4 : index
      }
      scf.yield %3 : index
    } else {
      %3 = kernel.segred thread form block (%arg0 < %b) init (%c0_0 : index) -> (index) {
        %4 = tensor.extract %0[%arg0] : tensor<?xindex>
        kernel.return %4 : index
      } combine (%arg0, %arg1) {
        %4 = arith.maxsi %arg0, %arg1 : index
        kernel.return %4 : index
      }
      scf.yield %3 : index
    }
    %r = kernel.segmap block (%i < %b) -> (tensor<?xindex>) {
      kernel.bound_arrays %2
      %n = kernel.segred thread (%j < %m) init (%c0 : index) -> (index) {
        %x = tensor.extract %ns[%i, %j] : tensor<?x?xindex>
        kernel.return %x : index
      } combine (%x, %y) {
        %s_1 = arith.addi %x, %y : index
        kernel.return %s_1 : index
      }
      %f = kernel.segmap thread (%j < %m) -> (tensor<?xindex>) {
        %t = tensor.empty(%n) : tensor<?xindex>
        %u = tensor.insert %j into %t[%c0] : tensor<?xindex>
        %x = tensor.extract %u[%c0] : tensor<?xindex>
        kernel.return %x : index
      }
      %first = tensor.extract %f[%c0] : tensor<?xindex>
      kernel.return %first : index
    }
    %s = kernel.segmap thread (%i < %b) -> (tensor<?xindex>) {
      %n = arith.addi %k, %m : index
      %t = tensor.empty(%n) : tensor<?xindex>
      %u = tensor.insert %i into %t[%c0] : tensor<?xindex>
      %x = tensor.extract %u[%c0] : tensor<?xindex>
      kernel.return %x : index
    }
    func.return %r, %s : tensor<?xindex>, tensor<?xindex>
  }
  func.func @left_out(%ns: tensor<3xindex>, %n: index) -> tensor<3xindex> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %many = kernel.at_least %n, "left_out.top.0" default 100
    %c0_0 = arith.constant 0 : index
    %0 = kernel.segred thread form block (%arg0 < %c3) init (%c0_0 : index) -> (index) {
      %c0_1 = arith.constant 0 : index
      %x = tensor.extract %ns[%arg0] : tensor<3xindex>
      %1 = arith.maxsi %c0_1, %x : index
      kernel.return %1 : index
    } combine (%arg0, %arg1) {
      %1 = arith.maxsi %arg0, %arg1 : index
      kernel.return %1 : index
    }
    %one = kernel.segmap thread (%i < %c3) -> (tensor<3xindex>) {
      kernel.bound_arrays %0
      %x = tensor.extract %ns[%i] : tensor<3xindex>
      %t = tensor.empty(%x) : tensor<?xindex>
      %u = tensor.insert %i into %t[%c0] : tensor<?xindex>
      %y = tensor.extract %u[%c0] : tensor<?xindex>
      kernel.return %y : index
    }
    func.return %one : tensor<3xindex>
  }
  func.func @kept(%ns: tensor<?xindex>, %b: index, %most: index) -> tensor<?xindex> {
    %c0 = arith.constant 0 : index
    %r = kernel.segmap thread (%i < %b) -> (tensor<?xindex>) {
      kernel.bound_arrays %most
      %x = tensor.extract %ns[%i] : tensor<?xindex>
      %t = tensor.empty(%x) : tensor<?xindex>
      %u = tensor.insert %i into %t[%c0] : tensor<?xindex>
      %y = tensor.extract %u[%c0] : tensor<?xindex>
      kernel.return %y : index
    }
    func.return %r : tensor<?xindex>
  }
}
