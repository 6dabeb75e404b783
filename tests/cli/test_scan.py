"""`msbridge scan`, called as the command line calls it."""

import json
from pathlib import Path

import pytest

from msbridge.cli.main import main
from msbridge.core.checks.option_records import options_of
from msbridge.scan.engine import SECTIONS
from msbridge.scan.findings import SUMMARIES
from msbridge.scan.options import Options

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
    assert "\n1 refused, 1 fallback in 1 file\n3 of 3 uses of MindSpore's names are available (100 %)\n" in shown
    assert shown.endswith("not ready: something is refused in 1 of 1 files (0.0 % of the files are ready)\n")
    row = next(line for line in shown.splitlines() if line.startswith("graph"))
    assert row.split() == ["graph", "1", "-", "1", "-"]


def test_json_has_everything(net, capsys):
    assert main(["scan", "--graph", "--json", net]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["counts"] == {"refused": 1, "changed": 0, "fallback": 1, "advice": 0}
    assert set(found) == {*("verdict", "files", "files_refused", "counts", "names", "release", "packages", "findings")}
    row = found["findings"][1]
    assert set(row) == {"rule", "level", "path", "line", "column", "excerpt", "reached", "what", "why", "fix"}
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
        "2 of 3 uses of MindSpore's names are available (66.7 %)",
        "for MindSpore 1.7, because of 'setup.py: mindspore==1.7'; `msbridge run` follows 1.7",
    ]


def test_every_name_is_listed_with_its_state(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = "from mindspore import nn\nfrom mindspore._checkparam import Rel\nnn.Conv2D\nnn.Cell\nnn.Cell\n"
    Path("net.py").write_text(text)
    main(["scan", "--names", "--json", "--html", "found.html", "."])
    names = json.loads(capsys.readouterr().out)["names"]
    assert (names["uses"], names["absent"], names["different"]) == (7, 1, 1)  # modules are names, too
    listed = {row["name"]: (row["state"], row["uses"], row["line"], row["fix"]) for row in names["list"]}
    assert listed["mindspore.nn.Cell"] == ("available", 2, 4, "")
    assert listed["mindspore.nn.Conv2D"] == ("missing", 1, 3, "write Conv2d")
    assert listed["mindspore._checkparam.Rel"][:3] == ("different", 1, 2)
    page = Path("found.html").read_text()
    assert "Names that are missing or different" in page
    assert "Names that are available" in page


def test_columns_are_those_of_characters_and_addresses_are_quoted(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("my net.py").write_text("from mindspore import nn\nx = '层', nn.Conv2D\n", encoding="utf-8")
    main(["scan", "--names", "--sarif", "-", "my net.py"])
    (result,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startColumn"]) == ("my%20net.py", 10)


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


def test_a_folder_without_python_is_told_so(tmp_path, capsys):
    assert main(["scan", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "there is no Python file and no notebook\n"


def test_sections_and_levels_of_the_help_are_those_of_the_scan():
    assert list(SUMMARIES) == list(SECTIONS)
    assert [name for name in options_of(Options) if name in SUMMARIES] == list(SECTIONS)


def test_an_address_of_a_repository_is_explained(capsys):
    assert main(["scan", "https://example.org/some/repository"]) == 2
    assert "Clone it" in capsys.readouterr().err


def test_a_baseline_leaves_only_what_is_new(net, capsys):
    assert main(["scan", "--graph", "--write-baseline", "known.json", net]) == 1
    Path(net).write_text("# a line above\n" + NET)
    assert main(["scan", "--graph", "--baseline", "known.json", net]) == 0
    Path(net).write_text(NET + "        yield x\n")
    capsys.readouterr()
    assert main(["scan", "--graph", "--baseline", "known.json", net]) == 1
    assert capsys.readouterr().out.count("[yield]") == 1
    assert main(["scan", "--baseline", net, net]) == 2
    assert "is no baseline" in capsys.readouterr().err


def test_settings_of_the_project_come_before_the_command_line(net, capsys):
    Path("pyproject.toml").write_text('[tool.msbridge.scan]\ngraph = true\nignore = ["del"]\n')
    assert main(["scan", net]) == 0
    assert "names" not in capsys.readouterr().out
    assert main(["scan", "--ignore", "asnumpy", net]) == 0  # beside the project's
    assert "nothing found" in capsys.readouterr().out
    Path("pyproject.toml").write_text("[tool.msbridge.scan]\ngrap = true\n")
    assert main(["scan", net]) == 2
    assert "has no setting 'grap'. Did you mean: 'graph'?" in capsys.readouterr().err


def test_rules_are_listed_and_explained(capsys):
    assert main(["scan", "--rules", "--packages"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("packages: ")
    assert "package (advice): a package that is not installed" in shown
    assert main(["scan", "--rules"]) == 0
    listed = capsys.readouterr().out
    assert all(f"  {rule.id} (" in listed for section in SECTIONS.values() for rule in section.rules)


def test_packages_that_are_missing_are_a_line_for_pip(net, capsys):
    Path(net).write_text("import no_such_package, pkg_resources_x, no_such_other\nimport acl\n")
    assert main(["scan", net]) == 0
    shown = capsys.readouterr().out
    assert "\n  pip install no_such_other no_such_package pkg_resources_x\n" in shown
    assert "ready: nothing is refused" in shown
