"""The HTML report: complete, safe, small, and drawn by a browser."""

import json
import re
import shutil
import subprocess

import pytest
import torch
from pairs import pair

from msbridge import nn
from msbridge.verify import compare
from msbridge.verify.inputs import KINDS, make, read, write
from msbridge.verify.report import render

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def found():
    module, cell, inputs = pair("ResNet")
    cell.layers[1].bn2.eps = 1e-3
    return compare(module, cell, inputs, grad=True)


def test_report_needs_nothing_else(found):
    html = render(found)
    assert not re.findall(r"""(?:src|href)=|url\(|@import""", html)
    assert len(html) < 5e6


def test_report_holds_every_row(found):
    data = re.search(r'id="data">(.*?)</script>', render(found), re.DOTALL)
    assert len(json.loads(data[1])["rows"]) == len(found.rows)


def test_names_cannot_break_out_of_the_report():
    class Odd(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.add_module("</script><b>x", torch.nn.Linear(2, 2))

        def forward(self, x):
            return getattr(self, "</script><b>x")(x)

    html = render(compare(Odd(), nn.SequentialCell(nn.Dense(2, 2)), torch.ones(1, 2)))
    assert "</script><b>" not in html


@pytest.mark.skipif(BROWSER is None, reason="needs chromium")
def test_browser_draws_the_report(found, tmp_path):
    found.to_html(tmp_path / "report.html")
    flags = (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--window-size=1280,1200",
    )
    target = (tmp_path / "report.html").as_uri()
    command = [BROWSER, *flags, f"--user-data-dir={tmp_path / 'profile'}"]
    drawn = subprocess.run(
        [*command, "--dump-dom", target], capture_output=True, text=True, timeout=120, check=True
    ).stdout
    body = re.search(r'<table id="rows">.*?<tbody>(.*?)</tbody>', drawn, re.DOTALL)
    assert body[1].count("<tr") == len(found.rows)
    assert "layers.1.bn2: differs" in drawn
    shot = tmp_path / "shot.png"
    subprocess.run([*command, f"--screenshot={shot}", target], capture_output=True, timeout=120, check=True)
    assert shot.read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize("kind", KINDS)
def test_inputs_of_every_kind_are_repeatable(kind):
    one, other = make([f"{kind}:2,3,8"]), make([f"{kind}:2,3,8"])
    assert one[0].shape == (2, 3, 8)
    assert torch.equal(one[0], other[0])


def test_inputs_are_saved_and_read_in_order(tmp_path):
    data = make(["ids<5:2,3", "2,4"])
    write(tmp_path / "in.npz", data)
    assert all(torch.equal(a, b) for a, b in zip(read(tmp_path / "in.npz"), data, strict=True))
