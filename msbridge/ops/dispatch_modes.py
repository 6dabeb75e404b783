"""Modes that a script's own method stands in for the operators of a block."""

from collections.abc import Callable, Mapping
from contextlib import ContextDecorator
from functools import cache
from types import TracebackType
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from msbridge.core import torch_private
from msbridge.core.runtime.lazy_names import names_in
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.torch_private import tree_map
from msbridge.ops.public_names import PRIMITIVES

__all__ = ["MsDispatchMode", "OpFunc"]

# What torch's functions are called by the operator that computes the same, where that is not their own name.
_NAMES: Mapping[str, str] = {
    "true_divide": "Div",
    "gt": "Greater",
    "lt": "Less",
    "ge": "GreaterEqual",
    "le": "LessEqual",
    "eq": "Equal",
    "ne": "NotEqual",
    "mm": "MatMul",
    "bmm": "BatchMatMul",
    "linear": "Dense",
    "sum": "ReduceSum",
    "mean": "ReduceMean",
    "prod": "ReduceProd",
    "amax": "ReduceMax",
    "amin": "ReduceMin",
    "all": "ReduceAll",
    "any": "ReduceAny",
    "cat": "Concat",
    "permute": "Transpose",
    "t": "Transpose",
    "view": "Reshape",
    "unsqueeze": "ExpandDims",
    "expand": "BroadcastTo",
    "where": "Select",
    "gather": "GatherD",
    "index_select": "Gather",
    "embedding": "Gather",
    "getitem": "StridedSlice",
    "floor_divide": "FloorDiv",
    "remainder": "FloorMod",
    "log_softmax": "LogSoftmax",
    "scaled_dot_product_attention": "FlashAttentionScore",
    "to": "Cast",
    "long": "Cast",
    "gelu": "GeLU",
    "setitem": "TensorCopySlices",
}
# What computes nothing: it looks at a tensor, hands it to the host, or arranges gradients.
_LOOKS = (
    "as_tensor backward bool clone contiguous cpu cuda data_ptr detach dim element_size float format from_numpy get "
    "hash index int is_complex is_conj is_contiguous is_floating_point is_inference is_neg is_tensor item iter len "
    "normal numel numpy register_hook repr requires_grad resolve_conj resolve_neg result_type retain_grad set "
    "set_grad_enabled size storage_offset stride tensor tolist type uniform untyped_storage"
)
_NO_OPERATORS = frozenset(_LOOKS.split())


class OpFunc:
    """An operator that was about to run.

    Attributes:
        name: what MindSpore calls it.
        failure: what it raised, if it failed.
        trace: where it raised that.
    """

    __slots__ = ("_function", "_kinds", "_settings", "failure", "name", "trace")

    def __init__(self, name: str, function: Callable[..., Any], settings: Mapping[str, Any]) -> None:
        self.name, self._function, self._settings = name, function, settings
        self._kinds: tuple[type, ...] = (Tensor, tuple, list)
        self.failure: Exception | None = None
        self.trace: TracebackType | None = None

    def __call__(self, *args: Any, **settings: Any) -> Any:
        """Run the operator, with its own settings where none are given."""
        try:
            result = self._function(*tree_map(_inner, args), **{**self._settings, **tree_map(_inner, settings)})
        except Exception as error:
            self.failure, self.trace = error, error.__traceback__
            raise
        self._kinds = (*self._kinds, type(result))  # None, where an operator changes its input
        return tree_map(_outer, result)

    def result_of(self, stand_in: Any) -> Any:
        """Return torch's value of the result of the script's method.

        Raises:
            RuntimeError: it is not a Tensor, and nothing that the operator returned.
        """
        if not isinstance(stand_in, self._kinds):
            raise RuntimeError(
                f"__ms_dispatch__ must return a stand-in for the result of {self.name}, got {stand_in!r}."
            )
        return tree_map(_inner, stand_in)


class MsDispatchMode(ContextDecorator):
    """Call a method of the script in place of every operator of a block, or of a function that this decorates.

    The innermost of several modes is asked; what its method runs reaches none. An operator is what msbridge passes to
    torch in this thread: its name is that of MindSpore's nearest primitive, and what a layer does as one, is one. The
    backward pass, and what `mindspore.jit` has compiled, are not reported.

    Raises:
        TypeError: (in the block) the method does not take what it is given.
        RuntimeError: (in the block) the method returns something else than Tensors.

    Follows: mindspore.MsDispatchMode (2.10).
    """

    _modes: "list[_Mode]"  # of the blocks that are open

    def __enter__(self) -> "MsDispatchMode":
        mode = _Mode(self)
        self.__dict__.setdefault("_modes", []).append(mode)
        mode.__enter__()  # type: ignore[no-untyped-call]  # torch 2.13 does not annotate it
        return self

    def __exit__(self, *error: object) -> None:
        self._modes.pop().__exit__(*error)

    def __ms_dispatch__(self, func: OpFunc, args: tuple[Any, ...], kwargs: Mapping[str, Any] | None = None) -> Any:
        """Run an operator; a class overrides it.

        Args:
            func: what runs it, with `func(*args)`, and has its name as `func.name`.
            args: what it was called with.
            kwargs: nothing: settings given by keyword are a part of `func`.

        Returns:
            What takes the place of the operator's results: a Tensor, or as many as it has.
        """
        return func(*args)


class _Mode(TorchFunctionMode):
    def __init__(self, owner: MsDispatchMode) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # torch 2.13 does not annotate it
        self.owner = owner

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        name = _name_of(getattr(func, "__name__", ""))
        if name is None or (name == "Cast" and not _casts(func, args, kwargs)):
            return func(*args, **kwargs)
        operator = OpFunc(name, func, kwargs)
        with torch_private.DisableTorchFunction():
            try:
                return operator.result_of(self.owner.__ms_dispatch__(operator, tree_map(_outer, args)))
            except Exception as error:
                if error is operator.failure:  # raised as it is without a mode: the script's frames are not its cause
                    raise error.with_traceback(operator.trace) from None
                error.explained = True  # type: ignore[attr-defined]  # in the script's own words
                raise


@cache
def _name_of(function: str) -> str | None:
    plain = function.strip("_")
    if (
        not plain
        or plain == "is_zerotensor"
        or plain in _NO_OPERATORS
        or (plain.startswith("set_") and function.startswith("_"))
    ):
        return None
    squeezed = plain.replace("_", "")
    return _NAMES.get(plain) or _primitives().get(squeezed) or "".join(map(str.capitalize, plain.split("_")))


@cache
def _primitives() -> Mapping[str, str]:
    return {name.lower(): name for name in names_in(PRIMITIVES) if name[0].isupper()}


def _casts(func: Any, args: Any, kwargs: Mapping[str, Any]) -> bool:
    return func.__name__ == "long" or any(isinstance(one, torch.dtype) for one in (*args, *kwargs.values()))


def _outer(value: Any) -> Any:
    return wrap(value) if isinstance(value, torch.Tensor) else value


def _inner(value: Any) -> Any:
    return value._data if isinstance(value, Tensor) else value
