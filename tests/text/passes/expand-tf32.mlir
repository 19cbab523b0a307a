// pass: builtin.module(func.func(expand-tf32,cse))
// The mode decides how much is added before bits are dropped; a rounded number may be widened further.
builtin.module {
  func.func @even(%x: f32) -> f32 {
    %y = arith.truncf %x : f32 to tf32
    %z = arith.extf %y : tf32 to f32
    func.return %z : f32
  }
  func.func @to_nearest_away(%x: f32) -> f32 {
    %y = arith.truncf %x to_nearest_away : f32 to tf32
    %z = arith.extf %y : tf32 to f32
    func.return %z : f32
  }
  func.func @toward_zero(%x: f32) -> f32 {
    %y = arith.truncf %x toward_zero : f32 to tf32
    %z = arith.extf %y : tf32 to f32
    func.return %z : f32
  }
  func.func @upward(%x: f32) -> f32 {
    %y = arith.truncf %x upward : f32 to tf32
    %z = arith.extf %y : tf32 to f32
    func.return %z : f32
  }
  func.func @downward(%x: f32) -> f32 {
    %y = arith.truncf %x downward : f32 to tf32
    %z = arith.extf %y : tf32 to f32
    func.return %z : f32
  }
  func.func @wide(%x: f32) -> (f32, f64) {
    %y = arith.truncf %x to_nearest_away : f32 to tf32
    %z = arith.extf %y : tf32 to f32
    %w = arith.extf %y : tf32 to f64
    func.return %z, %w : f32, f64
  }
  // Tensor cores do not look at the bits that would be dropped; what is stored, too, loses them.
  func.func @factors(%x: f32, %y: f32, %c: vector<2x2xf32>, %m: memref<f32>) -> vector<2x2xf32> {
    %xt = arith.truncf %x to_nearest_away : f32 to tf32
    %xf = arith.extf %xt : tf32 to f32
    %yt = arith.truncf %y to_nearest_away : f32 to tf32
    %yf = arith.extf %yt : tf32 to f32
    memref.store %yf, %m[] : memref<f32>
    %a = vector.from_elements %xf, %xf, %xf, %xf : vector<4x1xf32>
    %b = vector.from_elements %xf, %yf : vector<2x1xf32>
    %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 8], tf32Enabled} : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
    func.return %d : vector<2x2xf32>
  }
}
// ===== expected
builtin.module {
  func.func @even(%x: f32) -> f32 {
    %0 = arith.bitcast %x : f32 to i32
    %c13_i32 = arith.constant 13 : i32
    %1 = arith.shrsi %0, %c13_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %2 = arith.andi %1, %c1_i32 : i32
    %c4095_i32 = arith.constant 4095 : i32
    %3 = arith.addi %2, %c4095_i32 : i32
    %4 = arith.addi %0, %3 : i32
    %c-8192_i32 = arith.constant -8192 : i32
    %5 = arith.andi %4, %c-8192_i32 : i32
    %6 = arith.bitcast %5 : i32 to f32
    %7 = arith.cmpf ord, %x, %x : f32
    %cst = arith.constant 0x7FC00000 : f32
    %8 = arith.select %7, %6, %cst : f32
    func.return %8 : f32
  }
  func.func @to_nearest_away(%x: f32) -> f32 {
    %0 = arith.bitcast %x : f32 to i32
    %c4096_i32 = arith.constant 4096 : i32
    %1 = arith.addi %0, %c4096_i32 : i32
    %c-8192_i32 = arith.constant -8192 : i32
    %2 = arith.andi %1, %c-8192_i32 : i32
    %3 = arith.bitcast %2 : i32 to f32
    %4 = arith.cmpf ord, %x, %x : f32
    %cst = arith.constant 0x7FC00000 : f32
    %5 = arith.select %4, %3, %cst : f32
    func.return %5 : f32
  }
  func.func @toward_zero(%x: f32) -> f32 {
    %0 = arith.bitcast %x : f32 to i32
    %c-8192_i32 = arith.constant -8192 : i32
    %1 = arith.andi %0, %c-8192_i32 : i32
    %2 = arith.bitcast %1 : i32 to f32
    %3 = arith.cmpf ord, %x, %x : f32
    %cst = arith.constant 0x7FC00000 : f32
    %4 = arith.select %3, %2, %cst : f32
    func.return %4 : f32
  }
  func.func @upward(%x: f32) -> f32 {
    %0 = arith.bitcast %x : f32 to i32
    %c31_i32 = arith.constant 31 : i32
    %1 = arith.shrsi %0, %c31_i32 : i32
    %c-1_i32 = arith.constant -1 : i32
    %2 = arith.xori %1, %c-1_i32 : i32
    %c8191_i32 = arith.constant 8191 : i32
    %3 = arith.andi %2, %c8191_i32 : i32
    %4 = arith.addi %0, %3 : i32
    %c-8192_i32 = arith.constant -8192 : i32
    %5 = arith.andi %4, %c-8192_i32 : i32
    %6 = arith.bitcast %5 : i32 to f32
    %7 = arith.cmpf ord, %x, %x : f32
    %cst = arith.constant 0x7FC00000 : f32
    %8 = arith.select %7, %6, %cst : f32
    func.return %8 : f32
  }
  func.func @downward(%x: f32) -> f32 {
    %0 = arith.bitcast %x : f32 to i32
    %c31_i32 = arith.constant 31 : i32
    %1 = arith.shrsi %0, %c31_i32 : i32
    %c8191_i32 = arith.constant 8191 : i32
    %2 = arith.andi %1, %c8191_i32 : i32
    %3 = arith.addi %0, %2 : i32
    %c-8192_i32 = arith.constant -8192 : i32
    %4 = arith.andi %3, %c-8192_i32 : i32
    %5 = arith.bitcast %4 : i32 to f32
    %6 = arith.cmpf ord, %x, %x : f32
    %cst = arith.constant 0x7FC00000 : f32
    %7 = arith.select %6, %5, %cst : f32
    func.return %7 : f32
  }
  func.func @wide(%x: f32) -> (f32, f64) {
    %0 = arith.bitcast %x : f32 to i32
    %c4096_i32 = arith.constant 4096 : i32
    %1 = arith.addi %0, %c4096_i32 : i32
    %c-8192_i32 = arith.constant -8192 : i32
    %2 = arith.andi %1, %c-8192_i32 : i32
    %3 = arith.bitcast %2 : i32 to f32
    %4 = arith.cmpf ord, %x, %x : f32
    %cst = arith.constant 0x7FC00000 : f32
    %5 = arith.select %4, %3, %cst : f32
    %6 = arith.extf %5 : f32 to f64
    func.return %5, %6 : f32, f64
  }
  func.func @factors(%x: f32, %y: f32, %c: vector<2x2xf32>, %m: memref<f32>) -> vector<2x2xf32> {
    %0 = arith.bitcast %x : f32 to i32
    %c4096_i32 = arith.constant 4096 : i32
    %1 = arith.addi %0, %c4096_i32 : i32
    %2 = arith.bitcast %1 : i32 to f32
    %3 = arith.cmpf ord, %x, %x : f32
    %cst = arith.constant 0x7FC00000 : f32
    %4 = arith.select %3, %2, %cst : f32
    %5 = arith.bitcast %y : f32 to i32
    %6 = arith.addi %5, %c4096_i32 : i32
    %c-8192_i32 = arith.constant -8192 : i32
    %7 = arith.andi %6, %c-8192_i32 : i32
    %8 = arith.bitcast %7 : i32 to f32
    %9 = arith.cmpf ord, %y, %y : f32
    %10 = arith.select %9, %8, %cst : f32
    memref.store %10, %m[] : memref<f32>
    %a = vector.from_elements %4, %4, %4, %4 : vector<4x1xf32>
    %b = vector.from_elements %4, %10 : vector<2x1xf32>
    %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 8], tf32Enabled} : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
    func.return %d : vector<2x2xf32>
  }
}
