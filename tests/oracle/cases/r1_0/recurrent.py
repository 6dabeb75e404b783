"""Recurrent layers of 1.0.0: one flat weight, the order of its gates and biases."""

from pathlib import Path

import numpy as np
from mindspore import Tensor, nn
from mindspore.ops import operations
from mindspore.train.serialization import load_checkpoint, load_param_into_net

from tests.oracle.case import each, rand
from tests.oracle.cases.dataset._files import case_context  # noqa: F401
from tests.oracle.cases.r1_0._graph import fixed, in_graph_mode, parameters  # noqa: F401  used by the expressions
from tests.oracle.recorded import answers


class Unpacked(nn.Cell):
    """Takes the states one by one, as a whole network must."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def construct(self, x, h, c):
        output, (h, c) = self.net(x, (h, c))
        return output, h, c


class Tagger(nn.Cell):
    """A network around an LSTM, whose checkpoint 1.0.0 wrote."""

    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 3)
        self.head = nn.Dense(3, 2)

    def construct(self, x, h, c):
        output, _ = self.lstm(x, (h, c))
        return self.head(output[2])


def restored():
    """Load the checkpoint and run the network: what was not loaded, names and shapes, the result."""
    in_graph_mode()
    net = Tagger()
    Path("network.ckpt").write_bytes(answers("r1_0.saved_files", "1.0.0")["network()"])
    found = load_checkpoint("network.ckpt")
    missing = load_param_into_net(net, found)
    shapes = [(p.name, tuple(p.shape)) for p in net.get_parameters()]
    return missing, shapes, sorted(found), net(ramp(3, 2, 4), ramp(1, 2, 3), ramp(1, 2, 3))


class Sequence(nn.Cell):
    """The outputs of the primitive."""

    def __init__(self, op):
        super().__init__()
        self.op = op

    def construct(self, x, h, c, w):
        return self.op(x, h, c, w)[0]


def ramp(*shape):
    return Tensor((np.sin(np.arange(np.prod(shape)) * 0.3) * 0.4).reshape(shape).astype(np.float32))


def lstm(x, hidden, layers=1, directions=1, batch=2, **options):
    """Run nn.LSTM from given states; its single weight is fixed."""
    in_graph_mode()
    cell = nn.LSTM(x.shape[-1], hidden, layers, bidirectional=directions == 2, **options)
    state = ramp(layers * directions, batch, hidden)
    return Unpacked(fixed(cell))(x, state, state)


def one_cell(x, hidden, directions=1, **options):
    """nn.LSTMCell gets its weight at every call."""
    in_graph_mode()
    cell = nn.LSTMCell(x.shape[-1], hidden, bidirectional=directions == 2, **options)
    gates = 4 * hidden
    size = directions * gates * (x.shape[-1] + hidden + 2 * options.get("has_bias", True))
    state = ramp(directions, x.shape[1], hidden)
    return cell(x, state, state, ramp(size, 1, 1))[:3]


def impulses(hidden=1, size=1, bidirectional=False, layers=1):
    """The result of the primitive for weights that are zero but for one: which number is where."""
    in_graph_mode()
    ways = 1 + bidirectional
    op = operations.LSTM(size, hidden, layers, True, bidirectional, 0.0)
    count = sum(ways * 4 * hidden * ((size if i == 0 else hidden * ways) + hidden + 2) for i in range(layers))
    found = []
    for place in range(count):
        weight = np.full((count, 1, 1), 0.1, np.float32)
        weight[place] = 1
        state = ramp(layers * ways, 1, hidden)
        found.append(Sequence(op)(ramp(2, 1, size), state, state, Tensor(weight)).asnumpy().ravel())
    return np.array(found)


CASES = [
    *each(
        """
        lstm(x, 2)
        lstm(x, 3)
        lstm(x, 4, 2)
        lstm(x, 4, 3)
        lstm(x, 2, directions=2)
        lstm(x, 2, has_bias=False)
        lstm(x, 4, 2, has_bias=False)
        lstm(x, 4, directions=2, has_bias=False)
        lstm(x, 2, batch=3, batch_first=True)
        one_cell(x, 2)
        one_cell(x, 3, has_bias=False)
        one_cell(x, 2, directions=2)
        [tuple(part.shape) for part in lstm(x, 4, 2)]
    """,
        x=rand(3, 2, 4),
        tolerance=1e-4,
    ),
    *each(
        """
        impulses()
        impulses(2, 3)
        impulses(1, 2, True)
        impulses(1, 1, False, 2)
        restored()
        parameters(nn.LSTM(3, 2))
        parameters(nn.LSTM(3, 2, 2, bidirectional=True))
        parameters(nn.LSTM(3, 2, has_bias=False))
        parameters(nn.LSTMCell(3, 2))
        [nn.LSTM(3, 2).batch_first, hasattr(nn.LSTM(3, 2), 'weight')]
        [n for n, _ in nn.SequentialCell([nn.LSTM(3, 2)]).parameters_and_names()]
    """,
        tolerance=1e-4,
    ),
]
