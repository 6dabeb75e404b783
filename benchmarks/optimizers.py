"""Every optimizer of `mindspore.nn` against torch's nearest one, fused where torch has it, on the same parameters."""

from collections.abc import Callable
from typing import Any

import torch

import msbridge as ms
from benchmarks.table import Row, at_most, paired
from msbridge import nn

LIMIT = 1.0
SHAPES = [
    *((64, 3, 3, 3), (64,), (64,), *((64, 64, 3, 3), (64,), (64,)) * 4),
    *((128, 64, 3, 3), (128,), (128,), *((128, 128, 3, 3), (128,), (128,)) * 2, (10, 128), (10,)),
]  # a small convolutional network: 32 parameters of 0.5 million elements
Parameters = list[ms.Parameter]
Weights = list[torch.Tensor]


class LambByHand:
    """Lamb as one writes it in torch, which has none."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.means = [torch.zeros_like(weight) for weight in weights]
        self.squares = [torch.zeros_like(weight) for weight in weights]
        self.count = 0

    @torch.no_grad()
    def step(self) -> None:
        self.count += 1
        biases = 1 - 0.9**self.count, 1 - 0.999**self.count
        for weight, mean, square in zip(self.weights, self.means, self.squares, strict=True):
            mean.lerp_(weight.grad, 0.1)
            square.mul_(0.999).addcmul_(weight.grad, weight.grad, value=0.001)
            update = (mean / biases[0]).div_((square / biases[1]).sqrt_().add_(1e-6))
            sizes = weight.norm(), update.norm()
            ratio = torch.where((sizes[0] > 0) & (sizes[1] > 0), sizes[0] / sizes[1], 1.0)
            weight.sub_(update.mul_(ratio * 0.01))


class FtrlByHand:
    """Following the regularised leader, as one writes it in torch, which has none; without regularisation."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.sums = [torch.full_like(weight, 0.1) for weight in weights]
        self.linears = [torch.zeros_like(weight) for weight in weights]

    @torch.no_grad()
    def step(self) -> None:
        for weight, total, linear in zip(self.weights, self.sums, self.linears, strict=True):
            before = total.sqrt()
            after = total.addcmul_(weight.grad, weight.grad).sqrt()
            linear.add_(weight.grad - (after - before) / 0.001 * weight)
            weight.copy_(-linear / (after / 0.001))


class LarsByHand:
    """LARS as one writes it in torch, which has none."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.optimizer = torch.optim.SGD(weights, 0.01, 0.9, fused=True)
        self.gradients: list[torch.Tensor] = []

    @torch.no_grad()
    def step(self) -> None:
        self.gradients = self.gradients or [weight.grad for weight in self.weights]  # type: ignore[misc]
        for weight, gradient in zip(self.weights, self.gradients, strict=True):
            weight.grad = gradient * (0.001 * weight.norm() / (gradient.norm() + 1e-5))
        self.optimizer.step()


PAIRS: dict[str, tuple[Callable[[Parameters], nn.Optimizer], Callable[[Weights], Any], str]] = {
    "SGD": (lambda p: nn.SGD(p, 0.01), lambda w: torch.optim.SGD(w, 0.01, fused=True), "fused"),
    "Momentum": (lambda p: nn.Momentum(p, 0.01, 0.9), lambda w: torch.optim.SGD(w, 0.01, 0.9, fused=True), "fused"),
    "Adam": (lambda p: nn.Adam(p), lambda w: torch.optim.Adam(w, fused=True), "fused"),
    "LazyAdam": (lambda p: nn.LazyAdam(p), lambda w: torch.optim.Adam(w, fused=True), "fused Adam"),
    "Adam with Nesterov's momentum": (
        lambda p: nn.Adam(p, use_nesterov=True),
        lambda w: torch.optim.NAdam(w, foreach=True),
        "foreach NAdam",
    ),
    "AdamWeightDecay": (
        lambda p: nn.AdamWeightDecay(p, weight_decay=0.01),
        lambda w: torch.optim.AdamW(w, fused=True),
        "fused AdamW",
    ),
    "Lamb": (lambda p: nn.Lamb(p, 0.01), lambda w: LambByHand(w), "by hand"),
    "LARS": (lambda p: nn.LARS(nn.Momentum(p, 0.01, 0.9)), lambda w: LarsByHand(w), "by hand, and fused SGD"),
    "AdaMax": (lambda p: nn.AdaMax(p), lambda w: torch.optim.Adamax(w, foreach=True), "foreach"),
    "RMSProp": (
        lambda p: nn.RMSProp(p, 0.01, momentum=0.9),
        lambda w: torch.optim.RMSprop(w, 0.01, momentum=0.9, foreach=True),
        "foreach",
    ),
    "Adagrad": (lambda p: nn.Adagrad(p), lambda w: torch.optim.Adagrad(w, fused=True), "fused"),
    "ProximalAdagrad": (
        lambda p: nn.ProximalAdagrad(p),
        lambda w: torch.optim.Adagrad(w, foreach=True),
        "foreach Adagrad",
    ),
    "Adadelta": (lambda p: nn.Adadelta(p), lambda w: torch.optim.Adadelta(w, foreach=True), "foreach"),
    "FTRL": (lambda p: nn.FTRL(p), lambda w: FtrlByHand(w), "by hand"),
    "Rprop": (lambda p: nn.Rprop(p), lambda w: torch.optim.Rprop(w, foreach=True), "foreach"),
    "ASGD": (lambda p: nn.ASGD(p), lambda w: torch.optim.ASGD(w, foreach=True), "foreach"),
}


def run(only: tuple[str, ...] = ()) -> list[Row]:
    """Measure updates on one thread, the gradients given."""
    torch.set_num_threads(1)
    return [_row(name, *pair) for name, pair in PAIRS.items() if not only or name in only]


def _row(name: str, ours: Callable[..., Any], peer: Callable[..., Any], kind: str) -> Row:
    generator = torch.Generator().manual_seed(0)
    weights = [torch.randn(shape, generator=generator) for shape in SHAPES]
    gradients = [torch.randn(shape, generator=generator) * 0.01 for shape in SHAPES]
    optimizer = ours([ms.Parameter(ms.Tensor(weight), name=f"p{at}") for at, weight in enumerate(weights)])
    handed = tuple(map(ms.Tensor, gradients))
    weights = [weight.clone().requires_grad_() for weight in weights]
    for weight, gradient in zip(weights, gradients, strict=True):
        weight.grad = gradient
    step = peer(weights).step
    ours_s, peer_s = paired(lambda: optimizer(handed), step, rounds=31, budget_s=1.5)
    return at_most(f"update of nn.{name}", ours_s, f"torch, {kind}", peer_s, LIMIT)
