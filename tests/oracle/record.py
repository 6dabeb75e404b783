"""Record what the real MindSpore does: evaluate the cases there and store the outcomes in `records/`.

    python tests/oracle/record.py [--python PYTHON] [--release R] [--all] [FAMILY …]

PYTHON is the interpreter of an environment with a real MindSpore (default: this one); with `--release R` it must have
that release. Without a family, all of them, its own with an earlier release, and the names and arguments that
`names/` lists by introspection, each in a process of its own; a case that ends its process, or takes too long, is left
out; where it may raise it is a crash, or a gap. An outcome is stored under the name of its case: only cases that have
none are evaluated, unless `--all` asks for them.

2.10.0 (with `numpy<2`) writes `records/FAMILY.json.gz`; a case that raises without saying so, or does not raise where
it should, is reported and not recorded. An earlier release writes `records/RELEASE/FAMILY.json.gz`: the outcomes that
no later one has, and digests of those that one has. What a release lacks or refuses is not recorded, nor what
comes out otherwise a second time, as from kernels that read memory they have not written. The families `r1_0.NAME`
(`cases/r1_0/`) are those of 1.0.0 alone, `r1_1.NAME` and `r2_0.NAME` of 1.1.1 and 2.0.0, and recorded in full.
"""

import argparse
import contextlib
import functools
import gzip
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[2])  # `tests` is a package; its files have no second names
from tests.oracle.families import OF_RELEASES, families_of  # noqa: E402

NEWEST = "2.10.0"
LISTS = ("record", "arguments")  # files of names/
LISTS_OF_NEWEST = ("parameters", "signatures")
GAP = {"gap": True}
CRASH = {"raises": "crash", "says": True}
ENDED = "ends its process"
LIMIT_S = 120  # a case that takes longer ends its process
LATER = re.compile("has no attribute|unexpected keyword|positional argument|cannot import|No module|NameError")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--python", default=sys.executable, help="interpreter that has the real MindSpore")
    parser.add_argument("--release", default="", help="what the interpreter must have: 1.0, 1.10, 2.0")
    parser.add_argument("--all", action="store_true", help="also record what is recorded")
    parser.add_argument("--journal", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("families", nargs="*")
    options = parser.parse_args()
    if options.journal:
        return record(options.families[0], options.all, options.journal)
    if options.release:
        _check_release(options.python, options.release)
    families = options.families or families_of(options.release)
    codes = [_in_processes(family, options.python, options.all) for family in families]
    if not options.families:
        lists = LISTS if options.release else LISTS + LISTS_OF_NEWEST
        codes += [_run([options.python, str(Path(__file__).with_name("names") / f"{each}.py")]) for each in lists]
    return 1 if any(codes) else 0


def _check_release(python, wanted):
    """End where an interpreter has another release than the one that is asked for."""
    code = "import mindspore as ms; print(getattr(ms, '__version__', '') or ms.version.__version__)"
    found = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.split()[-1]
    if f"{found}.".startswith(f"{wanted}."):
        return
    raise SystemExit(f"{python} has MindSpore {found}, not {wanted}: ORACLE must name one with the release")


def _in_processes(family, python, is_all):
    """Record one family; where a case ends the process, the next one continues. Return the last exit status."""
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "journal"
        journal.touch()
        command = [python, str(Path(__file__).resolve()), "--journal", str(journal), family, *["--all"] * is_all]
        while True:
            before = journal.stat().st_size
            code = _run(command)
            if code in (0, 1) or journal.stat().st_size == before:
                return code
            begun = json.loads(journal.read_text(encoding="utf-8").splitlines()[-1])
            with journal.open("a", encoding="utf-8") as file:
                print(json.dumps([begun[0], GAP if code == -signal.SIGALRM else CRASH, ENDED]), file=file)


def _run(command):
    """Run a command in an empty folder, as MindSpore leaves files where it runs; return its exit status."""
    environment = {**os.environ, "GLOG_v": "3", "PYTHONPATH": ""}
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(command, cwd=folder, env=environment, check=False).returncode


def record(family, is_all, journal):
    """Record one family in this process; return 1 when a case was not as its row says.

    Args:
        family: its name.
        is_all: whether what is recorded is evaluated, too.
        journal: a line for every case begun, `[name]`, and for every one that ended, or ended its process,
            `[name, outcome, problem]`.
    """
    import mindspore as ms

    if hasattr(ms, "install"):
        raise SystemExit("this `mindspore` is msbridge; --python must name an environment with the real one")
    release = getattr(ms, "__version__", "") or ms.version.__version__
    if release == NEWEST:
        ms.runtime.launch_blocking()  # errors surface at the call that makes them
    else:
        from tests.oracle import release_import  # noqa: F401  # the files imported below are read by it
    if release.startswith("1."):  # the wheels of 1.1 to 1.10 are those for GPUs
        ms.context.set_context(device_target="CPU")
        if family not in OF_RELEASES:
            ms.context.set_context(mode=ms.context.PYNATIVE_MODE)
    from tests.oracle.case import load
    from tests.oracle.outcome import folder_of, read

    module, cases = load(family)
    known = {} if is_all else read(folder_of(release) / f"{family}.json.gz")[1]
    entries = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
    begun = {entry[0] for entry in entries}
    with journal.open("a", encoding="utf-8") as file:
        for case in cases:
            if case.name not in known and case.name not in begun:
                print(json.dumps([case.name]), file=file, flush=True)
                signal.alarm(LIMIT_S)
                entries.append([case.name, *_evaluate(case, module)])
                print(json.dumps(entries[-1]), file=file, flush=True)
        ended = {name: (outcome, problem) for name, outcome, problem in (entry for entry in entries if len(entry) > 1)}
        if release == NEWEST or family in OF_RELEASES:
            return _store_newest(family, release, cases, known, ended)
        _forget_unsteady(cases, module, read(folder_of(NEWEST) / f"{family}.json.gz")[1], ended, file)
    return _store_release(family, release, cases, known, ended)


def _evaluate(case, module):
    """Return the outcome of a case and, where it is not as its row says, what the matter is."""
    from tests.oracle.case import LACKING, namespace
    from tests.oracle.outcome import encode, encode_error

    try:
        scope = {**namespace(case.expression), **vars(module)}
        absent = [name for name in case.names_used() if type(scope.get(name)).__name__ in ("Absent", "_AbsentModule")]
        if absent:  # an argument may raise before it is touched
            return GAP, f"NameError: {absent[0]} is absent in this release"
        outcome = encode(case.run(module))
        return outcome, f"does not raise, returns {outcome}" if case.raises else ""
    except Exception as error:
        first = next((line for line in str(error).splitlines() if line.strip(" -")), "")
        if _misses_later_name(error):
            return GAP, f"NameError: {first}"
        is_wanted = case.raises and isinstance(error, case.raises)
        if case.may_raise and (LACKING.search(str(error)) or isinstance(error, NameError)):
            return GAP, ""  # no kernel, or a name that the release lacks
        return encode_error(error, case.says), "" if is_wanted else f"{type(error).__name__}: {first}"


def _misses_later_name(error):
    """Whether an error says that a module does not have what it has in 2.10.0."""
    earlier = sys.modules.get("tests.oracle.release_import")
    found = earlier and earlier.MISSING_ATTRIBUTE.search(str(error))
    return bool(found) and found["name"] in _newest_names().get(found["module"], ())


@functools.lru_cache(1)
def _newest_names():
    """Return the names of each module of 2.10.0."""
    path = Path(__file__).with_name("names") / f"{NEWEST}.json.gz"
    return json.loads(gzip.decompress(path.read_bytes()))["modules"]


def _forget_unsteady(cases, module, newest, ended, journal):
    """Leave out what differs from 2.10.0 and is not the same a second time, in another order and other memory."""
    from tests.oracle.outcome import differences

    def differs(outcome, expected, case):
        return any(True for _ in differences(outcome, expected, case.tolerance))

    for case in reversed(cases):
        outcome, problem = ended.get(case.name, (GAP, ""))
        expected = newest.get(case.name, GAP)
        if _is_later(case, outcome, problem) or (expected != GAP and not differs(outcome, expected, case)):
            continue
        _fill_memory()
        print(json.dumps([case.name]), file=journal, flush=True)
        signal.alarm(LIMIT_S)
        if differs(_evaluate(case, module)[0], outcome, case):
            print(f"{case.name}\n    another outcome a second time", flush=True)
            del ended[case.name]


def _fill_memory():
    """Write numbers to what tensors of small sizes will be laid into next."""
    import numpy as np
    from mindspore import Tensor

    for size in (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128):
        held = [Tensor(np.full(size, 0.123 * size, np.float32)) + 1 for _ in range(4)]
        with contextlib.suppress(Exception):  # of the case before, which computes still
            [one.asnumpy() for one in held]


def _store_newest(family, release, cases, known, ended):
    from tests.oracle.outcome import folder_of, write

    outcomes = {case.name: known[case.name] for case in cases if case.name in known}
    may_raise = {case.name for case in cases if case.may_raise}
    refused = {name: problem for name, (_, problem) in ended.items() if problem and name not in may_raise}
    outcomes.update({name: outcome for name, (outcome, _) in ended.items() if name not in refused})
    for name, problem in refused.items():
        print(f"{family}: {name}\n    {problem[:300]}", flush=True)
    path = folder_of(release) / f"{family}.json.gz"
    path.parent.mkdir(exist_ok=True)
    write(path, release, outcomes)
    print(
        f"{family}: {len(ended) - len(refused)} recorded, {len(refused)} refused, {path.stat().st_size} bytes",
        flush=True,
    )
    return 1 if refused else 0


def _store_release(family, release, cases, known, ended):
    """Store the outcomes; what is that of a later release within its tolerance as that one."""
    from tests.oracle.outcome import differences, folder_of, later_records, read, write

    path = folder_of(release) / f"{family}.json.gz"
    later = [read(each)[1] for each in later_records(path)]
    newest = read(folder_of(NEWEST) / path.name)[1]
    outcomes = {case.name: known[case.name] for case in cases if case.name in known and case.name in newest}
    for case in cases:
        outcome, problem = ended.get(case.name, (None, ""))
        if case.name not in ended or case.name not in newest or _is_later(case, outcome, problem):
            continue
        found = (record[case.name] for record in later if record.get(case.name, GAP) != GAP)
        same = (one for one in found if not any(True for _ in differences(outcome, one, case.tolerance)))
        outcomes[case.name] = next(same, outcome)
    if outcomes:
        path.parent.mkdir(exist_ok=True)
        write(path, release, outcomes)
    print(f"{family}: {len(outcomes)} of {len(cases)} recorded", flush=True)
    return 0


def _is_later(case, outcome, problem):
    """Whether a case came to MindSpore later: the release raises where 2.10.0 returns a value, or knows a name not."""
    from tests.oracle.case import LACKING

    raised = isinstance(outcome, dict) and "raises" in outcome
    if '"NameError"' in json.dumps(outcome):
        return True  # a case that catches its errors names what the release lacks
    return outcome in (GAP, CRASH) or (raised and (not case.raises or LATER.search(problem) or LACKING.search(problem)))


if __name__ == "__main__":
    sys.exit(main())
