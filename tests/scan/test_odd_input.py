"""A scan of what lies in real folders besides Python files: pipes, links, names and files that are unusual."""

import os
from pathlib import Path

import pytest

from msbridge.cli.main import main
from msbridge.scan import sources

BAD = "import mindspore.nn as nn; nn.Nope"
pytestmark = pytest.mark.skipif(os.name == "nt", reason="pipes, links, names that are no text")


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
        large.truncate(sources.MOST_BYTES + 1)
    monkeypatch.chdir(tmp_path)
    assert main(["scan", "project", "--names", "--html", "a.html", "--sarif", "a.sarif"]) == 1
    shown = capsys.readouterr().out
    assert "files of more than 64 MiB are not read" in shown
    assert "in 3 files" in shown


def test_a_long_line_is_shown_in_part(tmp_path: Path, capsys):
    (tmp_path / "a.py").write_text(f"{BAD}; x = '{'y' * 100_000}'\n")
    main(["scan", str(tmp_path), "--names"])
    assert len(capsys.readouterr().out) < 2000


def test_a_folder_that_is_deep_does_not_end_the_scan(tmp_path: Path, monkeypatch, capsys):
    (tmp_path / "a.py").write_text(BAD)
    monkeypatch.chdir(tmp_path)
    for _ in range(830):  # longer than a path may be
        Path("deep").mkdir()
        os.chdir("deep")
    monkeypatch.chdir(tmp_path)
    main(["scan", ".", "--names"])
    assert "mindspore.nn.Nope is not here" in capsys.readouterr().out


def test_a_pipe_is_refused(tmp_path: Path, capsys):
    os.mkfifo(tmp_path / "pipe.py")
    assert main(["scan", str(tmp_path / "pipe.py")]) == 2
    assert "Neither a file nor a folder" in capsys.readouterr().err
