"""One record of torch's profiler, and the files that are made of it."""

import errno
import json
import os
import shutil
import socket
import time
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from torch.profiler import ProfilerAction as TorchAction
from torch.profiler import profile as torch_profile

from msbridge.converters.files.atomic_write import copy, naming, write_text
from msbridge.converters.files.temporary_files import folder_for
from msbridge.core.runtime import profiler_ranges
from msbridge.device.profiler.options import ProfilerActivity, torch_activities
from msbridge.device.profiler.steps import ProfilerAction

_BEGIN = 64  # bytes of a trace in which its first brace is


class Recording:
    """Records operators, layers and a script's own ranges from `start` to `stop`.

    Args:
        activities: host, device or both; None means both.
        with_stack: record where in the script each operator was called.
        profile_memory: record what memory tensors take and free.
        record_shapes: record the shapes of operators' inputs.
        schedule: which steps are recorded; all where it is None.
        on_ready: called when a cycle of the schedule, or the record, is complete.
    """

    def __init__(
        self,
        activities: Iterable[ProfilerActivity] | None,
        with_stack: bool,
        profile_memory: bool,
        record_shapes: bool,
        schedule: Callable[[int], ProfilerAction] | None = None,
        on_ready: Callable[[], None] | None = None,
    ) -> None:
        self.metadata: dict[str, str] = {}
        self.is_running = False
        self._profile = torch_profile(
            activities=torch_activities(activities),
            schedule=None if schedule is None else lambda step: TorchAction(schedule(step).value),
            on_trace_ready=None if on_ready is None else lambda _: on_ready(),
            with_stack=with_stack,
            profile_memory=profile_memory,
            record_shapes=record_shapes,
            acc_events=True,
        )

    def start(self) -> None:
        """Begin."""
        profiler_ranges.begin()
        self.is_running = True
        self._profile.start()

    def step(self) -> None:
        """Continue to the next step of the schedule."""
        self._profile.step()

    def stop(self) -> None:
        """End; a part of a cycle is complete with this, too."""
        self.is_running = False
        try:
            self._profile.stop()
        finally:
            profiler_ranges.end()

    def write_trace(self, file: Path) -> None:
        """Write the last complete cycle for Chrome, Perfetto and TensorBoard; whole or not at all."""
        file.parent.mkdir(parents=True, exist_ok=True)
        with naming(file), folder_for(file) as folder:
            exported = folder / file.name
            self._profile.export_chrome_trace(str(exported))
            if not _is_whole(exported):  # torch (2.13) says nothing of a disk that is full
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            copy(_with_metadata(exported, self.metadata) if self.metadata else exported, file)

    def write_table(self, file: Path) -> None:
        """Write a table of the operators: how often each ran and how long it took, the slowest first."""
        table = self._profile.key_averages().table(sort_by="self_cpu_time_total", row_limit=-1)
        write_text(file, table)

    def operators(self) -> list[dict[str, Any]]:
        """Return the number of runs and the duration of each operator, in microseconds, as dicts."""
        return [
            {
                "name": event.key,
                "calls": event.count,
                "host_time_us": event.cpu_time_total,
                "device_time_us": event.device_time_total,
            }
            for event in self._profile.key_averages()
        ]


def _is_whole(trace: Path) -> bool:
    """Whether a file of JSON is there, and has its end."""
    try:
        with trace.open("rb") as file:
            file.seek(max(trace.stat().st_size - 64, 0))
            return file.read().rstrip().endswith(b"}")
    except FileNotFoundError:
        return False


def trace_file(folder: Path, worker: str | None) -> Path:
    """Return a new name for a trace, by which TensorBoard's plugin finds it."""
    return folder / f"{worker or f'{socket.gethostname()}_{os.getpid()}'}.{time.time_ns()}.pt.trace.json"


def encode_metadata(key: Any, value: Any, is_json: bool) -> str | None:
    """Return metadata as JSON; None, with a warning, for what is not one, as MindSpore's profiler skips it."""
    if not isinstance(key, str) or not isinstance(value, str):
        warnings.warn(f"Metadata are strings, got {key!r} and {value!r}: left out.", stacklevel=3)
        return None
    if not is_json:
        return json.dumps(value)
    try:
        json.loads(value)
    except ValueError as error:
        warnings.warn(f"The metadata {key!r} are not JSON ({error}): left out.", stacklevel=3)
        return None
    return value


def _with_metadata(exported: Path, metadata: Mapping[str, str]) -> Path:
    """Return a copy of a trace that begins with metadata; torch 2.13 writes a backslash in them as a slash."""
    result = exported.with_name("with_metadata")
    with exported.open("rb") as source, result.open("wb") as target:
        begin = source.read(_BEGIN)
        head, brace, rest = begin.partition(b"{")
        entries = "".join(f"\n    {json.dumps(key)}: {value}," for key, value in metadata.items())
        target.write(head + brace + entries.encode() + rest)
        shutil.copyfileobj(source, target)
    return result
