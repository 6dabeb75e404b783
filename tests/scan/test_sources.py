"""Files that are scanned: which, also among pipes and links, how they are read, and which comments count."""

import json
import os
from pathlib import Path

import pytest

from msbridge.cli.main import main
from msbridge.scan import scan, sources
from msbridge.scan.sources import python_files
from tests.scan.scanned import rules

HEAD = "from mindspore import nn\nclass Net(nn.Cell):\n    def construct(self, x):\n"
BAD = "import mindspore.nn as nn; nn.Nope"
needs_links = pytest.mark.skipif(os.name == "nt", reason="pipes, links, names that are no text")


def test_files_of_environments_and_hidden_folders_are_left_out(tmp_path):
    for name in ("a.py", "b/c.py", "b/__pycache__/d.py", ".git/e.py", "lib/site-packages/f.py", "g.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    found = [one.path.relative_to(tmp_path).as_posix() for one in python_files([tmp_path, tmp_path / "a.py"])]
    assert found == ["a.py", "b/c.py"]


def test_a_path_that_is_not_there_is_an_error():
    with pytest.raises(FileNotFoundError):
        scan([Path("no such file")])


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"import mindspore\nprint 'jit'\n", 2),
        (b"import mindspore\nx = '\xff'\n", 1),
        (b"# -*- coding: no-such -*-\nimport mindspore\n", 1),
        (b"import mindspore\n\0\n", 1),
    ],
    ids=["syntax", "bytes", "encoding", "null"],
)
def test_a_file_that_is_no_python_is_a_finding(tmp_path, content, line):
    (tmp_path / "bad.py").write_bytes(content)
    (finding,) = scan([tmp_path]).findings
    assert (finding.rule.id, finding.line) == ("unreadable", line)


def test_an_encoding_that_the_file_names_is_used(tmp_path):
    (tmp_path / "net.py").write_bytes(b"# coding: latin-1\n" + HEAD.encode() + b"        del x  # \xe9\n")
    (finding,) = scan([tmp_path]).findings
    assert finding.excerpt == "del x  # é"


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("", ["del"]),
        ("# msbridge: ignore", []),
        ("# msbridge: ignore[del]", []),
        ("#msbridge:ignore[try, del]", []),
        ("# msbridge: ignore[try]", ["del"]),
    ],
)
def test_a_comment_ignores_rules_in_its_line(comment, expected):
    assert rules(f"{HEAD}        del x  {comment}\n") == expected


def test_a_file_that_may_not_be_read_is_a_finding(tmp_path, monkeypatch):
    (tmp_path / "net.py").write_text("import mindspore")

    def refused(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("tokenize.open", refused)
    (finding,) = scan([tmp_path]).findings
    assert (finding.rule.id, finding.excerpt) == ("unreadable", "Permission denied")


def test_files_of_python_2_are_told_so(tmp_path):
    (tmp_path / "net.py").write_text("print 'mindspore'\n")
    (finding,) = scan([tmp_path]).findings
    assert finding.rule.what == "a file of Python 2"


def test_a_folder_that_links_to_itself_is_read_once(tmp_path):
    (tmp_path / "a.py").write_text("")
    (tmp_path / "again").symlink_to(tmp_path)
    assert len([*python_files([tmp_path])]) == 1


@pytest.mark.parametrize(
    ("cell", "line"),
    [
        ("%%time\nmindspore.nothing", 2),
        ("%%bash\nmindspore.nothing", None),
        ("files = !ls\na, b = %magic\n?x\nx.y??\nmindspore.nothing", 5),
        ("if x:\n    y = !ls\nmindspore.nothing", 3),
        ("await f()\nmindspore.nothing", 2),
    ],
)
def test_lines_of_ipython_are_passed_over(tmp_path, cell, line):
    text = json.dumps({"cells": [code("import mindspore\n"), code(cell)]})
    (tmp_path / "a.ipynb").write_text(text)
    found = [(one.path.rpartition(":")[2], one.line) for one in scan([tmp_path], ["names"]).findings]
    assert found == ([("cell_2", line)] if line else [])


def test_a_cell_that_is_no_python_leaves_the_others(tmp_path):
    cells = [code("import mindspore"), code("x = = 1\n"), code("mindspore.nothing")]
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8-sig")
    found = [(one.path.rpartition(":")[2], one.rule.id) for one in scan([tmp_path], ["names", "graph"]).findings]
    assert found == [("cell_2", "unreadable"), ("cell_3", "absent")]


def test_notebooks_of_the_third_version_are_read(tmp_path):
    cells = [{"cell_type": "code", "input": ["import mindspore.nothing"]}]
    (tmp_path / "a.ipynb").write_text(json.dumps({"worksheets": [{"cells": cells}]}))
    assert [one.rule.id for one in scan([tmp_path], ["names"]).findings] == ["absent"]


def test_the_clone_of_an_address_is_scanned(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nets").mkdir()
    (tmp_path / "nets" / "a.py").write_text("")
    for address in ("https://example.org/some/nets.git", "git@example.org:some/nets", "https://example.org/some/nets/"):
        assert [str(one.path) for one in python_files([Path(address)])] == [str(Path("nets/a.py"))]
    with pytest.raises(FileNotFoundError, match=r"git clone https://example.org/other.git && msbridge scan other"):
        [*python_files([Path("https://example.org/other.git")])]


@needs_links
def test_odd_files_are_left_out_or_told_of(tmp_path: Path, monkeypatch, capsys):
    folder = tmp_path / "project"
    folder.mkdir()
    os.mkfifo(folder / "pipe.py")
    (tmp_path / "outside.py").write_text(BAD)
    (folder / "link.py").symlink_to("../outside.py")
    (folder / "itself.py").symlink_to("itself.py")
    (folder / "nowhere.py").symlink_to("nothing.py")
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff.py")).write_text(BAD)
    with (folder / "large.py").open("wb") as large:
        large.truncate(sources.MAX_BYTES + 1)
    monkeypatch.chdir(tmp_path)
    assert main(["scan", "project", "--names", "--html", "a.html", "--sarif", "a.sarif"]) == 1
    shown = capsys.readouterr().out
    assert "files of more than 64 MiB are not read" in shown
    assert "in 3 files" in shown


@needs_links
def test_a_long_line_is_shown_in_part(tmp_path: Path, capsys):
    (tmp_path / "a.py").write_text(f"{BAD}; x = '{'y' * 100_000}'\n")
    main(["scan", str(tmp_path), "--names"])
    assert len(capsys.readouterr().out) < 2000


@needs_links
def test_a_folder_that_is_deep_does_not_end_the_scan(tmp_path: Path, monkeypatch, capsys):
    (tmp_path / "a.py").write_text(BAD)
    monkeypatch.chdir(tmp_path)
    for _ in range(830):  # longer than a path may be
        Path("deep").mkdir()
        os.chdir("deep")
    bottom = os.open(".", os.O_RDONLY)
    monkeypatch.chdir(tmp_path)
    try:
        main(["scan", ".", "--names"])
        assert "mindspore.nn.Nope is not in msbridge" in capsys.readouterr().out
    finally:  # by steps: the path is too long for whoever clears the folder
        os.fchdir(bottom)
        for _ in range(830):
            os.chdir("..")
            Path("deep").rmdir()


@needs_links
def test_a_pipe_is_refused(tmp_path: Path, capsys):
    os.mkfifo(tmp_path / "pipe.py")
    assert main(["scan", str(tmp_path / "pipe.py")]) == 2
    assert "Neither a file nor a folder" in capsys.readouterr().err


def code(source):
    """Return a cell of code."""
    return {"cell_type": "code", "source": source}
