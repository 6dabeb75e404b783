"""Records of options as arguments of a parser: type, default and help are in the record."""

import argparse
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from msbridge.core.checks.option_records import Option, Reading, defaults_of, flag_of, options_of

Record = TypeVar("Record")

UNITS = {"": 1} | {
    f"{letter}{infix}": base**power
    for infix, base in (("", 1000), ("I", 1024))
    for power, letter in enumerate("KMGT", 1)
}
RELEASE = re.compile(r"r?[12](\.\d+)*")


def add_options(parser: argparse.ArgumentParser, *records: type) -> dict[str, Any]:
    """Add the options of records in their groups; return the groups."""
    options, defaults = dict[str, Option](), dict[str, Any]()
    for record in records:
        options |= options_of(record)
        defaults |= defaults_of(record)
    groups: dict[str, Any] = {
        name: parser.add_argument_group(name) if name else parser
        for name in dict.fromkeys(one.group for one in options.values())
    }
    for name, option in options.items():
        add_option(groups[option.group], name, option, defaults[name])
    return groups


def add_option(parser: Any, name: str, option: Option, default: Any) -> None:
    """Add one option of a record."""
    flag = flag_of(name, option)
    if not option.bare:
        parser.add_argument(flag, dest=name, **_argument(option, default))
        return
    for value in option.choices:  # each a switch: an argument that may be there or not would take the script for itself
        flags = [flag] * (value == option.bare) + [f"{flag}={value}"]
        says = option.help if value == option.bare else f"likewise, for {value}"
        parser.add_argument(*flags, dest=name, action="store_const", const=value, default=default, help=says)


def record_of(record: type[Record], given: argparse.Namespace) -> Record:
    """Return the record of what a command line says."""
    return record(**{name: getattr(given, name) for name in options_of(record)})


def _argument(option: Option, default: Any) -> dict[str, Any]:
    if default is True:
        return {"action": "store_false", "help": f"do not {option.help}"}
    if default is False:
        return {"action": "store_true", "help": option.help}
    more: dict[str, Any] = {"type": READERS[option.reads]}
    if default == ():
        more["action"] = "append"
    if option.choices:
        more["choices"] = option.choices
    return more | {"default": [] if default == () else default, "help": option.help, "metavar": option.metavar or None}


def size(text: str) -> int:
    """Read "5GB", "500MiB" or "1000" as bytes.

    Raises:
        argparse.ArgumentTypeError: the text is not a size.
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?I?)B?", text.strip().upper())
    if not found or found[2] not in UNITS or not (count := int(float(found[1]) * UNITS[found[2]])):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size: write it like 5GB or 500MiB.")
    return count


def count(text: str) -> int:
    """Read a number of at least one.

    Raises:
        argparse.ArgumentTypeError: the text is not a number of at least one.
    """
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of at least 1.")
    return int(text)


def _processes(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a number of processes, got {text!r}.")
    return int(text)


def _release(text: str) -> str:
    if not RELEASE.fullmatch(text):
        raise argparse.ArgumentTypeError(f"must be a release between 1.0 and 2.x, such as 1.1, got {text!r}.")
    return text.removeprefix("r")


def _report(text: str) -> str:
    path = Path(text).absolute()  # the script may change its folder
    if path.suffix not in (".html", ".json"):
        raise argparse.ArgumentTypeError(f"must end in .html or .json, got {text!r}.")
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"must be in a folder that exists, got {text!r}.")
    return str(path)


def _mapping(text: str) -> str:
    old, equals, new = text.partition("=")
    if not equals or not old or not new or os.pathsep in text:
        raise argparse.ArgumentTypeError(f"must be OLD=NEW without {os.pathsep!r}, got {text!r}.")
    return f"{old}={Path(new).absolute()}"  # the script may change its folder


READERS: dict[Reading, Callable[[str], Any]] = {
    "text": str,
    "bytes": size,
    "count": count,
    "file": Path,
    "number": int,
    "processes": _processes,
    "release": _release,
    "mapping": _mapping,
    "report": _report,
}
