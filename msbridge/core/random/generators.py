"""Random generators as objects, and the pair of seeds that older releases passed to their random kernels."""

import secrets
import struct
from typing import Any

import torch

from msbridge.core.checks.arguments import is_int, non_negative_int
from msbridge.core.context.context import torch_device
from msbridge.core.random import seeds
from msbridge.core.random.seeds import get_rng_state, get_seed, seed_call
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import uint8

__all__ = ["Generator", "default_generator", "graph_seeds", "initial_seed", "manual_seed", "seed", "set_rng_state"]

OFFSET_OF_A_CALL = 12  # what MindSpore's functions move the offset on by
_STATE = struct.Struct("<qq")  # seed, offset
DEFAULT_GRAPH_SEED = 87654321
_MAX_SEED = 2**31 - 1
_STEP = 533697028  # what the second seed of a kernel grows by from call to call: two of the engine's constants, xor'ed


class Generator:
    """A sequence of random numbers of its own, for the functions that take a `generator`.

    It is counter-based: its state is a seed and an offset, which each call moves on, so that the two restore the same
    numbers in any process. It starts from the seed 0; the first call draws what `torch.manual_seed` of the seed does.

    Follows: mindspore.Generator (2.10).
    """

    def __init__(self) -> None:
        self._seed = self._offset = 0

    def _for_call(self) -> torch.Generator | None:
        """Return torch's generator for the next call, and move the offset on."""
        number = mix(self._seed, self._offset) if self._offset else self._seed
        self._offset += OFFSET_OF_A_CALL
        return torch.Generator(torch_device()).manual_seed(number)

    def seed(self) -> int:
        """Start from a random seed, and return it.

        Follows: mindspore.Generator.seed (2.10).
        """
        self.manual_seed(secrets.randbits(32))
        return self.initial_seed()

    def manual_seed(self, seed: int) -> "Generator":
        """Start from a seed, and return this generator.

        Raises:
            TypeError: `seed` is not an int.
            RuntimeError: `seed` has more than 64 bits.

        Follows: mindspore.Generator.manual_seed (2.10).
        """
        self._seed, self._offset = _check_seed(seed), 0
        return self

    def initial_seed(self) -> int:
        """Return the seed that this generator started from.

        Follows: mindspore.Generator.initial_seed (2.10).
        """
        return self._seed

    def get_state(self) -> Tensor:
        """Return the state, 16 of uint8.

        Follows: mindspore.Generator.get_state (2.10).
        """
        return wrap(torch.frombuffer(bytearray(_STATE.pack(self._seed, self._offset)), dtype=torch.uint8))

    def set_state(self, state: Tensor) -> None:
        """Continue from a state that `get_state` returned.

        Raises:
            RuntimeError: `state` is something else.

        Follows: mindspore.Generator.set_state (2.10).
        """
        if not isinstance(state, Tensor) or state.dtype != uint8 or state.size != _STATE.size:
            given = f"{state.dtype} of shape {state.shape}" if isinstance(state, Tensor) else repr(state)
            raise RuntimeError(
                f"For 'Generator.set_state', the state must be what 'get_state' returned, a Tensor of {_STATE.size} "
                f"uint8; got {given}."
            )
        self._seed, self._offset = _STATE.unpack(state.asnumpy().tobytes())

    def __getstate__(self) -> tuple[int, int]:
        return self._seed, self._offset

    def __setstate__(self, state: tuple[int, int]) -> None:
        self.__init__()  # type: ignore[misc]  # nothing is made twice: unpickling has made only the object
        self._seed, self._offset = state


class _Default(Generator):
    """The generator that functions draw from which are given none: torch's own, of any device.

    Its state is torch's: operators draw from it one after the other as torch does, not from an offset.
    """

    def _for_call(self) -> None:
        return None

    def manual_seed(self, seed: int) -> Generator:
        self._seed = _check_seed(seed)
        torch.manual_seed(self._seed)
        return self

    def get_state(self) -> Tensor:
        return get_rng_state()

    def set_state(self, state: Tensor) -> None:
        seeds.set_rng_state(state)
        self._seed = _signed_seed(torch.initial_seed())  # a state of torch's holds the seed that it comes from

    def __reduce__(self) -> str:
        return "default_generator"


default_generator = _Default()


def manual_seed(seed: int) -> Generator:
    """Seed only the operators' generator, and return it.

    Args:
        seed: an int of up to 64 bits.

    Returns:
        The generator.

    Raises:
        TypeError: `seed` is not an int.
        RuntimeError: `seed` has more than 64 bits.

    Follows: mindspore.manual_seed (2.10).
    """
    return default_generator.manual_seed(seed)


def initial_seed() -> int:
    """Return the seed that the operators' generator started from.

    Returns:
        An int.

    Follows: mindspore.initial_seed (2.10).
    """
    return default_generator.initial_seed()


def seed() -> int:
    """Seed the operators' generator with a random number, and return it.

    Returns:
        An int.

    Follows: mindspore.seed (2.10).
    """
    return default_generator.seed()


def set_rng_state(state: Tensor) -> None:
    """Set the state of the default generator, as `get_rng_state` returned it, on this kind of device or on the CPU.

    Args:
        state: a uint8 Tensor.

    Raises:
        RuntimeError: `state` is something else.

    Follows: mindspore.set_rng_state (2.10).
    """
    default_generator.set_state(state)


def _check_seed(seed: Any) -> int:
    if not is_int(seed) and not isinstance(seed, bool):
        raise TypeError(f"For 'manual_seed', the seed must be an int, got {seed!r}.")
    if not -(2**63) <= seed < 2**64:
        raise RuntimeError(f"For 'manual_seed', the seed must have 64 bits at most, got {seed}.")
    return _signed_seed(int(seed))


def _signed_seed(seed: int) -> int:
    """Return a seed as the int64 that MindSpore holds; torch counts without a sign."""
    return (seed + 2**63) % 2**64 - 2**63


def mix(seed: int, offset: int) -> int:
    """Return 64 bits that a seed and an offset set apart from those of their neighbours (SplitMix64)."""
    bits = (seed + offset * 0x9E3779B97F4A7C15) % 2**64
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB % 2**64
    return bits ^ (bits >> 31)


_kernels: dict[tuple[Any, ...], int] = {}


def graph_seeds(op_seed: int | None, kernel_name: str) -> tuple[int, int]:
    """Return the two seeds of a random kernel's next call; (0, 0) where no seed was set.

    The second one differs from call to call, and begins again after `set_seed`.

    Raises:
        ValueError: `op_seed` is negative.

    Follows: mindspore.common.seed._get_graph_seed (2.10).
    """
    of_graph = get_seed()
    of_graph = DEFAULT_GRAPH_SEED if of_graph == 0 else of_graph or 0
    of_kernel = op_seed or 0
    if of_graph == of_kernel == 0:
        return 0, 0
    key = (seed_call(), kernel_name, non_negative_int(of_kernel, "seed", kernel_name))
    current = _kernels.get(key, of_kernel)
    _kernels[key] = current + _STEP
    return of_graph % _MAX_SEED, current % _MAX_SEED
