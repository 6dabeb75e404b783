"""Orders and shapes that do not fit: quantiles beyond one, transposes of more than two axes."""

from mindspore import Tensor, mint, ops  # noqa: F401  # the expressions name them

from tests.oracle.case import arange, each

CASES = [
    *each(
        """
        ops.t(x)
        mint.t(x)
        x.t()
        ops.t(x[0])
        ops.t(x[0, 0])
        """,
        x=arange(2, 3, 4),
    ),
    *each(
        """
        ops.quantile(x, 1.3)
        ops.quantile(x, -0.5)
        ops.nanquantile(x, 1.3)
        x.quantile(1.3)
        """,
        raises=ValueError,
        x=arange(5),
    ),
]
