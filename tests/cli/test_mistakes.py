"""What a user is told who begins with a slip: one clear sentence on stderr, and the exit code that the help names."""

from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from msbridge.cli import main as cli
from msbridge.cli.main import main

NETS = """
def module():
    import torch
    return torch.nn.Linear(2, 2)
def cell():
    from mindspore import nn
    return nn.Dense(2, 2)
"""
SAID = {
    "run": "give one of SCRIPT, -m MODULE and -c CODE, such as: msbridge run train.py",
    "run folder": "folder is a folder without a __main__.py. Give a script in it: train.py",
    "run empty": "empty is a folder without a __main__.py. Give a script.",
    "run demo.ipynb": "demo.ipynb is a notebook. Open it as usual, with `import msbridge; msbridge.install()`",
    "run trian.py": "trian.py does not exist. Did you mean: 'train.py'?",
    "run train": "train does not exist. Did you mean: 'train.py'?",
    "run nowhere/train.py": "nowhere does not exist.",
    "run a.pth": "a.pth is not a script, but a checkpoint: msbridge inspect a.pth shows what is in it.",
    "train.py --lr 1": "'train.py' is a script: msbridge run train.py",
    "conver a.pth b.ckpt": "there is no command 'conver'. Did you mean: 'convert'?",
    "xyz": "there is no command 'xyz'. The commands are: run, convert, inspect, translate, verify, summary, ",
    "convert": "the following arguments are required: SRC, DST",
    "convert a.pth b.safetensor": "or name the format. Did you mean: '.safetensors'?",
    "convert a.pth b.h5": "b.h5: the suffix must be one of .safetensors, .ckpt, .bin, .pth, .pt, .npz, or name the",
    "convert train.py b.ckpt": "train.py is not a checkpoint that is known",
    "convert nothere.pth b.ckpt": "nothere.pth does not exist.",
    "convert a.pth b.ckpt --torch-model ../nets.py:module": "the file must be below the current folder.",
    "convert a.pth b.ckpt --torch-model nets:modul": "module 'nets' has no attribute 'modul'",
    "inspect": "the following arguments are required: FILE",
    "inspect nothere.ckpt": "nothere.ckpt does not exist.",
    "inspect train.py": "train.py is not a checkpoint that is known",
    "verify": "pass both --torch and --cell (or --mindir), or one of them with --expected or --record.",
    "verify nets:module nets:cell": "say which is which: --torch SPEC --cell SPEC, got nets:module nets:cell",
    "verify --torch nets:cell --cell nets:module --input 2,2": "torch.nn.Module. Are --torch and --cell exchanged?",
    "verify --torch nets:module --cell nets:module --input 2,2": "not a Cell. Are --torch and --cell exchanged?",
    "verify --torch nets --cell nets:cell --input 2,2": "'nets' must be 'package.module:factory'",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("folder", "empty"):
        (tmp_path / name).mkdir()
    for name in ("train.py", "folder/train.py"):
        (tmp_path / name).write_text("print(1)")
    (tmp_path / "nets.py").write_text(NETS)
    (tmp_path / "demo.ipynb").write_text('{"cells": []}')
    torch.save({"fc.weight": torch.ones(2, 3)}, "a.pth")
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("words", SAID)
def test_a_slip_is_told_in_a_sentence(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = main(words.split())
    except SystemExit as left:
        code = int(str(left.code))
    said = capsys.readouterr().err
    assert SAID[words] in said
    assert said.rstrip().endswith((".", "?", "train.py", "demo.ipynb"))  # or a command
    assert "Traceback" not in said
    assert len(said.splitlines()) <= 3  # a usage in one line or two, and the sentence
    assert code == 2


def failing(error: BaseException) -> Callable[..., int]:
    def call(options: object) -> int:
        raise error

    return call


def main_that(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> int:
    def made(given: object) -> object:
        top = original(given)
        top.set_defaults(call=failing(error))
        return top

    original = cli.parser
    monkeypatch.setattr(cli, "parser", made)
    monkeypatch.setattr("msbridge.cli.doctor.run", failing(error))
    return main(["doctor"])


def test_a_defect_shows_where_it_is_and_asks_to_report_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main_that(ZeroDivisionError("of ours"), monkeypatch) == 70
    said = capsys.readouterr().err
    assert said.startswith("Traceback")
    assert "ZeroDivisionError: of ours\nmsbridge doctor: this is a defect of msbridge. Please report it" in said


def test_an_interrupt_is_one_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert main_that(KeyboardInterrupt(), monkeypatch) == 130
    assert capsys.readouterr().err == "msbridge doctor: interrupted.\n"


@pytest.mark.process
@pytest.mark.parametrize("before", ["", "import mindspore\n"])
def test_a_missing_package_is_told_as_python_does(before: str, tmp_path: Path, launched: Callable) -> None:
    (tmp_path / "train.py").write_text(f"{before}import mindcv")
    code, out, said = launched("run", "train.py")
    assert (code, out) == (1, "")
    assert said.splitlines()[-1] == "ModuleNotFoundError: No module named 'mindcv'"
    assert len(said.splitlines()) == 4
