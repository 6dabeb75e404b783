"""What `print` and the prompt show."""

import contextlib
import io

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import Parameter, Tensor, nn

from tests.oracle.case import Case, each

DTYPES = [
    "float16",
    "bfloat16",
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
DATA = {
    "scalar": "1",
    "vector": "[1, 2, 3]",
    "matrix": "[[1, 2], [3, 4]]",
    "cube": "np.arange(8).reshape(2, 2, 2)",
    "long": "np.arange(1200)",
    "empty": "np.zeros((0, 2))",
}


def of(data: object, dtype: str) -> Tensor:
    return Tensor(np.array(data), getattr(ms, dtype))


def both(t: object) -> tuple[str, str]:
    return str(t), repr(t)


def printed(*objects: object, **options: object) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as text:
        print(*objects, **options)
    return text.getvalue()


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Dense(2, 3)
        self.bn = nn.BatchNorm1d(3)
        self.seq = nn.SequentialCell(nn.Dense(2, 2), nn.ReLU(), nn.Flatten())
        self.cells_list = nn.CellList([nn.Dense(2, 2, has_bias=False), nn.Tanh()])
        self.w = Parameter(Tensor([1.0]), name="w")

    def construct(self, x: Tensor) -> Tensor:
        return x


class Empty(nn.Cell):
    def construct(self, x: Tensor) -> Tensor:
        return x


class Described(nn.Cell):
    def construct(self, x: Tensor) -> Tensor:
        return x

    def extend_repr(self) -> str:
        return "size=3"


class Both(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.ReLU()

    def construct(self, x: Tensor) -> Tensor:
        return x

    def extend_repr(self) -> str:
        return "size=3"


def of_a_dataset(array: np.ndarray) -> str:
    """A row of a pipeline is printed as numpy's."""
    (row,) = ds.NumpySlicesDataset((np.stack([array]),), ["a"]).create_dict_iterator(num_epochs=1)
    return repr(row["a"])


CASES = [
    *[
        Case(f"of_a_dataset({data})")
        for data in (
            "np.array([[1.0, 2.5], [3, 4]])",
            "np.arange(120.0)",
            "np.arange(1100)",
            "np.array([True, False])",
            "np.array(1.0, np.float32)",
            "np.array([1e-8, np.inf, np.nan])",
            "np.arange(24).reshape(2, 3, 4).astype(np.float16)",
            "np.zeros((2, 0))",
        )
    ],
    *each("""
        repr(Tensor.from_numpy(np.array([1.0, 2.5]))), repr(Tensor.from_numpy(np.array([1.0, 2.5])) + 0)
        repr(ms.from_numpy(np.eye(2, dtype=np.float32)))
        [repr(Tensor(np.arange(n) / 2)) for n in (11, 12, 13, 36, 996, 1008)]
        [repr(Tensor(np.arange(n))) for n in (12, 24, 25, 48, 1001)]
        [repr(Tensor(np.arange(n) > 3)) for n in (12, 24, 25)]
    """),
    *[Case(f"both(of({data}, '{dtype}'))") for data in DATA.values() for dtype in DTYPES],
    *each("""
        both(Tensor(True)), both(Tensor([True, False])), both(Tensor([[True], [False]]))
        both(Tensor(1.5)), both(Tensor(-2.25)), both(Tensor(1e-8)), both(Tensor(0.1))
        both(Tensor([1.0, 2.5])), both(Tensor([[1.0, 2.0], [3.0, 4.5]]))
        both(Tensor([1e-8, 1e8])), both(Tensor([1e-3, 1e3])), both(Tensor([123456.789, 0.001]))
        both(Tensor([float('nan'), float('inf'), -float('inf')]))
        both(Tensor([float('nan'), 1.0])), both(Tensor(float('nan'))), both(Tensor(float('inf')))
        both(Tensor([-0.0, 0.0])), both(Tensor(-0.0))
        both(Tensor([])), both(Tensor(np.zeros((2, 0))))
        both(Tensor([1 / 3, 2 / 3])), both(Tensor([1 / 3], ms.float64)), both(Tensor([1 / 3], ms.float16))
        both(Tensor([-1.5, 2])), both(Tensor([100, -2])), both(Tensor([[1, -100], [20, 3]]))
        both(Tensor([1.0, 2.0], ms.bfloat16)), both(Tensor(1.5, ms.bfloat16))
        both(Tensor(np.zeros((100, 100), np.float32)))
        both(Tensor(np.arange(2000)))
        both(Tensor(np.zeros(1000, np.float32)))
        both(Tensor(np.zeros(1001, np.float32)))
        both(Tensor(np.arange(2000).reshape(2, 1000)))
        both(Tensor(np.linspace(0, 1, 30), ms.float32))
        both(Tensor(np.arange(24).reshape(2, 3, 4)))
        both(Tensor(np.arange(24).reshape(2, 3, 4), ms.float32))
        both(Tensor([1 + 2j])), both(Tensor(1 + 2j))
        f'{Tensor(1.5)}', f'{Tensor([1, 2])}', '%s' % Tensor([1.5])
        format(Tensor([1.0, 2.0]))
        str([Tensor(1.0), Tensor([1])]), str((Tensor(True),)), str({'a': Tensor(2)})
        printed(Tensor([[1.0, 2.0]]), 3)
        printed('loss:', Tensor(0.5), sep='|')
        both(Parameter(Tensor([1.0, 2.0]), name='w'))
        both(Parameter(Tensor(1.0), name='s', requires_grad=False))
        both(Parameter(Tensor([[1]]), name='a.b'))
        str(Parameter(Tensor([1.0, 2.0]), name='w').value()), repr(Parameter(Tensor([1.0]), name='w').data)
        f"{Parameter(Tensor([1.0, 2.0]), name='w')}"
        repr(ms.ParameterTuple((Parameter(Tensor([1.0]), name='a'),)))
        f'{Tensor(1.23456).asnumpy():.2f}', f'{Tensor(2.5).item():.1f}', f'{float(Tensor(0.25)):.3f}'
    """),
    Case("f'{Tensor(1.5):.2f}'", raises=TypeError, says="format string"),
    Case("'%.2f' % Tensor([1.5])"),
    Case("'%d' % Tensor(3)"),
    # primitives, cells, optimizers
    *each("""
        both(ops.Add()), both(ops.ReLU()), both(ops.MatMul())
        repr(ops.ReduceSum()), repr(ops.ReduceMean(True)), repr(ops.Concat(1)), repr(ops.Cast())
        repr(Net())
        str(Net()) == repr(Net())
        repr(Empty()), repr(Described()), repr(Both())
        repr(nn.Dense(2, 3)), repr(nn.Dense(2, 3, has_bias=False))
        repr(nn.Dense(2, 3, activation='relu'))
        repr(nn.Conv2d(1, 2, 3)).split(', weight_init')[0]
        repr(nn.Conv2d(1, 2, (3, 1), stride=2, pad_mode='pad', padding=1, has_bias=True)).split(', weight_init')[0]
        repr(nn.BatchNorm2d(2))
        repr(nn.LayerNorm((2,)))
        repr(nn.GroupNorm(1, 2))
        repr(nn.MaxPool2d(2, 2)), repr(nn.AvgPool2d(2))
        repr(nn.Dropout(p=0.1)), repr(nn.Dropout(keep_prob=0.3)), repr(nn.Dropout(0.9))
        repr(nn.Embedding(2, 3))
        repr(nn.Flatten()), repr(nn.ReLU()), repr(nn.Softmax()), repr(nn.GELU()), repr(nn.LeakyReLU())
        repr(nn.SequentialCell(nn.ReLU(), nn.Tanh()))
        repr(nn.SequentialCell())
        repr(nn.CellList([nn.ReLU()])), repr(nn.CellList())
        repr(nn.CellDict({'a': nn.ReLU()}))
        repr(nn.MSELoss()), repr(nn.SoftmaxCrossEntropyWithLogits()), repr(nn.CrossEntropyLoss()), repr(nn.L1Loss())
        repr(nn.SGD(nn.Dense(1, 1).trainable_params())), repr(nn.Momentum(nn.Dense(1, 1).trainable_params(), 0.1, 0.9))
        repr(nn.Adam(nn.Dense(1, 1).trainable_params())), repr(nn.AdamWeightDecay(nn.Dense(1, 1).trainable_params()))
        repr(nn.WithLossCell(nn.Dense(1, 1), nn.MSELoss()))
        repr(nn.PReLU()), repr(nn.Identity())
    """),
]
