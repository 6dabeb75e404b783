"""docs/settings.md says what the table says, and the table names what is there."""

import ast
import importlib
import inspect
from collections.abc import Iterator

import pytest
import settings_page
from coverage_page import attribute_of, resolves

from msbridge.core.checks import no_effect_warnings
from msbridge.core.releases.rows import every

BY_KEYWORDS = {
    *(f"mindspore.{name}" for name in ("set_context", "set_auto_parallel_context", "Profiler", "nn.Adam")),
    "mindspore.set_auto_parallel_context.parallel_optimizer_config",
    "mindspore.ops.interpolate",  # of 1.10
}


def test_the_page_is_that_of_the_table() -> None:
    assert settings_page.PAGE.read_text(encoding="utf-8") == settings_page.page(no_effect_warnings.settings().values())


@pytest.mark.usefixtures("mindspore_is_msbridge")
def test_every_row_names_an_argument_or_a_function_that_is_there() -> None:
    wrong, gone = [], {row.name for row in every() if row.legacy}  # of earlier releases
    for name in no_effect_warnings.settings():
        owner, _, setting = name.rpartition(".")
        if owner in BY_KEYWORDS or resolves(name) or name.removeprefix("mindspore.") in gone:
            continue
        if not resolves(owner) or setting not in inspect.signature(_found(owner)).parameters:
            wrong.append(name)
    assert wrong == []


def _found(path: str) -> object:
    """Return what a dotted name represents; the modules on the way are imported by now."""
    first, *rest = path.split(".")
    found: object = importlib.import_module(first)
    for part in rest:
        found = attribute_of(found, part)
    return found


# What a function takes for its callers' sake, by argument: a protocol with several implementations, or a name that only
# one of several forms of a call needs.
FOR_OTHERS = {
    *(
        "attrs",
        "ctx",
        "datefmt",
        "draw",
        "draws",
        "expr",
        "out",
        "generator",
        "global_step",
        "grads_finite",
        "group",
        "label",
        "labels",
        "later",
        "op",
    ),
    *("parameters", "pre_cond", "root", "rows", "run_context", "size", "spec", "status", "u", "use_locking", "weights"),
    *("lower", "clean"),  # which triangle of a symmetric matrix is read and cleaned
    "ipython",  # what an extension of IPython is given
    "grad",  # how MindSpore differentiates
    "phase",  # which of a Cell's graphs is meant, where there are none
    "grad_accumulation_step",  # an attribute of private primitives, which MindSpore's compiler reads
    *("auto_parallel_mode", "do_convert", "jit_config_dict"),  # how MindSpore's compiler makes a graph
    "chosen",  # how many rows a sampler takes, of which not every sampler's parent asks
    "asked",  # how many rows at a time are taken from a node, some of which take them one by one
    "size_of",  # how inputs are counted, of which a source and what decides by values have no use
    "is_lent",  # rows of a source may share its memory, which those of earlier releases do not
    *("memory_format", "non_blocking", "other"),  # of a torch tensor, whose place strings take
    "changed",  # a part of the key under which a file's content is kept
    *("input_sizes", "output_sizes", "num_true", "stable", "mode"),  # `stable` sorts always are; `mode` has one value
    *("param_key", "slice_index", "shape", "opt_shard_group"),  # parts of a weight that lies on several devices
}
# What MindSpore's compiler asks about values, to which there is one answer where nothing is compiled.
ONE_ANSWER = {"isconstant", "is_sequence_shape_unknown", "is_sequence_value_unknown", "is_within_graph"}


@pytest.mark.sources
def test_no_argument_is_taken_and_forgotten() -> None:
    listed = {tuple(name.split(".")[-2:]) for name in no_effect_warnings.settings()}
    whole = ONE_ANSWER | {name for _, name in listed}  # a function that has no effect
    forgotten = []
    for path in sorted((settings_page.PAGE.parent.parent / "msbridge").rglob("*.py")):
        for owner, function, arguments in _unread(ast.parse(path.read_text(encoding="utf-8"))):
            called = owner if function == "__init__" else function
            forgotten += [
                f"{path.name}: {owner}.{function}({name})"
                for name in arguments
                if name not in FOR_OTHERS and (called, name) not in listed and function not in whole
            ]
    assert not forgotten, "\n".join(forgotten)


def _unread(tree: ast.Module) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the public functions of a file with those of their arguments that their bodies never read."""
    owners = [("", tree), *((node.name, node) for node in ast.walk(tree) if isinstance(node, ast.ClassDef))]
    for owner, holder in owners:
        for node in holder.body:
            if not isinstance(node, ast.FunctionDef) or (node.name.startswith("_") and node.name != "__init__"):
                continue
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            if all(isinstance(line, ast.Raise | ast.Pass) or _is_ellipsis(line) for line in body):
                continue
            read = {each.id for line in body for each in ast.walk(line) if isinstance(each, ast.Name)}
            taken = [each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
            unread = [name for name in taken if name not in read and name not in ("self", "cls") and name[0] != "_"]
            if unread and "locals" not in read:
                yield owner, node.name, unread


def _is_ellipsis(line: ast.stmt) -> bool:
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)
