"""Record what the real MindSpore gives for `expressions.txt`; run it where mindspore 2.10.0 is installed."""

import inspect
import json
import math
import sys
import warnings
from pathlib import Path

import mindspore as ms
import mindspore.numpy as mnp
import numpy as np

HERE = Path(__file__).parent
LACKING = ("ernel", "nregistered", "nsupported op")
"""Words of a CPU build that misses a kernel: such an expression is recorded as a gap."""


def inputs() -> dict[str, object]:
    """Return the names that every expression sees."""
    arrays = {
        "x": np.array([[0.5, -1.25, 2.0], [3.5, 0.75, -0.5]], np.float32),
        "y": np.array([[1.5, 0.5, 2.25], [0.25, 3.0, 1.0]], np.float32),
        "t": np.arange(24, dtype=np.float32).reshape(2, 3, 4),
        "v": np.array([3.0, 1.0, 2.0], np.float32),
        "w": np.array([0.5, 2.0, 1.0], np.float32),
        "u": np.array([0.5, 0.25, 0.75], np.float32),
        "n": np.array([1.0, np.nan, -np.inf], np.float32),
        "n0": np.array([1.0, np.nan, 4.0], np.float32),
        "h": np.array([0.5, 0.25, 0.75], np.float16),
        "d": np.array([0.5, 2.25, 0.75]),
        "i": np.array([[1, 2, 3], [4, 5, 6]], np.int32),
        "j": np.array([3, 1, 2], np.int32),
        "l": np.array([1, 2, 3], np.int64),
        "s": np.array([1, 0, 1], np.int16),
        "q": np.array([1, 0, 1], np.uint8),
        "b": np.array([True, False, True]),
        "c": np.array([[True, False, True], [False, True, True]]),
    }
    tensors = {name: ms.Tensor(array) for name, array in arrays.items()}
    return {**tensors, "ms": ms, "mnp": mnp, "np": np, "Tensor": ms.Tensor}


def encode(value: object) -> object:
    """Write a result as JSON: tensors as [dtype, shape, values]."""
    if isinstance(value, ms.Tensor):
        flat = value.asnumpy().reshape(-1)
        numbers = [float(number) if flat.dtype.kind == "f" else int(number) for number in flat]
        return {
            "tensor": str(value.dtype),
            "shape": list(value.shape),
            "values": [_plain(number) for number in numbers],
        }
    if isinstance(value, tuple | list):
        return {type(value).__name__: [encode(item) for item in value]}
    if isinstance(value, bool | int | str) or value is None:
        return value
    if isinstance(value, float):
        return _plain(float(value))
    return repr(value)


def _plain(number: float) -> float | str:
    return number if math.isfinite(number) else str(number)


def outcome(expression: str) -> object:
    """Evaluate an expression; of an error, return the name of its class."""
    try:
        return encode(eval(expression, inputs()))
    except Exception as error:
        return {"raises": type(error).__name__, "says": str(error)}


def expressions() -> list[str]:
    """Read the expressions; lines that begin with # are headings."""
    lines = (HERE / "expressions.txt").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def signatures() -> dict[str, list[list[str]]]:
    """Return the arguments and defaults of every public function."""
    found = {}
    for room, names in (("", mnp.__all__), ("fft.", mnp.fft.__all__)):
        for name in names:
            function = getattr(mnp.fft if room else mnp, name)
            if inspect.isfunction(function):
                parameters = inspect.signature(function).parameters.values()
                found[room + name] = [[p.name, "" if p.default is p.empty else repr(p.default)] for p in parameters]
    return found


def main() -> int:
    """Record all of them."""
    if hasattr(ms, "install"):
        raise SystemExit("this `mindspore` is msbridge; run this with the real one")
    warnings.simplefilter("ignore")
    ms.runtime.launch_blocking()  # errors surface at the call that makes them
    rows = []
    for expression in expressions():
        got = outcome(expression)
        if isinstance(got, dict) and "raises" in got:
            print(
                f"{expression}: {got['raises']}: {got['says'].strip().splitlines()[0] if got['says'].strip() else ''}"
            )
            got = {"gap": True} if any(word in got["says"] for word in LACKING) else {"raises": got["raises"]}
        rows.append(f"{json.dumps(expression)}: {json.dumps(got)}")
    (HERE / "outcomes.json").write_text("{\n" + ",\n".join(rows) + "\n}\n")
    lines = [f"{json.dumps(name)}: {json.dumps(parameters)}" for name, parameters in signatures().items()]
    (HERE / "signatures.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{len(rows)} recorded")
    return 0


if __name__ == "__main__":
    sys.exit(main())
