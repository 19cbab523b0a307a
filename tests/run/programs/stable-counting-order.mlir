// run
// The order that sorts small keys stably: histogram, exclusive scan, ranks by comparing with those before.
// inputs: [3, -1, 3, 0, -128, 127]
// inputs: []
// inputs: random:N where N = 1 33 260
// numpy: o = np.argsort(keys, kind="stable")
// numpy: o.astype(np.int64), keys[o]
// structure: kernel.seghist 1, kernel.segmap 5, kernel.segscan 1
// versions: kernel.seghist 1, kernel.segmap 9, kernel.segred 1, kernel.segscan 4
func.func @main(%keys: !array.array<[n]i8>) -> (!array.array<[n]index>, !array.array<[n]i8>) {
  %v1 = array.dim %keys, 0 : [n]i8
  %v2 = array.iota %v1 : [n]index
  %v3 = arith.constant 0 : index
  %v4 = arith.constant 256 : index
  %v5 = array.replicate %v3, [%v4] : index -> [256]index
  %v10 = array.map (%v6 in %keys : [n]i8) {
    %v7 = arith.index_cast %v6 : i8 to index
    %v8 = arith.constant 128 : index
    %v9 = arith.addi %v7, %v8 : index
    array.yield %v9 : index
  }
  %v16 = array.hist (%v11 in %v10 : [n]index) into (%v5 : [256]index) neutral (%v3 : index) map {
    %v12 = arith.constant 1 : index
    array.yield %v11, %v12 : index, index
  } combine (%v13, %v14) {
    %v15 = arith.addi %v13, %v14 : index
    array.yield %v15 : index
  }
  %v20 = array.scan exclusive (%v16 : [256]index) init (%v3 : index) combine (%v17, %v18) {
    %v19 = arith.addi %v17, %v18 : index
    array.yield %v19 : index
  }
  %v34 = array.map (%v21 in %v10 : [n]index, %v22 in %v2 : [n]index) {
    %v23 = arith.constant 1 : index
    %v24 = array.slice %v10[%v3] sizes [%v22] strides [%v23] : [n]index -> [?]index
    %v31 = array.redomap (%v25 in %v24 : [?]index) init (%v3 : index) map {
      %v26 = arith.cmpi eq, %v25, %v21 : index
      %v27 = arith.select %v26, %v23, %v3 : index
      array.yield %v27 : index
    } combine (%v28, %v29) {
      %v30 = arith.addi %v28, %v29 : index
      array.yield %v30 : index
    }
    %v32 = array.index %v20[%v21] : [256]index
    %v33 = arith.addi %v32, %v31 : index
    array.yield %v33 : index
  }
  %v35 = array.replicate %v3, [%v1] : index -> [n]index
  %v38 = array.scatter (%v36 in %v34 : [n]index, %v37 in %v2 : [n]index) into (%v35 : [n]index) {
    array.yield %v36, %v37 : index, index
  }
  %v39 = array.gather %keys[%v38] : [n]i8, [n]index
  func.return %v38, %v39 : !array.array<[n]index>, !array.array<[n]i8>
}
