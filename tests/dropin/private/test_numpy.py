"""What scripts import from mindspore.numpy.utils and utils_const; the answers are those of 2.10."""

import pytest

import msbridge as ms
from msbridge.dropin.private import numpy as private


def test_numbers_and_lists_become_tensors() -> None:
    one, two, three = private.to_tensor(1, [1.5, 2], ms.Tensor([True]))
    assert [one.dtype, two.dtype, three.dtype] == [ms.int32, ms.float32, ms.bool_]
    assert private.to_tensor((1, 2)).shape == (2,)
    with pytest.raises(TypeError, match="array like"):
        private.to_tensor(None)


def test_only_tensors_pass() -> None:
    assert private.check_input_tensor(ms.Tensor(1), ms.Tensor(2))
    with pytest.raises(TypeError, match="expect Tensor"):
        private.check_input_tensor(3)


@pytest.mark.parametrize(
    ("kind", "error", "says"),
    [
        ("value", ValueError, r"^x3$"),
        ("type", TypeError, r"^x<class 'int'>$"),
        ("runtime", RuntimeError, r"^x3$"),
        ("unimplemented", NotImplementedError, r"^x3$"),
    ],
)
def test_an_error_has_both_words(kind: str, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        getattr(private, f"raise_{kind}_error")("x", 3)
    with pytest.raises(error, match=r"^x$"):
        getattr(private, f"raise_{kind}_error")("x")
