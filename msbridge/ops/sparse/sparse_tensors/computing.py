"""The family of operators on the parts of sparse tensors: some tensors in, some tensors out."""

from collections.abc import Callable
from typing import Any

from msbridge.core.autograd.pytree import unwrap_tree, wrap_tree
from msbridge.core.errors.explain import explain

__all__ = ["compute"]


def compute(fn: Callable[..., Any], op: str, *inputs: Any, **settings: Any) -> Any:
    """Apply `fn`, a function of torch tensors, to Tensors or lists of them; a failure is explained in terms of `op`."""
    try:
        return wrap_tree(fn(*map(unwrap_tree, inputs), **settings))
    except Exception as error:
        raise explain(error, op, inputs=inputs, **settings) from error
