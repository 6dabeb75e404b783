"""Primitives of THOR.

Follows: mindspore.ops.operations._thor_ops (2.10).
"""

from msbridge.contrib.ops.second_order import operators
from msbridge.ops.primitive.primitive import derive

DERIVED = (
    derive("CholeskyTrsm", operators.cholesky_trsm, "lower clean split_dim"),
    derive("CusBatchMatMul", operators.cus_batch_mat_mul),
    derive("CusCholeskyTrsm", operators.cus_cholesky_trsm),
    derive("CusFusedAbsMax1", operators.cus_fused_abs_max1, "origin_shape"),
    derive("CusImg2Col", operators.cus_img2col, "ksizes strides dilates mode"),
    derive("CusMatMulCube", operators.cus_mat_mul_cube, "transpose_a transpose_b"),
    derive("CusMatMulCubeDenseLeft", operators.cus_mat_mul_cube_dense_left),
    derive("CusMatMulCubeDenseRight", operators.cus_mat_mul_cube_dense_right),
    derive("CusMatMulCubeFraczLeftCast", operators.cus_mat_mul_cube_fracz_left_cast),
    derive("CusMatMulCubeFraczRightMul", operators.cus_mat_mul_cube_fracz_right_mul),
    derive("CusMatrixCombine", operators.cus_matrix_combine),
    derive("CusTranspose02314", operators.cus_transpose02314),
    derive("DetTriangle", operators.det_triangle, "fill_mode"),
    derive("LoadIm2Col", operators.load_im2col, "ksizes strides pad_mode dilates"),
    derive("NewIm2Col", operators.new_im2col, "ksizes padding_mode strides dilations pads"),
    derive("ThorIm2Col", operators.thor_im2col, "kernel_size pad_mode pad stride dilation"),
    derive("UpdateThorGradient", operators.update_thor_gradient, "split_dim"),
)
