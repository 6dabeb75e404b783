"""The pickles of CIFAR's Python version: plain values and numpy arrays, read without running anything."""

import pickle
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from msbridge.converters.errors import CheckpointError, brief
from msbridge.converters.files.memory_budget import Allowance
from msbridge.converters.formats import pickles
from msbridge.converters.formats.pickle_vm import Machine
from msbridge.core.runtime.plain_files import read_file

MAX_BYTES = 1 << 30  # of a file; the largest of CIFAR has 155 MB
NUMBERS = re.compile(r"[biuf][1248]")  # numpy's words for the types of plain numbers


@dataclass(slots=True)
class _Dtype:
    """The type of an array's elements, as a pickle describes it."""

    code: Any
    order: Any = "|"


@dataclass(slots=True)
class _Array:
    """An array, as a pickle describes it; nothing of it is checked yet."""

    shape: Any = ()
    dtype: Any = None
    is_fortran: Any = False
    data: Any = b""

    def array(self) -> np.ndarray:
        """Return the array.

        Raises:
            ValueError: it is damaged, or not of plain numbers.
        """
        kind, shape = self.dtype, self.shape
        if not isinstance(kind, _Dtype) or not isinstance(kind.code, str) or not NUMBERS.fullmatch(kind.code):
            raise ValueError("an array of no plain numbers")
        if not isinstance(self.data, bytes) or not isinstance(shape, tuple) or kind.order not in ("<", ">", "|", "="):
            raise ValueError("an array without elements or a shape")
        if len(shape) > 8 or not all(type(one) is int and 0 <= one < 1 << 40 for one in shape):
            raise ValueError("an array of an impossible shape")
        flat = np.frombuffer(self.data, np.dtype(kind.order + kind.code))
        return flat.reshape(shape, order="F" if self.is_fortran else "C")


class _Reader(Machine):
    """Reads a pickle of CIFAR; refuses everything that its files do not name."""

    def __init__(self, data: bytes, where: str) -> None:
        super().__init__(data, 0, KNOWN, where, Allowance(where, len(data)), "bytes")

    def find_class(self, module: str, name: str) -> Any:
        path = f"{module}.{name}"
        if path not in KNOWN:
            raise CheckpointError(f"it names {path:.200}, which CIFAR's files do not")
        return KNOWN[path]

    def build(self, target: Any, state: Any) -> None:
        if isinstance(target, _Array) and isinstance(state, tuple) and len(state) == 5:
            _, target.shape, target.dtype, target.is_fortran, target.data = state
        elif isinstance(target, _Dtype) and isinstance(state, tuple) and len(state) > 1:
            target.order = state[1].decode("latin1") if isinstance(state[1], bytes) else state[1]


def _encode(machine: Machine, text: Any, encoding: Any = None) -> bytes:
    """Replace `_codecs.encode`, with which Python 3 writes bytes in old protocols."""
    if not isinstance(text, str):
        raise pickle.UnpicklingError(f"bytes made of {brief(text)}")
    machine.spend(len(text))
    return text.encode("latin1")


def _empty_array(_: Machine, *arguments: Any) -> _Array:
    return _Array()


def _array_of(_: Machine, data: Any, dtype: Any, shape: Any, order: Any) -> _Array:
    return _Array(shape, dtype, order == "F", data)


def _dtype(_: Machine, code: Any, *more: Any) -> _Dtype:
    return _Dtype(code.decode("latin1") if isinstance(code, bytes) else code)


# All that the pickles of CIFAR name, under numpy's old and new module names. An array is described by its elements.
KNOWN: dict[str, Any] = {"_codecs.encode": _encode, "numpy.dtype": _dtype, "numpy.ndarray": None}
for package in ("numpy.core", "numpy._core"):
    KNOWN |= {f"{package}.multiarray._reconstruct": _empty_array, f"{package}.numeric._frombuffer": _array_of}


def read_cifar(path: Path) -> dict[Any, Any]:
    """Return the content of a file of CIFAR's Python version: lists, numbers, bytes, and arrays for numpy's.

    Raises:
        ValueError: it is damaged, or names something that could run code.
        OSError: it cannot be read.
    """
    content = pickles.load(_Reader(read_file(path, MAX_BYTES), str(path)))
    if not isinstance(content, dict):
        raise ValueError(f"it holds a {type(content).__name__}")
    return {key: value.array() if isinstance(value, _Array) else value for key, value in content.items()}
