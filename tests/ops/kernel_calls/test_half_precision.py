"""Products of float16 on a CPU are computed in float32: torch's own float16 kernels are slow there. Judge: float64."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

import msbridge as ms
from msbridge import Tensor, mint, ops

PRODUCTS = ("bmm", "mm", "baddbmm", "addmm")


class Types(TorchDispatchMode):
    """Notes the dtypes of the products that torch computes."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[torch.dtype] = set()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func.overloadpacket.__name__ in PRODUCTS:
            self.seen.add(args[-1].dtype)
        return func(*args, **(kwargs or {}))


def drawn(*shape: int) -> Tensor:
    return Tensor(np.random.default_rng(len(shape)).standard_normal(shape).astype(np.float16))


CASES = {
    "matmul": (lambda x, y: ops.matmul(x, y), [drawn(2, 3, 4), drawn(2, 4, 5)], np.matmul),
    "bmm": (lambda x, y: mint.bmm(x, y), [drawn(2, 3, 4), drawn(2, 4, 5)], np.matmul),
    "baddbmm": (
        lambda t, x, y: mint.baddbmm(t, x, y, beta=2, alpha=0.5),
        [drawn(1, 3, 5), drawn(2, 3, 4), drawn(2, 4, 5)],
        lambda t, x, y: 2 * t + 0.5 * np.matmul(x, y),
    ),
    "einsum": (
        lambda x, y: ops.einsum("bij,bjk->bik", x, y),
        [drawn(2, 3, 4), drawn(2, 4, 5)],
        np.matmul,
    ),
    "attention": (
        lambda q, k, v: ops.flash_attention_score(q, k, v, 2, input_layout="BNSD", scalar_value=0.0),
        [drawn(1, 2, 3, 4)] * 3,
        lambda q, k, v: np.broadcast_to(v.mean(-2, keepdims=True), v.shape),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_products_of_float16_are_computed_in_float32(name: str) -> None:
    compute: Callable[..., Tensor]
    compute, inputs, judge = CASES[name]
    with Types() as types:
        found = compute(*inputs)
    assert found.dtype == ms.float16
    assert types.seen == {torch.float32}
    expected = judge(*(x.asnumpy().astype(np.float64) for x in inputs))
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=2e-3, atol=2e-3)  # float16: 10 bits of mantissa
