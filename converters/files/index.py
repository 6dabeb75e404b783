"""Checkpoints cut into several files, with an index in JSON that says which name lies where.

Two styles of index: `{"metadata": {...}, "weight_map": {name: file}}`, and the bare map (MindSpore's
`param_name_map.json`).
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from msbridge.converters.errors import CheckpointError, Remedy, brief
from msbridge.converters.files.json_files import read_json
from msbridge.converters.files.temporary_files import MARK

MAX_INDEX_BYTES = 256 << 20
UNFINISHED = ".msbridge-unfinished"  # a folder beside the shards, where they stay until all are written
NEW = "msbridge-new-"  # how shards are called beside the set that they replace, until they have taken its place
UNFINISHED_REMEDIES = Remedy(("resume",), "continues it"), Remedy(("force",), "begins again")
MAX_SHARDS = 10_000
INDEXES = ("*.safetensors.index.json", "param_name_map.json", "*.index.json")


def find_index(folder: Path) -> Path | None:
    """Return the index in a folder, of safetensors rather than of pickles; None if there is none.

    Raises:
        CheckpointError: there are several.
    """
    for pattern in INDEXES:
        indexes = sorted(folder.glob(pattern))
        if len(indexes) > 1:
            raise CheckpointError(
                f"{folder} holds {len(indexes)} indexes ({', '.join(one.name for one in indexes)}); name one."
            )
        if indexes:
            return indexes[0]
    return None


def loose_files(folder: Path, patterns: Iterable[str]) -> list[Path]:
    """Return the checkpoints of a folder without an index: all that fit the first pattern that any fits.

    Raises:
        CheckpointError: their names say that some are missing, or a conversion into the folder is unfinished.
    """
    for pattern in patterns:
        files = [
            file for file in sorted(folder.glob(pattern)) if MARK not in file.name and not file.name.startswith(NEW)
        ]
        if not files:
            continue
        missing, wanted = _missing({file.name for file in files})
        if not missing:
            return files
        if not (folder / UNFINISHED).exists():
            raise CheckpointError(
                f"{folder}: {len(missing)} of {wanted} shards are missing, as is their index: "
                f"{', '.join(missing[:10])}. Is a download or a conversion unfinished?"
            )
        break
    if (folder / UNFINISHED).exists():
        raise CheckpointError(f"{folder} holds an unfinished conversion", *UNFINISHED_REMEDIES, path=folder)
    return []


def _missing(names: set[str]) -> tuple[list[str], int]:
    """Return the missing shards, by names like `model-00002-of-00003.safetensors`, and the number of all."""
    numbered = [re.fullmatch(r"(.*)-(\d{5,6})-of-(\d{5,6})(\..*)", name) for name in sorted(names)]
    sets = dict.fromkeys((one[1], len(one[2]), one[3], one[4]) for one in numbered if one)
    for stem, digits, count, suffix in sets:
        if int(count) > MAX_SHARDS:
            continue
        wanted = [f"{stem}-{i:0{digits}}-of-{count}{suffix}" for i in range(1, int(count) + 1)]
        if missing := [one for one in wanted if one not in names]:
            return missing, len(wanted)
    return [], 0


def read_index(path: Path) -> dict[str, str]:
    """Read an index: name → file name.

    Raises:
        CheckpointError: it is not an index, or names a file outside its folder.
    """
    content = read_json(path, MAX_INDEX_BYTES)
    names = content.get("weight_map", content) if isinstance(content, dict) else None
    if not isinstance(names, dict) or not names or not all(isinstance(file, str) for file in names.values()):
        raise CheckpointError(f"{path} is not an index: it must map names to files, directly or under 'weight_map'.")
    for name, file in names.items():
        if not is_plain(file):
            raise CheckpointError(
                f"{path}: {brief(name)} is said to lie in {brief(file)}; a shard lies in the folder of its index."
            )
    return names


def is_plain(name: str) -> bool:
    """Whether a name is that of a file in the folder given, on every system."""
    return Path(name).name == name and name not in ("", ".", "..") and "\\" not in name and "\0" not in name


def list_files(index: Path) -> set[str]:
    """Return the files that an index names; none if it is not one."""
    try:
        return set(read_index(index).values())
    except (CheckpointError, OSError):
        return set()


def is_index(path: Path) -> bool:
    """Whether a file is called as an index is."""
    return any(path.match(pattern) for pattern in INDEXES)


def shards(index: Path, names: Mapping[str, str]) -> list[Path]:
    """Return the files that an index names, sorted. A link is followed: Hugging Face's cache is made of links.

    Args:
        index: the index.
        names: what `read_index` returned.

    Raises:
        CheckpointError: some are missing; names them all.
    """
    files = [index.parent / file for file in sorted(set(names.values()))]
    missing = [file.name for file in files if not file.is_file()]
    if missing:
        raise CheckpointError(f"{index}: {len(missing)} of {len(files)} shards are missing: {', '.join(missing[:10])}.")
    return files
