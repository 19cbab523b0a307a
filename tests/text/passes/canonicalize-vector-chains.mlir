// pass: builtin.module(canonicalize)
// upstream: --canonicalize
// Vectors into which all elements are put one by one.
"builtin.module"() ({
  "func.func"() <{function_type = (vector<4xf32>, f32, f32, f32, f32) -> vector<4xf32>, sym_name = "chain"}> ({
  ^bb0(%arg77: vector<4xf32>, %arg78: f32, %arg79: f32, %arg80: f32, %arg81: f32):
    %60 = "vector.insert"(%arg78, %arg77) <{static_position = array<i64: 0>}> : (f32, vector<4xf32>) -> vector<4xf32>
    %61 = "vector.insert"(%arg79, %60) <{static_position = array<i64: 1>}> : (f32, vector<4xf32>) -> vector<4xf32>
    %62 = "vector.insert"(%arg80, %61) <{static_position = array<i64: 2>}> : (f32, vector<4xf32>) -> vector<4xf32>
    %63 = "vector.insert"(%arg81, %62) <{static_position = array<i64: 3>}> : (f32, vector<4xf32>) -> vector<4xf32>
    "func.return"(%63) : (vector<4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (vector<4xf32>, f32, f32, f32, f32) -> vector<4xf32>, sym_name = "chain_partial"}> ({
  ^bb0(%arg72: vector<4xf32>, %arg73: f32, %arg74: f32, %arg75: f32, %arg76: f32):
    %57 = "vector.insert"(%arg73, %arg72) <{static_position = array<i64: 0>}> : (f32, vector<4xf32>) -> vector<4xf32>
    %58 = "vector.insert"(%arg74, %57) <{static_position = array<i64: 1>}> : (f32, vector<4xf32>) -> vector<4xf32>
    %59 = "vector.insert"(%arg75, %58) <{static_position = array<i64: 0>}> : (f32, vector<4xf32>) -> vector<4xf32>
    "func.return"(%59) : (vector<4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (vector<4xf32>, f32, f32, f32, f32) -> vector<4xf32>, sym_name = "chain_overwrite"}> ({
  ^bb0(%arg67: vector<4xf32>, %arg68: f32, %arg69: f32, %arg70: f32, %arg71: f32):
    %55 = "vector.insert"(%arg68, %arg67) <{static_position = array<i64: 0>}> : (f32, vector<4xf32>) -> vector<4xf32>
    %56 = "vector.insert"(%arg70, %55) <{static_position = array<i64: 0>}> : (f32, vector<4xf32>) -> vector<4xf32>
    "func.return"(%56) : (vector<4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (vector<2x2xf32>, f32, f32, f32, f32) -> vector<2x2xf32>, sym_name = "chain2d"}> ({
  ^bb0(%arg62: vector<2x2xf32>, %arg63: f32, %arg64: f32, %arg65: f32, %arg66: f32):
    %51 = "vector.insert"(%arg63, %arg62) <{static_position = array<i64: 0, 0>}> : (f32, vector<2x2xf32>) -> vector<2x2xf32>
    %52 = "vector.insert"(%arg64, %51) <{static_position = array<i64: 0, 1>}> : (f32, vector<2x2xf32>) -> vector<2x2xf32>
    %53 = "vector.insert"(%arg65, %52) <{static_position = array<i64: 1, 0>}> : (f32, vector<2x2xf32>) -> vector<2x2xf32>
    %54 = "vector.insert"(%arg66, %53) <{static_position = array<i64: 1, 1>}> : (f32, vector<2x2xf32>) -> vector<2x2xf32>
    "func.return"(%54) : (vector<2x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (vector<2x2xf32>, vector<2xf32>, vector<2xf32>) -> vector<2x2xf32>, sym_name = "chain_subvec"}> ({
  ^bb0(%arg59: vector<2x2xf32>, %arg60: vector<2xf32>, %arg61: vector<2xf32>):
    %49 = "vector.insert"(%arg60, %arg59) <{static_position = array<i64: 0>}> : (vector<2xf32>, vector<2x2xf32>) -> vector<2x2xf32>
    %50 = "vector.insert"(%arg61, %49) <{static_position = array<i64: 1>}> : (vector<2xf32>, vector<2x2xf32>) -> vector<2x2xf32>
    "func.return"(%50) : (vector<2x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (vector<2x2xf32>, f32, f32, vector<2xf32>) -> vector<2x2xf32>, sym_name = "chain_subvec_from"}> ({
  ^bb0(%arg55: vector<2x2xf32>, %arg56: f32, %arg57: f32, %arg58: vector<2xf32>):
    %46 = "vector.from_elements"(%arg56, %arg57) : (f32, f32) -> vector<2xf32>
    %47 = "vector.insert"(%46, %arg55) <{static_position = array<i64: 0>}> : (vector<2xf32>, vector<2x2xf32>) -> vector<2x2xf32>
    %48 = "vector.insert"(%46, %47) <{static_position = array<i64: 1>}> : (vector<2xf32>, vector<2x2xf32>) -> vector<2x2xf32>
    "func.return"(%48) : (vector<2x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (f32, f32, f32, f32) -> vector<4xf32>, sym_name = "insert_into_from"}> ({
  ^bb0(%arg51: f32, %arg52: f32, %arg53: f32, %arg54: f32):
    %44 = "vector.from_elements"(%arg51, %arg52, %arg51, %arg52) : (f32, f32, f32, f32) -> vector<4xf32>
    %45 = "vector.insert"(%arg53, %44) <{static_position = array<i64: 2>}> : (f32, vector<4xf32>) -> vector<4xf32>
    "func.return"(%45) : (vector<4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (f32, f32, f32, f32) -> vector<2x2xf32>, sym_name = "insert_vec_into_from"}> ({
  ^bb0(%arg47: f32, %arg48: f32, %arg49: f32, %arg50: f32):
    %41 = "vector.from_elements"(%arg47, %arg48, %arg47, %arg48) : (f32, f32, f32, f32) -> vector<2x2xf32>
    %42 = "vector.from_elements"(%arg49, %arg50) : (f32, f32) -> vector<2xf32>
    %43 = "vector.insert"(%42, %41) <{static_position = array<i64: 1>}> : (vector<2xf32>, vector<2x2xf32>) -> vector<2x2xf32>
    "func.return"(%43) : (vector<2x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (f32, f32) -> vector<2xf32>, sym_name = "chain_poison"}> ({
  ^bb0(%arg45: f32, %arg46: f32):
    %38 = "ub.poison"() <{value = #ub.poison}> : () -> vector<2xf32>
    %39 = "vector.insert"(%arg45, %38) <{static_position = array<i64: 0>}> : (f32, vector<2xf32>) -> vector<2xf32>
    %40 = "vector.insert"(%arg46, %39) <{static_position = array<i64: 1>}> : (f32, vector<2xf32>) -> vector<2xf32>
    "func.return"(%40) : (vector<2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (vector<2xf32>, f32, f32) -> (vector<2xf32>, vector<2xf32>), sym_name = "chain_multi_use"}> ({
  ^bb0(%arg42: vector<2xf32>, %arg43: f32, %arg44: f32):
    %36 = "vector.insert"(%arg43, %arg42) <{static_position = array<i64: 0>}> : (f32, vector<2xf32>) -> vector<2xf32>
    %37 = "vector.insert"(%arg44, %36) <{static_position = array<i64: 1>}> : (f32, vector<2xf32>) -> vector<2xf32>
    "func.return"(%37, %36) : (vector<2xf32>, vector<2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (vector<2xf32>, f32, f32, index) -> vector<2xf32>, sym_name = "chain_dynamic"}> ({
  ^bb0(%arg38: vector<2xf32>, %arg39: f32, %arg40: f32, %arg41: index):
    %34 = "vector.insert"(%arg39, %arg38, %arg41) <{static_position = array<i64: -9223372036854775808>}> : (f32, vector<2xf32>, index) -> vector<2xf32>
    %35 = "vector.insert"(%arg40, %34, %arg41) <{static_position = array<i64: -9223372036854775808>}> : (f32, vector<2xf32>, index) -> vector<2xf32>
    "func.return"(%35) : (vector<2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (vector<2xf32>, f32, f32, index) -> vector<2xf32>, sym_name = "chain_dynamic2"}> ({
  ^bb0(%arg34: vector<2xf32>, %arg35: f32, %arg36: f32, %arg37: index):
    %31 = "vector.insert"(%arg35, %arg34, %arg37) <{static_position = array<i64: -9223372036854775808>}> : (f32, vector<2xf32>, index) -> vector<2xf32>
    %32 = "vector.insert"(%arg36, %31) <{static_position = array<i64: 0>}> : (f32, vector<2xf32>) -> vector<2xf32>
    %33 = "vector.insert"(%arg35, %32) <{static_position = array<i64: 1>}> : (f32, vector<2xf32>) -> vector<2xf32>
    "func.return"(%33) : (vector<2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (vector<4xf32>, f32, f32, index) -> (f32, f32, f32), sym_name = "extract_of_chain"}> ({
  ^bb0(%arg30: vector<4xf32>, %arg31: f32, %arg32: f32, %arg33: index):
    %26 = "vector.insert"(%arg31, %arg30) <{static_position = array<i64: 0>}> : (f32, vector<4xf32>) -> vector<4xf32>
    %27 = "vector.insert"(%arg32, %26) <{static_position = array<i64: 1>}> : (f32, vector<4xf32>) -> vector<4xf32>
    %28 = "vector.extract"(%27) <{static_position = array<i64: 0>}> : (vector<4xf32>) -> f32
    %29 = "vector.extract"(%27) <{static_position = array<i64: 1>}> : (vector<4xf32>) -> f32
    %30 = "vector.extract"(%27) <{static_position = array<i64: 2>}> : (vector<4xf32>) -> f32
    "func.return"(%28, %29, %30) : (f32, f32, f32) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (vector<2x2xf32>, f32, vector<2xf32>, index) -> (f32, f32, vector<2xf32>), sym_name = "extract_of_chain2d"}> ({
  ^bb0(%arg26: vector<2x2xf32>, %arg27: f32, %arg28: vector<2xf32>, %arg29: index):
    %21 = "vector.insert"(%arg27, %arg26) <{static_position = array<i64: 0, 1>}> : (f32, vector<2x2xf32>) -> vector<2x2xf32>
    %22 = "vector.insert"(%arg28, %21) <{static_position = array<i64: 1>}> : (vector<2xf32>, vector<2x2xf32>) -> vector<2x2xf32>
    %23 = "vector.extract"(%22) <{static_position = array<i64: 0, 1>}> : (vector<2x2xf32>) -> f32
    %24 = "vector.extract"(%22) <{static_position = array<i64: 1, 0>}> : (vector<2x2xf32>) -> f32
    %25 = "vector.extract"(%22) <{static_position = array<i64: 1>}> : (vector<2x2xf32>) -> vector<2xf32>
    "func.return"(%23, %24, %25) : (f32, f32, vector<2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (vector<4xf32>, vector<2xf32>, vector<2xf32>) -> vector<4xf32>, sym_name = "strided_chain"}> ({
  ^bb0(%arg23: vector<4xf32>, %arg24: vector<2xf32>, %arg25: vector<2xf32>):
    %19 = "vector.insert_strided_slice"(%arg24, %arg23) <{offsets = [0], strides = [1]}> : (vector<2xf32>, vector<4xf32>) -> vector<4xf32>
    %20 = "vector.insert_strided_slice"(%arg25, %19) <{offsets = [2], strides = [1]}> : (vector<2xf32>, vector<4xf32>) -> vector<4xf32>
    "func.return"(%20) : (vector<4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (vector<4xf32>, vector<2xf32>, vector<2xf32>) -> vector<4xf32>, sym_name = "strided_chain_over"}> ({
  ^bb0(%arg20: vector<4xf32>, %arg21: vector<2xf32>, %arg22: vector<2xf32>):
    %17 = "vector.insert_strided_slice"(%arg21, %arg20) <{offsets = [0], strides = [1]}> : (vector<2xf32>, vector<4xf32>) -> vector<4xf32>
    %18 = "vector.insert_strided_slice"(%arg22, %17) <{offsets = [0], strides = [1]}> : (vector<2xf32>, vector<4xf32>) -> vector<4xf32>
    "func.return"(%18) : (vector<4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (f32) -> vector<4xf32>, sym_name = "chain_const"}> ({
  ^bb0(%arg19: f32):
    %13 = "arith.constant"() <{value = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : vector<4xf32>}> : () -> vector<4xf32>
    %14 = "arith.constant"() <{value = 7.000000e+00 : f32}> : () -> f32
    %15 = "vector.insert"(%14, %13) <{static_position = array<i64: 0>}> : (f32, vector<4xf32>) -> vector<4xf32>
    %16 = "vector.insert"(%arg19, %15) <{static_position = array<i64: 1>}> : (f32, vector<4xf32>) -> vector<4xf32>
    "func.return"(%16) : (vector<4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (vector<2xf32>, f32, f32) -> (f32, f32), sym_name = "chain_to_elements"}> ({
  ^bb0(%arg16: vector<2xf32>, %arg17: f32, %arg18: f32):
    %11 = "vector.insert"(%arg17, %arg16) <{static_position = array<i64: 0>}> : (f32, vector<2xf32>) -> vector<2xf32>
    %12:2 = "vector.to_elements"(%11) : (vector<2xf32>) -> (f32, f32)
    "func.return"(%12#0, %12#1) : (f32, f32) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (vector<f32>, f32, f32) -> vector<f32>, sym_name = "chain_rank0"}> ({
  ^bb0(%arg13: vector<f32>, %arg14: f32, %arg15: f32):
    %10 = "vector.insert"(%arg14, %arg13) <{static_position = array<i64>}> : (f32, vector<f32>) -> vector<f32>
    "func.return"(%10) : (vector<f32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (vector<[2]xf32>, f32, f32) -> vector<[2]xf32>, sym_name = "chain_scalable"}> ({
  ^bb0(%arg10: vector<[2]xf32>, %arg11: f32, %arg12: f32):
    %8 = "vector.insert"(%arg11, %arg10) <{static_position = array<i64: 0>}> : (f32, vector<[2]xf32>) -> vector<[2]xf32>
    %9 = "vector.insert"(%arg12, %8) <{static_position = array<i64: 1>}> : (f32, vector<[2]xf32>) -> vector<[2]xf32>
    "func.return"(%9) : (vector<[2]xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (vector<2x3xf32>, vector<3xf32>, f32, f32, f32) -> vector<2x3xf32>, sym_name = "chain_big"}> ({
  ^bb0(%arg5: vector<2x3xf32>, %arg6: vector<3xf32>, %arg7: f32, %arg8: f32, %arg9: f32):
    %4 = "vector.insert"(%arg6, %arg5) <{static_position = array<i64: 0>}> : (vector<3xf32>, vector<2x3xf32>) -> vector<2x3xf32>
    %5 = "vector.insert"(%arg7, %4) <{static_position = array<i64: 1, 0>}> : (f32, vector<2x3xf32>) -> vector<2x3xf32>
    %6 = "vector.insert"(%arg8, %5) <{static_position = array<i64: 1, 1>}> : (f32, vector<2x3xf32>) -> vector<2x3xf32>
    %7 = "vector.insert"(%arg9, %6) <{static_position = array<i64: 1, 2>}> : (f32, vector<2x3xf32>) -> vector<2x3xf32>
    "func.return"(%7) : (vector<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (vector<2x3xf32>, vector<3xf32>, f32, f32, f32) -> vector<2x3xf32>, sym_name = "chain_big_over"}> ({
  ^bb0(%arg0: vector<2x3xf32>, %arg1: vector<3xf32>, %arg2: f32, %arg3: f32, %arg4: f32):
    %0 = "vector.insert"(%arg2, %arg0) <{static_position = array<i64: 1, 0>}> : (f32, vector<2x3xf32>) -> vector<2x3xf32>
    %1 = "vector.insert"(%arg3, %0) <{static_position = array<i64: 1, 1>}> : (f32, vector<2x3xf32>) -> vector<2x3xf32>
    %2 = "vector.insert"(%arg1, %1) <{static_position = array<i64: 1>}> : (vector<3xf32>, vector<2x3xf32>) -> vector<2x3xf32>
    %3 = "vector.insert"(%arg1, %2) <{static_position = array<i64: 0>}> : (vector<3xf32>, vector<2x3xf32>) -> vector<2x3xf32>
    "func.return"(%3) : (vector<2x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ===== expected
builtin.module {
  func.func @chain(%arg77: vector<4xf32>, %arg78: f32, %arg79: f32, %arg80: f32, %arg81: f32) -> vector<4xf32> {
    %0 = vector.from_elements %arg78, %arg79, %arg80, %arg81 : vector<4xf32>
    func.return %0 : vector<4xf32>
  }
  func.func @chain_partial(%arg72: vector<4xf32>, %arg73: f32, %arg74: f32, %arg75: f32, %arg76: f32) -> vector<4xf32> {
    %0 = vector.insert %arg73, %arg72 [0] : f32 into vector<4xf32>
    %1 = vector.insert %arg74, %0 [1] : f32 into vector<4xf32>
    %2 = vector.insert %arg75, %1 [0] : f32 into vector<4xf32>
    func.return %2 : vector<4xf32>
  }
  func.func @chain_overwrite(%arg67: vector<4xf32>, %arg68: f32, %arg69: f32, %arg70: f32, %arg71: f32) -> vector<4xf32> {
    %0 = vector.insert %arg70, %arg67 [0] : f32 into vector<4xf32>
    func.return %0 : vector<4xf32>
  }
  func.func @chain2d(%arg62: vector<2x2xf32>, %arg63: f32, %arg64: f32, %arg65: f32, %arg66: f32) -> vector<2x2xf32> {
    %0 = vector.from_elements %arg63, %arg64, %arg65, %arg66 : vector<2x2xf32>
    func.return %0 : vector<2x2xf32>
  }
  func.func @chain_subvec(%arg59: vector<2x2xf32>, %arg60: vector<2xf32>, %arg61: vector<2xf32>) -> vector<2x2xf32> {
    %0:2 = vector.to_elements %arg60 : vector<2xf32>
    %1:2 = vector.to_elements %arg61 : vector<2xf32>
    %2 = vector.from_elements %0#0, %0#1, %1#0, %1#1 : vector<2x2xf32>
    func.return %2 : vector<2x2xf32>
  }
  func.func @chain_subvec_from(%arg55: vector<2x2xf32>, %arg56: f32, %arg57: f32, %arg58: vector<2xf32>) -> vector<2x2xf32> {
    %0 = vector.from_elements %arg56, %arg57, %arg56, %arg57 : vector<2x2xf32>
    func.return %0 : vector<2x2xf32>
  }
  func.func @insert_into_from(%arg51: f32, %arg52: f32, %arg53: f32, %arg54: f32) -> vector<4xf32> {
    %0 = vector.from_elements %arg51, %arg52, %arg51, %arg52 : vector<4xf32>
    %1 = vector.insert %arg53, %0 [2] : f32 into vector<4xf32>
    func.return %1 : vector<4xf32>
  }
  func.func @insert_vec_into_from(%arg47: f32, %arg48: f32, %arg49: f32, %arg50: f32) -> vector<2x2xf32> {
    %0 = vector.from_elements %arg47, %arg48, %arg47, %arg48 : vector<2x2xf32>
    %1 = vector.from_elements %arg49, %arg50 : vector<2xf32>
    %2 = vector.insert %1, %0 [1] : vector<2xf32> into vector<2x2xf32>
    func.return %2 : vector<2x2xf32>
  }
  func.func @chain_poison(%arg45: f32, %arg46: f32) -> vector<2xf32> {
    %0 = vector.from_elements %arg45, %arg46 : vector<2xf32>
    func.return %0 : vector<2xf32>
  }
  func.func @chain_multi_use(%arg42: vector<2xf32>, %arg43: f32, %arg44: f32) -> (vector<2xf32>, vector<2xf32>) {
    %0 = vector.insert %arg43, %arg42 [0] : f32 into vector<2xf32>
    %1 = vector.insert %arg44, %0 [1] : f32 into vector<2xf32>
    func.return %1, %0 : vector<2xf32>, vector<2xf32>
  }
  func.func @chain_dynamic(%arg38: vector<2xf32>, %arg39: f32, %arg40: f32, %arg41: index) -> vector<2xf32> {
    %0 = vector.insert %arg40, %arg38 [%arg41] : f32 into vector<2xf32>
    func.return %0 : vector<2xf32>
  }
  func.func @chain_dynamic2(%arg34: vector<2xf32>, %arg35: f32, %arg36: f32, %arg37: index) -> vector<2xf32> {
    %0 = vector.insert %arg35, %arg34 [%arg37] : f32 into vector<2xf32>
    %1 = vector.insert %arg36, %0 [0] : f32 into vector<2xf32>
    %2 = vector.insert %arg35, %1 [1] : f32 into vector<2xf32>
    func.return %2 : vector<2xf32>
  }
  func.func @extract_of_chain(%arg30: vector<4xf32>, %arg31: f32, %arg32: f32, %arg33: index) -> (f32, f32, f32) {
    %0 = vector.extract %arg30[2] : f32 from vector<4xf32>
    func.return %arg31, %arg32, %0 : f32, f32, f32
  }
  func.func @extract_of_chain2d(%arg26: vector<2x2xf32>, %arg27: f32, %arg28: vector<2xf32>, %arg29: index) -> (f32, f32, vector<2xf32>) {
    %0 = vector.extract %arg28[0] : f32 from vector<2xf32>
    func.return %arg27, %0, %arg28 : f32, f32, vector<2xf32>
  }
  func.func @strided_chain(%arg23: vector<4xf32>, %arg24: vector<2xf32>, %arg25: vector<2xf32>) -> vector<4xf32> {
    %0 = vector.insert_strided_slice %arg24, %arg23 {offsets = [0], strides = [1]} : vector<2xf32> into vector<4xf32>
    %1 = vector.insert_strided_slice %arg25, %0 {offsets = [2], strides = [1]} : vector<2xf32> into vector<4xf32>
    func.return %1 : vector<4xf32>
  }
  func.func @strided_chain_over(%arg20: vector<4xf32>, %arg21: vector<2xf32>, %arg22: vector<2xf32>) -> vector<4xf32> {
    %0 = vector.insert_strided_slice %arg21, %arg20 {offsets = [0], strides = [1]} : vector<2xf32> into vector<4xf32>
    %1 = vector.insert_strided_slice %arg22, %0 {offsets = [0], strides = [1]} : vector<2xf32> into vector<4xf32>
    func.return %1 : vector<4xf32>
  }
  func.func @chain_const(%arg19: f32) -> vector<4xf32> {
    %cst = arith.constant dense<[7.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : vector<4xf32>
    %0 = vector.insert %arg19, %cst [1] : f32 into vector<4xf32>
    func.return %0 : vector<4xf32>
  }
  func.func @chain_to_elements(%arg16: vector<2xf32>, %arg17: f32, %arg18: f32) -> (f32, f32) {
    %0 = vector.insert %arg17, %arg16 [0] : f32 into vector<2xf32>
    %1:2 = vector.to_elements %0 : vector<2xf32>
    func.return %1#0, %1#1 : f32, f32
  }
  func.func @chain_rank0(%arg13: vector<f32>, %arg14: f32, %arg15: f32) -> vector<f32> {
    %0 = vector.broadcast %arg14 : f32 to vector<f32>
    func.return %0 : vector<f32>
  }
  func.func @chain_scalable(%arg10: vector<[2]xf32>, %arg11: f32, %arg12: f32) -> vector<[2]xf32> {
    %0 = vector.insert %arg11, %arg10 [0] : f32 into vector<[2]xf32>
    %1 = vector.insert %arg12, %0 [1] : f32 into vector<[2]xf32>
    func.return %1 : vector<[2]xf32>
  }
  func.func @chain_big(%arg5: vector<2x3xf32>, %arg6: vector<3xf32>, %arg7: f32, %arg8: f32, %arg9: f32) -> vector<2x3xf32> {
    %0:3 = vector.to_elements %arg6 : vector<3xf32>
    %1 = vector.from_elements %0#0, %0#1, %0#2, %arg7, %arg8, %arg9 : vector<2x3xf32>
    func.return %1 : vector<2x3xf32>
  }
  func.func @chain_big_over(%arg0: vector<2x3xf32>, %arg1: vector<3xf32>, %arg2: f32, %arg3: f32, %arg4: f32) -> vector<2x3xf32> {
    %0:3 = vector.to_elements %arg1 : vector<3xf32>
    %1:3 = vector.to_elements %arg1 : vector<3xf32>
    %2 = vector.from_elements %1#0, %1#1, %1#2, %0#0, %0#1, %0#2 : vector<2x3xf32>
    func.return %2 : vector<2x3xf32>
  }
}
