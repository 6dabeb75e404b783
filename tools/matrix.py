"""Run the tests on every installed Python, with the oldest, a middle and the newest torch, and write docs/matrix.md.

    python tools/matrix.py [--python 3.12 ...] [--torch 2.13.0 ...] [--target quick] [--again] [ARGUMENTS of pytest ...]

`make TARGET` runs in an environment of .matrix/ for each pair, made from constraints.txt with that torch and
the sympy that it asks for. Environments and results stay: a run continues with the pairs that have no result of this
commit and these arguments.
"""

import argparse
import functools
import itertools
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import Version
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

ROOT = Path(__file__).parent.parent
CACHE = ROOT / ".matrix"
RESULTS = CACHE / "results.json"
PAGE = ROOT / "docs" / "matrix.md"
TABLE = re.compile(r"(<!-- matrix -->\n).*(<!-- end of matrix -->)", re.DOTALL)
MAX_NAMED = 20  # failures of a pair
_PERCENT = re.compile(r"\[ *(\d+)%\]")
_TELLS_VERSION = "import platform; print(platform.python_version())"
_TELLS_TORCH = "import torch; print(torch.__version__)"


@dataclass(frozen=True, slots=True)
class Result:
    """What the tests returned on one Python with one torch."""

    python: str  # its version
    torch: str  # the installed one's version, with the build
    command: str  # `make` and the arguments of pytest
    commit: str  # of the checkout
    day: str  # as 2026-11-28
    passed: int = 0  # how many tests
    failures: tuple[str, ...] = ()  # the failed tests' names
    skipped: int = 0  # how many tests
    seconds: int = 0  # that the tests took
    stopped: str = ""  # the last line that was printed, where no test ran


def main() -> int:
    """Run the pairs that have no result yet, write the page, and return 1 where something fails."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--python", action="append", help="a version such as 3.12; all that are found, unless said")
    parser.add_argument("--torch", action="append", help="a version; the oldest, a middle, the newest, unless said")
    parser.add_argument("--target", default="quick", help="of the Makefile")
    parser.add_argument("--again", action="store_true", help="also pairs that have a result")
    options, arguments = parser.parse_known_args()
    pythons = installed_pythons()
    releases = options.torch or torch_releases(next(iter(pythons.values())))
    command = shlex.join(["make", options.target, *arguments])
    results = {} if options.again else of_now(load(), command)
    with Progress(TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()) as progress:
        for torch, version in itertools.product(releases, options.python or pythons):
            name = f"{version}-{torch}"
            bar = progress.add_task(name, completed=100 * (name in results))
            if name not in results:
                show = functools.partial(_show, progress, bar)
                results[name] = run(name, pythons[version], torch, options.target, arguments, show)
                save(results)
    PAGE.write_text(fill(PAGE.read_text(encoding="utf-8"), results.values()), encoding="utf-8")
    return int(any(each.failures or each.stopped for each in results.values()))


def _show(progress: Progress, bar: TaskID, percent: int) -> None:
    progress.update(bar, completed=percent)


def installed_pythons() -> dict[str, Path]:
    """Return the newest interpreter of every version that is supported, from PATH and pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    folders = [*map(Path, os.get_exec_path()), *pyenv.glob("versions/*/bin")]
    found: dict[Version, Path] = {}
    for path in (path for folder in folders for path in folder.glob("python3.*")):
        if re.fullmatch(r"python3\.\d+", path.name) and (printed := _ask(path, _TELLS_VERSION)):
            found.setdefault(Version(printed), path)
    supported = SpecifierSet(_project()["requires-python"])
    newest = {f"{each.major}.{each.minor}": each for each in sorted(found) if each in supported}
    return {minor: found[version] for minor, version in newest.items()}


def torch_releases(python: Path) -> list[str]:
    """Return the oldest release that pyproject.toml allows, one between, and the newest that pip finds."""
    needed = next(each for each in map(Requirement, _project()["dependencies"]) if each.name == "torch")
    oldest = min(Version(each.version) for each in needed.specifier)
    resolve = shlex.split(
        f"{python} -m pip install --quiet --dry-run --ignore-installed --no-deps --report - '{needed}'"
    )
    report = subprocess.run(resolve, stdout=subprocess.PIPE, text=True, check=True).stdout
    newest = Version(json.loads(report)["install"][0]["metadata"]["version"])
    middle = f"{oldest.major}.{(oldest.minor + newest.minor) // 2}.0"
    return list(dict.fromkeys([f"{oldest.major}.{oldest.minor}.{oldest.micro}", middle, newest.public]))


def run(
    name: str, python: Path, torch: str, target: str, arguments: Sequence[str], show: Callable[[int], None]
) -> Result:
    """Run a target of the Makefile in the environment of a pair; what it prints is in .matrix/<name>.log."""
    CACHE.mkdir(exist_ok=True)
    constraints = CACHE / f"torch-{torch}.txt"
    pinned = re.sub(r"(?m)^sympy==.*\n", "", (ROOT / "constraints.txt").read_text(encoding="utf-8"))
    pinned = re.sub(r"(?m)^torch==.*", f"torch=={torch}", pinned)
    if not constraints.exists() or constraints.read_text(encoding="utf-8") != pinned:
        constraints.write_text(pinned, encoding="utf-8")  # the environment is made again where this is newer
    junit, log = CACHE / f"{name}.xml", CACHE / f"{name}.log"
    junit.unlink(missing_ok=True)
    environment = f"PYTHON={python}", f"VENV={CACHE / name}", f"CONSTRAINTS={constraints}"
    command = ["make", target, *environment, f"ARGS={shlex.join([f'--junitxml={junit}', *arguments])}"]
    live = os.environ | {"PYTHONUNBUFFERED": "1"}  # what pytest prints arrives line by line
    made = subprocess.Popen(command, cwd=ROOT, env=live, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    with made, log.open("w", encoding="utf-8") as lines:
        for line in made.stdout or ():
            lines.write(line)
            if found := _PERCENT.search(line):
                show(int(found[1]))
    own = CACHE / name / "bin" / "python"
    versions = _ask(own, _TELLS_VERSION) or _ask(python, _TELLS_VERSION), _ask(own, _TELLS_TORCH) or torch
    run = shlex.join(["make", target, *arguments]), _git("rev-parse", "--short", "HEAD"), str(date.today())
    if not junit.exists():
        return Result(*versions, *run, stopped=log.read_text(encoding="utf-8").strip().rpartition("\n")[2])
    return Result(*versions, *run, **counts(junit))


def counts(junit: Path) -> dict[str, Any]:
    """Return what a file of pytest's results says, as fields of a Result."""
    suite = ElementTree.parse(junit).getroot()[0]
    failed = [each for each in suite if each.find("failure") is not None or each.find("error") is not None]
    skipped = int(suite.get("skipped", 0))
    return {
        "passed": len({*suite} - {*failed}) - skipped,
        "failures": tuple(dict.fromkeys(f"{each.get('classname')}::{each.get('name')}" for each in failed)),
        "skipped": skipped,
        "seconds": round(float(suite.get("time", 0))),
    }


def load() -> dict[str, Result]:
    """Return the results of earlier runs by the environment's name."""
    rows = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    return {name: Result(**row | {"failures": tuple(row["failures"])}) for name, row in rows.items()}


def save(results: dict[str, Result]) -> None:
    """Keep results for a run that continues this one."""
    RESULTS.write_text(json.dumps({name: asdict(each) for name, each in results.items()}, indent=1), encoding="utf-8")


def of_now(results: dict[str, Result], command: str) -> dict[str, Result]:
    """Return the results of this commit and command."""
    commit = _git("rev-parse", "--short", "HEAD")
    return {name: each for name, each in results.items() if (each.commit, each.command) == (commit, command)}


def fill(page: str, results: Iterable[Result]) -> str:
    """Return the page with the table of results, and the failures below it."""
    results = list(results)
    rows = ["| Python | torch | passed | failed | skipped | seconds | command | commit | day |"]
    rows += ["|---|---|--:|--:|--:|--:|---|---|---|"]
    for each in results:
        outcome = f"{each.passed:,} | {each.stopped or len(each.failures)} | {each.skipped} | {each.seconds:,}"
        rows += [f"| {each.python} | {each.torch} | {outcome} | `{each.command}` | {each.commit} | {each.day} |"]
    for each in (one for one in results if one.failures):
        more = len(each.failures) - MAX_NAMED
        rows += ["", f"Python {each.python}, torch {each.torch}:", ""]
        rows += [f"- `{name}`" for name in each.failures[:MAX_NAMED]] + [f"- and {more} more"] * (more > 0)
    return TABLE.sub(lambda found: found[1] + "\n".join(rows) + "\n" + found[2], page)


def _project() -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project


def _ask(python: Path, source: str) -> str:
    """Return what an interpreter prints, or nothing."""
    try:
        return subprocess.run([python, "-c", source], capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):  # a shim of pyenv for a version that is not chosen
        return ""


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
