"""Data paths that a script hard-codes, mapped to where the data lies here."""

import os

VARIABLE = "MSBRIDGE_PATHS"  # OLD=NEW pairs, separated by os.pathsep; inherited by child processes

StrPath = str | os.PathLike[str]


def resolve(path: StrPath) -> str:
    """Replace the longest mapped prefix of `path`; a path that nothing maps is returned unchanged."""
    text = os.fspath(path)
    mapping = os.environ.get(VARIABLE)
    if not mapping or not isinstance(text, str):
        return text
    best = ""
    target = text
    for old, new in pairs(mapping):
        if len(old) > len(best) and (text == old or text.startswith(old + "/")):
            best, target = old, new + text[len(old) :]
    return target


def pairs(mapping: str) -> list[tuple[str, str]]:
    """Read `OLD=NEW` pairs from the environment variable's form, trailing slashes dropped.

    Raises:
        ValueError: a part has no "=" or an empty side.
    """
    mapped = []
    for part in filter(None, mapping.split(os.pathsep)):
        old, equals, new = part.partition("=")
        if not equals or not old or not new:
            raise ValueError(f"A path mapping must be OLD=NEW, got {part!r}.")
        mapped.append((old.rstrip("/") or "/", new.rstrip("/") or "/"))
    return mapped
