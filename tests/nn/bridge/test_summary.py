"""A network as a table, in a terminal and in a notebook."""

import re

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import nn


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.SequentialCell(nn.Dense(3, 4), nn.ReLU())
        self.head = nn.Dense(4, 2, has_bias=False)
        self.head.weight.requires_grad = False

    def construct(self, x):
        return self.head(self.body(x)), x


def test_layers_shapes_and_counts() -> None:
    net = Net()
    found = ms.summary(net, ms.Tensor(np.ones((5, 3), np.float32)))
    assert [(one.name, one.kind, one.input, one.output, one.parameters, one.mult_adds) for one in found.rows] == [
        ("", "Net", ((5, 3),), ((5, 2), (5, 3)), 0, 0),
        ("body", "SequentialCell", ((5, 3),), ((5, 4),), 0, 0),
        ("body.0", "Dense", ((5, 3),), ((5, 4),), 16, 5 * 3 * 4),
        ("body.1", "ReLU", ((5, 4),), ((5, 4),), 0, 0),
        ("head", "Dense", ((5, 4),), ((5, 2),), 8, 5 * 4 * 2),
    ]
    assert (found.parameters, found.trainable, found.nbytes, found.mult_adds) == (24, 16, 96, 100)
    assert (found.input_nbytes, found.output_nbytes) == (60, (20 + 20 + 10) * 4)
    assert str(found).splitlines()[3].split() == ["0", "Dense", "(5,", "3)", "(5,", "4)", "16", "60"]
    assert str(found).splitlines()[-2:] == [
        "24 parameters: 16 trainable, 8 not; 0.10 kB",
        "100 mult-adds; inputs 0.06 kB, outputs of layers 0.20 kB",
    ]
    assert "<td" in found._repr_html_()


def test_without_a_call_there_are_counts_alone() -> None:
    found = ms.summary(Net())
    assert (found.rows[0].output, found.rows[0].calls, found.parameters) == ((), 0, 24)
    assert str(found).splitlines()[0].split() == ["layer", "class", "parameters"]
    assert "mult-adds" not in str(found)


class Several(nn.Cell):
    """Several inputs, a dict of outputs, a layer that is called twice, one that is never called, a recurrent one."""

    def __init__(self) -> None:
        super().__init__()
        self.rnn = nn.LSTM(3, 4, 2, bidirectional=True)
        self.twice = nn.Dense(8, 8)
        self.norm = nn.BatchNorm1d(8)
        self.heads = nn.CellList([nn.Dense(8, 2), nn.Dense(8, 5)])

    def construct(self, x, scale):
        hidden, _ = self.rnn(x)
        hidden = self.norm(self.twice(self.twice(hidden[-1])))
        return {"small": self.heads[0](hidden) * scale, "rest": (hidden,)}


INPUTS = (ms.Tensor(np.ones((7, 5, 3), np.float32)), ms.Tensor(2.0))


def test_networks_of_many_forms() -> None:
    found = ms.summary(Several(), INPUTS[0], scale=INPUTS[1])
    rows = {one.name: one for one in found.rows}
    assert (rows[""].input, rows[""].output) == (((7, 5, 3), ()), ((5, 2), (5, 8)))
    first, second = 4 * 4 * (3 + 4), 4 * 4 * (8 + 4)  # gates, of both layers in one direction
    assert rows["rnn"].mult_adds == 7 * 5 * 2 * (first + second)
    assert (rows["twice"].calls, rows["twice"].mult_adds) == (2, 2 * 5 * 8 * 8)
    assert "Dense (called 2 times)" in str(found)
    assert [line.split()[0] for line in str(found).splitlines() if "not called" in line] == ["1"]


def test_rows_end_at_a_depth_and_take_over_what_is_below() -> None:
    full, short = (ms.summary(Several(), *INPUTS, depth=depth) for depth in (None, 1))
    assert [one.name for one in short.rows] == ["", "rnn", "twice", "norm", "heads"]
    assert sum(one.parameters for one in short.rows) == sum(one.parameters for one in full.rows)
    assert (short.mult_adds, short.rows[-1].mult_adds) == (full.mult_adds, 5 * 8 * 2)
    assert "not called" not in str(short)
    with pytest.raises(ValueError, match="depth"):
        ms.summary(Several(), depth=0)


def test_the_network_stays_as_it_was() -> None:
    net = Several().set_train()
    net.rnn.set_train(False)
    before = net.norm.moving_mean.asnumpy()
    ms.summary(net, *INPUTS)
    with pytest.raises(ValueError, match="broadcast"):
        ms.summary(net, INPUTS[0], ms.Tensor(np.ones((3, 3), np.float32)))
    assert (net.training, net.rnn.training, net.norm.training) == (True, False, True)
    assert np.array_equal(net.norm.moving_mean.asnumpy(), before)
    assert not any(cell._special and cell._special.hooks for _, cell in net.cells_and_names())


def test_a_cell_without_parameters() -> None:
    assert str(ms.summary(nn.ReLU(), ms.Tensor([1.0]))).splitlines()[-2] == (
        "0 parameters: 0 trainable, 0 not; 0.00 kB"
    )


def test_no_cell_is_refused() -> None:
    with pytest.raises(TypeError, match=r"Cell.*but got type .int."):
        ms.summary(3)


def test_notebooks_show_tensors_and_cells_as_tables() -> None:
    shown = ms.Tensor([[1, 2], [3, 4]], ms.int32)._repr_html_()
    assert "(2, 2)" in shown
    assert "[[1 2]\n [3 4]]" in shown
    assert "<td" in Net()._repr_html_()
    assert "Dense" in Net()._repr_html_()
    assert "24 parameters" in Net()._repr_html_()


def test_notebooks_show_the_values_of_a_parameter_once() -> None:
    shown = ms.Parameter(ms.Tensor([1.5, 2.5]), name="weight")._repr_html_()
    assert re.findall(r"<td[^>]*>(.*?)</td>", shown) == ["weight", "(2,)", "Float32", "True", "[1.5 2.5]"]


def test_the_extension_of_ipython_installs() -> None:
    from msbridge.dropin import installed

    before = installed()
    ms.load_ipython_extension(None)
    assert installed()
    if not before:
        ms.unload_ipython_extension(None)
        assert not installed()


def test_no_address_of_an_object_is_shown_in_a_notebook():
    shown = nn.Conv2d(1, 2, 3)._repr_html_()
    assert "weight_init=HeUniform()" in shown
    assert " at 0x" not in shown


def test_a_torch_module_has_the_rows_of_a_cell() -> None:
    module = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2, bias=False))
    found = ms.summary(module.train(), torch.ones(5, 3))
    assert [(one.name, one.kind, one.input, one.output, one.parameters, one.mult_adds) for one in found.rows] == [
        ("", "Sequential", ((5, 3),), ((5, 2),), 0, 0),
        ("0", "Linear", ((5, 3),), ((5, 4),), 16, 5 * 3 * 4),
        ("1", "ReLU", ((5, 4),), ((5, 4),), 0, 0),
        ("2", "Linear", ((5, 4),), ((5, 2),), 8, 5 * 4 * 2),
    ]
    assert (found.parameters, found.nbytes, found.input_nbytes, found.output_nbytes) == (24, 96, 60, 200)
    assert module.training
    assert found.as_dict()["rows"][1]["kind"] == "Linear"
