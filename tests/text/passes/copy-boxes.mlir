// pass: builtin.module(copy-boxes)
// Tiles that warpgroups multiply are boxes of matrices, of rows of a multiple of 16 bytes.
func.func @product(%a: tensor<?x?xf16>, %b: tensor<?x?xf16>, %n: index, %k: index, %m: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = arith.ceildivui %n, %c64 : index
  %columns = arith.ceildivui %m, %c64 : index
  %steps = arith.divui %k, %c64 : index
  %last_row = arith.subi %n, %c1 : index
  %last_column = arith.subi %m, %c1 : index
  %tiles = kernel.segmap block (%i < %rows, %j < %columns) -> (tensor<?x?x64x64xf32>) {
    %sums = kernel.segmap thread registers [2, 16] runs [1, 2] apart 8 (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
      kernel.return %zero : f32
    }
    %any = arith.cmpi sgt, %steps, %c0 : index
    %first:2 = scf.if %any -> (tensor<64x64xf16>, tensor<64x64xf16>) {
      %as = kernel.segmap thread async (%p < %c64, %e < %c64) -> (tensor<64x64xf16>) {
        %r0 = arith.muli %i, %c64 : index
        %r1 = arith.addi %r0, %p : index
        %r2 = arith.minsi %r1, %last_row : index
        %k0 = arith.muli %c0, %c64 : index
        %k1 = arith.addi %k0, %e : index
        %x = tensor.extract %a[%r2, %k1] : tensor<?x?xf16>
        kernel.return %x : f16
      }
      %bs = kernel.segmap thread async (%e < %c64, %q < %c64) -> (tensor<64x64xf16>) {
        %k0 = arith.muli %c0, %c64 : index
        %k1 = arith.addi %k0, %e : index
        %q0 = arith.muli %j, %c64 : index
        %q1 = arith.addi %q0, %q : index
        %q2 = arith.minsi %q1, %last_column : index
        %x = tensor.extract %b[%k1, %q2] : tensor<?x?xf16>
        kernel.return %x : f16
      }
      scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
    } else {
      %as = tensor.empty() : tensor<64x64xf16>
      %bs = tensor.empty() : tensor<64x64xf16>
      scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
    }
    %r:3 = scf.for %t = %c0 to %steps step %c1 iter_args(%c = %sums, %as0 = %first#0, %bs0 = %first#1) -> (tensor<64x64xf32>, tensor<64x64xf16>, tensor<64x64xf16>) {
      %next = arith.addi %t, %c1 : index
      %more = arith.cmpi slt, %next, %steps : index
      %later:2 = scf.if %more -> (tensor<64x64xf16>, tensor<64x64xf16>) {
        %as = kernel.segmap thread async (%p < %c64, %e < %c64) -> (tensor<64x64xf16>) {
          %r0 = arith.muli %i, %c64 : index
          %r1 = arith.addi %r0, %p : index
          %r2 = arith.minsi %r1, %last_row : index
          %k0 = arith.muli %next, %c64 : index
          %k1 = arith.addi %k0, %e : index
          %x = tensor.extract %a[%r2, %k1] : tensor<?x?xf16>
          kernel.return %x : f16
        }
        %bs = kernel.segmap thread async (%e < %c64, %q < %c64) -> (tensor<64x64xf16>) {
          %k0 = arith.muli %next, %c64 : index
          %k1 = arith.addi %k0, %e : index
          %q0 = arith.muli %j, %c64 : index
          %q1 = arith.addi %q0, %q : index
          %q2 = arith.minsi %q1, %last_column : index
          %x = tensor.extract %b[%k1, %q2] : tensor<?x?xf16>
          kernel.return %x : f16
        }
        scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
      } else {
        %as = tensor.empty() : tensor<64x64xf16>
        %bs = tensor.empty() : tensor<64x64xf16>
        scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
      }
      %d = kernel.segmap thread contract warpgroups registers [2, 16] runs [1, 2] apart 8 (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
        %old = tensor.extract %c[%p, %q] : tensor<64x64xf32>
        %sum = scf.for %e = %c0 to %c64 step %c1 iter_args(%so_far = %old) -> (f32) {
          %x = tensor.extract %as0[%p, %e] : tensor<64x64xf16>
          %y = tensor.extract %bs0[%e, %q] : tensor<64x64xf16>
          %xx = arith.extf %x : f16 to f32
          %yy = arith.extf %y : f16 to f32
          %xy = arith.mulf %xx, %yy : f32
          %new = arith.addf %so_far, %xy fastmath<reassoc> : f32
          scf.yield %new : f32
        }
        kernel.return %sum : f32
      }
      scf.yield %d, %later#0, %later#1 : tensor<64x64xf32>, tensor<64x64xf16>, tensor<64x64xf16>
    }
    kernel.return %r#0 : tensor<64x64xf32>
  }
  %whole = kernel.untile %tiles to [%n, %m] : tensor<?x?x64x64xf32> -> tensor<?x?xf32>
  func.return %whole : tensor<?x?xf32>
}
// Rows of known lengths: one version.
func.func @known(%a: tensor<?x256xf16>, %b: tensor<256x1000xf16>, %n: index, %k: index, %m: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = arith.ceildivui %n, %c64 : index
  %columns = arith.ceildivui %m, %c64 : index
  %steps = arith.divui %k, %c64 : index
  %last_row = arith.subi %n, %c1 : index
  %last_column = arith.subi %m, %c1 : index
  %tiles = kernel.segmap block (%i < %rows, %j < %columns) -> (tensor<?x?x64x64xf32>) {
    %sums = kernel.segmap thread registers [2, 16] runs [1, 2] apart 8 (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
      kernel.return %zero : f32
    }
    %any = arith.cmpi sgt, %steps, %c0 : index
    %first:2 = scf.if %any -> (tensor<64x64xf16>, tensor<64x64xf16>) {
      %as = kernel.segmap thread async (%p < %c64, %e < %c64) -> (tensor<64x64xf16>) {
        %r0 = arith.muli %i, %c64 : index
        %r1 = arith.addi %r0, %p : index
        %r2 = arith.minsi %r1, %last_row : index
        %k0 = arith.muli %c0, %c64 : index
        %k1 = arith.addi %k0, %e : index
        %x = tensor.extract %a[%r2, %k1] : tensor<?x256xf16>
        kernel.return %x : f16
      }
      %bs = kernel.segmap thread async (%e < %c64, %q < %c64) -> (tensor<64x64xf16>) {
        %k0 = arith.muli %c0, %c64 : index
        %k1 = arith.addi %k0, %e : index
        %q0 = arith.muli %j, %c64 : index
        %q1 = arith.addi %q0, %q : index
        %q2 = arith.minsi %q1, %last_column : index
        %x = tensor.extract %b[%k1, %q2] : tensor<256x1000xf16>
        kernel.return %x : f16
      }
      scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
    } else {
      %as = tensor.empty() : tensor<64x64xf16>
      %bs = tensor.empty() : tensor<64x64xf16>
      scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
    }
    %r:3 = scf.for %t = %c0 to %steps step %c1 iter_args(%c = %sums, %as0 = %first#0, %bs0 = %first#1) -> (tensor<64x64xf32>, tensor<64x64xf16>, tensor<64x64xf16>) {
      %next = arith.addi %t, %c1 : index
      %more = arith.cmpi slt, %next, %steps : index
      %later:2 = scf.if %more -> (tensor<64x64xf16>, tensor<64x64xf16>) {
        %as = kernel.segmap thread async (%p < %c64, %e < %c64) -> (tensor<64x64xf16>) {
          %r0 = arith.muli %i, %c64 : index
          %r1 = arith.addi %r0, %p : index
          %r2 = arith.minsi %r1, %last_row : index
          %k0 = arith.muli %next, %c64 : index
          %k1 = arith.addi %k0, %e : index
          %x = tensor.extract %a[%r2, %k1] : tensor<?x256xf16>
          kernel.return %x : f16
        }
        %bs = kernel.segmap thread async (%e < %c64, %q < %c64) -> (tensor<64x64xf16>) {
          %k0 = arith.muli %next, %c64 : index
          %k1 = arith.addi %k0, %e : index
          %q0 = arith.muli %j, %c64 : index
          %q1 = arith.addi %q0, %q : index
          %q2 = arith.minsi %q1, %last_column : index
          %x = tensor.extract %b[%k1, %q2] : tensor<256x1000xf16>
          kernel.return %x : f16
        }
        scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
      } else {
        %as = tensor.empty() : tensor<64x64xf16>
        %bs = tensor.empty() : tensor<64x64xf16>
        scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
      }
      %d = kernel.segmap thread contract warpgroups registers [2, 16] runs [1, 2] apart 8 (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
        %old = tensor.extract %c[%p, %q] : tensor<64x64xf32>
        %sum = scf.for %e = %c0 to %c64 step %c1 iter_args(%so_far = %old) -> (f32) {
          %x = tensor.extract %as0[%p, %e] : tensor<64x64xf16>
          %y = tensor.extract %bs0[%e, %q] : tensor<64x64xf16>
          %xx = arith.extf %x : f16 to f32
          %yy = arith.extf %y : f16 to f32
          %xy = arith.mulf %xx, %yy : f32
          %new = arith.addf %so_far, %xy fastmath<reassoc> : f32
          scf.yield %new : f32
        }
        kernel.return %sum : f32
      }
      scf.yield %d, %later#0, %later#1 : tensor<64x64xf32>, tensor<64x64xf16>, tensor<64x64xf16>
    }
    kernel.return %r#0 : tensor<64x64xf32>
  }
  %whole = kernel.untile %tiles to [%n, %m] : tensor<?x?x64x64xf32> -> tensor<?x?xf32>
  func.return %whole : tensor<?x?xf32>
}
// Rows that do not begin at multiples of 16 bytes.
func.func @odd(%a: tensor<?x256xf16>, %b: tensor<256x1001xf16>, %n: index, %k: index, %m: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = arith.ceildivui %n, %c64 : index
  %columns = arith.ceildivui %m, %c64 : index
  %steps = arith.divui %k, %c64 : index
  %last_row = arith.subi %n, %c1 : index
  %last_column = arith.subi %m, %c1 : index
  %tiles = kernel.segmap block (%i < %rows, %j < %columns) -> (tensor<?x?x64x64xf32>) {
    %sums = kernel.segmap thread registers [2, 16] runs [1, 2] apart 8 (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
      kernel.return %zero : f32
    }
    %any = arith.cmpi sgt, %steps, %c0 : index
    %first:2 = scf.if %any -> (tensor<64x64xf16>, tensor<64x64xf16>) {
      %as = kernel.segmap thread async (%p < %c64, %e < %c64) -> (tensor<64x64xf16>) {
        %r0 = arith.muli %i, %c64 : index
        %r1 = arith.addi %r0, %p : index
        %r2 = arith.minsi %r1, %last_row : index
        %k0 = arith.muli %c0, %c64 : index
        %k1 = arith.addi %k0, %e : index
        %x = tensor.extract %a[%r2, %k1] : tensor<?x256xf16>
        kernel.return %x : f16
      }
      %bs = kernel.segmap thread async (%e < %c64, %q < %c64) -> (tensor<64x64xf16>) {
        %k0 = arith.muli %c0, %c64 : index
        %k1 = arith.addi %k0, %e : index
        %q0 = arith.muli %j, %c64 : index
        %q1 = arith.addi %q0, %q : index
        %q2 = arith.minsi %q1, %last_column : index
        %x = tensor.extract %b[%k1, %q2] : tensor<256x1001xf16>
        kernel.return %x : f16
      }
      scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
    } else {
      %as = tensor.empty() : tensor<64x64xf16>
      %bs = tensor.empty() : tensor<64x64xf16>
      scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
    }
    %r:3 = scf.for %t = %c0 to %steps step %c1 iter_args(%c = %sums, %as0 = %first#0, %bs0 = %first#1) -> (tensor<64x64xf32>, tensor<64x64xf16>, tensor<64x64xf16>) {
      %next = arith.addi %t, %c1 : index
      %more = arith.cmpi slt, %next, %steps : index
      %later:2 = scf.if %more -> (tensor<64x64xf16>, tensor<64x64xf16>) {
        %as = kernel.segmap thread async (%p < %c64, %e < %c64) -> (tensor<64x64xf16>) {
          %r0 = arith.muli %i, %c64 : index
          %r1 = arith.addi %r0, %p : index
          %r2 = arith.minsi %r1, %last_row : index
          %k0 = arith.muli %next, %c64 : index
          %k1 = arith.addi %k0, %e : index
          %x = tensor.extract %a[%r2, %k1] : tensor<?x256xf16>
          kernel.return %x : f16
        }
        %bs = kernel.segmap thread async (%e < %c64, %q < %c64) -> (tensor<64x64xf16>) {
          %k0 = arith.muli %next, %c64 : index
          %k1 = arith.addi %k0, %e : index
          %q0 = arith.muli %j, %c64 : index
          %q1 = arith.addi %q0, %q : index
          %q2 = arith.minsi %q1, %last_column : index
          %x = tensor.extract %b[%k1, %q2] : tensor<256x1001xf16>
          kernel.return %x : f16
        }
        scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
      } else {
        %as = tensor.empty() : tensor<64x64xf16>
        %bs = tensor.empty() : tensor<64x64xf16>
        scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
      }
      %d = kernel.segmap thread contract warpgroups registers [2, 16] runs [1, 2] apart 8 (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
        %old = tensor.extract %c[%p, %q] : tensor<64x64xf32>
        %sum = scf.for %e = %c0 to %c64 step %c1 iter_args(%so_far = %old) -> (f32) {
          %x = tensor.extract %as0[%p, %e] : tensor<64x64xf16>
          %y = tensor.extract %bs0[%e, %q] : tensor<64x64xf16>
          %xx = arith.extf %x : f16 to f32
          %yy = arith.extf %y : f16 to f32
          %xy = arith.mulf %xx, %yy : f32
          %new = arith.addf %so_far, %xy fastmath<reassoc> : f32
          scf.yield %new : f32
        }
        kernel.return %sum : f32
      }
      scf.yield %d, %later#0, %later#1 : tensor<64x64xf32>, tensor<64x64xf16>, tensor<64x64xf16>
    }
    kernel.return %r#0 : tensor<64x64xf32>
  }
  %whole = kernel.untile %tiles to [%n, %m] : tensor<?x?x64x64xf32> -> tensor<?x?xf32>
  func.return %whole : tensor<?x?xf32>
}
// An end along the depth: what lies behind it counts.
func.func @ends(%a: tensor<?x?xf16>, %b: tensor<?x?xf16>, %n: index, %k: index, %m: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = arith.ceildivui %n, %c64 : index
  %columns = arith.ceildivui %m, %c64 : index
  %steps = arith.divui %k, %c64 : index
  %last_row = arith.subi %n, %c1 : index
  %last_column = arith.subi %m, %c1 : index
  %tiles = kernel.segmap block (%i < %rows, %j < %columns) -> (tensor<?x?x64x64xf32>) {
    %sums = kernel.segmap thread registers [2, 16] runs [1, 2] apart 8 (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
      kernel.return %zero : f32
    }
    %any = arith.cmpi sgt, %steps, %c0 : index
    %first:2 = scf.if %any -> (tensor<64x64xf16>, tensor<64x64xf16>) {
      %as = kernel.segmap thread async (%p < %c64, %e < %c64) -> (tensor<64x64xf16>) {
        %r0 = arith.muli %i, %c64 : index
        %r1 = arith.addi %r0, %p : index
        %r2 = arith.minsi %r1, %last_row : index
        %k0 = arith.muli %c0, %c64 : index
        %k1 = arith.addi %k0, %e : index
        %last = arith.subi %k, %c1 : index
        %k2 = arith.minsi %k1, %last : index
        %x = tensor.extract %a[%r2, %k2] : tensor<?x?xf16>
        kernel.return %x : f16
      }
      %bs = kernel.segmap thread async (%e < %c64, %q < %c64) -> (tensor<64x64xf16>) {
        %k0 = arith.muli %c0, %c64 : index
        %k1 = arith.addi %k0, %e : index
        %q0 = arith.muli %j, %c64 : index
        %q1 = arith.addi %q0, %q : index
        %q2 = arith.minsi %q1, %last_column : index
        %x = tensor.extract %b[%k1, %q2] : tensor<?x?xf16>
        kernel.return %x : f16
      }
      scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
    } else {
      %as = tensor.empty() : tensor<64x64xf16>
      %bs = tensor.empty() : tensor<64x64xf16>
      scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
    }
    %r:3 = scf.for %t = %c0 to %steps step %c1 iter_args(%c = %sums, %as0 = %first#0, %bs0 = %first#1) -> (tensor<64x64xf32>, tensor<64x64xf16>, tensor<64x64xf16>) {
      %next = arith.addi %t, %c1 : index
      %more = arith.cmpi slt, %next, %steps : index
      %later:2 = scf.if %more -> (tensor<64x64xf16>, tensor<64x64xf16>) {
        %as = kernel.segmap thread async (%p < %c64, %e < %c64) -> (tensor<64x64xf16>) {
          %r0 = arith.muli %i, %c64 : index
          %r1 = arith.addi %r0, %p : index
          %r2 = arith.minsi %r1, %last_row : index
          %k0 = arith.muli %next, %c64 : index
          %k1 = arith.addi %k0, %e : index
          %last = arith.subi %k, %c1 : index
          %k2 = arith.minsi %k1, %last : index
          %x = tensor.extract %a[%r2, %k2] : tensor<?x?xf16>
          kernel.return %x : f16
        }
        %bs = kernel.segmap thread async (%e < %c64, %q < %c64) -> (tensor<64x64xf16>) {
          %k0 = arith.muli %next, %c64 : index
          %k1 = arith.addi %k0, %e : index
          %q0 = arith.muli %j, %c64 : index
          %q1 = arith.addi %q0, %q : index
          %q2 = arith.minsi %q1, %last_column : index
          %x = tensor.extract %b[%k1, %q2] : tensor<?x?xf16>
          kernel.return %x : f16
        }
        scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
      } else {
        %as = tensor.empty() : tensor<64x64xf16>
        %bs = tensor.empty() : tensor<64x64xf16>
        scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
      }
      %d = kernel.segmap thread contract warpgroups registers [2, 16] runs [1, 2] apart 8 (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
        %old = tensor.extract %c[%p, %q] : tensor<64x64xf32>
        %sum = scf.for %e = %c0 to %c64 step %c1 iter_args(%so_far = %old) -> (f32) {
          %x = tensor.extract %as0[%p, %e] : tensor<64x64xf16>
          %y = tensor.extract %bs0[%e, %q] : tensor<64x64xf16>
          %xx = arith.extf %x : f16 to f32
          %yy = arith.extf %y : f16 to f32
          %xy = arith.mulf %xx, %yy : f32
          %new = arith.addf %so_far, %xy fastmath<reassoc> : f32
          scf.yield %new : f32
        }
        kernel.return %sum : f32
      }
      scf.yield %d, %later#0, %later#1 : tensor<64x64xf32>, tensor<64x64xf16>, tensor<64x64xf16>
    }
    kernel.return %r#0 : tensor<64x64xf32>
  }
  %whole = kernel.untile %tiles to [%n, %m] : tensor<?x?x64x64xf32> -> tensor<?x?xf32>
  func.return %whole : tensor<?x?xf32>
}
// Points read the sums of others.
func.func @turned(%a: tensor<?x?xf16>, %b: tensor<?x?xf16>, %n: index, %k: index, %m: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = arith.ceildivui %n, %c64 : index
  %columns = arith.ceildivui %m, %c64 : index
  %steps = arith.divui %k, %c64 : index
  %last_row = arith.subi %n, %c1 : index
  %last_column = arith.subi %m, %c1 : index
  %tiles = kernel.segmap block (%i < %rows, %j < %columns) -> (tensor<?x?x64x64xf32>) {
    %sums = kernel.segmap thread registers [2, 16] runs [1, 2] apart 8 (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
      kernel.return %zero : f32
    }
    %any = arith.cmpi sgt, %steps, %c0 : index
    %first:2 = scf.if %any -> (tensor<64x64xf16>, tensor<64x64xf16>) {
      %as = kernel.segmap thread async (%p < %c64, %e < %c64) -> (tensor<64x64xf16>) {
        %r0 = arith.muli %i, %c64 : index
        %r1 = arith.addi %r0, %p : index
        %r2 = arith.minsi %r1, %last_row : index
        %k0 = arith.muli %c0, %c64 : index
        %k1 = arith.addi %k0, %e : index
        %x = tensor.extract %a[%r2, %k1] : tensor<?x?xf16>
        kernel.return %x : f16
      }
      %bs = kernel.segmap thread async (%e < %c64, %q < %c64) -> (tensor<64x64xf16>) {
        %k0 = arith.muli %c0, %c64 : index
        %k1 = arith.addi %k0, %e : index
        %q0 = arith.muli %j, %c64 : index
        %q1 = arith.addi %q0, %q : index
        %q2 = arith.minsi %q1, %last_column : index
        %x = tensor.extract %b[%k1, %q2] : tensor<?x?xf16>
        kernel.return %x : f16
      }
      scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
    } else {
      %as = tensor.empty() : tensor<64x64xf16>
      %bs = tensor.empty() : tensor<64x64xf16>
      scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
    }
    %r:3 = scf.for %t = %c0 to %steps step %c1 iter_args(%c = %sums, %as0 = %first#0, %bs0 = %first#1) -> (tensor<64x64xf32>, tensor<64x64xf16>, tensor<64x64xf16>) {
      %next = arith.addi %t, %c1 : index
      %more = arith.cmpi slt, %next, %steps : index
      %later:2 = scf.if %more -> (tensor<64x64xf16>, tensor<64x64xf16>) {
        %as = kernel.segmap thread async (%p < %c64, %e < %c64) -> (tensor<64x64xf16>) {
          %r0 = arith.muli %i, %c64 : index
          %r1 = arith.addi %r0, %p : index
          %r2 = arith.minsi %r1, %last_row : index
          %k0 = arith.muli %next, %c64 : index
          %k1 = arith.addi %k0, %e : index
          %x = tensor.extract %a[%r2, %k1] : tensor<?x?xf16>
          kernel.return %x : f16
        }
        %bs = kernel.segmap thread async (%e < %c64, %q < %c64) -> (tensor<64x64xf16>) {
          %k0 = arith.muli %next, %c64 : index
          %k1 = arith.addi %k0, %e : index
          %q0 = arith.muli %j, %c64 : index
          %q1 = arith.addi %q0, %q : index
          %q2 = arith.minsi %q1, %last_column : index
          %x = tensor.extract %b[%k1, %q2] : tensor<?x?xf16>
          kernel.return %x : f16
        }
        scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
      } else {
        %as = tensor.empty() : tensor<64x64xf16>
        %bs = tensor.empty() : tensor<64x64xf16>
        scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
      }
      %d = kernel.segmap thread contract warpgroups registers [2, 16] runs [1, 2] apart 8 (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
        %old = tensor.extract %c[%p, %q] : tensor<64x64xf32>
        %sum = scf.for %e = %c0 to %c64 step %c1 iter_args(%so_far = %old) -> (f32) {
          %x = tensor.extract %as0[%p, %e] : tensor<64x64xf16>
          %y = tensor.extract %bs0[%e, %q] : tensor<64x64xf16>
          %xx = arith.extf %x : f16 to f32
          %yy = arith.extf %y : f16 to f32
          %xy = arith.mulf %xx, %yy : f32
          %new = arith.addf %so_far, %xy fastmath<reassoc> : f32
          scf.yield %new : f32
        }
        kernel.return %sum : f32
      }
      scf.yield %d, %later#0, %later#1 : tensor<64x64xf32>, tensor<64x64xf16>, tensor<64x64xf16>
    }
    %turned = kernel.segmap thread registers [2, 16] runs [1, 2] apart 8 (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
      %mine = tensor.extract %r#0[%p, %q] : tensor<64x64xf32>
      %other = tensor.extract %r#0[%q, %p] : tensor<64x64xf32>
      %both = arith.addf %mine, %other : f32
      kernel.return %both : f32
    }
    kernel.return %turned : tensor<64x64xf32>
  }
  %whole = kernel.untile %tiles to [%n, %m] : tensor<?x?x64x64xf32> -> tensor<?x?xf32>
  func.return %whole : tensor<?x?xf32>
}
// ===== expected
builtin.module {
  func.func @product(%a: tensor<?x?xf16>, %b: tensor<?x?xf16>, %n: index, %k: index, %m: index) -> tensor<?x?xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %rows = arith.ceildivui %n, %c64 : index
    %columns = arith.ceildivui %m, %c64 : index
    %steps = arith.divui %k, %c64 : index
    %last_row = arith.subi %n, %c1 : index
    %last_column = arith.subi %m, %c1 : index
    %c1_0 = arith.constant 1 : index
    %0 = tensor.dim %a, %c1_0 : tensor<?x?xf16>
    %c1_1 = arith.constant 1 : index
    %1 = tensor.dim %b, %c1_1 : tensor<?x?xf16>
    %c0_2 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %2 = arith.remui %0, %c8 : index
    %3 = arith.cmpi eq, %2, %c0_2 : index
    %4 = arith.remui %1, %c8 : index
    %5 = arith.cmpi eq, %4, %c0_2 : index
    %6 = arith.andi %3, %5 : i1
    %7 = arith.minsi %0, %1 : index
    %8 = arith.cmpi sgt, %7, %c0_2 : index
    %9 = arith.andi %6, %8 : i1
    %10 = kernel.at_least %7, "product.boxes0" default 64
    %11 = arith.andi %9, %10 : i1
    %12 = scf.if %11 -> (tensor<?x?xf32>) {
      %tiles = kernel.segmap block (%i < %rows, %j < %columns) -> (tensor<?x?x64x64xf32>) {
        %sums = kernel.segmap thread registers [2, 16] runs [1, 2] apart 8 (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
          kernel.return %zero : f32
        }
        %any = arith.cmpi sgt, %steps, %c0 : index
        %first:2 = scf.if %any -> (tensor<64x64xf16>, tensor<64x64xf16>) {
          %as = kernel.segmap thread async boxes (%p < %c64, %e < %c64) -> (tensor<64x64xf16>) {
            %r0 = arith.muli %i, %c64 : index
            %r1 = arith.addi %r0, %p : index
            %r2 = arith.minsi %r1, %last_row : index
            %k0 = arith.muli %c0, %c64 : index
            %k1 = arith.addi %k0, %e : index
            %x = tensor.extract %a[%r2, %k1] : tensor<?x?xf16>
            kernel.return %x : f16
          }
          %bs = kernel.segmap thread async boxes (%e < %c64, %q < %c64) -> (tensor<64x64xf16>) {
            %k0 = arith.muli %c0, %c64 : index
            %k1 = arith.addi %k0, %e : index
            %q0 = arith.muli %j, %c64 : index
            %q1 = arith.addi %q0, %q : index
            %q2 = arith.minsi %q1, %last_column : index
            %x = tensor.extract %b[%k1, %q2] : tensor<?x?xf16>
            kernel.return %x : f16
          }
          scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
        } else {
          %as = tensor.empty() : tensor<64x64xf16>
          %bs = tensor.empty() : tensor<64x64xf16>
          scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
        }
        %r:3 = scf.for %t = %c0 to %steps step %c1 iter_args(%c = %sums, %as0 = %first#0, %bs0 = %first#1) -> (tensor<64x64xf32>, tensor<64x64xf16>, tensor<64x64xf16>) {
          %next = arith.addi %t, %c1 : index
          %more = arith.cmpi slt, %next, %steps : index
          %later:2 = scf.if %more -> (tensor<64x64xf16>, tensor<64x64xf16>) {
            %as = kernel.segmap thread async boxes (%p < %c64, %e < %c64) -> (tensor<64x64xf16>) {
              %r0 = arith.muli %i, %c64 : index
              %r1 = arith.addi %r0, %p : index
              %r2 = arith.minsi %r1, %last_row : index
              %k0 = arith.muli %next, %c64 : index
              %k1 = arith.addi %k0, %e : index
              %x = tensor.extract %a[%r2, %k1] : tensor<?x?xf16>
              kernel.return %x : f16
            }
            %bs = kernel.segmap thread async boxes (%e < %c64, %q < %c64) -> (tensor<64x64xf16>) {
              %k0 = arith.muli %next, %c64 : index
              %k1 = arith.addi %k0, %e : index
              %q0 = arith.muli %j, %c64 : index
              %q1 = arith.addi %q0, %q : index
              %q2 = arith.minsi %q1, %last_column : index
              %x = tensor.extract %b[%k1, %q2] : tensor<?x?xf16>
              kernel.return %x : f16
            }
            scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
          } else {
            %as = tensor.empty() : tensor<64x64xf16>
            %bs = tensor.empty() : tensor<64x64xf16>
            scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
          }
          %d = kernel.segmap thread contract warpgroups registers [2, 16] runs [1, 2] apart 8 (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
            %old = tensor.extract %c[%p, %q] : tensor<64x64xf32>
            %sum = scf.for %e = %c0 to %c64 step %c1 iter_args(%so_far = %old) -> (f32) {
              %x = tensor.extract %as0[%p, %e] : tensor<64x64xf16>
              %y = tensor.extract %bs0[%e, %q] : tensor<64x64xf16>
              %xx = arith.extf %x : f16 to f32
              %yy = arith.extf %y : f16 to f32
              %xy = arith.mulf %xx, %yy : f32
              %new = arith.addf %so_far, %xy fastmath<reassoc> : f32
              scf.yield %new : f32
            }
            kernel.return %sum : f32
          }
          scf.yield %d, %later#0, %later#1 : tensor<64x64xf32>, tensor<64x64xf16>, tensor<64x64xf16>
        }
        kernel.return %r#0 : tensor<64x64xf32>
      }
      %whole = kernel.untile %tiles to [%n, %m] : tensor<?x?x64x64xf32> -> tensor<?x?xf32>
      scf.yield %whole : tensor<?x?xf32>
    } else {
      %tiles = kernel.segmap block (%i < %rows, %j < %columns) -> (tensor<?x?x64x64xf32>) {
        %sums = kernel.segmap thread registers [2, 16] runs [1, 2] apart 8 (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
          kernel.return %zero : f32
        }
        %any = arith.cmpi sgt, %steps, %c0 : index
        %first:2 = scf.if %any -> (tensor<64x64xf16>, tensor<64x64xf16>) {
          %as = kernel.segmap thread async (%p < %c64, %e < %c64) -> (tensor<64x64xf16>) {
            %r0 = arith.muli %i, %c64 : index
            %r1 = arith.addi %r0, %p : index
            %r2 = arith.minsi %r1, %last_row : index
            %k0 = arith.muli %c0, %c64 : index
            %k1 = arith.addi %k0, %e : index
            %x = tensor.extract %a[%r2, %k1] : tensor<?x?xf16>
            kernel.return %x : f16
          }
          %bs = kernel.segmap thread async (%e < %c64, %q < %c64) -> (tensor<64x64xf16>) {
            %k0 = arith.muli %c0, %c64 : index
            %k1 = arith.addi %k0, %e : index
            %q0 = arith.muli %j, %c64 : index
            %q1 = arith.addi %q0, %q : index
            %q2 = arith.minsi %q1, %last_column : index
            %x = tensor.extract %b[%k1, %q2] : tensor<?x?xf16>
            kernel.return %x : f16
          }
          scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
        } else {
          %as = tensor.empty() : tensor<64x64xf16>
          %bs = tensor.empty() : tensor<64x64xf16>
          scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
        }
        %r:3 = scf.for %t = %c0 to %steps step %c1 iter_args(%c = %sums, %as0 = %first#0, %bs0 = %first#1) -> (tensor<64x64xf32>, tensor<64x64xf16>, tensor<64x64xf16>) {
          %next = arith.addi %t, %c1 : index
          %more = arith.cmpi slt, %next, %steps : index
          %later:2 = scf.if %more -> (tensor<64x64xf16>, tensor<64x64xf16>) {
            %as = kernel.segmap thread async (%p < %c64, %e < %c64) -> (tensor<64x64xf16>) {
              %r0 = arith.muli %i, %c64 : index
              %r1 = arith.addi %r0, %p : index
              %r2 = arith.minsi %r1, %last_row : index
              %k0 = arith.muli %next, %c64 : index
              %k1 = arith.addi %k0, %e : index
              %x = tensor.extract %a[%r2, %k1] : tensor<?x?xf16>
              kernel.return %x : f16
            }
            %bs = kernel.segmap thread async (%e < %c64, %q < %c64) -> (tensor<64x64xf16>) {
              %k0 = arith.muli %next, %c64 : index
              %k1 = arith.addi %k0, %e : index
              %q0 = arith.muli %j, %c64 : index
              %q1 = arith.addi %q0, %q : index
              %q2 = arith.minsi %q1, %last_column : index
              %x = tensor.extract %b[%k1, %q2] : tensor<?x?xf16>
              kernel.return %x : f16
            }
            scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
          } else {
            %as = tensor.empty() : tensor<64x64xf16>
            %bs = tensor.empty() : tensor<64x64xf16>
            scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
          }
          %d = kernel.segmap thread contract warpgroups registers [2, 16] runs [1, 2] apart 8 (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
            %old = tensor.extract %c[%p, %q] : tensor<64x64xf32>
            %sum = scf.for %e = %c0 to %c64 step %c1 iter_args(%so_far = %old) -> (f32) {
              %x = tensor.extract %as0[%p, %e] : tensor<64x64xf16>
              %y = tensor.extract %bs0[%e, %q] : tensor<64x64xf16>
              %xx = arith.extf %x : f16 to f32
              %yy = arith.extf %y : f16 to f32
              %xy = arith.mulf %xx, %yy : f32
              %new = arith.addf %so_far, %xy fastmath<reassoc> : f32
              scf.yield %new : f32
            }
            kernel.return %sum : f32
          }
          scf.yield %d, %later#0, %later#1 : tensor<64x64xf32>, tensor<64x64xf16>, tensor<64x64xf16>
        }
        kernel.return %r#0 : tensor<64x64xf32>
      }
      %whole = kernel.untile %tiles to [%n, %m] : tensor<?x?x64x64xf32> -> tensor<?x?xf32>
      scf.yield %whole : tensor<?x?xf32>
    }
    func.return %12 : tensor<?x?xf32>
  }
  func.func @known(%a: tensor<?x256xf16>, %b: tensor<256x1000xf16>, %n: index, %k: index, %m: index) -> tensor<?x?xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %rows = arith.ceildivui %n, %c64 : index
    %columns = arith.ceildivui %m, %c64 : index
    %steps = arith.divui %k, %c64 : index
    %last_row = arith.subi %n, %c1 : index
    %last_column = arith.subi %m, %c1 : index
    %c256 = arith.constant 256 : index
    %c1000 = arith.constant 1000 : index
    %c0_0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c0_1 = arith.constant 0 : index
    %true = arith.constant true
    %c0_2 = arith.constant 0 : index
    %true_3 = arith.constant true
    %true_4 = arith.constant true
    %tiles = kernel.segmap block (%i < %rows, %j < %columns) -> (tensor<?x?x64x64xf32>) {
      %sums = kernel.segmap thread registers [2, 16] runs [1, 2] apart 8 (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
        kernel.return %zero : f32
      }
      %any = arith.cmpi sgt, %steps, %c0 : index
      %first:2 = scf.if %any -> (tensor<64x64xf16>, tensor<64x64xf16>) {
        %as = kernel.segmap thread async boxes (%p < %c64, %e < %c64) -> (tensor<64x64xf16>) {
          %r0 = arith.muli %i, %c64 : index
          %r1 = arith.addi %r0, %p : index
          %r2 = arith.minsi %r1, %last_row : index
          %k0 = arith.muli %c0, %c64 : index
          %k1 = arith.addi %k0, %e : index
          %x = tensor.extract %a[%r2, %k1] : tensor<?x256xf16>
          kernel.return %x : f16
        }
        %bs = kernel.segmap thread async boxes (%e < %c64, %q < %c64) -> (tensor<64x64xf16>) {
          %k0 = arith.muli %c0, %c64 : index
          %k1 = arith.addi %k0, %e : index
          %q0 = arith.muli %j, %c64 : index
          %q1 = arith.addi %q0, %q : index
          %q2 = arith.minsi %q1, %last_column : index
          %x = tensor.extract %b[%k1, %q2] : tensor<256x1000xf16>
          kernel.return %x : f16
        }
        scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
      } else {
        %as = tensor.empty() : tensor<64x64xf16>
        %bs = tensor.empty() : tensor<64x64xf16>
        scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
      }
      %r:3 = scf.for %t = %c0 to %steps step %c1 iter_args(%c = %sums, %as0 = %first#0, %bs0 = %first#1) -> (tensor<64x64xf32>, tensor<64x64xf16>, tensor<64x64xf16>) {
        %next = arith.addi %t, %c1 : index
        %more = arith.cmpi slt, %next, %steps : index
        %later:2 = scf.if %more -> (tensor<64x64xf16>, tensor<64x64xf16>) {
          %as = kernel.segmap thread async boxes (%p < %c64, %e < %c64) -> (tensor<64x64xf16>) {
            %r0 = arith.muli %i, %c64 : index
            %r1 = arith.addi %r0, %p : index
            %r2 = arith.minsi %r1, %last_row : index
            %k0 = arith.muli %next, %c64 : index
            %k1 = arith.addi %k0, %e : index
            %x = tensor.extract %a[%r2, %k1] : tensor<?x256xf16>
            kernel.return %x : f16
          }
          %bs = kernel.segmap thread async boxes (%e < %c64, %q < %c64) -> (tensor<64x64xf16>) {
            %k0 = arith.muli %next, %c64 : index
            %k1 = arith.addi %k0, %e : index
            %q0 = arith.muli %j, %c64 : index
            %q1 = arith.addi %q0, %q : index
            %q2 = arith.minsi %q1, %last_column : index
            %x = tensor.extract %b[%k1, %q2] : tensor<256x1000xf16>
            kernel.return %x : f16
          }
          scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
        } else {
          %as = tensor.empty() : tensor<64x64xf16>
          %bs = tensor.empty() : tensor<64x64xf16>
          scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
        }
        %d = kernel.segmap thread contract warpgroups registers [2, 16] runs [1, 2] apart 8 (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
          %old = tensor.extract %c[%p, %q] : tensor<64x64xf32>
          %sum = scf.for %e = %c0 to %c64 step %c1 iter_args(%so_far = %old) -> (f32) {
            %x = tensor.extract %as0[%p, %e] : tensor<64x64xf16>
            %y = tensor.extract %bs0[%e, %q] : tensor<64x64xf16>
            %xx = arith.extf %x : f16 to f32
            %yy = arith.extf %y : f16 to f32
            %xy = arith.mulf %xx, %yy : f32
            %new = arith.addf %so_far, %xy fastmath<reassoc> : f32
            scf.yield %new : f32
          }
          kernel.return %sum : f32
        }
        scf.yield %d, %later#0, %later#1 : tensor<64x64xf32>, tensor<64x64xf16>, tensor<64x64xf16>
      }
      kernel.return %r#0 : tensor<64x64xf32>
    }
    %whole = kernel.untile %tiles to [%n, %m] : tensor<?x?x64x64xf32> -> tensor<?x?xf32>
    func.return %whole : tensor<?x?xf32>
  }
  func.func @odd(%a: tensor<?x256xf16>, %b: tensor<256x1001xf16>, %n: index, %k: index, %m: index) -> tensor<?x?xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %rows = arith.ceildivui %n, %c64 : index
    %columns = arith.ceildivui %m, %c64 : index
    %steps = arith.divui %k, %c64 : index
    %last_row = arith.subi %n, %c1 : index
    %last_column = arith.subi %m, %c1 : index
    %c256 = arith.constant 256 : index
    %c1001 = arith.constant 1001 : index
    %c0_0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c0_1 = arith.constant 0 : index
    %true = arith.constant true
    %c1_2 = arith.constant 1 : index
    %false = arith.constant false
    %true_3 = arith.constant true
    %tiles = kernel.segmap block (%i < %rows, %j < %columns) -> (tensor<?x?x64x64xf32>) {
      %sums = kernel.segmap thread registers [2, 16] runs [1, 2] apart 8 (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
        kernel.return %zero : f32
      }
      %any = arith.cmpi sgt, %steps, %c0 : index
      %first:2 = scf.if %any -> (tensor<64x64xf16>, tensor<64x64xf16>) {
        %as = kernel.segmap thread async (%p < %c64, %e < %c64) -> (tensor<64x64xf16>) {
          %r0 = arith.muli %i, %c64 : index
          %r1 = arith.addi %r0, %p : index
          %r2 = arith.minsi %r1, %last_row : index
          %k0 = arith.muli %c0, %c64 : index
          %k1 = arith.addi %k0, %e : index
          %x = tensor.extract %a[%r2, %k1] : tensor<?x256xf16>
          kernel.return %x : f16
        }
        %bs = kernel.segmap thread async (%e < %c64, %q < %c64) -> (tensor<64x64xf16>) {
          %k0 = arith.muli %c0, %c64 : index
          %k1 = arith.addi %k0, %e : index
          %q0 = arith.muli %j, %c64 : index
          %q1 = arith.addi %q0, %q : index
          %q2 = arith.minsi %q1, %last_column : index
          %x = tensor.extract %b[%k1, %q2] : tensor<256x1001xf16>
          kernel.return %x : f16
        }
        scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
      } else {
        %as = tensor.empty() : tensor<64x64xf16>
        %bs = tensor.empty() : tensor<64x64xf16>
        scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
      }
      %r:3 = scf.for %t = %c0 to %steps step %c1 iter_args(%c = %sums, %as0 = %first#0, %bs0 = %first#1) -> (tensor<64x64xf32>, tensor<64x64xf16>, tensor<64x64xf16>) {
        %next = arith.addi %t, %c1 : index
        %more = arith.cmpi slt, %next, %steps : index
        %later:2 = scf.if %more -> (tensor<64x64xf16>, tensor<64x64xf16>) {
          %as = kernel.segmap thread async (%p < %c64, %e < %c64) -> (tensor<64x64xf16>) {
            %r0 = arith.muli %i, %c64 : index
            %r1 = arith.addi %r0, %p : index
            %r2 = arith.minsi %r1, %last_row : index
            %k0 = arith.muli %next, %c64 : index
            %k1 = arith.addi %k0, %e : index
            %x = tensor.extract %a[%r2, %k1] : tensor<?x256xf16>
            kernel.return %x : f16
          }
          %bs = kernel.segmap thread async (%e < %c64, %q < %c64) -> (tensor<64x64xf16>) {
            %k0 = arith.muli %next, %c64 : index
            %k1 = arith.addi %k0, %e : index
            %q0 = arith.muli %j, %c64 : index
            %q1 = arith.addi %q0, %q : index
            %q2 = arith.minsi %q1, %last_column : index
            %x = tensor.extract %b[%k1, %q2] : tensor<256x1001xf16>
            kernel.return %x : f16
          }
          scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
        } else {
          %as = tensor.empty() : tensor<64x64xf16>
          %bs = tensor.empty() : tensor<64x64xf16>
          scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
        }
        %d = kernel.segmap thread contract warpgroups registers [2, 16] runs [1, 2] apart 8 (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
          %old = tensor.extract %c[%p, %q] : tensor<64x64xf32>
          %sum = scf.for %e = %c0 to %c64 step %c1 iter_args(%so_far = %old) -> (f32) {
            %x = tensor.extract %as0[%p, %e] : tensor<64x64xf16>
            %y = tensor.extract %bs0[%e, %q] : tensor<64x64xf16>
            %xx = arith.extf %x : f16 to f32
            %yy = arith.extf %y : f16 to f32
            %xy = arith.mulf %xx, %yy : f32
            %new = arith.addf %so_far, %xy fastmath<reassoc> : f32
            scf.yield %new : f32
          }
          kernel.return %sum : f32
        }
        scf.yield %d, %later#0, %later#1 : tensor<64x64xf32>, tensor<64x64xf16>, tensor<64x64xf16>
      }
      kernel.return %r#0 : tensor<64x64xf32>
    }
    %whole = kernel.untile %tiles to [%n, %m] : tensor<?x?x64x64xf32> -> tensor<?x?xf32>
    func.return %whole : tensor<?x?xf32>
  }
  func.func @ends(%a: tensor<?x?xf16>, %b: tensor<?x?xf16>, %n: index, %k: index, %m: index) -> tensor<?x?xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %rows = arith.ceildivui %n, %c64 : index
    %columns = arith.ceildivui %m, %c64 : index
    %steps = arith.divui %k, %c64 : index
    %last_row = arith.subi %n, %c1 : index
    %last_column = arith.subi %m, %c1 : index
    %tiles = kernel.segmap block (%i < %rows, %j < %columns) -> (tensor<?x?x64x64xf32>) {
      %sums = kernel.segmap thread registers [2, 16] runs [1, 2] apart 8 (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
        kernel.return %zero : f32
      }
      %any = arith.cmpi sgt, %steps, %c0 : index
      %first:2 = scf.if %any -> (tensor<64x64xf16>, tensor<64x64xf16>) {
        %as = kernel.segmap thread async (%p < %c64, %e < %c64) -> (tensor<64x64xf16>) {
          %r0 = arith.muli %i, %c64 : index
          %r1 = arith.addi %r0, %p : index
          %r2 = arith.minsi %r1, %last_row : index
          %k0 = arith.muli %c0, %c64 : index
          %k1 = arith.addi %k0, %e : index
          %last = arith.subi %k, %c1 : index
          %k2 = arith.minsi %k1, %last : index
          %x = tensor.extract %a[%r2, %k2] : tensor<?x?xf16>
          kernel.return %x : f16
        }
        %bs = kernel.segmap thread async (%e < %c64, %q < %c64) -> (tensor<64x64xf16>) {
          %k0 = arith.muli %c0, %c64 : index
          %k1 = arith.addi %k0, %e : index
          %q0 = arith.muli %j, %c64 : index
          %q1 = arith.addi %q0, %q : index
          %q2 = arith.minsi %q1, %last_column : index
          %x = tensor.extract %b[%k1, %q2] : tensor<?x?xf16>
          kernel.return %x : f16
        }
        scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
      } else {
        %as = tensor.empty() : tensor<64x64xf16>
        %bs = tensor.empty() : tensor<64x64xf16>
        scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
      }
      %r:3 = scf.for %t = %c0 to %steps step %c1 iter_args(%c = %sums, %as0 = %first#0, %bs0 = %first#1) -> (tensor<64x64xf32>, tensor<64x64xf16>, tensor<64x64xf16>) {
        %next = arith.addi %t, %c1 : index
        %more = arith.cmpi slt, %next, %steps : index
        %later:2 = scf.if %more -> (tensor<64x64xf16>, tensor<64x64xf16>) {
          %as = kernel.segmap thread async (%p < %c64, %e < %c64) -> (tensor<64x64xf16>) {
            %r0 = arith.muli %i, %c64 : index
            %r1 = arith.addi %r0, %p : index
            %r2 = arith.minsi %r1, %last_row : index
            %k0 = arith.muli %next, %c64 : index
            %k1 = arith.addi %k0, %e : index
            %last = arith.subi %k, %c1 : index
            %k2 = arith.minsi %k1, %last : index
            %x = tensor.extract %a[%r2, %k2] : tensor<?x?xf16>
            kernel.return %x : f16
          }
          %bs = kernel.segmap thread async (%e < %c64, %q < %c64) -> (tensor<64x64xf16>) {
            %k0 = arith.muli %next, %c64 : index
            %k1 = arith.addi %k0, %e : index
            %q0 = arith.muli %j, %c64 : index
            %q1 = arith.addi %q0, %q : index
            %q2 = arith.minsi %q1, %last_column : index
            %x = tensor.extract %b[%k1, %q2] : tensor<?x?xf16>
            kernel.return %x : f16
          }
          scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
        } else {
          %as = tensor.empty() : tensor<64x64xf16>
          %bs = tensor.empty() : tensor<64x64xf16>
          scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
        }
        %d = kernel.segmap thread contract warpgroups registers [2, 16] runs [1, 2] apart 8 (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
          %old = tensor.extract %c[%p, %q] : tensor<64x64xf32>
          %sum = scf.for %e = %c0 to %c64 step %c1 iter_args(%so_far = %old) -> (f32) {
            %x = tensor.extract %as0[%p, %e] : tensor<64x64xf16>
            %y = tensor.extract %bs0[%e, %q] : tensor<64x64xf16>
            %xx = arith.extf %x : f16 to f32
            %yy = arith.extf %y : f16 to f32
            %xy = arith.mulf %xx, %yy : f32
            %new = arith.addf %so_far, %xy fastmath<reassoc> : f32
            scf.yield %new : f32
          }
          kernel.return %sum : f32
        }
        scf.yield %d, %later#0, %later#1 : tensor<64x64xf32>, tensor<64x64xf16>, tensor<64x64xf16>
      }
      kernel.return %r#0 : tensor<64x64xf32>
    }
    %whole = kernel.untile %tiles to [%n, %m] : tensor<?x?x64x64xf32> -> tensor<?x?xf32>
    func.return %whole : tensor<?x?xf32>
  }
  func.func @turned(%a: tensor<?x?xf16>, %b: tensor<?x?xf16>, %n: index, %k: index, %m: index) -> tensor<?x?xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %rows = arith.ceildivui %n, %c64 : index
    %columns = arith.ceildivui %m, %c64 : index
    %steps = arith.divui %k, %c64 : index
    %last_row = arith.subi %n, %c1 : index
    %last_column = arith.subi %m, %c1 : index
    %tiles = kernel.segmap block (%i < %rows, %j < %columns) -> (tensor<?x?x64x64xf32>) {
      %sums = kernel.segmap thread registers [2, 16] runs [1, 2] apart 8 (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
        kernel.return %zero : f32
      }
      %any = arith.cmpi sgt, %steps, %c0 : index
      %first:2 = scf.if %any -> (tensor<64x64xf16>, tensor<64x64xf16>) {
        %as = kernel.segmap thread async (%p < %c64, %e < %c64) -> (tensor<64x64xf16>) {
          %r0 = arith.muli %i, %c64 : index
          %r1 = arith.addi %r0, %p : index
          %r2 = arith.minsi %r1, %last_row : index
          %k0 = arith.muli %c0, %c64 : index
          %k1 = arith.addi %k0, %e : index
          %x = tensor.extract %a[%r2, %k1] : tensor<?x?xf16>
          kernel.return %x : f16
        }
        %bs = kernel.segmap thread async (%e < %c64, %q < %c64) -> (tensor<64x64xf16>) {
          %k0 = arith.muli %c0, %c64 : index
          %k1 = arith.addi %k0, %e : index
          %q0 = arith.muli %j, %c64 : index
          %q1 = arith.addi %q0, %q : index
          %q2 = arith.minsi %q1, %last_column : index
          %x = tensor.extract %b[%k1, %q2] : tensor<?x?xf16>
          kernel.return %x : f16
        }
        scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
      } else {
        %as = tensor.empty() : tensor<64x64xf16>
        %bs = tensor.empty() : tensor<64x64xf16>
        scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
      }
      %r:3 = scf.for %t = %c0 to %steps step %c1 iter_args(%c = %sums, %as0 = %first#0, %bs0 = %first#1) -> (tensor<64x64xf32>, tensor<64x64xf16>, tensor<64x64xf16>) {
        %next = arith.addi %t, %c1 : index
        %more = arith.cmpi slt, %next, %steps : index
        %later:2 = scf.if %more -> (tensor<64x64xf16>, tensor<64x64xf16>) {
          %as = kernel.segmap thread async (%p < %c64, %e < %c64) -> (tensor<64x64xf16>) {
            %r0 = arith.muli %i, %c64 : index
            %r1 = arith.addi %r0, %p : index
            %r2 = arith.minsi %r1, %last_row : index
            %k0 = arith.muli %next, %c64 : index
            %k1 = arith.addi %k0, %e : index
            %x = tensor.extract %a[%r2, %k1] : tensor<?x?xf16>
            kernel.return %x : f16
          }
          %bs = kernel.segmap thread async (%e < %c64, %q < %c64) -> (tensor<64x64xf16>) {
            %k0 = arith.muli %next, %c64 : index
            %k1 = arith.addi %k0, %e : index
            %q0 = arith.muli %j, %c64 : index
            %q1 = arith.addi %q0, %q : index
            %q2 = arith.minsi %q1, %last_column : index
            %x = tensor.extract %b[%k1, %q2] : tensor<?x?xf16>
            kernel.return %x : f16
          }
          scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
        } else {
          %as = tensor.empty() : tensor<64x64xf16>
          %bs = tensor.empty() : tensor<64x64xf16>
          scf.yield %as, %bs : tensor<64x64xf16>, tensor<64x64xf16>
        }
        %d = kernel.segmap thread contract warpgroups registers [2, 16] runs [1, 2] apart 8 (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
          %old = tensor.extract %c[%p, %q] : tensor<64x64xf32>
          %sum = scf.for %e = %c0 to %c64 step %c1 iter_args(%so_far = %old) -> (f32) {
            %x = tensor.extract %as0[%p, %e] : tensor<64x64xf16>
            %y = tensor.extract %bs0[%e, %q] : tensor<64x64xf16>
            %xx = arith.extf %x : f16 to f32
            %yy = arith.extf %y : f16 to f32
            %xy = arith.mulf %xx, %yy : f32
            %new = arith.addf %so_far, %xy fastmath<reassoc> : f32
            scf.yield %new : f32
          }
          kernel.return %sum : f32
        }
        scf.yield %d, %later#0, %later#1 : tensor<64x64xf32>, tensor<64x64xf16>, tensor<64x64xf16>
      }
      %turned = kernel.segmap thread registers [2, 16] runs [1, 2] apart 8 (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
        %mine = tensor.extract %r#0[%p, %q] : tensor<64x64xf32>
        %other = tensor.extract %r#0[%q, %p] : tensor<64x64xf32>
        %both = arith.addf %mine, %other : f32
        kernel.return %both : f32
      }
      kernel.return %turned : tensor<64x64xf32>
    }
    %whole = kernel.untile %tiles to [%n, %m] : tensor<?x?x64x64xf32> -> tensor<?x?xf32>
    func.return %whole : tensor<?x?xf32>
  }
}
