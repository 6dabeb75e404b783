"""How many frames an everyday call takes, and how often a step of Model.train changes rooms (`tools/frames.py`)."""

from pathlib import Path

import frames
import pytest

import msbridge
from tests.processes import python

MAX_ROOM_CHANGES = 25  # of a step: the channel of rows, Dense, ReLU, Dense, MSELoss, Momentum
MAX_STEP_FRAMES = 132
MAX_FRAMES = 11  # of an everyday call
MAX_AVERAGE_FRAMES = 5.0
SHORT = ("x.max(0)", "x.min(0)", "ops.zeros((2, 3))", "ops.ones((2, 3))", "Tensor(1.0)", "Tensor([1, 2, 3])", "x + y")
MAX_SHORT_FRAMES = 8


@pytest.mark.process  # a script's process: what other tests have imported and set takes frames of its own
def test_a_step_of_training_stays_in_its_rooms() -> None:
    tool = str(Path(frames.__file__).parent)
    source = "import sys; sys.path.insert(0, sys.argv[1]); import frames; step = frames.step_frames(); "
    done = python("-c", source + "print(frames.room_changes(step), len(step))", tool)
    changes, count = map(int, done.stdout.split())
    assert changes <= MAX_ROOM_CHANGES
    assert count <= MAX_STEP_FRAMES


def test_everyday_calls_take_few_frames() -> None:
    counts = {name: len(frames.frames_of(call)) for name, call in frames.everyday_calls().items()}
    assert {name: count for name, count in counts.items() if count > MAX_FRAMES} == {}
    assert {name: counts[name] for name in SHORT if counts[name] > MAX_SHORT_FRAMES} == {}
    assert sum(counts.values()) / len(counts) <= MAX_AVERAGE_FRAMES


def test_strict_mode_that_is_off_takes_no_frame() -> None:
    calls = frames.everyday_calls()
    before = {name: list(map(str, frames.frames_of(call))) for name, call in calls.items()}
    with msbridge.strict():
        assert len(frames.frames_of(calls["ops.add(x, y)"])) > len(before["ops.add(x, y)"])
    assert {name: list(map(str, frames.frames_of(call))) for name, call in calls.items()} == before


@pytest.mark.process
def test_strict_mode_is_not_even_imported_before_it_is_asked_for() -> None:
    source = "import msbridge, sys; msbridge.install(); import mindspore.nn, mindspore.dataset; "
    done = python("-c", source + "print([name for name in sys.modules if name.startswith('msbridge.strict_mode')])")
    assert done.stdout.strip() == "[]"
