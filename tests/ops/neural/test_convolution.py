"""Convolutions: pad modes, transposes, primitives. Judge: the real MindSpore 2.10 (numbers), torch."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F

import msbridge as ms
from msbridge import Tensor, nn, ops
from tests.tensors import arange


def close(result: Tensor, expected, atol: float = 2e-4) -> None:
    np.testing.assert_allclose(result.asnumpy(), expected, rtol=1e-5, atol=atol)


def test_same_pads_the_odd_row_at_the_end() -> None:
    result = ops.conv2d(arange(1, 2, 4, 5), arange(2, 2, 3, 3), None, 2, "same")
    close(result[0, 0], [[23.37, 36.03, 24.39], [17.72, 26.51, 17.44]])


def test_same_of_one_axis() -> None:
    close(ops.conv1d(arange(1, 2, 6), arange(3, 2, 2), None, 2, "same")[0, 0], [0.34, 0.46, 0.58])


@pytest.mark.parametrize(("size", "stride", "kernel"), [(5, 1, 3), (5, 2, 3), (7, 3, 2), (4, 3, 1), (6, 2, 5)])
def test_same_gives_size_over_stride_rounded_up(size, stride, kernel) -> None:
    assert (
        ops.conv2d(arange(1, 1, size, size), arange(1, 1, kernel, kernel), None, stride, "same").shape[2:]
        == (-(-size // stride),) * 2
    )


def test_padding_of_each_side() -> None:
    layer = nn.Conv2d(2, 2, 3, pad_mode="pad", padding=(1, 2, 0, 1), weight_init="ones")
    data = torch.nn.functional.pad(torch.ones(1, 2, 4, 5), (0, 1, 1, 2))
    expected = F.conv2d(data, torch.ones(2, 2, 3, 3))
    close(layer(Tensor(np.ones((1, 2, 4, 5), np.float32))), expected.numpy())


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_functions_are_torchs(rank) -> None:
    x, weight, bias = arange(2, 4, *(5,) * rank), arange(6, 2, *(3,) * rank), arange(6)
    ours = getattr(ops, f"conv{rank}d")(x, weight, bias, 2, "pad", 1, 1, 2)
    theirs = getattr(F, f"conv{rank}d")(x._data, weight._data, bias._data, 2, 1, 1, 2)
    close(ours, theirs.numpy(), 1e-3)


TRANSPOSED = [
    ({"pad_mode": "same", "stride": 2}, (8, 10), [7.4, 15.16, 15.58, 15.92]),
    ({"pad_mode": "valid", "stride": 2}, (9, 12), [7.2, 7.4, 15.16, 15.58]),
    ({"pad_mode": "pad", "padding": 1, "stride": 2}, (7, 10), [8.2, 16.84, 17.26, 17.76]),
    ({"pad_mode": "pad", "padding": (1, 0, 1, 0), "stride": 2}, (8, 11), [8.2, 16.84, 17.26, 17.76]),
    ({"pad_mode": "same", "stride": 3, "dilation": 2}, (12, 15), [0, 0, 0, 0]),
    ({"pad_mode": "valid", "stride": 1, "dilation": 2}, (8, 11), [7.2, 7.56, 15.32, 16.06]),
]


@pytest.mark.parametrize(("settings", "shape", "row"), TRANSPOSED)
def test_transpose(settings, shape, row) -> None:
    result = nn.Conv2dTranspose(2, 3, (3, 4), weight_init=arange(2, 3, 3, 4), **settings)(arange(1, 2, 4, 5))
    assert result.shape == (1, 3, *shape)
    close(result[0, 0, 0, :4], row)


@pytest.mark.parametrize("mode", ["same", "valid"])
def test_transpose_with_a_stride_over_the_kernel_ends_in_zeros(mode) -> None:
    result = nn.Conv2dTranspose(2, 3, 2, 4, mode, weight_init=arange(2, 3, 2, 2))(arange(1, 2, 2, 2))[0, 0]
    close(result[0], [0.48, 0.52, 0, 0, 0.6, 0.66, 0, 0])
    close(result[7], np.zeros(8))


def test_output_padding_of_two_axes_is_zeros() -> None:
    settings = {"pad_mode": "pad", "padding": 1, "stride": 3, "output_padding": 1, "has_bias": True}
    layer = nn.Conv2dTranspose(2, 3, (3, 4), weight_init=arange(2, 3, 3, 4), bias_init="ones", **settings)
    result = layer(arange(1, 2, 2, 2))[0, 0]
    close(result[0], [2.64, 2.68, 4.76, 3.1, 3.16, 0.0])
    close(result[4], np.zeros(6))


def test_output_padding_of_three_axes_is_computed() -> None:
    settings = {"pad_mode": "pad", "padding": 1, "stride": 3, "output_padding": 1}
    result = nn.Conv3dTranspose(1, 1, 3, weight_init="ones", **settings)(arange(1, 1, 2, 2, 2))[0, 0, :, :, 0]
    close(result[4], [0.4, 0.4, 0.6, 0.6, 0.6])


def test_transpose_of_one_axis() -> None:
    layer = nn.Conv1dTranspose(2, 3, 4, 2, "same", weight_init=arange(2, 3, 4))
    close(layer(arange(1, 2, 5))[0, 0], [0.65, 1.42, 1.54, 1.7, 1.86, 1.98, 2.18, 2.26, 2.5, 1.34])


def test_backprop_input_is_the_gradient() -> None:
    for mode, pad in (("pad", 1), ("same", 0), ("valid", 0)):
        weight = arange(2, 2, 3, 3)
        forward = ops.Conv2D(2, 3, pad_mode=mode, pad=pad, stride=2)
        size = forward(arange(1, 2, 5, 6), weight).shape
        sens = arange(*size)
        gradient = ms.grad(lambda x, f=forward, w=weight, s=sens: (f(x, w) * s).sum())(arange(1, 2, 5, 6))
        backward = ops.Conv2DBackpropInput(2, 3, pad_mode=mode, pad=pad, stride=2)
        close(backward(sens, weight, (1, 2, 5, 6)), gradient.asnumpy(), 1e-3)


def test_depthwise_primitive() -> None:
    x, weight = arange(1, 3, 4, 4), arange(2, 3, 3, 3)
    expected = F.conv2d(x._data, weight._data.transpose(0, 1).reshape(6, 1, 3, 3), groups=3)
    close(ops.DepthwiseConv2dNative(2, 3)(x, weight), expected.numpy())


def test_deformable_offsets() -> None:
    offsets = Tensor(arange(1, 12, 2, 2).asnumpy() / 3)
    result = ops.DeformableOffsets((1, 1, 1, 1), (0, 0, 0, 0), (2, 2))(arange(1, 2, 3, 3), offsets)
    close(result[0, 0, 0], [0.17067, 0.376, 0.30067, 0.42139], 1e-4)
    convolved = ops.deformable_conv2d(
        arange(1, 2, 3, 3), arange(1, 2, 2, 2), offsets, (2, 2), (1, 1, 1, 1), (0, 0, 0, 0)
    )
    close(convolved[0, 0], [[4.52231, 3.92007], [1.8804, 1.74691]], 1e-4)


def test_channels_last() -> None:
    first = nn.Conv2d(2, 3, 3, weight_init=arange(3, 2, 3, 3))
    last = nn.Conv2d(2, 3, 3, weight_init=Tensor(arange(3, 2, 3, 3)._data.movedim(1, -1)), data_format="NHWC")
    x = arange(1, 2, 4, 4)
    close(last(Tensor(x._data.movedim(1, -1))), first(x)._data.movedim(1, -1).numpy())


def test_dense_and_bias_add() -> None:
    close(ops.dense(arange(2, 3), arange(2, 3), arange(2)), [[0.05, 0.24], [0.14, 0.6]])
    close(ops.bias_add(arange(2, 3), arange(3)), [[0, 0.2, 0.4], [0.3, 0.5, 0.7]])
    assert ops.BiasAdd("NHWC")(arange(1, 2, 4, 5), arange(5)).shape == (1, 2, 4, 5)


def test_conv2d_primitive_prints_its_attributes() -> None:
    assert repr(ops.Conv2D(2, 3)) == (
        "Prim[Conv2D]<out_channel=2, kernel_size=3, mode=1, pad_mode=valid, pad=(0, 0, 0, 0), stride=(1, 1, 1, 1), "
        "dilation=(1, 1, 1, 1), group=1, data_format=NCHW, groups=1>"
    )


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: ops.conv2d(arange(1, 2, 4, 4), arange(1, 2, 3, 3), None, 1, "valid", 1), ValueError, "pad_mode"),
        (lambda: ops.conv2d(arange(1, 2, 4, 4), arange(1, 2, 3, 3), None, 1, "PAD"), ValueError, "pad_mode"),
        (lambda: ops.conv2d(arange(1, 3, 4, 4), arange(1, 2, 3, 3)), RuntimeError, "conv2d.*channels"),
        (lambda: ops.conv2d(arange(1, 2, 2, 2), arange(1, 2, 3, 3)), ValueError, "kernel"),
        (lambda: ops.conv2d(arange(1, 2, 4, 4).astype(ms.float16), arange(1, 2, 3, 3)), TypeError, "conv2d.*dtypes"),
        (lambda: nn.Conv2d(1, 2, 3, padding=1), ValueError, "pad"),
        (lambda: nn.Conv2d(1, 2, 3, pad_mode="SAME"), ValueError, "pad_mode"),
        (lambda: nn.Conv2d(1, 2, 3, pad_mode="pad", padding=(1, 2)), ValueError, "padding"),
        (lambda: nn.Conv2d(1, 2, 3, pad_mode="pad", padding=-1), ValueError, "padding"),
        (lambda: nn.Conv2d(1, 2, 3, group=3), ValueError, "group"),
        (lambda: nn.Conv2d(0, 2, 3), ValueError, "in_channels"),
        (lambda: nn.Conv2d(1.0, 2, 3), TypeError, "in_channels"),
        (lambda: nn.Conv2d(1, 2, 0), ValueError, "kernel_size"),
        (lambda: nn.Conv2d(1, 2, "a"), TypeError, "kernel_size"),
        (lambda: nn.Conv2d(1, 2, (3, 3, 3)), TypeError, "kernel_size"),
        (lambda: nn.Conv2d(1, 2, 3, stride=0), ValueError, "stride"),
        (lambda: nn.Conv2d(1, 2, 3, has_bias=1), TypeError, "has_bias"),
        (lambda: nn.Conv2d(1, 2, 3)(arange(1, 4, 4)), ValueError, "4 axes"),
        (lambda: nn.Conv1d(1, 2, 3)(arange(1, 1, 4, 4)), ValueError, "number of axes"),
        (lambda: nn.Conv3dTranspose(2, 3, 2, pad_mode="same", output_padding=1), ValueError, "output_padding"),
    ],
)
def test_bad_argument(call, error, says) -> None:
    with pytest.raises(error, match=says):
        call()


def test_float16_on_a_cpu_is_added_up_in_float32() -> None:
    """The judge is the float32 result, rounded once."""
    x, w = arange(1, 8, 9, 9) / 700, arange(4, 8, 3, 3) / 300
    half = ops.conv2d(x.astype(ms.float16), w.astype(ms.float16))
    exact = ops.conv2d(x.astype(ms.float16).astype(ms.float32), w.astype(ms.float16).astype(ms.float32))
    assert half.dtype == ms.float16
    np.testing.assert_array_equal(half.asnumpy(), exact.astype(ms.float16).asnumpy())


@pytest.mark.parametrize(
    "make",
    [
        lambda: ops.Conv3D(1, 2, data_format="NDHWC"),
        lambda: ops.Conv3DTranspose(1, 1, 2, data_format="NDHWC"),
        lambda: ops.Conv2DTranspose(1, 2, data_format="NHWC"),
        lambda: ops.MaxPool3D(data_format="NDHWC"),
        lambda: ops.AvgPool3D(data_format="NDHWC"),
    ],
)
def test_a_data_format_that_is_not_computed_is_refused(make) -> None:
    with pytest.raises(ValueError, match="'data_format' must be one of"):
        make()


def test_before_release_2_0_the_mode_of_padding_comes_third() -> None:  # judge: the pages of 1.10
    x, w = arange(1, 4, 5, 5), arange(6, 2, 3, 3)
    expected = ops.conv2d(x, w, None, 2, "pad", 1, 1, 2).asnumpy()
    ms.set_release("1.10")
    try:
        close(ops.conv2d(x, w, "pad", 1, 2, group=2), expected)
        with pytest.raises(TypeError):
            ops.conv2d(x, w, groups=2)
    finally:
        ms.set_release("2.10")
