"""Generated primitives that have no other face, as far as MindSpore computes them on a CPU."""

from mindspore.ops import auto_generate

from tests.oracle.case import Case, each, rand, values

gen = auto_generate

X = values([0.5, -1.5, 0.25], [1.0, 0.75, -0.5])
Y = values([1.5, 0.5, 2.0], [-1.0, 3.0, 0.5])
SQUARE = values([2.0, -1.0, 0.5], [0.5, 1.5, -0.25], [1.0, 0.25, -3.0])
TALL = values([2.0, -1.0], [0.5, 1.5], [1.0, 0.25])
LINE = values(0.5, -1.0, 2.0, 0.25, 1.5)
SHORT, EVEN = values(1.0, -2.0, 0.5), values(1.0, -2.0, 0.5, 3.0)

CASES = [
    *each(
        """
        gen.CdistGrad()(ops.matmul(x, x.T), x, y, ops.cdist(x, y))
        gen.CdistGrad(1.0)(ops.matmul(x, x.T), x, y, ops.cdist(x, y, 1.0))
        gen.CdistGrad(p=3.0)(ops.matmul(x, x.T), x, y, ops.cdist(x, y, 3.0))
        gen.DCT()(x)
        gen.DCT()(x, 2, 4, 0, "ortho")
        gen.IDCT()(x)
        gen.DCTN()(x)
        gen.IDCTN()(x, 2, (2, 2))
        gen.FFTShapeCopy()(ops.cast(x, ms.complex64), (2, 4))
        gen.FFTShapeCopy()(ops.cast(x, ms.complex64), (1, 3))
        gen.ToDevice()(x)
        gen.TensorCopySlices()(x, y[:1], (1, 0), (2, 3), (1, 1))
        gen.batch_norm_(x, y[0], y[1], y[0], ops.abs(y[1]))[0]
        gen.transpose_view(x, (1, 0))
        gen.ScalarAdd()(1, 2)
        gen.ScalarBool()(0)
        gen.ScalarUsub()(2.5)
        gen.scalar_bool(1)
        """,
        x=X,
        y=Y,
    ),
    *each(
        """
        gen.TraceV2()(x)
        gen.TraceV2()(x, 1)
        gen.TraceV2()(x, -1, 0, 1)
        gen.TraceV2()(ops.cast(x, ms.int32))
        gen.TraceV2()(x, 0, 1, 0, ms.float64)
        gen.TraceV2Grad()(x[0, 0], Tensor([2, 3]))
        gen.TraceV2Grad()(x[0, 0], Tensor([3, 3]), 1)
        gen.SolveTriangular()(x, x)
        gen.SolveTriangular()(x, x, 1, True)
        gen.SolveTriangular()(x, x, 0, True, True)
        gen.solve_triangular(x, x[0])
        """,
        x=SQUARE,
    ),
    *each(
        """
        gen.LstsqV2()(a, a)[0]
        gen.LstsqV2()(a, a[:, 0])[0]
        gen.LstsqV2()(a, a, "gelsd")
        gen.LstsqV2()(a, a, "gels")
        gen.LstsqV2Grad()(a[:2], a, a + 1)
        """,
        a=TALL,
    ),
    *each(
        """
        gen.Correlate()(a, v)
        gen.Correlate("full")(a, v)
        gen.Correlate("same")(a, v)
        gen.Correlate("same")(v, a)
        gen.Correlate("full")(v, a)
        gen.Correlate("valid")(v, a)
        gen.Correlate("same")(a, w)
        gen.Correlate("same")(w, a)
        gen.Correlate("same")(w, w)
        gen.Correlate("same")(ops.cast(a, ms.int32), ops.cast(w, ms.int32))
        gen.correlate(ops.cast(a, ms.int64), ops.cast(w, ms.int64), "full")
        gen.correlate(ops.cast(a, ms.float16), ops.cast(w, ms.float16), "full")
        """,
        a=LINE,
        v=SHORT,
        w=EVEN,
    ),
    *each(
        """
        gen.UpsampleNearest1D()(x[0], (7,))
        gen.UpsampleNearest1D()(x[0], None, (1.5,))
        gen.UpsampleNearest1DGrad()(x[0], (2, 3, 2), (4,))
        gen.UpsampleNearest2D()(x, (5, 3))
        gen.UpsampleNearest2D()(x, None, (2.0, 1.5))
        gen.UpsampleNearest2DGrad()(x, (1, 2, 2, 3), (3, 4))
        gen.UpsampleNearest2DGrad()(x, (1, 2, 2, 3), None, (1.5, 1.4))
        gen.GroupNorm()(x, 1, Tensor([1.0, 2.0], ms.float32), Tensor([0.5, 0.0], ms.float32))
        gen.GroupNormGrad()(x * x, x, ops.mean(x, (2, 3)), ops.mean(x * x, (2, 3)), ops.ones(2), 2)
        """,
        x=rand(1, 2, 3, 4),
    ),
    Case("gen.UpsampleNearest2D()(x, (4, 4))", x=rand(1, 2, 3, 4), grad=True),
    Case("gen.correlate(a, v, 'nothing')", a=LINE, v=SHORT, raises=ValueError),
]
