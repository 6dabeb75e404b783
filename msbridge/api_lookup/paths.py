"""Full paths of the names that users type: "ops.split", "P.MatMul", "mnp.diff", "split", "torch.nn.functional.gelu"."""

import pkgutil
from types import ModuleType
from typing import Any

from msbridge.core.checks.suggestions import nearest
from msbridge.dropin.importing.missing_names import explanation
from msbridge.scan.torch_names.equivalents import counterpart

__all__ = ["find_paths", "mindspore_paths", "suggest_names", "value_at"]

MODULES = {  # as scripts import them
    "C": "mindspore.ops",
    "F": "mindspore.ops",
    "P": "mindspore.ops",
    "c_vision": "mindspore.dataset.vision",
    "ds": "mindspore.dataset",
    "mindspore": "mindspore",
    "mnp": "mindspore.numpy",
    "ms": "mindspore",
    "msnp": "mindspore.numpy",
    "transforms": "mindspore.dataset.transforms",
    "vision": "mindspore.dataset.vision",
}
HOMES = (
    "mindspore",
    "mindspore.ops",
    "mindspore.nn",
    "mindspore.mint",
    "mindspore.mint.nn",
    "mindspore.mint.nn.functional",
    "mindspore.Tensor",
    "mindspore.nn.Cell",
    "mindspore.numpy",
    "mindspore.train",
    "mindspore.amp",
    "mindspore.dataset",
    "mindspore.dataset.vision",
    "mindspore.dataset.transforms",
    "mindspore.dataset.text",
    "mindspore.dataset.audio",
    "mindspore.common.initializer",
    "mindspore.communication",
)


def find_paths(asked: str) -> list[str]:
    """Return the full paths of MindSpore that a name may mean, the likeliest first; of a torch name its counterpart.

    The drop-in has to be in place.
    """
    if asked.split(".")[0] in ("torch", "torchvision"):
        row = counterpart(asked)
        return [row.mindspore] if row else []
    return mindspore_paths(asked)


def mindspore_paths(asked: str) -> list[str]:
    """Return the full paths of a name of MindSpore: as it stands, below `mindspore`, or in what users import."""
    first, _, rest = asked.partition(".")
    if first in MODULES and rest:
        path = f"{MODULES[first]}.{rest}"
        return [path] if _is_known(path) else []
    if "." in asked:
        return [path for path in (f"mindspore.{asked}",) if _is_known(path)]
    found = [path for home in HOMES if _is_known(path := f"{home}.{asked}")]
    values = [value_at(path) for path in found]
    return [path for number, path in enumerate(found) if _is_new(values[number], values[:number])]


def suggest_names(asked: str) -> list[str]:
    """Return names like one that MindSpore does not have, as full paths."""
    owner, _, name = asked.rpartition(".")
    owners = [f"mindspore.{owner}"] if owner else HOMES
    owners = [MODULES.get(owner, each) for each in owners]
    there = {f"{home}.{each}" for home in owners if (value := value_at(home)) is not None for each in dir(value)}
    near = nearest(name, {path.rpartition(".")[2] for path in there})
    return sorted((path for path in there if path.rpartition(".")[2] in near), key=lambda path: (len(path), path))[:5]


def value_at(path: str) -> Any:
    """Return the object at a full path; None where it leads nowhere."""
    try:
        return pkgutil.resolve_name(path)
    except (ImportError, AttributeError, ValueError):
        return None


def _is_known(path: str) -> bool:
    """Whether MindSpore has a path, here or only there; what a module has imported is not its own."""
    value = value_at(path)
    return explanation(path) is not None if value is None else not isinstance(value, ModuleType)


def _is_new(value: Any, before: list[Any]) -> bool:
    return value is None or not any(value is each for each in before)
