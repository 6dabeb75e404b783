"""The timeline: what ran when, in no more spans than a report can hold, however long the run is."""

from collections.abc import Sequence

from msbridge.device.report.facts import Span

__all__ = ["CAPACITY", "Timeline", "merge_spans"]

CAPACITY = 2048  # spans that are kept; beyond, neighbours are put together two by two
_ADDED = ("sinks", "steps", "data_s", "device_s", "planned", "unplanned")


class Timeline:
    """Spans in the order of time. The last one is open until it is closed, and takes what comes after it, too."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._done: list[Span] = []
        self._open: dict[str, float] = {}
        self.is_open = False

    def open(self, begin_s: float) -> None:
        """Begin a span, unless one is open."""
        if self.is_open:
            return
        self._keep()
        self._open = {"begin_s": begin_s, "end_s": begin_s, **dict.fromkeys(_ADDED, 0)}
        self.is_open = True

    def close(self, end_s: float) -> None:
        """End the span that is open."""
        self._open["end_s"] = end_s
        self.is_open = False

    def add(self, name: str, amount: float) -> None:
        """Add to a number of the last span; before the first span nothing is noted."""
        if self._open:
            self._open[name] += amount

    def spans(self, now_s: float) -> tuple[Span, ...]:
        """Return all spans; one that is open ends now."""
        last = dict(self._open, end_s=now_s) if self.is_open else self._open
        return (*self._done, *([Span(**last)] if last else []))  # type: ignore[arg-type]  # counts are kept as ints

    def _keep(self) -> None:
        if not self._open:
            return
        self._done.append(Span(**self._open))  # type: ignore[arg-type]
        if len(self._done) >= self._capacity:
            self._done = merge_spans(self._done, 2)


def merge_spans(spans: Sequence[Span], number: int) -> list[Span]:
    """Put neighbours together, so many at a time."""
    groups = [spans[at : at + number] for at in range(0, len(spans), number)]
    return [
        Span(group[0].begin_s, group[-1].end_s, *(sum(getattr(span, name) for span in group) for name in _ADDED))
        for group in groups
    ]
