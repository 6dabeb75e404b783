"""The HTML report: complete, safe, small, and drawn by a browser."""

import json
import re
import shutil
import subprocess
from dataclasses import fields, replace
from html import unescape

import pytest
import torch

from msbridge import nn
from msbridge.verify import Comparison, Difference, Finding, Row, compare
from msbridge.verify.explain.findings import fact
from msbridge.verify.report.html import render
from msbridge.verify.report.plot import WIDTH, plot
from tests.processes import LIMIT_S
from tests.zoo.pairs import pair

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
    data = json.loads(re.search(r'id="data">(.*?)</script>', render(found), re.DOTALL)[1])
    assert len(data["rows"]) == len(found.rows)
    odd = next(one for one in data["rows"] if one["status"] == "differs")
    assert {**data["defaults"], **odd["fed"]}.keys() == {one.name for one in fields(Difference)} - {"actual_shape"} | {
        "problem"
    }


def test_names_cannot_break_out_of_the_report():
    class Odd(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.add_module("</script><b>x", torch.nn.Linear(2, 2))

        def forward(self, x):
            return getattr(self, "</script><b>x")(x)

    html = render(compare(Odd(), nn.SequentialCell(nn.Dense(2, 2)), torch.ones(1, 2)))
    assert "</script><b>" not in html


def test_verdict_reason_and_evidence_come_first():
    eps = fact("setting", setting="eps", torch=1, cell=2, trap="")
    findings = [Finding("eps", eps, "conv1", "conv1", (fact("seen at", layer="the scale"),))]
    findings += [Finding("error", fact("NaN"), f"conv{number}") for number in range(2, 20)]
    found = Comparison("a.Net", "b.Net", findings=findings)
    words = re.sub("<style>.*?</style>|<[^>]+>", " ", render(found), flags=re.DOTALL).split()
    text = " ".join(words)
    places = [text.index(part) for part in ("FAIL The networks part at conv1", "seen at the scale", "18 more places")]
    assert places == sorted(places)
    assert places[-1] < 400


def test_parts_without_a_counterpart_and_faults_are_marked(found):
    torchs, cells = [("", "Net", True), ("stem", "Linear", False)], [("", "Net", True), ("fc", "Dense", True)]
    rows = [Row("fc", "fc", status="differs", by="order", paths=(("fc",), ("fc",)))]
    html = render(replace(found, structure={"torch": torchs, "cell": cells}, rows=rows))
    assert '<div class="no">✗   stem: Linear</div>' in html
    assert '<div class="at">●   fc: Dense</div>' in html


def test_nothing_is_drawn_where_all_is_equal():
    module, cell, inputs = pair("LeNet")
    assert "<svg viewBox" not in render(compare(module, cell, inputs))


def test_limit_of_rounding_is_drawn_between_noise_and_fault():
    def row(gap, peak):
        return Row("fc", "fc", by="order", status="noise", fed=Difference(max_abs=gap, peak_ratio=peak))

    heights = [float(one) for one in re.findall('class="limit".*? y1="(.*?)"', plot([row(1e-6, 1), row(1e-3, 4000)]))]
    dots = [
        float(one) for one in re.findall('class="fed good" cx=".*?" cy="(.*?)"', plot([row(1e-6, 1), row(1e-3, 4000)]))
    ]
    assert heights[0] < dots[0]  # the axis points up, heights of SVG down
    assert heights[1] > dots[1]


def test_thousand_layers_fit_into_5_mb(found):
    odd = next(row for row in found.rows if row.status == "differs")
    many = replace(found, rows=[replace(odd, torch=f"layers.{number}.attention.query") for number in range(1000)])
    assert len(render(many).encode()) < 5e6


def test_a_fix_is_code_that_can_be_copied():
    html = render(compare(torch.nn.GELU(), nn.GELU(), torch.randn(4, 8)))
    assert "Fix: use <code>nn.GELU(approximate=False)</code>" in html


def test_nothing_that_was_run_once_is_shown_as_a_time(found):
    html = render(found)
    assert not re.search(r"\d ms|\d s<", html)
    assert "medians of runs" in render(replace(found, seconds={"torch forward": 1e-3, "cell forward": 2e-3}))


def drawn(page, profile, *flags, size="1400,1200"):
    """Open a page in a browser; give what it prints."""
    usual = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync")
    quiet = ("--disable-background-networking", "--disable-component-update", f"--window-size={size}")
    command = [BROWSER, *usual, *quiet, f"--user-data-dir={profile}", *flags, page]
    return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=True).stdout


@pytest.mark.process
@pytest.mark.skipif(BROWSER is None, reason="needs chromium")
def test_browser_draws_the_report(found, tmp_path):
    found.to_html(tmp_path / "report.html")
    page, shot = (tmp_path / "report.html").as_uri(), tmp_path / "shot.png"
    html = drawn(page, tmp_path / "profile", "--dump-dom", f"--screenshot={shot}")
    body = re.search(r'<table id="rows">.*?<tbody>(.*?)</tbody>', html, re.DOTALL)
    assert body[1].count("<tr") == len(found.rows)
    assert "layers.1.bn2: differs" in html
    assert shot.read_bytes()[:4] == b"\x89PNG"


@pytest.mark.process
@pytest.mark.skipif(BROWSER is None, reason="needs chromium")
def test_browser_filters_and_sorts_as_the_address_says(found, tmp_path):
    found.to_html(tmp_path / "report.html")
    page = (tmp_path / "report.html").as_uri() + "#filter=bn&set=layers&sort=free&down=true"
    html = drawn(page, tmp_path / "profile", "--dump-dom")
    body = re.search(r'<table id="rows">.*?<tbody>(.*?)</tbody>', html, re.DOTALL)
    names = re.findall(r'class="name" title="(.*?)"', body[1])[::2]
    wanted = [row for row in found.rows if "bn" in row.torch and row.is_layer]
    wanted.sort(key=lambda row: -row.free.max_abs)
    assert names == [row.torch for row in wanted]


KEYS = """<script>
const said = document.getElementById("chosen"), press = (where, key) => where.dispatchEvent(
  new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
const table = document.querySelector("#rows").closest(".scroll"), before = said.textContent;
press(table, "ArrowDown");
const after = said.textContent, marked = document.querySelectorAll('#rows [aria-current="true"]').length;
press(document.querySelector('#rows th[data-key="free"]'), "Enter");
const sorted = document.querySelector('#rows th[data-key="free"]').getAttribute("aria-sort");
const nameless = [...document.querySelectorAll(".scroll, .plot, .tree, input, button, svg")].filter(one =>
  !one.getAttribute("aria-label") && !one.textContent.trim()).length;
const still = [...document.querySelectorAll(".scroll, .plot, .tree")].filter(one => one.tabIndex < 0).length;
document.body.dataset.seen = JSON.stringify({before, after, marked, sorted, nameless, still,
  heads: [...document.querySelectorAll("h1, h2")].map(one => one.tagName).join("")});
</script>"""


@pytest.mark.process
@pytest.mark.skipif(BROWSER is None, reason="needs chromium")
def test_browser_takes_keys_and_names_its_parts(found, tmp_path):
    (tmp_path / "report.html").write_text(render(found).replace("</body>", KEYS + "</body>"), encoding="utf-8")
    html = drawn((tmp_path / "report.html").as_uri(), tmp_path / "profile", "--dump-dom")
    seen = json.loads(unescape(re.search(r'data-seen="(.*?)"', html)[1]))
    assert seen["before"] != seen["after"]
    assert seen["marked"] == 1
    assert seen["sorted"] == "descending"
    assert (seen["nameless"], seen["still"]) == (0, 0)
    assert re.fullmatch("H1(H2)+", seen["heads"])


MEASURE = """<script>
const box = one => document.querySelector(one).getBoundingClientRect(), head = box("#rows thead th").bottom;
const tops = [...document.querySelectorAll("#rows tbody tr")].map(row => row.getBoundingClientRect().top);
const drawing = document.getElementById("plot"), page = document.documentElement;
parent.postMessage(JSON.stringify({
  too_wide: page.scrollWidth - innerWidth, hidden: drawing.scrollWidth - drawing.clientWidth,
  beside: [...document.querySelectorAll(".card b, .verdict p, .finding, #rows td.name")].filter(
    one => one.scrollWidth > one.clientWidth + 1).length,
  sign: drawing.querySelector("text.first").getBBox().x + drawing.querySelector("text.first").getBBox().width,
  names: new Set([...document.querySelectorAll("#rows tbody td:nth-child(3)")].map(one => one.textContent)).size,
  cut: Math.min(...tops.map(top => Math.abs(top - head))), paper: getComputedStyle(document.body).backgroundColor,
}), "*");
</script>"""
FRAME = """<script>onmessage = event => document.body.dataset.seen = event.data</script>
<body style="margin:0"><iframe style="border:0" width="{wide}" height="1500" src="report.html"></iframe>"""


@pytest.mark.process
@pytest.mark.skipif(BROWSER is None, reason="needs chromium")
@pytest.mark.parametrize(("wide", "scheme"), [(400, 1), (1400, 0)], ids=["narrow, light", "wide, dark"])
@pytest.mark.parametrize(
    "prefix", ["", "encoder_backbone_with_a_very_long_name.branch_for_context_and_refinement."], ids=["", "long"]
)
def test_browser_shows_whole_rows_and_a_plot_that_scrolls(found, tmp_path, wide, scheme, prefix):
    found = replace(
        found,
        rows=[replace(row, torch=prefix + row.torch, cell=prefix + row.cell) for row in found.rows],
        findings=[replace(one, layer=prefix + one.layer, cell=prefix + one.cell) for one in found.findings],
    )
    page, shot = tmp_path / "frame.html", tmp_path / "shot.png"
    (tmp_path / "report.html").write_text(render(found).replace("</body>", MEASURE + "</body>"))
    page.write_text(FRAME.format(wide=wide))  # a window is never so narrow
    flags = ("--dump-dom", f"--screenshot={shot}", f"--blink-settings=preferredColorScheme={scheme}")
    html = drawn(page.as_uri(), tmp_path / "profile", "--virtual-time-budget=3000", *flags)
    seen = json.loads(unescape(re.search(r'data-seen="(.*?)"', html)[1]))
    assert seen["too_wide"] <= 0
    assert seen["beside"] == 0
    assert seen["sign"] <= WIDTH
    assert seen["names"] == len({row.torch for row in found.rows})
    assert seen["cut"] < 2  # the first row below the heading begins there
    assert (seen["hidden"] > 0) == (wide < 680)
    assert seen["paper"] == ("rgb(255, 255, 255)" if scheme else "rgb(20, 23, 27)")
    assert shot.read_bytes()[:4] == b"\x89PNG"
