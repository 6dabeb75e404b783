"""The walk through a file: statements in their order, with what is known of the names at each."""

import ast
from collections.abc import Callable

from msbridge.translate import calls, methods, names, statements, training_steps
from msbridge.translate.context import UNKNOWN, Context, Value

__all__ = ["Walker"]

SEQUENCES = (ast.List, ast.Tuple, ast.Set, ast.ListComp)


class Walker:
    """Visits a file, once, and has every kind of node changed by the module that knows it.

    Attributes:
        context: the file.
        scopes: what is known of the names, innermost last.
        class_: the class around, and what it is called; "" outside.
        attributes: what is known of `self.…` there.
        function: the function around.
    """

    def __init__(self, context: Context):
        self.context = context
        self.scopes: list[dict[str, Value]] = [{}]
        self.class_ = ""
        self.is_module = False
        self.attributes: dict[str, Value] = {}
        self.function: ast.FunctionDef | ast.AsyncFunctionDef | None = None
        self._visited: dict[ast.expr, Value] = {}  # an expression is changed once, whoever asks what it is
        self._values: dict[type[ast.AST], Callable[..., Value]] = {
            ast.Name: self._name,
            ast.Attribute: self._attribute,
            ast.Call: self._call,
            ast.Constant: self._constant,
            ast.BinOp: self._operation,
            ast.UnaryOp: self._unary,
            ast.Compare: self._compare,
            ast.Subscript: self._subscript,
            ast.IfExp: self._choice,
            ast.Lambda: self._lambda,
            ast.Dict: self._dict,
            ast.BoolOp: self._bool,
            ast.NamedExpr: self._assignment,
        }
        for kind in SEQUENCES:
            self._values[kind] = self._sequence

    def body(self, body: list[ast.stmt]) -> None:
        """Visit statements."""
        for one in body:
            self.context.statement = one
            statements.visit(self, one)
        training_steps.rewrite(self, body)

    def value(self, node: ast.expr | None, role: str = "value") -> Value:
        """Visit an expression, and return what is known of it."""
        if node is None:
            return UNKNOWN
        if role == "annotation":
            names.annotation(self, node)
            return UNKNOWN
        if node not in self._visited:
            visit = self._values.get(node.__class__, self._other)
            self._visited[node] = visit(node)
        return self._visited[node]

    def _other(self, node: ast.expr) -> Value:
        self.parts(node)
        return UNKNOWN

    def parts(self, node: ast.AST) -> None:
        """Visit what is in a node."""
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.expr):
                self.value(part)
            elif isinstance(part, ast.comprehension):
                self._comprehension(part)
            elif isinstance(part, ast.stmt):
                statements.visit(self, part)
            elif not isinstance(part, ast.expr_context | ast.operator | ast.cmpop | ast.boolop | ast.unaryop):
                self.parts(part)

    def lookup(self, name: str) -> Value:
        """Return the kind of a name."""
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return UNKNOWN

    def numbers(self) -> frozenset[str]:
        """Return the names that are numbers."""
        merged: dict[str, Value] = {}
        for scope in self.scopes:
            merged |= scope
        return frozenset(name for name, value in merged.items() if value.kind == "number")

    def bind(self, target: ast.expr, value: Value) -> None:
        """Note what an assignment makes of a name or an attribute."""
        if isinstance(target, ast.Name):
            self.scopes[-1][target.id] = value
        elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
            known = self.attributes.get(target.attr)
            self.attributes[target.attr] = (
                value if known in (None, value) else Value(value.kind if known and known.kind == value.kind else "")
            )
            methods.rename_forward(self, target)
        elif isinstance(target, ast.Tuple | ast.List):
            inner = Value("tensor") if value.kind in ("tensor", "pair") else UNKNOWN
            for one in target.elts:
                self.bind(one.value if isinstance(one, ast.Starred) else one, inner)
        else:
            self.value(target)

    def _name(self, node: ast.Name) -> Value:
        path = self.context.bound.path(node)
        if path:
            return names.reference(self, node, path)
        return self.lookup(node.id)

    def _attribute(self, node: ast.Attribute) -> Value:
        path = self.context.bound.path(node)
        if path and self.lookup(names.root(node)).kind not in ("tensor", "cell"):
            return names.reference(self, node, path)
        return methods.attribute(self, node)

    def _call(self, node: ast.Call) -> Value:
        return calls.visit(self, node)

    def _constant(self, node: ast.Constant) -> Value:
        kinds = {bool: "bool", int: "number", float: "number", str: "str"}
        return Value(kinds.get(type(node.value), ""))

    def _operation(self, node: ast.BinOp) -> Value:
        kinds = {self.value(node.left).kind, self.value(node.right).kind}
        for kind in ("tensor", "str", "sequence"):
            if kind in kinds:
                return Value(kind)
        return Value("number") if kinds == {"number"} else UNKNOWN

    def _unary(self, node: ast.UnaryOp) -> Value:
        value = self.value(node.operand)
        return UNKNOWN if isinstance(node.op, ast.Not) else value

    def _compare(self, node: ast.Compare) -> Value:
        where = node.comparators[0]
        is_listed = isinstance(node.ops[0], ast.In) and isinstance(where, ast.Call) and ast.unparse(where.func) == "dir"
        if is_listed and calls.has_name(self, node, where.args[0], node.left):  # type: ignore[attr-defined]
            return Value("bool")
        kinds = [self.value(one).kind for one in (node.left, *node.comparators)]
        is_plain = any(isinstance(op, ast.Is | ast.IsNot | ast.In | ast.NotIn) for op in node.ops)
        return Value("tensor") if kinds[0] == "tensor" and not is_plain else UNKNOWN

    def _bool(self, node: ast.BoolOp) -> Value:
        values = [self.value(one) for one in node.values]
        return values[0] if len(set(values)) == 1 else UNKNOWN

    def _assignment(self, node: ast.NamedExpr) -> Value:
        value = self.value(node.value)
        self.bind(node.target, value)
        return value

    def _subscript(self, node: ast.Subscript) -> Value:
        value = self.value(node.value)
        self.value(node.slice)
        if value.kind == "pair":
            return Value("tensor")
        return value if value.kind in ("tensor",) else Value("number") if value.kind == "shape" else UNKNOWN

    def _choice(self, node: ast.IfExp) -> Value:
        if "cuda.is_available" in ast.unparse(node.test):
            text = self.context.text
            new = f'{self.context.use("ms")}.get_context("device_target")'
            self.context.rewrite(text.start(node), text.end(node), new, "the device that is set")
            return Value("device")
        self.value(node.test)
        first, second = self.value(node.body), self.value(node.orelse)
        if isinstance(node.orelse, ast.Constant) and node.orelse.value is None:
            return first
        return first if first == second else Value(first.kind) if first.kind == second.kind else UNKNOWN

    def _lambda(self, node: ast.Lambda) -> Value:
        for default in (*node.args.defaults, *(one for one in node.args.kw_defaults if one)):
            self.value(default)
        self.scopes.append({one.arg: UNKNOWN for one in node.args.args})
        self.value(node.body)
        self.scopes.pop()
        return UNKNOWN

    def _dict(self, node: ast.Dict) -> Value:
        self.parts(node)
        return Value("dict")

    def _sequence(self, node: ast.expr) -> Value:
        if isinstance(node, ast.ListComp):
            for one in node.generators:
                self._comprehension(one)
            self.value(node.elt)
        else:
            self.parts(node)
        return Value("sequence")

    def _comprehension(self, node: ast.comprehension) -> None:
        statements.iterate(self, node.target, node.iter)
        for one in node.ifs:
            self.value(one)
