"""Kinds: what scripts call the class of a Cell."""

from msbridge import mint, nn
from msbridge.converters.names.parameter_table import layers
from msbridge.core.runtime.defining_modules import defining_module

ROOMS = (("nn", nn), ("mint.nn", mint.nn))


def kind_of(kind: type) -> str:
    """Return the name by which scripts know a class, such as `nn.GELU`; of another's the name without a module."""
    places = [f"{room}.{name}" for room, module in ROOMS for name in module.__all__ if getattr(module, name) is kind]
    return next((place for place in places if not _is_hidden(place)), _by_module(kind))


def _is_hidden(place: str) -> bool:
    """Whether scripts write another name: mint's for what `nn` has under a name of the inside, or of torch."""
    row = layers().get(f"torch.{place}")
    return place.endswith("Ext") or (row is not None and row.cell != f"mindspore.{place}")


def _by_module(kind: type) -> str:
    rooms = (("msbridge.nn.", "nn."), ("msbridge.mint.", "mint.nn."))
    return next((new for old, new in rooms if defining_module(kind).startswith(old)), "") + kind.__name__
