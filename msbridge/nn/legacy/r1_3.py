"""Training steps of 1.3."""

from typing import Any

from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.nn.steps.wrappers import TrainOneStepCell


def _train_one_step(self: TrainOneStepCell, network: Any, optimizer: Any, sens: float = 1.0) -> None:
    """Construct the step, which has a counter among its Parameters; nothing counts."""
    today_train_one_step(self, network, optimizer, sens)
    self.step = Parameter(Tensor(0, mstype.int32), name="step")


today_train_one_step = TrainOneStepCell.__init__
OVERRIDES = {"nn.TrainOneStepCell.__init__": _train_one_step}
