"""Primitives that have no function: images, boxes, sequences, pools, transforms, random numbers."""

from mindspore.ops import operations as P  # noqa: F401  used by the expressions
from mindspore.ops.operations import _embedding_cache_ops as E  # noqa: F401

from tests.oracle.case import Case, arange, distinct, each, ints, rand, scalar, values

IMAGE = {"x": rand(2, 3, 4, 3, low=0, high=1)}

CASES = [
    Case("P.AdjustHue()(x, d)", **IMAGE, d=scalar(0.2)),
    Case("P.AdjustHue()(x, d)", x=rand(3, 3, 3, low=0, high=9), d=scalar(-0.7)),
    Case("P.AdjustSaturation()(x, d)", **IMAGE, d=scalar(0.5)),
    Case("P.AdjustSaturation()(x, d)", x=rand(3, 3, 3, low=0, high=9), d=scalar(1.5)),
    Case("P.AdjustSaturation()(x, d)", x=rand(3, 3), d=scalar(1.5), raises=ValueError),
    Case("P.AdjustHue()(x, d)", x=rand(3, 3), d=scalar(1.5), raises=ValueError),
    *each("P.HSVToRGB()(x)\nP.RGBToHSV()(x)", **IMAGE),
    *each("P.RGBToHSV()(x)", x=values([0.5, 0.5, 0.5], [1.0, 0.5, 0.0], [0.1, 0.7, 0.7], [0.0, 0.0, 0.0])),
    Case("P.HSVToRGB()(x)", x=rand(3, 3), raises=ValueError),
    Case(
        "P.Betainc()(a, b, x)", a=values(0.3, 0.1, 0.4, 2.0), b=values(0.4, 0.5, 0.9, 3.0), x=values(0.2, 0.6, 0.5, 0.9)
    ),
    Case(
        "P.Betainc()(a, b, x)",
        a=values(5.0, 0.5, 20.0, 1.0, dtype="float64"),
        b=values(0.4, 9.0, 30.0, 1.0, dtype="float64"),
        x=values(0.0, 1.0, 0.5, 0.9, dtype="float64"),
    ),
    Case(
        "ms.grad(lambda x: ms.grad(lambda y: P.Betainc()(a, b, y).sum())(x).sum())(x)",
        a=values(0.3, 0.7, 0.4, 2.0),
        b=values(0.4, 0.5, 0.9, 3.0),
        x=values(0.2, 0.6, 0.5, 0.9),
    ),
    Case("P.Bincount()(x, Tensor(5, ms.int32), w)", x=ints(9, low=0, high=5), w=rand(9)),
    Case("P.Bincount()(x, Tensor(3, ms.int32), w)", x=ints(9, low=0, high=5), w=ints(9)),
    Case("P.Cauchy([2, 3])().shape"),
    Case("P.Cauchy([2, 3], 1.0, 2.0)().dtype"),
    Case("P.Cauchy((2, 3))", raises=TypeError),
    Case(
        "P.NonMaxSuppressionWithOverlaps()(o, s, Tensor(3, ms.int32), Tensor(0.5), Tensor(0.2))",
        o=rand(4, 4, low=0, high=1),
        s=values(0.6, 0.9, 0.3, 0.8),
    ),
    Case(
        "P.NonMaxSuppressionWithOverlaps()(o, s, Tensor(9, ms.int32), Tensor(0.9), Tensor(0.5))",
        o=rand(4, 4, low=0, high=1),
        s=values(0.6, 0.9, 0.3, 0.8),
    ),
    *each(
        """
        P.CombinedNonMaxSuppression()(b, s, Tensor(2, ms.int32), Tensor(4, ms.int32), Tensor(0.5), Tensor(0.1))
        P.CombinedNonMaxSuppression(clip_boxes=False)(b, s, Tensor(3, ms.int32), m, Tensor(0.5), Tensor(0.3))
        P.CombinedNonMaxSuppression(True)(b, s, Tensor(1, ms.int32), Tensor(9, ms.int32), Tensor(0.2), Tensor(0.3))
        """,
        b=rand(2, 5, 1, 4, low=-0.2, high=1.2),
        m=scalar(9, dtype="int32"),
        s=rand(2, 5, 3, low=0, high=1),
    ),
    Case(
        "P.CombinedNonMaxSuppression()(b, s, Tensor(2, ms.int32), Tensor(4, ms.int32), Tensor(0.5), Tensor(0.1))",
        b=rand(2, 5, 3, 4, low=0, high=1),
        s=rand(2, 5, 3, low=0, high=1),
    ),
    Case("P.CompareAndBitpack()(x, Tensor(0.0))", x=rand(2, 16)),
    Case("P.CompareAndBitpack()(x, Tensor(6, ms.int32))", x=arange(8, dtype="int32")),
    Case("P.CompareAndBitpack()(x, Tensor(0.0))", x=rand(2, 9), raises=ValueError),
    Case("P.ComputeAccidentalHits(0)", raises=ValueError),
    Case("P.ConfusionMatrix('4')", raises=TypeError),
    *each(
        "P.DataFormatDimMap()(x)\nP.DataFormatDimMap('NCHW', 'NHWC')(x)",
        x=values(0, 1, 2, 3, -1, -4, dtype="int32"),
    ),
    *each("P.DataFormatVecPermute()(x)\nP.DataFormatVecPermute('NCHW', 'NHWC')(x)", x=arange(4, dtype="int32")),
    Case("P.DataFormatVecPermute()(x)", x=arange(4, 2, dtype="int64")),
    Case("P.DataFormatVecPermute('NCDHW')", raises=ValueError),
    *each(
        """
        P.EditDistance()(hi, hv, Tensor([2, 2], ms.int64), ti, tv, Tensor([2, 3], ms.int64))
        P.EditDistance(False)(hi, hv, Tensor([2, 2], ms.int64), ti, tv, Tensor([2, 3], ms.int64))
        """,
        hi=values([0, 0], [0, 1], [1, 0], dtype="int64"),
        hv=values(1, 2, 3, dtype="int32"),
        ti=values([0, 1], [0, 2], [1, 0], [1, 1], dtype="int64"),
        tv=values(2, 1, 3, 4, dtype="int32"),
    ),
    *each(
        """
        P.ExtractGlimpse(uniform_noise=False, noise='zero')(x, Tensor([2, 2], ms.int32), o)
        P.ExtractGlimpse(False, False, False, 'zero')(x, Tensor([3, 2], ms.int32), o)
        P.ExtractGlimpse(True, False, False, 'zero')(x, Tensor([2, 3], ms.int32), o)
        P.ExtractGlimpse(False, True, False, 'zero')(x, Tensor([2, 3], ms.int32), o)
        """,
        x=arange(2, 5, 6, 2),
        o=values([0.1, 0.3], [0.8, -0.2]),
    ),
    Case("P.ExtractGlimpse(noise='pink')", raises=ValueError),
    Case("P.ExtractVolumePatches([1, 1, 2, 2, 2], [1, 1, 1, 1, 1], 'VALID')(x)", x=arange(1, 2, 3, 3, 3)),
    Case("P.ExtractVolumePatches([1, 1, 2, 2, 2], [1, 1, 2, 2, 2], 'SAME')(x)", x=arange(1, 2, 3, 3, 3)),
    *each(
        """
        P.FFTWithSize(1, False, False)(x)
        P.FFTWithSize(2, False, False, 'ortho')(x)
        P.FFTWithSize(1, True, False, 'forward')(x)
        P.FFTWithSize(2, True, False)(x)
        P.FFTWithSize(1, True, True)(x)
        P.FFTWithSize(1, True, True, 'backward', True, (7,))(x)
        """,
        x=rand(2, 3, 4, dtype="complex64"),
    ),
    *each(
        """
        P.FFTWithSize(1, False, True)(x)
        P.FFTWithSize(2, False, True, 'ortho')(x)
        P.FFTWithSize(1, False, True, 'backward', False)(x)
        """,
        x=rand(2, 3, 4),
    ),
    Case("P.FFTWithSize(1, False, True, 'other')(x)", x=rand(2, 3), raises=ValueError),
    *each(
        """
        P.FractionalMaxPoolWithFixedKsize(2, (2, 2))(x, r)
        P.FractionalMaxPoolWithFixedKsize((2, 3), 3)(x, r)
        """,
        x=distinct(1, 2, 6, 7),
        r=rand(1, 2, 2, low=0, high=1),
    ),
    *each(
        """
        P.FractionalMaxPool3DWithFixedKsize(2, (2, 2, 2))(x, r)
        P.FractionalMaxPool3DWithFixedKsize((1, 2, 3), (3, 2, 2))(x, r)
        """,
        x=distinct(1, 2, 4, 5, 6),
        r=rand(1, 2, 3, low=0, high=1),
    ),
    *each(
        """
        P.FractionalMaxPool([1.0, 1.5, 1.5, 1.0], True, False, True, 5, 6)(x)[0].shape
        P.FractionalAvgPool([1.0, 1.4, 2.0, 1.0], True, True, True, 5, 6)(x)[0].shape
        P.FractionalAvgPool([1.0, 1.4, 2.0, 1.0])(x)[1].shape
        """,
        x=distinct(1, 6, 8, 2),
    ),
    Case("P.HistogramFixedWidth(0)", raises=ValueError),
    Case("P.MatrixLogarithm()(x)", x=values([2.0 + 0j, 1.0], [0.0, 3.0], dtype="complex64")),
    Case("P.MatrixLogarithm()(x)", x=values([[4.0 + 1j, 1.0], [0.5, 3.0]], [[1, 0], [0, 1]], dtype="complex128")),
    *each(
        "P.MatrixSolveLs()(x, y, l)\nP.MatrixSolveLs(False)(x, y, l)",
        x=rand(4, 2, dtype="float64"),
        y=rand(4, 3, dtype="float64"),
        l=scalar(0.5, dtype="float64"),
    ),
    Case("P.MatrixSolveLs()(x, y, l)", x=rand(2, 3, 3), y=rand(2, 3, 1), l=scalar(0.0, dtype="float64")),
    *each(
        """
        P.MaxPool3DWithArgmax(2, 2, 0)(x)
        P.MaxPool3DWithArgmax((2, 2, 3), 1, 1, (1, 1, 1), True, 'NCDHW', ms.int32)(x)
        """,
        x=distinct(1, 2, 4, 5, 6),
    ),
    Case("P.NoRepeatNGram(3)(x, p)", x=ints(2, 2, 7, low=1, high=5), p=rand(2, 2, 10)),
    Case("P.NoRepeatNGram(2)(x, p)", x=ints(2, 2, 7, low=1, high=5), p=rand(2, 2, 10)),
    Case("P.NoRepeatNGram(0)", raises=ValueError),
    Case("P.NonDeterministicInts(ms.int32)(Tensor((3, 4), ms.int32)).shape"),
    Case("P.NonDeterministicInts()(Tensor((3, 4), ms.int32)).dtype"),
    Case("P.NonDeterministicInts(ms.float32)", raises=TypeError),
    *each(
        """
        P.ParameterizedTruncatedNormal()(Tensor((2, 3), ms.int32), m, s, m - s, m + s).shape
        P.ParameterizedTruncatedNormal(1, 2)(Tensor((2, 3), ms.int32), m, s, m - s, m + s).dtype
        """,
        m=values(0.0, 5.0),
        s=values(1.0, 2.0),
    ),
    *each(
        """
        P.RaggedRange(ms.int64)(Tensor([2, 5, 8], ms.int32), Tensor([3, 5, 12], ms.int32), Tensor([1, 1, 1], ms.int32))
        P.RaggedRange(ms.int32)(Tensor([2., 5.]), Tensor([4., 1.]), Tensor([0.75, -1.5]))
        """
    ),
    Case("P.RaggedRange(ms.float32)", raises=TypeError),
    *each(
        """
        P.ResizeArea()(x, Tensor([2, 2], ms.int32))
        P.ResizeArea()(x, Tensor([5, 7], ms.int32))
        P.ResizeArea(True)(x, Tensor([2, 3], ms.int32))
        """,
        x=rand(1, 3, 4, 2),
    ),
    *each(
        "P.ResizeLinear1D()(x, (6,))\nP.ResizeLinear1D('half_pixel')(x, (6,))\nP.ResizeLinear1D('half_pixel')(x, (2,))",
        grad=True,
        x=rand(1, 2, 4),
    ),
    *each(
        """
        P.STFT(8, 4, 8, False, True, True)(x, w)
        P.STFT(8, 2, 8, True, False, False)(x, w)
        """,
        x=rand(2, 20),
        w=rand(8, low=0, high=1),
    ),
    *each(
        """
        P.ScaleAndTranslate()(x, Tensor([2, 2], ms.int32), Tensor([1.0, 1.0]), Tensor([1.0, 1.0]))
        P.ScaleAndTranslate('triangle')(x, Tensor([5, 3], ms.int32), Tensor([1.5, 0.7]), Tensor([0.2, -0.3]))
        P.ScaleAndTranslate('gaussian', False)(x, Tensor([3, 3], ms.int32), Tensor([0.5, 2.0]), Tensor([0.0, 0.0]))
        P.ScaleAndTranslate('box')(x, Tensor([3, 3], ms.int32), Tensor([0.5, 2.0]), Tensor([0.0, 0.0]))
        P.ScaleAndTranslate('keyscubic')(x, Tensor([3, 3], ms.int32), Tensor([0.9, 2.0]), Tensor([0.0, 0.5]))
        P.ScaleAndTranslate('mitchellcubic')(x, Tensor([3, 3], ms.int32), Tensor([0.9, 2.0]), Tensor([0.0, 0.5]))
        P.ScaleAndTranslate('lanczos1')(x, Tensor([3, 3], ms.int32), Tensor([0.9, 2.0]), Tensor([0.0, 0.5]))
        """,
        x=rand(1, 4, 4, 2),
        tolerance=2e-5,
    ),
    Case("P.ScaleAndTranslate('cubic')", raises=ValueError),
    Case("P.TransposeExtView()(x, 0, 2)", x=rand(2, 3, 4)),
    Case("P.TransposeExtView()(x, -1, 0)", x=rand(2, 3)),
    Case("P.TridiagonalMatMul()(u, d, l, x)", u=rand(2, 1, 3), d=rand(2, 1, 3), l=rand(2, 1, 3), x=rand(2, 3, 4)),
    Case("P.TridiagonalMatMul()(u, d, l, x)", u=rand(1, 1), d=rand(1, 1), l=rand(1, 1), x=rand(1, 4)),
    *each(
        """
        P.UpsampleNearest3D()(x, (3, 4, 6), None)
        P.UpsampleNearest3D()(x, None, (1.5, 2.0, 1.0))
        P.UpsampleTrilinear3D()(x, (3, 4, 6), None)
        P.UpsampleTrilinear3D(True)(x, (3, 4, 6), None)
        P.UpsampleTrilinear3D()(x, None, (1.5, 2.0, 1.0))
        """,
        grad=True,
        x=rand(1, 2, 2, 2, 3),
    ),
    Case("E.PadAndShift()(x, Tensor([0, 3, 5], ms.int32), 1)", x=values(9, 13, -1, -1, -1, dtype="int32")),
    Case("E.PadAndShift()(x, Tensor([0, 3, 5], ms.int32), 0)", x=values(9, 13, -1, -1, -1, dtype="int32")),
    Case("E.MapUniform()(x, 2, 4)", x=values(1, 3, 5, 8, 9, 16, dtype="int32")),
    Case("P.SelectView()(x, 1, 0)", x=rand(2, 3)),
    Case("P.SelectView()(x, 2, 1)", x=rand(2, 3)),
    Case("P.CopyWithSlice()(x, x + 1)", x=rand(2, 3)),
    Case("P.TensorDump('all')", raises=ValueError),
    Case("P.TensorDump()(1, x)", x=rand(2), raises=TypeError),
    *each(
        """
        P.SampleDistortedBoundingBoxV2(1, 1)(Tensor([20, 30, 3], ms.int32), x, Tensor([0.5]))[0].dtype
        P.SampleDistortedBoundingBoxV2(1, 1)(Tensor([20, 30, 3], ms.int64), x, Tensor([0.5]))[2].shape
        """,
        x=values([[0.1, 0.1, 0.8, 0.9]]),
    ),
    *each(
        """
        P.SampleDistortedBoundingBoxV2(max_attempts=0)
        """,
        raises=ValueError,
    ),
    *each(
        """
        P.SampleDistortedBoundingBoxV2(area_range=3)
        P.SampleDistortedBoundingBoxV2(use_image_if_no_bounding_boxes=1)
        """,
        raises=TypeError,
    ),
]
