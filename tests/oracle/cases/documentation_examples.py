"""Forms that the examples of MindSpore's documentation show, and few scripts use."""

import mindspore as ms  # noqa: F401  used by the expressions
from mindspore.ops import operations as P  # noqa: F401

from tests.oracle.case import Case, arange, each, ints, rand, values

SQUARES = {"m": rand(3, 3), "x": rand(3, 3), "y": rand(3, 3)}

CASES = [
    *each(
        """
        ops.addbmm(m, x, y)
        ops.addbmm(m, x, y, beta=0.5, alpha=2)
        ops.addbmm(m, x[None], y[None])
        ops.baddbmm(m, x, y)
        ops.baddbmm(m, x[None], y[None], 0.5, 2)
        """,
        grad=True,
        **SQUARES,
    ),
    *each(
        """
        ops.vecdot(x, y)
        ops.vecdot(x, y, axis=0)
        """,
        x=ints(3, 2, dtype="int64"),
        y=ints(3, 2, dtype="int64"),
    ),
    Case("ops.vecdot(x, x)", x=ints(2, 3)),
    *each(
        """
        ops.avg_pool3d(x, kernel_size=2, stride=1)
        P.AvgPool3D(2, 1, 'same')(x)
        """,
        x=arange(1, 2, 2, 2, 3, dtype="float16"),
    ),
    *each(
        """
        P.ROIAlign(2, 2, 0.5, 2)(x, b)
        P.ROIAlign(2, 2, 0.5, 2, 0)(x, b)
        P.ROIAlign(2, 2, 1.0, 1, 1)(x, b)
        """,
        x=values([[[1, 2], [3, 4]]]),
        b=values([0, 0.2, 0.3, 0.2, 0.3], [0, 0.2, 0.3, 1.5, 1.9]),
    ),
    *each(
        """
        ops.gather(x, Tensor([0, 2, 1], ms.int32), 1, 1)
        ops.gather(x, Tensor([[0, 2], [1, 1], [3, 0]], ms.int32), 1, 1)
        x.gather(Tensor([0, 2, 1], ms.int32), 1, 1)
        P.Gather(1)(x, Tensor([0, 2, 1], ms.int32), 1)
        """,
        grad=True,
        x=rand(3, 4),
    ),
    Case("ops.gather(x, Tensor([0, 2, 1], ms.int32), 0, 2)", x=rand(4), raises=ValueError),
    *each(
        """
        x.view(ms.int32)
        x.view(ms.float64)
        x.view(dtype=ms.float16)
        x.view((4, 1))
        x.view(ms.float64).view(ms.float32)
        """,
        x=rand(2, 2),
    ),
    Case("x.view(ms.float64)", x=rand(3), raises=ValueError),
    Case("Tensor([[1, 2], [3, 4]], ms.int64).view(ms.int32)"),
    *each(
        """
        x.choose([[0, 1, 2, 3], [10, 11, 12, 13], [20, 21, 22, 23], [30, 31, 32, 33]])
        x.choose([Tensor([0, 1, 2, 3]), Tensor([10, 11, 12, 13]), Tensor([5, 6, 7, 8]), Tensor([1, 1, 1, 1])])
        """,
        x=values(2, 3, 1, 0, dtype="int32"),
    ),
    *each("ms.QuantDtype.INT8.value()\nms.QuantDtype.UINT16.value()"),
    *each(
        """
        ops.uniform_candidate_sampler(t, 1, 3, False, 4)[1]
        [v.shape for v in ops.log_uniform_candidate_sampler(t, 1, 5, True, 5)]
        """,
        t=values([1], [3], [4], [6], dtype="int64"),
    ),
]
