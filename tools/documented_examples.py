"""Print how many examples of a release's own docstrings print here what they print there.

python tools/documented_examples.py PYTHON RELEASE [--show N]

PYTHON is an interpreter with that real MindSpore. An example counts where it runs there to its end, prints something,
and prints the same a second time; numbers may differ by 1e-3. Names that examples take for granted are imported first.
"""

import argparse
import ast
import doctest
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
TOLERANCE = 1e-3
LIMIT_S = 60
FOLLOWING = "import msbridge; msbridge.install(); msbridge.set_release({release!r})"
FOLDER = "import importlib.util; print(importlib.util.find_spec('mindspore').submodule_search_locations[0])"
WORKER = r'''
import contextlib, io, json, sys, warnings
warnings.simplefilter("ignore")
exec(sys.argv[1])
import mindspore.context
mindspore.context.set_context(device_target="CPU")
known = {"__name__": "__main__"}
for line in """import mindspore; import mindspore as ms; import numpy as np; from mindspore import *
import mindspore.nn as nn; import mindspore.ops as ops; import mindspore.numpy as mnp; import mindspore.scipy as scipy
from mindspore import Tensor, Parameter, ParameterTuple, context; import mindspore.common.dtype as mstype
import mindspore.ops.functional as F; from mindspore.ops import composite as C
from mindspore.ops import operations as P
import mindspore.dataset as ds; import mindspore.dataset.vision as vision; import mindspore.dataset.text as text
import mindspore.dataset.transforms as transforms; import mindspore.dataset.audio as audio
import mindspore.dataset.vision.c_transforms as c_vision; import mindspore.dataset.vision.py_transforms as py_vision
import mindspore.dataset.transforms.c_transforms as c_transforms
from mindspore.common.initializer import initializer, One; from mindspore.train import Model""".splitlines():
    for each in line.split("; "):
        with contextlib.suppress(Exception):
            exec(each, known)
examples, journal = json.load(open(sys.argv[2])), open(sys.argv[3], "a")
for number in range(int(sys.argv[4]), len(examples)):
    print(json.dumps([number]), file=journal, flush=True)
    names, printed = dict(known), []
    known["np"].random.seed(0)
    mindspore.set_seed(0) if hasattr(mindspore, "set_seed") else None
    for code in examples[number]["code"]:
        shown = io.StringIO()
        try:
            with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(io.StringIO()):
                exec(compile(code, "<example>", "single"), names)
        except BaseException as error:
            printed = f"{type(error).__name__}: {error}"[:200]
            break
        printed.append(shown.getvalue())
    print(json.dumps([number, printed]), file=journal, flush=True)
'''

Printed = dict[int, list[str] | str]
"""By the number of an example: what its statements print, or the error that ends it."""


def collect(package: Path) -> list[dict[str, object]]:
    """Return the examples in the docstrings of a package: where they are, and their statements."""
    found: list[dict[str, object]] = []
    for path in sorted(package.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if not isinstance(node, ast.FunctionDef | ast.ClassDef):
                continue
            text = ast.get_docstring(node)
            if not text or ">>>" not in text:
                continue
            try:
                code = [one.source for one in doctest.DocTestParser().get_examples(text)]
            except ValueError:  # its prompts are not what doctest reads
                continue
            found.append({"place": f"{path.relative_to(package)}:{node.lineno} {node.name}", "code": code})
    return found


def run(python: str, prelude: str, examples: Path, count: int) -> Printed:
    """Run all examples, each process from where the one before it ended; one that ends its process has crashed."""
    journal, first = Path(tempfile.mkdtemp()) / "journal", 0
    environment = {**os.environ, "GLOG_v": "3", "OMP_NUM_THREADS": "1"}
    while first < count:
        journal.touch()
        command = [python, "-c", WORKER, prelude, str(examples), str(journal), str(first)]
        with tempfile.TemporaryDirectory() as folder:
            worker = subprocess.Popen(
                command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            size = -1
            while worker.poll() is None and size != journal.stat().st_size:
                size = journal.stat().st_size
                try:
                    worker.wait(LIMIT_S)
                except subprocess.TimeoutExpired:
                    continue
            worker.kill()
            worker.wait()
        entries = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
        if not entries:
            raise SystemExit(f"{python} does not start: {' '.join(command[:1])}")
        first = entries[-1][0] + 1
    return {entry[0]: entry[1] for entry in entries if len(entry) > 1}


def is_same(one: str, other: str) -> bool:
    """Whether two texts differ at most in spaces, addresses, and numbers by the tolerance."""
    texts = [re.sub(r"0x[0-9a-f]+", "", text) for text in (one, other)]
    words = [re.sub(r"\s+", "", NUMBER.sub("#", text)) for text in texts]
    numbers = [[float(each) for each in NUMBER.findall(text)] for text in texts]
    if words[0] != words[1] or len(numbers[0]) != len(numbers[1]):
        return one == other
    return all(abs(a - b) <= TOLERANCE * (1 + abs(a)) for a, b in zip(*numbers, strict=True))


def agree(one: object, other: object) -> bool:
    """Whether two runs of an example print the same to its end."""
    if not isinstance(one, list) or not isinstance(other, list) or len(one) != len(other):
        return False
    return all(map(is_same, one, other))


def main() -> None:
    """Print the share, and examples that differ."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("python", help="interpreter that has the real MindSpore")
    parser.add_argument("release", help="the one that it has")
    parser.add_argument("--show", type=int, default=0, help="how many that differ are printed")
    options = parser.parse_args()
    folder = subprocess.run([options.python, "-c", FOLDER], capture_output=True, text=True, check=True).stdout.strip()
    examples = collect(Path(folder))
    path = Path(tempfile.mkdtemp()) / "examples.json"
    path.write_text(json.dumps(examples), encoding="utf-8")
    first, second = (run(options.python, "pass", path, len(examples)) for _ in range(2))
    ours = run(sys.executable, FOLLOWING.format(release=options.release), path, len(examples))
    judged = [number for number, found in first.items() if agree(found, second.get(number)) and any(found)]
    missed = [number for number in judged if not agree(first[number], ours.get(number))]
    print(f"{len(judged) - len(missed)} of {len(judged)} ({1 - len(missed) / max(len(judged), 1):.1%})")
    for number in missed[: options.show]:
        mine = ours.get(number, "ends its process")
        print(examples[number]["place"], f"there: {first[number]}"[:300], f"here: {mine}"[:300], sep="\n    ")


if __name__ == "__main__":
    main()
