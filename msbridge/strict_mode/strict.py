"""`msbridge.strict()`: what MindSpore refuses is refused, for a block or from here on."""

import builtins
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import ContextDecorator
from types import TracebackType
from typing import Any, Self
from weakref import ref

from msbridge.core.types.dtype import Type
from msbridge.strict_mode.ascend import read_documented
from msbridge.strict_mode.calls import Made, call_features
from msbridge.strict_mode.faces import Faces
from msbridge.strict_mode.graph import GraphChecks
from msbridge.strict_mode.table import Refusal, read_recorded
from msbridge.strict_mode.words import words_of

__all__ = ["strict"]

TABLES = {"cpu": read_recorded, "ascend": read_documented}
CALLING_BACK = ("msbridge.core.autograd.", "msbridge.core.jit.", "msbridge.nn.cell.", "msbridge.nn.layers.containers")
"""Rooms that call functions of the script, or Tensors in their place: these calls are the script's."""


class _Asking(threading.local):
    """Whether this thread is inside a call that was asked about."""

    inside = False


class strict(ContextDecorator):  # called as a function
    """Refuse what MindSpore 2.10.0 refuses and only msbridge would compute, from here on, or for a `with` block.

    Calls of public operators, layers, methods and dataset functions are compared with a table that was recorded from
    the real one: dtypes, mixed dtypes, ranks, empty inputs, types of arguments. In graph mode, what its compiler
    refuses of a source is refused at the call. Without it, nothing is asked.

    Args:
        backend: whose refusals they are: "cpu", or "ascend" for what its documentation says an Ascend lacks, besides.

    Raises:
        ValueError: the backend is another.

    Example:
        >>> with msbridge.strict():
        ...     ops.sigmoid(Tensor([1, 2]))
        Traceback (most recent call last):
        TypeError: For 'ops.sigmoid', MindSpore 2.10.0 refuses input of Int32 …
    """

    def __init__(self, backend: str = "cpu") -> None:
        if backend not in TABLES:
            raise ValueError(f"For 'strict', backend must be one of {list(TABLES)}, got {backend!r}.")
        self._table = TABLES[backend]()
        self._made: dict[int, tuple[ref[Any], Made]] = {}
        self._asking = _Asking()
        names = dict.fromkeys([*(name.removesuffix("()") for name in self._table), *self._table])
        self._faces, self._graph = Faces(names, self._ask), GraphChecks()
        self._is_on = False
        self._put()

    def __enter__(self) -> Self:
        self._put()  # again, where it decorates a function
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _put(self) -> None:
        if not self._is_on:
            self._is_on = True
            self._faces.put()
            self._graph.put()

    def close(self) -> None:
        """Refuse no more."""
        if self._is_on:
            self._is_on = False
            self._graph.take()
            self._faces.take()
            self._made.clear()

    def _ask(self, face: str, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self._asking.inside or not self._is_on or _is_own(sys._getframe(2).f_globals.get("__name__", ""), face):
            return function(*args, **kwargs)
        constructor = self._find_arguments(args[0]) if face.endswith("()") else None
        self._refuse(face, function, args, kwargs, constructor)
        if function.__name__ == "__init__":
            self._remember(args[0], (args[1:], kwargs))
        given = args[function.__name__ in ("__init__", "__call__") :]
        settings = () if constructor is None else (*constructor[0], *constructor[1].values())
        if _has_code((*settings, *given, *kwargs.values())):
            return function(*args, **kwargs)  # what it calls is the script's, and is asked about
        self._asking.inside = True
        try:
            return function(*args, **kwargs)
        finally:
            self._asking.inside = False

    def _refuse(
        self, face: str, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], made: Made | None
    ) -> None:
        rows = self._table.get(face)
        features = call_features(face, function, args, kwargs, made) if rows else None
        if rows is None or features is None:
            return  # it raises by itself, where arguments do not fit
        found = next((row for row in rows if row.features <= features), None)
        if found is not None:
            raise _error(face, found)

    def _find_arguments(self, made: Any) -> Made | None:
        found = self._made.get(id(made))
        return found[1] if found is not None and found[0]() is made else None

    def _remember(self, made: Any, arguments: Made) -> None:
        key = id(made)
        self._made[key] = ref(made, lambda _: self._made.pop(key, None)), arguments


def _is_own(caller: str, face: str) -> bool:
    """Whether a call is msbridge's own."""
    if face.endswith("()"):  # of a layer in a container of msbridge's
        return False
    return caller.startswith(("msbridge.", "torch.")) and not caller.startswith(CALLING_BACK)


def _has_code(values: Iterable[Any]) -> bool:
    """Whether there is a Cell or a function among arguments, or in a sequence of them."""
    return any(
        _has_code(value) if isinstance(value, list | tuple) else callable(value) and not isinstance(value, Type | type)
        for value in values
    )


def _error(face: str, row: Refusal) -> Exception:
    kind = getattr(builtins, row.error, RuntimeError)
    return kind(
        f"For '{face.removesuffix('()')}', {row.source} refuses {words_of(row.features)}. "
        "Only msbridge would compute it: this is strict mode."
    )
