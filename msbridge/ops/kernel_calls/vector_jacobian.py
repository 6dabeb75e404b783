"""Gradients of computations for given gradients of their results: operators that are gradients rest on it."""

from collections.abc import Callable
from typing import Any

import torch

from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap


def vjp(
    forward: Callable[..., torch.Tensor | tuple[torch.Tensor, ...]],
    cotangents: torch.Tensor | tuple[torch.Tensor, ...],
    inputs: tuple[torch.Tensor, ...],
) -> tuple[torch.Tensor, ...]:
    """Return the gradients of `forward(*inputs)` for given gradients of what it returns; zeros where there is none.

    What is being recorded stays so: a gradient of these gradients can be asked for.
    """
    cotangents = cotangents if isinstance(cotangents, tuple) else (cotangents,)
    is_recorded = torch.is_grad_enabled() and any(one.requires_grad for one in (*inputs, *cotangents))
    with torch.enable_grad():
        leaves = [one if one.requires_grad and is_recorded else one.detach().requires_grad_() for one in inputs]
        outputs = forward(*leaves)
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        pairs = zip(outputs, cotangents, strict=True)
        outputs, cotangents = zip(*((out, seed.to(out.dtype)) for out, seed in pairs if out.requires_grad), strict=True)
        return torch.autograd.grad(
            outputs, leaves, cotangents, create_graph=is_recorded, allow_unused=True, materialize_grads=True
        )


def backward(
    op: str, forward: Callable[..., Any], cotangents: Tensor | tuple[Tensor, ...], *inputs: Tensor
) -> tuple[Tensor, ...]:
    """Return the gradients of `forward`, a function on torch tensors, as Tensors; explain a failure."""
    try:
        seeds = cotangents if isinstance(cotangents, tuple) else (cotangents,)
        datas = tuple(one._data for one in inputs)
        return tuple(map(wrap, vjp(forward, tuple(seed._data for seed in seeds), datas)))
    except Exception as error:
        raise explain(error, op, cotangents=cotangents, inputs=inputs) from error
