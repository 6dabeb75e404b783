"""The walk through a file of MindSpore: inside out, so that an expression is changed when its parts are."""

import ast
from collections.abc import Iterator

from msbridge.translate.context import UNKNOWN, Context, Value
from msbridge.translate.edits import Text
from msbridge.translate.reverse import calls, members, names
from msbridge.translate.reverse.inverses import public_path
from msbridge.translate.translation import Kind

__all__ = ["Walker"]

Function = ast.FunctionDef | ast.AsyncFunctionDef
NEEDLESS_DECORATORS = ("mindspore.jit", "mindspore.ms_function", "mindspore.ops.constexpr", "mindspore.ops.primexpr")
METHODS = {"construct": "forward", "set_train": "train"}


class Walker:
    """Visits a file, once.

    Attributes:
        context: the file.
        is_network: whether the class around is a Cell.
        function: the function around.
        classes: the classes of the file that are Cells.
    """

    def __init__(self, context: Context):
        self.context = context
        self.is_network = False
        self.function: Function | None = None
        self.classes: set[str] = set()
        self.narrowed: list[dict[str, str]] = []  # names, and the layer that `isinstance` says they are
        self._scopes: list[set[str]] = [set()]  # names that are numbers
        imports = (alias for one in context.nodes.of(ast.Import) for alias in one.names)
        self._numpy = {one.asname or one.name for one in imports if one.name == "numpy"}
        self._arrays: set[str] = set()  # names of the function around that got arrays

    @property
    def text(self) -> Text:
        """The text of the file."""
        return self.context.text

    def numbers(self) -> frozenset[str]:
        """Return the names that are numbers."""
        return frozenset().union(*self._scopes)

    def arrays(self) -> set[str]:
        """Return numpy's name, and the names that its arrays have got."""
        return self._numpy | self._arrays

    def value(self, node: ast.expr | None, role: str = "value") -> Value:
        """Visit an expression."""
        if node is not None:
            self.expression(node, role)
        return UNKNOWN

    def path(self, node: ast.expr) -> str:
        """Return the public path of a name of MindSpore; "" of others."""
        return names.path_of(self.context, node)

    def body(self, body: list[ast.stmt]) -> None:
        """Visit statements."""
        for one in body:
            self.context.statement = one
            self._statement(one)

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Import | ast.ImportFrom | ast.Global | ast.Nonlocal | ast.Pass):
            return
        if isinstance(node, ast.ClassDef):
            self._class(node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            self._function(node)
        elif isinstance(node, ast.If):
            self._if(node)
        elif not members.statement(self, node):
            for part in _parts(node):
                if isinstance(part, list):
                    self.body(part)
                else:
                    self.context.statement = node
                    is_annotation = isinstance(node, ast.AnnAssign) and part is node.annotation
                    self.expression(part, "annotation" if is_annotation else "value")

    def _class(self, node: ast.ClassDef) -> None:
        paths = [self.path(one) for one in node.bases]
        known = any(isinstance(one, ast.Name) and one.id in self.classes for one in node.bases)
        defines = any(isinstance(one, ast.FunctionDef) and one.name == "construct" for one in node.body)
        before = self.is_network
        self.is_network = known or defines or any(path.startswith("mindspore.nn.") for path in paths)
        for decorator in node.decorator_list:
            self.expression(decorator)
        for base in node.bases:
            self.expression(base, "base")
        if self.is_network:
            self.classes.add(node.name)
        self.body(node.body)
        self.is_network = before

    def _function(self, node: Function) -> None:
        context, text = self.context, self.text
        for decorator in node.decorator_list:
            path = self.path(decorator.func if isinstance(decorator, ast.Call) else decorator)
            if path in NEEDLESS_DECORATORS:
                start = text.line_start(text.line_of(text.start(decorator)))
                end = text.line_start(text.line_of(text.end(decorator)) + 1)
                text.replace(start, end, "")
                context.note(start, end, Kind.REWRITTEN, f"{path} needs nothing in its place")
            else:
                self.expression(decorator)
        if self.is_network and node.name in METHODS:
            start = text.source.index(node.name, text.start(node) + len("def "))
            context.rename(start, start + len(node.name), METHODS[node.name])
        arguments = node.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        every += [each for each in (arguments.vararg, arguments.kwarg) if each]
        for each in every:
            if each.annotation is not None:
                self.expression(each.annotation, "annotation")
        for default in (*arguments.defaults, *(one for one in arguments.kw_defaults if one)):
            self.expression(default)
        if node.returns is not None:
            self.expression(node.returns, "annotation")
        before = self.function
        self.function = node
        self._scopes.append(_number_names(node))
        self._arrays = self._array_names(node)
        self.body(node.body)
        self._scopes.pop()
        self.function = before

    def _array_names(self, node: Function) -> set[str]:
        """Return the arguments of a function that are arrays, and the names that it assigns what begins with numpy."""
        every = (one for one in ast.walk(node.args) if isinstance(one, ast.arg) and one.annotation is not None)
        known = {one.arg for one in every if ast.unparse(one.annotation).partition(".")[0] in self._numpy}  # type: ignore[arg-type]
        for one in sorted((one for one in ast.walk(node) if isinstance(one, ast.Assign)), key=lambda one: one.lineno):
            text = ast.unparse(one.value)
            if text.partition(".")[0].partition("[")[0] in self._numpy | known and isinstance(one.targets[0], ast.Name):
                known.add(one.targets[0].id)
        return known

    def _if(self, node: ast.If) -> None:
        test = node.test
        layers = {}
        for part in test.values if isinstance(test, ast.BoolOp) else [test]:
            if isinstance(part, ast.Call) and ast.unparse(part.func) == "isinstance" and len(part.args) == 2:
                which = part.args[1].elts if isinstance(part.args[1], ast.Tuple) else [part.args[1]]
                if all(self.path(each) for each in which):
                    layers[ast.unparse(part.args[0])] = self.path(which[0])
        self.expression(test)
        self.narrowed.append(layers)
        self.body(node.body)
        self.narrowed.pop()
        self.body(node.orelse)

    def layer_of(self, node: ast.expr) -> str:
        """Return the layer of MindSpore that `isinstance` says a name is; "" where it says nothing."""
        name = ast.unparse(node)
        return next((layers[name] for layers in reversed(self.narrowed) if name in layers), "")

    def expression(self, node: ast.expr, role: str = "value") -> None:
        """Change an expression."""
        if isinstance(node, ast.Call):
            self._call(node)
        elif isinstance(node, ast.Name | ast.Attribute) and self.path(node):
            names.reference(self, node, role)
        elif isinstance(node, ast.Attribute):
            self.expression(node.value)
            members.attribute(self, node)
        elif isinstance(node, ast.Constant) and role == "annotation" and isinstance(node.value, str):
            names.rename_quoted(self, node)
        elif isinstance(node, ast.Lambda):
            self.expression(node.body)
        else:
            for part in ast.iter_child_nodes(node):
                self._part(part, role if role in ("annotation", "class") else "value")

    def _part(self, node: ast.AST, role: str) -> None:
        if isinstance(node, ast.expr):
            self.expression(node, role)
        elif isinstance(node, ast.comprehension):
            for one in (node.target, node.iter, *node.ifs):
                self.expression(one)
        elif not isinstance(node, ast.expr_context | ast.operator | ast.cmpop | ast.boolop | ast.unaryop):
            for part in ast.iter_child_nodes(node):
                self._part(part, role)

    def _call(self, node: ast.Call) -> None:
        function = node.func
        path = self.path(function)
        if ast.unparse(function) == "hasattr" and self.path(node.args[0]) and isinstance(node.args[1], ast.Constant):
            asked = public_path(f"{self.path(node.args[0])}.{node.args[1].value!s}")
            start, end = self.text.start(node), self.text.end(node)
            self.context.rewrite(start, end, str(names.is_known(asked)), f"whether {asked} has a counterpart")
            return
        is_test = isinstance(function, ast.Name) and function.id in ("isinstance", "issubclass") and len(node.args) == 2
        for number, one in enumerate(node.args):
            self.expression(one, "class" if is_test and number else "value")
        for word in node.keywords:
            self.expression(word.value)
        if path:
            calls.visit(self, node, path)
        elif isinstance(function, ast.Attribute):
            self.expression(function.value)
            members.call(self, node, function)
        else:
            self.expression(function)


def _parts(node: ast.AST) -> Iterator[ast.expr | list[ast.stmt]]:
    """Yield the expressions and bodies of a statement."""
    for value in (value for _, value in ast.iter_fields(node)):
        if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
            yield value
            continue
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.expr):
                yield part
            elif isinstance(part, ast.AST):
                yield from _parts(part)


def _number_names(node: Function) -> set[str]:
    """Return the arguments of a function that are numbers, by their annotations or defaults."""
    every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    known = {one.arg for one in every if one.annotation is not None and ast.unparse(one.annotation) in ("int", "float")}
    late = [*node.args.posonlyargs, *node.args.args]
    pairs = [*zip(late[len(late) - len(node.args.defaults) :], node.args.defaults, strict=True)]
    pairs += [(one, value) for one, value in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True) if value]
    for one, value in pairs:
        if one.annotation is None and isinstance(value, ast.Constant) and type(value.value) in (int, float):
            known.add(one.arg)
    return known
