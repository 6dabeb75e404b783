"""The names of a function that graph mode compiles: its own, its arguments, those around it, and those of its file."""

import ast
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias

from msbridge.dropin.release_guess.nodes import children, walk
from msbridge.scan.graph.value_kinds import (
    ARGUMENT,
    BOOL,
    DICT,
    FLOAT,
    INT,
    LIST,
    NONE,
    STR,
    SURE_SIGNS,
    TENSOR,
    TUPLE,
    UNKNOWN,
    ValueKind,
)
from msbridge.scan.project import Class, External, Module, Target

__all__ = ["CONSTANTS", "FunctionNode", "Names", "inside"]

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
ANNOTATED = {
    "int": INT,
    "float": FLOAT,
    "bool": BOOL,
    "str": STR,
    "Tensor": TENSOR,
    "tuple": TUPLE,
    "list": LIST,
    "dict": DICT,
}
OTHER_TYPES = {"tuple", "list", "dict", "str", "int", "float", "bool"}
OTHER_SIGNS = {
    *("append", "endswith", "extend", "format", "get", "insert", "items", "join", "keys", "lower", "pop", "startswith"),
    *("strip", "update", "upper", "values"),
}  # fmt: skip
INNER = {ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef}
CONSTANTS = {bool: BOOL, int: INT, float: FLOAT, str: STR, type(None): NONE}


class Signs:
    """The uses of names in the text of a function, found in one walk.

    Args:
        node: the function.

    Attributes:
        globals: those that it says are of its file.
        stored: those that it assigns.
        tensors: those with attributes that only Tensors have, in inner functions, too.
    """

    def __init__(self, node: ast.AST):
        self.globals: set[str] = set()
        self.stored: set[str] = set()
        self.tensors: set[str] = set()
        for part in inside(node):
            if isinstance(part, ast.Name):
                if part.ctx.__class__ is ast.Store:
                    self.stored.add(part.id)
            elif isinstance(part, ast.Attribute):
                self._note(part)
            elif isinstance(part, ast.Global):
                self.globals |= {*part.names}
            elif part.__class__ in INNER:
                for each in walk(part):
                    self._note(each)

    def _note(self, node: ast.AST) -> None:
        if isinstance(node, ast.Attribute) and node.attr in SURE_SIGNS and isinstance(node.value, ast.Name):
            self.tensors.add(node.value.id)


class Names:
    """The names of a function at a statement.

    Args:
        module: the file of the function.
        node: the function.
        owner: the class of `self`, for a method.
        is_entry: whether it is compiled by itself: its arguments are those of the user's call.
        outer: the scope around an inner function.
    """

    def __init__(
        self,
        module: Module,
        node: FunctionNode,
        owner: Class | None = None,
        is_entry: bool = False,
        outer: "Names | None" = None,
        defined_in: Class | None = None,
    ):
        self.module, self.node, self.owner, self.is_entry, self.outer = module, node, owner, is_entry, outer
        self.defined_in = defined_in or owner
        every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        bound = owner is not None and outer is None and bool(every) and not _is_static(node)
        self.self_name: str = every[0].arg if bound else outer.self_name if outer else ""
        self.arguments = [one.arg for one in (every[1:] if bound else every)]
        self.variable = [one.arg for one in (node.args.vararg, node.args.kwarg) if one]
        self.signs = module.compute_once(node, Signs)
        self.globals = self.signs.globals
        self.locals = self.signs.stored - self.globals
        self.env: dict[str, ValueKind] = {}
        self._targets: dict[ast.expr, Target] = {}
        self._called: dict[ast.AST, str] = {}
        self.aliases = set(self.arguments)  # the names that represent arguments as they came
        self.is_raising = False  # inside of a raise statement, whose text is made when it is raised
        self._before: dict[str, ValueKind | None] = {}  # what names meant where this way begins, if it binds them
        self._guess_arguments(every[1:] if bound else every)

    def _guess_arguments(self, arguments: Sequence[ast.arg]) -> None:
        defaults = self._defaults()
        tensors = self.signs.tensors
        if self.is_entry and arguments and arguments[0].arg not in defaults:
            tensors = tensors | ({arguments[0].arg} - self.module.compute_once(self.node, _find_non_tensor_names))
        for argument in arguments:
            said = argument.annotation
            name = said.id if isinstance(said, ast.Name) else said.attr if isinstance(said, ast.Attribute) else ""
            default = defaults.get(argument.arg)
            if name in ANNOTATED:
                self.env[argument.arg] = ANNOTATED[name]
            elif argument.arg in tensors:
                self.env[argument.arg] = TENSOR
            elif isinstance(default, ast.Constant) and isinstance(default.value, str | bool | int | float):
                self.env[argument.arg] = CONSTANTS[type(default.value)]
            else:
                self.env[argument.arg] = ARGUMENT
        if self.node.args.vararg:
            self.env[self.node.args.vararg.arg] = TUPLE
        if self.node.args.kwarg:
            self.env[self.node.args.kwarg.arg] = DICT

    def _defaults(self) -> dict[str, ast.expr]:
        args = self.node.args
        plain = [*args.posonlyargs, *args.args]
        found = {one.arg: value for one, value in zip(reversed(plain), reversed(args.defaults), strict=False)}
        return found | {one.arg: value for one, value in zip(args.kwonlyargs, args.kw_defaults, strict=True) if value}

    # What a name represents

    def is_own(self, name: str) -> bool:
        """Whether a name belongs to this function: it assigns it, or takes it as an argument."""
        return name in self.locals or name in self.arguments or name in self.variable

    def target(self, node: ast.expr) -> Target:
        """Return the target of a name or dotted name of a module; None for local names and unknown ones."""
        if node not in self._targets:  # several rules ask for each call
            self._targets[node] = self._find(node)
        return self._targets[node]

    def _find(self, node: ast.expr) -> Target:
        first = node
        while isinstance(first, ast.Attribute):
            first = first.value
        if not isinstance(first, ast.Name) or first.id == self.self_name or self.is_local(first.id):
            return None
        return self.module.resolve(node)

    def is_local(self, name: str) -> bool:
        """Whether a name belongs to this function or to one around it."""
        return self.is_own(name) or (self.outer is not None and self.outer.is_local(name))

    def external(self, node: ast.expr) -> str:
        """Return the external name that an expression is, or an empty text."""
        found = self.target(node)
        return found.name if isinstance(found, External) else ""

    def callee_name(self, node: ast.AST) -> str:
        """Return the external name that a call calls, or an empty text."""
        known = self._called.get(node)
        if known is None:
            known = self._called[node] = self.external(node.func) if isinstance(node, ast.Call) else ""
        return known

    def is_self(self, node: ast.expr) -> bool:
        """Whether an expression is `self`."""
        return isinstance(node, ast.Name) and bool(self.self_name) and node.id == self.self_name

    def own_attribute(self, node: ast.AST) -> str:
        """Return the name of `self.name`, or an empty text."""
        return node.attr if isinstance(node, ast.Attribute) and self.is_self(node.value) else ""

    def name(self, name: str, kind: ValueKind) -> None:
        """Note that a name now refers to something of this kind."""
        self._before.setdefault(name, self.env.get(name))
        self.env[name] = kind

    @contextmanager
    def way(self) -> Iterator[dict[str, ValueKind]]:
        """Go a way and come back; what is given has, then, what it bound, and costs as much as that."""
        bound: dict[str, ValueKind] = {}
        outer, self._before = self._before, {}
        yield bound
        for name, kind in self._before.items():
            bound[name] = self.env.pop(name)
            if kind is not None:
                self.env[name] = kind
        self._before = outer

    def bind(self, target: ast.expr, kind: ValueKind) -> None:
        """Note that a name now refers to something of this kind; names in a tuple for something unknown."""
        if isinstance(target, ast.Name):
            self.name(target.id, kind)
            self.aliases.discard(target.id)
        elif isinstance(target, ast.Tuple | ast.List):
            part = INT if kind.detail == "shape" else TENSOR if kind.is_tensor else UNKNOWN
            for one in target.elts:
                self.bind(one, TUPLE if isinstance(one, ast.Starred) else part)
        elif isinstance(target, ast.Starred):
            self.bind(target.value, kind)


def inside(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function, without inner functions' own, in no certain order."""
    waiting = children(node)
    while waiting:
        child = waiting.pop()
        yield child
        if child.__class__ not in INNER:
            waiting += children(child)


def _is_static(node: FunctionNode) -> bool:
    decorators = getattr(node, "decorator_list", [])
    return any(isinstance(one, ast.Name) and one.id == "staticmethod" for one in decorators)


def _find_non_tensor_names(node: ast.AST) -> set[str]:
    """Return the names that are used as lists, dicts, texts or numbers."""
    names: set[str] = set()
    for node_inside in walk(node):
        parts: list[ast.expr | None] = []
        if (isinstance(node_inside, ast.Attribute) and node_inside.attr in OTHER_SIGNS) or (
            isinstance(node_inside, ast.Subscript)
            and isinstance(node_inside.slice, ast.Constant)
            and isinstance(node_inside.slice.value, str)
        ):
            parts = [node_inside.value]
        elif isinstance(node_inside, ast.Compare):
            sides = [node_inside.left, *node_inside.comparators]
            if any(isinstance(side, ast.Constant) and isinstance(side.value, str) for side in sides):
                parts = list(sides)
            named = {
                each.id for side in node_inside.comparators for each in ast.walk(side) if isinstance(each, ast.Name)
            }
            if isinstance(node_inside.left, ast.Call) and named & OTHER_TYPES:  # type(x) in (tuple, list)
                parts = list(node_inside.left.args)
        elif isinstance(node_inside, ast.For | ast.comprehension):
            parts = [node_inside.iter, *(node_inside.iter.args if isinstance(node_inside.iter, ast.Call) else [])]
        elif isinstance(node_inside, ast.Assign) and isinstance(node_inside.targets[0], ast.Tuple):
            parts = [node_inside.value]
        elif (
            isinstance(node_inside, ast.Call)
            and isinstance(node_inside.func, ast.Name)
            and node_inside.func.id in ("isinstance", "type")
        ):
            kinds = {each.id for part in node_inside.args[1:] for each in ast.walk(part) if isinstance(each, ast.Name)}
            parts = [node_inside.args[0]] if node_inside.args and kinds & OTHER_TYPES else []
        names |= {part.id for part in parts if isinstance(part, ast.Name)}
    return names
