"""Both names of a tensor, and the table of layers that they follow from: mappings/parameters.toml."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from msbridge.converters.errors import CheckpointError
from msbridge.converters.tensors.axes import Axes
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


def checked_unique(pairs: Iterable[Pair]) -> list[Pair]:
    """Return the pairs in a list.

    Raises:
        CheckpointError: two tensors have one name.
    """
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
