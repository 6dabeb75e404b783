"""Pictures of networks: boxes, lines, and texts that stay texts; Graphviz draws them where it is installed."""

import re
import shutil
from pathlib import Path

import pytest

from msbridge.cli.main import main
from msbridge.converters.messages.mind_ir import ModelProto
from msbridge.converters.mindir.reading import read_model
from msbridge.mindir.drawing import MAX_BOXES, to_dot
from tests.mindir.mindir_files import content, file

BOX = re.compile(
    r'(\w+) \[label="((?:[^"\\]|\\.)*)", fillcolor="#\w+", color="#\w+"(?:, tooltip="(?:[^"\\]|\\.)*")?\];'
)
LINE = re.compile(r"(\w+) -> (\w+);")


def labels(picture: str) -> list[str]:
    return [found[2] for line in picture.splitlines() if (found := BOX.fullmatch(line))]


def test_layers_follow_each_other(tmp_path: Path) -> None:
    picture = to_dot(read_model(file("2.10/lenet", tmp_path)))
    assert labels(picture)[:3] == [r"x\nfloat32[2, 1, 12, 12]", r"conv\nConv2d", r"bn\nBatchNorm2d"]
    assert labels(picture)[-2:] == ["Softmax", "result"]
    assert LINE.findall(picture)[:2] == [("n0_0", "n0_1"), ("n0_1", "n0_2")]


@pytest.mark.parametrize("case", ["2.0/bert", "2.10/gpt", "2.0/loops", "2.10/resnet", "2.0/operators"])
def test_every_statement_is_a_box_a_line_or_a_group(case: str, tmp_path: Path) -> None:
    picture = to_dot(read_model(file(case, tmp_path)))
    boxes = {found[1] for line in picture.splitlines() if (found := BOX.fullmatch(line))}
    lines = {name for ends in LINE.findall(picture) for name in ends}
    assert 0 < len(boxes) < 3 * MAX_BOXES
    assert lines <= boxes
    rest = [line for line in picture.splitlines() if not BOX.fullmatch(line) and not LINE.fullmatch(line)]
    starts = ("digraph ", "node ", "edge ", "graph ", "subgraph cluster_", "label=", "}")
    assert all(line.startswith(starts) for line in rest)
    assert picture.count("{") == picture.count("}")


def test_layers_stay_closed_where_there_are_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = read_model(file("2.0/bert", tmp_path))
    monkeypatch.setattr("msbridge.mindir.drawing.MAX_BOXES", 22)
    assert any(label.endswith("Attention · 21 nodes") for label in labels(to_dot(model)))
    chained = read_model(file("2.0/detector", tmp_path))
    monkeypatch.setattr("msbridge.mindir.drawing.MAX_BOXES", 5)
    assert any(label.endswith(" operators") for label in labels(to_dot(chained)))


def test_names_of_a_file_cannot_be_more_than_text(tmp_path: Path) -> None:
    model = ModelProto.FromString(content("2.10/lenet"))
    model.graph.input[0].name = model.graph.name + ':"]; \\ -> \0'
    conv = next(one for one in model.graph.node if "conv-Conv2d/Conv2D" in one.domain)
    conv.input[0] = model.graph.input[0].name
    path = tmp_path / "odd.mindir"
    path.write_bytes(model.SerializeToString())
    assert labels(to_dot(read_model(path)))[0].startswith('\\"]; \\\\ -> ?')


def test_inspect_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = file("2.10/lenet", tmp_path), tmp_path / "a.dot"
    assert main(["inspect", str(source), "--graph", str(target)]) == 0
    shown = capsys.readouterr().out
    assert "outputs: float32[2, 4]" in shown
    assert "series: 2.3 and later" in shown
    assert target.read_text().startswith("digraph")
    assert main(["inspect", str(source), "--graph", str(tmp_path / "a.png")]) == 2


def test_an_svg_takes_graphviz(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert main(["inspect", str(file("2.10/lenet", tmp_path)), "--graph", str(tmp_path / "a.svg")]) == 2
    assert "install Graphviz" in capsys.readouterr().err


@pytest.mark.process
@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_graphviz_draws(tmp_path: Path) -> None:
    target = tmp_path / "a.svg"
    assert main(["inspect", str(file("2.10/gpt", tmp_path)), "--graph", str(target)]) == 0
    assert "<svg" in target.read_text()
