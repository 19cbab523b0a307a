// errors: builtin.module(array-to-kernel,apply-schedules)
// Tiles of stencils: of fewer dimensions than neighbours are read along, more than shared memory holds, of points that read no
// neighbours, of more dimensions than there are, and a mapping beside them.
func.func @few(%a: !array.array<[n][m]f32>) -> !array.array<[n][m]f32> {
  %r = array.stencil (%u, %d, %c in %a : [n][m]f32 at [[-1, 0], [1, 0], [0, 0]] clamp) {
    %x = arith.addf %u, %d : f32
    %y = arith.addf %x, %c : f32
    array.yield %y : f32
  } {schedule = #kernel.schedule<stripmine [128], halo>}
  func.return %r : !array.array<[n][m]f32>
}
// -----
func.func @large(%a: !array.array<[n][m]f32>) -> !array.array<[n][m]f32> {
  %r = array.stencil (%u, %d, %c in %a : [n][m]f32 at [[-30, 0], [30, 0], [0, 7]] wrap) {
    %x = arith.addf %u, %d : f32
    %y = arith.addf %x, %c : f32
    array.yield %y : f32
  } {schedule = #kernel.schedule<stripmine [128, 128] registers [16, 4], halo>}
  func.return %r : !array.array<[n][m]f32>
}
// -----
func.func @none(%a: !array.array<[n]f32>) -> !array.array<[n]f32> {
  %r = array.map (%x in %a : [n]f32) {
    %y = arith.addf %x, %x : f32
    array.yield %y : f32
  } {schedule = #kernel.schedule<stripmine [128], halo>}
  func.return %r : !array.array<[n]f32>
}
// -----
func.func @deep(%a: !array.array<[n]f32>) -> !array.array<[n]f32> {
  %r = array.stencil (%u, %d in %a : [n]f32 at [[-1], [1]] mirror) {
    %x = arith.addf %u, %d : f32
    array.yield %x : f32
  } {schedule = #kernel.schedule<stripmine [8, 128], halo>}
  func.return %r : !array.array<[n]f32>
}
// -----
func.func @mapped(%a: !array.array<[n]f32>) -> !array.array<[n]f32> {
  %r = array.stencil (%u, %d in %a : [n]f32 at [[-1], [1]] mirror) {
    %x = arith.addf %u, %d : f32
    array.yield %x : f32
  } {mapping = #kernel.mapping<GridBlock(1, SplitLast(96, Gen))>, schedule = #kernel.schedule<stripmine [128], halo>}
  func.return %r : !array.array<[n]f32>
}
// -----
func.func @text(%a: !array.array<[n]f32>) -> !array.array<[n]f32> {
  %r = array.stencil (%u, %d in %a : [n]f32 at [[-1], [1]] mirror) {
    %x = arith.addf %u, %d : f32
    array.yield %x : f32
  } {schedule = #kernel.schedule<stripmine [128], halo, chunk 8>}
  func.return %r : !array.array<[n]f32>
}
// ===== expected
input:5:8: remark: array.map becomes a segmap over 2 dimensions
  |
5 |   %r = array.stencil (%u, %d, %c in %a : [n][m]f32 at [[-1, 0], [1, 0], [0, 0]] clamp) {
  |        ^^^^^^^^^^^^^
input:5:8: error: 'kernel.segmap' op stops step 2 of the schedule, `halo`: the nest reads neighbours along dimensions that are not tiled: the schedule has tiles of 1, 2 are wanted
  |
5 |   %r = array.stencil (%u, %d, %c in %a : [n][m]f32 at [[-1, 0], [1, 0], [0, 0]] clamp) {
  |        ^^^^^^^^^^^^^
  |
  = op: %2 = "kernel.segmap"(%0, %1) <{level = 2 : i32}> ({...}) : (index, index) -> tensor<?x?xf32>
input:5:8: note: the nest with the schedule
  |
5 |   %r = array.stencil (%u, %d, %c in %a : [n][m]f32 at [[-1, 0], [1, 0], [0, 0]] clamp) {
  |        ^^^^^^^^^^^^^
input:14:8: remark: array.map becomes a segmap over 2 dimensions
   |
14 |   %r = array.stencil (%u, %d, %c in %a : [n][m]f32 at [[-30, 0], [30, 0], [0, 7]] wrap) {
   |        ^^^^^^^^^^^^^
input:14:8: error: 'kernel.segmap' op stops step 2 of the schedule, `halo`: the nest reads 101536 bytes around a tile, and shared memory holds 49152
   |
14 |   %r = array.stencil (%u, %d, %c in %a : [n][m]f32 at [[-30, 0], [30, 0], [0, 7]] wrap) {
   |        ^^^^^^^^^^^^^
   |
   = op: %2 = "kernel.segmap"(%0, %1) <{level = 2 : i32}> ({...}) : (index, index) -> tensor<?x?xf32>
input:14:8: note: the nest with the schedule
   |
14 |   %r = array.stencil (%u, %d, %c in %a : [n][m]f32 at [[-30, 0], [30, 0], [0, 7]] wrap) {
   |        ^^^^^^^^^^^^^
input:23:8: remark: array.map becomes a segmap over 1 dimension
   |
23 |   %r = array.map (%x in %a : [n]f32) {
   |        ^^^^^^^^^
input:23:8: error: 'kernel.segmap' op stops step 2 of the schedule, `halo`: the nest reads no neighbours beside its own points
   |
23 |   %r = array.map (%x in %a : [n]f32) {
   |        ^^^^^^^^^
   |
   = op: %1 = "kernel.segmap"(%0) <{level = 2 : i32}> ({...}) : (index) -> tensor<?xf32>
input:23:8: note: the nest with the schedule
   |
23 |   %r = array.map (%x in %a : [n]f32) {
   |        ^^^^^^^^^
input:31:8: error: 'array.map' op has a schedule with tiles of 2 dimensions, but is a nest of 1
   |
31 |   %r = array.stencil (%u, %d in %a : [n]f32 at [[-1], [1]] mirror) {
   |        ^^^^^^^^^^^^^
   |
   = op: %2 = "array.map"(%1) ({...}) {schedule = #kernel.schedule<stripmine [8, 128], halo>} : (!array.array<[n]index>) -> !array.array<[n]f32>
input:39:8: error: 'array.map' op has a schedule, which says what thread blocks run, and a mapping beside it
   |
39 |   %r = array.stencil (%u, %d in %a : [n]f32 at [[-1], [1]] mirror) {
   |        ^^^^^^^^^^^^^
   |
   = op: %2 = "array.map"(%1) ({...}) {mapping = #kernel.mapping<GridBlock(1, SplitLast(96, Gen))>, schedule = #kernel.schedule<stripmine [128], halo>} : (!array.array<[n]index>) -> !array.array<[n]f32>
input:50:57: error: the schedule: `halo` stands beside `stripmine` alone, not `chunk`
   |
50 |   } {schedule = #kernel.schedule<stripmine [128], halo, chunk 8>}
   |                                                         ^^^^^
