"""Records of options: dataclasses whose fields say what a command line shows and a page documents.

dtype: Annotated[str | None, Option("data", "cast to this type", metavar="TYPE")] = None
"""

from dataclasses import dataclass, fields
from typing import Any, Literal

__all__ = ["Option", "defaults_of", "flag_of", "options_of"]

Reading = Literal["text", "bytes", "count", "file", "number", "processes", "release", "mapping", "report"]


@dataclass(frozen=True, slots=True)
class Option:
    """The declaration of an option, besides its name, type and default.

    Attributes:
        group: the group of options that it is shown in; "" for none.
        help: what it does.
        flag: its flag; "" for the name with dashes.
        metavar: what replaces its value; "" for a switch.
        choices: its values, where they are few.
        bare: the value of the flag by itself, where others are given with a sign: `--strict`, `--strict=ascend`.
        reads: how the command line reads the value: as it stands, a number of bytes, a count of at least one, the bytes
            of a file, an int, a number of processes, a release, OLD=NEW, or the name of a report.
    """

    group: str
    help: str
    flag: str = ""
    metavar: str = ""
    choices: tuple[str, ...] = ()
    bare: str = ""
    reads: Reading = "text"


def options_of(record: type) -> dict[str, Option]:
    """Return the option that each field of a record of options declares."""
    return {name: kind.__metadata__[0] for name, kind in record.__annotations__.items()}


def defaults_of(record: Any) -> dict[str, Any]:
    """Return the defaults of the fields of a record."""
    return {one.name: one.default for one in fields(record)}


def flag_of(name: str, option: Option) -> str:
    """Return the flag of an option on the command line."""
    return option.flag or f"--{name.replace('_', '-')}"
