"""Settings of MindSpore that are accepted and have nothing to act on here: each is said once, at the user's line.

The rows are in `mappings/without_effect.toml`, and on the page docs/settings.md, written by `tools/settings_page.py`.
"""

import sys
import warnings
from collections.abc import Mapping
from dataclasses import dataclass

from msbridge.core.checks.stack_frames import FOLDERS
from msbridge.mappings import table

said: set[str] = set()  # the names that this process has warned of


class WithoutEffectWarning(UserWarning):
    """A setting that MindSpore has was accepted, and does nothing in msbridge."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A row of without_effect.toml.

    Attributes:
        name: the MindSpore function or class, and its argument, key or method.
        purpose: what it is for in MindSpore.
        because: why it has no effect here, or what is so instead.
        notice: whether a script is warned; not where nobody could observe the difference, as with speed on an Ascend.
    """

    name: str
    purpose: str
    because: str
    notice: bool = True


def settings() -> Mapping[str, Setting]:
    """Return the rows of without_effect.toml by name."""
    rows: Mapping[str, Setting] = table("without_effect.toml", Setting)
    return rows


def without_effect(name: str, value: object = None) -> None:
    """Warn once in this process that a setting has no effect; call it only with a value that is not the default.

    Args:
        name: the full name of the setting, e.g. "mindspore.set_context.save_graphs"; without a row nothing is said.
        value: what it was set to; None leaves it out of the sentence.
    """
    row = settings().get(name)
    if row is None or not row.notice or not is_first(name):
        return
    owner, _, setting = name.removeprefix("mindspore.").rpartition(".")
    shown = "" if value is None else f"={value!r}"
    text = f"{owner + ': ' if owner else ''}{setting}{shown} has no effect in msbridge: {row.because}."
    warnings.warn(text, WithoutEffectWarning, stacklevel=level_of_user())


def without_meaning(owner: str, keywords: Mapping[str, object]) -> None:
    """Warn of keywords that a function of MindSpore takes without reading them: most are misspelt."""
    for name in keywords:
        text = f"For '{owner}', {name!r} is no argument: it has no effect, in MindSpore neither."
        warnings.warn(text, WithoutEffectWarning, stacklevel=level_of_user())


def is_first(name: str) -> bool:
    """Whether nothing has been said of `name` in this process; from now on, something has."""
    if name in said:
        return False
    said.add(name)
    return True


def level_of_user(besides: tuple[str, ...] = ()) -> int:
    """Return the `stacklevel` at which a warning of the caller's points at the innermost frame outside msbridge.

    Args:
        besides: beginnings of paths that are passed over too.
    """
    level, frame = 1, sys._getframe(1)  # `warnings.warn` calls its own caller level 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith((*FOLDERS, *besides)):
        frame, level = frame.f_back, level + 1
    return level
