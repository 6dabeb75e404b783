"""Compile checks of a Cell: the errors of a call, before there is one.

A copy of the Cell is carried out on Tensors without values, as MindSpore's compiler infers shapes and types: nothing is
computed, drawn, printed or written. Where the Cell asks for a value there is no telling how it continues, and what is
left is not looked at. An error is raised if the Cell, copied and called on the inputs, raises it too.

Follows: mindspore.nn.Cell.compile (2.10).
"""

import contextlib
import copy
import io
import logging
import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import torch

from msbridge.core.autograd.pytree import map_tensors, tensors_of
from msbridge.core.context.context import torch_device
from msbridge.core.context.graph_mode import as_graph
from msbridge.core.random.seeds import SameDraws
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.torch_private import TorchDispatchMode
from msbridge.core.types.symbolic import UNKNOWN_RANK, Unfilled
from msbridge.distributed.groups.group import communicator
from msbridge.distributed.sharding.strategy_checks import checking_strategies
from msbridge.nn.cell.input_specs import check_inputs
from msbridge.ops.primitive.primitive import Primitive

if TYPE_CHECKING:
    from msbridge.nn.cell.cell import Cell

__all__ = ["check", "check_compilation", "is_compiled"]

_VALUES_ASKED = ".numpy() is not supported for tensor subclasses"  # torch's words of a tensor without values
_phases: set[str] = set()  # all that were compiled
_keys: dict[Any, int] = {}  # the numbers of the kinds of inputs


def check_compilation(cell: "Cell", args: tuple[Any, ...], kwargs: Mapping[str, Any], phase: str) -> tuple[str, bool]:
    """Check a Cell, and return MindSpore's name of its graph and whether it is a new one.

    Raises:
        Exception: anything that a call with these inputs raises.
    """
    kind = tuple(map(_graph_key, (*args, *kwargs.items())))
    name = f"{phase}.{cell.create_time}.{id(cell)}.{_keys.setdefault(kind, len(_keys))}"
    if name in cell.compile_cache:
        return name, False
    check(cell, args, kwargs)
    cell.compile_cache.add(name)
    _phases.add(name)
    return name, True


def is_compiled(phase: str) -> bool:
    """Whether a graph of this name was compiled."""
    return phase in _phases


def check(cell: "Cell", args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    """Raise the error that a call of a Cell with these inputs, some of which may be placeholders, would end in."""
    special = cell._special
    if special is not None and special.expected is not None:
        check_inputs(cell, special.expected, args, dict(kwargs))
    shapes = [tensor._data.shape for tensor in tensors_of((args, dict(kwargs)))]
    if communicator().size > 1 or UNKNOWN_RANK in shapes:  # the other processes would have to take part
        return
    attempts = (partial(_call_without_values, cell, args, kwargs), partial(_call_copied, cell, args, kwargs))
    for attempt in attempts:
        is_last = attempt is attempts[-1]
        kept = _restore_small_parameters(cell, largest=math.inf if is_last else 1)
        with contextlib.redirect_stdout(io.StringIO()), SameDraws(), as_graph(), checking_strategies(), kept:
            if not _is_refused(attempt, is_last):
                return


@contextlib.contextmanager
def _restore_small_parameters(cell: "Cell", largest: float) -> Iterator[None]:
    """Restore the values of Parameters of at most `largest` elements after this block.

    Functions of a script write to them which a copy of the Cell shares with it; numbers are written without torch.
    """
    every = [one._data for one in cell.get_parameters() if isinstance(one._data, torch.Tensor)]
    before = [(data, data.detach().clone()) for data in every if data.numel() <= largest]
    try:
        yield
    finally:
        for data, values in before:
            data.detach().copy_(values)


def _is_refused(attempt: Callable[[], None], is_last: bool) -> bool:
    """Return whether an attempt ends in an error other than that a value is asked for; the last one's is raised."""
    try:
        attempt()
    except copy.Error:
        return False
    except Exception as error:
        if is_last:
            raise
        return not _asks_for_values(error)
    return False


def _call_without_values(cell: "Cell", args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    from msbridge.core.torch_private import FakeTensorMode  # takes a second to load

    with FakeTensorMode(allow_non_fake_inputs=True), _Strict(), _suppress_warnings():
        twin = _copy_cell(cell, {id(value): value for value in _constants_of(cell)})
        given = map_tensors(lambda tensor: wrap(_stand_in(tensor._data)), (args, dict(kwargs)))
        twin(*given[0], **given[1])


def _call_copied(cell: "Cell", args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    given = map_tensors(lambda tensor: wrap(_stand_in(tensor._data)), (args, dict(kwargs)))
    primitives = {id(value): value for value in _constants_of(cell) if isinstance(value, Primitive)}
    _copy_cell(cell, primitives)(*given[0], **given[1])


def _constants_of(cell: "Cell") -> Iterator[Any]:
    """Yield the fixed values of a Cell and those below: primitives, with their strategies, and constants."""
    for _, one in cell.cells_and_names():
        yield from (value for value in vars(one).values() if isinstance(value, Primitive) or type(value) is Tensor)


def _copy_cell(cell: "Cell", memo: dict[int, Any]) -> "Cell":
    """Return a copy of a Cell with Parameters of its own.

    Args:
        cell: the Cell.
        memo: what the copy shares, by its id.

    Raises:
        copy.Error: something in it cannot be copied.
    """
    try:
        return copy.deepcopy(cell, memo)
    except Exception as error:
        raise copy.Error(str(error)) from error


def _stand_in(data: "torch.Tensor | Unfilled") -> torch.Tensor:
    """Return a tensor like an input; inside a mode without values it has none."""
    if not isinstance(data, Unfilled):
        return data.detach().clone().requires_grad_(data.requires_grad)
    return torch.zeros(data.example, dtype=data.dtype, device=torch_device())


class _Strict(TorchDispatchMode):
    """Refuses what torch lets pass without values, and refuses with them."""

    def __torch_dispatch__(
        self, func: Any, types: Sequence[type], args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        refuses = _REFUSED.get(func.overloadpacket)
        if refuses is not None and refuses(*args, **(kwargs or {})):
            raise TypeError(f"{func} takes no such arguments.")  # it is said properly when there are values
        return func(*args, **(kwargs or {}))


def _are_of_two_dtypes(*args: Any, **kwargs: Any) -> bool:
    return len({one.dtype for one in args if isinstance(one, torch.Tensor)}) > 1


def _is_whole(data: torch.Tensor, *args: Any, **kwargs: Any) -> bool:
    return not (data.is_floating_point() or data.is_complex())


def _is_fraction(data: torch.Tensor, *args: Any, **kwargs: Any) -> bool:
    return not _is_whole(data)


def _has_no_such_axis(data: torch.Tensor, dim: int = -1, *args: Any, **kwargs: Any) -> bool:
    return not -max(data.dim(), 1) <= dim < max(data.dim(), 1)


def _has_fractions_as_rows(data: torch.Tensor, dim: int, index: torch.Tensor, *args: Any, **kwargs: Any) -> bool:
    return index.is_floating_point()


_aten = torch.ops.aten
_REFUSED: Mapping[Any, Callable[..., bool]] = {
    **dict.fromkeys(
        (*(_aten.addmm, _aten.addmv, _aten.baddbmm, _aten.bmm), *(_aten.convolution, _aten.dot, _aten.mm, _aten.mv)),
        _are_of_two_dtypes,
    ),
    **dict.fromkeys((_aten.gelu, _aten.leaky_relu, _aten.elu, _aten.silu, _aten.softplus), _is_whole),
    **dict.fromkeys((_aten.bitwise_and, _aten.bitwise_or, _aten.bitwise_xor, _aten.bitwise_not), _is_fraction),
    **dict.fromkeys((_aten._softmax, _aten._log_softmax), lambda *args: _is_whole(*args) or _has_no_such_axis(*args)),
    **dict.fromkeys((_aten.sort, _aten.cumsum, _aten.cumprod), _has_no_such_axis),
    **dict.fromkeys((_aten.gather, _aten.index_select), _has_fractions_as_rows),
}


def _asks_for_values(error: BaseException | None) -> bool:
    """Whether an error is, or comes from, that something asks a tensor without values for them."""
    from msbridge.core.torch_private import DataDependentOutputException, DynamicOutputShapeException

    seen: list[BaseException] = []
    while error is not None and error not in seen:  # an error may come of one that comes of it
        if isinstance(error, DataDependentOutputException | DynamicOutputShapeException) or _VALUES_ASKED in str(error):
            return True
        seen.append(error)
        error = error.__cause__ or error.__context__
    return False


def _graph_key(value: Any) -> Any:
    """Return the key of an input for which a graph is compiled: shape and dtype of a Tensor, else the value."""
    if isinstance(value, tuple | list):
        return tuple(map(_graph_key, value))
    return (value.shape, str(value.dtype)) if isinstance(value, Tensor) else repr(value)


@contextlib.contextmanager
def _suppress_warnings() -> Iterator[None]:
    """Keep back warnings, which a call returns too, and torch's logs of errors that come of shapes that do not fit."""
    log = logging.getLogger("torch._subclasses.fake_tensor")
    level = log.level
    log.setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        log.setLevel(level)
