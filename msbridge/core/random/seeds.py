"""The global seed, and the states of the generators that a run draws from."""

import contextlib
import itertools
import os
import random
import struct
import threading
import weakref
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import torch

from msbridge.core.context.context import torch_device
from msbridge.core.runtime.accelerators import random_state, set_random_state
from msbridge.core.tensor.tensor import Tensor, wrap

_state: dict[str, int | None] = {"seed": None}
_calls = itertools.count(1)
_sequences: "weakref.WeakValueDictionary[str, torch.Generator]" = weakref.WeakValueDictionary()
_awaited: dict[str, bytes] = {}  # states of sequences that have not begun in this process
_NUMPY = struct.Struct("<iid")  # position, whether a Gaussian number waits, which
_PYTHON = struct.Struct("<i?d")  # version, whether a Gaussian number waits, which
# Two threads that read a generator's state at once stop for good (torch 2.13): one holds the generator's lock while a
# garbage collection passes the interpreter's lock on, the other waits for it without letting go of the interpreter's.
turn = threading.RLock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=turn.acquire, after_in_parent=turn.release, after_in_child=turn.release)


def set_seed(seed: int) -> None:
    """Seed everything that draws: operators, parameter initialisation, datasets, numpy and Python's random.

    Args:
        seed: in [0, 2^32).

    Raises:
        TypeError: `seed` is not an int.
        ValueError: `seed` is out of range.

    Examples:
        >>> ms.set_seed(1)
        >>> first = ops.randn(2)
        >>> ms.set_seed(1)
        >>> bool((ops.randn(2) == first).all())
        True

    Follows: mindspore.set_seed (2.10).
    """
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise TypeError(f"The argument 'seed' must be type of int, but got {type(seed)}.")
    if not 0 <= seed < 2**32:
        raise ValueError(f"For 'set_seed', seed must be in [0, 2**32), got {seed}.")
    np.random.seed(seed)
    random.seed(seed)
    # torch's own function also keeps a traceback of each call, for a device that may be used later.
    (torch if torch.accelerator.is_available() else torch.default_generator).manual_seed(seed)
    _state["seed"] = seed
    _state["call"] = next(_calls)


def get_seed() -> int | None:
    """Return the seed that was set, or None.

    Returns:
        An int, or None.

    Follows: mindspore.get_seed (2.10).
    """
    return _state["seed"]


def seed_call() -> int | None:
    """Return the number of the last call of `set_seed`, or None; it shows which of two seeds is newer."""
    return _state.get("call")


@contextlib.contextmanager
def without_seed() -> Iterator[None]:
    """Run a block as a process begins, without a seed of `set_seed` or of the pipelines; restore both when it ends."""
    before = dict(_state)
    _state.update(seed=None, call=next(_calls))
    try:
        yield
    finally:
        _state.clear()
        _state.update(before)


def get_rng_state() -> Tensor:
    """Return the state of the operators' generator, uint8; on an accelerator, the states of the CPU's and of its own.

    Returns:
        A uint8 Tensor of shape (n,).

    Follows: mindspore.get_rng_state (2.10).
    """
    with turn:
        own = random_state(torch_device())
        return wrap(torch.cat([torch.get_rng_state(), *([] if own is None else [own])]))


def set_rng_state(state: Tensor) -> None:
    """Set the operators' generator to a state that `get_rng_state` returned, on this kind of device or on the CPU.

    Args:
        state: a uint8 Tensor.

    Raises:
        RuntimeError: `state` is something else.
    """
    data = state._data.cpu() if isinstance(state, Tensor) else None
    with turn:
        size = torch.get_rng_state().numel()
    if data is None or data.dtype != torch.uint8 or data.dim() != 1 or len(data) < size:
        given = repr(state) if data is None else f"a Tensor of shape {state.shape} and dtype {state.dtype}"
        raise RuntimeError(
            f"For 'set_rng_state', the state must be what 'get_rng_state' returned, a Tensor of at least {size} uint8; "
            f"got {given}."
        )
    with turn:
        torch.set_rng_state(data[:size])
        if len(data) > size:
            set_random_state(torch_device(), data[size:])


class SameDraws:
    """A block that draws the random numbers which were next when this was made; those after it continue as before."""

    def __init__(self) -> None:
        self._state = get_rng_state()

    def __enter__(self) -> None:
        self._before = get_rng_state()
        set_rng_state(self._state)

    def __exit__(self, *error: object) -> None:
        set_rng_state(self._before)


class _Sequence(torch.Generator):
    """A generator that weak references can refer to, which torch's own allow in some releases only (2.13, not 2.9)."""


def sequence(seed: int, device: torch.device) -> torch.Generator:
    """Make a generator that draws from a sequence of its own, and whose state is one of the `generator_states`."""
    generator: torch.Generator = _Sequence(device).manual_seed(seed)
    name = next(name for number in itertools.count() if (name := f"{seed}.{number}") not in _sequences)
    _sequences[name] = generator
    if name in _awaited:
        _set_sequence(generator, _awaited.pop(name))
    return generator


def generator_states() -> dict[str, bytes]:
    """Return the states of all generators of this process, by name."""
    version, words, gauss = random.getstate()
    states = {
        "operators": get_rng_state().asnumpy().tobytes(),
        "python": np.asarray(words, "<u4").tobytes() + _PYTHON.pack(version, gauss is not None, gauss or 0.0),
        **{f"sequence {name}": _bytes(generator.get_state()) for name, generator in _sequences.items()},
    }
    found: Any = np.random.get_state(legacy=False)
    if found["bit_generator"] == "MT19937":  # unless a script put another kind of generator in place of numpy's own
        numbers = found["state"]["pos"], found["has_gauss"], found["gauss"]
        states["numpy"] = np.asarray(found["state"]["key"], "<u4").tobytes() + _NUMPY.pack(*numbers)
    return states


def set_generator_states(states: Mapping[str, bytes]) -> None:
    """Set the generators to the states that `generator_states` returned, perhaps in another process.

    A sequence that has not begun in this process is set when it does.

    Raises:
        RuntimeError, ValueError, struct.error: a state is damaged.
    """
    _awaited.clear()
    for name, state in states.items():
        if name == "operators":
            set_rng_state(wrap(_tensor(state)))
        elif name == "numpy":
            keys, numbers = state[: -_NUMPY.size], _NUMPY.unpack(state[-_NUMPY.size :])
            if not 0 <= numbers[0] <= len(keys) // 4:  # numpy would read there
                raise ValueError(f"place {numbers[0]} of {len(keys) // 4} numbers")
            np.random.set_state(("MT19937", np.frombuffer(keys, "<u4"), *numbers))
        elif name == "python":
            words = tuple(np.frombuffer(state[: -_PYTHON.size], "<u4").tolist())
            version, has_gauss, gauss = _PYTHON.unpack(state[-_PYTHON.size :])
            random.setstate((version, words, gauss if has_gauss else None))
        elif generator := _sequences.get(name.removeprefix("sequence ")):
            _set_sequence(generator, state)
        else:
            _awaited[name.removeprefix("sequence ")] = state


def _set_sequence(generator: torch.Generator, state: bytes) -> None:
    generator.set_state(_tensor(state))


def _tensor(state: bytes) -> torch.Tensor:
    return torch.frombuffer(bytearray(state), dtype=torch.uint8)


def _bytes(state: torch.Tensor) -> bytes:
    return state.numpy().tobytes()
