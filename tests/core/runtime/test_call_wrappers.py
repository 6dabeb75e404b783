"""The registry of call wrappers: layers, their order, and the class without any."""

from collections.abc import Callable
from typing import Any

from msbridge.core.runtime.call_wrappers import Layer, WrappedMethod

CALLS = WrappedMethod("__call__")


@CALLS.register
class Doubling:
    def __call__(self, value: int) -> list[Any]:
        return [2 * value]


def named(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return lambda call: lambda self, value: [name, *call(self, value)]


def test_wrappers_stand_in_the_order_of_their_layers_whenever_they_come() -> None:
    CALLS.wrap(Layer.SHARDED, named("sharded"))
    CALLS.wrap(Layer.COMPILED, named("compiled"))
    CALLS.wrap(Layer.PROFILED, named("profiled"))
    assert Doubling()(2) == ["sharded", "profiled", "compiled", 4]
    for layer in Layer:
        CALLS.unwrap(layer)


def test_a_layer_has_one_wrapper() -> None:
    CALLS.wrap(Layer.GRAPH, named("first"))
    CALLS.wrap(Layer.GRAPH, named("second"))
    assert Doubling()(2) == ["second", 4]
    CALLS.unwrap(Layer.GRAPH)


def test_without_wrappers_the_class_has_its_own_method() -> None:
    own = Doubling.__call__
    CALLS.wrap(Layer.GRAPH, named("graph"))
    CALLS.unwrap(Layer.GRAPH)
    CALLS.unwrap(Layer.COMPILED)
    assert Doubling.__call__ is own


def test_a_wrapper_may_come_before_the_class() -> None:
    calls = WrappedMethod("run")
    calls.wrap(Layer.GRAPH, named("graph"))

    @calls.register
    class Late:
        def run(self, value: int) -> list[int]:
            return [value]

    assert Late().run(1) == ["graph", 1]
