// run
// American put options by binomial trees, one per option, each as deep as its own number of steps says: loops of maps
// whose extent is carried.
// inputs: [0.5, 0.9, 1.0]; [3, 7, 1]
// inputs: random:N; random:N where N = 0 1 17
// numpy: def option(price, steps):
// numpy:     steps = steps % 8 + 1
// numpy:     up, p, discount = 1.1, 0.55, 0.99
// numpy:     values = [max(0.0, 1.0 - price * up ** (2 * j - steps)) for j in range(steps + 1)]
// numpy:     for level in range(steps - 1, -1, -1):
// numpy:         values = [max(discount * (p * values[j + 1] + (1 - p) * values[j]), 1.0 - price * up ** (2 * j - level)) for j in range(level + 1)]
// numpy:     return values[0]
// numpy: np.array([option(*row) for row in zip(prices, steps)], np.float64)
// structure: kernel.segmap 2
// versions: kernel.segmap 10, kernel.segred 1
func.func @main(%prices: !array.array<[n]f64>, %steps: !array.array<[n]i32>) -> !array.array<[n]f64> {
  %c8_i32 = arith.constant 8 : i32
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c2 = arith.constant 2 : index
  %c1_f64 = arith.constant 1.0 : f64
  %c09531017980432493_f64 = arith.constant 0.09531017980432493 : f64
  %c0_f64 = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c0p55_f64 = arith.constant 0.55 : f64
  %c0p45_f64 = arith.constant 0.45 : f64
  %c0p99_f64 = arith.constant 0.99 : f64
  %38 = array.map (%price in %prices : [n]f64, %count in %steps : [n]i32) {
    %0 = arith.remui %count, %c8_i32 : i32
    %1 = arith.index_cast %0 : i32 to index
    %2 = arith.addi %1, %c1 : index
    %3 = array.iota %c9 : [9]index
    %13 = array.map (%j in %3 : [9]index) {
      %4 = arith.muli %j, %c2 : index
      %5 = arith.subi %4, %2 : index
      %6 = arith.index_cast %5 : index to i32
      %7 = arith.sitofp %6 : i32 to f64
      %8 = arith.mulf %7, %c09531017980432493_f64 : f64
      %9 = math.exp %8 : f64
      %10 = arith.mulf %price, %9 : f64
      %11 = arith.subf %c1_f64, %10 : f64
      %12 = arith.maximumf %11, %c0_f64 : f64
      array.yield %12 : f64
    }
    %36 = scf.for %t = %c0 to %2 step %c1 iter_args(%v = %13) -> (!array.array<[9]f64>) {
      %14 = arith.subi %2, %c1 : index
      %15 = arith.subi %14, %t : index
      %35 = array.map (%j_1 in %3 : [9]index) {
        %16 = arith.cmpi sle, %j_1, %15 : index
        %34 = scf.if %16 -> (f64) {
          %17 = arith.addi %j_1, %c1 : index
          %18 = array.index %v[%17] : [9]f64
          %19 = arith.mulf %18, %c0p55_f64 : f64
          %20 = array.index %v[%j_1] : [9]f64
          %21 = arith.mulf %20, %c0p45_f64 : f64
          %22 = arith.addf %19, %21 : f64
          %23 = arith.mulf %22, %c0p99_f64 : f64
          %24 = arith.muli %j_1, %c2 : index
          %25 = arith.subi %24, %15 : index
          %26 = arith.index_cast %25 : index to i32
          %27 = arith.sitofp %26 : i32 to f64
          %28 = arith.mulf %27, %c09531017980432493_f64 : f64
          %29 = math.exp %28 : f64
          %30 = arith.mulf %price, %29 : f64
          %31 = arith.subf %c1_f64, %30 : f64
          %32 = arith.maximumf %23, %31 : f64
          scf.yield %32 : f64
        } else {
          %33 = array.index %v[%j_1] : [9]f64
          scf.yield %33 : f64
        }
        array.yield %34 : f64
      }
      scf.yield %35 : !array.array<[9]f64>
    }
    %37 = array.index %36[%c0] : [9]f64
    array.yield %37 : f64
  }
  func.return %38 : !array.array<[n]f64>
}
