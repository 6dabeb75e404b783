"""The refusals of an Ascend, as far as its documentation states them: operators and dtypes that it lacks."""

import inspect
import pkgutil
from collections.abc import Mapping
from functools import cache

from msbridge.core.types import dtype
from msbridge.nn.cell.cell import Cell
from msbridge.scan.environment.ascend_limits import PAGES, limits
from msbridge.strict_mode.table import Refusal

__all__ = ["read_documented"]

SOURCE = f"an Ascend, by {PAGES},"


@cache
def read_documented() -> Mapping[str, tuple[Refusal, ...]]:
    """Return the refusals by face."""
    rows: dict[str, tuple[Refusal, ...]] = {}
    for limit in limits().values():
        if limit.is_absent:
            rows[limit.name] = (Refusal(frozenset(), "TypeError", SOURCE),)
        elif (taking := _first_argument(limit.name)) is not None:
            face, argument = taking
            dtypes = [getattr(dtype, "bool_" if name == "bool" else name) for name in limit.lacks]
            rows[face] = tuple(Refusal(frozenset({f"{argument}:{each}"}), "TypeError", SOURCE) for each in dtypes)
    return rows


def _first_argument(name: str) -> tuple[str, str] | None:
    """Return the face that takes the tensor, and what it calls it; None where msbridge has no such name."""
    try:
        public = pkgutil.resolve_name(f"msbridge.{name}")
    except (ImportError, AttributeError):
        return None
    is_class = isinstance(public, type)
    taking = public.construct if is_class and issubclass(public, Cell) else public.__call__ if is_class else public
    parameters = list(inspect.signature(taking).parameters.values())[is_class:]
    if not parameters:
        return None
    is_open = parameters[0].kind is inspect.Parameter.VAR_POSITIONAL
    return f"{name}()" if is_class else name, f"{parameters[0].name}{'0' if is_open else ''}"
