"""Methods that change the dtype do what the real MindSpore 2.10 does."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor


@pytest.mark.parametrize(
    ("dtype", "expected"),
    [
        (ms.float16, ms.float16),
        ("float16", ms.float16),
        ("bool", ms.bool_),
        ("int", ms.int64),
        (float, ms.float64),
        (int, ms.int64),
        (bool, ms.bool_),
        (np.int8, ms.int8),
        (np.dtype("int16"), ms.int16),
    ],
)
def test_astype_takes_many_names(dtype, expected) -> None:
    assert Tensor([1.5]).astype(dtype).dtype == expected


@pytest.mark.parametrize("dtype", ["foo", "tensor", 3, str])
def test_astype_refuses_other_names(dtype) -> None:
    with pytest.raises(TypeError, match="astype"):
        Tensor([1.5]).astype(dtype)


def test_astype_of_the_same_dtype_shares_memory() -> None:
    x = Tensor([1.0])
    y = x.astype(ms.float32)
    y[0] = 5
    assert x.tolist() == [5.0]
    assert x.astype(ms.float32, copy=False) is x


def test_methods_named_after_dtypes() -> None:
    x = Tensor([1.7])
    assert [str(getattr(x, name)().dtype) for name in ("int", "long", "half", "double", "bool", "byte")] == [
        *("Int32", "Int64", "Float16", "Float64", "Bool", "UInt8")
    ]
    assert x.type() == "Float32"
    assert x.type("int32").tolist() == [1]
    assert x.to(ms.float16).dtype == ms.float16
    assert x.to("CPU").tolist() == x.tolist()
    with pytest.raises(ValueError, match="device"):
        x.to("TPU")
