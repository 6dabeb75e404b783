"""Channels last returns what channels first does. Judge: the same layer or primitive on the transposed input."""

import pytest

from msbridge import Tensor, nn, ops
from tests.tensors import arange, close


def last(x: Tensor) -> Tensor:
    return x.movedim(1, -1)


X = arange(2, 3, 4, 5)
CASES = {
    "Conv2d": (lambda form: nn.Conv2d(3, 2, 3, weight_init="ones", has_bias=True, bias_init="ones", data_format=form)),
    "MaxPool2d": lambda form: nn.MaxPool2d(2, 2, data_format=form),
    "AvgPool2d": lambda form: nn.AvgPool2d(2, 2, "same", data_format=form),
    "BatchNorm2d": lambda form: nn.BatchNorm2d(3, data_format=form).set_train(),
    "P.MaxPool": lambda form: ops.MaxPool(2, 2, "same", form),
    "P.AvgPool": lambda form: ops.AvgPool(2, 2, "valid", form),
}


@pytest.mark.parametrize("make", CASES.values(), ids=CASES)
def test_layer(make) -> None:
    close(make("NHWC")(last(X)), last(make("NCHW")(X)).asnumpy())


def test_indices_are_channels_last_too() -> None:
    settings = {"pad_mode": "pad", "return_indices": True}
    ours = nn.MaxPool2d(2, 2, **settings, data_format="NHWC")(last(X))
    for found, expected in zip(ours, nn.MaxPool2d(2, 2, **settings)(X), strict=True):
        close(found, last(expected).asnumpy())


def test_convolution_primitive_takes_the_weight_channels_last() -> None:
    weight = arange(2, 3, 3, 3)
    settings = {"out_channel": 2, "kernel_size": 3, "pad_mode": "same"}
    found = ops.Conv2D(**settings, data_format="NHWC")(last(X), last(weight))
    close(found, last(ops.Conv2D(**settings)(X, weight)).asnumpy())


def statistics(x: Tensor, form: str) -> tuple[Tensor, ...]:
    scale, bias, mean, variance = (Tensor([value] * 3) for value in (1.0, 0.0, 0.0, 1.0))
    return ops.BatchNorm(True, data_format=form)(x, scale, bias, mean, variance)


def test_batch_norm_primitive_gives_the_statistics_of_the_channels() -> None:
    (found, *ours), (expected, *theirs) = statistics(last(X), "NHWC"), statistics(X, "NCHW")
    close(found, last(expected).asnumpy())
    for mine, other in zip(ours, theirs, strict=True):
        close(mine, other.asnumpy())
