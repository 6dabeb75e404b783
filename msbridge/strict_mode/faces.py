"""Faces: public functions, methods, classes and their objects' calls, and what is put around their calls for a time.

    "ops.add"       msbridge.ops.add and what scripts have imported of it   -> a function that calls `around`
    "Tensor.add"    the class's attribute                                    -> likewise
    "nn.Dense"      its `__init__`                                           -> likewise
    "nn.Dense()"    Cell.__call__, a call wrapper of its own layer           -> likewise
    "ops.ReLU()"    the `__call__` of its class                              -> likewise

Nothing stands in the way of a call while nothing is put around. A script's modules that have imported a function by
its name get the other one, too, and the first one back afterwards.
"""

import functools
import pkgutil
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msbridge.core.releases.public_modules import SAME
from msbridge.core.runtime.call_wrappers import CELL_CALLS, Layer
from msbridge.nn.cell.cell import Cell

__all__ = ["Around", "Faces", "locate"]

Around = Callable[[str, Callable[..., Any], tuple[Any, ...], dict[str, Any]], Any]
"""Is called instead, with the face's name, the function, and the arguments; it calls the function."""
_MISSING = object()
OURS = ("msbridge.", "torch.", "numpy.", "importlib")


class Faces:
    """The wrappers around the calls of public names.

    Args:
        names: of faces, such as "ops.add", "Tensor.add", "nn.Dense" or "nn.Dense()".
        around: is called instead of each.
    """

    def __init__(self, names: Iterable[str], around: Around) -> None:
        self._names = sorted(names, key=lambda name: not name.startswith("ops."))  # where several are one function
        self._around = around
        self._set: list[tuple[Any, str, Any]] = []
        self._cells: dict[type, str] = {}
        self._turn = threading.RLock()

    def put(self) -> None:
        """Put it around."""
        with self._turn:
            functions: dict[int, tuple[Any, Any]] = {}
            for name in self._names:
                self._put(name, functions)
            if self._cells:
                CELL_CALLS.wrap(Layer.STRICT, self._around_cells)
            self._rebind(functions)

    def take(self) -> None:
        """Take it away."""
        with self._turn:
            CELL_CALLS.unwrap(Layer.STRICT)
            while self._set:
                owner, name, value = self._set.pop()
                if value is _MISSING:
                    delattr(owner, name)
                else:
                    setattr(owner, name, value)
            self._cells.clear()

    def _put(self, name: str, functions: dict[int, tuple[Any, Any]]) -> None:
        found = locate(name.removesuffix("()"))
        if found is None:
            return
        owner, attribute, value = found
        if not isinstance(value, type):
            other = self._wrap(name, value)
            functions.setdefault(id(value), (value, other))
            self._replace(owner, attribute, other)
        elif not name.endswith("()"):
            self._replace(value, "__init__", self._wrap_init(name, value))
        elif issubclass(value, Cell):
            self._cells[value] = name
        else:
            self._replace(value, "__call__", self._wrap_call(name, value))

    def _replace(self, owner: Any, attribute: str, value: Any) -> None:
        self._set.append((owner, attribute, vars(owner).get(attribute, _MISSING)))
        setattr(owner, attribute, value)

    def _wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        around = self._around

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            return around(name, function, args, kwargs)

        return call

    def _wrap_init(self, name: str, kind: type) -> Callable[..., None]:
        init: Any = kind.__init__  # type: ignore[misc]
        around = self._around

        @functools.wraps(init)
        def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
            if type(self) is kind:
                around(name, init, (self, *args), kwargs)
            else:
                init(self, *args, **kwargs)

        return __init__

    def _wrap_call(self, name: str, kind: Any) -> Callable[..., Any]:
        inner: Any = kind.__call__
        around = self._around

        @functools.wraps(inner)
        def __call__(self: Any, *args: Any, **kwargs: Any) -> Any:
            if type(self) is kind:
                return around(name, inner, (self, *args), kwargs)
            return inner(self, *args, **kwargs)

        return __call__

    def _around_cells(self, inner: Callable[..., Any]) -> Callable[..., Any]:
        cells, around = self._cells, self._around

        def __call__(self: Any, *args: Any, **kwargs: Any) -> Any:
            name = cells.get(type(self))
            return inner(self, *args, **kwargs) if name is None else around(name, inner, (self, *args), kwargs)

        return __call__

    def _rebind(self, functions: dict[int, tuple[Any, Any]]) -> None:
        """Set the wrapped functions in the modules that show or have imported them."""
        for module in _modules_of_scripts():
            for attribute, value in list(vars(module).items()):
                found = functions.get(id(value))
                if found is not None and found[0] is value:
                    self._replace(module, attribute, found[1])


def _modules_of_scripts() -> Iterator[Any]:
    for path, module in list(sys.modules.items()):
        if type(getattr(module, "__dict__", None)) is dict and not path.startswith(OURS) and path != "msbridge":
            yield module


def locate(name: str) -> tuple[Any, str, Any] | None:
    """Return the owner of a public name, the attribute's name there, and its value; None where it is not here."""
    path, _, attribute = name.rpartition(".")
    path = SAME.get(path, path)
    try:
        owner = pkgutil.resolve_name(f"msbridge.{path}" if path else "msbridge")
    except (ImportError, AttributeError):
        return None
    value = getattr(owner, attribute, None)
    return (owner, attribute, value) if callable(value) else None
