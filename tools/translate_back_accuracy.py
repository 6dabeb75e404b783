"""Measure how much of MindCV's networks `msbridge translate --from mindspore` translates, and whether it is right.

    python tools/translate_back_accuracy.py MINDCV --out FOLDER [--held] [--only NAME]... [--write]

MINDCV is a copy of the repository mindspore-lab/mindcv. Of each file of its `models`, the first network that is
registered is built by msbridge, and its translation by torch; with weights converted by structure, outputs and the
gradients of all weights have to be equal to 1e-5 of the largest value of each tensor. Every third network, by name, is
the one that the translation is worked on with; the others are only counted. `--write` writes the table of
docs/translate_accuracy.md.
"""

import argparse
import ast
import importlib
import json
import os
import signal
import sys
import traceback
import types
from pathlib import Path

SIZES = {
    "halonet": 256,
    "swintransformerv2": 256,
    "inceptionv3": 299,
    "inceptionv4": 299,
    "nasnet": 224,
    "crossvit": 240,
}
CLOSE = 1e-5
SECONDS = 240
PAGE = Path(__file__).parent.parent / "docs" / "translate_accuracy.md"
BEGIN, END = "<!-- written by tools/translate_back_accuracy.py -->", "<!-- end -->"


def networks(folder):
    """Return the networks by file: the first that each registers."""
    found = {}
    for path in sorted((folder / "mindcv" / "models").glob("*.py")):
        for node in ast.parse(path.read_text()).body:
            decorators = map(ast.unparse, getattr(node, "decorator_list", ()))
            if isinstance(node, ast.FunctionDef) and "register_model" in decorators:
                found.setdefault(path.stem, node.name)
    return found


def bare_package(name, folder):
    """Make a package importable without what its `__init__` imports."""
    module = types.ModuleType(name)
    module.__path__ = [str(folder)]
    sys.modules[name] = module


def translate_tree(folder, out):
    """Translate the files that networks are made of; return the lines that are left by hand, by file."""
    from msbridge.translate import UntranslatableError, translate

    left = {}
    for path in sorted((folder / "mindcv").rglob("*.py")):
        to = out / "torch_mindcv" / path.relative_to(folder / "mindcv")
        to.parent.mkdir(parents=True, exist_ok=True)
        if "models" not in path.parts:
            continue
        try:
            result = translate(path.read_text(), to="torch", packages=["mindcv"])
        except UntranslatableError:
            to.write_text(path.read_text())
            continue
        to.write_text(result.source)
        left[path.stem] = [(one.number, "; ".join(one.reasons)) for one in result.by_hand]
    return left


def measure(name, network, folder, out):
    """Return what became of a network."""
    import torch
    from translate_unit import find_farthest, load_weights, scatter_weights

    import msbridge
    from msbridge.ops.kernel_calls.eager_checks import as_torch
    from msbridge.verify.measure.training import cell_gradients, torch_gradients, weighted_sum
    from msbridge.verify.record.arguments import Arguments
    from msbridge.verify.record.inputs import make
    from msbridge.verify.record.pytree import tensors

    report = {"stage": "mindspore"}
    try:
        msbridge.install()
        for package, place in (("mindcv", folder / "mindcv"), ("torch_mindcv", out / "torch_mindcv")):
            for part in ("", "models", "utils"):
                bare_package(f"{package}.{part}".rstrip("."), place / part)
            download = sys.modules[f"{package}.utils.download"] = types.ModuleType("download")
            download.DownLoad = download.get_default_download_root = None  # weights are not downloaded
        torch.manual_seed(0)
        cell = getattr(importlib.import_module(f"mindcv.models.{name}"), network)()
        cell.set_train(False)
        size = SIZES.get(name, 224)
        given = Arguments(make([f"normal:2,3,{size},{size}"]), torch.device("cpu"))
        report["stage"] = "import"
        code = importlib.import_module(f"torch_mindcv.models.{name}")
        report["stage"] = "build"
        module = getattr(code, network)()
        scatter_weights(module)
        module.eval()
        report["stage"] = "weights"
        weights = load_weights(module, cell)
        report["stage"] = "run"
        own = tensors(module(*given.of(module)[0]))
        report["stage"] = "outputs"
        report["apart"] = find_farthest(own, tensors(cell(*given.of(cell)[0])))
        report["stage"] = "gradients"
        with as_torch():
            theirs = torch_gradients(module, given, weighted_sum, 0)[1]
            ours = cell_gradients(cell, given, weighted_sum, 0)[1]
        pairs = [(one.of(theirs), ours[one.cell]) for one in weights.pairs if one.cell in ours]
        pairs = [pair for pair in pairs if pair[0] is not None]
        report["gradients apart"] = find_farthest([one for one, _ in pairs], [one for _, one in pairs])
        report["stage"] = "done"
    except Exception as error:
        report["error"] = f"{type(error).__name__}: {error}"[:500]
        report["way"] = [f"{one.filename}:{one.lineno}" for one in traceback.extract_tb(error.__traceback__)][-4:]
    return report


def in_a_process(call):
    """Return what a function returns in a process of its own."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        signal.alarm(SECONDS)
        with os.fdopen(writing, "w") as answer:
            answer.write(json.dumps(call()))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else {"stage": "crash", "error": f"no answer within {SECONDS} s, or a crash"}


def is_equal(report):
    """Whether outputs and gradients are the same."""
    return report.get("apart", 1.0) <= CLOSE and report.get("gradients apart", 1.0) <= CLOSE


def table(rows):
    """Return the table: the networks that were held out, and those that were worked on with."""
    lines = [
        "| networks of MindCV | | without a hand | run | equal | silently different |",
        "|---|---|---|---|---|---|",
    ]
    for name, is_held in (("held out", True), ("worked on with", False)):
        of = [(hand, report) for held, hand, report in rows.values() if held is is_held]
        if not of:
            continue
        runs = [(hand, report) for hand, report in of if "apart" in report]
        counts = (sum(not hand for hand, _ in of), len(runs), sum(is_equal(report) for _, report in of))
        parts = " | ".join(f"{count} ({100 * count / len(of):.0f} %)" for count in counts)
        lines.append(f"| {name} | {len(of)} | {parts} | {sum(not hand and not is_equal(one) for hand, one in runs)} |")
    return lines


def main():
    """Measure, print, and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="where the translations are written")
    parser.add_argument("--held", action="store_true")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).parent))
    left = translate_tree(options.folder, options.out)
    rows = {}
    for number, (name, network) in enumerate(networks(options.folder).items()):
        is_held = number % 3 != 0
        if (is_held and not options.held) or (options.only and name not in options.only):
            continue
        report = in_a_process(lambda name=name, network=network: measure(name, network, options.folder, options.out))
        rows[name] = is_held, left.get(name, []), report
        if not is_held:
            apart = {key: value for key, value in report.items() if key != "way" or "error" in report}
            print(f"{name}: {len(left.get(name, []))} by hand, {'equal' if is_equal(report) else apart}", flush=True)
    lines = table(rows)
    print("\n".join(lines))
    if options.write:
        before, _, rest = PAGE.read_text().partition(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}\n\n" + "\n".join(lines) + f"\n\n{END}{rest.partition(END)[2]}")


if __name__ == "__main__":
    main()
