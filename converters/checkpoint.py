"""A checkpoint of any format as a lazy mapping: name → tensor."""

import contextlib
import gc
import math
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType

import torch

from msbridge.converters.errors import CheckpointError, Remedy
from msbridge.converters.files.index import find_index, is_index, loose_files, read_index, shards
from msbridge.converters.files.source import Source
from msbridge.converters.formats import encryption
from msbridge.converters.formats.format import Format
from msbridge.converters.formats.registry import BY_NAME, recognize, usual_files
from msbridge.converters.tensors.entry import Entry
from msbridge.core.runtime.path_mapping import resolve

MAX_ELEMENTS = 1 << 58  # torch multiplies dimensions, and bytes of an element, in 63 bits


class Checkpoint(Mapping[str, torch.Tensor | str]):
    """Named tensors (and texts) of a file or a folder of shards. A tensor is read when it is asked for.

    Attributes:
        path: what was opened.
        format: "ckpt", "safetensors", "pth" or "npz".
        entries: name → `Entry`, in the order of the file.
        metadata: what the header of a safetensors file says about the file.
        skipped: what the file holds besides tensors: name → what it is.
        shards: the files the tensors lie in.
        has_crc: whether a checksum was asked for, was there, and agreed.
    """

    def __init__(self, path: Path, form: str):
        self.path = path
        self.format = form
        self.entries: dict[str, Entry] = {}
        self.metadata: dict[str, str] = {}
        self.skipped: dict[str, str] = {}
        self.shards: list[Path] = []
        self.has_crc = False
        self._sources: list[Source] = []

    def __getitem__(self, name: str) -> torch.Tensor | str:
        return self.entries[name].value()

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __repr__(self) -> str:
        return f"<Checkpoint {self.path}: {self.format}, {len(self)} entries, {self.nbytes} bytes>"

    @property
    def nbytes(self) -> int:
        """Bytes of all tensors."""
        return sum(entry.nbytes for entry in self.entries.values())

    def close(self) -> None:
        """Close the files. Tensors that were given out stay valid."""
        for source in self._sources:
            source.close()

    def __enter__(self) -> "Checkpoint":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def take_over(self, other: "Checkpoint") -> None:
        """Own the files of another checkpoint, which are closed with this one; not its entries."""
        self._sources += other._sources
        self.shards += other.shards
        self.skipped |= other.skipped

    def add(self, source: Source, form: Format) -> list[str]:
        """Add the entries of one more file; return their names.

        Raises:
            CheckpointError: the file is damaged, or a name is there already.
        """
        self._sources.append(source)
        self.shards.append(source.path)
        contents = form.read(source)
        self.metadata |= contents.metadata
        names = []
        for entry in contents.entries:
            names.append(entry.name)
            if entry.name in self.entries:
                raise CheckpointError(
                    f"{source.path}: {entry.name!r} is there already; a checkpoint holds each name once."
                )
            if not entry.nbytes and math.prod(dim or 1 for dim in entry.shape) > MAX_ELEMENTS:
                raise CheckpointError(f"{source.path}: {entry.name!r} has the impossible shape {entry.shape}.")
            try:
                entry.name.encode()
            except UnicodeEncodeError:  # half a character, which JSON and pickles can spell, and no file nor terminal
                raise CheckpointError(f"{source.path}: the name {entry.name!r:.200} is not valid text.") from None
            self.entries[entry.name] = entry
        self.skipped |= contents.skipped
        return names


def open_checkpoint(
    path: str | os.PathLike[str], *, key: bytes | None = None, mode: str = "AES-GCM", crc_check: bool = False
) -> Checkpoint:
    """Open a checkpoint of any format; the format is inferred from the content.

    Args:
        path: a `.ckpt`, safetensors, torch or `.npz` file, an index of shards, or a folder with one.
        key: opens an encrypted `.ckpt`.
        mode: how it is encrypted: "AES-GCM", "AES-CBC" or "SM4-CBC".
        crc_check: whether the checksums in the file are compared: MindSpore's, where there is one, or the archive's.

    Returns:
        A mapping name → tensor (or text), which reads lazily; a context manager.

    Raises:
        CheckpointError: there is no such file, or it is damaged, encrypted, or of no known format.

    Examples:
        >>> import tempfile, torch
        >>> from msbridge.converters import convert, open_checkpoint
        >>> folder = tempfile.mkdtemp()
        >>> torch.save({"fc.weight": torch.ones(2, 3)}, folder + "/net.pth")
        >>> _ = convert(folder + "/net.pth", folder + "/net.ckpt")
        >>> open_checkpoint(folder + "/net.ckpt")["fc.weight"].shape
        torch.Size([2, 3])
    """
    path = Path(resolve(path))
    with collector_paused():
        return _open(path, key, mode, crc_check)


@contextlib.contextmanager
def collector_paused() -> Iterator[None]:
    """Keep Python from looking for cycles while many objects are made that stay: that takes a third of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _open(path: Path, key: bytes | None, mode: str, crc_check: bool) -> Checkpoint:
    """Open a checkpoint; a set of shards whose index is replaced meanwhile is opened again, or two sets might mix."""
    while True:
        before = _index_state(path)
        try:
            checkpoint = _open_files(path, key, mode, crc_check)
        except CheckpointError:
            if _index_state(path) == before:
                raise
            continue
        if _index_state(path) == before:
            return checkpoint
        checkpoint.close()


def _index_state(path: Path) -> tuple[int, ...]:
    """Return a key that changes when the index of a folder, or an index itself, is replaced."""
    index = find_index(path) if _is_folder(path) else path if is_index(path) else None
    try:
        state = index.stat() if index else None
    except OSError:
        state = None
    return (state.st_ino, state.st_mtime_ns, state.st_size) if state else ()


def _is_folder(path: Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112  Path.is_dir raises at a name too long


def _open_files(path: Path, key: bytes | None, mode: str, crc_check: bool) -> Checkpoint:
    """Open a file, the files of a folder, or those that an index names; every name must be where the index says."""
    single = None if _is_folder(path) else _open_source(path, key, mode)
    index = find_index(path) if single is None else path if single[1] is None else None
    names = read_index(index) if index else {}
    files = shards(index, names) if index else [path] if single else loose_files(path, usual_files())
    checkpoint: Checkpoint | None = None
    sums = []
    for file in files:
        source, form = single if single and not index else _open_source(file, key, mode)
        if form is None:
            raise CheckpointError(f"{file} is an index; a shard must be a checkpoint itself.")
        checkpoint = checkpoint or Checkpoint(path, form.name)
        if crc_check:
            sums.append(form.check_sums(source))
        for name in checkpoint.add(source, form):
            if names.get(name, file.name) != file.name:
                raise CheckpointError(f"{index}: {name!r} should lie in {names[name]!r}, it lies in {file.name!r}.")
    if checkpoint is None:
        remedies = (
            [Remedy(("strategy",), "joins the slices in its folders rank_0 …")] if any(path.glob("rank_*")) else []
        )
        raise CheckpointError(f"{path}: no checkpoint in this folder.", *remedies)
    checkpoint.has_crc = bool(sums) and all(sums)
    missing = [name for name in names if name not in checkpoint.entries]
    if missing:
        raise CheckpointError(
            f"{index}: {len(missing)} names are in no shard, the first is {missing[0]!r} (it should lie in "
            f"{names[missing[0]]!r})."
        )
    return checkpoint


def _open_source(path: Path, key: bytes | None, mode: str) -> tuple[Source, Format | None]:
    """Open a file; None for the format of an index."""
    source = Source(path)
    if not (found := encryption.mode_of(source)):
        return source, recognize(source)
    if key is None:
        remedies = Remedy(("key",), "opens it"), Remedy(("mode",), f"must then be {found}")
        raise CheckpointError(f"{path} is encrypted", *remedies, path=path)
    return encryption.decrypt(source, key, mode), BY_NAME["ckpt"]
