"""What an operator costs on top of the torch call inside it: the median over 20 common operators."""

import statistics

import torch

import msbridge as ms
from benchmarks.table import Row, paired
from msbridge import ops

LIMIT_US = 0.5


def run() -> list[Row]:
    """Measure on one thread, on 4×4 tensors, where the arithmetic itself costs nearly nothing."""
    torch.set_num_threads(1)
    x, y = torch.randn(4, 4), torch.rand(4, 4) + 0.5
    a, b = ms.Tensor(x), ms.Tensor(y)
    pairs = {
        "add": (lambda: ops.add(a, b), lambda: torch.add(x, y)),
        "sub": (lambda: ops.sub(a, b), lambda: torch.sub(x, y)),
        "mul": (lambda: ops.mul(a, b), lambda: torch.mul(x, y)),
        "div": (lambda: ops.div(a, b), lambda: torch.true_divide(x, y)),
        "pow": (lambda: ops.pow(b, a), lambda: torch.pow(y, x)),
        "maximum": (lambda: ops.maximum(a, b), lambda: torch.maximum(x, y)),
        "greater": (lambda: ops.gt(a, b), lambda: torch.gt(x, y)),
        "exp": (lambda: ops.exp(a), lambda: torch.exp(x)),
        "log": (lambda: ops.log(b), lambda: torch.log(y)),
        "sqrt": (lambda: ops.sqrt(b), lambda: torch.sqrt(y)),
        "abs": (lambda: ops.abs(a), lambda: torch.abs(x)),
        "neg": (lambda: ops.neg(a), lambda: torch.neg(x)),
        "relu": (lambda: ops.relu(a), lambda: torch.relu(x)),
        "sigmoid": (lambda: ops.sigmoid(a), lambda: torch.sigmoid(x)),
        "tanh": (lambda: ops.tanh(a), lambda: torch.tanh(x)),
        "softmax": (lambda: ops.softmax(a, -1), lambda: torch.softmax(x, -1)),
        "matmul": (lambda: ops.matmul(a, b), lambda: torch.matmul(x, y)),
        "reshape": (lambda: ops.reshape(a, (16,)), lambda: torch.reshape(x, (16,))),
        "transpose": (lambda: ops.transpose(a, (1, 0)), lambda: torch.permute(x, (1, 0))),
    }
    overheads = []
    for name, (ours, peer) in pairs.items():
        ours_s, peer_s = paired(ours, peer, rounds=15, budget_s=0.4)
        overheads.append(((ours_s - peer_s) * 1e6, name))
    median = statistics.median(overhead for overhead, _ in overheads)
    worst, name = max(overheads)
    peer_us = f"torch itself; most: {name} {worst:.2f} µs"
    return [Row("operator overhead", f"{median:.2f} µs", peer_us, median, f"≤ {LIMIT_US} µs", median <= LIMIT_US)]
