"builtin.module"() <{sym_name = "jit_grad"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<5xf32>) -> tensor<5xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<5xf32>):
    %0 = "stablehlo.tanh"(%arg0) : (tensor<5xf32>) -> tensor<5xf32>
    %1 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
    %3 = "stablehlo.subtract"(%2, %0) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %4 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
    %6 = "stablehlo.multiply"(%5, %0) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %7 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
    %9 = "stablehlo.multiply"(%8, %6) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %10 = "stablehlo.multiply"(%9, %3) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %11 = "stablehlo.multiply"(%10, %0) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %12 = "stablehlo.add"(%10, %11) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    "func.return"(%12) : (tensor<5xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
