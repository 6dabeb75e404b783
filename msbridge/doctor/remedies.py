"""Problems that `msbridge doctor` finds, each with the command that mends it."""

import importlib.util
import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping
from importlib.machinery import PathFinder
from pathlib import Path

from msbridge.core.runtime import thread_count

REQUIREMENT = re.compile(
    r"\s*mindspore(?:[-_](?:gpu|ascend|cpu|dev))?\s*(?:\[.*?\])?\s*(?:$|[=<>!~;@#])", re.IGNORECASE
)
RELEASE = re.compile(r"r?[12](\.\d+)*")
THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS")

Remedy = tuple[str, str]


def remedies(environment: Mapping[str, str], folder: Path, besides: Collection[Path] = ()) -> Iterator[Remedy]:
    """Yield the faults of packages, the environment and the files of a folder, each with the command that mends it.

    Args:
        environment: its variables.
        folder: whose requirements files are looked at.
        besides: files that are looked at elsewhere.
    """
    if importlib.util.find_spec("torch") is None:
        yield "torch is missing: nothing runs without it", "pip install torch"
    if PathFinder.find_spec("mindspore") is not None:
        yield "`python train.py` takes the MindSpore that is installed here, not msbridge", "msbridge run train.py"
    yield from _of_variables(environment)
    for file in sorted({*folder.glob("*requirements*.txt")} - {*besides}):
        try:
            for number, line in find_mindspore_lines(file):
                what = f"{file.name}:{number}: {line} is not needed, msbridge serves `mindspore` itself"
                yield what, without_mindspore(file.name)
        except OSError:
            continue  # it cannot be read: whoever needs it will say so


def verdict(problems: Collection[Remedy]) -> str:
    """Return in a line whether scripts run here; the problems follow it."""
    if importlib.util.find_spec("torch") is None:
        return "not ready"
    return "ready, with something to fix:" if problems else "ready: msbridge run train.py"


def is_release(text: str) -> bool:
    """Whether a text is a release that can be followed."""
    return RELEASE.fullmatch(text) is not None


def without_mindspore(requirements: str) -> str:
    """Return the command that installs all of a requirements file but MindSpore."""
    pattern = r"^ *mindspore([-_](gpu|ascend|cpu|dev))? *([^-_ a-z0-9]|$)"
    return f"grep -viE {pattern!r} {shlex.quote(requirements)} | pip install -r /dev/stdin"


def find_mindspore_lines(requirements: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a requirements file that ask for MindSpore, with their numbers.

    Raises:
        OSError: the file cannot be read.
    """
    text = requirements.read_text(encoding="utf-8", errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        if REQUIREMENT.match(line):
            yield number, line.strip()


def file_report(file: Path) -> Iterator[str]:
    """Yield the lines on one requirements file: those that nobody needs, and the command that leaves them out.

    Raises:
        OSError: the file cannot be read.
    """
    unwanted = list(find_mindspore_lines(file))
    if not unwanted:
        yield f"{file}: asks for no mindspore."
    for number, line in unwanted:
        yield f"{file}:{number}: {line}: not needed, msbridge serves `mindspore` itself. Leave the line out:"
        yield f"    {without_mindspore(str(file))}"


def _of_variables(environment: Mapping[str, str]) -> Iterator[Remedy]:
    said = environment.get("MSBRIDGE_RELEASE", "")
    if said and not is_release(said):
        yield f"MSBRIDGE_RELEASE is {said!r}, which is not a release from 1.0 to 2.x", "unset MSBRIDGE_RELEASE"
    usable = thread_count.usable()
    for name in THREADS:
        value = environment.get(name)
        if value is None:
            continue
        numbers = value.split(",")  # one for each level of nesting
        if not all(one.strip().isdigit() and int(one) > 0 for one in numbers):
            yield f"{name} is {value!r}, which is not a number of threads: it is not followed", f"unset {name}"
        elif int(numbers[0]) > usable:
            what = f"{name} is {value}, and this process may use {usable}: threads wait for one another"
            yield what, f"export {name}={usable}"


def lines(found: Iterable[Remedy]) -> Iterator[str]:
    """Yield the lines that report a problem: what, and below it the command, which can be copied."""
    for what, command in found:
        yield f"! {what}"
        yield f"    {command}"
