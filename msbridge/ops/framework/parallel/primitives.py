"""Primitives of divided networks: another division of a Tensor, and a function of a script."""

import inspect
from collections.abc import Callable
from typing import Any

from msbridge.core.autograd.custom_bprop import with_bprop
from msbridge.core.context import context
from msbridge.core.context.grad_state import state
from msbridge.core.tensor.tensor import Tensor
from msbridge.distributed.layout import Layout
from msbridge.ops.primitive.primitive import Primitive


class Reshard(Primitive):
    """Divide a Tensor over the processes as Layouts say; its values stay.

    Args:
        in_layout: a tuple of the Layout.
        out_layout: the same.
        in_strategy: a tuple of the numbers of parts that follow from it; kept.

    Inputs:
        tensor: any shape and dtype.

    Outputs:
        A Tensor of the shape and dtype of `tensor`.

    Raises:
        TypeError: a layout is not a tuple of Layouts.

    Follows: mindspore.ops.operations.reshard_ops.Reshard (2.10).
    """

    def __init__(self, in_layout: tuple[Layout], out_layout: tuple[Layout], in_strategy: Any) -> None:
        super().__init__("Reshard")
        for name, value in (("in_layout", in_layout), ("out_layout", out_layout), ("in_strategy", in_strategy)):
            self.add_prim_attr(name, value)
        self.shard(in_layout, out_layout)

    def __call__(self, tensor: Tensor) -> Tensor:
        return tensor


class Morph(Primitive):
    """A function of a script as a primitive.

    Args:
        fn: the function, of Tensors.
        infer_shape: the output's shapes from the inputs'; not needed to compute, and kept.
        infer_dtype: likewise for dtypes.
        bprop_fn: the gradients from the inputs, the output and its gradient; None for those of `fn`.

    Inputs:
        args: what `fn` takes.

    Outputs:
        What `fn` returns.

    Raises:
        ValueError: there is a `bprop_fn`, and `fn` has a parameter that is not plainly positional.
        RuntimeError: (when called) the mode is not graph mode.

    Follows: mindspore.ops.Morph (2.10).
    """

    def __init__(
        self,
        fn: Callable[..., Any],
        infer_shape: Callable[..., Any],
        infer_dtype: Callable[..., Any],
        bprop_fn: Callable[..., Any] | None = None,
    ) -> None:
        super().__init__("Morph")
        given = {"fn": fn, "infer_shape": infer_shape, "infer_dtype": infer_dtype, "bprop_fn": bprop_fn}
        for name, value in given.items():
            self.add_prim_attr(name, value)
        for name in ("side_effect_backprop", "side_effect_mem", "side_effect_io", "__metamorphosis__"):
            self.add_prim_attr(name, True)
        if bprop_fn is not None:
            _check_parameters(fn)
        self.init_attrs = given

    def __call__(self, *args: Any) -> Any:
        if context.get_context("mode") != context.GRAPH_MODE and not state.is_graph:
            raise RuntimeError("Morph is only supported in GRAPH_MODE.")
        return self.fn(*args) if self.bprop_fn is None else with_bprop(self.fn, self.bprop_fn, args)


def _check_parameters(fn: Callable[..., Any]) -> None:
    for parameter in inspect.signature(fn).parameters.values():
        is_plain = parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
        if not is_plain or parameter.default is not inspect.Parameter.empty:
            raise ValueError(
                f"For 'Morph' with 'bprop_fn', 'fn' must have plain parameters without defaults, but got {parameter}."
            )
