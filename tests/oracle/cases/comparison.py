"""Comparisons, logic and what decides between values."""

from tests.oracle.case import Case, bools, each, ints, rand, special, values, words

NAMES = words("equal not_equal less less_equal greater greater_equal")
SHORT = words("eq ne lt le gt ge")
PRIMITIVES = words("Equal NotEqual Less LessEqual Greater GreaterEqual")

CASES = [
    *[Case(f"ops.{name}(x, y)", x=ints(2, 3), y=ints(3)) for name in (*NAMES, *SHORT)],
    *[Case(f"ops.{name}()(x, y)", x=ints(2, 3), y=ints(2, 3)) for name in PRIMITIVES],
    *[Case(f"ops.{name}(x, 1)", x=rand(4)) for name in NAMES],
    *[
        Case(f"x.{name}(y)", x=ints(4), y=ints(4))
        for name in ("equal", "ne", "less", "greater", "ge", "lt", "le", "gt")
    ],
    *[Case(f"x {sign} 1.0", x=special()) for sign in ("==", "!=", "<", ">=")],
    *[Case(f"x {sign} 0", x=special()) for sign in ("==", "!=", "<", "<=", ">", ">=")],
    *each(
        """
        ops.logical_and(x, y)
        ops.logical_or(x, y)
        ops.logical_xor(x, y)
        ops.logical_not(x)
        ops.LogicalAnd()(x, y)
        ops.LogicalOr()(x, y)
        ops.LogicalNot()(x)
        x & y
        x | y
        x ^ y
        ~x
        x.logical_and(y)
        x.logical_not()
        x == y
        ops.where(x, 1.0, 2.0)
        ops.select(x, ops.ones((2, 3)), ops.zeros((2, 3)))
        ops.Select()(x, ops.ones((2, 3)), ops.zeros((2, 3)))
        x.all(), x.any(), y.all(axis=0), y.any(1)
        ops.all(x, 1), ops.any(x, 0), ops.all(x), ops.any(x, keep_dims=True)
        ops.ReduceAll()(x, 1), ops.ReduceAny(keep_dims=True)(x, 0)
        x.sum(), x.astype(ms.int32).sum()
        ops.nonzero(x)
    """,
        x=bools(2, 3),
        y=bools(2, 3),
    ),
    *each(
        """
        ops.where(x > 0, x, y)
        ops.where(x > 0, x, 0.0)
        ops.where(x > y, 1.5, y)
        ops.select(x > 0, x, y)
        ops.select(x > 0, 1.0, y)
        ops.Select()(x > 0, x, y)
        x.where(x > 0, y)
        ops.masked_fill(x, x > 0, 0.0)
        ops.masked_fill(x, x > 0, Tensor(9.0))
        x.masked_fill(x < 0, -1.0)
        ops.masked_select(x, x > 0)
        x.masked_select(x > y)
        ops.maximum(x, y)
        ops.minimum(x, y)
        ops.Maximum()(x, y)
        ops.Minimum()(x, y)
        ops.relu(x - y)
        ops.fmax(x, y)
    """,
        x=rand(2, 3),
        y=rand(2, 3),
        grad=True,
    ),
    *each(
        """
        ops.isclose(x, x + 1e-9)
        ops.isclose(x, x + 0.1)
        ops.isclose(x, x + 0.1, rtol=1.0)
        ops.approximate_equal(x, x + 1e-7)
        ops.equal(x, x).all()
        ops.isreal(x)
        ops.is_floating_point(x)
        ops.is_nonzero(x[0, 0])
        ops.IsFinite()(x)
        ops.isfinite(x).all()
        ops.not_equal(x, x.copy())
        ops.ApproximateEqual(2.0)(x, x + 1)
        ms.amp.all_finite([x])
        ms.amp.all_finite([x, x / 0])
    """,
        x=rand(2, 3),
    ),
    *each(
        """
        ops.isclose(x, x)
        ops.isclose(x, x, equal_nan=True)
        ops.maximum(x, x * 0 + 1)
        ops.minimum(x, x * 0 + 1)
        ops.where(ops.isnan(x), ops.zeros_like(x), x)
        ops.ne(x, x)
    """,
        x=special(),
    ),
    Case("ops.intopk(y, x, 2)", x=ints(3, low=0, high=4), y=rand(3, 4)),
    Case("ops.nonzero(x > 0)", x=ints(3, 3)),
    Case("ops.nonzero(x)", x=values(0, 1.5, 0, 2)),
    Case("x.nonzero()", x=ints(2, 2)),
    Case("ops.argwhere(x)", x=ints(2, 3)),
]
