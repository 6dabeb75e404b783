"""Record what the real MindSpore's graph mode does with the snippets of `cases/`.

    python tests/scan/graph_record.py --python PYTHON [--show] [FILE …]

PYTHON is the interpreter of an environment with `mindspore==2.10.0`. A snippet begins with `#: NAME` and defines a
Cell `Net`, or a function `f` under `ms.jit`; `#> ARGUMENTS` are those of the call (without the line: `x`), `#? TEXT` is
an expression whose value afterwards tells of side effects. It sees the names of `PREAMBLE`. It is called twice, in
three ways: eagerly, in graph mode, and in graph mode with the strict syntax. The record says for the first which class
was raised, for the others that, or what came out otherwise: the value, the output, or the state. Each file's record is
`records/FILE.json.gz`, by name and checksum of the snippet; only what is not recorded is run.
"""

import argparse
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
import zlib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
FILES = ("tuned", "held_out", "fresh")
DIFFERENCES = ("value", "output", "state")
MODES = ("eager", "graph", "strict")
LIMIT_S = 60  # for a start of MindSpore and a snippet
PREAMBLE = """\
import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, mint, nn, ops
x = Tensor(np.array([[1.0, 2.0], [3.0, 4.0]], np.float32))
y = Tensor(np.array([1.0, 2.0, 3.0], np.float32))
k = Tensor(2, ms.int32)
n = Tensor(np.array([1, 2, 3], np.int32))

"""
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d*)?(?:e[+-]?\d+)?", re.IGNORECASE)
FRAME = re.compile(r"shape=\[[^]]*\]|dtype=\w+")  # how graph mode writes a tensor


@dataclass(frozen=True)
class Snippet:
    """A snippet of a file."""

    name: str
    code: str

    @property
    def source(self) -> str:
        return PREAMBLE + self.code

    @property
    def key(self) -> str:
        return f"{self.name} {zlib.crc32(self.code.encode()):08x}"

    def line(self, mark: str, default: str) -> str:
        found = re.search(rf"^#{re.escape(mark)} (.*)$", self.code, re.MULTILINE)
        return found[1] if found else default


def snippets(file: str) -> list[Snippet]:
    """Return the snippets of a file."""
    _, *parts = re.split(r"^#: ", (HERE / "cases" / f"{file}.txt").read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [Snippet(name, code) for name, _, code in (part.partition("\n") for part in parts)]


def read(file: str) -> dict[str, list[str]]:
    """Return what is recorded of a file: the outcomes in the three modes, by the keys of the snippets."""
    path = HERE / "records" / f"{file}.json.gz"
    return json.loads(gzip.decompress(path.read_bytes())) if path.exists() else {}


def verdict(outcomes: list[str]) -> str | None:
    """Return the level that a finding must have; "" where graph mode is like eager, None where nothing can be said."""
    eager, graph, strict = outcomes
    if eager:
        return "" if graph == eager else "changed" if graph in DIFFERENCES else None
    if graph == "same":
        return "" if strict == "same" else "fallback"
    return "changed" if graph in DIFFERENCES else "refused"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--python", default=sys.executable, help="interpreter that has the real MindSpore")
    parser.add_argument("--show", action="store_true", help="print every snippet's outcomes")
    parser.add_argument("--mode", help=argparse.SUPPRESS)
    parser.add_argument("--first", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("files", nargs="*", default=FILES)
    options = parser.parse_args()
    if options.mode:
        work(options.files[0], options.mode, options.first)
        return 0
    for file in options.files:
        record(file, options.python, options.show)
    return 0


def record(file: str, python: str, show: bool) -> None:
    """Run what has no record in all modes, and write the record."""
    known = read(file)
    every = snippets(file)
    missing = [one for one in every if one.key not in known]
    found = {mode: _run(missing, python, mode) for mode in MODES} if missing else {}
    rows = {one.key: known.get(one.key) or _compared(one, found, show) for one in every}
    text = "{\n" + ",\n".join(f"{json.dumps(key)}: {json.dumps(rows[key])}" for key in sorted(rows)) + "\n}\n"
    path = HERE / "records" / f"{file}.json.gz"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{file}: {len(missing)} run, {len(rows)} recorded")


def _compared(one: Snippet, found: dict[str, dict[str, dict]], show: bool) -> list[str]:
    """Return the eager class of error, and for the graph modes that or what differs."""
    eager = found["eager"][one.name]
    row = [eager.get("error", "")]
    for mode in MODES[1:]:
        other = found[mode][one.name]
        differs = [part for part in DIFFERENCES if eager.get(part) != other.get(part)]
        row.append(other.get("error") or (differs[0] if differs else "same"))
    if show:
        print(f"{verdict(row) or '-':9} {one.name:40} {row}")
        for mode in MODES if row[0] or row[1] != "same" else ():
            print(f"          {mode}: {found[mode][one.name]}"[:400])
    return row


def _run(wanted: list[Snippet], python: str, mode: str) -> dict[str, dict]:
    """Run snippets in processes; one that dies or hangs ends its snippet, and the next process goes on after it."""
    found: dict[str, dict] = {}
    level = {"MS_DEV_JIT_SYNTAX_LEVEL": "0"} if mode == "strict" else {}
    environment = {**os.environ, **level, "GLOG_v": "4", "PYTHONPATH": ""}
    with tempfile.TemporaryDirectory() as folder:
        listed = Path(folder) / "wanted.json"
        listed.write_text(
            json.dumps([[one.name, one.source, one.line(">", "x"), one.line("?", "0")] for one in wanted])
        )
        while len(found) < len(wanted):
            command = [python, str(Path(__file__)), "--mode", mode, "--first", str(len(found)), str(listed)]
            outcomes = Path(folder) / "outcomes"
            outcomes.write_text("")
            process = subprocess.Popen(
                command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            seen = -1
            while seen < len(lines := outcomes.read_text().splitlines()):  # as long as each time limit brings one more
                seen = len(lines)
                try:
                    process.wait(LIMIT_S)
                except subprocess.TimeoutExpired:
                    continue
                break
            process.kill()
            process.wait()
            rows = [json.loads(line) for line in outcomes.read_text().splitlines()]
            for row in rows:
                found |= row
            if len(found) < len(wanted) and not (rows and not rows[-1]):
                found[wanted[len(found)].name] = {"error": "crash"}
    return found


def work(listed: str, mode: str, first: int) -> None:
    """Run snippets in this process, in the real MindSpore, and write a line for each."""
    import mindspore as ms

    if hasattr(ms, "install"):
        raise SystemExit("this `mindspore` is msbridge; --python must name an environment with the real one")
    ms.set_context(mode=ms.PYNATIVE_MODE if mode == "eager" else ms.GRAPH_MODE)
    if mode == "eager":
        ms.jit = lambda function=None, **_: function or (lambda target: target)
    for number, (name, source, arguments, watch) in enumerate(json.loads(Path(listed).read_text())[first:], first):
        path = Path(f"snippet_{mode}_{number}.py")  # the compiler reads the source
        path.write_text(source)
        outcome = _outcome(path, arguments, watch)
        if (
            "previous step" in outcome.get("says", "") and number > first
        ):  # of an earlier snippet: anew, in a fresh process
            outcome = {}
        with Path("outcomes").open("a") as file:
            file.write(json.dumps({name: outcome} if outcome else {}) + "\n")
        if not outcome:
            break
    os._exit(0)  # MindSpore's own end may hang after failures


def _outcome(path: Path, arguments: str, watch: str) -> dict:
    """Run a snippet: import, two calls, and what is to be seen afterwards."""
    import random

    import mindspore as ms
    import numpy as np

    random.seed(0)
    np.random.seed(0)
    ms.set_seed(0)
    kept, place = [os.dup(1), os.dup(2)], Path("output")
    with place.open("w") as output:
        for number in (1, 2):
            os.dup2(output.fileno(), number)
        try:
            scope: dict = {"__name__": path.stem, "__file__": str(path)}
            sys.modules[path.stem] = module = type(sys)(path.stem)
            module.__file__ = str(path)
            exec(compile(path.read_text(), str(path.absolute()), "exec"), scope := vars(module))
            scope["net"] = scope["Net"]() if "Net" in scope else scope["f"]
            call = arguments[1:] if arguments.startswith("=") else f"net({arguments})"
            values = [_plain(eval(call, scope)) for _ in range(2)]
            state = _plain(eval(watch, scope))
            found = {"value": values, "state": state}
        except Exception as error:
            found = {"error": type(error).__name__, "says": str(error)[:300]}
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            ms.runtime.synchronize()
            for number, one in enumerate(kept, 1):
                os.dup2(one, number)
                os.close(one)
    if "error" not in found:
        text = FRAME.sub("", place.read_text())
        words = re.findall(r"[a-zA-Z]{2,}", text.replace("Tensor", "").replace("value", ""))
        found["output"] = [words, [f"{float(one):.4g}" for one in NUMBER.findall(text)]]
    return found


def _plain(value: object) -> object:
    """Return a value as what JSON can hold, with its type."""
    import mindspore as ms

    if isinstance(value, ms.Tensor):
        array = value.asnumpy()
        return [str(array.dtype), list(array.shape), [float(f"{one:.5g}") for one in array.astype("float64").ravel()]]
    if isinstance(value, list | tuple):
        return [type(value).__name__, [_plain(one) for one in value]]
    if isinstance(value, dict):
        return ["dict", [[str(key), _plain(one)] for key, one in value.items()]]
    if isinstance(value, float):
        return float(f"{value:.5g}")
    return value if value is None or isinstance(value, bool | int | str) else f"a {type(value).__name__}"


if __name__ == "__main__":
    sys.exit(main())
