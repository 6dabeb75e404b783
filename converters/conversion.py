"""Conversion: a checkpoint of one format and naming becomes one of another, tensor by tensor."""

import contextlib
import inspect
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_type_hints

import torch

from msbridge.converters.checkpoint import Checkpoint, collector_paused, open_checkpoint
from msbridge.converters.errors import CheckpointError, MismatchError, Remedy
from msbridge.converters.files.sink import Progress
from msbridge.converters.formats.format import Format, Writing
from msbridge.converters.formats.registry import BY_NAME, BY_SUFFIX
from msbridge.converters.options import DEFAULTS, OPTIONS, Options
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
    **options: Any,
) -> Report:
    """Convert a checkpoint. The target appears when it is complete; nothing that fails leaves a part of it.

    Args:
        source: a file, an index, a folder of shards, or an open checkpoint.
        target: the file to write; a folder when `max_shard_bytes` is given.
        progress: is called with the bytes to come, and returns what is told of written bytes.
        **options: the fields of `msbridge.converters.options.Options`:

    Returns:
        What became of every name.

    Raises:
        CheckpointError: the source is damaged, names or shapes do not fit the model, or the target is there already.
        OSError: the target cannot be written.
    """
    began = time.monotonic()
    place, asked = Path(target), Options(**options)
    with contextlib.ExitStack() as opened:
        if isinstance(source, Checkpoint):
            checkpoint = source
        else:
            is_checked = asked.check_source and not asked.dry_run
            checkpoint = opened.enter_context(_open(Path(source), asked, is_checked))
        form = _format_of(place, checkpoint, asked)
        with collector_paused():
            made = plan(checkpoint, asked, form.naming)
        _check_types(place, form, made)
        report = Report(str(checkpoint.path), str(place), made.outcomes, dict(checkpoint.skipped), made.missing)
        report.nbytes = sum(one.nbytes for one in made.entries)
        if asked.strict and (doubts := list(report.doubts())):
            raise MismatchError(f"{checkpoint.path}: refused, as strict takes no guesses:", problems=doubts)
        told = progress(report.nbytes) if progress and not asked.dry_run else None
        writing = Writing(made.naming, asked.crc_check, asked.encrypt_key, asked.encrypt_mode, told)
        into = Target(place, form, writing, asked.max_shard_bytes)
        if not asked.force and not asked.dry_run and (there := existing(into, asked.resume)):
            remedies = Remedy(("force",), "replaces it"), Remedy(("resume",), "goes on with shards")
            raise CheckpointError(f"{there} is there already", *remedies, path=there)
        if not asked.dry_run:
            recipe = repr(made.outcomes) if asked.max_shard_bytes else ""
            report.files = write(into, made.entries, checkpoint.shards, recipe, asked.resume, asked.jobs)
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


def _check_types(target: Path, form: Format, made: Plan) -> None:
    """Refuse what would make a file for MindSpore that its `load_checkpoint` cannot load at all."""
    if form.naming != "mindspore" and not (made.naming == "mindspore" and form.mindspore_index):
        return
    unread = [one for one in made.entries if one.type in UNREAD_BY_MINDSPORE]
    if not unread:
        return
    remedies = [Remedy(("exclude",), "leaves them out")]
    if all(one.element.dtype.is_floating_point for one in unread):
        remedies.append(Remedy(("dtype",), "casts them, with float32 for example"))
    raise CheckpointError(
        f"{target}: MindSpore loads no file that holds complex or float8 tensors, and {len(unread)} of "
        f"{len(made.entries)} are such",
        *remedies,
        problems=[f"{one.name!r:.200} is of {one.type}" for one in unread],
    )


def _documented() -> None:
    """Set on `convert` the signature and the documentation that the record of its options makes."""
    signature = inspect.signature(convert)
    own = [one for one in signature.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
    kinds = get_type_hints(Options, localns={"torch": torch})
    more = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=DEFAULTS[name], annotation=kinds[name])
        for name in OPTIONS
    ]
    convert.__signature__ = signature.replace(parameters=own + more)  # type: ignore[attr-defined]
    rows = "".join(f"            {name}: {option.help}.\n" for name, option in OPTIONS.items())
    convert.__doc__ = (convert.__doc__ or "").replace("Options`:\n", f"Options`:\n\n{rows}")


_documented()
