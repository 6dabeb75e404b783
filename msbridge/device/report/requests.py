"""Requests of a script for a report; nothing is collected before."""

from msbridge.core.runtime import observers
from msbridge.device.report.collecting import Collector
from msbridge.device.report.judging import findings
from msbridge.device.report.outcome import Report

__all__ = ["collect", "report"]

_latest: list[Collector] = []


def collect() -> Collector:
    """Begin to collect what the device is given to do; what was collected before is given up.

    Returns:
        The collector: its method `stop` ends the collection, as the end of a `with` block does.

    >>> with collect():
    ...     pass
    >>> report().seen.steps
    0
    """
    while _latest:
        _latest.pop().stop()
    _latest.append(Collector())
    observers.add(_latest[0])
    return _latest[0]


def report() -> Report:
    """Return a report of what has been collected: print it, `save` it as HTML or JSON, or read its values.

    Raises:
        RuntimeError: nothing was collected.
    """
    if not _latest:
        raise RuntimeError(
            "There is nothing to report: call msbridge.device.collect() before the first step, or start the script "
            "with `msbridge run --device-report out.html SCRIPT`."
        )
    seen = _latest[0].summarize()
    return Report(seen, findings(seen))
