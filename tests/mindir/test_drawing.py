"""Pictures of networks: boxes, lines, and room on the page."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from mindir_files import content, file

from msbridge.cli.main import main
from msbridge.converters.messages.mind_ir import ModelProto
from msbridge.converters.mindir.reading import read_model
from msbridge.mindir.drawing import MAX_BOXES, drawn

SVG = "{http://www.w3.org/2000/svg}"


def texts(picture: str) -> list[str]:
    return ["".join(one.itertext()) for one in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def boxes(picture: str) -> list[tuple[float, float, float, float]]:
    found = ElementTree.fromstring(picture).iter(f"{SVG}rect")
    return [tuple(float(one.get(name)) for name in ("x", "y", "width", "height")) for one in found]


def test_layers_stand_below_each_other(tmp_path: Path) -> None:
    picture = drawn(read_model(file("2.10/lenet", tmp_path)))
    assert texts(picture)[:6] == ["x", "float32[2, 1, 12, 12]", "conv", "Conv2d", "bn", "BatchNorm2d"]
    assert texts(picture)[-2:] == ["Softmax", "result"]
    tops = [box[1] for box in boxes(picture)]
    assert tops == sorted(tops)


@pytest.mark.parametrize("case", ["2.0/bert", "2.10/gpt", "2.0/loops", "2.10/resnet", "2.0/operators"])
def test_boxes_do_not_cover_each_other(case: str, tmp_path: Path) -> None:
    found = boxes(drawn(read_model(file(case, tmp_path))))
    assert len(found) < 3 * MAX_BOXES
    for number, (x, y, width, height) in enumerate(found):
        for left, top, wide, tall in found[:number]:
            assert x >= left + wide or left >= x + width or y >= top + tall or top >= y + height


def test_layers_stay_closed_where_there_are_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = read_model(file("2.0/bert", tmp_path))
    monkeypatch.setattr("msbridge.mindir.drawing.MAX_BOXES", 22)
    assert "Attention · 21 nodes" in texts(drawn(model))
    chained = read_model(file("2.0/detector", tmp_path))
    monkeypatch.setattr("msbridge.mindir.drawing.MAX_BOXES", 5)
    assert any(text.endswith(" operators") for text in texts(drawn(chained)))


def test_names_of_a_file_cannot_be_more_than_text(tmp_path: Path) -> None:
    model = ModelProto.FromString(content("2.10/lenet"))
    model.graph.input[0].name = model.graph.name + ":<script>\0"
    conv = next(one for one in model.graph.node if "conv-Conv2d/Conv2D" in one.domain)
    conv.input[0] = model.graph.input[0].name
    path = tmp_path / "odd.mindir"
    path.write_bytes(model.SerializeToString())
    assert texts(drawn(read_model(path)))[0] == "<script>?"


def test_inspect_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = file("2.10/lenet", tmp_path), tmp_path / "a.svg"
    assert main(["inspect", str(source), "--graph", str(target)]) == 0
    shown = capsys.readouterr().out
    assert "outputs: float32[2, 4]" in shown
    assert "era: 2.3 and later" in shown
    assert target.read_text().startswith("<svg")
    assert main(["inspect", str(source), "--graph", str(tmp_path / "a.png")]) == 2
