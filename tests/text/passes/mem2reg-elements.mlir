// pass: builtin.module(mem2reg)
// upstream: --mem2reg
// Slots of vectors and of memory; blocks and branches stay as they are.
module {
  func.func @vector(%x: vector<4xf32>, %m: memref<4xf32>) -> (vector<4xf32>, f32) {
    %c0 = arith.constant 0 : index
    %a = memref.alloca() : memref<vector<4xf32>>
    %b = memref.alloca() : memref<memref<4xf32>>
    memref.store %x, %a[] : memref<vector<4xf32>>
    memref.store %m, %b[] : memref<memref<4xf32>>
    %v = memref.load %a[] : memref<vector<4xf32>>
    %w = memref.load %b[] : memref<memref<4xf32>>
    %e = memref.load %w[%c0] : memref<4xf32>
    return %v, %e : vector<4xf32>, f32
  }
  func.func @ways(%c: i1, %x: i32, %y: i32) -> i32 {
    %a = memref.alloca() : memref<i32>
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    memref.store %x, %a[] : memref<i32>
    cf.br ^bb3
  ^bb2:
    memref.store %y, %a[] : memref<i32>
    cf.br ^bb3
  ^bb3:
    %v = memref.load %a[] : memref<i32>
    return %v : i32
  }
}
// ===== expected
builtin.module {
  func.func @vector(%x: vector<4xf32>, %m: memref<4xf32>) -> (vector<4xf32>, f32) {
    %c0 = arith.constant 0 : index
    %e = memref.load %m[%c0] : memref<4xf32>
    func.return %x, %e : vector<4xf32>, f32
  }
  func.func @ways(%c: i1, %x: i32, %y: i32) -> i32 {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    cf.br ^bb3(%x : i32)
  ^bb2:  // pred: ^bb0
    cf.br ^bb3(%y : i32)
  ^bb3(%0: i32):  // 2 preds: ^bb1, ^bb2
    func.return %0 : i32
  }
}
