"""Layers: their operators, and the lists of parameters of recurrent ones."""

from typing import Any

from msbridge.core.context import context
from msbridge.core.parameter.parameter import ParameterTuple
from msbridge.core.runtime.lazy_names import import_path
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.nn.members.attaching import Members, P

members = Members()


def _number_attribute(value: float) -> Any:
    return lambda one: Tensor(value, mstype.float32)


def _all_layers_attribute(kind: str) -> Any:
    """Return the maker of the ParameterTuple of the weights or biases of all layers of a recurrent layer."""
    return lambda one: ParameterTuple(p for name, p in one._params.items() if name.startswith(kind))


def _inner(name: str, *settings: str) -> Any:
    """Return the maker of an operator of `contrib.ops.internal` with these attributes of the layer."""
    return lambda one: import_path(f"msbridge.contrib.ops.internal.{name}")(*(getattr(one, key) for key in settings))


_LOG = {"exp": P.Exp, "log": P.Log}
_SHAPES = {"reshape": P.Reshape, "shape": P.Shape}

# Normalization
members(
    "BatchNormBase",
    **{f"{name}_mean": kind for name, kind in (("assign_sub", P.AssignSub), ("mul", P.Mul), ("sub", P.Sub))},
    **{f"{name}_var": kind for name, kind in (("assign_sub", P.AssignSub), ("mul", P.Mul), ("sub", P.Sub))},
    _target=lambda one: context.get_context("device_target"),
    cast=P.Cast,
    dtype=P.DType,
    parallel_mode=lambda one: context.get_auto_parallel_context("parallel_mode"),
    reduce_mean=lambda one: P.ReduceMean(keep_dims=True),
    sqrt=P.Sqrt,
    square=P.Square,
    **_SHAPES,
)
members("BatchNorm3d", **_SHAPES)
members(
    "_InstanceNorm",
    instance_bn=lambda one: P.InstanceNorm(epsilon=one.eps, momentum=one.momentum),
    shape=P.Shape,
)
members("LRN", lrn_op=lambda one: P.LRN(*one._settings))

# Pooling
_FLAT = {
    "expand": P.ExpandDims,
    "shape": lambda one: import_path("msbridge.ops.framework.control.functions.shape"),
    "squeeze": lambda one: P.Squeeze(2),
}
_IN_PLACE_OF_A_WINDOW = {"reduce_mean": lambda one: P.ReduceMean(keep_dims=True), **_FLAT}
members("AdaptiveAvgPool1d", "AdaptiveMaxPool1d", dtype=P.DType, **_FLAT)
members("AdaptiveAvgPool2d", adaptive_avgpool2d=lambda one: P.AdaptiveAvgPool2D(one.output_size))
members("AdaptiveAvgPool3d", adaptive_avg_pool3d=lambda one: P.AdaptiveAvgPool3D(one.output_size))
members("AdaptiveMaxPool3d", adaptive_max_pool3d=P.AdaptiveMaxPool3D)
members(
    "AvgPool1d",
    avg_pool=lambda one: P.AvgPool(one.kernel_size, one.stride, one.pad_mode),
    is_expand_3d=False,
    slice=P.Slice,
    **_IN_PLACE_OF_A_WINDOW,
)
members("AvgPool2d", ascend_910b_target=False, is_expand=False)
members("AvgPool3d", avg_pool=lambda one: P.AvgPool3D(*one._settings))
members(
    "MaxPool1d",
    max_pool=lambda one: P.MaxPool(one.kernel_size, one.stride, one.pad_mode),
    use_pad=lambda one: one.pad_mode == "PAD",
    **_IN_PLACE_OF_A_WINDOW,
)
members("MaxPool2d", use_pad=lambda one: one.pad_mode == "PAD")
members(
    "MaxPool3d",
    max_pool=lambda one: P.MaxPool3D(one.kernel_size, one.stride, one.pad_mode),
    only_pad=lambda one: one.pad_mode == "PAD" and not one.return_indices,
)

# Dense layers and tables
members("BiDense", bias_add=P.BiasAdd, in_channels=lambda one: one.in2_channels, matmul=P.MatMul)
members("Linear", dense=P.Dense)
members(
    "Embedding",
    array_mul=P.MatMul,
    concat=P.Concat,
    expand=P.ExpandDims,
    get_shp=P.Shape,
    off_value=_number_attribute(0.0),
    on_value=_number_attribute(1.0),
    one_hot=P.OneHot,
    reshape=P.Reshape,
    reshape_flat=P.Reshape,
    shp_flat=(-1,),
)
members(
    "EmbeddingLookup",
    forward_unique=False,
    gather_revert=P.Gather,
    gatherv2=lambda one: P.SparseGatherV2().add_prim_attr("bprop_return_sparse", True) if one.sparse else P.Gather(),
    reshape_first=P.Reshape,
    unique=P.Unique,
    **_SHAPES,
)
members(
    "MultiFieldEmbeddingLookup",
    cast=P.Cast,
    OPERATOR_MAX="MAX",
    OPERATOR_MEAN="MEAN",
    OPERATOR_SUM="SUM",
    abs=P.Abs,
    add=P.Add,
    bias_add=P.Add,
    count_op=P.UnsortedSegmentSum,
    div_no_nan=P.DivNoNan,
    equal=P.Equal,
    expand=P.ExpandDims,
    inf_add=P.Add,
    inf_mask_mul=P.Mul,
    max_mask_mul=P.Mul,
    max_no_equal=P.NotEqual,
    merge_op=lambda one: P.UnsortedSegmentMax() if one.operator == "MAX" else P.UnsortedSegmentSum(),
    mul=P.Mul,
    negative_inf_value=-3.402823466e38,
)
members("EmbeddingExt", sparse=False)

# Recurrent layers
members(
    "_RNNBase",
    b_hh_list=_all_layers_attribute("bias_hh_"),
    b_ih_list=_all_layers_attribute("bias_ih_"),
    w_hh_list=_all_layers_attribute("weight_hh_"),
    w_ih_list=_all_layers_attribute("weight_ih_"),
    reverse=lambda one: P.ReverseV2([0]),
    reverse_sequence=lambda one: P.ReverseSequence(0, 1),
)
members("LSTMCell", support_non_tensor_inputs=True)
members("RNNCell", _non_linearity=lambda one: ["tanh", "relu"])

# Activation
members("CELU", celu=lambda one: P.CeLU(one.alpha))
members("PReLU", prelu=P.PReLU)
members("RReLU", sign=P.Sign)
members("SeLU", selu=P.SeLU)
members(
    "GLU",
    dim=lambda one: one.axis,
    sigmoid=P.Sigmoid,
    spilt=lambda one: P.Split(axis=one.axis, output_num=2),
)
members("GELU", gelu=P.GeLU)  # until 1.10, for networks that divide it over devices
members("HShrink", hshrink=lambda one: P.HShrink(one.lambd))
members("LogSigmoid", add=P.Add, mul=P.Mul, rec=P.Reciprocal, **_LOG)
members("Mish", mish=P.Mish)
members("SoftShrink", softshrink=lambda one: P.SoftShrink(one.lambd))
members("Softsign", softsign=P.Softsign)
members("LogSoftmaxExt", log_softmax=P.LogSoftmaxExt)
members("Softmax2d", shape=P.Shape, softmax=lambda one: P.Softmax(axis=-3))

# Dropout
members("Dropout1d", prob=lambda one: one.p)
members("Dropout2d", dropout2d=lambda one: P.Dropout2D(one.keep_prob))
members("Dropout3d", dropout3d=lambda one: P.Dropout3D(one.keep_prob))

# Shapes
members("TimeDistributed", reshape=P.Reshape, transpose=P.Transpose)
members("Pad", pad=lambda one: P.Pad(one.paddings) if one.mode == "CONSTANT" else P.MirrorPad(mode=one.mode))
for _pad in ("ReflectionPad", "ReplicationPad"):
    for _count in "123":
        members(f"{_pad}{_count}d", name=f"{_pad}{_count}d")
members(
    "ReplicationPad1d",
    "ReplicationPad2d",
    "ReplicationPad3d",
    padv3=lambda one: P.PadV3(mode="edge"),
)
members("ChannelShuffle", transpose=P.Transpose, **_SHAPES)
members("OneHot", onehot=lambda one: P.OneHot(one.axis))
members("Roll", gpu=lambda one: context.get_context("device_target") == "GPU", shape_op=P.Shape)
members("Tril", "Triu", dtype=P.DType, mul=P.Mul)
members("Unflatten", **_SHAPES)
members("Unfold", extract_image_patches=lambda one: P.ExtractImagePatches(*one._settings))

# Arithmetic
members("ClipByNorm", clip_by_norm=_inner("ClipByNorm", "axis"))
members("L1Regularizer", abs=P.Abs, reduce_sum=P.ReduceSum)
members(
    "MatMul",
    expand_op=P.ExpandDims,
    reduce_sum_op=lambda one: P.ReduceSum(keep_dims=False),
    shape_op=P.Shape,
    squeeze_left_op=lambda one: P.Squeeze(-2),
    squeeze_right_op=lambda one: P.Squeeze(-1),
)
members("MatrixDiag", dtype=P.DType, matrix_diag=_inner("MatrixDiag"))
members("MatrixDiagPart", dtype=P.DType, matrix_diag_part=_inner("MatrixDiagPart"))
members("MatrixSetDiag", dtype=P.DType, matrix_set_diag=_inner("MatrixSetDiag"))
members(
    "Moments",
    reduce_mean=lambda one: P.ReduceMean(keep_dims=True),
    square_diff=P.SquaredDifference,
    squeeze=lambda one: P.Squeeze(() if one.axis is None else one.axis),
)
members(
    "Norm",
    reduce_sum=lambda one: P.ReduceSum(True),
    sqrt=P.Sqrt,
    squeeze=lambda one: P.Squeeze(one.axis),
)
members("Range", ms_dtype=lambda one: one.result.dtype, result_tensor=lambda one: one.result)
members(
    "ReduceLogSumExp",
    max=lambda one: P.ReduceMax(one.keep_dims),
    sum=lambda one: P.ReduceSum(one.keep_dims),
    **_LOG,
)

# Images
members("CentralCrop", slice=P.Slice)
members("SSIM", "MSSSIM", concat=lambda one: P.Concat(1), reduce_mean=P.ReduceMean)
members(
    "MSSSIM",
    level=lambda one: len(one._powers),
    pow=P.Pow,
    prod=P.ReduceProd,
    stack=lambda one: P.Stack(axis=-1),
    weight_tensor=lambda one: Tensor(one._powers, mstype.float32),
)
