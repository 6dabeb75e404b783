"""Gradients as operators: of pooling, normalisation, convolution, sampling, choices, segments and matrices."""

from mindspore.ops import operations as P  # noqa: F401  used by the expressions
from mindspore.ops.operations import _grad_ops as G  # noqa: F401
from mindspore.ops.operations import nn_ops  # noqa: F401

from tests.oracle.case import Case, distinct, each, ints, rand, scalar, values

PLANES = {"x": distinct(2, 2, 4, 4), "d": rand(2, 2, 2, 2), "e": rand(2, 2, 4, 4)}
VOLUMES = {"x": distinct(1, 2, 4, 4, 4), "d": rand(1, 2, 2, 2, 2), "e": rand(1, 2, 4, 4, 4)}
SEGMENTS = {"d": rand(2, 3), "i": values(0, 2, 1, 2, dtype="int32"), "s": values(0, 0, 1, 1, dtype="int32")}

CASES = [
    *each(
        """
        G.AdaptiveAvgPool2DGrad()(d, (2, 2, 4, 5))
        G.AdaptiveAvgPool2DGrad()(d, Tensor([2, 2, 3, 4]))
        G.AdaptiveMaxPool2DGrad()(d, x, P.AdaptiveMaxPool2D((2, 2))(x)[1])
        G.AdaptiveMaxPool2DGrad()(d[:, :, :1], x, P.AdaptiveMaxPool2D((1, 2))(x)[1])
        G.MaxPoolGradGrad(2, 2)(x, d, e)
        G.MaxPoolGradGrad(3, 2, 'SAME')(x, d, e)
        G.MaxPoolGradGradWithArgmax(2, 2)(x, e, P.MaxPoolWithArgmax(2, 2)(x)[1])
        G.MaxPoolGradGradWithArgmax(3, 1)(x, e, P.MaxPoolWithArgmax(3, 1)(x)[1])
        G.MaxPoolGradWithArgmaxV2(2, 2)(x, d, P.MaxPoolWithArgmaxV2(2, 2)(x)[1])
        G.MaxPoolGradWithArgmaxV2(3, 1)(x, d, P.MaxPoolWithArgmaxV2(3, 1)(x)[1])
        """,
        **PLANES,
    ),
    *each(
        "G.MaxPoolGradWithArgmax(2, 2)(x, d, i)\nG.MaxPoolGradWithArgmax(2, 2)(x[:, :1], d[:, :1], i[:, :1])",
        **PLANES,
        i=ints(2, 2, 2, 2, low=0, high=16),
    ),
    *each(
        """
        G.MaxUnpool2DGrad((1, 1, 2, 2), (1, 1, 2, 2), (0, 0, 0, 0), (2, 2, 4, 4))(d, e, i)
        G.MaxUnpool2DGrad((1, 1, 2, 2), (1, 1, 2, 2), (0, 0, 0, 0), (2, 1, 4, 4))(d[:, 1:], e[:, 1:], i[:, 1:])
        """,
        **PLANES,
        i=ints(2, 2, 2, 2, low=0, high=16, dtype="int64"),
    ),
    *each(
        """
        G.AdaptiveAvgPool3DGrad()(d, Tensor([1, 2, 4, 4, 3], ms.int32))
        G.AdaptiveAvgPool3DGrad()(d, Tensor([1, 2, 2, 3, 5], ms.int32))
        G.AdaptiveMaxPool3DGrad()(d, x, P.AdaptiveMaxPool3D()(x, Tensor([2, 2, 2], ms.int32))[1])
        G.AdaptiveMaxPool3DGrad()(d[:, :, :1], x, P.AdaptiveMaxPool3D()(x, Tensor([1, 2, 2], ms.int32))[1])
        G.AvgPool3DGrad(2, 2)((1, 2, 4, 4, 4), d)
        G.AvgPool3DGrad((1, 1, 2, 2, 2), (1, 1, 2, 2, 2), 0)((1, 2, 5, 4, 4), d)
        G.MaxPool3DGrad((2, 2, 2), (2, 2, 2))(x, d, d)
        G.MaxPool3DGrad((3, 3, 3), (1, 1, 1))(x, d, d)
        G.MaxPool3DGradGrad((1, 1, 2, 2, 2), (1, 1, 2, 2, 2))(x, d, e)
        G.MaxPool3DGradGrad((1, 1, 3, 3, 3), (1, 1, 1, 1, 1))(x, d, e)
        G.MaxPool3DGradWithArgmax((2, 2, 2), (2, 2, 2), (0, 0, 0))(x, d, P.MaxPool3DWithArgmax(2, 2, 0)(x)[1])
        G.MaxPool3DGradWithArgmax((3, 3, 3), (1, 1, 1), (0, 0, 0))(x, d, P.MaxPool3DWithArgmax(3, 1, 0)(x)[1])
        """,
        **VOLUMES,
    ),
    *each(
        """
        G.MaxUnpool3DGrad((1, 1, 2, 2, 2), (1, 1, 2, 2, 2), (0, 0, 0, 0, 0), (1, 2, 4, 4, 4))(d, e, i)
        G.MaxUnpool3DGrad((1, 1, 2, 2, 2), (1, 1, 2, 2, 2), (0, 0, 0, 0, 0), (1, 2, 4, 4, 4))(d * 2, e, i)
        G.FractionalMaxPool3DGradWithFixedKsize()(e, d, i)
        G.FractionalMaxPool3DGradWithFixedKsize()(e[:, :1], d[:, :1], i[:, :1])
        """,
        **VOLUMES,
        i=ints(1, 2, 2, 2, 2, low=0, high=64, dtype="int64"),
    ),
    *each(
        """
        G.FractionalMaxPoolGrad()(x, P.FractionalMaxPool([1., 2., 2., 1.])(x)[0], d, r, c)
        G.FractionalAvgPoolGrad()(Tensor([1, 4, 4, 2]), d, r, c)
        G.FractionalAvgPoolGrad(True)(Tensor([1, 4, 4, 2]), d, r, c)
        """,
        x=distinct(1, 4, 4, 2),
        d=rand(1, 2, 2, 2),
        r=values(0, 2, 4, dtype="int64"),
        c=values(0, 2, 4, dtype="int64"),
    ),
    *each(
        """
        G.BatchNormGradGrad(True)(x, d, s, x.mean((0, 2, 3)), x.var((0, 2, 3)), d * d, s, s + 1)
        G.BatchNormGradGrad(False)(x, d, s, s, s * s + 1, d * d, s, s + 1)
        """,
        x=rand(2, 3, 2, 2),
        d=rand(2, 3, 2, 2),
        s=rand(3),
        tolerance=1e-4,
    ),
    *each(
        """
        G.LayerNormGradGrad()(x, d, x.var(1, keepdims=True), x.mean(1, True), s, d * d, s, s + 1)
        G.LayerNormGradGrad(-1, -1)(x, d, x.var(-1, keepdims=True), x.mean(-1, True), s, d, s + 1, s)
        """,
        x=rand(2, 4),
        d=rand(2, 4),
        s=rand(4),
        tolerance=1e-4,
    ),
    *each(
        """
        G.InstanceNormV2Grad()(d, x, s, s, s * s + 1, s + 1, s * s + 2)
        G.InstanceNormV2Grad(False)(d, x, s, s, s * s + 1, s + 1, s * s + 2)
        """,
        x=rand(2, 1, 2, 2, 16),
        d=rand(2, 1, 2, 2, 16),
        s=rand(2, 1, 1, 1, 16),
        tolerance=1e-4,
    ),
    *each(
        "G.Conv3DBackpropFilter(2, 2)(x, d, (2, 2, 2, 2, 2))\nnn_ops.Conv3DBackpropInput(2, 2)(w, d, (1, 2, 3, 3, 3))",
        x=rand(1, 2, 3, 3, 3),
        w=rand(2, 2, 2, 2, 2),
        d=rand(1, 2, 2, 2, 2),
        tolerance=1e-4,
    ),
    *each(
        """
        G.Conv3DBackpropFilter(2, 2, 1, 'pad', 1)(x, d, (2, 2, 2, 2, 2))
        nn_ops.Conv3DBackpropInput(2, 2, 1, 'pad', 1)(w, d, (1, 2, 2, 2, 2))
        """,
        x=rand(1, 2, 2, 2, 2),
        w=rand(2, 2, 2, 2, 2),
        d=rand(1, 2, 3, 3, 3),
        tolerance=1e-4,
    ),
    *each(
        "G.DeformableOffsetsGrad((1, 1, 1, 1), (0, 0, 0, 0), (3, 3))(d, x, o * 0.99 + 0.001)",
        x=rand(1, 2, 5, 5),
        o=rand(1, 27, 3, 3),
        d=rand(1, 2, 9, 9),
        tolerance=1e-4,
    ),
    *each(
        "G.DeformableOffsetsGrad((1, 1, 1, 1), (0, 0, 0, 0), (2, 2))(d, x, o)",
        x=rand(1, 1, 4, 4),
        o=rand(1, 12, 3, 3),
        d=rand(1, 1, 6, 6),
        tolerance=1e-4,
    ),
    Case("G.AffineGridGrad(True)(d, (1, 1, 2, 3))", d=rand(1, 2, 3, 2)),
    Case("G.AffineGridGrad()(d, (1, 1, 2, 2, 2))", d=rand(1, 2, 2, 2, 3)),
    *each(
        """
        G.ROIAlignGrad(2, 2, 0.5, 2)(d, Tensor([[0.0, 0.0, 0.0, 3.0, 3.0]]), (1, 2, 4, 4))
        G.ROIAlignGrad(2, 2, 1.0)(d, Tensor([[0.0, 1.0, 0.5, 3.0, 2.5]]), (1, 2, 5, 4))
        G.PSROIPoolingGrad((4, 4), 1.0, 2, 2)(d, Tensor([[[0.0], [0.0], [0.0], [3.0], [3.0]]]))
        G.PSROIPoolingGrad((5, 5), 0.5, 2, 2)(d, Tensor([[[0.0], [3.0], [2.0], [8.6], [9.4]]]))
        """,
        d=rand(1, 2, 2, 2),
    ),
    *each(
        """
        nn_ops.PSROIPooling(1.0, 2, 1)(x, Tensor([[[0.0], [0.0], [0.0], [3.0], [3.0]]]))
        nn_ops.PSROIPooling(1.0, 2, 1)(x, Tensor([[[0.0], [0.0], [1.0], [2.0], [3.0]]]))
        """,
        x=rand(1, 4, 4, 4),
    ),
    *each(
        """
        G.ScaleAndTranslateGrad()(d, x, Tensor([2.0, 2.0]), Tensor([0.0, 0.0]))
        G.ScaleAndTranslateGrad('triangle', False)(d, x, Tensor([2.0, 2.0]), Tensor([0.0, 1.0]))
        """,
        x=rand(1, 2, 2, 2),
        d=rand(1, 4, 4, 2),
        tolerance=1e-5,
    ),
    *each("G.IgammaGradA()(x, y)", x=rand(3, low=0.5, high=3), y=rand(3, low=0.5, high=3), tolerance=1e-4),
    *each("G.IgammaGradA()(x, y)", x=rand(2, 2, low=0.5, high=3), y=rand(2, 2, low=0.5, high=3), tolerance=1e-4),
    *each(
        "G.MvlgammaGrad(2)(d, x)\nG.MvlgammaGrad(3)(d, x)", d=rand(2, 3), x=rand(2, 3, low=2, high=5), tolerance=1e-4
    ),
    *each("G.PdistGrad(2.0)(d, x, P.Pdist(2.0)(x))\nG.PdistGrad(1.0)(d, x, P.Pdist(1.0)(x))", x=rand(3, 2), d=rand(3)),
    *each(
        """
        G.MultiMarginLossGrad()(Tensor(0.5), x, t, w)
        G.MultiMarginLossGrad(2, 0.5, 'none')(d, x, t, None)
        """,
        x=rand(2, 3),
        d=rand(2),
        t=values(1, 2, dtype="int64"),
        w=rand(3),
    ),
    *each("G.LuUnpackGrad(True, True)(x, y, x)\nG.LuUnpackGrad(True, False)(x, y, x)", x=rand(3, 3), y=rand(3, 3)),
    Case("G.ConcatOffset(2, 0)((x, x + 1))", x=rand(2, 3)),
    Case("G.ConcatOffset(3, 1)((x, x[:, :1], x))", x=rand(2, 3)),
    *each(
        "G.MaximumGradGrad()(x, y, d, d + 1)[2]\nG.MinimumGradGrad()(x, y, d, d + 1)[2]",
        x=rand(2, 3),
        y=rand(2, 3),
        d=rand(2, 3),
    ),
    *each(
        "G.MaximumGradGrad()(x, y, d, d + 1)[2]\nG.MinimumGradGrad()(x, y, d, d + 1)[2]",
        x=rand(4),
        y=rand(4),
        d=rand(4),
    ),
    *each(
        """
        G.PadV3Grad()(d, (1, 1, 1, 1))
        G.PadV3Grad('circular')(d, Tensor([1, 1, 1, 0]))
        G.PadV3Grad('edge')(d, Tensor([1, 1, 1, 0]))
        """,
        d=rand(1, 2, 4, 4),
    ),
    *each(
        """
        G.SparseFillEmptyRowsGrad()(Tensor([0, 2, 1]), d)
        G.SparseFillEmptyRowsGrad()(Tensor([3, 0]), d)
        """,
        d=rand(4),
    ),
    *each(
        """
        G.SparseSegmentMeanGrad()(d, i, s, Tensor(4, ms.int32))
        G.SparseSegmentMeanGrad()(d, i, s, Tensor(3, ms.int32))
        G.SparseSegmentSqrtNGrad()(d, i, s, Tensor(4, ms.int32))
        G.SparseSegmentSqrtNGrad()(d, i, s, Tensor(3, ms.int32))
        """,
        **SEGMENTS,
    ),
    *each(
        """
        G.SparseSliceGrad()(d, Tensor([[0, 1], [1, 0], [2, 2]]), Tensor([1, 0]), Tensor([[0, 0], [1, 2]]))
        G.SparseSliceGrad()(d, Tensor([[0, 1], [1, 0]]), Tensor([0, 0]), Tensor([[0, 1], [1, 0]]))
        """,
        d=rand(2),
    ),
    Case("G.UniqueGrad()(d, x)", d=rand(3), x=scalar(1.0), raises=TypeError),
]
