"""Names that 1.10 published in `ops`, and 2.0 no more."""

from typing import Any

from msbridge.core.runtime.lazy_names import import_path
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.framework.composite.transforming import Vmap
from msbridge.ops.random.choices.primitives import RandomShuffle
from msbridge.ops.shape.joining.functions import stack
from msbridge.ops.sparse.sparse_tensors.functions import coo_add, coo_concat

_KINDS = {kind.__name__: kind for kind in import_path("msbridge.contrib.ops.internal.language._CLASSES").values()}


def pack(x: tuple[Tensor, ...]) -> Tensor:
    """Join Tensors along a new first axis, as `stack` does.

    Follows: mindspore.ops.pack (1.10).
    """
    return stack(x)


def random_shuffle(x: Tensor, seed: int = 0, seed2: int = 0) -> Tensor:
    """Bring the elements along the first axis into random order.

    Follows: mindspore.ops.random_shuffle (1.10).
    """
    shuffled: Tensor = RandomShuffle(seed, seed2)(x)
    return shuffled


OVERRIDES: dict[str, Any] = {
    "ops.isinstance_": _KINDS["IsInstance"](),
    "ops.pack": pack,
    "ops.random_shuffle": random_shuffle,
    "ops.same_type_shape": _KINDS["SameTypeShape"](),
    "ops.sparse_add": coo_add,
    "ops.sparse_concat": coo_concat,
    "ops.vmap_instance": Vmap(),
}
