// run
// A with-loop that reads another one, with a step, at its own index and at the next one: no array is made between them. A
// fold that reads a third one.
// inputs: random:N where N = 1 2 7 100
// numpy: even = np.zeros(len(xs) + 1, dtype=np.int64)
// numpy: even[0:len(xs):2] = 3 * xs[::2].astype(np.int64)
// numpy: first, second = even[:len(xs)] + 1, even[1:] + 2
// numpy: first.astype(np.int32), second.astype(np.int32), (2 * xs.astype(np.int64)).sum().astype(np.int32)
// structure: kernel.segmap 1, kernel.segred 1
// versions: kernel.segmap 1, kernel.segred 1
func.func @main(%xs: !array.array<[n]i32>) -> (!array.array<[n]i32>, !array.array<[n]i32>, i32) {
  %n = array.dim %xs, 0 : [n]i32
  %c1 = arith.constant 1 : index
  %more = arith.addi %n, %c1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %a = array.with_loop genarray [%n] default (%zero : i32) partition ((%i) < [%n] step [2]) {
    %x = array.index %xs[%i] : [n]i32
    %y = arith.muli %x, %three : i32
    array.yield %y : i32
  } : [n]i32
  %b = array.with_loop genarray [%n] default (%zero : i32) partition ((%i) < [%n]) {
    %x = array.index %a[%i] : [n]i32
    %y = arith.addi %x, %one : i32
    array.yield %y : i32
  } : [n]i32
  %c = array.with_loop genarray [%more] default (%zero : i32) partition ((%i) < [%n] step [2]) {
    %x = array.index %xs[%i] : [n]i32
    %y = arith.muli %x, %three : i32
    array.yield %y : i32
  } : [?]i32
  %d = array.with_loop genarray [%n] default (%zero : i32) partition ((%i) < [%n]) {
    %j = arith.addi %i, %c1 : index
    %x = array.index %c[%j] : [?]i32
    %y = arith.addi %x, %two : i32
    array.yield %y : i32
  } : [n]i32
  %e = array.with_loop genarray [%n] default (%zero : i32) partition ((%i) < [%n]) {
    %x = array.index %xs[%i] : [n]i32
    %y = arith.addi %x, %x : i32
    array.yield %y : i32
  } : [n]i32
  %s = array.with_loop fold init (%zero : i32) partition ((%i) < [%n]) {
    %x = array.index %e[%i] : [n]i32
    array.yield %x : i32
  } combine arith.addi
  func.return %b, %d, %s : !array.array<[n]i32>, !array.array<[n]i32>, i32
}
