"""A case: one MindSpore expression that the real MindSpore and msbridge both evaluate, unmodified.

    Case("ops.softmax(x, 1)", x=rand(2, 3), grad=True)
    Case("t[3]", t=arange(3), raises=IndexError, says="out of bounds")

The expression is the name of the case. It sees its own inputs, everything its file defines, and `ms nn ops mint mnp np
Tensor Parameter`. Inputs are drawn from a generator that the case's name seeds, so both sides get the same numbers.
Add a case to a file of `cases/`, then run `record.py`. What only the CPU build of MindSpore does is left out.
"""

import contextlib
import importlib
import inspect
import re
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

import mindspore as ms
import numpy as np
from mindspore import Tensor

GAP = object()
"""The CPU build of MindSpore has no kernel for this: anything that msbridge does is accepted."""


class OfLargest(float):
    """A tolerance whose absolute part is a share of the largest value of an array."""


@dataclass(frozen=True)
class Input:
    """How to draw one input: its source text, its values from a generator, its dtype."""

    text: str
    draw: Callable[[np.random.Generator], np.ndarray]
    dtype: str

    def tensor(self, rng: np.random.Generator) -> Tensor:
        array = self.draw(rng)
        if self.dtype == "bfloat16":
            return Tensor(array.astype(np.float32), ms.bfloat16)
        return Tensor(array.astype(self.dtype))


def _input(name: str, arguments: tuple, dtype: str, draw: Callable[[np.random.Generator], np.ndarray]) -> Input:
    text = ", ".join(str(argument) for argument in arguments)
    return Input(f"{name}({text}){'' if dtype in ('float32', 'int32', 'bool') else ':' + dtype}", draw, dtype)


def rand(*shape: int, dtype: str = "float32", low: float = -2.0, high: float = 2.0) -> Input:
    """Uniform in [low, high), rounded to 1/64 so that every float dtype holds the same values."""
    name = "rand" if (low, high) == (-2.0, 2.0) else f"rand[{low:g},{high:g}]"
    return _input(name, shape, dtype, lambda rng: np.round(rng.uniform(low, high, shape) * 64) / 64)


def ints(*shape: int, low: int = -5, high: int = 6, dtype: str = "int32") -> Input:
    """Integers in [low, high)."""
    name = "ints" if (low, high) == (-5, 6) else f"ints[{low},{high}]"
    return _input(name, shape, dtype, lambda rng: rng.integers(low, high, shape))


def bools(*shape: int) -> Input:
    return _input("bools", shape, "bool", lambda rng: rng.integers(0, 2, shape))


def arange(*shape: int, dtype: str = "float32") -> Input:
    """0, 1, 2 … in this shape."""
    return _input("arange", shape, dtype, lambda rng: np.arange(np.prod(shape)).reshape(shape))


def distinct(*shape: int, dtype: str = "float32") -> Input:
    """A shuffle of 0, 1, 2 …, for what depends on the order of ties."""
    return _input("distinct", shape, dtype, lambda rng: rng.permutation(int(np.prod(shape))).reshape(shape))


def values(*array: object, dtype: str = "float32") -> Input:
    """These very values."""
    return _input("values", array, dtype, lambda rng: np.array(array))


def scalar(value: object, dtype: str = "float32") -> Input:
    """A 0-d tensor."""
    return _input("scalar", (value,), dtype, lambda rng: np.array(value))


def special(nan: bool = True) -> Input:
    """Infinities, signed zeros, numbers around them; and NaN, unless kernels of different devices disagree there."""
    numbers = [np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 1e-4, 3e4] + [np.nan] * nan
    return _input("special", () if nan else ("no NaN",), "float32", lambda rng: np.array(numbers))


class Case:
    """One row; see the top of this file.

    Args:
        expression: what is evaluated.
        grad: record the gradient of a weighted sum of the result with respect to every floating input, too.
        raises: the class of error that the expression must raise; several, when the device decides.
        says: a word that the message must contain.
        may_raise: an error is an answer as a value is: its class is recorded and compared, a lacking kernel is a gap.
        tolerance: largest error, relative and absolute, when the default for the dtype does not hold; say why.
        xfail: why msbridge is known to differ.
        inputs: named inputs.
    """

    def __init__(
        self,
        expression: str,
        *,
        grad: bool = False,
        raises: type[Exception] | tuple[type[Exception], ...] | None = None,
        says: str = "",
        may_raise: bool = False,
        tolerance: float | None = None,
        xfail: str = "",
        **inputs: Input,
    ) -> None:
        self.expression, self.grad, self.raises, self.says = expression, grad, raises, says
        self.may_raise, self.tolerance, self.xfail, self.inputs = may_raise, tolerance, xfail, inputs
        self.name = "  ".join([expression, *(f"{name}={value.text}" for name, value in inputs.items())])

    def names_used(self) -> tuple[str, ...]:
        """Return the names of the expression."""
        return compile(self.expression, self.name, "eval").co_names

    def run(self, module: ModuleType) -> object:
        """Evaluate the expression as a script that holds this file would.

        Of a dataset the rows are the result. A file may have `scope()`, names that are made for every case, and
        `case_context()`, a context in which each is evaluated.
        """
        with getattr(module, "case_context", contextlib.nullcontext)():
            result = self._evaluate(module)
            is_dataset = hasattr(result, "create_dict_iterator")
            return list(result.create_dict_iterator(num_epochs=1, output_numpy=True)) if is_dataset else result

    def _evaluate(self, module: ModuleType) -> object:
        ms.set_seed(1)
        rng = np.random.default_rng(zlib.crc32(self.name.encode()))
        tensors = {name: value.tensor(rng) for name, value in self.inputs.items()}
        code = compile(self.expression, self.expression, "eval")
        scope = {**namespace(self.expression), **vars(module), **getattr(module, "scope", dict)()}
        result = eval(code, {**scope, **tensors})
        if not self.grad:
            return result
        names = [name for name, value in self.inputs.items() if "float" in value.dtype]

        def total(*arguments: Tensor) -> Tensor:
            given = dict(zip(names, arguments, strict=True))
            return weighted_sum(eval(code, {**scope, **tensors, **given}))

        takes_places = "grad_position" in inspect.signature(getattr(ms, "grad", len)).parameters
        differentiate = ms.grad(total, tuple(range(len(names)))) if takes_places else _gradient_of_all(total)
        gradients = differentiate(*(tensors[name] for name in names))
        gradients = gradients if isinstance(gradients, tuple) else (gradients,)
        return {"value": result, "gradients": dict(zip(names, gradients, strict=True))}


def _gradient_of_all(function: Callable) -> Callable:
    """Differentiate a function where `ms.grad` takes no places: as a Cell, for it would be taken for two otherwise."""
    cell = ms.nn.Cell()
    cell.construct = function
    return ms.ops.GradOperation(get_all=True)(cell)


def words(text: str) -> list[str]:
    return text.split()


def each(lines: str, **options: object) -> list[Case]:
    """Make a case of every line, all with the same inputs and options; lines that begin with # are headings."""
    stripped = (line.strip() for line in lines.splitlines())
    return [Case(line, **options) for line in stripped if line and not line.startswith("#")]


def under_headings(lines: str) -> list[tuple[str, str]]:
    """Return every line and the heading above it, `[wave mono]`, without its brackets; "" where there is none."""
    heading, found = "", []
    for line in lines.strip().splitlines():
        if line.startswith("["):
            heading = line[1:-1]
        elif line:
            found.append((heading, line))
    return found


def weighted_sum(result: object) -> Tensor:
    """Reduce all floating tensors of a result to one number, each element with a weight of its own."""
    tensors = result if isinstance(result, tuple | list) else (result,)
    total = Tensor(np.float32(0))
    for tensor in tensors:
        if isinstance(tensor, Tensor) and "Float" in str(tensor.dtype):
            weights = np.cos(np.arange(tensor.size, dtype=np.float32) + 1).reshape(tensor.shape)
            total = total + (tensor * Tensor(weights).astype(tensor.dtype)).sum().astype(ms.float32)
    return total


def namespace(expression: str) -> dict[str, object]:
    """Collect the names that every expression may use, without importing rooms that it does not mention."""
    rooms = {"nn": "nn", "ops": "ops", "mint": "mint", "mnp": "numpy", "P": "ops.operations"}
    names: dict[str, object] = {"ms": ms, "np": np, "Tensor": Tensor, "Parameter": ms.Parameter}
    for name, room in rooms.items():
        if f"{name}." in expression:
            names[name] = importlib.import_module(f"mindspore.{room}")
    return names


def load(family: str) -> tuple[ModuleType, list[Case]]:
    """Import the file of a family and check that its cases can be told apart."""
    module = importlib.import_module(f"tests.oracle.cases.{family}")
    cases = list(module.CASES)
    doubles = [name for name, count in Counter(case.name for case in cases).items() if count > 1]
    if doubles:
        raise ValueError(f"{family}: several cases are named {doubles}")
    return module, cases


LACKING = re.compile(
    r"Unsupported op|unregistered|is not supported on this device|Select CPU operator|[Kk]ernel(?!_size|s/)"
    r"|Operator\[\w+\] +input\("
)


def attempt(action: Callable[[], object]) -> object:
    """Return what the action returns, the name of the class it raises, or GAP when the CPU build lacks the kernel."""
    try:
        return action()
    except Exception as error:
        return GAP if LACKING.search(str(error)) else type(error).__name__
