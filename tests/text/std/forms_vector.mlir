// round-trip
// Ops of vector, with and without their optional parts.
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (d0)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0) -> ()>
#map5 = affine_map<(d0, d1) -> (0, d1)>
builtin.module {
  func.func @vectors(%v: vector<4xf32>, %w: vector<4x8xf32>, %s: vector<[4]xf32>, %x: f32, %n: vector<8xf32>, %i: index, %m: memref<?x?xf32>, %t: tensor<?x?xf32>, %mask: vector<4xi1>, %mask2: vector<4x8xi1>, %iv: vector<4xi32>, %mk: i1, %r: vector<f32>) -> vector<4xf32> {
    %0 = vector.contract {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %w, %n, %v : vector<4x8xf32>, vector<8xf32> into vector<4xf32>
    %1 = vector.contract {indexing_maps = [#map3, #map3, #map4], iterator_types = ["reduction"], kind = #vector.kind<maximumf>} %v, %v, %x : vector<4xf32>, vector<4xf32> into f32
    %2 = vector.multi_reduction <add>, %w, %v [1] : vector<4x8xf32> to vector<4xf32>
    %3 = vector.multi_reduction <mul>, %w, %x {test.note} [0, 1] : vector<4x8xf32> to f32
    %4 = vector.outerproduct %v, %n : vector<4xf32>, vector<8xf32>
    %5 = vector.outerproduct %v, %n, %w {kind = #vector.kind<maxnumf>} : vector<4xf32>, vector<8xf32>
    %6 = vector.outerproduct %v, %x, %v {kind = #vector.kind<add>} : vector<4xf32>, f32
    %7:2 = vector.scan <add>, %w, %n {inclusive = true, reduction_dim = 0 : i64} : vector<4x8xf32>, vector<8xf32>
    %8 = vector.constant_mask [2, 3] : vector<4x8xi1>
    %9 = vector.create_mask %i, %i : vector<4x8xi1>
    %10 = vector.maskedload %m[%i, %i], %mask, %v : memref<?x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    vector.maskedstore %m[%i, %i], %mask, %v {alignment = 8 : i64} : memref<?x?xf32>, vector<4xi1>, vector<4xf32>
    %11 = vector.expandload %m[%i, %i], %mask, %v : memref<?x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    vector.compressstore %m[%i, %i], %mask, %v : memref<?x?xf32>, vector<4xi1>, vector<4xf32>
    %12 = vector.gather %m[%i, %i] [%iv], %mask, %v : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    vector.scatter %m[%i, %i] [%iv], %mask, %v : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
    %13 = vector.scatter %t[%i, %i] [%iv], %mask, %v : tensor<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> -> tensor<?x?xf32>
    %14 = vector.scalable.extract %s[4] : vector<4xf32> from vector<[4]xf32>
    %15 = vector.scalable.insert %v, %s[8] : vector<4xf32> into vector<[4]xf32>
    %16 = vector.step : vector<4xindex>
    %17 = vector.vscale
    vector.print %v : vector<4xf32>
    vector.print %x : f32 punctuation <comma>
    vector.print
    vector.print punctuation <no_punctuation>
    vector.print str "a \22text\22"
    vector.print
    vector.print {test.note}
    %18 = vector.bitcast %v : vector<4xf32> to vector<8xf16>
    %19 = vector.shape_cast %w : vector<4x8xf32> to vector<32xf32>
    %20 = vector.transpose %w, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
    %21 = vector.transpose %r, [] : vector<f32> to vector<f32>
    %22 = vector.interleave %v, %v : vector<4xf32> -> vector<8xf32>
    %23:2 = vector.deinterleave %n : vector<8xf32> -> vector<4xf32>
    %24 = vector.from_elements %x, %x : vector<2xf32>
    %25:4 = vector.to_elements %v : vector<4xf32>
    %26 = vector.shuffle %v, %v [0, 1, 7, -1] : vector<4xf32>, vector<4xf32>
    %27 = vector.extract_strided_slice %w {offsets = [0, 2], sizes = [2, 4], strides = [1, 1]} : vector<4x8xf32> to vector<2x4xf32>
    %28 = vector.insert_strided_slice %v, %w {offsets = [1, 2], strides = [1]} : vector<4xf32> into vector<4x8xf32>
    %st = memref.alloc() : memref<4x8xf32>
    %29 = vector.type_cast %st : memref<4x8xf32> to memref<vector<4x8xf32>>
    %30 = vector.transfer_read %m[%i, %i], %x : memref<?x?xf32>, vector<4xf32>
    %31 = vector.transfer_read %m[%i, %i], %x {in_bounds = [true], permutation_map = #map2} : memref<?x?xf32>, vector<4xf32>
    %32 = vector.transfer_read %m[%i, %i], %x, %mask2 {in_bounds = [false, true], test.note} : memref<?x?xf32>, vector<4x8xf32>
    %33 = vector.transfer_read %t[%i, %i], %x {permutation_map = #map5} : tensor<?x?xf32>, vector<4x8xf32>
    vector.transfer_write %v, %m[%i, %i] : vector<4xf32>, memref<?x?xf32>
    %34 = vector.transfer_write %w, %t[%i, %i], %mask2 {in_bounds = [true, true]} : vector<4x8xf32>, tensor<?x?xf32>
    vector.transfer_write %v, %m[%i, %i] {in_bounds = [true], permutation_map = #map2} : vector<4xf32>, memref<?x?xf32>
    %35 = vector.mask %mask { vector.transfer_read %m[%i, %i], %x : memref<?x?xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
    %36 = vector.mask %mask, %v { vector.transfer_read %m[%i, %i], %x : memref<?x?xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
    vector.mask %mask { vector.transfer_write %v, %m[%i, %i] : vector<4xf32>, memref<?x?xf32> } : vector<4xi1>
    vector.mask %mask { vector.yield } : vector<4xi1>
    %37 = vector.mask %mask { vector.reduction <add>, %v, %x : vector<4xf32> into f32 } {test.note} : vector<4xi1> -> f32
    %38 = vector.mask %mask { vector.yield %v : vector<4xf32> } : vector<4xi1> -> vector<4xf32>
    %39 = vector.load %m[%i, %i] {nontemporal = true} : memref<?x?xf32>, vector<4xf32>
    %40 = vector.extract %w[%i, 2] : f32 from vector<4x8xf32>
    %41 = vector.extract %v[] : vector<4xf32> from vector<4xf32>
    %42 = vector.insert %x, %w [1, %i] : f32 into vector<4x8xf32>
    %43 = vector.broadcast %x : f32 to vector<4xf32>
    func.return %v : vector<4xf32>
  }
}
