// errors
// Copies of tiles to shared memory, and barriers there.
func.func @barriers(%b: memref<?xi32, #gpu.address_space<workgroup>>, %i: index) {
  gpu.mbarrier_wait %b[%i] parity %i : memref<?xi32, #gpu.address_space<workgroup>>
  func.return
}
func.func @counts(%b: memref<?xi64, #gpu.address_space<workgroup>>, %i: index) {
  gpu.mbarrier_init %b[%i], 0 : memref<?xi64, #gpu.address_space<workgroup>>
  gpu.mbarrier_arrive %b[%i] expecting 2000000 : memref<?xi64, #gpu.address_space<workgroup>>
  func.return
}
func.func @types(%x: memref<?xf32>, %n: index, %s: memref<?xf16, #gpu.address_space<workgroup>>, %b: memref<?xi64, #gpu.address_space<workgroup>>) {
  gpu.bulk_copy %x[%n] of [%n] to %s[%n] at %b[%n] {box = array<i64: 64>} : memref<?xf32>, memref<?xf16, #gpu.address_space<workgroup>>, memref<?xi64, #gpu.address_space<workgroup>>
  func.return
}
func.func @rank(%x: memref<?xf16>, %n: index, %s: memref<?xf16, #gpu.address_space<workgroup>>, %b: memref<?xi64, #gpu.address_space<workgroup>>) {
  gpu.bulk_copy %x[%n, %n] of [%n] to %s[%n] at %b[%n] {box = array<i64: 64>} : memref<?xf16>, memref<?xf16, #gpu.address_space<workgroup>>, memref<?xi64, #gpu.address_space<workgroup>>
  func.return
}
func.func @box(%x: memref<?xf16>, %n: index, %s: memref<?xf16, #gpu.address_space<workgroup>>, %b: memref<?xi64, #gpu.address_space<workgroup>>) {
  gpu.bulk_copy %x[%n, %n] of [%n, %n] to %s[%n] at %b[%n] {box = array<i64: 300, 4>} : memref<?xf16>, memref<?xf16, #gpu.address_space<workgroup>>, memref<?xi64, #gpu.address_space<workgroup>>
  func.return
}
func.func @lines(%x: memref<?xf16>, %n: index, %s: memref<?xf16, #gpu.address_space<workgroup>>, %b: memref<?xi64, #gpu.address_space<workgroup>>) {
  gpu.bulk_copy %x[%n, %n] of [%n, %n] to %s[%n] at %b[%n] {box = array<i64: 8, 32>, in_lines} : memref<?xf16>, memref<?xf16, #gpu.address_space<workgroup>>, memref<?xi64, #gpu.address_space<workgroup>>
  func.return
}
func.func @parameters(%x: memref<?xf16>, %n: index, %s: memref<?xf16, #gpu.address_space<workgroup>>, %b: memref<?xi64, #gpu.address_space<workgroup>>) {
  %m = arith.addi %n, %n : index
  gpu.bulk_copy %x[%n, %n] of [%m, %n] to %s[%n] at %b[%n] {box = array<i64: 8, 64>} : memref<?xf16>, memref<?xf16, #gpu.address_space<workgroup>>, memref<?xi64, #gpu.address_space<workgroup>>
  func.return
}
func.func @alone(%x: memref<?xf16>, %n: index, %s: memref<?xf16, #gpu.address_space<workgroup>>, %b: memref<?xi64, #gpu.address_space<workgroup>>) {
  gpu.bulk_copy %x[%n, %n] of [%n, %n] to %s[%n] at %b[%n] {box = array<i64: 8, 64>} : memref<?xf16>, memref<?xf16, #gpu.address_space<workgroup>>, memref<?xi64, #gpu.address_space<workgroup>>
  %y = memref.load %x[%n] : memref<?xf16>
  func.return
}
// ===== expected
input:4:3: error: 'gpu.mbarrier_wait' op operand `barriers` must be a flat array of i64 in workgroup memory
  |
4 |   gpu.mbarrier_wait %b[%i] parity %i : memref<?xi32, #gpu.address_space<workgroup>>
  |   ^^^^^^^^^^^^^^^^^
  |
  = op: gpu.mbarrier_wait %b[%i] parity %i : memref<?xi32, #gpu.address_space<workgroup>>
input:8:3: error: 'gpu.mbarrier_init' op attribute `count` must be 1 to 1048575, not 0
  |
8 |   gpu.mbarrier_init %b[%i], 0 : memref<?xi64, #gpu.address_space<workgroup>>
  |   ^^^^^^^^^^^^^^^^^
  |
  = op: gpu.mbarrier_init %b[%i], 0 : memref<?xi64, #gpu.address_space<workgroup>>
input:9:3: error: 'gpu.mbarrier_arrive' op attribute `bytes` must be 0 to 1048575, not 2000000
  |
9 |   gpu.mbarrier_arrive %b[%i] expecting 2000000 : memref<?xi64, #gpu.address_space<workgroup>>
  |   ^^^^^^^^^^^^^^^^^^^
  |
  = op: gpu.mbarrier_arrive %b[%i] expecting 2000000 : memref<?xi64, #gpu.address_space<workgroup>>
input:13:3: error: 'gpu.bulk_copy' op copies numbers of 1, 2, 4 or 8 bytes from a flat array in global memory to one of the same numbers in workgroup memory
   |
13 |   gpu.bulk_copy %x[%n] of [%n] to %s[%n] at %b[%n] {box = array<i64: 64>} : memref<?xf32>, memref<?xf16, #gpu.address_space<workgrou...
   |   ^^^^^^^^^^^^^
   |
   = op: gpu.bulk_copy %x[%n] of[%n] to %s[%n] at %b[%n] {box = array<i64: 64>} : memref<?xf32>, memref<?xf16, #gpu.address_space<workgroup>>, memref<?xi64, #gpu.address_space<workgroup>>
input:17:3: error: 'gpu.bulk_copy' op a box has 1 to 5 extents, and as many indices and extents of the array, but here are 1, 2 and 1
   |
17 |   gpu.bulk_copy %x[%n, %n] of [%n] to %s[%n] at %b[%n] {box = array<i64: 64>} : memref<?xf16>, memref<?xf16, #gpu.address_space<work...
   |   ^^^^^^^^^^^^^
   |
   = op: gpu.bulk_copy %x[%n, %n] of[%n] to %s[%n] at %b[%n] {box = array<i64: 64>} : memref<?xf16>, memref<?xf16, #gpu.address_space<workgroup>>, memref<?xi64, #gpu.address_space<workgroup>>
input:21:3: error: 'gpu.bulk_copy' op attribute `box` must have extents of 1 to 256, not 300
   |
21 |   gpu.bulk_copy %x[%n, %n] of [%n, %n] to %s[%n] at %b[%n] {box = array<i64: 300, 4>} : memref<?xf16>, memref<?xf16, #gpu.address_sp...
   |   ^^^^^^^^^^^^^
   |
   = op: gpu.bulk_copy %x[%n, %n] of[%n, %n] to %s[%n] at %b[%n] {box = array<i64: 300, 4>} : memref<?xf16>, memref<?xf16, #gpu.address_space<workgroup>>, memref<?xi64, #gpu.address_space<workgroup>>
input:21:3: error: 'gpu.bulk_copy' op rows of a box are multiples of 16 bytes, not 8
   |
21 |   gpu.bulk_copy %x[%n, %n] of [%n, %n] to %s[%n] at %b[%n] {box = array<i64: 300, 4>} : memref<?xf16>, memref<?xf16, #gpu.address_sp...
   |   ^^^^^^^^^^^^^
   |
   = op: gpu.bulk_copy %x[%n, %n] of[%n, %n] to %s[%n] at %b[%n] {box = array<i64: 300, 4>} : memref<?xf16>, memref<?xf16, #gpu.address_space<workgroup>>, memref<?xi64, #gpu.address_space<workgroup>>
input:25:3: error: 'gpu.bulk_copy' op rows in lines are 128 bytes long, not 64
   |
25 |   gpu.bulk_copy %x[%n, %n] of [%n, %n] to %s[%n] at %b[%n] {box = array<i64: 8, 32>, in_lines} : memref<?xf16>, memref<?xf16, #gpu.a...
   |   ^^^^^^^^^^^^^
   |
   = op: gpu.bulk_copy %x[%n, %n] of[%n, %n] to %s[%n] at %b[%n] {box = array<i64: 8, 32>, in_lines} : memref<?xf16>, memref<?xf16, #gpu.address_space<workgroup>>, memref<?xi64, #gpu.address_space<workgroup>>
input:30:3: error: 'gpu.bulk_copy' op the array must be a parameter, and its extents parameters or constants
   |
30 |   gpu.bulk_copy %x[%n, %n] of [%m, %n] to %s[%n] at %b[%n] {box = array<i64: 8, 64>} : memref<?xf16>, memref<?xf16, #gpu.address_spa...
   |   ^^^^^^^^^^^^^
   |
   = op: gpu.bulk_copy %x[%n, %n] of[%m, %n] to %s[%n] at %b[%n] {box = array<i64: 8, 64>} : memref<?xf16>, memref<?xf16, #gpu.address_space<workgroup>>, memref<?xi64, #gpu.address_space<workgroup>>
input:34:3: error: 'gpu.bulk_copy' op the array must be used by such copies alone, of one box and the same extents
   |
34 |   gpu.bulk_copy %x[%n, %n] of [%n, %n] to %s[%n] at %b[%n] {box = array<i64: 8, 64>} : memref<?xf16>, memref<?xf16, #gpu.address_spa...
   |   ^^^^^^^^^^^^^
   |
   = op: gpu.bulk_copy %x[%n, %n] of[%n, %n] to %s[%n] at %b[%n] {box = array<i64: 8, 64>} : memref<?xf16>, memref<?xf16, #gpu.address_space<workgroup>>, memref<?xi64, #gpu.address_space<workgroup>>
