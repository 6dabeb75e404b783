"""Functions of each element. Judge: numpy's formula, or the real MindSpore 2.10 where it differs."""

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Tensor, ops

ANY = {
    "abs": np.abs,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "ceil": np.ceil,
    "cos": np.cos,
    "cosh": np.cosh,
    "deg2rad": np.deg2rad,
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "floor": np.floor,
    "frac": lambda x: x - np.trunc(x),
    "neg": np.negative,
    "rad2deg": np.rad2deg,
    "sign": np.sign,
    "sin": np.sin,
    "sinc": np.sinc,
    "sinh": np.sinh,
    "square": np.square,
    "tan": np.tan,
    "trunc": np.trunc,
}
POSITIVE = {
    "log": np.log,
    "log10": np.log10,
    "log1p": np.log1p,
    "log2": np.log2,
    "reciprocal": np.reciprocal,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "sqrt": np.sqrt,
}
DIFFERENTIABLE = ["cos", "erf", "exp", "expm1", "lgamma", "log", "rsqrt", "sin", "sqrt", "square", "tan"]


@pytest.mark.parametrize("name", ANY)
def test_functions_of_any_number(name) -> None:
    x = np.linspace(-2.3, 2.4, 12, dtype=np.float32).reshape(3, 4)
    np.testing.assert_allclose(getattr(ops, name)(Tensor(x)).asnumpy(), ANY[name](x), rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("name", POSITIVE)
def test_functions_of_positive_numbers(name) -> None:
    x = np.linspace(0.1, 5, 6, dtype=np.float32)
    np.testing.assert_allclose(getattr(ops, name)(Tensor(x)).asnumpy(), POSITIVE[name](x), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_gradients_are_torchs(name) -> None:
    data = torch.linspace(0.3, 1.4, 4, requires_grad=True)
    getattr(torch, name)(data).sum().backward()
    mine = ms.grad(lambda x: getattr(ops, name)(x).sum())(Tensor(data.detach()))
    np.testing.assert_allclose(mine.asnumpy(), data.grad.numpy(), rtol=1e-5)


@pytest.mark.parametrize("name", ["erf", "exp", "floor", "isnan", "sin"])
@pytest.mark.parametrize("shape", [(), (0, 3)])
def test_scalars_and_empty_tensors_keep_their_shape(name, shape) -> None:
    assert getattr(ops, name)(ops.ones(shape)).shape == shape


def test_views_that_are_not_contiguous() -> None:
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3)).T
    np.testing.assert_allclose(ops.exp(x).asnumpy(), np.exp(x.asnumpy()), rtol=1e-6)


def test_halves_are_rounded_to_even() -> None:
    assert ops.round(Tensor([0.5, 1.5, 2.5, -0.5])).tolist() == [0.0, 2.0, 2.0, -0.0]
    assert ops.round(Tensor([1.26]), decimals=1).asnumpy() == pytest.approx([1.3])


def test_negative_zero_has_no_sign() -> None:
    assert ops.signbit(Tensor([-0.0, -1.0])).tolist() == [False, True]


def test_magnitudes_of_complex_numbers_stay_complex() -> None:
    assert ops.abs(Tensor([3 + 4j])).dtype == ms.complex128
    assert ops.ComplexAbs()(Tensor([3 + 4j])).dtype == ms.float64


def test_complex_parts() -> None:
    z = Tensor([1 + 2j])
    assert (ops.real(z).tolist(), ops.imag(z).tolist(), ops.conj(z).tolist()) == ([1.0], [2.0], [1 - 2j])
    assert ops.Complex()(Tensor([1.0]), Tensor([2.0])).dtype == ms.complex64
    assert ops.imag(Tensor([1.0])).tolist() == [0.0]


def test_casts_cut_off() -> None:
    assert ops.cast(Tensor([1.7, -1.7]), ms.int32).tolist() == [1, -1]
    assert ops.cast(3, ms.float16).dtype == ms.float16
    with pytest.raises(TypeError, match="number types"):
        ops.cast(Tensor([1.0]), "int32")


def test_bounds() -> None:
    x = Tensor([-2.0, 0.5, 2.0])
    assert ops.clamp(x, -1, 1).tolist() == [-1.0, 0.5, 1.0]
    assert ops.clip_by_value(x, Tensor(-1.0), 1).tolist() == [-1.0, 0.5, 1.0]
    assert [part.tolist() for part in ops.clip_by_value((x, x), 0)] == [[0.0, 0.5, 2.0]] * 2
    assert ops.clip_by_value(Tensor([1, 2, 3]), 1.5, 2.5).tolist() == [1, 2, 2]
    assert ops.clamp(Tensor([1, 2, 3]), 1.5, 2.5).tolist() == [1.5, 2.0, 2.5]
    with pytest.raises(ValueError, match="both be None"):
        ops.clamp(x)


def test_before_release_2_0_clip_of_a_tensor_is_that_of_arrays() -> None:  # judge: the pages of 1.9
    ms.set_release("1.10")
    try:
        x = Tensor([1, 2, 3])
        assert x.clip(xmin=2, xmax=None).tolist() == [2, 2, 3]
        halves = x.clip(1.5, 2.5, dtype=ms.float32)
        assert (halves.tolist(), halves.dtype) == ([1.0, 2.0, 2.0], ms.float32)
        with pytest.raises(ValueError, match="xmin and xmax"):
            x.clip(None, None)
    finally:
        ms.set_release("2.10")


def test_clip_by_norm_scales_all_tensors_together() -> None:
    parts = ops.clip_by_norm([Tensor([3.0]), Tensor([4.0])], 1.0)
    assert [part.item() for part in parts] == pytest.approx([0.6, 0.8], rel=1e-5)
    assert ops.clip_by_norm(Tensor([3.0, 4.0]), 10.0).tolist() == [3.0, 4.0]


def test_replacing_nan() -> None:
    x = Tensor([float("nan"), float("inf"), 1.0])
    assert ops.nan_to_num(x, 0.0, 9.0).tolist() == [0.0, 9.0, 1.0]
    assert ops.isfinite(x).tolist() == [False, False, True]


@pytest.mark.parametrize("value", [[1.0], None, np.ones(2)])
def test_what_is_no_tensor_is_refused(value) -> None:
    with pytest.raises(TypeError, match="exp"):
        ops.exp(value)
