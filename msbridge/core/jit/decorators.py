"""jit: functions and Cells that MindSpore compiles. Here they run as they are, unless compiling is asked for.

On this engine eager steps are fast, and compiling costs tens of seconds; so it is a choice: jit_level "O0" is eager,
"O1" CUDA graphs where there is CUDA, "O2" torch.compile.

Follows: mindspore.jit, mindspore.ms_function, mindspore.jit_class, mindspore.lazy_inline (2.10 and earlier).
"""

import functools
from collections.abc import Callable, Sequence
from types import FunctionType, MethodType
from typing import Any, NoReturn, TypeVar, overload

import torch

from msbridge.core.context import context
from msbridge.core.jit import inference_requests
from msbridge.core.jit.compiler import Compiled, backend_of, level_of_context
from msbridge.core.jit.copy_on_write import copies
from msbridge.core.jit.graph_results import apart
from msbridge.core.jit.graph_runs import run_graph
from msbridge.core.jit.graph_semantics import as_read
from msbridge.core.jit.input_signatures import check_call, signature_check
from msbridge.core.jit.return_values import whole
from msbridge.core.jit.settings import BACKENDS, JitConfig, check_settings
from msbridge.core.releases.rows import Default
from msbridge.core.runtime import accelerators

__all__ = [
    "flops_collection",
    "jit",
    "jit_class",
    "lazy_inline",
    "ms_class",
    "ms_function",
    "ms_memory_recycle",
    "no_inline",
]

Function = TypeVar("Function", bound=Callable[..., Any])
Class = TypeVar("Class", bound=type)
_SIGNATURE = Default("jit", "ignored")


@overload
def jit(function: Function, **settings: Any) -> Function: ...


@overload
def jit(function: None = None, **settings: Any) -> Callable[[Function], Function]: ...


def jit(
    function: Any = None,
    *,
    capture_mode: str = "ast",
    jit_level: str | None = None,
    dynamic: int = 0,
    fullgraph: bool = False,
    backend: str = "",
    fn: Any = None,
    mode: str | None = None,
    input_signature: Any = None,
    hash_args: Any = None,
    jit_config: JitConfig | None = None,
    compile_once: bool = False,
    **options: Any,
) -> Any:
    """Mark a function or Cell for compilation.

    Args:
        function: what to mark; without it a decorator is given.
        capture_mode: "ast", "bytecode" or "trace": how MindSpore would read the code; without effect.
        jit_level: "O0" runs it as it is; "O1" captures CUDA graphs where there is CUDA; "O2" compiles; None does what
            the context says when it is called.
        dynamic: 1 compiles for changing shapes.
        fullgraph: refuse to compile in pieces.
        backend: "ms_backend" or "GE"; without effect.
        fn: the older name of `function`.
        mode: the older form of `capture_mode`, "PSJit" or "PIJit"; without effect.
        input_signature: Tensors, placeholders among them, whose shapes and dtypes the inputs must have. MindSpore
            reads it before 2.6 only, and so does msbridge (`msbridge.set_release`).
        hash_args: kept for scripts that set it.
        jit_config: its jit_level counts where `jit_level` is not given.
        compile_once: kept for scripts that set it.
        options: settings of MindSpore's backends, without effect.

    Returns:
        A function around `function`, with its name and signature; a Cell, class or other object itself.

    Raises:
        RuntimeError: `backend` is not a string; a call of the function where it is unknown.
        TypeError: a setting is of another type.
        ValueError: a setting is none of the values there are; in a call, inputs that the signature does not allow.

    Follows: mindspore.jit (2.10).
    """
    check_settings(capture_mode, jit_level, dynamic, fullgraph, backend, options)
    level = (
        jit_level or (jit_config.jit_config_dict["jit_level"] if isinstance(jit_config, JitConfig) else None) or None
    )
    signature = input_signature if _SIGNATURE.value == "checked" else None
    target = function if function is not None else fn

    def mark(target: Any) -> Any:
        if backend not in BACKENDS and isinstance(target, FunctionType) and target.__name__ != "construct":
            return _refuse_backend(target, backend)
        return _mark(target, level, signature, dynamic == 1, fullgraph)

    return mark if target is None else mark(target)


def _refuse_backend(function: FunctionType, backend: str) -> Callable[..., Any]:
    """Return a function that refuses an unknown backend at each call, as MindSpore does; Cells ignore it."""

    @functools.wraps(function)
    def refuse(*_args: Any, **_kwargs: Any) -> Any:
        raise RuntimeError(f"For 'jit', backend must be one of {list(BACKENDS)}, got {backend!r}.")

    return refuse


def _mark(target: Any, level: str | None, signature: Any, is_dynamic: bool, is_full: bool) -> Any:
    settings = level, signature, is_dynamic, is_full
    if isinstance(target, staticmethod | classmethod):
        return type(target)(_mark(target.__func__, *settings))
    if isinstance(target, MethodType) and isinstance(target.__func__, FunctionType):
        return MethodType(_mark(target.__func__, *settings), target.__self__)
    if isinstance(target, FunctionType):
        return _wrap_function(target, *settings)
    if hasattr(target, "set_jit_config"):  # a Cell, or a class of them
        if level is not None and not isinstance(target, type):
            target.set_jit_config(JitConfig(level))
        else:
            target.construct = _mark(target.construct, *settings)
        return target
    if isinstance(target, type) or not callable(target):
        return target
    backend = backend_of(level or level_of_context())
    return target if backend is None else Compiled(target, backend, is_dynamic=is_dynamic, is_full=is_full)


def _wrap_function(function: FunctionType, level: str | None, signature: Any, is_dynamic: bool, is_full: bool) -> Any:
    compiled: dict[str, Compiled] = {}
    read: list[FunctionType] = []  # by the first call, which parses the source
    check = signature_check(function, signature)
    copied = copies(function)

    def run(*args: Any, **kwargs: Any) -> Any:
        if torch.compiler.is_compiling():
            return function(*args, **kwargs)
        if check is not None:
            check(args)
        if "_dynamic" in run.__dict__:
            check_call(run, args, kwargs)
        if copied is not None:
            args, kwargs = copied(args, kwargs)
        backend = backend_of(level or level_of_context())
        if backend is None:
            if not read:
                read.append(as_read(function))
            if (level or context.jit_level()) == inference_requests.LEVEL:
                return _run_prepared(function, read[0], args, kwargs)
            return run_graph(read[0], args, kwargs)
        if backend not in compiled:
            compiled[backend] = Compiled(function, backend, is_dynamic=is_dynamic, is_full=is_full)
        return apart(whole(compiled[backend](*args, **kwargs)), (*args, *kwargs.values()))

    functools.update_wrapper(run, function)
    run.__wrapped_by_jit__ = True  # type: ignore[attr-defined]
    return run


def _run_prepared(
    function: FunctionType, read: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Run a function that asks to prepare the inference of Cells: of its own one, or of those that it calls."""
    is_construct = function.__name__ == "construct" and args and hasattr(args[0], "set_jit_config")
    with inference_requests.asking():
        if is_construct and inference_requests.is_outermost():
            return inference_requests.call_by_plan(args[0], args[1:], kwargs)
        return run_graph(read, args, kwargs)


@overload
def ms_function(
    fn: Function, input_signature: Any = None, hash_args: Any = None, jit_config: JitConfig | None = None
) -> Function: ...


@overload
def ms_function(
    fn: None = None, input_signature: Any = None, hash_args: Any = None, jit_config: JitConfig | None = None
) -> Callable[[Function], Function]: ...


def ms_function(
    fn: Any = None, input_signature: Any = None, hash_args: Any = None, jit_config: JitConfig | None = None
) -> Any:
    """Mark a function or Cell for compilation; the name that `jit` had before 2.0.

    Follows: mindspore.ms_function (1.10).
    """
    return jit(fn, input_signature=input_signature, hash_args=hash_args, jit_config=jit_config)


def jit_class(cls: Class) -> Class:
    """Mark a class for use inside compiled functions: here every class can be used there.

    Args:
        cls: a class.

    Returns:
        The class itself.

    Raises:
        TypeError: `cls` is not a class, or it is a Cell.

    Follows: mindspore.jit_class (2.10).
    """
    if not isinstance(cls, type):
        raise TypeError(f"Decorator jit_class can only be used for class type, but got {cls}.")
    if hasattr(cls, "set_jit_config"):
        raise TypeError(f"Decorator jit_class is used for user-defined classes and cannot be used for nn.Cell: {cls}.")
    cls.__ms_class__ = True  # type: ignore[attr-defined]
    return cls


ms_class = jit_class


def lazy_inline(fn: Any = None, attrs: Sequence[str] | str | None = None, policy: str | None = None) -> Any:
    """Mark the `__init__` of a Cell whose graph MindSpore shares; without effect here.

    Args:
        fn: the `__init__`; without it a decorator is given.
        attrs: the arguments of `__init__` whose values distinguish graphs; None means all.
        policy: None or "front".

    Returns:
        The `__init__`, or a decorator of it.

    Raises:
        ValueError: it is no `__init__`; or, when an object is made, `attrs` or `policy` is something else.

    Follows: mindspore.lazy_inline (2.10).
    """

    def mark(init: Any) -> Any:
        if init.__name__ != "__init__":
            raise ValueError(f"For 'lazy_inline', an __init__ is to be decorated, but got {init!r}.")

        @functools.wraps(init)
        def run(self: Any, *args: Any, **kwargs: Any) -> None:
            if attrs is not None and not isinstance(attrs, str | list):
                raise ValueError(f"For 'lazy_inline', attrs must be a list or a string, but got {attrs!r}.")
            if policy not in (None, "front"):
                raise ValueError(f"For 'lazy_inline', policy must be None or 'front', but got {policy!r}.")
            init(self, *args, **kwargs)

        return run

    return mark if fn is None else mark(fn)


def no_inline(fn: Any = None) -> Any:
    """Mark a function that MindSpore does not inline; without effect here.

    Args:
        fn: a function; without it a decorator is returned.

    Returns:
        The function itself, or a decorator.

    Follows: mindspore.no_inline (2.10).
    """

    def mark(function: Any) -> Any:
        function.no_inline = True
        return function

    return mark if fn is None else mark(fn)


def flops_collection(phase: str = "train") -> NoReturn:
    """Refuse to report the operations of a compiled graph: none is compiled. Libraries catch this, and continue.

    Args:
        phase: "train" or "eval"; without effect.

    Raises:
        RuntimeError: always.

    Follows: mindspore.flops_collection (2.10).
    """
    raise RuntimeError(
        f"flops_collection: there is no compiled graph of phase {phase!r} whose operations could be counted. "
        "Use mindspore.train.FlopsUtilizationCollector, which counts those of a step."
    )


def ms_memory_recycle() -> None:
    """Release the cached memory of the device.

    Follows: mindspore.ms_memory_recycle (2.10).
    """
    accelerators.empty_cache(context.torch_device())
