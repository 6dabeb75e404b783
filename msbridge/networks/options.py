"""The options of the commands that take one network. They are read without torch."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from msbridge.core.checks.option_records import Option

__all__ = ["OPTIMIZERS", "EstimateOptions", "NetworkOptions", "SummaryOptions", "is_network"]

OPTIMIZERS = ("adam", "adamw", "lamb", "momentum", "rmsprop", "sgd")


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkOptions:
    """The inputs of a network, and the release that it was written for."""

    input: Annotated[Sequence[str], Option("", "an input of the network; see below", metavar="SPEC")] = ()
    seed: Annotated[int, Option("", "the seed of the random numbers", metavar="N", reads="number")] = 0
    release: Annotated[
        str | None,
        Option("", "the release of MindSpore that a Cell was written for", metavar="R", reads="release"),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryOptions:
    """The rows of a summary, and its form."""

    depth: Annotated[
        int | None, Option("", "show N levels below the network; they include the rest", metavar="N", reads="count")
    ] = None
    json: Annotated[bool, Option("", "print JSON")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateOptions:
    """The training and the device of an estimate."""

    optimizer: Annotated[
        str, Option("", "the optimizer that a network is trained with; a script has its own", choices=OPTIMIZERS)
    ] = "adam"
    memory: Annotated[int, Option("", "the memory of the device, such as 16GiB", metavar="SIZE", reads="bytes")] = (
        32 << 30
    )
    json: Annotated[bool, Option("", "print JSON")] = False


def is_network(spec: str) -> bool:
    """Whether a word names a network: a `.mindir` file, or something in a module."""
    return spec.endswith(".mindir") or ":" in spec
