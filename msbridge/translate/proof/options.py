"""The options of a proof: a record, of which the command line is made."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from msbridge.core.checks.option_records import Option

__all__ = ["Proving"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proving:
    """The options of a proof: what is compared, and what is changed; every field says what it does.

    Raises:
        ValueError: options that do not go together.
    """

    verify: Annotated[
        bool,
        Option(
            "proof",
            "run the file and its translation side by side (this executes both), and name the first line that differs",
        ),
    ] = False
    repair: Annotated[
        bool, Option("proof", "like --verify, and fix the lines of the translation for which a fix is known")
    ] = False
    build: Annotated[
        str, Option("proof", "the expression that builds the network, such as 'Net(num_classes=10)'", metavar="CODE")
    ] = ""
    input: Annotated[
        Sequence[str],
        Option("proof", "make an input, as msbridge verify does: image:1,3,224,224, ids<30522:2,128", metavar="SPEC"),
    ] = ()
    seed: Annotated[int, Option("proof", "the seed of all random numbers", metavar="N", reads="number")] = 0

    def __post_init__(self) -> None:
        if self.is_asked and not self.input:
            raise ValueError("--verify and --repair need --input, once for each argument of the network.")
        if not self.is_asked and (self.build or self.input):
            raise ValueError("--build and --input go with --verify or --repair.")

    @property
    def is_asked(self) -> bool:
        """Whether the translation is to be proven."""
        return self.verify or self.repair
