// errors
// A bound of arrays stands in the body of a segmented op, once, and is known before that runs.
func.func @outside(%most: index) {
  kernel.bound_arrays %most
  func.return
}
// -----
func.func @known_at_the_point(%n: index, %xs: tensor<?xindex>) -> tensor<?xindex> {
  %r = kernel.segmap thread (%i < %n) -> (tensor<?xindex>) {
    %x = tensor.extract %xs[%i] : tensor<?xindex>
    kernel.bound_arrays %x
    kernel.return %x : index
  }
  func.return %r : tensor<?xindex>
}
// -----
func.func @twice(%n: index, %most: index) -> tensor<?xindex> {
  %r = kernel.segmap thread (%i < %n) -> (tensor<?xindex>) {
    kernel.bound_arrays %most
    kernel.bound_arrays %n
    kernel.return %i : index
  }
  func.return %r : tensor<?xindex>
}
// -----
func.func @in_a_branch(%n: index, %most: index, %c: i1) -> tensor<?xindex> {
  %r = kernel.segmap thread (%i < %n) -> (tensor<?xindex>) {
    scf.if %c {
      kernel.bound_arrays %most
    }
    kernel.return %i : index
  }
  func.return %r : tensor<?xindex>
}
// -----
func.func @in_an_operator(%n: index, %most: index) -> index {
  %r = kernel.segred thread (%i < %n) init (%n : index) -> (index) {
    kernel.return %i : index
  } combine (%a, %b) {
    kernel.bound_arrays %most
    kernel.return %a : index
  }
  func.return %r : index
}
// ===== expected
input:4:3: error: 'kernel.bound_arrays' op must stand in the body of a segmented op
  |
4 |   kernel.bound_arrays %most
  |   ^^^^^^^^^^^^^^^^^^^
  |
  = op: kernel.bound_arrays %most
input:11:5: error: 'kernel.bound_arrays' op must have a number that is known before the segmented op runs
   |
11 |     kernel.bound_arrays %x
   |     ^^^^^^^^^^^^^^^^^^^
   |
   = op: kernel.bound_arrays %x
input:20:5: error: 'kernel.bound_arrays' op must be the only one, in the body of the segmented op
   |
20 |     kernel.bound_arrays %n
   |     ^^^^^^^^^^^^^^^^^^^
   |
   = op: kernel.bound_arrays %n
input:29:7: error: 'kernel.bound_arrays' op must stand in the body of a segmented op
   |
29 |       kernel.bound_arrays %most
   |       ^^^^^^^^^^^^^^^^^^^
   |
   = op: kernel.bound_arrays %most
input:40:5: error: 'kernel.bound_arrays' op must be the only one, in the body of the segmented op
   |
40 |     kernel.bound_arrays %most
   |     ^^^^^^^^^^^^^^^^^^^
   |
   = op: kernel.bound_arrays %most
