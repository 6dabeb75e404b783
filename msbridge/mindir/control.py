"""torch's `cond` and `while_loop` on values of graphs: tuples of Tensors, numbers and functions."""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.fx.experimental.symbolic_shapes import statically_known_true

from msbridge.core.tensor.tensor import Tensor, wrap

__all__ = ["Known", "branch", "loop"]

NUMBERS = {bool: torch.bool, int: torch.int64, float: torch.float32}  # as which a number becomes a Tensor

Types = dict[int, torch.dtype]


class _Differ(Exception):
    """Places of numbers that are not the same everywhere, and types of Tensors for them; of a loop, places that change.

    Attributes:
        types: by place.
        written: places of Tensors that are written to.
        tried: those that are written to while it is looked whether a loop continues.
    """

    def __init__(self, types: Types, written: set[int], tried: set[int] | None = None) -> None:
        self.types, self.written, self.tried = types, written, tried or set()


class Known:
    """Results of tries of a branch or a loop: each place that is not as it was taken for lets it be tried again.

    Attributes:
        types: of the results of a branch that are numbers, but not the same on both sides; of the values of a loop
            that change.
        replaced: places of those of a loop that become another value.
        written: places of Tensors that are written to.
        tried: those that are written to while it is looked whether a loop continues, to no effect.
    """

    def __init__(self) -> None:
        self.types: Types = {}
        self.replaced: set[int] = set()
        self.written: set[int] = set()
        self.tried: set[int] = set()

    def add(self, error: _Differ) -> None:
        """Take what a try found."""
        self.types = dict(sorted((self.types | error.types).items()))
        self.written |= error.written
        self.tried |= error.tried


def branch(
    test: Tensor, chosen: Callable[[Any], Any], other: Callable[[Any], Any], given: Any, known: Known | None = None
) -> Any:
    """Return the result of one of two functions.

    Args:
        test: whether it is the first.
        chosen: the first; it takes no tensors but those of its argument.
        other: the second.
        given: the argument of both.
        known: what earlier tries found; takes what these find.

    Raises:
        RuntimeError: they return values of other kinds, or torch cannot follow one of them; says why.
    """
    tried = _Branch(given, known or Known())
    while True:
        try:
            return tried.once(test, chosen, other)
        except _Differ as error:
            tried.known.add(error)


def loop(
    goes_on: Callable[[Any, Any], Any], step: Callable[[Any, Any], Any], values: Any, outer: Any, known: Known
) -> Any:
    """Return the values after the last step of a loop.

    Args:
        goes_on: whether there is a step more, by the values and `outer`.
        step: returns the values after a step; both take no tensors but those of their arguments.
        values: before the first step.
        outer: what they take besides.
        known: as of `branch`.

    Raises:
        RuntimeError: values change their kinds, shapes or dtypes, or torch cannot follow a step; says why.
    """
    tried = _Loop(values, outer, known)
    while True:
        try:
            return tried.once(goes_on, step)
        except _Differ as error:
            known.add(error)


class _Branch:
    """A branch, as far as it is known."""

    def __init__(self, given: Any, known: Known) -> None:
        self.flat, self.build = _flatten(given)
        self.places = [place for place, one in enumerate(self.flat) if isinstance(one, Tensor)]
        self.known = known

    def once(self, test: Tensor, chosen: Callable[[Any], Any], other: Callable[[Any], Any]) -> Any:
        """Try it. Raises: _Differ, which says what is to be added."""
        seen: dict[int, tuple[list[Any], Callable[[Sequence[Any]], Any]]] = {}

        def way(side: int, run: Callable[[Any], Any]) -> Callable[..., tuple[torch.Tensor, ...]]:
            def trace_branch(*data: torch.Tensor) -> tuple[torch.Tensor, ...]:
                inner = _writable(data, self.places, self.known.written)
                versions = [one._version for one in inner]
                seen[side] = outputs, _ = _flatten(run(self.build(_fill_places(self.flat, self.places, inner))))
                if more := _find_writes(inner, versions, self.places) - self.known.written:
                    raise _Differ({}, more)
                if len(seen) == 2:
                    _compare(seen[0][0], seen[1][0], self.known.types)
                results = [
                    _as_data(one, self.known.types.get(place))
                    for place, one in _select_outputs(outputs, self.known.types)
                ]
                return _copy_shared(
                    [*results, *(inner[self.places.index(one)] for one in sorted(self.known.written))], data
                )

            return trace_branch

        data = _distinct([self.flat[place]._data for place in self.places])
        selected = torch.ops.higher_order.cond(_truth(test), way(0, chosen), way(1, other), data)
        result, rebuild = seen[0]
        kept = [place for place, _ in _select_outputs(result, self.known.types)]
        _write(self.flat, sorted(self.known.written), selected[len(kept) :])
        return rebuild(_fill_places(result, kept, selected[: len(kept)]))


class _Loop:
    """A loop, as far as it is known."""

    def __init__(self, values: Any, outer: Any, known: Known) -> None:
        self.flat, self.build = _flatten((values, outer))
        self.count = len(_flatten(values)[0])
        self.known = known

    def once(self, goes_on: Callable[[Any, Any], Any], step: Callable[[Any, Any], Any]) -> Any:
        """Try it. Raises: _Differ, which says what is to be added."""
        flat, carried = self.flat, self.known.types
        fixed = [place for place, one in enumerate(flat) if isinstance(one, Tensor) and place not in carried]
        places = [*carried, *fixed]

        def condition(*data: torch.Tensor) -> torch.Tensor:
            inner = _writable(data, places, self.known.tried)
            versions = [one._version for one in inner]
            found = _truth(goes_on(*self.build(_fill_places(flat, places, inner))))
            if more := _find_writes(inner, versions, places) - self.known.tried:
                raise _Differ({}, set(), more)
            return found

        def body(*data: torch.Tensor) -> tuple[torch.Tensor, ...]:
            return _copy_shared(self._step(step, places, data), data)

        if not carried:  # what changes is not known before
            body(*(flat[place]._data.clone() for place in places))
            raise RuntimeError("nothing changes in it, so it has no end")
        start = [_as_data(flat[place], dtype) for place, dtype in carried.items()]
        data = _distinct([*start, *(flat[place]._data for place in fixed)])
        found = torch.ops.higher_order.while_loop(condition, body, data[: len(carried)], data[len(carried) :])
        after = _fill_places(flat, list(carried), found)
        kept = sorted(self.known.written - self.known.replaced)
        _write(flat, kept, [after[place]._data for place in kept])
        for place in kept:
            after[place] = flat[place]
        return self.build(after)[0]

    def _step(
        self, step: Callable[[Any, Any], Any], places: Sequence[int], data: Sequence[torch.Tensor]
    ) -> list[torch.Tensor]:
        inner = _writable(data, places, self.known.written)
        before = _fill_places(self.flat, places, inner)
        versions = [one._version for one in inner]
        after, _ = _flatten(step(*self.build(before)))
        if len(after) != self.count:
            raise RuntimeError("its values are not as many after every step")
        after += before[self.count :]
        pairs = [(place, old, new) for place, (old, new) in enumerate(zip(before, after, strict=True))]
        changed = {place: _type_of(old, new) for place, old, new in pairs if not _same(old, new)}
        self.known.replaced |= changed.keys()
        written = _find_writes(inner, versions, places)
        changed |= {place: before[place]._data.dtype for place in written}
        if not self.known.types.keys() >= changed.keys():
            raise _Differ(changed, written)
        return [_as_before(before[place], after[place]) for place in self.known.types]


def _flatten(value: Any) -> tuple[list[Any], Callable[[Sequence[Any]], Any]]:
    """Return the parts of a value, and the function that assembles it again."""
    flat: list[Any] = []

    def take(value: Any) -> Callable[[Sequence[Any]], Any]:
        if isinstance(value, tuple | list):
            parts, kind = [take(one) for one in value], type(value)
            return lambda flat: kind(part(flat) for part in parts)
        if isinstance(value, dict):
            named = {key: take(one) for key, one in value.items()}
            return lambda flat: {key: part(flat) for key, part in named.items()}
        if isinstance(value, functools.partial):
            function, bound = take(value.func), take(value.args)
            return lambda flat: functools.partial(function(flat), *bound(flat))
        place = len(flat)
        flat.append(value)
        return lambda flat: flat[place]

    build = take(value)
    return flat, build


def _fill_places(flat: Sequence[Any], places: Sequence[int], data: Sequence[torch.Tensor]) -> list[Any]:
    filled = list(flat)
    for place, one in zip(places, data, strict=True):
        filled[place] = wrap(one)
    return filled


def _writable(data: Sequence[torch.Tensor], places: Sequence[int], written: set[int]) -> list[torch.Tensor]:
    """Return tensors, and copies of those that a function writes to: torch takes no functions that do."""
    return [one.clone() if place in written else one for place, one in zip(places, data, strict=True)]


def _find_writes(data: Sequence[torch.Tensor], versions: Sequence[int], places: Sequence[int]) -> set[int]:
    """Return the places of tensors that were written to since they had these versions."""
    return {place for place, one, old in zip(places, data, versions, strict=True) if one._version != old}


def _write(flat: Sequence[Any], places: Sequence[int], data: Sequence[torch.Tensor]) -> None:
    for place, one in zip(places, data, strict=True):
        flat[place]._data.copy_(one)


def _select_outputs(flat: Sequence[Any], types: Types) -> list[tuple[int, Any]]:
    """Return the parts that torch takes, with their places."""
    return [(place, one) for place, one in enumerate(flat) if isinstance(one, Tensor) or place in types]


def _compare(first: Sequence[Any], second: Sequence[Any], types: Types) -> None:
    """Check that both sides of a branch return the same kinds of values."""
    if len(first) != len(second):
        raise RuntimeError("its sides return tuples of different lengths")
    differ: Types = {}
    for place, (left, other) in enumerate(zip(first, second, strict=True)):
        if isinstance(left, Tensor) and isinstance(other, Tensor):
            if left.dtype != other.dtype or left.ndim != other.ndim:
                kinds = f"{left.dtype} of {left.ndim} axes on one side and {other.dtype} of {other.ndim} on the other"
                raise RuntimeError(f"it returns {kinds}")
        elif place not in types and not _same(left, other):
            differ[place] = _type_of(left, other)
    if differ:
        raise _Differ(differ, set())


def _type_of(left: Any, other: Any) -> torch.dtype:
    """Return the type of a Tensor that is one of two values."""
    for value in (left, other):
        if isinstance(value, Tensor):
            return value._data.dtype
    if type(left) not in NUMBERS or type(other) not in NUMBERS:
        raise RuntimeError(f"it returns {type(left).__name__} or {type(other).__name__}, which no tensor can be")
    return torch.promote_types(NUMBERS[type(left)], NUMBERS[type(other)])


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, Tensor) or isinstance(other, Tensor):
        return isinstance(one, Tensor) and isinstance(other, Tensor) and one._data is other._data
    return one is other or (type(one) is type(other) and bool(one == other))


def _as_data(value: Any, dtype: torch.dtype | None) -> torch.Tensor:
    if not isinstance(value, Tensor):
        return torch.full((), value, dtype=dtype)
    return value._data if dtype is None or value._data.dtype == dtype else value._data.to(dtype)


def _as_before(before: Tensor, after: Any) -> torch.Tensor:
    """Return a value after a step of a loop, which is of the kind that it was."""
    data = _as_data(after, before._data.dtype)
    if isinstance(after, Tensor) and after.dtype != before.dtype:
        raise RuntimeError(f"a value in it is {before.dtype} before a step and {after.dtype} after it")
    old, new = tuple(before._data.shape), tuple(data.shape)
    if len(old) != len(new) or not all(statically_known_true(a == b) for a, b in zip(old, new, strict=True)):
        raise RuntimeError(f"a value in it has shape {old} before a step and {new} after it")
    return data


def _truth(value: Any) -> torch.Tensor:
    if not isinstance(value, Tensor):
        return torch.full((), bool(value))
    return value._data.reshape(()).to(torch.bool)


def _copy_shared(results: Sequence[torch.Tensor], given: Sequence[torch.Tensor]) -> tuple[torch.Tensor, ...]:
    """Return results that share no memory with what a function was given, nor with each other, as torch needs it."""
    seen = [_memory(one) for one in given]
    copies = []
    for one in results:
        owned = one.clone() if _memory(one) in seen else one
        seen.append(_memory(owned))
        copies.append(owned)
    return tuple(copies)


def _distinct(data: Sequence[torch.Tensor]) -> tuple[torch.Tensor, ...]:
    """Return tensors that are each another one, as torch needs them."""
    return tuple(one.clone() if any(one is other for other in data[:n]) else one for n, one in enumerate(data))


def _memory(data: torch.Tensor) -> Any:
    return data.untyped_storage()._cdata
