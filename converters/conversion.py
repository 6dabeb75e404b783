"""Conversion: a checkpoint of one format and naming becomes one of another, tensor by tensor."""

import contextlib
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch

from msbridge.converters.checkpoint import Checkpoint, collector_paused, open_checkpoint
from msbridge.converters.errors import CheckpointError, MismatchError, Remedy
from msbridge.converters.files.sink import Progress
from msbridge.converters.formats.format import Format, Writing
from msbridge.converters.formats.registry import BY_NAME, BY_SUFFIX
from msbridge.converters.options import OPTIONS, Naming, Options
from msbridge.converters.planning import Plan, plan
from msbridge.converters.report import Report
from msbridge.converters.shards.folders import open_slices
from msbridge.converters.tensors.dtypes import UNREAD_BY_MINDSPORE
from msbridge.converters.writing import Target, existing, write
from msbridge.core.checks.suggestions import did_you_mean


def convert(
    source: str | os.PathLike[str] | Checkpoint,
    target: str | os.PathLike[str],
    *,
    progress: Callable[[int], Progress] | None = None,
    torch_model: torch.nn.Module | str | None = None,
    cell: Any = None,
    to: Naming | None = None,
    of: Naming | None = None,
    rules: Path | str | None = None,
    reverse_rules: bool = False,
    prefix: str = "",
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    by_order: bool = False,
    strip_optimizer: bool = False,
    allow_unmatched: bool = False,
    strict: bool = False,
    dtype: str | None = None,
    format: str | None = None,
    strategy: Path | str | None = None,
    max_shard_bytes: int | None = None,
    crc_check: bool = False,
    check_source: bool = True,
    key: bytes | None = None,
    mode: str = "AES-GCM",
    encrypt_key: bytes | None = None,
    encrypt_mode: str = "AES-GCM",
    lstm_device: str = "CPU",
    dry_run: bool = False,
    force: bool = False,
    resume: bool = False,
    jobs: int = 2,
) -> Report:
    """Convert a checkpoint. The target appears when it is complete; nothing that fails leaves a part of it.

    Args:
        source: a file, an index, a folder of shards, or an open checkpoint.
        target: the file to write; a folder when `max_shard_bytes` is given.
        progress: is called with the bytes to come, and returns what is called with the number of written bytes.
        torch_model: a module of the same architecture, or package.module:factory: names are mapped by its
            layer types, shapes are checked.
        cell: the same with a Cell.
        to: whose names the target gets (default: by its format).
        of: whose names the source has (default: detected).
        rules: TOML rules that are applied first: renames, axes, splits, merges.
        reverse_rules: apply the rules backwards.
        prefix: put NEW before every name, or replace the beginning OLD.
        include: convert only names that match (*, ?).
        exclude: leave out names that match.
        by_order: with a Cell: pair layers with different names by shape and order.
        strip_optimizer: leave out the optimizer's state.
        allow_unmatched: leave out what does not fit the model.
        strict: refuse guesses, unmatched names and skipped objects.
        dtype: cast floating-point tensors: float16, bfloat16, float32, float64.
        format: the target's format (default: by its suffix).
        strategy: join slices: the strategy file of a source with folders rank_0, rank_1 ….
        max_shard_bytes: cut into files of at most SIZE, e.g. 5GB.
        crc_check: store MindSpore's checksum.
        check_source: verify the checksums in the source first.
        key: the key of an encrypted source.
        mode: how the source is encrypted.
        encrypt_key: encrypt the .ckpt with this key.
        encrypt_mode: how the target is encrypted.
        lstm_device: the device that wrote the LSTM weights of a 1.x file (their order depends on it).
        dry_run: show what would be written, and write nothing.
        force: replace an existing target.
        resume: keep the shards that an interrupted run has finished.
        jobs: shards written at the same time.

    Returns:
        What became of every name.

    Raises:
        CheckpointError: the source is damaged, names or shapes do not fit the model, or the target is there already.
        OSError: the target cannot be written.
    """
    given = locals()
    return _convert(source, Path(target), Options(**{name: given[name] for name in OPTIONS}), progress)


def _convert(
    source: str | os.PathLike[str] | Checkpoint,
    place: Path,
    asked: Options,
    progress: Callable[[int], Progress] | None,
) -> Report:
    began = time.monotonic()
    with contextlib.ExitStack() as opened:
        if isinstance(source, Checkpoint):
            checkpoint = source
        else:
            is_checked = asked.check_source and not asked.dry_run
            checkpoint = opened.enter_context(_open(Path(source), asked, is_checked))
        form = _format_of(place, checkpoint, asked)
        with collector_paused():
            planned = plan(checkpoint, asked, form.naming)
        _check_types(place, form, planned)
        report = Report(str(checkpoint.path), str(place), planned.outcomes, dict(checkpoint.skipped), planned.missing)
        report.nbytes = sum(one.nbytes for one in planned.entries)
        if asked.strict and (doubts := list(report.doubts())):
            raise MismatchError(f"{checkpoint.path}: refused, as strict takes no guesses:", problems=doubts)
        written = progress(report.nbytes) if progress and not asked.dry_run else None
        writing = Writing(planned.naming, asked.crc_check, asked.encrypt_key, asked.encrypt_mode, written)
        into = Target(place, form, writing, asked.max_shard_bytes)
        if not asked.force and not asked.dry_run and (there := existing(into, asked.resume)):
            remedies = Remedy(("force",), "replaces it"), Remedy(("resume",), "continues with shards")
            raise CheckpointError(f"{there} is there already", *remedies, path=there)
        if not asked.dry_run:
            recipe = repr(planned.outcomes) if asked.max_shard_bytes else ""
            report.files = write(into, planned.entries, checkpoint.shards, recipe, asked.resume, asked.jobs)
            report.written = True
    report.seconds = time.monotonic() - began
    return report


def _open(source: Path, options: Options, is_checked: bool) -> Checkpoint:
    """Open a checkpoint, or the slices of one."""
    key, mode = options.key, options.mode
    if options.strategy is None:
        return open_checkpoint(source, key=key, mode=mode, crc_check=is_checked)
    return open_slices(source, Path(options.strategy), key=key, mode=mode, crc_check=is_checked)


def _format_of(target: Path, source: Checkpoint, options: Options) -> Format:
    """Return the target's format, by its suffix if none is asked for.

    A folder of shards has no suffix: it gets the format of the other side, `.ckpt`, or safetensors from a `.ckpt`.
    """
    if options.format:
        if options.format not in BY_NAME:
            raise CheckpointError(f"{options.format!r} must be one of {', '.join(sorted(BY_NAME))}.")
        return BY_NAME[options.format]
    if options.max_shard_bytes is not None:
        if target.suffix in BY_SUFFIX:
            raise CheckpointError(f"{target}: shards go into a folder; name one without a suffix.")
        return BY_NAME["ckpt" if source.format != "ckpt" else "safetensors"]
    if target.suffix in BY_SUFFIX:
        return BY_SUFFIX[target.suffix]
    raise CheckpointError(
        f"{target}: the suffix must be one of {', '.join(BY_SUFFIX)}, or name the format."
        f"{did_you_mean(target.suffix, BY_SUFFIX)}"
    )


def _check_types(target: Path, form: Format, planned: Plan) -> None:
    """Refuse what would make a file for MindSpore that its `load_checkpoint` cannot load."""
    if form.naming != "mindspore" and not (planned.naming == "mindspore" and form.mindspore_index):
        return
    unread = [one for one in planned.entries if one.type in UNREAD_BY_MINDSPORE]
    if not unread:
        return
    remedies = [Remedy(("exclude",), "leaves them out")]
    if all(one.element.dtype.is_floating_point for one in unread):
        remedies.append(Remedy(("dtype",), "casts them, with float32 for example"))
    raise CheckpointError(
        f"{target}: MindSpore loads no file that holds complex or float8 tensors, and {len(unread)} of "
        f"{len(planned.entries)} are such",
        *remedies,
        problems=[f"{one.name!r:.200} is of {one.type}" for one in unread],
    )
