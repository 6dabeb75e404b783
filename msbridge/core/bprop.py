"""Functions with a backward pass of their own, as Cells that define `bprop` have."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch

from msbridge.core.recording import Standpoint, running
from msbridge.core.tensor import Tensor, wrap
from msbridge.core.trees import map_tensors, tensors_of


def with_bprop(construct: Callable[..., Any], bprop: Callable[..., Any], args: Iterable[Any]) -> Any:
    """Run `construct(*args)`; its gradient comes from `bprop(*args, out, dout)`.

    Raises:
        RuntimeError: (in the backward pass) `bprop` returns fewer gradients than there are inputs.
    """
    arguments = tuple(args)
    datas = [value._data for value in arguments if isinstance(value, Tensor)]
    if not (running() and torch.is_grad_enabled() and any(data.requires_grad for data in datas)):
        return construct(*arguments)
    structure: list[Any] = []
    results = _Bprop.apply(construct, bprop, arguments, structure, *datas)  # type: ignore[no-untyped-call]  # torch 2.13 has no types for apply
    flat = iter(results if isinstance(results, tuple) else (results,))
    return map_tensors(lambda _: wrap(next(flat)), structure[0])


class _Bprop(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, construct: Any, bprop: Any, arguments: tuple[Any, ...], structure: list[Any], *datas: torch.Tensor
    ) -> Any:
        output = construct(*_refilled(arguments, datas))
        structure.append(output)
        outputs = [tensor._data for tensor in tensors_of(output)]
        ctx.bprop, ctx.arguments, ctx.structure, ctx.standpoint = bprop, arguments, output, Standpoint()
        ctx.count = len(datas)
        ctx.save_for_backward(*datas, *outputs)
        return tuple(outputs) if len(outputs) != 1 else outputs[0].view_as(outputs[0])

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[Any, ...]:
        saved = ctx.saved_tensors
        datas, outputs = saved[: ctx.count], iter(saved[ctx.count :])
        arguments = _refilled(ctx.arguments, datas)
        output = map_tensors(lambda _: wrap(next(outputs)), ctx.structure)
        flat = iter(gradients)
        dout = map_tensors(lambda _: wrap(next(flat)), ctx.structure)
        with ctx.standpoint:
            result = ctx.bprop(*arguments, output, dout)
        result = result if isinstance(result, tuple | list) else (result,)
        if len(result) == 2 and isinstance(result[0], tuple) and len(arguments) != 2:
            result = result[0]
        if len(result) < len(arguments):
            raise RuntimeError(
                f"bprop must give one gradient for each of its {len(arguments)} inputs, but it gave {len(result)}."
            )
        of_tensors = [
            _fitted(gradient, argument)
            for gradient, argument in zip(result, arguments, strict=False)
            if isinstance(argument, Tensor)
        ]
        return None, None, None, None, *of_tensors


def _refilled(arguments: tuple[Any, ...], datas: Sequence[torch.Tensor]) -> tuple[Any, ...]:
    """Substitute `datas` where the Tensors stand in `arguments`."""
    fresh = iter(datas)
    return tuple(wrap(next(fresh)) if isinstance(value, Tensor) else value for value in arguments)


def _fitted(gradient: Any, argument: Tensor) -> torch.Tensor | None:
    if not isinstance(gradient, Tensor) or not argument._data.is_floating_point():
        return None
    return gradient._data.to(argument._data.dtype).expand(argument._data.shape)
