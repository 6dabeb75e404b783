"""Runs that continue where an earlier one ended: the random state that checkpoints hold, from saving to training on.

MindSpore's checkpoints hold no random state. `ModelCheckpoint` adds it as one more entry where `append_info` asks for
the position of the run. Loading that checkpoint into a network changes nothing: the state waits until `Model.train`
continues with that network, from an epoch or a step above 0.
"""

import json
import struct
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from msbridge.core.random.seeds import generator_states, set_generator_states
from msbridge.core.tensor.tensor import Tensor
from msbridge.dataset import config
from msbridge.nn.cell.cell import Cell

__all__ = ["ENTRY", "RandomState", "Start", "remember", "start_of"]

ENTRY = "msbridge.random_state"  # its name in a checkpoint
_FORMAT = 1
_DAMAGE = (ValueError, KeyError, TypeError, AttributeError, RuntimeError, struct.error)
_GLOBAL = ("numpy", "python")  # generators that Python functions of a pipeline may draw from

_remembered: "WeakKeyDictionary[Cell, Tensor]" = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class RandomState:
    """The random state of a run between two steps."""

    data_seed: int | None  # from which the run's dataset draws orders and transforms; None where no `Model` trains
    generators: Mapping[str, bytes]  # the states of the generators, by name

    @classmethod
    def now(cls, data_seed: int | None) -> "RandomState":
        """Return the state at this moment."""
        return cls(data_seed, generator_states())

    @classmethod
    def read(cls, entry: Tensor) -> "RandomState":
        """Return the state that an entry of a checkpoint holds.

        Raises:
            ValueError, KeyError, TypeError: it holds none.
        """
        header, line_end, content = entry.asnumpy().tobytes().partition(b"\n")
        described = json.loads(header)
        if described["format"] != _FORMAT or not line_end or sum(described["sizes"].values()) != len(content):
            raise ValueError(f"{ENTRY} is of another format than {_FORMAT}, or cut off")
        generators, start = {}, 0
        for name, size in described["sizes"].items():
            generators[name] = content[start : start + size]
            start += size
        return cls(described["data_seed"], generators)

    def entry(self) -> Tensor:
        """Return the state as an entry of a checkpoint: a line of JSON, and the states one after another; uint8."""
        sizes = {name: len(state) for name, state in self.generators.items()}
        header = json.dumps({"format": _FORMAT, "data_seed": self.data_seed, "sizes": sizes})
        content = b"".join([header.encode(), b"\n", *self.generators.values()])
        return Tensor(np.frombuffer(content, np.uint8))

    def restore(self) -> None:
        """Set the generators; those of Python's functions only where these are not called once more (see `config`)."""
        kept = () if config.get_fast_recovery() else _GLOBAL
        try:
            set_generator_states({name: state for name, state in self.generators.items() if name not in kept})
        except _DAMAGE as error:
            _tell(error)


def remember(network: Any, loaded: Mapping[str, Any]) -> None:
    """Keep the random state, if there is one among loaded parameters, for a run that continues with `network`."""
    if isinstance(network, Cell):
        _remembered.pop(network, None)
        if isinstance(entry := loaded.get(ENTRY), Tensor):
            _remembered[network] = entry


@dataclass(frozen=True, slots=True)
class Start:
    """The place where a run begins."""

    step: int  # in the data, counted over all passes
    data_seed: int  # from which the dataset draws orders and transforms
    state: RandomState | None  # the random state to begin with; None leaves it as it is


def start_of(network: Cell, dataset: Any, done_epochs: int, epoch_size: int) -> Start:
    """Return the start of a run: the dataset's initial step if one is set, else after the epochs that are done.

    Args:
        network: the train network; a random state that was loaded into it is taken where the run continues.
        dataset: the training data.
        done_epochs: how many epochs are done.
        epoch_size: steps of an epoch.
    """
    step = getattr(dataset, "get_init_step", int)() or done_epochs * epoch_size
    state = _take(network)
    if step == 0 or state is None:
        return Start(step, config.draw_seed(), None)
    return Start(step, config.draw_seed() if state.data_seed is None else state.data_seed, state)


def _take(network: Cell) -> RandomState | None:
    """Return the random state that was loaded into a network or a part of it, and forget it; None without."""
    found = [_remembered.pop(cell, None) for _, cell in network.cells_and_names()]
    entry = next((one for one in found if one is not None), None)
    if entry is None:
        return None
    try:
        return RandomState.read(entry)
    except _DAMAGE as error:
        _tell(error)
        return None


def _tell(error: Exception) -> None:
    warnings.warn(
        f"The checkpoint's {ENTRY} cannot be read ({error}); the run continues with other random numbers.", stacklevel=7
    )
