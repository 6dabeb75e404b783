"""Parameters of a `.mindir` as a checkpoint."""

from pathlib import Path

import pytest

from msbridge.converters import CheckpointError, open_checkpoint
from msbridge.converters.conversion import convert
from msbridge.mindir.func_graph import open_graph
from tests.mindir.mindir_files import file


def test_parameters_are_entries(tmp_path: Path) -> None:
    path = file("2.10/lenet", tmp_path)
    with open_checkpoint(path) as checkpoint:
        assert checkpoint.format == "mindir"
        assert checkpoint.metadata["producer"] == "MindSpore 2.10.0"
        for name, parameter in open_graph(path).parameters().items():
            assert checkpoint.entries[name].tensor().equal(parameter._data)


def test_parameters_are_converted(tmp_path: Path) -> None:
    path, target = file("2.0/quantised", tmp_path), tmp_path / "weights.ckpt"
    convert(path, target)
    with open_checkpoint(target) as checkpoint:
        assert {name: one.type for name, one in checkpoint.entries.items()} == {"weight": "Int8", "scale": "Float32"}


def test_parameters_alone_are_not_written_as_a_network(tmp_path: Path) -> None:
    path, target = file("2.0/quantised", tmp_path), tmp_path / "weights.mindir"
    with pytest.raises(CheckpointError):
        convert(path, target)
    assert not target.exists()
