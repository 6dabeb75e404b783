"""Functions of a program as blocks: statements, and where they lead to."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

RETURN = -1  # the target of a block that returns a value, besides the numbers of functions


@dataclass(frozen=True, slots=True)
class Return:
    """An end that returns a value."""

    value: ast.expr


@dataclass(frozen=True, slots=True)
class Goto:
    """An end that goes to a function with these arguments."""

    state: int
    arguments: tuple[ast.expr, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """An end that is one of two, by a condition."""

    test: ast.expr
    chosen: "Block"
    other: "Block"


@dataclass(frozen=True, slots=True)
class Block:
    """Statements, and the end after them."""

    steps: tuple[ast.stmt, ...]
    end: Return | Goto | Branch


@dataclass(frozen=True, slots=True)
class State:
    """One of the functions that go from one to the other."""

    arguments: tuple[str, ...]
    block: Block


def parse_block(statements: Sequence[ast.stmt]) -> Block:
    """Return the statements of a function, or of one in a machine."""
    *steps, last = statements
    if isinstance(last, ast.Return):
        assert last.value is not None
        return Block(tuple(steps), Return(last.value))
    if isinstance(last, ast.If):
        return Block(tuple(steps), Branch(last.test, parse_block(last.body), parse_block(last.orelse)))
    assert isinstance(last, ast.Continue)
    if not steps or not isinstance(steps[-1], ast.Assign):
        return Block(tuple(steps), Goto(0, ()))
    target, value = steps[-1].targets[0], steps[-1].value
    names = [name_of(one) for one in target.elts] if isinstance(target, ast.Tuple) else [name_of(target)]
    if names[0] == "state":
        assert isinstance(value, ast.Tuple)
        state, given = value.elts
        assert isinstance(state, ast.Constant)
        assert isinstance(given, ast.Tuple)
        return Block(tuple(steps[:-1]), Goto(int(state.value), tuple(given.elts)))  # type: ignore[arg-type]
    if names[0][0] != "a":
        return Block(tuple(steps), Goto(0, ()))
    values = tuple(value.elts) if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) else (value,)
    return Block(tuple(steps[:-1]), Goto(0, values))


def machine(statements: Sequence[ast.stmt]) -> Iterator[State]:
    """Yield the functions of a machine, each of which begins with its arguments."""
    while statements:
        (branch,) = statements
        assert isinstance(branch, ast.If)
        first = branch.body[0]
        assert isinstance(first, ast.Assign)
        assert isinstance(first.targets[0], ast.Tuple)
        names = tuple(name_of(name) for name in first.targets[0].elts if isinstance(name, ast.Name))
        yield State(names, parse_block(branch.body[1:]))
        statements = branch.orelse


def name_of(node: ast.expr) -> str:
    """Return the name that an expression is."""
    assert isinstance(node, ast.Name)
    return node.id


def result(statements: Sequence[ast.stmt]) -> str:
    """Return the variable that a side of a branch ends with, which both sides set."""
    last = statements[-1]
    if isinstance(last, ast.If):
        return result(last.body)
    assert isinstance(last, ast.Assign)
    return name_of(last.targets[0])


def find_loaded_names(node: Any) -> Iterator[str]:
    """Yield the names that syntax takes."""
    if isinstance(node, ast.AST):
        yield from (one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load))
    elif isinstance(node, str):
        yield node
    elif isinstance(node, list | tuple):
        for one in node:
            yield from find_loaded_names(one)
    elif isinstance(node, Block | Branch | Goto | Return):
        for part in fields(node):
            yield from find_loaded_names(getattr(node, part.name))


def direct(block: Block) -> set[int]:
    """Return the direct successors of a block."""
    end = block.end
    if isinstance(end, Branch):
        return direct(end.chosen) | direct(end.other)
    return {end.state if isinstance(end, Goto) else RETURN}


def line(block: Block) -> int:
    """Return the line of the first condition of a block."""
    if isinstance(block.end, Branch):
        return block.end.test.lineno
    return block.steps[0].lineno if block.steps else 0
