"""Tensor: sharing, copying, pickling, exchange with torch and numpy. Values are judged by the oracle replay."""

import copy
import pickle

import ml_dtypes
import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Parameter, Tensor
from msbridge.core.tensor.tensor import wrap


def test_torch_tensor_is_shared() -> None:
    data = torch.zeros(2)
    tensor = Tensor(data)
    data[0] = 5
    assert tensor.asnumpy()[0] == 5
    assert ms.to_torch(tensor) is data


def test_to_torch_names_what_it_got() -> None:
    with pytest.raises(TypeError, match="list"):
        ms.to_torch([1])  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float8_e5m2"])
def test_arrays_of_ml_dtypes(name) -> None:
    array = np.array([[1.0, -2.0, 0.5]]).astype(getattr(ml_dtypes, name))
    copied, shared = Tensor(array), Tensor.from_numpy(array)
    array[0, 0] = 4
    assert copied.dtype == shared.dtype == getattr(ms, name)
    assert copied.astype(ms.float32).asnumpy().tolist() == [[1.0, -2.0, 0.5]]
    assert shared.astype(ms.float32).asnumpy().tolist() == [[4.0, -2.0, 0.5]]


def test_ndarray_is_copied_and_from_numpy_shares() -> None:
    array = np.zeros(2, np.float32)
    copied, shared = Tensor(array), Tensor.from_numpy(array)
    array[0] = 7
    assert (copied.asnumpy()[0], shared.asnumpy()[0]) == (0, 7)


@pytest.mark.parametrize("dtype", [ms.float32, ms.bfloat16, ms.bool_, ms.int8, ms.complex64, ms.uint16])
def test_pickle_keeps_values_and_dtype(dtype: ms.dtype.Type) -> None:
    tensor = Tensor(np.array([[0, 1], [1, 0]]), dtype)
    restored = pickle.loads(pickle.dumps(tensor))
    assert restored.dtype == dtype
    assert torch.equal(restored._data, tensor._data)


def test_pickled_parameter_keeps_its_settings() -> None:
    parameter = pickle.loads(pickle.dumps(Parameter(Tensor([1.0]), name="w", requires_grad=False)))
    assert (parameter.name, parameter.requires_grad, type(parameter)) == ("w", False, Parameter)


def test_deepcopy_shares_nothing() -> None:
    tensor = Tensor([1.0, 2.0])
    other = copy.deepcopy(tensor)
    other[0] = 9
    assert tensor.tolist() == [1.0, 2.0]
    twice = copy.deepcopy([tensor, tensor])
    assert twice[0] is twice[1]
    assert tensor.__deepcopy__(memodict=other).tolist() == [1.0, 2.0]  # as scripts call it


def test_dlpack_shares_memory_with_torch_and_numpy() -> None:
    tensor = Tensor([1.0, 2.0])
    torch.from_dlpack(tensor)[0] = 4
    assert np.from_dlpack(tensor)[0] == 4
    assert ms.from_dlpack(torch.arange(3)).tolist() == [0, 1, 2]


def test_bfloat16_keeps_its_bits_through_numpy() -> None:
    data = torch.tensor([1.0, 3.140625, -2.5], dtype=torch.bfloat16)
    assert torch.equal(Tensor(wrap(data).asnumpy())._data, data)


def test_empty_tensors_pickle() -> None:
    assert pickle.loads(pickle.dumps(Tensor(np.zeros((2, 0), np.float32)))).shape == (2, 0)


def test_dtype_pickles_to_an_equal_one() -> None:
    assert pickle.loads(pickle.dumps(ms.float16)) == ms.float16


def test_python_floats_are_float64_before_release_1_6() -> None:
    ms.set_release("1.5")
    assert Tensor(1.5).dtype == ms.float64
    assert Tensor([1.5]).dtype == ms.float64
    ms.set_release(None)
    assert Tensor(1.5).dtype == ms.float32


def test_an_image_of_one_channel_is_laid_out_in_order() -> None:
    """numpy calls a transposed array of one channel contiguous; torch would take it for a channels-last image."""
    array = np.zeros((2, 8, 8, 1), np.float32).transpose(0, 3, 1, 2)
    assert array.flags.c_contiguous
    for tensor in (Tensor(array), Tensor.from_numpy(array)):
        assert tensor._data.stride() == (64, 64, 8, 1)


def test_a_tensor_to_be_filled_by_a_name_has_a_shape_and_no_values() -> None:
    """As MindSpore 2.0 and 2.10, which refuse the name when the Tensor is filled."""
    named = Tensor(shape=(1, 3), dtype=ms.float16, init="ones")
    assert (named.shape, named.dtype) == ((1, 3), ms.float16)
    for use in (named.asnumpy, lambda: ms.Parameter(named)):
        with pytest.raises(TypeError, match="not an Initializer"):
            use()
