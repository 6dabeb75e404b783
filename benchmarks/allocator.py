"""What `msbridge run` sets for the allocator, against glibc as it is: processor time, page faults and peak memory.

Each program runs in processes of its own, in turns. Processor time is user and system time together, which other
processes on the machine disturb less than wall time.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

from benchmarks.table import Row
from msbridge.core.runtime import malloc_tuning

ROUNDS = 3
SPEED_LIMIT, PEAK_LIMIT = 1.05, 1.2  # the noise of processor time on a busy machine is 5 %
Program = Callable[[], Callable[[], object]]


def run() -> list[Row]:
    """Measure every program with both settings; there are no rows where the allocator is left as it is."""
    if obstacle := malloc_tuning.obstacle({}):
        print(f"The allocator is left as it is: {obstacle}.", file=sys.stderr)
        return []
    return [row for name in PROGRAMS for row in _compare(name)]


def _compare(name: str) -> list[Row]:
    plain = {key: value for key, value in os.environ.items() if key != "GLIBC_TUNABLES"}
    huge = dict(plain)
    malloc_tuning.request_huge_pages(huge)
    measured: dict[str, list[dict[str, float]]] = {"huge": [], "plain": []}
    for _ in range(ROUNDS):
        for kind, environment in (("huge", huge), ("plain", plain)):
            command = [sys.executable, "-m", "benchmarks.allocator", name]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
            measured[kind].append(json.loads(done.stdout))
    ours, peer = ({key: statistics.median(each[key] for each in kind) for key in kind[0]} for kind in measured.values())
    rows = []
    for what, key, unit, limit in (("time", "seconds", "s", SPEED_LIMIT), ("peak", "peak_mib", "MiB", PEAK_LIMIT)):
        ratio = ours[key] / peer[key]
        figures = f"{ours[key]:.2f} {unit}", f"default {peer[key]:.2f} {unit}"
        rows.append(Row(f"allocator, {name}: {what}", *figures, ratio, f"≤ {limit} ×", ratio <= limit))
    return rows


def resnet_steps() -> Callable[[], object]:
    """Train ResNet-18 (64 px, batch 16)."""
    from benchmarks import training

    step, _ = training.torch_calls(training.NETWORKS["ResNet-18"]())
    return lambda: [step() for _ in range(8)]


def wide_broadcasts() -> Callable[[], object]:
    """Compute overlaps of every box with 50 others, as a YOLO loss does."""
    import torch

    boxes, others = torch.rand(8, 8112, 1, 4), torch.rand(8, 1, 50, 4)

    def step() -> object:
        low = torch.maximum(boxes[..., :2], others[..., :2])
        high = torch.minimum(boxes[..., 2:], others[..., 2:])
        return (high - low).clamp(min=0).prod(-1).amax(-1)

    return lambda: [step() for _ in range(10)]


def decoder_cache(layers: int, mebibytes: int) -> Callable[[], object]:
    """Grow the keys and values of a decoder, step by step, to so many MiB in all."""
    import torch

    steps, heads = 60, 12
    width = mebibytes * 2**20 // (4 * 2 * layers * steps * heads)

    def grow() -> None:
        cache = [torch.ones(heads, 1, width) for _ in range(2 * layers)]
        for _ in range(steps - 1):
            for place, kept in enumerate(cache):
                cache[place] = torch.cat((kept, torch.ones(heads, 1, width)), 1)

    return grow


def changing_sizes() -> Callable[[], object]:
    """Take tensors of 1 to 120 MiB in turns, of which a few live at a time."""
    import random

    import torch

    def churn() -> None:
        draw, live = random.Random(0), []
        for _ in range(100):
            live.append(torch.ones(draw.choice((1, 3, 5, 9, 17, 33, 65, 120)) * 2**18))
            if len(live) > 4:
                live.pop(draw.randrange(len(live)))

    return churn


def several_threads() -> Callable[[], object]:
    """Take and free tensors in four threads, each with an arena of its own."""
    import random
    import threading

    import torch

    def churn(seed: int) -> None:
        draw, live = random.Random(seed), []
        for _ in range(80):
            live.append(torch.ones(int(draw.uniform(0.05, 12) * 2**18)))
            if len(live) > 5:
                live.pop(draw.randrange(len(live)))

    def work() -> None:
        threads = [threading.Thread(target=churn, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    return work


def pipeline() -> Callable[[], object]:
    """Read 100 batches of images through a dataset pipeline with four workers."""
    import numpy as np

    import msbridge as ms  # noqa: F401 - Tensors have their methods
    from msbridge import dataset

    images = np.random.default_rng(0).integers(0, 255, (64, 128, 128, 3), np.uint8)

    def read() -> None:
        rows = dataset.GeneratorDataset(lambda: ((images[i % 64],) for i in range(3200)), ["image"], shuffle=False)
        rows = rows.map(lambda image: (image / np.float32(255)).transpose(2, 0, 1).copy(), num_parallel_workers=4)
        for _ in rows.batch(32).create_tuple_iterator():
            pass

    return read


PROGRAMS: dict[str, Program] = {
    "ResNet-18 steps": resnet_steps,
    "wide broadcasts": wide_broadcasts,
    "cache of 12 layers": lambda: decoder_cache(12, 200),
    "cache of 2 layers": lambda: decoder_cache(2, 120),
    "cache of 1 layer": lambda: decoder_cache(1, 200),
    "changing sizes": changing_sizes,
    "several threads": several_threads,
    "data pipeline": pipeline,
}


def _measure(name: str) -> None:
    """Run one program in this process and print what it took."""
    import resource

    import torch

    torch.set_num_threads(1)
    work = PROGRAMS[name]()
    start = time.process_time()
    work()
    seconds = time.process_time() - start
    usage = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({"seconds": seconds, "faults": usage.ru_minflt, "peak_mib": usage.ru_maxrss / 1024}))


if __name__ == "__main__":
    _measure(sys.argv[1])
