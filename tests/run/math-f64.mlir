// run
// Functions of f64 that are expanded into arithmetic.
// inputs: random:N; random:N where N = 1 33 1000
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xs: !array.array<[n]f64>, %ys: !array.array<[n]f64>) -> (!array.array<[n]f64>, !array.array<[n]f64>, !array.array<[n]f64>, !array.array<[n]f64>) {
  %a, %b, %c, %d = array.map (%x in %xs : [n]f64, %y in %ys : [n]f64) {
    %sin = math.sin %x : f64
    %cos = math.cos %y : f64
    %tanh = math.tanh %x : f64
    %base = math.absf %x : f64
    %pow = math.powf %base, %y : f64
    array.yield %sin, %cos, %tanh, %pow : f64, f64, f64, f64
  }
  func.return %a, %b, %c, %d : !array.array<[n]f64>, !array.array<[n]f64>, !array.array<[n]f64>, !array.array<[n]f64>
}
