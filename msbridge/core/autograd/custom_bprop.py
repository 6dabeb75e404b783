"""Functions with a backward pass of their own, as Cells that define `bprop` have."""

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from msbridge.core.autograd.none_gradients import note_none
from msbridge.core.autograd.pytree import leaves_like, map_tensors, tensors_of
from msbridge.core.context import context
from msbridge.core.context.grad_state import running
from msbridge.core.runtime.lazy_tensors import materialize
from msbridge.core.tensor.integer_gradients import Dual, history_of, plain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.tensor.thread_local_data import Standpoint
from msbridge.core.torch_private import TransformType, peek_interpreter_stack

__all__ = ["fit_gradient", "in_order", "with_bprop"]


def with_bprop(construct: Callable[..., Any], bprop: Callable[..., Any], args: Iterable[Any]) -> Any:
    """Run `construct(*args)`; its gradient comes from `bprop(*args, out, dout)`, and parameters in it have none.

    Raises:
        NotImplementedError: in forward mode, for which a backward pass says nothing.
        RuntimeError: (in the backward pass) `bprop` returns fewer gradients than there are inputs, or one of another
            shape than its input.
        TypeError: (in the backward pass) `bprop` returns None, or a gradient is not a Tensor; with
            `set_context(check_bprop=True)` of another dtype than its input, or there are too many.
        ValueError: (in the backward pass) with `set_context(check_bprop=True)` a gradient has another shape.
    """
    arguments = tuple(args)
    interpreter = peek_interpreter_stack()
    if interpreter is None:
        if not (running() and torch.is_grad_enabled()):
            return construct(*arguments)
        datas = [history_of(value._data) for value in tensors_of(arguments)]
        if not any(data.requires_grad for data in datas):
            with torch.no_grad():
                return construct(*arguments)
    else:
        if interpreter.key() is TransformType.Jvp:
            raise NotImplementedError("there is no forward mode of what has a backward pass of its own")
        datas = [value._data for value in tensors_of(arguments)]
    run = _Run(construct, bprop, arguments)
    results = _Bprop.apply(run, *datas)  # type: ignore[no-untyped-call]  # torch 2.13 has no types for apply
    flat = iter(results if isinstance(results, tuple) else (results,))
    return map_tensors(lambda _: wrap(next(flat)), run.outputs[-1])


def in_order(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """Return the arguments of a call in the order of the parameters, defaults too."""
    bound = inspect.signature(function).bind(*args, **kwargs)
    bound.apply_defaults()
    return bound.args


@dataclass(slots=True)
class _Run:
    """A call: what runs, and the outputs that it returned, which the tensors between torch and it are taken from."""

    construct: Callable[..., Any]
    bprop: Callable[..., Any]
    arguments: tuple[Any, ...]
    outputs: list[Any] = field(default_factory=list)


class _Bprop(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(run: _Run, *datas: torch.Tensor) -> Any:
        output = run.construct(*_refill(run.arguments, datas))
        run.outputs.append(output)
        outputs = [tensor._data for tensor in tensors_of(output)]
        return tuple(outputs) if len(outputs) != 1 else outputs[0].view_as(outputs[0])

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        run, *datas = inputs
        ctx.run, ctx.output, ctx.standpoint, ctx.count = run, run.outputs[-1], Standpoint(), len(datas)
        ctx.save_for_backward(*datas, *(output if isinstance(output, tuple) else (output,)))

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[Any, ...]:
        saved = ctx.saved_tensors
        datas, outputs = saved[: ctx.count], iter(saved[ctx.count :])
        arguments = _refill(ctx.run.arguments, datas)
        output = map_tensors(lambda _: wrap(next(outputs)), ctx.output)
        flat = map(materialize, gradients)
        dout = map_tensors(lambda _: wrap(next(flat)), ctx.output)
        with ctx.standpoint:
            result = ctx.run.bprop(*arguments, output, dout)
        if result is None:
            raise TypeError("bprop must return gradients, but it returned None.")
        result = result if isinstance(result, tuple | list) else (result,)
        if len(result) == 2 and isinstance(result[0], tuple) and len(arguments) != 2:
            result = result[0]
        if len(result) < len(arguments):
            raise RuntimeError(
                f"bprop must return one gradient for each of its {len(arguments)} inputs, got {len(result)}."
            )
        is_checked = context.get_context("check_bprop")
        if is_checked and len(result) > len(arguments):
            raise TypeError(f"bprop must return {len(arguments)} gradients, got {len(result)}.")
        sources = iter(datas)
        return None, *_of_tensors(result, arguments, sources, is_checked)


def fit_gradient(gradient: Any, source: torch.Tensor, name: str) -> torch.Tensor | None:
    """Return a script's gradient in the shape and dtype of `source`, of which it is.

    None means zeros. A gradient of what `source` was broadcast to is summed over the new axes.

    Raises:
        RuntimeError: `source` cannot be broadcast to its shape.
        TypeError: it is not a Tensor and no number.
    """
    if gradient is None:
        return None
    if isinstance(gradient, Tensor):
        data = gradient._data
    elif isinstance(gradient, int | float):
        data = source.new_tensor(gradient)
    else:
        raise TypeError(f"{name} must return Tensors for gradients, got a {type(gradient).__name__}.")
    if data.shape != source.shape:
        if data.dim() == 0:
            raise RuntimeError(f"{name} must return a gradient of shape {tuple(source.shape)}, got a scalar.")
        try:
            data = data.sum_to_size(source.shape)
        except RuntimeError:
            raise RuntimeError(
                f"{name} must return a gradient of shape {tuple(source.shape)}, but it is {tuple(data.shape)}."
            ) from None
    return data.to(source.dtype)


def _of_tensors(
    result: Sequence[Any], arguments: tuple[Any, ...], sources: Iterator[torch.Tensor], is_checked: bool
) -> Iterator[torch.Tensor | None]:
    """Yield a gradient for each Tensor in the arguments; those of a container's come in one like it."""
    for gradient, argument in zip(result, arguments, strict=False):
        tensors = tensors_of(argument)
        given: Sequence[Any] = [gradient]
        if not isinstance(argument, Tensor) and tensors:
            given = leaves_like(argument, gradient)
        for value, tensor, source in zip(given, tensors, sources, strict=False):
            if value is None:
                note_none(source)
            if is_checked and isinstance(value, Tensor):
                if value.shape != tensor.shape:
                    raise ValueError(f"bprop must return a gradient of shape {tensor.shape}, but it is {value.shape}.")
                if value.dtype != tensor.dtype:
                    raise TypeError(f"bprop must return a gradient of {tensor.dtype}, but it is of {value.dtype}.")
            yield fit_gradient(value, source, "bprop") if source.is_floating_point() or source.is_complex() else None


def _refill(arguments: tuple[Any, ...], datas: Sequence[torch.Tensor]) -> tuple[Any, ...]:
    """Substitute `datas` where the Tensors are in `arguments`; integers stay."""
    fresh = iter(datas)

    def refill(tensor: Tensor) -> Tensor:
        data = next(fresh)
        return wrap(plain(tensor._data) if isinstance(tensor._data, Dual) else data)

    filled: tuple[Any, ...] = map_tensors(refill, arguments)
    return filled
