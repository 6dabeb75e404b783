"""Reports: where the time of a pipeline went, node by node, and which node needs more workers."""

import io
import time
import weakref
from collections import deque
from dataclasses import dataclass
from typing import Any

KEEPS_UP = 0.1  # a consumer that waits for less of the time has nothing to gain
MAX_REPORTS = 16  # reports of iterators that have ended


@dataclass(frozen=True, slots=True)
class NodeReport:
    """The work of one node."""

    name: str  # of the node, with its operations
    workers: int  # how many it may have
    used: int  # how many it used
    kind: str  # "threads" or "processes"
    rows: int  # how many it computed
    busy_s: float  # how long its workers computed, added up
    ready: float | None  # share of its results that were there when they were asked for; None where it has no queue


@dataclass(frozen=True, slots=True)
class PipelineReport:
    """The work of a pipeline for one iterator."""

    nodes: tuple[NodeReport, ...]  # those that computed something, from the sources to the end
    seconds: float  # from the first request to the last row
    rows: int  # how many rows (batches, after `batch`) were taken
    waited_s: float  # how long whoever took them waited
    fill: float  # how full the queue of rows that are ready was, on average

    def busy(self, node: NodeReport) -> float:
        """Return the share of the time in which the workers of a node computed."""
        return node.busy_s / max(self.seconds * node.used, 1e-9)

    @property
    def slowest(self) -> NodeReport | None:
        """The node that everything waits for; None where the pipeline keeps up with whoever takes its rows."""
        if not self.nodes or self.waited_s < self.seconds * KEEPS_UP:
            return None
        return max(self.nodes, key=self.busy)

    @property
    def advice(self) -> str:
        """The advice on what to change, in a sentence."""
        node = self.slowest
        if node is None:
            return "The pipeline keeps up: its rows are ready when they are asked for."
        waited = f"{self.waited_s / max(self.seconds, 1e-9):.0%} of the time was spent waiting for rows. "
        if node.used < node.workers:
            return waited + f"{node.name} is the slowest: it may have {node.workers} workers, and {node.used} keep up."
        return waited + f"{node.name} is the slowest: give it more than {node.workers} num_parallel_workers."

    def __rich__(self) -> Any:
        from rich.table import Table

        per_s = self.rows / max(self.seconds, 1e-9)
        table = Table(
            title=f"Data pipeline: {self.rows:,} rows in {self.seconds:.2f} s, {per_s:,.0f} rows/s",
            caption=self.advice,
        )
        for name in ("node", "workers", "rows", "rows/s", "busy", "ready"):
            table.add_column(name, justify="left" if name in ("node", "workers") else "right")
        for node in self.nodes:
            table.add_row(
                node.name,
                f"{node.used} of {node.workers} {node.kind}",
                f"{node.rows:,}",
                f"{node.rows / max(self.seconds, 1e-9):,.0f}",
                f"{self.busy(node):.0%}",
                "" if node.ready is None else f"{node.ready:.0%}",
            )
        table.add_row("rows that wait", "", "", "", "", f"{self.fill:.0%}")
        return table

    def __str__(self) -> str:
        from rich.console import Console

        text = io.StringIO()
        Console(file=text, width=120).print(self)
        return text.getvalue()


class Meter:
    """Counts what is taken out of a queue, and how long that takes."""

    def __init__(self) -> None:
        self.rows = 0
        self.waited_s = 0.0
        self._filled = 0.0
        self._began_at = self._last_at = time.perf_counter()

    def take(self, waited_s: float, filled: float) -> None:
        """Count a row, for which somebody waited so long, out of a queue that was filled to that share."""
        self.rows += 1
        self.waited_s += waited_s
        self._filled += filled
        self._last_at = time.perf_counter()

    def report(self, nodes: tuple[NodeReport, ...]) -> PipelineReport:
        """Return the report for these nodes."""
        fill = self._filled / max(self.rows, 1)
        return PipelineReport(nodes, self._last_at - self._began_at, self.rows, self.waited_s, fill)


ENDED: deque[PipelineReport] = deque(maxlen=MAX_REPORTS)
OPEN: "weakref.WeakSet[Any]" = weakref.WeakSet()  # executors


def summary() -> str:
    """Return the reports of the latest iterators that ended, and of those that have not, as text."""
    opened = (executor.report() for executor in list(OPEN))
    return "\n".join(str(report) for report in [*ENDED, *opened] if report.rows)
