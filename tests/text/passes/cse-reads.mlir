// pass: builtin.module(cse)
// Reads of one version of memory, in whatever blocks they stand: nothing writes on any way from one to the other.
module {
  func.func @across_blocks(%m: memref<4xi32>, %i: index, %c: i1) -> (i32, i32) {
    %0 = memref.load %m[%i] : memref<4xi32>
    cf.cond_br %c, ^a, ^b
  ^a:
    %1 = memref.load %m[%i] : memref<4xi32>
    cf.br ^exit(%1 : i32)
  ^b:
    memref.store %0, %m[%i] : memref<4xi32>
    %2 = memref.load %m[%i] : memref<4xi32>
    cf.br ^exit(%2 : i32)
  ^exit(%3: i32):
    %4 = memref.load %m[%i] : memref<4xi32>
    func.return %3, %4 : i32, i32
  }
  func.func @into_regions(%m: memref<4xi32>, %i: index, %n: index, %c: i1, %x: i32) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = memref.load %m[%i] : memref<4xi32>
    %1 = scf.if %c -> (i32) {
      %2 = memref.load %m[%i] : memref<4xi32>
      scf.yield %2 : i32
    } else {
      scf.yield %x : i32
    }
    %3 = scf.for %j = %c0 to %n step %c1 iter_args(%a = %1) -> (i32) {
      // The store of the iteration before may be seen here.
      %4 = memref.load %m[%i] : memref<4xi32>
      %5 = scf.if %c -> (i32) {
        %6 = memref.load %m[%i] : memref<4xi32>
        scf.yield %6 : i32
      } else {
        scf.yield %a : i32
      }
      %7 = arith.addi %4, %5 : i32
      memref.store %7, %m[%j] : memref<4xi32>
      scf.yield %7 : i32
    }
    %8 = memref.load %m[%i] : memref<4xi32>
    %9 = arith.addi %3, %8 : i32
    func.return %9 : i32
  }
}
// ===== expected
builtin.module {
  func.func @across_blocks(%m: memref<4xi32>, %i: index, %c: i1) -> (i32, i32) {
    %0 = memref.load %m[%i] : memref<4xi32>
    cf.cond_br %c, ^a, ^b
  ^a:  // pred: ^bb0
    cf.br ^exit(%0 : i32)
  ^b:  // pred: ^bb0
    memref.store %0, %m[%i] : memref<4xi32>
    %1 = memref.load %m[%i] : memref<4xi32>
    cf.br ^exit(%1 : i32)
  ^exit(%2: i32):  // 2 preds: ^a, ^b
    %3 = memref.load %m[%i] : memref<4xi32>
    func.return %2, %3 : i32, i32
  }
  func.func @into_regions(%m: memref<4xi32>, %i: index, %n: index, %c: i1, %x: i32) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = scf.if %c -> (i32) {
      %4 = memref.load %m[%i] : memref<4xi32>
      scf.yield %4 : i32
    } else {
      scf.yield %x : i32
    }
    %1 = scf.for %j = %c0 to %n step %c1 iter_args(%a = %0) -> (i32) {
      %4 = memref.load %m[%i] : memref<4xi32>
      %5 = scf.if %c -> (i32) {
        %7 = memref.load %m[%i] : memref<4xi32>
        scf.yield %7 : i32
      } else {
        scf.yield %a : i32
      }
      %6 = arith.addi %4, %5 : i32
      memref.store %6, %m[%j] : memref<4xi32>
      scf.yield %6 : i32
    }
    %2 = memref.load %m[%i] : memref<4xi32>
    %3 = arith.addi %1, %2 : i32
    func.return %3 : i32
  }
}
