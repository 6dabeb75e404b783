"""Places: the expressions of a source file that build layers, call them, and call operators."""

import itertools
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from msbridge.core.checks.stack_frames import Span
from msbridge.verify.record.networks import Network, paths

__all__ = ["Places"]


class Places:
    """Notes where in one file the layers of a network are built and called, and operators called.

    A layer that another file builds counts where this file asked for it.

    Args:
        file: the file, as its code names it.
    """

    def __init__(self, file: Path) -> None:
        self.file = str(file)
        self._built: dict[int, Span] = {}
        self._kept: list[object] = []  # what has been built, so that no id is given twice
        self._called: dict[str, Span] = {}
        self._operators: dict[str, Span] = {}
        self._layers: dict[str, Network] = {}

    @contextmanager
    def building(self) -> Iterator[None]:
        """Note the layers that are built meanwhile."""
        before = sys.getprofile()
        sys.setprofile(self._note_constructor)
        try:
            yield
        finally:
            sys.setprofile(before)

    @contextmanager
    def watching(self, network: Network) -> Iterator[None]:
        """Note the calls of a network's layers meanwhile."""
        self._layers = dict(paths(network))
        with ExitStack() as stack:
            for path, layer in self._layers.items():
                handle = layer.register_forward_pre_hook(lambda *_, path=path: self._note_call(path))
                stack.callback(handle.remove)
            yield

    def running(self) -> str:
        """Return the place that is running, and remember it; "" outside of the file."""
        span = self._innermost(sys._getframe(1))
        if span is None:
            return ""
        name = f"line {span.first}, columns {(span.start or 0) + 1} to {span.end}"
        self._operators[name] = span
        return name

    def find_constructor(self, label: str) -> Span | None:
        """Return the expression that built a layer, by the layer's name in results."""
        layer = self._layers.get(_path_of(label))
        return None if layer is None else self._built.get(id(layer))

    def find_call(self, label: str) -> Span | None:
        """Return the expression that called a layer or an operator, by its name in results."""
        return self._operators.get(label.partition(" at ")[2]) or self._called.get(_path_of(label))

    def _note_constructor(self, frame: FrameType, event: str, _: object) -> None:
        if event != "call" or frame.f_code.co_name != "__init__" or not frame.f_code.co_varnames:
            return
        layer: Any = frame.f_locals.get(frame.f_code.co_varnames[0])
        if id(layer) in self._built or not hasattr(type(layer), "register_forward_pre_hook"):
            return
        span = self._innermost(frame.f_back, of=layer)
        if span is not None:
            self._built[id(layer)] = span
            self._kept.append(layer)

    def _note_call(self, path: str) -> None:
        span = self._innermost(sys._getframe(1))
        if span is not None:
            self._called.setdefault(path, span)

    def _innermost(self, frame: FrameType | None, of: object = None) -> Span | None:
        """Return the expression of the file that is being evaluated, outside of the constructors of an object."""
        while frame is not None:
            code = frame.f_code
            if code.co_filename == self.file:
                owner = frame.f_locals.get(code.co_varnames[0]) if code.co_varnames else None
                if of is None or owner is not of or code.co_name != "__init__":
                    return Span(*_positions(frame))
            frame = frame.f_back
        return None


def _positions(frame: FrameType) -> tuple[int | None, int | None, int | None, int | None]:
    return next(itertools.islice(frame.f_code.co_positions(), frame.f_lasti // 2, None))


def _path_of(label: str) -> str:
    return "" if label == "(the network)" else label.partition(" (call ")[0]
