"""Losses of regions and of rare classes, and a softmax over sampled classes."""

from typing import Any

import torch

from msbridge.core.checks.arguments import (
    at_least,
    boolean,
    in_range,
    instance,
    integer,
    non_negative_int,
    positive_int,
)
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.activations.activation import get_activation
from msbridge.nn.layers.activations.softmax import LogSoftmax
from msbridge.nn.losses.base import LossBase
from msbridge.ops.neural.loss.kernels import reduce_losses
from msbridge.ops.random.choices.functions import uniform_candidate_sampler

__all__ = ["DiceLoss", "FocalLoss", "MultiClassDiceLoss", "SampledSoftmaxLoss"]


class DiceLoss(LossBase):
    """Compute 1 - 2·Σ(p·y) / (Σp² + Σy² + smooth).

    Args:
        smooth: keeps the divisor from 0, > 0.

    Inputs:
        logits: a Tensor of any shape; any dtype.
        label: the same.

    Outputs:
        A Tensor of shape () and the dtype of `logits`; Float32 for integers and bools.

    Raises:
        TypeError: `smooth` is not a float.
        ValueError: `smooth` is not positive; the shapes differ (on call).

    Follows: mindspore.nn.DiceLoss (2.10).
    """

    def __init__(self, smooth: float = 1e-5) -> None:
        super().__init__()
        instance(smooth, "smooth", self.cls_name, float)
        self.smooth = in_range(smooth, "smooth", self.cls_name, 0, float("inf"), "()")

    def construct(self, logits: Tensor, label: Tensor) -> Tensor:
        _check_shapes(self.cls_name, logits, label)
        try:
            return wrap(_dice_loss(logits._data, label._data, self.smooth))
        except Exception as error:
            raise explain(error, self.cls_name, logits=logits, label=label) from error


def _dice_loss(scores: torch.Tensor, labels: torch.Tensor, smooth: float) -> torch.Tensor:
    return 1 - 2 * (scores * labels).sum() / (scores.square().sum() + labels.square().sum() + smooth)


def _check_shapes(op: str, logits: Tensor, label: Tensor) -> None:
    if logits.shape != label.shape:
        raise ValueError(f"For '{op}', logits and label must have one shape, got {logits.shape} and {label.shape}.")


class MultiClassDiceLoss(LossBase):
    """Compute the mean over the classes (axis 1) of their Dice losses.

    Args:
        weights: shape (C, k): each class's loss is multiplied by its row.
        ignore_indiex: a class that does not count (the divisor stays C). The name is MindSpore's.
        activation: applied to the logits first: a name, Cell or None.

    Inputs:
        logits: shape (N, C, ...); floats.
        label: the same.

    Outputs:
        A Tensor of shape ().

    Raises:
        TypeError: `weights` is not a Tensor, or `ignore_indiex` is not an int.
        ValueError: the shapes do not fit.

    Follows: mindspore.nn.MultiClassDiceLoss (2.10).
    """

    def __init__(
        self,
        weights: Tensor | None = None,
        ignore_indiex: int | None = None,
        activation: str | Cell | None = "softmax",
    ) -> None:
        super().__init__()
        if weights is not None and instance(weights, "weights", self.cls_name, Tensor).ndim != 2:
            raise ValueError(f"For '{self.cls_name}', the 'weights' must have 2 axes, but got {weights.ndim}.")
        instance(ignore_indiex, "ignore_indiex", self.cls_name, (int, type(None), bool))
        self.binarydiceloss = DiceLoss(smooth=1e-5)
        self.weights = weights
        self.ignore_indiex = ignore_indiex
        self.activation = get_activation(activation) if isinstance(activation, str) else activation

    def construct(self, logits: Tensor, label: Tensor) -> Tensor:
        _check_shapes(self.cls_name, logits, label)
        scores = logits if self.activation is None else self.activation(logits)
        total: Any = 0
        for index in range(label.shape[1]):
            if index == self.ignore_indiex:
                continue
            loss = self.binarydiceloss(wrap(scores._data[:, index]), wrap(label._data[:, index]))._data
            total = total + (loss if self.weights is None else loss * self.weights._data[index])
        return wrap(total / label.shape[1])


class FocalLoss(LossBase):
    """Compute -(1 - p)^gamma·log(p) of the target class, p from a softmax over axis 1.

    Args:
        weight: shape (C,); scales the losses of each class.
        gamma: how much less easy samples count.
        reduction: "mean", "sum" or "none".

    Inputs:
        logits: shape (N, C, ...), of two to four axes; floats.
        labels: class numbers, shape (N, 1, ...), or one-hot, shape (N, C, ...); Int32.

    Outputs:
        A Tensor of shape () and the dtype of `logits`; with the reduction "none" shape (N,).

    Raises:
        TypeError: `weight` is not a Tensor, or `gamma` is not a number.
        ValueError: the shapes do not fit (on call).

    Follows: mindspore.nn.FocalLoss (2.10).
    """

    def __init__(self, weight: Tensor | None = None, gamma: float = 2.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        instance(weight, "weight", self.cls_name, (Tensor, type(None)))
        if weight is not None and weight.ndim != 1:
            raise ValueError(f"For '{self.cls_name}', the 'weight' must have 1 axis, but got {weight.ndim}.")
        self.weight = weight
        self.gamma = instance(gamma, "gamma", self.cls_name, (float, int))
        self.logsoftmax = LogSoftmax(1)

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """Return the losses of `logits` (N, C, ...), for classes (N, 1, ...) or ones and zeros (N, C, ...)."""
        fits = labels.ndim == logits.ndim and 2 <= labels.ndim <= 4 and labels.shape[1] in (1, logits.shape[1])
        if not fits or labels.shape[0] != logits.shape[0]:
            raise ValueError(
                f"For '{self.cls_name}', labels must have shape (N, 1, …) or (N, C, …) for logits (N, C, …) of 2 to 4 "
                f"axes, got {labels.shape} and {logits.shape}."
            )
        try:
            return wrap(
                reduce_losses(
                    self._losses(_flatten_spatial(logits._data), _flatten_spatial(labels._data)), self.reduction
                )
            )
        except Exception as error:
            raise explain(error, self.cls_name, logits=logits, labels=labels) from error

    def _losses(self, scores: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        logs = self.logsoftmax(wrap(scores))._data
        scale = None if self.weight is None else self.weight._data.reshape(1, -1, *(1,) * (scores.dim() - 2))
        if targets.shape[1] == 1 and scores.shape[1] != 1:
            classes = targets.long()
            chosen = logs.gather(1, classes)
            losses = -((1 - chosen.exp()) ** self.gamma) * chosen
            if scale is not None:
                losses = losses * scale.expand_as(logs).gather(1, classes)
            return losses.flatten(1).mean(1)
        losses = -((1 - logs.exp()) ** self.gamma) * logs * targets
        losses = losses if scale is None else losses * scale
        return losses.mean(2) if losses.dim() > 2 else losses


def _flatten_spatial(data: torch.Tensor) -> torch.Tensor:
    return data.flatten(2) if data.dim() > 2 else data


class SampledSoftmaxLoss(LossBase):
    """Compute the softmax cross entropy over the target classes and some sampled ones.

    Args:
        num_sampled: how many classes to sample.
        num_classes: how many there are.
        num_true: target classes of each sample.
        sampled_values: (classes, expected counts of the targets, expected counts of the samples) instead of sampling.
        remove_accidental_hits: whether the targets are not sampled.
        seed: of the sampling.
        reduction: accepted; the losses come out one by one, as MindSpore's do.

    Inputs:
        weights: shape (num_classes, D); floats.
        biases: shape (num_classes,).
        labels: shape (N, num_true); integers.
        logits: shape (N, D): the output of the layer before.

    Outputs:
        A Tensor of shape (N,) and the dtype of `logits`.

    Raises:
        ValueError: an argument is out of range.

    Follows: mindspore.nn.SampledSoftmaxLoss (2.10).
    """

    def __init__(
        self,
        num_sampled: int,
        num_classes: int,
        num_true: int = 1,
        sampled_values: tuple[Tensor, Tensor, Tensor] | None = None,
        remove_accidental_hits: bool = True,
        seed: int = 0,
        reduction: str = "none",
    ) -> None:
        super().__init__(reduction)
        positive_int(num_sampled, "num_sampled", self.cls_name)
        integer(num_classes, "num_classes", self.cls_name)
        integer(num_true, "num_true", self.cls_name)
        boolean(remove_accidental_hits, "remove_accidental_hits", self.cls_name)
        non_negative_int(seed, "seed", self.cls_name)
        if sampled_values is not None:
            instance(sampled_values, "sampled_values", self.cls_name, (list, tuple))
        at_least(num_true, "num_true", self.cls_name, 1)
        if num_sampled > num_classes or num_true > num_classes:
            raise ValueError(
                f"For '{self.cls_name}', 'num_sampled' and 'num_true' must be at most 'num_classes' ({num_classes}), "
                f"but got {num_sampled} and {num_true}."
            )
        if sampled_values is not None and len(sampled_values) != 3:
            raise ValueError(f"For '{self.cls_name}', 'sampled_values' must be three Tensors.")
        self.num_sampled = num_sampled
        self.num_classes = num_classes
        self.num_true = num_true
        self.sampled_values = sampled_values
        self.remove_accidental_hits = remove_accidental_hits
        self.seed = seed

    def construct(self, weights: Tensor, biases: Tensor, labels: Tensor, logits: Tensor) -> Tensor:
        """Return the losses of `logits` (N, D), for `labels` (N, num_true) of classes.

        `weights`, shape (num_classes, D), and `biases`, shape (num_classes,), score the classes.
        """
        try:
            targets = labels._data.long().reshape(len(logits), -1)
            sampled, true_count, sampled_count = self._sample(targets)
            inputs, table, shift = logits._data, weights._data, biases._data
            true = torch.einsum("nd,ntd->nt", inputs, table[targets]) + shift[targets] - torch.log(true_count)
            other = inputs @ table[sampled].T + shift[sampled] - torch.log(sampled_count)
            chances = torch.softmax(torch.cat((true, other), 1), 1)
            return wrap(-torch.log(chances[:, : self.num_true] + 1e-20).mean(1))
        except Exception as error:
            raise explain(error, self.cls_name, weights=weights, labels=labels, logits=logits) from error

    def _sample(self, targets: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        values = self.sampled_values
        if values is None:
            settings = (self.num_true, self.num_sampled, True, self.num_classes, self.seed, self.remove_accidental_hits)
            values = uniform_candidate_sampler(wrap(targets), *settings)
        return values[0]._data.long(), values[1]._data, values[2]._data
