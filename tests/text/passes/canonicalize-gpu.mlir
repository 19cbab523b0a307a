// pass: builtin.module(canonicalize)
// upstream: --canonicalize
// Waits for nothing, copies nobody sees, one barrier for two, ids of launches of extent 1, reductions all threads get to.
"builtin.module"() ({
  "func.func"() <{function_type = () -> i32, sym_name = "number", sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{function_type = (i32) -> (), sym_name = "take", sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{function_type = (f32) -> (), sym_name = "take_float", sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{function_type = (f32) -> memref<7xf32>, sym_name = "waits"}> ({
  ^bb0(%arg18: f32):
    %13 = "gpu.wait"() : () -> !gpu.async.token
    "gpu.wait"(%13) : (!gpu.async.token) -> ()
    %14:2 = "gpu.alloc"(%13) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!gpu.async.token) -> (memref<7xf32>, !gpu.async.token)
    %15 = "gpu.wait"(%14#1) : (!gpu.async.token) -> !gpu.async.token
    %16 = "gpu.memset"(%15, %14#0, %arg18) : (!gpu.async.token, memref<7xf32>, f32) -> !gpu.async.token
    "gpu.wait"(%16) : (!gpu.async.token) -> ()
    "gpu.wait"() : () -> ()
    "func.return"(%14#0) : (memref<7xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<4xf32>, memref<4xf32>) -> (), sym_name = "copies"}> ({
  ^bb0(%arg16: memref<4xf32>, %arg17: memref<4xf32>):
    %9 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf32>
    "gpu.memcpy"(%9, %arg16) : (memref<4xf32>, memref<4xf32>) -> ()
    "memref.dealloc"(%9) : (memref<4xf32>) -> ()
    %10 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf32>
    "gpu.memcpy"(%10, %arg16) : (memref<4xf32>, memref<4xf32>) -> ()
    %11 = "memref.cast"(%10) : (memref<4xf32>) -> memref<?xf32>
    %12 = "memref.cast"(%arg17) : (memref<4xf32>) -> memref<?xf32>
    "gpu.memcpy"(%12, %11) : (memref<?xf32>, memref<?xf32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (index, memref<?xindex>) -> (), sym_name = "launches"}> ({
  ^bb0(%arg2: index, %arg3: memref<?xindex>):
    %2 = "arith.constant"() <{value = 1 : index}> : () -> index
    "gpu.launch"(%arg2, %2, %2, %2, %arg2, %arg2) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({
    ^bb0(%arg4: index, %arg5: index, %arg6: index, %arg7: index, %arg8: index, %arg9: index, %arg10: index, %arg11: index, %arg12: index, %arg13: index, %arg14: index, %arg15: index):
      %3 = "arith.addi"(%arg4, %arg5) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %4 = "arith.addi"(%3, %arg7) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      "memref.store"(%4, %arg3, %arg8) : (index, memref<?xindex>, index) -> ()
      "gpu.barrier"() : () -> ()
      "gpu.barrier"() : () -> ()
      %5 = "func.call"() <{callee = @number}> : () -> i32
      %6 = "gpu.all_reduce"(%5) <{op = #gpu<all_reduce_op add>}> ({
      }) : (i32) -> i32
      %7 = "gpu.subgroup_reduce"(%6) <{cluster_stride = 1 : i32, op = #gpu<all_reduce_op maxsi>}> : (i32) -> i32
      %8 = "gpu.subgroup_reduce"(%7) <{cluster_size = 1 : i32, cluster_stride = 1 : i32, op = #gpu<all_reduce_op add>}> : (i32) -> i32
      "func.call"(%8) <{callee = @take}> : (i32) -> ()
      "gpu.terminator"() : () -> ()
    }) {workgroup_attributions = 0 : i64} : (index, index, index, index, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (f32, i32) -> (), sym_name = "lanes"}> ({
  ^bb0(%arg0: f32, %arg1: i32):
    %0 = "gpu.subgroup_broadcast"(%arg0, %arg1) <{broadcast_type = #gpu<broadcast specific_lane>}> : (f32, i32) -> f32
    %1 = "gpu.subgroup_broadcast"(%0) <{broadcast_type = #gpu<broadcast first_active_lane>}> : (f32) -> f32
    "func.call"(%1) <{callee = @take_float}> : (f32) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// ===== expected
builtin.module {
  func.func private @number() -> i32
  func.func private @take(i32)
  func.func private @take_float(f32)
  func.func @waits(%arg18: f32) -> memref<7xf32> {
    %0 = "gpu.wait"() : () -> !gpu.async.token
    %1:2 = "gpu.alloc"(%0) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!gpu.async.token) -> (memref<7xf32>, !gpu.async.token)
    %2 = "gpu.memset"(%1#1, %1#0, %arg18) : (!gpu.async.token, memref<7xf32>, f32) -> !gpu.async.token
    "gpu.wait"(%2) : (!gpu.async.token) -> ()
    func.return %1#0 : memref<7xf32>
  }
  func.func @copies(%arg16: memref<4xf32>, %arg17: memref<4xf32>) {
    %0 = memref.alloc() : memref<4xf32>
    gpu.memcpy %0, %arg16 : memref<4xf32>, memref<4xf32>
    gpu.memcpy %arg17, %0 : memref<4xf32>, memref<4xf32>
    func.return
  }
  func.func @launches(%arg2: index, %arg3: memref<?xindex>) {
    %c1 = arith.constant 1 : index
    "gpu.launch"(%arg2, %c1, %c1, %c1, %arg2, %arg2) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({
    ^bb0(%arg4: index, %arg5: index, %arg6: index, %arg7: index, %arg8: index, %arg9: index, %arg10: index, %arg11: index, %arg12: index, %arg13: index, %arg14: index, %arg15: index):
      memref.store %arg4, %arg3[%arg8] : memref<?xindex>
      gpu.barrier
      %0 = func.call @number() : () -> i32
      %1 = "gpu.all_reduce"(%0) <{op = #gpu<all_reduce_op add>, uniform}> ({
      }) : (i32) -> i32
      %2 = "gpu.subgroup_reduce"(%1) <{cluster_stride = 1 : i32, op = #gpu<all_reduce_op maxsi>, uniform}> : (i32) -> i32
      func.call @take(%2) : (i32) -> ()
      "gpu.terminator"() : () -> ()
    }) {workgroup_attributions = 0 : i64} : (index, index, index, index, index, index) -> ()
    func.return
  }
  func.func @lanes(%arg0: f32, %arg1: i32) {
    %0 = "gpu.subgroup_broadcast"(%arg0, %arg1) <{broadcast_type = #gpu<broadcast specific_lane>}> : (f32, i32) -> f32
    func.call @take_float(%0) : (f32) -> ()
    func.return
  }
}
