"""The share of right predictions."""

from typing import Any

from msbridge.train.metrics.classes import check_class_number, to_classes, to_labels
from msbridge.train.metrics.metric import Doubts, EvaluationBase, Total, rearrange_inputs, take_pair


class Accuracy(EvaluationBase):
    """The share of samples predicted right.

    Args:
        eval_type: "classification": `update` takes scores (samples, classes, ...) and classes (samples, ...) or one-hot
            rows; "multilabel": both are rows of 0 and 1, and a sample is right when all its labels are.

    Raises:
        TypeError: unknown `eval_type`.

    Follows: mindspore.train.Accuracy (2.10).
    """

    def __init__(self, eval_type: str = "classification") -> None:
        super().__init__(eval_type)
        self.clear()

    def clear(self) -> None:
        """Reset the state."""
        self._total = Total()
        self._doubts = Doubts()
        self._classes = 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Add predicted and true values.

        Raises:
            ValueError: there are not two inputs, their shapes do not go together, or the number of classes changed.
        """
        predicted, true = take_pair("Accuracy", inputs)
        if self._type == "classification":
            self._classes = check_class_number("Accuracy", self._classes, predicted)
            predicted_classes, wanted = to_classes(predicted, true, self._doubts)
            self._total.add((predicted_classes == wanted).sum(), wanted.numel())
        else:
            predicted_classes, wanted = to_labels(predicted, true, self._doubts)
            self._classes = check_class_number("Accuracy", self._classes, predicted)
            self._total.add((predicted_classes == wanted).all(1).sum(), len(wanted))

    def eval(self) -> float:
        """Return the share.

        Returns:
            A float in [0, 1].

        Raises:
            RuntimeError: there were no samples.
            ValueError: labels were not 0 and 1, or rows not one-hot.
        """
        result = self._total.mean("Accuracy")
        self._doubts.check()
        return result
