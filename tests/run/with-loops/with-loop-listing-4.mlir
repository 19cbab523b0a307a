// run
// Listing 4 of Janssen and Scholz: two partitions, one of them with a step; the gaps of it have the default value.
// inputs: random:1500
// numpy: r = np.zeros_like(a)
// numpy: r[0:1000:2] = a[0:1000:2] + 1
// numpy: r[1000:1500] = a[1000:1500] + 4
// numpy: r
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%a: !array.array<[1500]i32>) -> !array.array<[1500]i32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %b = array.with_loop genarray [1500] default (%zero : i32) partition ([0] <= (%i) < [1000] step [2]) {
    %x = array.index %a[%i] : [1500]i32
    %y = arith.addi %x, %one : i32
    array.yield %y : i32
  } partition ([1000] <= (%i) < [1500]) {
    %x = array.index %a[%i] : [1500]i32
    %y = arith.addi %x, %four : i32
    array.yield %y : i32
  } : [1500]i32
  func.return %b : !array.array<[1500]i32>
}
