"""Names that 2.0 published beside today's, for what has another name now."""

from typing import Any

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.operations import Fill, Neg


def to_tensor(
    self: Tensor, slice_index: int | None = None, shape: list[int] | None = None, opt_shard_group: str | None = None
) -> Tensor:
    """Compute what an initializer describes; `init_data` does it.

    Follows: mindspore.Tensor.to_tensor (2.0).
    """
    return self.init_data(slice_index, shape, opt_shard_group)


OVERRIDES: dict[str, Any] = {
    "Tensor.to_tensor": to_tensor,
    "ops.fill_": Fill(),
    "ops.neg_tensor": Neg(),
}
