"""The global seed.

Follows: mindspore.set_seed, mindspore.get_seed (2.10).
"""

import random

import numpy as np
import torch

_state: dict[str, int | None] = {"seed": None}


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
    np.random.seed(seed)  # noqa: NPY002 - scripts draw from numpy's global state, and expect it seeded
    random.seed(seed)
    torch.manual_seed(seed)
    _state["seed"] = seed


def get_seed() -> int | None:
    """Give the seed that was set, or None.

    Follows: mindspore.get_seed (2.10).
    """
    return _state["seed"]
