"""Calls of outermost Cells that are compiled or prepared, because the context or `jit` asks for a level."""

from collections.abc import Callable
from functools import partial
from typing import Any

from msbridge.core.context import context
from msbridge.core.context.grad_state import state
from msbridge.core.jit import inference_requests
from msbridge.core.jit.compiler import Compiled, backend_of, is_compiling, level_of_context
from msbridge.core.runtime.call_wrappers import CELL_CALLS, Layer
from msbridge.nn.cell.call_settings import preparers
from msbridge.nn.cell.calls import call

__all__ = ["follow_level"]


def follow_level() -> None:
    """Let graph mode compile or prepare the outermost Cell of every call, where a jit_level asks for it."""
    level = level_of_context() if context.get_context("mode") == context.GRAPH_MODE else ""
    if (backend := backend_of(level)) is not None:
        CELL_CALLS.wrap(Layer.COMPILED, partial(_compile_calls, backend))
    elif inference_requests.are_made() and backend_of(inference_requests.LEVEL) is None:
        CELL_CALLS.wrap(Layer.COMPILED, _prepare_calls)
    else:
        CELL_CALLS.unwrap(Layer.COMPILED)


def _compile_calls(backend: str, call_eagerly: Callable[..., Any]) -> Callable[..., Any]:
    def call_compiled(self: Any, *args: Any, **kwargs: Any) -> Any:
        if is_compiling():
            return call_eagerly(self, *args, **kwargs)
        settings = self._call_settings()
        if backend not in settings.in_graph:
            settings.in_graph[backend] = Compiled(self.construct, backend)
        return call(self, settings, args, kwargs, settings.in_graph[backend])

    return call_compiled


def _prepare_calls(call_eagerly: Callable[..., Any]) -> Callable[..., Any]:
    def call_prepared(self: Any, *args: Any, **kwargs: Any) -> Any:
        if self.training or state.depth or is_compiling() or not inference_requests.is_outermost():
            return call_eagerly(self, *args, **kwargs)
        plans = _plans_of(self)
        with inference_requests.inside():
            return call(self, self._call_settings(), args, kwargs, plans)

    return call_prepared


def _plans_of(cell: Any) -> Callable[..., Any]:
    """Return the plans of a Cell, as a function in place of its `construct`."""
    settings = cell._call_settings()
    if inference_requests.LEVEL not in settings.in_graph:
        settings.in_graph[inference_requests.LEVEL] = preparers[inference_requests.LEVEL](cell)
    return settings.in_graph[inference_requests.LEVEL]


inference_requests.on_first_request(follow_level, lambda cell, args, kwargs: _plans_of(cell)(*args, **kwargs))
