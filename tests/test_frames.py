"""How many frames an everyday call takes, and how often a step of Model.train changes rooms (`tools/frames.py`)."""

import frames

MAX_ROOM_CHANGES = 25  # of a step: Dense, ReLU, Dense, MSELoss, Momentum
MAX_STEP_FRAMES = 130


def test_a_step_of_training_stays_in_its_rooms() -> None:
    step = frames.step_frames()
    assert frames.room_changes(step) <= MAX_ROOM_CHANGES
    assert len(step) <= MAX_STEP_FRAMES
