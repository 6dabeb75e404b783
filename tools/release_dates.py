"""Ask real releases of MindSpore when they made the changes that the rows of mappings/releases/ state.

python tools/release_dates.py FOLDER

FOLDER holds an environment of each release, with a `run` in it: FOLDER/1.8.1/run script.py starts its Python. The names
of arguments, of rows that have them and of functions of `legacy/`, are compared with those of every release there, and
the expressions of rows are run in it. A row is printed where a release has another form than its `since` says.
"""

import inspect
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

import msbridge
from msbridge.core.releases.release import parse
from msbridge.core.releases.rows import every
from msbridge.dropin.release_guess.call_forms import changes_of

# Run by the release's own Python, from 3.7 on: names come as JSON, and arguments or the value of an expression go out.
ASK = """
import contextlib, importlib, inspect, io, json, sys
import numpy as np
import mindspore as ms
from mindspore import context, nn, ops, Tensor
context.set_context(device_target="CPU", mode=context.PYNATIVE_MODE)
PLACES = ("", "ops.operations", "ops.functional", "ops.composite", "ops", "nn", "train", "train.callback",
          "train.serialization", "train.model", "common", "common.initializer", "dataset.audio.transforms", "dataset")

def find(name):
    head, _, last = name.partition(".")
    tails = [name, last] if last else [name]
    for place in PLACES:
        for tail in tails:
            if head == "ops" and not place.startswith("ops") and tail != name:
                continue
            parts = ("mindspore." + place).rstrip(".").split(".") + tail.split(".")
            for cut in range(len(parts), 0, -1):
                with contextlib.suppress(Exception):
                    found = importlib.import_module(".".join(parts[:cut]))
                    for part in parts[cut:]:
                        found = getattr(found, part)
                    if callable(found):
                        return found

def arguments(value):
    is_primitive = isinstance(value, type) and "__init__" in vars(value)
    value = inspect.unwrap(value.__init__ if is_primitive else value)
    value = getattr(value, "decorated_func", value)
    listed = inspect.signature(value).parameters.values()
    if any(each.kind is each.VAR_POSITIONAL for each in listed):
        return None  # a decorator's, or any number
    names = [each.name for each in listed if each.kind is each.POSITIONAL_OR_KEYWORD]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names

def shown(value):
    if isinstance(value, (tuple, list)) and any(isinstance(each, Tensor) for each in value):
        return "(" + ", ".join(map(shown, value)) + ")"
    if isinstance(value, Tensor):
        text = np.array2string(value.asnumpy(), separator=", ")
        return str(value.dtype) + " " + text
    return repr(value)

asked, answers = json.load(open(sys.argv[1])), {}
for name in asked["names"]:
    with contextlib.suppress(Exception):
        answers[name] = arguments(find(name))
for text in asked["expressions"]:
    with contextlib.suppress(Exception):
        answers[text] = shown(eval(text))
json.dump(answers, open(sys.argv[2], "w"))
"""
Answers: TypeAlias = Mapping[str, Mapping[str, list[str] | str]]


def ask(run: Path, names: list[str], expressions: list[str]) -> dict[str, list[str] | str]:
    """Return the arguments of names, and the values of expressions, in the release of an environment."""
    with tempfile.TemporaryDirectory() as folder:
        script, asked, answered = (Path(folder) / name for name in ("ask.py", "asked.json", "answered.json"))
        script.write_text(ASK, encoding="utf-8")
        asked.write_text(json.dumps({"names": names, "expressions": expressions}), encoding="utf-8")
        words = [run, script, asked, answered]
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=600)
        if not answered.exists():
            raise RuntimeError(f"{run} returns no answers:\n{done.stderr[-2000:]}")
        found: dict[str, list[str] | str] = json.loads(answered.read_text(encoding="utf-8"))
        return found


def chain(name: str) -> list[list[str]]:
    """Return the arguments of all forms of a name, the first one first, today's last; [] where they are unknown."""
    changes = changes_of(name)
    if not changes or changes[-1].since is None:
        return []
    forms = [_places(changes[-1].since)]
    for change in changes[::-1]:
        forms.insert(0, _places(change.before) if change.before else forms[0])
    return forms


def _places(signature: inspect.Signature) -> list[str]:
    return [each.name for each in signature.parameters.values() if each.kind is each.POSITIONAL_OR_KEYWORD]


def by_arguments(answers: Answers) -> Iterator[tuple[str, str]]:
    """Yield the names that tell, how `since` of their rows differs from the releases."""
    for name in sorted({row.name for row in every() if row.legacy or row.arguments is not None}):
        forms, dates = chain(name), [change.row.since for change in changes_of(name)]
        listed = {release: found for release, known in answers.items() if isinstance(found := known.get(name), list)}
        if not listed or all(form == forms[0] for form in forms):
            continue
        wrong = []
        for release, found in listed.items():
            expected = sum(parse(date) <= parse(release) for date in dates)
            if found in forms and found != forms[expected]:
                wrong.append(f"{release} has {', '.join(found)}")
        yield name, f"{name}, since {' and '.join(dates)}: {'; '.join(wrong)}" if wrong else ""


def by_expressions(answers: Answers) -> Iterator[tuple[str, str]]:
    """Yield the rows with an expression, alike."""
    for row in every():
        given = {release: known[row.expression] for release, known in answers.items() if row.expression in known}
        forms = {release: {row.was: "before", row.now: "since"}.get(str(value), "") for release, value in given.items()}
        right = {release: "since" if parse(release) >= parse(row.since) else "before" for release in forms}
        wrong = [
            f"{release} returns {given[release]}" for release, form in forms.items() if form not in ("", right[release])
        ]
        if given:
            yield row.name, f"{row.name}, since {row.since}: {'; '.join(wrong)}" if wrong else ""


def main(folder: Path) -> int:
    """Print the rows whose `since` is wrong; return the exit code."""
    msbridge.hand_out()
    runs = sorted(folder.glob("*/run"), key=lambda run: parse(run.parent.name))
    names = sorted({row.name for row in every() if row.legacy or row.arguments is not None})
    expressions = sorted({row.expression for row in every() if row.expression})
    answers = {run.parent.name: ask(run, names, expressions) for run in runs}
    dated = [*by_arguments(answers), *by_expressions(answers)]
    wrong = [said for _, said in dated if said]
    print(*wrong, sep="\n")
    print(f"{len(dated)} names and expressions of {len(every())} rows are asked; {len(wrong)} are dated otherwise.")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
