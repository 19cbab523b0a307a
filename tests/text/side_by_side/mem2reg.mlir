// side-by-side: builtin.module(func.func(mem2reg))
// upstream: --pass-pipeline=builtin.module(func.func(mem2reg))
// Slots between blocks, slots that escape, slots of slots. Apart: memory read before it is written holds zeros here and
// poison there; slots that structured ops use become values only here.
func.func @blocks(%c: i1, %x: i32, %y: i32) -> i32 {
  %m = memref.alloca() : memref<i32>
  memref.store %x, %m[] : memref<i32>
  cf.cond_br %c, ^a, ^b
^a:
  memref.store %y, %m[] : memref<i32>
  cf.br ^b
^b:
  %r = memref.load %m[] : memref<i32>
  return %r : i32
}
// -----
func.func @around(%n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %i = memref.alloca() : memref<i32>
  %s = memref.alloca() : memref<i32>
  memref.store %c0, %i[] : memref<i32>
  memref.store %c0, %s[] : memref<i32>
  cf.br ^head
^head:
  %0 = memref.load %i[] : memref<i32>
  %1 = arith.cmpi slt, %0, %n : i32
  cf.cond_br %1, ^body, ^exit
^body:
  %2 = memref.load %s[] : memref<i32>
  %3 = arith.addi %2, %0 : i32
  memref.store %3, %s[] : memref<i32>
  %4 = arith.addi %0, %c1 : i32
  memref.store %4, %i[] : memref<i32>
  cf.br ^head
^exit:
  %5 = memref.load %s[] : memref<i32>
  return %5 : i32
}
// -----
func.func private @keep(memref<i32>)
func.func @escapes(%x: i32) -> (i32, i32) {
  %m = memref.alloca() : memref<i32>
  memref.store %x, %m[] : memref<i32>
  call @keep(%m) : (memref<i32>) -> ()
  %r = memref.load %m[] : memref<i32>
  %k = memref.alloca() : memref<i32>
  memref.store %r, %k[] : memref<i32>
  %s = memref.load %k[] : memref<i32>
  return %r, %s : i32, i32
}
// -----
func.func @stored_itself(%x: i32) -> i32 {
  %m = memref.alloca() : memref<i32>
  %p = memref.alloca() : memref<memref<i32>>
  memref.store %m, %p[] : memref<memref<i32>>
  memref.store %x, %m[] : memref<i32>
  %q = memref.load %p[] : memref<memref<i32>>
  %r = memref.load %q[] : memref<i32>
  return %r : i32
}
// -----
func.func @arrays(%x: i32, %i: index) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1xi32>
  memref.store %x, %m[%c0] : memref<1xi32>
  %r = memref.load %m[%c0] : memref<1xi32>
  %k = memref.alloca() : memref<4xi32>
  memref.store %x, %k[%i] : memref<4xi32>
  %s = memref.load %k[%i] : memref<4xi32>
  return %r, %s : i32, i32
}
