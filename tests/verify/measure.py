"""How well faults are found, and how many false alarms there are: `python -m tests.verify.measure [PAIRS]`."""

import sys
import time
from collections import defaultdict

import torch
from rich.console import Console
from rich.table import Table

from msbridge import Tensor
from msbridge.core.types.dtype import float16
from msbridge.verify import compare
from msbridge.verify.report.html import render
from tests.verify.faults import faults, find, is_cause_right, is_place_right
from tests.verify.random_pairs import random_pair
from tests.verify.random_ways import other_ways, varied
from tests.zoo.pairs import PAIRS, pair, settled
from tests.zoo.resnet50 import ResNet50, TorchResNet50
from tests.zoo.written import WRITTEN, harmless, written_faults, written_pair


def measure_faults(console):
    counts = defaultdict(lambda: [0, 0, 0])
    wrong = []
    for fault in (*faults(), *written_faults()):
        found = find(fault)
        right = is_place_right(fault, found), is_cause_right(fault, found)
        for number, one in enumerate((True, *right)):
            counts[_group(fault)][number] += one
        if not all(right):
            wrong.append(f"{fault}: {found.sentence}")
    table = Table("fault", "put in", "place right", "cause right")
    for name, numbers in sorted(counts.items()):
        table.add_row(name, *map(str, numbers))
    total = [sum(column) for column in zip(*counts.values(), strict=True)]
    table.add_row("all", str(total[0]), *(f"{100 * one / total[0]:.1f} %" for one in total[1:]), style="bold")
    console.print(table)
    for line in wrong:
        console.print(line, markup=False)


def _group(fault):
    return f"written for {fault.network}" if fault.network in WRITTEN else fault.name


def measure_alarms(console, count):
    pairs = {
        "random": (lambda seed: compare(*random_pair(seed), grad=True), range(count)),
        "written in other ways": (lambda seed: compare(*other_ways(seed)), range(count)),
        "of other dtypes and magnitudes": (lambda seed: compare(*varied(seed)), range(count)),
        "written for a network": (lambda one: compare(*written_pair(*one)), harmless()),
    }
    for name, (run, seeds) in pairs.items():
        found = {seed: run(seed) for seed in seeds}
        alarms = [f"{seed}: {one.sentence}" for seed, one in found.items() if not one.is_same]
        console.print(
            f"{len(alarms)} false alarms in {len(found)} correct pairs: {name}", *alarms, sep="\n", markup=False
        )


def measure_cost(console):
    table = Table(
        "network",
        "forward of both (ms)",
        "compare: equal (ms)",
        "ratio",
        "compare: first layer wrong (ms)",
        "HTML (MB)",
    )
    for name in (*PAIRS, "ResNet-50"):
        if name in PAIRS:
            module, cell, inputs = pair(name)
        else:
            module, cell, inputs = settled(TorchResNet50()), ResNet50(), (torch.randn(1, 3, 224, 224),)
        compare(module, cell, inputs)
        plain = _best(module, cell, inputs, _both)
        whole = _best(module, cell, inputs, compare)
        first = next(one for _, one in cell.cells_and_names() if hasattr(one, "eps") or hasattr(one, "weight"))
        first.to_float(float16)
        faulty = _best(module, cell, inputs, compare)
        size = len(render(compare(module, cell, inputs))) / 1e6
        table.add_row(
            name, *(f"{one:.1f}" for one in (plain, whole)), f"{whole / plain:.2f}", f"{faulty:.1f}", f"{size:.2f}"
        )
    console.print(table)


def _both(module, cell, inputs):
    module(*inputs)
    cell(*[Tensor(one) for one in inputs])


def _best(module, cell, inputs, run):
    times = []
    with torch.no_grad():
        for _ in range(5):
            began = time.perf_counter()
            run(module, cell, inputs)
            times.append(1e3 * (time.perf_counter() - began))
    return min(times)


if __name__ == "__main__":
    shown = Console()
    measure_cost(shown)
    measure_faults(shown)
    measure_alarms(shown, int(sys.argv[1]) if len(sys.argv) > 1 else 200)
