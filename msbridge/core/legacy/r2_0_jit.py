"""Settings of compilation, and what is no constant of it, as in 2.0."""

from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Any

from msbridge.core.jit import decorators, settings
from msbridge.core.jit.mutable import mutable as today_mutable


class JitConfig(settings.JitConfig):
    """Settings of compilation.

    Args:
        jit_level: "O0", "O1", "O2" or "O3".
        exc_mode: "auto", "sink" or "no_sink".
        kwargs: further settings, kept.

    Raises:
        ValueError: a value that is none of these.

    Follows: mindspore.JitConfig (2.0).
    """

    def __init__(self, jit_level: str = "O1", exc_mode: str = "auto", **kwargs: object) -> None:
        super().__init__("O2" if jit_level == "O3" else jit_level, exc_mode)
        self.jit_config_dict = kwargs | {"jit_level": jit_level, "exc_mode": exc_mode}


def mutable(input_data: Any, dynamic_len: bool = False) -> Any:
    """Mark a value as one that is no constant of a graph; its length is free where `dynamic_len` is true.

    Follows: mindspore.mutable (2.0).
    """
    return today_mutable(input_data, bool(dynamic_len))


def jit(
    fn: Any = None, input_signature: Any = None, hash_args: Any = None, jit_config: settings.JitConfig | None = None
) -> Any:
    """Mark a function or Cell for compilation: the result is a function, around any value.

    Args:
        fn: what to mark; without it a decorator is given.
        input_signature: Tensors, placeholders among them, whose shapes and dtypes the inputs must have.
        hash_args: kept for scripts that set it.
        jit_config: its jit_level counts.

    Returns:
        A function around `fn`, or a decorator.

    Raises:
        TypeError: a call of the function where `input_signature` has something else than Tensors.

    Follows: mindspore.jit (2.0).
    """

    def mark(target: Any) -> FunctionType:
        try:
            marked = _today_jit(target, input_signature=input_signature, hash_args=hash_args, jit_config=jit_config)
        except TypeError as error:
            marked = _raise(error)
        return marked if isinstance(marked, FunctionType) else _function_around(marked)

    return mark if fn is None else mark(fn)


def _raise(error: TypeError) -> FunctionType:
    def refuse(*args: object, **kwargs: object) -> None:
        raise error

    return refuse  # type: ignore[return-value]


def _function_around(marked: Callable[..., Any]) -> FunctionType:
    @wraps(marked)
    def staging_specialize(*args: Any, **kwargs: Any) -> Any:
        return marked(*args, **kwargs)

    return staging_specialize  # type: ignore[return-value]


_today_jit = decorators.jit
OVERRIDES = {"JitConfig": JitConfig, "jit": jit, "mutable": mutable}
