"""The options of a conversion: one record, of which the library call, the command line and the documentation are made.

It is read without torch: the command line shows its help at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msbridge.converters.errors import CheckpointError, Remedy
from msbridge.converters.formats.encryption import NUMBERS
from msbridge.core.checks import option_records
from msbridge.core.checks.option_records import Option, options_of

if TYPE_CHECKING:
    import torch


Naming = Literal["torch", "mindspore"]
NAMINGS: tuple[Naming, ...] = ("mindspore", "torch")
MODES = tuple(NUMBERS)


_MODEL = "of the same architecture, or package.module:factory: names are mapped by its layer types, shapes are checked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of a conversion; every field says what it does.

    Raises:
        CheckpointError: a word is not one of those that are known.
    """

    torch_model: Annotated["torch.nn.Module | str | None", Option("names", f"a module {_MODEL}", metavar="SPEC")] = None
    cell: Annotated[Any, Option("names", "the same with a Cell", metavar="SPEC")] = None
    to: Annotated[
        Naming | None, Option("names", "whose names the target gets (default: by its format)", choices=NAMINGS)
    ] = None
    of: Annotated[Naming | None, Option("names", "whose names the source has (default: detected)", choices=NAMINGS)] = (
        None
    )
    rules: Annotated[
        Path | str | None,
        Option("names", "TOML rules that are applied first: renames, axes, splits, merges", metavar="FILE"),
    ] = None
    reverse_rules: Annotated[bool, Option("names", "apply the rules backwards")] = False
    prefix: Annotated[
        str, Option("names", "put NEW before every name, or replace the beginning OLD", metavar="[OLD=]NEW")
    ] = ""
    include: Annotated[Sequence[str], Option("names", "convert only names that match (*, ?)", metavar="PATTERN")] = ()
    exclude: Annotated[Sequence[str], Option("names", "leave out names that match", metavar="PATTERN")] = ()
    by_order: Annotated[bool, Option("names", "with a Cell: pair layers with different names by shape and order")] = (
        False
    )
    strip_optimizer: Annotated[bool, Option("names", "leave out the optimizer's state")] = False
    allow_unmatched: Annotated[bool, Option("names", "leave out what does not fit the model")] = False
    strict: Annotated[bool, Option("names", "refuse guesses, unmatched names and skipped objects")] = False
    dtype: Annotated[
        str | None, Option("data", "cast floating-point tensors: float16, bfloat16, float32, float64", metavar="TYPE")
    ] = None
    format: Annotated[str | None, Option("data", "the target's format (default: by its suffix)", metavar="FORMAT")] = (
        None
    )
    strategy: Annotated[
        Path | str | None,
        Option("data", "join slices: the strategy file of a source with folders rank_0, rank_1 …", metavar="FILE"),
    ] = None
    max_shard_bytes: Annotated[
        int | None,
        Option(
            "data", "cut into files of at most SIZE, e.g. 5GB", flag="--max-shard-size", metavar="SIZE", reads="bytes"
        ),
    ] = None
    crc_check: Annotated[bool, Option("data", "store MindSpore's checksum")] = False
    check_source: Annotated[
        bool, Option("data", "verify the checksums in the source first", flag="--no-check-source")
    ] = True
    key: Annotated[
        bytes | None,
        Option("data", "the key of an encrypted source", flag="--key-file", metavar="FILE", reads="file"),
    ] = None
    mode: Annotated[str, Option("data", "how the source is encrypted", flag="--key-mode", choices=MODES)] = "AES-GCM"
    encrypt_key: Annotated[
        bytes | None,
        Option("data", "encrypt the .ckpt with this key", flag="--encrypt-key-file", metavar="FILE", reads="file"),
    ] = None
    encrypt_mode: Annotated[str, Option("data", "how the target is encrypted", choices=MODES)] = "AES-GCM"
    lstm_device: Annotated[
        str,
        Option(
            "data",
            "the device that wrote the LSTM weights of a 1.x file (their order depends on it)",
            choices=("CPU", "GPU"),
        ),
    ] = "CPU"
    dry_run: Annotated[bool, Option("work", "show what would be written, and write nothing")] = False
    force: Annotated[bool, Option("work", "replace an existing target")] = False
    resume: Annotated[bool, Option("work", "keep the shards that an interrupted run has finished")] = False
    jobs: Annotated[int, Option("work", "shards written at the same time", metavar="N", reads="count")] = 2

    def __post_init__(self) -> None:
        for name in ("to", "of", "lstm_device"):
            value, known = getattr(self, name), OPTIONS[name].choices
            if value is not None and value not in known:
                raise CheckpointError(f"{value!r} must be one of {', '.join(sorted(known))}.")
        if self.reverse_rules and not self.rules:
            raise CheckpointError("no rules are given to apply backwards", Remedy(("rules",), "passes them"))


OPTIONS = options_of(Options)


def flag_of(name: str) -> str:
    """Return the flag of an option of conversion on the command line."""
    return option_records.flag_of(name, OPTIONS[name])
