// pass: builtin.module(explicit-partitions{kernels=each})
// With-loop folding: a with-loop that reads another one at its own index takes it in, and no array is made between; at an
// index two away, too. One that reads at an index of its own making does not.
func.func @same(%n: index, %zero: i32, %one: i32) -> !array.array<[?]i32> {
  %a = array.with_loop genarray [100] default (%zero : i32) partition ((%i) < [100] step [2]) {
    %x = arith.index_cast %i : index to i32
    array.yield %x : i32
  } : [100]i32
  %b = array.with_loop genarray [%n] default (%one : i32) partition ([10] <= (%i) < [50]) {
    %x = array.index %a[%i] : [100]i32
    %y = arith.addi %x, %one : i32
    array.yield %y : i32
  } : [?]i32
  func.return %b : !array.array<[?]i32>
}
func.func @shifted(%zero: i32, %one: i32) -> !array.array<[98]i32> {
  %c2 = arith.constant 2 : index
  %a = array.with_loop genarray [100] default (%zero : i32) partition ([4] <= (%i) < [100]) {
    %x = arith.index_cast %i : index to i32
    array.yield %x : i32
  } : [100]i32
  %b = array.with_loop genarray [98] default (%one : i32) partition ((%i) < [98]) {
    %j = arith.addi %i, %c2 : index
    %x = array.index %a[%j] : [100]i32
    array.yield %x : i32
  } : [98]i32
  func.return %b : !array.array<[98]i32>
}
func.func @gathered(%is: !array.array<[100]index>, %zero: i32) -> !array.array<[100]i32> {
  %a = array.with_loop genarray [100] default (%zero : i32) partition ([4] <= (%i) < [100]) {
    %x = arith.index_cast %i : index to i32
    array.yield %x : i32
  } : [100]i32
  %b = array.with_loop genarray [100] default (%zero : i32) partition ([50] <= (%i) < [100]) {
    %j = array.index %is[%i] : [100]index
    %x = array.index %a[%j] : [100]i32
    array.yield %x : i32
  } : [100]i32
  func.return %b : !array.array<[100]i32>
}
