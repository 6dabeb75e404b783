"""Packages of others that a project imports: which, and whether they are installed here."""

import ast
import importlib.util
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

from msbridge.scan.findings import Finding, Level, Rule
from msbridge.scan.names.checking import find_guarded_nodes
from msbridge.scan.project import Module

__all__ = ["PACKAGE", "RULES", "check", "install_command"]

PACKAGE = Rule(
    "package",
    Level.ADVICE,
    "a package that is not installed",
    "the import raises an error on this machine",
    "what the finding says; `try` with `except ImportError` around it suppresses the finding",
)
RULES = (PACKAGE,)
OWN = {"mindspore", "msbridge"}
# What pip calls a package that is imported under another name.
DISTRIBUTIONS = {
    "Bio": "biopython",
    "PIL": "'msbridge[vision]'",
    "attr": "attrs",
    "bs4": "beautifulsoup4",
    "cv2": "'msbridge[vision]'",
    "dateutil": "python-dateutil",
    "dotenv": "python-dotenv",
    "google": "protobuf",
    "pkg_resources": "'setuptools<81'",  # later ones do not have it
    "sentencepiece": "'msbridge[text]'",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "soundfile": "'msbridge[audio]'",
    "yaml": "pyyaml",
}
# Part of a cloud's or a chip's own software.
NOT_TO_BE_HAD = {
    *("MxpiDataType_pb2", "StreamManagerApi", "acl", "hccl", "mindspore_lite", "mindx", "moxing", "mxbase"),
    *("te", "tbe", "topi"),
}


def check(module: Module, walked: set[object]) -> Iterator[Finding]:
    """Yield the imports of packages that are not installed, and note all packages in the project."""
    if "import" not in module.source.text:
        return
    guarded: set[int] | None = None
    for node in module.source.nodes.of(ast.Import, ast.ImportFrom):
        for name, column in _names(node):
            package = name.partition(".")[0]
            if package in OWN or package in sys.stdlib_module_names or module.is_of_project(name):
                continue
            known = module.project.packages
            known.setdefault(package, _is_installed(package))
            if known[package] or package in walked or module.source.ignores(PACKAGE.id, node.lineno):
                continue
            guarded = {id(one) for one in find_guarded_nodes(module.source.nodes)} if guarded is None else guarded
            if id(node) not in guarded:
                walked.add(package)  # once is enough
                excerpt = module.source.excerpt(node.lineno)
                path = str(module.source.path)
                yield Finding(_rule(package), path, node.lineno, column, excerpt)


def install_command(packages: Iterable[str]) -> str:
    """Return the line that installs packages which are imported; "" where pip has none of them."""
    names = dict.fromkeys(DISTRIBUTIONS.get(one, one) for one in packages if one not in NOT_TO_BE_HAD)
    return f"pip install {' '.join(names)}" if names else ""


def _names(node: ast.stmt) -> list[tuple[str, int]]:
    """Return the modules that a statement imports, with the columns of their names, or of the statement."""
    if isinstance(node, ast.Import):
        return [(alias.name, alias.col_offset + 1) for alias in node.names]
    if isinstance(node, ast.ImportFrom) and not node.level and node.module:
        return [(node.module, node.col_offset + 1)]
    return []


@cache
def _is_installed(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except (ImportError, ValueError):  # a module without a spec, such as one that a test put in place
        return package in sys.modules


def _rule(package: str) -> Rule:
    fix = install_command([package]) or "leave it out: pip does not have it"
    return replace(PACKAGE, what=f"the package {package} is not installed", fix=fix)
