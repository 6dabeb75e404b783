"""Model of 1.1."""

from typing import Any

from msbridge.core.releases.overrides import Part
from msbridge.train import model
from msbridge.train.arguments import check_keywords
from msbridge.train.arguments import check_levels as checked_levels
from msbridge.train.loop import stages
from msbridge.train.model import Model


def _check_levels(amp_level: str, *others: Any) -> None:
    """Check the names of further arguments; the level is looked at when it is used."""
    checked_levels("O0", *others)


def _model(
    self: Model,
    network: Any,
    loss_fn: Any = None,
    optimizer: Any = None,
    metrics: Any = None,
    eval_network: Any = None,
    eval_indexes: list[int] | None = None,
    amp_level: str = "O0",
    **kwargs: Any,
) -> None:
    """Construct a Model, which is not boosted.

    Raises:
        ValueError: an unknown argument.
    """
    check_keywords(kwargs)
    _today_model(self, network, loss_fn, optimizer, metrics, eval_network, eval_indexes, amp_level, **kwargs)


_today_model = Model.__init__
OVERRIDES = {
    "train.Model.__init__": _model,
    "train.Model": [
        Part(model, "check_levels", _check_levels),
        Part(stages, "check_optimizer", lambda optimizer, amp_level: None),
    ],
}
