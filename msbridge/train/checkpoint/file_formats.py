"""Checkpoint files of one format written as the other: `.ckpt` and MindSpore's safetensors, one file or all ranks'."""

import os
import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from msbridge.converters import CheckpointError, Entry, open_checkpoint
from msbridge.converters.formats import ckpt, safetensors
from msbridge.core.runtime.path_mapping import StrPath, resolve

RANK = "rank"  # how the folders of a distributed run begin


def ckpt_to_safetensors(
    file_path: StrPath,
    save_path: StrPath | None = None,
    name_map: Mapping[str, str] | None = None,
    file_name_regex: str | None = None,
    processes_num: int = 1,
) -> None:
    """Write `.ckpt` files as safetensors, with the same names and values; texts go into the metadata.

    Args:
        file_path: a `.ckpt` file, or a folder whose `rank…` folders hold such files.
        save_path: the folder to write to, created when it is missing; None: beside each file.
        name_map: name in the `.ckpt` → name in the safetensors file; other names stay.
        file_name_regex: only files in whose name this is found.
        processes_num: files that are converted at the same time (in threads here).

    Raises:
        ValueError: there is no such file or folder, it is of another kind, `save_path` is a file, a file is damaged
            or encrypted, or two tensors would get one name.

    Follows: mindspore.ckpt_to_safetensors (2.10).
    """
    _convert("ckpt_to_safetensors", ".ckpt", file_path, save_path, name_map, file_name_regex, processes_num)


def safetensors_to_ckpt(
    file_path: StrPath,
    save_path: StrPath | None = None,
    name_map: Mapping[str, str] | None = None,
    file_name_regex: str | None = None,
    processes_num: int = 1,
) -> None:
    """Write safetensors files as `.ckpt`, with the same names and values; tensors are sorted by name.

    Args:
        file_path: a safetensors file, or a folder whose `rank…` folders hold such files.
        save_path: the folder to write to, created when it is missing; None: beside each file.
        name_map: name in the safetensors file → name in the `.ckpt`; other names stay.
        file_name_regex: only files in whose name this is found.
        processes_num: files that are converted at the same time (in threads here).

    Raises:
        ValueError: there is no such file or folder, it is of another kind, `save_path` is a file, a file is damaged,
            or two tensors would get one name.

    Follows: mindspore.safetensors_to_ckpt (2.10).
    """
    _convert("safetensors_to_ckpt", ".safetensors", file_path, save_path, name_map, file_name_regex, processes_num)


def _convert(
    op: str,
    suffix: str,
    file_path: StrPath,
    save_path: StrPath | None,
    name_map: Mapping[str, str] | None,
    file_name_regex: str | None,
    processes_num: int,
) -> None:
    if name_map is not None and not isinstance(name_map, dict):
        raise ValueError(f"For {op}, the type of 'name_map' must be a dict, but got '{type(name_map)}'.")
    if not isinstance(processes_num, int) or processes_num < 1:
        raise ValueError(f"For {op}, 'processes_num' must be an integer of at least 1, but got {processes_num!r}.")
    folder = None if save_path is None else Path(resolve(save_path))
    if folder and (folder.is_file() or folder.suffix in (".ckpt", ".safetensors")):
        raise ValueError(f"For {op}, the save_path must be a directory, but got '{save_path}'.")
    files = _files(op, suffix, file_path, file_name_regex)

    def convert(file: Path) -> None:
        _rewrite(op, file, _target(file, suffix, files[file], folder), name_map or {})

    with ThreadPoolExecutor(min(processes_num, len(files) or 1)) as pool:
        list(pool.map(convert, files))


def _files(op: str, suffix: str, file_path: StrPath, wanted: str | None) -> dict[Path, Path]:
    """Return the files to convert, each with the folder that it keeps below the target's."""
    path = Path(resolve(file_path)) if isinstance(file_path, str | os.PathLike) else None
    if path is None or not path.exists():
        raise ValueError(f"For {op}, the input path must be a valid path or file, but got {file_path}")
    if path.is_file():
        if path.suffix != suffix:
            raise ValueError(f"For {op}, the input file must be a {suffix} file, but got {file_path}")
        if wanted and not re.search(wanted, path.name):
            raise ValueError(
                f"For {op}, the input file {path.name!r} does not match the regular expression {wanted!r}."
            )
        return {path: Path()}
    ranks = [one for one in sorted(path.iterdir()) if one.is_dir() and one.name.startswith(RANK)]
    if not ranks:
        raise ValueError(
            f"For '{op}', no directories starting with '{RANK}' found in {file_path}. "
            f"Name a {suffix} file to convert it."
        )
    return {
        file: Path(rank.name)
        for rank in ranks
        for file in sorted(rank.glob(f"*{suffix}"))
        if not wanted or re.search(wanted, file.name)
    }


def _target(file: Path, suffix: str, below: Path, folder: Path | None) -> Path:
    other = ".safetensors" if suffix == ".ckpt" else ".ckpt"
    return (folder / below if folder else file.parent) / f"{file.stem}{other}"


def _rewrite(op: str, file: Path, target: Path, name_map: Mapping[str, str]) -> None:
    """Write one file in the other format."""
    try:
        with open_checkpoint(file) as checkpoint:
            entries = [replace(one, name=name_map.get(one.name, one.name)) for one in checkpoint.entries.values()]
            _refuse_repeated(file, entries)
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.suffix == ".ckpt":
                ckpt.write(target, sorted(entries, key=lambda one: one.name))
            else:
                safetensors.write(target, entries, metadata={"format": "ms"}, permissions=ckpt.PERMISSIONS)
    except CheckpointError as error:
        raise ValueError(f"For '{op}', {error}") from error


def _refuse_repeated(file: Path, entries: list[Entry]) -> None:
    seen: set[str] = set()
    for one in entries:
        if one.name in seen:
            raise CheckpointError(f"{file}: two tensors would both be called {one.name!r}; see 'name_map'.")
        seen.add(one.name)
