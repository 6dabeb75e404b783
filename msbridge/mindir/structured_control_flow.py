"""Branches and loops of a model as torch's `cond` and `while_loop`, which its exporters keep.

The functions of a program are run by their syntax trees. Where a tensor decides, both ways are followed: a branch is a
`cond` of what they return. Functions that go from one to the other are taken apart one by one, in their order from the
last to the first: one that reaches itself is a loop, and what follows it is what its ends are; it is then written where
others go to it. Both take the ends that are wanted, so that ways which lead to no such end are left out.
"""

import ast
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from msbridge.core.tensor.tensor import Tensor
from msbridge.mindir.blocks import (
    RETURN,
    Block,
    Branch,
    Goto,
    Return,
    State,
    direct,
    find_loaded_names,
    line,
    machine,
    name_of,
    parse_block,
    result,
)
from msbridge.mindir.control import Known, branch, loop
from msbridge.mindir.program import FILE_NAME, Program

__all__ = ["CannotFollow", "flow_of"]

MAX_STATES = 40  # that go from one to the other

Env = dict[str, Any]
Emit = int | None  # what a way returns: whether it leads to a function; None is the value or the arguments at its end


class CannotFollow(Exception):
    """A branch or a loop has no form with torch's operators.

    Attributes:
        line: of the program's source, that decides.
    """

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


def flow_of(program: Program, parameters: Mapping[str, Any]) -> Callable[..., Any]:
    """Return the network as a function that torch's exporters can follow, with its parameters.

    Args:
        program: the network.
        parameters: by name.
    """
    return program.apart(_Flow(program, parameters).main)


class _Flow:
    """Runs the functions of a program."""

    def __init__(self, program: Program, parameters: Mapping[str, Any]) -> None:
        *functions, last = _Chosen().visit(ast.parse(program.source)).body
        self.defined: dict[str, ast.FunctionDef] = {one.name: one for one in functions}
        self.machines: dict[str, list[State]] = {}
        self.codes: dict[ast.AST, Any] = {}
        self.names: dict[str, set[str]] = {}
        self.known: dict[Any, Known] = {}
        self.calls = {name: _Function(self, name) for name in self.defined}
        self.layers = {layer.variable: layer.function for layer in program.layers}
        self.globals: Env = program.namespace | {key: parameters[name] for name, key in program.parameters.items()}
        self.globals |= self.calls | {key: self.calls[name] for key, name in self.layers.items()}
        self.globals["chosen"] = self.one_of
        self.main = self.globals[name_of(last.value)]

    def call(self, name: str, arguments: Sequence[Any]) -> Any:
        """Run a function."""
        function = self.defined[name]
        if name[0] == "c":
            state, given = arguments
            return self._enter(self._states(name), state, given)
        names = [one.arg for one in function.args.args]
        if isinstance(function.body[0], ast.While):
            return self._enter(self._states(name), 0, arguments)
        return self._block(parse_block(function.body), dict(zip(names, arguments, strict=True)))

    def _states(self, name: str) -> list[State]:
        """Return the functions that are written as one, in their order."""
        if name not in self.machines:
            function = self.defined[name]
            loop = function.body[0]
            assert isinstance(loop, ast.While)
            if name[0] != "c":
                names = tuple(one.arg for one in function.args.args)
                self.machines[name] = [State(names, parse_block(loop.body))]
            else:
                self.machines[name] = list(machine(loop.body))
            if len(self.machines[name]) > MAX_STATES:
                raise CannotFollow(function.lineno, f"{len(self.machines[name])} loops and branches go to each other")
        return self.machines[name]

    def _enter(self, states: list[State], entry: int, values: Sequence[Any]) -> Any:
        walk = _Walk(self, states, entry)
        return walk.enter(entry, tuple(values), frozenset(), None, {RETURN}, len(states))

    def _block(self, block: Block, env: Env) -> Any:
        return _Walk(self, [], 0).block(block, env, frozenset(), None, {RETURN}, 0)

    def evaluate(self, expression: ast.expr, env: Env) -> Any:
        """Return the value of an expression."""
        return eval(self._code(expression), self.globals, env)

    def _code(self, node: ast.expr | ast.stmt) -> Any:
        """Return a statement or an expression, compiled once."""
        if node not in self.codes:
            tree = ast.Module([node], []) if isinstance(node, ast.stmt) else ast.Expression(node)
            self.codes[node] = compile(tree, FILE_NAME, "exec" if isinstance(node, ast.stmt) else "eval")
        return self.codes[node]

    def steps(self, statements: Sequence[ast.stmt], env: Env) -> None:
        """Run statements, after which others come."""
        for statement in statements:
            if isinstance(statement, ast.Assign):
                exec(self._code(statement), self.globals, env)
            else:
                assert isinstance(statement, ast.If)
                name, run = result(statement.body), functools.partial(self._side, env)
                chosen, other = (
                    functools.partial(run, statement.body, name),
                    functools.partial(run, statement.orelse, name),
                )
                env[name] = self.choose(statement.test, env, chosen, other, [statement.body, statement.orelse])

    def _side(self, env: Env, statements: Sequence[ast.stmt], result: str, changed: Env) -> Any:
        inner = env | changed
        self.steps(statements, inner)
        return inner[result]

    def choose(
        self,
        test: ast.expr,
        env: Env,
        chosen: Callable[[Env], Any],
        other: Callable[[Env], Any],
        nodes: Any,
        key: tuple[Any, ...] = (),
    ) -> Any:
        """Return the result of one of two functions of changed local values.

        Args:
            test: the condition.
            env: the local values.
            chosen: returns the value where it holds.
            other: returns the value where not.
            nodes: the syntax of both, whose names are looked for.
            key: of what they are followed for.
        """
        condition = self.evaluate(test, env)
        if not isinstance(condition, Tensor):
            return chosen({}) if condition else other({})
        used = self.find_used_names(nodes)
        local = {name: value for name, value in env.items() if name in used}

        def way(run: Callable[[Env], Any]) -> Callable[[Any], Any]:
            return lambda given: self._with(given[1], run, given[0])

        with _at(test.lineno):
            known = self.known.setdefault((test, *key), Known())
            return branch(condition, way(chosen), way(other), (local, self._outer(used)), known)

    def one_of(self, functions: Sequence[Any], index: Any) -> Any:
        """Return one of several functions, or what calls it where a tensor says which."""
        if not isinstance(index, Tensor):
            return functions[int(index)]
        index = index % len(functions)

        inner = [getattr(one, "func", one) for one in functions]
        used = self.find_used_names([one.name for one in inner if isinstance(one, _Function)])

        def call(number: int, outer: Env, given: tuple[Sequence[Any], Tensor, Sequence[Any]]) -> Any:
            functions, index, _ = given

            def this(inner: tuple[Env, Any]) -> Any:
                return self._with(inner[0], lambda given: given[0][number](*given[2]), inner[1])

            if number == len(functions) - 1:
                return this((outer, given))
            return branch(index == number, this, lambda inner: call(number + 1, *inner), (outer, given))

        return lambda *arguments: call(0, self._outer(used), (functions, index, arguments))

    def loop(
        self, line: int, values: Any, goes_on: Callable[[Any], Any], step: Callable[[Any], Any], nodes: Any
    ) -> Any:
        """Return the values after the last step of a loop at a line; Args as `control.loop`, and `choose`."""

        def way(run: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
            return lambda values, outer: self._with(outer, run, values)

        with _at(line):
            return loop(
                way(goes_on),
                way(step),
                values,
                self._outer(self.find_used_names(nodes)),
                self.known.setdefault(line, Known()),
            )

    def _outer(self, used: set[str]) -> Env:
        """Return the Tensors which are not arguments that are taken."""
        return {name: self.globals[name] for name in used if isinstance(self.globals.get(name), Tensor)}

    def _with(self, outer: Env, run: Callable[[Any], Any], given: Any) -> Any:
        """Run a function with Tensors in place of those that are not arguments."""
        before = {name: self.globals[name] for name in outer}
        self.globals.update(outer)
        try:
            return run(given)
        finally:
            self.globals.update(before)

    def find_used_names(self, nodes: Any) -> set[str]:
        """Return the names that statements take, and those that the functions take which they call."""
        used: set[str] = set()
        waiting = list(find_loaded_names(nodes))
        while waiting:
            name = waiting.pop()
            if name in used:
                continue
            used.add(name)
            name = self.layers.get(name, name)
            if name in self.defined:
                if name not in self.names:
                    self.names[name] = set(find_loaded_names(self.defined[name].body))
                waiting += [one for one in self.names[name] if one[0] not in "av"]
        return used


class _Walk:
    """Follows the functions of a machine from one to the other; lower numbers are taken apart first, the entry last."""

    def __init__(self, flow: _Flow, states: Sequence[State], entry: int) -> None:
        self.flow, self.states = flow, states
        last = [entry] if states else []
        self.rank = {
            one: rank for rank, one in enumerate([*(n for n in range(len(states) - 1, -1, -1) if n != entry), *last])
        }

    def enter(
        self, state: int, values: Sequence[Any], banned: frozenset[int], emit: Emit, wanted: set[int], limit: int
    ) -> Any:
        """Run a function, and what it goes to.

        Args:
            state: the function.
            values: its arguments.
            banned: functions that are not reached from here: loops around this place, which have ended.
            emit: what it returns.
            wanted: the ends that are followed.
            limit: the rank from which on functions are ends.
        """
        entered, rank = self.states[state], self.rank[state]
        if state in self.find_ends(entered.block, frozenset(), rank):
            values = self._run_loop(state, values)
        inner = frozenset(other for other in banned if self.rank[other] > rank) | {state}
        return self.block(entered.block, dict(zip(entered.arguments, values, strict=True)), inner, emit, wanted, limit)

    def _run_loop(self, state: int, values: Sequence[Any]) -> Any:
        entered, rank = self.states[state], self.rank[state]
        nothing: frozenset[int] = frozenset()

        def run(values: Sequence[Any], emit: Emit, wanted: set[int]) -> Any:
            env = dict(zip(entered.arguments, values, strict=True))
            return self.block(entered.block, env, nothing, emit, wanted, rank)

        every = self.find_ends(entered.block, nothing, rank)

        def goes_on(values: Sequence[Any]) -> Any:
            end, sides = entered.block.end, []
            if isinstance(end, Branch):
                sides = [self.find_ends(side, nothing, rank) for side in (end.chosen, end.other)]
            if [side == {state} for side in sides] == [state in side for side in sides] and len(sides) == 2:
                env = dict(zip(entered.arguments, values, strict=True))
                self.flow.steps(entered.block.steps, env)
                test = self.flow.evaluate(end.test, env)  # type: ignore[union-attr]
                return test if state in sides[0] else test == 0
            return run(values, state, every)

        nodes = [other.block for number, other in enumerate(self.states) if self.rank[number] <= rank]
        return self.flow.loop(
            line(entered.block),
            values,
            goes_on,
            lambda values: run(values, None, {state}),
            nodes,
        )

    def block(self, block: Block, env: Env, banned: frozenset[int], emit: Emit, wanted: set[int], limit: int) -> Any:
        """Run a block; Args as `enter`."""
        self.flow.steps(block.steps, env)
        end = block.end
        if isinstance(end, Return):
            return self.flow.evaluate(end.value, env) if emit is None else emit == RETURN
        if isinstance(end, Goto):
            values = tuple(self.flow.evaluate(one, env) for one in end.arguments)
            return self._goto(end.state, values, banned, emit, wanted, limit)
        sides = [one for one in (end.chosen, end.other) if self.find_ends(one, banned, limit) & wanted]
        if len(sides) == 1:
            return self.block(sides[0], env, banned, emit, wanted, limit)
        both = direct(end.chosen) | direct(end.other)
        if len(both) == 1 and RETURN not in both:  # they meet
            state = both.pop()
            values = self._choose(end, env, banned, None, {state}, -1)
            return self._goto(state, values, banned, emit, wanted, limit)
        return self._choose(end, env, banned, emit, wanted, limit)

    def _goto(self, state: int, values: Any, banned: frozenset[int], emit: Emit, wanted: set[int], limit: int) -> Any:
        if state not in wanted and state in banned:
            raise CannotFollow(line(self.states[state].block), "it has no end")
        if self.rank[state] >= limit:
            return values if emit is None else emit == state
        return self.enter(state, values, banned, emit, wanted, limit)

    def _choose(self, end: Branch, env: Env, banned: frozenset[int], emit: Emit, wanted: set[int], limit: int) -> Any:
        key = (emit, frozenset(wanted), banned, limit)

        def way(block: Block) -> Callable[[Env], Any]:
            return lambda changed: self.block(block, env | changed, banned, emit, wanted, limit)

        nodes: list[Any] = [end.chosen, end.other]
        if limit > 0:
            nodes += [one.block for one in self.states]
        return self.flow.choose(end.test, env, way(end.chosen), way(end.other), nodes, key)

    def find_ends(self, block: Block, banned: frozenset[int], limit: int) -> set[int]:
        """Return the ends that a block leads to; Args as `enter`."""
        ends: set[int] = set()
        for state in direct(block):
            if state == RETURN or (self.rank[state] >= limit and state not in banned):
                ends.add(state)
            elif state not in banned:
                rank = self.rank[state]
                inner = frozenset(one for one in banned if self.rank[one] > rank) | {state}
                ends |= self.find_ends(self.states[state].block, inner, limit)
        return ends


class _Function:
    """A function of the program as a value."""

    def __init__(self, flow: _Flow, name: str) -> None:
        self.flow, self.name = flow, name

    def __call__(self, *arguments: Any) -> Any:
        return self.flow.call(self.name, arguments)


class _Chosen(ast.NodeTransformer):
    """Lets a function choose one of several where syntax does, as a tensor may say which."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """Take `functions[int(index)]`."""
        if not isinstance(node.slice, ast.Call):
            return node
        call = ast.Call(ast.Name("chosen", ast.Load()), [node.value, *node.slice.args], [])
        return ast.fix_missing_locations(ast.copy_location(call, node))


@contextmanager
def _at(line: int) -> Iterator[None]:
    """Return at which line torch cannot follow."""
    try:
        yield
    except CannotFollow:
        raise
    except (RuntimeError, TypeError, ValueError) as error:
        raise CannotFollow(line, str(error).partition("\n")[0]) from error
