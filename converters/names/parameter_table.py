"""Both names of a tensor, and the table of layers that they follow from: mappings/parameters.toml."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from torch import Tensor

from msbridge.converters.errors import CheckpointError
from msbridge.converters.options import Naming
from msbridge.converters.tensors.axes import Axes
from msbridge.converters.tensors.operations import then_move
from msbridge.converters.tensors.parametrizations import Folded
from msbridge.mappings import table

Shape = tuple[int, ...]


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
        torch: its name in the state dict; of a weight in several tensors, the name of the one that has its shape.
        mindspore: its name in a `.ckpt`; None where MindSpore has no such tensor.
        axes: what makes MindSpore's tensor of torch's; None when nothing has to.
        shape: the shape of torch's tensor; None when it is not known.
        layer: the layer's type, for reports.
        optional: whether a checkpoint may lack it: another name of a tensor that comes before (tied weights), or
            statistics that torch's layer need not keep (InstanceNorm).
        is_untracked: whether torch's layer is built without it, so that only MindSpore's has it.
        folded: what computes the weight, when torch keeps it in several tensors.
        same_as: the name of the tensor before of which torch's is another name (tied weights); "" when of none.
    """

    torch: str
    mindspore: str | None
    axes: Axes | None = None
    shape: Shape | None = None
    layer: str = ""
    optional: bool = False
    folded: Folded | None = None
    same_as: str = ""
    is_untracked: bool = False

    @property
    def mindspore_shape(self) -> Shape | None:
        """The shape of MindSpore's tensor; None when it is not known."""
        if self.shape is None or self.axes is None:
            return self.shape
        return self.axes.shape(self.shape, self.torch)

    def name_in(self, naming: Naming) -> str:
        """Return its name in torch or in MindSpore; "" where that has no such tensor."""
        return self.torch if naming == "torch" else self.mindspore or ""

    def shape_in(self, naming: Naming) -> Shape | None:
        """Return its shape in torch or in MindSpore; None when it is not known."""
        return self.shape if naming == "torch" else self.mindspore_shape

    @property
    def sources(self) -> tuple[str, ...]:
        """The names of all tensors in which torch keeps it."""
        return self.folded.sources if self.folded else (self.torch,)

    def to_mindspore(self, tensors: Sequence[Tensor]) -> Tensor:
        """Compute MindSpore's tensor of torch's, which are given in the order of `sources`."""
        if self.folded:
            return then_move(self.folded.fold, self.axes).apply(list(tensors))[0]
        return self.axes.apply(tensors[0], self.torch) if self.axes else tensors[0]


@dataclass(frozen=True, slots=True)
class Slot:
    """A parameter of a Cell."""

    key: str  # its path in the Cell
    shape: Shape  # its shape
    is_trained: bool  # whether the Cell trains it
    name: str = ""  # its name in a `.ckpt`; "" when that is its path


def layers() -> Mapping[str, Layer]:
    """Return the rows of parameters.toml by torch class."""
    return table("parameters.toml", Layer)


def require_unique(pairs: Iterable[Pair]) -> list[Pair]:
    """Return the pairs in a list.

    Raises:
        CheckpointError: two tensors have one name.
    """
    listed = list(pairs)
    for names in ([one.torch for one in listed], [one.mindspore for one in listed if one.mindspore is not None]):
        seen: set[str] = set()
        for name in names:
            if name in seen:
                raise CheckpointError(f"two tensors would both be called {name!r}.")
            seen.add(name)
    return listed
