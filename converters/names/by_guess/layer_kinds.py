"""The kind of a torch layer, inferred from the names and shapes of its tensors and from the layers around it."""

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from msbridge.converters.names.by_guess.groups import Group
from msbridge.converters.names.parameter_table import layers
from msbridge.mappings import table

Certainty = Literal["sure", "likely", "open"]


@dataclass(frozen=True, slots=True)
class LayerName:
    """A row of layer_names.toml."""

    kind: str  # the kind of layer
    path: str  # what the end of its path looks like
    unlike: str = ""  # what it does not look like, though `path` fits


@dataclass(frozen=True, slots=True)
class LayerKind:
    """The kind that a layer is taken for, and what follows for its tensors.

    Attributes:
        name: the kind.
        why: the evidence, and what else it could be.
        layer: the torch layer whose row of parameters.toml says what follows; "" when nothing does.
        certainty: "sure" is no guess; "likely" is one where it changes anything; "open" is one in any case.
    """

    name: str
    why: str = ""
    layer: str = ""
    certainty: Certainty = "likely"

    @property
    def rename(self) -> Mapping[str, str]:
        """Torch's last part of a name → MindSpore's."""
        return layers()[f"torch.nn.{self.layer}"].rename if self.layer else {}

    @property
    def axes(self) -> str | None:
        """The moves of its weight's axes."""
        return layers()[f"torch.nn.{self.layer}"].reshape.get("weight") if self.layer else None

    @property
    def reason(self) -> str:
        """The kind and the evidence, for the report."""
        return f"{self.name}: {self.why}" if self.why else self.name

    def is_guess(self, changes: bool) -> bool:
        """Whether this is a guess for a tensor that it changes, or does not change."""
        return self.certainty == "open" or (changes and self.certainty == "likely")


def looks_like(path: str, kind: str) -> bool:
    """Whether the end of a layer's path speaks for a kind of layer."""
    row = table("layer_names.toml", LayerName)[kind]
    last = re.sub(r"(\.\d+)+$", "", path).rpartition(".")[2]
    return bool(_pattern(row.path).fullmatch(last)) and not (row.unlike and _pattern(row.unlike).fullmatch(last))


def kind_of(group: Group, before: Sequence[Group]) -> LayerKind:
    """Return the kind of a layer.

    Args:
        group: its tensors.
        before: the layers that come before it in the file.
    """
    weight, bias = group.shape("weight"), group.shape("bias")
    if group.rank("running_mean") == 1 and group.rank("running_var") == 1:
        if _follows_conv3d(group, before):
            return LayerKind("BatchNorm3d", "it has running statistics and follows a Conv3d", "BatchNorm3d")
        return LayerKind("BatchNorm", "it has running statistics", "BatchNorm2d", "sure")
    if weight is None:
        return LayerKind("", certainty="sure")
    if len(weight) == 1:
        return _vector(group, weight, bias, before)
    if len(weight) == 2:
        return _matrix(group, weight, bias)
    if len(weight) == 3:
        return _of_three_axes(weight, bias)
    return LayerKind({4: "Conv2d", 5: "Conv3d"}.get(len(weight), ""), certainty="sure")


def _vector(group: Group, weight: tuple[int, ...], bias: tuple[int, ...] | None, before: Sequence[Group]) -> LayerKind:
    if bias == weight:
        if group.leaves.keys() > {"weight", "bias"}:
            return LayerKind(
                "a layer that MindSpore does not have", f"besides weight and bias {_others(group)}", certainty="open"
            )
        why = "weight and bias are vectors, and there are no running statistics"
        return LayerKind("LayerNorm, GroupNorm or InstanceNorm", why, "LayerNorm")
    if bias is not None:
        return LayerKind("", certainty="sure")
    if looks_like(group.path, "RMSNorm"):
        why = "its name says norm and it has no bias; its weight keeps its name, where a LayerNorm's would be gamma"
        return LayerKind("RMSNorm", why, certainty="open")
    if weight == (1,) or looks_like(group.path, "PReLU"):
        why = "a single weight" if weight == (1,) else "its name says so and it has no bias"
        return LayerKind("PReLU", f"{why}; else a vector that keeps its name", "PReLU")
    if before and _is_behind_channels(group.path, weight, before[-1]):
        why = "a vector right behind as many channels of images; else a vector that keeps its name"
        return LayerKind("PReLU", why, "PReLU")
    why = "nothing distinguishes a PReLU (w in MindSpore), a normalization (gamma) and the user's own; its name is kept"
    return LayerKind("a vector", why, certainty="open")


def _matrix(group: Group, weight: tuple[int, ...], bias: tuple[int, ...] | None) -> LayerKind:
    if bias is not None:
        if bias == weight[1:] and weight[0] != weight[1]:
            return LayerKind("Linear with transposed weight", "its bias goes with the second axis; kept as it is")
        return LayerKind("Linear", certainty="sure")
    if looks_like(group.path, "Embedding"):
        return LayerKind("Embedding", "its name says so and it has no bias; else a Linear", "Embedding")
    if looks_like(group.path, "Linear"):
        return LayerKind("Linear", "its name says so; else an Embedding without bias")
    return LayerKind("Linear", "without bias; else an Embedding, of which the name says nothing", certainty="open")


def _of_three_axes(weight: tuple[int, ...], bias: tuple[int, ...] | None) -> LayerKind:
    """Distinguish a convolution from a stack of matrices: the bias of a convolution is a vector."""
    if bias is not None and (len(bias) != 1 or (weight[0] != bias[0] and bias[0] % weight[1])):
        return LayerKind("a stack of matrices", f"a bias of shape {bias} does not go with a convolution")
    return LayerKind("Conv1d", "three axes, which are four in MindSpore; else a stack of matrices", "Conv1d")


def _others(group: Group) -> str:
    names = [repr(leaf) for leaf in group.leaves if leaf not in ("weight", "bias")]
    return f"it has {', '.join(names)}"


def _follows_conv3d(group: Group, before: Sequence[Group]) -> bool:
    """Whether the nearest layer before, of as many channels, is a convolution in three dimensions."""
    for earlier in reversed(before):
        weight = earlier.shape("weight")
        if weight and len(weight) >= 2:
            return len(weight) == 5 and group.shape("running_mean") in ((weight[0],), (weight[1],))
    return False


def _is_behind_channels(path: str, weight: tuple[int, ...], last: Group) -> bool:
    """Whether a vector is in a sequence behind a convolution, or its normalization, of as many channels."""
    parent, _, number = path.rpartition(".")
    parent_of_last, _, number_of_last = last.path.rpartition(".")
    if parent != parent_of_last or not (number.isdecimal() and number_of_last.isdecimal()):
        return False
    kernel = last.shape("weight")
    if last.shape("running_mean") == weight:
        return True
    return kernel is not None and len(kernel) > 2 and weight in ((kernel[0],), (kernel[1],))


@functools.cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)
