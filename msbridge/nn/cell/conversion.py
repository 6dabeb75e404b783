"""Moving a Cell's parameters and buffers: to another device, to another dtype.

Follows: mindspore.nn.Cell (2.10).
"""

from collections.abc import Iterator
from typing import Any, Self

import torch

from msbridge.core.checks.arguments import is_int
from msbridge.core.checks.no_effect_warnings import without_effect
from msbridge.core.context.context import device_named, torch_device
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type
from msbridge.nn.cell.state_dict import States
from msbridge.ops.framework.device_placement.forms import destination


class Moving(States):
    """The conversion of a Cell to another device or dtype; Parameters stay the same objects."""

    def to(
        self,
        *args: Any,
        device: str | None = None,
        dtype: Type | None = None,
        tensor: Tensor | None = None,
        non_blocking: bool = False,
    ) -> Self:
        """Move parameters and buffers to another device, change their dtype, or both.

        Args:
            args: a device and a dtype, or a dtype, or a Tensor; then `non_blocking`.
            device: "CPU", "GPU" or "Ascend", or one of several such as "GPU:1".
            dtype: a floating or complex dtype; values of integers and bools keep theirs.
            tensor: a Tensor whose device and dtype are taken.
            non_blocking: do not wait for copies between page-locked memory and the device.

        Raises:
            TypeError: arguments of other types, or a dtype of integers.
            ValueError: there is no such device.
            RuntimeError: the values are on "meta", where there are none to move.

        Follows: mindspore.nn.Cell.to (2.10).
        """
        target = destination(args, device, dtype, tensor, ("non_blocking",), (non_blocking,))
        if target.dtype is not None and not (target.dtype.is_floating_point or target.dtype.is_complex):
            raise TypeError(f"For 'Cell.to', the dtype must be floating or complex, got {target.dtype}.")
        for value in _values_of_cell(self, recurse=True):
            data = value._data
            place = data.device if target.device is None else target.device
            if data.is_meta and place.type != "meta":
                raise RuntimeError("For 'Cell.to', there are no values on 'meta' to move; use Cell.to_empty.")
            is_cast = target.dtype is not None and (data.is_floating_point() or data.is_complex())
            value._data = data.to(place, target.dtype if is_cast else data.dtype, non_blocking=target.flags[0])
        return self

    def to_empty(self, *, device: str | None = None, recurse: bool = True) -> Self:
        """Allocate parameters and buffers on a device, with the values that the memory happens to have.

        Args:
            device: "CPU", "GPU", "Ascend" or "meta"; None is that of the context.
            recurse: those of the Cells below this one, too.

        Raises:
            ValueError: there is no such device.

        Follows: mindspore.nn.Cell.to_empty (2.10).
        """
        place = torch_device() if device is None else device_named(device)
        for value in _values_of_cell(self, recurse):
            value._data = torch.empty_like(value._data, device=place)
        return self

    def offload(self, backward_prefetch: str | int = "Auto") -> None:
        """Keep what the backward pass needs on the host; without effect here, which is said once.

        Raises:
            TypeError: `backward_prefetch` is neither a str nor an int.
            ValueError: it is another str than "Auto", or negative.

        Follows: mindspore.nn.Cell.offload (2.10).
        """
        if not isinstance(backward_prefetch, str) and not is_int(backward_prefetch):
            raise TypeError(
                f"For 'Cell.offload', backward_prefetch must be 'Auto' or an int, got {backward_prefetch!r}."
            )
        if backward_prefetch != "Auto" if isinstance(backward_prefetch, str) else backward_prefetch < 0:
            raise ValueError(
                f"For 'Cell.offload', backward_prefetch must be 'Auto' or at least 0, got {backward_prefetch!r}."
            )
        without_effect("mindspore.nn.Cell.offload.backward_prefetch", backward_prefetch)


def _values_of_cell(cell: States, recurse: bool) -> Iterator[Tensor]:
    for _, parameter in cell.parameters_and_names(expand=recurse):
        yield parameter
    for _, buffer in cell.named_buffers(recurse=recurse):
        yield buffer
