"""What goes wrong with a checkpoint, as data: what it is, in which places, and which options help."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

SHOWN = 20  # problems in a message


@dataclass(frozen=True, slots=True)
class Remedy:
    """What helps.

    Attributes:
        options: names of options of `convert`; any one of them does it.
        effect: what it then does: "replaces it".
    """

    options: tuple[str, ...]
    effect: str


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
        return self.worded(lambda option: option)

    def worded(self, called: Callable[[str], str]) -> str:
        """Return the message.

        Args:
            called: what an option is called where the message is read: a parameter, or a flag.
        """
        lines = [*self.problems[:SHOWN]]
        if len(self.problems) > SHOWN:
            lines.append(f"… and {len(self.problems) - SHOWN} more")
        text = "\n  ".join([self.problem, *lines])
        if not self.remedies:
            return text
        said = [f"{' or '.join(map(called, one.options))} {one.effect}" for one in self.remedies]
        return text.removesuffix(".") + ("\n" if lines else "; ") + ", ".join(said) + "."


class MismatchError(CheckpointError):
    """Names or shapes that do not fit the model, the rules or each other; or guesses where none are wanted."""


class UnsafeError(CheckpointError):
    """A file that tries to run code."""
