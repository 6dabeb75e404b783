"""Prepared calls of a Cell: a plan for each kind of inputs, used while nothing that it was made of has changed.

A plan is made of the Cells' attributes, their hooks and the memory of the weights. A call compares all of it:

    an attribute, a hook, set_train()           the plan is dropped; the next call makes another
    the values of a weight, in any way     what is folded and packed is computed again, the graph stays
    a gradient function, vmap, an observer      `construct` runs
"""

import operator
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch

from msbridge.core.autograd.pytree import map_tensors, tensors_of
from msbridge.core.context import context
from msbridge.core.context.grad_state import Count, state, unnoted_writes
from msbridge.core.runtime import observers
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.torch_private import len_torch_dispatch_stack, len_torch_function_stack, peek_interpreter_stack
from msbridge.nn.cell.call_settings import CallSettings
from msbridge.nn.inference.fusion import fuse
from msbridge.nn.inference.kernels import Prepared, least_time
from msbridge.nn.inference.trace import NotTraceable, run_watched, trace

if TYPE_CHECKING:
    from msbridge.nn.cell.cell import Cell

__all__ = ["Preparation", "PreparedCalls"]

MAX_KINDS = 16  # of inputs, by shape and dtype, for each of which a plan is made
MAX_DROPPED = 8  # of plans of one Cell: who changes it between calls has nothing of plans
MIN_SPEEDUP = 1.03  # what is not faster by so much is left as it was
TOLERANCE = 1e-5  # of results, of the largest one

Key = tuple[Any, ...]
_LITERAL = torch.ops.aten.lift_fresh_copy.default  # of a Tensor that `construct` makes of numbers


context_changes = Count()
context.on_change(context_changes.add)


@dataclass(frozen=True, slots=True)
class Preparation:
    """The preparation of the calls with one kind of inputs.

    Attributes:
        shapes: of the inputs that are Tensors.
        is_used: whether calls use the plan.
        speedup: the time of `construct` by that of the plan; None where no plan was made.
        counts: what was folded, fused and packed.
        reason: why no plan is used; empty where one is.
    """

    shapes: tuple[tuple[int, ...], ...]
    is_used: bool
    speedup: float | None = None
    counts: dict[str, int] = field(default_factory=dict)
    reason: str = ""


class _Plan:
    """The graph of one kind of inputs, and the Tensors of Cells that it was made of.

    Raises:
        NotTraceable: it reads another one, whose later values nobody would notice.
    """

    def __init__(self, cell: "Cell", graph: torch.fx.GraphModule, output: Any) -> None:
        self._graph = graph
        self._is_one = type(output) is Tensor
        self._form = map_tensors(lambda tensor: wrap(torch.empty(0)), output)
        names = {
            id(getattr(graph, node.target)): node.target
            for node in graph.graph.nodes
            if node.op == "get_attr" and any(user.target is not _LITERAL for user in node.users)
        }
        weights = list(_tensors_of_cells(cell))
        if names.keys() - {id(weight._data) for weight in weights}:
            raise NotTraceable("it reads a Tensor that is no attribute of a Cell")
        self._weights = [(weight, names.get(id(weight._data))) for weight in weights]
        self.counts = fuse(graph)
        self._prepared = [one for one in graph.modules() if isinstance(one, Prepared)]
        self.note()

    def note(self) -> None:
        """Note the memory and the versions of the weights."""
        self._seen = [weight._data for weight, _ in self._weights]
        self._versions = [data._version for data in self._seen]
        self._writes = unnoted_writes.count

    def is_of_todays_values(self) -> bool:
        """Whether no weight has got other values since `note`."""
        if unnoted_writes.count != self._writes:
            return False
        seen = [weight._data for weight, _ in self._weights]
        return all(map(operator.is_, seen, self._seen)) and [data._version for data in seen] == self._versions

    def choose(self, datas: list[torch.Tensor]) -> None:
        """Measure on these inputs which products are faster with packed weights."""
        _Choosing(self._graph).run(*datas)
        self.counts["weights packed"] = sum(one.is_packed for one in self._prepared if one.has_weights)

    def refresh(self) -> bool:
        """Take the weights of today; return whether that can be done, which other shapes or dtypes forbid."""
        renewed = {}
        for (weight, name), before in zip(self._weights, self._seen, strict=True):
            data = weight._data
            if data.shape != before.shape or data.dtype != before.dtype or data.stride() != before.stride():
                return False
            if data is not before:
                renewed[id(before)] = data
                if name is not None:
                    setattr(self._graph, str(name), data)
        for one in self._prepared:
            one.renew(renewed)
        self.note()
        return True

    def run(self, datas: list[torch.Tensor]) -> Any:
        """Compute the output."""
        leaves = self._graph(*datas)
        if self._is_one:
            return wrap(leaves[0].contiguous())
        made = iter(leaves)
        return map_tensors(lambda _: wrap(next(made).contiguous()), self._form)


class _Choosing(torch.fx.Interpreter):
    def call_module(self, target: Any, args: Any, kwargs: Any) -> Any:
        module = self.fetch_attr(target)
        module.choose(*args, **kwargs)
        return module(*args, **kwargs)


class PreparedCalls:
    """Calls of a Cell, prepared where that is right and faster.

    Args:
        cell: the Cell, whose `construct` runs otherwise.
    """

    def __init__(self, cell: "Cell") -> None:
        self._cell = cell
        self._plans: dict[Key, _Plan | None] = {}
        self._dropped = 0
        self._attributes: list[tuple[dict[str, Any], dict[str, Any]]] = []
        self._inner: list[CallSettings] = []  # of the Cells below that have some
        self._context = context_changes.count
        self.preparations: dict[Key, Preparation] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        construct = self._cell.construct
        key = _key_of(args) if not (kwargs or self._cell.training or _is_more_than_inference()) else None
        if key is None:
            return construct(*args, **kwargs)
        if self._plans and not self._is_as_seen():
            self._drop()
        if key not in self._plans:
            return self._prepare(key, args)
        plan = self._plans[key]
        if plan is None:
            return construct(*args)
        if not plan.is_of_todays_values() and not plan.refresh():
            self._drop()
            return construct(*args)
        return plan.run([tensor._data for tensor in args])

    def _prepare(self, key: Key, args: tuple[Any, ...]) -> Any:
        """Make a plan for such inputs, and return the output for these."""
        if self._dropped > MAX_DROPPED or len(self._plans) >= MAX_KINDS:
            return self._cell.construct(*args)
        shapes = tuple(tuple(tensor.shape) for tensor in args)
        before, self._context = self._snapshot(), context_changes.count
        output, reason = run_watched(self._cell.construct, args)
        self._attributes = before
        plan, speedup = None, None
        try:
            if not reason and not _are_same(before):
                reason = "it changes attributes"
            if not reason:
                plan, speedup = self._plan(args, output)
                reason = "" if speedup >= MIN_SPEEDUP else "it is not faster"
        except NotTraceable as error:
            reason = str(error)
        self._plans[key] = plan if not reason else None
        counts = {} if plan is None else plan.counts
        self.preparations[key] = Preparation(shapes, not reason, speedup, counts, reason)
        return output

    def _plan(self, args: tuple[Any, ...], output: Any) -> tuple[_Plan, float]:
        """Return a plan, and how much faster it is.

        Raises:
            NotTraceable: none can be made, or its results are others.
        """
        if self._has_hooks():
            raise NotTraceable("a Cell in it has hooks")
        datas = [tensor._data for tensor in args]
        graph, form = trace(self._cell.construct, datas)
        with torch.no_grad():
            plan = _Plan(self._cell, graph, form)
            plan.choose(datas)
        for mine, right in zip(tensors_of(plan.run(datas)), tensors_of(output), strict=True):
            _compare(mine._data, right._data)
        eager = least_time(lambda: self._cell.construct(*args))
        return plan, eager / least_time(lambda: plan.run(datas))

    def _snapshot(self) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """Return the attributes of all Cells, each beside a copy."""
        cells = [cell for _, cell in self._cell.cells_and_names()]
        self._inner = [cell._special for cell in cells if cell is not self._cell and cell._special is not None]
        return [(cell.__dict__, dict(cell.__dict__)) for cell in cells]

    def _is_as_seen(self) -> bool:
        """Whether attributes and hooks are those of the plans."""
        return _are_same(self._attributes) and not self._has_hooks() and self._context == context_changes.count

    def _has_hooks(self) -> bool:
        return any(settings.has_hooks() for settings in self._inner)

    def _drop(self) -> None:
        self._plans.clear()
        self._dropped += 1


def _tensors_of_cells(cell: "Cell") -> Iterator[Tensor]:
    """Yield the Parameters of a network, and the Tensors that its Cells have in attributes."""
    yield from cell.get_parameters()
    for _, one in cell.cells_and_names():
        for value in vars(one).values():
            if type(value) in (Tensor, tuple, list, dict):
                yield from tensors_of(value)


def _is_more_than_inference() -> bool:
    """Whether something takes part in this call: gradients, other weights or precision, an observer, a transform."""
    return bool(
        state.depth
        or state.lent
        or observers.active
        or len_torch_function_stack()
        or len_torch_dispatch_stack()
        or peek_interpreter_stack() is not None
        or torch.compiler.is_compiling()
    )


def _key_of(args: tuple[Any, ...]) -> Key | None:
    """Return the kind of inputs that are Tensors; None where one is something else, or is being differentiated."""
    key = []
    for value in args:
        if type(value) is not Tensor:
            return None
        data = value._data
        if type(data) is not torch.Tensor or data.requires_grad:
            return None
        key.append((data.shape, data.stride(), data.dtype, data.device))
    return tuple(key)


def _are_same(attributes: list[tuple[dict[str, Any], dict[str, Any]]]) -> bool:
    try:
        return all(today == before for today, before in attributes)
    except (RuntimeError, TypeError, ValueError):  # another Tensor or array, which does not compare to one bool
        return False


def _compare(mine: torch.Tensor, right: torch.Tensor) -> None:
    if mine.shape != right.shape or mine.dtype != right.dtype:
        raise NotTraceable(f"its result is {mine.dtype} of {tuple(mine.shape)}")
    if mine.is_floating_point() and mine.numel():
        apart = (mine - right).abs().max() / right.abs().max().clamp(min=1.0)
        if not float(apart) <= TOLERANCE:
            raise NotTraceable(f"its result is {float(apart):.1e} off")
    elif not torch.equal(mine, right):
        raise NotTraceable("its result is another")
