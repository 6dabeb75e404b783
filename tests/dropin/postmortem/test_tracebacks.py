"""A script's traceback ends at the user's line: frames of msbridge are folded, its inner errors are left out."""

import os
import re
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from msbridge.dropin.postmortem import tracebacks

PARTS = """
import numpy as np
import msbridge as ms, msbridge.dataset as ds, msbridge.nn as nn
from msbridge import ops, Tensor
from msbridge.train import Callback, Model
def unfit():
    ops.add(Tensor([1.0, 2.0]), Tensor([1.0, 2.0, 3.0]))
"""
CASES = {
    "operator": "unfit()",
    "checkpoint": "ms.load_checkpoint('bad.ckpt')",
    "own cell": """
class Net(nn.Cell):
    def construct(self, x):
        return x.reshape(7)
Net()(Tensor([1.0]))
""",
    "map": """
def half(x):
    return x / None
for row in ds.NumpySlicesDataset([1, 2], shuffle=False).map(half, ['column_0']):
    pass
""",
    "callback": """
class Stop(Callback):
    def on_train_step_end(self, run_context):
        raise ValueError('enough')
data = ds.NumpySlicesDataset((np.ones((1, 1), np.float32),) * 2).batch(1)
net = nn.Dense(1, 1)
Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1)).train(1, data, callbacks=[Stop()])
""",
    "own chain": "try:\n    unfit()\nexcept ValueError as error:\n    raise KeyError('mine') from error",
    "from nothing": "raise KeyError('mine') from OSError('never raised')",
    "handled before": "try:\n    {}['a']\nexcept KeyError:\n    unfit()",
    "group": """
found = []
for call in (unfit, lambda: ms.load_checkpoint('absent.ckpt')):
    try:
        call()
    except Exception as error:
        found.append(error)
raise ExceptionGroup('several', found)
""",
    "recursion": "class A(nn.Cell):\n    def construct(self, x):\n        return self(x)\nA()(1)",
    "interrupt": "def step():\n    raise KeyboardInterrupt\nstep()",
    "syntax": "compile('x = = 1', 'other.py', 'exec')",
}
OURS = str(Path(tracebacks.__file__).parent.parent)


@pytest.fixture
def printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run a case as a script of the user's; return what is printed when it fails."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.ckpt").write_text("garbage")

    def run(name: str) -> str:
        path = tmp_path / "train.py"
        path.write_text(PARTS + CASES[name])
        try:
            exec(compile(path.read_text(), str(path), "exec"), {"__name__": "__main__"})
        except BaseException as error:
            return tracebacks.short(error, error.__traceback__.tb_next if error.__traceback__ else None)
        raise AssertionError("the script did not fail")

    return run


@pytest.mark.parametrize("name", CASES)
def test_no_frame_of_ours_is_shown(name: str, printed: Any) -> None:
    text = printed(name)
    assert OURS not in text
    assert f"{os.sep}torch{os.sep}" not in text


def test_a_corrupt_checkpoint_is_the_users_line_and_one_sentence(printed: Any) -> None:
    lines = [line for line in printed("checkpoint").splitlines() if line.strip(" ~^")]  # Python 3.13 marks the call
    assert len(lines) == 5
    assert lines[2] == "    ms.load_checkpoint('bad.ckpt')"
    assert lines[3] == "  … 1 frame of msbridge (--full-traceback shows it)"
    assert "For 'load_checkpoint', bad.ckpt is not a checkpoint that is known" in lines[4]


def test_what_went_wrong_inside_is_left_out(printed: Any) -> None:
    text = printed("operator")
    assert text.count("Traceback") == 1
    assert text.splitlines()[-1].startswith("ValueError: For 'add', ")


def test_the_users_own_frames_between_ours_are_kept(printed: Any) -> None:
    runs = re.findall(r"in (\w+)\n|… (\d+) frame", printed("own cell"))
    assert [name or "ours" for name, _ in runs] == ["ours", "construct", "ours"]
    assert "in on_train_step_end" in printed("callback")


def test_an_error_in_a_function_given_to_map_is_shown_once(printed: Any) -> None:
    text = printed("map")
    assert text.count("return x / None") == 1
    assert "direct cause of the following" in text
    assert text.splitlines()[-1] == (
        "RuntimeError: Exception thrown from user defined Python function in dataset. In map operation half."
    )
    assert text.count("unsupported operand type(s)") == 1


def test_the_users_own_chain_is_kept(printed: Any) -> None:
    text = printed("own chain")
    assert text.count("Traceback") == 2
    assert "direct cause of the following" in text
    assert "OSError: never raised" in printed("from nothing")


def test_what_the_user_was_handling_is_kept(printed: Any) -> None:
    text = printed("handled before")
    assert text.count("Traceback") == 2
    assert "KeyError: 'a'\n\nDuring handling of the above" in text


def test_each_error_of_a_group_is_folded(printed: Any) -> None:
    text = printed("group")
    assert text.count("of msbridge (--full-traceback") == 2
    assert "2 sub-exceptions" in text


def test_a_deep_recursion_is_cut(printed: Any) -> None:
    text = printed("recursion")
    assert len(text.splitlines()) < 100
    assert "frames left out (--full-traceback shows them)" in text


def test_an_interrupt_is_one_line(printed: Any) -> None:
    text = printed("interrupt")
    assert re.fullmatch(r"KeyboardInterrupt at \S+train.py:9, in step\n", text)


def test_a_syntax_error_shows_its_line(printed: Any) -> None:
    assert printed("syntax").endswith("    x = = 1\n        ^\nSyntaxError: invalid syntax\n")


def test_the_exception_keeps_everything_for_a_debugger(printed: Any) -> None:
    namespace: dict[str, Any] = {}
    exec(PARTS, namespace)
    with pytest.raises(ValueError, match="For 'add'") as caught:
        namespace["unfit"]()
    trace = caught.value.__traceback__
    tracebacks.short(caught.value, trace)
    assert caught.value.__traceback__ is trace
    assert isinstance(caught.value.__cause__, RuntimeError)


def test_an_error_without_a_users_frame_is_shown_in_full() -> None:
    with pytest.raises(AttributeError) as caught:
        tracebacks.is_ours(None)  # type: ignore[arg-type]
    trace = caught.value.__traceback__
    assert trace is not None
    assert OURS in tracebacks.short(caught.value, trace.tb_next)


def test_a_hook_of_the_user_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def mine(*_: object) -> None: ...

    monkeypatch.setattr(sys, "excepthook", mine)
    monkeypatch.setattr(threading, "excepthook", mine)
    tracebacks.begin()
    assert sys.excepthook is mine
    assert threading.excepthook is mine


def test_a_variable_asks_for_full_tracebacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.__excepthook__)
    monkeypatch.setenv(tracebacks.VARIABLE, "1")
    tracebacks.begin()
    assert sys.excepthook is sys.__excepthook__


def test_an_exception_that_cannot_be_printed_in_short_is_printed_by_python(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> str:
        raise RuntimeError("no")

    monkeypatch.setattr(tracebacks, "short", broken)
    tracebacks.print_short(ValueError, ValueError("v"), None)
    assert capsys.readouterr().err.endswith("ValueError: v\n")
