"""A statement of a network: what it calls, with which arguments, and where its results go."""

import ast
import inspect
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msbridge.contrib.rewrite.node_types import NodeType
from msbridge.contrib.rewrite.scoped_values import ScopedValue, expression_of, value_of
from msbridge.core.checks.arguments import in_range
from msbridge.nn.cell.cell import Cell
from msbridge.ops.primitive.primitive import Primitive

if TYPE_CHECKING:
    from msbridge.contrib.rewrite.blocks import Block

__all__ = ["Made", "Statement", "targets_of"]

Place = tuple[Any, int | str]  # a list and an index, or a syntax node and the name of a field


class Made:
    """Replaces a primitive that `construct` makes before it calls it.

    Args:
        kind: its class.
    """

    def __init__(self, kind: type[Primitive]) -> None:
        self.kind = kind


class Statement:
    """A statement that a node handles; it belongs to a block, and through that to a tree.

    Args:
        node_type: its kind.
        syntax: the statement; of an input the parameter; None before it is inserted.
        name: the name that the node should have.
        targets: where results go.
        args: positional arguments.
        kwargs: keyword arguments.
        function: what is called.
        instance: the Cell, primitive or function that is called, where it is known.

    Raises:
        RuntimeError: the Cell that is called does not take these arguments.
    """

    def __init__(
        self,
        node_type: NodeType,
        syntax: Any = None,
        name: str = "",
        targets: Sequence[ScopedValue] = (),
        args: Sequence[ScopedValue] = (),
        kwargs: Mapping[str, ScopedValue] | None = None,
        function: ScopedValue | None = None,
        instance: Any = None,
    ) -> None:
        self.node_type, self.syntax, self.name, self.function, self.instance = (
            node_type,
            syntax,
            name,
            function,
            instance,
        )
        self.targets, self.args, self.kwargs = list(targets), list(args), dict(kwargs or {})
        self.attributes = _attributes(instance) if node_type in _WITH_ATTRIBUTES else {}
        self.block: Block | None = None
        self.symbol_tree: Any = None  # of a node of the kind Tree, the tree of its network
        if isinstance(instance, Cell) and (args or kwargs):
            _check_arguments(type(instance), self.args, self.kwargs)

    def values(self) -> list[ScopedValue]:
        """Return the positional arguments, then the keyword arguments."""
        return [*self.args, *self.kwargs.values()]

    # The statement among others

    def neighbours(self) -> tuple[list["Statement"], list["Statement"]]:
        """Return the statements before it, the nearest first, and those behind it, of the same block."""
        if self.block is None:
            return [], []
        every = self.block.nodes()
        at = next(at for at, one in enumerate(every) if one is self)
        return every[:at][::-1], every[at + 1 :]

    def get_prev(self) -> "Statement | None":
        """Return the statement before it in its block."""
        return next(iter(self.neighbours()[0]), None)

    def get_next(self) -> "Statement | None":
        """Return the statement behind it in its block."""
        return next(iter(self.neighbours()[1]), None)

    def get_arg_providers(self) -> dict[int, tuple["Statement", int]]:
        """Return by argument the statement that it comes from, and which of its targets it is."""
        before = self.neighbours()[0]
        providers = {}
        for at, value in enumerate(self.values()):
            provider = next((one for one in before if value in one.targets), None)
            if provider is not None:
                providers[at] = (provider, provider.targets.index(value))
        return providers

    def get_target_users(self, index: int = -1) -> Any:
        """Return by target the statements that use it, and as which of their arguments; or those of one target."""
        every = {at: self._users(target) for at, target in enumerate(self.targets)}
        return {at: users for at, users in every.items() if users} if index == -1 else every.get(index, [])

    def _users(self, target: ScopedValue) -> list[tuple["Statement", int]]:
        users = []
        for one in self.neighbours()[1]:
            users += [(one, at) for at, value in enumerate(one.values()) if value == target]
            if target in one.targets:
                break
        return users

    def get_inputs(self) -> list["Statement"]:
        """Return the statements that its arguments come from, in the order of the arguments."""
        return [provider for provider, _ in self.get_arg_providers().values()]

    def get_users(self) -> list["Statement"]:
        """Return the statements that use its results, each once."""
        found: list[Statement] = []
        for users in self.get_target_users().values():
            found += [one for one, _ in users if not any(one is known for known in found)]
        return found

    # Changes

    def set_arg(self, index: int, value: ScopedValue | str) -> None:
        """Put another value in place of a positional argument.

        Raises:
            ValueError: there is no such argument.
        """
        in_range(index, "index", None, 0, len(self.args))
        self.args[index] = ScopedValue.create_naming_value(value) if isinstance(value, str) else value
        self._write(index, self.args[index])

    def set_arg_by_node(self, index: int, source: "Statement", target: int | None = None) -> None:
        """Put a target of another statement in place of a positional argument.

        Raises:
            RuntimeError: there is no such target, or there are several and none was named.
            ValueError: there is no such argument.
        """
        if target is None and len(source.targets) != 1:
            raise RuntimeError(f"Node '{source.name}' has {len(source.targets)} outputs: say which with 'out_idx'.")
        target = target or 0
        if not 0 <= target < len(source.targets):
            raise RuntimeError(
                f"'out_idx' {target} is out of range: '{source.name}' has {len(source.targets)} outputs."
            )
        self.set_arg(index, source.targets[target])

    def set_values(self, values: Sequence[ScopedValue]) -> None:
        """Put other values in place of all arguments, as `values()` orders them."""
        self.args = list(values[: len(self.args)])
        self.kwargs = dict(zip(self.kwargs, values[len(self.args) :], strict=True))
        for at, value in enumerate(values):
            self._write(at, value)

    def _write(self, index: int, value: ScopedValue) -> None:
        places = _places(self.syntax)
        if index < len(places):
            holder, key = places[index]
            if isinstance(key, int):
                holder[key] = expression_of(value)
            else:
                setattr(holder, key, expression_of(value))

    def write_call(self) -> None:
        """Make the assignment `targets = function(args, kwargs)` of a statement that came from no source."""
        assert self.function is not None
        targets = [expression_of(target, ast.Store()) for target in self.targets]
        called = ast.Call(
            expression_of(self.function),
            [expression_of(value) for value in self.args],
            [ast.keyword(name, expression_of(value)) for name, value in self.kwargs.items()],
        )
        target = targets[0] if len(targets) == 1 else ast.Tuple(targets, ast.Store())
        self.syntax = ast.fix_missing_locations(ast.Assign([target], called))

    # What MindSpore's handles are asked for

    def get_name(self) -> str:
        """Return the name of the node."""
        return self.name

    def get_node_type(self) -> NodeType:
        """Return the kind of the node."""
        return self.node_type

    def get_targets(self) -> list[ScopedValue]:
        """Return the targets of the results."""
        return self.targets

    def get_args(self) -> list[ScopedValue]:
        """Return the positional arguments."""
        return list(self.args)

    def get_kwargs(self) -> dict[str, ScopedValue]:
        """Return the keyword arguments."""
        return dict(self.kwargs)

    def get_instance(self) -> Any:
        """Return the callable."""
        return self.instance

    def get_instance_type(self) -> Any:
        """Return the class of what is called; a function itself."""
        if isinstance(self.instance, Made):
            return self.instance.kind
        return self.instance if inspect.isfunction(self.instance) else type(self.instance)

    def get_belong_symbol_tree(self) -> Any:
        """Return the tree that it belongs to."""
        return None if self.block is None else self.block.tree

    def get_node_manager(self) -> "Block | None":
        """Return the block that it belongs to."""
        return self.block

    def get_attributes(self) -> dict[str, Any]:
        """Return the attributes of the node."""
        return self.attributes

    def get_attribute(self, key: str) -> Any:
        """Return one of them, or None."""
        return self.attributes.get(key)

    def set_attribute(self, key: str, value: Any) -> None:
        """Set one of them."""
        self.attributes[key] = value

    def get_source_code(self) -> str:
        """Return the statement as text."""
        if isinstance(self.syntax, list):
            return ", ".join(ast.unparse(one) for one in self.syntax)
        return "" if self.syntax is None else ast.unparse(self.syntax)


_WITH_ATTRIBUTES = (NodeType.CallCell, NodeType.CallPrimitive)


def _attributes(called: Any) -> dict[str, Any]:
    if isinstance(called, Made):
        return {"cls": called.kind}
    found = {name: value for name, value in vars(called).items() if not name.startswith("_")}
    return {**found, "cls": type(called)}


def _check_arguments(kind: type[Cell], args: list[ScopedValue], kwargs: dict[str, ScopedValue]) -> None:
    """Refuse more arguments than `construct` has, and names that it does not have; fewer may be set later."""
    if None in kwargs or any(value.type.name == "UnsupportedValue" for value in args):  # `*args`, `**kwargs`
        return
    try:
        inspect.signature(kind.construct).bind_partial(None, *args, **kwargs)
    except TypeError as error:
        raise RuntimeError(f"'construct' of {kind.__name__} does not take these arguments: {error}.") from error


def _places(syntax: Any) -> list[Place]:
    """Return the places of a statement's arguments in its syntax."""
    match syntax:
        case ast.Return():
            return [(syntax, "value")]
        case ast.If() | ast.While():
            return [(syntax, "test")]
        case ast.For():
            return [(syntax, "iter")]
        case ast.Assign(value=ast.Call(args=args, keywords=keywords)):
            return [*_each(args), *((keyword, "value") for keyword in keywords)]
        case ast.Assign(value=ast.BinOp() as computed):
            return [(computed, "left"), (computed, "right")]
        case ast.Assign(value=ast.UnaryOp() as computed):
            return [(computed, "operand")]
        case ast.Assign(value=ast.Compare(comparators=others) as computed):
            return [(computed, "left"), *_each(others)]
        case ast.Assign(value=ast.BoolOp(values=values) | ast.Dict(values=values)):
            return _each(values)
        case ast.Assign(value=ast.Tuple(items) | ast.List(items)):
            return _each(items)
        case ast.Assign():
            return [(syntax, "value")]
    return []


def _each(values: list[Any]) -> list[Place]:
    return [(values, at) for at in range(len(values))]


def targets_of(target: ast.expr) -> list[ScopedValue]:
    """Return the values that a target of an assignment is made of."""
    if isinstance(target, ast.Tuple | ast.List):
        return [value for item in target.elts for value in targets_of(item)]
    return [value_of(target)]
