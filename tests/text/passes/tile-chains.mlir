// pass: builtin.module(tile-chains,canonicalize,cse,dce)
// A softmax of rows between two products, in the versions that flattening makes, and one more: tiles of the scores, sums relative to
// a maximum that grows. Rows of results have at most 32 elements; the last of 100 columns are fewer than a tile has.
func.func @main(%q: tensor<?x?xf32>, %k: tensor<?x?xf32>, %v: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %n = arith.constant 16384 : index
  %d = arith.constant 8 : index
  %m = arith.constant 100 : index
  %e = arith.constant 32 : index
  %many = kernel.at_least %n, "main.top" default 32768
  %r = scf.if %many -> (tensor<?x?xf32>) {
    %none = tensor.empty(%n, %e) : tensor<?x?xf32>
    scf.yield %none : tensor<?x?xf32>
  } else {
    %s = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x?xf32>) {
      %dot = scf.for %x = %c0 to %d step %c1 iter_args(%acc = %zero) -> (f32) {
        %a = tensor.extract %q[%i, %x] : tensor<?x?xf32>
        %b = tensor.extract %k[%j, %x] : tensor<?x?xf32>
        %ab = arith.mulf %a, %b : f32
        %sum = arith.addf %acc, %ab : f32
        scf.yield %sum : f32
      }
      kernel.return %dot : f32
    }
    %max = kernel.segred thread (%i < %n, %j < %m) init (%lowest : f32) -> (tensor<?xf32>) {
      %x = tensor.extract %s[%i, %j] : tensor<?x?xf32>
      kernel.return %x : f32
    } combine (%a, %b) {
      %larger = arith.maximumf %a, %b : f32
      kernel.return %larger : f32
    }
    %sums, %es = kernel.segred thread (%i < %n, %j < %m) init (%zero : f32) -> (tensor<?xf32>, tensor<?x?xf32>) {
      %x = tensor.extract %s[%i, %j] : tensor<?x?xf32>
      %top = tensor.extract %max[%i] : tensor<?xf32>
      %less = arith.subf %x, %top fastmath<reassoc> : f32
      %p = math.exp %less fastmath<reassoc> : f32
      kernel.return %p, %p : f32, f32
    } combine (%a, %b) {
      %sum = arith.addf %a, %b fastmath<reassoc> : f32
      kernel.return %sum : f32
    }
    %wide = kernel.at_least %e, "main.inner" default 8
    %o = scf.if %wide -> (tensor<?x?xf32>) {
      %t = kernel.segmap thread (%i < %n, %c < %e) -> (tensor<?x?xf32>) {
        %sum = scf.for %j = %c0 to %m step %c1 iter_args(%acc = %zero) -> (f32) {
          %p = tensor.extract %es[%i, %j] : tensor<?x?xf32>
          %y = tensor.extract %v[%j, %c] : tensor<?x?xf32>
          %py = arith.mulf %p, %y fastmath<reassoc> : f32
          %next = arith.addf %acc, %py fastmath<reassoc> : f32
          scf.yield %next : f32
        }
        %total = tensor.extract %sums[%i] : tensor<?xf32>
        %mean = arith.divf %sum, %total : f32
        kernel.return %mean : f32
      }
      scf.yield %t : tensor<?x?xf32>
    } else {
      %none = tensor.empty(%n, %e) : tensor<?x?xf32>
      scf.yield %none : tensor<?x?xf32>
    }
    scf.yield %o : tensor<?x?xf32>
  }
  func.return %r : tensor<?x?xf32>
}
// ===== expected
builtin.module {
  func.func @main(%q: tensor<?x?xf32>, %k: tensor<?x?xf32>, %v: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.000000e+00 : f32
    %lowest = arith.constant 0xFF800000 : f32
    %n = arith.constant 16384 : index
    %d = arith.constant 8 : index
    %e = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c99 = arith.constant 99 : index
    %c256 = arith.constant 256 : index
    %cst = arith.constant 1.000000e+00 : f32
    %c36 = arith.constant 36 : index
    %c35 = arith.constant 35 : index
    %cst_0 = arith.constant 0x7FC00000 : f32
    %0 = kernel.segmap block (%arg0 < %c256, %arg1 < %c1) -> (tensor<?x?x64x32xf32>) {
      %2 = arith.muli %arg0, %c64 : index
      %3 = arith.muli %arg1, %e : index
      %4:2 = kernel.segmap thread (%arg2 < %c64) -> (tensor<64xf32>, tensor<64xf32>) {
        kernel.return %lowest, %zero : f32, f32
      }
      %5 = kernel.segmap thread registers [4, 2] runs [1, 2] (%arg2 < %c64, %arg3 < %e) -> (tensor<64x32xf32>) {
        kernel.return %zero : f32
      }
      %6 = kernel.segmap thread (%arg2 < %c64, %arg3 < %d) -> (tensor<64x8xf32>) {
        %25 = arith.addi %2, %arg2 : index
        %a = tensor.extract %q[%25, %arg3] : tensor<?x?xf32>
        kernel.return %a : f32
      }
      %7 = kernel.segmap thread (%arg2 < %c64, %arg3 < %d) -> (tensor<64x8xf32>) {
        %b = tensor.extract %k[%arg2, %arg3] : tensor<?x?xf32>
        kernel.return %b : f32
      }
      %8 = kernel.segmap thread registers [4, 4] runs [1, 1] (%arg2 < %c64, %arg3 < %c64) -> (tensor<64x64xf32>) {
        %dot = scf.for %x = %c0 to %d step %c1 iter_args(%acc = %zero) -> (f32) {
          %a = tensor.extract %6[%arg2, %x] : tensor<64x8xf32>
          %b = tensor.extract %7[%arg3, %x] : tensor<64x8xf32>
          %ab = arith.mulf %a, %b : f32
          %sum = arith.addf %acc, %ab : f32
          scf.yield %sum : f32
        }
        kernel.return %dot : f32
      }
      %9 = kernel.segred thread (%arg2 < %c64, %arg3 < %c64) init (%lowest : f32) -> (tensor<64xf32>) {
        %25 = tensor.extract %8[%arg2, %arg3] : tensor<64x64xf32>
        kernel.return %25 : f32
      } combine (%arg2, %arg3) {
        %larger = arith.maximumf %arg2, %arg3 : f32
        kernel.return %larger : f32
      }
      %10:3 = kernel.segmap thread (%arg2 < %c64) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
        %25 = tensor.extract %4#0[%arg2] : tensor<64xf32>
        %26 = tensor.extract %9[%arg2] : tensor<64xf32>
        %larger = arith.maximumf %25, %26 : f32
        %27 = arith.cmpf oeq, %larger, %lowest : f32
        %28 = arith.select %27, %zero, %larger : f32
        %29 = arith.subf %25, %larger : f32
        %30 = math.exp %29 : f32
        %31 = arith.cmpf oeq, %25, %larger : f32
        %32 = arith.select %31, %cst, %30 : f32
        kernel.return %larger, %28, %32 : f32, f32, f32
      }
      %11:2 = kernel.segred thread (%arg2 < %c64, %arg3 < %c64) init (%zero : f32) -> (tensor<64xf32>, tensor<64x64xf32>) {
        %25 = tensor.extract %8[%arg2, %arg3] : tensor<64x64xf32>
        %26 = tensor.extract %10#1[%arg2] : tensor<64xf32>
        %less = arith.subf %25, %26 fastmath<reassoc> : f32
        %p = math.exp %less fastmath<reassoc> : f32
        kernel.return %p, %p : f32, f32
      } combine (%arg2, %arg3) {
        %sum = arith.addf %arg2, %arg3 fastmath<reassoc> : f32
        kernel.return %sum : f32
      }
      %12 = kernel.segmap thread (%arg2 < %c64) -> (tensor<64xf32>) {
        %25 = tensor.extract %4#1[%arg2] : tensor<64xf32>
        %26 = tensor.extract %11#0[%arg2] : tensor<64xf32>
        %27 = tensor.extract %10#2[%arg2] : tensor<64xf32>
        %28 = arith.mulf %25, %27 fastmath<reassoc> : f32
        %sum = arith.addf %28, %26 fastmath<reassoc> : f32
        kernel.return %sum : f32
      }
      %13 = kernel.segmap thread (%arg2 < %c64, %arg3 < %e) -> (tensor<64x32xf32>) {
        %25 = arith.addi %3, %arg3 : index
        %y = tensor.extract %v[%arg2, %25] : tensor<?x?xf32>
        kernel.return %y : f32
      }
      %14 = kernel.segmap thread registers [4, 2] runs [1, 2] (%arg2 < %c64, %arg3 < %e) -> (tensor<64x32xf32>) {
        %25 = tensor.extract %5[%arg2, %arg3] : tensor<64x32xf32>
        %26 = tensor.extract %10#2[%arg2] : tensor<64xf32>
        %27 = arith.mulf %25, %26 fastmath<reassoc> : f32
        %28 = scf.for %arg4 = %c0 to %c64 step %c1 iter_args(%arg5 = %27) -> (f32) {
          %29 = tensor.extract %11#1[%arg2, %arg4] : tensor<64x64xf32>
          %y = tensor.extract %13[%arg4, %arg3] : tensor<64x32xf32>
          %py = arith.mulf %29, %y fastmath<reassoc> : f32
          %next = arith.addf %arg5, %py fastmath<reassoc> : f32
          scf.yield %next : f32
        }
        kernel.return %28 : f32
      }
      %15 = kernel.segmap thread (%arg2 < %c64, %arg3 < %d) -> (tensor<64x8xf32>) {
        %25 = arith.addi %arg2, %c64 : index
        %26 = arith.minsi %25, %c99 : index
        %b = tensor.extract %k[%26, %arg3] : tensor<?x?xf32>
        kernel.return %b : f32
      }
      %16 = kernel.segmap thread registers [4, 4] runs [1, 1] (%arg2 < %c64, %arg3 < %c64) -> (tensor<64x64xf32>) {
        %dot = scf.for %x = %c0 to %d step %c1 iter_args(%acc = %zero) -> (f32) {
          %a = tensor.extract %6[%arg2, %x] : tensor<64x8xf32>
          %b = tensor.extract %15[%arg3, %x] : tensor<64x8xf32>
          %ab = arith.mulf %a, %b : f32
          %sum = arith.addf %acc, %ab : f32
          scf.yield %sum : f32
        }
        kernel.return %dot : f32
      }
      %17 = kernel.segred thread (%arg2 < %c64, %arg3 < %c64) init (%lowest : f32) -> (tensor<64xf32>) {
        %25 = tensor.extract %16[%arg2, %arg3] : tensor<64x64xf32>
        %26 = arith.cmpi slt, %arg3, %c36 : index
        %27 = arith.select %26, %25, %lowest : f32
        kernel.return %27 : f32
      } combine (%arg2, %arg3) {
        %larger = arith.maximumf %arg2, %arg3 : f32
        kernel.return %larger : f32
      }
      %18:3 = kernel.segmap thread (%arg2 < %c64) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
        %25 = tensor.extract %10#0[%arg2] : tensor<64xf32>
        %26 = tensor.extract %17[%arg2] : tensor<64xf32>
        %larger = arith.maximumf %25, %26 : f32
        %27 = arith.cmpf oeq, %larger, %lowest : f32
        %28 = arith.select %27, %zero, %larger : f32
        %29 = arith.subf %25, %larger : f32
        %30 = math.exp %29 : f32
        %31 = arith.cmpf oeq, %25, %larger : f32
        %32 = arith.select %31, %cst, %30 : f32
        kernel.return %larger, %28, %32 : f32, f32, f32
      }
      %19:2 = kernel.segred thread (%arg2 < %c64, %arg3 < %c64) init (%zero : f32) -> (tensor<64xf32>, tensor<64x64xf32>) {
        %25 = tensor.extract %16[%arg2, %arg3] : tensor<64x64xf32>
        %26 = tensor.extract %18#1[%arg2] : tensor<64xf32>
        %less = arith.subf %25, %26 fastmath<reassoc> : f32
        %p = math.exp %less fastmath<reassoc> : f32
        %27 = arith.cmpi slt, %arg3, %c36 : index
        %28 = arith.select %27, %p, %zero : f32
        kernel.return %28, %p : f32, f32
      } combine (%arg2, %arg3) {
        %sum = arith.addf %arg2, %arg3 fastmath<reassoc> : f32
        kernel.return %sum : f32
      }
      %20 = kernel.segmap thread (%arg2 < %c64) -> (tensor<64xf32>) {
        %25 = tensor.extract %12[%arg2] : tensor<64xf32>
        %26 = tensor.extract %19#0[%arg2] : tensor<64xf32>
        %27 = tensor.extract %18#2[%arg2] : tensor<64xf32>
        %28 = arith.mulf %25, %27 fastmath<reassoc> : f32
        %sum = arith.addf %28, %26 fastmath<reassoc> : f32
        kernel.return %sum : f32
      }
      %21 = kernel.segmap thread (%arg2 < %c64, %arg3 < %e) -> (tensor<64x32xf32>) {
        %25 = arith.addi %3, %arg3 : index
        %26 = arith.minsi %arg2, %c35 : index
        %27 = arith.addi %26, %c64 : index
        %y = tensor.extract %v[%27, %25] : tensor<?x?xf32>
        kernel.return %y : f32
      }
      %22 = kernel.segmap thread registers [4, 2] runs [1, 2] (%arg2 < %c64, %arg3 < %e) -> (tensor<64x32xf32>) {
        %25 = tensor.extract %14[%arg2, %arg3] : tensor<64x32xf32>
        %26 = tensor.extract %18#2[%arg2] : tensor<64xf32>
        %27 = arith.mulf %25, %26 fastmath<reassoc> : f32
        %28 = scf.for %arg4 = %c0 to %c36 step %c1 iter_args(%arg5 = %27) -> (f32) {
          %29 = tensor.extract %19#1[%arg2, %arg4] : tensor<64x64xf32>
          %y = tensor.extract %21[%arg4, %arg3] : tensor<64x32xf32>
          %py = arith.mulf %29, %y fastmath<reassoc> : f32
          %next = arith.addf %arg5, %py fastmath<reassoc> : f32
          scf.yield %next : f32
        }
        kernel.return %28 : f32
      }
      %23:3 = kernel.segmap thread (%arg2 < %c64) -> (tensor<64xi1>, tensor<64xf32>, tensor<64xf32>) {
        %25 = tensor.extract %18#0[%arg2] : tensor<64xf32>
        %26 = arith.cmpf oeq, %25, %lowest : f32
        %27 = tensor.extract %20[%arg2] : tensor<64xf32>
        %28 = arith.select %26, %cst_0, %27 : f32
        kernel.return %26, %25, %28 : i1, f32, f32
      }
      %24 = kernel.segmap thread registers [4, 2] runs [1, 2] (%arg2 < %c64, %arg3 < %e) -> (tensor<64x32xf32>) {
        %25 = tensor.extract %23#0[%arg2] : tensor<64xi1>
        %26 = tensor.extract %22[%arg2, %arg3] : tensor<64x32xf32>
        %27 = arith.select %25, %cst_0, %26 : f32
        %28 = tensor.extract %23#2[%arg2] : tensor<64xf32>
        %mean = arith.divf %27, %28 : f32
        kernel.return %mean : f32
      }
      kernel.return %24 : tensor<64x32xf32>
    }
    %1 = kernel.untile %0 to [%n, %e] : tensor<?x?x64x32xf32> -> tensor<?x?xf32>
    func.return %1 : tensor<?x?xf32>
  }
}
