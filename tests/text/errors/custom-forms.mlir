// errors
// Mistakes in upstream's custom forms have a message of their own, at their place.
func.func @f(%i: index) {
  scf.index_switch %i
  case two {
  }
  default {
  }
  func.return
}
// -----
func.func @f(%i: index) {
  scf.index_switch %i
  case 2 {
  }
  case 2 {
  }
  default {
  }
  func.return
}
// -----
func.func @f(%i: index) {
  scf.index_switch %i
  case 2 {
  }
  func.return
}
// -----
func.func @f(%flag: i8) {
  cf.switch %flag : i8, [
    default: ^bb1,
    256: ^bb1
  ]
^bb1:
  func.return
}
// -----
func.func @f(%flag: f32) {
  cf.switch %flag : f32, [
    default: ^bb1
  ]
^bb1:
  func.return
}
// -----
func.func @f(%flag: i8) {
  cf.switch %flag : i8, [
    default: ^bb1,
    ^bb1
  ]
^bb1:
  func.return
}
// -----
func.func @f(%i: index) {
  scf.forall (%a, %b) in (4) {
  }
  func.return
}
// -----
func.func @f(%i: index) {
  scf.forall (%a) from (4) {
  }
  func.return
}
// -----
func.func @f(%i: index, %t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = scf.forall (%a) in (4) shared_outs(%o = %t) -> (tensor<4xf32>, tensor<4xf32>) {
  }
  func.return %0 : tensor<4xf32>
}
// -----
func.func @f(%x: i32) {
  %0 = func.call_indirect %x(%x) : i32
  func.return
}
// -----
func.func @f(%callee: (i32) -> i32, %x: i32) {
  %0 = func.call_indirect %callee(%x, %x) : (i32) -> i32
  func.return
}
// -----
func.func @f() {
  %0 = ub.poison
  func.return
}
// -----
func.func @f(%m: memref<4xf32>, %i: index) {
  memref.prefetch %m[%i], reed, locality<3>, data : memref<4xf32>
  func.return
}
// -----
func.func @f(%m: memref<4xf32>, %i: index) {
  memref.prefetch %m[%i], read, locality<4>, data : memref<4xf32>
  func.return
}
// -----
func.func @f(%m: memref<4xf32>, %i: index) {
  memref.dma_start %m[%i], %m[%i], %i, %m[%i], %i : memref<4xf32>, memref<4xf32>, memref<4xf32>
  func.return
}
// -----
func.func @f(%m: memref<4xf32>, %i: index) {
  memref.dma_start %m[%i], %m[%i], %i, %m[%i] : memref<4xf32>, memref<4xf32>
  func.return
}
// -----
func.func @f(%x: f32, %i: index) {
  %0 = memref.generic_atomic_rmw %x[%i] : f32 {
  ^bb0(%old: f32):
    memref.atomic_yield %old : f32
  }
  func.return
}
// -----
func.func @f(%v: vector<4xf32>) {
  %0 = vector.contract [1] %v, %v, %v : vector<4xf32>, vector<4xf32> into vector<4xf32>
  func.return
}
// -----
func.func @f(%v: vector<4xf32>) {
  %0 = vector.contract {iterator_types = ["sideways"]} %v, %v, %v : vector<4xf32>, vector<4xf32> into vector<4xf32>
  func.return
}
// -----
func.func @f(%v: vector<4xf32>) {
  %0 = vector.contract {iterator_types = ["parallel"]} %v, %v : vector<4xf32>, vector<4xf32> into vector<4xf32>
  func.return
}
// -----
func.func @f(%v: vector<4xf32>, %x: f32) {
  %0 = vector.outerproduct %x, %v : f32, vector<4xf32>
  func.return
}
// -----
func.func @f(%m: memref<?xf32>, %i: index, %x: f32) {
  %0 = vector.transfer_read %m[%i], %x : memref<?xf32>
  func.return
}
// -----
func.func @f(%m: memref<?xf32>, %i: index, %x: f32) {
  %0 = vector.transfer_read %m[%i], %x : memref<?xf32>, vector<4x4xf32>
  func.return
}
// -----
func.func @f(%m: memref<?xf32>, %i: index, %x: f32) {
  %0 = vector.transfer_read %m[%i], %x : vector<4xf32>, memref<?xf32>
  func.return
}
// -----
func.func @f(%v: vector<4xf32>, %mask: vector<4xi1>) {
  vector.mask %mask, %v { vector.yield } : vector<4xi1>
  func.return
}
// -----
func.func @f(%v: vector<4xf32>) {
  vector.print str "a" str "b"
  func.return
}
// -----
func.func @f(%v: vector<4xf32>) {
  %0 = vector.shuffle %v, %v [0, x] : vector<4xf32>, vector<4xf32>
  func.return
}
// -----
func.func @f(%v: vector<4xf32>) {
  %0 = vector.extract %v[a] : f32 from vector<4xf32>
  func.return
}
// -----
func.func @f(%c: i1) {
  cf.cond_br %c weights([1, 4294967296]), ^bb1, ^bb1
^bb1:
  func.return
}
// -----
func.func @f(%a: i32) -> i32 {
  %0 = arith.adi %a, %a : i32
  retrun %0 : i32
}
