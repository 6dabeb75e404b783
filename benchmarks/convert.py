"""Checkpoint conversion: time against `cp` of the same bytes on the same disk, peak memory, and the usual script.

    python -m benchmarks.convert [--gigabytes 6] [--rounds 3] [--folder DIR] [--oracle PYTHON]

Every run is a process of its own that times its work without the imports. Memory is the peak above what the interpreter
takes with its imports done. A cold run begins with the source out of the page cache. `cp` is followed by fsync, as a
conversion is. A disk's speed wanders: conversion and `cp` take turns, and the fastest of each counts. PYTHON names an
interpreter with torch and the real MindSpore: there torch.load and save_checkpoint do what is compared with.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

import torch

from benchmarks.table import Row, at_most
from msbridge.converters import convert
from msbridge.converters.formats import safetensors
from msbridge.converters.tensors.entry import entry

AGAINST_CP, MAX_BYTES, TINY_S = 1.25, 400e6, 5.0
TINY = 100_000
SHARD_BYTES = 10**9
FORMATS = ("ckpt", "safetensors", "pth", "npz")
BACK = {"of": "torch", "to": "torch", "max_shard_bytes": SHARD_BYTES, "format": "safetensors"}

_PEAK = """
import json, os, sys, time
def peak():
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM")) * 1024
"""
_OURS = (
    _PEAK
    + """
import torch
from msbridge.converters import convert
before, began = peak(), time.monotonic()
convert(sys.argv[1], sys.argv[2], force=True, **json.loads(sys.argv[3]))
print(json.dumps([time.monotonic() - began, peak() - before]))
"""
)
_USUAL = (
    _PEAK
    + """
import torch, mindspore as ms
before, began = peak(), time.monotonic()
state = torch.load(sys.argv[1], map_location="cpu", weights_only=True)
ms.save_checkpoint([{"name": name, "data": ms.Tensor(value.numpy())} for name, value in state.items()], sys.argv[2])
file = os.open(sys.argv[2], os.O_RDONLY)
os.fsync(file)
print(json.dumps([time.monotonic() - began, peak() - before]))
"""
)
Measured = tuple[float, float]  # seconds, bytes


def run(oracle: str | None = None, gigabytes: float = 6.0, rounds: int = 3, folder: Path | None = None) -> list[Row]:
    """Measure, and return the rows.

    Args:
        oracle: an interpreter with torch and the real MindSpore; None leaves the usual script out.
        gigabytes: size of the large checkpoint; four times as much is needed on the disk.
        rounds: how often each is timed.
        folder: on the disk that is measured; None for that of temporary files.
    """
    with tempfile.TemporaryDirectory(dir=folder) as name:
        place = Path(name)
        shards = make_shards(place / "shards", gigabytes)
        rows = large(place, shards, rounds)
        if oracle:
            rows += usual(place, shards[0], oracle, rounds)
        shutil.rmtree(place / "shards")
        return rows + tiny(place)


def large(place: Path, shards: list[Path], rounds: int) -> list[Row]:
    """Return the rows of sharded safetensors to one `.ckpt`, and back into shards."""
    whole, back = place / "whole.ckpt", place / "back"
    converted(place / "shards", whole, {"to": "torch"})
    rows, peaks = [], []
    size = f"{sum(file.stat().st_size for file in shards) / 1e9:.1f} GB"
    for cache in ("warm", "cold"):
        for what, sources, make in (
            (f"{size}: shards → .ckpt", shards, lambda: converted(place / "shards", place / "x.ckpt", {"to": "torch"})),
            (f"{size}: .ckpt → shards", [whole], lambda: converted(whole, back, BACK)),
        ):
            ours, copies = [], []
            for _ in range(rounds):
                prepare(sources, cache)
                ours.append(make())
                remove(place / "x.ckpt", back)
                prepare(sources, cache)
                copies.append(copied(sources, place / "copy"))
            peaks.append(max(memory for _, memory in ours))
            fastest = min(seconds for seconds, _ in ours)
            rows.append(at_most(f"{what}, {cache}", fastest, "cp, fsync", min(copies), AGAINST_CP))
    rows.append(_memory(f"{size}: shards ↔ .ckpt", max(peaks)))
    for what, options in (("pth", {}), ("ckpt", {"dtype": "bfloat16"})):
        _, memory = converted(whole, place / f"x.{what}", {"of": "torch", "to": "torch"} | options)
        rows.append(_memory(f"{size}: .ckpt → .{what} {options.get('dtype', '')}".strip(), memory))
        if what == "pth":
            _, memory = converted(place / "x.pth", place / "y.ckpt", {"of": "torch", "to": "torch"})
            rows.append(_memory(f"{size}: .pth → .ckpt", memory))
        remove(place / f"x.{what}", place / "y.ckpt")
    remove(whole)
    return rows


def usual(place: Path, shard: Path, oracle: str, rounds: int) -> list[Row]:
    """Return the rows of a `.pth` of one shard to a `.ckpt`, against torch.load and MindSpore's save_checkpoint."""
    found = subprocess.run(
        [oracle, "-c", "import torch, mindspore"], check=False, capture_output=True, cwd=place, env=_quiet()
    )
    if found.returncode:
        print(f"convert: the usual script is left out, as {oracle} cannot import both torch and mindspore")
        return []
    source = place / "one.pth"
    convert(shard, source, to="torch", of="torch")
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(converted(source, place / "ours.ckpt", {"to": "torch"}))
        theirs.append(_measured([oracle, "-c", _USUAL, str(source), str(place / "theirs.ckpt")], place))
        remove(place / "ours.ckpt", place / "theirs.ckpt")
    size = f"{source.stat().st_size / 1e9:.1f} GB"
    remove(source)
    seconds, memory = map(min, zip(*ours, strict=True))
    their_seconds, their_memory = map(min, zip(*theirs, strict=True))
    return [
        at_most(f"{size}: .pth → .ckpt", seconds, "torch.load, MindSpore", their_seconds, 1.0),
        _memory(f"{size}: .pth → .ckpt", memory, f"torch.load, MindSpore {their_memory / 1e6:,.0f} MB"),
    ]


def tiny(place: Path) -> list[Row]:
    """Return the rows of 100,000 tensors of twelve bytes: `.ckpt` into every format, and every format into `.ckpt`."""
    source, plain = place / "tiny.safetensors", {"of": "torch", "to": "torch"}
    names = (f"layer.{i // 10}.part.{i % 10}.weight" for i in range(TINY))
    safetensors.write(source, [entry(name, torch.ones(3)) for name in names])
    files = {form: place / f"tiny2.{form}" for form in FORMATS}
    converted(source, place / "tiny.ckpt", plain)
    rows = [(f".ckpt → .{form}", converted(place / "tiny.ckpt", file, plain)[0]) for form, file in files.items()]
    rows += [
        (f".{form} → .ckpt", converted(file, place / "tiny3.ckpt", plain)[0])
        for form, file in files.items()
        if form != "ckpt"
    ]
    rows.append(("guessed names → .ckpt", converted(source, place / "tiny4.ckpt", {"to": "mindspore"})[0]))
    return [
        Row(f"{TINY:,} tiny tensors: {what}", f"{seconds:.2f} s", "-", seconds, f"≤ {TINY_S:g} s", seconds <= TINY_S)
        for what, seconds in rows
    ]


def make_shards(folder: Path, gigabytes: float) -> list[Path]:
    """Write safetensors shards of at most one gigabyte, of 64 MB and 4 KB tensors."""
    folder.mkdir()
    files, left = [], int(gigabytes * 1e9)
    block = torch.randn(4096, 4096)
    while left > 0:
        number, count = len(files), min(14, -(-left // block.nbytes))
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


def copied(files: Iterable[Path], folder: Path) -> float:
    """Copy with `cp` and wait for the disk; return the seconds."""
    folder.mkdir()
    began = time.monotonic()
    subprocess.run(["cp", *map(str, files), str(folder)], check=True)
    for file in folder.iterdir():
        with file.open("rb") as opened:
            os.fsync(opened.fileno())
    seconds = time.monotonic() - began
    remove(folder)
    return seconds


def converted(source: Path, target: Path, options: dict[str, object]) -> Measured:
    """Convert in a process of its own."""
    return _measured([sys.executable, "-c", _OURS, str(source), str(target), json.dumps(options)], target.parent)


def remove(*paths: Path) -> None:
    """Remove files or folders, and wait until the disk has done so: the next run must not pay for it."""
    for path in paths:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    os.sync()


def _measured(command: list[str], place: Path) -> Measured:
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=place, env=_quiet())
    seconds, memory = json.loads(done.stdout.splitlines()[-1])
    return seconds, memory


def _quiet() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": "", "GLOG_v": "4"}  # MindSpore's word for: errors only


def _memory(what: str, nbytes: float, peer: str = "-") -> Row:
    ours, limit = f"{nbytes / 1e6:,.0f} MB", f"≤ {MAX_BYTES / 1e6:,.0f} MB"
    return Row(f"{what}, peak memory", ours, peer, nbytes / 1e6, limit, nbytes <= MAX_BYTES)


def main() -> None:
    """Measure and print the rows."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.convert", description=__doc__.partition("\n")[0])
    parser.add_argument("--gigabytes", type=float, default=6.0)
    parser.add_argument("--rounds", type=int, default=3, help="how often each is timed; the fastest counts")
    parser.add_argument("--folder", type=Path, help="where to write (default: a temporary folder)")
    parser.add_argument("--oracle", metavar="PYTHON", help="an interpreter with torch and the real MindSpore")
    options = parser.parse_args()
    rows = run(options.oracle, options.gigabytes, options.rounds, options.folder)
    for row in rows:
        print(f"{row.name}: {row.ours}; {row.peer}; ratio {row.ratio:.2f}, target {row.target}")
    sys.exit(0 if all(row.is_met for row in rows) else 1)


if __name__ == "__main__":
    main()
