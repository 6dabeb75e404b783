"""`msbridge scan`, called as the command line calls it."""

import json
from pathlib import Path

import pytest

from msbridge.cli.main import main

NET = """\
from mindspore import nn

class Net(nn.Cell):
    def construct(self, x):
        print(x.asnumpy())
        return self.part(x)

    def part(self, x):
        del x
"""


@pytest.fixture
def net(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.py").write_text(NET)
    return "net.py"


def test_findings_are_shown_by_file_with_what_to_do(net, capsys):
    assert main(["scan", net]) == 1
    shown = capsys.readouterr().out
    assert "net.py\n  5:15  fallback  a Tensor is read back to Python [asnumpy]\n      print(x.asnumpy())\n" in shown
    assert "reached by Net.construct → Net.part" in shown
    assert "Instead: " in shown
    assert "\n1 refused, 1 fallback in 1 file\n3 of 3 uses of MindSpore's names are here (100 %)\n" in shown
    assert shown.endswith("not ready: 1 of 1 files have something that is refused (0.0 % of the files are ready)\n")
    row = next(line for line in shown.splitlines() if line.startswith("graph"))
    assert row.split() == ["graph", "1", "-", "1", "-"]


def test_json_has_everything(net, capsys):
    assert main(["scan", "--graph", "--json", net]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["counts"] == {"refused": 1, "changed": 0, "fallback": 1, "advice": 0}
    row = found["findings"][1]
    assert (row["rule"], row["line"], row["column"]) == ("del", 9, 9)
    assert row["reached"] == ["Net.construct", "Net.part"]


@pytest.mark.parametrize(("words", "code"), [(["--ignore", "del"], 0), (["--level", "refused"], 1)])
def test_rules_and_levels_are_left_out(net, capsys, words, code):
    assert main(["scan", "--graph", net, *words]) == code
    last = capsys.readouterr().out.splitlines()[-2:]
    assert last[0] == f"{'1 fallback' if code == 0 else '1 refused'} in 1 file"
    assert last[1].startswith("ready:" if code == 0 else "not ready:")


def test_names_that_are_not_here_are_told_with_their_share(tmp_path, capsys):
    (tmp_path / "net.py").write_text("from mindspore import nn\nnn.Conv9d\n")
    (tmp_path / "setup.py").write_text("mindspore==1.7")
    assert main(["scan", "--names", str(tmp_path)]) == 1
    assert capsys.readouterr().out.splitlines()[-4:-1] == [
        "1 refused in 2 files",
        "2 of 3 uses of MindSpore's names are here (66.7 %)",
        "for MindSpore 1.7, because of 'setup.py: mindspore==1.7'; `msbridge run` follows it",
    ]


def test_nothing_found(tmp_path, capsys):
    (tmp_path / "empty.py").write_text("")
    assert main(["scan", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "nothing found in 1 file\n"


@pytest.mark.parametrize(
    ("words", "says"),
    [(["missing.py"], "missing.py"), (["net.py", "--ignore", "asnunpy"], "Did you mean: 'asnumpy'?")],
)
def test_mistakes_are_told(net, capsys, words, says):
    assert main(["scan", *words]) == 2
    assert says in capsys.readouterr().err


def test_reports_are_written(net, capsys):
    assert main(["scan", "--sarif", "found.sarif", "--html", "found.html", "--level", "fallback", net]) == 1
    (run,) = json.loads(Path("found.sarif").read_text())["runs"]
    (first, second) = run["results"]
    assert (first["ruleId"], first["level"], second["level"]) == ("asnumpy", "warning", "error")
    assert run["tool"]["driver"]["rules"][second["ruleIndex"]]["id"] == "del"
    place = second["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == (net, 9)
    page = Path("found.html").read_text()
    assert "Not ready" in page
    assert "del x" in page
    assert "http" not in page
    capsys.readouterr()
    main(["scan", "--sarif", "-", net])
    assert json.loads(capsys.readouterr().out)["version"] == "2.1.0"


def test_findings_of_a_notebook_name_the_cell(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    cells = [
        {"cell_type": "markdown", "source": ["# Title"]},
        {"cell_type": "code", "source": ["%matplotlib inline\n", "from mindspore import nn"]},
        {"cell_type": "code", "source": "%%bash\nls\n"},
        {"cell_type": "code", "source": ["x = 1\n", "if x:\n", "    !ls\n", "nn.Conv9d"]},
    ]
    Path("a.ipynb").write_text(json.dumps({"cells": cells}))
    Path("b.ipynb").write_text("{}")
    assert main(["scan", "--names", "--json", "."]) == 1
    found = json.loads(capsys.readouterr().out)["findings"]
    assert [(row["path"], row["line"], row["rule"]) for row in found] == [
        ("a.ipynb:cell_4", 4, "absent"),
        ("b.ipynb", 1, "unreadable"),
    ]
    main(["scan", "--sarif", "-", "a.ipynb"])
    (result,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    assert result["message"]["text"].startswith("cell 4, line 4: mindspore.nn.Conv9d")
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a.ipynb"


def test_an_address_of_a_repository_is_explained(capsys):
    assert main(["scan", "https://example.org/some/repository"]) == 2
    assert "Clone it" in capsys.readouterr().err
