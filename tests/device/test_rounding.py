"""Precision modes, against the table in MindSpore's and CANN's documentation. Judge: rounding done by hand."""

from collections.abc import Callable
from typing import Any

import pytest
import torch

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.device.capture import CapturedStep
from msbridge.device.rounding import MODES, Rounding
from tests.device.capture.replaying import Replay

VALUE = torch.linspace(0.1, 3.3, 36).reshape(6, 6)
OTHER = torch.linspace(-1.7, 1.1, 36).reshape(6, 6)
PRODUCT, SORT, VECTOR = torch.mm, lambda x, y: torch.sort(x).values, lambda x, y: torch.exp(x)


def half(data: torch.Tensor) -> torch.Tensor:
    return data.half().float()


def brain(data: torch.Tensor) -> torch.Tensor:
    return data.bfloat16().float()


def kept(data: torch.Tensor) -> torch.Tensor:
    return data


Narrow = Callable[[torch.Tensor], torch.Tensor]


@pytest.mark.parametrize(
    ("mode", "product", "sort", "vector"),  # each: how inputs are rounded, and how results are
    [
        ("allow_fp32_to_bf16", (brain, brain), (brain, brain), (kept, kept)),
        ("allow_fp32_to_fp16", (half, half), (half, half), (kept, kept)),
        ("allow_mix_precision", (half, half), (half, half), (kept, kept)),
        ("allow_mix_precision_bf16", (brain, brain), (brain, brain), (kept, kept)),
        ("allow_mix_precision_fp16", (half, half), (half, half), (kept, kept)),
        ("force_fp16", (half, half), (half, half), (half, half)),
        ("force_fp32", (half, kept), (kept, kept), (kept, kept)),
        ("must_keep_origin_dtype", (kept, kept), (kept, kept), (kept, kept)),
    ],
)
def test_table_of_modes(mode: str, product: Any, sort: Any, vector: Any) -> None:
    rule = MODES[mode]
    for function, (into, out) in ((PRODUCT, product), (SORT, sort), (VECTOR, vector)):
        expected = out(function(into(VALUE), into(OTHER)))
        if rule is None:
            assert torch.equal(function(VALUE, OTHER), expected)
            continue
        with Rounding(rule):
            result = function(VALUE, OTHER)
        assert result.dtype is torch.float32
        assert torch.equal(result, expected)


def test_gradients_are_rounded_as_the_product_is() -> None:
    weight = OTHER.clone().requires_grad_()
    with Rounding(MODES["allow_fp32_to_fp16"]):
        torch.autograd.backward(torch.mm(VALUE, weight), VALUE)
    assert torch.equal(weight.grad, half(half(VALUE).T @ half(VALUE)))


def test_gradients_of_a_convolution_are_rounded() -> None:
    data, kernel = torch.rand(2, 3, 5, 5), torch.rand(4, 3, 3, 3, requires_grad=True)
    outer = torch.rand(2, 4, 3, 3)
    with Rounding(MODES["allow_fp32_to_fp16"]):
        torch.autograd.backward(torch.conv2d(data, kernel), outer)
    got, exact = kernel.grad, kernel.detach().clone().requires_grad_()
    torch.autograd.backward(torch.conv2d(half(data), exact), half(outer))
    assert torch.equal(got, half(exact.grad))


def test_what_float16_cannot_hold_is_infinite() -> None:
    with Rounding(MODES["allow_fp32_to_fp16"]):
        assert torch.mm(torch.full((1, 1), 300.0), torch.full((1, 1), 300.0)).item() == float("inf")


def test_running_statistics_and_writes_into_tensors_keep_their_dtype() -> None:
    mean, variance, data = torch.zeros(3), torch.ones(3), torch.rand(4, 3)
    expected = 0.1 * data.mean(0)
    with Rounding(MODES["force_fp16"]):
        torch.nn.functional.batch_norm(data, mean, variance, training=True)
        total = torch.zeros(1).add_(1.0001)
    assert torch.allclose(mean, expected, rtol=1e-6)
    assert total.item() == torch.tensor(1.0001).item()


def test_other_dtypes_pass() -> None:
    with Rounding(MODES["force_fp16"]):
        assert torch.exp(VALUE.double()).dtype is torch.float64
        assert torch.mm(VALUE.half(), VALUE.half()).dtype is torch.float16
        assert (torch.arange(70000) + 1)[-1].item() == 70000


def test_a_step_that_becomes_a_graph_is_rounded_in_the_graph_too() -> None:
    def step(weight: torch.Tensor) -> Callable[[Tensor], Tensor]:
        def run(value: Tensor) -> Tensor:
            weight.add_(torch.mm(weight, value._data), alpha=0.01)
            return wrap(weight.sum())

        return run

    batches = [Tensor(torch.rand(6, 6)) for _ in range(10)]
    captured = CapturedStep(step(VALUE.clone()), torch.device("cpu"), Replay)
    eager = step(VALUE.clone())
    with Rounding(MODES["allow_fp32_to_fp16"]):
        found = [captured(batch).item() for batch in batches]
        expected = [eager(batch).item() for batch in batches]
    assert captured.is_replayed
    assert found == expected
