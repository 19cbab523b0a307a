//! Scatters whose values are rows.

mod support;

use segra_interp::Datum;
use support::{ints, same};

/// Rows of each segment go to where the segment's keys say; those out of range go nowhere.
const ROWS: &str = "
  func.func @main(%keys: tensor<?x?xi32>, %rows: tensor<?x?x?xi32>, %d: tensor<?x?x?xi32>, %n: index, %m: index)
      -> tensor<?x?x?xi32> {
    %r = kernel.scatter thread (%i < %n, %j < %m) into (%d : tensor<?x?x?xi32>) -> (tensor<?x?x?xi32>) {
      %key = tensor.extract %keys[%i, %j] : tensor<?x?xi32>
      %at = arith.index_cast %key : i32 to index
      %c2 = arith.constant 2 : index
      %size1 = tensor.dim %rows, %c2 : tensor<?x?x?xi32>
      %row = tensor.extract_slice %rows[%i, %j, 0] [1, 1, %size1] [1, 1, 1] : tensor<?x?x?xi32> to tensor<?xi32>
      kernel.return %at, %row : index, tensor<?xi32>
    }
    func.return %r : tensor<?x?x?xi32>
  }";

#[test]
fn rows_go_where_their_index_says() {
    for (n, m, bins, k) in [
        (0, 2, 3, 4),
        (1, 1, 1, 1),
        (2, 5, 3, 7),
        (3, 33, 40, 1),
        (2, 40, 33, 0),
    ] {
        // Keys are -1, 0, 1 ...: the first is out of range, and so are the last where there are more rows than places.
        let keys: Vec<i32> = (0..n * m).map(|at| (at % m.max(1)) as i32 - 1).collect();
        let keys = segra_interp::ArrayValue::i32s(&keys)
            .reshaped(vec![n, m])
            .expect("as many as there are");
        let inputs = [
            Datum::array(keys),
            Datum::array(ints(&[n, m, k], 1)),
            Datum::array(ints(&[n, bins, k], 2)),
            Datum::Int(n as i64),
            Datum::Int(m as i64),
        ];
        same(ROWS, &inputs);
    }
}
