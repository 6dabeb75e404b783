"""Names from files reach a terminal, XML and spreadsheets as text. Judge: what these do with control characters."""

import csv
import io
import json
from xml.etree import ElementTree

import pytest
import torch
from rich.console import Console

import msbridge
from msbridge import verify
from msbridge.cli.main import main
from msbridge.converters.files.atomic_write import write_text
from msbridge.core.runtime.printable import escape_markup, json_text, printable

BAD = "a\x1b[2J\x00\x9b31m\r\ud800é"
SHOWN = "a\\x1b[2J\\x00\\x9b31m\\r\\ud800é"


def test_control_characters_are_written_as_python_writes_them():
    assert printable(BAD) == SHOWN
    assert printable("naïve\nname") == "naïve\nname"
    console = Console(file=io.StringIO())
    console.print(escape_markup("[red]x[/]\x07"))
    assert console.file.getvalue() == "[red]x[/]\\x07\n"


def test_json_is_the_same_and_printable():
    values = {BAD: ["é", {"\x9b": 1}]}
    assert json.loads(json_text(values)) == values
    assert json.loads(json_text(values, indent=1)) == values
    assert json_text(values).isprintable()


def test_a_text_with_bytes_that_are_none_can_be_written(tmp_path):
    write_text(tmp_path / "x", "caf\udce9")
    assert (tmp_path / "x").read_text(encoding="utf-8") == "caf\\udce9"


@pytest.mark.parametrize("options", [(), ("--tree",), ("--json",), ("--stats",)])
def test_inspect(tmp_path, monkeypatch, capsys, options):
    monkeypatch.chdir(tmp_path)
    name = BAD.replace("\ud800", "")
    torch.save({name: torch.ones(2), "other": "\x1b[31m"}, "x\x1b[1m.pth")
    assert main(["inspect", "x\x1b[1m.pth", *options]) == 0
    shown = capsys.readouterr().out
    assert all(one.isprintable() or one == "\n" for one in shown)
    if options == ("--json",):
        assert list(json.loads(shown)["tensors"]) == [name]


NAMES = ("=cmd|'x'!A1", "+1", "-2", "@SUM", "esc\x1b[31m\x00", "[red]b", "c<d>&\x01")


class Theirs(torch.nn.Module):
    def __init__(self):
        super().__init__()
        for name in NAMES:
            self.add_module(name, torch.nn.Linear(2, 2))

    def forward(self, x):
        for one in self.children():
            x = one(x)
        return x


class Ours(msbridge.nn.Cell):
    def __init__(self):
        super().__init__()
        for name in NAMES:
            self.insert_child_to_cell(name, msbridge.nn.Dense(2, 2))

    def construct(self, x):
        for one in self.cells():
            x = one(x)
        return x


def test_reports_of_verify(tmp_path, capsys):
    found = verify.compare(Theirs(), Ours(), [torch.ones(1, 2)])
    found.to_junit(tmp_path / "x.xml")
    cases = [one.get("name") for one in ElementTree.parse(tmp_path / "x.xml").getroot()]
    assert "esc\\x1b[31m\\x00" in cases
    assert "=cmd|'x'!A1" in cases
    found.to_csv(tmp_path / "x.csv")
    with (tmp_path / "x.csv").open(newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert {"'=cmd|'x'!A1", "'+1", "'-2", "'@SUM", "esc\\x1b[31m\\x00"} <= set(cells)
    assert not [cell for cell in cells if cell.startswith(("=", "+", "@"))]
    found.print(all_rows=True)
    shown = capsys.readouterr().out
    assert all(one.isprintable() or one == "\n" for one in shown)
    assert "[red]b" in shown
    found.to_html(tmp_path / "x.html")
    assert "c&lt;d&gt;&amp;" in (tmp_path / "x.html").read_text(encoding="utf-8")
    assert json.loads(found.to_json())
