// parity
// Copies to shared memory that stand by themselves; what follows breaks one rule each.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<?xf32, #gpu.address_space<workgroup>>
    %v1 = "foo.val"() : () -> memref<?xf32>
    %v2 = "foo.val"() : () -> index
    %v3 = "nvgpu.device_async_copy"(%v0, %v2, %v1, %v2, %v2) <{bypassL1, dstElements = 4 : index, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (memref<?xf32, #gpu.address_space<workgroup>>, index, memref<?xf32>, index, index) -> (!nvgpu.device.async.token)
    %v4 = "nvgpu.device_async_create_group"(%v3) : (!nvgpu.device.async.token) -> (!nvgpu.device.async.token)
    %v5 = "nvgpu.device_async_create_group"() : () -> (!nvgpu.device.async.token)
    "nvgpu.device_async_wait"(%v4) <{numGroups = 1 : i32}> : (!nvgpu.device.async.token) -> ()
    "nvgpu.device_async_wait"(%v5) : (!nvgpu.device.async.token) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<?xf64, 3>
    %v1 = "foo.val"() : () -> memref<?xf64>
    %v2 = "foo.val"() : () -> index
    %v3 = "nvgpu.device_async_copy"(%v0, %v2, %v1, %v2) <{dstElements = 1 : index, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (memref<?xf64, 3>, index, memref<?xf64>, index) -> (!nvgpu.device.async.token)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<4x8xi8, 3>
    %v1 = "foo.val"() : () -> memref<4x?xi8, 1>
    %v2 = "foo.val"() : () -> index
    %v3 = "nvgpu.device_async_copy"(%v0, %v2, %v2, %v1, %v2, %v2) <{dstElements = 8 : index, operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}> : (memref<4x8xi8, 3>, index, index, memref<4x?xi8, 1>, index, index) -> (!nvgpu.device.async.token)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<f32, 3>
    %v1 = "foo.val"() : () -> memref<f32>
    %v2 = "foo.val"() : () -> index
    %v3 = "nvgpu.device_async_copy"(%v0, %v1) <{dstElements = 1 : index, operandSegmentSizes = array<i32: 1, 0, 1, 0, 0>}> : (memref<f32, 3>, memref<f32>) -> (!nvgpu.device.async.token)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<?xi1, 3>
    %v1 = "foo.val"() : () -> memref<?xi1>
    %v2 = "foo.val"() : () -> index
    %v3 = "nvgpu.device_async_copy"(%v0, %v2, %v1, %v2) <{dstElements = 32 : index, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (memref<?xi1, 3>, index, memref<?xi1>, index) -> (!nvgpu.device.async.token)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<?xf32, strided<[1], offset: ?>, 3>
    %v1 = "foo.val"() : () -> memref<?xf32, strided<[1], offset: ?>>
    %v2 = "foo.val"() : () -> index
    %v3 = "nvgpu.device_async_copy"(%v0, %v2, %v1, %v2) <{dstElements = 2 : index, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (memref<?xf32, strided<[1], offset: ?>, 3>, index, memref<?xf32, strided<[1], offset: ?>>, index) -> (!nvgpu.device.async.token)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// From anywhere.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<?xf32, 3>
    %v1 = "foo.val"() : () -> memref<?xf32, 3>
    %v2 = "foo.val"() : () -> index
    %v3 = "nvgpu.device_async_copy"(%v0, %v2, %v1, %v2) <{dstElements = 2 : index, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (memref<?xf32, 3>, index, memref<?xf32, 3>, index) -> (!nvgpu.device.async.token)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Other sizes.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<?xf32, 3>
    %v1 = "foo.val"() : () -> memref<?xf32>
    %v2 = "foo.val"() : () -> index
    %v3 = "nvgpu.device_async_copy"(%v0, %v2, %v1, %v2) <{dstElements = 3 : index, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (memref<?xf32, 3>, index, memref<?xf32>, index) -> (!nvgpu.device.async.token)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<?xf32, 3>
    %v1 = "foo.val"() : () -> memref<?xf32>
    %v2 = "foo.val"() : () -> index
    %v3 = "nvgpu.device_async_copy"(%v0, %v2, %v1, %v2) <{dstElements = 8 : index, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (memref<?xf32, 3>, index, memref<?xf32>, index) -> (!nvgpu.device.async.token)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<?xf16, 3>
    %v1 = "foo.val"() : () -> memref<?xf16>
    %v2 = "foo.val"() : () -> index
    %v3 = "nvgpu.device_async_copy"(%v0, %v2, %v1, %v2) <{dstElements = 1 : index, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (memref<?xf16, 3>, index, memref<?xf16>, index) -> (!nvgpu.device.async.token)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<?xf64, 3>
    %v1 = "foo.val"() : () -> memref<?xf64>
    %v2 = "foo.val"() : () -> index
    %v3 = "nvgpu.device_async_copy"(%v0, %v2, %v1, %v2) <{dstElements = 0 : index, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (memref<?xf64, 3>, index, memref<?xf64>, index) -> (!nvgpu.device.async.token)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Less than 16 bytes by the second level cache.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<?xf32, 3>
    %v1 = "foo.val"() : () -> memref<?xf32>
    %v2 = "foo.val"() : () -> index
    %v3 = "nvgpu.device_async_copy"(%v0, %v2, %v1, %v2) <{bypassL1, dstElements = 2 : index, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (memref<?xf32, 3>, index, memref<?xf32>, index) -> (!nvgpu.device.async.token)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// To other memory.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<?xf32>
    %v1 = "foo.val"() : () -> memref<?xf32>
    %v2 = "foo.val"() : () -> index
    %v3 = "nvgpu.device_async_copy"(%v0, %v2, %v1, %v2) <{dstElements = 1 : index, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (memref<?xf32>, index, memref<?xf32>, index) -> (!nvgpu.device.async.token)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<?xf32, #gpu.address_space<private>>
    %v1 = "foo.val"() : () -> memref<?xf32>
    %v2 = "foo.val"() : () -> index
    %v3 = "nvgpu.device_async_copy"(%v0, %v2, %v1, %v2) <{dstElements = 1 : index, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (memref<?xf32, #gpu.address_space<private>>, index, memref<?xf32>, index) -> (!nvgpu.device.async.token)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Other elements.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<?xi32, 3>
    %v1 = "foo.val"() : () -> memref<?xf32>
    %v2 = "foo.val"() : () -> index
    %v3 = "nvgpu.device_async_copy"(%v0, %v2, %v1, %v2) <{dstElements = 1 : index, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (memref<?xi32, 3>, index, memref<?xf32>, index) -> (!nvgpu.device.async.token)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Too few indices, and too many.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<?x?xf32, 3>
    %v1 = "foo.val"() : () -> memref<?xf32>
    %v2 = "foo.val"() : () -> index
    %v3 = "nvgpu.device_async_copy"(%v0, %v2, %v1, %v2) <{dstElements = 1 : index, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (memref<?x?xf32, 3>, index, memref<?xf32>, index) -> (!nvgpu.device.async.token)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<?xf32, 3>
    %v1 = "foo.val"() : () -> memref<?xf32>
    %v2 = "foo.val"() : () -> index
    %v3 = "nvgpu.device_async_copy"(%v0, %v2, %v1, %v2, %v2) <{dstElements = 1 : index, operandSegmentSizes = array<i32: 1, 1, 1, 2, 0>}> : (memref<?xf32, 3>, index, memref<?xf32>, index, index) -> (!nvgpu.device.async.token)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Elements apart.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<?xf32, 3>
    %v1 = "foo.val"() : () -> memref<?xf32, strided<[2]>>
    %v2 = "foo.val"() : () -> index
    %v3 = "nvgpu.device_async_copy"(%v0, %v2, %v1, %v2) <{dstElements = 1 : index, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (memref<?xf32, 3>, index, memref<?xf32, strided<[2]>>, index) -> (!nvgpu.device.async.token)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<?x?xf32, strided<[1, ?]>, 3>
    %v1 = "foo.val"() : () -> memref<?xf32>
    %v2 = "foo.val"() : () -> index
    %v3 = "nvgpu.device_async_copy"(%v0, %v2, %v2, %v1, %v2) <{dstElements = 1 : index, operandSegmentSizes = array<i32: 1, 2, 1, 1, 0>}> : (memref<?x?xf32, strided<[1, ?]>, 3>, index, index, memref<?xf32>, index) -> (!nvgpu.device.async.token)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Attributes of other types.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<?xf32, 3>
    %v1 = "foo.val"() : () -> memref<?xf32>
    %v2 = "foo.val"() : () -> index
    %v3 = "nvgpu.device_async_copy"(%v0, %v2, %v1, %v2) <{dstElements = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (memref<?xf32, 3>, index, memref<?xf32>, index) -> (!nvgpu.device.async.token)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<?xf32, 3>
    %v1 = "foo.val"() : () -> memref<?xf32>
    %v2 = "foo.val"() : () -> index
    %v3 = "nvgpu.device_async_copy"(%v0, %v2, %v1, %v2) <{bypassL1 = 1 : i32, dstElements = 4 : index, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (memref<?xf32, 3>, index, memref<?xf32>, index) -> (!nvgpu.device.async.token)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<?xf32, 3>
    %v1 = "foo.val"() : () -> memref<?xf32>
    %v2 = "foo.val"() : () -> index
    %v3 = "nvgpu.device_async_copy"(%v0, %v2, %v1, %v2) <{dstElements = 1 : index, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (memref<?xf32, 3>, index, memref<?xf32>, index) -> (!nvgpu.device.async.token)
    "nvgpu.device_async_wait"(%v3) <{numGroups = 1 : i64}> : (!nvgpu.device.async.token) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<?xf32, 3>
    %v1 = "foo.val"() : () -> memref<?xf32>
    %v2 = "foo.val"() : () -> index
    %v3 = "nvgpu.device_async_copy"(%v0, %v2, %v1, %v2) <{dstElements = 1 : index, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (memref<?xf32, 3>, index, memref<?xf32>, index) -> (!nvgpu.device.async.token)
    "nvgpu.device_async_wait"(%v2) : (index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
