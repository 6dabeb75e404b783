"""Loading a checkpoint of any format and naming into a live torch module or Cell."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from msbridge.converters.checkpoint import Checkpoint, open_checkpoint
from msbridge.converters.errors import CheckpointError, MismatchError
from msbridge.converters.names.rules import Rule, read_rules
from msbridge.converters.options import Options
from msbridge.converters.planning import Plan, plan
from msbridge.converters.report import Report


def load_into(
    model: Any,
    path: str | os.PathLike[str],
    *,
    rules: str | os.PathLike[str] | None = None,
    key: bytes | None = None,
    mode: str = "AES-GCM",
) -> Report:
    """Load a checkpoint, whoever wrote it, into a torch module or a Cell; names are mapped by the layer types.

    Args:
        model: a `torch.nn.Module` or a Cell; its tensors are overwritten in place.
        path: a file, an index, or a folder of shards.
        rules: a file of rules (docs/rules.md), for names that do not follow the layer types. They are applied where the
            file does not fit without them: to its names, or backwards, if what it holds is what they make.
        key: opens an encrypted `.ckpt`.
        mode: how it is encrypted.

    Returns:
        What became of every name. Statistics of InstanceNorm that the file lacks, as torch's layer keeps none unless
        asked to, are listed as missing, and stay as they are.

    Raises:
        CheckpointError: the file is damaged, or names or shapes do not fit the model; then nothing was overwritten.

    Examples:
        >>> import tempfile, torch
        >>> from msbridge.converters import convert, load_into
        >>> folder, model = tempfile.mkdtemp(), torch.nn.BatchNorm2d(3)
        >>> torch.save(model.state_dict(), folder + "/bn.pth")
        >>> _ = convert(folder + "/bn.pth", folder + "/bn.ckpt", torch_model=model)
        >>> dict(load_into(model, folder + "/bn.ckpt").counts)
        {'renamed': 4}
    """
    is_module = isinstance(model, torch.nn.Module)
    if not is_module and not hasattr(model, "parameters_and_names"):
        raise TypeError(f"load_into takes a torch.nn.Module or a Cell, got {type(model).__name__}.")
    if is_module and any(one.is_meta for one in _targets(model).values()):
        raise CheckpointError("the module is on the meta device: allocate it first, module.to_empty(device=…).")
    options = Options(to="torch", torch_model=model) if is_module else Options(to="mindspore", cell=model)
    with open_checkpoint(path, key=key, mode=mode) as checkpoint:
        planned = _fitting(checkpoint, options, rules)
        targets = _targets(model)
        if extra := sorted(planned.ruled - targets.keys()):
            raise MismatchError(f"{rules} makes {', '.join(map(repr, extra[:5]))}, which the model does not have.")
        with torch.no_grad():
            for entry in planned.entries:
                if entry.name in targets and not entry.is_text:
                    entry.copy_to(targets[entry.name])
        skipped = dict(checkpoint.skipped)
        report = Report(str(checkpoint.path), type(model).__name__, planned.outcomes, skipped, planned.missing)
    report.nbytes = sum(one.nbytes for one in planned.entries)
    return report


def _fitting(checkpoint: Checkpoint, options: Options, rules: str | os.PathLike[str] | None) -> Plan:
    """Plan without rules, else with rules, else with rules backwards: the first that fits the model.

    Raises:
        CheckpointError: none does; then it is about the way that the file's names take some of the rules.
    """
    try:
        return plan(checkpoint, options)
    except MismatchError as error:
        if rules is None:
            raise
        problem: CheckpointError = error
    for is_reversed in (False, True):
        if not _takes(read_rules(Path(rules), is_reversed), checkpoint):
            continue
        try:
            return plan(checkpoint, replace(options, rules=Path(rules), reverse_rules=is_reversed))
        except CheckpointError as error:
            problem = error
    raise problem


def _takes(rules: Sequence[Rule], names: Iterable[str]) -> bool:
    """Whether some rule takes a name."""
    return any(rule.match(name) for name in names for rule in rules)


def _targets(model: Any) -> dict[str, torch.Tensor]:
    """Return the torch tensors of a module or Cell by name."""
    if isinstance(model, torch.nn.Module):
        return {name: one for name, one in model.state_dict(keep_vars=True).items() if isinstance(one, torch.Tensor)}
    return {parameter.name: parameter._data for _, parameter in model.parameters_and_names()}
