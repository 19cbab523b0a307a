// pass: builtin.module(func.func(choose-forms),canonicalize,cse,dce)
// Thread blocks do the points, then threads combine what they left; one whose values are arrays stays.
func.func @rows(%xs: tensor<?x?xf32>, %n: index, %m: index) -> (f32, tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %most = kernel.segred block (%i < %n) init (%zero : f32) -> (f32) {
    %s = kernel.segred thread (%j < %m) init (%zero : f32) -> (f32) {
      %x = tensor.extract %xs[%i, %j] : tensor<?x?xf32>
      kernel.return %x : f32
    } combine (%a, %b) {
      %c = arith.addf %a, %b : f32
      kernel.return %c : f32
    }
    kernel.return %s : f32
  } combine (%a, %b) {
    %c = arith.maximumf %a, %b : f32
    kernel.return %c : f32
  }
  %ends = kernel.segscan block (%i < %n) init (%zero : f32) -> (tensor<?xf32>) {
    %s = kernel.segred thread (%j < %m) init (%zero : f32) -> (f32) {
      %x = tensor.extract %xs[%i, %j] : tensor<?x?xf32>
      kernel.return %x : f32
    } combine (%a, %b) {
      %c = arith.addf %a, %b : f32
      kernel.return %c : f32
    }
    kernel.return %s : f32
  } combine (%a, %b) {
    %c = arith.addf %a, %b : f32
    kernel.return %c : f32
  }
  func.return %most, %ends : f32, tensor<?xf32>
}
func.func @arrays(%xs: tensor<?x4xf32>, %zeros: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %four = arith.constant 4 : index
  %sums = kernel.segred block (%i < %n) init (%zeros : tensor<4xf32>) -> (tensor<4xf32>) {
    %row = kernel.segmap thread (%j < %four) -> (tensor<4xf32>) {
      %x = tensor.extract %xs[%i, %j] : tensor<?x4xf32>
      kernel.return %x : f32
    }
    kernel.return %row : tensor<4xf32>
  } combine (%a, %b) {
    kernel.return %a : tensor<4xf32>
  }
  func.return %sums : tensor<4xf32>
}
// ===== expected
builtin.module {
  func.func @rows(%xs: tensor<?x?xf32>, %n: index, %m: index) -> (f32, tensor<?xf32>) {
    %zero = arith.constant 0.000000e+00 : f32
    %0 = kernel.segmap block (%i < %n) -> (tensor<?xf32>) {
      %s = kernel.segred thread (%j < %m) init (%zero : f32) -> (f32) {
        %x = tensor.extract %xs[%i, %j] : tensor<?x?xf32>
        kernel.return %x : f32
      } combine (%a, %b) {
        %c = arith.addf %a, %b : f32
        kernel.return %c : f32
      }
      kernel.return %s : f32
    }
    %1 = kernel.at_least %n, "rows.red0.parts" default 12289
    %2 = scf.if %1 -> (f32) {
      %most = kernel.segred thread form parts (%arg0 < %n) init (%zero : f32) -> (f32) {
        %3 = tensor.extract %0[%arg0] : tensor<?xf32>
        kernel.return %3 : f32
      } combine (%a, %b) {
        %c = arith.maximumf %a, %b : f32
        kernel.return %c : f32
      }
      scf.yield %most : f32
    } else {
      %most = kernel.segred thread form block (%arg0 < %n) init (%zero : f32) -> (f32) {
        %3 = tensor.extract %0[%arg0] : tensor<?xf32>
        kernel.return %3 : f32
      } combine (%a, %b) {
        %c = arith.maximumf %a, %b : f32
        kernel.return %c : f32
      }
      scf.yield %most : f32
    }
    %ends = kernel.segscan thread form tiles (%arg0 < %n) init (%zero : f32) -> (tensor<?xf32>) {
      %3 = tensor.extract %0[%arg0] : tensor<?xf32>
      kernel.return %3 : f32
    } combine (%a, %b) {
      %c = arith.addf %a, %b : f32
      kernel.return %c : f32
    }
    func.return %2, %ends : f32, tensor<?xf32>
  }
  func.func @arrays(%xs: tensor<?x4xf32>, %zeros: tensor<4xf32>, %n: index) -> tensor<4xf32> {
    %four = arith.constant 4 : index
    %sums = kernel.segred block (%i < %n) init (%zeros : tensor<4xf32>) -> (tensor<4xf32>) {
      %row = kernel.segmap thread (%j < %four) -> (tensor<4xf32>) {
        %x = tensor.extract %xs[%i, %j] : tensor<?x4xf32>
        kernel.return %x : f32
      }
      kernel.return %row : tensor<4xf32>
    } combine (%a, %b) {
      kernel.return %a : tensor<4xf32>
    }
    func.return %sums : tensor<4xf32>
  }
}
