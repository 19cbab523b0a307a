// round-trip
// Matrix fragments that a warp reads and multiplies.
builtin.module {
  func.func @product(%s: memref<?xf16, #gpu.address_space<workgroup>>, %i: index, %b: vector<2x2xf16>, %c: vector<2x2xf32>) -> vector<2x2xf32> {
    %0 = nvgpu.ldmatrix %s[%i] {numTiles = 4 : i32, transpose = false} : memref<?xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
    %1 = nvgpu.mma.sync(%0, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    func.return %1 : vector<2x2xf32>
  }
}
