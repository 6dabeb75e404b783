"""The networks of MindSpore's own pages of r1.0 and r1.1, with fixed weights: results, and some steps of training."""

import importlib.util
import sys
from pathlib import Path

import mindspore.ops.composite  # noqa: F401  the scripts of r1.1 take it by its name
import numpy as np
from mindspore import Tensor, nn

from tests.oracle.case import Case
from tests.oracle.cases.r1_0._graph import in_graph_mode

SCRIPTS = Path(__file__).parents[3] / "seeds" / "scripts"


def script(name):
    """A script as a module; what is under its `__main__` does not run."""
    spec = importlib.util.spec_from_file_location(name, str(SCRIPTS / f"{name}.py"))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # graph mode reads the source of its classes
    spec.loader.exec_module(module)
    in_graph_mode()
    return module


def small(cell):
    """Fill every Parameter with small numbers."""
    for position, parameter in enumerate(cell.get_parameters()):
        count = int(np.prod(parameter.shape))
        numbers = np.sin(np.arange(count) * 0.7 + position + 1).reshape(parameter.shape) * 0.1
        parameter.set_data(Tensor(numbers.astype(np.float32)))
    return cell


def pictures():
    return Tensor((np.sin(np.arange(32 * 32 * 32) * 0.37).reshape(32, 1, 32, 32)).astype(np.float32))


def digits():
    return Tensor((np.arange(32) % 10).astype(np.int32))


def lenet(name):
    """The result of the network."""
    return small(script(name).LeNet5())(pictures())


def lenet_steps(name, steps=3):
    """Losses of steps by the script's own training cell, if it has one; and the biases afterwards."""
    module = script(name)
    net = small(module.LeNet5())
    optimizer = nn.Momentum([p for p in net.get_parameters() if p.requires_grad], 0.01, 0.9)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    step_of = vars(module).get("TrainOneStepCell", nn.TrainOneStepCell)
    step = step_of(nn.WithLossCell(net, loss), optimizer).set_train()
    losses = [float(step(pictures(), digits()).asnumpy()) for _ in range(steps)]
    return losses, net.fc1.bias.asnumpy(), net.fc3.bias.asnumpy()


def dense_steps(name, steps=2):
    """Losses of steps of the network with one Dense, and its weights afterwards."""
    module = script(name)
    ones = Tensor(np.ones((10, 8)).astype(np.float32)), Tensor(np.ones(10).astype(np.float32))
    net = module.ReLUReduceMeanDense(*ones, 8, 10)
    optimizer = module.Momentum(
        learning_rate=0.1, momentum=0.1, params=filter(lambda p: p.requires_grad, net.get_parameters())
    )
    criterion = module.SoftmaxCrossEntropyWithLogits(sparse=False)
    step = module.TrainOneStepCell(module.WithLossCell(net, criterion), optimizer).set_train()
    x = Tensor(np.sin(np.arange(4 * 8 * 9)).reshape(4, 8, 3, 3).astype(np.float32))
    labels = Tensor(np.eye(4, 10).astype(np.float32))
    losses = [step(x, labels).asnumpy().copy() for _ in range(steps)]
    return losses, net.dense.weight.asnumpy()


LENETS = (
    "s000_r11_custom_loop_sink",
    "s000_r11_model_train_sink",
    "s001_r10_custom_loop_sink",
    "s001_r10_model_train_sink",
)
CASES = [
    *[Case(f"lenet('{name}')", tolerance=1e-4) for name in LENETS],  # convolutions are summed in any order
    *[Case(f"lenet_steps('{name}')", tolerance=1e-3) for name in LENETS],
    Case("dense_steps('s000_r11_one_step_dense')", tolerance=1e-4),
    Case("dense_steps('s001_r10_one_step_dense')", tolerance=1e-4),
]
