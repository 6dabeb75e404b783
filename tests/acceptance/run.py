"""Run public repositories of MindSpore, unmodified, under `msbridge run`, and print and store what became of them.

    python tests/acceptance/run.py FOLDER [--only TEXT] [--store] [--keep DIR]

FOLDER holds checkouts, each under its repository's name; what is absent is skipped. `jobs.toml` says what runs.
`--store` merges the outcomes into `results.json`, of which `python tests/acceptance/page.py` makes
`docs/acceptance.md`.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
sys.path.insert(0, str(HERE))

from jobs import JOBS, Job  # noqa: E402

__all__ = ["Outcome", "falls", "main", "perform", "stored"]

COPY = re.compile(r"/\S*?/at/")  # where the copy of a repository lies, which tells a reader nothing
NO_NETWORK = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")


@dataclass
class Outcome:
    """What became of a job: how many of its cases passed, and what the others said."""

    at: str
    name: str
    total: int = 0
    failures: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0

    def add(self, case: str, problem: str = "") -> None:
        """Count a case; it failed if there is a problem."""
        self.total += 1
        if problem:
            self.failures[case] = COPY.sub("", problem)[:300]

    @property
    def passed(self) -> int:
        """How many cases passed."""
        return self.total - len(self.failures)


def perform(job: Job, checkouts: Path, work: Path) -> Outcome:
    """Run a job's commands in a copy of its folder, and look at what they left.

    Args:
        job: the row of the table.
        checkouts: where the repositories are.
        work: an empty folder for the copy, the data and the home.
    """
    outcome = Outcome(job.at, job.name)
    started = time.monotonic()
    repository = checkouts / job.at.split("/")[0]
    shutil.copytree(checkouts / job.at, work / "at", symlinks=True, ignore=shutil.ignore_patterns(".git"))
    at = work / "at" / job.under
    places = {
        "data": Path(os.path.normpath(work / "at" / job.data_at)),
        "home": work / "home",
        "own": HERE,
        "repository": repository,
    }
    for folder in (places["data"], places["home"]):
        folder.mkdir(parents=True, exist_ok=True)
    if job.data:
        job.data(places["data"])
    if job.home:
        job.home(places["home"])
    losses: list[float] = []
    for number, command in enumerate(job.commands):
        words = shlex.split(command)
        words = [word.format_map({name: str(place) for name, place in places.items()}) for word in expanded(words, at)]
        if job.kind == "pytest":
            words += [f"--junitxml={work / 'tests.xml'}", "-p", "no:cacheprovider"]
        log = work / f"{number}.log"
        ended = run(words, work, at, log, job.limit_s, [work / "at"] if job.installed else [])
        text = log.read_text(encoding="utf-8", errors="replace")
        if job.kind == "cases":
            for line in re.findall(r'^\{"case".*\}$', text, re.M):
                case = json.loads(line)
                outcome.add(case["case"], case["problem"])
        if job.kind == "pytest" and (work / "tests.xml").exists():
            for case, problem in tested(work / "tests.xml"):
                outcome.add(case, problem)
        elif ended != 0 or job.kind == "script":
            outcome.add(label(words, number), "" if ended == 0 else said(text, ended))
        if job.falls and ended == 0:
            losses = losses or [float(value) for value in re.findall(job.falls, text)]
        if ended != 0 and job.kind == "script":
            break
    if losses or (job.falls and not outcome.failures):
        outcome.add("the loss falls", "" if falls(losses) else f"the losses are {losses[:3]} … {losses[-3:]}")
    for pattern in job.leaves:
        if job.commands and not outcome.failures:
            outcome.add(pattern, "" if any(at.glob(pattern)) else "no such file was written")
    outcome.seconds = round(time.monotonic() - started, 1)
    return outcome


def expanded(words: Iterable[str], at: Path) -> Iterator[str]:
    """Replace patterns of files by the files, as a shell does, and `{newest:PATTERN}` by the newest of them."""
    for word in words:
        if wanted := re.fullmatch(r"\{newest:(.*)\}", word):
            found = sorted(at.glob(wanted[1]), key=lambda path: path.stat().st_mtime)
            yield str(found[-1]) if found else wanted[1]
            continue
        is_pattern = "*" in word and " " not in word and not word.startswith(("/", "-"))
        found = sorted(at.glob(word)) if is_pattern else []
        yield from [str(path.relative_to(at)) for path in found] or [word]


def run(words: list[str], work: Path, at: Path, log: Path, limit_s: int, installed: Iterable[Path] = ()) -> int | str:
    """Run a command, with packages of the folders `installed`; return its exit code, or what ended it."""
    folders = [HERE.parents[1], *installed, os.environ.get("PYTHONPATH", "")]
    environment = {
        **os.environ, **NO_NETWORK, "HOME": str(work / "home"), "GLOG_v": "3", "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": os.pathsep.join(str(folder) for folder in folders if folder),
    }  # fmt: skip
    command = [sys.executable, "-m", "msbridge", "run", *words]
    with log.open("w") as output:
        process = subprocess.Popen(
            command,
            cwd=at,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        try:
            return process.wait(limit_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()
            return f"took more than {limit_s} s"


def label(words: list[str], number: int) -> str:
    """Return what a command is called in the table: its script."""
    script = next((word for word in words if word.endswith((".py", ".sh"))), words[0])
    return f"{number + 1}: {Path(script).name}"


def said(text: str, ended: int | str) -> str:
    """Return the line that tells why a command failed: the last one that names an error."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"[\w.]*(Error|Exception|Interrupt|Exit)\b", line)]
    reason = f"exit code {ended}" if isinstance(ended, int) else ended
    return errors[-1] if errors and isinstance(ended, int) else f"{reason}: {lines[-1] if lines else 'no output'}"


def tested(report: Path) -> Iterator[tuple[str, str]]:
    """Give each test of a report of pytest, and why it failed; skipped tests are left out."""
    for case in ET.parse(report).iter("testcase"):
        bad = next((part for kind in ("failure", "error") if (part := case.find(kind)) is not None), None)
        if case.find("skipped") is None:
            yield f"{case.get('classname')}::{case.get('name')}", "" if bad is None else bad.get("message", "failed")


def falls(losses: list[float]) -> bool:
    """Whether the mean of the last third of the losses is below that of the first."""
    third = max(1, len(losses) // 3)
    return len(losses) > 1 and sum(losses[-third:]) / third < sum(losses[:third]) / third


def stored(path: Path = RESULTS) -> dict[str, Outcome]:
    """Return the outcomes of the runs before, by place and name."""
    rows = json.loads(path.read_text()) if path.exists() else []
    return {f"{row['at']} {row['name']}": Outcome(**row) for row in rows}


def main(words: list[str] | None = None, jobs: tuple[Job, ...] = JOBS, results: Path = RESULTS) -> int:
    """Run the jobs whose repositories are there; the exit code is 1 if a case failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="run the jobs with this text in their place and name")
    parser.add_argument("--store", action="store_true", help="merge the outcomes into results.json")
    parser.add_argument("--keep", type=Path, help="keep copies and logs of the jobs in this folder")
    options = parser.parse_args(words)
    known, failed = stored(results), 0
    for job in jobs:
        if options.only not in f"{job.at} {job.name}":
            continue
        if not (options.folder / job.at).exists():
            print(f"{job.at:36} {job.name:32} skipped: not there", flush=True)
            continue
        with tempfile.TemporaryDirectory() as folder:
            work = Path(folder)
            if options.keep:
                work = options.keep / re.sub(r"\W+", "_", f"{job.at} {job.name}")
                shutil.rmtree(work, ignore_errors=True)
                work.mkdir(parents=True)
            outcome = perform(job, options.folder, work)
        failed += len(outcome.failures)
        print(f"{job.at:36} {job.name:32} {outcome.passed:5}/{outcome.total:<5} {outcome.seconds:7.1f} s", flush=True)
        for case, problem in list(outcome.failures.items())[:10]:
            print(f"    {case}: {problem.splitlines()[0][:200]}", flush=True)
        if options.store:
            known = stored(results)
            known[f"{job.at} {job.name}"] = outcome
            rows = [asdict(known[key]) for key in sorted(known)]
            results.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
