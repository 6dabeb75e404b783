"""The mean of the batches' losses."""

from typing import Any

from msbridge.train.metrics.metric import Metric, Total, as_data, rearrange_inputs


class Loss(Metric):
    """The mean over batches of the loss, each batch's loss averaged first.

    Follows: mindspore.train.Loss (2.10).
    """

    def __init__(self) -> None:
        super().__init__()
        self.clear()

    def clear(self) -> None:
        """Reset the state."""
        self._total = Total()

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Add the loss of a batch: 0-d or 1-d.

        Raises:
            ValueError: there is not one input, or it has more axes.
        """
        if len(inputs) != 1:
            raise ValueError(f"For 'Loss.update', it needs 1 input (loss), but got {len(inputs)}")
        loss = as_data(inputs[0])
        if loss.dim() > 1:
            raise ValueError(f"For 'Loss.update', the dimension of your input (loss) must be 1, but got {loss.dim()}.")
        self._total.add(loss.double().mean() if not loss.is_floating_point() else loss.mean(), 1)

    def eval(self) -> float:
        """Return the mean.

        Returns:
            A float.

        Raises:
            RuntimeError: there was no batch.
        """
        return self._total.mean("Loss")
