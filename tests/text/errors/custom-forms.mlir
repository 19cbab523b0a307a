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
  %0 = aritj.addi %a, %a : i32
  %1 = aritj.adi %a, %a : i32
  func.return %0 : i32
}
// -----
func.func @f(%a: i32) -> i32 {
  %0 = arith.adi %a, %a : i32
  retrun %0 : i32
}
// -----
func.func @f(%a: !array.array<[n][m]f32>) {
  %r = array.rearrange %a, [1, 0] : [n][m]f32 -> [m][n]f32
  func.return
}
// ===== expected
input:5:8: error: expected the number of a case
  |
5 |   case two {
  |        ^^^
input:16:8: error: case 2 stands here for the second time
   |
16 |   case 2 {
   |        ^
input:26:4: error: expected 'case' or 'default'
   |
26 |   }
   |    ^
input:33:5: error: this case is no number of the flag's type `i8`
   |
33 |     256: ^bb1
   |     ^^^
input:40:19: error: the flag of a switch must be an integer of at most 64 bits
   |
40 |   cf.switch %flag : f32, [
   |                   ^
input:49:19: error: expected the number of a case
   |
49 |     default: ^bb1,
   |                   ^
input:57:14: error: 2 indices need 2 bounds, 1 are given
   |
57 |   scf.forall (%a, %b) in (4) {
   |              ^
input:63:19: error: expected 'in' or '='
   |
63 |   scf.forall (%a) from (4) {
   |                   ^^^^
input:69:55: error: 1 outputs need 1 types, 2 are given
   |
69 |   %0 = scf.forall (%a) in (4) shared_outs(%o = %t) -> (tensor<4xf32>, tensor<4xf32>) {
   |                                                       ^
input:75:36: error: expected the type of a function
   |
75 |   %0 = func.call_indirect %x(%x) : i32
   |                                    ^^^
input:80:34: error: the function takes 1 operands, 2 are given
   |
80 |   %0 = func.call_indirect %callee(%x, %x) : (i32) -> i32
   |                                  ^
input:85:17: error: expected ':'
   |
85 |   %0 = ub.poison
   |                 ^
input:90:27: error: expected 'read' or 'write'
   |
90 |   memref.prefetch %m[%i], reed, locality<3>, data : memref<4xf32>
   |                           ^^^^
input:95:42: error: the locality must be a number from 0 to 3
   |
95 |   memref.prefetch %m[%i], read, locality<4>, data : memref<4xf32>
   |                                          ^
input:100:46: error: a transfer takes a stride and a number of elements per stride, or neither
    |
100 |   memref.dma_start %m[%i], %m[%i], %i, %m[%i], %i : memref<4xf32>, memref<4xf32>, memref<4xf32>
    |                                              ^
input:105:49: error: a transfer needs the types of its three memrefs, 2 are given
    |
105 |   memref.dma_start %m[%i], %m[%i], %i, %m[%i] : memref<4xf32>, memref<4xf32>
    |                                                 ^^^^^^
input:110:43: error: expected a memref type
    |
110 |   %0 = memref.generic_atomic_rmw %x[%i] : f32 {
    |                                           ^^^
input:118:24: error: expected the maps and iterators of the product: a dictionary
    |
118 |   %0 = vector.contract [1] %v, %v, %v : vector<4xf32>, vector<4xf32> into vector<4xf32>
    |                        ^
input:123:24: error: `sideways` is no kind of iterator
    |
123 |   %0 = vector.contract {iterator_types = ["sideways"]} %v, %v, %v : vector<4xf32>, vector<4xf32> into vector<4xf32>
    |                        ^
input:128:24: error: a product needs three operands: both factors and a sum
    |
128 |   %0 = vector.contract {iterator_types = ["parallel"]} %v, %v : vector<4xf32>, vector<4xf32> into vector<4xf32>
    |                        ^
input:133:37: error: the first factor must be a vector of one dimension
    |
133 |   %0 = vector.outerproduct %x, %v : f32, vector<4xf32>
    |                                     ^^^
input:138:42: error: a transfer needs the types of memory and vector, 1 are given
    |
138 |   %0 = vector.transfer_read %m[%i], %x : memref<?xf32>
    |                                          ^^^^^^
input:143:42: error: the vector has more dimensions than the memory: a `permutation_map` must say which
    |
143 |   %0 = vector.transfer_read %m[%i], %x : memref<?xf32>, vector<4x4xf32>
    |                                          ^^^^^^
input:148:42: error: a transfer needs a memref or a tensor of known rank
    |
148 |   %0 = vector.transfer_read %m[%i], %x : vector<4xf32>, memref<?xf32>
    |                                          ^^^^^^
input:154:3: error: values to pass through need a result: '-> type'
    |
154 |   func.return
    |   ^^^^^^^^^^^
input:158:24: error: 'str' stands here for the second time
    |
158 |   vector.print str "a" str "b"
    |                        ^^^
input:163:34: error: expected an integer
    |
163 |   %0 = vector.shuffle %v, %v [0, x] : vector<4xf32>, vector<4xf32>
    |                                  ^
input:168:26: error: expected an integer or an SSA operand
    |
168 |   %0 = vector.extract %v[a] : f32 from vector<4xf32>
    |                          ^
input:173:25: error: integer too large for 32 bits
    |
173 |   cf.cond_br %c weights([1, 4294967296]), ^bb1, ^bb1
    |                         ^
input:179:8: error: unknown dialect 'aritj' of op 'aritj.addi'; did you mean 'arith.addi'?
    |
179 |   %0 = aritj.addi %a, %a : i32
    |        ^^^^^^^^^^
input:180:8: error: custom op 'aritj.adi' is unknown here; only the generic form of this op can be read, which `mlir-opt --mlir-print-op-generic FILE` writes
    |
180 |   %1 = aritj.adi %a, %a : i32
    |        ^^^^^^^^^
input:185:8: error: unknown op 'arith.adi' in dialect 'arith'; did you mean 'arith.addi'?
    |
185 |   %0 = arith.adi %a, %a : i32
    |        ^^^^^^^^^
input:190:47: error: unexpected `->`: the text of `array.rearrange` ends before it
    |
190 |   %r = array.rearrange %a, [1, 0] : [n][m]f32 -> [m][n]f32
    |                                               ^
