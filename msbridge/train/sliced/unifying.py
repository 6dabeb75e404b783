"""The slices of all ranks joined to one set of safetensors files, in MindSpore's words."""

import json
import math
import re
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from msbridge.converters import Entry
from msbridge.converters.checkpoint import Checkpoint
from msbridge.converters.files.atomic_write import write_text
from msbridge.converters.formats import ckpt, safetensors
from msbridge.converters.shards.folders import last_numbers, rank_files
from msbridge.converters.shards.layout import uncut
from msbridge.converters.shards.merging import assemble_piece
from msbridge.converters.shards.resharding import Transform, open_checkpoints
from msbridge.converters.shards.strategy import layouts
from msbridge.core.runtime.path_mapping import StrPath, resolve
from msbridge.train.sliced.strategies import build_searched_strategy
from msbridge.train.sliced.transforming import WRITERS, target_folder

__all__ = ["unified_safetensors"]

PART_BYTES = 3 << 30  # of a file, about


def unified_safetensors(
    src_dir: StrPath,
    src_strategy_file: str | None,
    dst_dir: str,
    merge_with_redundancy: bool = True,
    file_suffix: str | None = None,
    max_process_num: int = 64,
    choice_func: Callable[[str], bool | str] | None = None,
    split_dst_file: tuple[int, int] | tuple[()] = (),
) -> None:
    """Join the safetensors files of all ranks to files with whole tensors, of about 3 GB each.

    They are called `part0.safetensors` and so on; `param_name_map.json` says which name lies where, and
    `hyper_param.safetensors` has what the strategy does not name, as rank 0 has it.

    Args:
        src_dir: a folder with `rank_0/NAME.safetensors`, `rank_1/…`.
        src_strategy_file: the strategy file; None: the parameters are whole.
        dst_dir: the folder to write to; created when it is missing.
        merge_with_redundancy: whether each rank's file has all its parameters; one that lacks what another has is read
            either way.
        file_suffix: what the names of the files end with, before ".safetensors"; None: the file of the last step.
        max_process_num: how many files are written at the same time, at most.
        choice_func: says of a name whether it is taken, or under which other name.
        split_dst_file: (which part of the work this call does, from 1; how many parts there are).

    Raises:
        TypeError: an argument is of another type.
        ValueError: files are missing or do not fit the strategy, or `choice_func` returns something else.

    Follows: mindspore.unified_safetensors (2.10).
    """
    folder = target_folder(dst_dir)
    source = Path(resolve(src_dir))
    if source.is_file():
        raise ValueError("For 'unified_safetensors', the 'src_dir' can not be a file.")
    files = _files(source, file_suffix)
    if files and rank_files(source, "ckpt"):
        raise ValueError(
            "For 'unified_safetensors', the 'src_dir' cannot contain both ckpt file and safetensors file simultaneously"
        )
    strategy = build_searched_strategy(src_strategy_file)
    work = Transform(strategy, None)
    if missing := [rank for rank in work.list_source_ranks(0) if rank not in files]:
        raise ValueError(f"The safetensor file of rank{missing[0]} is needed, but it is missing in {src_dir}.")
    with open_checkpoints(files) as checkpoints:
        whole = _whole(work, checkpoints)
        called = {name: _choose_name(name, choice_func) for name in whole}
        named = {name: whole[name] for name, other in called.items() if other is not None}
        groups = _groups(named)
        mine = _share(len(groups), split_dst_file)
        if not split_dst_file or split_dst_file[0] == 1:
            rest = [one for name, one in checkpoints[min(files)].entries.items() if name not in named]
            if rest:
                _write(folder / "hyper_param.safetensors", rest, {"format": "ms"})
            _write_map(folder, groups, named, called)
        notes = {"format": "ms"}
        if any("remove_redundancy" in one.metadata for one in checkpoints.values()):
            notes["remove_redundancy"] = "False"

        def make(number: int) -> None:
            part = [named[name].rename(called[name] or name) for name in groups[number]]
            _write(folder / f"part{number}.safetensors", part, notes)

        with ThreadPoolExecutor(max(1, min(max_process_num, WRITERS))) as pool:
            list(pool.map(make, mine))


def _files(folder: Path, ending: str | None) -> dict[int, Path]:
    """Return the file of each rank, the last rank first: that of the last step, or of the names that end so.

    Raises:
        ValueError: a folder has no such file, or it does not become clear which of several is meant.
    """
    newest = rank_files(folder, "safetensors", order=last_numbers)
    files = dict(sorted(newest.items(), reverse=True))
    if ending is None:
        return files
    for rank, file in files.items():
        names = [one.name for one in file.parent.glob(f"*{ending}.safetensors") if one.is_file()]
        if not names:
            raise ValueError(
                f"No safetensors files found in directory '{file.parent}' with suffix '{ending}' and format "
                "'safetensors'. Recommend setting file_suffix to the longest common suffix."
            )
        files[rank] = file.parent / (names[0] if len(names) == 1 else _match_name(names, ending))
    return files


def _match_name(names: list[str], ending: str) -> str:
    """Return the one of several names that is meant, by MindSpore's form of names: NAME_TASK-EPOCH_STEP."""
    parts = re.fullmatch(r"[_-]?(\d+-)?(\d+_)?\d+", ending)
    separator = "-" if parts and parts[2] and not parts[1] else "_"
    full = ending if ending.startswith(("_", "-")) else separator + ending
    fits = [name for name in names if name.endswith(f"{full}.safetensors")] if parts else []
    if parts and parts[1]:
        fits = [name for name in fits if not name.endswith(f"rank{full}.safetensors")]
    shortest = [name for name in fits if len(name) == min(map(len, fits))]
    if len(shortest) != 1:
        raise ValueError(
            f"Multiple files with suffix '{ending}' found in {sorted(names)}. Please set file_suffix to the longest "
            "common suffix of all files."
        )
    return shortest[0]


def _whole(work: Transform, checkpoints: Mapping[int, Checkpoint]) -> dict[str, Entry]:
    """Return the parameters that the strategy names, each assembled of the slices that are there."""
    known = None if work.source is None else layouts(work.source)
    held: dict[str, dict[int, Entry]] = {}
    for rank, checkpoint in checkpoints.items():
        for name, one in checkpoint.entries.items():
            if (known is None or name in known) and not name.startswith("accu_grads") and not one.is_text:
                held.setdefault(name, {})[rank % work.source_devices] = one
    assembled = {}
    for name, pieces in held.items():
        layout = known[name] if known else uncut(len(next(iter(pieces.values())).shape))
        assembled[name] = assemble_piece(name, pieces, layout, uncut(len(layout.axes)), 0)
    return assembled


def _choose_name(name: str, choose: Callable[[str], bool | str] | None) -> str | None:
    """Return under which name a parameter is written; None for one that is left out."""
    chosen = True if choose is None else choose(name)
    if not isinstance(chosen, bool | str):
        raise ValueError(
            "For 'unified_safetensors', the return value type of the function 'choice_func' must be bool or str, but "
            f"got {type(chosen)}."
        )
    return chosen if isinstance(chosen, str) else name if chosen else None


def _groups(entries: Mapping[str, Entry]) -> list[list[str]]:
    """Divide names over files such that these become about equally long."""
    total = sum(one.nbytes for one in entries.values())
    groups: list[list[str]] = [[] for _ in range(min(math.ceil(total / PART_BYTES), len(entries)))]
    sizes = [0] * len(groups)
    for name in sorted(entries, key=lambda name: -entries[name].nbytes):
        smallest = sizes.index(min(sizes))
        groups[smallest].append(name)
        sizes[smallest] += entries[name].nbytes
    return groups


def _share(count: int, split: tuple[int, int] | tuple[()]) -> range:
    """Return the share of the files that this call writes."""
    if not split:
        return range(count)
    number, total = split
    each, more = divmod(count, total)
    start = each * (number - 1) + min(number - 1, more)
    return range(start, start + each + (number <= more))


def _write_map(
    folder: Path, groups: list[list[str]], entries: Mapping[str, Entry], called: Mapping[str, str | None]
) -> None:
    places = {called[name]: f"part{number}.safetensors" for number, names in enumerate(groups) for name in names}
    total = sum(one.nbytes for one in entries.values())
    content = {"metadata": {"total_size": total}, "weight_map": places}
    write_text(folder / "param_name_map.json", json.dumps(content, indent=4))


def _write(path: Path, entries: list[Entry], notes: Mapping[str, str]) -> None:
    by_name = sorted(entries, key=lambda one: one.name)
    safetensors.write(path, by_name, metadata=dict(notes), permissions=ckpt.PERMISSIONS)
