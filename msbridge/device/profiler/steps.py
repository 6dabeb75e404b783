"""Schedules of the steps of a training that are recorded."""

import warnings
from enum import Enum

from msbridge.core.checks.arguments import is_int

__all__ = ["ProfilerAction", "schedule"]


class ProfilerAction(Enum):
    """The actions of a profiler in a step; the values are torch's, too.

    Follows: mindspore.profiler.schedule.ProfilerAction (2.10).
    """

    NONE = 0
    WARM_UP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3

    @staticmethod
    def get_by_value(value: int) -> "ProfilerAction | None":
        """Return the member of a value, or None.

        Follows: mindspore.profiler.schedule.ProfilerAction.get_by_value (2.10).
        """
        return next((action for action in ProfilerAction if action.value == value), None)


class Schedule:
    """Decides for each step whether it is recorded: after `skip_first`, cycles of waiting, warming up and recording.

    Args:
        wait: steps of a cycle that are not recorded.
        active: steps that are recorded, the last in a cycle.
        warmup: steps between them, in which the profiler runs without keeping anything.
        repeat: how many cycles; 0 means as many as there are steps for.
        skip_first: steps before the first cycle.

    A number that is not one, or negative, is replaced by its least value, with a warning.

    Follows: mindspore.profiler.schedule (2.10).
    """

    def __init__(self, *, wait: int, active: int, warmup: int = 0, repeat: int = 0, skip_first: int = 0) -> None:
        self.wait = _at_least(0, "wait", wait)
        self.active = _at_least(1, "active", active)
        self.warmup = _at_least(0, "warmup", warmup)
        self.repeat = _at_least(0, "repeat", repeat)
        self.skip_first = _at_least(0, "skip_first", skip_first)

    def __call__(self, step: int) -> ProfilerAction:
        """Return the profiler's action for a step.

        Raises:
            ValueError: `step` is negative.
        """
        if step < 0:
            raise ValueError(f"For 'schedule', step must be at least 0, got {step}.")
        cycle, place = divmod(step - self.skip_first, self.wait + self.warmup + self.active)
        if step < self.skip_first or 0 < self.repeat <= cycle or place < self.wait:
            return ProfilerAction.NONE
        if place < self.wait + self.warmup:
            return ProfilerAction.WARM_UP
        is_last = place == self.wait + self.warmup + self.active - 1
        return ProfilerAction.RECORD_AND_SAVE if is_last else ProfilerAction.RECORD

    def to_dict(self) -> dict[str, int]:
        """Return the numbers by name."""
        return dict(vars(self))

    def __repr__(self) -> str:
        return f"Schedule({', '.join(f'{name}={value}' for name, value in vars(self).items())})"


schedule = Schedule


def _at_least(least: int, name: str, value: int) -> int:
    if is_int(value) and value >= least:
        return int(value)
    text = f"For 'schedule', {name} must be an int of at least {least}, got {value!r}: {least} is taken."
    warnings.warn(text, stacklevel=3)
    return least
