"""Regular expressions in ICU's words, as the package regex takes them.

Both know Unicode's properties, sets of sets, lookaround, possessive and named groups alike; this file is about what is
written otherwise.
"""

from functools import lru_cache
from typing import Any

from msbridge.dataset.text.optional_packages import package

LINE_ENDS = r"\n-\r\x85\u2028\u2029"
WORD = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\u200c\u200d"
ATTACHED = r"\p{Grapheme_Extend}\p{Cf}"  # no word begins or ends before these, and they are passed over on the way back
BEFORE = f"[[{WORD}]--[{ATTACHED}]][{ATTACHED}]*"
BOUNDARY = f"(?![{ATTACHED}])(?:(?=[{WORD}])(?<!{BEFORE})|(?<={BEFORE})(?![{WORD}]))"
# What a letter after a backslash means outside of a set, and inside of one.
CLASSES = {
    "h": (r"[\t\p{Zs}]", r"\t\p{Zs}"),
    "H": (r"[^\t\p{Zs}]", r"[^\t\p{Zs}]"),
    "v": (f"[{LINE_ENDS}]", LINE_ENDS),
    "V": (f"[^{LINE_ENDS}]", f"[^{LINE_ENDS}]"),
    "s": (r"\p{White_Space}", r"\p{White_Space}"),
    "S": (r"\P{White_Space}", r"\P{White_Space}"),
    "w": (f"[{WORD}]", WORD),
    "W": (f"[^{WORD}]", f"[^{WORD}]"),
    "b": (BOUNDARY, r"\x08"),
    "B": (f"(?!{BOUNDARY})", "B"),
    "e": (r"\x1b", r"\x1b"),
    "Z": (rf"(?=(?:\r\n|[{LINE_ENDS}])?\Z)", "Z"),
    "z": (r"\Z", "z"),
}
# What ICU calls otherwise in [:name:]
PROPERTIES = {"punct": "P", "digit": "Nd", "space": "White_Space", "cntrl": "Cc"}


@lru_cache(256)
def compile_pattern(pattern: str, owner: str) -> Any:
    """Compile a pattern written for ICU.

    Raises:
        RuntimeError: it is not a regular expression.
        ImportError: the package regex is missing.
    """
    regex = package("regex", owner)
    try:
        return regex.compile(translate_pattern(pattern), regex.V1)
    except (regex.error, ValueError, IndexError, OverflowError) as error:
        raise RuntimeError(f"{owner}: {pattern!r} is not a regular expression: {error}.") from error


def translate_pattern(pattern: str) -> str:
    """Rewrite a pattern of ICU for the package regex."""
    parts: list[str] = []
    place = depth = 0
    plain_dots = "(?s" not in pattern and "(?m" not in pattern  # flags: as regex understands them
    while place < len(pattern):
        character = pattern[place]
        place += 1
        if character == "\\":
            part, place = _escape(pattern, place, depth > 0)
            parts.append(part)
            continue
        if character == "[":
            if depth and pattern[place : place + 1] == ":" and (end := pattern.find(":]", place)) > 0:
                name = pattern[place + 1 : end].removeprefix("^")
                letter = "P" if pattern[place + 1] == "^" else "p"
                parts.append(f"\\{letter}{{{PROPERTIES.get(name, name)}}}")
                place = end + 2
                continue
            depth += 1
        elif character == "]" and depth:
            depth -= 1
        elif not depth and plain_dots and character in ".$":
            character = f"[^{LINE_ENDS}]" if character == "." else CLASSES["Z"][0]
        parts.append(character)
    return "".join(parts)


def _escape(pattern: str, place: int, in_set: bool) -> tuple[str, int]:
    """Rewrite what follows a backslash; return it and the place behind."""
    letter = pattern[place]
    place += 1
    if letter in CLASSES:
        return CLASSES[letter][in_set], place
    if letter == "x" and pattern[place] == "{":
        end = pattern.index("}", place)
        return f"\\U{int(pattern[place + 1 : end], 16):08x}", end + 1
    if letter == "c":
        return f"\\x{ord(pattern[place]) & 0x1F:02x}", place + 1
    if letter == "0":
        end = place
        while end < len(pattern) and end < place + 3 and pattern[end] in "01234567":
            end += 1
        return f"\\x{int(pattern[place:end], 8):02x}", end
    if letter == "Q":
        end = pattern.find("\\E", place)
        end = len(pattern) if end < 0 else end
        quoted = "".join(character if character.isalnum() else f"\\{character}" for character in pattern[place:end])
        return quoted, end + 2
    if letter == "k" and pattern[place] == "<":
        end = pattern.index(">", place)
        return f"(?P={pattern[place + 1 : end]})", end + 1
    return f"\\{letter}", place


def expand_match(match: Any, replacement: str) -> str:
    """Return the replacement of a match: $1 and ${name} are groups, a backslash takes the next character as it is.

    Raises:
        RuntimeError: there is no such group.
    """
    parts: list[str] = []
    place = 0
    while place < len(replacement):
        character = replacement[place]
        place += 1
        if character == "\\":
            character = replacement[place : place + 1]
            place += 1
        elif character == "$":
            character, place = _group(match, replacement, place)
        parts.append(character)
    return "".join(parts)


def _group(match: Any, replacement: str, place: int) -> tuple[str, int]:
    if replacement[place : place + 1] == "{":
        end = replacement.find("}", place)
        name = replacement[place + 1 : end]
        if end < 0 or name not in match.re.groupindex:
            raise RuntimeError(f"RegexReplace: the pattern has no group {name!r}.")
        return match[name] or "", end + 1
    digits = 0
    end = place
    while (
        end < len(replacement) and replacement[end].isdecimal() and int(replacement[place : end + 1]) <= match.re.groups
    ):
        digits, end = int(replacement[place : end + 1]), end + 1
    if end == place:
        raise RuntimeError(f"RegexReplace: {replacement!r} names a group that the pattern does not have.")
    return match[digits] or "", end
