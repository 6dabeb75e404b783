"""The page of a network: complete, safe, and folded and searched by a browser."""

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

import pytest
import torch

from msbridge import nn
from msbridge.cli.main import main
from msbridge.networks.graph_page import render
from msbridge.networks.tree import MAX_DEPTH, Branch, tree_of_network
from tests.mindir.mindir_files import content
from tests.processes import LIMIT_S

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
HOSTILE = "</script><b onclick=x>"


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.SequentialCell(nn.Dense(3, 4), nn.ReLU())
        self.head = nn.Dense(4, 2, has_bias=False)


def data_of(html: str) -> list:
    return json.loads(re.search(r'id="data">(.*?)</script>', html, re.DOTALL)[1])


def test_a_page_needs_nothing_else_and_shows_names_as_text() -> None:
    html = render(Branch(HOSTILE, HOSTILE, HOSTILE, [Branch(HOSTILE)]))
    assert not re.findall(r"""(?:src|href)=|url\(|@import""", html)
    assert HOSTILE not in html
    assert data_of(html)[3][0][0] == HOSTILE


def test_layers_and_parameters_of_a_cell() -> None:
    root = tree_of_network(Net(), "net")
    assert (root.kind, root.detail) == ("Net", "24 parameters")
    assert [part.name for part in root.parts] == ["body", "head"]
    dense = root.parts[0].parts[0]
    assert [(one.name, one.kind, one.detail) for one in dense.parts] == [
        ("weight", "Float32", "(4, 3)"),
        ("bias", "Float32", "(4,)"),
    ]


def test_pages_of_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    deep = ".".join("a" * 5000)
    torch.save({f"layer.{HOSTILE}.weight": torch.ones(2, 3), deep: torch.ones(1)}, "a.pth")
    Path("a.mindir").write_bytes(content("2.10/lenet"))
    assert main(["inspect", "a.pth", "--graph", "a.html"]) == 0
    assert "The page of the network is in a.html." in capsys.readouterr().out
    name, kind, _, (layer, first) = data_of(Path("a.html").read_text())
    assert (name, kind, layer[0], layer[3][0][3][0]) == (
        "a.pth",
        "pth",
        "layer",
        ["weight", "Float32", "(2, 3)  24 B", []],
    )
    depth = 0
    while first[3]:
        first, depth = first[3][0], depth + 1
    assert depth == MAX_DEPTH
    assert main(["inspect", "a.mindir", "--graph", "m.html"]) == 0
    operators = re.findall(r'"(Conv2D|ReLU|MaxPool|Dense|MatMul|Softmax)"', Path("m.html").read_text())
    assert {"Conv2D", "ReLU", "MaxPool"} <= {*operators}
    Path("a.onnx").write_bytes(b"no such file")
    for source in ("nothere.ckpt", "a.onnx", "a.pth:Net"):
        assert main(["inspect", source, "--graph", "b.html"]) == 2
    assert not Path("b.html").exists()


SEARCH = """<script>
field.value = "relu"; field.dispatchEvent(new Event("input"));
const names = [...place.querySelectorAll("b")].map(one => one.textContent), hits = note.textContent;
const marks = place.querySelectorAll("mark").length;
field.value = ""; field.dispatchEvent(new Event("input"));
const before = place.querySelectorAll("b").length; document.getElementById("open").click();
parent.postMessage(JSON.stringify({names, marks, hits, before, after: place.querySelectorAll("b").length,
  too_wide: document.documentElement.scrollWidth - innerWidth,
  paper: getComputedStyle(document.body).backgroundColor}), "*");
</script>"""
FRAME = """<script>onmessage = event => document.body.dataset.seen = event.data</script>
<body style="margin:0"><iframe style="border:0" width="400" height="800" src="page.html"></iframe>"""


@pytest.mark.process
@pytest.mark.skipif(BROWSER is None, reason="needs chromium")
@pytest.mark.parametrize("scheme", [0, 1], ids=["dark", "light"])
def test_a_browser_searches_and_unfolds(tmp_path: Path, scheme: int) -> None:
    root = tree_of_network(Net(), "a_very_long_name_of_a_network_" * 5)
    root.parts.append(Branch("x" * 300, "Dense", "(3, 4) " * 60))
    (tmp_path / "page.html").write_text(render(root).replace("</body>", SEARCH + "</body>"), encoding="utf-8")
    (tmp_path / "frame.html").write_text(FRAME)
    flags = [f"--user-data-dir={tmp_path / 'profile'}", f"--blink-settings=preferredColorScheme={scheme}"]
    flags += ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=3000", "--dump-dom"]
    page = (tmp_path / "frame.html").as_uri()
    done = subprocess.run([BROWSER, *flags, page], capture_output=True, text=True, check=True, timeout=LIMIT_S)
    seen = json.loads(unescape(re.search(r'data-seen="(.*?)"', done.stdout)[1]))
    assert (seen["names"], seen["marks"], seen["hits"]) == (["body", "1"], 1, "1 hit")
    assert seen["before"] < seen["after"] == 8
    assert seen["too_wide"] <= 0
    assert seen["paper"] == ("rgb(255, 255, 255)" if scheme else "rgb(20, 23, 27)")
