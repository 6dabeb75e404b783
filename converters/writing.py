"""Writing a converted checkpoint: into one file, or into shards with an index, all of them complete or not there."""

import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from msbridge.converters.errors import CheckpointError, Remedy
from msbridge.converters.files.index import UNFINISHED, is_index, listed
from msbridge.converters.files.json_files import write_json
from msbridge.converters.formats.format import Format, Writing
from msbridge.converters.tensors.entry import Entry

JOURNAL = "resume.json"  # in the folder of the unfinished shards


@dataclass(frozen=True, slots=True)
class Target:
    """Where to write, and how.

    Attributes:
        path: a file, or a folder for shards.
        format: its format.
        writing: how its files are written.
        max_shard_bytes: bytes of tensors in one file at most; None for a single file.
    """

    path: Path
    format: Format
    writing: Writing
    max_shard_bytes: int | None = None


def existing(target: Target, resume: bool) -> Path | None:
    """Return what is there already where the target goes; None if nothing is, or if it is what a run may resume."""
    if target.max_shard_bytes is None or not target.path.is_dir():
        return target.path if target.path.exists() else None
    if resume and is_unfinished(target.path):
        return None
    return next(iter(sorted(target.path.iterdir())), None)


def is_unfinished(folder: str | os.PathLike[str]) -> bool:
    """Whether an interrupted run has left finished shards in a folder."""
    return os.path.exists(Path(folder, UNFINISHED, JOURNAL))  # noqa: PTH110  Path.exists raises at a name too long


def write(
    target: Target,
    entries: Sequence[Entry],
    sources: Sequence[Path],
    recipe: str,
    resume: bool,
    jobs: int,
) -> dict[str, int]:
    """Write all entries.

    Args:
        target: where, and how.
        entries: what.
        sources: the files that the entries come from.
        recipe: how they are made of them; only a run of the same recipe is resumed.
        resume: keep the shards that an interrupted run has finished.
        jobs: shards written at the same time.

    Returns:
        The files and their bytes.

    Raises:
        CheckpointError: an entry has no place in the format, or the target would replace its own source.
        OSError: the target cannot be written.
    """
    for source in sources:
        if target.path.exists() and source.exists() and any(map(target.path.samefile, (source, source.parent))):
            raise CheckpointError(f"{target.path} is the source itself, or its folder; write to another name.")
    if is_index(target.path):
        raise CheckpointError(f"{target.path} has the name of an index of shards; write to another name.")
    if target.max_shard_bytes is not None and target.path.exists() and not target.path.is_dir():
        raise CheckpointError(f"{target.path} is a file; shards go into a folder.")
    if target.writing.key is not None and (not target.format.can_be_encrypted or target.writing.crc_check):
        raise CheckpointError("only a .ckpt without a check sum can be encrypted.")
    if target.max_shard_bytes is None:
        target.format.write(target.path, entries, target.writing)
        return {str(target.path): target.path.stat().st_size}
    identity = _identity(target, entries, sources, recipe)
    return _write_shards(target, entries, identity, resume, jobs)


def _write_shards(target: Target, entries: Sequence[Entry], identity: str, resume: bool, jobs: int) -> dict[str, int]:
    shards = dict(zip(_names(target, parts := _parts(entries, target.max_shard_bytes or 0)), parts, strict=True))
    index, begun = target.path / _index_name(target), target.path / UNFINISHED
    for other in target.path.glob("*.json"):
        if other != index and is_index(other):
            raise CheckpointError(f"{other} is the index of another checkpoint; write to another folder.")
    done = _finished(target.path, identity) if resume else {}
    if not done:
        shutil.rmtree(begun, ignore_errors=True)
    begun.mkdir(parents=True, exist_ok=True)
    state = {"identity": identity, "done": done, "moving": False}
    lock = Lock()

    def write_one(name: str) -> None:
        part = shards[name]
        if name in done:
            if progress := target.writing.progress:
                progress(sum(one.nbytes for one in part))
            return
        target.format.write(begun / name, part, target.writing)
        with lock:
            done[name] = (begun / name).stat().st_size
            write_json(begun / JOURNAL, state)

    try:
        with ThreadPoolExecutor(max(1, jobs)) as pool:
            list(pool.map(write_one, shards))
    finally:
        if not done:
            shutil.rmtree(begun, ignore_errors=True)
            with contextlib.suppress(OSError):  # something else is in it
                target.path.rmdir()
    where = {one.name: name for name, part in shards.items() for one in part}
    total = sum(one.nbytes for one in entries)
    content: object = where if _has_bare_index(target) else {"metadata": {"total_size": total}, "weight_map": where}
    write_json(begun / JOURNAL, state | {"moving": True})
    _take_place(target.path, index, list(shards), content)
    return {str(target.path / name): done[name] for name in shards} | {str(index): index.stat().st_size}


def _take_place(folder: Path, index: Path, names: Sequence[str], content: object) -> None:
    """Move finished shards to where they belong.

    The old index goes first, the new one comes last: a run that is killed in between leaves no index that names the
    shards of two conversions.
    """
    old = listed(index)
    index.unlink(missing_ok=True)
    for name in names:
        if (folder / UNFINISHED / name).exists():
            (folder / UNFINISHED / name).replace(folder / name)
    write_json(index, content)
    for name in old.difference(names):
        (folder / name).unlink(missing_ok=True)
    shutil.rmtree(folder / UNFINISHED)


def _parts(entries: Sequence[Entry], limit: int) -> list[list[Entry]]:
    """Cut a list of entries where the bytes of a part would pass the limit; a larger tensor has a part of its own."""
    parts: list[list[Entry]] = [[]]
    size = 0
    for one in entries:
        if parts[-1] and size + one.nbytes > limit:
            parts.append([])
            size = 0
        parts[-1].append(one)
        size += one.nbytes
    return parts


def _names(target: Target, parts: Sequence[object]) -> list[str]:
    stem, suffix = target.format.shards
    return [f"{stem}-{number:05}-of-{len(parts):05}{suffix}" for number in range(1, len(parts) + 1)]


def _index_name(target: Target) -> str:
    if _has_bare_index(target):
        return target.format.mindspore_index
    stem, suffix = target.format.shards
    return f"{stem}{suffix}.index.json"


def _has_bare_index(target: Target) -> bool:
    """Whether MindSpore reads the shards, whose index is the bare map."""
    return bool(target.format.mindspore_index and target.writing.naming == "mindspore")


def _identity(target: Target, entries: Sequence[Entry], sources: Sequence[Path], recipe: str) -> str:
    """Return a digest of what is made of which files, and how: a run with another one cannot be resumed."""
    how = target.writing
    settings = (target.format.name, how.naming, target.max_shard_bytes, how.crc_check, how.key is None, how.mode)
    digest = hashlib.sha256(repr((settings, recipe)).encode())
    for file in sources:
        state = file.stat()
        digest.update(repr((str(file.resolve()), state.st_size, state.st_mtime_ns)).encode())
    digest.update(hashlib.sha256(how.key or b"").digest())
    digest.update(repr([(one.name, one.type, one.shape) for one in entries]).encode())
    return digest.hexdigest()


def _finished(folder: Path, identity: str) -> dict[str, int]:
    """Return the shards that an interrupted run of the same conversion has finished, with their bytes."""
    try:
        state = json.loads((folder / UNFINISHED / JOURNAL).read_text(encoding="utf-8"))
        done, moving = dict(state["done"]), bool(state["moving"])
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    if state.get("identity") != identity:
        raise CheckpointError(
            f"{folder}: the unfinished conversion there is of another source or with other options",
            Remedy(("force",), "begins anew"),
            path=folder,
        )
    places = (folder / UNFINISHED, folder) if moving else (folder / UNFINISHED,)
    return {
        name: size
        for name, size in done.items()
        if any((place / name).is_file() and (place / name).stat().st_size == size for place in places)
    }
