// pass: builtin.module(func.func(mem2reg{region-simplify=false}))
// upstream: --pass-pipeline=builtin.module(func.func(mem2reg{region-simplify=false}))
// Slots between blocks: where different stores meet and are read, blocks get arguments.
module {
  func.func private @use(memref<i32>)
  func.func @straight(%x: i32, %y: i32) -> i32 {
    %m = memref.alloca() : memref<i32>
    memref.store %x, %m[] : memref<i32>
    %a = memref.load %m[] : memref<i32>
    memref.store %y, %m[] : memref<i32>
    %b = memref.load %m[] : memref<i32>
    %s = arith.addi %a, %b : i32
    return %s : i32
  }
  func.func @diamond(%c: i1, %x: i32, %y: i32) -> i32 {
    %m = memref.alloca() : memref<i32>
    memref.store %x, %m[] : memref<i32>
    cf.cond_br %c, ^a, ^b
  ^a:
    memref.store %y, %m[] : memref<i32>
    cf.br ^join
  ^b:
    cf.br ^join
  ^join:
    %r = memref.load %m[] : memref<i32>
    return %r : i32
  }
  func.func @not_read_after(%c: i1, %x: i32, %y: i32) -> i32 {
    %m = memref.alloca() : memref<1x1xi32>
    %c0 = arith.constant 0 : index
    memref.store %x, %m[%c0, %c0] : memref<1x1xi32>
    cf.cond_br %c, ^a, ^b
  ^a:
    memref.store %y, %m[%c0, %c0] : memref<1x1xi32>
    cf.br ^join
  ^b:
    cf.br ^join
  ^join:
    return %x : i32
  }
  func.func @loop(%c: i1, %x: i32) -> i32 {
    %m = memref.alloca() : memref<i32>
    memref.store %x, %m[] : memref<i32>
    cf.br ^head
  ^head:
    %v = memref.load %m[] : memref<i32>
    %w = arith.addi %v, %x : i32
    memref.store %w, %m[] : memref<i32>
    cf.cond_br %c, ^head, ^exit
  ^exit:
    %r = memref.load %m[] : memref<i32>
    return %r : i32
  }
  func.func @escapes(%x: i32) -> i32 {
    %m = memref.alloca() : memref<i32>
    memref.store %x, %m[] : memref<i32>
    func.call @use(%m) : (memref<i32>) -> ()
    %r = memref.load %m[] : memref<i32>
    return %r : i32
  }
  func.func @two(%c: i1, %x: i32) -> i32 {
    %m = memref.alloca() : memref<i32>
    %n = memref.alloca() : memref<i32>
    memref.store %x, %m[] : memref<i32>
    memref.store %x, %n[] : memref<i32>
    cf.br ^head
  ^head:
    %v = memref.load %m[] : memref<i32>
    %u = memref.load %n[] : memref<i32>
    memref.store %u, %m[] : memref<i32>
    memref.store %v, %n[] : memref<i32>
    cf.cond_br %c, ^head, ^exit
  ^exit:
    %r = memref.load %m[] : memref<i32>
    return %r : i32
  }
}
// ===== expected
builtin.module {
  func.func private @use(memref<i32>)
  func.func @straight(%x: i32, %y: i32) -> i32 {
    %s = arith.addi %x, %y : i32
    func.return %s : i32
  }
  func.func @diamond(%c: i1, %x: i32, %y: i32) -> i32 {
    cf.cond_br %c, ^a, ^b
  ^a:  // pred: ^bb0
    cf.br ^join(%y : i32)
  ^b:  // pred: ^bb0
    cf.br ^join(%x : i32)
  ^join(%0: i32):  // 2 preds: ^a, ^b
    func.return %0 : i32
  }
  func.func @not_read_after(%c: i1, %x: i32, %y: i32) -> i32 {
    %c0 = arith.constant 0 : index
    cf.cond_br %c, ^a, ^b
  ^a:  // pred: ^bb0
    cf.br ^join
  ^b:  // pred: ^bb0
    cf.br ^join
  ^join:  // 2 preds: ^a, ^b
    func.return %x : i32
  }
  func.func @loop(%c: i1, %x: i32) -> i32 {
    cf.br ^head(%x : i32)
  ^head(%0: i32):  // 2 preds: ^bb0, ^head
    %w = arith.addi %0, %x : i32
    cf.cond_br %c, ^head(%w : i32), ^exit
  ^exit:  // pred: ^head
    func.return %w : i32
  }
  func.func @escapes(%x: i32) -> i32 {
    %m = memref.alloca() : memref<i32>
    memref.store %x, %m[] : memref<i32>
    func.call @use(%m) : (memref<i32>) -> ()
    %r = memref.load %m[] : memref<i32>
    func.return %r : i32
  }
  func.func @two(%c: i1, %x: i32) -> i32 {
    cf.br ^head(%x, %x : i32, i32)
  ^head(%0: i32, %1: i32):  // 2 preds: ^bb0, ^head
    cf.cond_br %c, ^head(%1, %0 : i32, i32), ^exit
  ^exit:  // pred: ^head
    func.return %1 : i32
  }
}
