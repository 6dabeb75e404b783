"""Entries: what a public name of MindSpore means in each release, what torch calls it, and whether it is here."""

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from msbridge.api_lookup.paths import value_at
from msbridge.core.checks.no_effect_warnings import settings
from msbridge.core.releases.release import parse
from msbridge.core.releases.rows import Row, rows_of_name
from msbridge.dropin.importing.missing_names import explanation
from msbridge.dropin.release_guess import last_release
from msbridge.dropin.release_guess.call_forms import changes_of
from msbridge.scan.torch_names.equivalents import counterparts_of, differences
from msbridge.scan.torch_names.rows import row_of

__all__ = ["Change", "Entry", "Torch", "entry_of"]


@dataclass(frozen=True, slots=True)
class Change:
    """A change that a release made.

    Attributes:
        since: the first release with the new form.
        before: the signature before; "" where it is the same, or not known.
        meanings: what the form before did, or an expression with what it returned before and returns since.
    """

    since: str
    before: str
    meanings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Torch:
    """A counterpart in torch.

    Attributes:
        name: its full path.
        differences: in what the two differ; empty where nothing is known to.
        written: the call that a translation writes in its place, with torch's names as values; "" where none is known.
    """

    name: str
    differences: tuple[str, ...]
    written: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """The facts of a public name.

    Attributes:
        path: "mindspore.ops.split".
        signature: today's, "(tensor, split_size_or_sections, axis=0)"; "" of what is not called, or is not here.
        text: the docstring.
        absent: why msbridge does not have it, and what to use; "" where it does.
        last_release: the last release that has it; "" where the newest does.
        changes: what releases changed, the newest first.
        torch: its counterparts.
        without_effect: arguments that are accepted without effect, and why.
    """

    path: str
    signature: str
    text: str
    absent: str
    last_release: str
    changes: tuple[Change, ...]
    torch: tuple[Torch, ...]
    without_effect: tuple[str, ...]


def entry_of(path: str) -> Entry:
    """Return the entry of a full path of MindSpore. The drop-in has to be in place, and no release followed."""
    value = value_at(path)
    return Entry(
        path,
        _signature(value),
        (inspect.getdoc(value) or "") if callable(value) else repr(value) if value is not None else "",
        (explanation(path) or "") if value is None else "",
        last_release(path),
        tuple(_changes(path)),
        tuple(Torch(row.torch, tuple(differences(row)), _render_call(row.torch)) for row in counterparts_of(path)),
        tuple(_without_effect(path)),
    )


def _render_call(name: str) -> str:
    """Return the call that is written in place of a name of torch; "" where only the name changes."""
    row = row_of(name)
    return row.write.replace("( | ", "(").replace(" |", ",") if row and "(" in row.write else ""


def _signature(value: Any) -> str:
    """Return a signature without `self`, with defaults as they are written."""
    if not callable(value):
        return ""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    return _text(signature)


def _text(signature: inspect.Signature) -> str:
    """Return a signature without `self` and annotations."""
    shown = [each.replace(annotation=each.empty) for name, each in signature.parameters.items() if name != "self"]
    return str(inspect.Signature(shown))


def _changes(path: str) -> Iterator[Change]:
    """Yield the changes of a path, the newest first."""
    name = _row_name(path)
    signatures = {id(change.row): change for change in changes_of(name)}
    rows = sorted(_rows_with_arguments(name), key=lambda row: parse(row.since), reverse=True)
    for since, several in groupby(rows, key=lambda row: row.since):
        changed = list(several)
        forms = [signatures[id(row)] for row in changed if id(row) in signatures]
        before = next((_text(form.before) for form in forms if form.before and _is_other(form.before, form.since)), "")
        meanings = [_meaning(name, row) for row in changed]
        yield Change(since, before, tuple(filter(None, dict.fromkeys(meanings))))


def _is_other(before: inspect.Signature, since: inspect.Signature | None) -> bool:
    return since is None or _text(before) != _text(since)


def _meaning(name: str, row: Row) -> str:
    """Return the words of a row: of an expression both results, of an argument's default both values."""
    if row.expression:
        return f"{row.expression}: {row.was} before, {row.now} since"
    if row.is_default:
        argument = row.name.removeprefix(name).lstrip(".") or "by position"
        return f"{argument}: {row.was!r} before, {row.now!r} since"
    return str(row.was)


def _row_name(path: str) -> str:
    """Return the name that tables have for a path; `mindspore` itself has the names of `train`, too."""
    name = path.removeprefix("mindspore.")
    others = (name, f"train.{name}")
    return next((other for other in others if _rows_with_arguments(other)), name)


def _rows_with_arguments(name: str) -> list[Row]:
    """Return the rows of a name, and those of the defaults of its arguments."""
    value = value_at(f"mindspore.{name}")
    arguments = _argument_names(value)
    return [row for each in (name, *(f"{name}.{argument}" for argument in arguments)) for row in rows_of_name(each)]


def _argument_names(value: Any) -> list[str]:
    try:
        return [*inspect.signature(value).parameters]
    except (TypeError, ValueError):
        return []


def _without_effect(path: str) -> Iterator[str]:
    for name, setting in settings().items():
        owner, _, argument = name.rpartition(".")
        if owner == path:
            yield f"{argument}: {setting.because}"
