"""Types in groups, types of Python's objects, and the modules that classes and functions say they are of."""

import copy  # noqa: F401
from collections.abc import Callable

import mindspore as ms  # noqa: F401
import mindspore.dataset as ds  # noqa: F401
import numpy as np  # noqa: F401
from mindspore import Parameter, Tensor, nn, ops  # noqa: F401
from mindspore.common import dtype as mstype  # noqa: F401

from tests.oracle.case import each


def taken(make: Callable[[], object]) -> int:
    """How many numbers of unnamed Parameters making something takes."""
    first = int(Parameter(Tensor([1.0])).name.removeprefix("Parameter#"))
    make()
    return int(Parameter(Tensor([1.0])).name.removeprefix("Parameter#")) - first - 1


class Called:
    def __call__(self) -> None: ...


CASES = [
    *each("""
        mstype.float_type
        mstype.number_type
        mstype.all_types
        mstype.int_type, mstype.uint_type, mstype.complex_type
        repr(ms.get_py_obj_dtype(Tensor([1.0])))
        repr(ms.get_py_obj_dtype(Parameter(Tensor([1], ms.int8))))
        ms.get_py_obj_dtype(ms.float32)
        ops.cast(Tensor([1.5]), mstype.int_), ops.cast(Tensor([1]), mstype.float_), ops.Cast()(Tensor([1]), mstype.int_)
        ms.get_py_obj_dtype(ops.Add()), ms.get_py_obj_dtype(lambda x: x), ms.get_py_obj_dtype(None)
        [ms.get_py_obj_dtype(one) for one in (taken, int, 1.5, "a", np.str_("a"), nn.Dense, ms.jit, Called.__call__)]
        taken(lambda: Parameter(Tensor([1.0]))), taken(lambda: Parameter(Tensor([1.0]), "w"))
        taken(lambda: copy.deepcopy(Parameter(Tensor([1.0])))), taken(lambda: copy.copy(Parameter(Tensor([1.0]))))
        taken(lambda: nn.GRUCell(2, 3)), taken(lambda: nn.LSTMCell(2, 3, has_bias=False)), taken(lambda: nn.LSTM(2, 3))
        taken(lambda: nn.Adam([Parameter(Tensor([1.0]), "w")])), taken(lambda: Parameter(Tensor([1.0])).clone())
        str(ms.Tensor), str(Parameter), str(nn.Dense), str(nn.Cell), str(ms.Model), str(ops.Add)
        nn.Adam.__module__, nn.Accuracy.__module__, nn.MSELoss.__module__, nn.CellList.__module__
        ops.relu.__module__, ops.grad.__module__, ms.jit.__module__, ms.load_checkpoint.__module__
        repr(ds.GeneratorDataset), repr(ds.vision.Resize), repr(ds.text.Vocab), repr(ds.transforms.Compose)
        repr(ms.train.LossMonitor), repr(ms.train.ModelCheckpoint), repr(nn.probability.distribution.Normal)
    """),
    *each(
        """
        ms.get_py_obj_dtype(print)
        ms.get_py_obj_dtype(np.add)
        ms.get_py_obj_dtype(Called())
        ms.get_py_obj_dtype("a".upper)
        ms.get_py_obj_dtype(type)
        ms.get_py_obj_dtype({})
        ms.get_py_obj_dtype(np.dtype("f4"))
        ms.get_py_obj_dtype(nn.Accuracy())
        ms.pytype_to_dtype(type)
        """,
        raises=NotImplementedError,
    ),
    *each(
        """
        ops.cast(Tensor([1]), ms.string)
        ops.Cast()(Tensor([1]), mstype.list_)
        ops.cast(Tensor([1.5]), mstype.number)
        Tensor([1]).astype(mstype.int_)
        Tensor([1]).astype(mstype.type_none)
        """,
        raises=TypeError,
    ),
]
