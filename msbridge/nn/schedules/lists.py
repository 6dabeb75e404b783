"""Learning rates as lists, one entry per step, constant within an epoch."""

from collections.abc import Sequence

import torch

from msbridge.core.checks.arguments import boolean, instance, non_negative_float, positive_float, positive_int
from msbridge.core.runtime.shared_sections import sharing
from msbridge.nn.members.docstrings import FAMILIES
from msbridge.nn.schedules import curves

__all__ = [
    "cosine_decay_lr",
    "exponential_decay_lr",
    "inverse_decay_lr",
    "natural_exp_decay_lr",
    "piecewise_constant_lr",
    "polynomial_decay_lr",
    "warmup_lr",
]


def piecewise_constant_lr(milestone: Sequence[int], learning_rates: Sequence[float]) -> list[float]:
    """Return `learning_rates[i]` for the steps before `milestone[i]`.

    Args:
        milestone: growing numbers of steps.
        learning_rates: a rate for each of them, at least 0.

    Returns:
        A list of `milestone[-1]` floats: the rate of each step.

    Raises:
        TypeError: an argument is not a list or tuple.
        ValueError: the lengths differ, or the milestones do not grow.

    Follows: mindspore.nn.piecewise_constant_lr (2.10).
    """
    for name, value in (("milestone", milestone), ("learning_rates", learning_rates)):
        instance(value, name, "piecewise_constant_lr", (tuple, list))
    if len(milestone) != len(learning_rates):
        raise ValueError(
            "For 'piecewise_constant_lr', 'milestone' and 'learning_rates' must be of one length, "
            f"got {len(milestone)} and {len(learning_rates)}."
        )
    rates: list[float] = []
    for index, (end, rate) in enumerate(zip(milestone, learning_rates, strict=True)):
        positive_int(end, f"milestone[{index}]", "piecewise_constant_lr")
        non_negative_float(rate, f"learning_rates[{index}]", "piecewise_constant_lr")
        if end < len(rates) or (index and end == milestone[index - 1]):
            raise ValueError(
                f"For 'piecewise_constant_lr', the value of milestone[{index}] must be greater than "
                f"milestone[{index - 1}], but got milestone[{index}]: {end}, "
                f"milestone[{index - 1}]: {milestone[index - 1]}."
            )
        rates += [rate] * (end - len(rates))
    return rates


@sharing(FAMILIES)
def cosine_decay_lr(
    min_lr: float, max_lr: float, total_step: int, step_per_epoch: int, decay_epoch: int
) -> list[float]:
    """From `max_lr` to `min_lr` along half a cosine, `decay_epoch` epochs long.

    Args:
        min_lr: the last rate, at least 0.
        max_lr: the first rate, over `min_lr`.
        total_step, step_per_epoch, decay_epoch: as in every list of rates.

    Returns, Raises: as in every list of rates.

    Follows: mindspore.nn.cosine_decay_lr (2.10).
    """
    owner = "cosine_decay_lr"
    non_negative_float(min_lr, "min_lr", owner)
    positive_float(max_lr, "max_lr", owner)
    epochs = _epoch_of_steps(owner, total_step, step_per_epoch, decay_epoch)
    curves.check_order(min_lr, max_lr, owner)
    return curves.cosine(epochs, decay_epoch, min_lr, max_lr).tolist()


@sharing(FAMILIES)
def exponential_decay_lr(
    learning_rate: float,
    decay_rate: float,
    total_step: int,
    step_per_epoch: int,
    decay_epoch: int,
    is_stair: bool = False,
) -> list[float]:
    """learning_rate·decay_rate^(epoch / decay_epoch).

    Args:
        learning_rate, decay_rate, total_step, step_per_epoch: as in every list of rates.
        decay_epoch: after how many epochs the rate has fallen by `decay_rate` once, > 0.
        is_stair: as in every list of rates.

    Returns, Raises: as in every list of rates.

    Follows: mindspore.nn.exponential_decay_lr (2.10).
    """
    epochs = _check_decay_arguments(
        "exponential_decay_lr", learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair
    )
    return curves.exponential(epochs, decay_epoch, learning_rate, decay_rate, is_stair).tolist()


@sharing(FAMILIES)
def natural_exp_decay_lr(
    learning_rate: float,
    decay_rate: float,
    total_step: int,
    step_per_epoch: int,
    decay_epoch: int,
    is_stair: bool = False,
) -> list[float]:
    """learning_rate·exp(-decay_rate·epoch).

    Args:
        learning_rate, decay_rate, total_step, step_per_epoch: as in every list of rates.
        decay_epoch: the length of a stair, in epochs.
        is_stair: as in every list of rates.

    Returns, Raises: as in every list of rates.

    Follows: mindspore.nn.natural_exp_decay_lr (2.10).
    """
    epochs = _check_decay_arguments(
        "natural_exp_decay_lr", learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair
    )
    return curves.natural(epochs, decay_epoch, learning_rate, decay_rate, is_stair).tolist()


@sharing(FAMILIES)
def inverse_decay_lr(
    learning_rate: float,
    decay_rate: float,
    total_step: int,
    step_per_epoch: int,
    decay_epoch: int,
    is_stair: bool = False,
) -> list[float]:
    """learning_rate / (1 + decay_rate·epoch / decay_epoch).

    Args:
        learning_rate, decay_rate, total_step, step_per_epoch: as in every list of rates.
        decay_epoch: the unit of the epochs, > 0.
        is_stair: as in every list of rates.

    Returns, Raises: as in every list of rates.

    Follows: mindspore.nn.inverse_decay_lr (2.10).
    """
    epochs = _check_decay_arguments(
        "inverse_decay_lr", learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair
    )
    return curves.inverse(epochs, decay_epoch, learning_rate, decay_rate, is_stair).tolist()


@sharing(FAMILIES)
def polynomial_decay_lr(
    learning_rate: float,
    end_learning_rate: float,
    total_step: int,
    step_per_epoch: int,
    decay_epoch: int,
    power: float,
    update_decay_epoch: bool = False,
) -> list[float]:
    """From `learning_rate` to `end_learning_rate` along a polynomial.

    Args:
        learning_rate: as in every list of rates.
        end_learning_rate: the last rate, at least 0.
        total_step, step_per_epoch, decay_epoch: as in every list of rates.
        power: the exponent of what is left of the way, > 0.
        update_decay_epoch: whether the curve grows longer, to the next multiple of `decay_epoch`, instead of ending.

    Returns, Raises: as in every list of rates.

    Follows: mindspore.nn.polynomial_decay_lr (2.10).
    """
    owner = "polynomial_decay_lr"
    positive_float(learning_rate, "learning_rate", owner)
    non_negative_float(end_learning_rate, "end_learning_rate", owner)
    positive_float(power, "power", owner)
    epochs = _epoch_of_steps(owner, total_step, step_per_epoch, decay_epoch)
    boolean(update_decay_epoch, "update_decay_epoch", owner)
    return curves.polynomial(epochs, decay_epoch, learning_rate, end_learning_rate, power, update_decay_epoch).tolist()


@sharing(FAMILIES)
def warmup_lr(learning_rate: float, total_step: int, step_per_epoch: int, warmup_epoch: int) -> list[float]:
    """From 0 to `learning_rate` in a straight line, `warmup_epoch` epochs long.

    Args:
        learning_rate: the last rate, at least 0.
        total_step, step_per_epoch: as in every list of rates.
        warmup_epoch: how many epochs it takes, > 0.

    Returns, Raises: as in every list of rates.

    Follows: mindspore.nn.warmup_lr (2.10).
    """
    non_negative_float(learning_rate, "learning_rate", "warmup_lr")
    positive_int(warmup_epoch, "warmup_epoch", "warmup_lr")
    epochs = _epoch_of_steps("warmup_lr", total_step, step_per_epoch, warmup_epoch)
    return curves.warmup(epochs, warmup_epoch, learning_rate).tolist()


def _check_decay_arguments(
    owner: str,
    learning_rate: float,
    decay_rate: float,
    total_step: int,
    step_per_epoch: int,
    decay_epoch: int,
    is_stair: bool,
) -> torch.Tensor:
    epochs = _epoch_of_steps(owner, total_step, step_per_epoch, decay_epoch)
    positive_float(learning_rate, "learning_rate", owner)
    positive_float(decay_rate, "decay_rate", owner)
    boolean(is_stair, "is_stair", owner)
    return epochs


def _epoch_of_steps(owner: str, total_step: int, step_per_epoch: int, decay_epoch: int) -> torch.Tensor:
    """Return the epoch of each step."""
    positive_int(total_step, "total_step", owner)
    positive_int(step_per_epoch, "step_per_epoch", owner)
    positive_int(decay_epoch, "decay_epoch", owner)
    return (torch.arange(total_step) // step_per_epoch).double()
