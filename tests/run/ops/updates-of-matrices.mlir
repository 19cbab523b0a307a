// run
// Scatters and histograms by two indices, and of whole rows; updates of an element and of a row.
// inputs: [[0, 0, 0], [0, 0, 0]]; [1, 4, 2, 7]
// inputs: random:NxM; random:K where N = 1 2 13; M = 1 3 31; K = 0 1 2 100
// numpy: n, m = grid.shape
// numpy: i, j = keys % (n + 1), keys % (m + 1)
// numpy: ok = (i < n) & (j < m)
// numpy: marked = grid.copy()
// numpy: marked[i[ok], j[ok]] = 1000
// numpy: counted = grid.copy()
// numpy: np.add.at(counted, (i[ok], j[ok]), keys[ok])
// numpy: rows = keys[:, None] * np.ones(m, np.int32)
// numpy: lasting = grid.copy()
// numpy: lasting[i[i < n]] = 7 - i[i < n][:, None]
// numpy: tops = grid.copy()
// numpy: np.maximum.at(tops, i[i < n], rows[i < n])
// numpy: element, row = grid.copy(), grid.copy()
// numpy: element[n - 1, 0] = -5
// numpy: row[0] = grid[n - 1]
// numpy: marked, counted, lasting, tops, element, row, grid[n - 1, m - 1]
// structure: kernel.seghist 2, kernel.segmap 1
// versions: kernel.seghist 2, kernel.segmap 1
// shapes: 5
func.func @main(%grid: !array.array<[n][m]i32>, %keys: !array.array<[k]i32>) -> (!array.array<[n][m]i32>, !array.array<[n][m]i32>, !array.array<[n][m]i32>, !array.array<[n][m]i32>, !array.array<[n][m]i32>, !array.array<[n][m]i32>, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %least = arith.constant -2147483648 : i32
  %seven = arith.constant 7 : i32
  %mark = arith.constant 1000 : i32
  %minus = arith.constant -5 : i32
  %n = array.dim %grid, 0 : [n][m]i32
  %m = array.dim %grid, 1 : [n][m]i32
  %n1 = arith.addi %n, %c1 : index
  %m1 = arith.addi %m, %c1 : index
  %marked = array.scatter (%x in %keys : [k]i32) into (%grid : [n][m]i32) {
    %at = arith.index_cast %x : i32 to index
    %i = arith.remui %at, %n1 : index
    %j = arith.remui %at, %m1 : index
    array.yield %i, %j, %mark : index, index, i32
  }
  %counted = array.hist (%x in %keys : [k]i32) into (%grid : [n][m]i32) neutral (%zero : i32) map {
    %at = arith.index_cast %x : i32 to index
    %i = arith.remui %at, %n1 : index
    %j = arith.remui %at, %m1 : index
    array.yield %i, %j, %x : index, index, i32
  } combine (%a, %b) {
    %s = arith.addi %a, %b : i32
    array.yield %s : i32
  }
  %lasting = array.scatter (%x in %keys : [k]i32) into (%grid : [n][m]i32) {
    %at = arith.index_cast %x : i32 to index
    %i = arith.remui %at, %n1 : index
    %i32 = arith.index_cast %i : index to i32
    %value = arith.subi %seven, %i32 : i32
    %row = array.replicate %value, [%m] : i32 -> [m]i32
    array.yield %i, %row : index, !array.array<[m]i32>
  }
  %lows = array.replicate %least, [%m] : i32 -> [m]i32
  %tops = array.hist (%x in %keys : [k]i32) into (%grid : [n][m]i32) neutral (%lows : [m]i32) map {
    %at = arith.index_cast %x : i32 to index
    %i = arith.remui %at, %n1 : index
    %row = array.replicate %x, [%m] : i32 -> [m]i32
    array.yield %i, %row : index, !array.array<[m]i32>
  } combine (%a, %b) {
    %s = array.map (%x in %a : [m]i32, %y in %b : [m]i32) arith.maxsi
    array.yield %s : !array.array<[m]i32>
  }
  %last = arith.subi %n, %c1 : index
  %end = arith.subi %m, %c1 : index
  %element = array.update %minus, %grid[%last, %c0] : i32, [n][m]i32
  %row = array.index %grid[%last] : [n][m]i32
  %moved = array.update %row, %grid[%c0] : [m]i32, [n][m]i32
  %corner = array.index %grid[%last, %end] : [n][m]i32
  func.return %marked, %counted, %lasting, %tops, %element, %moved, %corner : !array.array<[n][m]i32>, !array.array<[n][m]i32>, !array.array<[n][m]i32>, !array.array<[n][m]i32>, !array.array<[n][m]i32>, !array.array<[n][m]i32>, i32
}
