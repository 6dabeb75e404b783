"""Reductions: values, result dtypes, axes, ties and gradients."""

from tests.oracle.case import Case, distinct, each, ints, rand, scalar, special, values, words

DTYPES = words("int8 int16 int32 int64 uint8 float16 float64")

CASES = [
    *(
        Case(expression, x=distinct(2, 3), w=values([True, False, True], [False, True, True], dtype="bool"))
        for expression in (
            "ops.max(x, 1, initial=9.0), ops.min(x, 1, initial=-9)",
            "ops.max(x, 1, initial=2.5, where=w), ops.min(x, 0, initial=2.5, where=w)",
            "ops.max(x, initial=9.0, where=w), x.max(initial=9.0), x.min(initial=-9.0, where=w)",
            "ops.amax(x, initial=9.0, where=w), ops.amin(x, 0, initial=2.5, where=w)",
            "ops.amax(x, 1, initial=Tensor(9.0))",
            "x.max(1, initial=9.0), x.min(axis=0, initial=2.5, where=w), x.max((0, 1), initial=9.0)",
            "x.max(axis=1, initial=9.0, return_indices=True)",
        )
    ),
    Case("ops.max(x, 1, initial=Tensor(3.0))", raises=TypeError, says="initial", x=distinct(2, 3)),
    Case("x.max(1, initial=Tensor(3.0))", raises=TypeError, says="initial", x=distinct(2, 3)),
    *each(
        """
        x.sum()
        x.sum(1)
        x.sum(axis=(0, 2))
        x.sum(axis=-1, keepdims=True)
        x.sum(axis=0, dtype=ms.float64)
        x.sum(initial=10)
        x.sum(None)
        x.sum(())
        ops.sum(x)
        ops.sum(x, 1)
        ops.sum(x, dim=(0, 1), keepdim=True)
        ops.reduce_sum(x, 1)
        ops.ReduceSum()(x, 1)
        ops.ReduceSum()(x)
        ops.ReduceSum(keep_dims=True)(x, (1, 2))
        ops.ReduceSum()(x, -1)
        ops.ReduceSum()(x, ())
        x.mean()
        x.mean(1)
        x.mean(axis=(0, 1))
        x.mean(axis=-1, keep_dims=True)
        x.mean((1, 2), True)
        ops.mean(x)
        ops.mean(x, 0, True)
        ops.ReduceMean()(x)
        ops.ReduceMean()(x, (0, 2))
        ops.ReduceMean(True)(x, 1)
        x.prod()
        x.prod(1)
        ops.prod(x, 2)
        ops.ReduceProd()(x, 1)
        x.max()
        x.max(1)
        x.max(axis=(0, 1))
        x.max(axis=-1, keepdims=True)
        x.max(1, keepdims=True), x.min(0, keepdims=False)
        x.max(1, True), x.min(1, initial=0.5), x.max(1, True, return_indices=True)
        x.max(axis=1, return_indices=True)
        x.min()
        x.min(0)
        x.min(axis=2, return_indices=True)
        ops.max(x)
        ops.max(x, 1)
        ops.max(x, axis=-1, keepdims=True)
        ops.min(x, 0)
        ops.amax(x)
        ops.amax(x, 1)
        ops.amin(x, (0, 1), True)
        ops.ReduceMax()(x, 1)
        ops.ReduceMax(keep_dims=True)(x, 1)
        ops.ReduceMin()(x)
        ops.ArgMaxWithValue(axis=1)(x)
        ops.ArgMaxWithValue(axis=-1, keep_dims=True)(x)
        ops.ArgMinWithValue(axis=1)(x)
        x.std()
        x.std(1)
        x.var()
        x.var(axis=(0, 1))
        x.var(1, ddof=1)
        x.std(axis=0, ddof=1, keepdims=True)
        ops.std(x)
        ops.std(x, 1)
        ops.var(x, 0)
        ops.var(x, ddof=1)
        ops.std_mean(x, 1)
        ops.var_mean(x, 1)
        ops.norm(x)
        ops.norm(x, dim=1)
        ops.norm(x, ord=1, dim=2)
        ops.norm(x, ord=float('inf'), dim=0)
        x.norm()
        ops.logsumexp(x, 1)
        ops.logsumexp(x, (0, 1), True)
        x.logsumexp(2)
        ops.cumsum(x, 0)
        ops.cumsum(x, -1)
        x.cumsum(1)
        x.cumsum()
        ops.CumSum()(x, 1)
        ops.CumSum(True)(x, 1)
        ops.CumSum(False, True)(x, 1)
        ops.cumprod(x, 1)
        ops.CumProd()(x, 1)
        ops.logcumsumexp(x, 1)
        ops.median(x, 2)
        x.median(1)
        ops.nansum(x, 1)
        ops.aminmax(x, axis=1)
        ops.trace(x[0])
        x[0].trace()
        ops.L2Normalize(1)(x)
        ops.square(x).sum().sqrt()
        ops.reduce_mean(x, 0)
        ops.LpNorm(1, 2)(x)
        ops.cosine_similarity(x, x + 1, dim=2)
        ops.cdist(x, x + 1)
        ops.dist(x, x + 1)
    """,
        x=rand(2, 3, 4),
        grad=True,
    ),
    *[Case("x.sum(), x.sum(0), x.prod(), ops.ReduceSum()(x, 1)", x=ints(2, 3, dtype=d, low=0)) for d in DTYPES],
    *[Case("x.mean(), ops.mean(x, 1)", x=ints(2, 3, dtype=d, low=0)) for d in DTYPES],
    *[Case("x.max(), x.min(), x.max(1), ops.max(x, 1)", x=distinct(2, 3, dtype=d)) for d in DTYPES],
    *[Case("x.argmax(), x.argmin(), x.argmax(1), ops.argmin(x, 1)", x=distinct(2, 3, dtype=d)) for d in DTYPES],
    *[Case("ops.cumsum(x, 0), x.cumsum(1)", x=ints(2, 3, dtype=d, low=0)) for d in DTYPES],
    *each(
        """
        x.argmax()
        x.argmax(0)
        x.argmax(axis=1, keepdims=True)
        x.argmin(axis=-1)
        ops.argmax(x)
        ops.argmax(x, 1)
        ops.argmax(x, -1, True)
        ops.argmin(x)
        ops.argmin(x, 0)
        ops.argmin(x, 1, True)
        ops.Argmax()(x)
        ops.Argmax(axis=0)(x)
        ops.Argmax(axis=1, output_type=ms.int32)(x)
        ops.Argmin(axis=1)(x)
        ops.max(x, 1)[1].dtype, ops.min(x, 1)[1].dtype, ops.ArgMaxWithValue(1)(x)[0].dtype
        x.max(axis=1).dtype, x.max().dtype
        x.all(), x.any()
        x.ptp(), x.ptp(0)
        ops.count_nonzero(x), ops.count_nonzero(x, 1)
        ops.argsort(x)
        ops.median(x)
        x.median()
    """,
        x=distinct(3, 4),
    ),
    Case("x.max(), x.argmax(), ops.max(x), x.argmin()", x=values(2, 7, 7, 2)),
    Case("x.max()", x=values(2, 7, 7, 2), grad=True),
    Case("x.max(1)", x=values([2, 7, 7], [1, 1, 1]), grad=True),
    Case("ops.ReduceMax()(x, 1)", x=values([2, 7, 7], [1, 1, 1]), grad=True),
    Case("x.min()", x=values(2, 7, 7, 2), grad=True),
    Case("x.prod()", x=values(0, 2, 3), grad=True),
    *each(
        """
        x.sum()
        x.mean()
        x.max()
        ops.ReduceSum()(x)
        x.std()
        x.argmax()
    """,
        x=scalar(2.5),
    ),
    # Left out: sums of no elements (garbage on CPU), NaN in max and argmax (devices disagree), deviations of ints (from
    # a truncated mean), any() along an axis of numbers (wrong).
    Case("x.sum(1)", x=rand(0, 3)),
    Case("x.sum()", x=special()),
    Case("x.sum()", x=values(*([0.1] * 50), dtype="float16")),
    *each(
        """
        x.sum(5)
        x.mean(3)
        x.max(2)
        x.sum(-3)
        ops.ReduceSum()(x, 2)
        ops.argmax(x, 2)
    """,
        x=rand(2, 3),
        raises=ValueError,
        says="axis",
    ),
    *each(
        """
        mint.sum(x)
        mint.sum(x, 1)
        mint.mean(x, 0)
        mint.max(x)
        mint.min(x)
    """,
        x=rand(2, 3),
    ),
]

CASES += each("""
    ops.bincount(Tensor(np.array([1, 0, 1], np.uint16)))
    ops.bincount(Tensor(np.array([1, 0, 1], np.int8)))
""")
