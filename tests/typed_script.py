"""A script that tools/check_types.py passes to mypy: each ignored line is an error that has to be found."""

from collections.abc import Callable
from typing import Any, assert_type

import mindspore as ms
import mindspore.dataset.vision.c_transforms as C
import numpy as np
from mindspore import Tensor, context, nn, ops, train
from mindspore.common import dtype as mstype
from mindspore.common.api import _cell_graph_executor, ms_function  # noqa: F401
from mindspore.common.initializer import Normal
from mindspore.dataset import NumpySlicesDataset
from mindspore.nn.wrap.cell_wrapper import WithLossCell
from mindspore.ops import operations as P
from mindspore.train.callback import LossMonitor
from mindspore.train.serialization import load_checkpoint


class Net(nn.Cell):
    """Two layers."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Dense(3, 2, weight_init=Normal(0.02))
        self.relu = P.ReLU()

    def construct(self, x: Tensor) -> Tensor:
        hidden: Tensor = self.relu(self.fc(x))
        return hidden


context.set_context(mode=context.GRAPH_MODE)
net = Net()
out = net(Tensor(np.ones((4, 3)), mstype.float32))
data = NumpySlicesDataset({"x": np.ones((8, 3)), "y": np.ones(8)}).map(C.Rescale(1.0, 0.0), ["x"]).batch(4)
loss = WithLossCell(net, nn.CrossEntropyLoss())
model = train.Model(net, nn.CrossEntropyLoss(), nn.Momentum(net.trainable_params(), 0.1, 0.9))
model.train(1, data, callbacks=[LossMonitor()])
summed: Tensor = ops.relu(ms.Tensor([1.0])).sum()
assert_type(out, Tensor)
assert_type(nn.Dense(3, 2)(out), Tensor)
assert_type(nn.CellList([net])[0], nn.Cell)
assert_type(next(data.create_dict_iterator()), dict[str, Any])
value, gradients = ms.value_and_grad(net, None, net.trainable_params())(out)
callback_like: Callable[[Tensor], Tensor] = nn.ReLU()


class Step(nn.TrainOneStepCell):
    """A step with other inputs."""

    def construct(self, ids: Tensor, labels: Tensor, mask: Tensor) -> Tensor:
        return ids + labels + mask


class Loss(nn.LossBase):
    """A loss with other names."""

    def construct(self, logit: Tensor, target: Tensor) -> Tensor:
        return logit - target


@ms_function
def marked(x: Tensor) -> Tensor:
    """Keep its type."""
    return x


assert_type(marked(out), Tensor)

nn.Dense("3", 2)  # type: ignore[arg-type]
ops.relu("text")  # type: ignore[arg-type]
nn.Dens(3, 2)  # type: ignore[attr-defined]
load_checkpoint(3)  # type: ignore[arg-type]
nn.Dense(3, 2)("text")  # type: ignore[arg-type]
Loss()(out)  # type: ignore[call-arg]
