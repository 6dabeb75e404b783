"""Correctness and speed on a CUDA machine, in one run of a few minutes; the rows go to benchmarks/RESULTS.md.

    python -m benchmarks.gpu [--cpu] [--results FILE]

Values and gradients of operators against the CPU, where tensors lie, streams, mixed precision, sinks with and without
CUDA graphs; then LeNet and ResNet-50 in sinks against torch by hand. With --cpu all of it is rehearsed on the CPU with
small sizes: what that prints says that the file works, nothing more.
"""

import argparse
import datetime
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import torch

from benchmarks import gpu_checks, gpu_speed
from benchmarks.gpu_checks import Check
from benchmarks.table import Row
from msbridge.core.context import context

RESULTS = Path(__file__).with_name("RESULTS.md")
HEAD = """# GPU results

Written by `python -m benchmarks.gpu` on a machine with a CUDA device; the newest run is first.
"""


def main() -> None:
    """Check and measure; exit with 1 if something does not hold."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu", description=__doc__.partition("\n")[0])
    parser.add_argument("--cpu", action="store_true", help="rehearse on the CPU, with small sizes")
    parser.add_argument("--results", type=Path, help="where the rows go (default: RESULTS.md here; none with --cpu)")
    options = parser.parse_args()
    if not options.cpu and not torch.cuda.is_available():
        print("No CUDA device is found, so nothing is measured; `--cpu` rehearses this on the CPU.")
        return
    began = time.perf_counter()
    device, target = (torch.device("cpu"), "Ascend") if options.cpu else (torch.device("cuda", 0), "GPU")
    machine = _machine(device)
    print(machine)
    context.set_context(mode=context.GRAPH_MODE, device_target=target)
    checks, rows = [], []
    for check in gpu_checks.run(device, target):
        checks.append(check)
        print(f"{'pass' if check.is_good else 'FAIL'}  {check.name}: {check.seen}", flush=True)
    for row in gpu_speed.run(device, gpu_speed.SMALL if options.cpu else gpu_speed.FULL):
        rows.append(row)
        verdict = "    " if row.target == "-" or options.cpu else "pass" if row.is_met else "FAIL"
        print(f"{verdict}  {row.name}: {row.ours}; {row.peer}; ratio {row.ratio:.2f}, target {row.target}", flush=True)
    print(f"{time.perf_counter() - began:.0f} s")
    path = options.results or (None if options.cpu else RESULTS)
    if path is not None:
        write(path, machine, checks, rows)
    failed = [check.name for check in checks if not check.is_good]
    missed = [] if options.cpu else [row.name for row in rows if not row.is_met]
    print(f"{len(checks) - len(failed)} of {len(checks)} checks hold; {len(missed)} targets missed")
    sys.exit(1 if failed or missed else 0)


def write(path: Path, machine: str, checks: Sequence[Check], rows: Sequence[Row]) -> None:
    """Put a section with the outcome of a run before the sections of earlier ones."""
    failed = [f"- {check.name}: {check.seen}" for check in checks if not check.is_good]
    table = [
        f"| {row.name} | {row.ours} | {row.peer} | {row.ratio:.2f} | {row.target} | {_verdict(row)} |" for row in rows
    ]
    section = [
        f"## {machine}",
        "",
        f"{len(checks) - len(failed)} of {len(checks)} correctness checks hold{'.' if not failed else ', but not:'}",
        *(["", *failed] if failed else []),
        "",
        "| what | msbridge | peer | ratio | target | |",
        "|---|---|---|---|---|---|",
        *table,
        "",
    ]
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    earlier = before[before.index("\n## ") :] if "\n## " in before else ""
    path.write_text(f"{HEAD}\n{chr(10).join(section)}{earlier}", encoding="utf-8")


def _verdict(row: Row) -> str:
    return "" if row.target == "-" else "met" if row.is_met else "missed"


def _machine(device: torch.device) -> str:
    name = torch.cuda.get_device_name(device) if device.type == "cuda" else "CPU, a rehearsal"
    day = datetime.datetime.now(datetime.UTC).date()
    return f"{name}; torch {torch.__version__}; commit {_commit()}; {day}"


def _commit() -> str:
    command = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short", "HEAD"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


if __name__ == "__main__":
    main()
