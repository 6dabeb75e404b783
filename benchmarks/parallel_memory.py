"""The memory that training takes: of each process, by how the optimizer is divided, and of a step that recomputes.

Bytes of tensors are counted as operators make them and let them go, so the numbers are the same on every machine.

    python -m benchmarks.parallel_memory      prints the tables, and draws docs/recompute.svg
"""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.live_memory import LiveBytes
from benchmarks.table import Row

PROCESSES, BUCKET = 4, 2**20  # a bucket of gradients for this small network, as 32 MiB are for a large one
WAYS = {"data parallel": "", "level1 (ZeRO-1)": "level1", "level2 (ZeRO-2)": "level2"}
BLOCKS, WIDTH, LENGTH = 8, 256, 64
BATCH, WHOLE_BATCH = 2, 16  # of a process; and of a single one
PICTURE = Path(__file__).parents[1] / "docs" / "recompute.svg"
STYLE = (
    "<style>:root{--paper:#fff;--note:#555;--grid:#ddd;--blue:#2563c9;--orange:#b96a0c}"
    "@media (prefers-color-scheme: dark)"
    "{:root{--paper:#1b2228;--note:#c3ccd5;--grid:#3a444d;--blue:#7aa7f0;--orange:#f0a850}}</style>"
)
MIB = 2**20


def run() -> list[Row]:
    """Measure all ways; a row compares a peak with that of the way without it."""
    peaks = {way: max(peak for _, peak in of_processes(way)) for way in WAYS}
    curves = {name: curve(name == "recompute") for name in ("plain", "recompute")}
    first, *others = WAYS
    rows = [_row(f"peak of a process of {PROCESSES}, {way}", peaks[way], first, peaks[first]) for way in others]
    return [*rows, _row("peak of a step, recompute", max(curves["recompute"]), "plain", max(curves["plain"]))]


def _row(name: str, ours: int, peer: str, theirs: int) -> Row:
    ratio = ours / theirs
    return Row(name, f"{ours / MIB:.1f} MiB", f"{peer} {theirs / MIB:.1f} MiB", ratio, "≤ 0.9 ×", ratio <= 0.9)


def of_processes(way: str, count: int = PROCESSES) -> list[tuple[int, int]]:
    """Return what each process holds between steps, and at most within one, in bytes."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    shared = os.environ | {"WORLD_SIZE": str(count), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    workers = [
        subprocess.Popen(
            [sys.executable, "-m", "benchmarks.parallel_memory", WAYS[way] or "none"],
            env=shared | {"RANK": str(rank), "OMP_NUM_THREADS": "1"},
            stdout=subprocess.PIPE,
            text=True,
        )
        for rank in range(count)
    ]
    return [tuple(json.loads(worker.communicate()[0].splitlines()[-1])) for worker in workers]


def _network(batch: int = BATCH, computes_again: bool = False) -> tuple[Any, Callable[[], object], Any]:
    """Return blocks of a Transformer, a function that trains them for a step, and the optimizer."""
    import mindspore as ms
    import numpy as np
    from mindspore import nn

    cells = [nn.TransformerEncoderLayer(WIDTH, 4, 4 * WIDTH, dropout=0.0, batch_first=True) for _ in range(BLOCKS)]
    if computes_again:
        for cell in cells:
            cell.recompute()
    net = nn.SequentialCell(*cells)
    optimizer = nn.Adam(net.trainable_params(), 1e-3)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer).set_train()
    data = ms.Tensor(np.ones((batch, LENGTH, WIDTH), np.float32))
    return net, lambda: step(data, data), optimizer


def _held(optimizer: Any) -> dict[int, Any]:
    from msbridge.distributed.sharded_parameters import slots_of

    return {
        id(data): data
        for data in (*(p._data for p in optimizer.parameters), *(s._data for s, _ in slots_of(optimizer)))
    }


def curve(computes_again: bool) -> list[int]:
    """Return the bytes after each operator of a step."""
    import msbridge

    msbridge.install()
    _, step, optimizer = _network(WHOLE_BATCH, computes_again)
    step()
    with LiveBytes(_held(optimizer).values()) as live:
        step()
    return live.curve


def _work(level: str) -> None:
    """Print what this process holds after a step, and at most within one."""
    import msbridge

    msbridge.install()
    import mindspore as ms
    from mindspore.communication import init

    from msbridge.distributed import overlapped_all_reduce

    overlapped_all_reduce.BUCKET_BYTES = BUCKET  # type: ignore[attr-defined]
    init()
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    if level != "none":
        config = {"optimizer_level": level}
        ms.set_auto_parallel_context(enable_parallel_optimizer=True, parallel_optimizer_config=config)
    _, step, optimizer = _network()
    step()
    with LiveBytes(_held(optimizer).values()) as live:
        held = live.now
        step()
    print(json.dumps([held, live.peak]))


def draw(curves: Sequence[tuple[str, list[int]]], path: Path) -> None:
    """Draw the bytes over the operators of a step as an SVG file."""
    width, height, left, bottom = 640, 260, 60, 30
    top = max(max(values) for _, values in curves) * 1.08
    colours = ("var(--orange)", "var(--blue)")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="12">{STYLE}<rect width="100%" height="100%" fill="var(--paper)"/>'
    ]
    for number in range(5):
        y = (height - bottom) * (1 - number / 4) + 6
        parts.append(
            f'<path d="M{left} {y:.0f}H{width - 10}" stroke="var(--grid)"/>'
            f'<text x="{left - 6}" y="{y + 4:.0f}" text-anchor="end" fill="var(--note)">'
            f"{top * number / 4 / MIB:.0f} MiB</text>"
        )
    for place, (name, values) in enumerate(curves):
        points = " ".join(
            f"{left + (width - left - 10) * at / (len(values) - 1):.1f},{(height - bottom) * (1 - value / top) + 6:.1f}"
            for at, value in enumerate(values)
        )
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colours[place]}" stroke-width="2"/>')
        parts.append(
            f'<text x="{left + 10 + 260 * place}" y="{height - 6}" fill="{colours[place]}">{name}: at most '
            f"{max(values) / MIB:.1f} MiB, {len(values):,} operators</text>"
        )
    path.write_text("\n".join([*parts, "</svg>\n"]), encoding="utf-8")


def main() -> None:
    """Print the tables, and draw the picture."""
    print("| way | held between steps | at most in a step |\n|---|--:|--:|")
    for way in WAYS:
        found = of_processes(way)
        held, peak = (max(one[place] for one in found) / MIB for place in (0, 1))
        print(f"| {way} | {held:.1f} MiB | {peak:.1f} MiB |")
    curves = [("as it is", curve(False)), ("recompute", curve(True))]
    draw(curves, PICTURE)
    print("\n| blocks | at most | at the end | operators |\n|---|--:|--:|--:|")
    for name, values in curves:
        print(f"| {name} | {max(values) / MIB:.1f} MiB | {values[-1] / MIB:.1f} MiB | {len(values):,} |")


if __name__ == "__main__":
    if sys.argv[1:]:
        _work(sys.argv[1])
    else:
        main()
