"""Gradients, inference and updates of networks in many threads at once, compared with what one thread computes."""

import random
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

import msbridge as ms
from msbridge import Tensor, nn, ops

THREADS = 6
ROUND_S = 2.0  # how long one network is used before the next is made
HANGS_S = 60.0
FAULTS = 20  # more are not told


class Net(nn.Cell):
    """Layers with statistics, in one or two precisions, perhaps computed again in the backward pass."""

    def __init__(self, choose: random.Random) -> None:
        super().__init__()
        width = choose.choice([3, 8, 17])
        self.first = nn.Dense(5, width)
        self.middle = nn.Dense(width, width)
        self.norm = nn.BatchNorm1d(width)
        self.last = nn.Dense(width, 1)
        self.kind = f"a network of width {width}"
        if choose.random() < 0.4:
            precision = choose.choice([ms.float16, ms.bfloat16])
            self.middle.to_float(precision)
            self.kind += f", partly in {precision}"
        if choose.random() < 0.3:
            self.first.recompute()
            self.kind += ", partly recomputed"
        if choose.random() < 0.3:
            self.set_grad()
            self.kind += ", after set_grad()"

    def construct(self, x: Tensor) -> Tensor:
        hidden = self.middle(ops.tanh(self.first(x))).astype(ms.float32)
        return self.last(ops.relu(self.norm(hidden))).sum()


def run(deadline: float, seed: int) -> tuple[int, list[str]]:
    """Use networks in threads until time.monotonic() passes `deadline`.

    Returns:
        How many calls were compared with those of one thread, and the faults found.
    """
    choose, count, faults = random.Random(seed), 0, []
    _load_modules()
    with _often_switched():
        while time.monotonic() < deadline and len(faults) < FAULTS:
            end = min(deadline, time.monotonic() + ROUND_S)
            for soak in (_compare, _train):
                done, found = soak(random.Random(choose.getrandbits(32)), end)
                count += done
                faults += found
                end = min(deadline, end + ROUND_S)
    return count, faults[:FAULTS]


def _load_modules() -> None:
    """Import what torch imports at the first recomputation (70 MiB), so that it does not count as growth."""
    layer = nn.Dense(2, 2)
    layer.recompute()
    ms.grad(lambda x: layer(x).sum())(ops.ones((1, 2), ms.float32))


def _compare(choose: random.Random, end: float) -> tuple[int, list[str]]:
    """Nothing changes: every call must return the bits that it returned in one thread."""
    ms.set_seed(choose.getrandbits(31))
    net, inputs = Net(choose), _inputs(choose)
    weights = net.trainable_params()
    calls = _calls(net, weights)
    expected = {(name, index): _bits(call(x)) for name, call in calls.items() for index, x in enumerate(inputs)}

    def work(own: random.Random) -> str | None:
        name, index = own.choice(list(calls)), own.randrange(len(inputs))
        result = calls[name](inputs[index])
        if any(tensor._data.requires_grad for tensor in _tensors(result)):
            return f"{name} of {net.kind} holds a graph"
        if _bits(result) != expected[name, index]:
            return f"{name} of {net.kind} differs from what one thread computes"
        return None

    count, faults = _in_threads(work, choose, end)
    faults += [f"{one} is {one.dtype} at the end" for one in weights if one.dtype != ms.float32]
    faults += [f"{one} requires gradients at the end" for one in weights if one._data.requires_grad]
    faults += [f"{one} has the class {type(one)} at the end" for one in weights if type(one) is not ms.Parameter]
    return count, faults


def _train(choose: random.Random, end: float) -> tuple[int, list[str]]:
    """Parts of one network are trained, written and read at once: nothing may fail, with any result."""
    net, inputs = Net(choose).set_train(), _inputs(choose)
    weights = net.trainable_params()
    loss = nn.WithLossCell(net, lambda out, label: (out - label) ** 2)
    steps = [
        nn.TrainOneStepCell(loss, kind(part, 1e-4)).set_train()
        for kind in (nn.SGD, nn.Momentum, nn.Adam)
        for part in (weights, weights[::2])
        if kind is not nn.Momentum
    ]
    zero = Tensor(0.0)

    def work(own: random.Random) -> str | None:
        x, weight = own.choice(inputs), own.choice(weights)
        what = own.randrange(6)
        if what < 2:
            own.choice(steps)(x, zero)
        elif what == 2:
            weight.set_data(weight.value() * 1.0)
        elif what == 3:
            ops.assign(weight, weight * 1.0)
        elif what == 4:
            net.register_forward_hook(lambda *_: None).remove()
        elif net(x)._data.requires_grad or (weight * 2)._data.requires_grad:
            return f"inference of {net.kind} beside training holds a graph"
        return None

    return _in_threads(work, choose, end)


def _calls(net: Net, weights: list[ms.Parameter]) -> dict[str, Callable[[Tensor], Any]]:
    def fails(x: Tensor) -> Tensor:
        raise ArithmeticError(f"after {net(x).shape}")

    def failed(x: Tensor) -> tuple[()]:
        try:
            ms.grad(fails, None, weights)(x)
        except ArithmeticError:
            return ()
        raise AssertionError("the error of the function was lost")

    return {
        "inference": net,
        "value_and_grad of the weights": ms.value_and_grad(net, None, weights),
        "grad of some weights": ms.grad(net, None, weights[::2]),
        "grad of inputs and weights": ms.grad(net, 0, weights[1::2]),
        "a gradient that fails": failed,
        "a gradient of a gradient": ms.grad(lambda x: (ms.grad(net)(x) ** 2).sum(), None, weights),
        "vjp": lambda x: ms.vjp(net, x, weights=weights)[1](Tensor(1.0)),
    }


def _in_threads(
    work: Callable[[random.Random], str | None], choose: random.Random, end: float
) -> tuple[int, list[str]]:
    counts, faults = [0] * THREADS, []

    def run_one(number: int, own: random.Random) -> None:
        while time.monotonic() < end and len(faults) < FAULTS:
            try:
                fault = work(own)
            except BaseException:
                fault = f"an error:\n{traceback.format_exc()}"
            counts[number] += 1
            if fault is not None:
                faults.append(fault)

    threads = [
        threading.Thread(target=run_one, args=(number, random.Random(choose.getrandbits(32))), daemon=True)
        for number in range(THREADS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(end - time.monotonic(), 0) + HANGS_S)
        if thread.is_alive():
            faults.append(f"a thread has not ended in {HANGS_S} s")
    return sum(counts), faults


def _inputs(choose: random.Random) -> list[Tensor]:
    draw = np.random.default_rng(choose.getrandbits(32))
    return [Tensor(draw.standard_normal((4, 5)), ms.float32) for _ in range(4)]


def _tensors(result: Any) -> Iterator[Tensor]:
    if isinstance(result, Tensor):
        yield result
    else:
        for one in result:
            yield from _tensors(one)


def _bits(result: Any) -> list[bytes]:
    return [tensor.asnumpy().tobytes() for tensor in _tensors(result)]


@contextmanager
def _often_switched() -> Iterator[None]:
    """Let Python change threads a hundred times as often as usual."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(5e-5)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)
