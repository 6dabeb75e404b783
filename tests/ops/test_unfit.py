"""Every public operator refuses what does not fit by MindSpore's classes of errors, and ends no process."""

import inspect
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import msbridge
from msbridge import Tensor, mint, nn, numpy, ops

ALLOWED = (TypeError, ValueError, RuntimeError, IndexError)
SLOTS = 4  # positional ones, of which the last may be optional
FACES = {
    "ops": ops,
    "mint": mint,
    "mint.nn.functional": mint.nn.functional,
    "mint.linalg": mint.linalg,
    "mint.special": mint.special,
    "numpy": numpy,
}
AS_THERE = {  # what 2.10 raises, where that is none of these
    "mint.constexpr": AttributeError,
    "mint.nn.functional.one_hot": AttributeError,
    "Tensor.type_as": AttributeError,
    "ops.add_flags": AttributeError,
    "ops.constexpr": AttributeError,
    "ops.core": AttributeError,
    "ops.csr_mv": AttributeError,
    "ops.csr_reduce_sum": AttributeError,
    "ops.iou": KeyError,
    "ops.is_floating_point": AttributeError,
    "ops.kernel": AttributeError,
    "ops.ms_hybrid": AttributeError,
    "ops.ms_kernel": AttributeError,
    "ops.type_as": AttributeError,
    "numpy.histogram": NotImplementedError,
    "numpy.histogram_bin_edges": NotImplementedError,
}
NOT_AVAILABLE = {  # their texts say what there is instead
    "numpy.histogram2d",
    "numpy.histogramdd",
    "ops.typeof",
    "primitive GeSwitch",
}
# Steps of a compiler and of several processes, which others import; and what the packages are put together by.
ELSEWHERE = (".internal.", ".distributed.", ".core.runtime.")
LONG = {"ops.jet", "ops.jvp"}  # they compile, or run derivatives of many orders


def unfit() -> dict[str, Any]:
    indices, values = Tensor([[0, 1], [1, 2]]), Tensor([1.0, 2.0])
    return {
        "None": None,
        "a string": "x",
        "a dict": {"a": 1},
        "strings": ["a", "b"],
        "objects": np.array([object(), None], dtype=object),
        "a negative axis": -7,
        "a large axis": 100,
        "axes": (0, 100),
        "an empty Tensor": Tensor(np.zeros((0, 3), np.float32)),
        "a complex Tensor": Tensor(np.ones((2, 3), np.complex64)),
        "a Bool Tensor": Tensor(np.ones((2, 3), bool)),
        "integers": Tensor([[5, -9, 2], [1, 2, 70]], msbridge.int32),
        "a Cell": nn.ReLU(),
        "a function": len,
        "a sparse Tensor": msbridge.COOTensor(indices, values, (2, 3)),
    }


def fit() -> Tensor:
    return Tensor(np.arange(1, 7, dtype=np.float32).reshape(2, 3))


def public(owner: Any) -> list[str]:
    return sorted(name for name in dir(owner) if name[0] != "_")


def functions() -> Iterator[tuple[str, Any]]:
    for face, module in FACES.items():
        for name in public(module):
            function = getattr(module, name)
            if inspect.isfunction(function) and not any(each in function.__module__ for each in ELSEWHERE):
                yield f"{face}.{name}", function


def methods() -> Iterator[tuple[str, Any]]:
    for name in public(Tensor):
        if inspect.isfunction(method := getattr(Tensor, name)):
            yield f"Tensor.{name}", method


def primitives() -> Iterator[tuple[str, Any]]:
    for name in public(ops):
        kind = getattr(ops, name)
        if not (inspect.isclass(kind) and issubclass(kind, ops.Primitive)):
            continue
        try:
            yield f"primitive {name}", kind()
        except ALLOWED:  # it wants settings
            continue


def slots_of(function: Any) -> tuple[int, int]:
    """How many arguments a call wants, and in how many places one may be."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:
        return 2, 2
    places = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    wanted = sum(one.default is one.empty for one in places)
    return wanted, min(max(wanted, 1) + 1, len(places), SLOTS)


def escaped(name: str, function: Any, kinds: dict[str, Any]) -> Iterator[str]:
    wanted, places = slots_of(function)
    for slot in range(name.startswith("Tensor."), places):
        for kind, value in kinds.items():
            arguments = [fit() for _ in range(max(wanted, slot + 1))]
            arguments[slot] = value
            try:
                function(*arguments)
            except ALLOWED as error:
                if isinstance(error, NotImplementedError | RecursionError) and not _is_expected(name, error):
                    yield f"{name}, {kind} as argument {slot}: {error!r}"
            except Exception as error:
                if not _is_expected(name, error):
                    yield f"{name}, {kind} as argument {slot}: {error!r}"


def _is_expected(name: str, error: Exception) -> bool:
    if name in NOT_AVAILABLE:
        return isinstance(error, NotImplementedError)
    is_recorded = isinstance(error, AttributeError) and getattr(error, "explained", False)  # unfit_arguments.tsv
    return (is_recorded or isinstance(error, AS_THERE.get(name, ()))) and "'_data'" not in str(error)


CASES = [(face, part) for face in (functions, methods, primitives) for part in range(4)]


@pytest.mark.parametrize(("face", "part"), CASES, ids=[f"{face.__name__}-{part}" for face, part in CASES])
def test_what_does_not_fit_is_refused_by_classes_of_mindspore(face, part, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some write files
    rows = list(face())
    assert len(rows) > 300
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [
            line
            for index, (name, function) in enumerate(rows)
            if index % 4 == part and name not in LONG
            for line in escaped(name, function, unfit())  # made for each, as some write into their arguments
        ]
    assert not found, "\n".join(found)
