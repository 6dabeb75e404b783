"""Primitive: an operator as an object, configured once and called often.

`derive` makes the class of a primitive from its function: a face, not another definition.
"""

import copy
import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from msbridge.core.autograd.custom_bprop import with_bprop
from msbridge.core.checks.arguments import boolean, instance
from msbridge.core.checks.suggestions import did_you_mean
from msbridge.core.errors.exception_classes import class_for_count
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.argument_checks import checks_of
from msbridge.mappings import table
from msbridge.ops.primitive.attributes import PrimitiveAttributes
from msbridge.ops.primitive.documentation import Documentation
from msbridge.ops.primitive.registries import get_bprop_fn, get_vm_impl_fn


class Primitive(PrimitiveAttributes):
    """An operator with attributes.

    A class of a script that has no `__call__` computes by its method `vm_impl`, or by what `vm_impl_registry` has for
    it; its gradient is what its method `get_bprop` returns, or what `bprop_getters` has.

    Args:
        name: the operator's name.

    Inputs:
        args: what the computation takes.

    Outputs:
        What the computation returns.

    Raises:
        NotImplementedError: (when called) there is nothing that computes.

    Follows: mindspore.ops.Primitive (2.10).
    """

    __primitive_flag__ = True
    _repr_ignore_list: ClassVar = ["input_names", "output_names"]

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if "__init__" in cls.__dict__ and cls.__module__.partition(".")[0] == "msbridge":
            cls.__init__ = _with_argument_checks(cls.__init__)  # type: ignore[method-assign]

    def __init__(self, name: str) -> None:
        self.name = name
        self.attrs: dict[str, Any] = {}
        self.init_attrs: dict[str, Any] = {"name": name}
        self.instance_name = name
        if signatures := getattr(type(self), "__mindspore_signature__", None):
            self.set_signatures(self._fill_signature(signatures))

    def __call__(self, *args: Any) -> Any:
        is_settled, result = self.check_elim(*args)
        if is_settled:
            return result
        run = getattr(self, "vm_impl", None) or get_vm_impl_fn(self)
        if run is None:
            raise NotImplementedError(
                f"For '{self.name}', define __call__, vm_impl or construct in the primitive's class."
            )
        bprop = self.get_bprop() if hasattr(self, "get_bprop") else get_bprop_fn(self)
        return run(*args) if bprop is None else with_bprop(run, bprop, args)

    def _set_prim_arg(self, name: str, value: Any) -> "Primitive":
        return self.add_prim_attr(name, value)

    def _set_prim_arg_with_handler(
        self, name: str, value: Any, arg_handler: Callable[[str, str, Any], Any]
    ) -> "Primitive":
        return self.add_prim_attr(name, None if value is None else arg_handler(type(self).__name__, name, value))

    def _clone(self) -> "Primitive":
        """Return a primitive of the same class, attributes and name."""
        cloned = copy.deepcopy(self)
        for name, value in self.attrs.items():
            cloned.add_prim_attr(name, value)
        cloned.instance_name = self.instance_name
        return cloned

    def __deepcopy__(self, memo: dict[int, Any]) -> "Primitive":
        if type(self).__init__ is Primitive.__init__ or hasattr(type(self).__init__, "decorated_func"):
            return type(self)(**self.init_attrs)
        cloned = type(self).__new__(type(self))
        memo[id(self)] = cloned
        cloned.__dict__.update(copy.deepcopy(self.__dict__, memo))
        return cloned

    def recompute(self, mode: bool = True) -> "Primitive":
        """Keep whether the backward pass computes this operator again.

        Raises:
            TypeError: `mode` is not a bool.
        """
        boolean(mode, "mode", "recompute")
        return self.add_prim_attr("recompute", mode)

    def check_elim(self, *args: Any) -> tuple[bool, Any]:
        """Mark calls as never folded into constants."""
        return False, None

    @property
    def update_parameter(self) -> bool:
        """Whether calls write to a parameter."""
        return bool(self.attrs.get("side_effect_mem", False))

    def __repr__(self) -> str:
        shown = {key: value for key, value in self.attrs.items() if key not in self._repr_ignore_list}
        attributes = ", ".join(f"{key}={value}" for key, value in shown.items())
        return f"Prim[{self.name}]" + (f"<{attributes}>" if attributes else "")


def _with_argument_checks(init: Callable[..., None]) -> Callable[..., None]:
    """Return the constructor of a primitive that checks its arguments before, where the table has a row for it."""
    signature = functools.cache(lambda: inspect.signature(init))

    @functools.wraps(init)
    def __init__(self: Primitive, *args: Any, **kwargs: Any) -> None:
        is_outermost = "attrs" not in self.__dict__
        if is_outermost and (checks := checks_of(type(self).__name__)):
            if isinstance(self, Derived):
                given = _signature_of(type(self)).bind(*args, **kwargs).arguments
            else:
                given = signature().bind(self, *args, **kwargs).arguments
            for name, check in checks.items():
                if name in given:
                    check(given[name], name, type(self).__name__)
        init(self, *args, **kwargs)

    return __init__


class PrimitiveWithCheck(Primitive):
    """A primitive that scripts define with methods that check, which are called by `__check__` only.

    Args:
        name: the operator's name.

    Inputs:
        args: what the computation takes.

    Outputs:
        What the computation returns.

    Follows: mindspore.ops.PrimitiveWithCheck (2.10).
    """

    def __check__(self, *args: Mapping[str, Any]) -> None:
        """Check the inputs, described by "shape", "dtype" and "value"."""
        self.check_dtype(*(one["dtype"] for one in args))
        if all(one["shape"] is not None and min(one["shape"], default=0) >= 0 for one in args):
            self.check_shape(*(one["shape"] for one in args))

    def check_shape(self, *args: Any) -> None:
        """Check the shapes of the inputs; a class overrides it."""

    def check_dtype(self, *args: Any) -> None:
        """Check the types of the inputs; a class overrides it."""


class PrimitiveWithInfer(Primitive):
    """A primitive that scripts define with methods that infer, which are called by `__infer__` only.

    Args:
        name: the operator's name.

    Inputs:
        args: what the computation takes.

    Outputs:
        What the computation returns.

    Follows: mindspore.ops.PrimitiveWithInfer (2.10).
    """

    def infer_shape(self, *args: Any) -> Any:
        """Return the output's shape; a class overrides it."""

    def infer_dtype(self, *args: Any) -> Any:
        """Return the output's type; a class overrides it."""

    def infer_value(self, *args: Any) -> Any:
        """Return the output's value where the compiler may know it; a class overrides it."""

    def __infer__(self, *args: Mapping[str, Any]) -> dict[str, Any]:
        """Return the description of the output, of inputs described by "shape", "dtype" and "value"."""
        tracks = ("dtype", "shape", "value")
        return {track: getattr(self, f"infer_{track}")(*(one[track] for one in args)) for track in tracks}


class _Signature:
    """The signature of a derived primitive, or of its calls, made when it is asked for."""

    def __get__(self, primitive: "Derived | None", owner: "type[Derived]") -> inspect.Signature:
        return _signature_of(owner) if primitive is None else primitive._signature_of_call()


@functools.cache
def _signature_of(primitive: "type[Derived]") -> inspect.Signature:
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Signature([inspect.Parameter(key, kind, default=value) for key, value in primitive.defaults.items()])


@dataclass(frozen=True, slots=True)
class Inputs:
    """A row of primitive_inputs.toml: MindSpore's words for a primitive's inputs, and the function's."""

    primitive: str
    rename: Mapping[str, str]


@functools.cache
def _inputs() -> Mapping[str, Inputs]:
    return table("primitive_inputs.toml", Inputs)


class Derived(Primitive):
    """Base of the primitives made of functions: attributes go to the function by keyword, inputs by position.

    Attributes:
        function: the definition.
        defaults: the attributes, with their defaults.
        renamed: the function's words for attributes, where they differ.
        inputs: the function's words for inputs, where they differ; those of primitive_inputs.toml where it is None.
    """

    function: Callable[..., Any]
    defaults: Mapping[str, Any] = {}
    renamed: Mapping[str, str] = {}
    inputs: Mapping[str, str] | None = None
    __signature__ = _Signature()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(type(self).__name__)
        bound = _signature_of(type(self)).bind(*args, **kwargs)
        bound.apply_defaults()
        self.attrs.update(bound.arguments)
        self.init_attrs = dict(bound.arguments)
        self.__dict__.update(bound.arguments)
        function = type(self).function
        keywords = {self.renamed.get(name, name): value for name, value in bound.arguments.items()}
        self._run = partial(function, **keywords) if keywords else function

    def __call__(self, *args: Any, **named: Any) -> Any:
        try:
            if named:
                return self._run(*args, **self._in_own_words(named))
            return self._run(*args)
        except Exception as error:
            raise explain(self._input_count_error(len(args) + len(named), error), self.name) from error

    def _in_own_words(self, named: Mapping[str, Any]) -> dict[str, Any]:
        """Return inputs that were given by keyword under the function's words for them."""
        words = self._words()
        for name in named:
            if name not in words:
                raise TypeError(
                    f"For '{self.name}', there is no input {name!r}: they are ({', '.join(words)})."
                    + did_you_mean(name, words)
                )
        return {words[name]: value for name, value in named.items()}

    @classmethod
    def _words(cls) -> dict[str, str]:
        """Return MindSpore's words for the inputs, in order, and the function's."""
        kinds = [kind for kind in cls.__mro__ if issubclass(kind, Derived)]  # a form of a release has fewer
        attributes = {kind.renamed.get(name, name) for kind in kinds for name in kind.defaults}
        words = cls.inputs
        if words is None:
            row = _inputs().get(cls.__name__)
            words = row.rename if row else {}
        theirs = {own: word for word, own in words.items()}
        return {theirs.get(name, name): name for name in defaults_of(cls.function) if name not in attributes}

    def _signature_of_call(self) -> inspect.Signature:
        """Return the inputs, by MindSpore's words."""
        defaults, kind = defaults_of(type(self).function), inspect.Parameter.POSITIONAL_OR_KEYWORD
        return inspect.Signature(
            [inspect.Parameter(word, kind, default=defaults[own]) for word, own in self._words().items()]
        )

    def _input_count_error(self, given: int, error: Exception) -> Exception:
        """Return the error that says how many inputs there must be, if `error` came of their number."""
        if error.__traceback__ is None or error.__traceback__.tb_next is not None:
            return error
        kind = class_for_count(type(self).__name__)
        return kind(f"For '{self.name}', the inputs are ({', '.join(self._words())}), got {given}.")

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
    own = defaults_of(function)
    names = attributes.split()
    defaults = {key: differing[key] if key in differing else own[renamed.get(key, key)] for key in names}
    if unknown := differing.keys() - defaults.keys():
        raise KeyError(f"{name} has no attribute {sorted(unknown)}.")
    namespace = {
        "function": staticmethod(function),
        "defaults": defaults,
        "renamed": renamed,
        "__doc__": Documentation(),
        "__module__": "msbridge.ops.operations",
    }
    return type(name, (base,), namespace)


def defaults_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the default of every parameter, `REQUIRED` where there is none; of what is decorated, its own."""
    function = inspect.unwrap(function)
    if signature := vars(function).get("__signature__"):  # of a function made of a row
        return {key: each.default for key, each in signature.parameters.items()}
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    given = function.__defaults__ or ()
    found = dict.fromkeys(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount], REQUIRED)
    return found | dict(zip(names[len(names) - len(given) :], given, strict=True)) | (function.__kwdefaults__ or {})


def prim_attr_register(fn: Callable[..., None]) -> Callable[..., None]:
    """Decorate the `__init__` of a primitive that a script defines: its arguments become attributes.

    Args:
        fn: the `__init__`.

    Returns:
        An `__init__` of the same arguments.

    Follows: mindspore.ops.prim_attr_register (2.10).
    """
    signature = inspect.signature(fn)

    def register(self: Primitive, *args: Any, **kwargs: Any) -> None:
        Primitive.__init__(self, getattr(type(self), "substitute_name", type(self).__name__))
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        self.init_attrs = dict(list(bound.arguments.items())[1:])
        for name, value in self.init_attrs.items():
            self.add_prim_attr(name, value)
        fn(self, *args, **kwargs)

    register.__wrapped__ = fn  # type: ignore[attr-defined]
    register.decorated_func = fn  # type: ignore[attr-defined]
    register.__doc__ = fn.__doc__
    return register


prim_arg_register = prim_attr_register


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
        get_instance: return a primitive; otherwise what makes one when it is called.
        name: the primitive's name; the function's, where it is None.
        reuse_result: MindSpore's leave to compute it once for the same inputs; without effect.
        check: MindSpore's check that all inputs are constants; without effect.

    Returns:
        The primitive, or what makes one, or a decorator.

    Raises:
        AttributeError: `fn` is not a function.
        TypeError: `name` is not a string.

    Follows: mindspore.ops.constexpr (2.10).
    """

    def mark(function: Callable[..., Any]) -> Any:
        op = function.__name__ if name is None else instance(name, "name", "constexpr", str)
        return Constant(function, op) if get_instance else partial(Constant, function, op)

    return mark if fn is None else mark(fn)
