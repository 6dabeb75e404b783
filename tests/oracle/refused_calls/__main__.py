"""Record which calls the real MindSpore refuses and msbridge computes: the table of strict mode.

    python -m tests.oracle.refused_calls WORK [--python PYTHON] [--seconds N] [--judge SEED]

Writes `mappings/refused_calls.tsv.xz`, by what PYTHON's MindSpore 2.10.0 and msbridge answer:

    spying     the calls of public names in the cases of the oracle        WORK/seen.pickle
    varying    templates, and variants of them, the plainest first         WORK/calls.pickle
    asking     both, in forks, N seconds each; another run continues       WORK/real.txt, ours.txt
    learning   the fewest features that only refused calls have            the table

With --judge it writes nothing: it draws fresh calls by SEED, has both answer, and prints how many refusals strict mode
shares, and how many calls it refuses that MindSpore computes.
"""

import argparse
import os
import pickle
import random
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

from tests.oracle.refused_calls import asking
from tests.oracle.refused_calls.held_out import held_out
from tests.oracle.refused_calls.varying import MAX_VARIED, templates, variants

TABLE = Path(__file__).resolve().parents[3] / "mappings"
HERE = Path(__file__).parent
MAX_TEMPLATES = 40  # of a face
DRAWN = 25_000  # calls with several changes, among those that the table is made of
SEED = 7
LISTING = ("asnumpy", "Dataset.create_", "Dataset.get_", "Dataset.num_cl", "Dataset.device_que", "Dataset.save")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("work", type=Path)
    parser.add_argument("--python", default="/opt/oracle/bin/python", help="interpreter with the real MindSpore 2.10.0")
    parser.add_argument("--seconds", type=int, default=3600)
    parser.add_argument("--judge", type=int, metavar="SEED")
    parser.add_argument("--count", type=int, default=4000, help="of fresh calls")
    options = parser.parse_args()
    options.work.mkdir(exist_ok=True)
    seen = options.work / "seen.pickle"
    if not seen.exists():
        subprocess.run([sys.executable, "-m", "tests.oracle.refused_calls.spying", str(seen)], check=True)
    found = _templates(pickle.loads(seen.read_bytes()))
    calls = options.work / "calls.pickle"
    if not calls.exists():
        calls.write_bytes(pickle.dumps(_calls(found)))
    if options.judge is not None:
        return _judge(options, found, set(pickle.loads(calls.read_bytes())))
    answers = options.work / "real.txt", options.work / "ours.txt"
    _ask(options.python, calls, answers[0], options.seconds)
    _ask(sys.executable, calls, answers[1], options.seconds, "--ours", "--beside", str(answers[0].absolute()))
    return _learn(calls, *answers)


def _templates(specs):
    by_face = defaultdict(list)
    for spec in specs:
        if not any(word in spec[0] for word in LISTING):
            by_face[spec[0]].append(spec)
    return {face: templates(several)[:MAX_TEMPLATES] for face, several in by_face.items()}


def _calls(found):
    """Return what is asked, the most telling first."""
    levels, seen = defaultdict(list), set()
    for several in found.values():
        for index, template in enumerate(several):
            varied = variants(template, index == 0) if index < MAX_VARIED else ()
            for level, spec in ((0, template), *varied):
                if spec not in seen:
                    seen.add(spec)
                    levels[level + (index > 0) if level else 0].append(spec)
    levels[1.5] = held_out(found, DRAWN, SEED, seen)
    choose = random.Random(SEED)
    for several in levels.values():
        choose.shuffle(several)
    return [spec for level in sorted(levels) for spec in levels[level]]


def _ask(python, calls, answers, seconds, *more):
    environment = {**os.environ, "GLOG_v": "4", "PYTHONPATH": ""}
    command = [python, str(HERE / "asking.py"), str(calls), str(answers), "--seconds", str(seconds), *more]
    subprocess.run(command, env=environment, check=True)


def _learn(calls, real, ours):
    from msbridge.strict_mode.table import NAME, format_rows
    from tests.oracle.refused_calls.rules import graph_rows, make_rows, observations

    rows = make_rows(observations(calls, real, ours)) | graph_rows()
    data = format_rows(rows)
    (TABLE / NAME).write_bytes(data)
    print(f"{len(rows)} names, {sum(map(len, rows.values()))} rules, {len(data)} bytes")


def _judge(options, found, known):
    name = options.work / f"fresh_{options.judge}"
    calls = name.with_suffix(".pickle")
    calls.write_bytes(pickle.dumps(held_out(found, options.count, options.judge, known)))
    answers = {each: name.with_suffix(f".{each}.txt") for each in ("real", "ours", "strict")}
    for path in answers.values():
        path.unlink(missing_ok=True)
    _ask(options.python, calls, answers["real"], options.seconds)
    _ask(sys.executable, calls, answers["ours"], options.seconds, "--ours")
    _ask(sys.executable, calls, answers["strict"], options.seconds, "--ours", "--strict=cpu")
    print(summary(*(asking.read(path) for path in answers.values())))


def summary(real, ours, strict):
    """Return what became of the calls, in a line."""
    counts = Counter()
    for index, answer in strict.items():
        theirs = real.get(index, asking.BEGUN)
        if theirs in (asking.BEGUN, asking.CRASH, asking.LATE):
            continue
        is_refused = answer != asking.COMPUTED
        if theirs == asking.COMPUTED:
            counts["computed"] += 1
            counts["falsely refused"] += is_refused and ours.get(index) == asking.COMPUTED
        else:
            counts["refused"] += 1
            counts["shared"] += is_refused
            counts["by strict mode alone"] += is_refused and ours.get(index) == asking.COMPUTED
            counts["of the same class"] += is_refused and answer == theirs
    shares = f"{100 * counts['shared'] / counts['refused']:.2f} % of refusals shared, "
    return f"{dict(counts)}: {shares}{100 * counts['falsely refused'] / counts['computed']:.3f} % falsely refused"


if __name__ == "__main__":
    sys.exit(main())
