"""Registries of primitives that scripts define: a computation, and a gradient.

A primitive looks here when it is called and its class has no `__call__` of its own.

Follows: mindspore.ops.vm_impl_registry (2.10), mindspore.ops._grad_experimental.grad_base (2.10).
"""

from collections import UserDict
from collections.abc import Callable
from typing import Any

__all__ = [
    "BpropRegistry",
    "Registry",
    "VmImplRegistry",
    "bprop_getters",
    "bprops",
    "get_bprop_fn",
    "get_vm_impl_fn",
    "vm_impl_registry",
]

Function = Callable[..., Any]


class Registry(UserDict[Any, Function]):
    """Functions by primitive: `@registry.register(Class)` or `@registry.register("Name")`."""

    def register(self, prim: type | str) -> Callable[[Function], Function]:
        """Return a decorator that keeps a function for a class of primitives, or for their name."""

        def keep(fn: Function) -> Function:
            if isinstance(prim, str):
                self[prim] = fn
            else:
                self[id(prim)] = fn
                self[prim.__name__] = fn
            return fn

        return keep

    def get(self, prim_obj: Any, default: Any = None) -> Any:
        """Return the entry for a primitive, its class or its name."""
        if isinstance(prim_obj, str):
            return self.data.get(prim_obj, default)
        found = self.data.get(id(type(prim_obj)))
        return self.data.get(getattr(prim_obj, "name", None), default) if found is None else found


class VmImplRegistry(Registry):
    """Computations: the registered function gets the primitive and returns the function of its inputs."""


class BpropRegistry(Registry):
    """Gradients: the registered function gets the primitive and returns `bprop(*inputs, out, dout)`."""


vm_impl_registry = VmImplRegistry()
bprop_getters = BpropRegistry()
bprops = BpropRegistry()


def get_vm_impl_fn(prim: Any) -> Function | None:
    """Return the registered computation of a primitive or name, or None.

    Args:
        prim: a primitive, its class or its name.

    Returns:
        A function, or None.

    Follows: mindspore.ops.get_vm_impl_fn (2.10).
    """
    getter = vm_impl_registry.get(prim)
    return None if getter is None else getter(prim)


def get_bprop_fn(prim: Any, get_closure: bool = False) -> Function | None:
    """Return the registered gradient of a primitive or name, or None.

    Args:
        prim: the primitive.
        get_closure: return what makes the gradient, not the gradient.
    """
    getter = bprop_getters.get(prim)
    if getter is None:
        return bprops.get(prim)
    return getter if get_closure else getter(prim)
