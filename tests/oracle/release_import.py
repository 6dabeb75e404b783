"""Lets the interpreters of earlier releases (Python 3.9 for 2.0.0) read the cases; stands in for what a release lacks.

Importing this file installs it. Our files are read with four forms of newer Python put into older words:
`isinstance(x, A | B)`, `zip(..., strict=...)`, and unions and arguments of types outside annotations. A module or a
name of MindSpore that the release does not have is an `Absent`, and so is what a file of cases defines by means of one,
or of what the release refuses: a case that touches it raises `NameError`, and is not recorded. What the release has at
another place, or by another name, is found at today's as well (`EARLIER_PLACES`).
"""

import __future__

import ast
import functools
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import re
import sys
import types
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_MISSING_NAME = re.compile(r"cannot import name '(?P<name>\w+)' from '(?P<module>mindspore[\w.]*)'")
MISSING_ATTRIBUTE = re.compile(r"module '(?P<module>mindspore[\w.]*)' has no attribute '(?P<name>\w+)'")
_METRICS = """
Accuracy BleuScore ConfusionMatrix ConfusionMatrixMetric CosineSimilarity Dice F1 Fbeta HausdorffDistance Loss MAE MSE
MeanSurfaceDistance Metric OcclusionSensitivity Perplexity Precision ROC Recall RootMeanSquareDistance
Top1CategoricalAccuracy Top5CategoricalAccuracy TopKCategoricalAccuracy auc get_metric_fn names rearrange_inputs
"""
EARLIER_PLACES = {
    "mindspore": {
        "jit": "mindspore.ms_function",
        **{name: f"mindspore.ops.{name}" for name in ("grad", "value_and_grad", "jvp", "vmap")},
    },
    "mindspore.train": {name: f"mindspore.nn.{name}" for name in _METRICS.split()},
}
"""Where releases before 2.0 have what is at a module's name today."""
_TYPES = {"bool", "bytes", "dict", "float", "int", "list", "memoryview", "object", "str", "tuple", "Tensor"}
_GENERIC = {"Callable", "Iterable", "Iterator", "Mapping", "Sequence", "dict", "frozenset", "list", "set", "tuple"}


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

    def __call__(self, *args, **kwargs):
        raise NameError(f"{self.__name__} is absent in this release")

    def __mro_entries__(self, bases):
        return (object,)


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

    def visit_Subscript(self, node):
        self.generic_visit(node)
        is_type = isinstance(node.value, ast.Name) and node.value.id in _GENERIC
        return node.value if is_type and isinstance(node.ctx, ast.Load) else node

    def visit_BinOp(self, node):
        self.generic_visit(node)
        sides = node.left, node.right
        return (
            ast.Name(id="object", ctx=ast.Load())
            if isinstance(node.op, ast.BitOr) and all(map(_is_type, sides))
            else node
        )


def _is_type(node):
    if isinstance(node, ast.Subscript):
        return _is_type(node.value)
    return getattr(node, "id", None) in _TYPES or getattr(node, "value", ...) is None


def _members(union):
    return [*_members(union.left), *_members(union.right)] if isinstance(union, ast.BinOp) else [union]


class _OurFiles(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Asked first: reads the files of the tests and what they import of the product."""

    def find_spec(self, name, path, target=None):
        file = ROOT.joinpath(*name.replace("msbridge.converters.", "converters.").split(".")).with_suffix(".py")
        is_ours = name.startswith(("tests.", "converters.", "msbridge.converters.")) and file.is_file()
        return importlib.util.spec_from_file_location(name, file, loader=self) if is_ours else None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        file = module.__spec__.origin
        tree = ast.fix_missing_locations(_OlderWords().visit(ast.parse(Path(file).read_text(encoding="utf-8"))))
        for statement in tree.body:
            part = ast.Module(body=[statement], type_ignores=[])
            code = compile(part, file, "exec", flags=__future__.annotations.compiler_flag, dont_inherit=True)
            try:
                _execute(code, vars(module))
            except Exception:
                names = _defined(statement)
                if not names or "CASES" in names:
                    raise
                vars(module).update({name: Absent(name) for name in names})


def _execute(code, scope):
    """Execute a statement; a name of MindSpore that is missing is absent, and the statement begins again."""
    while True:
        try:
            exec(code, scope)
            return
        except (AttributeError, ImportError) as error:
            _stand_in(error)


def _defined(statement):
    """Return the names that an assignment, a function or a class defines."""
    if hasattr(statement, "name"):
        return [statement.name]
    targets = getattr(statement, "targets", [getattr(statement, "target", None)])
    return [node.id for target in targets if target for node in ast.walk(target) if isinstance(node, ast.Name)]


def _stand_in(error):
    """Put an `Absent` where a file found no name of MindSpore; any other error is raised again."""
    found = _MISSING_NAME.search(str(error)) or MISSING_ATTRIBUTE.search(str(error))
    if not found:
        raise error
    setattr(sys.modules[found["module"]], found["name"], Absent(f"{found['module']}.{found['name']}"))


def _put_at_todays_places():
    """Let names be found where 2.10 has them; functions of gradients only where they take weights, as today's."""
    for module, names in EARLIER_PLACES.items():
        for name, place in names.items():
            room, _, earlier = place.rpartition(".")
            value = getattr(importlib.import_module(room), earlier, None)
            takes_weights = "grad" not in name or "weights" in inspect.signature(value or len).parameters
            if value is not None and takes_weights and not hasattr(importlib.import_module(module), name):
                setattr(importlib.import_module(module), name, value)


functools.cache = getattr(functools, "cache", functools.lru_cache(maxsize=None))  # of Python 3.9
_put_at_todays_places()
sys.modules["msbridge"] = types.ModuleType("msbridge")  # only its `converters` are used, which are beside the tests
sys.modules["msbridge"].__path__ = [str(ROOT)]
sys.meta_path.insert(0, _OurFiles())
sys.meta_path.append(_AbsentModules())
