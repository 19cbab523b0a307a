// pass: builtin.module(canonicalize)
// upstream: --canonicalize
// Integers of more than 128 bits: computed, compared, converted, moved in and out of vectors, and their identities.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (i200, i200, i200, i200, i200, i200), sym_name = "computed"}> ({
    %91 = "arith.constant"() <{value = 803469022129495137770981046170581301261101496891396417650687 : i200}> : () -> i200
    %92 = "arith.constant"() <{value = -3 : i200}> : () -> i200
    %93 = "arith.constant"() <{value = 150 : i200}> : () -> i200
    %94 = "arith.addi"(%91, %91) : (i200, i200) -> i200
    %95 = "arith.muli"(%91, %92) : (i200, i200) -> i200
    %96 = "arith.divsi"(%91, %92) : (i200, i200) -> i200
    %97 = "arith.divui"(%92, %93) : (i200, i200) -> i200
    %98 = "arith.shrsi"(%92, %93) : (i200, i200) -> i200
    %99 = "arith.shli"(%92, %93) : (i200, i200) -> i200
    "func.return"(%94, %95, %96, %97, %98, %99) : (i200, i200, i200, i200, i200, i200) -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (i200, i1, i200, i200, i200, i200), sym_name = "two_results"}> ({
    %86 = "arith.constant"() <{value = 803469022129495137770981046170581301261101496891396417650687 : i200}> : () -> i200
    %87 = "arith.constant"() <{value = -3 : i200}> : () -> i200
    %88:2 = "arith.addui_extended"(%86, %87) : (i200, i200) -> (i200, i1)
    %89:2 = "arith.mulsi_extended"(%86, %87) : (i200, i200) -> (i200, i200)
    %90:2 = "arith.mului_extended"(%86, %87) : (i200, i200) -> (i200, i200)
    "func.return"(%88#0, %88#1, %89#0, %89#1, %90#0, %90#1) : (i200, i1, i200, i200, i200, i200) -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (i200, i200, i200, i200, i200), sym_name = "functions"}> ({
    %79 = "arith.constant"() <{value = -803469022129495137770981046170581301261101496891396417650688 : i200}> : () -> i200
    %80 = "arith.constant"() <{value = 7 : i200}> : () -> i200
    %81 = "math.absi"(%79) : (i200) -> i200
    %82 = "math.ctlz"(%80) : (i200) -> i200
    %83 = "math.cttz"(%79) : (i200) -> i200
    %84 = "math.ctpop"(%79) : (i200) -> i200
    %85 = "math.ipowi"(%80, %80) : (i200, i200) -> i200
    "func.return"(%81, %82, %83, %84, %85) : (i200, i200, i200, i200, i200) -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (i1, i1, vector<2xi1>), sym_name = "compared"}> ({
    %72 = "arith.constant"() <{value = 803469022129495137770981046170581301261101496891396417650687 : i200}> : () -> i200
    %73 = "arith.constant"() <{value = -3 : i200}> : () -> i200
    %74 = "arith.constant"() <{value = dense<[803469022129495137770981046170581301261101496891396417650687, -3]> : vector<2xi200>}> : () -> vector<2xi200>
    %75 = "arith.constant"() <{value = dense<5> : vector<2xi200>}> : () -> vector<2xi200>
    %76 = "arith.cmpi"(%72, %73) <{predicate = 2 : i64}> : (i200, i200) -> i1
    %77 = "arith.cmpi"(%72, %73) <{predicate = 6 : i64}> : (i200, i200) -> i1
    %78 = "arith.cmpi"(%74, %75) <{predicate = 2 : i64}> : (vector<2xi200>, vector<2xi200>) -> vector<2xi1>
    "func.return"(%76, %77, %78) : (i1, i1, vector<2xi1>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (index, index, i200, i128, i300, i300, f64, f32, i200), sym_name = "converted"}> ({
    %59 = "arith.constant"() <{value = 803469022129495137770981046170581301261101496891396417650680 : i200}> : () -> i200
    %60 = "arith.constant"() <{value = -3 : i200}> : () -> i200
    %61 = "arith.constant"() <{value = -2 : index}> : () -> index
    %62 = "arith.constant"() <{value = -1.000000e+30 : f64}> : () -> f64
    %63 = "arith.index_cast"(%59) : (i200) -> index
    %64 = "arith.index_castui"(%60) : (i200) -> index
    %65 = "arith.index_cast"(%61) : (index) -> i200
    %66 = "arith.trunci"(%59) : (i200) -> i128
    %67 = "arith.extsi"(%60) : (i200) -> i300
    %68 = "arith.extui"(%60) : (i200) -> i300
    %69 = "arith.sitofp"(%59) : (i200) -> f64
    %70 = "arith.uitofp"(%60) : (i200) -> f32
    %71 = "arith.fptosi"(%62) : (f64) -> i200
    "func.return"(%63, %64, %65, %66, %67, %68, %69, %70, %71) : (index, index, i200, i128, i300, i300, f64, f32, i200) -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (i129, i200), sym_name = "does_not_fit"}> ({
    %55 = "arith.constant"() <{value = 9.9999999999999994E+38 : f64}> : () -> f64
    %56 = "arith.constant"() <{value = -2.500000e+00 : f64}> : () -> f64
    %57 = "arith.fptosi"(%55) : (f64) -> i129
    %58 = "arith.fptoui"(%56) : (f64) -> i200
    "func.return"(%57, %58) : (i129, i200) -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (vector<2xi200>, i200, i200, vector<2xi200>, vector<2xi200>, vector<2xi200>), sym_name = "moved"}> ({
    %44 = "arith.constant"() <{value = 803469022129495137770981046170581301261101496891396417650687 : i200}> : () -> i200
    %45 = "arith.constant"() <{value = -3 : i200}> : () -> i200
    %46 = "arith.constant"() <{value = dense<[803469022129495137770981046170581301261101496891396417650687, -3]> : vector<2xi200>}> : () -> vector<2xi200>
    %47 = "arith.constant"() <{value = dense<[true, false]> : vector<2xi1>}> : () -> vector<2xi1>
    %48 = "arith.constant"() <{value = dense<5> : vector<2xi200>}> : () -> vector<2xi200>
    %49 = "vector.broadcast"(%45) : (i200) -> vector<2xi200>
    %50 = "vector.extract"(%46) <{static_position = array<i64: 0>}> : (vector<2xi200>) -> i200
    %51 = "vector.extract"(%46) <{static_position = array<i64: 1>}> : (vector<2xi200>) -> i200
    %52 = "vector.insert"(%45, %46) <{static_position = array<i64: 0>}> : (i200, vector<2xi200>) -> vector<2xi200>
    %53 = "vector.from_elements"(%45, %44) : (i200, i200) -> vector<2xi200>
    %54 = "arith.select"(%47, %46, %48) : (vector<2xi1>, vector<2xi200>, vector<2xi200>) -> vector<2xi200>
    "func.return"(%49, %50, %51, %52, %53, %54) : (vector<2xi200>, i200, i200, vector<2xi200>, vector<2xi200>, vector<2xi200>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (i200, vector<2xi200>) -> (i200, i200, i200, i200, i200, vector<2xi200>, vector<2xi200>), sym_name = "identities"}> ({
  ^bb0(%arg3: i200, %arg4: vector<2xi200>):
    %31 = "arith.constant"() <{value = 0 : i200}> : () -> i200
    %32 = "arith.constant"() <{value = -1 : i200}> : () -> i200
    %33 = "arith.constant"() <{value = -803469022129495137770981046170581301261101496891396417650688 : i200}> : () -> i200
    %34 = "arith.constant"() <{value = 803469022129495137770981046170581301261101496891396417650687 : i200}> : () -> i200
    %35 = "arith.constant"() <{value = dense<-1> : vector<2xi200>}> : () -> vector<2xi200>
    %36 = "arith.addi"(%arg3, %31) : (i200, i200) -> i200
    %37 = "arith.subi"(%arg3, %arg3) : (i200, i200) -> i200
    %38 = "arith.andi"(%arg3, %32) : (i200, i200) -> i200
    %39 = "arith.maxsi"(%arg3, %33) : (i200, i200) -> i200
    %40 = "arith.maxsi"(%arg3, %34) : (i200, i200) -> i200
    %41 = "arith.xori"(%arg4, %arg4) : (vector<2xi200>, vector<2xi200>) -> vector<2xi200>
    %42 = "arith.muli"(%arg4, %35) : (vector<2xi200>, vector<2xi200>) -> vector<2xi200>
    %43 = "arith.addi"(%arg4, %42) : (vector<2xi200>, vector<2xi200>) -> vector<2xi200>
    "func.return"(%36, %37, %38, %39, %40, %41, %43) : (i200, i200, i200, i200, i200, vector<2xi200>, vector<2xi200>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (vector<2xi3>) -> (vector<2xi3>, vector<2xi3>, vector<2xi127>), sym_name = "equal_elements"}> ({
  ^bb0(%arg2: vector<2xi3>):
    %24 = "arith.constant"() <{value = dense<-1> : vector<2xi3>}> : () -> vector<2xi3>
    %25 = "arith.constant"() <{value = dense<-2> : vector<2xi3>}> : () -> vector<2xi3>
    %26 = "arith.constant"() <{value = dense<1> : vector<2xi3>}> : () -> vector<2xi3>
    %27 = "arith.constant"() <{value = dense<[-1, 5]> : vector<2xi127>}> : () -> vector<2xi127>
    %28 = "arith.addi"(%25, %26) : (vector<2xi3>, vector<2xi3>) -> vector<2xi3>
    %29 = "arith.addi"(%arg2, %24) : (vector<2xi3>, vector<2xi3>) -> vector<2xi3>
    %30 = "arith.addi"(%arg2, %28) : (vector<2xi3>, vector<2xi3>) -> vector<2xi3>
    "func.return"(%29, %30, %27) : (vector<2xi3>, vector<2xi3>, vector<2xi127>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (i8, i8, i200), sym_name = "rounded_up"}> ({
    %16 = "arith.constant"() <{value = -128 : i8}> : () -> i8
    %17 = "arith.constant"() <{value = 3 : i8}> : () -> i8
    %18 = "arith.constant"() <{value = 5 : i8}> : () -> i8
    %19 = "arith.constant"() <{value = -803469022129495137770981046170581301261101496891396417650688 : i200}> : () -> i200
    %20 = "arith.constant"() <{value = 150 : i200}> : () -> i200
    %21 = "arith.ceildivsi"(%16, %17) : (i8, i8) -> i8
    %22 = "arith.ceildivsi"(%18, %17) : (i8, i8) -> i8
    %23 = "arith.ceildivsi"(%19, %20) : (i200, i200) -> i200
    "func.return"(%21, %22, %23) : (i8, i8, i200) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (i32, f32) -> (i200, i32, f32, i1, i1, i8), sym_name = "poison"}> ({
  ^bb0(%arg0: i32, %arg1: f32):
    %6 = "ub.poison"() : () -> i32
    %7 = "ub.poison"() <{value = #ub.poison}> : () -> i8
    %8 = "ub.poison"() <{value = #ub.poison}> : () -> f32
    %9 = "ub.poison"() <{value = #ub.poison}> : () -> f8E5M2
    %10 = "arith.extsi"(%7) : (i8) -> i200
    %11 = "arith.addi"(%arg0, %6) : (i32, i32) -> i32
    %12 = "arith.extf"(%9) : (f8E5M2) -> f32
    %13 = "arith.cmpi"(%arg0, %6) <{predicate = 2 : i64}> : (i32, i32) -> i1
    %14 = "arith.cmpf"(%arg1, %8) <{predicate = 4 : i64}> : (f32, f32) -> i1
    %15 = "arith.bitcast"(%9) : (f8E5M2) -> i8
    "func.return"(%10, %11, %12, %13, %14, %15) : (i200, i32, f32, i1, i1, i8) -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (i8, f8E5M2, i128), sym_name = "same_bits"}> ({
    %0 = "arith.constant"() <{value = 2.500000e+00 : f8E5M2}> : () -> f8E5M2
    %1 = "arith.constant"() <{value = -7 : i8}> : () -> i8
    %2 = "arith.constant"() <{value = 2.500000e+00 : f128}> : () -> f128
    %3 = "arith.bitcast"(%0) : (f8E5M2) -> i8
    %4 = "arith.bitcast"(%1) : (i8) -> f8E5M2
    %5 = "arith.bitcast"(%2) : (f128) -> i128
    "func.return"(%3, %4, %5) : (i8, f8E5M2, i128) -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (i8, i200), sym_name = "nothing_remains"}> ({
    %0 = "arith.constant"() <{value = -128 : i8}> : () -> i8
    %1 = "arith.constant"() <{value = -1 : i8}> : () -> i8
    %2 = "arith.constant"() <{value = -803469022129495137770981046170581301261101496891396417650688 : i200}> : () -> i200
    %3 = "arith.constant"() <{value = -1 : i200}> : () -> i200
    %4 = "arith.remsi"(%0, %1) : (i8, i8) -> i8
    %5 = "arith.remsi"(%2, %3) : (i200, i200) -> i200
    "func.return"(%4, %5) : (i8, i200) -> ()
  }) : () -> ()
}) : () -> ()
// ===== expected
builtin.module {
  func.func @computed() -> (i200, i200, i200, i200, i200, i200) {
    %c-2_i200 = arith.constant -2 : i200
    %cst = arith.constant -803469022129495137770981046170581301261101496891396417650685 : i200
    %cst_0 = arith.constant -267823007376498379256993682056860433753700498963798805883562 : i200
    %cst_1 = arith.constant 10712920295059935170279747282274417350148019958551952235342 : i200
    %c-1_i200 = arith.constant -1 : i200
    %cst_2 = arith.constant -4281743078117879643174857908348485409148239872 : i200
    func.return %c-2_i200, %cst, %cst_0, %cst_1, %c-1_i200, %cst_2 : i200, i200, i200, i200, i200, i200
  }
  func.func @two_results() -> (i200, i1, i200, i200, i200, i200) {
    %cst = arith.constant 803469022129495137770981046170581301261101496891396417650684 : i200
    %true = arith.constant true
    %cst_0 = arith.constant -803469022129495137770981046170581301261101496891396417650685 : i200
    %c-2_i200 = arith.constant -2 : i200
    %cst_1 = arith.constant 803469022129495137770981046170581301261101496891396417650685 : i200
    func.return %cst, %true, %cst_0, %c-2_i200, %cst_0, %cst_1 : i200, i1, i200, i200, i200, i200
  }
  func.func @functions() -> (i200, i200, i200, i200, i200) {
    %cst = arith.constant -803469022129495137770981046170581301261101496891396417650688 : i200
    %c197_i200 = arith.constant 197 : i200
    %c199_i200 = arith.constant 199 : i200
    %c1_i200 = arith.constant 1 : i200
    %c823543_i200 = arith.constant 823543 : i200
    func.return %cst, %c197_i200, %c199_i200, %c1_i200, %c823543_i200 : i200, i200, i200, i200, i200
  }
  func.func @compared() -> (i1, i1, vector<2xi1>) {
    %false = arith.constant false
    %true = arith.constant true
    %cst = arith.constant dense<[false, true]> : vector<2xi1>
    func.return %false, %true, %cst : i1, i1, vector<2xi1>
  }
  func.func @converted() -> (index, index, i200, i128, i300, i300, f64, f32, i200) {
    %c-8 = arith.constant -8 : index
    %c-3 = arith.constant -3 : index
    %c-2_i200 = arith.constant -2 : i200
    %c-8_i128 = arith.constant -8 : i128
    %c-3_i300 = arith.constant -3 : i300
    %cst = arith.constant 1606938044258990275541962092341162602522202993782792835301373 : i300
    %cst_0 = arith.constant 8.0346902212949513E+59 : f64
    %cst_1 = arith.constant 0x7F800000 : f32
    %c-1000000000000000019884624838656_i200 = arith.constant -1000000000000000019884624838656 : i200
    func.return %c-8, %c-3, %c-2_i200, %c-8_i128, %c-3_i300, %cst, %cst_0, %cst_1, %c-1000000000000000019884624838656_i200 : index, index, i200, i128, i300, i300, f64, f32, i200
  }
  func.func @does_not_fit() -> (i129, i200) {
    %cst = arith.constant 9.9999999999999994E+38 : f64
    %cst_0 = arith.constant -2.500000e+00 : f64
    %0 = arith.fptosi %cst : f64 to i129
    %1 = arith.fptoui %cst_0 : f64 to i200
    func.return %0, %1 : i129, i200
  }
  func.func @moved() -> (vector<2xi200>, i200, i200, vector<2xi200>, vector<2xi200>, vector<2xi200>) {
    %cst = arith.constant 803469022129495137770981046170581301261101496891396417650687 : i200
    %c-3_i200 = arith.constant -3 : i200
    %cst_0 = arith.constant dense<-3> : vector<2xi200>
    %cst_1 = arith.constant dense<[-3, 803469022129495137770981046170581301261101496891396417650687]> : vector<2xi200>
    %cst_2 = arith.constant dense<[803469022129495137770981046170581301261101496891396417650687, 5]> : vector<2xi200>
    func.return %cst_0, %cst, %c-3_i200, %cst_0, %cst_1, %cst_2 : vector<2xi200>, i200, i200, vector<2xi200>, vector<2xi200>, vector<2xi200>
  }
  func.func @identities(%arg3: i200, %arg4: vector<2xi200>) -> (i200, i200, i200, i200, i200, vector<2xi200>, vector<2xi200>) {
    %cst = arith.constant 803469022129495137770981046170581301261101496891396417650687 : i200
    %c0_i200 = arith.constant 0 : i200
    %cst_0 = arith.constant dense<0> : vector<2xi200>
    func.return %arg3, %c0_i200, %arg3, %arg3, %cst, %cst_0, %cst_0 : i200, i200, i200, i200, i200, vector<2xi200>, vector<2xi200>
  }
  func.func @equal_elements(%arg2: vector<2xi3>) -> (vector<2xi3>, vector<2xi3>, vector<2xi127>) {
    %cst = arith.constant dense<-1> : vector<2xi3>
    %cst_0 = arith.constant dense<[-1, 5]> : vector<2xi127>
    %0 = arith.addi %arg2, %cst : vector<2xi3>
    %1 = arith.addi %arg2, %cst : vector<2xi3>
    func.return %0, %1, %cst_0 : vector<2xi3>, vector<2xi3>, vector<2xi127>
  }
  func.func @rounded_up() -> (i8, i8, i200) {
    %c-128_i8 = arith.constant -128 : i8
    %c3_i8 = arith.constant 3 : i8
    %cst = arith.constant -803469022129495137770981046170581301261101496891396417650688 : i200
    %c150_i200 = arith.constant 150 : i200
    %c2_i8 = arith.constant 2 : i8
    %0 = arith.ceildivsi %c-128_i8, %c3_i8 : i8
    %1 = arith.ceildivsi %cst, %c150_i200 : i200
    func.return %0, %c2_i8, %1 : i8, i8, i200
  }
  func.func @poison(%arg0: i32, %arg1: f32) -> (i200, i32, f32, i1, i1, i8) {
    %0 = ub.poison : i32
    %1 = ub.poison : f32
    %2 = ub.poison : i200
    %3 = ub.poison : i8
    %4 = arith.cmpi slt, %arg0, %0 : i32
    %5 = arith.cmpf olt, %arg1, %1 : f32
    func.return %2, %0, %1, %4, %5, %3 : i200, i32, f32, i1, i1, i8
  }
  func.func @same_bits() -> (i8, f8E5M2, i128) {
    %c65_i8 = arith.constant 65 : i8
    %cst = arith.constant -4.096000e+04 : f8E5M2
    %c85071889804449249572750784482024357888_i128 = arith.constant 85071889804449249572750784482024357888 : i128
    func.return %c65_i8, %cst, %c85071889804449249572750784482024357888_i128 : i8, f8E5M2, i128
  }
  func.func @nothing_remains() -> (i8, i200) {
    %c0_i8 = arith.constant 0 : i8
    %c0_i200 = arith.constant 0 : i200
    func.return %c0_i8, %c0_i200 : i8, i200
  }
}
