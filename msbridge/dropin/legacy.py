"""Names that scripts import from MindSpore's private modules, on what msbridge has for them."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from msbridge.core.context import get_auto_parallel_context, reset_auto_parallel_context, set_auto_parallel_context

Initialiser = TypeVar("Initialiser", bound=Callable[..., None])


def cell_attr_register(
    fn: Initialiser | None = None, attrs: str | list[str] | None = None
) -> Initialiser | Callable[[Initialiser], Initialiser]:
    """Give a Cell's `__init__` back as it is: MindSpore told equal Cells apart by the arguments it recorded here.

    Args:
        fn: the `__init__` that is decorated; None when arguments are given first.
        attrs: which arguments MindSpore recorded.

    Returns:
        `fn`, or a decorator that gives its argument back.

    Follows: mindspore._extends.cell_attr_register (1.0).
    """
    return (lambda inner: inner) if fn is None else fn


def auto_parallel_context() -> "AutoParallelContext":
    """Give the parallel settings of the process as an object.

    Follows: mindspore.parallel._auto_parallel_context.auto_parallel_context (2.10).
    """
    return AutoParallelContext()


class AutoParallelContext:
    """The settings of `set_auto_parallel_context`, one method each; it holds nothing itself."""

    def set_all_reduce_fusion_split_indices(self, indices: Sequence[int], group: str = "") -> None:
        """Say after which parameters a bundle of gradients ends, for every group."""
        set_auto_parallel_context(all_reduce_fusion_config=list(indices))

    def get_all_reduce_fusion_split_indices(self) -> list[int]:
        """Give the bundles' ends."""
        return list(get_auto_parallel_context("all_reduce_fusion_config"))

    def set_device_num(self, device_num: int) -> None:
        """Set the number of devices."""
        set_auto_parallel_context(device_num=device_num)

    def get_device_num(self) -> int:
        """Give the number of devices."""
        return int(get_auto_parallel_context("device_num"))

    def set_gradients_mean(self, gradients_mean: bool) -> None:
        """Set whether gradients are averaged over the devices, not added."""
        set_auto_parallel_context(gradients_mean=gradients_mean)

    def get_gradients_mean(self) -> bool:
        """Give whether gradients are averaged."""
        return bool(get_auto_parallel_context("gradients_mean"))

    def set_loss_repeated_mean(self, loss_repeated_mean: bool) -> None:
        """Set whether a loss that every device computes is averaged."""
        set_auto_parallel_context(loss_repeated_mean=loss_repeated_mean)

    def set_parallel_mode(self, parallel_mode: str) -> None:
        """Set the parallel mode."""
        set_auto_parallel_context(parallel_mode=parallel_mode)

    def get_parallel_mode(self) -> str:
        """Give the parallel mode."""
        return str(get_auto_parallel_context("parallel_mode"))

    def get_pipeline_stages(self) -> int:
        """Give the number of pipeline stages."""
        return int(get_auto_parallel_context("pipeline_stages"))

    def reset(self) -> None:
        """Set everything back to its default."""
        reset_auto_parallel_context()
