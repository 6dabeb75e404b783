"""The speed rows of the GPU benchmark: sinks with CUDA graphs against torch by hand, measured in turns."""

import itertools
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn as torch_nn

import msbridge as ms
from benchmarks import gpu_networks, networks
from benchmarks.table import Row, at_least
from msbridge import Tensor, amp, nn
from msbridge.core.context import context
from msbridge.device import SinkExecutor

ROTATION = 8  # batches that lie on the device and take turns


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured: all of it on a GPU, a little of it in a rehearsal on the CPU."""

    lenet_batch: int
    lenet_steps: int
    resnet_batch: int
    resnet_pixels: int
    resnet_steps: int
    stages: tuple[int, ...]
    rounds: int


FULL = Size(32, 500, 64, 224, 20, gpu_networks.STAGES, 5)
SMALL = Size(4, 4, 2, 16, 2, (1,), 1)

Batch = tuple[torch.Tensor, torch.Tensor]


def run(device: torch.device, size: Size) -> Iterator[Row]:
    """Measure, and yield the rows."""
    yield from lenet(device, size)
    yield lenet_with_data(device, size)
    yield from resnet(device, size)


def lenet(device: torch.device, size: Size) -> Iterator[Row]:
    """Compare LeNet in sinks with torch's eager step, and with a graph of it recorded by hand."""
    batches = _batches(device, size.lenet_batch, (1, 32, 32), 10)
    ours = _sink(networks.lenet(), batches, size.lenet_steps)
    context.set_context(jit_level="O0")
    plain = _sink(networks.lenet(), batches, size.lenet_steps)
    context.set_context(jit_level="")
    contenders = {
        "ours": ours.run,
        "eager sink": plain.run,
        "torch": _repeated(_torch_step(networks.torch_lenet().to(device)), batches, size.lenet_steps),
        "graph": _repeated(_graphed_step(networks.torch_lenet().to(device), batches[0]), batches, size.lenet_steps),
    }
    rates = _rates(contenders, device, size.lenet_steps, size.rounds)
    name, unit = f"LeNet, batch {size.lenet_batch}, a training step", "steps/s"
    yield at_least(f"{name}: {_short(ours)}", rates["ours"], "torch eager", rates["torch"], 3.0, unit)
    yield at_least(f"{name}: {_short(ours)}", rates["ours"], "torch.cuda.graph by hand", rates["graph"], 0.95, unit)
    yield _untargeted(f"{name}: eager sink", rates["eager sink"], "torch eager", rates["torch"], unit)


def lenet_with_data(device: torch.device, size: Size) -> Row:
    """Compare Model.train in sinks, with a dataset, with torch's eager step on pinned batches."""
    count = size.lenet_batch * size.lenet_steps
    images, labels = np.random.rand(count, 1, 32, 32).astype(np.float32), np.arange(count, dtype=np.int32) % 10
    data = ms.dataset.NumpySlicesDataset((images, labels), ["image", "label"], shuffle=False)
    data = data.batch(size.lenet_batch)
    network = networks.lenet()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    model = ms.Model(network, loss, nn.Momentum(network.trainable_params(), 0.01, 0.9))
    step = _torch_step(networks.torch_lenet().to(device))
    host = [torch.from_numpy(part) for part in (images, labels)]
    host = [part.pin_memory() if device.type == "cuda" else part for part in host]

    def theirs() -> None:
        for image, label in zip(*(part.split(size.lenet_batch) for part in host), strict=True):
            step(image.to(device, non_blocking=True), label.to(device, non_blocking=True).long())

    contenders = {"ours": lambda: model.train(4, data, dataset_sink_mode=True), "torch": theirs}
    seconds = {name: _seconds(call, device, size.rounds) for name, call in contenders.items()}
    rates = {"ours": 4 * size.lenet_steps / seconds["ours"], "torch": size.lenet_steps / seconds["torch"]}
    name = "LeNet with its data: Model.train of 4 epochs, new graphs"
    return _untargeted(name, rates["ours"], "torch eager, pinned batches", rates["torch"], "steps/s")


def resnet(device: torch.device, size: Size) -> Iterator[Row]:
    """Compare ResNet-50 in bfloat16, by every amp level and in both layouts, with torch under autocast."""
    shape = (3, size.resnet_pixels, size.resnet_pixels)
    batches = _batches(device, size.resnet_batch, shape, 1000)
    last = [(image.permute(0, 2, 3, 1).contiguous(), label) for image, label in batches]
    fast = [(image.contiguous(memory_format=torch.channels_last), label) for image, label in batches]
    theirs: dict[str, float] = {}
    for name, form, inputs in (
        ("torch autocast", torch.contiguous_format, batches),
        ("torch autocast, channels_last", torch.channels_last, fast),
    ):
        network = gpu_networks.TorchResNet(size.stages).to(device).to(memory_format=form)  # type: ignore[call-overload]
        step = _torch_step(network, torch.bfloat16)
        theirs |= _rates({name: _repeated(step, inputs, size.resnet_steps)}, device, size.resnet_steps, size.rounds)
    ours: dict[str, float] = {}
    for level, layout in itertools.product(("auto", "O2", "O3"), ("NCHW", "NHWC")):
        network = amp.auto_mixed_precision(gpu_networks.ResNet(layout, size.stages), level, ms.bfloat16)
        sink = _sink(network, batches if layout == "NCHW" else last, size.resnet_steps)
        name = f"{level}, {layout}, {_short(sink)}"
        ours |= _rates({name: sink.run}, device, size.resnet_steps, size.rounds)
    best, peer = max(ours, key=ours.__getitem__), max(theirs, key=theirs.__getitem__)
    title, count = f"ResNet-50 bfloat16, batch {size.resnet_batch}, a training step", size.resnet_batch
    plain = theirs["torch autocast"] * count
    for name, rate in ours.items():
        yield _untargeted(f"{title}: {name}", rate * count, "torch autocast", plain, "images/s")
    yield _untargeted(f"{title}: the best, {best}", ours[best] * count, peer, theirs[peer] * count, "images/s")
    in_order = max((name for name in ours if "NCHW" in name), key=ours.__getitem__)
    yield at_least(f"{title}: {in_order}", ours[in_order] * count, "torch autocast", plain, 1.15, "images/s")


def _batches(device: torch.device, count: int, shape: tuple[int, ...], classes: int) -> list[Batch]:
    return [
        (torch.randn(count, *shape, device=device), torch.randint(classes, (count,), device=device))
        for _ in range(ROTATION)
    ]


def _sink(network: nn.Cell, batches: list[Batch], steps: int) -> SinkExecutor:
    """Return a sink that is warm."""
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    optimizer = nn.Momentum(network.trainable_params(), 0.01, 0.9)
    step = nn.TrainOneStepCell(nn.WithLossCell(network, loss), optimizer).set_train()
    tensors = [(Tensor(image), Tensor(label.int())) for image, label in batches]
    sink = SinkExecutor(step, itertools.cycle(tensors), steps)
    sink.run()
    return sink


def _short(sink: SinkExecutor) -> str:
    return "sink with graph" if "replayed" in sink.capture_status else f"sink ({sink.capture_status})"


def _torch_step(network: torch_nn.Module, dtype: torch.dtype | None = None) -> Callable[..., torch.Tensor]:
    """Return an eager step as torch's documentation writes it, with the fused optimizer."""
    optimizer = torch.optim.SGD(network.parameters(), lr=0.01, momentum=0.9, fused=True)
    loss_fn = torch_nn.CrossEntropyLoss()

    def step(image: torch.Tensor, label: torch.Tensor) -> torch.Tensor:
        optimizer.zero_grad(set_to_none=True)
        with nullcontext() if dtype is None else torch.autocast(image.device.type, dtype):
            loss: torch.Tensor = loss_fn(network(image), label)
        loss.backward()
        optimizer.step()
        return loss

    return step


def _graphed_step(network: torch_nn.Module, batch: Batch) -> Callable[..., torch.Tensor]:
    """Return a step recorded by hand, after torch's recipe for whole-network capture; without CUDA the eager one."""
    step = _torch_step(network)
    if batch[0].device.type != "cuda":
        return step
    image, label = (part.clone() for part in batch)
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            step(image, label)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        loss = step(image, label)

    def replay(new_image: torch.Tensor, new_label: torch.Tensor) -> torch.Tensor:
        image.copy_(new_image)
        label.copy_(new_label)
        graph.replay()
        return loss

    return replay


def _repeated(step: Callable[..., object], batches: list[Batch], steps: int) -> Callable[[], None]:
    def repeat() -> None:
        for image, label in itertools.islice(itertools.cycle(batches), steps):
            step(image, label)

    return repeat


def _rates(
    contenders: dict[str, Callable[[], object]], device: torch.device, steps: int, rounds: int
) -> dict[str, float]:
    """Return the steps per second of each: medians over the rounds, in which they take turns."""
    found: dict[str, list[float]] = {name: [] for name in contenders}
    for turn in range(rounds + 1):
        for name, call in contenders.items():
            seconds = _seconds(call, device, 1)
            if turn:  # the first one warms up
                found[name].append(steps / seconds)
    return {name: statistics.median(rates) for name, rates in found.items()}


def _seconds(call: Callable[[], object], device: torch.device, rounds: int) -> float:
    seconds = []
    for _ in range(rounds):
        _wait(device)
        began = time.perf_counter()
        call()
        _wait(device)
        seconds.append(time.perf_counter() - began)
    return statistics.median(seconds)


def _wait(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def _untargeted(name: str, ours: float, peer: str, theirs: float, unit: str) -> Row:
    figures = f"{ours:,.0f} {unit}", f"{peer} {theirs:,.0f} {unit}"
    return Row(name, *figures, ours / theirs, "-", True)
