"""Words for what is refused: the features of a rule as a phrase."""

import re
from collections.abc import Iterable

__all__ = ["words_of"]

FEATURE = re.compile(r"(?P<name>\.?\w+?)(?P<items>\[\])?(?P<sign>[:#=!<>]|\[(?=\d))(?P<value>.*)")
PAIR = re.compile(r"(?P<first>[^~]+)~(?P<second>[^:]+):(?P<relation>\w+)")
RELATIONS = {
    "mixed": "{first} and {second} of different dtypes",
    "same": "{first} and {second} of the same shape",
    "unlike": "{first} and {second} of different shapes",
    "broadcast": "{first} and {second} that are broadcast",
    "apart": "{first} and {second} that are not broadcast",
    "ranks": "{first} and {second} of different ranks",
    "sizes": "{first} and {second} of different sizes",
}


def words_of(features: Iterable[str]) -> str:
    """Return a phrase such as "input of Int32 with axis=1", for "refuses …"."""
    return " with ".join(_word(feature) for feature in sorted(features)) or "every call"


def _word(feature: str) -> str:
    if pair := PAIR.fullmatch(feature):
        return RELATIONS[pair["relation"]].format(first=_name(pair["first"]), second=_name(pair["second"]))
    parts = FEATURE.fullmatch(feature)
    if parts is None:
        return feature
    name = f"an element of {_name(parts['name'])}" if parts["items"] else _name(parts["name"])
    value = parts["value"]
    match parts["sign"]:
        case ":" if value == "mixed":
            return f"elements of {_name(parts['name'])} of different dtypes"
        case ":":
            return f"{name} of {value}"
        case "#":
            return f"{name} of {value} {'axis' if value == '1' else 'axes'}"
        case "!":
            return f"{name} without elements"
        case "[":
            return f"{name} of {value.rstrip(']')} elements"
    return f"{name}={value}" if parts["sign"] == "=" and value != "0" else f"{name} {parts['sign']} {value}".rstrip()


def _name(name: str) -> str:
    return f"the constructor's {name[1:]}" if name.startswith(".") else name
