"""Conversion: a checkpoint of one format and naming becomes one of another, tensor by tensor."""

import contextlib
import fnmatch
import os
import time
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch

from msbridge.converters.checkpoint import Checkpoint, collector_paused, open_checkpoint
from msbridge.converters.errors import CheckpointError, MismatchError
from msbridge.converters.factories import factory
from msbridge.converters.files.sink import Progress
from msbridge.converters.formats.detect import SUFFIXES, Format
from msbridge.converters.names import pairing
from msbridge.converters.names.by_guess import mapping as by_guess
from msbridge.converters.names.by_model.cells import pairs_of_cell
from msbridge.converters.names.by_model.matching import ADVICE, Naming, compare_with_cell, match
from msbridge.converters.names.by_model.modules import pairs_of_module, untracked_pairs
from msbridge.converters.names.conventions import convention
from msbridge.converters.names.rules import apply_rules, read_rules
from msbridge.converters.names.training_state import training_state
from msbridge.converters.report import BY_ORDER, Report
from msbridge.converters.tensors.elements import BY_NAME
from msbridge.converters.tensors.entry import Entry
from msbridge.converters.tensors.steps import Outcome, Step, perform
from msbridge.converters.writing import Target, existing, write

DTYPES = {
    "float16": "Float16",
    "fp16": "Float16",
    "half": "Float16",
    "bfloat16": "BFloat16",
    "bf16": "BFloat16",
    "float32": "Float32",
    "fp32": "Float32",
    "float64": "Float64",
    "fp64": "Float64",
}
NAMINGS = ("mindspore", "torch")
SHOWN = 20  # names in an error


@dataclass(frozen=True, slots=True)
class Options:
    """How to convert.

    Attributes:
        to: whose names the target has; None: MindSpore's in a `.ckpt`, torch's elsewhere.
        of: whose names the source has; None: told from the format, the metadata or the names.
        module: a torch module of the same architecture, for exact mapping.
        cell: a Cell of the same architecture, for exact mapping.
        rules: a file of rules, which decide before everything else.
        reverse_rules: apply the rules backwards.
        dtype: what floating-point tensors are cast to: "float16", "bfloat16", "float32" or "float64".
        prefix: "NEW" goes before every name of the target; "OLD=NEW" replaces, "OLD=" takes away.
        include: patterns (`*`, `?`) of names of the source that are taken; none means all.
        exclude: patterns of names of the source that are left out.
        by_order: with a Cell, pair layers whose names differ by their tensors and their order.
        strip_optimizer: leave out the training state of a MindSpore checkpoint.
        strict: refuse guesses, unmatched names and skipped objects.
        allow_unmatched: leave out what does not fit the model, and report it, instead of refusing.
    """

    to: Naming | None = None
    of: Naming | None = None
    module: torch.nn.Module | None = None
    cell: Any = None
    rules: Path | None = None
    reverse_rules: bool = False
    dtype: str | None = None
    prefix: str = ""
    include: Sequence[str] = ()
    exclude: Sequence[str] = ()
    by_order: bool = False
    strip_optimizer: bool = False
    strict: bool = False
    allow_unmatched: bool = False


@dataclass(slots=True)
class Plan:
    """What a conversion will write, before a byte is read.

    Attributes:
        entries: the target's entries, in order.
        outcomes: what becomes of each name.
        naming: whose names the target has.
        missing: names of the model that the checkpoint does not have.
    """

    entries: list[Entry] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    naming: Naming = "torch"
    missing: list[str] = field(default_factory=list)


def convert(
    source: str | os.PathLike | Checkpoint,
    target: str | os.PathLike,
    *,
    torch_model: torch.nn.Module | str | None = None,
    cell: Any = None,
    to: Naming | None = None,
    of: Naming | None = None,
    rules: str | os.PathLike | None = None,
    reverse_rules: bool = False,
    dtype: str | None = None,
    prefix: str = "",
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    by_order: bool = False,
    strip_optimizer: bool = False,
    strict: bool = False,
    allow_unmatched: bool = False,
    format: Format | None = None,
    max_shard_bytes: int | None = None,
    crc_check: bool = False,
    check_source: bool = True,
    key: bytes | None = None,
    mode: str = "AES-GCM",
    encrypt_key: bytes | None = None,
    encrypt_mode: str = "AES-GCM",
    dry_run: bool = False,
    force: bool = False,
    resume: bool = False,
    jobs: int = 2,
    progress: Callable[[int], Progress] | None = None,
) -> Report:
    """Convert a checkpoint. The target appears when it is complete; nothing that fails leaves a part of it.

    Args:
        source: a file, an index, a folder of shards, or an open checkpoint.
        target: the file to write; a folder when `max_shard_bytes` is given.
        torch_model: a module of the same architecture, or "package.module:factory": names are mapped by its layer
            types, and shapes are checked.
        cell: a Cell of the same architecture, or "package.module:factory": the same from the other side.
        to: whose names the target has: "torch" or "mindspore"; None: MindSpore's in a `.ckpt`, torch's elsewhere.
        of: whose names the source has; None: told from the format, the metadata or the names.
        rules: a TOML file of the user's rules.
        reverse_rules: apply them backwards.
        dtype: what floating-point tensors are cast to.
        prefix: "NEW" goes before every name, "OLD=NEW" replaces the beginning, "OLD=" takes it away.
        include: patterns of source names to take.
        exclude: patterns of source names to leave out.
        by_order: pair layers of the Cell whose names differ by their tensors and their order; reported as guesses.
        strip_optimizer: leave out what a MindSpore checkpoint holds of its optimizer.
        strict: refuse guesses, unmatched names and skipped objects.
        allow_unmatched: leave out what does not fit the model, and report it, instead of refusing.
        format: the target's format; None: told from its suffix.
        max_shard_bytes: cut the target into files of at most so many bytes of tensors, with an index.
        crc_check: end a `.ckpt` with a check sum, or note one in MindSpore's safetensors.
        check_source: compare the check sums in the source with its bytes first, where it has any; a dry run does not.
        key: opens an encrypted source.
        mode: how the source is encrypted.
        encrypt_key: encrypts a `.ckpt`.
        encrypt_mode: how.
        dry_run: plan and report, write nothing.
        force: replace a target that is there.
        resume: keep the shards that an interrupted run has finished.
        jobs: shards written at the same time: while one waits for the disk, the next is copied.
        progress: is called with the bytes to come, and gives what is told of written bytes.

    Returns:
        What became of every name.

    Raises:
        CheckpointError: the source is damaged, names or shapes do not fit the model, or the target is there already.
        OSError: the target cannot be written.
    """
    began = time.monotonic()
    place = Path(target)
    for value, known in ((to, NAMINGS), (of, NAMINGS), (format, set(SUFFIXES.values()))):
        if value is not None and value not in known:
            raise CheckpointError(f"{value!r} must be one of {', '.join(sorted(known))}.")
    include, exclude = ([one] if isinstance(one, str) else one for one in (include, exclude))
    with contextlib.ExitStack() as opened:
        if isinstance(source, Checkpoint):
            checkpoint = source
        else:
            reading = open_checkpoint(source, key=key, mode=mode, crc_check=check_source and not dry_run)
            checkpoint = opened.enter_context(reading)
        form = format or _format_of(place, checkpoint, max_shard_bytes is not None)
        options = Options(
            to or _naming_of(form),
            of,
            _built(torch_model),
            _cell(cell),
            Path(rules) if rules else None,
            reverse_rules,
            _cast(dtype),
            prefix,
            include,
            exclude,
            by_order,
            strip_optimizer,
            strict,
            allow_unmatched,
        )
        with collector_paused():
            made = plan(checkpoint, options)
        report = Report(str(checkpoint.path), str(place), made.outcomes, dict(checkpoint.skipped), made.missing)
        report.nbytes = sum(one.nbytes for one in made.entries)
        if strict and (doubts := list(report.doubts())):
            raise MismatchError(
                f"{checkpoint.path}: refused, as strict takes no guesses:\n  " + _listing(doubts, "\n  ")
            )
        into = Target(place, form, made.naming, max_shard_bytes, crc_check, encrypt_key, encrypt_mode)
        if not force and not dry_run and (there := existing(into, resume)):
            raise CheckpointError(f"{there} is there already; --force replaces it, --resume goes on with shards.")
        if not dry_run:
            told = progress(report.nbytes) if progress else None
            recipe = repr(made.outcomes) if max_shard_bytes else ""
            report.files = write(into, made.entries, checkpoint.shards, recipe, resume, jobs, told)
            report.written = True
    report.seconds = time.monotonic() - began
    return report


def plan(checkpoint: Checkpoint, options: Options) -> Plan:
    """Work out what a conversion writes, from names and shapes alone.

    Raises:
        CheckpointError: names or shapes do not fit the model or the rules.
    """
    entries = checkpoint.entries
    chosen, steps = _chosen(entries, options)
    to = options.to or "torch"
    of = options.of or naming_of_source(checkpoint)
    if options.rules:
        settled, working = apply_rules(read_rules(options.rules, options.reverse_rules), chosen)
        steps += settled
    else:
        working = {name: name for name in chosen}
    made = Plan(naming=to)
    paired = _pairs(options, entries, working, of)
    if paired is not None:
        for cut in paired.cuts:
            sources, targets = (cut.torch, cut.mindspore) if of == "torch" else (cut.mindspore, cut.torch)
            if all(name in working for name in sources):
                own = tuple(working[name] for name in sources)
                steps += [cut.step(own, targets)] if of != to else [Step((one,), (one,)) for one in own]
                working = {name: source for name, source in working.items() if name not in sources}
        found = match(paired.pairs, working, entries, of, to)
        made.missing = found.missing
        if found.problems and not options.allow_unmatched:
            raise MismatchError(
                f"the checkpoint does not fit the model:\n  {_listing(found.problems, chr(10) + '  ')}\n{ADVICE}"
            )
        steps += [_said(step, paired.by_order) for step in found.steps]
    elif of == to:
        steps += by_guess.unchanged(working)
    else:
        steps += (by_guess.to_mindspore if to == "mindspore" else by_guess.to_torch)(entries, working)
    order = {name: number for number, name in enumerate(entries)}
    for step in sorted(steps, key=lambda step: order[step.sources[0]]):
        try:
            written, outcome = perform(_prefixed(step, options.prefix), entries, options.dtype)
        except CheckpointError as error:
            raise MismatchError(f"{', '.join(map(repr, step.sources))} ({step.reason}): {error}") from error
        made.entries += written
        made.outcomes.append(outcome)
    _check_unique(made.outcomes)
    if options.cell is not None and (options.module is not None or options.by_order) and to == "mindspore":
        problems = compare_with_cell(made.entries, options.cell)
        if problems and not options.allow_unmatched:
            advice = "" if options.by_order else "\n--by-order pairs layers that differ in their names only."
            raise MismatchError(
                f"the names that are made are not the Cell's:\n  {_listing(problems, chr(10) + '  ')}{advice}"
            )
    return made


def _chosen(entries: Mapping[str, Entry], options: Options) -> tuple[list[str], list[Step]]:
    """Apply include and exclude; give the names that are left and the steps that drop the others."""
    for pattern in options.include:
        if not fnmatch.filter(entries, pattern):
            raise MismatchError(f"no name fits {pattern!r} (--include).")
    chosen, dropped = [], []
    for name in entries:
        if options.include and not any(fnmatch.fnmatchcase(name, one) for one in options.include):
            dropped.append(Step((name,), (), reason="not included"))
        elif any(fnmatch.fnmatchcase(name, one) for one in options.exclude):
            dropped.append(Step((name,), (), reason="excluded"))
        elif options.strip_optimizer and (owner := training_state(name, entries)):
            dropped.append(Step((name,), (), reason=f"training state ({owner})"))
        else:
            chosen.append(name)
    return chosen, dropped


def _pairs(
    options: Options, entries: Mapping[str, Entry], working: Mapping[str, str], of: Naming
) -> pairing.Paired | None:
    """Give both names of the model's tensors."""
    if options.by_order and options.cell is None:
        raise CheckpointError("by_order (--by-order) needs the Cell whose names are wanted.")
    if options.by_order and options.module is not None:
        return pairing.pairs_of_both(options.module, options.cell)
    if options.by_order and of == "torch":
        names = {source: name for name, source in working.items()}
        shapes = {source: entries[source].shape for source in names}
        return pairing.pairs_of_steps(by_guess.to_mindspore(entries, working), shapes, names, options.cell)
    if options.module is not None:
        named = pairs_of_module(options.module, options.cell)
        named += untracked_pairs(options.module)
        return pairing.Paired(named if options.cell is None else pairing.names_in(options.cell, named), set(), [])
    return pairing.Paired(pairs_of_cell(options.cell), set(), []) if options.cell is not None else None


def _said(step: Step, by_order: Set[str]) -> Step:
    """Say of a step whose names only order told that it is a by_guess."""
    is_guess = not by_order.isdisjoint((*step.sources, *step.targets))
    return replace(step, reason=BY_ORDER, guessed=True) if is_guess else step


def _prefixed(step: Step, prefix: str) -> Step:
    if not prefix:
        return step
    old, equals, new = prefix.partition("=")
    if not equals:
        old, new = "", old
    return replace(
        step, targets=tuple(new + one.removeprefix(old) if one.startswith(old) else one for one in step.targets)
    )


def _check_unique(outcomes: Iterable[Outcome]) -> None:
    made: dict[str, Outcome] = {}
    for outcome in outcomes:
        for name in outcome.targets:
            if other := made.get(name):
                raise MismatchError(f"{other.sources} and {outcome.sources} would both become {name!r}.")
            made[name] = outcome


def _format_of(target: Path, source: Checkpoint, sharded: bool) -> Format:
    """Tell the target's format from its suffix; a folder of shards has none: `.ckpt`, or safetensors from a `.ckpt`."""
    if sharded:
        if target.suffix in SUFFIXES:
            raise CheckpointError(f"{target}: shards go into a folder; name one without a suffix.")
        return "ckpt" if source.format != "ckpt" else "safetensors"
    if target.suffix in SUFFIXES:
        return SUFFIXES[target.suffix]
    raise CheckpointError(f"{target}: the suffix must be one of {', '.join(SUFFIXES)}, or name the format.")


def _naming_of(form: Format) -> Naming:
    return "mindspore" if form == "ckpt" else "torch"


def naming_of_source(checkpoint: Checkpoint) -> Naming:
    """Tell whose names a checkpoint has: from its format, its metadata, or the names."""
    if checkpoint.format in ("ckpt", "pth"):
        return _naming_of(checkpoint.format)
    flavour = checkpoint.metadata.get("format")
    if flavour in ("ms", "pt"):
        return "mindspore" if flavour == "ms" else "torch"
    found: Any = convention(list(checkpoint.entries))
    return found or "torch"


def _built(model: torch.nn.Module | str | None) -> torch.nn.Module | None:
    """Make the module on the meta device, where it takes no memory; on the CPU where its constructor needs numbers."""
    if not isinstance(model, str):
        return model
    try:
        with torch.device("meta"):
            built = factory(model)
    except CheckpointError:
        raise
    except Exception:
        built = _made(model)
    if not isinstance(built, torch.nn.Module):
        raise CheckpointError(f"{model!r} made {type(built).__name__}, not a torch.nn.Module.")
    return built


def _cell(cell: Any) -> Any:
    built = _made(cell) if isinstance(cell, str) else cell
    if built is not None and not hasattr(built, "parameters_and_names"):
        raise CheckpointError(f"{cell!r} is {type(built).__name__}, not a Cell.")
    return built


def _made(target: str) -> Any:
    """Call the user's factory; say where it fails."""
    try:
        return factory(target)
    except CheckpointError:
        raise
    except Exception as error:
        *_, last = traceback.extract_tb(error.__traceback__)
        where = f"{last.filename}, line {last.lineno}"
        raise CheckpointError(f"{target!r} fails: {type(error).__name__}: {error} ({where}).") from error


def _cast(dtype: str | None) -> str | None:
    if dtype is None or dtype in BY_NAME:
        return dtype
    if str(dtype).lower() not in DTYPES:
        raise CheckpointError(f"the dtype must be one of {', '.join(DTYPES)}, got {dtype!r}.")
    return DTYPES[dtype.lower()]


def _listing(items: Sequence[str], separator: str) -> str:
    more = f"{separator}… and {len(items) - SHOWN} more" if len(items) > SHOWN else ""
    return separator.join(items[:SHOWN]) + more
