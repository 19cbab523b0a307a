// pass: builtin.module(func.func(choose-forms),canonicalize,cse,dce)
// A single segment: several thread blocks from the threshold on.
func.func @single(%xs: tensor<?xf32>, %n: index) -> f32 {
  %zero = arith.constant 0.0 : f32
  %sum = kernel.segred thread (%i < %n) init (%zero : f32) -> (f32) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    kernel.return %x : f32
  } combine (%a, %b) {
    %s = arith.addf %a, %b : f32
    kernel.return %s : f32
  }
  func.return %sum : f32
}
// Lengths that are constants decide at once; the number of segments, here, when the program runs.
func.func @known_lengths(%xs: tensor<?x16384xf32>, %ys: tensor<?x100xf32>, %zs: tensor<?x8xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %c16384 = arith.constant 16384 : index
  %c100 = arith.constant 100 : index
  %c8 = arith.constant 8 : index
  %long = kernel.segred thread (%i < %n, %j < %c16384) init (%zero : f32) -> (tensor<?xf32>) {
    %x = tensor.extract %xs[%i, %j] : tensor<?x16384xf32>
    kernel.return %x : f32
  } combine (%a, %b) {
    %s = arith.addf %a, %b : f32
    kernel.return %s : f32
  }
  %short = kernel.segred thread (%i < %n, %j < %c100) init (%zero : f32) -> (tensor<?xf32>) {
    %x = tensor.extract %ys[%i, %j] : tensor<?x100xf32>
    kernel.return %x : f32
  } combine (%a, %b) {
    %s = arith.addf %a, %b : f32
    kernel.return %s : f32
  }
  %shortest = kernel.segred thread (%i < %n, %j < %c8) init (%zero : f32) -> (tensor<?xf32>) {
    %x = tensor.extract %zs[%i, %j] : tensor<?x8xf32>
    kernel.return %x : f32
  } combine (%a, %b) {
    %s = arith.addf %a, %b : f32
    kernel.return %s : f32
  }
  func.return %long, %short, %shortest : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
// A warp for each of some segments; of many, which take turns, a few lanes, where they are no longer than that.
func.func @turns(%xs: tensor<?x32xf32>, %ys: tensor<9000x40xf32>, %n: index) -> (tensor<?xf32>, tensor<9000xf32>) {
  %zero = arith.constant 0.0 : f32
  %c32 = arith.constant 32 : index
  %c40 = arith.constant 40 : index
  %c9000 = arith.constant 9000 : index
  %asked = kernel.segred thread (%i < %n, %j < %c32) init (%zero : f32) -> (tensor<?xf32>) {
    %x = tensor.extract %xs[%i, %j] : tensor<?x32xf32>
    kernel.return %x : f32
  } combine (%a, %b) {
    %s = arith.addf %a, %b : f32
    kernel.return %s : f32
  }
  %known = kernel.segred thread (%i < %c9000, %j < %c40) init (%zero : f32) -> (tensor<9000xf32>) {
    %y = tensor.extract %ys[%i, %j] : tensor<9000x40xf32>
    kernel.return %y : f32
  } combine (%a, %b) {
    %s = arith.addf %a, %b : f32
    kernel.return %s : f32
  }
  func.return %asked, %known : tensor<?xf32>, tensor<9000xf32>
}
// Scans: a warp for each short segment of several. An op that has a form keeps it.
func.func @scans(%xs: tensor<?x?xi32>, %n: index, %m: index) -> (tensor<?x?xi32>, tensor<?x?xi32>) {
  %zero = arith.constant 0 : i32
  %asked = kernel.segscan thread (%i < %n, %j < %m) init (%zero : i32) -> (tensor<?x?xi32>) {
    %x = tensor.extract %xs[%i, %j] : tensor<?x?xi32>
    kernel.return %x : i32
  } combine (%a, %b) {
    %s = arith.addi %a, %b : i32
    kernel.return %s : i32
  }
  %told = kernel.segscan thread form tiles (%i < %n, %j < %m) init (%zero : i32) -> (tensor<?x?xi32>) {
    %x = tensor.extract %asked[%i, %j] : tensor<?x?xi32>
    kernel.return %x : i32
  } combine (%a, %b) {
    %s = arith.addi %a, %b : i32
    kernel.return %s : i32
  }
  func.return %asked, %told : tensor<?x?xi32>, tensor<?x?xi32>
}
// Inside a thread block there is no form.
func.func @in_blocks(%xs: tensor<?x64xi32>, %n: index) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %c64 = arith.constant 64 : index
  %sums = kernel.segmap block (%i < %n) -> (tensor<?xi32>) {
    %sum = kernel.segred thread (%j < %c64) init (%zero : i32) -> (i32) {
      %x = tensor.extract %xs[%i, %j] : tensor<?x64xi32>
      kernel.return %x : i32
    } combine (%a, %b) {
      %s = arith.addi %a, %b : i32
      kernel.return %s : i32
    }
    kernel.return %sum : i32
  }
  func.return %sums : tensor<?xi32>
}
// Counts are atomics anywhere: in shared memory where all bins have space. The number of bins is known of the second.
func.func @counts(%is: tensor<?xindex>, %few: tensor<?xi32>, %many: tensor<?x100x50xi32>, %n: index, %m: index) -> (tensor<?xi32>, tensor<?x100x50xi32>) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %asked = kernel.seghist thread (%i < %n) into (%few : tensor<?xi32>) init (%zero : i32) -> (tensor<?xi32>) {
    %at = tensor.extract %is[%i] : tensor<?xindex>
    kernel.return %at, %one : index, i32
  } combine (%a, %b) {
    %s = arith.addi %a, %b : i32
    kernel.return %s : i32
  }
  %known = kernel.seghist thread (%i < %m, %j < %n) into (%many : tensor<?x100x50xi32>) init (%zero : i32) -> (tensor<?x100x50xi32>) {
    %at = tensor.extract %is[%j] : tensor<?xindex>
    kernel.return %at, %i, %one : index, index, i32
  } combine (%a, %b) {
    %s = arith.addi %a, %b : i32
    kernel.return %s : i32
  }
  func.return %asked, %known : tensor<?xi32>, tensor<?x100x50xi32>
}
// Sums of floats keep their order in shared memory, in several ranges of bins; products of bytes need locks beyond it.
func.func @in_order(%is: tensor<?xindex>, %xs: tensor<?xf64>, %ys: tensor<30000xi8>, %zs: tensor<90000xi8>, %n: index) -> (tensor<?xf64>, tensor<30000xi8>, tensor<90000xi8>) {
  %none = arith.constant 0.0 : f64
  %one = arith.constant 1 : i8
  %sums = kernel.seghist thread (%i < %n) into (%xs : tensor<?xf64>) init (%none : f64) -> (tensor<?xf64>) {
    %at = tensor.extract %is[%i] : tensor<?xindex>
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    kernel.return %at, %x : index, f64
  } combine (%a, %b) {
    %s = arith.addf %a, %b : f64
    kernel.return %s : f64
  }
  %some = kernel.seghist thread (%i < %n) into (%ys : tensor<30000xi8>) init (%one : i8) -> (tensor<30000xi8>) {
    %at = tensor.extract %is[%i] : tensor<?xindex>
    kernel.return %at, %one : index, i8
  } combine (%a, %b) {
    %s = arith.muli %a, %b : i8
    kernel.return %s : i8
  }
  %many = kernel.seghist thread (%i < %n) into (%zs : tensor<90000xi8>) init (%one : i8) -> (tensor<90000xi8>) {
    %at = tensor.extract %is[%i] : tensor<?xindex>
    kernel.return %at, %one : index, i8
  } combine (%a, %b) {
    %s = arith.muli %a, %b : i8
    kernel.return %s : i8
  }
  func.return %sums, %some, %many : tensor<?xf64>, tensor<30000xi8>, tensor<90000xi8>
}
// Segments that are columns of what they read, with a threshold of their own.
func.func @columns(%xs: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %sums = kernel.segscan thread (%j < %m, %i < %n) init (%zero : f32) -> (tensor<?x?xf32>) {
    %x = tensor.extract %xs[%i, %j] : tensor<?x?xf32>
    kernel.return %x : f32
  } combine (%a, %b) {
    %s = arith.addf %a, %b : f32
    kernel.return %s : f32
  }
  func.return %sums : tensor<?x?xf32>
}

// ===== expected
builtin.module {
  func.func @single(%xs: tensor<?xf32>, %n: index) -> f32 {
    %zero = arith.constant 0.000000e+00 : f32
    %0 = kernel.at_least %n, "single.red0.parts" default 12289
    %1 = scf.if %0 -> (f32) {
      %sum = kernel.segred thread form parts (%i < %n) init (%zero : f32) -> (f32) {
        %x = tensor.extract %xs[%i] : tensor<?xf32>
        kernel.return %x : f32
      } combine (%a, %b) {
        %s = arith.addf %a, %b : f32
        kernel.return %s : f32
      }
      scf.yield %sum : f32
    } else {
      %sum = kernel.segred thread form block (%i < %n) init (%zero : f32) -> (f32) {
        %x = tensor.extract %xs[%i] : tensor<?xf32>
        kernel.return %x : f32
      } combine (%a, %b) {
        %s = arith.addf %a, %b : f32
        kernel.return %s : f32
      }
      scf.yield %sum : f32
    }
    func.return %1 : f32
  }
  func.func @known_lengths(%xs: tensor<?x16384xf32>, %ys: tensor<?x100xf32>, %zs: tensor<?x8xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
    %zero = arith.constant 0.000000e+00 : f32
    %c16384 = arith.constant 16384 : index
    %c100 = arith.constant 100 : index
    %c8 = arith.constant 8 : index
    %0 = kernel.at_least %n, "known_lengths.red0.many" default 256
    %1 = scf.if %0 -> (tensor<?xf32>) {
      %long = kernel.segred thread form block (%i < %n, %j < %c16384) init (%zero : f32) -> (tensor<?xf32>) {
        %x = tensor.extract %xs[%i, %j] : tensor<?x16384xf32>
        kernel.return %x : f32
      } combine (%a, %b) {
        %s = arith.addf %a, %b : f32
        kernel.return %s : f32
      }
      scf.yield %long : tensor<?xf32>
    } else {
      %long = kernel.segred thread form parts (%i < %n, %j < %c16384) init (%zero : f32) -> (tensor<?xf32>) {
        %x = tensor.extract %xs[%i, %j] : tensor<?x16384xf32>
        kernel.return %x : f32
      } combine (%a, %b) {
        %s = arith.addf %a, %b : f32
        kernel.return %s : f32
      }
      scf.yield %long : tensor<?xf32>
    }
    %short = kernel.segred thread form warp (%i < %n, %j < %c100) init (%zero : f32) -> (tensor<?xf32>) {
      %x = tensor.extract %ys[%i, %j] : tensor<?x100xf32>
      kernel.return %x : f32
    } combine (%a, %b) {
      %s = arith.addf %a, %b : f32
      kernel.return %s : f32
    }
    %shortest = kernel.segred thread form lanes (%i < %n, %j < %c8) init (%zero : f32) -> (tensor<?xf32>) {
      %x = tensor.extract %zs[%i, %j] : tensor<?x8xf32>
      kernel.return %x : f32
    } combine (%a, %b) {
      %s = arith.addf %a, %b : f32
      kernel.return %s : f32
    }
    func.return %1, %short, %shortest : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
  }
  func.func @turns(%xs: tensor<?x32xf32>, %ys: tensor<9000x40xf32>, %n: index) -> (tensor<?xf32>, tensor<9000xf32>) {
    %zero = arith.constant 0.000000e+00 : f32
    %c32 = arith.constant 32 : index
    %c40 = arith.constant 40 : index
    %c9000 = arith.constant 9000 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c4096 = arith.constant 4096 : index
    %0 = arith.ceildivsi %n, %c4096 : index
    %1 = arith.minsi %0, %c4 : index
    %2 = arith.maxsi %1, %c1 : index
    %3 = arith.divsi %c32, %2 : index
    %4 = kernel.at_least %3, "turns.red0.warp" default 17
    %5 = scf.if %4 -> (tensor<?xf32>) {
      %asked = kernel.segred thread form warp (%i < %n, %j < %c32) init (%zero : f32) -> (tensor<?xf32>) {
        %x = tensor.extract %xs[%i, %j] : tensor<?x32xf32>
        kernel.return %x : f32
      } combine (%a, %b) {
        %s = arith.addf %a, %b : f32
        kernel.return %s : f32
      }
      scf.yield %asked : tensor<?xf32>
    } else {
      %asked = kernel.segred thread form lanes (%i < %n, %j < %c32) init (%zero : f32) -> (tensor<?xf32>) {
        %x = tensor.extract %xs[%i, %j] : tensor<?x32xf32>
        kernel.return %x : f32
      } combine (%a, %b) {
        %s = arith.addf %a, %b : f32
        kernel.return %s : f32
      }
      scf.yield %asked : tensor<?xf32>
    }
    %known = kernel.segred thread form lanes (%i < %c9000, %j < %c40) init (%zero : f32) -> (tensor<9000xf32>) {
      %y = tensor.extract %ys[%i, %j] : tensor<9000x40xf32>
      kernel.return %y : f32
    } combine (%a, %b) {
      %s = arith.addf %a, %b : f32
      kernel.return %s : f32
    }
    func.return %5, %known : tensor<?xf32>, tensor<9000xf32>
  }
  func.func @scans(%xs: tensor<?x?xi32>, %n: index, %m: index) -> (tensor<?x?xi32>, tensor<?x?xi32>) {
    %zero = arith.constant 0 : i32
    %0 = kernel.at_least %m, "scans.scan0.tiles" default 1025
    %1 = scf.if %0 -> (tensor<?x?xi32>) {
      %asked = kernel.segscan thread form tiles (%i < %n, %j < %m) init (%zero : i32) -> (tensor<?x?xi32>) {
        %x = tensor.extract %xs[%i, %j] : tensor<?x?xi32>
        kernel.return %x : i32
      } combine (%a, %b) {
        %s = arith.addi %a, %b : i32
        kernel.return %s : i32
      }
      scf.yield %asked : tensor<?x?xi32>
    } else {
      %asked = kernel.segscan thread form warp (%i < %n, %j < %m) init (%zero : i32) -> (tensor<?x?xi32>) {
        %x = tensor.extract %xs[%i, %j] : tensor<?x?xi32>
        kernel.return %x : i32
      } combine (%a, %b) {
        %s = arith.addi %a, %b : i32
        kernel.return %s : i32
      }
      scf.yield %asked : tensor<?x?xi32>
    }
    %told = kernel.segscan thread form tiles (%i < %n, %j < %m) init (%zero : i32) -> (tensor<?x?xi32>) {
      %x = tensor.extract %1[%i, %j] : tensor<?x?xi32>
      kernel.return %x : i32
    } combine (%a, %b) {
      %s = arith.addi %a, %b : i32
      kernel.return %s : i32
    }
    func.return %1, %told : tensor<?x?xi32>, tensor<?x?xi32>
  }
  func.func @in_blocks(%xs: tensor<?x64xi32>, %n: index) -> tensor<?xi32> {
    %zero = arith.constant 0 : i32
    %c64 = arith.constant 64 : index
    %sums = kernel.segmap block (%i < %n) -> (tensor<?xi32>) {
      %sum = kernel.segred thread (%j < %c64) init (%zero : i32) -> (i32) {
        %x = tensor.extract %xs[%i, %j] : tensor<?x64xi32>
        kernel.return %x : i32
      } combine (%a, %b) {
        %s = arith.addi %a, %b : i32
        kernel.return %s : i32
      }
      kernel.return %sum : i32
    }
    func.return %sums : tensor<?xi32>
  }
  func.func @counts(%is: tensor<?xindex>, %few: tensor<?xi32>, %many: tensor<?x100x50xi32>, %n: index, %m: index) -> (tensor<?xi32>, tensor<?x100x50xi32>) {
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4096 = arith.constant 4096 : index
    %c32 = arith.constant 32 : index
    %c16 = arith.constant 16 : index
    %c5000 = arith.constant 5000 : index
    %c256 = arith.constant 256 : index
    %0 = tensor.dim %few, %c0 : tensor<?xi32>
    %1 = arith.divui %0, %c32 : index
    %2 = arith.maxsi %1, %c1 : index
    %3 = arith.minsi %2, %c16 : index
    %4 = arith.muli %3, %c4096 : index
    %5 = arith.maxsi %n, %c1 : index
    %6 = arith.divui %4, %5 : index
    %7 = kernel.at_least %0, "counts.hist0.global" default 8193
    %8 = kernel.at_least %6, "counts.hist0.few" default 1
    %9 = arith.ori %7, %8 : i1
    %10 = scf.if %9 -> (tensor<?xi32>) {
      %asked = kernel.seghist thread form atomics (%i < %n) into (%few : tensor<?xi32>) init (%zero : i32) -> (tensor<?xi32>) {
        %at = tensor.extract %is[%i] : tensor<?xindex>
        kernel.return %at, %one : index, i32
      } combine (%a, %b) {
        %s = arith.addi %a, %b : i32
        kernel.return %s : i32
      }
      scf.yield %asked : tensor<?xi32>
    } else {
      %23 = kernel.at_least %0, "counts.hist0.capacity" default 513
      %24 = scf.if %23 -> (tensor<?xi32>) {
        %asked = kernel.seghist thread form shared capacity 8192 (%i < %n) into (%few : tensor<?xi32>) init (%zero : i32) -> (tensor<?xi32>) {
          %at = tensor.extract %is[%i] : tensor<?xindex>
          kernel.return %at, %one : index, i32
        } combine (%a, %b) {
          %s = arith.addi %a, %b : i32
          kernel.return %s : i32
        }
        scf.yield %asked : tensor<?xi32>
      } else {
        %asked = kernel.seghist thread form shared capacity 512 (%i < %n) into (%few : tensor<?xi32>) init (%zero : i32) -> (tensor<?xi32>) {
          %at = tensor.extract %is[%i] : tensor<?xindex>
          kernel.return %at, %one : index, i32
        } combine (%a, %b) {
          %s = arith.addi %a, %b : i32
          kernel.return %s : i32
        }
        scf.yield %asked : tensor<?xi32>
      }
      scf.yield %24 : tensor<?xi32>
    }
    %11 = arith.muli %m, %c5000 : index
    %12 = arith.muli %m, %n : index
    %13 = arith.divui %11, %c32 : index
    %14 = arith.maxsi %13, %c1 : index
    %15 = arith.minsi %14, %c16 : index
    %16 = arith.muli %15, %c4096 : index
    %17 = arith.muli %m, %c256 : index
    %18 = arith.maxsi %16, %17 : index
    %19 = arith.maxsi %12, %c1 : index
    %20 = arith.divui %18, %19 : index
    %21 = kernel.at_least %20, "counts.hist1.few" default 1
    %22 = scf.if %21 -> (tensor<?x100x50xi32>) {
      %known = kernel.seghist thread form atomics (%i < %m, %j < %n) into (%many : tensor<?x100x50xi32>) init (%zero : i32) -> (tensor<?x100x50xi32>) {
        %at = tensor.extract %is[%j] : tensor<?xindex>
        kernel.return %at, %i, %one : index, index, i32
      } combine (%a, %b) {
        %s = arith.addi %a, %b : i32
        kernel.return %s : i32
      }
      scf.yield %known : tensor<?x100x50xi32>
    } else {
      %known = kernel.seghist thread form shared capacity 8192 (%i < %m, %j < %n) into (%many : tensor<?x100x50xi32>) init (%zero : i32) -> (tensor<?x100x50xi32>) {
        %at = tensor.extract %is[%j] : tensor<?xindex>
        kernel.return %at, %i, %one : index, index, i32
      } combine (%a, %b) {
        %s = arith.addi %a, %b : i32
        kernel.return %s : i32
      }
      scf.yield %known : tensor<?x100x50xi32>
    }
    func.return %10, %22 : tensor<?xi32>, tensor<?x100x50xi32>
  }
  func.func @in_order(%is: tensor<?xindex>, %xs: tensor<?xf64>, %ys: tensor<30000xi8>, %zs: tensor<90000xi8>, %n: index) -> (tensor<?xf64>, tensor<30000xi8>, tensor<90000xi8>) {
    %none = arith.constant 0.000000e+00 : f64
    %one = arith.constant 1 : i8
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4096 = arith.constant 4096 : index
    %c32 = arith.constant 32 : index
    %c16 = arith.constant 16 : index
    %0 = tensor.dim %xs, %c0 : tensor<?xf64>
    %1 = arith.divui %0, %c32 : index
    %2 = arith.maxsi %1, %c1 : index
    %3 = arith.minsi %2, %c16 : index
    %4 = arith.muli %3, %c4096 : index
    %5 = arith.maxsi %n, %c1 : index
    %6 = arith.divui %4, %5 : index
    %7 = kernel.at_least %0, "in_order.hist0.global" default 16385
    %8 = kernel.at_least %6, "in_order.hist0.few" default 1
    %9 = arith.ori %7, %8 : i1
    %10 = scf.if %9 -> (tensor<?xf64>) {
      %sums = kernel.seghist thread form atomics (%i < %n) into (%xs : tensor<?xf64>) init (%none : f64) -> (tensor<?xf64>) {
        %at = tensor.extract %is[%i] : tensor<?xindex>
        %x = tensor.extract %xs[%i] : tensor<?xf64>
        kernel.return %at, %x : index, f64
      } combine (%a, %b) {
        %s = arith.addf %a, %b : f64
        kernel.return %s : f64
      }
      scf.yield %sums : tensor<?xf64>
    } else {
      %11 = kernel.at_least %0, "in_order.hist0.capacity" default 513
      %12 = scf.if %11 -> (tensor<?xf64>) {
        %sums = kernel.seghist thread form shared capacity 2048 (%i < %n) into (%xs : tensor<?xf64>) init (%none : f64) -> (tensor<?xf64>) {
          %at = tensor.extract %is[%i] : tensor<?xindex>
          %x = tensor.extract %xs[%i] : tensor<?xf64>
          kernel.return %at, %x : index, f64
        } combine (%a, %b) {
          %s = arith.addf %a, %b : f64
          kernel.return %s : f64
        }
        scf.yield %sums : tensor<?xf64>
      } else {
        %sums = kernel.seghist thread form shared capacity 512 (%i < %n) into (%xs : tensor<?xf64>) init (%none : f64) -> (tensor<?xf64>) {
          %at = tensor.extract %is[%i] : tensor<?xindex>
          %x = tensor.extract %xs[%i] : tensor<?xf64>
          kernel.return %at, %x : index, f64
        } combine (%a, %b) {
          %s = arith.addf %a, %b : f64
          kernel.return %s : f64
        }
        scf.yield %sums : tensor<?xf64>
      }
      scf.yield %12 : tensor<?xf64>
    }
    %some = kernel.seghist thread form shared capacity 4096 (%i < %n) into (%ys : tensor<30000xi8>) init (%one : i8) -> (tensor<30000xi8>) {
      %at = tensor.extract %is[%i] : tensor<?xindex>
      kernel.return %at, %one : index, i8
    } combine (%a, %b) {
      %s = arith.muli %a, %b : i8
      kernel.return %s : i8
    }
    %many = kernel.seghist thread form locks (%i < %n) into (%zs : tensor<90000xi8>) init (%one : i8) -> (tensor<90000xi8>) {
      %at = tensor.extract %is[%i] : tensor<?xindex>
      kernel.return %at, %one : index, i8
    } combine (%a, %b) {
      %s = arith.muli %a, %b : i8
      kernel.return %s : i8
    }
    func.return %10, %some, %many : tensor<?xf64>, tensor<30000xi8>, tensor<90000xi8>
  }
  func.func @columns(%xs: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %0 = kernel.at_least %n, "columns.scan0.tiles" default 1025
    %1 = scf.if %0 -> (tensor<?x?xf32>) {
      %2 = kernel.at_least %m, "columns.scan0.many" default 1024
      %3 = scf.if %2 -> (tensor<?x?xf32>) {
        %sums = kernel.segscan thread form columns (%j < %m, %i < %n) init (%zero : f32) -> (tensor<?x?xf32>) {
          %x = tensor.extract %xs[%i, %j] : tensor<?x?xf32>
          kernel.return %x : f32
        } combine (%a, %b) {
          %s = arith.addf %a, %b : f32
          kernel.return %s : f32
        }
        scf.yield %sums : tensor<?x?xf32>
      } else {
        %sums = kernel.segscan thread form tiles (%j < %m, %i < %n) init (%zero : f32) -> (tensor<?x?xf32>) {
          %x = tensor.extract %xs[%i, %j] : tensor<?x?xf32>
          kernel.return %x : f32
        } combine (%a, %b) {
          %s = arith.addf %a, %b : f32
          kernel.return %s : f32
        }
        scf.yield %sums : tensor<?x?xf32>
      }
      scf.yield %3 : tensor<?x?xf32>
    } else {
      %2 = kernel.at_least %m, "columns.scan0.columns" default 8192
      %3 = scf.if %2 -> (tensor<?x?xf32>) {
        %sums = kernel.segscan thread form columns (%j < %m, %i < %n) init (%zero : f32) -> (tensor<?x?xf32>) {
          %x = tensor.extract %xs[%i, %j] : tensor<?x?xf32>
          kernel.return %x : f32
        } combine (%a, %b) {
          %s = arith.addf %a, %b : f32
          kernel.return %s : f32
        }
        scf.yield %sums : tensor<?x?xf32>
      } else {
        %sums = kernel.segscan thread form warp (%j < %m, %i < %n) init (%zero : f32) -> (tensor<?x?xf32>) {
          %x = tensor.extract %xs[%i, %j] : tensor<?x?xf32>
          kernel.return %x : f32
        } combine (%a, %b) {
          %s = arith.addf %a, %b : f32
          kernel.return %s : f32
        }
        scf.yield %sums : tensor<?x?xf32>
      }
      scf.yield %3 : tensor<?x?xf32>
    }
    func.return %1 : tensor<?x?xf32>
  }
}
