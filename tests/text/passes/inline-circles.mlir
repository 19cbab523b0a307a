// pass: builtin.module(inline{default-pipeline=""})
// upstream: --inline=default-pipeline=
// Functions that call one another: what calls its caller stays, in longer circles and from outside bodies are copied.
module {
  func.func @a(%m: memref<1xi32>, %i: index, %v: i32) {
    memref.store %v, %m[%i] : memref<1xi32>
    func.call @b(%m, %i, %v) : (memref<1xi32>, index, i32) -> ()
    return
  }
  func.func @b(%m: memref<1xi32>, %i: index, %v: i32) {
    %w = arith.addi %v, %v : i32
    func.call @a(%m, %i, %w) : (memref<1xi32>, index, i32) -> ()
    return
  }
  func.func @from_outside(%m: memref<1xi32>, %i: index, %v: i32) {
    func.call @a(%m, %i, %v) : (memref<1xi32>, index, i32) -> ()
    return
  }
  func.func @x(%v: i32) -> i32 {
    %r = func.call @y(%v) : (i32) -> i32
    return %r : i32
  }
  func.func @y(%v: i32) -> i32 {
    %c = arith.constant 1 : i32
    %n = arith.subi %v, %c : i32
    %r = func.call @z(%n) : (i32) -> i32
    return %r : i32
  }
  func.func @z(%v: i32) -> i32 {
    %c = arith.constant 0 : i32
    %p = arith.cmpi eq, %v, %c : i32
    %r = scf.if %p -> i32 {
      scf.yield %c : i32
    } else {
      %k = func.call @x(%v) : (i32) -> i32
      %l = func.call @leaf(%k) : (i32) -> i32
      scf.yield %l : i32
    }
    return %r : i32
  }
  func.func private @leaf(%v: i32) -> i32 {
    %w = arith.muli %v, %v : i32
    return %w : i32
  }
  func.func @itself(%v: i32) -> i32 {
    %r = func.call @itself(%v) : (i32) -> i32
    %s = func.call @x(%r) : (i32) -> i32
    return %s : i32
  }
  func.func @blocks(%c: i1, %v: i32) -> i32 {
    cf.cond_br %c, ^one, ^two
  ^one:
    %r = func.call @other(%c, %v) : (i1, i32) -> i32
    return %r : i32
  ^two:
    %s = func.call @x(%v) : (i32) -> i32
    return %s : i32
  }
  func.func @other(%c: i1, %v: i32) -> i32 {
    %r = func.call @third(%c, %v) : (i1, i32) -> i32
    return %r : i32
  }
  func.func @third(%c: i1, %v: i32) -> i32 {
    cf.cond_br %c, ^one, ^two(%v : i32)
  ^one:
    %r = func.call @blocks(%c, %v) : (i1, i32) -> i32
    cf.br ^two(%r : i32)
  ^two(%k: i32):
    return %k : i32
  }
}
// ===== expected
builtin.module {
  func.func @a(%m: memref<1xi32>, %i: index, %v: i32) {
    memref.store %v, %m[%i] : memref<1xi32>
    func.call @b(%m, %i, %v) : (memref<1xi32>, index, i32) -> ()
    func.return
  }
  func.func @b(%m: memref<1xi32>, %i: index, %v: i32) {
    %w = arith.addi %v, %v : i32
    func.call @a(%m, %i, %w) : (memref<1xi32>, index, i32) -> ()
    func.return
  }
  func.func @from_outside(%m: memref<1xi32>, %i: index, %v: i32) {
    memref.store %v, %m[%i] : memref<1xi32>
    %w = arith.addi %v, %v : i32
    memref.store %w, %m[%i] : memref<1xi32>
    %w_0 = arith.addi %w, %w : i32
    memref.store %w_0, %m[%i] : memref<1xi32>
    %w_1 = arith.addi %w_0, %w_0 : i32
    memref.store %w_1, %m[%i] : memref<1xi32>
    %w_2 = arith.addi %w_1, %w_1 : i32
    func.call @a(%m, %i, %w_2) : (memref<1xi32>, index, i32) -> ()
    func.return
  }
  func.func @x(%v: i32) -> i32 {
    %c = arith.constant 1 : i32
    %n = arith.subi %v, %c : i32
    %c_0 = arith.constant 0 : i32
    %p = arith.cmpi eq, %n, %c_0 : i32
    %r = scf.if %p -> (i32) {
      scf.yield %c_0 : i32
    } else {
      %c_1 = arith.constant 1 : i32
      %n_2 = arith.subi %n, %c_1 : i32
      %c_3 = arith.constant 0 : i32
      %p_4 = arith.cmpi eq, %n_2, %c_3 : i32
      %r_5 = scf.if %p_4 -> (i32) {
        scf.yield %c_3 : i32
      } else {
        %c_6 = arith.constant 1 : i32
        %n_7 = arith.subi %n_2, %c_6 : i32
        %c_8 = arith.constant 0 : i32
        %p_9 = arith.cmpi eq, %n_7, %c_8 : i32
        %r_10 = scf.if %p_9 -> (i32) {
          scf.yield %c_8 : i32
        } else {
          %c_12 = arith.constant 1 : i32
          %n_13 = arith.subi %n_7, %c_12 : i32
          %c_14 = arith.constant 0 : i32
          %p_15 = arith.cmpi eq, %n_13, %c_14 : i32
          %r_16 = scf.if %p_15 -> (i32) {
            scf.yield %c_14 : i32
          } else {
            %r_18 = func.call @y(%n_13) : (i32) -> i32
            %w_19 = arith.muli %r_18, %r_18 : i32
            scf.yield %w_19 : i32
          }
          %w_17 = arith.muli %r_16, %r_16 : i32
          scf.yield %w_17 : i32
        }
        %w_11 = arith.muli %r_10, %r_10 : i32
        scf.yield %w_11 : i32
      }
      %w = arith.muli %r_5, %r_5 : i32
      scf.yield %w : i32
    }
    func.return %r : i32
  }
  func.func @y(%v: i32) -> i32 {
    %c = arith.constant 1 : i32
    %n = arith.subi %v, %c : i32
    %c_0 = arith.constant 0 : i32
    %p = arith.cmpi eq, %n, %c_0 : i32
    %r = scf.if %p -> (i32) {
      scf.yield %c_0 : i32
    } else {
      %r_1 = func.call @y(%n) : (i32) -> i32
      %w = arith.muli %r_1, %r_1 : i32
      scf.yield %w : i32
    }
    func.return %r : i32
  }
  func.func @z(%v: i32) -> i32 {
    %c = arith.constant 0 : i32
    %p = arith.cmpi eq, %v, %c : i32
    %r = scf.if %p -> (i32) {
      scf.yield %c : i32
    } else {
      %r_0 = func.call @y(%v) : (i32) -> i32
      %w = arith.muli %r_0, %r_0 : i32
      scf.yield %w : i32
    }
    func.return %r : i32
  }
  func.func @itself(%v: i32) -> i32 {
    %r = func.call @itself(%v) : (i32) -> i32
    %c = arith.constant 1 : i32
    %n = arith.subi %r, %c : i32
    %c_0 = arith.constant 0 : i32
    %p = arith.cmpi eq, %n, %c_0 : i32
    %r_1 = scf.if %p -> (i32) {
      scf.yield %c_0 : i32
    } else {
      %c_2 = arith.constant 1 : i32
      %n_3 = arith.subi %n, %c_2 : i32
      %c_4 = arith.constant 0 : i32
      %p_5 = arith.cmpi eq, %n_3, %c_4 : i32
      %r_6 = scf.if %p_5 -> (i32) {
        scf.yield %c_4 : i32
      } else {
        %c_7 = arith.constant 1 : i32
        %n_8 = arith.subi %n_3, %c_7 : i32
        %c_9 = arith.constant 0 : i32
        %p_10 = arith.cmpi eq, %n_8, %c_9 : i32
        %r_11 = scf.if %p_10 -> (i32) {
          scf.yield %c_9 : i32
        } else {
          %c_13 = arith.constant 1 : i32
          %n_14 = arith.subi %n_8, %c_13 : i32
          %c_15 = arith.constant 0 : i32
          %p_16 = arith.cmpi eq, %n_14, %c_15 : i32
          %r_17 = scf.if %p_16 -> (i32) {
            scf.yield %c_15 : i32
          } else {
            %c_19 = arith.constant 1 : i32
            %n_20 = arith.subi %n_14, %c_19 : i32
            %c_21 = arith.constant 0 : i32
            %p_22 = arith.cmpi eq, %n_20, %c_21 : i32
            %r_23 = scf.if %p_22 -> (i32) {
              scf.yield %c_21 : i32
            } else {
              %c_25 = arith.constant 1 : i32
              %n_26 = arith.subi %n_20, %c_25 : i32
              %c_27 = arith.constant 0 : i32
              %p_28 = arith.cmpi eq, %n_26, %c_27 : i32
              %r_29 = scf.if %p_28 -> (i32) {
                scf.yield %c_27 : i32
              } else {
                %c_31 = arith.constant 1 : i32
                %n_32 = arith.subi %n_26, %c_31 : i32
                %c_33 = arith.constant 0 : i32
                %p_34 = arith.cmpi eq, %n_32, %c_33 : i32
                %r_35 = scf.if %p_34 -> (i32) {
                  scf.yield %c_33 : i32
                } else {
                  %c_37 = arith.constant 1 : i32
                  %n_38 = arith.subi %n_32, %c_37 : i32
                  %c_39 = arith.constant 0 : i32
                  %p_40 = arith.cmpi eq, %n_38, %c_39 : i32
                  %r_41 = scf.if %p_40 -> (i32) {
                    scf.yield %c_39 : i32
                  } else {
                    %r_43 = func.call @y(%n_38) : (i32) -> i32
                    %w_44 = arith.muli %r_43, %r_43 : i32
                    scf.yield %w_44 : i32
                  }
                  %w_42 = arith.muli %r_41, %r_41 : i32
                  scf.yield %w_42 : i32
                }
                %w_36 = arith.muli %r_35, %r_35 : i32
                scf.yield %w_36 : i32
              }
              %w_30 = arith.muli %r_29, %r_29 : i32
              scf.yield %w_30 : i32
            }
            %w_24 = arith.muli %r_23, %r_23 : i32
            scf.yield %w_24 : i32
          }
          %w_18 = arith.muli %r_17, %r_17 : i32
          scf.yield %w_18 : i32
        }
        %w_12 = arith.muli %r_11, %r_11 : i32
        scf.yield %w_12 : i32
      }
      %w = arith.muli %r_6, %r_6 : i32
      scf.yield %w : i32
    }
    func.return %r_1 : i32
  }
  func.func @blocks(%c: i1, %v: i32) -> i32 {
    cf.cond_br %c, ^one, ^two
  ^one:  // pred: ^bb0
    cf.cond_br %c, ^bb2, ^bb27(%v : i32)
  ^bb2:  // pred: ^one
    cf.cond_br %c, ^bb3, ^bb25
  ^bb3:  // pred: ^bb2
    cf.cond_br %c, ^bb4, ^bb22(%v : i32)
  ^bb4:  // pred: ^bb3
    cf.cond_br %c, ^bb5, ^bb20
  ^bb5:  // pred: ^bb4
    cf.cond_br %c, ^bb6, ^bb17(%v : i32)
  ^bb6:  // pred: ^bb5
    cf.cond_br %c, ^bb7, ^bb15
  ^bb7:  // pred: ^bb6
    cf.cond_br %c, ^bb8, ^bb12(%v : i32)
  ^bb8:  // pred: ^bb7
    cf.cond_br %c, ^bb9, ^bb10
  ^bb9:  // pred: ^bb8
    %r = func.call @other(%c, %v) : (i1, i32) -> i32
    cf.br ^bb11(%r : i32)
  ^bb10:  // pred: ^bb8
    %c_0 = arith.constant 1 : i32
    %n = arith.subi %v, %c_0 : i32
    %c_1 = arith.constant 0 : i32
    %p = arith.cmpi eq, %n, %c_1 : i32
    %r_2 = scf.if %p -> (i32) {
      scf.yield %c_1 : i32
    } else {
      %c_38 = arith.constant 1 : i32
      %n_39 = arith.subi %n, %c_38 : i32
      %c_40 = arith.constant 0 : i32
      %p_41 = arith.cmpi eq, %n_39, %c_40 : i32
      %r_42 = scf.if %p_41 -> (i32) {
        scf.yield %c_40 : i32
      } else {
        %c_43 = arith.constant 1 : i32
        %n_44 = arith.subi %n_39, %c_43 : i32
        %c_45 = arith.constant 0 : i32
        %p_46 = arith.cmpi eq, %n_44, %c_45 : i32
        %r_47 = scf.if %p_46 -> (i32) {
          scf.yield %c_45 : i32
        } else {
          %c_49 = arith.constant 1 : i32
          %n_50 = arith.subi %n_44, %c_49 : i32
          %c_51 = arith.constant 0 : i32
          %p_52 = arith.cmpi eq, %n_50, %c_51 : i32
          %r_53 = scf.if %p_52 -> (i32) {
            scf.yield %c_51 : i32
          } else {
            %c_55 = arith.constant 1 : i32
            %n_56 = arith.subi %n_50, %c_55 : i32
            %c_57 = arith.constant 0 : i32
            %p_58 = arith.cmpi eq, %n_56, %c_57 : i32
            %r_59 = scf.if %p_58 -> (i32) {
              scf.yield %c_57 : i32
            } else {
              %c_61 = arith.constant 1 : i32
              %n_62 = arith.subi %n_56, %c_61 : i32
              %c_63 = arith.constant 0 : i32
              %p_64 = arith.cmpi eq, %n_62, %c_63 : i32
              %r_65 = scf.if %p_64 -> (i32) {
                scf.yield %c_63 : i32
              } else {
                %c_67 = arith.constant 1 : i32
                %n_68 = arith.subi %n_62, %c_67 : i32
                %c_69 = arith.constant 0 : i32
                %p_70 = arith.cmpi eq, %n_68, %c_69 : i32
                %r_71 = scf.if %p_70 -> (i32) {
                  scf.yield %c_69 : i32
                } else {
                  %c_73 = arith.constant 1 : i32
                  %n_74 = arith.subi %n_68, %c_73 : i32
                  %c_75 = arith.constant 0 : i32
                  %p_76 = arith.cmpi eq, %n_74, %c_75 : i32
                  %r_77 = scf.if %p_76 -> (i32) {
                    scf.yield %c_75 : i32
                  } else {
                    %c_79 = arith.constant 1 : i32
                    %n_80 = arith.subi %n_74, %c_79 : i32
                    %c_81 = arith.constant 0 : i32
                    %p_82 = arith.cmpi eq, %n_80, %c_81 : i32
                    %r_83 = scf.if %p_82 -> (i32) {
                      scf.yield %c_81 : i32
                    } else {
                      %r_85 = func.call @y(%n_80) : (i32) -> i32
                      %w_86 = arith.muli %r_85, %r_85 : i32
                      scf.yield %w_86 : i32
                    }
                    %w_84 = arith.muli %r_83, %r_83 : i32
                    scf.yield %w_84 : i32
                  }
                  %w_78 = arith.muli %r_77, %r_77 : i32
                  scf.yield %w_78 : i32
                }
                %w_72 = arith.muli %r_71, %r_71 : i32
                scf.yield %w_72 : i32
              }
              %w_66 = arith.muli %r_65, %r_65 : i32
              scf.yield %w_66 : i32
            }
            %w_60 = arith.muli %r_59, %r_59 : i32
            scf.yield %w_60 : i32
          }
          %w_54 = arith.muli %r_53, %r_53 : i32
          scf.yield %w_54 : i32
        }
        %w_48 = arith.muli %r_47, %r_47 : i32
        scf.yield %w_48 : i32
      }
      %w = arith.muli %r_42, %r_42 : i32
      scf.yield %w : i32
    }
    cf.br ^bb11(%r_2 : i32)
  ^bb11(%r_3: i32):  // 2 preds: ^bb9, ^bb10
    cf.br ^bb12(%r_3 : i32)
  ^bb12(%k: i32):  // 2 preds: ^bb7, ^bb11
    cf.br ^bb13(%k : i32)
  ^bb13(%r_4: i32):  // pred: ^bb12
    cf.br ^bb14(%r_4 : i32)
  ^bb14(%r_5: i32):  // pred: ^bb13
    cf.br ^bb16(%r_5 : i32)
  ^bb15:  // pred: ^bb6
    %c_6 = arith.constant 1 : i32
    %n_7 = arith.subi %v, %c_6 : i32
    %c_8 = arith.constant 0 : i32
    %p_9 = arith.cmpi eq, %n_7, %c_8 : i32
    %r_10 = scf.if %p_9 -> (i32) {
      scf.yield %c_8 : i32
    } else {
      %c_38 = arith.constant 1 : i32
      %n_39 = arith.subi %n_7, %c_38 : i32
      %c_40 = arith.constant 0 : i32
      %p_41 = arith.cmpi eq, %n_39, %c_40 : i32
      %r_42 = scf.if %p_41 -> (i32) {
        scf.yield %c_40 : i32
      } else {
        %c_43 = arith.constant 1 : i32
        %n_44 = arith.subi %n_39, %c_43 : i32
        %c_45 = arith.constant 0 : i32
        %p_46 = arith.cmpi eq, %n_44, %c_45 : i32
        %r_47 = scf.if %p_46 -> (i32) {
          scf.yield %c_45 : i32
        } else {
          %c_49 = arith.constant 1 : i32
          %n_50 = arith.subi %n_44, %c_49 : i32
          %c_51 = arith.constant 0 : i32
          %p_52 = arith.cmpi eq, %n_50, %c_51 : i32
          %r_53 = scf.if %p_52 -> (i32) {
            scf.yield %c_51 : i32
          } else {
            %c_55 = arith.constant 1 : i32
            %n_56 = arith.subi %n_50, %c_55 : i32
            %c_57 = arith.constant 0 : i32
            %p_58 = arith.cmpi eq, %n_56, %c_57 : i32
            %r_59 = scf.if %p_58 -> (i32) {
              scf.yield %c_57 : i32
            } else {
              %c_61 = arith.constant 1 : i32
              %n_62 = arith.subi %n_56, %c_61 : i32
              %c_63 = arith.constant 0 : i32
              %p_64 = arith.cmpi eq, %n_62, %c_63 : i32
              %r_65 = scf.if %p_64 -> (i32) {
                scf.yield %c_63 : i32
              } else {
                %c_67 = arith.constant 1 : i32
                %n_68 = arith.subi %n_62, %c_67 : i32
                %c_69 = arith.constant 0 : i32
                %p_70 = arith.cmpi eq, %n_68, %c_69 : i32
                %r_71 = scf.if %p_70 -> (i32) {
                  scf.yield %c_69 : i32
                } else {
                  %c_73 = arith.constant 1 : i32
                  %n_74 = arith.subi %n_68, %c_73 : i32
                  %c_75 = arith.constant 0 : i32
                  %p_76 = arith.cmpi eq, %n_74, %c_75 : i32
                  %r_77 = scf.if %p_76 -> (i32) {
                    scf.yield %c_75 : i32
                  } else {
                    %c_79 = arith.constant 1 : i32
                    %n_80 = arith.subi %n_74, %c_79 : i32
                    %c_81 = arith.constant 0 : i32
                    %p_82 = arith.cmpi eq, %n_80, %c_81 : i32
                    %r_83 = scf.if %p_82 -> (i32) {
                      scf.yield %c_81 : i32
                    } else {
                      %r_85 = func.call @y(%n_80) : (i32) -> i32
                      %w_86 = arith.muli %r_85, %r_85 : i32
                      scf.yield %w_86 : i32
                    }
                    %w_84 = arith.muli %r_83, %r_83 : i32
                    scf.yield %w_84 : i32
                  }
                  %w_78 = arith.muli %r_77, %r_77 : i32
                  scf.yield %w_78 : i32
                }
                %w_72 = arith.muli %r_71, %r_71 : i32
                scf.yield %w_72 : i32
              }
              %w_66 = arith.muli %r_65, %r_65 : i32
              scf.yield %w_66 : i32
            }
            %w_60 = arith.muli %r_59, %r_59 : i32
            scf.yield %w_60 : i32
          }
          %w_54 = arith.muli %r_53, %r_53 : i32
          scf.yield %w_54 : i32
        }
        %w_48 = arith.muli %r_47, %r_47 : i32
        scf.yield %w_48 : i32
      }
      %w = arith.muli %r_42, %r_42 : i32
      scf.yield %w : i32
    }
    cf.br ^bb16(%r_10 : i32)
  ^bb16(%r_11: i32):  // 2 preds: ^bb14, ^bb15
    cf.br ^bb17(%r_11 : i32)
  ^bb17(%k_12: i32):  // 2 preds: ^bb5, ^bb16
    cf.br ^bb18(%k_12 : i32)
  ^bb18(%r_13: i32):  // pred: ^bb17
    cf.br ^bb19(%r_13 : i32)
  ^bb19(%r_14: i32):  // pred: ^bb18
    cf.br ^bb21(%r_14 : i32)
  ^bb20:  // pred: ^bb4
    %c_15 = arith.constant 1 : i32
    %n_16 = arith.subi %v, %c_15 : i32
    %c_17 = arith.constant 0 : i32
    %p_18 = arith.cmpi eq, %n_16, %c_17 : i32
    %r_19 = scf.if %p_18 -> (i32) {
      scf.yield %c_17 : i32
    } else {
      %c_38 = arith.constant 1 : i32
      %n_39 = arith.subi %n_16, %c_38 : i32
      %c_40 = arith.constant 0 : i32
      %p_41 = arith.cmpi eq, %n_39, %c_40 : i32
      %r_42 = scf.if %p_41 -> (i32) {
        scf.yield %c_40 : i32
      } else {
        %c_43 = arith.constant 1 : i32
        %n_44 = arith.subi %n_39, %c_43 : i32
        %c_45 = arith.constant 0 : i32
        %p_46 = arith.cmpi eq, %n_44, %c_45 : i32
        %r_47 = scf.if %p_46 -> (i32) {
          scf.yield %c_45 : i32
        } else {
          %c_49 = arith.constant 1 : i32
          %n_50 = arith.subi %n_44, %c_49 : i32
          %c_51 = arith.constant 0 : i32
          %p_52 = arith.cmpi eq, %n_50, %c_51 : i32
          %r_53 = scf.if %p_52 -> (i32) {
            scf.yield %c_51 : i32
          } else {
            %c_55 = arith.constant 1 : i32
            %n_56 = arith.subi %n_50, %c_55 : i32
            %c_57 = arith.constant 0 : i32
            %p_58 = arith.cmpi eq, %n_56, %c_57 : i32
            %r_59 = scf.if %p_58 -> (i32) {
              scf.yield %c_57 : i32
            } else {
              %c_61 = arith.constant 1 : i32
              %n_62 = arith.subi %n_56, %c_61 : i32
              %c_63 = arith.constant 0 : i32
              %p_64 = arith.cmpi eq, %n_62, %c_63 : i32
              %r_65 = scf.if %p_64 -> (i32) {
                scf.yield %c_63 : i32
              } else {
                %c_67 = arith.constant 1 : i32
                %n_68 = arith.subi %n_62, %c_67 : i32
                %c_69 = arith.constant 0 : i32
                %p_70 = arith.cmpi eq, %n_68, %c_69 : i32
                %r_71 = scf.if %p_70 -> (i32) {
                  scf.yield %c_69 : i32
                } else {
                  %c_73 = arith.constant 1 : i32
                  %n_74 = arith.subi %n_68, %c_73 : i32
                  %c_75 = arith.constant 0 : i32
                  %p_76 = arith.cmpi eq, %n_74, %c_75 : i32
                  %r_77 = scf.if %p_76 -> (i32) {
                    scf.yield %c_75 : i32
                  } else {
                    %c_79 = arith.constant 1 : i32
                    %n_80 = arith.subi %n_74, %c_79 : i32
                    %c_81 = arith.constant 0 : i32
                    %p_82 = arith.cmpi eq, %n_80, %c_81 : i32
                    %r_83 = scf.if %p_82 -> (i32) {
                      scf.yield %c_81 : i32
                    } else {
                      %r_85 = func.call @y(%n_80) : (i32) -> i32
                      %w_86 = arith.muli %r_85, %r_85 : i32
                      scf.yield %w_86 : i32
                    }
                    %w_84 = arith.muli %r_83, %r_83 : i32
                    scf.yield %w_84 : i32
                  }
                  %w_78 = arith.muli %r_77, %r_77 : i32
                  scf.yield %w_78 : i32
                }
                %w_72 = arith.muli %r_71, %r_71 : i32
                scf.yield %w_72 : i32
              }
              %w_66 = arith.muli %r_65, %r_65 : i32
              scf.yield %w_66 : i32
            }
            %w_60 = arith.muli %r_59, %r_59 : i32
            scf.yield %w_60 : i32
          }
          %w_54 = arith.muli %r_53, %r_53 : i32
          scf.yield %w_54 : i32
        }
        %w_48 = arith.muli %r_47, %r_47 : i32
        scf.yield %w_48 : i32
      }
      %w = arith.muli %r_42, %r_42 : i32
      scf.yield %w : i32
    }
    cf.br ^bb21(%r_19 : i32)
  ^bb21(%r_20: i32):  // 2 preds: ^bb19, ^bb20
    cf.br ^bb22(%r_20 : i32)
  ^bb22(%k_21: i32):  // 2 preds: ^bb3, ^bb21
    cf.br ^bb23(%k_21 : i32)
  ^bb23(%r_22: i32):  // pred: ^bb22
    cf.br ^bb24(%r_22 : i32)
  ^bb24(%r_23: i32):  // pred: ^bb23
    cf.br ^bb26(%r_23 : i32)
  ^bb25:  // pred: ^bb2
    %c_24 = arith.constant 1 : i32
    %n_25 = arith.subi %v, %c_24 : i32
    %c_26 = arith.constant 0 : i32
    %p_27 = arith.cmpi eq, %n_25, %c_26 : i32
    %r_28 = scf.if %p_27 -> (i32) {
      scf.yield %c_26 : i32
    } else {
      %c_38 = arith.constant 1 : i32
      %n_39 = arith.subi %n_25, %c_38 : i32
      %c_40 = arith.constant 0 : i32
      %p_41 = arith.cmpi eq, %n_39, %c_40 : i32
      %r_42 = scf.if %p_41 -> (i32) {
        scf.yield %c_40 : i32
      } else {
        %c_43 = arith.constant 1 : i32
        %n_44 = arith.subi %n_39, %c_43 : i32
        %c_45 = arith.constant 0 : i32
        %p_46 = arith.cmpi eq, %n_44, %c_45 : i32
        %r_47 = scf.if %p_46 -> (i32) {
          scf.yield %c_45 : i32
        } else {
          %c_49 = arith.constant 1 : i32
          %n_50 = arith.subi %n_44, %c_49 : i32
          %c_51 = arith.constant 0 : i32
          %p_52 = arith.cmpi eq, %n_50, %c_51 : i32
          %r_53 = scf.if %p_52 -> (i32) {
            scf.yield %c_51 : i32
          } else {
            %c_55 = arith.constant 1 : i32
            %n_56 = arith.subi %n_50, %c_55 : i32
            %c_57 = arith.constant 0 : i32
            %p_58 = arith.cmpi eq, %n_56, %c_57 : i32
            %r_59 = scf.if %p_58 -> (i32) {
              scf.yield %c_57 : i32
            } else {
              %c_61 = arith.constant 1 : i32
              %n_62 = arith.subi %n_56, %c_61 : i32
              %c_63 = arith.constant 0 : i32
              %p_64 = arith.cmpi eq, %n_62, %c_63 : i32
              %r_65 = scf.if %p_64 -> (i32) {
                scf.yield %c_63 : i32
              } else {
                %c_67 = arith.constant 1 : i32
                %n_68 = arith.subi %n_62, %c_67 : i32
                %c_69 = arith.constant 0 : i32
                %p_70 = arith.cmpi eq, %n_68, %c_69 : i32
                %r_71 = scf.if %p_70 -> (i32) {
                  scf.yield %c_69 : i32
                } else {
                  %c_73 = arith.constant 1 : i32
                  %n_74 = arith.subi %n_68, %c_73 : i32
                  %c_75 = arith.constant 0 : i32
                  %p_76 = arith.cmpi eq, %n_74, %c_75 : i32
                  %r_77 = scf.if %p_76 -> (i32) {
                    scf.yield %c_75 : i32
                  } else {
                    %r_79 = func.call @y(%n_74) : (i32) -> i32
                    %w_80 = arith.muli %r_79, %r_79 : i32
                    scf.yield %w_80 : i32
                  }
                  %w_78 = arith.muli %r_77, %r_77 : i32
                  scf.yield %w_78 : i32
                }
                %w_72 = arith.muli %r_71, %r_71 : i32
                scf.yield %w_72 : i32
              }
              %w_66 = arith.muli %r_65, %r_65 : i32
              scf.yield %w_66 : i32
            }
            %w_60 = arith.muli %r_59, %r_59 : i32
            scf.yield %w_60 : i32
          }
          %w_54 = arith.muli %r_53, %r_53 : i32
          scf.yield %w_54 : i32
        }
        %w_48 = arith.muli %r_47, %r_47 : i32
        scf.yield %w_48 : i32
      }
      %w = arith.muli %r_42, %r_42 : i32
      scf.yield %w : i32
    }
    cf.br ^bb26(%r_28 : i32)
  ^bb26(%r_29: i32):  // 2 preds: ^bb24, ^bb25
    cf.br ^bb27(%r_29 : i32)
  ^bb27(%k_30: i32):  // 2 preds: ^one, ^bb26
    cf.br ^bb28(%k_30 : i32)
  ^bb28(%r_31: i32):  // pred: ^bb27
    cf.br ^bb29(%r_31 : i32)
  ^bb29(%r_32: i32):  // pred: ^bb28
    func.return %r_32 : i32
  ^two:  // pred: ^bb0
    %c_33 = arith.constant 1 : i32
    %n_34 = arith.subi %v, %c_33 : i32
    %c_35 = arith.constant 0 : i32
    %p_36 = arith.cmpi eq, %n_34, %c_35 : i32
    %r_37 = scf.if %p_36 -> (i32) {
      scf.yield %c_35 : i32
    } else {
      %c_38 = arith.constant 1 : i32
      %n_39 = arith.subi %n_34, %c_38 : i32
      %c_40 = arith.constant 0 : i32
      %p_41 = arith.cmpi eq, %n_39, %c_40 : i32
      %r_42 = scf.if %p_41 -> (i32) {
        scf.yield %c_40 : i32
      } else {
        %c_43 = arith.constant 1 : i32
        %n_44 = arith.subi %n_39, %c_43 : i32
        %c_45 = arith.constant 0 : i32
        %p_46 = arith.cmpi eq, %n_44, %c_45 : i32
        %r_47 = scf.if %p_46 -> (i32) {
          scf.yield %c_45 : i32
        } else {
          %c_49 = arith.constant 1 : i32
          %n_50 = arith.subi %n_44, %c_49 : i32
          %c_51 = arith.constant 0 : i32
          %p_52 = arith.cmpi eq, %n_50, %c_51 : i32
          %r_53 = scf.if %p_52 -> (i32) {
            scf.yield %c_51 : i32
          } else {
            %c_55 = arith.constant 1 : i32
            %n_56 = arith.subi %n_50, %c_55 : i32
            %c_57 = arith.constant 0 : i32
            %p_58 = arith.cmpi eq, %n_56, %c_57 : i32
            %r_59 = scf.if %p_58 -> (i32) {
              scf.yield %c_57 : i32
            } else {
              %c_61 = arith.constant 1 : i32
              %n_62 = arith.subi %n_56, %c_61 : i32
              %c_63 = arith.constant 0 : i32
              %p_64 = arith.cmpi eq, %n_62, %c_63 : i32
              %r_65 = scf.if %p_64 -> (i32) {
                scf.yield %c_63 : i32
              } else {
                %c_67 = arith.constant 1 : i32
                %n_68 = arith.subi %n_62, %c_67 : i32
                %c_69 = arith.constant 0 : i32
                %p_70 = arith.cmpi eq, %n_68, %c_69 : i32
                %r_71 = scf.if %p_70 -> (i32) {
                  scf.yield %c_69 : i32
                } else {
                  %c_73 = arith.constant 1 : i32
                  %n_74 = arith.subi %n_68, %c_73 : i32
                  %c_75 = arith.constant 0 : i32
                  %p_76 = arith.cmpi eq, %n_74, %c_75 : i32
                  %r_77 = scf.if %p_76 -> (i32) {
                    scf.yield %c_75 : i32
                  } else {
                    %r_79 = func.call @y(%n_74) : (i32) -> i32
                    %w_80 = arith.muli %r_79, %r_79 : i32
                    scf.yield %w_80 : i32
                  }
                  %w_78 = arith.muli %r_77, %r_77 : i32
                  scf.yield %w_78 : i32
                }
                %w_72 = arith.muli %r_71, %r_71 : i32
                scf.yield %w_72 : i32
              }
              %w_66 = arith.muli %r_65, %r_65 : i32
              scf.yield %w_66 : i32
            }
            %w_60 = arith.muli %r_59, %r_59 : i32
            scf.yield %w_60 : i32
          }
          %w_54 = arith.muli %r_53, %r_53 : i32
          scf.yield %w_54 : i32
        }
        %w_48 = arith.muli %r_47, %r_47 : i32
        scf.yield %w_48 : i32
      }
      %w = arith.muli %r_42, %r_42 : i32
      scf.yield %w : i32
    }
    func.return %r_37 : i32
  }
  func.func @other(%c: i1, %v: i32) -> i32 {
    cf.cond_br %c, ^bb1, ^bb5(%v : i32)
  ^bb1:  // pred: ^bb0
    cf.cond_br %c, ^bb2, ^bb3
  ^bb2:  // pred: ^bb1
    %r = func.call @other(%c, %v) : (i1, i32) -> i32
    cf.br ^bb4(%r : i32)
  ^bb3:  // pred: ^bb1
    %c_0 = arith.constant 1 : i32
    %n = arith.subi %v, %c_0 : i32
    %c_1 = arith.constant 0 : i32
    %p = arith.cmpi eq, %n, %c_1 : i32
    %r_2 = scf.if %p -> (i32) {
      scf.yield %c_1 : i32
    } else {
      %c_5 = arith.constant 1 : i32
      %n_6 = arith.subi %n, %c_5 : i32
      %c_7 = arith.constant 0 : i32
      %p_8 = arith.cmpi eq, %n_6, %c_7 : i32
      %r_9 = scf.if %p_8 -> (i32) {
        scf.yield %c_7 : i32
      } else {
        %c_10 = arith.constant 1 : i32
        %n_11 = arith.subi %n_6, %c_10 : i32
        %c_12 = arith.constant 0 : i32
        %p_13 = arith.cmpi eq, %n_11, %c_12 : i32
        %r_14 = scf.if %p_13 -> (i32) {
          scf.yield %c_12 : i32
        } else {
          %c_16 = arith.constant 1 : i32
          %n_17 = arith.subi %n_11, %c_16 : i32
          %c_18 = arith.constant 0 : i32
          %p_19 = arith.cmpi eq, %n_17, %c_18 : i32
          %r_20 = scf.if %p_19 -> (i32) {
            scf.yield %c_18 : i32
          } else {
            %c_22 = arith.constant 1 : i32
            %n_23 = arith.subi %n_17, %c_22 : i32
            %c_24 = arith.constant 0 : i32
            %p_25 = arith.cmpi eq, %n_23, %c_24 : i32
            %r_26 = scf.if %p_25 -> (i32) {
              scf.yield %c_24 : i32
            } else {
              %c_28 = arith.constant 1 : i32
              %n_29 = arith.subi %n_23, %c_28 : i32
              %c_30 = arith.constant 0 : i32
              %p_31 = arith.cmpi eq, %n_29, %c_30 : i32
              %r_32 = scf.if %p_31 -> (i32) {
                scf.yield %c_30 : i32
              } else {
                %c_34 = arith.constant 1 : i32
                %n_35 = arith.subi %n_29, %c_34 : i32
                %c_36 = arith.constant 0 : i32
                %p_37 = arith.cmpi eq, %n_35, %c_36 : i32
                %r_38 = scf.if %p_37 -> (i32) {
                  scf.yield %c_36 : i32
                } else {
                  %c_40 = arith.constant 1 : i32
                  %n_41 = arith.subi %n_35, %c_40 : i32
                  %c_42 = arith.constant 0 : i32
                  %p_43 = arith.cmpi eq, %n_41, %c_42 : i32
                  %r_44 = scf.if %p_43 -> (i32) {
                    scf.yield %c_42 : i32
                  } else {
                    %r_46 = func.call @y(%n_41) : (i32) -> i32
                    %w_47 = arith.muli %r_46, %r_46 : i32
                    scf.yield %w_47 : i32
                  }
                  %w_45 = arith.muli %r_44, %r_44 : i32
                  scf.yield %w_45 : i32
                }
                %w_39 = arith.muli %r_38, %r_38 : i32
                scf.yield %w_39 : i32
              }
              %w_33 = arith.muli %r_32, %r_32 : i32
              scf.yield %w_33 : i32
            }
            %w_27 = arith.muli %r_26, %r_26 : i32
            scf.yield %w_27 : i32
          }
          %w_21 = arith.muli %r_20, %r_20 : i32
          scf.yield %w_21 : i32
        }
        %w_15 = arith.muli %r_14, %r_14 : i32
        scf.yield %w_15 : i32
      }
      %w = arith.muli %r_9, %r_9 : i32
      scf.yield %w : i32
    }
    cf.br ^bb4(%r_2 : i32)
  ^bb4(%r_3: i32):  // 2 preds: ^bb2, ^bb3
    cf.br ^bb5(%r_3 : i32)
  ^bb5(%k: i32):  // 2 preds: ^bb0, ^bb4
    cf.br ^bb6(%k : i32)
  ^bb6(%r_4: i32):  // pred: ^bb5
    func.return %r_4 : i32
  }
  func.func @third(%c: i1, %v: i32) -> i32 {
    cf.cond_br %c, ^one, ^two(%v : i32)
  ^one:  // pred: ^bb0
    cf.cond_br %c, ^bb2, ^bb3
  ^bb2:  // pred: ^one
    %r = func.call @other(%c, %v) : (i1, i32) -> i32
    cf.br ^bb4(%r : i32)
  ^bb3:  // pred: ^one
    %c_0 = arith.constant 1 : i32
    %n = arith.subi %v, %c_0 : i32
    %c_1 = arith.constant 0 : i32
    %p = arith.cmpi eq, %n, %c_1 : i32
    %r_2 = scf.if %p -> (i32) {
      scf.yield %c_1 : i32
    } else {
      %c_4 = arith.constant 1 : i32
      %n_5 = arith.subi %n, %c_4 : i32
      %c_6 = arith.constant 0 : i32
      %p_7 = arith.cmpi eq, %n_5, %c_6 : i32
      %r_8 = scf.if %p_7 -> (i32) {
        scf.yield %c_6 : i32
      } else {
        %c_9 = arith.constant 1 : i32
        %n_10 = arith.subi %n_5, %c_9 : i32
        %c_11 = arith.constant 0 : i32
        %p_12 = arith.cmpi eq, %n_10, %c_11 : i32
        %r_13 = scf.if %p_12 -> (i32) {
          scf.yield %c_11 : i32
        } else {
          %c_15 = arith.constant 1 : i32
          %n_16 = arith.subi %n_10, %c_15 : i32
          %c_17 = arith.constant 0 : i32
          %p_18 = arith.cmpi eq, %n_16, %c_17 : i32
          %r_19 = scf.if %p_18 -> (i32) {
            scf.yield %c_17 : i32
          } else {
            %c_21 = arith.constant 1 : i32
            %n_22 = arith.subi %n_16, %c_21 : i32
            %c_23 = arith.constant 0 : i32
            %p_24 = arith.cmpi eq, %n_22, %c_23 : i32
            %r_25 = scf.if %p_24 -> (i32) {
              scf.yield %c_23 : i32
            } else {
              %c_27 = arith.constant 1 : i32
              %n_28 = arith.subi %n_22, %c_27 : i32
              %c_29 = arith.constant 0 : i32
              %p_30 = arith.cmpi eq, %n_28, %c_29 : i32
              %r_31 = scf.if %p_30 -> (i32) {
                scf.yield %c_29 : i32
              } else {
                %c_33 = arith.constant 1 : i32
                %n_34 = arith.subi %n_28, %c_33 : i32
                %c_35 = arith.constant 0 : i32
                %p_36 = arith.cmpi eq, %n_34, %c_35 : i32
                %r_37 = scf.if %p_36 -> (i32) {
                  scf.yield %c_35 : i32
                } else {
                  %c_39 = arith.constant 1 : i32
                  %n_40 = arith.subi %n_34, %c_39 : i32
                  %c_41 = arith.constant 0 : i32
                  %p_42 = arith.cmpi eq, %n_40, %c_41 : i32
                  %r_43 = scf.if %p_42 -> (i32) {
                    scf.yield %c_41 : i32
                  } else {
                    %r_45 = func.call @y(%n_40) : (i32) -> i32
                    %w_46 = arith.muli %r_45, %r_45 : i32
                    scf.yield %w_46 : i32
                  }
                  %w_44 = arith.muli %r_43, %r_43 : i32
                  scf.yield %w_44 : i32
                }
                %w_38 = arith.muli %r_37, %r_37 : i32
                scf.yield %w_38 : i32
              }
              %w_32 = arith.muli %r_31, %r_31 : i32
              scf.yield %w_32 : i32
            }
            %w_26 = arith.muli %r_25, %r_25 : i32
            scf.yield %w_26 : i32
          }
          %w_20 = arith.muli %r_19, %r_19 : i32
          scf.yield %w_20 : i32
        }
        %w_14 = arith.muli %r_13, %r_13 : i32
        scf.yield %w_14 : i32
      }
      %w = arith.muli %r_8, %r_8 : i32
      scf.yield %w : i32
    }
    cf.br ^bb4(%r_2 : i32)
  ^bb4(%r_3: i32):  // 2 preds: ^bb2, ^bb3
    cf.br ^two(%r_3 : i32)
  ^two(%k: i32):  // 2 preds: ^bb0, ^bb4
    func.return %k : i32
  }
}
