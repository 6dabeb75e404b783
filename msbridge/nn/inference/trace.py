"""The ATen graph of a Cell's `construct` for inputs of some shapes, as `torch.fx` writes it down.

What a graph does not say must not happen in `construct`: reading values on the host, hooks and summaries, gradients,
writes into Parameters or inputs, attributes that change, random numbers. Each is noticed, and nothing is prepared then.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch

from msbridge.core.autograd.pytree import unwrap_tree
from msbridge.core.context.grad_state import state
from msbridge.core.runtime import observers
from msbridge.core.tensor.tensor import wrap
from msbridge.core.torch_private import make_fx

__all__ = ["NotTraceable", "run_watched", "trace"]


class NotTraceable(Exception):
    """`construct` does something that a graph does not say."""


class _Watch(observers.Observer):
    """Notes what a graph would not repeat."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def begin_gradients(self, *_: Any) -> None:
        self.seen.append("it computes gradients")

    def update(self, *_: Any) -> None:
        self.seen.append("it updates parameters")

    def read(self, *_: Any) -> None:
        self.seen.append("it reads a value on the host")

    def call_out(self, what: str) -> None:
        self.seen.append(what)


def run_watched(construct: Callable[..., Any], args: Sequence[Any]) -> tuple[Any, str]:
    """Run `construct`, and note what a graph would not repeat.

    Returns:
        The output; and what was seen, in words, or "".
    """
    watch, effects = _Watch(), state.effects
    observers.add(watch)
    try:
        output = construct(*args)
    finally:
        observers.remove(watch)
    if not watch.seen and state.effects != effects:
        watch.seen.append("it writes a Tensor, or branches by a value")
    return output, watch.seen[0] if watch.seen else ""


def trace(construct: Callable[..., Any], datas: Sequence[torch.Tensor]) -> tuple[torch.fx.GraphModule, Any]:
    """Run `construct` on Tensors of these torch tensors, and write down what it computes.

    Returns:
        The graph, which takes torch tensors and returns those of the output in order; and the output.

    Raises:
        NotTraceable: it does more than compute.
    """
    outputs: list[Any] = []

    def run(*inputs: torch.Tensor) -> list[torch.Tensor]:
        outputs.append(construct(*map(wrap, inputs)))
        leaves: list[torch.Tensor] = []
        _collect(unwrap_tree(outputs[-1]), leaves)
        return leaves

    try:
        with torch.no_grad():
            graph = make_fx(run)(*datas)
    except Exception as error:  # of torch or of what cannot run on tensors that are traced
        raise NotTraceable(f"torch cannot trace it: {str(error).splitlines()[0] if str(error) else error!r}") from error
    _check(graph)
    return graph, outputs[-1]


def _collect(value: Any, leaves: list[torch.Tensor]) -> None:
    """Collect the tensors of an output of nested tuples, lists and dicts."""
    if isinstance(value, torch.Tensor):
        leaves.append(value)
    elif isinstance(value, tuple | list):
        for item in value:
            _collect(item, leaves)
    elif isinstance(value, dict):
        for item in value.values():
            _collect(item, leaves)
    elif not isinstance(value, int | float | str | type(None)):
        raise NotTraceable(f"it returns a {type(value).__name__}")


def _check(graph: torch.fx.GraphModule) -> None:
    for node in graph.graph.nodes:
        if node.op == "call_function" and hasattr(node.target, "_schema"):
            if node.target._schema.is_mutable:
                raise NotTraceable(f"it writes in place ({node.target})")
            if node.target is torch.ops.aten.as_strided.default:
                raise NotTraceable("it reads memory by strides")
            if torch.Tag.nondeterministic_seeded in node.target.tags and not _never_drops(node):
                raise NotTraceable(f"it draws random numbers ({node.target})")
        elif node.op == "output":
            made = {one for one in node.all_input_nodes if one.op == "call_function"}
            if len(made) < len(torch.fx.node.map_arg(node.args[0], lambda one: one) or ()):
                raise NotTraceable("it returns an input or a Parameter as it is")


def _never_drops(node: torch.fx.Node) -> bool:
    """Whether a node draws for dropout only, of which nothing is dropped."""
    names = [argument.name for argument in node.target._schema.arguments]  # type: ignore[union-attr]
    given = dict(zip(names, node.args, strict=False)) | node.kwargs
    return "dropout_p" in names and not given.get("dropout_p", 0.0)
