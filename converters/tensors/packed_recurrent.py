"""The weights of a recurrent layer in one tensor, as r1.x keeps an LSTM's, and in one for each use, as torch does."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import torch

from msbridge.converters.tensors.steps import Operation, Shapes, Tensors

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PackedWeights:
    """The offsets of the weights in the one tensor.

    On a CPU it holds the weights of the input of all layers and directions, those of their states, and a bias for each
    of them; as many numbers behind count for nothing. On a GPU, as cuDNN has them, the weights of input and state of
    each layer and direction lie together, and all biases follow in pairs.
    """

    columns: tuple[int, ...]  # the length of the input of each layer and direction
    hidden_size: int  # the length of the state
    has_bias: bool  # whether there are biases
    is_cudnn: bool  # whether it is the tensor of a GPU
    gates: int = 4  # 4 of an LSTM, 3 of a GRU

    @property
    def rows(self) -> int:
        """The rows of every weight: those of all gates."""
        return self.gates * self.hidden_size

    @property
    def count(self) -> int:
        """The elements of the one tensor."""
        return sum(self.rows * (width + self.hidden_size + 2 * self.has_bias) for width in self.columns)

    def unpack(self, flat: torch.Tensor) -> list[torch.Tensor]:
        """Cut the one tensor, of one axis, into weights of input and state and both biases, layer by layer."""
        return self._unpack_pairs(flat) if self.is_cudnn else self._unpack_kinds(flat)

    def pack(self, parts: Sequence[torch.Tensor]) -> torch.Tensor:
        """Make the one tensor, of shape (count, 1, 1), of what `unpack` cuts; a CPU's has the sum of both biases."""
        kinds = [list(parts[first :: 4 if self.has_bias else 2]) for first in range(4 if self.has_bias else 2)]
        of_inputs, of_states, *biases = kinds
        if self.is_cudnn:
            order = [one for pair in zip(of_inputs, of_states, strict=True) for one in pair]
            order += [one for pair in zip(*biases, strict=True) for one in pair]
        else:
            sums = [one + other for one, other in zip(*biases, strict=True)] if biases else []
            order = [*of_inputs, *of_states, *sums, *map(torch.zeros_like, sums)]
        return torch.cat([one.flatten() for one in order]).reshape(-1, 1, 1)

    def _unpack_kinds(self, flat: torch.Tensor) -> list[torch.Tensor]:
        rows, places = self.rows, len(self.columns)
        counts = [rows * width for width in self.columns]
        of_inputs, rest = flat[: sum(counts)].split(counts), flat[sum(counts) :]
        of_states = rest[: places * rows * self.hidden_size].chunk(places)
        biases = rest[places * rows * self.hidden_size :][: places * rows].chunk(places) if self.has_bias else ()
        parts = []
        for place, width in enumerate(self.columns):
            parts += [of_inputs[place].view(rows, width), of_states[place].view(rows, self.hidden_size)]
            parts += [biases[place], torch.zeros_like(biases[place])] if self.has_bias else []
        return parts

    def _unpack_pairs(self, flat: torch.Tensor) -> list[torch.Tensor]:
        rows = self.rows
        counts = [rows * size for width in self.columns for size in (width, self.hidden_size)]
        weights, biases = flat[: sum(counts)].split(counts), flat[sum(counts) :].split(rows)
        parts = []
        for place, width in enumerate(self.columns):
            parts += [weights[2 * place].view(rows, width), weights[2 * place + 1].view(rows, self.hidden_size)]
            parts += biases[2 * place : 2 * place + 2] if self.has_bias else ()
        return parts


@dataclass(frozen=True, slots=True)
class Repacked:
    """Tensors that are wanted in another form than they are given."""

    sources: tuple[str, ...]  # names of what is given
    targets: tuple[str, ...]  # names of what is wanted
    operation: Operation  # what makes the one of the other


def find_packed_lstms(wanted: Mapping[str, Shape], given: Mapping[str, Shape], is_cudnn: bool) -> Iterator[Repacked]:
    """Find the LSTMs whose weights are wanted in one tensor and given in several, or the other way round.

    Args:
        wanted: name → shape of what a model has.
        given: name → shape of what a checkpoint has, in the same names.
        is_cudnn: whether the one tensor is that of a GPU.
    """
    for packed, apart, is_given in ((given, wanted, True), (wanted, given, False)):
        for name, shape in packed.items():
            if len(shape) != 3 or shape[1:] != (1, 1) or name.rpartition(".")[2] != "weight" or name in apart:
                continue
            names, layout = _parts(name.removesuffix("weight"), apart, is_cudnn)
            if not names or layout.count != shape[0]:
                continue
            if is_given:
                yield Repacked((name,), names, _unpacking(layout, [apart[one] for one in names]))
            else:
                yield Repacked(names, (name,), _packing(layout, shape))


def _parts(path: str, shapes: Mapping[str, Shape], is_cudnn: bool) -> tuple[tuple[str, ...], PackedWeights]:
    """Return the names of the weights of an LSTM at a path, in the order of `unpack`, and its settings."""
    names: list[str] = []
    columns: list[int] = []
    layer, hidden = 0, 0
    while len(shapes.get(f"{path}weight_ih_l{layer}", ())) == 2:
        for way in ("", "_reverse"):
            if shape := shapes.get(f"{path}weight_ih_l{layer}{way}"):
                kinds = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
                names += [one for kind in kinds if (one := f"{path}{kind}_l{layer}{way}") in shapes]
                columns.append(shape[-1])
                hidden = shape[0] // 4
        layer += 1
    return tuple(names), PackedWeights(tuple(columns), hidden, len(names) == 4 * len(columns), is_cudnn)


def _unpacking(layout: PackedWeights, shapes: Shapes) -> Operation:
    def apply(tensors: Tensors) -> Tensors:
        return layout.unpack(tensors[0].flatten())

    return Operation("unpack an LSTM", lambda given: shapes, apply)


def _packing(layout: PackedWeights, shape: Shape) -> Operation:
    return Operation("pack an LSTM", lambda given: [shape], lambda tensors: [layout.pack(tensors)])
