"""What all functions of `msbridge.numpy` share: how arguments become tensors, and the errors of those that do not."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Tensor
from msbridge import numpy as mnp
from msbridge.core.tensor.tensor import wrap
from msbridge.numpy._faces import DOCUMENTED
from msbridge.ops.kernel_calls.row_sections import TAKEN
from tests.ops.kernel_calls.said_dtypes import KINDS, expected


def matrix(*shape: int) -> Tensor:
    return Tensor(np.linspace(-2, 3, int(np.prod(shape)), dtype=np.float32).reshape(shape))


def test_dtype_argument_casts_the_result() -> None:
    assert mnp.clip(matrix(4), 0, 1, dtype=ms.float16).dtype == ms.float16
    assert mnp.full((2,), Tensor(1), dtype=ms.float16).dtype == ms.float16


def test_lists_stand_for_tensors_where_mindspore_wants_tensors() -> None:
    assert mnp.vstack(([1, 2], [3, 4])).asnumpy().tolist() == [[1, 2], [3, 4]]
    assert mnp.take(matrix(3), [0, 2]).shape == (2,)
    assert mnp.dot([1, 2], 3).asnumpy().tolist() == [3, 6]


def test_numpy_array_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match=r"'asarray'.*wrap it in mindspore.Tensor"):
        mnp.asarray(np.ones(3))


def test_axis_out_of_range_is_named() -> None:
    with pytest.raises(ValueError, match=r"'roll', the 'axis' must be in range of \[-2, 2\), but got 3"):
        mnp.roll(matrix(2, 3), 1, 3)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: mnp.pad(x, 2, "reflect"),
        lambda x: mnp.pad(x, ((1, 0), (2, 1)), "symmetric", reflect_type="odd"),
        lambda x: mnp.cross(x, x[::-1]),
        lambda x: mnp.average(x, 0, weights=[1.0, 3.0]),
    ],
)
def test_gradient_that_mindspore_refuses_agrees_with_small_steps(function: Callable[[Tensor], Tensor]) -> None:
    x = Tensor(np.linspace(-2, 3, 6).reshape(2, 3).round(2).astype(np.float32) + 0.03)

    def total(value: Tensor) -> Tensor:
        result = function(value)._data
        return Tensor((result * torch.cos(torch.arange(result.numel()) + 1.0).reshape(result.shape)).sum())

    gradient = ms.grad(total)(x).asnumpy()
    step = 2.0**-7
    for place in np.ndindex(2, 3):
        shift = np.zeros((2, 3), np.float32)
        shift[place] = step
        slope = (float(total(x + Tensor(shift))) - float(total(x - Tensor(shift)))) / (2 * step)
        assert gradient[place] == pytest.approx(slope, rel=2e-2, abs=2e-2)  # Float32 differences, curvature


@pytest.mark.parametrize("name", DOCUMENTED)
def test_dtypes_are_taken_and_returned_as_said(name):
    face, said = getattr(mnp, name), DOCUMENTED[name]
    casts = "dtype" in face.__annotations__
    count = face.__code__.co_argcount - casts
    for kind, dtypes in KINDS.items():
        for dtype in dtypes:
            inputs = [wrap(torch.ones(2, dtype=dtype))] * count
            if kind in TAKEN[said.takes][1]:
                assert face(*inputs)._data.dtype is expected(said.returns, dtype), dtype
                assert dtype.is_complex or not casts or face(*inputs, dtype="float32")._data.dtype is torch.float32
            else:
                with pytest.raises(TypeError):
                    face(*inputs)


@pytest.mark.parametrize("name", [name for name in DOCUMENTED if getattr(mnp, name).__code__.co_argcount == 3])
def test_numbers_and_lists_are_taken_and_broadcast(name):
    face, said = getattr(mnp, name), DOCUMENTED[name]
    one = 1.0 if "integer" not in TAKEN[said.takes][1] else 1
    assert face([[one], [one]], (one, one, one)).shape == (2, 3)
    assert face(one, [one]).shape == (1,)
    with pytest.raises(ValueError, match="broadcast"):
        face([one, one], [one, one, one])
    with pytest.raises(TypeError):
        face("1", [one])


@pytest.mark.parametrize("name", [name for name in DOCUMENTED if getattr(mnp, name).__code__.co_argcount == 2])
def test_what_is_no_array_is_refused(name):
    with pytest.raises(TypeError):
        getattr(mnp, name)("1")
