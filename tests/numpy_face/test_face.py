"""What the records cannot say: signatures, random draws, gradients, errors."""

import inspect
import json
from pathlib import Path

import numpy as np
import pytest
import torch

import msbridge as ms
import msbridge.numpy as mnp
from msbridge import Tensor

SIGNATURES = json.loads((Path(__file__).parent / "signatures.json").read_text())


def matrix(*shape: int) -> Tensor:
    return Tensor(np.linspace(-2, 3, int(np.prod(shape)), dtype=np.float32).reshape(shape))


@pytest.mark.parametrize("name", SIGNATURES)
def test_signature_is_that_of_mindspore(name: str) -> None:
    room, _, function = name.rpartition(".")
    parameters = inspect.signature(getattr(mnp.fft if room else mnp, function)).parameters.values()
    mine = [[p.name, "" if p.default is p.empty else repr(p.default)] for p in parameters]
    expected = [row for row in SIGNATURES[name] if name != "pad" or row[0] != "kwargs"]  # pad swallows nothing
    assert mine == expected


def test_every_listed_name_exists() -> None:
    assert [name for name in mnp.__all__ if not hasattr(mnp, name)] == []
    assert len(set(mnp.__all__)) == len(mnp.__all__)


def test_real_numpy_is_not_shadowed() -> None:
    assert np.__file__ != mnp.__file__
    assert np.arange(3).dtype == np.int64


def test_seed_repeats_the_draws() -> None:
    ms.set_seed(3)
    first = mnp.rand(4).asnumpy()
    ms.set_seed(3)
    assert (mnp.rand(4).asnumpy() == first).all()


def test_randint_stays_in_its_range() -> None:
    drawn = mnp.randint(2, 5, (200,)).asnumpy()
    assert set(drawn) == {2, 3, 4}


def test_dtype_argument_casts_the_result() -> None:
    assert mnp.clip(matrix(4), 0, 1, dtype=ms.float16).dtype == ms.float16
    assert mnp.full((2,), Tensor(1), dtype=ms.float16).dtype == ms.float16


def test_arange_of_floats_is_counted_in_double_precision() -> None:
    assert (mnp.arange(0, 1, 0.1, dtype=ms.float64).asnumpy() == np.arange(0, 1, 0.1)).all()


def test_lists_stand_for_tensors_where_mindspore_wants_tensors() -> None:
    assert mnp.vstack(([1, 2], [3, 4])).asnumpy().tolist() == [[1, 2], [3, 4]]
    assert mnp.take(matrix(3), [0, 2]).shape == (2,)
    assert mnp.dot([1, 2], 3).asnumpy().tolist() == [3, 6]


def test_numpy_array_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match=r"'asarray'.*wrap it in mindspore.Tensor"):
        mnp.asarray(np.ones(3))


def test_axis_out_of_range_is_named() -> None:
    with pytest.raises(ValueError, match=r"'roll', axis must be in \[-2, 2\), got 3"):
        mnp.roll(matrix(2, 3), 1, 3)


GRADIENTS = {
    "pad constant": lambda x: mnp.pad(x, 1, constant_values=2),
    "pad reflect": lambda x: mnp.pad(x, 2, "reflect"),
    "pad odd": lambda x: mnp.pad(x, ((1, 0), (2, 1)), "symmetric", reflect_type="odd"),
    "pad ramp": lambda x: mnp.pad(x, 2, "linear_ramp", end_values=3),
    "pad mean": lambda x: mnp.pad(x, 1, "mean"),
    "gradient": lambda x: mnp.gradient(x, axis=1),
    "trapz": lambda x: mnp.trapz(x, dx=0.5),
    "cov": mnp.cov,
    "interp": lambda x: mnp.interp(x, [-3.0, 0.0, 4.0], [1.0, 5.0, 2.0]),
    "where": lambda x: mnp.where(x > 0, x * 2, -x),
    "clip": lambda x: mnp.clip(x, -1, 1),
    "tensordot": lambda x: mnp.tensordot(x, x, 2),
    "cross": lambda x: mnp.cross(x, x[::-1]) if x.shape[-1] == 3 else x,
    "average": lambda x: mnp.average(x, 0, weights=[1.0, 3.0]),
    "nanvar": lambda x: mnp.nanvar(x, ddof=1),
    "apply_along_axis": lambda x: mnp.apply_along_axis(lambda z: z * z, 0, x),
    "polyval": lambda x: mnp.polyval([2.0, 1.0, 0.0], x),
    "cbrt": mnp.cbrt,
    "take": lambda x: mnp.take(x, Tensor([0, 2, 2]), 1),
    "piecewise": lambda x: mnp.piecewise(x, [x > 0], [lambda z: z * 3, lambda z: -z]),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradient_agrees_with_small_steps(name: str) -> None:
    function, x = GRADIENTS[name], Tensor(np.linspace(-2, 3, 6).reshape(2, 3).round(2).astype(np.float32) + 0.03)

    def total(value: Tensor) -> Tensor:
        result = function(value)._data
        return ms.Tensor((result * torch.cos(torch.arange(result.numel()) + 1.0).reshape(result.shape)).sum())

    gradient = ms.grad(total)(x).asnumpy()
    step = 2.0**-7
    for place in np.ndindex(2, 3):
        shift = np.zeros((2, 3), np.float32)
        shift[place] = step
        slope = (float(total(x + Tensor(shift))) - float(total(x - Tensor(shift)))) / (2 * step)
        assert gradient[place] == pytest.approx(slope, rel=2e-2, abs=2e-2)  # Float32 differences, curvature
