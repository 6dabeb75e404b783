"""Networks in `.mindir` files for other programs. Judge: what the real MindSpore that wrote a file computes."""

from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
import torch

from msbridge.cli.main import main
from msbridge.converters.errors import CheckpointError
from msbridge.mindir import control
from msbridge.train.exporting import convert_mindir, onnx
from msbridge.train.exporting.convert_mindir import convert_network
from tests.mindir.mindir_files import arrays, file

pytestmark = pytest.mark.compiles


def test_onnx_gets_names_and_free_lengths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    monkeypatch.setattr(onnx, "program_of", lambda *given: seen.append(given) or mock.MagicMock())
    monkeypatch.setattr(onnx, "write", lambda program, target: seen.append(target))
    target = tmp_path / "a.onnx"
    assert "x float32[-1, 3, -1, -1]" in convert_network(file("2.10/dynamic", tmp_path), target)
    (_, network, (example,), inputs, outputs, axes), written = seen
    assert example.shape == (32, 3, 32, 32)
    assert (inputs, outputs, written) == (["x"], None, target)
    assert axes == {"x": {0: "x_0", 2: "x_2", 3: "x_3"}}
    assert not any(one.requires_grad for one in network.get_parameters())


def test_programs_of_torch(tmp_path: Path) -> None:
    source, target = file("2.0/quantised", tmp_path), tmp_path / "a.pt2"
    assert main(["convert", str(source), str(target)]) == 0
    found = torch.export.load(target).module()(*map(torch.from_numpy, arrays("2.0/quantised", "in")))
    np.testing.assert_allclose(found, arrays("2.0/quantised", "out")[0], 1e-5, 1e-5)


def test_programs_of_free_lengths_load_without_a_word(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    convert_network(file("2.10/dynamic", tmp_path), tmp_path / "a.pt2")
    program = torch.export.load(tmp_path / "a.pt2")
    assert capfd.readouterr().err == ""
    found = program.module()(*map(torch.from_numpy, arrays("2.10/dynamic", "in")))
    np.testing.assert_allclose(found[0].numpy(), arrays("2.10/dynamic", "out")[0], 1e-5, 1e-5)


@pytest.mark.needs(package="onnxruntime")
@pytest.mark.needs(package="onnxscript")
def test_suppression_of_boxes(tmp_path: Path) -> None:
    """It is a loop in both forms, of torch's own operators only."""
    import onnxruntime

    source = file("2.10/detector", tmp_path)
    given, wanted = arrays("2.10/detector", "in"), arrays("2.10/detector", "out")
    convert_network(source, tmp_path / "a.pt2")
    convert_network(source, tmp_path / "a.onnx")
    session = onnxruntime.InferenceSession(tmp_path / "a.onnx")
    run = session.run(None, {one.name: value for one, value in zip(session.get_inputs(), given, strict=True)})
    for found in (run, torch.export.load(tmp_path / "a.pt2").module()(*map(torch.from_numpy, given))):
        for own, other in zip(torch.utils._pytree.tree_leaves(found), wanted, strict=True):
            np.testing.assert_allclose(own, other, 1e-5, 1e-5)


@pytest.mark.parametrize("case", ["2.0/early", "2.10/closures", "2.10/assigning"])
def test_loops_and_branches(case: str, tmp_path: Path) -> None:
    convert_network(file(case, tmp_path), tmp_path / "a.pt2")
    found = torch.export.load(tmp_path / "a.pt2").module()(*map(torch.from_numpy, arrays(case, "in")))
    for own, other in zip(torch.utils._pytree.tree_leaves(found), arrays(case, "out"), strict=True):
        np.testing.assert_allclose(own, other, 1e-5, 1e-5)


@pytest.mark.needs(package="onnxruntime")
@pytest.mark.needs(package="onnxscript")
def test_branches_in_loops_for_onnx(tmp_path: Path) -> None:
    import onnxruntime

    given, wanted = arrays("2.10/long_loop", "in"), arrays("2.10/long_loop", "out")
    convert_network(file("2.10/long_loop", tmp_path), tmp_path / "a.onnx")
    session = onnxruntime.InferenceSession(tmp_path / "a.onnx")
    found = session.run(None, {one.name: value for one, value in zip(session.get_inputs(), given, strict=True)})
    for own, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(own, other, 1e-5, 1e-5)


@pytest.mark.needs(package="onnxscript")
def test_onnx_has_no_parameters_that_change(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"assigns to its parameters count \(at Default/Assign"):
        convert_network(file("2.0/assigning", tmp_path), tmp_path / "a.onnx")


def test_refusals_say_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A loop that torch cannot follow is named; other reasons are torch's."""
    monkeypatch.setattr(control, "_as_before", mock.Mock(side_effect=RuntimeError("it grows")))
    with pytest.raises(CheckpointError, match="begins at the node 'Default/Less-op0': it grows"):
        convert_network(file("2.10/long_loop", tmp_path), tmp_path / "a.pt2")

    def follow(*given: Any) -> None:
        raise RuntimeError("torch says why")

    monkeypatch.setattr(convert_mindir, "trace_network", follow)
    with pytest.raises(CheckpointError, match="torch says why"):
        convert_network(file("2.10/quantised", tmp_path), tmp_path / "a.pt2")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["a.mindir", "a.onnx", "--dtype", "float16"], "--dtype is for checkpoints"),
        (["a.ckpt", "a.onnx"], "a.ckpt is not one"),
        (["a.mindir", "there.pt2"], "--force"),
    ],
)
def test_bad_options(
    words: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("there.pt2").write_bytes(b"")
    assert main(["convert", *words]) == 2
    assert says in capsys.readouterr().err
