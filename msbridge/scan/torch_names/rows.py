"""Rows of mappings/torch_names.toml: what becomes of a name of torch, for scans, look-ups and translations."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from msbridge.mappings import table

__all__ = ["WRITTEN", "TorchName", "row_of", "rows"]

# The names that translated source imports, and what each is.
WRITTEN = {
    "ms": "mindspore",
    "nn": "mindspore.nn",
    "ops": "mindspore.ops",
    "mint": "mindspore.mint",
    "Tensor": "mindspore.Tensor",
    "Parameter": "mindspore.Parameter",
    "dataset": "mindspore.dataset",
    "optim": "mindspore.experimental.optim",
    "vision": "mindspore.dataset.vision",
    "transforms": "mindspore.dataset.transforms",
}


@dataclass(frozen=True, slots=True)
class TorchName:
    """A row of torch_names.toml."""

    name: str  # of torch or its packages
    mindspore: str = ""  # its name in MindSpore; where `agreement` says how it agrees, that of `write` by itself
    agreement: str = ""  # "consistent" or "differs": names, order, types, defaults of arguments, by MindSpore's pages
    write: str = ""  # the call that is written in its place; without parentheses only the name changes
    torch: str = ""  # the arguments of torch's call, as in its definition; those of a method without `self`
    spell: tuple[str, ...] = ()  # arguments whose default is another one in MindSpore
    only: Mapping[str, str] = field(default_factory=dict)  # arguments with the one value that `write` knows
    read: tuple[str, ...] = ()  # other calls of MindSpore that mean the same, for the way back
    hand: str = ""  # what to decide, where nothing can be written
    needless: str = ""  # why nothing has to be written in its place

    @property
    def written(self) -> str:
        """The full name that `write` has; "" where it is none of MindSpore."""
        target = self.write.partition("(")[0]
        root, dot, rest = target.partition(".")
        if dot and not root:
            return f"mindspore.Tensor.{rest}"
        return f"{WRITTEN[root]}{dot}{rest}" if root in WRITTEN else ""


def rows() -> Mapping[str, TorchName]:
    """Return all rows by the name of torch."""
    return table("torch_names.toml", TorchName)


def row_of(path: str) -> TorchName | None:
    """Return the row of a name of torch; None where there is none."""
    return rows().get(path)
