// run
// Every element type, from no elements to several thread blocks.
// inputs: random:N; random:N; random:N; random:N; random:N; random:N; random:N; random:N; random:N where N = 0 1 31 32 33 1023 1025 50000
// structure: kernel.segred 1
// versions: kernel.segred 1
func.func @main(%a: !array.array<[n]i8>, %b: !array.array<[n]i16>, %c: !array.array<[n]i32>, %d: !array.array<[n]i64>, %e: !array.array<[n]i1>, %f: !array.array<[n]f16>, %g: !array.array<[n]bf16>, %h: !array.array<[n]f32>, %i: !array.array<[n]f64>) -> (i8, i16, i32, i64, i1, f16, bf16, f32, f64) {
  %na = arith.constant 0 : i8
  %ra = array.reduce (%a : [n]i8) init (%na : i8) combine (%acc, %x) {
    %s = arith.addi %acc, %x : i8
    array.yield %s : i8
  }
  %nb = arith.constant -32768 : i16
  %rb = array.reduce (%b : [n]i16) init (%nb : i16) combine (%acc, %x) {
    %s = arith.maxsi %acc, %x : i16
    array.yield %s : i16
  }
  %nc = arith.constant 0 : i32
  %rc = array.reduce (%c : [n]i32) init (%nc : i32) combine (%acc, %x) {
    %s = arith.xori %acc, %x : i32
    array.yield %s : i32
  }
  %nd = arith.constant 0 : i64
  %rd = array.reduce (%d : [n]i64) init (%nd : i64) combine (%acc, %x) {
    %s = arith.addi %acc, %x : i64
    array.yield %s : i64
  }
  %ne = arith.constant false
  %re = array.reduce (%e : [n]i1) init (%ne : i1) combine (%acc, %x) {
    %s = arith.ori %acc, %x : i1
    array.yield %s : i1
  }
  %nf = arith.constant 0xFC00 : f16
  %rf = array.reduce (%f : [n]f16) init (%nf : f16) combine (%acc, %x) {
    %s = arith.maximumf %acc, %x : f16
    array.yield %s : f16
  }
  %ng = arith.constant 0x7F80 : bf16
  %rg = array.reduce (%g : [n]bf16) init (%ng : bf16) combine (%acc, %x) {
    %s = arith.minimumf %acc, %x : bf16
    array.yield %s : bf16
  }
  %nh = arith.constant 0.0 : f32
  %rh = array.reduce (%h : [n]f32) init (%nh : f32) combine (%acc, %x) {
    %s = arith.addf %acc, %x : f32
    array.yield %s : f32
  }
  %ni = arith.constant 0.0 : f64
  %ri = array.reduce (%i : [n]f64) init (%ni : f64) combine (%acc, %x) {
    %s = arith.addf %acc, %x : f64
    array.yield %s : f64
  }
  func.return %ra, %rb, %rc, %rd, %re, %rf, %rg, %rh, %ri : i8, i16, i32, i64, i1, f16, bf16, f32, f64
}
