"""The nodes of a tree as text."""

import inspect
from collections.abc import Sequence

from msbridge.contrib.rewrite.blocks import Block, CallFunction, CellContainer, ControlFlow
from msbridge.contrib.rewrite.node_types import NodeType
from msbridge.contrib.rewrite.scoped_values import ScopedValue
from msbridge.contrib.rewrite.statements import Statement
from msbridge.contrib.rewrite.trees import Tree

__all__ = ["dump", "tabulate"]

_HEAD = ("node type", "name", "codes", "arg providers", "target users")


def tabulate(tree: Tree, all_nodes: bool = False) -> str:
    """Return a table of the nodes of a tree, with those of all its blocks and the trees below if asked for."""
    text = _table(tree.class_name, tree)
    if all_nodes:
        text += "".join(_table(_path(block), block) for block in tree.blocks()[1:])
        text += "".join(tabulate(one.symbol_tree, all_nodes) for one in tree.get_tree_nodes())
    return text


def _path(block: Block) -> str:
    parts = []
    while isinstance(block, CallFunction | ControlFlow | CellContainer) and block.block is not None:
        parts.append(block.name)
        block = block.block
    return ".".join([block.tree.class_name, *reversed(parts)])


def _table(title: str, block: Block) -> str:
    rows = [_row(one) for one in block.nodes()]
    return f"\n[{title}]\n{_columns([_HEAD, *rows])}\n"


def _row(statement: Statement) -> tuple[str, ...]:
    providers = [[at, (one.name, index)] for at, (one, index) in statement.get_arg_providers().items()]
    users = [[at, [(one.name, index) for one, index in found]] for at, found in statement.get_target_users().items()]
    return str(statement.node_type), statement.name, statement.get_source_code(), str(providers), str(users)


def _columns(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of text, of which a cell may have several lines, under a head."""
    widths = [max(len(line) for row in rows for line in (row[at].splitlines() or [""])) for at in range(len(rows[0]))]
    ruler = ["-" * width for width in widths]
    lines = []
    for row in (rows[0], ruler, *rows[1:]):
        cells = [cell.splitlines() or [""] for cell in row]
        for at in range(max(map(len, cells))):
            texts = [cell[at] if at < len(cell) else "" for cell in cells]
            lines.append("  ".join(text.ljust(width) for text, width in zip(texts, widths, strict=True)).rstrip())
    return "\n".join(lines)


def dump(tree: Tree) -> str:
    """Return the statements of `construct` as numbered calls, with the attributes of what they call."""
    numbers: dict[str, str] = {}
    inputs = tree.get_input_nodes()
    for statement in inputs:
        numbers[str(statement.targets[0])] = f"%{statement.name}"
    lines = ["#SymbolTree entry    : @construct ", f"#Inputs num     : {len(inputs)}", *numbers.values(), ""]
    lines.append("Symbol Tree @construct { ")
    file, number = inspect.getfile(type(tree.network)), -1
    for statement in tree.nodes()[1:]:
        if statement.node_type is NodeType.Output:
            lines += [f"  Return(%{number}) ", "      : (null) ", f"      # In file {file}"]
            continue
        number += 1
        numbers[statement.name] = f"%{number}"
        lines += _call(statement, number, numbers)
        lines.append(f"      # In file {file}")
    return "\n".join([*lines, "}", ""])


def _call(statement: Statement, number: int, numbers: dict[str, str]) -> list[str]:
    kind = statement.get_instance_type()
    args = ", ".join(_argument(value, numbers) for value in statement.values())
    attributes = ", ".join(f"{name}: {value}" for name, value in statement.attributes.items())
    target = statement.targets[0] if statement.targets else None
    shown = f"({args})" if args else ""
    file = inspect.getfile(kind) if statement.instance is not None and kind.__module__ != "builtins" else None
    return [
        f"  %{number}({target}) = {kind.__name__}{shown}{{instance name: {statement.name}}} "
        f"attributes {{{attributes}}}",
        "      : (null) -> (null)",
        f"      # In file {file}",
    ]


def _argument(value: ScopedValue, numbers: dict[str, str]) -> str:
    return numbers.get(str(value.value), str(value.value))
