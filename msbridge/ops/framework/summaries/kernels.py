"""Summaries: values that a network hands to whoever records them, a SummaryRecord for example."""

from collections.abc import Callable

from msbridge.core.runtime import observers
from msbridge.core.tensor.tensor import Tensor

Recorder = Callable[[str, str, Tensor], None]
"""Called with the kind ("scalar", "image", "tensor", "histogram"), the name and the value."""

_recorders: list[Recorder] = []


def add_recorder(recorder: Recorder) -> None:
    """Pass all further summaries to `recorder`."""
    _recorders.append(recorder)


def remove_recorder(recorder: Recorder) -> None:
    """Stop passing summaries to `recorder`."""
    if recorder in _recorders:
        _recorders.remove(recorder)


def scalar_summary(name: str, value: Tensor) -> None:
    """Record a number; without a recorder nothing happens.

    Args:
        name: under which it is kept.
        value: one element.

    Returns:
        None.

    Follows: mindspore.ops.ScalarSummary (2.10).
    """
    _record("scalar", name, value)


def image_summary(name: str, value: Tensor) -> None:
    """Record images of shape (n, c, h, w); without a recorder nothing happens.

    Args:
        name: under which they are kept.
        value: shape (n, c, h, w).

    Returns:
        None.

    Follows: mindspore.ops.ImageSummary (2.10).
    """
    _record("image", name, value)


def tensor_summary(name: str, value: Tensor) -> None:
    """Record a Tensor; without a recorder nothing happens.

    Args:
        name: under which it is kept.
        value: at least one axis.

    Returns:
        None.

    Follows: mindspore.ops.TensorSummary (2.10).
    """
    _record("tensor", name, value)


def histogram_summary(name: str, value: Tensor) -> None:
    """Record a Tensor of which a histogram is drawn; without a recorder nothing happens.

    Args:
        name: under which it is kept.
        value: at least one axis.

    Returns:
        None.

    Follows: mindspore.ops.HistogramSummary (2.10).
    """
    _record("histogram", name, value)


def _record(kind: str, name: str, value: Tensor) -> None:
    if _recorders:
        observers.call_out(f"it records the summary '{name}'")
    for recorder in _recorders:
        recorder(kind, name, value)
