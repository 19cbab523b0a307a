// run
// Neighbours of an element that the program names, on the host and in a map; an index outside stops it.
// inputs: [10, 20, 30]; 1; [0, 2, 1]
// outputs: 10; 30; 7; [20, 30, 30]; [20, 20, 10]
// inputs: [10, 20, 30]; 0; [0]
// outputs: 20; 20; 7; [20]; [20]
// inputs: [10, 20, 30]; 3; [0]
// error: index 3 is out of range for dimension 0 of [n]i32, which has 3
// inputs: [10, 20, 30]; 0; [0, -1]
// error: index -1 is out of range for dimension 0 of [n]i32, which has 3
// inputs: []; 0; []
// error: index 0 is out of range for dimension 0 of [n]i32, which has 0
// inputs: [10, 20, 30]; 2; [0]
// outputs: 20; 20; 7; [20]; [20]
// structure: kernel.segmap 1
// versions: kernel.segmap 1
// shapes: 5
func.func @main(%xs: !array.array<[n]i32>, %at: index, %ats: !array.array<[m]index>) -> (i32, i32, i32, !array.array<[m]i32>, !array.array<[m]i32>) {
  %seven = arith.constant 7 : i32
  %a = array.near %xs[%at] by [-1] mirror : [n]i32
  %b = array.near %xs[%at] by [1] mirror : [n]i32
  %c = array.near %xs[%at] by [5] else %seven : [n]i32
  %d = array.map (%i in %ats : [m]index) {
    %x = array.near %xs[%i] by [1] clamp : [n]i32
    array.yield %x : i32
  }
  %e = array.map (%i in %ats : [m]index) {
    %x = array.near %xs[%i] by [-1] mirror : [n]i32
    array.yield %x : i32
  }
  func.return %a, %b, %c, %d, %e : i32, i32, i32, !array.array<[m]i32>, !array.array<[m]i32>
}
