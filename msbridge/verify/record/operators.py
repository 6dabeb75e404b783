"""Operators: what torch's schema says of a call, worked out once for each operator."""

import functools
from dataclasses import dataclass
from typing import Any

import torch

from msbridge.verify.record.trace import ALIASES, PLAIN, tensors


@dataclass(frozen=True, slots=True)
class Signature:
    """What is known of an operator before it runs.

    Attributes:
        name: short, without the underscore of the in-place form.
        arguments: (name, default) in order.
        written: (position, name) of the arguments that it writes to.
        is_random: whether it draws random numbers.
        pure: the operator that gives the same and writes nothing (`relu` for `relu_`); None where there is none.
    """

    name: str
    arguments: tuple[tuple[str, Any], ...]
    written: tuple[tuple[int, str], ...]
    is_random: bool
    pure: Any


@functools.cache
def signature(func: Any) -> Signature:
    """Read the schema of a torch operator."""
    schema = func._schema
    short = schema.name.partition("::")[2]
    name = short if short.endswith("__") else short.rstrip("_")
    written = [
        (index, one.name)
        for index, one in enumerate(schema.arguments)
        if one.alias_info is not None and one.alias_info.is_write
    ]
    return Signature(
        name=ALIASES.get(name, name),
        arguments=tuple((one.name, one.default_value) for one in schema.arguments),
        written=tuple(written) if schema.is_mutable else (),
        pure=_pure(func, written),
        is_random=torch.Tag.nondeterministic_seeded in func.tags,
    )


def _pure(func: Any, written: list[tuple[int, str]]) -> Any:
    schema = func._schema
    if not schema.is_mutable:
        return func
    namespace, _, name = schema.name.partition("::")
    if len(written) != 1 or not name.endswith("_") or name.endswith("__"):
        return None
    packet = getattr(getattr(torch.ops, namespace), name[:-1], None)
    return getattr(packet, schema.overload_name or "default", None)


def plain_arguments(known: Signature, args: tuple, kwargs: dict) -> dict[str, Any]:
    """Name the arguments that are no tensors, defaults included."""
    found = {}
    count = len(args)
    for index, (name, default) in enumerate(known.arguments):
        value = args[index] if index < count else kwargs.get(name, default)
        if type(value) in PLAIN or not (isinstance(value, torch.Tensor | torch.Generator) or tensors(value)):
            found[name] = value
    return found


def written_tensors(known: Signature, args: tuple, kwargs: dict) -> list[torch.Tensor]:
    """Give the tensors that a call writes to."""
    return [
        tensor
        for index, name in known.written
        for tensor in tensors(args[index] if index < len(args) else kwargs.get(name))
    ]
