"""Primitives of the modules below `mindspore.ops.operations` that few scripts name."""

from collections.abc import Sequence
from typing import Any, NoReturn

import torch

from msbridge.core.checks.arguments import instance, one_of
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.memory import overwrite
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls.families import call_kernel, plain_shape
from msbridge.ops.primitive.primitive import Derived, Primitive, PrimitiveWithCheck, derive
from msbridge.ops.training.float_status import kernels


def _finite(gradients: Sequence[Tensor]) -> Tensor:
    """Whether all elements of several tensors are finite.

    Follows: mindspore.ops.operations.nn_ops.AllFinite (2.10), which has no kernel on the CPU.
    """
    return call_kernel(
        lambda *datas: torch.stack([data.isfinite().all() for data in datas]).all(), "AllFinite", *gradients
    )  # type: ignore[no-any-return]


def _write_token(past: Tensor, cur: Tensor, index: Tensor) -> Tensor:
    """Write the keys or values of one token into those of a sequence, in place, and return the latter.

    Args:
        past: (batch, heads, length, size), a Parameter.
        cur: (batch, heads, 1, size).
        index: (batch,), int32: the position in each sequence.

    Follows: mindspore.ops.operations.inner_ops.KVCacheMgr (2.10), which has no kernel on the CPU.
    """
    try:
        written = past._data.clone()
        batch = torch.arange(written.shape[0], device=written.device)
        written[batch, :, index._data.long()] = cur._data[:, :, 0].to(written.dtype)
        overwrite(past, written)
    except Exception as error:
        raise explain(error, "KVCacheMgr", past=past, cur=cur, index=index) from error
    return wrap(past._data)


def _resize(
    x: Tensor,
    roi: Tensor,
    scales: Tensor,
    sizes: Tensor,
    coordinate_transformation_mode: str = "half_pixel",
    mode: str = "nearest",
) -> Tensor:
    """Resize images (N, C, H, W) to `sizes`; without "cubic", H must be 1 and stays.

    Args:
        x: the images.
        roi: not looked at.
        scales: not looked at.
        sizes: (4,), integers; the first two are those of `x`.
        coordinate_transformation_mode: "half_pixel", or "align_corners" except for "nearest".
        mode: "nearest", "linear" or "cubic".

    Raises:
        ValueError: a size does not fit, or "nearest" is to align corners.

    Follows: mindspore.ops.operations.image_ops.ResizeV2 (2.10).
    """
    wanted = plain_shape(sizes)
    aligned = coordinate_transformation_mode == "align_corners"
    if mode == "nearest" and aligned:
        raise ValueError("For 'ResizeV2', mode 'nearest' needs coordinate_transformation_mode='half_pixel'.")
    if len(wanted) != 4 or min(wanted) <= 0 or tuple(wanted[:2]) != x.shape[:2]:
        raise ValueError(f"For 'ResizeV2', sizes must be ({x.shape[0]}, {x.shape[1]}, H, W), got {tuple(wanted)}.")
    if mode != "cubic" and wanted[2] != 1:
        raise ValueError(f"For 'ResizeV2', sizes[2] must be 1 with mode {mode!r}, got {wanted[2]}.")

    def run(data: torch.Tensor) -> torch.Tensor:
        resize = torch.nn.functional.interpolate
        if mode == "nearest":
            places = torch.arange(wanted[3], device=data.device) * data.shape[3] // wanted[3]
            return data[..., :1, :][..., places]
        if mode == "linear":
            return resize(data[:, :, 0], wanted[3], mode="linear", align_corners=aligned)[:, :, None]
        return resize(data, list(wanted[2:]), mode="bicubic", align_corners=aligned)

    return call_kernel(run, "ResizeV2", x)  # type: ignore[no-any-return]


class _Resized(Derived):
    """Base of `ResizeV2`, whose modes are words."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, words in _WORDS.items():
            one_of(instance(self.attrs[name], name, self.name, str), name, self.name, words)


_WORDS = {"coordinate_transformation_mode": ("align_corners", "half_pixel"), "mode": ("nearest", "linear", "cubic")}


def _transducer(
    acts: Tensor, labels: Tensor, input_length: Tensor, label_length: Tensor, blank_label: int = 0
) -> tuple[Tensor, Tensor]:
    """Return the loss of a recurrent transducer, and its gradient with respect to `acts`.

    The loss is minus the logarithm of the probability of the labels, summed over all ways to interleave them with a
    blank for every time step (Graves, 2012: Sequence Transduction with Recurrent Neural Networks).

    Args:
        acts: (batch, times, labels + 1, vocabulary), logits; float16 or float32.
        labels: (batch, labels), int32.
        input_length: (batch,), int32: how many time steps count.
        label_length: (batch,), int32: how many labels count.
        blank_label: the number of the blank.

    Returns:
        (batch,), and a Tensor of the shape of `acts`.

    Follows: mindspore.ops.RNNTLoss (2.10), which has no kernel on the CPU.
    """

    def cost(logits: torch.Tensor, marks: torch.Tensor, times: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        logs = logits.float().log_softmax(-1)
        batch = torch.arange(logs.shape[0], device=logs.device)
        blank = logs[..., blank_label]
        emitted = logs[:, :, :-1].gather(-1, marks.long()[:, None, :, None].expand(-1, logs.shape[1], -1, 1))[..., 0]
        steps: list[torch.Tensor] = []
        for time in range(logs.shape[1]):
            stayed = steps[-1] + blank[:, time - 1] if time else torch.zeros_like(blank[:, 0])
            row = [stayed[:, 0]]
            for mark in range(emitted.shape[2]):
                moved = row[-1] + emitted[:, time, mark]
                row.append(torch.logaddexp(stayed[:, mark + 1], moved) if time else moved)
            steps.append(torch.stack(row, 1))
        ways = torch.stack(steps, 1)
        last = times.long() - 1, lengths.long()
        return -(ways[batch, last[0], last[1]] + blank[batch, last[0], last[1]]).to(logits.dtype)

    def run(logits: torch.Tensor, *others: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        with torch.enable_grad():
            own = logits.detach().requires_grad_()
            (slope,) = torch.autograd.grad(cost(own, *others).sum(), own)
        return cost(logits, *others), slope

    return call_kernel(run, "RNNTLoss", acts, labels, input_length, label_length)  # type: ignore[no-any-return]


class _Transducer(Derived):
    """Base of `RNNTLoss`, whose blank is a number."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        instance(self.attrs["blank_label"], "blank_label", self.name, int)


class FusedBatchNorm(Primitive):
    """The predecessor of `BatchNorm`.

    Raises:
        TypeError: always, as in MindSpore.

    Follows: mindspore.ops.operations.nn_ops.FusedBatchNorm (2.10).
    """

    def __init__(self, *settings: Any, **named: Any) -> None:
        _raise_outdated("FusedBatchNorm")


class FusedBatchNormEx(PrimitiveWithCheck):
    """The predecessor of `BatchNorm`.

    Raises:
        TypeError: always, as in MindSpore.

    Follows: mindspore.ops.operations.nn_ops.FusedBatchNormEx (2.10).
    """

    def __init__(self, *settings: Any, **named: Any) -> None:
        _raise_outdated("FusedBatchNormEx")


def _raise_outdated(name: str) -> NoReturn:
    raise TypeError(f"{name} was taken out of MindSpore. Use mindspore.ops.BatchNorm.")


AllFinite = derive("AllFinite", _finite)
KVCacheMgr = derive("KVCacheMgr", _write_token)
NPUClearFloatStatusV2 = derive("NPUClearFloatStatusV2", kernels.clear_status)
NPUGetFloatStatusV2 = derive("NPUGetFloatStatusV2", kernels.read_status)
ResizeV2 = derive("ResizeV2", _resize, "coordinate_transformation_mode mode", base=_Resized)
RNNTLoss = derive("RNNTLoss", _transducer, "blank_label", base=_Transducer)
