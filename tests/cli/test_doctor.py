"""`msbridge doctor`: what it prints, and its exit codes."""

import subprocess
from pathlib import Path

import pytest

from msbridge.cli.main import main


def test_a_line_is_told_with_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "requirements.txt"
    file.write_text("numpy\nmindspore==2.2.0\n")
    assert main(["doctor", str(file)]) == 0
    assert f"{file}:2: mindspore==2.2.0: not needed" in capsys.readouterr().out


def test_a_file_without_one_is_told_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "requirements.txt"
    file.write_text("numpy\n")
    assert main(["doctor", str(file)]) == 0
    assert f"{file}: asks for no mindspore." in capsys.readouterr().out


def test_a_script_is_told_its_release(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "train.py"
    script.write_text("import mindspore")
    main(["doctor", str(script)])
    assert f"{script}: nothing says" in capsys.readouterr().out
    (tmp_path / "requirements.txt").write_text("mindspore==1.9.0")
    main(["doctor", str(script)])
    assert "MindSpore 1.9, because of 'requirements.txt: mindspore==1.9.0'" in capsys.readouterr().out


def test_a_missing_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", str(tmp_path / "none.txt")]) == 2
    assert "none.txt: No such file or directory." in capsys.readouterr().err


def test_the_findings_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--all"]) == 0
    out = capsys.readouterr().out
    assert all(word in out for word in ("python", "torch", "msbridge", "Ascend", "cv2"))


def test_the_verdict_comes_first_and_few_rows_follow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    assert main(["doctor"]) == 0
    first, *rows = capsys.readouterr().out.splitlines()
    assert first == "ready: msbridge run train.py"
    assert {row.partition(":")[0] for row in rows} >= {"python", "msbridge", "torch", "default", "release"}
    assert not [row for row in rows if row.startswith(("[", "cv2", "threads", "allocator", "mindspore"))]
    Path("requirements.txt").write_text("mindspore==1.9.0\n")
    assert main(["doctor"]) == 0
    first, what, _, *rows = capsys.readouterr().out.splitlines()
    assert first == "ready, with something to fix:"
    assert what.startswith("! requirements.txt:1: mindspore==1.9.0 is not needed")
    assert "release: 1.9 (for MindSpore 1.9, because of 'requirements.txt: mindspore==1.9.0'" in "\n".join(rows)


def test_doctor_and_scan_name_one_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("train.py").write_text("import mindspore\n")
    Path("requirements.txt").write_text("mindspore==2.5.0\n")
    main(["doctor"])
    said = "for MindSpore 2.5, because of 'requirements.txt: mindspore==2.5.0', read as 2.10"
    assert f"release: 2.10 ({said}" in capsys.readouterr().out
    main(["scan", "."])
    assert f"{said}; `msbridge run` follows 2.10" in capsys.readouterr().out


@pytest.mark.process
def test_requirements_of_the_folder_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "requirements.txt").write_text("mindspore==2.2.0\n mindspore_gpu\nmindspore-lite==2\nnumpy\n")
    assert main(["doctor"]) == 0
    what, command, *_ = [line for line in capsys.readouterr().out.splitlines() if line[:1] in "! "]
    assert what.startswith("! requirements.txt:1: mindspore==2.2.0 is not needed")
    filtering = command.strip().partition(" | ")[0]
    kept = subprocess.run(filtering, shell=True, capture_output=True, text=True, check=True).stdout
    assert kept == "mindspore-lite==2\nnumpy\n"


def test_a_release_that_is_none_is_told_rather_than_followed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MSBRIDGE_RELEASE", "7")
    assert main(["doctor"]) == 0
    assert "    unset MSBRIDGE_RELEASE\n" in capsys.readouterr().out
