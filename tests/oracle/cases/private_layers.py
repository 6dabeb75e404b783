"""What libraries take from MindSpore's private modules of layers: recurrent steps, containers' checks, shapes."""

from collections import OrderedDict  # noqa: F401

import numpy as np
from mindspore import Tensor, nn
from mindspore.common import parameter  # noqa: F401
from mindspore.nn.layer import container, conv, rnns  # noqa: F401
from mindspore.nn.loss import loss  # noqa: F401

from tests.oracle.case import Case, rand

LENGTHS = Tensor(np.array([2, 4, 1], np.int32))
_GATES = {"RNN_RELU": 1, "RNN_TANH": 1, "GRU": 3, "LSTM": 4}


def stepped(cell: nn.Cell, mode: str, lengths: Tensor | None = None, has_bias: bool = True) -> object:
    """Outputs and last state of a layer of 6 units on 4 steps of 3 sequences."""
    draw = np.random.default_rng(5).standard_normal
    rows = 6 * _GATES[mode]

    def some(*shape: int) -> Tensor:
        return Tensor(draw(shape).astype(np.float32) / 2)

    state = (some(3, 6), some(3, 6)) if mode == "LSTM" else some(3, 6)
    weights = (some(rows, 5), some(rows, 6), *((some(rows), some(rows)) if has_bias else (None, None)))
    return cell(some(4, 3, 5), state, lengths, *weights)


def nested() -> nn.Cell:
    return nn.SequentialCell([nn.CellList([nn.Dense(1, 1), nn.Dense(1, 1)]), nn.Dense(1, 1)])


CASES = [
    *(Case(f"stepped(rnns._DynamicRNNBase('{mode}'), '{mode}')") for mode in _GATES),
    *(Case(f"stepped(rnns._DynamicRNNBase('{mode}'), '{mode}', LENGTHS)") for mode in _GATES),
    *(Case(f"stepped(rnns._DynamicRNNBase('{mode}'), '{mode}', LENGTHS, False)") for mode in _GATES),
    Case("stepped(rnns._DynamicRNNRelu(), 'RNN_RELU')"),
    Case("stepped(rnns._DynamicRNNTanh(), 'RNN_TANH')"),
    Case("stepped(rnns._DynamicGRUCPUGPU(), 'GRU')"),
    Case("stepped(rnns._DynamicGRUCPUGPU(), 'GRU', LENGTHS)"),
    Case("stepped(rnns._DynamicLSTMCPUGPU(), 'LSTM')"),
    Case("stepped(rnns._DynamicLSTMCPUGPU(), 'LSTM', LENGTHS)"),
    Case("stepped(rnns._DynamicLSTMCPUGPU(), 'LSTM', None, False)"),
    Case("rnns._DynamicRNNBase('LSTM').is_lstm"),
    Case("isinstance(nn.LSTM(2, 3), rnns._RNNBase)"),
    Case("rnns.sequence_mask(LENGTHS, 5)"),
    Case("rnns._init_state((2, 3), ms.float32, True)"),
    Case("rnns._init_state((2, 3), ms.float16, False)"),
    Case("container._valid_index(3, -1)"),
    Case("container._valid_index(3, True)"),
    Case("container._valid_index_for_inserting(3, 3)"),
    Case("container._valid_index_for_inserting(0, 0)"),
    Case("container._valid_index_for_inserting(3, -3)"),
    Case("container._get_prefix_and_index(OrderedDict())"),
    Case("container._get_prefix_and_index(nn.CellList([nn.Dense(2, 2), nn.Dense(2, 2)])._cells)"),
    Case("container._get_prefix_and_index(nested()[0]._cells)"),
    Case("container._valid_cell(nn.ReLU())"),
    Case("loss._check_is_tensor('a', None, 'X'), loss._check_is_tensor('a', Tensor(1), 'X')"),
    Case("conv._check_input_3d((1, 2, 3), 'X')"),
    Case("parameter._is_parameter_generated('Parameter#3'), parameter._is_parameter_generated('w')"),
    Case("parameter.init_to_value('zeros'), parameter.init_to_value('ones'), parameter.init_to_value(3)"),
    Case("rnns.get_hidden(x, LENGTHS)", x=rand(4, 3, 2)),
    Case("rnns.select_by_mask(x, rnns.sequence_mask(LENGTHS, 4))", x=rand(4, 3, 2)),
    Case("rnns._DynamicRNNBase('BAD')", raises=ValueError),
    Case("container._valid_index(3, 3)", raises=IndexError),
    Case("container._valid_index(3, 1.0)", raises=TypeError),
    Case("container._valid_index(0, 0)", raises=IndexError),
    Case("container._valid_index_for_inserting(0, 1)", raises=IndexError),
    Case("container._valid_cell(3)", raises=TypeError),
    Case("loss._check_is_tensor('a', 1, 'X')", raises=TypeError),
    Case("conv._check_input_3d((1, 2), 'X')", raises=ValueError),
    Case("parameter.init_to_value('twos')", raises=ValueError),
    Case("parameter.init_to_value(None)", raises=ValueError),
]
