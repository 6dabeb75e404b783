"""What two hundred everyday calls cost beyond torch's own: the median, and each that costs most.

    python -m benchmarks.everyday       one thread, tensors of 4 × 4, where the arithmetic itself costs nearly nothing

A line of CALLS is our call and torch's, which compute the same; a line without `|` is the same text for both. Both run
in turns in one process; the least processor time of many turns counts, so what else the machine does hardly matters.
"""

import gc
import re
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

import msbridge
from benchmarks.peer import main
from benchmarks.table import Row, processor
from msbridge import Tensor, nn, ops

MEDIAN_LIMIT_US, LIMIT_US = 0.35, 1.0
SHOWN = 12
TURNS, TURN_S = 40, 0.5e-3

CALLS = """
x + y
x - y
x * y
x / y
x ** 2
x // y
x % y | torch.remainder(x, y).add_(0.0)
-x
abs(x)
x + 1
x * 2.0
1.0 - x
1.0 / y
x @ y
x > y
x >= 0
x < y
x <= 0.5
x == y
x != y
m & m
m | m
~m
ops.add(x, y) | torch.add(x, y)
ops.sub(x, y) | torch.sub(x, y)
ops.mul(x, y) | torch.mul(x, y)
ops.div(x, y) | torch.div(x, y)
ops.pow(y, 2.0) | torch.pow(y, 2.0)
ops.maximum(x, y) | torch.maximum(x, y)
ops.minimum(x, y) | torch.minimum(x, y)
ops.floor_divide(x, y) | torch.floor_divide(x, y)
ops.fmod(x, y) | torch.fmod(x, y).add_(0.0)
ops.exp(x) | torch.exp(x)
ops.log(y) | torch.log(y)
ops.log1p(y) | torch.log1p(y)
ops.expm1(x) | torch.expm1(x)
ops.sqrt(y) | torch.sqrt(y)
ops.rsqrt(y) | torch.rsqrt(y)
ops.square(x) | torch.square(x)
ops.abs(x) | torch.abs(x)
ops.sign(x) | torch.sign(x)
ops.neg(x) | torch.neg(x)
ops.reciprocal(y) | torch.reciprocal(y)
ops.sin(x) | torch.sin(x)
ops.cos(x) | torch.cos(x)
ops.tan(x) | torch.tan(x)
ops.tanh(x) | torch.tanh(x)
ops.atan2(x, y) | torch.atan2(x, y)
ops.erf(x) | torch.erf(x)
ops.floor(x) | torch.floor(x)
ops.ceil(x) | torch.ceil(x)
ops.round(x) | torch.round(x)
ops.trunc(x) | torch.trunc(x)
ops.clamp(x, 0.0, 1.0) | torch.clamp(x, 0.0, 1.0)
ops.clip(x, 0.0, 1.0) | torch.clip(x, 0.0, 1.0)
ops.lerp(x, y, 0.5) | torch.lerp(x, y, 0.5)
ops.isnan(x) | torch.isnan(x)
ops.isinf(x) | torch.isinf(x)
ops.isfinite(x) | torch.isfinite(x)
ops.equal(x, y) | torch.eq(x, y)
ops.greater(x, y) | torch.gt(x, y)
ops.less(x, y) | torch.lt(x, y)
ops.logical_and(m, m) | torch.logical_and(m, m)
ops.logical_not(m) | torch.logical_not(m)
ops.where(m, x, y) | torch.where(m, x, y)
ops.where(m, x, 0.0) | torch.where(m, x, 0.0)
ops.masked_fill(x, m, 0.0) | torch.masked_fill(x, m, 0.0)
ops.relu(x) | torch.relu(x)
ops.sigmoid(x) | torch.sigmoid(x)
ops.gelu(x) | F.gelu(x)
ops.silu(x) | F.silu(x)
ops.elu(x) | F.elu(x)
ops.leaky_relu(x, 0.1) | F.leaky_relu(x, 0.1)
ops.softplus(x) | F.softplus(x)
ops.hardswish(x) | F.hardswish(x)
ops.softmax(x, -1) | torch.softmax(x, -1)
ops.log_softmax(x, -1) | torch.log_softmax(x, -1)
ops.logsumexp(x, -1) | torch.logsumexp(x, -1)
ops.dropout(x, 0.0) | F.dropout(x, 0.0)
ops.sum(x) | torch.sum(x)
ops.sum(x, 0) | torch.sum(x, 0)
ops.mean(x) | torch.mean(x)
ops.mean(x, 1) | torch.mean(x, 1)
ops.mean(x, (0, 1)) | torch.mean(x, (0, 1))
ops.prod(x) | torch.prod(x)
ops.max(x) | (torch.max(x), torch.zeros((), dtype=i64))
ops.max(x, 0) | torch.max(x, 0)
ops.min(x, 1) | torch.min(x, 1)
ops.amax(x, 1) | torch.amax(x, 1)
ops.argmax(x, 1) | torch.argmax(x, 1)
ops.argmin(x, 1) | torch.argmin(x, 1).int()
ops.std(x) | torch.std(x)
ops.var(x, 1) | torch.var(x, 1)
ops.all(m) | torch.all(m)
ops.any(m, 1) | torch.any(m, 1)
ops.cumsum(x, 0) | torch.cumsum(x, 0)
ops.cumprod(x, 0) | torch.cumprod(x, 0)
ops.norm(x) | torch.linalg.vector_norm(x)
ops.topk(x, 1) | (lambda pair: (pair[0], pair[1].int()))(torch.topk(x, 1))
ops.sort(x) | (lambda pair: (pair[0], pair[1].int()))(torch.sort(x, stable=True))
ops.argsort(x) | torch.argsort(x, stable=True).int()
ops.unique(i) | torch.unique(i, return_inverse=True)
ops.nonzero(x) | torch.nonzero(x)
ops.bincount(i) | torch.bincount(i).float()
ops.matmul(x, y) | torch.matmul(x, y)
ops.mm(x, y) | torch.mm(x, y)
ops.bmm(c, c) | torch.bmm(c, c)
ops.addmm(x, x, y) | torch.addmm(x, x, y)
ops.einsum("ij,jk->ik", x, y) | torch.einsum("ij,jk->ik", x, y)
ops.dense(x, y) | F.linear(x, y)
ops.inverse(s) | torch.inverse(s)
ops.reshape(x, (16,)) | torch.reshape(x, (16,))
ops.transpose(x, (1, 0)) | torch.permute(x, (1, 0))
ops.permute(x, (1, 0)) | torch.permute(x, (1, 0))
ops.swapaxes(x, 0, 1) | torch.swapaxes(x, 0, 1)
ops.expand_dims(x, 0) | torch.unsqueeze(x, 0)
ops.unsqueeze(x, 0) | torch.unsqueeze(x, 0)
ops.squeeze(o) | torch.squeeze(o)
ops.squeeze(o, 0) | torch.squeeze(o, 0)
ops.flatten(c) | torch.flatten(c, 1).clone()
ops.concat((x, y)) | torch.cat((x, y))
ops.concat((x, y), 1) | torch.cat((x, y), 1)
ops.cat((x, y), -1) | torch.cat((x, y), -1)
ops.stack((x, y)) | torch.stack((x, y))
ops.split(x, 2) | torch.split(x, 2)
ops.chunk(x, 2) | torch.chunk(x, 2)
ops.unbind(x) | torch.unbind(x)
ops.unstack(x) | torch.unbind(x)
ops.tile(x, (2, 1)) | torch.tile(x, (2, 1))
ops.repeat_interleave(x, 2, 0) | torch.repeat_interleave(x, 2, 0)
ops.broadcast_to(r, (4, 4)) | torch.broadcast_to(r, (4, 4))
ops.flip(x, (0,)) | torch.flip(x, (0,))
ops.roll(x, 1, 0) | torch.roll(x, 1, 0)
ops.tril(x) | torch.tril(x)
ops.triu(x) | torch.triu(x)
ops.pad(x, (1, 1)) | F.pad(x, (1, 1))
ops.gather(x, i, 0) | torch.index_select(x, 0, i)
ops.gather_elements(x, 0, p) | torch.gather(x, 0, torch.where(p < 0, p + 4, p))
ops.index_select(x, 0, i) | torch.index_select(x, 0, i)
ops.one_hot(i, 4) | F.one_hot(i, 4)
ops.masked_select(x, m) | torch.masked_select(x, m)
ops.meshgrid(r, r, indexing="ij") | torch.meshgrid(r, r, indexing="ij")
ops.zeros((2, 3)) | torch.zeros((2, 3))
ops.ones((2, 3)) | torch.ones((2, 3))
ops.zeros((2, 3), f32) | torch.zeros((2, 3), dtype=f32)
ops.full((2, 3), 1.0, dtype=f32) | torch.full((2, 3), 1.0, dtype=f32)
ops.zeros_like(x) | torch.zeros_like(x)
ops.ones_like(x) | torch.ones_like(x)
ops.full_like(x, 1.0) | torch.full_like(x, 1.0)
ops.arange(4) | torch.arange(4)
ops.arange(0, 8, 2) | torch.arange(0, 8, 2)
ops.linspace(0.0, 1.0, 5) | torch.linspace(0.0, 1.0, 5)
ops.eye(3, 3, f32) | torch.eye(3, 3, dtype=f32)
ops.cast(x, f16) | x.to(f16)
ops.cast(x, f32) | x.to(f32)
ops.stop_gradient(x) | x.detach()
ops.shape(x) | tuple(x.shape)
ops.cross_entropy(x, i) | F.cross_entropy(x, i)
ops.mse_loss(x, y) | F.mse_loss(x, y)
ops.l1_loss(x, y) | F.l1_loss(x, y)
ops.layer_norm(x, (4,), r, r) | F.layer_norm(x, (4,), r, r)
ops.conv2d(g, k) | F.conv2d(g, k)
ops.max_pool2d(g, 2, 2) | F.max_pool2d(g, 2, 2)
ops.avg_pool2d(g, 2, 2) | F.avg_pool2d(g, 2, 2)
x.shape | tuple(x.shape)
x.dtype
x.ndim
x.size | x.numel()
len(x)
x.item() where x = n
float(n)
int(n)
x.asnumpy() | x.numpy()
x.copy() | x.clone()
x.sum()
x.sum(0)
x.mean()
x.mean(1)
x.max()
x.max(axis=0) | x.amax(0)
x.min()
x.argmax(1)
x.abs()
x.exp()
x.sqrt() where x = y
x.pow(2)
x.clip(0, 1)
x.reshape(2, 8)
x.reshape((2, 8))
x.reshape(-1)
x.view(-1)
x.flatten()
x.transpose(1, 0) | x.permute(1, 0)
x.swapaxes(0, 1)
x.T
x.squeeze() where x = o
x.expand_dims(0) | x.unsqueeze(0)
x.unsqueeze(0)
x.repeat(2, 0) | x.repeat_interleave(2, 0)
x.tile((2, 1))
x.astype(f16) | x.to(f16)
x.astype(f32) | x.to(f32)
x.to(f16)
x.float()
x.int()
x.bool()
x.all() where x = m
x.any() where x = m
x.matmul(y)
x.masked_fill(m, 0.0)
x.broadcast_to((4, 4))
x.split(2)
x.cumsum(0)
x.argsort() | torch.argsort(x, stable=True).int()
x.norm()
x.std()
x.var()
x.new_zeros((2, 2))
x.fill(1.0) | x.new_full(x.shape, 1.0)
x[0]
x[0, 1]
x[-1]
x[1:3]
x[:, 0]
x[..., 0]
x[:, None]
x[::2]
x[i]
x[m]
x[[0, 2]]
z.__setitem__(0, 1.0)
z.__setitem__((slice(1, 3), 0), 1.0)
z.__setitem__(m, 0.0)
z.__setitem__(0, r)
Tensor([1.0, 2.0]) | torch.tensor([1.0, 2.0])
Tensor(3.0) | torch.tensor(3.0)
Tensor(a) | torch.tensor(a)
Tensor([[1, 2], [3, 4]]) | torch.tensor([[1, 2], [3, 4]])
Tensor(1, f32) | torch.tensor(1, dtype=f32)
from_numpy(a)
dense(x)
relu(x)
norm(x)
embedding(i)
sequence(x)
cross(x, i)
"""


def run(oracle: str | None = None) -> list[Row]:
    """Measure on one thread: a row of the median, one of the worst, and the rows that miss their target."""
    torch.set_num_threads(1)
    overheads = sorted(((_overhead_us(*pair), name) for name, pair in _pairs().items()), reverse=True)
    median = statistics.median(overhead for overhead, _ in overheads)
    peer = f"torch, {len(overheads)} calls on an {processor()}"
    rows = [_row("everyday calls, the median", median, peer, MEDIAN_LIMIT_US)]
    return rows + [_row(name, overhead, "torch", LIMIT_US) for overhead, name in overheads[:SHOWN]]


def _row(name: str, overhead_us: float, peer: str, limit_us: float) -> Row:
    return Row(name, f"{overhead_us:+.2f} µs", peer, overhead_us, f"≤ {limit_us} µs", overhead_us <= limit_us)


def _pairs() -> dict[str, tuple[Callable[[], Any], Callable[[], Any]]]:
    """Return our call and torch's of each line, by our text."""
    draw = torch.Generator().manual_seed(0)
    tensors = {
        "x": torch.randn(4, 4, generator=draw),
        "y": torch.rand(4, 4, generator=draw) + 0.5,
        "z": torch.zeros(4, 4),
        "s": torch.eye(4) * 2,
        "r": torch.ones(4),
        "o": torch.ones(1, 4, 1),
        "c": torch.ones(2, 3, 3),
        "n": torch.tensor(2.0),
        "i": torch.tensor([0, 2, 1, 3]),
        "p": torch.zeros(2, 4, dtype=torch.int64),
        "g": torch.randn(1, 2, 6, 6, generator=draw),
        "k": torch.randn(2, 2, 3, 3, generator=draw),
        "m": torch.rand(4, 4, generator=draw) > 0.5,
    }
    theirs = {"torch": torch, "F": torch.nn.functional, "from_numpy": torch.from_numpy, **tensors}
    theirs |= {"f16": torch.float16, "f32": torch.float32, "i64": torch.int64, "a": np.ones((2, 2), np.float32)}
    theirs |= {"dense": torch.nn.Linear(4, 4), "relu": torch.nn.ReLU(), "norm": torch.nn.LayerNorm(4)}
    theirs |= {"embedding": torch.nn.Embedding(4, 4), "cross": torch.nn.CrossEntropyLoss()}
    theirs["sequence"] = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU())
    ours: dict[str, Any] = {name: Tensor(value.clone()) for name, value in tensors.items()}
    ours |= {"ops": ops, "f16": msbridge.float16, "f32": msbridge.float32, "Tensor": Tensor}
    ours |= {"from_numpy": Tensor.from_numpy, "a": theirs["a"]}
    ours |= {"dense": nn.Dense(4, 4), "relu": nn.ReLU(), "norm": nn.LayerNorm((4,))}
    ours |= {"embedding": nn.Embedding(4, 4), "cross": nn.CrossEntropyLoss()}
    ours["sequence"] = nn.SequentialCell(nn.Dense(4, 4), nn.ReLU())
    return {line: _pair(line, ours, theirs) for line in CALLS.strip().splitlines()}


def _pair(line: str, ours: dict[str, Any], theirs: dict[str, Any]) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """Return both calls of a line; `where x = y` is an `x` of its own."""
    call, _, name = line.partition(" where x = ")
    mine, _, peer = (re.sub(r"\bx\b", name, call) if name else call).partition(" | ")
    return eval(f"lambda: {mine}", ours), eval(f"lambda: {peer or mine}", theirs)


def _overhead_us(ours: Callable[[], Any], peer: Callable[[], Any]) -> float:
    """Return what ours takes beyond the peer's: the difference of the least of many turns."""
    with torch.no_grad():
        for call in (ours, peer, ours, peer):
            call()
        number = max(1, int(TURN_S / max(_time(peer, 20), 1e-7)))
        gc.disable()
        times = [(_time(ours, number), _time(peer, number)) for _ in range(TURNS)]
        gc.enable()
    return (min(each[0] for each in times) - min(each[1] for each in times)) * 1e6


def _time(call: Callable[[], Any], number: int) -> float:
    start = time.thread_time()
    for _ in range(number):
        call()
    return (time.thread_time() - start) / number


if __name__ == "__main__":
    main(run, __doc__)
