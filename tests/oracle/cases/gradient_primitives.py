"""Gradients of operators as operators of their own, which libraries call from mindspore.ops.operations._grad_ops."""

from mindspore.ops import operations as P  # noqa: F401  used by the expressions
from mindspore.ops.operations import _grad_ops as G  # noqa: F401  used by the expressions
from mindspore.ops.operations import nn_ops  # noqa: F401

from tests.oracle.case import Case, distinct, each, ints, rand, scalar, values

ONE = {"x": rand(2, 3), "d": rand(2, 3)}
UNIT = {"x": rand(2, 3, low=-0.9, high=0.9), "d": rand(2, 3)}
IMAGE = {"x": distinct(1, 2, 4, 5), "d": rand(1, 2, 2, 2)}

ANY_SHAPE = """
    G.AbsGrad()(x, d)
    G.AsinhGrad()(x, d)
    G.AtanGrad()(x, d)
    G.EluGrad()(d, x)
    G.FastGeLUGrad()(d, x)
    G.GeLUGrad()(d, x, x)
    G.HSigmoidGrad()(d, x)
    G.HSwishGrad()(d, x)
    G.HShrinkGrad(0.7)(d, x)
    G.SoftShrinkGrad(0.3)(d, x)
    G.ReluGrad()(d, x)
    G.ReLU6Grad()(d, x)
    G.SiLUGrad()(d, x)
    G.SigmoidGrad()(x, d)
    G.SoftplusGrad()(d, x)
    G.TanhGrad()(x, d)
    G.ReciprocalGrad()(x, d)
    G.InvGrad()(x, d)
    G.MaximumGrad()(x, d, x)
    G.MinimumGrad()(x, d, x)
    G.LogSoftmaxGrad()(x, d)
    G.SmoothL1LossGrad(0.5)(x, d, x)
    G.SmoothL1LossGrad(1.0, 'mean')(x, d, Tensor(0.7))
    G.SigmoidCrossEntropyWithLogitsGrad()(x, d, d)
    G.KLDivLossGrad('none')(d, x, x)
    G.KLDivLossGrad('sum')(Tensor(0.5), x, d)
    G.DropoutGrad(0.5)(d, x)
"""

CASES = [
    *each(ANY_SHAPE, **ONE),
    *each(ANY_SHAPE, x=rand(4, 1, 2), d=rand(4, 1, 2)),
    *each(
        """
        G.GluGrad(0)(d[:1], x)
        G.PReLUGrad()(d, x, Tensor([0.25, -0.5, 1.0]))
        G.MinimumGrad()(x, d[:1], x)
        G.L2NormalizeGrad(1, 1e-4)(x, x, d)
        G.FlattenGrad()(d, (3, 2))
        G.MirrorPadGrad('REFLECT')(x, Tensor([[0, 0], [1, 0]], ms.int64))
        G.SliceGrad()(d[:1, :2], x, (1, 0), (1, 2))
        G.StridedSliceGrad()(d[:, :2], (2, 3), (0, 0), (2, 3), (1, 2))
        G.BiasAddGrad()(d)
        G.GluGrad(-1)(d[:, :1], x[:, :2])
        G.PReLUGrad()(d, x, Tensor([0.25]))
        G.FlattenGrad()(d, (1, 6))
        G.MirrorPadGrad('SYMMETRIC')(x, Tensor([[0, 0], [1, 0]], ms.int64))
        G.SliceGrad()(d[:, :1], x, (0, 2), (2, 1))
        G.StridedSliceGrad(shrink_axis_mask=1)(d[0], (2, 3), (1, 0), (2, 3), (1, 1))
        G.L2NormalizeGrad()(x, d, d)
        """,
        **ONE,
    ),
    *each(
        """
        G.ACosGrad()(x, d)
        G.AsinGrad()(x, d)
        G.AcoshGrad()(x, d)
        G.LogitGrad(0.1)(d, x)
        """,
        **UNIT,
    ),
    *each(
        """
        G.ACosGrad()(x, d)
        G.AsinGrad()(x, d)
        G.AcoshGrad()(x, d)
        G.LogitGrad()(d, x)
        """,
        x=rand(3, low=0.1, high=0.8),
        d=rand(3),
    ),
    *each("G.SqrtGrad()(x, d)\nG.RsqrtGrad()(x, d)", x=rand(4, 2, low=0.5, high=2), d=rand(4, 2)),
    *each(
        """
        nn_ops.CTCLossV2Grad(0)(d, x, t, n, k, *P.CTCLossV2(0)(x, t, n, k))
        nn_ops.CTCLossV2Grad(2, 'none', True)(d, x, t - 1, n, k, *P.CTCLossV2(2)(x, t - 1, n, k))
        """,
        x=rand(5, 2, 3),
        d=rand(2),
        t=values([1, 2], [2, 1], dtype="int32"),
        n=values(5, 4, dtype="int32"),
        k=values(2, 1, dtype="int32"),
    ),
    Case("G.BiasAddGrad()(d)", d=rand(2, 3, 2, 2)),
    Case("G.BiasAddGrad('NHWC')(d)", d=rand(2, 3, 2, 4)),
    Case("G.MaxPoolGrad(3, 2, 'SAME')(x, d, d)", x=distinct(1, 2, 4, 5), d=rand(1, 2, 2, 3)),
    Case("G.LRNGrad()(d, x, x)", x=rand(2, 3, 2, 2), d=rand(2, 3, 2, 2)),
    Case("G.TraceGrad()(d, Tensor([2, 2], ms.int64))", d=scalar(-1.5)),
    Case("G.MaskedSelectGrad()(x, x > 0.5, d)", x=values([1.0, -1.0], [0.0, 2.0]), d=rand(2)),
    Case("G.GatherDGradV2()(x, 0, i, d)", x=rand(2, 3), i=ints(1, 3, low=0, high=2, dtype="int64"), d=rand(1, 3)),
    Case(
        "G.GridSampler2DGrad('nearest', 'border')(d, x, g)", x=rand(1, 2, 3, 3), g=rand(1, 2, 2, 2), d=rand(1, 2, 2, 2)
    ),
    Case(
        "G.LayerNormGrad(-1, -1)(x, d, v, m, g)",
        x=rand(2, 2, 3),
        d=rand(2, 2, 3),
        v=rand(2, 2, 1, low=1),
        m=rand(2, 2, 1),
        g=rand(3),
    ),
    *each(
        """
        G.UpsampleNearest3DGrad()(d, (1, 1, 2, 2, 2), None, (1.0, 2.0, 2.0))
        G.UpsampleTrilinear3DGrad(True)(d, (1, 1, 2, 2, 2), (2, 4, 4), None)
        G.ResizeNearestNeighborGrad(True)(d[0], (2, 2))
        G.ResizeNearestNeighborV2Grad()(d[0], (2, 2))
        G.ResizeNearestNeighborV2Grad(False, True)(d[0], (2, 2))
        """,
        d=rand(1, 1, 2, 4, 4),
    ),
    Case("G.ResizeBicubicGrad(False, True)(d, x)", x=rand(1, 1, 2, 3), d=rand(1, 1, 4, 5), tolerance=1e-3),
    *each(
        "G.GridSampler3DGrad()(d, x, g)\nG.GridSampler3DGrad('nearest', 'border', True)(d, x, g)",
        x=rand(1, 1, 2, 3, 3),
        g=rand(1, 2, 2, 2, 3, low=-1, high=1),
        d=rand(1, 1, 2, 2, 2),
    ),
    *each("G.SqrtGrad()(x, d)\nG.RsqrtGrad()(x, d)", x=rand(2, 3, low=0.5, high=2), d=rand(2, 3)),
    *each(
        "G.BinaryCrossEntropyGrad()(x, y, Tensor(0.5), w)\nG.BinaryCrossEntropyGrad('none')(x, y, w, w)",
        x=rand(2, 3, low=0.1, high=0.9),
        y=rand(2, 3, low=0, high=1),
        w=rand(2, 3),
    ),
    *each(
        """
        G.NLLLossGrad()(x, Tensor(0.5), t, w, Tensor(2.0))
        G.NLLLossGrad('none')(x, Tensor([0.5, 2.0]), t, w, Tensor(0.0))
        """,
        x=rand(2, 3),
        t=values(2, 0, dtype="int32"),
        w=rand(3, low=0.5, high=2),
    ),
    *each(
        """
        G.MaxPoolGrad(2, 2)(x, x[:, :, 1::2, 1:4:2], d)
        G.AvgPoolGrad(2, 2)(x, d, d)
        G.AvgPoolGrad(2, 2, 'VALID')(x, d, d)
        """,
        **IMAGE,
    ),
    Case("G.AvgPoolGrad(2, 2, 'SAME')(x, d, d)", x=rand(1, 2, 4, 5), d=rand(1, 2, 2, 3)),
    *each(
        """
        G.Conv2DBackpropFilter(3, 2)(d, x, (3, 2, 2, 2))
        G.Conv2DBackpropFilter(3, (2, 2), 'same')(e, x, (3, 2, 2, 2))
        G.Conv2DBackpropFilter(3, 2, 'pad', 1, (1, 1, 1, 1))(f, x, (3, 2, 2, 2))
        """,
        x=rand(2, 2, 4, 5),
        d=rand(2, 3, 3, 4),
        e=rand(2, 3, 4, 5),
        f=rand(2, 3, 5, 6),
        tolerance=1e-5,
    ),
    *each(
        "G.BatchNormGrad(True, 1e-3)(d, x, s, m, v, v)\nG.BatchNormGrad(False)(d, x, s, m, v, v)",
        x=rand(2, 3, 2, 2),
        d=rand(2, 3, 2, 2),
        s=rand(3),
        m=rand(3),
        v=rand(3, low=0.5, high=2),
    ),
    *each(
        """
        G.ResizeBilinearGrad()(d, x)
        G.ResizeBilinearGrad(True)(d, x)
        G.ResizeNearestNeighborGrad()(d, (2, 3))
        """,
        x=rand(1, 2, 2, 3),
        d=rand(1, 2, 4, 5),
    ),
    Case(
        "G.ResizeBicubicGrad(True)(d, x)",
        x=rand(1, 2, 2, 3),
        d=rand(1, 2, 4, 5),
        tolerance=5e-4,  # MindSpore takes the weights from a table of 1024 steps
    ),
    *each("G.ResizeLinear1DGrad()(d, x)\nG.ResizeLinear1DGrad('half_pixel')(d, x)", x=rand(1, 2, 3), d=rand(1, 2, 5)),
    *each("G.UpsampleNearest3DGrad()(d, (1, 1, 2, 2, 2), (2, 4, 4), None)", d=rand(1, 1, 2, 4, 4)),
    *each("G.UpsampleTrilinear3DGrad()(d, (1, 1, 2, 2, 2), (2, 4, 4), None)", d=rand(1, 1, 2, 4, 4)),
    Case("G.GridSampler2DGrad()(d, x, g)", x=rand(1, 2, 3, 3), g=rand(1, 2, 2, 2, low=-1, high=1), d=rand(1, 2, 2, 2)),
    Case("G.GatherDGradV2()(x, 1, i, d)", x=rand(2, 3), i=ints(2, 2, low=0, high=3, dtype="int64"), d=rand(2, 2)),
    Case("G.MaskedSelectGrad()(x, x > 0, d)", x=values(1.0, -1.0, 2.0), d=rand(2)),
    Case("G.LRNGrad(2)(d, x, x)", x=rand(1, 4, 2, 2), d=rand(1, 4, 2, 2)),
    Case("G.TraceGrad()(d, Tensor([3, 2], ms.int64))", d=scalar(0.7)),
    *each(
        "G.LayerNormGrad()(x, d, v, m, g)",
        x=rand(2, 3),
        d=rand(2, 3),
        v=rand(2, 1, low=1, high=2),
        m=rand(2, 1),
        g=rand(3),
    ),
]
