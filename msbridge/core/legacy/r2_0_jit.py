"""Settings of compilation, and what is no constant of it, as in 2.0."""

from typing import Any

from msbridge.core.jit import settings
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


OVERRIDES = {"JitConfig": JitConfig, "mutable": mutable}
