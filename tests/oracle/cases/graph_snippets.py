"""Snippets of tests/scan/cases in graph mode: whether they raise, or give something else than eagerly.

A snippet begins with `#: NAME` and defines a Cell `Net`, or a function `f` under `ms.jit`; `#> ARGUMENTS` are those of
the call (without the line: `x`), `#? TEXT` is an expression whose value afterwards tells of side effects. It sees the
names of `PREAMBLE`, and is called twice in each of three ways: eagerly, in graph mode, in graph mode with the strict
syntax. The answer is the class of error of the first, and for the others that, or what comes out otherwise.
"""

import contextlib
import importlib
import os
import random
import re
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from unittest import mock

import mindspore as ms
import numpy as np

from tests.oracle.case import Case

FILES = ("tuned", "held_out", "fresh")
DIFFERENCES = ("value", "output", "state")
MODES = ("eager", "graph", "strict")
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


class Snippet(Case):
    """A snippet of a file; it is named by its title and a checksum."""

    def __init__(self, file: str, text: str) -> None:
        title, _, code = text.partition("\n")
        super().__init__(code, may_raise=True)
        self.file, self.title, self.source = file, title, PREAMBLE + code
        self.name = f"{title} {zlib.crc32(code.encode()):08x}"

    def names_used(self) -> tuple[str, ...]:
        return ()  # they are those of PREAMBLE

    def run(self, module: ModuleType) -> list[str]:
        eager, *others = (self._outcome(mode) for mode in MODES)
        answer = [str(eager.get("error", ""))]
        for other in others:
            differing = [part for part in DIFFERENCES if eager.get(part) != other.get(part)]
            answer.append(str(other.get("error") or (differing[0] if differing else "same")))
        return answer

    def _outcome(self, mode: str) -> dict[str, object]:
        """Return what comes out of a call and a second one, and what is to be seen afterwards."""
        place = Path(f"{mode}_{zlib.crc32(self.name.encode()):08x}.py")
        place.write_text(self.source)  # the compiler reads it
        sys.modules[place.stem] = module = ModuleType(place.stem)
        module.__file__ = str(place)
        seed_all()
        with set_mode(mode), captured(Path("output")):
            try:
                exec(compile(self.source, str(place.absolute()), "exec"), vars(module))
                vars(module)["net"] = vars(module)["Net"]() if hasattr(module, "Net") else vars(module)["f"]
                arguments = self._marked(">", "x")
                call = arguments[1:] if arguments.startswith("=") else f"net({arguments})"
                values = [plain(eval(call, vars(module))) for _ in range(2)]
                answer = {"value": values, "state": plain(eval(self._marked("?", "0"), vars(module)))}
            except Exception as error:
                return {"error": type(error).__name__}
        return answer | {"output": printed(Path("output").read_text())}

    def _marked(self, mark: str, default: str) -> str:
        found = re.search(rf"^#{re.escape(mark)} (.*)$", self.expression, re.MULTILINE)
        return found[1] if found else default


def snippets(file: str) -> list[Snippet]:
    """Return the snippets of a file."""
    text = (Path(__file__).parents[2] / "scan" / "cases" / f"{file}.txt").read_text(encoding="utf-8")
    return [Snippet(file, part) for part in re.split(r"^#: ", text, flags=re.MULTILINE)[1:]]


def seed_all() -> None:
    random.seed(0)
    np.random.seed(0)
    ms.set_seed(0)


@contextlib.contextmanager
def set_mode(mode: str) -> Iterator[None]:
    """Run eagerly, where `ms.jit` does nothing; or in graph mode, strict or not."""
    ms.set_context(mode=ms.PYNATIVE_MODE if mode == "eager" else ms.GRAPH_MODE)
    level = {"MS_DEV_JIT_SYNTAX_LEVEL": "0"} if mode == "strict" else {}
    plain_jit = mock.patch.object(ms, "jit", lambda function=None, **_: function or (lambda target: target))
    with mock.patch.dict(os.environ, level), plain_jit if mode == "eager" else contextlib.nullcontext():
        yield


@contextlib.contextmanager
def captured(place: Path) -> Iterator[None]:
    """Write what the process prints, from C++ too, to a file."""
    synchronize = importlib.import_module("mindspore.runtime").synchronize
    synchronize()  # the first time it says that a CPU has nothing to wait for
    kept = [os.dup(1), os.dup(2)]
    with place.open("w") as output:
        for number in (1, 2):
            os.dup2(output.fileno(), number)
        try:
            yield
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            synchronize()
            for number, one in enumerate(kept, 1):
                os.dup2(one, number)
                os.close(one)


def printed(text: str) -> list[list[str]]:
    """Return the words and the numbers of a text, however a mode frames its tensors."""
    text = FRAME.sub("", text)
    words = re.findall(r"[a-zA-Z]{2,}", text.replace("Tensor", "").replace("value", ""))
    return [words, [f"{float(one):.4g}" for one in NUMBER.findall(text)]]


def plain(value: object) -> object:
    """Return a value as what can be compared, with its type, rounded."""
    if isinstance(value, ms.Tensor):
        array = value.asnumpy()
        return [str(array.dtype), array.shape, [float(f"{one:.5g}") for one in array.astype("float64").ravel()]]
    if isinstance(value, list | tuple):
        return [type(value).__name__, [plain(one) for one in value]]
    if isinstance(value, dict):
        return ["dict", [[str(key), plain(one)] for key, one in value.items()]]
    if isinstance(value, float):
        return float(f"{value:.5g}")
    return value if value is None or isinstance(value, bool | int | str) else f"a {type(value).__name__}"


CASES = [one for file in FILES for one in snippets(file)]
