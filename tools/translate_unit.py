"""Translate networks of the corpus, and compare each with its original.

    python tools/translate_unit.py FOLDER OUT CASES FAMILY/NAME...

Each has a process of its own, which begins when torch and the project have been imported. Prints a line of JSON for
each: how far it came, which lines are left by hand, how far apart the results are. CASES gets what
translate_oracle.py needs to run the translations in the real MindSpore.
"""

import ast
import importlib
import json
import os
import signal
import sys
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import torch
import translate_trees
from translate_corpus import Unit, read_units

import msbridge
from msbridge.ops.kernel_calls.eager_checks import as_torch
from msbridge.verify.measure.training import cell_gradients, torch_gradients, weighted_sum
from msbridge.verify.pair.weights import Weights, load, pair_weights
from msbridge.verify.record.arguments import Arguments
from msbridge.verify.record.inputs import make
from msbridge.verify.record.pytree import tensors

SECONDS = 180  # for a network
Functions = set[tuple[str, int]]  # file and first line


def measure(unit: Unit, folder: Path, out: Path, cases: Path) -> dict[str, Any]:
    """Return what became of a network."""
    places = unit.folder(folder)
    sys.path.insert(0, str(places))
    functions: Functions = set()
    torch.manual_seed(0)
    module = _build(unit, "", functions)
    scatter_weights(module)
    module.eval()
    given = Arguments(make(unit.inputs.split()), torch.device("cpu"))
    wanted = _traced(functions, lambda: tensors(module(*given.of(module)[0])))
    translate_trees.install(unit, folder, out)
    report: dict[str, Any] = {"stage": "import"}
    try:
        _compare(unit, module, given, wanted, report, cases)
    except BaseException as error:  # a network must not end the measure
        if isinstance(error, KeyboardInterrupt):
            raise
        report["error"] = f"{type(error).__name__}: {error}"[:2000]
        report["way"] = [
            f"{one.filename}:{one.lineno}: {one.line}" for one in traceback.extract_tb(error.__traceback__)
        ][-6:]
    report["by hand"] = lines_by_hand(out, unit, functions)
    return report


def _compare(
    unit: Unit,
    module: torch.nn.Module,
    given: Arguments,
    wanted: list[torch.Tensor],
    report: dict[str, Any],
    cases: Path,
) -> None:
    msbridge.install()
    cell_module = importlib.import_module(f"{translate_trees.PREFIX}{unit.module}")
    report["stage"] = "build"
    cell = eval(unit.network, vars(cell_module))
    cell.set_train(False)
    report["stage"] = "weights"
    weights = load_weights(module, cell)
    report["stage"] = "run"
    own = tensors(cell(*given.of(cell)[0]))
    report["stage"] = "outputs"
    report["apart"] = find_farthest(own, wanted)
    report["stage"] = "gradients"
    with as_torch():
        theirs, ours = (slopes(network, given, weighted_sum, 0)[1] for slopes, network in
                        ((torch_gradients, module), (cell_gradients, cell)))  # fmt: skip
    expected = {}
    for one in weights.pairs:
        value = one.of(theirs)
        if value is not None and one.cell in ours:
            expected[one.cell] = value
    report["gradients apart"] = find_farthest([ours[name] for name in expected], list(expected.values()))
    report["stage"] = "done"
    _write_case(cases, unit, cell, given, wanted, expected)


def _build(unit: Unit, prefix: str, functions: Functions) -> Any:
    module = importlib.import_module(f"{prefix}{unit.module}")
    return _traced(functions, lambda: eval(unit.network, vars(module)))


def _traced(functions: Functions, call: Callable[[], Any]) -> Any:
    """Call, and note the functions that run."""

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            functions.add((frame.f_code.co_filename, frame.f_code.co_firstlineno))

    sys.setprofile(note)
    try:
        return call()
    finally:
        sys.setprofile(None)


def scatter_weights(module: torch.nn.Module) -> None:
    """Move all weights and statistics off their first values, so that none is without effect."""
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for name, one in module.state_dict(keep_vars=True).items():
            if not isinstance(one, torch.Tensor) or not one.is_floating_point():
                continue
            noise = torch.rand(one.shape, generator=generator)
            if name.endswith("running_var"):
                one.copy_(0.5 + noise)
            elif name.endswith("running_mean") or (isinstance(one, torch.nn.Parameter) and _is_constant(one)):
                one.add_(0.2 * (noise - 0.5))


def _is_constant(one: torch.Tensor) -> bool:
    return bool(one.numel()) and bool((one == one.flatten()[0]).all())


def load_weights(module: torch.nn.Module, cell: msbridge.nn.Cell) -> Weights:
    """Load the weights of a module into a Cell, paired by structure.

    Raises:
        ValueError: a weight that is trained has no counterpart.
    """
    weights = pair_weights(module, cell)
    load(weights)
    lost = [one for one in weights.only_torch if one in dict(module.named_parameters())]
    lost += [one for one in weights.only_cell if dict(cell.parameters_and_names())[one].requires_grad]
    if lost:
        raise ValueError(f"weights without a counterpart: {' '.join(lost[:20])}")
    return weights


def find_farthest(own: list[torch.Tensor], wanted: list[torch.Tensor]) -> float:
    """Return the greatest difference as a part of the greatest value of its tensor; infinite where shapes differ."""
    if [one.shape for one in own] != [one.shape for one in wanted]:
        return float("inf")
    largest = 0.0
    scale = max((float(one.abs().max()) for one in wanted if one.numel() and one.is_floating_point()), default=1.0)
    for a, b in zip(own, wanted, strict=True):
        if not b.numel():
            continue
        a, b = a.detach().double(), b.detach().double()
        if not torch.equal(a.isfinite(), b.isfinite()):
            return float("inf")
        a, b = a[b.isfinite()], b[b.isfinite()]
        far = float((a - b).abs().max()) if b.numel() else 0.0
        largest = max(largest, far / max(float(b.abs().max()) if b.numel() else 0.0, 1e-3 * scale, 1e-30))
    return largest


def lines_by_hand(out: Path, unit: Unit, functions: Functions) -> list[tuple[str, int, str]]:
    """Return the lines left by hand that a network needs: of functions that ran, and of its own file outside them."""
    found = []
    for path in sorted(out.rglob("*.json")):
        known = json.loads(path.read_text())
        source = known["source"]
        marked = [(number, reason) for number, kind, reason in known["lines"] if kind == "by hand"]
        if not marked:
            continue
        spans = [
            (
                node.lineno,
                node.end_lineno or node.lineno,
                min([node.lineno, *(one.lineno for one in node.decorator_list)]),
            )
            for node in ast.walk(ast.parse(Path(source).read_text()))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        ]
        is_own = source.endswith(f"{unit.module.replace('.', '/')}.py")
        for number, reason in marked:
            around = [one for one in spans if one[0] <= number <= one[1]]
            ran = any((source, first) in functions or (source, start) in functions for start, _, first in around)
            if ran or (is_own and not around):
                found.append((source, number, reason))
    return found


def _write_case(
    cases: Path,
    unit: Unit,
    cell: Any,
    given: Arguments,
    wanted: list[torch.Tensor],
    slopes: dict[str, torch.Tensor],
) -> None:
    """Write what the real MindSpore needs to run the translation and compare it."""
    arrays: dict[str, Any] = {f"weight {name}": one.asnumpy() for name, one in cell.parameters_and_names()}
    arrays |= {f"input {number}": one.numpy() for number, one in enumerate(given.data)}
    arrays |= {f"output {number}": one.detach().numpy() for number, one in enumerate(wanted)}
    arrays |= {f"slope {name}": one.detach().numpy() for name, one in slopes.items()}
    for number, one in enumerate(wanted):
        if one.is_floating_point():
            arrays[f"factor {number}"] = torch.randn(one.shape, generator=torch.Generator().manual_seed(number)).numpy()
    name = unit.label.replace("/", "+")
    np.savez(cases / f"{name}.npz", **arrays)
    words = {"module": f"{translate_trees.PREFIX}{unit.module}", "network": unit.network}
    (cases / f"{name}.json").write_text(json.dumps(words))


def main(words: list[str]) -> None:
    """Measure the networks that the command line names."""
    warnings.simplefilter("ignore")
    folder, out, cases = (Path(word).resolve() for word in words[:3])
    units = [one for one in read_units() if one.label in words[3:]]
    if not units[0].where:
        sys.path.insert(0, str(units[0].folder(folder)))
        importlib.import_module(units[0].module)
    for unit in units:
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            signal.alarm(SECONDS)
            with os.fdopen(writing, "w") as answer:
                answer.write(json.dumps(_attempt(unit, folder, out, cases)))
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as answer:
            text = answer.read()
        os.waitpid(child, 0)
        said = json.loads(text) if text else {"stage": "crash", "error": f"no answer within {SECONDS} s, or a crash"}
        print(json.dumps({"name": unit.label, **said}), flush=True)


def _attempt(unit: Unit, folder: Path, out: Path, cases: Path) -> dict[str, Any]:
    try:
        return measure(unit, folder, out, cases)
    except Exception as error:
        return {"stage": "torch", "error": f"{type(error).__name__}: {error}"[:500]}


if __name__ == "__main__":
    main(sys.argv[1:])
