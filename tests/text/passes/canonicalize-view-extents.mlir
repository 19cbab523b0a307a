// pass: builtin.module(canonicalize)
// upstream: --canonicalize
// Constant extents of views of bytes.
"builtin.module"() ({
  "func.func"() <{function_type = (memref<?xi8>, index, index) -> memref<?x?x4xf32>, sym_name = "some"}> ({
  ^bb0(%bytes: memref<?xi8>, %at: index, %n: index):
    %c6 = "arith.constant"() <{value = 6 : index}> : () -> index
    %0 = "memref.view"(%bytes, %at, %c6, %n) : (memref<?xi8>, index, index, index) -> memref<?x?x4xf32>
    "func.return"(%0) : (memref<?x?x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<512xi8>, index) -> f32, sym_name = "all"}> ({
  ^bb0(%bytes: memref<512xi8>, %at: index):
    %c6 = "arith.constant"() <{value = 6 : index}> : () -> index
    %c2 = "arith.constant"() <{value = 2 : index}> : () -> index
    %0 = "memref.view"(%bytes, %at, %c6, %c2) : (memref<512xi8>, index, index, index) -> memref<?x?xf32>
    %1 = "memref.load"(%0, %at, %at) : (memref<?x?xf32>, index, index) -> f32
    "func.return"(%1) : (f32) -> ()
  }) : () -> ()
}) : () -> ()
// ===== expected
builtin.module {
  func.func @some(%bytes: memref<?xi8>, %at: index, %n: index) -> memref<?x?x4xf32> {
    %0 = memref.view %bytes[%at][%n] : memref<?xi8> to memref<6x?x4xf32>
    %1 = memref.cast %0 : memref<6x?x4xf32> to memref<?x?x4xf32>
    func.return %1 : memref<?x?x4xf32>
  }
  func.func @all(%bytes: memref<512xi8>, %at: index) -> f32 {
    %0 = memref.view %bytes[%at][] : memref<512xi8> to memref<6x2xf32>
    %1 = memref.load %0[%at, %at] : memref<6x2xf32>
    func.return %1 : f32
  }
}
