"""jit: functions and Cells that MindSpore compiles. Here they run as they are, unless compiling is asked for.

On this engine eager steps are fast, and compiling costs tens of seconds; so it is a choice: jit_level "O0" is eager,
"O1" CUDA graphs where there is CUDA, "O2" torch.compile.

Follows: mindspore.jit, mindspore.ms_function, mindspore.JitConfig (2.10 and earlier).
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, overload

import torch

from msbridge.core import accelerators, context

Function = TypeVar("Function", bound=Callable[..., Any])
Class = TypeVar("Class", bound=type)
_LEVELS = ("", "O0", "O1", "O2")


class JitConfig:
    """How to compile.

    Args:
        jit_level: "O0", "O1" or "O2"; "" leaves it to the context.
        exc_mode: kept for scripts that set it.
        jit_syntax_level: kept for scripts that set it.
        debug_level: kept for scripts that set it.
        kwargs: further settings of MindSpore's compiler, kept.

    Raises:
        ValueError: unknown level.

    Follows: mindspore.JitConfig (2.10).
    """

    def __init__(
        self,
        jit_level: str = "",
        exc_mode: str = "auto",
        jit_syntax_level: str = "",
        debug_level: str = "RELEASE",
        **kwargs: Any,
    ) -> None:
        if jit_level not in _LEVELS:
            raise ValueError(f"For 'JitConfig', jit_level must be one of {list(_LEVELS)}, got {jit_level!r}.")
        settings = {"jit_level": jit_level, "exc_mode": exc_mode, "debug_level": debug_level} | kwargs
        self.jit_config_dict = settings | {"jit_syntax_level": jit_syntax_level}


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
        capture_mode: how MindSpore would read the code; without effect.
        jit_level: "O0" (and None) runs it as it is; "O1" captures CUDA graphs where there is CUDA; "O2" compiles.
        dynamic: 1 compiles for changing shapes.
        fullgraph: refuse to compile in pieces.
        backend: kept for scripts that set it.
        fn: the older name of `function`.
        mode: the older name of `capture_mode`.
        input_signature: kept for scripts that set it.
        hash_args: kept for scripts that set it.
        jit_config: its jit_level counts where `jit_level` is not given.
        compile_once: kept for scripts that set it.
        options: settings of MindSpore's backends, without effect.

    Raises:
        ValueError: unknown level.

    Follows: mindspore.jit (2.10).
    """
    level = jit_level
    if level is None and jit_config is not None:
        level = jit_config.jit_config_dict["jit_level"]
    if level not in (None, *_LEVELS):
        raise ValueError(f"For 'jit', jit_level must be one of {list(_LEVELS)}, got {level!r}.")

    def mark(target: Any) -> Any:
        chosen = level or context.get_context("jit_level")
        if chosen == "O2":
            return _compiled(target, "inductor", dynamic == 1, fullgraph)
        if chosen == "O1" and torch.cuda.is_available():
            return _compiled(target, "cudagraphs", dynamic == 1, fullgraph)
        return target

    target = function if function is not None else fn
    return mark if target is None else mark(target)


def ms_function(
    fn: Any = None, input_signature: Any = None, hash_args: Any = None, jit_config: JitConfig | None = None
) -> Any:
    """Mark a function or Cell for compilation; the name that `jit` had before 2.0.

    Follows: mindspore.ms_function (1.10).
    """
    return jit(fn, input_signature=input_signature, hash_args=hash_args, jit_config=jit_config)


def jit_class(cls: Class) -> Class:
    """Mark a class for use inside compiled functions: here every class can be used there.

    Raises:
        TypeError: `cls` is not a class.

    Follows: mindspore.jit_class (2.10).
    """
    if not isinstance(cls, type):
        raise TypeError(f"Decorator jit_class can only be used for class type, but got {cls}.")
    return cls


ms_class = jit_class


def lazy_inline(fn: Any = None, attrs: Sequence[str] | str | None = None, policy: str | None = None) -> Any:
    """Mark the `__init__` of a Cell whose graph MindSpore shares; without effect here.

    Follows: mindspore.lazy_inline (2.10).
    """
    return fn if fn is not None else (lambda target: target)


def no_inline(fn: Function) -> Function:
    """Mark a function that MindSpore does not inline; without effect here.

    Follows: mindspore.no_inline (2.10).
    """
    return fn


def mutable(input_data: Any, dynamic_len: bool = False) -> Any:
    """Return `input_data`: nothing is folded into constants here.

    Follows: mindspore.mutable (2.10).
    """
    return input_data


def set_recursion_limit(recursion_limit: int = 1000) -> None:
    """Do nothing: there is no graph compiler whose recursion would need a limit.

    Follows: mindspore.set_recursion_limit (2.10).
    """


def ms_memory_recycle() -> None:
    """Release the cached memory of the device.

    Follows: mindspore.ms_memory_recycle (2.10).
    """
    accelerators.empty_cache(context.torch_device())


def _compiled(target: Any, backend: str, is_dynamic: bool, is_full: bool) -> Any:
    compiled = torch.compile(target, backend=backend, dynamic=is_dynamic or None, fullgraph=is_full)
    return (
        functools.wraps(target)(compiled) if not isinstance(target, type) and hasattr(target, "__name__") else compiled
    )
