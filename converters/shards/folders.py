"""A folder of ranks: `rank_0/NAME.ckpt`, `rank_1/…`; and the whole checkpoint that they make together."""

import contextlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msbridge.converters.checkpoint import Checkpoint, open_checkpoint
from msbridge.converters.errors import CheckpointError
from msbridge.converters.files.source import allow_files
from msbridge.converters.shards.resharding import Transform
from msbridge.converters.shards.strategy import read_strategy

SUFFIXES = ("safetensors", "ckpt")


def rank_files(
    folder: Path, suffix: str, ending: str = "", order: Callable[[str], Any] = lambda name: name
) -> dict[int, Path]:
    """Return the last file of each folder `rank_0`, `rank_1` …: rank → file.

    Args:
        folder: where these folders are.
        suffix: of the files: "ckpt".
        ending: what the names end with before the suffix.
        order: by what files of one folder are sorted.
    """
    files = {}
    for place in folder.glob("rank_[0-9]*"):
        number = place.name.removeprefix("rank_")
        is_rank = number.isascii() and number.isdecimal() and len(number) < 10
        names = [file.name for file in place.glob(f"*{ending}.{suffix}") if file.is_file()] if is_rank else []
        if names:
            files[int(number)] = place / sorted(sorted(names), key=order)[-1]
    return dict(sorted(files.items()))


def last_numbers(name: str) -> list[int]:
    """Return the last two numbers in a name: epoch and step of `net-2_100.safetensors`."""
    return [int(one) for one in re.findall(r"\d+", name)][-2:]


def open_slices(
    folder: Path, strategy: Path, *, key: bytes | None = None, mode: str = "AES-GCM", crc_check: bool = False
) -> Checkpoint:
    """Open the checkpoints of all ranks as one with whole tensors, each assembled when it is read.

    Args:
        folder: holds `rank_0/NAME.ckpt`, or safetensors, and so on; of several files in a folder that of the last step.
        strategy: the strategy file, of all stages of a pipeline.
        key: opens encrypted files.
        mode: how they are encrypted.
        crc_check: whether the checksums in the files are compared.

    Raises:
        CheckpointError: files are missing, damaged, or do not fit the strategy.
    """
    kinds = {suffix: files for suffix in SUFFIXES if (files := rank_files(folder, suffix, order=last_numbers))}
    if len(kinds) != 1:
        what = "both .ckpt and safetensors files" if kinds else "no folders rank_0, rank_1 … with checkpoints"
        raise CheckpointError(f"{folder} holds {what}.")
    ((suffix, files),) = kinds.items()
    work = Transform(read_strategy(strategy), None)
    if missing := [rank for rank in work.list_source_ranks(0) if rank not in files]:
        raise CheckpointError(f"{folder}: the checkpoints of ranks {sorted(missing)[:20]} are missing.")
    allow_files(len(files))
    whole = Checkpoint(folder, suffix)
    with contextlib.ExitStack() as stack:
        parts = {}
        for rank in sorted(files, reverse=True):
            parts[rank] = stack.enter_context(open_checkpoint(files[rank], key=key, mode=mode, crc_check=crc_check))
        whole.entries = {one.name: one for one in work.entries(0, parts)}
        for part in parts.values():
            whole.take_over(part)
        stack.pop_all()
    whole.has_crc = all(part.has_crc for part in parts.values())
    return whole
