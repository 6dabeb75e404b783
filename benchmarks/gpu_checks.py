"""The correctness part of the GPU benchmark: the results of a GPU against those of the CPU."""

import functools
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

import msbridge as ms
from benchmarks import networks
from msbridge import Parameter, Tensor, amp, nn, ops
from msbridge.core.context import context
from msbridge.core.parameter.initializer import initializer
from msbridge.device import DataChannel, SinkExecutor
from msbridge.device.capture import objection

TOLERANCE = 1e-3  # of the largest element; float32 without TF32, other orders of adding up
SINK = 10

_random = np.random.default_rng(0)
X, Y = (_random.standard_normal((8, 16)).astype(np.float32) for _ in range(2))
IMAGE = _random.standard_normal((2, 4, 12, 12)).astype(np.float32)
LABELS = np.arange(8, dtype=np.int32) % 16
POSITIVE = np.abs(X) + 0.1

Function = Callable[..., Tensor]


@dataclass(frozen=True, slots=True)
class Check:
    """What one check has found.

    Attributes:
        name: what was checked.
        seen: what was seen, or what went wrong.
        is_good: whether it holds.
    """

    name: str
    seen: str
    is_good: bool


def _labels() -> Tensor:
    return Tensor(LABELS)


OPERATORS: dict[str, tuple[Function, tuple[np.ndarray, ...]]] = {
    "add": (lambda x, y: x + y, (X, Y)),
    "sub": (lambda x, y: x - y, (X, Y)),
    "mul": (lambda x, y: x * y, (X, Y)),
    "div": (lambda x, y: x / y, (X, POSITIVE)),
    "pow": (lambda x: x**3, (X,)),
    "matmul": (lambda x, y: ops.matmul(x, y.T), (X, Y)),
    "bmm": (lambda x, y: ops.bmm(x[None], y.T[None]), (X, Y)),
    "dense": (lambda x, y: ops.dense(x, y), (X, Y)),
    "outer": (lambda x, y: ops.outer(x[0], y[0]), (X, Y)),
    "exp": (ops.exp, (X,)),
    "log": (ops.log, (POSITIVE,)),
    "sqrt": (ops.sqrt, (POSITIVE,)),
    "rsqrt": (ops.rsqrt, (POSITIVE,)),
    "abs": (ops.abs, (X,)),
    "sin": (ops.sin, (X,)),
    "tanh": (ops.tanh, (X,)),
    "sigmoid": (ops.sigmoid, (X,)),
    "erf": (ops.erf, (X,)),
    "relu": (ops.relu, (X,)),
    "gelu": (ops.gelu, (X,)),
    "silu": (ops.silu, (X,)),
    "leaky_relu": (ops.leaky_relu, (X,)),
    "elu": (ops.elu, (X,)),
    "softplus": (ops.softplus, (X,)),
    "softmax": (ops.softmax, (X,)),
    "log_softmax": (ops.log_softmax, (X,)),
    "logsumexp": (lambda x: ops.logsumexp(x, 1), (X,)),
    "sum": (lambda x: x.sum(0), (X,)),
    "mean": (lambda x: x.mean(1), (X,)),
    "prod": (lambda x: x[:, :4].prod(1), (X,)),
    "max": (lambda x: ops.amax(x, 1), (X,)),
    "std": (lambda x: x.std(1), (X,)),
    "norm": (ops.norm, (X,)),
    "cumsum": (lambda x: ops.cumsum(x, 1), (X,)),
    "sort": (lambda x: ops.sort(x)[0], (X,)),
    "topk": (lambda x: ops.topk(x, 3)[0], (X,)),
    "maximum": (ops.maximum, (X, Y)),
    "where": (lambda x, y: ops.where(x > 0, x, y), (X, Y)),
    "clip": (lambda x: ops.clip(x, -1, 1), (X,)),
    "concat": (lambda x, y: ops.concat((x, y)), (X, Y)),
    "stack": (lambda x, y: ops.stack((x, y), 1), (X, Y)),
    "split": (lambda x: ops.split(x, 8, 1)[1], (X,)),
    "transpose": (lambda x: x.transpose(1, 0), (X,)),
    "reshape": (lambda x: x.reshape(4, 32), (X,)),
    "tile": (lambda x: ops.tile(x, (2, 1)), (X,)),
    "broadcast_to": (lambda x: ops.broadcast_to(x[:1], (5, 16)), (X,)),
    "pad": (lambda x: ops.pad(x, (1, 2)), (X,)),
    "flip": (lambda x: ops.flip(x, (1,)), (X,)),
    "index": (lambda x: x[1:5, ::2], (X,)),
    "index by a Tensor": (lambda x: x[_labels() % 8], (X,)),
    "mask": (lambda x: x[x > 0], (X,)),
    "gather": (lambda x: ops.gather(x, Tensor([0, 2, 2], ms.int32), 0), (X,)),
    "gather_elements": (lambda x: ops.gather_elements(x, 1, _labels().reshape(8, 1).astype(ms.int64)), (X,)),
    "scatter": (lambda x, y: ops.tensor_scatter_add(x, _labels().reshape(8, 1) % 8, y), (X, Y)),
    "one_hot": (lambda x: ops.one_hot(_labels(), 16, Tensor(1.0), Tensor(0.0)) * x, (X,)),
    "embedding": (lambda x: ops.gather(x, _labels() % 8, 0), (X,)),
    "cross_entropy": (lambda x: ops.cross_entropy(x, _labels()), (X,)),
    "mse_loss": (ops.mse_loss, (X, Y)),
    "smooth_l1_loss": (ops.smooth_l1_loss, (X, Y)),
    "bce_with_logits": (
        lambda x, y: ops.binary_cross_entropy_with_logits(x, ops.sigmoid(y), ops.ones_like(x), ops.ones_like(x)),
        (X, Y),
    ),
    "layer_norm": (lambda x: nn.LayerNorm((16,))(x), (X,)),
    "conv2d": (lambda x: nn.Conv2d(4, 4, 3, weight_init="ones")(x), (IMAGE,)),
    "grouped conv2d": (lambda x: nn.Conv2d(4, 4, 3, group=4, weight_init="ones")(x), (IMAGE,)),
    "conv2d_transpose": (lambda x: nn.Conv2dTranspose(4, 2, 3, weight_init="ones")(x), (IMAGE,)),
    "max_pool": (lambda x: nn.MaxPool2d(2, 2)(x), (IMAGE,)),
    "avg_pool": (lambda x: nn.AvgPool2d(3, 2, "same")(x), (IMAGE,)),
    "batch_norm": (lambda x: nn.BatchNorm2d(4).set_train()(x), (IMAGE,)),
    "group_norm": (lambda x: nn.GroupNorm(2, 4)(x), (IMAGE,)),
    "interpolate": (lambda x: ops.interpolate(x, size=(6, 6), mode="bilinear", align_corners=False), (IMAGE,)),
}


def run(device: torch.device, target: str) -> Iterator[Check]:
    """Check, and yield what was found.

    Args:
        device: the GPU, or the CPU in a rehearsal.
        target: the context's name of it.
    """
    allowed = torch.backends.cudnn.allow_tf32
    torch.backends.cudnn.allow_tf32 = False
    try:
        for name, (function, inputs) in OPERATORS.items():
            yield _checked(
                f"{name}: value and gradient as on the CPU", lambda f=function, i=inputs: _same(f, i, target)
            )
        context.set_context(device_target=target)
        for name, of_device in _CHECKS.items():
            yield _checked(name, functools.partial(of_device, device))
    finally:
        torch.backends.cudnn.allow_tf32 = allowed
        context.set_context(device_target=target)


def _checked(name: str, check: Callable[[], str]) -> Check:
    try:
        return Check(name, check(), True)
    except Exception as error:
        return Check(name, f"{type(error).__name__}: {str(error)[:300]}", False)


def _same(function: Function, inputs: tuple[np.ndarray, ...], target: str) -> str:
    """Compare values and gradients of a function on a device and on the CPU."""

    def on(where: str) -> list[np.ndarray]:
        context.set_context(device_target=where)
        compute = ms.value_and_grad(lambda *x: _squares(function(*x)), tuple(range(len(inputs))), has_aux=True)
        (_, value), grads = compute(*map(Tensor, inputs))
        return [item.asnumpy() for item in (value, *(grads if isinstance(grads, tuple) else (grads,)))]

    pairs = list(zip(on(target), on("CPU"), strict=True))
    worst = max(_difference(found, expected) for found, expected in pairs)
    _demand(worst <= TOLERANCE, f"differs by {worst:.1e} of the largest element")
    return f"{worst:.1e}"


def _squares(value: Tensor) -> tuple[Tensor, Tensor]:
    return (value * value).sum(), value


def _difference(found: np.ndarray, expected: np.ndarray) -> float:
    _demand(found.shape == expected.shape and found.dtype == expected.dtype, f"{found.shape} {found.dtype}")
    return float(np.abs(found - expected).max() / (np.abs(expected).max() + 1e-6)) if expected.size else 0.0


def _demand(truth: bool, otherwise: str) -> None:
    if not truth:
        raise ValueError(otherwise)


def _places(device: torch.device) -> str:
    """Everything that a script makes lies on the device, without its doing."""
    net = nn.SequentialCell(nn.Dense(4, 4), nn.BatchNorm1d(4), nn.Dropout(p=0.5)).set_train()
    made = {
        "Tensor": Tensor(np.ones((2, 4), np.float32)),
        "Tensor of a number": Tensor(1.0),
        "Parameter": Parameter(Tensor(np.ones(3, np.float32)), name="p"),
        "initialised Parameter": Parameter(initializer("normal", (3, 3)), name="q"),
        "ops.ones": ops.ones((2,), ms.float32),
        "ops.arange": ops.arange(3),
        "ops.standard_normal": ops.standard_normal((2,)),
        "a result": net(Tensor(np.ones((2, 4), np.float32))),
        **{parameter.name: parameter for parameter in net.get_parameters()},
    }
    return _all_on(device, made)


def _state_places(device: torch.device) -> str:
    """Optimizer state, counters and the loss scale lie on the device; a rate that never changes may be on the host."""
    step = _scaled_step(nn.Adam, 0.01)
    step(*_batch())
    found = {item.name: item for item in step.get_parameters() if item.size > 1 or "rate" not in item.name}
    return _all_on(device, found)


def _data_places(device: torch.device) -> str:
    data = ms.dataset.NumpySlicesDataset({"x": X, "y": LABELS}, shuffle=False).batch(4)
    made = {f"column {index}": item for index, item in enumerate(next(data.create_tuple_iterator()))}
    return _all_on(device, made | next(data.create_dict_iterator()))


def _loaded_places(device: torch.device) -> str:
    net = nn.Dense(4, 4)
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "net.ckpt")
        ms.save_checkpoint(net, path)
        values = ms.load_checkpoint(path)
        other = nn.Dense(4, 4)
        ms.load_param_into_net(other, values)
    found = _all_on(device, {item.name: item for item in other.get_parameters()})
    _demand((other.weight.asnumpy() == net.weight.asnumpy()).all(), "the weights were not loaded")
    return found


def _all_on(device: torch.device, made: dict[str, Any]) -> str:
    odd = [name for name, item in made.items() if ms.to_torch(item).device.type != device.type]
    _demand(not odd, f"not on {device.type}: {', '.join(odd)}")
    return f"{len(made)} on {device.type}"


def _streams(device: torch.device) -> str:
    """Batches that another stream brings are whole when they are used, and their memory is not used again too early."""
    arrays = [np.full((256, 1024), number, np.float32) for number in range(100)]
    with DataChannel(((array,) for array in arrays), device) as channel:
        sums = [
            (ms.to_torch(batch).double() @ torch.ones(1024, 8, device=device).double()).mean() for (batch,) in channel
        ]
    expected = [1024.0 * number for number in range(100)]
    _demand([total.item() for total in sums] == expected, "a batch was read too early or overwritten too early")
    return f"{len(sums)} batches"


def _batch() -> tuple[Tensor, Tensor]:
    random = np.random.default_rng(2)
    images = random.standard_normal((8, 1, 32, 32)).astype(np.float32)
    return Tensor(images), Tensor(random.integers(0, 10, 8).astype(np.int32))


def _lenet() -> nn.Cell:
    """Return LeNet with the same weights each time."""
    net = networks.lenet()
    random = np.random.default_rng(3)
    for parameter in net.get_parameters():
        parameter.set_data(Tensor((random.standard_normal(parameter.shape) * 0.1).astype(np.float32)))
    return net


def _plain_step(optimizer: Any, *settings: Any, level: str = "O0", dtype: Any = ms.float16) -> nn.Cell:
    net = amp.auto_mixed_precision(_lenet(), level, dtype)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    return nn.TrainOneStepCell(nn.WithLossCell(net, loss), optimizer(net.trainable_params(), *settings)).set_train()


def _scaled_step(optimizer: Any, *settings: Any) -> nn.Cell:
    net = amp.auto_mixed_precision(_lenet(), "O2")
    loss = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
    manager = nn.DynamicLossScaleUpdateCell(2.0**12, 2, 4)
    return nn.TrainOneStepWithLossScaleCell(loss, optimizer(net.trainable_params(), *settings), manager).set_train()


def _train(make: Callable[[], nn.Cell], level: str) -> tuple[list[np.ndarray], str]:
    """Train in two sinks; "" for the context's level lets graphs be made."""
    context.set_context(jit_level=level)
    try:
        step = make()
        sink = SinkExecutor(step, (_batch() for _ in range(2 * SINK)), SINK)
        sink.run()
        sink.run()
    finally:
        context.set_context(jit_level="")
    return [item.asnumpy().astype(np.float64) for item in step.get_parameters()], sink.capture_status


def _sinks(make: Callable[[], nn.Cell], device: torch.device, tolerance: float) -> str:
    """Train with and without graphs; both come to the same weights."""
    eager, _ = _train(make, "O0")
    replayed, status = _train(make, "")
    worst = max(_difference(found, expected) for found, expected in zip(replayed, eager, strict=True))
    _demand(all(np.isfinite(item).all() for item in eager), "weights are not finite")
    _demand(worst <= tolerance, f"with graphs, weights differ by {worst:.1e} of the largest")
    _demand("replayed" in status or objection(device) is not None, status)
    return f"{worst:.1e}; {status}"


def _without_reads(device: torch.device) -> str:
    """No step of a sink makes the host wait."""
    if device.type != "cuda":
        return "needs CUDA"
    step = _scaled_step(nn.Momentum, 0.01, 0.9)
    batches = [_batch()] * 40
    sink = SinkExecutor(step, iter(batches), SINK)
    sink.run()
    torch.cuda.set_sync_debug_mode("error")
    try:
        for _ in range(SINK):
            sink.run_step()
    finally:
        torch.cuda.set_sync_debug_mode("default")
    return f"{SINK} steps"


_RATES = [0.05 / (step + 1) for step in range(2 * SINK)]
_CHECKS: dict[str, Callable[[torch.device], str]] = {
    "tensors, parameters and results are on the device": _places,
    "the state of a step is on the device": _state_places,
    "the batches of a dataset are on the device": _data_places,
    "loaded parameters are on the device": _loaded_places,
    "streams: batches of the data channel": _streams,
    "sink with graphs and without: Momentum": lambda device: _sinks(
        lambda: _plain_step(nn.Momentum, 0.05, 0.9), device, 1e-4
    ),
    "sink with graphs and without: Adam, a rate for each step": lambda device: _sinks(
        lambda: _plain_step(nn.Adam, _RATES), device, 1e-3
    ),
    "sink with graphs and without: float16, dynamic loss scale": lambda device: _sinks(
        lambda: _scaled_step(nn.Momentum, 0.05, 0.9), device, 1e-2
    ),
    "sink with graphs and without: bfloat16, O3": lambda device: _sinks(
        lambda: _plain_step(nn.Momentum, 0.05, 0.9, level="O3", dtype=ms.bfloat16), device, 2e-2
    ),
    "mixed precision, level auto": lambda device: _sinks(
        lambda: _plain_step(nn.Momentum, 0.05, 0.9, level="auto", dtype=ms.bfloat16), device, 2e-2
    ),
    "the host waits for no step": _without_reads,
}
