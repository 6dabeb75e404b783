"""Model of 1.3."""

from typing import Any

from msbridge.train.arguments import check_keywords
from msbridge.train.model import Model


def _model(
    self: Model,
    network: Any,
    loss_fn: Any = None,
    optimizer: Any = None,
    metrics: Any = None,
    eval_network: Any = None,
    eval_indexes: list[int] | None = None,
    amp_level: str = "O0",
    acc_level: str = "O0",
    **kwargs: Any,
) -> None:
    """Construct a Model; `acc_level` is the level of boost.

    Raises:
        ValueError: an unknown argument.
    """
    check_keywords(kwargs)
    _today_model(self, network, loss_fn, optimizer, metrics, eval_network, eval_indexes, amp_level, acc_level, **kwargs)


_today_model = Model.__init__
OVERRIDES = {"train.Model.__init__": _model}
