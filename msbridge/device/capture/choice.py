"""Whether the steps of sinks are to become CUDA graphs: on CUDA they are, unless the script says otherwise."""

import os
from typing import Any

import torch

from msbridge.core import context
from msbridge.core.jit.compiling import level_of_context
from msbridge.core.tensor import Tensor, wrap

VARIABLE = "MSBRIDGE_CUDA_GRAPHS"


def objection(device: torch.device) -> str | None:
    """Say why no graphs are made of the steps on `device`; None where they are made."""
    if device.type != "cuda":
        return "CUDA graphs are for CUDA"
    if os.environ.get(VARIABLE, "1") in ("", "0"):
        return f"{VARIABLE} is 0"
    if context.jit_level() == "O0":
        return "jit_level is O0"
    return "torch compiles the steps" if level_of_context() == "O2" else None


def released(results: Any) -> Any:
    """Return the results of a step in memory that later replays leave alone."""
    if isinstance(results, tuple | list):
        items = [released(item) for item in results]
        return type(results)(*items) if hasattr(results, "_fields") else type(results)(items)
    if isinstance(results, dict):
        return {key: released(item) for key, item in results.items()}
    return wrap(results._data.clone()) if isinstance(results, Tensor) else results
