"""Writing a converted checkpoint: into one file, or into shards with an index, all of them complete or not there."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from msbridge.converters.content import Entry
from msbridge.converters.errors import CheckpointError
from msbridge.converters.files import MARK, Progress, Sink, replacing
from msbridge.converters.formats import archive, ckpt, encryption, npz, safetensors
from msbridge.converters.formats.detect import Format

STEMS: dict[Format, tuple[str, str]] = {"safetensors": ("model", ".safetensors"), "pth": ("pytorch_model", ".bin")}
JOURNAL = ".msbridge-resume.json"  # in the folder of the shards while they are being written


@dataclass(frozen=True, slots=True)
class Target:
    """Where to write, and how.

    Attributes:
        path: a file, or a folder for shards.
        format: its format.
        naming: whose names are in it, for the metadata.
        max_shard_bytes: bytes of tensors in one file at most; None for a single file.
        crc_check: whether a check sum is stored.
        key: encrypts a `.ckpt`.
        mode: how.
    """

    path: Path
    format: Format
    naming: str
    max_shard_bytes: int | None = None
    crc_check: bool = False
    key: bytes | None = None
    mode: str = "AES-GCM"


def existing(target: Target) -> Path | None:
    """Give what is there already where the target goes; None if nothing is."""
    if target.max_shard_bytes is None:
        return target.path if target.path.exists() else None
    if target.path.is_dir():
        return next((one for one in sorted(target.path.iterdir()) if MARK not in one.name), None)
    return target.path if target.path.exists() else None


def write(
    target: Target,
    entries: Sequence[Entry],
    sources: Sequence[Path],
    recipe: str,
    resume: bool,
    jobs: int,
    progress: Progress | None,
) -> dict[str, int]:
    """Write all entries.

    Args:
        target: where, and how.
        entries: what.
        sources: the files that the entries come from.
        recipe: how they are made of them; only a run of the same recipe is resumed.
        resume: keep the shards that an interrupted run has finished.
        jobs: shards written at the same time.
        progress: is told of written bytes.

    Returns:
        The files and their bytes.

    Raises:
        CheckpointError: an entry has no place in the format, or the target would replace its own source.
        OSError: the target cannot be written.
    """
    for source in sources:
        if target.path.exists() and source.exists() and any(map(target.path.samefile, (source, source.parent))):
            raise CheckpointError(f"{target.path} is the source itself, or its folder; write to another name.")
    if target.key is not None and (target.format != "ckpt" or target.crc_check):
        raise CheckpointError("only a .ckpt without a check sum can be encrypted.")
    if target.max_shard_bytes is None:
        _write_file(target, target.path, entries, progress)
        return {str(target.path): target.path.stat().st_size}
    identity = _identity(target, entries, sources, recipe)
    return _write_shards(target, entries, identity, resume, jobs, progress)


def _write_file(target: Target, path: Path, entries: Iterable[Entry], progress: Progress | None) -> None:
    if target.format == "ckpt":
        key, mode = target.key, target.mode

        def encrypting(sink: Sink) -> Sink:
            return encryption.EncryptingSink(sink, key or b"", mode)

        wrap = encrypting if key is not None else None
        ckpt.write(path, entries, crc_check=target.crc_check, wrap=wrap, progress=progress)
    elif target.format == "safetensors":
        flavour = {"format": "ms" if target.naming == "mindspore" else "pt"}
        safetensors.write(path, entries, metadata=flavour, crc_check=target.crc_check, progress=progress)
    elif target.format == "npz":
        npz.write(path, entries, progress=progress)
    elif target.format == "pth":
        archive.write(path, entries, progress=progress)
    else:
        raise CheckpointError(f"{path}: cannot write the format {target.format!r}.")


def _write_shards(
    target: Target, entries: Sequence[Entry], identity: str, resume: bool, jobs: int, progress: Progress | None
) -> dict[str, int]:
    target.path.mkdir(parents=True, exist_ok=True)
    shards = dict(zip(_names(target, parts := _parts(entries, target.max_shard_bytes or 0)), parts, strict=True))
    journal = target.path / JOURNAL
    done = _finished(journal, identity, target.path) if resume else {}
    for partial in target.path.glob(f"*{MARK}*"):  # what a killed run has left
        partial.unlink()
    lock = Lock()

    def write_one(name: str) -> None:
        part = shards[name]
        if name in done:
            if progress:
                progress(sum(one.nbytes for one in part))
            return
        _write_file(target, target.path / name, part, progress)
        with lock:
            done[name] = (target.path / name).stat().st_size
            _write_json(journal, {"identity": identity, "done": done})

    with ThreadPoolExecutor(max(1, jobs)) as pool:
        list(pool.map(write_one, shards))
    index = target.path / _index_name(target)
    where = {one.name: name for name, part in shards.items() for one in part}
    total = sum(one.nbytes for one in entries)
    bare = target.naming == "mindspore" and target.format == "safetensors"
    content: object = where if bare else {"metadata": {"total_size": total}, "weight_map": where}
    _write_json(index, content)
    journal.unlink(missing_ok=True)
    return {str(target.path / name): done[name] for name in shards} | {str(index): index.stat().st_size}


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
    stem, suffix = STEMS.get(target.format, ("model", f".{target.format}"))
    return [f"{stem}-{number:05}-of-{len(parts):05}{suffix}" for number in range(1, len(parts) + 1)]


def _index_name(target: Target) -> str:
    if target.naming == "mindspore" and target.format == "safetensors":
        return "param_name_map.json"  # MindSpore's own name for it
    stem, suffix = STEMS.get(target.format, ("model", f".{target.format}"))
    return f"{stem}{suffix}.index.json"


def _identity(target: Target, entries: Sequence[Entry], sources: Sequence[Path], recipe: str) -> str:
    """Give a digest of what is made of which files, and how: a run with another one cannot be resumed."""
    settings = (target.format, target.naming, target.max_shard_bytes, target.crc_check, target.key is None, target.mode)
    digest = hashlib.sha256(repr((settings, recipe)).encode())
    for file in sources:
        state = file.stat()
        digest.update(repr((str(file.resolve()), state.st_size, state.st_mtime_ns)).encode())
    digest.update(repr([(one.name, one.type, one.shape) for one in entries]).encode())
    return digest.hexdigest()


def _finished(journal: Path, identity: str, folder: Path) -> dict[str, int]:
    """Give the shards that an interrupted run of the same conversion has finished."""
    try:
        state = json.loads(journal.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if state.get("identity") != identity:
        raise CheckpointError(f"{folder}: the unfinished conversion there is another one; --force begins anew.")
    files = {name: folder / name for name in state["done"]}
    return {
        name: size
        for name, size in state["done"].items()
        if files[name].is_file() and files[name].stat().st_size == size
    }


def _write_json(path: Path, content: object) -> None:
    with replacing(path) as sink:
        sink.write(json.dumps(content, indent=1, ensure_ascii=False).encode("utf-8") + b"\n")
