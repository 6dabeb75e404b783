"""Layers: their operators, and the lists of parameters of recurrent ones."""

from typing import Any

from msbridge.core.context import context
from msbridge.core.parameter.parameter import ParameterTuple
from msbridge.core.runtime.lazy_names import imported
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.nn.layers import combined, dense, dropout, embedding, image, math, padding, shape
from msbridge.nn.layers.activations import activation, rectifiers, softmax
from msbridge.nn.layers.normalization import batch_norm, layer_norm
from msbridge.nn.layers.pooling import adaptive_pool, pool
from msbridge.nn.layers.recurrent import rnn
from msbridge.nn.members.attaching import members
from msbridge.ops import operations as P
from msbridge.ops.framework.control import functions as control


def _constant_attribute(value: Any) -> Any:
    """Return what makes an attribute that is a function, or differs from object to object."""
    return lambda one: value


def _number_attribute(value: float) -> Any:
    return lambda one: Tensor(value, mstype.float32)


def _all_layers_attribute(kind: str) -> Any:
    """Return what makes the ParameterTuple of the weights or biases of all layers of a recurrent layer."""
    return lambda one: ParameterTuple(p for name, p in one._params.items() if name.startswith(kind))


def _inner(name: str, *settings: str) -> Any:
    """Return what makes an operator of `contrib.ops.internal` with these attributes of the layer."""
    return lambda one: imported(f"msbridge.contrib.ops.internal.{name}")(*(getattr(one, key) for key in settings))


_LOG = {"exp": P.Exp, "log": P.Log}
_SHAPES = {"reshape": P.Reshape, "shape": P.Shape}

# Normalization
members(
    batch_norm.BatchNormBase,
    **{f"{name}_mean": kind for name, kind in (("assign_sub", P.AssignSub), ("mul", P.Mul), ("sub", P.Sub))},
    **{f"{name}_var": kind for name, kind in (("assign_sub", P.AssignSub), ("mul", P.Mul), ("sub", P.Sub))},
    _target=lambda one: context.get_context("device_target"),
    dtype=P.DType,
    parallel_mode=lambda one: context.get_auto_parallel_context("parallel_mode"),
    reduce_mean=lambda one: P.ReduceMean(keep_dims=True),
    sqrt=P.Sqrt,
    square=P.Square,
    **_SHAPES,
)
members(batch_norm.BatchNorm3d, **_SHAPES)
members(
    batch_norm._InstanceNorm,
    instance_bn=lambda one: P.InstanceNorm(epsilon=one.eps, momentum=one.momentum),
    shape=P.Shape,
)
members(layer_norm.LRN, lrn_op=lambda one: P.LRN(*one._settings))

# Pooling
_FLAT = {"expand": P.ExpandDims, "shape": _constant_attribute(control.shape), "squeeze": lambda one: P.Squeeze(2)}
_IN_PLACE_OF_A_WINDOW = {"reduce_mean": lambda one: P.ReduceMean(keep_dims=True), **_FLAT}
members(adaptive_pool.AdaptiveAvgPool1d, adaptive_pool.AdaptiveMaxPool1d, dtype=P.DType, **_FLAT)
members(adaptive_pool.AdaptiveAvgPool2d, adaptive_avgpool2d=lambda one: P.AdaptiveAvgPool2D(one.output_size))
members(adaptive_pool.AdaptiveAvgPool3d, adaptive_avg_pool3d=lambda one: P.AdaptiveAvgPool3D(one.output_size))
members(adaptive_pool.AdaptiveMaxPool3d, adaptive_max_pool3d=P.AdaptiveMaxPool3D)
members(
    pool.AvgPool1d,
    avg_pool=lambda one: P.AvgPool(one.kernel_size, one.stride, one.pad_mode),
    is_expand_3d=False,
    slice=P.Slice,
    **_IN_PLACE_OF_A_WINDOW,
)
members(pool.AvgPool2d, ascend_910b_target=False, is_expand=False)
members(pool.AvgPool3d, avg_pool=lambda one: P.AvgPool3D(*one._settings))
members(
    pool.MaxPool1d,
    max_pool=lambda one: P.MaxPool(one.kernel_size, one.stride, one.pad_mode),
    use_pad=lambda one: one.pad_mode == "PAD",
    **_IN_PLACE_OF_A_WINDOW,
)
members(pool.MaxPool2d, use_pad=lambda one: one.pad_mode == "PAD")
members(
    pool.MaxPool3d,
    max_pool=lambda one: P.MaxPool3D(one.kernel_size, one.stride, one.pad_mode),
    only_pad=lambda one: one.pad_mode == "PAD" and not one.return_indices,
)

# Dense layers and tables
members(dense.BiDense, bias_add=P.BiasAdd, in_channels=lambda one: one.in1_channels, matmul=P.MatMul)
members(dense.Linear, dense=P.Dense)
members(
    embedding.Embedding,
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
    embedding.EmbeddingLookup,
    forward_unique=False,
    gather_revert=P.Gather,
    gatherv2=lambda one: P.SparseGatherV2().add_prim_attr("bprop_return_sparse", True) if one.sparse else P.Gather(),
    reshape_first=P.Reshape,
    unique=P.Unique,
    **_SHAPES,
)
members(
    embedding.MultiFieldEmbeddingLookup,
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
members(embedding.EmbeddingExt, sparse=False)

# Recurrent layers
members(
    rnn._RNNBase,
    b_hh_list=_all_layers_attribute("bias_hh_"),
    b_ih_list=_all_layers_attribute("bias_ih_"),
    w_hh_list=_all_layers_attribute("weight_hh_"),
    w_ih_list=_all_layers_attribute("weight_ih_"),
    reverse=lambda one: P.ReverseV2([0]),
    reverse_sequence=lambda one: P.ReverseSequence(0, 1),
)
members(rnn.LSTMCell, support_non_tensor_inputs=True)
members(rnn.RNNCell, _non_linearity=lambda one: ["tanh", "relu"])

# Activation
members(rectifiers.CELU, celu=lambda one: P.CeLU(one.alpha))
members(rectifiers.PReLU, prelu=P.PReLU)
members(rectifiers.RReLU, sign=P.Sign)
members(rectifiers.SeLU, selu=P.SeLU)
members(
    activation.GLU,
    dim=lambda one: one.axis,
    sigmoid=P.Sigmoid,
    spilt=lambda one: P.Split(axis=one.axis, output_num=2),
)
members(activation.GELU, gelu=P.GeLU)  # until 1.10, for networks that divide it over devices
members(activation.HShrink, hshrink=lambda one: P.HShrink(one.lambd))
members(activation.LogSigmoid, add=P.Add, mul=P.Mul, rec=P.Reciprocal, **_LOG)
members(activation.Mish, mish=P.Mish)
members(activation.SoftShrink, softshrink=lambda one: P.SoftShrink(one.lambd))
members(activation.Softsign, softsign=P.Softsign)
members(softmax.LogSoftmaxExt, log_softmax=P.LogSoftmaxExt)
members(softmax.Softmax2d, shape=P.Shape, softmax=lambda one: P.Softmax(axis=-3))

# Dropout
members(dropout.Dropout1d, prob=lambda one: one.p)
members(dropout.Dropout2d, dropout2d=lambda one: P.Dropout2D(one.keep_prob))
members(dropout.Dropout3d, dropout3d=lambda one: P.Dropout3D(one.keep_prob))

# Shapes
members(combined.TimeDistributed, reshape=P.Reshape, transpose=P.Transpose)
members(padding.Pad, pad=lambda one: P.Pad(one.paddings) if one.mode == "CONSTANT" else P.MirrorPad(mode=one.mode))
for _pad in (
    *(padding.ReflectionPad1d, padding.ReflectionPad2d, padding.ReflectionPad3d),
    *(padding.ReplicationPad1d, padding.ReplicationPad2d, padding.ReplicationPad3d),
):
    members(_pad, name=_pad.__name__)
members(
    *(padding.ReplicationPad1d, padding.ReplicationPad2d, padding.ReplicationPad3d),
    padv3=lambda one: P.PadV3(mode="edge"),
)
members(shape.ChannelShuffle, transpose=P.Transpose, **_SHAPES)
members(shape.OneHot, onehot=lambda one: P.OneHot(one.axis))
members(shape.Roll, gpu=lambda one: context.get_context("device_target") == "GPU", shape_op=P.Shape)
members(shape.Tril, shape.Triu, dtype=P.DType, mul=P.Mul)
members(shape.Unflatten, **_SHAPES)
members(shape.Unfold, extract_image_patches=lambda one: P.ExtractImagePatches(*one._settings))

# Arithmetic
members(math.ClipByNorm, clip_by_norm=_inner("ClipByNorm", "axis"))
members(math.L1Regularizer, abs=P.Abs, reduce_sum=P.ReduceSum)
members(
    math.MatMul,
    expand_op=P.ExpandDims,
    reduce_sum_op=lambda one: P.ReduceSum(keep_dims=False),
    shape_op=P.Shape,
    squeeze_left_op=lambda one: P.Squeeze(-2),
    squeeze_right_op=lambda one: P.Squeeze(-1),
)
members(math.MatrixDiag, dtype=P.DType, matrix_diag=_inner("MatrixDiag"))
members(math.MatrixDiagPart, dtype=P.DType, matrix_diag_part=_inner("MatrixDiagPart"))
members(math.MatrixSetDiag, dtype=P.DType, matrix_set_diag=_inner("MatrixSetDiag"))
members(
    math.Moments,
    reduce_mean=lambda one: P.ReduceMean(keep_dims=True),
    square_diff=P.SquaredDifference,
    squeeze=lambda one: P.Squeeze(() if one.axis is None else one.axis),
)
members(
    math.Norm,
    reduce_sum=lambda one: P.ReduceSum(True),
    sqrt=P.Sqrt,
    squeeze=lambda one: P.Squeeze(one.axis),
)
members(math.Range, ms_dtype=lambda one: one.result.dtype, result_tensor=lambda one: one.result)
members(
    math.ReduceLogSumExp,
    max=lambda one: P.ReduceMax(one.keep_dims),
    sum=lambda one: P.ReduceSum(one.keep_dims),
    **_LOG,
)

# Images
members(image.CentralCrop, slice=P.Slice)
members(image.SSIM, image.MSSSIM, concat=lambda one: P.Concat(1), reduce_mean=P.ReduceMean)
members(
    image.MSSSIM,
    level=lambda one: len(one._powers),
    pow=P.Pow,
    prod=P.ReduceProd,
    stack=lambda one: P.Stack(axis=-1),
    weight_tensor=lambda one: Tensor(one._powers, mstype.float32),
)
