"""Tests of a file of `msbridge.numpy`: what `mindspore.numpy` (2.10, CPU) gave for its functions, and their gradients.

A test class inherits the kinds of tests that it wants and names its file; it gets the signatures and the expressions of
the records that belong to the file: an expression belongs to the file of the first name in it.
"""

import builtins
import inspect
import json
import math
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Tensor
from msbridge import numpy as mnp
from msbridge.ops import contents

ms.install()  # the recorder says `import mindspore`
from tests.numpy.recorder import encode, inputs  # noqa: E402

HERE = Path(__file__).parent
OUTCOMES = json.loads((HERE / "outcomes.json").read_text())
SIGNATURES = json.loads((HERE / "signatures.json").read_text())
TOLERANCES = {"Float32": 1e-5, "Float16": 2e-3, "Float64": 1e-7}  # sums in another order; 10 bits; made from Float32
FILES = [
    import_module(f"msbridge.numpy.{file.name}") for file in iter_modules(mnp.__path__) if not file.name.startswith("_")
]


@cache
def faces() -> dict[str, ModuleType]:
    """The file that defines a name of `msbridge.numpy`."""
    functions = {
        name: file for file in FILES if file not in (mnp.dtypes, mnp.fft) for name in contents.published_names(file)
    }
    return functions | dict.fromkeys(mnp.dtypes.__all__, mnp.dtypes) | {"fft": mnp.fft}


def face_of(expression: str) -> ModuleType:
    return faces()[re.search(r"\bmnp\.(\w+)", expression)[1]]


def differences(got: object, expected: object, tolerance: float = 1e-6) -> Iterator[str]:
    """Yield where an outcome departs from the recorded one."""
    if isinstance(expected, dict) and isinstance(got, dict) and got.keys() == expected.keys():
        tolerance = TOLERANCES.get(expected.get("tensor"), tolerance)
        for key in expected:
            yield from differences(got[key], expected[key], tolerance)
    elif isinstance(expected, list) and isinstance(got, list) and len(got) == len(expected):
        for mine, theirs in zip(got, expected, strict=True):
            yield from differences(mine, theirs, tolerance)
    elif isinstance(expected, float) and isinstance(got, float):
        if not math.isclose(got, expected, rel_tol=tolerance, abs_tol=tolerance):
            yield f"expected {expected}, got {got}"
    elif got != expected or type(got) is not type(expected):
        yield f"expected {expected}, got {got}"


class RecordedTests:
    """Signatures and results equal MindSpore's."""

    face: ModuleType

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        if "expression" in metafunc.fixturenames:
            metafunc.parametrize("expression", [row for row in OUTCOMES if face_of(row) is self.face])
        elif "name" in metafunc.fixturenames:
            metafunc.parametrize("name", [name for name in SIGNATURES if face_of(f"mnp.{name}") is self.face])

    def test_signature_is_that_of_mindspore(self, name: str) -> None:
        parameters = inspect.signature(attrgetter(name)(mnp)).parameters.values()
        mine = [[p.name, "" if p.default is p.empty else repr(p.default)] for p in parameters]
        expected = [row for row in SIGNATURES[name] if name != "pad" or row[0] != "kwargs"]  # pad swallows nothing
        assert mine == expected

    def test_expression_gives_the_recorded_outcome(
        self, expression: str, record_property: Callable[[str, object], None]
    ) -> None:
        expected = OUTCOMES[expression]
        if expected == {"gap": True}:
            with suppress(Exception):
                eval(expression, inputs())
            record_property("gaps", ["numpy", 1, 1, 1])
            return
        if isinstance(expected, dict) and "raises" in expected:
            with pytest.raises(getattr(builtins, expected["raises"])):
                eval(expression, inputs())
            return
        problems = list(differences(encode(eval(expression, inputs())), expected))
        assert not problems, problems[:3]


def assert_gradient(function: Callable[[Tensor], Tensor]) -> None:
    """The gradient of a function of a 2×3 matrix agrees with small steps."""
    x = Tensor(np.linspace(-2, 3, 6).reshape(2, 3).round(2).astype(np.float32) + 0.03)

    def total(value: Tensor) -> Tensor:
        result = function(value)._data
        return Tensor((result * torch.cos(torch.arange(result.numel()) + 1.0).reshape(result.shape)).sum())

    gradient = ms.grad(total)(x).asnumpy()
    step = 2.0**-7
    for place in np.ndindex(2, 3):
        shift = np.zeros((2, 3), np.float32)
        shift[place] = step
        slope = (float(total(x + Tensor(shift))) - float(total(x - Tensor(shift)))) / (2 * step)
        assert gradient[place] == pytest.approx(slope, rel=2e-2, abs=2e-2)  # Float32 differences, curvature
