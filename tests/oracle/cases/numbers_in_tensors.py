"""Tensors without axes beside others, and operands of two dtypes: what they are promoted to, by release."""

import operator

import mindspore as ms
import numpy as np
from mindspore import Tensor

from tests.oracle.case import Case, attempt, each
from tests.oracle.cases._tried import tried  # noqa: F401

DTYPES = ["uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"]
X = Tensor(np.array([[1.5, 2.0], [3.0, 4.0]], np.float32))
WHOLE = Tensor(np.array([[1, 2], [3, 4]], np.int32))
HALF = X.astype(ms.float16)
LABELS = Tensor([0, -100], ms.int32)


def of(data: object, dtype: str) -> Tensor:
    return Tensor(np.array(data), getattr(ms, dtype))


def promoted(name: str, dtype: str) -> dict[str, object]:
    """[5, 2] of this dtype on the left, 3 of each other dtype on the right, in a Tensor without axes."""
    act = getattr(operator, name)
    return {other: attempt(lambda other=other: act(of([5, 2], dtype), of(3, other))) for other in DTYPES}


CASES = [
    *[Case(f"promoted('{name}', '{dtype}')") for name in ("mul", "truediv", "add", "sub") for dtype in DTYPES],
    *each("""
        tried(lambda: ops.matmul(X, HALF))
        tried(lambda: ops.matmul(HALF, X))
        tried(lambda: ops.clip_by_value(WHOLE, 1.5, 2.5))
        tried(lambda: ops.clip_by_value(WHOLE > 2, 2, 4))
        tried(lambda: ops.clip_by_value(HALF, Tensor(2.0), Tensor(3.0)))
        tried(lambda: Tensor(5).item())
        tried(lambda: X.item(1))
        tried(lambda: X.item((0, 1)))
        tried(lambda: ops.addr(X, Tensor([1.0, 2.0]), Tensor([1.0, 2.0]), 2, 3))
        tried(lambda: ops.addmv(X[0], X, X[0], 2, 3))
        tried(lambda: X[0].addmv(X, X[0], 2, 3))
        tried(lambda: ops.cross_entropy(X, LABELS, label_smoothing=0.1))
        tried(lambda: ops.cross_entropy(X, LABELS, reduction='sum', label_smoothing=0.1))
        tried(lambda: ops.cross_entropy(X, LABELS, reduction='none', label_smoothing=0.1))
        tried(lambda: ops.cross_entropy(X, Tensor([0, 1], ms.int32), Tensor([0.5, 2.0]), label_smoothing=0.1))
        tried(lambda: ops.cross_entropy(X, X, Tensor([0.5, 2.0]), label_smoothing=0.1))
        tried(lambda: ops.nll_loss(X, LABELS, Tensor([0.5, 2.0]), label_smoothing=0.1))
        tried(lambda: ops.nll_loss(X, LABELS, Tensor([0.5, 2.0]), reduction='sum', label_smoothing=0.1))
        tried(lambda: ops.arange(0, 1, 0.25))
        tried(lambda: ops.arange(1, 4, 2))
    """),
]
