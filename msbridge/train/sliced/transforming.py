"""Checkpoints of all ranks cut again for other devices, in MindSpore's words."""

import os
import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from msbridge.converters.shards.folders import last_numbers, rank_files
from msbridge.converters.shards.resharding import Transform, open_checkpoints, write
from msbridge.converters.shards.strategy import Strategy, first_stage, layouts, stage_count
from msbridge.core.checks.arguments import instance, one_of
from msbridge.core.runtime.path_mapping import StrPath, resolve
from msbridge.train.sliced.strategies import optional_strategy

__all__ = [
    "convert_checkpoint_by_rank",
    "convert_checkpoints",
    "rank_list_for_convert",
    "rank_list_for_transform",
    "transform_checkpoint_by_rank",
    "transform_checkpoints",
    "transform_safetensors_by_rank",
    "transform_safetensors_by_stage",
]

FORMATS = ("safetensors", "ckpt")
WRITERS = 4  # files that are written at the same time by default; more threads make a disk no faster
UNSAFE = r"\.\.|//|~|^\s*$|\./\."  # in names of files to write, as MindSpore has it
STATE = ("accu_grads", "adam_v", "adam_m")  # how names of optimizer state begin, which a file may lack

StrategyFile = str | dict[str, Any] | None


def rank_list_for_transform(
    rank_id: int, src_strategy_file: StrategyFile = None, dst_strategy_file: StrategyFile = None
) -> list[int]:
    """Return the ranks of whose checkpoints one rank's checkpoint is made.

    Args:
        rank_id: the rank that the checkpoint is for.
        src_strategy_file: how the parameters are cut: a strategy file, or what `build_searched_strategy` returned;
            None: they are whole.
        dst_strategy_file: how they are to be cut; None: they are to be whole.

    Returns:
        Ranks, the last one first.

    Raises:
        TypeError: `rank_id` is not an int, or a strategy neither str nor dict.
        ValueError: a strategy is impossible, or the numbers of devices are not multiples of each other.

    Follows: mindspore.rank_list_for_transform (2.10).
    """
    _check_rank(rank_id)
    if src_strategy_file is None:
        return [0]
    return _transform(src_strategy_file, dst_strategy_file).list_source_ranks(rank_id)


def transform_checkpoint_by_rank(
    rank_id: int,
    checkpoint_files_map: dict[int, StrPath],
    save_checkpoint_file_name: str,
    src_strategy_file: StrategyFile = None,
    dst_strategy_file: StrategyFile = None,
) -> None:
    """Make the checkpoint of one rank from those of the ranks that `rank_list_for_transform` names.

    Args:
        rank_id: the rank that the checkpoint is for.
        checkpoint_files_map: rank → `.ckpt` file.
        save_checkpoint_file_name: the `.ckpt` file to write.
        src_strategy_file: how the parameters are cut: a strategy file, or what `build_searched_strategy` returned;
            None: they are whole.
        dst_strategy_file: how they are to be cut; None: they are to be whole.

    Raises:
        TypeError: an argument is of another type.
        ValueError: a file does not exist, the target is not called `.ckpt`, pieces are missing, or a strategy does not
            fit the files.

    Follows: mindspore.transform_checkpoint_by_rank (2.10).
    """
    _one_rank(
        "checkpoint",
        ".ckpt",
        rank_id,
        checkpoint_files_map,
        save_checkpoint_file_name,
        _transform(src_strategy_file, dst_strategy_file),
    )


def transform_safetensors_by_rank(
    rank_id: int,
    safetensor_files_map: dict[int, StrPath],
    save_safetensor_file_name: str,
    src_strategy_file: StrategyFile = None,
    dst_strategy_file: StrategyFile = None,
) -> None:
    """Do as `transform_checkpoint_by_rank` with safetensors files.

    Follows: mindspore.parallel.transform_safetensors.transform_safetensors_by_rank (2.10), which fails on any file.
    """
    work = _transform(src_strategy_file, dst_strategy_file)
    _one_rank("safetensor", ".safetensors", rank_id, safetensor_files_map, save_safetensor_file_name, work)


def _transform_safetensors(
    src_safetensors_dir: StrPath,
    dst_safetensors_dir: str,
    ckpt_prefix: str,
    src_strategy_file: StrategyFile = None,
    dst_strategy_file: StrategyFile = None,
    process_num: int = 1,
    output_format: str = "safetensors",
) -> None:
    """Do as `transform_checkpoints` with a folder of safetensors files.

    Follows: mindspore.parallel.transform_safetensors._transform_safetensors (2.10).
    """
    transform_checkpoints(
        src_safetensors_dir,
        dst_safetensors_dir,
        ckpt_prefix,
        src_strategy_file,
        dst_strategy_file,
        process_num,
        output_format,
    )


def transform_checkpoints(
    src_checkpoints_dir: StrPath,
    dst_checkpoints_dir: str,
    ckpt_prefix: str,
    src_strategy_file: StrategyFile = None,
    dst_strategy_file: StrategyFile = None,
    process_num: int = 1,
    output_format: str = "ckpt",
) -> None:
    """Cut the checkpoints of all ranks as another strategy says. Tensors are copied one at a time.

    Where the source's strategy has some of the target's parameters only, as that of one pipeline stage has, the files
    are parts, called `PREFIX0_part1.ckpt`.

    Args:
        src_checkpoints_dir: a folder with `rank_0/NAME.ckpt`, `rank_1/…`, or likewise with safetensors; of several
            files in a folder the last one is taken.
        dst_checkpoints_dir: the folder for `rank_0/PREFIX0.ckpt`, `rank_1/PREFIX1.ckpt` …; created when it is missing.
        ckpt_prefix: PREFIX.
        src_strategy_file: how the parameters are cut: a strategy file, or what `build_searched_strategy` returned;
            None: they are whole.
        dst_strategy_file: how they are to be cut; None: they are to be whole.
        process_num: how many files are written at the same time (in threads here).
        output_format: "ckpt" or "safetensors"; of `.ckpt` files only the former is made.

    Raises:
        TypeError: an argument is of another type.
        ValueError: there are no files or both kinds of them, one that is needed is missing, or a strategy does not fit.
        NotADirectoryError: `dst_checkpoints_dir` is a file.

    Follows: mindspore.transform_checkpoints (2.10).
    """
    files, suffix = _source_files(src_checkpoints_dir)
    one_of(output_format, "output_format", "transform_checkpoints", FORMATS)
    if suffix == "ckpt" and output_format == "safetensors":
        raise ValueError(
            "For 'transform_checkpoints', 'output_format' can not be 'safetensors' when 'src_checkpoints_dir' only "
            "contains ckpt file."
        )
    instance(ckpt_prefix, "ckpt_prefix", None, str)
    folder = target_folder(dst_checkpoints_dir)
    for name, value in (("dst_checkpoints_dir", dst_checkpoints_dir), ("ckpt_prefix", ckpt_prefix)):
        if re.search(UNSAFE, value) and not (suffix == "safetensors" and not value):
            raise ValueError(f"{name} {value!r} is not safe; it must not be blank nor hold '..', '~' or '//'.")
    work = _transform(src_strategy_file, dst_strategy_file)
    ranks = range(work.target_ranks)
    if suffix == "ckpt" and _has_part_of(work.source, work.target):
        _one_stage(work, src_strategy_file, files, folder, ckpt_prefix, suffix)
        return
    needed = {rank: work.list_source_ranks(rank) for rank in ranks}
    for rank, wanted in needed.items():
        if missing := [one for one in wanted if one not in files]:
            raise ValueError(
                f"The checkpoint file of rank{missing[0]} is needed for converting rank{rank}'s checkpoint, but it is "
                f"missing in {src_checkpoints_dir}."
            )

    def make(rank: int) -> None:
        target = folder / f"rank_{rank}" / f"{ckpt_prefix}{rank}.{output_format}"
        _make(work, rank, {one: files[one] for one in needed[rank]}, target)

    with ThreadPoolExecutor(max(1, process_num)) as pool:
        list(pool.map(make, ranks))


def transform_safetensors_by_stage(
    src_safetensors_dir: StrPath,
    dst_safetensors_dir: str,
    ckpt_prefix: str,
    src_strategy_file: str,
    dst_strategy_file: StrategyFile = None,
) -> None:
    """Cut the safetensors files of one pipeline stage again, into parts called `PREFIX0_part1.safetensors`.

    Args:
        src_safetensors_dir: a folder with `rank_0/NAME.safetensors`, `rank_1/…`.
        dst_safetensors_dir: the folder for `rank_0/PREFIX0_part1.safetensors` …
        ckpt_prefix: PREFIX.
        src_strategy_file: the strategy file of the stage.
        dst_strategy_file: how the parameters are to be cut; None: they are to be whole.

    Raises:
        ValueError: files are missing, or a strategy does not fit.

    Follows: mindspore.parallel.transform_safetensors.transform_safetensors_by_stage (2.10), which fails on any
    file.
    """
    prefix = Path(ckpt_prefix).name
    if ".." in prefix or "\\" in prefix:
        raise ValueError(f"Invalid ckpt_prefix: {prefix}. Must not contain path traversal characters.")
    files = rank_files(Path(resolve(src_safetensors_dir)), "safetensors")
    work = _transform(src_strategy_file, dst_strategy_file)
    _one_stage(work, src_strategy_file, files, target_folder(dst_safetensors_dir), prefix, "safetensors")


rank_list_for_convert = rank_list_for_transform
convert_checkpoint_by_rank = transform_checkpoint_by_rank
convert_checkpoints = transform_checkpoints


def _one_rank(kind: str, suffix: str, rank_id: Any, files_map: Any, name: Any, work: Transform) -> None:
    """Check what one rank's checkpoint is to be made of, and make it."""
    if not isinstance(files_map, dict):
        raise TypeError(f"The {kind}_files_map should be a dict.")
    _check_rank(rank_id)
    if not isinstance(name, str):
        raise TypeError(f"The save_{kind}_file_name should be a str.")
    if not name.endswith(suffix):
        raise ValueError(f"The save_{kind}_file_name {name} should end with {suffix}")
    files = {rank: Path(resolve(file)) for rank, file in files_map.items()}
    for rank, file in files.items():
        if not file.exists():
            raise ValueError(f"{kind.capitalize()} file {file} in rank {rank} not exits: name another one.")
    _make(work, rank_id, files, Path(resolve(name)))


def _one_stage(work: Transform, source: Any, files: Mapping[int, Path], folder: Path, prefix: str, suffix: str) -> None:
    """Make the parts of files of one stage of a pipeline."""
    stage = first_stage(Path(resolve(str(source))))
    ranks = range(stage * work.source_devices, (stage + 1) * work.source_devices)
    held = {rank: files[rank] for rank in ranks if rank in files}
    if len(held) < len(ranks):
        missing = next(rank for rank in ranks if rank not in held)
        raise ValueError(f"The checkpoint file of rank{missing} is needed, but it is missing.")
    for rank in range(work.target_devices):
        _make(work, rank, held, folder / f"rank_{rank}" / f"{prefix}{rank}_part{stage}.{suffix}")


def _make(work: Transform, rank: int, files: Mapping[int, Path], target: Path) -> None:
    with open_checkpoints(files) as checkpoints:
        entries = work.entries(rank, checkpoints)
        target.parent.mkdir(0o700, parents=True, exist_ok=True)
        write(target, entries)


def target_folder(name: Any) -> Path:
    """Return a folder to write to, which is created when it is missing.

    Raises:
        TypeError: the name is not a str.
        ValueError: it is blank.
        NotADirectoryError: it is a file.
    """
    if not isinstance(name, str):
        raise TypeError("The path is invalid, the type should be string.")
    if not name.strip():
        raise ValueError("The path is invalid, it should be non-blank.")
    path = Path(os.path.realpath(resolve(name)))
    if path.exists() and not path.is_dir():
        raise NotADirectoryError(f"The path({path}) is a file path, it should be a directory path.")
    path.mkdir(0o700, parents=True, exist_ok=True)
    return path


def _source_files(folder: StrPath) -> tuple[dict[int, Path], str]:
    path = Path(resolve(folder))
    if path.is_file() and path.suffix == ".safetensors":
        return {0: path}, "safetensors"
    safetensors, ckpt = rank_files(path, "safetensors", order=last_numbers), rank_files(path, "ckpt")
    if safetensors and ckpt:
        raise ValueError(
            "For 'transform_checkpoints', the 'src_checkpoints_dir' cannot contain both ckpt file and safetensors file "
            "simultaneously"
        )
    if not safetensors and not ckpt:
        raise ValueError(
            f"For 'transform_checkpoints', the 'src_checkpoints_dir' can not be empty; {folder} has no folders rank_0, "
            "rank_1 … with files."
        )
    return (safetensors, "safetensors") if safetensors else (ckpt, "ckpt")


def _has_part_of(source: Strategy | None, target: Strategy | None) -> bool:
    """Whether a strategy without stages has some of another one's parameters only, optimizer state left aside."""
    if not source or not target or stage_count(source) > 1 or stage_count(target) > 1:
        return False
    mine, theirs = ({name for name in layouts(one) if not name.startswith(STATE)} for one in (source, target))
    return mine < theirs


def _transform(source: StrategyFile, target: StrategyFile) -> Transform:
    return Transform(optional_strategy(source), optional_strategy(target))


def _check_rank(rank_id: Any) -> None:
    if not isinstance(rank_id, int):
        raise TypeError(f"The rank_id should be a int, but got {type(rank_id)}.")
