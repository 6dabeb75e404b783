"""The names of what a MindSpore checkpoint holds of its training: optimizer, step, loss scale."""

from collections.abc import Container, Mapping
from dataclasses import dataclass

from msbridge.mappings import table


@dataclass(frozen=True, slots=True)
class State:
    """A row of training_state.toml."""

    name: str  # the whole name; or, ending in a dot, what comes before the name of a weight
    of: str  # whose state it is


def training_state(name: str, names: Container[str]) -> str | None:
    """Return whose training state a MindSpore name is, among the `names` of its checkpoint; None for a weight."""
    states: Mapping[str, State] = table("training_state.toml", State)
    first, dot, rest = name.partition(".")
    if first + dot in states and rest in names:  # "linear.weight" is FTRL's only where there is a "weight"
        return states[first + dot].of
    whole = states.get(name.partition("_group_")[0])  # learning_rate_group_0
    return whole.of if whole else None
