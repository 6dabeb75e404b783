"""Paths of data that are in the text of a script, and lead nowhere on another machine."""

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from msbridge.scan.findings import Finding, Level, Rule
from msbridge.scan.project import Module

__all__ = ["DATA_PATH", "RULES", "check"]

DATA_PATH = Rule(
    "data-path",
    Level.ADVICE,
    "an absolute path in the source",
    "it may not exist on another machine",
    "`msbridge run --path OLD=NEW` reads from NEW instead; better, make it an argument of the script",
)
RULES = (DATA_PATH,)
# At least two parts, or one of the folders that data lie in; no blanks, no patterns of URLs or formats.
PATH = re.compile(
    r"(?:(?:/|~/|[A-Za-z]:[\\/]|(?:obs|s3|hdfs)://)[\w.+@~-]+(?:[\\/][\w.+@~-]+)+[\\/]?"
    r"|/(?:cache|data\w*|datasets?|disk\w*|home|mnt|root|work\w*)/?)"
)
MAYBE = re.compile(r"""["'](?:/|~/|[A-Za-z]:[\\/]|(?:obs|s3|hdfs)://)\w""")
SYSTEM = re.compile(r"/(?:bin|dev|etc|lib\w*|opt|proc|sbin|sys|tmp|usr|var)\b")


def check(module: Module, walked: set[object]) -> Iterator[Finding]:
    """Yield the absolute paths in a file; what is added to another text is not one."""
    source = module.source
    if not MAYBE.search(source.text):
        return
    parts = {id(node.right) for node in source.nodes.of(ast.BinOp)}
    parts |= {id(part) for node in source.nodes.of(ast.JoinedStr) for part in node.values[1:]}
    for node in source.nodes.of(ast.Constant):
        if _is_path(node) and id(node) not in parts and not source.ignores(DATA_PATH.id, node.lineno):
            yield _finding(module, node, str(node.value))


def _is_path(node: ast.Constant) -> bool:
    text = node.value
    return isinstance(text, str) and PATH.fullmatch(text) is not None and not SYSTEM.match(text)


def _finding(module: Module, node: ast.Constant, path: str) -> Finding:
    rule = replace(DATA_PATH, what=f"the path {path} is in the text")
    source = module.source
    return Finding(rule, str(source.path), node.lineno, node.col_offset + 1, source.excerpt(node.lineno))
