"""Let MindSpore answer `operator_cases.py`: `python tests/dataset/record_operators.py`, where MindSpore is."""

import gzip
import json
import pathlib
import select
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from tests.dataset.operator_cases import CASES, names, outcome

TARGET = pathlib.Path(__file__).resolve().with_name("operators.json.gz")
PATIENCE_S = 15  # MindSpore stands still at some of the expressions, and ends the process at others
START_S = 60


def main() -> None:
    answers = {}
    side = None
    for case in CASES:
        side, patience_s = (side, PATIENCE_S) if side is not None else (started(), START_S)
        assert side.stdin is not None
        assert side.stdout is not None
        side.stdin.write(json.dumps(case) + "\n")
        ready, _, _ = select.select([side.stdout], [], [], patience_s)
        line = side.stdout.readline() if ready else ""
        if line:
            answers[case] = json.loads(line)
        else:
            print("no answer:", case, file=sys.stderr)
            side.kill()
            side = None
    if side is not None:
        side.kill()
    TARGET.write_bytes(gzip.compress(json.dumps(answers, ensure_ascii=False, indent=0).encode(), 9, mtime=0))


def started() -> "subprocess.Popen[str]":
    command = [sys.executable, __file__, "answer"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)


def answer() -> None:
    import mindspore.dataset as ds

    answers, sys.stdout = sys.stdout, sys.stderr
    ds.config.set_num_parallel_workers(1)
    known = names(ds)
    for line in sys.stdin:
        print(json.dumps(outcome(json.loads(line), known)), file=answers, flush=True)


if __name__ == "__main__":
    answer() if sys.argv[1:] else main()
