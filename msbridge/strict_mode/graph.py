"""Graph mode's refusals, at the call: what `msbridge scan --graph` finds refused in the source of what is compiled.

A Cell that is called in graph mode is asked about by the classes of it and of all Cells below; what `jit` has marked,
by its function. Which class of error a rule means was recorded with the snippets that the rules are judged by.
"""

import builtins
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from types import FunctionType
from typing import Any

from msbridge.core.checks.stack_frames import is_ours
from msbridge.core.context.grad_state import state
from msbridge.core.jit import decorators
from msbridge.core.jit.graph_runs import run_graph
from msbridge.nn.cell import graph_calls
from msbridge.nn.cell.cell import Cell
from msbridge.scan import Finding, Level, scan
from msbridge.strict_mode.table import read_recorded

__all__ = ["GraphChecks"]

_CALLERS = (decorators, graph_calls)


class GraphChecks:
    """The check of sources, before what runs graphs."""

    def put(self) -> None:
        """Check from now on."""
        for module in _CALLERS:
            module.run_graph = _run_checked  # type: ignore[attr-defined]

    def take(self) -> None:
        """Check no more."""
        for module in _CALLERS:
            module.run_graph = run_graph  # type: ignore[attr-defined]


def _run_checked(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if not state.is_graph:
        for path, name in dict.fromkeys(_find_compiled(function)):
            for finding in _find_refused(path):
                if finding.reached[:1] == (name,):
                    raise _error(finding)
    return run_graph(function, args, kwargs)


def _find_compiled(function: Any) -> Iterator[tuple[str, str]]:
    """Yield the files of a script, and the names of what is compiled of them."""
    if isinstance(function, partial):  # the call of a Cell
        for _, cell in function.args[0].cells_and_names():
            for kind in type(cell).__mro__[: type(cell).__mro__.index(Cell)]:
                construct = vars(kind).get("construct")
                if construct is not None:
                    yield from ((path, f"{kind.__name__}.construct") for path, _ in _find_compiled(construct))
    elif isinstance(function, FunctionType) and not is_ours(function.__code__.co_filename):
        yield function.__code__.co_filename, function.__code__.co_name


@cache
def _find_refused(path: str) -> tuple[Finding, ...]:
    if not Path(path).is_file():
        return ()
    return tuple(one for one in scan([path], ["graph"]).findings if one.rule.level == Level.REFUSED)


def _error(finding: Finding) -> Exception:
    rule = finding.rule
    rows = read_recorded().get(f"graph {rule.id}", ())
    kind = getattr(builtins, rows[0].error) if rows else RuntimeError
    return kind(
        f"{finding.path}:{finding.line}: MindSpore 2.10.0 does not compile {rule.what}: {rule.why}. Instead: "
        f"{rule.fix}. Only msbridge would run it: this is strict mode."
    )
