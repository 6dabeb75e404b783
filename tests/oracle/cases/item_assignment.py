"""Item assignment: what shares memory with a Tensor or Parameter after one of its items is assigned, and gradients."""

import atexit
import functools
import importlib.util
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn

from tests.oracle.case import Case, each

INDICES = """
    0 / -1 / : / 1: / ::2 / ... / None / True / () / 0, / 0, 1 / ..., 0 / :, 0 / :, : / 0, ... / 1:, 0 / T0 / T1 / T2
    / [0] / [0, 1] / [True, False] / MASK / ROWS / T0, / T1, / T1, 0 / 0, T1 / :, T1 / [0], [1] / 0, 1: / None, 0 / ...,
    / T1, ... / 0, None
"""
INDICES = [index.strip() for index in INDICES.split("/")]
T0, T1, T2 = Tensor(0, ms.int32), Tensor([0], ms.int32), Tensor([0, 1], ms.int32)
MASK, ROWS = Tensor([[True, False, False], [False, True, False]]), Tensor([True, False])


def floats() -> Tensor:
    return Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))


def written(index: str, make: Callable[[], Tensor], value: object = 50.0) -> list:
    """What an assignment leaves in a Tensor, and in what was taken of it before."""
    t = make()
    taken = [t, t.reshape(-1), t.expand_dims(0), t[0], t.view(6), t.T, t.asnumpy()]
    exec(f"t[{index}] = value", globals(), {"t": t, "value": value})
    return [one.tolist() for one in taken]


def of_a_reshape() -> Tensor:
    return Tensor(np.arange(6, dtype=np.float32)).reshape(2, 3)


def parameter() -> Tensor:
    return Parameter(floats(), name="p")


WHOLE = {"reshape": (3, 2), "view": (6,), "expand_dims": (0,), "flatten": (), "ravel": (), "swapaxes": (0, 1)}
WAYS: dict[str, Callable[[Tensor], object]] = {
    "mask": lambda t: t.__setitem__(t > 1, 9.0),
    "...": lambda t: t.__setitem__(..., 9.0),
    "list": lambda t: t.__setitem__([0], 9.0),
    "0": lambda t: t.__setitem__(0, 9.0),
    ":": lambda t: t.__setitem__(slice(None), 9.0),
}


def reaches(take: Callable[[Tensor], Tensor], make: Callable[[], Tensor] = floats) -> dict:
    """By which assignments to what was taken of a Tensor that changes as well."""
    found = {}
    for name, way in WAYS.items():
        t = make()
        way(take(t))
        found[name] = t.tolist() != floats().tolist()
    return found


class OfParameter(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.p = Parameter(floats(), name="p")


class OfAttribute(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.p = floats()


def cell(base: type[nn.Cell], index: str) -> nn.Cell:
    """A Cell that writes an item and computes with what was read before and after."""
    code = f"""
class Writing(base):
    def construct(self, x):
        z = self.p.reshape(-1)
        self.p[{index}] = 50.0
        return (x * self.p).sum() + (z * 10).sum()
"""
    return compiled(code, "Writing", base=base)()


def compiled(code: str, name: str, **names: object) -> object:
    """Run source that the compiler can read again: it stands in a file."""
    path = _folder() / f"written_{abs(hash(code))}.py"
    path.write_text(code)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    module.__dict__.update({key: value for key, value in globals().items() if not key.startswith("__")}, **names)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return getattr(module, name)


@functools.cache
def _folder() -> Path:
    """A folder of this process, removed with it."""
    path = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return Path(path)


def called(where: str, base: type[nn.Cell], index: str) -> tuple:
    """The result of a Cell that writes, and what its Parameter or attribute is after it."""
    ms.set_context(mode=ms.GRAPH_MODE if where == "graph" else ms.PYNATIVE_MODE)
    try:
        net = cell(base, index)
        array, view = net.p.asnumpy(), net.p.view(6)
        return net(floats() + 1), net.p.tolist(), view.tolist(), array.tolist()
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def differentiated(where: str, index: str) -> tuple:
    """The gradient of a Parameter that is written meanwhile, and what it is afterwards."""
    ms.set_context(mode=ms.GRAPH_MODE if where == "graph" else ms.PYNATIVE_MODE)
    try:
        net = cell(OfParameter, index)
        data = net.p.data
        loss, (gradient,) = ms.value_and_grad(net, None, net.trainable_params())(floats() + 1)
        return loss, gradient, net.p.tolist(), data.tolist()
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


BODIES = {
    "of a result": "y = x * 2\n    z = y.reshape(-1)\n    {write}\n    return y, z",
    "of an input": "y = x\n    z = x.reshape(3, 2)\n    {write}\n    return y, z, x",
    "of an argument": "y = x\n    {write}\n    return y.sum()",
    "of a part": "b = x.reshape(1, 2, 3) * 1\n    y = b[0]\n    {write}\n    return y, b",
    "of another name": "b = x * 1\n    y = b\n    {write}\n    return y, b",
    "of a view": "b = x * 1\n    y = b.view(2, 3)\n    {write}\n    return y, b",
    "in a loop": "y = x * 1\n    z = y\n    for i in range(2):\n        y[i] = y[i] * i\n    {write}\n    return y, z",
}
WRITES = [
    "y[MASK] = 5.0",
    "y[...] = 5.0",
    "y[T1] = 5.0",
    "y[[0, 1]] = 5.0",
    "y[0] = 5.0",
    "y[:1] = 5.0",
    "y[1:, 0] *= 2",
    "y[None] = 5.0",
    "y[0] += 5.0",
    "y[0, 1] -= 2.0",
    "r = y[0]\n    r[...] = 5.0",
    "y[0] /= 2",
    "y[:, 1:] **= 2",
]


def function(body: str, write: str) -> Callable[[Tensor], object]:
    code = f"def writing(x):\n    {BODIES[body].format(write=write)}\n"
    return compiled(code, "writing")


def in_function(where: str, body: str, write: str) -> tuple:
    """The results of a function or Cell that writes, and its input after that."""
    x = floats() + 1
    view = x.view(6)
    writing = function(body, write)
    if where == "jit":
        return ms.jit(writing)(x), x, view
    if where == "pynative":
        return writing(x), x, view
    lines = BODIES[body].format(write=write).replace("\n", "\n    ")
    code = f"class Writing(nn.Cell):\n    def construct(self, x):\n        {lines}\n"
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        return (
            compiled(code.replace("\n    ", "\n        ").replace("        def", "    def", 1), "Writing")()(x),
            x,
            view,
        )
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def gradient_in(where: str, write: str) -> tuple:
    """The gradient of a function that writes into what it computed, after a view of it was taken."""
    lines = f"y = x * 2\n    z = y.reshape(-1)\n    {write}\n    return (z * z).sum() + (y * 10).sum()"
    code = f"def writing(x):\n    {lines}\n"
    writing = compiled(code, "writing")
    x = floats() + 1
    return ms.value_and_grad(ms.jit(writing) if where == "jit" else writing)(x), x


SHAPED = [f"t.{name}{shape}" for name, shape in WHOLE.items() if name not in ("view", "expand_dims")]
CASES = [
    *(Case(f"written({index!r}, {make})") for index in INDICES for make in ("floats", "parameter", "of_a_reshape")),
    *(Case(f"written({index!r}, floats, Tensor(7.0))") for index in INDICES),
    *(Case(f"written({index!r}, floats, [7.0])") for index in ("0", ":", "...", "0,", ":, 0", "[0]", "None")),
    *(Case(f"written({index!r}, lambda: floats().astype(ms.int32), 7)") for index in INDICES[::3]),
    *(Case(f"reaches(lambda t: {shaped})") for shaped in SHAPED),
    *(Case(f"reaches(lambda t: {shaped}, parameter)") for shaped in SHAPED),
    *each(
        """
        reaches(lambda t: t[0])
        reaches(lambda t: t[:])
        reaches(lambda t: t[:, 1:])
        reaches(lambda t: t[None])
        reaches(lambda t: t[...])
        reaches(lambda t: next(iter(t)))
        reaches(lambda t: t.unbind(0)[0])
        reaches(lambda t: t.split(1)[0])
        reaches(lambda t: t.narrow(0, 0, 1))
        reaches(lambda t: t.expand_dims(0))
        reaches(lambda t: t.view(6))
        reaches(lambda t: t.T)
        reaches(lambda t: Tensor(t))
        reaches(lambda t: t.data, parameter)
        reaches(lambda t: t[0], parameter)
        reaches(lambda t: t.expand_dims(0), parameter)
        reaches(lambda t: t.value(), parameter)
        """
    ),
    *(
        Case(f"called({where!r}, {base}, {index!r})")
        for where in ("pynative", "graph")
        for base in ("OfParameter", "OfAttribute")
        for index in INDICES
        if (where, base, index) != ("graph", "OfParameter", "0, 1:")
    ),
    *(
        Case(f"differentiated({where!r}, {index!r})")
        for where in ("pynative", "graph")
        for index in INDICES
        if index != "0, 1:"
    ),
    *(
        Case(f"in_function({where!r}, {body!r}, {write!r})")
        for where in ("jit", "graph", "pynative")
        for body in BODIES
        for write in WRITES
    ),
    *(
        Case(f"gradient_in({where!r}, {write!r})")
        for where in ("jit", "pynative")
        for write in WRITES
        if not write.startswith("r =")
    ),
]
