"""The options of `jit` and `JitConfig`, and which of them are refused."""

from typing import Any

from msbridge.core.checks.arguments import instance

__all__ = ["BACKENDS", "LEVELS", "JitConfig", "check_settings", "set_recursion_limit"]

LEVELS = ("O0", "O1", "O2")
_CHOICES = {
    "exc_mode": ("auto", "sink", "no_sink"),
    "jit_syntax_level": ("", "STRICT", "LAX"),
    "debug_level": ("RELEASE", "DEBUG"),
    "infer_boost": ("on", "off"),
}
BACKENDS = ("", "ms_backend", "GE")
_CAPTURE_MODES = ("ast", "bytecode", "trace")
_OPTIONS = {"disable_format_transform": bool, "ge_options": dict}
_OPTION_CHOICES = {"exec_order": ("bfs", "dfs"), "infer_boost": ("on", "off")}


class JitConfig:
    """Settings of compilation.

    Args:
        jit_level: "O0", "O1" or "O2"; "" leaves it to the context.
        exc_mode: "auto", "sink" or "no_sink"; kept for scripts that read it.
        jit_syntax_level: "STRICT", "LAX" or ""; kept for scripts that read it.
        debug_level: "RELEASE" or "DEBUG"; kept for scripts that read it.
        infer_boost: "on" or "off"; kept for scripts that read it.
        kwargs: further settings of MindSpore's compiler, kept.

    Raises:
        ValueError: a value that is none of these.

    Follows: mindspore.JitConfig (2.10).
    """

    def __init__(
        self,
        jit_level: str = "",
        exc_mode: str = "auto",
        jit_syntax_level: str = "",
        debug_level: str = "RELEASE",
        infer_boost: str = "off",
        **kwargs: Any,
    ) -> None:
        if jit_level not in ("", *LEVELS):
            raise ValueError(f"For 'JitConfig', jit_level must be one of {list(LEVELS)}, got {jit_level!r}.")
        texts = {"exc_mode": exc_mode, "jit_syntax_level": jit_syntax_level}
        texts |= {"debug_level": debug_level, "infer_boost": infer_boost}
        for name, value in texts.items():
            if value not in _CHOICES[name]:
                raise ValueError(f"For 'JitConfig', {name} must be one of {list(_CHOICES[name])}, got {value!r}.")
        self.jit_config_dict = kwargs | {"jit_level": jit_level} | texts
        if jit_level:
            self.jit_config_dict["backend"] = "GE" if jit_level == "O2" else "ms_backend"


def check_settings(
    capture_mode: Any, jit_level: Any, dynamic: Any, fullgraph: Any, backend: Any, options: dict[str, Any]
) -> None:
    """Check the settings of `jit`.

    Raises:
        RuntimeError: `backend` is not a string.
        TypeError: a setting is of another type.
        ValueError: a setting is none of the values there are.
    """
    if capture_mode not in _CAPTURE_MODES:
        raise ValueError(f"For 'jit', capture_mode must be one of {list(_CAPTURE_MODES)}, got {capture_mode!r}.")
    if jit_level is not None and jit_level not in LEVELS:
        raise ValueError(f"For 'jit', jit_level must be one of {list(LEVELS)}, got {jit_level!r}.")
    if type(dynamic) is not int:
        raise TypeError(f"For 'jit', dynamic must be an int, got {dynamic!r}.")
    if dynamic not in (0, 1):
        raise ValueError(f"For 'jit', dynamic must be 0 or 1, got {dynamic}.")
    instance(fullgraph, "fullgraph", "jit", bool)
    if not isinstance(backend, str):
        raise RuntimeError(f"For 'jit', backend must be a string such as 'ms_backend', got {backend!r}.")
    for name, kind in _OPTIONS.items():
        if name in options:
            instance(options[name], name, "jit", kind)
    for name, choices in _OPTION_CHOICES.items():
        if name in options and options[name] not in choices:
            raise ValueError(f"For 'jit', {name} must be one of {list(choices)}, got {options[name]!r}.")


def set_recursion_limit(recursion_limit: int = 1000) -> None:
    """Do nothing: it limits how deep MindSpore's compiler may call itself, and there is none here.

    Args:
        recursion_limit: > 0; without effect.

    Raises:
        TypeError: it is not an int.
        ValueError: it is not positive.

    Follows: mindspore.set_recursion_limit (2.10).
    """
    if type(recursion_limit) is not int:
        raise TypeError(f"For 'set_recursion_limit', recursion_limit must be an int, got {recursion_limit!r}.")
    if recursion_limit < 1:
        raise ValueError(f"For 'set_recursion_limit', recursion_limit must be positive, got {recursion_limit}.")
