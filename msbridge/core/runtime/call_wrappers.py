"""Registry of call wrappers: what is put around every call of a Cell or gradient function, for a time.

Compiling, graph mode, profiling, sharding and strict mode each wrap the calls of all Cells; sharding wraps gradient
functions as well. There are two methods to wrap, and each has at most one wrapper per layer:

    CELL_CALLS          STRICT( SHARDED( PROFILED( GRAPH( COMPILED( Cell.__call__ )))))
    GRADIENT_CALLS      SHARDED( Differentiation.compute )

The wrapped method is the class's own attribute, composed when a wrapper comes or goes. So a call asks nothing about
wrappers, and where there are none, the class has the method that it was defined with.
"""

import threading
from collections.abc import Callable
from enum import IntEnum
from typing import Any, TypeVar

__all__ = ["CELL_CALLS", "GRADIENT_CALLS", "Layer", "WrappedMethod"]

Call = Callable[..., Any]
Class = TypeVar("Class", bound=type)


class Layer(IntEnum):
    """The layers of call wrappers, the innermost first."""

    COMPILED = 0
    GRAPH = 1
    PROFILED = 2
    SHARDED = 3
    STRICT = 4


class WrappedMethod:
    """A method of a class, and the wrappers around it.

    Args:
        name: the method's name.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._wrappers: dict[Layer, Callable[[Call], Call]] = {}
        self._owner: type | None = None
        self._method: Call | None = None

    def register(self, owner: Class) -> Class:
        """Set the class whose method is wrapped; a class decorator."""
        with self._lock:
            self._owner, self._method = owner, getattr(owner, self._name)
            self._compose()
        return owner

    def wrap(self, layer: Layer, wrapper: Callable[[Call], Call]) -> None:
        """Put a wrapper around the method, in place of the layer's last one.

        Args:
            layer: which of the layers it is.
            wrapper: returns the new method of the one inside.
        """
        with self._lock:
            self._wrappers[layer] = wrapper
            self._compose()

    def unwrap(self, layer: Layer) -> None:
        """Remove the wrapper of a layer, if there is one."""
        with self._lock:
            if self._wrappers.pop(layer, None) is not None:  # setting a method empties Python's caches of the class
                self._compose()

    def layers(self) -> list[Layer]:
        """Return the layers that have a wrapper, the innermost first."""
        return sorted(self._wrappers)

    def _compose(self) -> None:
        if self._owner is None:  # its room is not imported yet; registering it composes
            return
        call: Any = self._method
        for layer in self.layers():
            call = self._wrappers[layer](call)
        setattr(self._owner, self._name, call)


CELL_CALLS = WrappedMethod("__call__")
GRADIENT_CALLS = WrappedMethod("compute")
