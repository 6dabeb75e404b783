"""Putting operators on sparse tensors in place of those on dense ones."""

import ast
import inspect
from collections.abc import Callable, Iterable, Mapping
from enum import Enum, auto
from typing import Any, NamedTuple

from msbridge import ops
from msbridge.contrib.rewrite.blocks import Block, CallFunction, ControlFlow
from msbridge.contrib.rewrite.networks import network_of
from msbridge.contrib.rewrite.node_types import NodeType
from msbridge.contrib.rewrite.parsing import tree_of
from msbridge.contrib.rewrite.scoped_values import ScopedValue
from msbridge.contrib.rewrite.statements import Statement
from msbridge.contrib.rewrite.trees import Tree
from msbridge.core.checks.arguments import instance
from msbridge.core.sparse.matrices import COOTensor, CSRTensor
from msbridge.nn.cell.cell import Cell

__all__ = ["ArgType", "SparseFunc", "sparsify"]


class ArgType(Enum):
    """The kinds of arguments.

    Follows: mindspore.rewrite.ArgType (2.0).
    """

    NONSPARSE = auto()
    CSR = auto()
    COO = auto()
    ANY = auto()


class SparseFunc(NamedTuple):
    """A function for sparse arguments.

    Attributes:
        fn: the function, or its name in `mindspore.ops`.
        inputs: what its arguments are; without it, what their annotations say.
        outputs: what it returns, likewise.

    Follows: mindspore.rewrite.SparseFunc (2.0).
    """

    fn: str | Callable[..., Any]
    inputs: Any = None
    outputs: Any = None


_Kinds = tuple[ArgType, ...]
_Rules = Mapping[Any, Iterable[SparseFunc | str | Callable[..., Any]] | SparseFunc | str | Callable[..., Any]]

_OF_CLASS = {CSRTensor: ArgType.CSR, COOTensor: ArgType.COO}
_CLASSES = {kind: cls for cls, kind in _OF_CLASS.items()}
_PREFIXES = {ArgType.CSR: "csr", ArgType.COO: "coo"}
_OWN: dict[Callable[..., Any], SparseFunc] = {
    ops.reduce_sum: SparseFunc("csr_reduce_sum"),
    ops.mul: SparseFunc("csr_mul", (ArgType.CSR, ArgType.NONSPARSE), ArgType.CSR),
    ops.matmul: SparseFunc("csr_mv"),
}


def sparsify(f: Cell, arg_types: _Kinds | Mapping[Any, ArgType], sparse_rules: _Rules | None = None) -> Any:
    """Return a network whose operators take sparse tensors where sparse tensors come.

    Args:
        f: a network for dense tensors.
        arg_types: what the arguments of `construct` are: a tuple of all, or a dict by position or by name, where
            those that are left out are dense.
        sparse_rules: functions by what they take the place of, beside `csr_mul`, `csr_mv` and `csr_reduce_sum`; a
            function of `mindspore.ops` with the prefix `csr_` or `coo_` needs no rule.

    Raises:
        TypeError: `f` is not a Cell.
        ValueError: `arg_types` is something else or of another length, or an operator takes no sparse tensors.

    Follows: mindspore.rewrite.sparsify (2.0; later releases refuse functions of `mindspore.ops`).
    """
    tree = tree_of(instance(f, "network", "SymbolTree", Cell))
    rules: dict[Any, list[SparseFunc]] = {called: [_complete(rule)] for called, rule in _OWN.items()}
    for called, given in (sparse_rules or {}).items():
        several = list(given) if isinstance(given, list | tuple) and not isinstance(given, SparseFunc) else [given]
        rules[called] = [*map(_complete, several), *rules.get(called, [])]
    names = [str(one.targets[0]) for one in tree.get_input_nodes()]
    _Sparsifier(rules).block(tree, _kinds_of(names, arg_types))
    return network_of(tree)


def _kinds_of(names: list[str], kinds: Any) -> dict[str, ArgType]:
    if isinstance(kinds, tuple):
        if len(kinds) != len(names):
            raise ValueError(f"For 'sparsify', 'arg_types' must have one for each of {names}, but got {len(kinds)}.")
        return dict(zip(names, kinds, strict=True))
    if not isinstance(kinds, dict):
        raise ValueError(f"For 'sparsify', 'arg_types' must be a tuple or a dict, but got {type(kinds).__name__}.")
    if all(isinstance(key, int) for key in kinds):
        return {name: kinds.get(at, ArgType.NONSPARSE) for at, name in enumerate(names)}
    if all(isinstance(key, str) for key in kinds):
        return {name: kinds.get(name, ArgType.NONSPARSE) for name in names}
    raise ValueError(f"For 'sparsify', the keys of 'arg_types' must all be int or all be str, but got {list(kinds)}.")


def _complete(rule: Any) -> SparseFunc:
    """Return a rule with a function, what it takes and what it returns.

    Raises:
        ValueError: there is no such function, or nothing says what it takes or returns.
    """
    given = rule if isinstance(rule, SparseFunc) else SparseFunc(rule)
    function = getattr(ops, given.fn, None) if isinstance(given.fn, str) else given.fn
    if not callable(function):
        raise ValueError(f"For 'sparsify', {given.fn!r} is not a function of mindspore.ops.")
    signature = inspect.signature(function)
    annotations = [one.annotation for one in signature.parameters.values()]
    inputs = given.inputs or (None if inspect.Parameter.empty in annotations else tuple(map(_kind_of, annotations)))
    has_return = signature.return_annotation is not inspect.Signature.empty
    outputs = given.outputs or (_kind_of(signature.return_annotation) if has_return else None)
    if inputs is None or outputs is None:
        raise ValueError(f"For 'sparsify', say what {function.__name__} takes and returns: SparseFunc(fn, in, out).")
    return SparseFunc(function, _tuple(inputs), _tuple(outputs))


def _kind_of(annotation: Any) -> ArgType:
    return _OF_CLASS.get(annotation, ArgType.NONSPARSE)


def _tuple(value: Any) -> _Kinds:
    return tuple(value) if isinstance(value, tuple | list) else (value,)


class _Sparsifier:
    """Follows sparse tensors through the statements of a network."""

    def __init__(self, rules: Mapping[Any, list[SparseFunc]]) -> None:
        self._rules = rules

    def block(self, block: Block, kinds: dict[str, ArgType]) -> _Kinds:
        """Change the statements of a block, and return what it returns."""
        returned: _Kinds = (ArgType.NONSPARSE,)
        for statement in block.nodes():
            taken = tuple(kinds.get(str(value), ArgType.NONSPARSE) for value in statement.values())
            if statement.node_type is NodeType.Output:
                returned = taken
            elif isinstance(statement, ControlFlow):
                self.block(statement, kinds)
            elif statement.node_type is not NodeType.Input:
                given = self._outputs(statement, taken, kinds)
                given = given * len(statement.targets) if len(given) == 1 else given
                kinds.update(zip(map(str, statement.targets), given, strict=False))
        return returned

    def _outputs(self, statement: Statement, taken: _Kinds, kinds: Mapping[str, ArgType]) -> _Kinds:
        owner = kinds.get(statement.function.scope) if statement.function is not None else None
        if owner in _CLASSES and isinstance(statement.syntax, ast.Assign):  # a method of a sparse tensor
            method = getattr(_CLASSES[owner], str(statement.function.value), None)  # type: ignore[union-attr]
            return (_kind_of(getattr(method, "__annotations__", {}).get("return")),)
        if all(kind is ArgType.NONSPARSE for kind in taken):
            return (ArgType.NONSPARSE,)
        if statement.node_type is NodeType.CallMethod:
            return taken
        if statement.node_type is NodeType.MathOps:
            return taken[:1]  # sparse tensors have operators of their own
        if statement.node_type is NodeType.Tree:
            inner = statement.symbol_tree
            return self.block(inner, _name_inputs(inner, taken))
        found = self._rule(statement, taken)
        if found is not None:
            _call_instead(statement, found.fn)
            return _tuple(found.outputs)
        if isinstance(statement, CallFunction) and statement.definition is not None:
            return self.block(statement, _name_inputs(statement, taken))
        raise ValueError(f"For 'sparsify', no rule says what takes the place of '{statement.name}' for {taken}.")

    def _rule(self, statement: Statement, taken: _Kinds) -> SparseFunc | None:
        called = statement.instance
        for rule in self._rules.get(called, []) if callable(called) else []:
            if ArgType.ANY in rule.inputs or tuple(rule.inputs[: len(taken)]) == taken:
                return rule
        name = type(called).__name__.lower() if isinstance(called, Cell) else getattr(called, "__name__", "")
        function = getattr(ops, f"{_PREFIXES.get(taken[0], '')}_{name}", None)
        return None if function is None else _complete(function)


def _name_inputs(block: Block, taken: _Kinds) -> dict[str, ArgType]:
    return dict(zip([str(one.targets[0]) for one in block.get_input_nodes()], taken, strict=False))


def _call_instead(statement: Statement, function: Any) -> None:
    tree = statement.get_belong_symbol_tree()
    assert isinstance(tree, Tree)
    statement.function = ScopedValue.create_naming_value(tree.call_name(function))
    statement.syntax.value.func = ast.Name(str(statement.function.value), ast.Load())
