// pass: builtin.module(use-tensor-cores,unroll-registers,canonicalize,cse,dce)
// Where only newer targets have a product, both versions of the loop stand in the kernel.
func.func @doubles(%as: tensor<8x4xf64>, %bs: tensor<4x8xf64>, %n: index) -> tensor<?x8x8xf64> {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 8 : index
  %columns = arith.constant 8 : index
  %depth = arith.constant 4 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x8x8xf64>) {
    %s = kernel.segmap thread registers [1, 2] runs [1, 2] (%p < %rows, %q < %columns) -> (tensor<8x8xf64>) {
      %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (f64) {
        %a = tensor.extract %as[%p, %e] : tensor<8x4xf64>
        %b = tensor.extract %bs[%e, %q] : tensor<4x8xf64>
        %xy = arith.mulf %a, %b fastmath<contract> : f64
        %next = arith.addf %c, %xy fastmath<reassoc,contract> : f64
        scf.yield %next : f64
      }
      kernel.return %sum : f64
    }
    kernel.return %s : tensor<8x8xf64>
  }
  func.return %r : tensor<?x8x8xf64>
}
// ===== expected
builtin.module {
  func.func @doubles(%as: tensor<8x4xf64>, %bs: tensor<4x8xf64>, %n: index) -> tensor<?x8x8xf64> {
    %zero = arith.constant 0.000000e+00 : f64
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c4 = arith.constant 4 : index
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %r = kernel.segmap block (%i < %n) -> (tensor<?x8x8xf64>) {
      %0:2 = kernel.segmap thread (%arg0 < %c8, %arg1 < %c4) -> (tensor<8x4xf64>, tensor<8x4xf64>) {
        %2 = arith.muli %arg1, %c2 : index
        %3 = arith.addi %2, %c1 : index
        %4 = kernel.target_since 80
        %5:2 = scf.if %4 -> (f64, f64) {
          %6:2 = kernel.contract %as, %bs[%c0] at [%arg0, %arg1] add %zero, %zero {depth = 4 : i64, registers = array<i64: 1, 2>, runs = array<i64: 1, 2>, threads = array<i64: 8, 4>} : tensor<8x4xf64>, tensor<4x8xf64> to f64
          scf.yield %6#0, %6#1 : f64, f64
        } else {
          %a = tensor.extract %as[%arg0, %c0] : tensor<8x4xf64>
          %b = tensor.extract %bs[%c0, %2] : tensor<4x8xf64>
          %b_0 = tensor.extract %bs[%c0, %3] : tensor<4x8xf64>
          %xy = arith.mulf %a, %b fastmath<contract> : f64
          %xy_1 = arith.mulf %a, %b_0 fastmath<contract> : f64
          %next = arith.addf %xy, %zero fastmath<reassoc,contract> : f64
          %next_2 = arith.addf %xy_1, %zero fastmath<reassoc,contract> : f64
          %a_3 = tensor.extract %as[%arg0, %c1] : tensor<8x4xf64>
          %b_4 = tensor.extract %bs[%c1, %2] : tensor<4x8xf64>
          %b_5 = tensor.extract %bs[%c1, %3] : tensor<4x8xf64>
          %xy_6 = arith.mulf %a_3, %b_4 fastmath<contract> : f64
          %xy_7 = arith.mulf %a_3, %b_5 fastmath<contract> : f64
          %next_8 = arith.addf %next, %xy_6 fastmath<reassoc,contract> : f64
          %next_9 = arith.addf %next_2, %xy_7 fastmath<reassoc,contract> : f64
          %a_10 = tensor.extract %as[%arg0, %c2] : tensor<8x4xf64>
          %b_11 = tensor.extract %bs[%c2, %2] : tensor<4x8xf64>
          %b_12 = tensor.extract %bs[%c2, %3] : tensor<4x8xf64>
          %xy_13 = arith.mulf %a_10, %b_11 fastmath<contract> : f64
          %xy_14 = arith.mulf %a_10, %b_12 fastmath<contract> : f64
          %next_15 = arith.addf %next_8, %xy_13 fastmath<reassoc,contract> : f64
          %next_16 = arith.addf %next_9, %xy_14 fastmath<reassoc,contract> : f64
          %a_17 = tensor.extract %as[%arg0, %c3] : tensor<8x4xf64>
          %b_18 = tensor.extract %bs[%c3, %2] : tensor<4x8xf64>
          %b_19 = tensor.extract %bs[%c3, %3] : tensor<4x8xf64>
          %xy_20 = arith.mulf %a_17, %b_18 fastmath<contract> : f64
          %xy_21 = arith.mulf %a_17, %b_19 fastmath<contract> : f64
          %next_22 = arith.addf %next_15, %xy_20 fastmath<reassoc,contract> : f64
          %next_23 = arith.addf %next_16, %xy_21 fastmath<reassoc,contract> : f64
          scf.yield %next_22, %next_23 : f64, f64
        }
        kernel.return %5#0, %5#1 : f64, f64
      }
      %1 = kernel.regtile %0#0, %0#1 {registers = array<i64: 1, 2>, runs = array<i64: 1, 2>} : (tensor<8x4xf64>, tensor<8x4xf64>) -> tensor<8x8xf64>
      kernel.return %1 : tensor<8x8xf64>
    }
    func.return %r : tensor<?x8x8xf64>
  }
}
