"""Primitives of the modules below mindspore.ops.operations that it does not list itself."""

from mindspore.ops.operations import _sparse_grad_ops, array_ops, image_ops, linalg_ops, math_ops, nn_ops  # noqa: F401

from tests.oracle.case import Case, each, ints, rand, scalar, values

BOXES = {"x": rand(1, 4, 4, 2), "d": rand(2, 2, 2, 2), "b": rand(2, 4, low=0, high=1), "i": values(0, 0, dtype="int32")}
BANDS = {"a": rand(3, 4, low=1, high=2), "b": rand(4, 2)}

CASES = [
    *each("math_ops.AddV2()(x, x)\nmath_ops.AddV2()(x[0], x[0])", x=rand(2, 3)),
    Case("math_ops.AddV2()(x, x[0])", x=rand(2, 3), raises=ValueError),
    Case("array_ops.RangeV2()(a, b, c)", a=scalar(0.0), b=scalar(5.0), c=scalar(2.0)),
    *each(
        "array_ops.RangeV2()(a, b, c)\narray_ops.RangeV2(3)(a, b, c)",
        a=scalar(0, "int64"),
        b=scalar(9, "int64"),
        c=scalar(2, "int64"),
    ),
    Case("array_ops.RangeV2(0)", raises=ValueError, says="maxlen"),
    *each(
        """
        linalg_ops.Eigh(False)(x @ x.T)
        linalg_ops.Eigh(False, False)(x @ x.T)
        linalg_ops.Eigh()(x @ x.T)[0]
        math_ops.SelfAdjointEig()(x @ x.T)[0]
        math_ops.SelfAdjointEig()(x @ x.T)[1].abs()
        """,
        x=rand(3, 3),
        tolerance=1e-4,
    ),
    Case("linalg_ops.Eigh(1)", raises=TypeError),
    Case("math_ops.SelfAdjointEig()(x @ x.T)[0]", x=rand(2, 2), tolerance=1e-4),
    *each(
        """
        math_ops.TridiagonalSolve()(Tensor([[0.5, 1, -1, 0], [3, 4, 5, 4], [0, 1, 0.5, 1]], ms.float32), b)
        math_ops.TridiagonalSolve(False)(Tensor([[1.5, 1, -1, 0], [3, 4, 5, 4], [0, 2, 0.5, 1]], ms.float32), b)
        """,
        **BANDS,
        tolerance=1e-5,
    ),
    *each(
        """
        nn_ops.SparseSoftmaxCrossEntropyWithLogitsV2()(x, t)
        nn_ops.SparseSoftmaxCrossEntropyWithLogitsV2()(x * 3, t)
        """,
        x=rand(2, 3),
        t=values(0, 2, dtype="int32"),
    ),
    *each("nn_ops.ReLUV3()(x)\nnn_ops.ReLUV3()(x[:1])", x=rand(2, 3)),
    *each(
        "image_ops.AdjustContrastv2()(x, f)\nimage_ops.AdjustContrastv2()(x[0], f)", x=rand(2, 2, 3, 3), f=scalar(2.0)
    ),
    *each(
        """
        image_ops.CropAndResizeGradBoxes()(d, x, b, i)
        image_ops.CropAndResizeGradImage(ms.float32)(d, b, i, Tensor([1, 4, 4, 2], ms.int32))
        image_ops.CropAndResizeGradImage(ms.float32, 'nearest')(d, b, i, Tensor([1, 4, 4, 2], ms.int32))
        """,
        **BOXES,
        tolerance=1e-4,
    ),
    *each("image_ops.CropAndResizeGradBoxes()(d[:1], x, b[:1], i[:1])", **BOXES, tolerance=1e-4),
    *each(
        """
        array_ops.ConcatOffsetV1()(Tensor(0, ms.int32), (s, s))
        array_ops.ConcatOffsetV1()(Tensor(1, ms.int32), (s, s, s))
        """,
        s=ints(2, low=1, high=5),
    ),
    *each(
        """
        math_ops.SparseSegmentMean()(x, i, s)
        math_ops.SparseSegmentMean()(x[:, :1], i, s)
        """,
        x=rand(4, 3),
        i=values(0, 2, 1, dtype="int32"),
        s=values(0, 0, 1, dtype="int32"),
    ),
    *each(
        "(nn_ops.InstanceNormV2()(x, g, b, m, v), m, v)\nnn_ops.InstanceNormV2(False)(x, g, b, m, v)",
        x=rand(2, 1, 2, 2, 16),
        g=rand(2, 1, 1, 1, 16),
        b=rand(2, 1, 1, 1, 16),
        m=rand(2, 1, 1, 1, 16),
        v=rand(2, 1, 1, 1, 16, low=1, high=2),
        tolerance=1e-4,
    ),
    Case("repr(nn_ops.BasicLSTMCell())"),
    Case("math_ops.Lu()", raises=TypeError),
    *each(
        """
        image_ops.ResizeV2()(x, r, r, Tensor([1, 2, 1, 9]))
        image_ops.ResizeV2()(x, r, r, Tensor([1, 2, 1, 3]))
        image_ops.ResizeV2('half_pixel', 'linear')(x, r, r, Tensor([1, 2, 1, 9]))
        image_ops.ResizeV2('align_corners', 'linear')(x, r, r, Tensor([1, 2, 1, 3]))
        image_ops.ResizeV2('half_pixel', 'cubic')(x, r, r, Tensor([1, 2, 1, 9]))
        image_ops.ResizeV2('align_corners', 'cubic')(x, r, r, Tensor([1, 2, 1, 3]))
        """,
        x=rand(1, 2, 1, 4),
        r=values(0.0),
        tolerance=1e-5,
    ),
    *each(
        """
        image_ops.ResizeV2('half_pixel', 'cubic')(x, r, r, Tensor([1, 1, 3, 6]))
        image_ops.ResizeV2('align_corners', 'cubic')(x, r, r, Tensor([1, 1, 7, 2]))
        """,
        x=rand(1, 1, 4, 4),
        r=values(0.0),
        tolerance=1e-5,
    ),
    *each(
        """
        image_ops.ResizeV2('align_corners')(x, r, r, Tensor([1, 2, 1, 9]))
        image_ops.ResizeV2()(x, r, r, Tensor([1, 2, 2, 3]))
        image_ops.ResizeV2()(x, r, r, Tensor([2, 1, 1, 3]))
        image_ops.ResizeV2()(x, r, r, Tensor([1, 2, 3]))
        image_ops.ResizeV2('half')
        image_ops.ResizeV2('half_pixel', 'a')
        """,
        x=rand(1, 2, 1, 4),
        r=values(0.0),
        raises=ValueError,
    ),
    Case("image_ops.ResizeV2(3)", raises=TypeError),
    *each("repr(P.BasicLSTMCell())\nrepr(P.BasicLSTMCell(1.0, 0.5))"),
    Case("P.BasicLSTMCell('a')", raises=TypeError),
    Case("P.RNNTLoss('a')", raises=TypeError),
    Case("repr(P.RNNTLoss(2))"),
    Case("nn_ops.FusedBatchNorm()", raises=TypeError),
    Case("nn_ops.FusedBatchNormEx()", raises=TypeError),
]
