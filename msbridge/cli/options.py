"""Records of options as arguments of a parser: type, default and help stand in the record."""

import argparse
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msbridge.converters.options import Option, flag_of

UNITS = {"": 1} | {
    f"{letter}{infix}": base**power
    for infix, base in (("", 1000), ("I", 1024))
    for power, letter in enumerate("KMGT", 1)
}


def add_options(
    parser: argparse.ArgumentParser, options: Mapping[str, Option], defaults: Mapping[str, Any]
) -> dict[str, Any]:
    """Add the options of a record in their groups; return the groups."""
    groups = {name: parser.add_argument_group(name) for name in dict.fromkeys(one.group for one in options.values())}
    for name, option in options.items():
        add_option(groups[option.group], name, option, defaults[name])
    return groups


def add_option(parser: Any, name: str, option: Option, default: Any) -> None:
    """Add one option of a record."""
    parser.add_argument(flag_of(name, option), dest=name, **_argument(option, default))


def _argument(option: Option, default: Any) -> dict[str, Any]:
    if default is True:
        return {"action": "store_false", "help": f"do not {option.help}"}
    if default is False:
        return {"action": "store_true", "help": option.help}
    more: dict[str, Any] = {"action": "append"} if default == () else {"type": READERS[option.reads]}
    if option.choices:
        more["choices"] = option.choices
    return more | {"default": [] if default == () else default, "help": option.help, "metavar": option.metavar or None}


def size(text: str) -> int:
    """Read "5GB", "500MiB" or "1000" as bytes.

    Raises:
        argparse.ArgumentTypeError: the text is no such size.
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?I?)B?", text.strip().upper())
    if not found or found[2] not in UNITS or not (count := int(float(found[1]) * UNITS[found[2]])):
        raise argparse.ArgumentTypeError(f"{text!r} is no size; write it like 5GB or 500MiB")
    return count


def count(text: str) -> int:
    """Read a number of at least one.

    Raises:
        argparse.ArgumentTypeError: the text is no such number.
    """
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of at least 1")
    return int(text)


READERS: dict[str, Callable[[str], Any]] = {"text": str, "bytes": size, "count": count, "file": Path, "number": int}
