"""Losses of classes and of sequences: cross entropies, margins over classes, connectionist temporal classification."""

from typing import Any

import torch
from torch.nn import functional as F

from msbridge.core import torch_private
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.neural.classification_loss.kernels import class_numbers, explain_classes, from_the_end, promote_scores
from msbridge.ops.neural.loss.kernels import check_reduction, reduce_losses


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """Return minus the log softmax of `input` at the target classes.

    Args:
        input: scores; shape (N, C), (N, C, ...) or (C,).
        target: class numbers of shape (N,) or (N, ...), or probabilities of the shape of `input`.
        weight: shape (C,); scales the losses of each class, and the mean is weighted.
        ignore_index: targets of this value do not count.
        reduction: "mean", "sum" or "none".
        label_smoothing: how much of the target is spread evenly over the classes, in [0, 1].

    Returns:
        A Tensor of the dtype of `input`: 0-d, or one for each target.

    Raises:
        RuntimeError: a class number is out of range.
        TypeError: `target` is of another dtype than its shape asks for.
        ValueError: the shapes do not fit.

    Follows: mindspore.ops.cross_entropy (2.10).
    """
    check_reduction(reduction, "cross_entropy")
    try:
        scores, scale = promote_scores(input._data, weight)
        classes = target._data
        classes = classes.to(scores.dtype) if classes.is_floating_point() else classes.long()
        if classes.is_floating_point():
            ignore_index = -100  # probabilities have no number that could be ignored; torch refuses another one
        settings = {"ignore_index": ignore_index, "reduction": reduction, "label_smoothing": label_smoothing}
        return wrap(from_the_end(F.cross_entropy, scores, classes, scale, **settings))
    except Exception as error:
        raise explain_classes(error, "cross_entropy", input, target) from error


def nll_loss(
    inputs: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """Return minus the log probabilities at the target classes.

    Args:
        inputs: log probabilities; shape (N, C), (N, C, ...) or (C,).
        target: class numbers; shape (N,) or (N, ...).
        weight: shape (C,).
        ignore_index: targets of this value do not count.
        reduction: "mean" (weighted), "sum" or "none".
        label_smoothing: how much of the target is spread evenly over the classes, in [0, 1].

    Returns:
        A Tensor of the dtype of `inputs`: 0-d, or one for each target.

    Raises:
        RuntimeError: a class number is out of range.
        TypeError: `target` is not of integers.
        ValueError: the shapes do not fit.

    Follows: mindspore.ops.nll_loss (2.10).
    """
    check_reduction(reduction, "nll_loss")
    try:
        scores, scale = promote_scores(inputs._data, weight)
        classes = class_numbers(target)
        fn = _nll_loss if target._data.dtype in (torch.int32, torch.int64) else F.nll_loss
        losses = from_the_end(fn, scores, classes, scale, ignore_index=ignore_index, reduction=reduction)
        if label_smoothing:
            spread = _spread_loss(scores, classes, scale, ignore_index, reduction)
            losses = (1 - label_smoothing) * losses + label_smoothing / scores.shape[min(1, scores.dim() - 1)] * spread
        return wrap(losses)
    except Exception as error:
        raise explain_classes(error, "nll_loss", inputs, target) from error


def _nll_loss(
    scores: torch.Tensor, classes: torch.Tensor, weight: torch.Tensor | None, ignore_index: int, reduction: str
) -> torch.Tensor:
    """As torch's; labels for fewer rows, or several for each, which it refuses, pick scores row by row."""
    try:
        return F.nll_loss(scores, classes, weight, ignore_index=ignore_index, reduction=reduction)
    except (RuntimeError, ValueError):
        index = classes[:, None] if classes.dim() == 1 else classes
        is_fit = scores.dim() == index.dim() == 2 and classes.shape != scores.shape[:1]
        if not is_fit or len(index) > len(scores) or (reduction == "none" and len(index) < len(scores)):
            raise
        share = (index != ignore_index) * (scores.new_ones(()) if weight is None else weight[index])
        picked = -scores.gather(1, index) * share
        return {"none": picked, "sum": picked.sum(), "mean": picked.sum() / share.sum()}[reduction]


def _spread_loss(
    scores: torch.Tensor, classes: torch.Tensor, weight: torch.Tensor | None, ignore_index: int, reduction: str
) -> torch.Tensor:
    """Return minus the sum of all log probabilities of each sample, reduced as the loss is."""
    axis = min(1, scores.dim() - 1)
    counts = classes != ignore_index
    if weight is not None:
        scores = scores * weight.reshape(-1, *(1,) * (scores.dim() - axis - 1))
    losses = -scores.sum(axis) * counts
    if reduction != "mean":
        return reduce_losses(losses, reduction)
    total = counts.sum() if weight is None else (weight[torch.where(counts, classes, 0)] * counts).sum()
    return losses.sum() / total


def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1,
    weight: Tensor | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Return the mean over the other classes of max(0, margin - input[target] + input[class])^p.

    Args:
        input: scores; (N, C) or (C,), floats.
        target: class numbers; (N,) or 0-d.
        p: the power, 1 or 2.
        margin: how far a target's score must be ahead.
        weight: shape (C,), or None.
        reduction: "mean", "sum" or "none".

    Returns:
        A Tensor of the dtype of `input`: 0-d, or of shape (N,).

    Follows: mindspore.ops.multi_margin_loss (2.10).
    """
    check_reduction(reduction, "multi_margin_loss")
    try:
        scale = None if weight is None else weight._data
        settings = {"p": p, "margin": margin, "weight": scale, "reduction": reduction}
        scores = input._data
        is_half = scores.dtype is torch.float16  # for which torch has no kernel on a CPU
        losses = F.multi_margin_loss(scores.float() if is_half else scores, target._data.long(), **settings)
        return wrap(losses.half() if is_half else losses)
    except Exception as error:
        if isinstance(p, int) and p not in (1, 2):  # looked at before the dtypes
            raise ValueError(f"For 'multi_margin_loss', p must be 1 or 2, got {p}.") from error
        raise explain(error, "multi_margin_loss", input=input, target=target) from error


def multilabel_margin_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Return the mean margin of each sample's classes to all others; `target` lists class numbers up to the first -1.

    Args:
        input: scores; (N, C) or (C,), floats.
        target: class numbers, of the shape of `input`; Int32 or Int64.
        reduction: "mean", "sum" or "none".

    Returns:
        A Tensor of the dtype of `input`: 0-d, or of shape (N,).

    Follows: mindspore.ops.multilabel_margin_loss (2.10).
    """
    check_reduction(reduction, "multilabel_margin_loss")
    try:
        return wrap(F.multilabel_margin_loss(input._data, target._data.long(), reduction=reduction))
    except Exception as error:
        raise explain(error, "multilabel_margin_loss", input=input, target=target) from error


def multilabel_soft_margin_loss(
    input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: str = "mean"
) -> Tensor:
    """Return the binary cross entropy of sigmoid(input), averaged over the classes.

    Args:
        input: scores; (N, C), floats.
        target: 0 or 1, of the shape of `input`.
        weight: shape (C,), or None.
        reduction: "mean", "sum" or "none".

    Returns:
        A Tensor of the dtype of `input`: 0-d, or of shape (N,).

    Follows: mindspore.ops.multilabel_soft_margin_loss (2.10).
    """
    check_reduction(reduction, "multilabel_soft_margin_loss")
    try:
        scale = None if weight is None else weight._data
        classes = target._data
        if classes.dtype is torch.bool:  # which torch cannot subtract
            classes = classes.to(input._data.dtype)
        return wrap(F.multilabel_soft_margin_loss(input._data, classes, scale, reduction=reduction))
    except Exception as error:
        raise explain(error, "multilabel_soft_margin_loss", input=input, target=target) from error


def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> tuple[Tensor, Tensor]:
    """Return the connectionist temporal classification loss, and the table of its forward variables.

    Args:
        log_probs: shape (T, N, C).
        targets: class numbers; shape (N, S), or all in one axis.
        input_lengths: shape (N,); a Tensor or a tuple.
        target_lengths: shape (N,); a Tensor or a tuple.
        blank: the class of blanks.
        reduction: "mean" (each loss over its target's length, then the mean), "sum" or "none".
        zero_infinity: whether infinite losses count as 0.

    Returns:
        (loss, table), of the dtype of `log_probs`: 0-d, or (N,) for "none", and (N, T, 2·S + 1).

    Follows: mindspore.ops.ctc_loss (2.10).
    """
    check_reduction(reduction, "ctc_loss")
    try:
        scores, classes = log_probs._data, targets._data.long()
        lengths = [_lengths(values, scores) for values in (input_lengths, target_lengths)]
        _check_classes(classes, lengths[1], scores.shape[-1])
        losses, table = torch_private.ctc_loss(scores, classes, *lengths, blank, zero_infinity)
        table = _within(table, *lengths)
        if classes.dim() == 2:  # torch's table ends with the longest target, MindSpore's with the padded ones
            table = F.pad(table, (0, 2 * classes.size(1) + 1 - table.size(2)), value=-torch.inf)
        if zero_infinity:
            losses = torch.where(torch.isinf(losses), 0, losses)
        if reduction == "mean":
            losses = losses / lengths[1].clamp_min(1)
        return wrap(reduce_losses(losses, reduction)), wrap(table)
    except Exception as error:
        raise explain(error, "ctc_loss", log_probs=log_probs, targets=targets) from error


def _check_classes(classes: torch.Tensor, lengths: torch.Tensor, count: int) -> None:
    """Refuse targets that are not classes, where torch would read beyond its memory; padding may be anything."""
    if not classes.is_cpu or not classes.numel():
        return
    used = classes
    if classes.dim() == 2:
        used = classes[torch.arange(classes.shape[1]) < lengths.unsqueeze(1)]
    if ((used < 0) | (used >= count)).any():
        raise RuntimeError(f"targets must be in [0, {count}).")


def _within(table: torch.Tensor, times: torch.Tensor, classes: torch.Tensor) -> torch.Tensor:
    """Return the table with −inf beyond the lengths, where torch's kernel leaves what was in its memory."""
    rows = torch.arange(table.size(1), device=table.device) < times[:, None]
    places = torch.arange(table.size(2), device=table.device) <= 2 * classes[:, None]
    return table.masked_fill(~(rows[:, :, None] & places[:, None]), -torch.inf)


def _lengths(values: Any, like: torch.Tensor) -> torch.Tensor:
    data = values._data if isinstance(values, Tensor) else torch.tensor(values)
    return data.to(device=like.device, dtype=torch.int64)


def ctc_greedy_decoder(
    inputs: Tensor, sequence_length: Tensor, merge_repeated: bool = True
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Take the likeliest class at each time; the last class is the blank.

    Args:
        inputs: scores; shape (T, N, C).
        sequence_length: shape (N,).
        merge_repeated: whether equal neighbours count once.

    Returns:
        As a sparse matrix: indices (Int64, (found, 2)), values (Int64, (found,)), shape (Int64, (2,)); and minus the
        sum of the chosen scores, shape (N, 1).

    Follows: mindspore.ops.ctc_greedy_decoder (2.10).
    """
    try:
        scores, classes = inputs._data.max(-1)
        times, _, blank = scores.shape[0], scores.shape[1], inputs._data.shape[2] - 1
        inside = torch.arange(times, device=scores.device)[:, None] < sequence_length._data[None, :]
        kept = inside & (classes != blank)
        if merge_repeated:
            kept[1:] &= classes[1:] != classes[:-1]
        rows = kept.T
        samples, _ = rows.nonzero(as_tuple=True)
        columns = (rows.cumsum(1) - 1)[rows]
        indices = torch.stack((samples, columns), 1)
        width = rows.sum(1).max()
        shape = torch.stack((torch.tensor(scores.shape[1], device=scores.device), width))
        total = -(scores * inside).sum(0)[:, None]
        return wrap(indices), wrap(classes.T[rows]), wrap(shape), wrap(total)
    except Exception as error:
        raise explain(error, "ctc_greedy_decoder", inputs=inputs, sequence_length=sequence_length) from error
