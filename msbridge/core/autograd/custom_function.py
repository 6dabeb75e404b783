"""Functions with a forward and a backward pass, as static methods of a class.

Follows: mindspore.common._Function (2.10).
"""

import inspect
from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.autograd.custom_bprop import fit_gradient
from msbridge.core.autograd.pytree import map_tensors, tensors_of
from msbridge.core.context.grad_state import running
from msbridge.core.runtime.lazy_tensors import materialize
from msbridge.core.tensor.integer_gradients import Dual, history_of, plain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.tensor.thread_local_data import Standpoint

__all__ = ["_Function"]


class _Function:
    """A function with a backward pass of its own; an object of it is the context of one call.

    A script derives from it, defines `forward(ctx, …)` and `backward(ctx, *gradients)` as static methods, and calls
    `apply`. With `setup_context(ctx, inputs, output)`, `forward` is without `ctx`.

    Attributes:
        needs_input_grad: for each input, whether its gradient is asked for.
        saved_tensors: (in `backward`) what `save_for_backward` was given.

    Follows: mindspore.common._Function (2.10).
    """

    needs_input_grad: tuple[bool, ...] = ()
    saved_tensors: tuple[Tensor | None, ...] = ()
    dirty_tensors: tuple[Tensor, ...] = ()
    non_differentiable: tuple[Tensor, ...] = ()
    materialize_grads = True

    @staticmethod
    def forward(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        """Compute the outputs; a subclass defines it."""
        raise NotImplementedError("forward function should be customized.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """Compute the gradients of the inputs from those of the outputs; a subclass defines it."""
        raise NotImplementedError("backward function should be customized.")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Keep what `backward` needs, where `forward` gets no context."""
        raise NotImplementedError("setup_context is not implemented.")

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run the function.

        Raises:
            TypeError: arguments are given by name, and the class has no `setup_context`.
            RuntimeError: something else than Tensors and None is saved; (in the backward pass) `backward` returns fewer
                gradients than there are inputs, or one for what is not a Tensor.
        """
        has_setup = cls.setup_context is not _Function.setup_context
        if has_setup:
            bound = inspect.signature(cls.forward).bind(*args, **kwargs)
            bound.apply_defaults()
            args = bound.args
        elif kwargs:
            raise TypeError("apply() takes no keyword arguments")
        ctx = cls()
        records = running() and torch.is_grad_enabled()
        datas = [history_of(value._data) if isinstance(value, Tensor) else None for value in args]
        ctx.needs_input_grad = tuple(records and data is not None and data.requires_grad for data in datas)
        if not any(ctx.needs_input_grad):
            return ctx._run(args, has_setup)
        structure: list[Any] = []
        tensors = [data for data in datas if data is not None]
        results = _Call.apply(ctx, args, has_setup, structure, *tensors)  # type: ignore[no-untyped-call]
        flat = iter(results if isinstance(results, tuple) else (results,))
        return map_tensors(lambda _: wrap(next(flat)), structure[0])

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep tensors for `backward`, which finds them in `saved_tensors`."""
        self.saved_tensors = tensors

    def mark_dirty(self, *args: Tensor) -> None:
        """Mark the inputs that `forward` changes in place."""
        self.dirty_tensors = args

    def mark_non_differentiable(self, *args: Tensor) -> None:
        """Mark the outputs that have no gradient."""
        self.non_differentiable = args

    def set_materialize_grads(self, value: bool) -> None:
        """Set whether `backward` gets zeros where an output is not used; without, it gets None."""
        self.materialize_grads = value

    def _run(self, args: tuple[Any, ...], has_setup: bool) -> Any:
        if not has_setup:
            return self.forward(self, *args)
        output = self.forward(*args)
        self.setup_context(self, args, output)
        return output


class _Call(torch.autograd.Function):
    """torch's side of a call."""

    @staticmethod
    def forward(
        ctx: Any,
        function: _Function,
        args: tuple[Any, ...],
        has_setup: bool,
        structure: list[Any],
        *datas: torch.Tensor,
    ) -> Any:
        fresh = iter(datas)
        inputs: list[Any] = []
        for value in args:
            if isinstance(value, Tensor):
                data = next(fresh)
                value = wrap(plain(value._data) if isinstance(value._data, Dual) else data)
            inputs.append(value)
        output = function._run(tuple(inputs), has_setup)
        structure.append(output)
        if any(tensor is not None and not isinstance(tensor, Tensor) for tensor in function.saved_tensors):
            raise RuntimeError(f"For '{type(function).__name__}', save_for_backward takes Tensors and None only.")
        dirty = [tensor._data for tensor in function.dirty_tensors]
        outputs = [
            tensor._data.view_as(tensor._data)
            if any(tensor._data is data for data in datas) and not any(tensor._data is data for data in dirty)
            else tensor._data
            for tensor in tensors_of(output)
        ]
        ctx.own, ctx.sources, ctx.standpoint = function, [isinstance(value, Tensor) for value in args], Standpoint()
        ctx.places = _places_of(output)
        ctx.mark_dirty(*dirty)
        ctx.mark_non_differentiable(*(tensor._data for tensor in function.non_differentiable))
        ctx.set_materialize_grads(function.materialize_grads)
        ctx.save_for_backward(*datas, *(None if tensor is None else tensor._data for tensor in function.saved_tensors))
        ctx.count = len(datas)
        return tuple(outputs) if len(outputs) != 1 else outputs[0]

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor | None) -> tuple[Any, ...]:
        function, saved = ctx.own, ctx.saved_tensors
        function.saved_tensors = tuple(None if data is None else wrap(data) for data in saved[ctx.count :])
        with ctx.standpoint:
            given = function.backward(function, *(_gradient(gradients, place) for place in ctx.places))
        results: Sequence[Any] = given if isinstance(given, tuple) else (given,)
        name = f"backward of '{type(function).__name__}'"
        if len(results) < len(ctx.sources):
            raise RuntimeError(f"{name} must return {len(ctx.sources)} gradients, but it returned {len(results)}.")
        of_tensors = []
        datas = iter(saved[: ctx.count])
        for index, result in enumerate(results):
            if result is not None and not isinstance(result, Tensor):
                raise RuntimeError(f"{name} must return Tensors or None, but it returned a {type(result).__name__}.")
            if index < len(ctx.sources) and ctx.sources[index]:
                of_tensors.append(fit_gradient(result, next(datas), name))
            elif result is not None:
                raise RuntimeError(f"{name} must return None for what is not a Tensor: gradient {index}.")
        return None, None, None, None, *of_tensors


def _places_of(output: Any) -> list[int | None]:
    """Return for each output which of the gradients is its own; None for what is not a Tensor."""
    outputs = output if isinstance(output, tuple | list) else (output,)
    counts = [len(tensors_of(one)) for one in outputs]
    return [sum(counts[:index]) if isinstance(one, Tensor) else None for index, one in enumerate(outputs)]


def _gradient(gradients: tuple[torch.Tensor | None, ...], place: int | None) -> Tensor | None:
    data = None if place is None else gradients[place]
    return None if data is None else wrap(materialize(data))
