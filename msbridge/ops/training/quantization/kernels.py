"""Simulated quantisation on torch tensors: ranges, rounding to their steps, and normalisation folded into weights.

Gradients pass straight through the rounding, and stop where a value leaves the range.
"""

import torch

Limits = tuple[int, int]
MIN_SCALE = 1e-5  # of a learned scale, so that nothing is divided by zero


def limits(num_bits: int, narrow_range: bool) -> Limits:
    """Return the first and the last step of a range."""
    return int(narrow_range), 2**num_bits - 1


def update_range(
    data: torch.Tensor, low: torch.Tensor, high: torch.Tensor, decay: float, axis: int | None
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the range of `data`, averaged with the former one by `decay` (0: not at all); zero lies within."""
    data = data.detach().reshape(1, -1) if axis is None else data.detach().movedim(axis, 0).flatten(1)
    found = (data.amin(1).to(low.dtype), data.amax(1).to(high.dtype))
    new_low, new_high = ((1 - decay) * new + decay * old for new, old in zip(found, (low, high), strict=True))
    return new_low.clamp(max=0), new_high.clamp(min=0)


def nudge_range(low: torch.Tensor, high: torch.Tensor, steps: Limits, symmetric: bool) -> tuple[torch.Tensor, ...]:
    """Return the length of a step, the step that represents zero, and the range whose ends are steps."""
    first, last = steps
    low, high = low.float(), high.float()
    if symmetric:
        high = torch.maximum(-low, high)
        low = -high
    scale = (high - low) / (last - first)
    scale = torch.where(scale == 0, torch.ones_like(scale), scale)
    zero = ((first - low / scale).clamp(first, last) + 0.5).floor()
    return scale, zero, (first - zero) * scale, (last - zero) * scale


def fake_quantize(
    data: torch.Tensor, low: torch.Tensor, high: torch.Tensor, steps: Limits, symmetric: bool, axis: int | None
) -> torch.Tensor:
    """Round `data` to the steps of a range, or of one range for each index along `axis`."""
    scale, zero, bottom, top = nudge_range(low, high, steps, symmetric)
    if axis is None:
        inside = data.float().clamp(bottom, top)
        found = torch.fake_quantize_per_tensor_affine(inside, scale.reshape(()), zero.reshape(()).int(), *steps)
        return found.reshape(data.shape).to(data.dtype)
    # torch's kernel for channels reads the zero points back to the host (2.13)
    scale, zero, bottom, top = (along(part, data, axis) for part in (scale, zero, bottom, top))
    inside = data.float().clamp(bottom, top)
    rounded = (torch.round(inside / scale + zero) - zero) * scale
    return (inside + (rounded - inside).detach()).to(data.dtype)


def fake_quantize_between(
    data: torch.Tensor, low: torch.Tensor, high: torch.Tensor, steps: Limits, axis: int | None
) -> torch.Tensor:
    """Do as `fake_quantize`; what lies beyond an end of the range passes its gradient to that end."""
    _, _, bottom, top = nudge_range(low.detach(), high.detach(), steps, False)
    shaped = [part if axis is None else along(part, data, axis) for part in (low, high, bottom, top)]
    ends = [end + (place - end).detach() for end, place in zip(shaped[:2], shaped[2:], strict=True)]
    inside = torch.clamp(data, *ends)
    rounded = fake_quantize(inside.detach(), low.detach(), high.detach(), steps, False, axis)
    return inside + (rounded - inside).detach()


def fake_quantize_learned(
    data: torch.Tensor, scale: torch.Tensor, quant_max: torch.Tensor, neg_trunc: bool, axis: int | None
) -> torch.Tensor:
    """Round data/scale, cut to [-1, 1] or [0, 1], to steps of 1/quant_max, and scale it back."""
    scale = torch.where(scale.abs() < MIN_SCALE, torch.full_like(scale, MIN_SCALE), scale)
    scale = scale if axis is None else along(scale, data, axis)
    part = (data / scale).clamp(0 if neg_trunc else -1, 1)
    rounded = (part * quant_max + 0.5).floor() / quant_max
    return (part + (rounded - part).detach()) * scale


def along(vector: torch.Tensor, data: torch.Tensor, axis: int) -> torch.Tensor:
    """Return a vector in the shape that broadcasts along `axis` of `data`."""
    shape = [1] * data.dim()
    shape[axis] = -1
    return vector.reshape(shape)


def batch_statistics(data: torch.Tensor, epsilon: float) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the mean of every channel, the square root of the variance, and the unbiased variance."""
    axes = [axis for axis in range(data.dim()) if axis != 1]
    variance, mean = torch.var_mean(data, axes, correction=0)
    count = data.numel() // data.shape[1]
    return mean, (variance + epsilon).sqrt(), variance.detach() * (count / max(count - 1, 1))


def correct(data: torch.Tensor, batch_std: torch.Tensor, running_std: torch.Tensor, axis: int) -> torch.Tensor:
    """Return data·batch_std/running_std, channel by channel."""
    return data * along(batch_std / running_std.detach(), data, axis)


def fold(
    data: torch.Tensor,
    beta: torch.Tensor,
    gamma: torch.Tensor,
    std: torch.Tensor | None,
    mean: torch.Tensor,
    running_std: torch.Tensor,
) -> torch.Tensor:
    """Return data·running_std/std + beta - gamma·mean/std; without `std` it is the running one."""
    if std is None:
        return data + along(beta - gamma * mean / running_std, data, 1)
    return data * along(running_std.detach() / std, data, 1) + along(beta - gamma * mean / std, data, 1)
