"""A checkpoint of any format as a lazy mapping: name → tensor."""

import os
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType

import torch

from msbridge.converters.content import Entry
from msbridge.converters.errors import CheckpointError
from msbridge.converters.files import CHUNK, Source
from msbridge.converters.formats import ckpt, encryption, npz, pth, safetensors, sharded
from msbridge.converters.formats.detect import Format, detect
from msbridge.core.paths import resolve


class Checkpoint(Mapping[str, torch.Tensor | str]):
    """Named tensors (and texts) of a file or a folder of shards. A tensor is read when it is asked for.

    Attributes:
        path: what was opened.
        format: "ckpt", "safetensors", "pth" or "npz".
        entries: name → `Entry`, in the order of the file.
        metadata: what the header of a safetensors file says about the file.
        skipped: what the file holds besides tensors: name → what it is.
        shards: the files the tensors lie in.
        has_crc: whether a check sum was asked for, was there, and agreed.
    """

    def __init__(self, path: Path, form: Format):
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

    def add(self, source: Source, form: Format) -> None:
        """Add the entries of one more file.

        Raises:
            CheckpointError: the file is damaged, or a name is there already.
        """
        self._sources.append(source)
        self.shards.append(source.path)
        if form == "safetensors":
            header = safetensors.read_header(source)
            self.metadata |= safetensors.metadata(source, header)
            found = safetensors.read(source, header)
        else:
            readers = {"ckpt": ckpt.read, "npz": npz.read, "pth": lambda source: pth.read(source, self.skipped)}
            found = readers[form](source)
        for entry in found:
            if entry.name in self.entries:
                raise CheckpointError(
                    f"{source.path}: {entry.name!r} is there already; a checkpoint holds each name once."
                )
            self.entries[entry.name] = entry


def open_checkpoint(
    path: str | os.PathLike, *, key: bytes | None = None, mode: str = "AES-GCM", crc_check: bool = False
) -> Checkpoint:
    """Open a checkpoint of any format; the format is told from the content.

    Args:
        path: a `.ckpt`, safetensors, torch or `.npz` file, an index of shards, or a folder with one.
        key: opens an encrypted `.ckpt`.
        mode: how it is encrypted: "AES-GCM", "AES-CBC" or "SM4-CBC".
        crc_check: whether the check sums in the file are compared: MindSpore's, where there is one, or the archive's.

    Returns:
        A mapping name → tensor (or text), which reads lazily; a context manager.

    Raises:
        CheckpointError: there is no such file, or it is damaged, encrypted, or of no known format.

    Example:
        >>> import tempfile, torch
        >>> from msbridge.converters import convert, open_checkpoint
        >>> folder = tempfile.mkdtemp()
        >>> torch.save({"fc.weight": torch.ones(2, 3)}, folder + "/net.pth")
        >>> _ = convert(folder + "/net.pth", folder + "/net.ckpt")
        >>> open_checkpoint(folder + "/net.ckpt")["fc.weight"].shape
        torch.Size([2, 3])
    """
    path = Path(resolve(path))
    if path.is_dir():
        return _open_shards(sharded.find_index(path), path)
    source = Source(path)
    form = detect(source)
    if form == "index":
        return _open_shards(path, path)
    if form == "encrypted":
        if key is None:
            raise CheckpointError(f"{path} is encrypted; give its key.")
        source, form = encryption.decrypt(source, key, mode), "ckpt"
    checkpoint = Checkpoint(path, form)
    if crc_check:
        checkpoint.has_crc = _check_crc(source, form)
    checkpoint.add(source, form)
    return checkpoint


def _check_crc(source: Source, form: Format) -> bool:
    """Compare the check sums in a file with its bytes; give whether there were any."""
    if form in ("ckpt", "safetensors"):
        return (ckpt if form == "ckpt" else safetensors).check_crc(source)
    if source.read(0, 2) != b"PK":
        return False
    with zipfile.ZipFile(source.path) as archive:
        for member in archive.infolist():
            try:
                with archive.open(member) as file:
                    while file.read(CHUNK):
                        pass
            except zipfile.BadZipFile as error:
                where = f"{source.path}: {member.filename!r} at offset {member.header_offset}"
                raise CheckpointError(f"{where} does not agree with its check sum: it was damaged.") from error
    return True


def _open_shards(index: Path | None, path: Path) -> Checkpoint:
    """Open the files that an index names; every name must be where the index says."""
    names = sharded.read_index(index) if index else {}
    files = sharded.shards(index) if index else sharded.loose_files(path)
    checkpoint: Checkpoint | None = None
    for file in files:
        source = Source(file)
        form = detect(source)
        if form in ("index", "encrypted"):
            raise CheckpointError(f"{file} is {form}; a shard must be a checkpoint itself.")
        if checkpoint is None:
            checkpoint = Checkpoint(path, form)
        checkpoint.add(source, form)
    if checkpoint is None:
        raise CheckpointError(f"{path}: no checkpoint in this folder.")
    missing = [name for name in names if name not in checkpoint.entries]
    if missing:
        raise CheckpointError(f"{index}: {len(missing)} names are in no shard, the first is {missing[0]!r}.")
    return checkpoint
