"""Blocks of statements, and the statements that have blocks of their own."""

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from msbridge.contrib.rewrite.node_types import NodeType
from msbridge.contrib.rewrite.scoped_values import ScopedValue, value_of
from msbridge.contrib.rewrite.statements import Statement, targets_of

__all__ = ["Block", "CallFunction", "CellContainer", "ControlFlow"]


class Block:
    """Statements in order: of `construct`, of a function, of a branch or loop, or the Cells of a container.

    Args:
        tree: the tree that it belongs to.
        syntax: the list of statements, which changes with the block.
        arguments: the parameters, of a function.
    """

    def __init__(self, tree: Any, syntax: list[ast.stmt], arguments: ast.arguments | None = None) -> None:
        self.tree, self.body, self.arguments = tree, syntax, arguments
        self._statements: list[Statement] = []

    def nodes(self) -> list[Statement]:
        """Return the statements."""
        return list(self._statements)

    def get_node(self, name: str) -> Statement | None:
        """Return the statement of this name, or None."""
        return next((one for one in self._statements if one.name == name), None)

    def get_head(self) -> Statement | None:
        """Return the first statement."""
        return self._statements[0] if self._statements else None

    def get_tail(self) -> Statement | None:
        """Return the last statement."""
        return self._statements[-1] if self._statements else None

    def get_input_nodes(self) -> list[Statement]:
        """Return the statements that are parameters."""
        return [one for one in self._statements if one.node_type is NodeType.Input]

    def get_returns(self) -> list[Statement]:
        """Return the statements that return."""
        return [one for one in self._statements if one.node_type is NodeType.Output]

    def get_tree_nodes(self) -> list[Statement]:
        """Return the statements that call networks with trees of their own, those of inner blocks as well."""
        inner = [
            one for statement in self._statements if isinstance(statement, Block) for one in statement.get_tree_nodes()
        ]
        return [one for one in self._statements if one.node_type is NodeType.Tree] + inner

    def place(self, statement: Statement, base: Statement | None = None, is_before: bool = False) -> None:
        """Put a statement in its place, under a name that its tree does not have; the syntax stays as it is.

        Args:
            statement: belongs to no block.
            base: one of this block; without one the place is the end.
            is_before: put it before `base`, not behind.
        """
        statement.name = self.tree.names.unique(statement.name or _default_name(statement))
        at = len(self._statements)
        if base is not None:
            at = next(at for at, one in enumerate(self._statements) if one is base) + (not is_before)
        self._statements.insert(at, statement)
        statement.block = self

    def write(self, statement: Statement, base: Statement | None, is_before: bool) -> None:
        """Put the syntax of a statement beside that of another one; before all where that one is a parameter."""
        if statement.node_type is NodeType.Input:
            assert self.arguments is not None
            self.arguments.args.append(statement.syntax)
            self.arguments.defaults.append(ast.Constant(None))
            return
        at = next((at for at, one in enumerate(self.body) if base is not None and one is base.syntax), -1)
        self.body.insert(at if at >= 0 and is_before else at + 1, statement.syntax)

    def forget(self, statement: Statement) -> None:
        """Take a statement out; the syntax stays as it is."""
        self._statements = [one for one in self._statements if one is not statement]
        statement.block = None

    def unwrite(self, statement: Statement) -> None:
        """Take the syntax of a statement out."""
        if isinstance(statement, ControlFlow):
            statement.body.clear()
            if statement.other is not None and statement.other.block is not None:  # the other branch stays
                return
        elif statement.node_type is NodeType.Input and self.arguments is not None:
            _remove_argument(self.arguments, statement.syntax)
        self.body[:] = [one for one in self.body if one is not statement.syntax]


def _default_name(statement: Statement) -> str:
    match statement.node_type:
        case NodeType.Input:
            return "parameter"
        case NodeType.Output:
            return "return"
        case NodeType.MathOps:
            return "math_ops"
        case NodeType.Python:
            return "python_node"
    return type(statement.instance).__name__


def _remove_argument(arguments: ast.arguments, one: ast.arg) -> None:
    at = next((at for at, other in enumerate(arguments.args) if other is one), None)
    if at is None:
        return
    first = len(arguments.args) - len(arguments.defaults)
    if at >= first:
        del arguments.defaults[at - first]
    del arguments.args[at]


class CallFunction(Statement, Block):
    """Calls a function or a method; the block is its body, and empty where that is not looked into.

    Args:
        tree: the tree of the statement; None before it is inserted.
        syntax: the assignment.
        name: of the node.
        function: what is called.
        instance: the function, where it is known.
        definition: its definition.
        is_method: it is a method of the network.
        instance_type: the class that is called, where one is.
    """

    def __init__(
        self,
        tree: Any,
        syntax: ast.Assign | None,
        name: str,
        function: ScopedValue,
        instance: Any = None,
        definition: ast.FunctionDef | None = None,
        is_method: bool = False,
        instance_type: type | None = None,
    ) -> None:
        call = syntax.value if syntax is not None else None
        args = [value_of(value) for value in call.args] if isinstance(call, ast.Call) else []
        keywords = call.keywords if isinstance(call, ast.Call) else []
        Statement.__init__(
            self,
            NodeType.CallFunction,
            syntax,
            name,
            targets_of(syntax.targets[0]) if syntax is not None else [],
            args,
            {keyword.arg or "**": value_of(keyword.value) for keyword in keywords},
            function,
            instance,
        )
        Block.__init__(self, tree, definition.body if definition else [], definition.args if definition else None)
        self.definition, self.is_method, self.made = definition, is_method, instance_type

    @classmethod
    def make_inserted(
        cls,
        function: Any,
        targets: Sequence[ScopedValue],
        args: Sequence[ScopedValue],
        kwargs: Mapping[str, ScopedValue],
    ) -> "CallFunction":
        """Return a statement to be inserted."""
        name = function.__name__
        found = cls(None, None, name, ScopedValue.create_naming_value(name), function)
        found.targets, found.args, found.kwargs = list(targets), list(args), dict(kwargs)
        return found


class ControlFlow(Statement, Block):
    """A branch or a loop; the block is the body of it, or of its `else`.

    Args:
        tree: the tree of the statement.
        syntax: the whole statement.
        name: of the node.
        is_orelse: the block is that of `else`.

    Attributes:
        other: the statement of the other block, where there is one.
        test_result: whether the test is true, where that is known without running the network.
    """

    def __init__(self, tree: Any, syntax: ast.If | ast.For | ast.While, name: str, is_orelse: bool = False) -> None:
        tested = syntax.iter if isinstance(syntax, ast.For) else syntax.test
        Statement.__init__(self, NodeType.ControlFlow, syntax, name, [], [value_of(tested)])
        Block.__init__(self, tree, syntax.orelse if is_orelse else syntax.body)
        self.is_orelse = is_orelse
        self.other: ControlFlow | None = None
        self.test_result: bool | None = None

    def get_source_code(self) -> str:
        """Return the statement as text, without the block of the other node."""
        text = super().get_source_code()
        if self.other is None and not self.is_orelse:
            return text
        head, mark, rest = text.rpartition("\nelse:") if not isinstance(self.syntax, ast.If) else _split(self.syntax)
        return (mark + rest).strip() if self.is_orelse else head.strip()


def _split(syntax: ast.If) -> tuple[str, str, str]:
    body = ast.unparse(ast.If(syntax.test, syntax.body or [ast.Pass()], []))
    inner = "\n".join(ast.unparse(one) for one in syntax.orelse)
    return body, "else:\n", "\n".join(f"    {line}" for line in inner.splitlines())


class CellContainer(Statement, Block):
    """Calls a SequentialCell, or takes a list of Cells; the block has a statement for each Cell.

    Args:
        tree: the tree of the statement.
        syntax: the assignment; None for a container within a container.
        name: of the node.
        function: what is called.
        instance: the container.

    Attributes:
        originals: the statements of the Cells that the container has.
    """

    def __init__(
        self,
        tree: Any,
        syntax: ast.Assign | None,
        name: str,
        function: ScopedValue,
        instance: Any,
        targets: Sequence[ScopedValue],
        args: Sequence[ScopedValue] = (),
        kwargs: Mapping[str, ScopedValue] | None = None,
    ) -> None:
        Statement.__init__(self, NodeType.CellContainer, syntax, name, targets, args, kwargs, function, instance)
        Block.__init__(self, tree, [])
        self.originals: list[Statement] = []

    def write(self, statement: Statement, base: Statement | None, is_before: bool) -> None:
        """Do nothing: the container is made again of the Cells of its statements."""

    def unwrite(self, statement: Statement) -> None:
        """Do nothing: the container is made again of the Cells of its statements."""
