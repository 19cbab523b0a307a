// parity
// Fragments of matrices that stand by themselves; what follows breaks one rule each.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %m = "foo.val"() : () -> memref<?xf16, #gpu.address_space<workgroup>>
    %i = "foo.val"() : () -> index
    %r = "nvgpu.ldmatrix"(%m, %i) <{numTiles = 4 : i32, transpose = false}> : (memref<?xf16, #gpu.address_space<workgroup>>, index) -> vector<4x2xf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %m = "foo.val"() : () -> memref<?x?xf16, 3>
    %i = "foo.val"() : () -> index
    %r = "nvgpu.ldmatrix"(%m, %i, %i) <{numTiles = 2 : i32, transpose = true}> : (memref<?x?xf16, 3>, index, index) -> vector<2x2xf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %m = "foo.val"() : () -> memref<?xf32, 3>
    %i = "foo.val"() : () -> index
    %r = "nvgpu.ldmatrix"(%m, %i) <{numTiles = 1 : i32, transpose = false}> : (memref<?xf32, 3>, index) -> vector<1x1xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %m = "foo.val"() : () -> memref<?xi8, 3>
    %i = "foo.val"() : () -> index
    %r = "nvgpu.ldmatrix"(%m, %i) <{numTiles = 4 : i32, transpose = false}> : (memref<?xi8, 3>, index) -> vector<4x4xi8>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %a = "foo.val"() : () -> vector<4x2xf16>
    %b = "foo.val"() : () -> vector<2x2xf16>
    %c = "foo.val"() : () -> vector<2x2xf32>
    %d = "nvgpu.mma.sync"(%a, %b, %c) <{mmaShape = [16, 8, 16]}> : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %a = "foo.val"() : () -> vector<2x2xf16>
    %b = "foo.val"() : () -> vector<1x2xf16>
    %c = "foo.val"() : () -> vector<2x2xf16>
    %d = "nvgpu.mma.sync"(%a, %b, %c) <{mmaShape = [16, 8, 8]}> : (vector<2x2xf16>, vector<1x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %a = "foo.val"() : () -> vector<4x2xbf16>
    %b = "foo.val"() : () -> vector<2x2xbf16>
    %c = "foo.val"() : () -> vector<2x2xf32>
    %d = "nvgpu.mma.sync"(%a, %b, %c) <{mmaShape = [16, 8, 16]}> : (vector<4x2xbf16>, vector<2x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %a = "foo.val"() : () -> vector<4x1xf32>
    %b = "foo.val"() : () -> vector<2x1xf32>
    %c = "foo.val"() : () -> vector<2x2xf32>
    %d = "nvgpu.mma.sync"(%a, %b, %c) <{mmaShape = [16, 8, 8], tf32Enabled}> : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// From other memory.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %m = "foo.val"() : () -> memref<?xf16>
    %i = "foo.val"() : () -> index
    %r = "nvgpu.ldmatrix"(%m, %i) <{numTiles = 4 : i32, transpose = false}> : (memref<?xf16>, index) -> vector<4x2xf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Other numbers of matrices.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %m = "foo.val"() : () -> memref<?xf16, 3>
    %i = "foo.val"() : () -> index
    %r = "nvgpu.ldmatrix"(%m, %i) <{numTiles = 4 : i32, transpose = false}> : (memref<?xf16, 3>, index) -> vector<2x2xf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Transposed numbers of 32 bits.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %m = "foo.val"() : () -> memref<?xf32, 3>
    %i = "foo.val"() : () -> index
    %r = "nvgpu.ldmatrix"(%m, %i) <{numTiles = 4 : i32, transpose = true}> : (memref<?xf32, 3>, index) -> vector<4x1xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Other parts.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %a = "foo.val"() : () -> vector<2x2xf16>
    %b = "foo.val"() : () -> vector<2x2xf16>
    %c = "foo.val"() : () -> vector<2x2xf32>
    %d = "nvgpu.mma.sync"(%a, %b, %c) <{mmaShape = [16, 8, 16]}> : (vector<2x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %a = "foo.val"() : () -> vector<4x2xf16>
    %b = "foo.val"() : () -> vector<4x2xf16>
    %c = "foo.val"() : () -> vector<2x2xf32>
    %d = "nvgpu.mma.sync"(%a, %b, %c) <{mmaShape = [16, 8, 16]}> : (vector<4x2xf16>, vector<4x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %a = "foo.val"() : () -> vector<4x2xf16>
    %b = "foo.val"() : () -> vector<2x2xf16>
    %c = "foo.val"() : () -> vector<4x2xf32>
    %d = "nvgpu.mma.sync"(%a, %b, %c) <{mmaShape = [16, 8, 16]}> : (vector<4x2xf16>, vector<2x2xf16>, vector<4x2xf32>) -> vector<4x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Numbers of two types.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %a = "foo.val"() : () -> vector<4x2xf16>
    %b = "foo.val"() : () -> vector<2x2xbf16>
    %c = "foo.val"() : () -> vector<2x2xf32>
    %d = "nvgpu.mma.sync"(%a, %b, %c) <{mmaShape = [16, 8, 16]}> : (vector<4x2xf16>, vector<2x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
