"""How many frames an everyday call takes, and how often a step of Model.train changes rooms (`tools/frames.py`)."""

import frames

MAX_ROOM_CHANGES = 25  # of a step: Dense, ReLU, Dense, MSELoss, Momentum
MAX_STEP_FRAMES = 130
MAX_FRAMES = 11  # of an everyday call
MAX_AVERAGE_FRAMES = 5.0
SHORT = ("x.max(0)", "x.min(0)", "ops.zeros((2, 3))", "ops.ones((2, 3))", "Tensor(1.0)", "Tensor([1, 2, 3])", "x + y")
MAX_SHORT_FRAMES = 8


def test_a_step_of_training_stays_in_its_rooms() -> None:
    step = frames.step_frames()
    assert frames.room_changes(step) <= MAX_ROOM_CHANGES
    assert len(step) <= MAX_STEP_FRAMES


def test_everyday_calls_take_few_frames() -> None:
    counts = {name: len(frames.frames_of(call)) for name, call in frames.everyday_calls().items()}
    assert {name: count for name, count in counts.items() if count > MAX_FRAMES} == {}
    assert {name: counts[name] for name in SHORT if counts[name] > MAX_SHORT_FRAMES} == {}
    assert sum(counts.values()) / len(counts) <= MAX_AVERAGE_FRAMES
