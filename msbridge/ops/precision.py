"""Operators in another floating type: what a Cell under `to_float` asks of everything that runs within it.

In PyNative mode MindSpore casts at the door of every operator: all floating Tensors that go in (arguments, Parameters,
constants, Tensors of the script's globals), the operator sees one type. What goes through no operator stays. Operators
here are plain functions without a door, and get none, which every call would pay for. Within that Cell, and only
there and in its thread, a mode of torch sees what operators ask of tensors:

    construct ── ops.layer_norm(x, …) ─┬─ data.dtype      "float16", though x is Float32: it was cast at the door
        │                              ├─ data.float()    the cast of x made wide: of the operator's own making …
        │                              └─ torch.mean(…)   … so it stays as it is
        └─ x.astype(ms.float32) * 2 ───── torch.mul(…)    another operator: x's cast to Float32 is cast again

So the mode has to know which operator is running: the outermost function of the operators' rooms among the frames that
lead to torch's function. A tensor that this operator has made itself is its own affair (it may compute in float32);
all others come from outside, and are replaced by their casts. `precision_roles` lists the operators that MindSpore
treats otherwise: views, casts, what writes into its first argument.

Within that Cell the call of a small layer takes about twice its time; outside nothing runs and nothing is asked.
"""

import functools
import os
import sys
import threading
import weakref
from enum import Enum
from pathlib import Path
from types import CodeType, FrameType, TracebackType
from typing import Any

import torch
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode

from msbridge.core import torch_private
from msbridge.core.context.grad_state import state
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.wider_dtypes import retry_torch_function
from msbridge.ops.precision_roles import Choice, Role, choice_of, layer_role_of, role_of

__all__ = ["ComputingIn", "is_look", "name_of_operator", "operator_of", "place_of_code"]

_MSBRIDGE = Path(__file__).parents[1]
_OPERATORS = tuple(f"{_MSBRIDGE / room}{os.sep}" for room in ("ops", "mint", "numpy", "scipy"))
_INDEXING = str(_MSBRIDGE / "core" / "tensor" / "indexing.py")
_LAYERS = tuple(f"{_MSBRIDGE / room}{os.sep}" for room in ("nn/layers", "nn/losses", "nn/transformer", "mint/nn"))
_BETWEEN = (
    f"{_MSBRIDGE / 'core'}{os.sep}",
    f"{Path(torch.__file__).parent}{os.sep}",
)  # these call, or are called by, operators

_TYPE_GETTERS = tuple(vars(torch_private.TensorBase)[name].__get__ for name in ("dtype", "itemsize"))
_Getter = type(_TYPE_GETTERS[0])
_TYPES = frozenset({*_TYPE_GETTERS, torch.Tensor.element_size})
_LOOK = """
    dim size numel stride is_contiguous data_ptr is_complex is_floating_point storage_offset requires_grad_
    register_hook retain_grad item tolist numpy untyped_storage is_conj is_neg is_set_to
    __len__ __bool__ __hash__ __repr__ __format__
"""
_LOOKS = frozenset(
    [getattr(torch.Tensor, name) for name in _LOOK.split()] + [torch.is_floating_point, torch.is_complex, torch.numel]
)
_OF_PRIMITIVE = "Derived.__call__"  # a primitive made of a function
_OF_FACE = ".<locals>.face"  # what `msbridge.numpy` makes of an operator
_ASSIGNING = """
    __setitem__ __iadd__ __isub__ __imul__ __idiv__ __itruediv__ __ifloordiv__ __imod__ __ipow__ __iand__ __ior__
    __ixor__
"""
_IN_PLACE = frozenset(_ASSIGNING.split())


def is_look(function: Any) -> bool:
    """Whether one of torch's functions only looks at a tensor: at its shape, its values, its dtype."""
    return function in _LOOKS or type(function) is _Getter or function in _TYPES


class _Thread(threading.local):
    casting: "_Casting | None" = None  # the mode that runs in this thread


_thread = _Thread()


class ComputingIn:
    """Within this block, operators of this thread compute in a floating type; the innermost block holds.

    Args:
        precision: what their floating inputs are cast to.
        is_chosen: only for those that lose little by it; the others get Float32, or the widest type of their inputs.
    """

    __slots__ = ("_before", "_is_outermost", "_now")

    def __init__(self, precision: torch.dtype, *, is_chosen: bool = False) -> None:
        self._now = precision, is_chosen

    def __enter__(self) -> None:
        casting = _thread.casting
        self._is_outermost = casting is None
        if casting is None:
            casting = _thread.casting = _Casting(*self._now)
            casting.__enter__()  # type: ignore[no-untyped-call]  # torch 2.13 does not annotate it
        self._before = casting.asked, casting.is_chosen
        casting.ask(*self._now)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        casting = _thread.casting
        assert casting is not None
        casting.ask(*self._before)
        if self._is_outermost:
            _thread.casting = None
            casting.__exit__(kind, error, trace)


class _Casting(TorchFunctionMode):
    """Shows operators the casts of the tensors that they are given.

    Attributes:
        asked, is_chosen: what the innermost block asks for.
        precision: what floating tensors of the operator that runs are cast to.
    """

    def __init__(self, asked: torch.dtype, is_chosen: bool) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # torch 2.13 does not annotate it
        self.ask(asked, is_chosen)

    def ask(self, precision: torch.dtype, is_chosen: bool) -> None:
        """Compute in a type from here on."""
        self.asked = self.precision = precision
        self.is_chosen = is_chosen
        self.forget()

    def forget(self) -> None:
        """Forget the operator that ran last."""
        self._operator: FrameType | None = None
        self._role = Role.KEPT
        self._casts: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}  # of what came from outside, by identity
        self._own: dict[int, weakref.ref[torch.Tensor]] = {}  # wide tensors that the operator has made, by identity
        self._target: torch.Tensor | None = None

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if function not in _TYPES and is_look(function):
            return function(*args, **kwargs)
        operator = operator_of(sys._getframe(1))
        if operator is None or (state.is_graph and not self.is_chosen):
            return function(*args, **kwargs)
        if operator is not self._operator:
            self._begin(operator)
        role = self._role
        if role is Role.CAST or role is Role.COMPOSED:
            return self._cast_for(function, args, kwargs)
        if role is Role.KEPT or function in _TYPES:
            return function(*args, **kwargs)
        if role is Role.RETURNED:
            return self._run_keeping_dtype(function, args, kwargs)
        if role is Role.BIASED:
            return self._run_with_bias(function, args, kwargs)
        if role is Role.FIRST:
            return function(*[self._cast(one) if one is self._target else one for one in args], **kwargs)
        return self._run_in_place(function, args, kwargs)

    def _begin(self, operator: FrameType) -> None:
        self.forget()
        self._operator = operator
        if self.is_chosen:
            self.precision, self._role = _choice(operator, self.asked)
        else:
            self._role = _role_of(operator)
        if self._role in (Role.WRITTEN, Role.FIRST, Role.RETURNED):
            self._target = _first_tensor(operator.f_locals.values())

    def _cast_for(self, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        if function in _TYPES:
            return function(self._cast(args[0]))
        if _writes(function) and self._cast(args[0]) is not args[0]:  # the memory of a Tensor of the script
            return self._run_in_place(function, args, kwargs, args[0])
        result = self._run(function, args, kwargs)
        if self._role is Role.COMPOSED or _is_of_numbers(function, args, kwargs):
            return self._each_cast(result)
        self._note(result)
        return result

    def _run(self, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        """Run one of torch's functions on casts."""
        args = [self._each_cast(one) for one in args]
        if kwargs:
            kwargs = {name: self._each_cast(one) for name, one in kwargs.items()}
        try:
            return function(*args, **kwargs)
        except Exception as error:
            return retry_torch_function(error, function, args, kwargs)

    def _run_in_place(
        self, function: Any, args: Any, kwargs: dict[str, Any], target: torch.Tensor | None = None
    ) -> Any:
        """Run what writes into a tensor, which keeps its type; the rest goes through the other type."""
        if target is None:
            target = args[0] if args and _writes(function) else self._target
        rounded = [one if one is target else _each(self._round_to_precision, one) for one in args]
        return function(*rounded, **{name: _each(self._round_to_precision, one) for name, one in kwargs.items()})

    def _run_keeping_dtype(self, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        """Run an operator that returns its results the type of its first input."""
        result = self._run(function, args, kwargs)
        target = self._target
        if target is None or not target.is_floating_point() or target.dtype is self.precision:
            return result
        return _each(lambda one: one.to(target.dtype) if one.dtype is self.precision else one, result)

    def _run_with_bias(self, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        """Run a product or convolution on casts, and add what is added to it in its own type, as another operator."""
        if len(args) < 3 or not isinstance(args[2], torch.Tensor):
            result = self._run(function, args, kwargs)
        else:
            data, weight, bias, *settings = args
            product = self._run(function, (data, weight, None, *settings), kwargs)
            is_by_channel = function is not F.linear
            result = product + (bias.reshape(-1, *(1,) * (product.dim() - 2)) if is_by_channel else bias)
        self._note(result)
        return result

    def _each_cast(self, value: Any) -> Any:
        return _each(self._cast, value)

    def _cast(self, data: torch.Tensor) -> torch.Tensor:
        if data.dtype is self.precision or not data.is_floating_point() or self._is_own(data):
            return data
        known = self._casts.get(id(data))
        if known is None:
            known = self._casts[id(data)] = (data, data.to(self.precision))
        return known[1]

    def _round_to_precision(self, data: torch.Tensor) -> torch.Tensor:
        cast = self._cast(data)
        return data if cast is data or data is self._target else cast.to(data.dtype)

    def _is_own(self, data: torch.Tensor) -> bool:
        found = self._own.get(id(data))
        return found is not None and found() is data

    def _note(self, found: Any) -> None:
        for data in _tensors(found if isinstance(found, tuple | list) else (found,)):
            if data.dtype is not self.precision and data.is_floating_point():
                self._own[id(data)] = weakref.ref(data)


def _each(fn: Any, value: Any) -> Any:
    """Apply `fn` to a tensor, or to all tensors in tuples and lists."""
    if isinstance(value, torch.Tensor):
        return fn(value)
    if type(value) in (tuple, list):
        return type(value)([_each(fn, one) for one in value])
    if isinstance(value, tuple) and any(isinstance(one, torch.Tensor) for one in value):  # torch's named results
        return type(value)([_each(fn, one) for one in value])  # type: ignore[arg-type]
    return value


def _tensors(values: Any) -> Any:
    for value in values:
        if isinstance(value, torch.Tensor):
            yield value
        elif isinstance(value, tuple | list):
            yield from _tensors(value)


def _first_tensor(values: Any) -> torch.Tensor | None:
    """Return the first tensor among the arguments of an operator, of torch or inside a Tensor."""
    for value in values:
        if isinstance(value, Tensor):
            return value._data
        if isinstance(value, torch.Tensor):
            return value
        if isinstance(value, tuple) and (found := _first_tensor(value)) is not None:
            return found
    return None


def _is_of_numbers(function: Any, args: Any, kwargs: dict[str, Any]) -> bool:
    """Whether all that is floating in a call are Python's numbers: MindSpore makes Tensors of them, and casts those."""
    if function is torch.tensor:
        return "dtype" not in kwargs
    if float not in map(type, args) or (function is torch.mul and type(args[-1]) is float):  # that takes a number
        return False
    beside = list(_tensors(args))
    return bool(beside) and not any(data.is_floating_point() or data.is_complex() for data in beside)


def _writes(function: Any) -> bool:
    name = getattr(function, "__name__", "")
    return name in _IN_PLACE or (name[-1:] == "_" and name[-2:] != "__")


class _Code(Enum):
    """The role of a frame's code to operators."""

    PART = "a part of an operator"
    BETWEEN = "calls operators for whoever calls it, or is called by them"
    LAYER = "calls operators, or is one where it calls torch's functions itself"
    OUTSIDE = "calls operators"


_codes: dict[int, tuple[CodeType, _Code]] = {}  # by the identity of code, which the pair keeps alive


def operator_of(frame: FrameType | None) -> FrameType | None:
    """Return the outermost frame of the operator that a frame is a part of; None where it is a part of none."""
    outermost = None
    while frame is not None:
        code = frame.f_code
        known = _codes.get(id(code))
        if known is None:
            known = _codes[id(code)] = (code, _kind_of(code))
        kind = known[1]
        if kind is _Code.PART:
            outermost = frame
        elif kind is not _Code.BETWEEN:
            return _outermost_of_layer(frame) if kind is _Code.LAYER and outermost is None else outermost
        frame = frame.f_back
    return outermost


def _outermost_of_layer(frame: FrameType) -> FrameType:
    """Return the `construct` that a frame of a layer is a part of."""
    outer = frame.f_back
    while outer is not None and outer.f_code.co_filename.startswith(_LAYERS):
        frame, outer = outer, outer.f_back
    return frame


def _kind_of(code: CodeType) -> _Code:
    file = code.co_filename
    if file.startswith(_LAYERS):
        return _Code.LAYER
    if file.startswith(_OPERATORS):
        return _Code.PART
    if file == _INDEXING and code.co_name == "get":
        return _Code.PART
    return _Code.BETWEEN if file.startswith(_BETWEEN) else _Code.OUTSIDE


def _role_of(operator: FrameType) -> Role:
    code = operator.f_code
    if code.co_filename == _INDEXING:
        return Role.KEPT if _is_view(operator.f_locals["index"]) else Role.CAST
    name = name_of_operator(operator)
    found = role_of(place_of_code(code), name)
    if found is None and code.co_qualname == _OF_PRIMITIVE:
        found = _role_of_function(type(operator.f_locals["self"]).function)
    return found or Role.CAST


def name_of_operator(operator: FrameType) -> str:
    """Return the name of an operator: of its function, or of a primitive's class."""
    name = operator.f_code.co_qualname
    if name == _OF_PRIMITIVE:
        return type(operator.f_locals["self"]).__name__
    if name.endswith(_OF_FACE):
        return str(operator.f_locals["name"])
    return name.removesuffix(".__call__").removesuffix(".construct")


def _role_of_function(function: Any) -> Role | None:
    return role_of(place_of_code(function.__code__), function.__qualname__) if hasattr(function, "__code__") else None


def place_of_code(code: CodeType) -> str:
    """Return the file of code, from the package on."""
    return code.co_filename[len(str(_MSBRIDGE)) + 1 :].removesuffix(".py").replace(os.sep, "/")


def _choice(operator: FrameType, asked: torch.dtype) -> tuple[torch.dtype, Role]:
    """Return the dtype in which level "auto" computes an operator, and how it takes its inputs."""
    place = place_of_code(operator.f_code)
    if place in ("ops/kernel_calls/half_precision", "ops/neural/convolution/kernels"):  # what layers call
        caller = operator.f_back
        layer = None if caller is None else caller.f_locals.get("self")
        return asked, layer_role_of(type(layer).__name__) or Role.BIASED
    choice = choice_of(place, name_of_operator(operator))
    if choice is Choice.NARROW:
        return asked, Role.CAST
    if choice is Choice.ADDING:
        return asked, Role.RETURNED
    if choice is Choice.WIDE:
        return torch.float32, Role.CAST
    kinds = {data.dtype for data in _inside(operator.f_locals.values()) if data.is_floating_point()}
    if choice is Choice.PROMOTED and len(kinds) > 1:
        return functools.reduce(torch.promote_types, kinds), Role.CAST
    return asked, Role.KEPT


def _inside(values: Any) -> Any:
    """Yield the tensors in the arguments of an operator."""
    for value in values:
        if isinstance(value, Tensor):
            yield value._data
        elif isinstance(value, torch.Tensor):
            yield value
        elif isinstance(value, tuple | list):
            yield from _inside(value)


def _is_view(index: Any) -> bool:
    """Whether MindSpore reads a view at an index, without a cast: at all that is basic but a single slice."""
    if isinstance(index, tuple):
        return all(isinstance(one, int | slice) or one in (None, Ellipsis) for one in index)
    return isinstance(index, int) or index is None or index is Ellipsis
