"""Exact name mapping: from the layer types of a torch module, or of a Cell, and the table mappings/parameters.toml."""

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from msbridge.converters import spectral_norm
from msbridge.converters.axes import Axes, axes
from msbridge.converters.errors import CheckpointError
from msbridge.mappings import table


@dataclass(frozen=True, slots=True)
class Layer:
    """A row of parameters.toml: a torch layer and its Cell.

    Attributes:
        torch: qualified name of the torch class.
        cell: qualified name of the Cell.
        rename: torch's name of a tensor or child → MindSpore's.
        reshape: torch's name of a tensor → the axis pattern that makes MindSpore's of it.
        drop: torch's names of what MindSpore does not have.
        bare: MindSpore's name inside another Cell → its name when the Cell stands alone.
        untracked: torch's names of what a torch layer may be built without, though MindSpore's always has it.
    """

    torch: str
    cell: str
    rename: Mapping[str, str] = field(default_factory=dict)
    reshape: Mapping[str, str] = field(default_factory=dict)
    drop: tuple[str, ...] = ()
    bare: Mapping[str, str] = field(default_factory=dict)
    untracked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pair:
    """One tensor under both names.

    Attributes:
        torch: its name in the state dict.
        mindspore: its name in a `.ckpt`; None where MindSpore has no such tensor.
        axes: what makes MindSpore's tensor of torch's; None when nothing has to.
        shape: the shape of torch's tensor; None when it is not known.
        layer: the layer's type, for reports.
        optional: whether a checkpoint may lack it: another name of a tensor that comes before (tied weights), or
            statistics that torch's layer need not keep (InstanceNorm).
        is_untracked: whether torch's layer is built without it, so that only MindSpore's has it.
        magnitude: torch's name of the magnitude, when torch's tensor is the direction of a weight-normalised weight.
        magnitude_shape: its shape.
        vectors: torch's names of both vectors, when torch's tensor is the original of a spectrally normalised weight.
        vectors_axis: the axis of the weight along which the first vector lies.
        same_as: the name of the tensor before of which torch's is another name (tied weights); "" when of none.
    """

    torch: str
    mindspore: str | None
    axes: Axes | None = None
    shape: tuple[int, ...] | None = None
    layer: str = ""
    optional: bool = False
    magnitude: str | None = None
    magnitude_shape: tuple[int, ...] | None = None
    vectors: tuple[str, ...] = ()
    vectors_axis: int = 0
    same_as: str = ""
    is_untracked: bool = False

    @property
    def mindspore_shape(self) -> tuple[int, ...] | None:
        """The shape of MindSpore's tensor; None when it is not known."""
        if self.shape is None or self.axes is None:
            return self.shape
        return self.axes.shape(self.shape, self.torch)


def layers() -> Mapping[str, Layer]:
    """Give the rows of parameters.toml by torch class."""
    return table("parameters.toml", Layer)


def pairs_of_module(module: torch.nn.Module, cell: Any = None) -> list[Pair]:
    """Give both names of every tensor in the state dict of a torch module, in its order.

    A tensor of a layer that the table does not have keeps its name.

    Args:
        module: the torch module.
        cell: the Cell that is meant, if there is one: where it has layers of mint, the tensors keep torch's names.

    Raises:
        CheckpointError: two tensors would get the same name.
    """
    rows = {path: _row(one) for path, one in module.named_modules(remove_duplicate=False)}
    types = {path: type(one).__name__ for path, one in module.named_modules(remove_duplicate=False)}
    found = []
    seen: dict[int, str] = {}
    state = {name: one for name, one in module.state_dict(keep_vars=True).items() if isinstance(one, torch.Tensor)}
    vectors_of_all: set[str] = set()
    kept, others = ({}, set()) if cell is None else _kept_names(cell)
    for name, tensor in state.items():
        normalised, magnitude = _weight_norm(name, state)
        if name == magnitude or name in vectors_of_all:
            continue
        weight, vectors, axis = _spectral_norm(name, state, types)
        vectors_of_all.update(vectors)
        normalised = weight if vectors else normalised
        path, _, leaf = normalised.rpartition(".")
        row = rows.get(path)
        target: str | None = None
        if leaf != "_extra_state" and (row is None or leaf not in row.drop):
            target = _mindspore_name(path, leaf, rows)
        is_moved = row and leaf in row.reshape and (not kept or row.cell.rpartition(".")[2] in others)
        moved = axes(row.reshape[leaf]) if row and is_moved else None
        if normalised in kept:
            target, moved = kept[normalised], None
        size = tuple(state[magnitude].shape) if magnitude else None
        kind, first = types.get(path, ""), seen.setdefault(id(tensor), name)
        shape, known = tuple(tensor.shape), first if first != name else ""
        found.append(Pair(name, target, moved, shape, kind, bool(known), magnitude, size, vectors, axis, known))
    return _unique(found)


def untracked_pairs(module: torch.nn.Module) -> list[Pair]:
    """Give what the Cells of a torch module's layers have although these layers are built without it."""
    modules = dict(module.named_modules(remove_duplicate=False))
    rows = {path: _row(one) for path, one in modules.items()}
    return [
        Pair(_joined(path, leaf), _mindspore_name(path, leaf, rows), layer=type(one).__name__, optional=True,
             is_untracked=True)
        for path, one in modules.items() if (row := rows[path]) is not None
        for leaf in row.untracked if getattr(one, leaf, None) is None
    ]  # fmt: skip


def pairs_of_cell(cell: Any) -> list[Pair]:
    """Give both names of every parameter of a Cell, in its order.

    A parameter that the Cell holds under a second path (tied weights, a shared layer) has a second name in torch alone.

    Raises:
        CheckpointError: two parameters would get the same name.
    """
    by_cell = {row.cell.rpartition(".")[2]: row for row in reversed(list(layers().values()))}
    cells, held = _walked(cell)
    kinds = {path: [one.__name__ for one in type(inner).__mro__] for path, inner in cells.items()}
    rows = {path: next((by_cell[name] for name in names if name in by_cell), None) for path, names in kinds.items()}
    rows |= dict.fromkeys((path for path, inner in cells.items() if _has_torch_names(inner)), None)
    found: list[Pair] = []
    first: dict[int, Pair] = {}
    for key, parameter in held:
        torch_name, row = _torch_name(key, rows)
        if known := first.get(id(parameter)):
            found.append(replace(known, torch=torch_name, mindspore=None, optional=True, same_as=known.torch))
            continue
        leaf = torch_name.rpartition(".")[2]
        moved = axes(row.reshape[leaf]) if row and leaf in row.reshape else None
        shape = tuple(parameter.shape)
        shape = moved.inverse.shape(shape, key) if moved else shape
        may_lack = row is not None and leaf in row.untracked
        found.append(Pair(torch_name, parameter.name, moved, shape, row.cell if row else "", may_lack))
        first[id(parameter)] = found[-1]
    dropped = [
        (_joined(path, leaf), row.cell)
        for path, row in rows.items()
        if row and not _is_inside(path, rows)
        for leaf in row.drop
    ]
    found += [Pair(_torch_name(name, rows)[0], None, layer=cell) for name, cell in dropped]
    return _unique(found)


def _walked(cell: Any) -> tuple[dict[str, Any], list[tuple[str, Any]]]:
    """Give all Cells of a Cell and all parameters by their paths, a shared one under each of them."""
    if not hasattr(cell, "_cells"):  # what only looks like a Cell knows best what it holds
        return dict(cell.cells_and_names()), list(cell.parameters_and_names())
    cells = dict(_everywhere(cell))
    held = [(_joined(path, name), one) for path, inner in cells.items() for name, one in inner._params.items()]
    return cells, [(path, one) for path, one in held if one is not None]


def _everywhere(cell: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    yield path, cell
    for name, inner in cell._cells.items():
        if inner is not None:
            yield from _everywhere(inner, _joined(path, name))


def _kept_names(cell: Any) -> tuple[dict[str, str], set[str]]:
    """Give path and name of the parameters of mint's layers, and the names of the classes of all other Cells."""
    held = {path for path, inner in cell.cells_and_names() if _has_torch_names(inner)}
    others = {kind.__name__ for path, one in cell.cells_and_names() if path not in held for kind in type(one).__mro__}
    return {key: one.name for key, one in cell.parameters_and_names() if key.rpartition(".")[0] in held}, others


def _has_torch_names(cell: Any) -> bool:
    """Whether a Cell is one of mint's, or derived from one, whose parameters are called and shaped as torch's."""
    return any(".mint." in kind.__module__ or kind.__name__.endswith("Ext") for kind in type(cell).__mro__)


def _is_inside(path: str, rows: Mapping[str, Layer | None]) -> bool:
    """Whether a Cell is only how the Cell around it is made: "bn2d" in a BatchNorm3d."""
    above, _, name = path.rpartition(".")
    row = rows.get(above) if path else None
    return row is not None and any(new.startswith(f"{name}.") for new in row.rename.values())


def factory(target: str) -> Any:
    """Import `package.module:factory` and call it; give what it makes.

    Raises:
        CheckpointError: the text has another form, or there is no such thing.
    """
    import importlib

    module_name, colon, attribute = target.partition(":")
    if not colon or not module_name or not attribute:
        raise CheckpointError(f"{target!r} must be 'package.module:factory'.")
    try:
        found: Any = importlib.import_module(module_name)
        for part in attribute.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise CheckpointError(f"{target!r} cannot be imported: {error}.") from error
    return found() if callable(found) and not isinstance(found, torch.nn.Module) else found


def _weight_norm(name: str, names: Container[str]) -> tuple[str, str | None]:
    """Give the name of the weight that a part of a weight-normalised weight stands for, and that of its magnitude."""
    path, _, leaf = name.rpartition(".")
    for magnitude, direction, beside in (
        ("original0", "original1", ".parametrizations.weight"),
        ("weight_g", "weight_v", ""),
    ):
        other = {magnitude: direction, direction: magnitude}.get(leaf)
        joined = f".{path}"
        if other and joined.endswith(beside) and f"{path}.{other}".removeprefix(".") in names:
            above = joined.removesuffix(beside).removeprefix(".")
            return _joined(above, "weight"), _joined(path, magnitude)
    return name, None


def _spectral_norm(
    name: str, state: Mapping[str, torch.Tensor], types: Mapping[str, str]
) -> tuple[str, tuple[str, ...], int]:
    """Give the weight that the original of a spectrally normalised one stands for, both vectors, and their axis."""
    path, _, leaf = name.rpartition(".")
    for original, first, second, beside in (
        ("weight_orig", "weight_u", "weight_v", ""),
        ("original", "0._u", "0._v", ".parametrizations.weight"),
    ):
        joined, vectors = f".{path}", (_joined(path, first), _joined(path, second))
        if leaf == original and joined.endswith(beside) and all(one in state for one in vectors):
            above = joined.removesuffix(beside).removeprefix(".")
            left, right = (tuple(state[one].shape) for one in vectors)
            likely = 1 if "ConvTranspose" in types.get(above, "") else 0
            axis = spectral_norm.axis_of(tuple(state[name].shape), left, right, likely)
            if axis is not None:
                return _joined(above, "weight"), vectors, axis
    return name, (), 0


def _joined(path: str, leaf: str) -> str:
    return f"{path}.{leaf}" if path else leaf


def _row(module: torch.nn.Module) -> Layer | None:
    """Find the row of a module by its class, or of the nearest class it inherits."""
    for kind in type(module).__mro__:
        path = kind.__module__.split(".")
        if path[:2] == ["torch", "nn"] and (row := layers().get(f"torch.nn.{kind.__name__}")):
            return row
    return None


def _mindspore_name(path: str, leaf: str, rows: Mapping[str, Layer | None]) -> str:
    """Translate every part of a name by the row of the layer that it belongs to."""
    parts, walked = [], ""
    for part in filter(None, path.split(".")):
        row = rows.get(walked)
        parts.append(row.rename.get(part, part) if row else part)
        walked = f"{walked}.{part}" if walked else part
    row = rows.get(path)
    name = row.rename.get(leaf, leaf) if row else leaf
    if row and not path:
        name = row.bare.get(name, name)
    return ".".join([*parts, name])


def _torch_name(key: str, rows: Mapping[str, Layer | None]) -> tuple[str, Layer | None]:
    """Translate a parameter's path back; give its torch name and the row of the layer that owns it."""
    parts = key.split(".")
    made: list[str] = []
    start = 0
    while start < len(parts):
        row = rows.get(".".join(parts[:start]))
        back = {new: old for old, new in row.rename.items()} if row else {}
        rest = ".".join(parts[start:])
        if row and rest in back:  # the end of the name, perhaps of several parts ("bn2d.gamma")
            return ".".join([*made, back[rest]]), row
        if start == len(parts) - 1:
            return ".".join([*made, rest]), row
        made.append(back.get(parts[start], parts[start]))
        start += 1
    return ".".join(made), None


def _unique(pairs: Iterable[Pair]) -> list[Pair]:
    found = list(pairs)
    for names in ([one.torch for one in found], [one.mindspore for one in found if one.mindspore is not None]):
        for name in _repeated(names):
            raise CheckpointError(f"two tensors would both be called {name!r}.")
    return found


def _repeated(names: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            yield name
        seen.add(name)
