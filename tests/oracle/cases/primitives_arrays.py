"""Primitives on arrays: matrices, segments, windows, blocks, sparse coordinates, ranges, casts."""

import mindspore as ms  # noqa: F401  used by the expressions
from mindspore import Tensor
from mindspore.ops import operations as P  # noqa: F401

from tests.oracle.case import Case, arange, bools, distinct, each, ints, rand, scalar, values, words

SQUARE = values([4.0, 1.0, 0.5], [1.0, 3.0, -0.25], [0.5, -0.25, 2.0])
SQUARE64 = values([[4.0, 1.0], [1.0, 3.0]], [[2.0, -0.5], [-0.5, 1.0]], dtype="float64")
LOWER = values([2.0, 0.0, 0.0], [0.5, 1.5, 0.0], [-1.0, 0.25, 1.0])
SEGMENTS = words("SegmentMax SegmentMean SegmentMin SegmentProd SegmentSum")


def twice(gradient: Tensor) -> Tensor:
    return gradient * 2


CASES = [
    *each(
        """
        P.MatrixInverse(adjoint=True)(x)
        P.MatrixPower(2)(x)
        P.MatrixPower(-1)(x)
        P.LogMatrixDeterminant()(x)
        P.Geqrf()(x)
        P.Qr()(x)[1].abs()
        """,
        x=SQUARE,
    ),
    Case("P.Cholesky()(x)", x=SQUARE),
    *each("P.MatrixInverse()(x)\nP.LogMatrixDeterminant()(x)[1]", grad=True, tolerance=1e-4, x=SQUARE),
    *each(
        """
        P.Cholesky()(x)
        P.MatrixPower(n=0)(x)
        P.LogMatrixDeterminant()(x)
        P.Geqrf()(x)
        P.Qr(full_matrices=True)(x)[1].abs()
        P.Eig()(x)[0].real().sort()[0].astype(ms.float16)
        """,
        x=SQUARE64,
    ),
    Case("P.Eig(compute_v=False)(x)[0]", x=LOWER),
    Case("P.MatrixPower(-1)(x)", x=rand(2, 3), raises=ValueError),
    *each("P.CholeskyInverse()(x)\nP.CholeskySolve()(y, x)\nP.CholeskySolve(True)(y, x.T)", x=LOWER, y=rand(3, 2)),
    Case("P.CholeskyInverse(upper=True)(x.T)", x=LOWER),
    Case("P.CholeskySolve()(x, x)", x=rand(3), raises=ValueError),
    *each(
        """
        P.MatrixSolve()(x, y)
        P.MatrixSolve(adjoint=True)(x, y)
        P.MatrixTriangularSolve(lower=False, adjoint=True)(x, y)
        P.Lstsq()(x, y)
        P.LuSolve()(y, x, Tensor([1, 2, 3], ms.int32))
        """,
        x=LOWER,
        y=rand(3, 2),
    ),
    Case("P.MatrixSolve()(x, y)", x=SQUARE64, y=rand(2, 2, 1, dtype="float64")),
    Case("P.MatrixTriangularSolve()(x, y)", grad=True, x=LOWER, y=rand(3, 2)),
    Case("P.Lstsq(True)(x, y)", x=rand(5, 2), y=rand(5, 1)),
    Case("P.LuSolve()(y, x, Tensor([2, 2, 3], ms.int32))", x=LOWER, y=rand(3, 1)),
    *each(
        """
        P.LuUnpack()(x, Tensor([1, 2, 3], ms.int32))
        P.LuUnpack(True, False)(x, Tensor([2, 3, 3], ms.int32))[2]
        """,
        x=rand(3, 3),
    ),
    *each(
        """
        P.Orgqr()(x, y)
        """,
        x=rand(3, 3, low=0, high=1),
        y=rand(3, low=0, high=1),
        z=rand(3, 3),
    ),
    Case("P.Orgqr()(x, y)", x=rand(4, 2, low=0, high=1, dtype="float64"), y=rand(2, low=0, high=1, dtype="float64")),
    *each(
        """
        P.MatrixBandPart()(x, 1, 0)
        P.MatrixBandPart()(x, -1, 1)
        P.MatrixDiagV3()(x, Tensor(0, ms.int32), Tensor(3, ms.int32), Tensor(4, ms.int32), Tensor(0.0))
        P.MatrixDiagV3('LEFT_RIGHT')(x, Tensor(1, ms.int32), Tensor(-1, ms.int32), Tensor(-1, ms.int32), Tensor(9.0))
        P.MatrixDiagPartV3()(x, Tensor([-1, 1], ms.int32), Tensor(0.0))
        P.MatrixDiagPartV3('LEFT_LEFT')(x, Tensor([0, 1], ms.int32), Tensor(7.0))
        P.MatrixSetDiagV3()(x, x[:, 0], Tensor(0, ms.int32))
        P.MatrixSetDiagV3('RIGHT_LEFT')(x, x[:2, :3], Tensor([0, 1], ms.int32))
        """,
        x=rand(3, 3),
    ),
    *[Case(f"P.{name}()(x, i)", x=rand(4, 2), i=values(0, 0, 2, 3, dtype="int32")) for name in SEGMENTS],
    *[Case(f"P.{name}()(x, i)", x=ints(3, 2, dtype="int64"), i=values(0, 1, 1, dtype="int64")) for name in SEGMENTS],
    *[
        Case(f"P.UnsortedSegment{name}()(x, i, 3)", grad=True, x=distinct(4, 2), i=values(1, 0, 1, 2, dtype="int32"))
        for name in words("Max Min Prod")
    ],
    *[
        Case(f"P.UnsortedSegment{name}()(x, i, 4)", x=ints(3, 2), i=values(1, 0, 1, dtype="int32"))
        for name in words("Max Min Prod")
    ],
    *each(
        """
        P.BartlettWindow()(n)
        P.BartlettWindow(False, ms.float64)(n)
        P.BlackmanWindow()(n)
        P.BlackmanWindow(periodic=False, dtype=ms.float16)(n)
        P.HammingWindow()(n.reshape(1))
        P.HammingWindow(False, 0.5, 0.4, dtype=ms.float32)(n.reshape(1))
        """,
        n=scalar(6, dtype="int32"),
    ),
    *each(
        """
        P.BatchToSpaceND([2, 2], [[0, 0], [0, 1]])(x)
        P.BatchToSpaceND((1, 2), [[0, 0], [0, 0]])(x)
        P.SpaceToBatchND([2, 2], [[0, 0], [2, 0]])(x)
        P.SpaceToDepth(2)(x)
        P.DepthToSpace(2)(x)
        """,
        grad=True,
        x=rand(4, 4, 2, 2),
    ),
    Case("P.SpaceToDepth(1)(x)", x=rand(1, 1, 2, 2), raises=ValueError),
    Case("P.BatchToSpace(1, [[0, 0], [0, 0]])(x)", x=rand(4, 1, 2, 2), raises=ValueError),
    *each("P.ChannelShuffle(2)(x)\nP.ChannelShuffle(group=4)(x)", x=arange(1, 4, 2, 1)),
    Case("P.ChannelShuffle(3)(x)", x=arange(1, 4, 2, 1), raises=ValueError),
    Case(
        "P.Coalesce()(i, x, Tensor([3, 3], ms.int64))",
        i=values([0, 0, 1], [1, 1, 2], dtype="int64"),
        x=values(1.0, 5.0, 4.0),
    ),
    Case(
        "P.Coalesce()(i, x, Tensor([2, 2], ms.int64))",
        i=values([1, 0, 1], [1, 0, 1], dtype="int64"),
        x=values(1.0, 5.0, 4.0, dtype="float64"),
    ),
    *each("P.CopyWithSlice()(x, y)\nP.CopyWithSlice()(x[1:], y[:1])", x=rand(2, 3), y=rand(2, 3)),
    *each("P.DiagPart()(x)\nP.TransposeView()(x, (1, 0))\nP.TransposeView()(x, (0, 1))", x=rand(3, 3)),
    Case("P.DiagPart()(x)", x=rand(2, 3, 2, 3)),
    Case("P.TensorShape()(x)", x=rand(2, 3)),
    Case("P.TensorShape()(x)", x=rand(2, 1, 0)),
    Case("P.Expand()(x, Tensor([3, 2], ms.int32))", x=rand(1, 2)),
    Case("P.Expand()(x, Tensor([2, -1, 3], ms.int64))", x=rand(2, 3)),
    Case("P.FillV2()(Tensor([2, 3], ms.int32), Tensor(1.5))"),
    Case("P.FillV2()((2,), Tensor(7, ms.int64))"),
    *each(
        """
        P.Pack(axis=1)((x, x + 1))
        P.Pack()([x, x])
        P.Unpack(axis=1)(x)
        P.Unpack()(x)
        P.ParallelConcat()((x[:1], x[1:]))
        P.ParallelConcat()([x[:1]])
        P.Padding(4)(x[:, :1])
        P.PadV3('constant')(x, (1, 2, 0, 1), Tensor(9.0))
        P.PadV3('reflect')(x[None], (1, 1))
        P.PadV3(mode='edge')(x[None], (1, 2))
        P.Im2Col((2, 2))(x[None, None])
        P.Im2Col(2, strides=1, dilations=1, pads=1)(x[None, None])
        P.UniqueWithPad()(x[0], 0.0)
        P.IsClose()(x, x)
        """,
        x=rand(2, 3),
    ),
    Case("P.Col2Im([2, 2], [1, 1], [0, 0], [1, 1])(x, Tensor([3, 3], ms.int32))", x=rand(1, 2, 4, 4), grad=True),
    Case("P.Col2Im([2, 2], stride=2)(x, Tensor([4, 4], ms.int32))", x=rand(1, 1, 4, 4)),
    Case("P.ListDiff()(x, y)", x=values(1, 2, 3, 4, 2, dtype="int32"), y=values(1, 4, dtype="int32")),
    Case("P.ListDiff(out_idx=ms.int64)(x, y)", x=values(1.0, 2.0, 3.0), y=values(3.0)),
    Case("P.LogSpace(5, 2)(Tensor(0.0), Tensor(4.0))"),
    Case("P.LogSpace(steps=3, base=10)(Tensor(-1.0), Tensor(1.0))"),
    Case("P.LogSpace(-1)(Tensor(0.0), Tensor(4.0))", raises=ValueError),
    Case("P.Range()(5, 0, -2)"),
    Case("P.Range()(0.0, 1.0, 0.25)"),
    Case("P.ScalarCast()(255.0, ms.int64)"),
    Case("P.ScalarCast()(1, ms.float64)"),
    Case("P.ScalarCast()(1.5, ms.bool)"),
    Case("P.SplitV([1, 1], 0, 2)(x)", x=rand(3, 2), raises=ValueError),
    Case("P.TriuIndices(3, 4, 1)()"),
    Case("P.TriuIndices(2, 2, -1, ms.int64)()"),
    *each(
        """
        P.UniqueConsecutive()(x)[0]
        P.UniqueConsecutive(True, True, None)(x)
        P.UniqueConsecutive(return_counts=True, dim=0)(x)
        """,
        x=values(1, 1, 2, 2, 3, 1, 1, dtype="int32"),
    ),
    Case("P.UniqueWithPad()(x, -1)", x=values(1, 1, 2, 2, 3, 1, dtype="int32")),
    Case("P.Partial()(P.Add(), x)(x)", x=rand(2)),
    Case("P.Partial()(max, 3)(2)"),
    Case("P.Load()(x + 1, x)", x=rand(2)),
    Case("P.Load()(x, x)", x=rand(2)),
    Case("P.Assert()(False, [x, x])", x=rand(2), raises=RuntimeError),
    Case("P.Assert(3)(Tensor([False]), [x])", x=rand(2), raises=RuntimeError),
    Case("P.Print()('a', x)", x=rand(2)),
    Case("P.Print()(x, (x, x))", x=bools(2)),
    Case("P.PyFunc(len, [ms.int64], [()], [ms.int64], [()]) is not None"),
    Case("P.Reusing()(x)", x=rand(2)),
    Case("P.DumpGradient()('a', x, 'in')", x=rand(2)),
    Case("P.InsertGradientOf(twice)(x) * 1", grad=True, x=rand(3)),
    Case("P.InsertGradientOf(twice)(x * x)", grad=True, x=rand(2)),
    Case("P.TensorSummary()('t', x)", x=rand(2)),
    Case("P.HistogramSummary()('h', x)", x=rand(2)),
    Case("P.HistogramSummary()('h', x)", x=ints(2)),
    Case("P.TensorSummary()('t', x)", x=ints(2)),
    Case("P.ForiLoop()(0, 4, lambda i, v: v + i, x)", x=rand(2)),
    Case("P.ForiLoop()(2, 3, lambda i, v: v * i, 5)"),
    Case("P.WhileLoop()(lambda v: v < 10, lambda v: v * 2, 3)"),
    Case("P.WhileLoop()(lambda v: v.sum() < 10, lambda v: v * 2 + 1, x)", x=rand(2, low=1)),
    Case("P.Scan()(lambda c, v: (c + v, c * v), 1, [1, 2, 3])"),
    Case("P.Scan()(lambda c, v: (c + v, c), x, [x, x])", x=rand(2)),
    *each("P.ReduceOp.SUM\nP.ReduceOp.MAX\nP.ReduceOp.MIN\nP.ReduceOp.PROD"),
    Case("type(P.UpdateState()).__name__"),
    Case("P.UpdateState().name"),
    Case("P.MapUniform()(x, 3, 4)", x=values(1, 3, 5, 8, 9, 16, dtype="int32")),
]
