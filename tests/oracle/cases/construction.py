"""Making tensors: which dtype, shape and storage they get."""

import copy  # noqa: F401  used by the expressions
import pickle  # noqa: F401

import mindspore as ms
import numpy as np
from mindspore import Tensor

from tests.oracle.case import Case, each

NUMPY_DTYPES = [
    "float16",
    "float32",
    "float64",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]


def shares(make: object, source: object) -> list:
    """Write to what was made and look whether the source changed."""
    make(source)[0] = 7
    return source.asnumpy().tolist() if isinstance(source, Tensor) else source.tolist()


def ones(dtype: object = ms.float32) -> Tensor:
    return Tensor(np.ones(2), dtype)


CASES = [
    *each("""
        Tensor(1)
        Tensor(1.5)
        Tensor(True)
        Tensor(2**40)
        Tensor(-(2**40))
        Tensor(1 + 2j)
        Tensor([])
        Tensor([1, 2])
        Tensor([1.0, 2.0])
        Tensor([True, False])
        Tensor([1, 2.5])
        Tensor((1, 2))
        Tensor([[1, 2], [3, 4]])
        Tensor([[1.0], [2]])
        Tensor(((1, 2), [3, 4]))
        Tensor([True, 2])
        Tensor([1j, 2])
        Tensor(np.float64(1))
        Tensor(np.float32(1))
        Tensor(np.int32(1))
        Tensor(np.int64(1))
        Tensor(np.bool_(True))
        Tensor(np.uint8(1))
        Tensor(np.float16(1))
        Tensor([np.float32(1), np.float32(2)])
        Tensor([np.float16(1), np.float16(2)])
        Tensor([np.uint8(1), np.uint8(2)])
        Tensor([np.int32(1), np.int32(2)])
        Tensor([np.float64(1), np.float32(2)])
        Tensor((np.int8(1), np.int16(2)))
        Tensor([True, np.int8(2)])
        Tensor([1, np.float16(2)])
        Tensor([[np.array([1, 2], np.int8)]])
        Tensor([np.ones(2, np.int32)])
        Tensor([np.complex64(1)])
        Tensor([2**63])
        Tensor([Tensor(1, ms.float16), Tensor(2, ms.float16)])
        Tensor([Tensor(1, ms.int8), 2])
        Tensor([np.float16(1)], ms.int8)
        Tensor([1, 2], ms.float32)
        Tensor([1.7, -1.7], ms.int32)
        Tensor([0.0, 2.0], ms.bool_)
        Tensor(3, ms.float16)
        Tensor(3, ms.bfloat16)
        Tensor([1, 2], dtype=ms.int8)
        Tensor(np.ones(2), ms.float32)
        Tensor(np.arange(6).reshape(2, 3)[:, ::2])
        Tensor(np.arange(6).reshape(2, 3).T)
        Tensor(np.zeros((0, 3)))
        Tensor(np.array(1.5))
        Tensor(np.array([1, 2], dtype='>i4').astype(np.int32))
        Tensor(Tensor([1, 2]))
        Tensor(Tensor([1, 2]), ms.float32)
        Tensor(input_data=[1, 2], dtype=ms.float32)
        ms.Tensor(1.0).dtype
        ms.tensor([1, 2])
        ms.tensor(1.5)
        ms.tensor([1.0], dtype=ms.float16)
        isinstance(ms.tensor(1), Tensor)
        Tensor.from_numpy(np.arange(3))
        Tensor.from_numpy(np.ones((2, 2), np.float32))
        ms.from_numpy(np.ones(1))
        ms.Tensor([1, 2]).astype(ms.float32)
    """),
    *[Case(f"Tensor(np.ones((2,), np.{name}))") for name in NUMPY_DTYPES],
    *each("""
        Tensor(np.ones((2,), bool))
        Tensor(np.ones((2,), np.complex64))
        Tensor(np.ones((2,), np.complex128))
    """),
    # aliasing
    *each("""
        shares(Tensor, np.ones(2, np.float32))
        shares(Tensor.asnumpy, ones())
        shares(Tensor.from_numpy, np.ones(2, np.float32))
        shares(Tensor, ones())
        shares(copy.copy, ones())
        shares(Tensor.copy, ones())
        shares(lambda t: t.reshape(1, 2)[0], ones())
        shares(lambda t: t.astype(ms.float16), ones())
        shares(lambda t: t + 0, ones())
        shares(lambda t: t.view(2), ones())
    """),
    *each("""
        copy.deepcopy(Tensor([1, 2]))
        pickle.loads(pickle.dumps(Tensor([1.5, 2])))
        pickle.loads(pickle.dumps(Tensor([1, 2], ms.bfloat16)))
        pickle.loads(pickle.dumps(Tensor(True)))
        copy.deepcopy(ms.Parameter(ones(), name='w')).name
        pickle.loads(pickle.dumps(ms.Parameter(ones(), name='w'))).name
    """),
    # refused
    *each(
        """
        Tensor('a')
        Tensor(None)
        Tensor()
        Tensor([[1], [2, 3]])
        Tensor([1], 'float16')
        Tensor([1], np.float16)
        Tensor([1], float)
        Tensor({'a': 1})
        Tensor([None])
        Tensor.from_numpy([1, 2])
    """,
        raises=TypeError,
    ),
    # initialised on creation
    *each("""
        Tensor(shape=(2, 2), dtype=ms.float32, init=ms.common.initializer.One()).init_data()
        Tensor(shape=(3,), dtype=ms.int32, init=ms.common.initializer.Zero()).init_data()
        Tensor(shape=(2,), dtype=ms.float16, init=ms.common.initializer.Constant(3)).init_data()
    """),
    # creation functions
    *each("""
        ops.zeros((2,))
        ops.zeros((2, 3), ms.int32)
        ops.zeros(3)
        ops.ones(2)
        ops.ones((2, 1), ms.float16)
        ops.ones((2,), ms.bool_)
        ops.full((2,), 1)
        ops.full((2,), 1, dtype=ms.float32)
        ops.full((2, 2), 1.5, dtype=ms.float16)
        ops.full_like(Tensor([1.0, 2.0]), 3)
        ops.full_like(Tensor([1, 2]), 3, dtype=ms.float32)
        ops.zeros_like(Tensor([1, 2]))
        ops.zeros_like(Tensor([1, 2]), dtype=ms.float16)
        ops.ones_like(Tensor([[1.5]]))
        ops.ones_like(Tensor([True]))
        ops.arange(3)
        ops.arange(1, 4)
        ops.arange(0, 10, 3)
        ops.arange(5, 0, -2)
        ops.arange(0, 1, 0.25)
        ops.arange(3.0)
        ops.arange(3, dtype=ms.int32)
        ops.arange(0, 2, 0.5, dtype=ms.float16)
        ops.range(0, 3, 1)
        ops.linspace(0, 1, 3)
        ops.linspace(Tensor(2.0), Tensor(10.0), 5)
        ops.linspace(3, -3, 4)
        ops.linspace(1, 1, 1)
        ops.eye(2)
        ops.eye(2, 3)
        ops.eye(3, 2, ms.int32)
        ops.fill(ms.float32, (2,), 3)
        ops.fill(ms.int32, (2, 2), 3)
        ops.scalar_to_tensor(1)
        ops.scalar_to_tensor(1.0)
        ops.scalar_to_tensor(2, ms.int32)
        ops.tuple_to_array((1, 2))
        ops.tuple_to_array(range(4))
        ops.tuple_to_array((1.5, 2.0))
        ops.one_hot(Tensor([0, 2]), 3)
        ops.one_hot(Tensor([0, 2]), 3, Tensor(1.0), Tensor(0.0))
        ops.one_hot(Tensor([[0], [2]]), 3, Tensor(5.0), Tensor(-1.0))
        ops.one_hot(Tensor([0, 5, -1]), 3, Tensor(1.0), Tensor(0.0))
        ops.one_hot(Tensor([0, 2]), 3, Tensor(1.0), Tensor(0.0), 0)
        ops.one_hot(Tensor([0, 1]), 2, Tensor(1, ms.float16), Tensor(0, ms.float16))
        ops.meshgrid(Tensor([1, 2, 3]), Tensor([4, 5]))
        ops.meshgrid(Tensor([1, 2, 3]), Tensor([4, 5]), indexing='ij')
        ops.tril_indices(3, 3)
        ops.triu_indices(2, 3, 1)
        ops.vander(Tensor([1.0, 2.0, 3.0]))
        mint.zeros(2)
        mint.ones((2, 2))
        ops.rand(2).dtype
        ops.randn(2, 3).shape
        ops.randint(0, 3, (2,)).dtype
        ops.randperm(3).dtype
        ops.standard_normal((2, 3)).dtype
        ops.normal((2, 2), Tensor(0.0), Tensor(1.0)).shape
        ops.uniform((2, 2), Tensor(0.0), Tensor(1.0)).dtype
        ops.rand_like(Tensor([1.0, 2.0])).shape
        ops.bernoulli(Tensor([1.0, 1.0]), 1.0), ops.bernoulli(Tensor([1.0, 1.0]), 0.0)
    """),
    # dtypes
    *each("""
        str(ms.float32), repr(ms.float32)
        str(ms.bool_), repr(ms.bool_)
        str(ms.bfloat16), repr(ms.bfloat16)
        str(ms.complex64), repr(ms.uint8)
        str(ms.string), repr(ms.string)
        ms.half, ms.single, ms.double, ms.byte, ms.short, ms.long, ms.ubyte, ms.ushort
        ms.float_, ms.int_, ms.uint, ms.number
        str(ms.float_), str(ms.int_), str(ms.number)
        ms.float32 == np.float32, ms.float32 == 'float32', ms.float32 == ms.float32, ms.float32 != ms.float16
        {ms.float32: 1}[ms.float32]
        pickle.loads(pickle.dumps(ms.float32)) == ms.float32
        copy.deepcopy(ms.float32) == ms.float32
        ms.pytype_to_dtype(float), ms.pytype_to_dtype(int), ms.pytype_to_dtype(bool)
        ms.dtype_to_pytype(ms.int8), ms.dtype_to_pytype(ms.float16), ms.dtype_to_pytype(ms.bool_)
        ms.dtype_to_nptype(ms.float32), ms.dtype_to_nptype(ms.int64), ms.dtype_to_nptype(ms.bool_) is np.bool_
        ms.get_py_obj_dtype(1), ms.get_py_obj_dtype(1.5), ms.get_py_obj_dtype(True)
        ms.dtype_to_nptype(ms.bfloat16).__name__
        isinstance(ms.float32, ms.Type)
        ms.common.dtype.float32 is ms.float32
    """),
]

CASES += each("Tensor(2**64)\nTensor(-2**63 - 1)", raises=RuntimeError, says="")
