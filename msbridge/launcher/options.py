"""Options of starting a script: one record, of which the command line is made."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from msbridge.core.checks.option_records import Option


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of starting a script; every field says what it does."""

    release: Annotated[
        str | None,
        Option("", "the MindSpore release it is written for: 1.1, 2.3", metavar="R", reads="release"),
    ] = None
    path: Annotated[
        Sequence[str],
        Option(
            "",
            "read data below NEW where the script says OLD; may be given several times",
            metavar="OLD=NEW",
            reads="mapping",
        ),
    ] = ()
    ledger: Annotated[bool, Option("", "print the device's ledger when the script ends")] = False
    data_report: Annotated[bool, Option("", "print where the time of the data pipelines went when the script ends")] = (
        False
    )
    device_report: Annotated[
        str | None,
        Option(
            "",
            "write what the device was given to do, and what a real Ascend would say, to OUT (.html or .json)",
            metavar="OUT",
            reads="report",
        ),
    ] = None
    full_traceback: Annotated[
        bool, Option("", "show the frames of msbridge and torch, too, when the script ends with an error")
    ] = False
    nproc: Annotated[
        int | None,
        Option(
            "",
            "run it in N processes of one distributed job; the first that fails ends all",
            metavar="N",
            reads="processes",
        ),
    ] = None
    log_dir: Annotated[
        Path | None,
        Option(
            "",
            "with --nproc: write the output of each process to DIR/rank_N.log, and show only rank 0's",
            metavar="DIR",
            reads="file",
        ),
    ] = None
