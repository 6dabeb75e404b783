"""Networks from files. Judge: what the real MindSpore that wrote a file computes with it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import msbridge as ms
from msbridge.mindir.func_graph import FuncGraph, open_graph
from tests.mindir.mindir_files import arrays, cases, file

HALF = ("mixed_2", "mixed_3")  # compute with ten bits of mantissa


def flat(values: Any) -> list[Any]:
    return [one for value in values for one in flat(value)] if isinstance(values, tuple | list) else [values]


def run(graph: FuncGraph, case: str) -> list[Any]:
    return flat(graph.bind(graph.parameters())(*(ms.Tensor(one) for one in arrays(case, "in"))))


@pytest.mark.parametrize("case", cases())
def test_networks_compute_what_they_computed(case: str, tmp_path: Path) -> None:
    found, expected = run(open_graph(file(case, tmp_path)), case), arrays(case, "out")
    assert len(found) == len(expected)
    for one, wanted in zip(found, expected, strict=True):
        if not isinstance(one, ms.Tensor):
            assert repr(one) == str(wanted)
            continue
        assert one.asnumpy().dtype == wanted.dtype
        assert one.shape == wanted.shape
        tolerance = 2e-3 if case.endswith(HALF) else 1e-5
        np.testing.assert_allclose(one.asnumpy(), wanted, rtol=tolerance, atol=tolerance)


def test_inputs_are_described(tmp_path: Path) -> None:
    graph = open_graph(file("2.10/lenet", tmp_path))
    assert repr(graph) == "<FuncGraph of 2.10_lenet.mindir: (x: float32[2, 1, 12, 12]), 26 nodes>"
    assert list(graph.parameters())[:2] == ["conv.weight", "bn.gamma"]


def test_errors_say_at_which_node(tmp_path: Path) -> None:
    cell = ms.nn.GraphCell(open_graph(file("2.10/lenet", tmp_path)))
    with pytest.raises(Exception, match="Conv2D") as caught:
        cell(ms.ops.ones((2, 7, 12, 12)))
    assert any("Default/conv-Conv2d" in note for note in caught.value.__notes__)


def test_parameters_are_shared_by_nothing(tmp_path: Path) -> None:
    graph = open_graph(file("2.0/assigning", tmp_path))
    first, second = graph.parameters(), graph.parameters()
    graph.bind(first)(ms.ops.ones(3))
    assert first["count"].item() == 13
    assert second["count"].item() == 2
