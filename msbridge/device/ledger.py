"""The ledger of training on the device: numbers that the user may read at any time.

>>> from msbridge.device import ledger
>>> ledger.reset()
>>> (ledger.steps, ledger.sinks, ledger.host_syncs)
(0, 0, 0)
"""

from typing import Any

from msbridge.core.runtime import observers
from msbridge.core.runtime.device_to_host import HostLink, link


class Ledger:
    """Counts steps, sinks, waits of the host, and bytes moved.

    Attributes:
        sinks: sinks that were run to their end; a step outside a sink counts none.
    """

    __slots__ = ("_link", "sinks")

    def __init__(self, link: HostLink) -> None:
        self._link = link
        self.reset()

    def reset(self) -> None:
        """Reset the counts, those of the host's waits and reads included."""
        self.sinks = 0
        self._link.reset()

    @property
    def steps(self) -> int:
        """The number of steps submitted to the device."""
        return self._link.steps

    @property
    def host_syncs(self) -> int:
        """The number of times that the host waited for the device."""
        return self._link.syncs

    @property
    def bytes_to_device(self) -> int:
        """Bytes of the batches that were brought to the device."""
        return self._link.bytes_sent

    @property
    def bytes_from_device(self) -> int:
        """Bytes that the host read."""
        return self._link.bytes_read

    def begin_sink(self) -> None:
        """Note that a sink begins."""
        for observer in observers.active:
            observer.begin_sink()

    def count_sink(self, capture: str = "") -> None:
        """Note the end of a sink, where the host waits for the device.

        Args:
            capture: whether its steps were replayed as a graph, in words.
        """
        self.sinks += 1
        self._link.wait()
        for observer in observers.active:
            observer.end_sink(capture)

    def summary(self) -> str:
        """Return the counts as lines of text, one per count."""
        rows = self._rows()
        width = max(len(name) for name, _ in rows)
        return "\n".join(f"{name:<{width}}  {value}" for name, value in rows)

    def __rich__(self) -> Any:
        from rich.table import Table

        table = Table(title="Device ledger", show_header=False)
        table.add_column("count")
        table.add_column("value", justify="right")
        for name, value in self._rows():
            table.add_row(name, value)
        return table

    def _rows(self) -> list[tuple[str, str]]:
        per_sync = f"{self.steps / self.host_syncs:,.1f}" if self.host_syncs else "-"
        return [
            ("steps", f"{self.steps:,}"),
            ("sinks", f"{self.sinks:,}"),
            ("host syncs", f"{self.host_syncs:,}"),
            ("steps per host sync", per_sync),
            ("MiB to the device", f"{self.bytes_to_device / 2**20:,.1f}"),
            ("MiB from the device", f"{self.bytes_from_device / 2**20:,.1f}"),
        ]


ledger = Ledger(link)
