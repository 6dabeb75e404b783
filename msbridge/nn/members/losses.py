"""Losses: the operators that they have besides those of LossBase."""

from msbridge.core.context import context
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.nn.members.attaching import Members, P

members = Members()

members(
    "SoftmaxCrossEntropyWithLogits",
    is_cpugpu=lambda one: context.get_context("device_target") in ("CPU", "GPU"),
    off_value=lambda one: Tensor(0.0, mstype.float32),
    on_value=lambda one: Tensor(1.0, mstype.float32),
)
members("MAELoss", abs=P.Abs)
members("PoissonNLLLoss", "CosineEmbeddingLoss", maximum=P.Maximum)
members("RMSELoss", dtype=P.DType)
members("SmoothL1Loss", smooth_l1_loss=lambda one: P.SmoothL1Loss(one.beta, one.reduction))
members(
    "MultiMarginLoss",
    multi_margin_loss=lambda one: P.MultiMarginLoss(p=one.p, margin=one.margin, reduction=one.reduction),
)
members(
    "MultilabelMarginLoss",
    multilabel_margin_loss=lambda one: P.MultilabelMarginLoss(reduction=one.reduction),
)
members("TripletMarginWithDistanceLoss", maximum=P.Maximum, minimum=P.Minimum)
members("DiceLoss", "MultiClassDiceLoss", reshape=P.Reshape)
members(
    "FocalLoss",
    dtype=P.DType,
    expand_dims=P.ExpandDims,
    gather_d=P.GatherD,
    squeeze=lambda one: P.Squeeze(1),
    tile=P.Tile,
)
members(
    "SampledSoftmaxLoss",
    concat_dim0=lambda one: P.Concat(0),
    concat_dim1=lambda one: P.Concat(1),
    dtype=P.DType,
    exp=P.Exp,
    expand_dims=P.ExpandDims,
    gather_v2=P.Gather,
    log=P.Log,
    matmul=lambda one: P.MatMul(False, True),
    ones_like=P.OnesLike,
    reduce_max_true=lambda one: P.ReduceMax(True),
    reduce_sum_true=lambda one: P.ReduceSum(True),
    reshape=P.Reshape,
    sampler=lambda one: P.UniformCandidateSampler(
        one.num_true, one.num_sampled, True, one.num_classes, one.seed, one.remove_accidental_hits
    ),
    shape=P.Shape,
    slice_op=P.Slice,
    zeros_like=P.ZerosLike,
)
