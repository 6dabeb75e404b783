"""Files that are scanned: which, how they are read, and which comments count."""

from pathlib import Path

import pytest
from scanned import rules

from msbridge.scan import scan
from msbridge.scan.sources import python_files

HEAD = "from mindspore import nn\nclass Net(nn.Cell):\n    def construct(self, x):\n"


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
