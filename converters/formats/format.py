"""A format is one object: its name, its suffixes, and the functions that recognize, read, write and check its files."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from msbridge.converters.files.sink import Progress
from msbridge.converters.files.source import Source
from msbridge.converters.options import Naming
from msbridge.converters.tensors.entry import Entry


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of a file.

    Attributes:
        entries: its tensors and texts, read lazily.
        metadata: what its header says about the file.
        skipped: what it holds besides tensors, filled while the entries are read: name → what it is.
    """

    entries: Iterable[Entry]
    metadata: Mapping[str, str] = field(default_factory=dict)
    skipped: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Writing:
    """The settings of writing a file."""

    naming: Naming = "torch"  # whose names are in it, for the metadata
    crc_check: bool = False  # whether MindSpore's checksum is stored, where the format has a place for it
    key: bytes | None = None  # encrypts the file
    mode: str = "AES-GCM"  # how
    progress: Progress | None = None  # is called with the number of written bytes


class Write(Protocol):
    """Write entries to a file, which appears under its name when it is complete."""

    def __call__(self, path: Path, entries: Iterable[Entry], writing: Writing) -> None: ...


@dataclass(frozen=True, slots=True)
class Format:
    """A format of checkpoints.

    Attributes:
        name: how it is called.
        suffixes: of its files.
        naming: whose names its files have, if nothing says otherwise.
        has_both_namings: whether there are files of torch's and of MindSpore's names.
        recognizes: whether a file is of this format, by its first bytes.
        read: looks at names, types and shapes; the bytes of the tensors stay in the file until they are used.
        write: writes tensor by tensor.
        check_sums: compares the checksums in a file with its bytes; whether there were any.
        shards: how its files are called when there are several: what comes before the numbers, and the suffix.
        mindspore_index: the name of MindSpore's own index of shards, a bare map; "" where MindSpore has none.
        can_be_encrypted: whether MindSpore has an encrypted form of it.
    """

    name: str
    suffixes: tuple[str, ...]
    naming: Naming
    has_both_namings: bool
    recognizes: Callable[[Source, bytes], bool]
    read: Callable[[Source], Contents]
    write: Write
    check_sums: Callable[[Source], bool]
    shards: tuple[str, str]
    mindspore_index: str = ""
    can_be_encrypted: bool = False
