"""The base of the primitives that draw."""

import torch

from msbridge.core.context.context import torch_device
from msbridge.core.random.seeds import sequence
from msbridge.ops.primitive.primitive import Primitive


class Drawing(Primitive):
    """Base of the primitives with a seed: both seeds 0 mean the generator that `set_seed` seeds."""

    seed: int
    seed2: int

    def __init__(self, seed: int = 0, seed2: int = 0) -> None:
        super().__init__(type(self).__name__)
        self.add_prim_attr("seed", seed)
        self.add_prim_attr("seed2", seed2)
        self._generator: torch.Generator | None = None

    @property
    def generator(self) -> torch.Generator | None:
        """The sequence that this object draws from; None is the global one."""
        if self._generator is None and (self.seed, self.seed2) != (0, 0):
            self._generator = sequence(self.seed * 1_000_003 + self.seed2, torch_device())
        return self._generator
