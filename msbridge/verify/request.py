"""Verification by files and factories: networks are built, weights loaded, inputs made, and both sides compared."""

import hashlib
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from msbridge.converters.errors import CheckpointError
from msbridge.converters.factories import factory
from msbridge.converters.loading import load_into
from msbridge.nn import Cell, GraphCell
from msbridge.train import load
from msbridge.verify.against_recording import compare_recorded
from msbridge.verify.explain.findings import Fact, Finding
from msbridge.verify.options import Options, Results
from msbridge.verify.record import inputs
from msbridge.verify.record.archive import read_recorded, recorded_inputs, write_recorded
from msbridge.verify.report.comparison import Comparison
from msbridge.verify.side_by_side import compare

STATISTICS = ("moving_mean", "moving_variance")  # how the names of what a BatchNorm keeps end
FILES = ("mindir", "weights", "cell_weights", "rules", "inputs", "expected")  # that a result depends on


def answer(options: Options, inputs_to: Path | None = None) -> Comparison | None:
    """Build the networks and the inputs, and run what is asked for.

    Args:
        options: what is asked for.
        inputs_to: where inputs that were made are written.

    Returns:
        The comparison; None where one network was recorded.

    Raises:
        TypeError: a factory returns something else than a network.
        CheckpointError: a file is damaged, or does not fit.
        ValueError: the inputs are unknown.
    """
    torch.manual_seed(options.seed)
    module = _build(options.torch, torch.nn.Module, "--torch")
    cell = load_mindir(options.mindir) if options.mindir else _build(options.cell, Cell, "--cell")
    network = module if module is not None else cell
    if options.weights:
        load_into(network, options.weights, rules=options.rules)
    if options.cell_weights:
        load_into(cell, options.cell_weights, rules=options.rules)
    expected = read_recorded(options.expected) if options.expected else None
    values = _inputs(options, expected, cell)
    if inputs_to and not options.inputs:
        inputs.write(inputs_to, values)
    if options.record:
        write_recorded(options.record, network, values, options.seed)
        return None
    if expected is not None:
        return _against_recorded(options, network, expected, values)
    return compare(
        module,
        cell,
        values,
        weights="as is" if options.as_is or options.cell_weights or options.mindir else "convert",
        rules=options.rules,
        grad=options.grad,
        train_steps=options.train_steps,
        reference=not options.no_float64,
        other_precision=options.other_precision,
        seed=options.seed,
        timed_runs=options.time,
    )


def with_circumstances(comparison: Comparison, options: Options, command: str) -> Comparison:
    """Return a comparison with the files, the revision and the command that it comes from."""
    paths = {name: getattr(options, name) for name in FILES}
    files = {
        name.replace("_", " "): f"{path}, sha256 {_digest(path)}"
        for name, path in paths.items()
        if path and Path(path).is_file()
    }
    revision = {"git revision": text} if (text := _revision()) else {}
    return replace(comparison, environment={**comparison.environment, **files, **revision}, command=command)


def write_results(comparison: Comparison, results: Results) -> None:
    """Write the files that are asked for."""
    if results.json and results.json != "-":
        comparison.to_json(results.json)
    if results.csv:
        comparison.to_csv(results.csv)
    if results.junit:
        comparison.to_junit(results.junit)
    if results.report:
        comparison.to_html(results.report)


def load_mindir(path: str) -> GraphCell:
    """Return the network of a `.mindir` file, with its weights."""
    network = GraphCell(load(path))
    for parameter in network.get_parameters():  # a file does not say which parameters are trained
        parameter.requires_grad = parameter.requires_grad and not parameter.name.endswith(STATISTICS)
    return network


def _against_recorded(options: Options, network: Any, expected: Any, values: Sequence[Any]) -> Comparison:
    comparison = compare_recorded(network, expected, values, seed=options.seed)
    if not comparison.is_same and not (options.weights or options.cell_weights):
        fix = Fact("give weights", {})
        note = Finding("weights", Fact("no weights given", {}), "(the network)", fix=fix)
        comparison = replace(comparison, notes=(*comparison.notes, note))
    return comparison


def _inputs(options: Options, expected: Any, cell: Any) -> Any:
    """Return the inputs that were asked for, or those that a recorded file holds or a graph describes."""
    if options.inputs:
        return inputs.read(options.inputs)
    if options.input:
        return inputs.make(options.input, options.seed)
    if expected is None:
        return inputs.make(inputs.specs_of(cell.graph), options.seed)
    if not (found := recorded_inputs(expected)):
        raise ValueError(f"{options.expected} holds no inputs (input, or input.0 …): pass --input or --inputs.")
    return found


def _build(spec: str | None, kind: type, option: str) -> Any:
    if spec is None:
        return None
    try:
        network = factory(spec)
    except CheckpointError:
        raise
    except Exception as error:
        error.add_note(f"{option} {spec} fails")
        raise
    if not isinstance(network, kind):
        wanted = "a Cell" if option == "--cell" else "a torch.nn.Module"
        other = torch.nn.Module if option == "--cell" else Cell
        swapped = " Are --torch and --cell exchanged?" if isinstance(network, other) else ""
        raise TypeError(f"{option} {spec} returns {type(network).__name__}, not {wanted}.{swapped}")
    return network


def _digest(path: str) -> str:
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _revision() -> str:
    """Return the git revision of the folder the command runs in; "" where there is none."""
    words = ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
