"""Writing a converted checkpoint: into one file, or into shards with an index, all of them complete or not there."""

import hashlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from msbridge.converters.errors import CheckpointError
from msbridge.converters.files.index import is_index
from msbridge.converters.files.staging import is_unfinished, staging
from msbridge.converters.formats.format import Format, Writing
from msbridge.converters.tensors.entry import Entry


@dataclass(frozen=True, slots=True)
class Target:
    """The target of writing, and its format."""

    path: Path  # a file, or a folder for shards
    format: Format  # its format
    writing: Writing  # how its files are written
    max_shard_bytes: int | None = None  # bytes of tensors in one file at most; None for a single file


def existing(target: Target, resume: bool) -> Path | None:
    """Return the path that already exists at the target; None if there is none, or one that a run may resume."""
    if target.max_shard_bytes is None or not target.path.is_dir():
        return target.path if target.path.exists() else None
    if resume and is_unfinished(target.path):
        return None
    return next(iter(sorted(target.path.iterdir())), None)


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
        raise CheckpointError("only a .ckpt without a checksum can be encrypted.")
    if target.max_shard_bytes is None:
        target.format.write(target.path, entries, target.writing)
        return {str(target.path): target.path.stat().st_size}
    identity = _identity(target, entries, sources, recipe)
    return _write_shards(target, entries, identity, resume, jobs)


def _write_shards(target: Target, entries: Sequence[Entry], identity: str, resume: bool, jobs: int) -> dict[str, int]:
    shards = dict(zip(_names(target, parts := _parts(entries, target.max_shard_bytes or 0)), parts, strict=True))
    index = target.path / _index_name(target)
    for other in target.path.glob("*.json"):
        if other != index and is_index(other):
            raise CheckpointError(f"{other} is the index of another checkpoint; write to another folder.")

    def content(called: Mapping[str, str]) -> object:
        where = {one.name: called[name] for name, part in shards.items() for one in part}
        total = sum(one.nbytes for one in entries)
        return where if _has_bare_index(target) else {"metadata": {"total_size": total}, "weight_map": where}

    with staging(target.path, index, identity) as stage:
        if resume:
            stage.go_on()
        else:
            stage.discard_interrupted()

        def write_one(name: str) -> None:
            if name not in stage.done:
                target.format.write(stage.unfinished / name, shards[name], target.writing)
                stage.add(name)
            elif progress := target.writing.progress:
                progress(sum(one.nbytes for one in shards[name]))

        try:
            with ThreadPoolExecutor(max(1, jobs)) as pool:
                list(pool.map(write_one, shards))
        finally:
            stage.drop_if_empty()
        stage.take_place(list(shards), content)
    return {str(target.path / name): stage.done[name] for name in shards} | {str(index): index.stat().st_size}


def _parts(entries: Sequence[Entry], limit: int) -> list[list[Entry]]:
    """Cut a list of entries where the bytes of a part would pass the limit; a larger tensor has a part of its own."""
    parts: list[list[Entry]] = [[]]
    size = 0
    for entry in entries:
        if parts[-1] and size + entry.nbytes > limit:
            parts.append([])
            size = 0
        parts[-1].append(entry)
        size += entry.nbytes
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
