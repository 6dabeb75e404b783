"""Parameters, initializers and settings of parallel training of 1.1."""

from functools import wraps
from typing import Any

from msbridge.core.context import context
from msbridge.core.legacy import r1_3
from msbridge.core.legacy.r2_0_parallel import refuse_settings
from msbridge.core.parameter import initializer
from msbridge.core.parameter.parallel_attributes import attribute
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor

_LATER_SETTINGS = {
    "communi_parallel_mode",
    "grad_accumulation_step",
    "group_ckpt_save_file",
    "optimizer_weight_shard_aggregated_save",
    "optimizer_weight_shard_size",
}
_today_initializer = initializer.initializer


class MetaTensor(Tensor):
    """A Tensor that is filled when it is used, as `initializer` returns it; its shape is a list.

    Follows: mindspore.common.tensor.MetaTensor (1.1).
    """

    def __init__(self, dtype: Any, shape: Any, init: Any = None) -> None:
        super().__init__(dtype=dtype, shape=tuple(shape), init=init)

    @property
    def shape(self) -> Any:
        """Length of each axis."""
        return list(super().shape)


@wraps(_today_initializer)
def _initializer(init: Any, shape: Any = None, *args: Any, **kwargs: Any) -> Tensor:
    """Return a MetaTensor that `init` fills, or the Tensor that is given."""
    made = _today_initializer(init, shape, *args, **kwargs)
    if made is not init:
        object.__setattr__(made, "__class__", MetaTensor)
    return made


def _text(self: Parameter) -> str:
    return f"Parameter (name={self.name})"


@wraps(context.set_auto_parallel_context)
def _set_auto_parallel_context(**settings: Any) -> None:
    refuse_settings(_LATER_SETTINGS, settings)
    r1_3.set_auto_parallel_context(**settings)


OVERRIDES = {
    "MetaTensor": MetaTensor,
    "Parameter.__repr__": _text,
    "Parameter.__str__": _text,
    "Parameter.cache_enable": attribute("cache_enable", False),
    "Parameter.cache_shape": attribute("cache_shape", []),
    "Parameter.comm_fusion": attribute("comm_fusion", 1),
    "Parameter.parallel_optimizer": attribute("parallel_optimizer", True),
    "context.set_auto_parallel_context": _set_auto_parallel_context,
    "initializer.initializer": _initializer,
}
