"""Primitives of earlier releases that no CPU computed: they are made and printed, and their call is refused."""

from typing import Any, NoReturn

from msbridge.core.releases.arguments import signature_of
from msbridge.ops.primitive.primitive import Primitive


def without_kernel(name: str, arguments: str = "", **attributes: Any) -> Any:
    """Make the class of a primitive that keeps its arguments as attributes and cannot be called.

    Args:
        name: the primitive's.
        arguments: those of its constructor, without `self`.
        attributes: further ones that it has.
    """
    signature = signature_of(", ".join(filter(None, ("self", arguments))))

    def __init__(self: Primitive, *args: Any, **kwargs: Any) -> None:
        Primitive.__init__(self, name)
        given = signature.bind(self, *args, **kwargs)
        given.apply_defaults()
        for key, value in {**given.arguments, **attributes}.items():
            if key != "self":
                self.add_prim_attr(key, value)

    def __call__(self: Primitive, *args: Any) -> NoReturn:
        raise RuntimeError(f"For '{name}', there is no kernel for the CPU in MindSpore, and none in msbridge.")

    __init__.__signature__ = signature  # type: ignore[attr-defined]
    return type(name, (Primitive,), {"__init__": __init__, "__call__": __call__, "__module__": __name__})
