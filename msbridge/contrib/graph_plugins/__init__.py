"""Plugins that a script adds to the compilation of graphs.

Follows: mindspore.graph (2.10).
"""

from msbridge.contrib.graph_plugins.operators import (
    clear_op_infer,
    clear_op_wrapper,
    register_op_infer,
    register_op_wrapper,
)
from msbridge.contrib.graph_plugins.plugins import CustomPassType, register_custom_backend, register_custom_pass

__all__ = [
    "CustomPassType",
    "clear_op_infer",
    "clear_op_wrapper",
    "register_custom_backend",
    "register_custom_pass",
    "register_op_infer",
    "register_op_wrapper",
]
