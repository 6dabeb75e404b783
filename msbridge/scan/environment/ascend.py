"""Features that only an Ascend has: devices that are asked for, settings, variables of the environment, packages."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from msbridge.dropin.release_guess.nodes import Nodes
from msbridge.mappings import table
from msbridge.scan.environment.ascend_limits import PAGES, limits
from msbridge.scan.findings import Finding, Level, Rule
from msbridge.scan.project import Module

__all__ = ["ASCEND", "LACKING", "RULES", "check"]

FIX = "keep it, unless an import fails"
ASCEND = Rule(
    "ascend",
    Level.ADVICE,
    "something that only an Ascend has",
    "the finding says what happens to it in msbridge",
    FIX,
)
LACKING = Rule(
    "ascend-lacks",
    Level.ADVICE,
    "an operator or dtype that an Ascend lacks",
    f"by {PAGES}; msbridge computes it",
    "use another operator or dtype, if the script is for an Ascend",
)
RULES = (ASCEND, LACKING)
WORD = re.compile(r"(?:['\"](?:Ascend['\"]|(?:ASCEND|HCCL)_\w|RANK_TABLE_FILE))")  # a text that may be of interest


@dataclass(frozen=True, slots=True)
class Feature:
    """A row of ascend_only.toml."""

    key: str  # what a script writes
    kind: str  # "argument", "name", "package", "value" or "variable"
    needs: str  # what it is for
    here: str  # what becomes of it in msbridge


def check(module: Module, walked: set[object]) -> Iterator[Finding]:
    """Yield the places of a file that only an Ascend can serve."""
    source = module.source
    uses = [
        *_find_names(module),
        *_find_imports(module),
        *(_find_constants(source.nodes) if WORD.search(source.text) else ()),
    ]
    yield from _find_limits(module)
    for feature, node in uses:
        line, column = node.lineno, node.col_offset
        if not source.ignores(ASCEND.id, line):
            what = f"{feature.key} belongs to an Ascend: {feature.needs}"
            if feature.kind == "value":
                what = "an Ascend is asked for"
            rule = replace(ASCEND, what=what, why=f"here, {feature.here}", fix=FIX)
            yield Finding(rule, str(source.path), line, column + 1, source.excerpt(line))


def _find_limits(module: Module) -> Iterator[Finding]:
    """Yield the uses of operators that an Ascend lacks, or whose dtypes it lacks that the file names."""
    source = module.source
    uses: list[tuple[str, Any]] = module.uses  # names and attributes, which have a place
    for path, node in uses:
        name = path.removeprefix("mindspore.").replace("ops.operations.", "ops.")
        limit = limits().get(name)
        line = node.lineno
        if limit is None or source.ignores(LACKING.id, line):
            continue
        dtypes = [] if limit.is_absent else [each for each in limit.lacks if re.search(rf"\b{each}\b", source.text)]
        if limit.is_absent or dtypes:
            lacked = "" if limit.is_absent else f" for {', '.join(dtypes)}"
            rule = replace(LACKING, what=f"an Ascend has no {name}{lacked}")
            yield Finding(rule, str(source.path), line, node.col_offset + 1, source.excerpt(line))


def _rows() -> Mapping[str, Feature]:
    rows: Mapping[str, Feature] = table("ascend_only.toml", Feature)
    return rows


def _find_names(module: Module) -> Iterator[tuple[Feature, ast.AST]]:
    for path, node in module.uses:
        row = _rows().get(path.rpartition(".")[2])
        if row and row.kind in ("argument", "name"):
            yield row, node


def _find_imports(module: Module) -> Iterator[tuple[Feature, ast.AST]]:
    for node in module.source.nodes.of(ast.Import, ast.ImportFrom):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else names
        for name in names:
            row = _rows().get(name.partition(".")[0])
            if row and row.kind == "package" and not module.is_of_project(name):
                yield row, node


def _find_comparands(nodes: Nodes) -> set[int]:
    """Return the texts that something is compared with, or that may be chosen: no device is asked for by them."""
    found: list[ast.expr] = [side for one in nodes.of(ast.Compare) for side in (one.left, *one.comparators)]
    found += [one.value for one in nodes.of(ast.keyword) if one.arg == "choices"]
    parts = [part for one in found if isinstance(one, ast.List | ast.Tuple | ast.Set) for part in one.elts]
    return {id(one) for one in (*found, *parts)}


def _find_constants(nodes: Nodes) -> Iterator[tuple[Feature, ast.AST]]:
    asked = _find_comparands(nodes)
    for node in nodes.of(ast.Constant):
        if isinstance(node.value, str) and id(node) not in asked:
            if node.value == "Ascend":
                yield _rows()["ascend"], node
            elif row := next((_rows()[one] for one in ("ASCEND_", "HCCL_") if node.value.startswith(one)), None):
                if node.value.isupper() and node.value.isidentifier():
                    yield replace(row, key=node.value), node
            elif node.value == "RANK_TABLE_FILE":
                yield _rows()["RANK_TABLE_FILE"], node
