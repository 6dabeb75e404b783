"""The MindSpore release that is followed: what differs between releases is put in place when it is chosen."""

import os
from collections.abc import Callable

NEWEST = (2, 10)
_state = {"release": NEWEST}
_followers: list[Callable[[], None]] = []
_parsed: dict[str, tuple[int, int]] = {}  # a dict, which Dynamo traces, while it warns of functools.cache (torch 2.13)


def release() -> tuple[int, int]:
    """Return the release that defaults and names follow, e.g. `(1, 1)`."""
    return _state["release"]


def set_release(version: str | None) -> None:
    """Choose the release whose defaults and names are followed.

    Args:
        version: e.g. "1.1", "r2.0" or "2.3.1"; None for the newest.

    Raises:
        ValueError: `version` is not a release number.
    """
    _state["release"] = NEWEST if version is None else parse(version)
    for put in _followers:
        put()


def follow(put: Callable[[], None]) -> None:
    """Call `put` now and whenever a release is chosen: it puts what the release had in place of what is new."""
    _followers.append(put)
    if release() != NEWEST:
        put()


def at_least(version: str) -> bool:
    """Whether the followed release is `version` or a later one."""
    return _state["release"] >= (_parsed.get(version) or parse(version))


def parse(version: str) -> tuple[int, int]:
    """Read "1.1", "r1.10" or "2.3.1" as (major, minor).

    Raises:
        ValueError: `version` is not a release number.
    """
    parts = version.strip().removeprefix("r").removeprefix("v").split(".")
    try:
        major, minor = int(parts[0]), int(parts[1]) if len(parts) > 1 else 0
    except ValueError:
        raise ValueError(f"release must be like '1.1' or 'r2.3', got {version!r}.") from None
    if not 1 <= major <= 2:
        raise ValueError(f"release must be between '1.0' and '2.x', got {version!r}.")
    _parsed[version] = major, minor
    return major, minor


def before(version: str) -> str:
    """Return the minor release before `version`; that of 2.0 is 1.10."""
    major, minor = parse(version)
    return f"{major}.{minor - 1}" if minor else f"{major - 1}.10"


def after(version: str) -> str:
    """Return the minor release after `version`; that of 1.10 is 2.0."""
    major, minor = parse(version)
    return "2.0" if (major, minor) == (1, 10) else f"{major}.{minor + 1}"


if "MSBRIDGE_RELEASE" in os.environ:
    set_release(os.environ["MSBRIDGE_RELEASE"])
