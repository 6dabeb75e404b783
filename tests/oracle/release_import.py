"""Lets the interpreters of earlier releases (Python 3.9 for 2.0.0) read the cases; stands in for what a release lacks.

Importing this file installs it. Files of this folder are read with three forms of newer Python put into older words:
`isinstance(x, A | B)`, `zip(..., strict=...)` and unions of types outside annotations. A module or a name of MindSpore
that the release does not have is an `Absent`: a case that touches it raises `NameError`, and is not recorded.
"""

import __future__

import ast
import importlib.abc
import importlib.machinery
import importlib.util
import re
import sys
import types
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_MISSING_NAME = re.compile(r"cannot import name '(?P<name>\w+)' from '(?P<module>mindspore[\w.]*)'")
_MISSING_ATTRIBUTE = re.compile(r"module '(?P<module>mindspore[\w.]*)' has no attribute '(?P<name>\w+)'")
_TYPES = {"bool", "dict", "float", "int", "list", "object", "str", "tuple", "Tensor"}


class Absent:
    """A name of MindSpore that the release does not have."""

    def __init__(self, path):
        self._path = path

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Absent(f"{self._path}.{name}")

    def __call__(self, *args, **kwargs):
        raise NameError(f"{self._path} is absent in this release")

    def __mro_entries__(self, bases):
        return (object,)


class _AbsentModule(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Absent(f"{self.__name__}.{name}")


class _AbsentModules(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Asked last: makes a module of MindSpore that the release does not have."""

    def find_spec(self, name, path, target=None):
        return importlib.machinery.ModuleSpec(name, self) if name.startswith("mindspore.") else None

    def create_module(self, spec):
        return _AbsentModule(spec.name)

    def exec_module(self, module):
        module.__path__ = []


class _OlderWords(ast.NodeTransformer):
    def visit_Call(self, node):
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name == "isinstance" and isinstance(node.args[1], ast.BinOp):
            node.args[1] = ast.Tuple(elts=list(_members(node.args[1])), ctx=ast.Load())
        if name == "zip":
            node.keywords = [keyword for keyword in node.keywords if keyword.arg != "strict"]
        self.generic_visit(node)
        return node

    def visit_BinOp(self, node):
        self.generic_visit(node)
        sides = node.left, node.right
        are_types = all(getattr(side, "id", None) in _TYPES or getattr(side, "value", ...) is None for side in sides)
        return ast.Name(id="object", ctx=ast.Load()) if isinstance(node.op, ast.BitOr) and are_types else node


def _members(union):
    return [*_members(union.left), *_members(union.right)] if isinstance(union, ast.BinOp) else [union]


class _OurFiles(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Asked first: reads the files of this folder."""

    def find_spec(self, name, path, target=None):
        file = ROOT.joinpath(*name.split(".")).with_suffix(".py")
        is_ours = name.startswith("tests.oracle.") and file.is_file()
        return importlib.util.spec_from_file_location(name, file, loader=self) if is_ours else None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        file = module.__spec__.origin
        tree = ast.fix_missing_locations(_OlderWords().visit(ast.parse(Path(file).read_text(encoding="utf-8"))))
        code = compile(tree, file, "exec", flags=__future__.annotations.compiler_flag, dont_inherit=True)
        while True:
            try:
                exec(code, vars(module))
                return
            except (AttributeError, ImportError) as error:
                _stand_in(error)


def _stand_in(error):
    """Put an `Absent` where a file found no name of MindSpore; any other error is raised again."""
    found = _MISSING_NAME.search(str(error)) or _MISSING_ATTRIBUTE.search(str(error))
    if not found:
        raise error
    setattr(sys.modules[found["module"]], found["name"], Absent(f"{found['module']}.{found['name']}"))


sys.meta_path.insert(0, _OurFiles())
sys.meta_path.append(_AbsentModules())
