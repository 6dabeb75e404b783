"""The global seed.

Follows: mindspore.set_seed, mindspore.get_seed (2.10).
"""

import itertools
import random

import numpy as np
import torch

from msbridge.core.tensor import Tensor, wrap

_state: dict[str, int | None] = {"seed": None}
_calls = itertools.count(1)


def set_seed(seed: int) -> None:
    """Seed everything that draws: operators, parameter initialisation, datasets, numpy and Python's random.

    Args:
        seed: in [0, 2^32).

    Raises:
        TypeError: `seed` is not an int.
        ValueError: `seed` is out of range.

    Follows: mindspore.set_seed (2.10).
    """
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise TypeError(f"The argument 'seed' must be type of int, but got {type(seed)}.")
    if not 0 <= seed < 2**32:
        raise ValueError(f"For 'set_seed', seed must be in [0, 2**32), got {seed}.")
    np.random.seed(seed)
    random.seed(seed)
    torch.manual_seed(seed)
    _state["seed"] = seed
    _state["call"] = next(_calls)


def get_seed() -> int | None:
    """Return the seed that was set, or None.

    Follows: mindspore.get_seed (2.10).
    """
    return _state["seed"]


def seed_call() -> int | None:
    """Return the number of the last call of `set_seed`, or None; it tells which of two seeds is newer."""
    return _state.get("call")


def manual_seed(seed: int) -> None:
    """Seed the operators' generator alone.

    Follows: mindspore.manual_seed (2.10).
    """
    torch.manual_seed(seed)


def initial_seed() -> int:
    """Return the seed that the operators' generator started from.

    Follows: mindspore.initial_seed (2.10).
    """
    return torch.initial_seed()


def get_rng_state() -> Tensor:
    """Return the state of the operators' generator, uint8.

    Follows: mindspore.get_rng_state (2.10).
    """
    return wrap(torch.get_rng_state())


def set_rng_state(state: Tensor) -> None:
    """Set the operators' generator to a state that `get_rng_state` returned.

    Follows: mindspore.set_rng_state (2.10).
    """
    torch.set_rng_state(state._data)
