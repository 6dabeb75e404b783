"""Training as 1.10 had it."""

from typing import ClassVar

from msbridge.core.releases.overrides import Part
from msbridge.train import model
from msbridge.train.legacy import r2_0


class InternalCallbackParam(r2_0.InternalCallbackParam):
    """What a run tells its callbacks, without the rows of an evaluation."""

    _later: ClassVar = (*r2_0.InternalCallbackParam._later, "eval_dataset_element")


OVERRIDES = {
    "train.Model": Part(model, "InternalCallbackParam", InternalCallbackParam),
}
