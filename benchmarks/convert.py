"""Time and memory of checkpoint conversion, against `cp` of the same bytes on the same disk.

    python benchmarks/convert.py [--gigabytes 6] [--folder DIR] [--real PYTHON]

Every run is a process of its own. Memory is the peak above the interpreter's own with torch and msbridge imported.
A cold run begins with the source out of the page cache. `cp` is followed by fsync, as a conversion is.
PYTHON names an interpreter with the real MindSpore: then torch.load + its save_checkpoint is timed as well.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console
from rich.table import Table

MEASURED = """
    import json, sys, time
    from msbridge.converters import convert
    def peak():
        return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM")) * 1024
    import torch
    before, began = peak(), time.monotonic()
    convert(sys.argv[1], sys.argv[2], force=True, **json.loads(sys.argv[3]))
    print(json.dumps([time.monotonic() - began, peak() - before]))
"""
USUAL = """
    import json, sys, time, resource
    import numpy as np, mindspore as ms
    began = time.monotonic()
    arrays = np.load(sys.argv[1])
    ms.save_checkpoint([{"name": name, "data": ms.Tensor(arrays[name])} for name in arrays], sys.argv[2])
    print(json.dumps([time.monotonic() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024]))
"""


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--gigabytes", type=float, default=6.0)
    parser.add_argument("--folder", type=Path, help="where to write (default: a temporary folder)")
    parser.add_argument("--real", metavar="PYTHON", help="interpreter with the real MindSpore")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        table = Table("what", "cache", "seconds", "MB/s", "against cp", "peak memory above the interpreter, MB")
        large(Path(folder), options.gigabytes, table)
        small(Path(folder), table)
        if options.real:
            usual(Path(folder), options.real, table)
        Console(width=140).print(table)


def large(folder: Path, gigabytes: float, table: Table) -> None:
    """Sharded safetensors to one `.ckpt`, and back into shards."""
    shards = make_shards(folder / "shards", gigabytes)
    size = sum(file.stat().st_size for file in shards)
    for cache in ("warm", "cold"):
        prepare(shards, cache)
        copied = copy(shards, folder / "copy")
        table.add_row("cp", cache, f"{copied:.2f}", f"{size / copied / 1e6:.0f}", "1.00", "-")
        prepare(shards, cache)
        seconds, memory = measure(folder / "shards", folder / "all.ckpt", {"to": "torch"})
        show(table, "safetensors shards -> .ckpt", cache, size, seconds, memory, copied)
        prepare([folder / "all.ckpt"], cache)
        back = {"of": "torch", "max_shard_bytes": 10**9, "format": "safetensors"}
        seconds, memory = measure(folder / "all.ckpt", folder / "back", back)
        show(table, ".ckpt -> safetensors shards", cache, size, seconds, memory, copied)
        shutil.rmtree(folder / "back")
        (folder / "all.ckpt").unlink()
    shutil.rmtree(folder / "shards")


def small(folder: Path, table: Table) -> None:
    """100,000 tensors of twelve bytes."""
    import torch

    from msbridge.converters.content import entry
    from msbridge.converters.formats import safetensors

    names = (f"layer.{i // 10}.part.{i % 10}.weight" for i in range(100_000))
    safetensors.write(folder / "tiny.safetensors", [entry(name, torch.ones(3)) for name in names])
    size = (folder / "tiny.safetensors").stat().st_size
    for source, target in (("tiny.safetensors", "tiny.ckpt"), ("tiny.ckpt", "tiny2.safetensors")):
        seconds, memory = measure(folder / source, folder / target, {"to": "torch", "of": "torch"})
        show(table, f"100,000 tiny tensors -> {Path(target).suffix}", "warm", size, seconds, memory, None)


def usual(folder: Path, python: str, table: Table) -> None:
    """What a script with the real MindSpore takes, on half a gigabyte, against ours."""
    (shard,) = make_shards(folder / "half", 0.5)
    size = shard.stat().st_size
    measure(shard, folder / "half.npz", {"of": "torch", "to": "torch"})
    for source, name in ((folder / "half.npz", "msbridge"), (folder / "half.npz", "the real MindSpore, through numpy")):
        if name == "msbridge":
            seconds, memory = measure(source, folder / "ours.ckpt", {"of": "torch", "to": "torch"})
        else:
            command = [python, "-c", textwrap.dedent(USUAL), str(source), str(folder / "theirs.ckpt")]
            environment = os.environ | {"PYTHONPATH": "", "GLOG_v": "4"}
            done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
            seconds, memory = json.loads(done.stdout.splitlines()[-1])
        show(table, f".npz of 0.5 GB -> .ckpt: {name}", "warm", size, seconds, memory, None)


def make_shards(folder: Path, gigabytes: float) -> list[Path]:
    """Write safetensors shards of at most one gigabyte, of 64 MB and 4 KB tensors."""
    import torch

    from msbridge.converters.content import entry
    from msbridge.converters.formats import safetensors

    folder.mkdir(exist_ok=True)
    files, left = [], int(gigabytes * 1e9)
    block = torch.randn(4096, 4096)
    while left > 0:
        number, count = len(files), min(15, -(-left // block.nbytes))
        entries = [entry(f"layers.{number}.{i}.weight", block) for i in range(count)]
        entries += [entry(f"layers.{number}.{i}.scale", block[0, :1024]) for i in range(count)]
        files.append(folder / f"model-{number:05}.safetensors")
        safetensors.write(files[-1], entries)
        left -= count * block.nbytes
    return files


def prepare(files: Iterable[Path], cache: str) -> None:
    """Bring files into the page cache, or out of it."""
    for file in files:
        with file.open("rb") as opened:
            if cache == "cold":
                os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            else:
                while opened.read(1 << 24):
                    pass


def copy(files: Iterable[Path], folder: Path) -> float:
    """Copy with `cp` and wait for the disk; give the seconds."""
    folder.mkdir()
    began = time.monotonic()
    subprocess.run(["cp", *map(str, files), str(folder)], check=True)
    for file in folder.iterdir():
        with file.open("rb") as opened:
            os.fsync(opened.fileno())
    seconds = time.monotonic() - began
    shutil.rmtree(folder)
    return seconds


def measure(source: Path, target: Path, options: dict) -> tuple[float, int]:
    """Convert in a process of its own; give seconds and peak bytes above the interpreter."""
    command = [sys.executable, "-c", textwrap.dedent(MEASURED), str(source), str(target), json.dumps(options)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    seconds, memory = json.loads(done.stdout)
    return seconds, memory


def show(table: Table, what: str, cache: str, size: int, seconds: float, memory: int, copied: float | None) -> None:
    """Add a row."""
    ratio = "-" if copied is None else f"{seconds / copied:.2f}"
    table.add_row(what, cache, f"{seconds:.2f}", f"{size / seconds / 1e6:.0f}", ratio, f"{memory / 1e6:.0f}")


if __name__ == "__main__":
    main()
