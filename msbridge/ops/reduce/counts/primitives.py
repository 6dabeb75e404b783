"""Primitives that count, pack and compare."""

from itertools import groupby
from typing import Any

import numpy as np
import torch

from msbridge.core.checks.arguments import instance, one_of, positive_int
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.ops.kernel_calls.families import call_kernel, plain_shape
from msbridge.ops.primitive.primitive import Primitive, derive
from msbridge.ops.reduce.extremes import functions as extremes

FORMATS = ("NHWC", "NCHW")


def _bincount(array: Tensor, size: Tensor, weights: Tensor) -> Tensor:
    """Return the sum of the weights of every value below `size`; empty weights count as ones.

    Args:
        array: one axis; Int32.
        size: how many values are counted, a 0-d Int32.
        weights: of the shape of `array`, or empty.

    Returns:
        A Tensor of shape (size,) and the dtype of `weights`.
    """

    def count(data: torch.Tensor, shares: torch.Tensor) -> torch.Tensor:
        shares = shares if shares.numel() else torch.ones_like(data, dtype=shares.dtype)
        bins = int(size.asnumpy())
        within = (data >= 0) & (data < bins)
        return shares.new_zeros(bins).index_add_(0, data[within].long(), shares[within])

    return call_kernel(count, "Bincount", array, weights)  # type: ignore[no-any-return]


def _pack(x: Tensor, threshold: Tensor) -> Tensor:
    """Return whether `x` exceeds the threshold, eight to a byte along the last axis, the first in the highest bit.

    Args:
        x: shape (..., 8·n); integers, floats or Bool.
        threshold: 0-d, of the dtype of `x`.

    Returns:
        A Tensor of shape (..., n); UInt8.
    """

    def pack(data: torch.Tensor, limit: torch.Tensor) -> torch.Tensor:
        if not data.dim() or data.shape[-1] % 8:
            raise ValueError("the length of the last axis must be divisible by 8.")
        bits = (data > limit).unflatten(-1, (-1, 8)).to(torch.uint8)
        return (bits << torch.arange(7, -1, -1, dtype=torch.uint8, device=data.device)).sum(-1).to(torch.uint8)

    return call_kernel(pack, "CompareAndBitpack", x, threshold)  # type: ignore[no-any-return]


class ComputeAccidentalHits(Primitive):
    """Return the hits of samples on true classes: the rows (int32), the places of the samples, and weights of -max.

    Args:
        num_true: how many true classes a row has.

    Inputs:
        true_classes: the classes of each row, (N, num_true), Int64.
        sampled_candidates: the classes that were drawn, (samples,), Int64.

    Outputs:
        (indices, ids, weights), each of shape (hits,): Int32, Int64 and Float32.

    Raises:
        TypeError: it is not an int.
        ValueError: it is not positive.

    Follows: mindspore.ops.ComputeAccidentalHits (2.10), of Ascend.
    """

    def __init__(self, num_true: int = 1) -> None:
        super().__init__("ComputeAccidentalHits")
        self.add_prim_attr("num_true", positive_int(num_true, "num_true", self.name))

    def __call__(self, true_classes: Tensor, sampled_candidates: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return call_kernel(self._hits, self.name, true_classes, sampled_candidates)  # type: ignore[no-any-return]

    def _hits(self, classes: torch.Tensor, samples: torch.Tensor) -> tuple[torch.Tensor, ...]:
        if classes.dim() != 2 or classes.shape[1] != self.attrs["num_true"]:
            raise ValueError(f"true_classes must be of shape (batch, {self.attrs['num_true']}).")
        rows, _, places = (classes[:, :, None] == samples).nonzero(as_tuple=True)
        weights = torch.full(rows.shape, torch.finfo(torch.float32).min, device=rows.device)
        return rows.int(), places.to(samples.dtype), weights


class ConfusionMatrix(Primitive):
    """Count how often a prediction (second axis) was made where a label (first axis) was true.

    Args:
        num_classes: the number of classes.
        dtype: the name of the result's type.

    Inputs:
        labels: shape (N,), integers in [0, num_classes).
        predictions: likewise.
        weights: what each pair counts, (N,); None for ones.

    Outputs:
        A Tensor of shape (num_classes, num_classes), of the dtype `dtype`.

    Raises:
        TypeError: an argument of another type.

    Follows: mindspore.ops.ConfusionMatrix (2.10), of Ascend.
    """

    def __init__(self, num_classes: int, dtype: str = "int32") -> None:
        super().__init__("ConfusionMatrix")
        self.add_prim_attr("num_classes", instance(num_classes, "num_classes", self.name, int))
        self.add_prim_attr("dtype", instance(dtype, "dtype", self.name, str))

    def __call__(self, labels: Tensor, predictions: Tensor, weights: Tensor | None = None) -> Tensor:
        return call_kernel(self._count_pairs, self.name, labels, predictions, weights)  # type: ignore[no-any-return]

    def _count_pairs(self, labels: torch.Tensor, guesses: torch.Tensor, weights: torch.Tensor | None) -> torch.Tensor:
        count = self.attrs["num_classes"]
        shares = torch.ones_like(labels) if weights is None else weights
        found = shares.new_zeros(count * count).index_add_(0, labels.long() * count + guesses.long(), shares)
        return found.reshape(count, count).to(getattr(mstype, self.attrs["dtype"]).torch)


class EditDistance(Primitive):
    """Return the fewest insertions, deletions and replacements between sequences, which are sparse along the last axis.

    Args:
        normalize: whether the distance is divided by the length of the true sequence.

    Inputs:
        hypothesis_indices: places of the first sequences' elements, (n, rank), Int64.
        hypothesis_values: the elements, (n,).
        hypothesis_shape: the dense shape, (rank,), Int64.
        truth_indices: the places of the true sequences' elements, (m, rank), Int64.
        truth_values: the elements, (m,).
        truth_shape: the dense shape, (rank,), Int64.

    Outputs:
        A Tensor of the dense shape without its last axis; Float32.

    Raises:
        TypeError: `normalize` is not a bool.

    Follows: mindspore.ops.EditDistance (2.10).
    """

    def __init__(self, normalize: bool = True) -> None:
        super().__init__("EditDistance")
        self.add_prim_attr("normalize", instance(normalize, "normalize", self.name, bool))

    def __call__(
        self,
        hypothesis_indices: Tensor,
        hypothesis_values: Tensor,
        hypothesis_shape: Tensor,
        truth_indices: Tensor,
        truth_values: Tensor,
        truth_shape: Tensor,
    ) -> Tensor:
        try:
            guesses = _sequences(hypothesis_indices, hypothesis_values)
            truths = _sequences(truth_indices, truth_values)
            shape = np.maximum(plain_shape(hypothesis_shape), plain_shape(truth_shape))[:-1]
            distances = np.zeros(shape, np.float32)
            for place in guesses.keys() | truths.keys():
                guess, truth = guesses.get(place, []), truths.get(place, [])
                distance = float(_distance(guess, truth))
                if self.attrs["normalize"]:
                    distance = distance / len(truth) if truth else np.inf
                distances[place] = distance
            return wrap(torch.from_numpy(distances).to(truth_values._data.device))
        except Exception as error:
            raise explain(
                error, self.name, hypothesis_indices=hypothesis_indices, truth_indices=truth_indices
            ) from error


def _sequences(indices: Tensor, values: Tensor) -> dict[tuple[int, ...], list[Any]]:
    """Return the values of every sequence, by its place."""
    rows = sorted(zip(map(tuple, indices.tolist()), values.tolist(), strict=True))
    return {place: [value for _, value in part] for place, part in groupby(rows, key=lambda row: row[0][:-1])}


def _distance(one: list[Any], other: list[Any]) -> int:
    """Return the Levenshtein distance."""
    last = list(range(len(other) + 1))
    for row, left in enumerate(one, 1):
        now = [row]
        for column, right in enumerate(other, 1):
            now.append(min(last[column] + 1, now[-1] + 1, last[column - 1] + (left != right)))
        last = now
    return last[-1]


class HistogramFixedWidth(Primitive):
    """Count the values in each of `nbins` equal parts of a range; those beyond count at its ends.

    Args:
        nbins: how many parts.
        dtype: "int32".

    Inputs:
        x: any shape; Int32, Float16 or Float32.
        range: the lowest and the highest value, (2,), of the dtype of `x`.

    Outputs:
        A Tensor of shape (nbins,); Int32.

    Raises:
        TypeError: `nbins` is not an int.
        ValueError: it is not positive, or another `dtype`.

    Follows: mindspore.ops.HistogramFixedWidth (2.10), of GPU and Ascend.
    """

    def __init__(self, nbins: int, dtype: str = "int32") -> None:
        super().__init__("HistogramFixedWidth")
        self.add_prim_attr("nbins", positive_int(nbins, "nbins", self.name))
        self.add_prim_attr("dtype", one_of(dtype, "dtype", self.name, ("int32",)))

    def __call__(self, x: Tensor, range: Tensor) -> Tensor:
        return call_kernel(self._count_bins, self.name, x, range)  # type: ignore[no-any-return]

    def _count_bins(self, data: torch.Tensor, ends: torch.Tensor) -> torch.Tensor:
        count = self.attrs["nbins"]
        low, high = ends.to(torch.float64)
        places = ((data.double() - low) / (high - low) * count).floor().clamp(0, count - 1).long().flatten()
        return torch.zeros(count, dtype=torch.int32, device=data.device).index_add_(
            0, places, torch.ones_like(places, dtype=torch.int32)
        )


def _quantile(
    input: Tensor, q: float | Tensor, dim: int | None = None, keep_dims: bool = False, ignore_nan: bool = False
) -> Tensor:
    """Return quantiles, interpolated linearly.

    Args:
        input: any shape; Float32 or Float64.
        q: a number in [0, 1], or a Tensor of them of at most one axis.
        dim: along which axis; None takes all elements.
        keep_dims: keep the axis with length 1.
        ignore_nan: leave NaN out.

    Returns:
        A Tensor of the dtype of `input`; an axis for `q`, if it has one, is first.
    """
    return (extremes.nanquantile if ignore_nan else extremes.quantile)(input, q, dim, keep_dims)


class RaggedRange(Primitive):
    """Return ranges one after another, and where each begins.

    Args:
        Tsplits: the type of the places, int32 or int64.

    Inputs:
        starts: where each range begins, (n,); integers or floats.
        limits: where it ends, exclusive, likewise.
        deltas: its step, likewise.

    Outputs:
        (places, values): of shape (n + 1,) and dtype `Tsplits`, and of one axis and the dtype of `starts`.

    Raises:
        TypeError: another type.

    Follows: mindspore.ops.RaggedRange (2.10).
    """

    def __init__(self, Tsplits: Type) -> None:
        super().__init__("RaggedRange")
        if Tsplits not in (mstype.int32, mstype.int64):
            raise TypeError(f"For '{self.name}', Tsplits must be int32 or int64, got {Tsplits}.")
        self.add_prim_attr("Tsplits", Tsplits)

    def __call__(self, starts: Tensor, limits: Tensor, deltas: Tensor) -> tuple[Tensor, Tensor]:
        return call_kernel(self._ranges, self.name, starts, limits, deltas)  # type: ignore[no-any-return]

    def _ranges(self, *inputs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        starts, limits, deltas = (one.reshape(-1) for one in inputs)
        if (deltas == 0).any():
            raise ValueError("deltas must not be 0.")
        counts = ((limits - starts).double() / deltas.double()).ceil().clamp(min=0).long()
        ends = torch.nn.functional.pad(counts.cumsum(0), (1, 0))
        rows = torch.repeat_interleave(counts)
        steps = torch.arange(len(rows), device=rows.device) - ends[rows]
        return ends.to(self.attrs["Tsplits"].torch), (starts[rows] + steps * deltas[rows]).to(starts.dtype)


class _BetweenFormats(Primitive):
    """Base: `_order[i]` is where the axis i of the new format was in the old one."""

    def __init__(self, src_format: str = "NHWC", dst_format: str = "NCHW") -> None:
        super().__init__(type(self).__name__)
        self.add_prim_attr("src_format", one_of(src_format, "src_format", self.name, FORMATS))
        self.add_prim_attr("dst_format", one_of(dst_format, "dst_format", self.name, FORMATS))
        self._order = [src_format.index(axis) for axis in dst_format]


class DataFormatDimMap(_BetweenFormats):
    """Return the axis of one format for each axis of another; negative ones count from the end.

    Args:
        src_format: "NHWC" or "NCHW".
        dst_format: likewise.

    Inputs:
        input_x: axes in [-4, 4), any shape; Int32.

    Outputs:
        A Tensor of the shape and dtype of `input_x`.

    Raises:
        ValueError: another format.

    Follows: mindspore.ops.DataFormatDimMap (2.10).
    """

    def __call__(self, input_x: Tensor) -> Tensor:
        def map_dims(data: torch.Tensor) -> torch.Tensor:
            return torch.tensor(self._order, dtype=data.dtype, device=data.device)[(data % 4).long()]

        return call_kernel(map_dims, self.name, input_x)  # type: ignore[no-any-return]


class DataFormatVecPermute(_BetweenFormats):
    """Return sizes, or pairs of sizes, of the axes of one format in the order of another.

    Args:
        src_format: "NHWC" or "NCHW".
        dst_format: likewise.

    Inputs:
        input_x: shape (4,) or (4, 2); Int32 or Int64.

    Outputs:
        A Tensor of the shape and dtype of `input_x`.

    Raises:
        ValueError: another format, or an input of another shape than (4,) or (4, 2).

    Follows: mindspore.ops.DataFormatVecPermute (2.10).
    """

    def __call__(self, input_x: Tensor) -> Tensor:
        def permute(data: torch.Tensor) -> torch.Tensor:
            if data.shape not in ((4,), (4, 2)):
                raise ValueError("the shape must be (4,) or (4, 2).")
            return data[self._order]

        return call_kernel(permute, self.name, input_x)  # type: ignore[no-any-return]


class NoRepeatNGram(Primitive):
    """Set the log probability of words that would repeat `ngram_size` words in a row to the least there is.

    Args:
        ngram_size: how many words in a row must not come again.

    Inputs:
        state_seq: the words so far, (batch, beam, length), Int32.
        log_probs: of the next word, (batch, beam, vocabulary); floats.

    Outputs:
        A Tensor of the shape and dtype of `log_probs`.

    Raises:
        TypeError: it is not an int.
        ValueError: it is not positive, or longer than the sequences.

    Follows: mindspore.ops.NoRepeatNGram (2.10).
    """

    def __init__(self, ngram_size: int = 1) -> None:
        super().__init__("NoRepeatNGram")
        self.add_prim_attr("ngram_size", positive_int(ngram_size, "ngram_size", self.name))

    def __call__(self, state_seq: Tensor, log_probs: Tensor) -> Tensor:
        return call_kernel(self._without, self.name, state_seq, log_probs)  # type: ignore[no-any-return]

    def _without(self, words: torch.Tensor, chances: torch.Tensor) -> torch.Tensor:
        size = self.attrs["ngram_size"]
        if size > words.shape[-1]:
            raise ValueError(f"ngram_size must be at most the length {words.shape[-1]} of the sequences, got {size}.")
        grams = words.unfold(-1, size, 1).long()
        latest = words[..., words.shape[-1] - size + 1 :]
        repeated = (grams[..., :-1] == latest.unsqueeze(-2)).all(-1)
        banned = torch.zeros(chances.shape, dtype=torch.int32, device=chances.device)
        banned.scatter_add_(-1, grams[..., -1], repeated.int())
        return chances.masked_fill(banned > 0, torch.finfo(chances.dtype).min)


DERIVED = (
    derive("Bincount", _bincount),
    derive("CompareAndBitpack", _pack),
    derive("Quantile", _quantile, "dim keep_dims ignore_nan"),
)
