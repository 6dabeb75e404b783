"""Templates of names: texts with holes, such as `blocks.{n}.{part:q|k}`, and what they take in which time.

A hole may hold a regular expression, and Python's may run for ever: `(x+x+)+` tries all ways to cut a name into pieces
before it gives up. It is recognized by its form: in what repeats, nothing may be of variable length or a choice.
Without it, n repetitions that could each end at several places try about len(name) ** n / n! ways at most; a name that
is too long for that is refused. A repetition whose end is seen at once, as in `[^.]+` before a dot, does not count.
"""

import functools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from msbridge.converters.errors import CheckpointError, brief

HOLE = re.compile(r"\{(\w+)(?::((?:[^{}]|\{[^{}]*\})*))?\}")
DEFAULT = r"[^.]+"  # what a hole fits that does not say
MAX_WAYS = 10**8  # steps for one name: two seconds
MAX_COPIES = 16  # of what is repeated a given number of times
REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)

Items = Sequence[tuple[Any, Any]]  # a parsed expression: operations, each with its arguments


@dataclass(frozen=True, slots=True)
class Template:
    """A template that was read."""

    text: str  # as it is written
    pattern: re.Pattern[str]  # the regular expression, with a named group for each hole
    free: int  # how many repetitions in it could each end at several places

    def match(self, name: str) -> re.Match[str] | None:
        """Return the match of a name, or None.

        Raises:
            CheckpointError: that could take too long.
        """
        power = self.free + 1  # for each way, what is left of the name is looked through
        if self.free and len(name) ** power > MAX_WAYS * math.factorial(power):
            raise CheckpointError(
                f"the template {self.text!r:.200} has repetitions ({self.free}) without a clear end, and could take "
                f"forever for {brief(name)}, a name of {len(name)} characters: say what must not be in them: [^.]+."
            )
        return self.pattern.fullmatch(name)


@functools.cache
def read(text: str) -> Template:
    """Read a template.

    Raises:
        CheckpointError: it is not a regular expression, or one that could take forever.
    """
    expression, position, seen = "", 0, set()
    for hole in HOLE.finditer(text):
        expression += re.escape(text[position : hole.start()])
        expression += f"(?P={hole[1]})" if hole[1] in seen else f"(?P<{hole[1]}>{hole[2] or DEFAULT})"
        seen.add(hole[1])
        position = hole.end()
    expression += re.escape(text[position:])
    try:
        return Template(text, re.compile(expression), _free(parser.parse(expression), is_repeated=False))
    except (re.error, OverflowError, RecursionError) as error:
        raise CheckpointError(f"the template {text!r:.200} is not a regular expression: {error}.") from error
    except _EndlessError as error:
        raise CheckpointError(
            f"the template {text!r:.200} could take forever: in what repeats, nothing may be repeated or a choice."
        ) from error


def fill_template(text: str, holes: Mapping[str, str]) -> str:
    """Return a template with its holes filled."""
    return HOLE.sub(lambda hole: holes[hole[1]], text)


def hole(name: str, expression: str | None) -> str:
    """Format a hole."""
    return f"{{{name}:{expression}}}" if expression else f"{{{name}}}"


class _EndlessError(Exception):
    """A repetition in a repetition."""


def _free(items: Items, is_repeated: bool) -> int:
    """Count the repetitions that could end at several places.

    Args:
        items: a parsed expression.
        is_repeated: whether it is in a repetition.

    Raises:
        _EndlessError: what repeats is of variable length, or has a choice.
    """
    free, flat = 0, [*_flat(items)]
    for number, (code, arguments) in enumerate(flat):
        if code in REPEATS:
            least, most, body = arguments
            if is_repeated and least != most:
                raise _EndlessError
            is_fixed = most == least <= MAX_COPIES
            free += (most if is_fixed else 1) * _free(body, is_repeated or (most > 1 and not is_fixed))
            free += least != most and most > 1 and not _ends_clearly(body, flat[number + 1 :])
            continue
        if is_repeated and code in (codes.BRANCH, codes.GROUPREF, codes.GROUPREF_EXISTS):
            raise _EndlessError
        free += max((_free(one, is_repeated) for one in _parts(code, arguments)), default=0)
    return free


def _flat(items: Items) -> Iterator[tuple[Any, Any]]:
    """Yield operations, those of groups in their groups' place."""
    for code, arguments in items:
        if code is codes.SUBPATTERN:
            yield from _flat(arguments[3])
        else:
            yield code, arguments


def _parts(code: Any, arguments: Any) -> list[Items]:
    """Return the expressions that an operation holds."""
    if code is codes.BRANCH:
        return list(arguments[1])
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return [arguments[1]]
    if code is codes.ATOMIC_GROUP:
        return [arguments]
    return [one for one in arguments[1:] if one] if code is codes.GROUPREF_EXISTS else []


def _ends_clearly(body: Items, behind: Items) -> bool:
    """Whether a repetition of single characters ends at one place: at the end, or before what it does not fit."""
    flat = [*_flat(body)]
    if len(flat) != 1:
        return False
    if not behind:
        return True
    code, arguments = behind[0]
    return code is codes.LITERAL and not any(
        _fits(*flat[0], one) for one in {chr(arguments).lower(), chr(arguments).upper()}
    )


def _fits(code: Any, arguments: Any, character: str) -> bool:
    """Whether an operation fits a character; of those for single characters that are known, all others do."""
    if code is codes.LITERAL:
        return chr(arguments).lower() == character.lower()
    if code is codes.NOT_LITERAL:
        return chr(arguments) != character
    if code is codes.RANGE:
        return any(arguments[0] <= ord(one) <= arguments[1] for one in (character.lower(), character.upper()))
    if code is codes.CATEGORY and arguments in CATEGORIES:
        return CATEGORIES[arguments].fullmatch(character) is not None
    if code is codes.IN:
        is_negated = arguments[0][0] is codes.NEGATE
        return is_negated != any(_fits(one[0], one[1], character) for one in arguments[is_negated:])
    return True


CATEGORIES = {
    codes.CATEGORY_DIGIT: re.compile(r"\d"),
    codes.CATEGORY_NOT_DIGIT: re.compile(r"\D"),
    codes.CATEGORY_WORD: re.compile(r"\w"),
    codes.CATEGORY_NOT_WORD: re.compile(r"\W"),
    codes.CATEGORY_SPACE: re.compile(r"\s"),
    codes.CATEGORY_NOT_SPACE: re.compile(r"\S"),
}
