"""Computations that the faces of classification loss share."""

from collections.abc import Callable
from typing import Any

import torch
from torch.nn import functional as F

from msbridge.core.errors.explain import describe, dtype_name, explain
from msbridge.core.tensor.tensor import Tensor

_CLASS_DTYPES = frozenset({torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8})
_NO_LABEL = torch.iinfo(torch.int64).min  # an ignore_index that no label has


def promote_scores(scores: torch.Tensor, weight: Tensor | None) -> tuple[torch.Tensor, torch.Tensor | None]:
    """Return the scores and the weights of the classes in the wider of their dtypes."""
    if weight is None:
        return scores, None
    common = torch.promote_types(scores.dtype, weight._data.dtype)
    return scores.to(common), weight._data.to(common)


def class_numbers(target: Tensor) -> torch.Tensor:
    """Return class numbers as torch takes them.

    Raises:
        TypeError: they are not integers; torch would be given them cut off.
    """
    if target._data.is_floating_point():
        raise TypeError("class numbers of a floating dtype")
    return target._data.long()


def from_the_end(
    fn: Callable[..., torch.Tensor],
    scores: torch.Tensor,
    classes: torch.Tensor,
    weight: torch.Tensor | None,
    **settings: Any,
) -> torch.Tensor:
    """Call a loss of class numbers; those below 0, which torch refuses on a CPU, count from the last class."""
    try:
        return fn(scores, classes, weight, **settings)
    except IndexError:
        count = scores.shape[min(1, scores.dim() - 1)]
        counts = (classes < 0) & (classes >= -count) & (classes != settings["ignore_index"])
        return fn(scores, torch.where(counts, classes + count, classes), weight, **settings)


def explain_classes(error: Exception, op: str, input: Tensor, target: Tensor) -> Exception:
    """Return why scores and classes do not go together."""
    if not hasattr(input, "_data") or not hasattr(target, "_data"):
        return explain(error, op, input=input, target=target)
    shapes = ValueError(
        f"For '{op}', the shape of the logits must be (N, C, …) and that of the labels (N, …), "
        f"got {input.shape} and {target.shape}."
    )
    if target._data.dtype not in _CLASS_DTYPES and op != "cross_entropy" and input.ndim > 1:
        is_scalar = not target.ndim and op == "nll_loss"  # whose rank is looked at first
        return shapes if is_scalar else TypeError(f"For '{op}', the labels must be Int32, got {describe(target)}.")
    expected = input.shape[:1] + input.shape[2:] if input.ndim > 1 else ()
    are_classes = target._data.dtype in _CLASS_DTYPES
    if target.shape != input.shape and (target.shape != expected or not are_classes):
        return shapes
    return explain(error, op, input=input, target=target)


def unfit_labels(op: str, logits: Tensor, labels: Tensor) -> Exception | None:
    """Return the refusal of labels by a layer that looks at their rank, then at their dtype, then at their shape."""
    if not hasattr(logits, "_data") or not hasattr(labels, "_data"):
        return None
    if labels.ndim not in (logits.ndim, logits.ndim - 1):
        return ValueError(
            f"For '{op}', labels must have the logits' shape, or an axis less; got {logits.shape} and {labels.shape}."
        )
    is_probability = labels.ndim == logits.ndim
    if labels._data.dtype not in ((torch.float16, torch.float32) if is_probability else (torch.int32,)):
        wanted = "Float16 or Float32 probabilities" if is_probability else "Int32 class numbers"
        return TypeError(f"For '{op}', the labels must be {wanted}, got {describe(labels)}.")
    if is_probability and labels.shape != logits.shape:
        return ValueError(
            f"For '{op}', probabilities must have the logits' shape, got {logits.shape} and {labels.shape}."
        )
    return None


def explain_probabilities(error: Exception, op: str, logits: Tensor, labels: Tensor) -> Exception:
    """Return why scores and their probabilities do not go together."""
    if hasattr(logits, "_data") and hasattr(labels, "_data"):
        dtypes = {logits._data.dtype, labels._data.dtype}
        if len(dtypes) > 1 or not dtypes.pop().is_floating_point:
            kinds = f"{dtype_name(logits._data.dtype)} and {dtype_name(labels._data.dtype)}"
            return TypeError(f"For '{op}', logits and labels must have one floating dtype, got {kinds}.")
    if getattr(logits, "shape", None) != (shape := getattr(labels, "shape", None)) and not isinstance(error, TypeError):
        return ValueError(f"For '{op}', logits and labels must have the same shape, got {logits.shape} and {shape}.")
    return explain(error, op, logits=logits, labels=labels)


def softmax_cross_entropy(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the cross entropy of each row of `logits` (N, C) to the labels (N, C), which get no gradient."""
    if labels.dtype is not logits.dtype:
        raise TypeError(
            f"the dtypes of logits and labels must be equal, got {dtype_name(logits.dtype)} and "
            f"{dtype_name(labels.dtype)}."
        )
    if labels.shape != logits.shape:  # torch would broadcast
        raise ValueError(f"the shapes of logits and labels must be equal, got {logits.shape} and {labels.shape}.")
    return _SoftmaxCrossEntropy.apply(logits, labels.detach())  # type: ignore[no-any-return, no-untyped-call]


class _SoftmaxCrossEntropy(torch.autograd.Function):
    """Cross entropy whose gradient is softmax - labels, as MindSpore's, also where labels do not sum up to 1."""

    generate_vmap_rule = True

    @staticmethod
    def forward(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return -(torch.log_softmax(logits, -1) * labels).sum(-1)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[torch.Tensor, torch.Tensor], _output: torch.Tensor) -> None:
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, None]:
        logits, labels = ctx.saved_tensors
        return gradient.unsqueeze(-1) * (torch.softmax(logits, -1) - labels), None

    @staticmethod
    def jvp(ctx: Any, tangent: torch.Tensor, _: None) -> torch.Tensor:
        logits, labels = ctx.saved_tensors
        return (tangent * (torch.softmax(logits, -1) - labels)).sum(-1)


def sparse_softmax_cross_entropy(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the cross entropy of each row of `logits` (N, C) to its class; a class out of range adds 0."""
    classes = labels.long()
    if classes.dim() != 1:
        raise ValueError(f"the labels must have 1 axis, got shape {tuple(labels.shape)}.")
    inside = (classes >= 0) & (classes < logits.shape[1])
    return F.cross_entropy(logits, torch.where(inside, classes, _NO_LABEL), ignore_index=_NO_LABEL, reduction="none")


def sparse_softmax_cross_entropy_mean(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the mean over the rows; a class out of range is an error where that costs no wait for a device."""
    if logits.is_cpu:
        return F.cross_entropy(logits, labels.long(), ignore_index=_NO_LABEL)
    return sparse_softmax_cross_entropy(logits, labels).mean()
