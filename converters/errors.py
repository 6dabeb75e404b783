"""Errors of a checkpoint, as data: what it is, in which places, and which options help."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

MAX_PROBLEMS_SHOWN = 20  # problems in a message
MAX_VALUE_LENGTH = 80  # characters of a value in a message


@dataclass(frozen=True, slots=True)
class Remedy:
    """A remedy."""

    options: tuple[str, ...]  # names of options of `convert`; any one of them does it
    effect: str  # what it then does: "replaces it"


class CheckpointError(ValueError):
    """A checkpoint that cannot be read, written or converted as asked.

    Attributes:
        problem: what is wrong, in a sentence that names file, entry and offset.
        remedies: which options help.
        problems: the places where it is wrong, when there may be several.
        facts: file, entry and offset, by these names, where they are known.
    """

    def __init__(self, problem: str, *remedies: Remedy, problems: Sequence[str] = (), **facts: object):
        super().__init__(problem, *remedies)
        self.problem = problem
        self.remedies = remedies
        self.problems = tuple(problems)
        self.facts = facts

    def __str__(self) -> str:
        return self.format_message(lambda option: option)

    def format_message(self, called: Callable[[str], str]) -> str:
        """Return the message.

        Args:
            called: what an option is called where the message is read: a parameter, or a flag.
        """
        lines = [*self.problems[:MAX_PROBLEMS_SHOWN]]
        if len(self.problems) > MAX_PROBLEMS_SHOWN:
            lines.append(f"… and {len(self.problems) - MAX_PROBLEMS_SHOWN} more")
        text = "\n  ".join([self.problem, *lines])
        if not self.remedies:
            return text
        said = [f"{' or '.join(map(called, one.options))} {one.effect}" for one in self.remedies]
        return text.removesuffix(".") + ("\n" if lines else "; ") + ", ".join(said) + "."


class MismatchError(CheckpointError):
    """Names or shapes that do not fit the model, the rules or each other; or guesses where none are wanted."""


class UnsafeError(CheckpointError):
    """A file that tries to run code."""


def brief(value: Any) -> str:
    """Write a value in a message: what is long is cut before it is written, what is nested is only named."""
    if isinstance(value, str | bytes):
        return ascii(value[:MAX_VALUE_LENGTH])
    if isinstance(value, tuple | list | dict):
        return f"a {type(value).__name__} of {len(value)}"
    return ascii(value) if isinstance(value, int | float) or value is None else f"a {type(value).__name__}"


def briefly(values: tuple[Any, ...]) -> str:
    """Write the first of some values."""
    more = ", …" if len(values) > 8 else "," if len(values) == 1 else ""
    return f"({', '.join(map(brief, values[:8]))}{more})"
