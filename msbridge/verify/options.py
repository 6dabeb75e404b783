"""The options of a verification: two records, of which the command line is made.

It is read without torch: the command line shows its help at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from msbridge.core.checks.option_records import Option


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of a comparison: networks, inputs, and the way to compare; every field says what it does.

    Raises:
        ValueError: options that do not go together, or a number that is negative.
    """

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
            "an exported network instead of --cell, with its own weights; without --input, inputs are "
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
    as_is: Annotated[bool, Option("networks", "check the weights that the Cell's factory sets")] = False
    rules: Annotated[
        str | None,
        Option(
            "networks",
            "a TOML file that renames, splits and joins weights, as for msbridge convert, also in a file",
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
    seed: Annotated[int, Option("inputs", "the seed of all random numbers", metavar="N", reads="number")] = 0
    grad: Annotated[bool, Option("work", "compare the gradients of all weights")] = False
    train_steps: Annotated[int, Option("work", "compare after N training steps", metavar="N", reads="number")] = 0
    time: Annotated[
        int, Option("work", "time N forward runs of each, without recording", metavar="N", reads="number")
    ] = 0
    expected: Annotated[
        str | None,
        Option(
            "work",
            "an .npz file with what the other side returned elsewhere, by layer; give --torch or --cell, not both",
            metavar="FILE",
        ),
    ] = None
    record: Annotated[
        str | None,
        Option("work", "write the file for --expected from the one network given, and compare nothing", metavar="FILE"),
    ] = None
    other_precision: Annotated[bool, Option("work", "allow layers in another floating dtype than torch's")] = False
    no_float64: Annotated[bool, Option("work", "judge by rounding units only, without a float64 run")] = False

    def __post_init__(self) -> None:
        self._check_networks()
        is_given = self.input or self.inputs or self.expected or self.mindir
        if (self.input and self.inputs) or not is_given:
            raise ValueError("pass either --input (once for each argument of the networks) or --inputs.")
        self._check_dependent()
        _check_target("record", self.record)

    @property
    def _alone(self) -> str:
        """The option that takes one network, if it is given."""
        return "--expected" if self.expected else "--record" if self.record else ""

    def _check_networks(self) -> None:
        """Refuse anything but two networks, or one and the option that takes one."""
        if self.cell and self.mindir:
            raise ValueError("--cell and --mindir are both the other network: pass one of them.")
        if self.expected and self.record:
            raise ValueError("--expected compares and --record writes: pass one of them.")
        given = [side for side in (self.torch, self.cell or self.mindir) if side]
        if self._alone and len(given) != 1:
            raise ValueError(f"{self._alone} takes one network: pass --torch, --cell or --mindir.")
        if not self._alone and len(given) != 2:
            raise ValueError("pass both --torch and --cell (or --mindir), or one of them with --expected or --record.")

    def _check_dependent(self) -> None:
        """Refuse options without what they need, and negative numbers."""
        rules = () if self.weights or self.cell_weights else ("rules",)  # which are for a file of weights, too
        for name, wanted in (("cell_weights", "cell"), ("as_is", "cell"), *((name, "cell") for name in rules)):
            if getattr(self, name) and not getattr(self, wanted):
                raise ValueError(f"--{name.replace('_', '-')} needs --{wanted}.")
        for name in ("grad", "train_steps", *rules, "as_is", "time"):
            if self._alone and getattr(self, name):
                raise ValueError(f"--{name.replace('_', '-')} needs both networks; it does not go with {self._alone}.")
        for name in ("train_steps", "time"):
            if getattr(self, name) < 0:
                raise ValueError(f"--{name.replace('_', '-')} must not be negative, got {getattr(self, name)}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """The places of a comparison's results; every field says what is written.

    Raises:
        ValueError: a file cannot be written there.
    """

    report: Annotated[
        str | None, Option("results", "write the report as one HTML file, and the inputs beside it", metavar="FILE")
    ] = None
    json: Annotated[str | None, Option("results", "write everything as JSON; - prints it", metavar="FILE")] = None
    csv: Annotated[
        str | None, Option("results", "write one line for each layer, with all its numbers", metavar="FILE")
    ] = None
    junit: Annotated[str | None, Option("results", "write JUnit's XML", metavar="FILE")] = None
    all: Annotated[bool, Option("results", "print every layer, not only those around a fault")] = False
    quiet: Annotated[bool, Option("results", "print nothing but errors")] = False

    def __post_init__(self) -> None:
        for name in ("report", "json", "csv", "junit"):
            _check_target(name, getattr(self, name), may_print=name == "json")

    @property
    def inputs(self) -> Path | None:
        """The file in which inputs that were made are written, beside the report."""
        return Path(self.report).with_suffix(".inputs.npz") if self.report else None


def _check_target(name: str, path: str | None, may_print: bool = False) -> None:
    """Refuse a file that cannot be written, before anything runs."""
    if path == "-" and not may_print:
        raise ValueError(f"--{name} writes a file; only --json takes -.")
    if path and path != "-" and not Path(path).absolute().parent.is_dir():
        raise ValueError(f"--{name} {path}: the folder {Path(path).parent} does not exist.")
