"""A network as a table, in a terminal and in a notebook."""

import numpy as np
import pytest

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
    assert [(one.name, one.kind, one.output, one.parameters) for one in found.rows] == [
        ("", "Net", ((5, 2), (5, 3)), 0),
        ("body", "SequentialCell", ((5, 4),), 0),
        ("body.0", "Dense", ((5, 4),), 16),
        ("body.1", "ReLU", ((5, 4),), 0),
        ("head", "Dense", ((5, 2),), 8),
    ]
    assert (found.parameters, found.trainable, found.nbytes) == (24, 16, 96)
    assert str(found).splitlines()[3].split() == ["0", "Dense", "(5,", "4)", "16"]
    assert "<td" in found._repr_html_()
    assert ms.summary(net).rows[0].output == ()


def test_no_cell_is_refused() -> None:
    with pytest.raises(TypeError, match="must be a Cell, got int"):
        ms.summary(3)


def test_notebooks_show_tensors_and_cells_as_tables() -> None:
    shown = ms.Tensor([[1, 2], [3, 4]], ms.int32)._repr_html_()
    assert "(2, 2)" in shown
    assert "[[1 2]\n [3 4]]" in shown
    assert "<td" in Net()._repr_html_()
    assert "Dense" in Net()._repr_html_()


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
