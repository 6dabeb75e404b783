"""What an operator costs on top of the torch call inside it: the median over 20 common operators; the worst index."""

import statistics
import time
from collections.abc import Callable
from functools import partial

import torch

import msbridge as ms
from benchmarks.table import Row, paired
from msbridge import ops

LIMIT_US = 0.5
INDEXING_LIMIT_US = 1.2
RELEASE_LIMIT_US = 0.1
Pairs = dict[str, tuple[Callable[[], object], Callable[[], object]]]


def run() -> list[Row]:
    """Measure on one thread, on 4×4 tensors, where the arithmetic itself costs nearly nothing."""
    torch.set_num_threads(1)
    x, y = torch.randn(4, 4), torch.rand(4, 4) + 0.5
    a, b = ms.Tensor(x), ms.Tensor(y)
    pairs: Pairs = {
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
    overheads = _overheads(pairs)
    median = statistics.median(overhead for overhead, _ in overheads)
    worst, name = max(overheads)
    peer_us = f"torch itself; most: {name} {worst:.2f} µs"
    row = Row("operator overhead", f"{median:.2f} µs", peer_us, median, f"≤ {LIMIT_US} µs", median <= LIMIT_US)
    return [row, _of_release(), _indexing()]


def _of_release() -> Row:
    """Compare the functions that are in the places of today's where 2.0 is followed with today's."""
    a, b = ms.Tensor(torch.randn(4, 4)), ms.Tensor(torch.rand(4, 4) + 0.5)
    calls: dict[str, tuple[object, ...]] = {
        **dict.fromkeys(("div", "maximum", "minimum", "gt", "matmul"), (a, b)),
        "relu": (a,),
        "softmax": (a, -1),
        "transpose": (a, (1, 0)),
        "clamp": (a, 0.0, 1.0),
    }
    today = {name: getattr(ops, name) for name in calls}
    ms.set_release("2.0")
    try:
        then = {name: getattr(ops, name) for name in calls}
        overheads = _overheads(
            {name: (partial(then[name], *calls[name]), partial(today[name], *calls[name])) for name in calls}
        )
    finally:
        ms.set_release(None)
    worst, name = max(overheads)
    median = statistics.median(overhead for overhead, _ in overheads)
    peer_us = f"today's functions; most: {name} {worst:.2f} µs"
    met = median <= RELEASE_LIMIT_US
    return Row("functions of release 2.0", f"{median:.2f} µs", peer_us, median, f"≤ {RELEASE_LIMIT_US} µs", met)


def _indexing() -> Row:
    """Compare reading and writing parts, `where` and `concat` with torch; the worst of them counts."""
    x, y = torch.randn(8, 8, 8), torch.randn(8, 8, 8)
    mask, places = x > 0, torch.tensor([1, 3, 5])
    a, b, chosen, indices = map(ms.Tensor, (x, y, mask, places))
    part = (slice(1, 3), 0)
    pairs: Pairs = {
        "x[1]": (lambda: a[1], lambda: x[1]),
        "x[::2]": (lambda: a[::2], lambda: x[::2]),
        "x[1:3, 0]": (lambda: a[1:3, 0], lambda: x[1:3, 0]),
        "x[..., 0]": (lambda: a[..., 0], lambda: x[..., 0]),
        "x[:, None]": (lambda: a[:, None], lambda: x[:, None]),
        "x[indices]": (lambda: a[indices], lambda: x[places]),
        "x[[1, 3]]": (lambda: a[[1, 3]], lambda: x[[1, 3]]),
        "x[1:3, 0] = 1.0": (lambda: b.__setitem__(part, 1.0), lambda: y.__setitem__(part, 1.0)),
        "x[mask] = 0.0": (lambda: b.__setitem__(chosen, 0.0), lambda: y.__setitem__(mask, 0.0)),
        "where": (lambda: ops.where(chosen, a, b), lambda: torch.where(mask, x, y)),
        "where with a number": (lambda: ops.where(chosen, a, 0.0), lambda: torch.where(mask, x, 0.0)),
        "concat": (lambda: ops.concat((a, b), 1), lambda: torch.cat((x, y), 1)),
    }
    worst, name = max(_overheads(pairs))
    met = worst <= INDEXING_LIMIT_US
    return Row("indexing, where, concat", f"{worst:.2f} µs", f"torch; most: {name}", worst, "≤ 1.2 µs", met)


def _overheads(pairs: Pairs) -> list[tuple[float, str]]:
    """Return the microseconds that ours takes beyond the peer's, with the name."""
    overheads = []
    for name, (ours, peer) in pairs.items():
        ours_s, peer_s = paired(ours, peer, rounds=15, budget_s=0.4, clock=time.thread_time)
        overheads.append(((ours_s - peer_s) * 1e6, name))
    return overheads
