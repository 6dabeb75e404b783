"""Looking up tensors by their values among all that a run returned."""

from dataclasses import dataclass

import torch

from msbridge.verify.record.equality import is_close, tolerance
from msbridge.verify.record.trace import Trace

FIRST_SAMPLES = 64  # values, spread over a tensor, that are compared first


@dataclass(slots=True)
class _Group:
    """Tensors of as many elements."""

    tensors: list[torch.Tensor]  # the tensors
    values: torch.Tensor  # of each, those that are compared first
    largest: torch.Tensor  # of each, the largest finite value


class Outputs:
    """All tensors that the steps of a run returned."""

    def __init__(self, trace: Trace) -> None:
        self.by_size: dict[int, list[torch.Tensor]] = {}
        for step in trace.steps:
            for one in step.outputs:
                self.by_size.setdefault(one.numel(), []).append(one)
        self.groups: dict[int, _Group] = {}

    def have(self, tensor: torch.Tensor) -> bool:
        """Whether some step returned the same numbers but for rounding, in any shape."""
        size = tensor.numel()
        if size not in self.by_size:
            return False
        if tensor.is_complex() or any(one.is_complex() for one in self.by_size[size]):
            return any(is_close(tensor, one.reshape(tensor.shape)) for one in self.by_size[size])
        if size not in self.groups:
            self.groups[size] = _group(self.by_size[size])
        group = self.groups[size]
        limits = (
            torch.tensor([2 * tolerance(tensor, one) for one in group.tensors], dtype=torch.float64) * group.largest
        )
        far = ((group.values - _looks(tensor)).abs() > limits[:, None]).any(1)
        near = (one for one, is_far in zip(group.tensors, far.tolist(), strict=True) if not is_far)
        return any(is_close(tensor, one.reshape(tensor.shape)) for one in near)


def _group(tensors: list[torch.Tensor]) -> _Group:
    largest = [one.double().abs().nan_to_num(0.0, 0.0, 0.0).max().item() if one.numel() else 0.0 for one in tensors]
    return _Group(tensors, torch.stack([_looks(one) for one in tensors]), torch.tensor(largest, dtype=torch.float64))


def _looks(one: torch.Tensor) -> torch.Tensor:
    flat = one.detach().reshape(-1)
    places = torch.linspace(0, max(0, flat.numel() - 1), min(FIRST_SAMPLES, flat.numel()), dtype=torch.float64).long()
    return flat[places.to(flat.device)].double().cpu()
