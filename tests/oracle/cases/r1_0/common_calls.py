"""The names that scripts of r1.0 use most, in forms that scripts give them: written without a look at what differs."""

# ruff: noqa: E501, F401  # the expressions use what is imported

import mindspore as ms
import numpy as np
from mindspore import Tensor, context, nn
from mindspore.common.initializer import Constant, Normal, One, XavierUniform, Zero, initializer
from mindspore.ops import functional as F
from mindspore.train.callback import CheckpointConfig
from mindspore.train.loss_scale_manager import DynamicLossScaleManager, FixedLossScaleManager

from tests.oracle.case import GAP, Case, each, ints, rand
from tests.oracle.cases._tried import plain
from tests.oracle.cases.r1_0._graph import (
    Call,
    CallTuple,
    First,
    both,
    fixed,
    forward,
    in_graph_mode,
    layer,
    parameters,
    run,
)


class Net(nn.Cell):
    """Two dense layers."""

    def __init__(self):
        super().__init__()
        self.first = nn.Dense(3, 4)
        self.relu = nn.ReLU()
        self.second = nn.Dense(4, 2)

    def construct(self, x):
        return self.second(self.relu(self.first(x)))


def shown(action):
    """The result of the action; a gap where 1.0.0 refuses it or lacks a kernel."""
    in_graph_mode()
    try:
        return plain(action())
    except Exception:
        return GAP


def a(dtype="float32"):
    """Shape (2, 3)."""
    return Tensor(np.array([[4, -1, 2], [0, 3, -5]]).astype(dtype))


def trained(make, steps=2):
    """Losses and weights of a small network that is trained."""
    in_graph_mode()
    net = fixed(Net())
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), make(net)).set_train()
    x = Tensor(np.cos(np.arange(15)).reshape(5, 3).astype(np.float32))
    y = Tensor(np.array([0, 1, 1, 0, 1], np.int32))
    losses = [round(float(step(x, y).asnumpy()), 5) for _ in range(steps)]
    return losses, [p.asnumpy() for p in net.get_parameters()]


def measured(metric, *inputs):
    metric.clear()
    metric.update(*inputs)
    return metric.eval()


OPERATORS = """
ReduceSum(True), -1
ReduceMean(False), (0, 1)
ReduceMax(True), 0
Reshape(), (3, 2)
Transpose(), (1, 0)
ExpandDims(), 0
Slice(), (0, 1), (2, 2)
Softmax(-1),
ReLU(),
Square(),
ZerosLike(),
Argmax(1),
Cast(), ms.int32
Shape(),
Rank(),
Size(),
DType(),
"""
OUTSIDE = """
Tensor(3)
Tensor(1.5)
Tensor([1, 2])
Tensor([1.0, 2.5])
Tensor((1, 2), ms.float16)
Tensor(np.ones(2))
Tensor(True)
str(Tensor([1.5, 2]))
repr(Tensor([[1, 2]]))
Tensor([1.5]).dtype
Tensor([[1.5]]).dim()
a().shape
a().size()
a().asnumpy()
ms.Parameter(a(), 'w').name
ms.Parameter(a(), name='w').requires_grad
str(ms.Parameter(Tensor([1.5], ms.float32), name='w'))
ms.Parameter(a(), 'w').data.asnumpy()
ms.Parameter(1.5, 'w').dtype
ms.ParameterTuple((ms.Parameter(a(), 'w'),))[0].name
ms.Parameter(a(), 'w').clone('p').name
initializer('ones', (2,), ms.float32).to_tensor()
initializer(One(), [2], ms.int32).to_tensor()
initializer(0.5, (2,), ms.float16).to_tensor()
initializer(Constant(3), (2,)).to_tensor()
initializer('zeros', [1]).to_tensor()
initializer('normal', (2, 3)).shape
initializer(Zero(), (2, 3)).dtype
ms.dtype_to_nptype(ms.float16)
ms.pytype_to_dtype(float)
ms.float32
str(ms.int32)
ms.bool_
nn.Dense(2, 3, weight_init='ones')
nn.Conv2d(1, 2, 3, weight_init='ones')
nn.Conv2d(1, 2, 3, stride=2, pad_mode='pad', padding=1, weight_init='zeros', has_bias=True)
nn.BatchNorm2d(2)
nn.LayerNorm((3,))
nn.MaxPool2d(3, 2, pad_mode='same')
nn.AvgPool2d(2)
nn.Dropout(0.7)
nn.Flatten()
nn.ReLU()
nn.LeakyReLU()
nn.Softmax()
nn.SequentialCell([nn.ReLU(), nn.Flatten()])
nn.CellList([nn.ReLU(), nn.Tanh()])
nn.Embedding(4, 2, embedding_table='ones')
nn.OneHot(depth=3)
nn.Pad(((0, 0), (1, 1)))
nn.ClipByNorm()
nn.Norm()
nn.GELU()
nn.GroupNorm(2, 4)
nn.PReLU()
nn.MSELoss()
nn.L1Loss()
nn.SmoothL1Loss()
nn.SoftmaxCrossEntropyWithLogits(sparse=True)
nn.WithLossCell(nn.ReLU(), nn.MSELoss())
parameters(nn.Dense(2, 3))
parameters(nn.Conv2d(1, 2, 3, has_bias=True))
parameters(nn.SequentialCell([nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2)]))
parameters(nn.LSTM(2, 3, num_layers=2, bidirectional=True))
parameters(nn.Embedding(4, 2))
parameters(nn.PReLU(3))
parameters(nn.GroupNorm(2, 4))
parameters(nn.WithLossCell(nn.Dense(2, 3), nn.MSELoss()))
parameters(nn.Momentum(nn.Dense(2, 3).trainable_params(), 0.1, 0.9))
parameters(nn.Adam(nn.Dense(2, 3).trainable_params()))
parameters(nn.SGD(nn.Dense(2, 3).trainable_params()))
parameters(nn.RMSProp(nn.Dense(2, 3).trainable_params()))
parameters(nn.Lamb(nn.Dense(2, 3).trainable_params(), 0.1))
parameters(nn.TrainOneStepCell(nn.WithLossCell(nn.Dense(2, 3), nn.MSELoss()), nn.SGD(nn.Dense(2, 3).trainable_params())))
forward(nn.Dense(3, 2), a())
forward(nn.Dense(3, 2, activation='relu'), a())
forward(nn.ReLU(), a())
forward(nn.ReLU6(), a())
forward(nn.Softmax(0), a())
forward(nn.Flatten(), Tensor(np.ones((2, 2, 2), np.float32)))
forward(nn.SoftmaxCrossEntropyWithLogits(sparse=True), a(), Tensor([0, 2], ms.int32))
forward(nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction='sum'), a(), Tensor([0, 2], ms.int32))
forward(nn.Embedding(4, 2), Tensor([0, 3], ms.int32))
forward(nn.MaxPool2d(2, 2), Tensor(np.arange(16).reshape((1, 1, 4, 4)).astype(np.float32)))
forward(nn.Dropout(0.5), a())
forward(nn.OneHot(depth=3), Tensor([0, 2], ms.int32))
trained(lambda net: nn.Momentum(net.trainable_params(), 0.1, 0.9))
trained(lambda net: nn.Momentum(net.trainable_params(), 0.1, 0.9, weight_decay=0.1))
trained(lambda net: nn.Momentum(net.trainable_params(), 0.1, 0.9, loss_scale=8.0))
trained(lambda net: nn.Momentum(net.trainable_params(), [0.1, 0.05], 0.9))
trained(lambda net: nn.Momentum([{'params': net.trainable_params()[:2], 'lr': 0.2}, {'params': net.trainable_params()[2:]}], 0.1, 0.9))
nn.Momentum(nn.Dense(2, 3).trainable_params(), 0.1, 0.9).get_lr()
nn.Momentum(nn.Dense(2, 3).trainable_params(), 0.1, 0.9).learning_rate.asnumpy()
nn.Adam(nn.Dense(2, 3).trainable_params()).dynamic_lr
measured(nn.Accuracy('classification'), a(), Tensor([0, 1]))
measured(nn.Top1CategoricalAccuracy(), a(), Tensor([0, 1]))
measured(nn.Loss(), Tensor(1.5))
measured(nn.Precision(), a(), Tensor([0, 1]))
measured(nn.F1(), a(), Tensor([0, 1]))
nn.Dense(2, 3).cls_name
nn.Dense(2, 3).set_train().training
nn.Dense(2, 3).weight.name
nn.Dense(2, 3).weight.shape
nn.Dense(2, 3).get_flags()
nn.Dense(2, 3).to_float(ms.float16).cls_name
nn.Dense(2, 3).untrainable_params()
list(nn.Dense(2, 3).parameters_dict())
list(nn.CellList([nn.Dense(2, 3), nn.Dense(2, 3)]).parameters_dict())
[name for name, _ in nn.SequentialCell([nn.ReLU(), nn.Dense(2, 3)]).cells_and_names()]
len(nn.SequentialCell([nn.ReLU(), nn.Tanh()]))
context.get_context('mode')
context.get_context('device_id')
context.get_context('save_graphs')
context.get_context('enable_graph_kernel')
context.get_context('max_call_depth')
context.get_auto_parallel_context('device_num')
context.get_auto_parallel_context('parallel_mode')
context.get_auto_parallel_context('gradients_mean')
FixedLossScaleManager().get_loss_scale()
FixedLossScaleManager(8.0, False).get_drop_overflow_update()
DynamicLossScaleManager().get_loss_scale()
DynamicLossScaleManager(2.0 ** 10, 2, 5).get_update_cell()
CheckpointConfig().keep_checkpoint_max
CheckpointConfig(10).save_checkpoint_steps
CheckpointConfig().get_checkpoint_policy()
P.ReLU()
P.TensorAdd()
P.Concat(1)
P.ReduceSum(True)
P.Conv2D(1, 3)
P.MatMul(transpose_b=True)
P.ReLU().name
"""


def listed(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def operator(row, dtype):
    made, _, constants = row.partition("),")
    constants = constants.strip().rstrip(",")
    given = f", constants=({constants},)" if constants else ""
    return f"shown(lambda: run(P.{made}), a('{dtype}'){given}))"


CASES = [
    *(
        Case(operator(row, dtype))
        for row in listed(OPERATORS)
        for dtype in ("float32", "int32")
        if (row, dtype) != ("Square(),", "int32")  # its kernel reads memory that it has not written
    ),
    *(Case(f"shown(lambda: {one})") for one in listed(OUTSIDE)),
]
