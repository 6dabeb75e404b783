"""The curves of learning rates: functions of a step (a torch tensor, float) and the number of steps to decay over.

Both faces rest on them: `lists` (step = epoch) and `cells`.
"""

import math

import torch

__all__ = ["check_order", "cosine", "exponential", "inverse", "natural", "polynomial", "warmup"]


def cosine(step: torch.Tensor, steps: int, low: float, high: float) -> torch.Tensor:
    """low + (high - low)/2·(1 + cos(π·min(step, steps)/steps))."""
    return low + 0.5 * (high - low) * (1.0 + torch.cos(math.pi / steps * step.clamp(max=steps)))


def exponential(step: torch.Tensor, steps: int, rate: float, decay_rate: float, is_stair: bool) -> torch.Tensor:
    """rate·decay_rate^(step/steps)."""
    return rate * decay_rate ** _decay_progress(step, steps, is_stair)


def natural(step: torch.Tensor, steps: int, rate: float, decay_rate: float, is_stair: bool) -> torch.Tensor:
    """rate·exp(-decay_rate·step); in stairs `steps` wide."""
    stair = torch.floor(step / steps) * steps if is_stair else step
    return rate * torch.exp(-decay_rate * stair)


def inverse(step: torch.Tensor, steps: int, rate: float, decay_rate: float, is_stair: bool) -> torch.Tensor:
    """rate / (1 + decay_rate·step/steps)."""
    return rate / (1.0 + decay_rate * _decay_progress(step, steps, is_stair))


def polynomial(step: torch.Tensor, steps: int, rate: float, end: float, power: float, is_renewed: bool) -> torch.Tensor:
    """(rate - end)·(1 - min(step, steps)/steps)^power + end; renewed: steps grows to the next multiple."""
    if is_renewed:
        total = steps * torch.ceil(step / steps).clamp(min=1)
        part = step / total
    else:
        part = step.clamp(max=steps) / steps
    return (rate - end) * (1.0 - part) ** power + end


def warmup(step: torch.Tensor, steps: int, rate: float) -> torch.Tensor:
    """rate·min(step, steps)/steps."""
    return rate * (step.clamp(max=steps) / steps)


def _decay_progress(step: torch.Tensor, steps: int, is_stair: bool) -> torch.Tensor:
    return torch.floor(step / steps) if is_stair else step / steps


def check_order(low: float, high: float, owner: str) -> None:
    """Check that the smallest rate is below the largest.

    Raises:
        ValueError: it is not.
    """
    if low >= high:
        raise ValueError(
            f"For '{owner}', the 'max_lr' must be greater than the 'min_lr', but got 'max_lr' value: {high}, "
            f"'min_lr' value: {low}."
        )
