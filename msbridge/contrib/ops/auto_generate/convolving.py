"""Convolutions of any rank with one kernel, and their gradients.

MindSpore computes these on an Ascend only; they are tested against the convolutions of mint.
"""

from typing import Any

import torch

from msbridge.core.checks.arguments import one_of
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.families import call_kernel

Sizes = int | tuple[int, ...] | list[int]


def convolution(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    transposed: bool = False,
    output_padding: Sizes = 0,
    groups: int = 1,
) -> Tensor:
    """Convolve over the last axes of (N, C_in, ...), as many as the weight has; or with `transposed` the other way.

    Follows: mindspore.ops.auto_generate.Convolution (2.10).
    """

    def run(data: torch.Tensor, kernel: torch.Tensor, shift: torch.Tensor | None) -> torch.Tensor:
        steps, pads, gaps, more = _expand_settings(kernel, stride, padding, dilation, output_padding)
        return torch.convolution(data, kernel, shift, steps, pads, gaps, transposed, more, groups)

    return call_kernel(run, "Convolution", input, weight, bias)  # type: ignore[no-any-return]


def convolution_grad(
    dout: Tensor,
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    padding: Sizes = 0,
    dilation: Sizes = (1, 1),
    transposed: bool = False,
    output_padding: Sizes = 0,
    groups: int = 1,
    output_mask: tuple[Any, ...] = (),
) -> tuple[Tensor, ...]:
    """Return the gradients of `convolution`: of the input, the weight and the bias.

    Args:
        dout: the gradient of the result.
        input: (N, C_in, ...).
        weight: the kernel.
        bias: (C_out,), or None.
        stride: of the convolution.
        padding: of the convolution.
        dilation: of the convolution.
        transposed: of the convolution.
        output_padding: of the convolution.
        groups: of the convolution.
        output_mask: which gradients are asked for, three bools; () for all. The others are zeros, and
            so is that of a bias that is None.

    Follows: mindspore.ops.auto_generate.ConvolutionGrad (2.10).
    """

    def run(seed: torch.Tensor, data: torch.Tensor, kernel: torch.Tensor) -> tuple[torch.Tensor, ...]:
        steps, pads, gaps, more = _expand_settings(kernel, stride, padding, dilation, output_padding)
        channels, mask = [seed.shape[1]], _select_gradients(output_mask, bias)
        gradients = torch.ops.aten.convolution_backward(
            seed, data, kernel, channels, steps, pads, gaps, transposed, more, groups, mask
        )
        forms = (data, kernel, seed.new_empty(channels))
        return tuple(torch.zeros_like(form) if one is None else one for one, form in zip(gradients, forms, strict=True))

    return call_kernel(run, "ConvolutionGrad", dout, input, weight)  # type: ignore[no-any-return]


def convolution_str(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    padding: str = "valid",
    dilation: Sizes = 1,
    transposed: bool = False,
    output_padding: Sizes = 0,
    groups: int = 1,
) -> Tensor:
    """Convolve as `convolution` does, with the padding "valid" or "same".

    Raises:
        ValueError: `padding` is something else.

    Follows: mindspore.ops.auto_generate.ConvolutionStr (2.10).
    """

    def run(data: torch.Tensor, kernel: torch.Tensor, shift: torch.Tensor | None) -> torch.Tensor:
        return _convolve(data, kernel, shift, (stride, padding, dilation, transposed, output_padding, groups))

    return call_kernel(run, "ConvolutionStr", input, weight, bias)  # type: ignore[no-any-return]


def convolution_str_grad(
    dout: Tensor,
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    padding: str = "valid",
    dilation: Sizes = 1,
    transposed: bool = False,
    output_padding: Sizes = 0,
    groups: int = 1,
    output_mask: tuple[Any, ...] = (),
) -> tuple[Tensor, ...]:
    """Return the gradients of `convolution_str`; the arguments are those of `convolution_grad`.

    Follows: mindspore.ops.auto_generate.ConvolutionStrGrad (2.10).
    """

    def run(seed: torch.Tensor, data: torch.Tensor, kernel: torch.Tensor) -> tuple[torch.Tensor, ...]:
        steps, _, gaps, more = _expand_settings(kernel, stride, 0, dilation, output_padding)
        pairs = _pairs(kernel, padding, gaps)
        padded = torch.nn.functional.pad(data, pairs)
        channels, mask = [seed.shape[1]], _select_gradients(output_mask, bias)
        gradients = torch.ops.aten.convolution_backward(
            seed, padded, kernel, channels, steps, [0] * len(steps), gaps, transposed, more, groups, mask
        )
        inner = None if gradients[0] is None else torch.nn.functional.pad(gradients[0], [-one for one in pairs])
        forms, grads = (data, kernel, seed.new_empty(channels)), (inner, *gradients[1:])
        return tuple(torch.zeros_like(form) if one is None else one for one, form in zip(grads, forms, strict=True))

    return call_kernel(run, "ConvolutionStrGrad", dout, input, weight)  # type: ignore[no-any-return]


def conv_tbc(input: Tensor, weight: Tensor, bias: Tensor, pad: int = 0) -> Tensor:
    """Convolve over the first axis of sequences (time, batch, C_in).

    Args:
        input: shape (time, batch, C_in).
        weight: shape (kernel, C_in, C_out).
        bias: shape (C_out,).
        pad: zeros before and behind.

    Returns:
        Shape (time', batch, C_out).

    Follows: mindspore.mint.conv_tbc (2.10).
    """

    def run(data: torch.Tensor, kernel: torch.Tensor, shift: torch.Tensor) -> torch.Tensor:
        return torch.conv_tbc(data, kernel, shift, pad)

    return call_kernel(run, "conv_tbc", input, weight, bias)  # type: ignore[no-any-return]


def _select_gradients(mask: tuple[Any, ...], bias: Tensor | None) -> list[bool]:
    """Return whether the gradients of the input, the weight and the bias are computed."""
    data, kernel, shift = mask or (True, True, True)
    return [bool(data), bool(kernel), bool(shift) and bias is not None]


def _expand_settings(kernel: torch.Tensor, *settings: Sizes) -> tuple[list[int], ...]:
    """Return each setting as a list of ints, one for each axis of the kernel."""
    rank = kernel.dim() - 2
    lists = ([one] if isinstance(one, int) else list(one) for one in settings)
    return tuple(one * rank if len(one) == 1 else one for one in lists)


def _convolve(
    data: torch.Tensor, kernel: torch.Tensor, shift: torch.Tensor | None, settings: tuple[Any, ...]
) -> torch.Tensor:
    stride, padding, dilation, transposed, output_padding, groups = settings
    steps, nothing, gaps, more = _expand_settings(kernel, stride, 0, dilation, output_padding)
    padded = torch.nn.functional.pad(data, _pairs(kernel, padding, gaps))
    return torch.convolution(padded, kernel, shift, steps, nothing, gaps, transposed, more, groups)


def _pairs(kernel: torch.Tensor, padding: str, gaps: list[int]) -> list[int]:
    """Return the zeros before and behind each axis, the last axis first; the odd one comes behind."""
    one_of(padding, "padding", None, ("valid", "same"))
    totals = [gap * (size - 1) * (padding == "same") for gap, size in zip(gaps, kernel.shape[2:], strict=True)]
    return [part for total in reversed(totals) for part in (total // 2, total - total // 2)]
