"""Checkpoints cut into several files, with an index in JSON that says which name lies where.

Two styles of index: `{"metadata": {...}, "weight_map": {name: file}}`, and the bare map (MindSpore's
`param_name_map.json`).
"""

import json
from pathlib import Path

from msbridge.converters.errors import CheckpointError
from msbridge.converters.files import MARK

MOST_INDEX_BYTES = 256 << 20
INDEXES = ("*.safetensors.index.json", "param_name_map.json", "*.index.json")
SINGLE = ("model.safetensors", "pytorch_model.bin")  # beside them a folder may hold an optimizer or arguments
LOOSE = ("*.safetensors", "*.ckpt", "*.bin", "*.pth", "*.pt", "*.npz")


def find_index(folder: Path) -> Path | None:
    """Give the index in a folder, of safetensors rather than of pickles; None if there is none.

    Raises:
        CheckpointError: there are several.
    """
    for pattern in INDEXES:
        found = sorted(folder.glob(pattern))
        if len(found) > 1:
            raise CheckpointError(
                f"{folder} holds {len(found)} indexes ({', '.join(one.name for one in found)}); name one."
            )
        if found:
            return found[0]
    return None


def loose_files(folder: Path) -> list[Path]:
    """Give the checkpoints of a folder without an index: the usual single file, or all of the first format there is."""
    for pattern in (*SINGLE, *LOOSE):
        found = [file for file in sorted(folder.glob(pattern)) if MARK not in file.name]
        if found:
            return found
    return []


def read_index(path: Path) -> dict[str, str]:
    """Read an index: name → file name.

    Raises:
        CheckpointError: it is no index, or names a file outside its folder.
    """
    if path.stat().st_size > MOST_INDEX_BYTES:
        raise CheckpointError(f"{path} is {path.stat().st_size} bytes long; an index has at most {MOST_INDEX_BYTES}.")
    try:
        content = json.loads(path.read_bytes().decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{path} is no JSON: {error}.") from error
    names = content.get("weight_map", content) if isinstance(content, dict) else None
    if not isinstance(names, dict) or not names or not all(isinstance(file, str) for file in names.values()):
        raise CheckpointError(f"{path} is no index: it must map names to files, directly or under 'weight_map'.")
    for name, file in names.items():
        if Path(file).name != file or file in ("", ".", "..") or "\\" in file or "\0" in file:
            raise CheckpointError(
                f"{path}: {name!r} is said to lie in {file!r}; a shard lies in the folder of its index."
            )
    return names


def shards(index: Path) -> list[Path]:
    """Give the files that an index names, sorted.

    Raises:
        CheckpointError: some are missing; names them all.
    """
    files = [index.parent / file for file in sorted(set(read_index(index).values()))]
    missing = [file.name for file in files if not file.is_file()]
    if missing:
        raise CheckpointError(f"{index}: {len(missing)} of {len(files)} shards are missing: {', '.join(missing[:10])}.")
    return files
