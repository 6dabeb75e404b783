"""Class predictions and labels in one form, for the metrics that count them."""

import torch

from msbridge.train.metrics.metric import Doubts

NOT_ONE_HOT = (
    "In classification case, y_pred (predicted value) and y (true value) have the same shape, so y must be one-hot; "
    "it is not."
)
NOT_BINARY = "In multilabel case, all elements in y_pred (predicted value) and y (true value) should be 0 or 1."


def to_classes(predicted: torch.Tensor, true: torch.Tensor, doubts: Doubts) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the predicted and the true class of each sample.

    Args:
        predicted: scores of shape (samples, classes, ...).
        true: classes of shape (samples, ...), or one-hot rows of the shape of `predicted`.
        doubts: where to note that rows are not one-hot.

    Raises:
        ValueError: the shapes do not go together.
    """
    if true.dim() == predicted.dim() and true.dim() > 1 and true.shape == predicted.shape:
        is_one_hot = ((true == 0) | (true == 1)).all() & (true.sum(1) == 1).all()
        doubts.note(NOT_ONE_HOT, ~is_one_hot)
        true = first_largest(true)
    elif predicted.dim() != true.dim() + 1 and predicted.shape[:1] + predicted.shape[2:] == true.shape:
        raise ValueError(
            "In classification case, the dimension of y_pred (predicted value) should equal to the dimension of y "
            f"(true value) add 1, but got y_pred dimension: {predicted.dim()} and y dimension: {true.dim()}."
        )
    if predicted.dim() < 2 or predicted.shape[:1] + predicted.shape[2:] != true.shape:
        raise ValueError(
            "In classification case, y_pred (predicted value) shape and y (true value) shape can not match: y must "
            "have the shape of y_pred without the axis at index 1, "
            f"but got y_pred shape {tuple(predicted.shape)} and y shape {tuple(true.shape)}."
        )
    return first_largest(predicted).reshape(-1), true.reshape(-1).long()


def first_largest(scores: torch.Tensor) -> torch.Tensor:
    """Return the position of the largest score along axis 1; of booleans, which torch refuses, the first True."""
    return (scores.byte() if scores.dtype is torch.bool else scores).argmax(1)


def to_labels(predicted: torch.Tensor, true: torch.Tensor, doubts: Doubts) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the predicted and the true labels of each sample as rows of 0 and 1.

    Args:
        predicted: 0 or 1, of shape (samples, classes, ...).
        true: of the same shape.
        doubts: where to note that there are other values.

    Raises:
        ValueError: the shapes differ, or there is no class axis.
    """
    if predicted.dim() != true.dim():
        raise ValueError(
            "In multilabel case, the dimension of y_pred (predicted value) should equal to the dimension of y (true "
            f"value), but got y_pred dimension: {predicted.dim()} and y dimension: {true.dim()}."
        )
    if predicted.shape != true.shape or predicted.dim() < 2:
        raise ValueError(
            "In multilabel case, y_pred (predicted value) and y (true value) must have the same shape with a class "
            f"axis at index 1, but got {tuple(predicted.shape)} and {tuple(true.shape)}."
        )
    for values in (predicted, true):
        doubts.note(NOT_BINARY, ~((values == 0) | (values == 1)).all())
    classes = predicted.shape[1]
    return tuple(values.swapaxes(1, -1).reshape(-1, classes).long() for values in (predicted, true))  # type: ignore


def check_class_number(metric: str, known: int, predicted: torch.Tensor) -> int:
    """Return the number of classes of a batch; it must be that of the batches before.

    Raises:
        ValueError: it is another one.
    """
    count = predicted.shape[1] if predicted.dim() > 1 else 0
    if known and known != count:
        raise ValueError(
            f"For '{metric}.update', class number not match, last input predicted data contain {known} classes, "
            f"but current predicted data contain {count} classes, please check your predicted value(inputs[0])."
        )
    return count
