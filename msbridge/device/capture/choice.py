"""Whether the steps of sinks are to become CUDA graphs: on CUDA they are, unless the script says otherwise."""

import os

import torch

from msbridge.core.context import context
from msbridge.core.jit.compiler import level_of_context

VARIABLE = "MSBRIDGE_CUDA_GRAPHS"


def objection(device: torch.device) -> str | None:
    """Return why no graphs are made of the steps on `device`; None where they are made."""
    if device.type != "cuda":
        return "CUDA graphs are for CUDA"
    if os.environ.get(VARIABLE, "1") in ("", "0"):
        return f"{VARIABLE} is 0"
    if context.jit_level() == "O0":
        return "jit_level is O0"
    return "torch compiles the steps" if level_of_context() == "O2" else None
