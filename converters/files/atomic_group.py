"""Replacing the files of a group together: whoever is killed at any moment leaves the old group or the new one.

The new files are complete, and on the disk, before anything of the old group changes. Then one file, the *commit
record*, appears atomically; from that moment the new files are what is read, under the names that they have by then.
Only afterwards they take the names of the old ones, which can be repeated from any point:

    WRITING ───── commit ─────▶ COMMITTED ─── take_names ───▶ SETTLED ──── the record ends ────▶ nothing is left
    the old group is read      the new group is read,        the new group is read
                               where the record says         under its own names
    a kill here:
    unfinished files are       the next writer completes     the next writer removes
    removed, or resumed        `take_names`                  the record

What the record is depends on who reads the group:

                     MindRecord files                            shards of a checkpoint
    written by       dataset/mindrecord/writing/record_group.py  converters/files/staging.py
    new files are    temporary files beside their targets        in a folder of unfinished shards, which a run resumes
    commit record    a note beside the first file, which only    the index, which every reader of shards follows:
                     our readers know                            it names the new files as they are called for now
    meanwhile        the old indices go first: a reader that     a new file keeps both names (`keeps`), until
                     knows no note misses one, never mixes       the index names the last ones
    the record ends  removed                                     replaced by the index of the last names
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msbridge.converters.files.atomic_write import copy, naming, synchronise_entries


def take_names(
    stages: Sequence[Mapping[Path, Path]], obsolete: Iterable[Path] = (), *, keeps: bool = False, follows: bool = True
) -> None:
    """Let the committed files of a group take their names; those that did so before are left alone.

    Args:
        stages: name → where the new file is; the names of a stage are on the disk before the next one begins.
        obsolete: files of the old group, which go before.
        keeps: whether the new files keep their present names as well, for readers that look for them there.
        follows: whether a link is followed, or replaced itself.

    Raises:
        OSError: a file cannot take its name; names it. This can be called again.
    """

    def real(name: Path) -> Path:
        return Path(os.path.realpath(name)) if follows else name

    obsolete = list(obsolete)
    folders = {real(name).parent for name in (*obsolete, *(name for stage in stages for name in stage))}
    for name in obsolete:
        with naming(name, always=True):
            real(name).unlink(missing_ok=True)
    synchronise_folders(folders)
    for stage in stages:
        for name, new in stage.items():
            with naming(name, always=True):
                if keeps:
                    _link(new, real(name))
                elif new.exists():
                    new.replace(real(name))
        synchronise_folders(folders)


def synchronise_folders(folders: Iterable[Path]) -> None:
    """Wait until the names in folders are on the disk."""
    for folder in folders:
        with naming(folder, always=True):
            synchronise_entries(folder)


def _link(file: Path, name: Path) -> None:
    """Link a file under a second name, or copy it where the file system knows no such thing."""
    name.unlink(missing_ok=True)
    try:
        os.link(file, name)
    except OSError:
        copy(file, name)
