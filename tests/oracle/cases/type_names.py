"""Types in groups, types of Python's objects, and the modules that classes and functions say they are of."""

import mindspore as ms  # noqa: F401
import mindspore.dataset as ds  # noqa: F401
from case import each
from mindspore import Parameter, Tensor, nn, ops  # noqa: F401
from mindspore.common import dtype as mstype  # noqa: F401

CASES = [
    *each("""
        mstype.float_type
        mstype.number_type
        mstype.all_types
        mstype.int_type, mstype.uint_type, mstype.complex_type
        repr(ms.get_py_obj_dtype(Tensor([1.0])))
        repr(ms.get_py_obj_dtype(Parameter(Tensor([1], ms.int8))))
        ms.get_py_obj_dtype(ms.float32)
        ms.get_py_obj_dtype(ops.Add()), ms.get_py_obj_dtype(lambda x: x), ms.get_py_obj_dtype(None)
        str(ms.Tensor), str(Parameter), str(nn.Dense), str(nn.Cell), str(ms.Model), str(ops.Add)
        nn.Adam.__module__, nn.Accuracy.__module__, nn.MSELoss.__module__, nn.CellList.__module__
        ops.relu.__module__, ops.grad.__module__, ms.jit.__module__, ms.load_checkpoint.__module__
        repr(ds.GeneratorDataset), repr(ds.vision.Resize), repr(ds.text.Vocab), repr(ds.transforms.Compose)
        repr(ms.train.LossMonitor), repr(ms.train.ModelCheckpoint), repr(nn.probability.distribution.Normal)
    """)
]
