"""Primitives of images, losses and sequences, and what does not depend on chance of those that draw numbers."""

import mindspore as ms  # noqa: F401  used by the expressions
from mindspore.ops import operations as P  # noqa: F401

from tests.oracle.case import Case, distinct, each, rand, values

CASES = [
    *each("P.AdaptiveAvgPool3D((1, 2, 2))(x)\nP.AdaptiveAvgPool3D((None, 1, 2))(x)", grad=True, x=rand(1, 2, 3, 4, 3)),
    Case("P.AdaptiveAvgPool3D(0)(x)", x=rand(1, 2, 3, 4, 3)),
    *each("P.AdaptiveMaxPool2D((1, 2))(x)\nP.AdaptiveMaxPool2D((2, 2))(x)", x=distinct(1, 2, 4, 3)),
    *each(
        """
        P.AdaptiveMaxPool3D()(x, Tensor([1, 2, 2], ms.int32))
        P.AdaptiveMaxPool3D()(x, Tensor([2, 1, 1], ms.int32))
        """,
        x=distinct(2, 3, 4, 3),
    ),
    *each("P.AffineGrid()(x, (1, 3, 2, 3))\nP.AffineGrid(align_corners=True)(x, (1, 1, 3, 2))", x=rand(1, 2, 3)),
    *each(
        """
        P.AvgPool3D(2, 1)(x)
        P.AvgPool3D(kernel_size=(1, 2, 2), strides=2, pad_mode='same')(x)
        P.AvgPool3D(2, 1, 'pad', 1, False, False)(x)
        """,
        grad=True,
        x=rand(1, 2, 3, 4, 3),
    ),
    *each(
        """
        P.GridSampler2D()(x, g)
        P.GridSampler2D('nearest', 'border', True)(x, g)
        P.GridSampler2D('bilinear', 'reflection')(x, g)
        """,
        x=rand(1, 2, 4, 3),
        g=rand(1, 2, 3, 2),
    ),
    *each(
        """
        P.GridSampler3D()(x, g)
        P.GridSampler3D('nearest', 'border', True)(x, g)
        """,
        x=rand(1, 2, 2, 4, 3),
        g=rand(1, 1, 2, 3, 3),
    ),
    Case("P.GridSampler2D('other')(x, x)", x=rand(1, 2, 2, 2), raises=ValueError),
    *each(
        """
        P.MaxPoolWithArgmaxV2(2)(x)
        P.MaxPoolWithArgmaxV2((2, 3), strides=1, pads=1, argmax_type=ms.int32)(x)
        """,
        x=distinct(1, 2, 4, 4),
    ),
    *each(
        """
        P.MaxUnpool2D(2)(x, Tensor([[[[0, 3], [8, 11]]]], ms.int64))
        P.MaxUnpool2D(2, 2, 0, (1, 1, 5, 5))(x, Tensor([[[[0, 3], [8, 11]]]], ms.int64))
        """,
        x=rand(1, 1, 2, 2),
    ),
    *each(
        """
        P.MaxUnpool3D(2)(x, Tensor([[[[[3]]]]], ms.int64))
        P.MaxUnpool3D((1, 2, 2))(x, Tensor([[[[[1]]]]], ms.int64))
        """,
        x=rand(1, 1, 1, 1, 1),
    ),
    *each(
        """
        P.ResizeBicubic()(x, Tensor([3, 5], ms.int32))
        P.ResizeBicubic(True)(x, (3, 5))
        P.ResizeBicubic(half_pixel_centers=True)(x, (5, 2))
        P.ResizeNearestNeighborV2()(x, Tensor([3, 5], ms.int32))
        P.ResizeNearestNeighborV2(True)(x, (3, 5))
        """,
        x=rand(1, 2, 4, 3),
    ),
    *each(
        """
        P.FractionalMaxPool([1.0, 1.5, 1.5, 1.0], True, False, True, 5, 6)(x)[0].dtype
        P.FractionalMaxPool(pooling_ratio=[1.0, 1.4, 2.0, 1.0])(x)[2].shape
        """,
        x=distinct(1, 6, 8, 2),
    ),
    *each(
        """
        P.Conv3DTranspose(2, 1, 2)(x, w)
        P.Conv3DTranspose(in_channel=2, out_channel=1, kernel_size=2, pad_mode='pad', pad=1, stride=2)(x, w)
        """,
        x=rand(1, 2, 2, 3, 2),
        w=rand(2, 1, 2, 2, 2),
    ),
    *each(
        """
        P.DeformableOffsets((1, 1, 1, 1), (0, 0, 0, 0), (2, 2))(x, o)
        P.DeformableOffsets((1, 1, 1, 1), (0, 0, 0, 0), (2, 2), deformable_groups=1, modulated=True)(x, o * 0)
        """,
        x=rand(1, 2, 4, 4),
        o=rand(1, 12, 3, 3),
    ),
    *each("P.Dropout2D(1.0)(x)\nP.Dropout2D(keep_prob=0.0)(x)", x=rand(1, 2, 2, 2)),
    *each("P.Dropout3D(1.0)(x)\nP.Dropout3D(keep_prob=0.0)(x)", x=rand(1, 2, 2, 2, 1)),
    Case("P.Dropout3D(1.5)(x)", x=rand(1, 1, 2, 2, 2), raises=ValueError),
    *each(
        """
        P.CTCGreedyDecoder()(x, Tensor([3, 2], ms.int32))
        P.CTCGreedyDecoder(merge_repeated=False)(x, Tensor([3, 3], ms.int32))
        """,
        x=distinct(3, 2, 4),
    ),
    *each(
        """
        P.MultiMarginLoss()(x, t)
        P.MultiMarginLoss(p=2, margin=0.5, reduction='none')(x, t)
        """,
        x=rand(2, 4),
        t=values(3, 0, dtype="int64"),
    ),
    # drawn: shapes and dtypes, and what chance cannot change
    *each(
        """
        P.LogNormalReverse(4.0, 2.0)(x).shape
        P.LogNormalReverse()(x).dtype
        P.RandomShuffle(1, 1)(x).sum()
        P.RandomShuffle()(x).dtype
        P.RandpermV2(0, 0)(Tensor([4], ms.int64)).sum()
        P.RandpermV2(dtype=ms.int32)(5).dtype
        P.RandomCategorical()(x, 5, 7).shape
        P.RandomCategorical(ms.int32)(x, 5, 7).dtype
        P.RandomGamma()(Tensor([3], ms.int32), x + 3).shape
        P.RandomGamma(1, 2)(Tensor([3], ms.int32), x + 3).dtype
        P.RandomPoisson()(Tensor([3], ms.int32), x + 3).shape
        P.RandomPoisson(dtype=ms.float32)(Tensor([3], ms.int32), x + 3).dtype
        P.UniformInt()((2, 3), Tensor(4, ms.int32), Tensor(5, ms.int32))
        P.UniformInt(seed=3)((2, 3), Tensor(1, ms.int32), Tensor(5, ms.int32)).dtype
        P.StandardLaplace(seed=2)((2, 3)).dtype
        P.MultinomialWithReplacement(3)(x * x + 1, Tensor([1], ms.int64), Tensor([2], ms.int64)).shape
        P.MultinomialWithReplacement(2, True)(x * x + 1, Tensor([1], ms.int64), Tensor([2], ms.int64)).dtype
        """,
        x=rand(2, 3),
    ),
    *each(
        """
        [v.shape for v in P.UniformCandidateSampler(1, 3, False, 4)(t)]
        [v.dtype for v in P.UniformCandidateSampler(1, 4, True, 4, seed=1)(t)]
        [v.shape for v in P.LogUniformCandidateSampler(1, 3, True, 5)(t)]
        P.LogUniformCandidateSampler(1, 5, True, 5, 1)(t)[0].dtype
        """,
        t=values([1], [3], [2], dtype="int64"),
    ),
]
