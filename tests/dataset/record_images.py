"""Ask MindSpore for the answers of `image_cases.py`: `python tests/dataset/record_images.py`.

It needs an environment that has MindSpore. The answers are put beside this file; cases that are known are not asked
again unless `--all` is given.
"""

import gzip
import json
import pathlib
import sys
import tempfile

import mindspore.dataset as ds

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from tests.dataset.image_cases import CASES, Answer, answer, signatures

CRASHED: Answer = {"raises": "crash"}  # of MindSpore, with its process: a case that tests nothing
TARGET = pathlib.Path(__file__).with_name("images.json.gz")


def main() -> None:
    known = {} if "--all" in sys.argv or not TARGET.exists() else json.loads(gzip.decompress(TARGET.read_bytes()))
    for case in CASES:
        if case.key in known:
            continue
        known[case.key] = CRASHED  # unless the next lines are reached: ask again, and the next case is asked
        _store(known)
        with tempfile.TemporaryDirectory() as folder:
            print(case.key, flush=True)
            known[case.key] = answer(ds, case, pathlib.Path(folder))
    _store({case.key: known[case.key] for case in CASES} | {"signatures": signatures(ds)})


def _store(answers: dict[str, Answer]) -> None:
    TARGET.write_bytes(gzip.compress(json.dumps(answers, sort_keys=True).encode(), mtime=0))


if __name__ == "__main__":
    main()
