"""Tensor and its dtypes in 1.0.0; statements inside of networks; composite and functional operators."""

# ruff: noqa: F401, B905, PERF401  # the expressions use what is imported; statements as graphs of 1.0.0 take them

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn
from mindspore.common import dtype as mstype
from mindspore.common.initializer import initializer
from mindspore.ops import composite, functional, operations

from tests.oracle.case import Case, each, rand
from tests.oracle.cases.r1_0._graph import in_graph_mode, run


def cell(function):
    """A network of one function."""

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.function = function

        def construct(self, *tensors):
            return self.function(*tensors)

    in_graph_mode()
    return Net()


def add_and_scale(x):
    return (x + 1) * 2 - 0.5


def negated(x):
    return -x


def compared(x):
    return x < 0


def indexed(x):
    return x[0]


def sliced(x):
    return x[0:1, 1:3]


def stepped(x):
    return x[:, ::2]


def ellipsis(x):
    return x[..., 1]


def looped(x):
    y = x
    for i in range(3):
        y = y + i
    return y


def listed(x):
    parts = []
    for i in range(2):
        parts.append(x + i)
    return parts[0] + parts[1]


def branched(x):
    if x.shape[0] > 1:
        return x + 1
    return x - 1


def nested(x):
    def inner(y):
        return y * 3

    return inner(x) + inner(x)


def shaped(x):
    return functional.reshape(x, (x.shape[1], x.shape[0]))


def tupled(x):
    return x, x + 1, (x + 2, x * 2)


def divided(x):
    return x / 2


def matmul(x):
    return operations.MatMul(transpose_b=True)(x, x)


def casted(x):
    return functional.cast(x, mstype.int32)


def dtype_of(x):
    return functional.dtype(x)


def with_none(x, y=None):
    if y is None:
        return x + 1
    return x + y


def zipped(x):
    total = x
    for a, b in zip((1, 2), (3, 4)):
        total = total + a * b
    return total


def chained(x):
    return functional.tensor_add(functional.square(x), functional.tensor_mul(x, x))


FUNCTIONS = [
    "add_and_scale",
    "negated",
    "compared",
    "indexed",
    "sliced",
    "stepped",
    "ellipsis",
    "looped",
    "listed",
    "branched",
    "nested",
    "shaped",
    "tupled",
    "divided",
    "matmul",
    "casted",
    "dtype_of",
    "with_none",
    "zipped",
    "chained",
]


class Square(nn.Cell):
    """x²."""

    def construct(self, x):
        return x * x


class Linear(nn.Cell):
    """w·x."""

    def __init__(self):
        super().__init__()
        self.w = ms.Parameter(Tensor(np.array([2.0, 3.0]).astype(np.float32)), name="w")

    def construct(self, x):
        return self.w * x


class Own(nn.Cell):
    """A network with its own gradient."""

    def construct(self, x):
        return x * x

    def bprop(self, x, out, dout):
        return (dout * 10,)


class Gradient(nn.Cell):
    """The gradients of a network."""

    def __init__(self, net, by_list=False, **options):
        super().__init__()
        self.net = net
        self.by_list = by_list
        self.grad = composite.GradOperation(get_by_list=by_list, **options)
        self.weights = ms.ParameterTuple(net.trainable_params())

    def construct(self, *x):
        if self.by_list:
            return self.grad(self.net, self.weights)(*x)
        return self.grad(self.net)(*x)


def gradient(net, *x, **options):
    in_graph_mode()
    return Gradient(net, **options)(*x)


def same(*values):
    return [str(value) for value in values]


CASES = [
    *[Case(f"cell({name})(x)", x=rand(2, 3)) for name in FUNCTIONS],
    *each(
        """
        gradient(Square(), x)
        gradient(Square(), x, get_all=True)
        gradient(Square(), x, x, sens_param=True)
        gradient(Own(), x)
        gradient(Linear(), x)
        gradient(Linear(), x, by_list=True)
        gradient(Linear(), x, by_list=True, get_all=True)
        gradient(Linear(), x, x, by_list=True, sens_param=True)
    """,
        x=rand(2),
    ),
    *each(
        """
        Tensor(1.0).dtype
        Tensor(1).dtype
        Tensor(True).dtype
        Tensor([1, 2]).dtype
        Tensor([1.0, 2.0]).dtype
        Tensor(np.ones((2, 2))).dtype
        Tensor(np.ones((2, 2), np.float32)).dtype
        Tensor(np.ones(2), ms.float32).dtype
        Tensor(1, ms.float32).dtype
        Tensor([1, 2], ms.float16).dtype
        Tensor(np.arange(3)).dtype
        Tensor((1, 2)).shape
        Tensor(1.0).shape
        Tensor([True, False]).dtype
        repr(Tensor([1.0, 2.0], ms.float32))
        repr(Tensor([1, 2], ms.int32))
        repr(Tensor(1.5, ms.float32))
        repr(Tensor([[1, 2], [3, 4]], ms.int32))
        repr(Tensor([True, False]))
        str(Tensor([1.0, 2.0], ms.float32))
        str(Tensor([[1, 2], [3, 4]], ms.int32))
        str(Tensor(1.5, ms.float32))
        str(Tensor(1e-7, ms.float32))
        str(Tensor([True, False]))
        Tensor(np.ones((2, 3), np.float32)).size()
        Tensor(np.ones((2, 3), np.float32)).dim()
        Tensor(np.ones((2, 3), np.float32)).asnumpy()
        Tensor(np.ones((2, 3), np.float32)).shape
        Tensor(Tensor([1, 2], ms.int32)).dtype
        Tensor(Tensor([1, 2], ms.int32), ms.float32).dtype
        Tensor([1, 2], dtype=ms.int32)
        Tensor(input_data=[1, 2], dtype=ms.int32)
        float(Tensor(1.5, ms.float32).asnumpy())
        Tensor([1.0]).set_dtype(ms.float32)
        Tensor([1, 2], ms.int32) == Tensor([1, 2], ms.int32)
        type(Tensor([1])).__name__
        same(ms.float32, ms.int32, ms.bool_, ms.float16, ms.int64, ms.uint8, ms.string)
        repr(ms.float32), repr(ms.bool_), repr(ms.string)
        repr(mstype.tensor), repr(mstype.number), str(mstype.int_)
        ms.dtype_to_nptype(ms.float16)
        ms.dtype_to_pytype(ms.float16)
        ms.pytype_to_dtype(int)
        ms.pytype_to_dtype(float)
        ms.pytype_to_dtype(np.float32)
        ms.get_py_obj_dtype(1)
        ms.get_py_obj_dtype(1.5)
        ms.get_py_obj_dtype(True)
        ms.get_py_obj_dtype('a')
        ms.issubclass_(ms.int32, ms.int_)
        mstype.float_type == ms.float32
        initializer('zeros', [2, 3], ms.float32).shape
        initializer('zeros', [2, 3], ms.float32).dtype
        initializer('ones', (2, 3)).to_tensor()
        initializer(0.5, (2,), ms.float16).to_tensor()
        initializer('ones', (2, 3), ms.float32).to_tensor().asnumpy()
        initializer(Tensor([1.0, 2.0], ms.float32), (2,), ms.float32)
        initializer(ms.common.initializer.Constant(3), (2,), ms.float32).to_tensor()
        ms.Parameter(Tensor([1.0], ms.float32), 'w').name
        ms.Parameter(Tensor([1.0], ms.float32), name='w', requires_grad=False).requires_grad
        ms.Parameter(default_input=Tensor([1.0], ms.float32), name='w')
        ms.Parameter(initializer('ones', (2,), ms.float32), 'w').data.asnumpy()
        ms.Parameter(Tensor([1.0, 2.0], ms.float32), 'w').set_data(Tensor([3.0, 4.0], ms.float32)).asnumpy()
        ms.Parameter(Tensor([1.0], ms.float32), 'w').clone('a').name
        ms.Parameter(Tensor([1.0], ms.float32), 'w').layerwise_parallel
        ms.Parameter(1.5, 'w').dtype
        ms.Parameter(2, 'w').dtype
        ms.Parameter([1, 2], 'w').dtype
        ms.ParameterTuple([ms.Parameter(Tensor([1.0]), 'w')])[0].name
        ms.ParameterTuple([ms.Parameter(Tensor([1.0]), 'w')]).clone('a', 'zeros')[0].name
        [p.name for p in ms.ParameterTuple([ms.Parameter(Tensor([1.0]), 'a'), ms.Parameter(Tensor([1.0]), 'b')])]
        run(composite.clip_by_value, Tensor([-1.0, 0.5, 3.0], ms.float32), constants=())
        ms.context.get_context('mode') in (0, 1)
        ms.context.GRAPH_MODE, ms.context.PYNATIVE_MODE
        ms.context.get_context('save_graphs')
        ms.context.get_context('max_call_depth')
        ms.context.get_context('enable_sparse')
        ms.context.get_context('save_graphs_path')
        ms.context.get_context('device_id')
        ms.context.get_context('enable_profiling')
        ms.context.get_context('variable_memory_max_size')
        ms.context.get_context('enable_auto_mixed_precision')
        ms.context.get_context('check_bprop')
        ms.context.get_auto_parallel_context('parallel_mode')
        ms.context.get_auto_parallel_context('gradients_mean')
        ms.context.get_auto_parallel_context('device_num')
        ms.context.get_auto_parallel_context('global_rank')
        ms.context.ParallelMode.DATA_PARALLEL
        ms.get_seed()
        ms.set_seed(5), ms.get_seed()
    """
    ),
]
