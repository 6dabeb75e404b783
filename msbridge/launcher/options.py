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
        Option("", "the MindSpore release that the script was written for, such as 1.1", metavar="R", reads="release"),
    ] = None
    path: Annotated[
        Sequence[str],
        Option(
            "",
            "read NEW wherever the script says OLD; may be repeated",
            metavar="OLD=NEW",
            reads="mapping",
        ),
    ] = ()
    ledger: Annotated[bool, Option("", "print counts of steps, sinks and host reads when the script ends")] = False
    data_report: Annotated[
        bool, Option("", "when the script ends, print where its data pipelines spent their time")
    ] = False
    device_report: Annotated[
        str | None,
        Option(
            "",
            "write a report on the device's work and what a real Ascend would make of it to OUT (.html or .json)",
            metavar="OUT",
            reads="report",
        ),
    ] = None
    full_traceback: Annotated[
        bool, Option("", "show the frames of msbridge and torch, too, when the script ends with an error")
    ] = False
    strict: Annotated[
        str | None,
        Option(
            "",
            "refuse what MindSpore 2.10.0 refuses on a CPU, or what its documentation says an Ascend lacks",
            choices=("cpu", "ascend"),
            bare="cpu",
        ),
    ] = None
    nproc: Annotated[
        int | None,
        Option(
            "",
            "run it in N processes of one distributed job; the first that fails ends the others",
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
