"""Training steps of 1.2, which have no counter."""

from typing import Any

from msbridge.nn.legacy.r1_3 import today_train_one_step
from msbridge.nn.steps.wrappers import TrainOneStepCell


def _train_one_step(self: TrainOneStepCell, network: Any, optimizer: Any, sens: float = 1.0) -> None:
    """Construct the step."""
    today_train_one_step(self, network, optimizer, sens)


OVERRIDES = {"nn.TrainOneStepCell.__init__": _train_one_step}
