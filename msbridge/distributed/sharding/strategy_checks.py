"""Checks of a primitive's strategy: several processes carry it out.

One process that represents several only holds it against the inputs, while a Cell is compiled.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from msbridge.core.autograd.pytree import tensors_of
from msbridge.distributed.groups.group import communicator
from msbridge.distributed.parallel import _get_pipeline_stages, _get_stage_device_num, _is_in_auto_parallel_mode
from msbridge.distributed.sharding.preceding import put_class_first
from msbridge.distributed.sharding.strategies import parts_of_call

__all__ = ["checking_strategies", "divide_operator"]

_blocks = 0  # of `checking_strategies` that are open


@contextmanager
def checking_strategies() -> Iterator[None]:
    """Refuse strategies within this block that do not fit the inputs, or the devices of an automatic parallel mode."""
    global _blocks
    _blocks += 1
    try:
        yield
    finally:
        _blocks -= 1


class _Checked:
    """Comes before the class of a primitive that has a strategy."""

    attrs: dict[str, Any]
    name: str

    def __call__(self, *args: Any) -> Any:
        if _blocks and self.attrs.get("in_strategy") and _is_in_auto_parallel_mode():
            shapes = [tensor.shape for tensor in tensors_of(args)]
            parts_of_call(self.name, self.attrs, args, shapes, _get_stage_device_num())
        return super().__call__(*args)  # type: ignore[misc]


_check = put_class_first(_Checked)


def divide_operator(primitive: Any) -> None:
    """Make a primitive carry out its strategy, if there are several processes."""
    if communicator().size == 1:
        _check(primitive)
    elif _get_pipeline_stages() == 1:
        from msbridge.distributed.sharding.operators import divided  # torch's DTensor takes a second to load

        divided(primitive)
