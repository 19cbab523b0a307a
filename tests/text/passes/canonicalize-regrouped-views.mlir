// pass: builtin.module(canonicalize)
// upstream: --canonicalize
// Changes of shape that undo one another in part, with extents that are known or open, are one.
"builtin.module"() ({
  "func.func"() <{function_type = (memref<?x?xf32>, index, index) -> memref<?x?xf32>, sym_name = "collapse_of_expand_dyn"}> ({
  ^bb0(%arg76: memref<?x?xf32>, %arg77: index, %arg78: index):
    %82 = "memref.expand_shape"(%arg76, %arg77, %arg78) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: -9223372036854775808, 4, -9223372036854775808>}> : (memref<?x?xf32>, index, index) -> memref<?x4x?xf32>
    %83 = "memref.collapse_shape"(%82) <{reassociation = [[0, 1], [2]]}> : (memref<?x4x?xf32>) -> memref<?x?xf32>
    "func.return"(%83) : (memref<?x?xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?x8xf32>, index, index) -> memref<?xf32>, sym_name = "collapse_of_expand_dyn2"}> ({
  ^bb0(%arg73: memref<?x8xf32>, %arg74: index, %arg75: index):
    %80 = "memref.expand_shape"(%arg73, %arg74) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: -9223372036854775808, 4, 8>}> : (memref<?x8xf32>, index) -> memref<?x4x8xf32>
    %81 = "memref.collapse_shape"(%80) <{reassociation = [[0, 1, 2]]}> : (memref<?x4x8xf32>) -> memref<?xf32>
    "func.return"(%81) : (memref<?xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?x8xf32>, index, index) -> memref<?x4x8xf32>, sym_name = "collapse_of_expand_dyn3"}> ({
  ^bb0(%arg70: memref<?x8xf32>, %arg71: index, %arg72: index):
    %78 = "memref.expand_shape"(%arg70, %arg71) <{reassociation = [[0, 1, 2], [3]], static_output_shape = array<i64: -9223372036854775808, 2, 2, 8>}> : (memref<?x8xf32>, index) -> memref<?x2x2x8xf32>
    %79 = "memref.collapse_shape"(%78) <{reassociation = [[0], [1, 2], [3]]}> : (memref<?x2x2x8xf32>) -> memref<?x4x8xf32>
    "func.return"(%79) : (memref<?x4x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?xf32>, index, index) -> memref<?x?xf32>, sym_name = "collapse_of_expand_dyn4"}> ({
  ^bb0(%arg67: memref<?xf32>, %arg68: index, %arg69: index):
    %76 = "memref.expand_shape"(%arg67, %arg68, %arg69) <{reassociation = [[0, 1, 2]], static_output_shape = array<i64: -9223372036854775808, 2, -9223372036854775808>}> : (memref<?xf32>, index, index) -> memref<?x2x?xf32>
    %77 = "memref.collapse_shape"(%76) <{reassociation = [[0], [1, 2]]}> : (memref<?x2x?xf32>) -> memref<?x?xf32>
    "func.return"(%77) : (memref<?x?xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?xf32>, index, index) -> memref<?x?xf32>, sym_name = "collapse_of_expand_dyn5"}> ({
  ^bb0(%arg64: memref<?xf32>, %arg65: index, %arg66: index):
    %74 = "memref.expand_shape"(%arg64, %arg65, %arg66) <{reassociation = [[0, 1, 2]], static_output_shape = array<i64: -9223372036854775808, 2, -9223372036854775808>}> : (memref<?xf32>, index, index) -> memref<?x2x?xf32>
    %75 = "memref.collapse_shape"(%74) <{reassociation = [[0, 1], [2]]}> : (memref<?x2x?xf32>) -> memref<?x?xf32>
    "func.return"(%75) : (memref<?x?xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<24xf32>) -> memref<4x6xf32>, sym_name = "collapse_of_expand_static"}> ({
  ^bb0(%arg63: memref<24xf32>):
    %72 = "memref.expand_shape"(%arg63) <{reassociation = [[0, 1, 2]], static_output_shape = array<i64: 4, 2, 3>}> : (memref<24xf32>) -> memref<4x2x3xf32>
    %73 = "memref.collapse_shape"(%72) <{reassociation = [[0], [1, 2]]}> : (memref<4x2x3xf32>) -> memref<4x6xf32>
    "func.return"(%73) : (memref<4x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<24x2xf32>) -> memref<48xf32>, sym_name = "collapse_of_expand_static2"}> ({
  ^bb0(%arg62: memref<24x2xf32>):
    %70 = "memref.expand_shape"(%arg62) <{reassociation = [[0, 1, 2], [3]], static_output_shape = array<i64: 4, 2, 3, 2>}> : (memref<24x2xf32>) -> memref<4x2x3x2xf32>
    %71 = "memref.collapse_shape"(%70) <{reassociation = [[0, 1, 2, 3]]}> : (memref<4x2x3x2xf32>) -> memref<48xf32>
    "func.return"(%71) : (memref<48xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<24x2xf32>) -> memref<4x12xf32>, sym_name = "collapse_of_expand_mismatch"}> ({
  ^bb0(%arg61: memref<24x2xf32>):
    %68 = "memref.expand_shape"(%arg61) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: 4, 6, 2>}> : (memref<24x2xf32>) -> memref<4x6x2xf32>
    %69 = "memref.collapse_shape"(%68) <{reassociation = [[0], [1, 2]]}> : (memref<4x6x2xf32>) -> memref<4x12xf32>
    "func.return"(%69) : (memref<4x12xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?x4x?xf32>, index, index) -> memref<?x4x?xf32>, sym_name = "expand_of_collapse_dyn"}> ({
  ^bb0(%arg58: memref<?x4x?xf32>, %arg59: index, %arg60: index):
    %66 = "memref.collapse_shape"(%arg58) <{reassociation = [[0, 1], [2]]}> : (memref<?x4x?xf32>) -> memref<?x?xf32>
    %67 = "memref.expand_shape"(%66, %arg59, %arg60) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: -9223372036854775808, 4, -9223372036854775808>}> : (memref<?x?xf32>, index, index) -> memref<?x4x?xf32>
    "func.return"(%67) : (memref<?x4x?xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?x4x?xf32>) -> memref<?x4x?xf32>, sym_name = "expand_of_collapse_dyn_dims"}> ({
  ^bb0(%arg57: memref<?x4x?xf32>):
    %60 = "arith.constant"() <{value = 0 : index}> : () -> index
    %61 = "arith.constant"() <{value = 2 : index}> : () -> index
    %62 = "memref.dim"(%arg57, %60) : (memref<?x4x?xf32>, index) -> index
    %63 = "memref.dim"(%arg57, %61) : (memref<?x4x?xf32>, index) -> index
    %64 = "memref.collapse_shape"(%arg57) <{reassociation = [[0, 1], [2]]}> : (memref<?x4x?xf32>) -> memref<?x?xf32>
    %65 = "memref.expand_shape"(%64, %62, %63) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: -9223372036854775808, 4, -9223372036854775808>}> : (memref<?x?xf32>, index, index) -> memref<?x4x?xf32>
    "func.return"(%65) : (memref<?x4x?xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?x4x?xf32>, index, index) -> memref<?x2x2x?xf32>, sym_name = "expand_of_collapse_dyn_more"}> ({
  ^bb0(%arg54: memref<?x4x?xf32>, %arg55: index, %arg56: index):
    %58 = "memref.collapse_shape"(%arg54) <{reassociation = [[0, 1], [2]]}> : (memref<?x4x?xf32>) -> memref<?x?xf32>
    %59 = "memref.expand_shape"(%58, %arg55, %arg56) <{reassociation = [[0, 1, 2], [3]], static_output_shape = array<i64: -9223372036854775808, 2, 2, -9223372036854775808>}> : (memref<?x?xf32>, index, index) -> memref<?x2x2x?xf32>
    "func.return"(%59) : (memref<?x2x2x?xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<4x6xf32>) -> memref<4x2x3xf32>, sym_name = "expand_of_collapse_static"}> ({
  ^bb0(%arg53: memref<4x6xf32>):
    %56 = "memref.collapse_shape"(%arg53) <{reassociation = [[0, 1]]}> : (memref<4x6xf32>) -> memref<24xf32>
    %57 = "memref.expand_shape"(%56) <{reassociation = [[0, 1, 2]], static_output_shape = array<i64: 4, 2, 3>}> : (memref<24xf32>) -> memref<4x2x3xf32>
    "func.return"(%57) : (memref<4x2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?xf32>, index, index) -> memref<?x2x?xf32>, sym_name = "expand_of_expand_dyn"}> ({
  ^bb0(%arg50: memref<?xf32>, %arg51: index, %arg52: index):
    %54 = "memref.expand_shape"(%arg50, %arg51, %arg52) <{reassociation = [[0, 1]], static_output_shape = array<i64: -9223372036854775808, -9223372036854775808>}> : (memref<?xf32>, index, index) -> memref<?x?xf32>
    %55 = "memref.expand_shape"(%54, %arg51, %arg52) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: -9223372036854775808, 2, -9223372036854775808>}> : (memref<?x?xf32>, index, index) -> memref<?x2x?xf32>
    "func.return"(%55) : (memref<?x2x?xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?x2x?xf32>) -> memref<?xf32>, sym_name = "collapse_of_collapse_dyn"}> ({
  ^bb0(%arg49: memref<?x2x?xf32>):
    %52 = "memref.collapse_shape"(%arg49) <{reassociation = [[0, 1], [2]]}> : (memref<?x2x?xf32>) -> memref<?x?xf32>
    %53 = "memref.collapse_shape"(%52) <{reassociation = [[0, 1]]}> : (memref<?x?xf32>) -> memref<?xf32>
    "func.return"(%53) : (memref<?xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<4x2x?xf32>) -> memref<?x?xf32>, sym_name = "collapse_of_cast"}> ({
  ^bb0(%arg48: memref<4x2x?xf32>):
    %50 = "memref.cast"(%arg48) : (memref<4x2x?xf32>) -> memref<?x2x?xf32>
    %51 = "memref.collapse_shape"(%50) <{reassociation = [[0, 1], [2]]}> : (memref<?x2x?xf32>) -> memref<?x?xf32>
    "func.return"(%51) : (memref<?x?xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?x8xf32>) -> memref<?x4x8xf32>, sym_name = "expand_const_sizes"}> ({
  ^bb0(%arg47: memref<?x8xf32>):
    %48 = "arith.constant"() <{value = 3 : index}> : () -> index
    %49 = "memref.expand_shape"(%arg47, %48) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: -9223372036854775808, 4, 8>}> : (memref<?x8xf32>, index) -> memref<?x4x8xf32>
    "func.return"(%49) : (memref<?x4x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<12x8xf32>, index) -> memref<?x4x8xf32>, sym_name = "expand_of_cast"}> ({
  ^bb0(%arg45: memref<12x8xf32>, %arg46: index):
    %46 = "memref.cast"(%arg45) : (memref<12x8xf32>) -> memref<?x8xf32>
    %47 = "memref.expand_shape"(%46, %arg46) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: -9223372036854775808, 4, 8>}> : (memref<?x8xf32>, index) -> memref<?x4x8xf32>
    "func.return"(%47) : (memref<?x4x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?x8xf32, strided<[?, 1], offset: ?>>, index) -> memref<?x8xf32, strided<[?, 1], offset: ?>>, sym_name = "collapse_of_expand_strided"}> ({
  ^bb0(%arg43: memref<?x8xf32, strided<[?, 1], offset: ?>>, %arg44: index):
    %44 = "memref.expand_shape"(%arg43, %arg44) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: -9223372036854775808, 4, 8>}> : (memref<?x8xf32, strided<[?, 1], offset: ?>>, index) -> memref<?x4x8xf32, strided<[?, ?, 1], offset: ?>>
    %45 = "memref.collapse_shape"(%44) <{reassociation = [[0, 1], [2]]}> : (memref<?x4x8xf32, strided<[?, ?, 1], offset: ?>>) -> memref<?x8xf32, strided<[?, 1], offset: ?>>
    "func.return"(%45) : (memref<?x8xf32, strided<[?, 1], offset: ?>>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?xf32>, index) -> (index, index), sym_name = "dim_of_expand"}> ({
  ^bb0(%arg41: memref<?xf32>, %arg42: index):
    %39 = "arith.constant"() <{value = 0 : index}> : () -> index
    %40 = "memref.expand_shape"(%arg41, %arg42) <{reassociation = [[0, 1]], static_output_shape = array<i64: -9223372036854775808, 4>}> : (memref<?xf32>, index) -> memref<?x4xf32>
    %41 = "memref.dim"(%40, %39) : (memref<?x4xf32>, index) -> index
    %42 = "memref.collapse_shape"(%40) <{reassociation = [[0, 1]]}> : (memref<?x4xf32>) -> memref<?xf32>
    %43 = "memref.dim"(%42, %39) : (memref<?xf32>, index) -> index
    "func.return"(%41, %43) : (index, index) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?xf32>, index, index, index) -> memref<?x?xf32>, sym_name = "two_dyn"}> ({
  ^bb0(%arg37: memref<?xf32>, %arg38: index, %arg39: index, %arg40: index):
    %37 = "memref.expand_shape"(%arg37, %arg38, %arg39, %arg40) <{reassociation = [[0, 1, 2, 3]], static_output_shape = array<i64: -9223372036854775808, 2, -9223372036854775808, -9223372036854775808>}> : (memref<?xf32>, index, index, index) -> memref<?x2x?x?xf32>
    %38 = "memref.collapse_shape"(%37) <{reassociation = [[0], [1, 2, 3]]}> : (memref<?x2x?x?xf32>) -> memref<?x?xf32>
    "func.return"(%38) : (memref<?x?xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?xf32>, index, index, index) -> memref<?x2xf32>, sym_name = "two_dyn_first"}> ({
  ^bb0(%arg33: memref<?xf32>, %arg34: index, %arg35: index, %arg36: index):
    %35 = "memref.expand_shape"(%arg33, %arg34, %arg35) <{reassociation = [[0, 1, 2]], static_output_shape = array<i64: -9223372036854775808, -9223372036854775808, 2>}> : (memref<?xf32>, index, index) -> memref<?x?x2xf32>
    %36 = "memref.collapse_shape"(%35) <{reassociation = [[0, 1], [2]]}> : (memref<?x?x2xf32>) -> memref<?x2xf32>
    "func.return"(%36) : (memref<?x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?xf32>, index, index, index) -> memref<?x?xf32>, sym_name = "two_statics"}> ({
  ^bb0(%arg29: memref<?xf32>, %arg30: index, %arg31: index, %arg32: index):
    %33 = "memref.expand_shape"(%arg29, %arg30, %arg31) <{reassociation = [[0, 1, 2, 3]], static_output_shape = array<i64: 2, 3, -9223372036854775808, -9223372036854775808>}> : (memref<?xf32>, index, index) -> memref<2x3x?x?xf32>
    %34 = "memref.collapse_shape"(%33) <{reassociation = [[0, 1, 2], [3]]}> : (memref<2x3x?x?xf32>) -> memref<?x?xf32>
    "func.return"(%34) : (memref<?x?xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?xf32>, index) -> memref<?x?xf32>, sym_name = "const_dyn"}> ({
  ^bb0(%arg27: memref<?xf32>, %arg28: index):
    %30 = "arith.constant"() <{value = 3 : index}> : () -> index
    %31 = "memref.expand_shape"(%arg27, %30, %arg28) <{reassociation = [[0, 1, 2]], static_output_shape = array<i64: -9223372036854775808, 2, -9223372036854775808>}> : (memref<?xf32>, index, index) -> memref<?x2x?xf32>
    %32 = "memref.collapse_shape"(%31) <{reassociation = [[0, 1], [2]]}> : (memref<?x2x?xf32>) -> memref<?x?xf32>
    "func.return"(%32) : (memref<?x?xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?x8xf32>, index) -> memref<?x8x1xf32>, sym_name = "ones"}> ({
  ^bb0(%arg25: memref<?x8xf32>, %arg26: index):
    %28 = "memref.expand_shape"(%arg25, %arg26) <{reassociation = [[0, 1], [2, 3]], static_output_shape = array<i64: 1, -9223372036854775808, 8, 1>}> : (memref<?x8xf32>, index) -> memref<1x?x8x1xf32>
    %29 = "memref.collapse_shape"(%28) <{reassociation = [[0, 1], [2], [3]]}> : (memref<1x?x8x1xf32>) -> memref<?x8x1xf32>
    "func.return"(%29) : (memref<?x8x1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?x8xf32>, index) -> memref<?x8xf32>, sym_name = "same_rank"}> ({
  ^bb0(%arg23: memref<?x8xf32>, %arg24: index):
    %26 = "memref.expand_shape"(%arg23, %arg24) <{reassociation = [[0], [1, 2]], static_output_shape = array<i64: -9223372036854775808, 4, 2>}> : (memref<?x8xf32>, index) -> memref<?x4x2xf32>
    %27 = "memref.collapse_shape"(%26) <{reassociation = [[0], [1, 2]]}> : (memref<?x4x2xf32>) -> memref<?x8xf32>
    "func.return"(%27) : (memref<?x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<f32>) -> memref<1xf32>, sym_name = "rank0"}> ({
  ^bb0(%arg22: memref<f32>):
    %24 = "memref.expand_shape"(%arg22) <{reassociation = [], static_output_shape = array<i64: 1, 1>}> : (memref<f32>) -> memref<1x1xf32>
    %25 = "memref.collapse_shape"(%24) <{reassociation = [[0, 1]]}> : (memref<1x1xf32>) -> memref<1xf32>
    "func.return"(%25) : (memref<1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<1xf32>) -> memref<f32>, sym_name = "to_rank0"}> ({
  ^bb0(%arg21: memref<1xf32>):
    %22 = "memref.expand_shape"(%arg21) <{reassociation = [[0, 1]], static_output_shape = array<i64: 1, 1>}> : (memref<1xf32>) -> memref<1x1xf32>
    %23 = "memref.collapse_shape"(%22) <{reassociation = []}> : (memref<1x1xf32>) -> memref<f32>
    "func.return"(%23) : (memref<f32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?x8xf32>, index) -> memref<?x2xf32>, sym_name = "misaligned"}> ({
  ^bb0(%arg19: memref<?x8xf32>, %arg20: index):
    %20 = "memref.expand_shape"(%arg19, %arg20) <{reassociation = [[0], [1, 2]], static_output_shape = array<i64: -9223372036854775808, 4, 2>}> : (memref<?x8xf32>, index) -> memref<?x4x2xf32>
    %21 = "memref.collapse_shape"(%20) <{reassociation = [[0, 1], [2]]}> : (memref<?x4x2xf32>) -> memref<?x2xf32>
    "func.return"(%21) : (memref<?x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?x8x3xf32>, index) -> memref<?x6xf32>, sym_name = "misaligned3"}> ({
  ^bb0(%arg17: memref<?x8x3xf32>, %arg18: index):
    %18 = "memref.expand_shape"(%arg17, %arg18) <{reassociation = [[0], [1, 2], [3]], static_output_shape = array<i64: -9223372036854775808, 4, 2, 3>}> : (memref<?x8x3xf32>, index) -> memref<?x4x2x3xf32>
    %19 = "memref.collapse_shape"(%18) <{reassociation = [[0, 1], [2, 3]]}> : (memref<?x4x2x3xf32>) -> memref<?x6xf32>
    "func.return"(%19) : (memref<?x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?x?xf32>, index, index) -> memref<?x?xf32>, sym_name = "eoc_two_dyn"}> ({
  ^bb0(%arg14: memref<?x?xf32>, %arg15: index, %arg16: index):
    %16 = "memref.collapse_shape"(%arg14) <{reassociation = [[0, 1]]}> : (memref<?x?xf32>) -> memref<?xf32>
    %17 = "memref.expand_shape"(%16, %arg15, %arg16) <{reassociation = [[0, 1]], static_output_shape = array<i64: -9223372036854775808, -9223372036854775808>}> : (memref<?xf32>, index, index) -> memref<?x?xf32>
    "func.return"(%17) : (memref<?x?xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?x2x2xf32>, index) -> memref<?x4xf32>, sym_name = "eoc_fewer"}> ({
  ^bb0(%arg12: memref<?x2x2xf32>, %arg13: index):
    %14 = "memref.collapse_shape"(%arg12) <{reassociation = [[0, 1, 2]]}> : (memref<?x2x2xf32>) -> memref<?xf32>
    %15 = "memref.expand_shape"(%14, %arg13) <{reassociation = [[0, 1]], static_output_shape = array<i64: -9223372036854775808, 4>}> : (memref<?xf32>, index) -> memref<?x4xf32>
    "func.return"(%15) : (memref<?x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?x4xf32>, index) -> memref<?x2xf32>, sym_name = "eoc_mismatch"}> ({
  ^bb0(%arg10: memref<?x4xf32>, %arg11: index):
    %12 = "memref.collapse_shape"(%arg10) <{reassociation = [[0, 1]]}> : (memref<?x4xf32>) -> memref<?xf32>
    %13 = "memref.expand_shape"(%12, %arg11) <{reassociation = [[0, 1]], static_output_shape = array<i64: -9223372036854775808, 2>}> : (memref<?xf32>, index) -> memref<?x2xf32>
    "func.return"(%13) : (memref<?x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?x4xf32>, index) -> memref<1x?x4x1xf32>, sym_name = "eoc_ones"}> ({
  ^bb0(%arg8: memref<?x4xf32>, %arg9: index):
    %10 = "memref.collapse_shape"(%arg8) <{reassociation = [[0, 1]]}> : (memref<?x4xf32>) -> memref<?xf32>
    %11 = "memref.expand_shape"(%10, %arg9) <{reassociation = [[0, 1, 2, 3]], static_output_shape = array<i64: 1, -9223372036854775808, 4, 1>}> : (memref<?xf32>, index) -> memref<1x?x4x1xf32>
    "func.return"(%11) : (memref<1x?x4x1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<2x3x?xf32>, index) -> memref<6x?xf32>, sym_name = "eoc_ones2"}> ({
  ^bb0(%arg6: memref<2x3x?xf32>, %arg7: index):
    %8 = "memref.collapse_shape"(%arg6) <{reassociation = [[0, 1, 2]]}> : (memref<2x3x?xf32>) -> memref<?xf32>
    %9 = "memref.expand_shape"(%8, %arg7) <{reassociation = [[0, 1]], static_output_shape = array<i64: 6, -9223372036854775808>}> : (memref<?xf32>, index) -> memref<6x?xf32>
    "func.return"(%9) : (memref<6x?xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?x4xf32>, index, index) -> memref<?x?x4xf32>, sym_name = "eoc_dyn_more"}> ({
  ^bb0(%arg3: memref<?x4xf32>, %arg4: index, %arg5: index):
    %6 = "memref.collapse_shape"(%arg3) <{reassociation = [[0, 1]]}> : (memref<?x4xf32>) -> memref<?xf32>
    %7 = "memref.expand_shape"(%6, %arg4, %arg5) <{reassociation = [[0, 1, 2]], static_output_shape = array<i64: -9223372036854775808, -9223372036854775808, 4>}> : (memref<?xf32>, index, index) -> memref<?x?x4xf32>
    "func.return"(%7) : (memref<?x?x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<2x3x4xf32>) -> memref<6x2x2xf32>, sym_name = "eoc_mixed"}> ({
  ^bb0(%arg2: memref<2x3x4xf32>):
    %4 = "memref.collapse_shape"(%arg2) <{reassociation = [[0, 1, 2]]}> : (memref<2x3x4xf32>) -> memref<24xf32>
    %5 = "memref.expand_shape"(%4) <{reassociation = [[0, 1, 2]], static_output_shape = array<i64: 6, 2, 2>}> : (memref<24xf32>) -> memref<6x2x2xf32>
    "func.return"(%5) : (memref<6x2x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<2x3x4xf32>) -> memref<6x2x2xf32>, sym_name = "eoc_mixed_groups"}> ({
  ^bb0(%arg1: memref<2x3x4xf32>):
    %2 = "memref.collapse_shape"(%arg1) <{reassociation = [[0, 1], [2]]}> : (memref<2x3x4xf32>) -> memref<6x4xf32>
    %3 = "memref.expand_shape"(%2) <{reassociation = [[0], [1, 2]], static_output_shape = array<i64: 6, 2, 2>}> : (memref<6x4xf32>) -> memref<6x2x2xf32>
    "func.return"(%3) : (memref<6x2x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<2x3x4xf32>) -> memref<6x2x2x1xf32>, sym_name = "eoc_mixed_groups4"}> ({
  ^bb0(%arg0: memref<2x3x4xf32>):
    %0 = "memref.collapse_shape"(%arg0) <{reassociation = [[0, 1], [2]]}> : (memref<2x3x4xf32>) -> memref<6x4xf32>
    %1 = "memref.expand_shape"(%0) <{reassociation = [[0], [1, 2, 3]], static_output_shape = array<i64: 6, 2, 2, 1>}> : (memref<6x4xf32>) -> memref<6x2x2x1xf32>
    "func.return"(%1) : (memref<6x2x2x1xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ===== expected
builtin.module {
  func.func @collapse_of_expand_dyn(%arg76: memref<?x?xf32>, %arg77: index, %arg78: index) -> memref<?x?xf32> {
    func.return %arg76 : memref<?x?xf32>
  }
  func.func @collapse_of_expand_dyn2(%arg73: memref<?x8xf32>, %arg74: index, %arg75: index) -> memref<?xf32> {
    %0 = memref.collapse_shape %arg73 [[0, 1]] : memref<?x8xf32> into memref<?xf32>
    func.return %0 : memref<?xf32>
  }
  func.func @collapse_of_expand_dyn3(%arg70: memref<?x8xf32>, %arg71: index, %arg72: index) -> memref<?x4x8xf32> {
    %0 = memref.expand_shape %arg70 [[0, 1], [2]] output_shape [%arg71, 4, 8] : memref<?x8xf32> into memref<?x4x8xf32>
    func.return %0 : memref<?x4x8xf32>
  }
  func.func @collapse_of_expand_dyn4(%arg67: memref<?xf32>, %arg68: index, %arg69: index) -> memref<?x?xf32> {
    %c2 = arith.constant 2 : index
    %0 = arith.muli %arg69, %c2 : index
    %1 = memref.expand_shape %arg67 [[0, 1]] output_shape [%arg68, %0] : memref<?xf32> into memref<?x?xf32>
    func.return %1 : memref<?x?xf32>
  }
  func.func @collapse_of_expand_dyn5(%arg64: memref<?xf32>, %arg65: index, %arg66: index) -> memref<?x?xf32> {
    %c2 = arith.constant 2 : index
    %0 = arith.muli %arg65, %c2 : index
    %1 = memref.expand_shape %arg64 [[0, 1]] output_shape [%0, %arg66] : memref<?xf32> into memref<?x?xf32>
    func.return %1 : memref<?x?xf32>
  }
  func.func @collapse_of_expand_static(%arg63: memref<24xf32>) -> memref<4x6xf32> {
    %0 = memref.expand_shape %arg63 [[0, 1]] output_shape [4, 6] : memref<24xf32> into memref<4x6xf32>
    func.return %0 : memref<4x6xf32>
  }
  func.func @collapse_of_expand_static2(%arg62: memref<24x2xf32>) -> memref<48xf32> {
    %0 = memref.collapse_shape %arg62 [[0, 1]] : memref<24x2xf32> into memref<48xf32>
    func.return %0 : memref<48xf32>
  }
  func.func @collapse_of_expand_mismatch(%arg61: memref<24x2xf32>) -> memref<4x12xf32> {
    %0 = memref.expand_shape %arg61 [[0, 1], [2]] output_shape [4, 6, 2] : memref<24x2xf32> into memref<4x6x2xf32>
    %1 = memref.collapse_shape %0 [[0], [1, 2]] : memref<4x6x2xf32> into memref<4x12xf32>
    func.return %1 : memref<4x12xf32>
  }
  func.func @expand_of_collapse_dyn(%arg58: memref<?x4x?xf32>, %arg59: index, %arg60: index) -> memref<?x4x?xf32> {
    func.return %arg58 : memref<?x4x?xf32>
  }
  func.func @expand_of_collapse_dyn_dims(%arg57: memref<?x4x?xf32>) -> memref<?x4x?xf32> {
    func.return %arg57 : memref<?x4x?xf32>
  }
  func.func @expand_of_collapse_dyn_more(%arg54: memref<?x4x?xf32>, %arg55: index, %arg56: index) -> memref<?x2x2x?xf32> {
    %0 = memref.expand_shape %arg54 [[0], [1, 2], [3]] output_shape [%arg55, 2, 2, %arg56] : memref<?x4x?xf32> into memref<?x2x2x?xf32>
    func.return %0 : memref<?x2x2x?xf32>
  }
  func.func @expand_of_collapse_static(%arg53: memref<4x6xf32>) -> memref<4x2x3xf32> {
    %0 = memref.expand_shape %arg53 [[0], [1, 2]] output_shape [4, 2, 3] : memref<4x6xf32> into memref<4x2x3xf32>
    func.return %0 : memref<4x2x3xf32>
  }
  func.func @expand_of_expand_dyn(%arg50: memref<?xf32>, %arg51: index, %arg52: index) -> memref<?x2x?xf32> {
    %0 = memref.expand_shape %arg50 [[0, 1, 2]] output_shape [%arg51, 2, %arg52] : memref<?xf32> into memref<?x2x?xf32>
    func.return %0 : memref<?x2x?xf32>
  }
  func.func @collapse_of_collapse_dyn(%arg49: memref<?x2x?xf32>) -> memref<?xf32> {
    %0 = memref.collapse_shape %arg49 [[0, 1, 2]] : memref<?x2x?xf32> into memref<?xf32>
    func.return %0 : memref<?xf32>
  }
  func.func @collapse_of_cast(%arg48: memref<4x2x?xf32>) -> memref<?x?xf32> {
    %0 = memref.collapse_shape %arg48 [[0, 1], [2]] : memref<4x2x?xf32> into memref<8x?xf32>
    %1 = memref.cast %0 : memref<8x?xf32> to memref<?x?xf32>
    func.return %1 : memref<?x?xf32>
  }
  func.func @expand_const_sizes(%arg47: memref<?x8xf32>) -> memref<?x4x8xf32> {
    %c3 = arith.constant 3 : index
    %0 = memref.expand_shape %arg47 [[0, 1], [2]] output_shape [%c3, 4, 8] : memref<?x8xf32> into memref<?x4x8xf32>
    func.return %0 : memref<?x4x8xf32>
  }
  func.func @expand_of_cast(%arg45: memref<12x8xf32>, %arg46: index) -> memref<?x4x8xf32> {
    %0 = memref.cast %arg45 : memref<12x8xf32> to memref<?x8xf32>
    %1 = memref.expand_shape %0 [[0, 1], [2]] output_shape [%arg46, 4, 8] : memref<?x8xf32> into memref<?x4x8xf32>
    func.return %1 : memref<?x4x8xf32>
  }
  func.func @collapse_of_expand_strided(%arg43: memref<?x8xf32, strided<[?, 1], offset: ?>>, %arg44: index) -> memref<?x8xf32, strided<[?, 1], offset: ?>> {
    func.return %arg43 : memref<?x8xf32, strided<[?, 1], offset: ?>>
  }
  func.func @dim_of_expand(%arg41: memref<?xf32>, %arg42: index) -> (index, index) {
    %c0 = arith.constant 0 : index
    %0 = memref.expand_shape %arg41 [[0, 1]] output_shape [%arg42, 4] : memref<?xf32> into memref<?x4xf32>
    %1 = memref.dim %0, %c0 : memref<?x4xf32>
    %2 = memref.dim %arg41, %c0 : memref<?xf32>
    func.return %1, %2 : index, index
  }
  func.func @two_dyn(%arg37: memref<?xf32>, %arg38: index, %arg39: index, %arg40: index) -> memref<?x?xf32> {
    %c2 = arith.constant 2 : index
    %0 = arith.muli %arg39, %arg40 : index
    %1 = arith.muli %0, %c2 : index
    %2 = memref.expand_shape %arg37 [[0, 1]] output_shape [%arg38, %1] : memref<?xf32> into memref<?x?xf32>
    func.return %2 : memref<?x?xf32>
  }
  func.func @two_dyn_first(%arg33: memref<?xf32>, %arg34: index, %arg35: index, %arg36: index) -> memref<?x2xf32> {
    %0 = arith.muli %arg34, %arg35 : index
    %1 = memref.expand_shape %arg33 [[0, 1]] output_shape [%0, 2] : memref<?xf32> into memref<?x2xf32>
    func.return %1 : memref<?x2xf32>
  }
  func.func @two_statics(%arg29: memref<?xf32>, %arg30: index, %arg31: index, %arg32: index) -> memref<?x?xf32> {
    %c6 = arith.constant 6 : index
    %0 = arith.muli %arg30, %c6 : index
    %1 = memref.expand_shape %arg29 [[0, 1]] output_shape [%0, %arg31] : memref<?xf32> into memref<?x?xf32>
    func.return %1 : memref<?x?xf32>
  }
  func.func @const_dyn(%arg27: memref<?xf32>, %arg28: index) -> memref<?x?xf32> {
    %0 = memref.expand_shape %arg27 [[0, 1]] output_shape [6, %arg28] : memref<?xf32> into memref<?x?xf32>
    func.return %0 : memref<?x?xf32>
  }
  func.func @ones(%arg25: memref<?x8xf32>, %arg26: index) -> memref<?x8x1xf32> {
    %0 = memref.expand_shape %arg25 [[0], [1, 2]] output_shape [%arg26, 8, 1] : memref<?x8xf32> into memref<?x8x1xf32>
    func.return %0 : memref<?x8x1xf32>
  }
  func.func @same_rank(%arg23: memref<?x8xf32>, %arg24: index) -> memref<?x8xf32> {
    func.return %arg23 : memref<?x8xf32>
  }
  func.func @rank0(%arg22: memref<f32>) -> memref<1xf32> {
    %0 = memref.expand_shape %arg22 [] output_shape [1] : memref<f32> into memref<1xf32>
    func.return %0 : memref<1xf32>
  }
  func.func @to_rank0(%arg21: memref<1xf32>) -> memref<f32> {
    %0 = memref.collapse_shape %arg21 [] : memref<1xf32> into memref<f32>
    func.return %0 : memref<f32>
  }
  func.func @misaligned(%arg19: memref<?x8xf32>, %arg20: index) -> memref<?x2xf32> {
    %0 = memref.expand_shape %arg19 [[0], [1, 2]] output_shape [%arg20, 4, 2] : memref<?x8xf32> into memref<?x4x2xf32>
    %1 = memref.collapse_shape %0 [[0, 1], [2]] : memref<?x4x2xf32> into memref<?x2xf32>
    func.return %1 : memref<?x2xf32>
  }
  func.func @misaligned3(%arg17: memref<?x8x3xf32>, %arg18: index) -> memref<?x6xf32> {
    %0 = memref.expand_shape %arg17 [[0], [1, 2], [3]] output_shape [%arg18, 4, 2, 3] : memref<?x8x3xf32> into memref<?x4x2x3xf32>
    %1 = memref.collapse_shape %0 [[0, 1], [2, 3]] : memref<?x4x2x3xf32> into memref<?x6xf32>
    func.return %1 : memref<?x6xf32>
  }
  func.func @eoc_two_dyn(%arg14: memref<?x?xf32>, %arg15: index, %arg16: index) -> memref<?x?xf32> {
    %0 = memref.collapse_shape %arg14 [[0, 1]] : memref<?x?xf32> into memref<?xf32>
    %1 = memref.expand_shape %0 [[0, 1]] output_shape [%arg15, %arg16] : memref<?xf32> into memref<?x?xf32>
    func.return %1 : memref<?x?xf32>
  }
  func.func @eoc_fewer(%arg12: memref<?x2x2xf32>, %arg13: index) -> memref<?x4xf32> {
    %0 = memref.collapse_shape %arg12 [[0], [1, 2]] : memref<?x2x2xf32> into memref<?x4xf32>
    func.return %0 : memref<?x4xf32>
  }
  func.func @eoc_mismatch(%arg10: memref<?x4xf32>, %arg11: index) -> memref<?x2xf32> {
    %0 = memref.collapse_shape %arg10 [[0, 1]] : memref<?x4xf32> into memref<?xf32>
    %1 = memref.expand_shape %0 [[0, 1]] output_shape [%arg11, 2] : memref<?xf32> into memref<?x2xf32>
    func.return %1 : memref<?x2xf32>
  }
  func.func @eoc_ones(%arg8: memref<?x4xf32>, %arg9: index) -> memref<1x?x4x1xf32> {
    %0 = memref.expand_shape %arg8 [[0, 1], [2, 3]] output_shape [1, %arg9, 4, 1] : memref<?x4xf32> into memref<1x?x4x1xf32>
    func.return %0 : memref<1x?x4x1xf32>
  }
  func.func @eoc_ones2(%arg6: memref<2x3x?xf32>, %arg7: index) -> memref<6x?xf32> {
    %0 = memref.collapse_shape %arg6 [[0, 1], [2]] : memref<2x3x?xf32> into memref<6x?xf32>
    func.return %0 : memref<6x?xf32>
  }
  func.func @eoc_dyn_more(%arg3: memref<?x4xf32>, %arg4: index, %arg5: index) -> memref<?x?x4xf32> {
    %0 = memref.expand_shape %arg3 [[0, 1], [2]] output_shape [%arg4, %arg5, 4] : memref<?x4xf32> into memref<?x?x4xf32>
    func.return %0 : memref<?x?x4xf32>
  }
  func.func @eoc_mixed(%arg2: memref<2x3x4xf32>) -> memref<6x2x2xf32> {
    %0 = memref.collapse_shape %arg2 [[0, 1, 2]] : memref<2x3x4xf32> into memref<24xf32>
    %1 = memref.expand_shape %0 [[0, 1, 2]] output_shape [6, 2, 2] : memref<24xf32> into memref<6x2x2xf32>
    func.return %1 : memref<6x2x2xf32>
  }
  func.func @eoc_mixed_groups(%arg1: memref<2x3x4xf32>) -> memref<6x2x2xf32> {
    %0 = memref.collapse_shape %arg1 [[0, 1], [2]] : memref<2x3x4xf32> into memref<6x4xf32>
    %1 = memref.expand_shape %0 [[0], [1, 2]] output_shape [6, 2, 2] : memref<6x4xf32> into memref<6x2x2xf32>
    func.return %1 : memref<6x2x2xf32>
  }
  func.func @eoc_mixed_groups4(%arg0: memref<2x3x4xf32>) -> memref<6x2x2x1xf32> {
    %0 = memref.collapse_shape %arg0 [[0, 1], [2]] : memref<2x3x4xf32> into memref<6x4xf32>
    %1 = memref.expand_shape %0 [[0], [1, 2, 3]] output_shape [6, 2, 2, 1] : memref<6x4xf32> into memref<6x2x2x1xf32>
    func.return %1 : memref<6x2x2x1xf32>
  }
}
