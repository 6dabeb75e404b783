"""What is installed and found here."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from msbridge.doctor import environment


def test_extras_are_told_with_what_installs_them(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["torch>=2.6", "nowhere>=1; extra == 'onnx'", 'numpy>1; extra == "text"', "msbridge[text]; extra == 'text'"]
    monkeypatch.setattr(environment, "requires", lambda name: lines)
    assert [*environment.extras()] == [
        ("[onnx]", "not installed", "mindspore.export to ONNX: pip install 'msbridge[onnx]'  (missing: nowhere)"),
        ("[text]", "installed", "text transforms"),
    ]


def test_the_release_of_the_folder_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MSBRIDGE_RELEASE", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    assert [one[1] for one in environment.release()] == ["2.10"]
    (tmp_path / "requirements.txt").write_text("mindspore==2.2.0")
    ((_, said, why),) = environment.release()
    assert said == "2.2"
    assert "requirements.txt: mindspore==2.2.0" in why


def test_the_release_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MSBRIDGE_RELEASE", "1.9")
    assert [*environment.release()] == [("release", "1.9", "because of MSBRIDGE_RELEASE")]


def test_another_mindspore_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mindspore").mkdir()
    (tmp_path / "mindspore" / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    found = {name: note for name, _, note in environment.versions()}
    assert found["mindspore"].startswith(str(tmp_path / "mindspore" / "__init__.py"))


def test_devices_are_listed_with_their_memory(devices: Any) -> None:
    modules = devices(cuda=2, npu=1)
    gpu = SimpleNamespace(name="RTX", total_memory=24 * 2**30, major=8, minor=6)
    npu = SimpleNamespace(name="910B", total_memory=64 * 2**30)
    modules.cuda.answers.update(get_device_properties=gpu, mem_get_info=(20 * 2**30, 24 * 2**30))
    modules.cuda.answers.update(get_device_capability=(8, 6))  # cuDNN asks for it, where torch has it
    modules.npu.answers.update(get_device_properties=npu, mem_get_info=(2**30, 64 * 2**30))
    rows = {name: (found, note) for name, found, note in environment.devices()}
    assert rows["GPU 1"] == ("RTX", "24 GiB, 20 GiB free, compute 8.6")
    assert rows["Ascend 0"] == ("910B", "64 GiB, 1 GiB free")
    assert rows["default"][0] == "Ascend"
    assert "Ascend" not in rows


def test_what_stands_for_devices_that_are_not_there(devices: Any) -> None:
    devices()
    rows = {name: (found, note) for name, found, note in environment.devices()}
    assert rows["Ascend"] == ("emulated", 'on the CPU, with device_target="Ascend"')
    assert rows["GPU"][0] == "none"
    devices(cuda=1).cuda.answers.update(
        get_device_properties=SimpleNamespace(name="RTX", total_memory=1), mem_get_info=(0, 1)
    )
    rows = {name: (found, note) for name, found, note in environment.devices()}
    assert rows["Ascend"][1].startswith("on GPU 0")
