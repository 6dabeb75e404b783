"""`msbridge doctor`: what it finds, and the requirement lines that are not needed."""

import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from msbridge.cli import doctor
from msbridge.cli.doctor import unneeded, versions
from msbridge.cli.doctor_fixes import remedies
from msbridge.cli.main import main


@pytest.mark.parametrize(
    ("line", "is_mindspore"),
    [
        ("mindspore==2.2.0", True),
        ("mindspore", True),
        ("MindSpore >= 1.5, <2  # training", True),
        ("mindspore-gpu==1.9.0", True),
        ("mindspore_ascend", True),
        ("mindspore @ https://example.org/mindspore.whl", True),
        ("mindspore==1.1 ; python_version < '3.8'", True),
        ("mindspore-lite==2.0", False),
        ("mindsporex", False),
        ("# mindspore", False),
        ("mindcv", False),
    ],
)
def test_requirement_lines(tmp_path: Path, line: str, is_mindspore: bool) -> None:
    file = tmp_path / "requirements.txt"
    file.write_text(f"numpy\n{line}\n")
    assert list(unneeded(file)) == ([(2, line)] if is_mindspore else [])


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
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert all(word in out for word in ("python", "torch", "msbridge", "Ascend", "cv2"))


def test_extras_are_told_with_what_installs_them(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["torch>=2.6", "nowhere>=1; extra == 'onnx'", 'numpy>1; extra == "text"', "msbridge[text]; extra == 'text'"]
    monkeypatch.setattr(doctor, "requires", lambda name: lines)
    assert [*doctor.extras()] == [
        ("[onnx]", "not installed", "mindspore.export to ONNX: pip install 'msbridge[onnx]'  (missing: nowhere)"),
        ("[text]", "installed", "text transforms"),
    ]


def test_the_release_of_the_folder_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MSBRIDGE_RELEASE", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    assert [one[1] for one in doctor.release()] == ["2.10"]
    (tmp_path / "requirements.txt").write_text("mindspore==2.2.0")
    ((_, said, why),) = doctor.release()
    assert said == "2.2"
    assert "requirements.txt: mindspore==2.2.0" in why


@pytest.mark.parametrize(
    ("variable", "value", "command"),
    [
        ("OMP_NUM_THREADS", "1", None),
        ("OMP_NUM_THREADS", "1,1", None),
        ("OMP_NUM_THREADS", "abc", "unset OMP_NUM_THREADS"),
        ("OMP_NUM_THREADS", "0", "unset OMP_NUM_THREADS"),
        ("MKL_NUM_THREADS", "4096", "export MKL_NUM_THREADS="),
        ("MSBRIDGE_RELEASE", "1.9", None),
        ("MSBRIDGE_RELEASE", "7", "unset MSBRIDGE_RELEASE"),
    ],
)
def test_variables_that_do_harm_have_a_command(tmp_path: Path, variable: str, value: str, command: str | None) -> None:
    found = [*remedies({variable: value}, tmp_path)]
    assert all(value in what and said.startswith(str(command)) for what, said in found)
    assert len(found) == (command is not None)


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


def test_the_release_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MSBRIDGE_RELEASE", "1.9")
    assert [*doctor.release()] == [("release", "1.9", "because of MSBRIDGE_RELEASE")]


def test_another_mindspore_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mindspore").mkdir()
    (tmp_path / "mindspore" / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    found = {name: note for name, _, note in versions()}
    assert found["mindspore"].startswith(str(tmp_path / "mindspore" / "__init__.py"))


def test_devices_are_listed_with_their_memory(devices: Any) -> None:
    modules = devices(cuda=2, npu=1)
    gpu = SimpleNamespace(name="RTX", total_memory=24 * 2**30, major=8, minor=6)
    npu = SimpleNamespace(name="910B", total_memory=64 * 2**30)
    modules.cuda.answers.update(get_device_properties=gpu, mem_get_info=(20 * 2**30, 24 * 2**30))
    modules.npu.answers.update(get_device_properties=npu, mem_get_info=(2**30, 64 * 2**30))
    rows = {name: (found, note) for name, found, note in doctor.devices()}
    assert rows["GPU 1"] == ("RTX", "24 GiB, 20 GiB free, compute 8.6")
    assert rows["Ascend 0"] == ("910B", "64 GiB, 1 GiB free")
    assert rows["default"][0] == "Ascend"
    assert "Ascend" not in rows


def test_what_stands_for_devices_that_are_not_there(devices: Any) -> None:
    devices()
    rows = {name: (found, note) for name, found, note in doctor.devices()}
    assert rows["Ascend"] == ("emulated", 'on the CPU, with device_target="Ascend"')
    assert rows["GPU"][0] == "none"
    devices(cuda=1).cuda.answers.update(
        get_device_properties=SimpleNamespace(name="RTX", total_memory=1), mem_get_info=(0, 1)
    )
    rows = {name: (found, note) for name, found, note in doctor.devices()}
    assert rows["Ascend"][1].startswith("on GPU 0")
