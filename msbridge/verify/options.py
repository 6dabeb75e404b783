"""The options of a verification: one record, of which the command line is made.

It is read without torch: the command line shows its help at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Annotated, Any

from msbridge.converters.options import Option, options_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Which networks are compared, on which inputs, and how; every field says what it does."""

    torch: Annotated[str | None, Option("networks", "package.module:factory of the torch module", metavar="SPEC")] = (
        None
    )
    cell: Annotated[
        str | None,
        Option("networks", "package.module:factory of the Cell; it may import mindspore", metavar="SPEC"),
    ] = None
    mindir: Annotated[
        str | None,
        Option(
            "networks",
            "an exported network in the place of --cell, with the weights that it has; without --input, inputs are "
            "made as the file describes them",
            metavar="FILE",
        ),
    ] = None
    weights: Annotated[
        str | None, Option("networks", "a checkpoint of any format for the torch module", metavar="FILE")
    ] = None
    cell_weights: Annotated[
        str | None,
        Option(
            "networks",
            "a checkpoint for the Cell; its weights are checked instead of being converted from torch's",
            metavar="FILE",
        ),
    ] = None
    as_is: Annotated[bool, Option("networks", "check the weights that the Cell's factory gives it")] = False
    rules: Annotated[
        str | None,
        Option(
            "networks",
            "a TOML file that renames, splits and joins weights, as for msbridge convert; those of a file, too",
            metavar="FILE",
        ),
    ] = None
    release: Annotated[
        str | None, Option("networks", "the release of MindSpore that the Cell was written for", metavar="R")
    ] = None
    input: Annotated[Sequence[str], Option("inputs", "make an input; see below", metavar="SPEC")] = ()
    inputs: Annotated[
        str | None, Option("inputs", "an .npz (or .npy) file with the inputs, in order", metavar="FILE")
    ] = None
    seed: Annotated[int, Option("inputs", "of all random numbers", metavar="N", reads="number")] = 0
    grad: Annotated[bool, Option("work", "compare the gradients of all weights")] = False
    train_steps: Annotated[int, Option("work", "compare after N training steps", metavar="N", reads="number")] = 0
    time: Annotated[
        int, Option("work", "time N forward runs of each, without recording", metavar="N", reads="number")
    ] = 0
    expected: Annotated[
        str | None,
        Option(
            "work",
            "an .npz file with what the other side gave elsewhere, by layer; give --torch or --cell, not both",
            metavar="FILE",
        ),
    ] = None
    record: Annotated[
        str | None,
        Option("work", "write such a file of the one network given, and compare nothing", metavar="FILE"),
    ] = None
    other_precision: Annotated[bool, Option("work", "a layer in another floating dtype than torch's may be right")] = (
        False
    )
    no_float64: Annotated[bool, Option("work", "judge by rounding units alone, without a float64 run")] = False


OPTIONS = options_of(Options)
DEFAULTS: dict[str, Any] = {field.name: field.default for field in fields(Options)}
