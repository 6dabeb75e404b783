"""Primitive: an operator as an object, configured once and called often.

`derive` makes the class of a primitive from its function: a face, not another definition.
"""

import functools
import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from msbridge.core.arguments import instance
from msbridge.core.errors import explain


class Primitive:
    """An operator with attributes.

    Args:
        name: the operator's name.

    Follows: mindspore.ops.Primitive (2.10).
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.attrs: dict[str, Any] = {}
        self.instance_name = name

    def __call__(self, *args: Any) -> Any:
        raise NotImplementedError(f"For '{self.name}', define __call__ or construct in the class of the primitive.")

    def add_prim_attr(self, name: str, value: Any) -> "Primitive":
        """Keep an attribute under `name` and give this primitive.

        Follows: mindspore.ops.Primitive.add_prim_attr (2.10).
        """
        self.__dict__[name] = value
        self.attrs[name] = value
        return self

    def del_prim_attr(self, name: str) -> "Primitive":
        """Forget an attribute and give this primitive."""
        self.__dict__.pop(name, None)
        self.attrs.pop(name, None)
        return self

    def init_prim_io_names(self, inputs: list[str], outputs: list[str]) -> None:
        """Name the inputs and outputs.

        Follows: mindspore.ops.Primitive.init_prim_io_names (2.10).
        """
        self.add_prim_attr("input_names", inputs)
        self.add_prim_attr("output_names", outputs)

    def set_prim_instance_name(self, name: str) -> "Primitive":
        """Name this object."""
        self.instance_name = name
        return self

    def set_stage(self, stage: int) -> "Primitive":
        """Keep the pipeline stage, an attribute."""
        return self.add_prim_attr("stage", stage)

    def set_device(self, device_target: str) -> "Primitive":
        """Keep the device that the script prefers; operators run where their tensors are."""
        return self.add_prim_attr("primitive_target", device_target)

    def shard(self, in_strategy: Any = None, out_strategy: Any = None) -> "Primitive":
        """Keep the slicing strategies as attributes; a single process computes the whole.

        Follows: mindspore.ops.Primitive.shard (2.10).
        """
        self.add_prim_attr("in_strategy", in_strategy)
        return self.add_prim_attr("out_strategy", out_strategy)

    def recompute(self, mode: bool = True) -> "Primitive":
        """Keep whether the backward pass computes this operator again.

        Raises:
            TypeError: `mode` is not a bool.
        """
        if not isinstance(mode, bool):
            raise TypeError(f"For 'recompute', mode must be a bool, got {mode!r}.")
        return self.add_prim_attr("recompute", mode)

    def check_elim(self, *args: Any) -> tuple[bool, Any]:
        """Say that calls are never folded into constants."""
        return False, None

    @property
    def update_parameter(self) -> bool:
        """Whether calls write to a parameter."""
        return bool(self.attrs.get("side_effect_mem", False))

    def __repr__(self) -> str:
        attributes = ", ".join(f"{key}={value}" for key, value in self.attrs.items())
        return f"Prim[{self.name}]" + (f"<{attributes}>" if attributes else "")


class PrimitiveWithCheck(Primitive):
    """A primitive that scripts define with a `__check__` method, which the engine here does not need.

    Follows: mindspore.ops.PrimitiveWithCheck (2.10).
    """


class PrimitiveWithInfer(Primitive):
    """A primitive that scripts define with an `infer_shape` method, which the engine here does not need.

    Follows: mindspore.ops.PrimitiveWithInfer (2.10).
    """


class _Signature:
    """The signature of a derived primitive, made when it is asked for: hundreds are never looked at."""

    def __get__(self, primitive: Any, owner: "type[Derived]") -> inspect.Signature:
        return _signature_of(owner)


@functools.cache
def _signature_of(primitive: "type[Derived]") -> inspect.Signature:
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Signature([inspect.Parameter(key, kind, default=value) for key, value in primitive.defaults.items()])


class Derived(Primitive):
    """Base of the primitives made of functions: attributes go to the function by keyword, inputs by position."""

    function: Callable[..., Any]
    defaults: Mapping[str, Any] = {}
    renamed: Mapping[str, str] = {}
    __signature__ = _Signature()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(type(self).__name__)
        bound = type(self).__signature__.bind(*args, **kwargs)
        bound.apply_defaults()
        self.attrs.update(bound.arguments)
        self.__dict__.update(bound.arguments)
        function = type(self).function
        keywords = {self.renamed.get(name, name): value for name, value in bound.arguments.items()}
        self._run = partial(function, **keywords) if keywords else function

    def __call__(self, *args: Any) -> Any:
        try:
            return self._run(*args)
        except Exception as error:
            raise explain(self._miscounted(args, error), self.name) from error

    def _miscounted(self, args: tuple[Any, ...], error: Exception) -> Exception:
        """Return the error that says how many inputs there must be, if `error` came of their number."""
        if error.__traceback__ is None or error.__traceback__.tb_next is not None:
            return error
        taken = {self.renamed.get(name, name) for name in self.defaults}
        inputs = [name for name in _defaults(type(self).function) if name not in taken]
        return TypeError(f"For '{self.name}', the inputs are ({', '.join(inputs)}), got {len(args)}.")

    def __reduce__(self) -> tuple:
        return type(self), tuple(self.attrs[name] for name in self.defaults)


REQUIRED = inspect.Parameter.empty


def derive(
    name: str,
    function: Callable[..., Any],
    attributes: str = "",
    /,
    renamed: Mapping[str, str] | None = None,
    base: type[Derived] = Derived,
    **differing: Any,
) -> type[Derived]:
    """Make the class of a primitive.

    Args:
        name: the primitive's name.
        function: the definition; the call's inputs are its leading positional parameters, in order.
        attributes: what the constructor takes, separated by spaces, and passes on by keyword; the defaults are those
            of `function`.
        renamed: attribute name → the function's keyword, where they differ.
        base: the class above, which may check the attributes.
        differing: defaults that are not the function's; `REQUIRED` for none.

    Raises:
        KeyError: `function` has no parameter of an attribute's name.
    """
    renamed = renamed or {}
    own = _defaults(function)
    names = attributes.split()
    defaults = {key: differing[key] if key in differing else own[renamed.get(key, key)] for key in names}
    if unknown := differing.keys() - defaults.keys():
        raise KeyError(f"{name} has no attribute {sorted(unknown)}.")
    namespace = {
        "function": staticmethod(function),
        "defaults": defaults,
        "renamed": renamed,
        "__doc__": f"The primitive of `{function.__module__.removeprefix('msbridge.')}.{function.__name__}`.\n\n"
        f"{function.__doc__ or ''}",
        "__module__": "msbridge.ops.operations",
    }
    return type(name, (base,), namespace)


def _defaults(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the default of every parameter, `REQUIRED` where there is none."""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    given = function.__defaults__ or ()
    found = dict.fromkeys(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount], REQUIRED)
    return found | dict(zip(names[len(names) - len(given) :], given, strict=True)) | (function.__kwdefaults__ or {})


def prim_attr_register(fn: Callable[..., None]) -> Callable[..., None]:
    """Decorate the `__init__` of a primitive that a script defines: its arguments become attributes.

    Follows: mindspore.ops.prim_attr_register (2.10).
    """
    signature = inspect.signature(fn)

    def register(self: Primitive, *args: Any, **kwargs: Any) -> None:
        Primitive.__init__(self, type(self).__name__)
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        for name, value in list(bound.arguments.items())[1:]:
            self.add_prim_attr(name, value)
        fn(self, *args, **kwargs)

    register.__wrapped__ = fn  # type: ignore[attr-defined]
    register.__doc__ = fn.__doc__
    return register


class Constant(Primitive):
    """A function that MindSpore computes while it compiles, as a primitive; here it is computed when it is called.

    Args:
        fn: the function.
        name: the primitive's name.
    """

    def __init__(self, fn: Callable[..., Any], name: str) -> None:
        super().__init__(name)
        self.fn = fn
        self.add_prim_attr("constexpr_prim", True)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.fn(*args, **kwargs)


def constexpr(
    fn: Callable[..., Any] | None = None,
    get_instance: bool = True,
    name: str | None = None,
    reuse_result: bool = True,
    check: bool = True,
) -> Any:
    """Make a primitive of a function, which graph mode computes while compiling; here it is called as it is.

    Args:
        fn: the function; without it a decorator is given.
        get_instance: give a primitive; otherwise what makes one when it is called.
        name: the primitive's name; the function's, where it is None.
        reuse_result: MindSpore's leave to compute it once for the same inputs; without effect.
        check: MindSpore's check that all inputs are constants; without effect.

    Raises:
        AttributeError: `fn` is no function.
        TypeError: `name` is no text.

    Follows: mindspore.ops.constexpr (2.10).
    """

    def mark(function: Callable[..., Any]) -> Any:
        op = function.__name__ if name is None else instance(name, "name", "constexpr", str)
        return Constant(function, op) if get_instance else partial(Constant, function, op)

    return mark if fn is None else mark(fn)
