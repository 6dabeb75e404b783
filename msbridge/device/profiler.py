"""A profiler with MindSpore's interface, on torch's: it sees what runs here, not what an Ascend would do."""

from pathlib import Path
from typing import Any

import torch
from torch.profiler import ProfilerActivity, profile

from msbridge.converters.files.partials import folder_for
from msbridge.converters.files.replacing import copy, write_text
from msbridge.core.notices import without_effect
from msbridge.core.paths import StrPath, resolve

__all__ = ["Profiler"]

TRACE = "trace.json"
TABLE = "operators.txt"

_ABOUT_ASCEND = frozenset(
    [
        "activities",
        "aicore_metrics",
        "ascend_job_id",
        "data_process",
        "data_simplification",
        "env_enable",
        "host_stack",
        "hbm_ddr",
        "is_detail",
        "is_show_op_path",
        "l2_cache",
        "mstx",
        "op_time",
        "optypes_not_deal",
        "optypes_to_deal",
        "parallel_strategy",
        "pcie",
        "profile_communication",
        "profile_framework",
        "profiler_level",
        "subgraph",
        "sync_enable",
        "sys",
        "timeline_limit",
        "with_stack",
    ]
)


class Profiler:
    """Records the operators that run between `start` and `stop`, and how long each takes.

    Args:
        output_path: the folder that `analyse` writes into, below `profiler/`; "./data" when it is not given.
        start_profile: start at once.
        profile_memory: record the memory of tensors, too.
        settings: what else MindSpore's Profiler knows; it chooses counters and forms of Ascend's own, and has no effect
            here, which a warning says.

    Raises:
        TypeError: an argument is unknown or of a wrong type.

    Follows: mindspore.Profiler (2.10); `mindspore.profiler.Profiler` since 1.0.
    """

    def __init__(
        self,
        output_path: StrPath = "./data",
        *,
        start_profile: bool = True,
        profile_memory: bool = False,
        **settings: Any,
    ) -> None:
        for name in settings:
            if name not in _ABOUT_ASCEND:
                raise TypeError(f"For 'Profiler', {name!r} is not an argument; the others are {sorted(_ABOUT_ASCEND)}.")
        if not isinstance(start_profile, bool):
            raise TypeError(f"For 'Profiler', start_profile must be a bool, got {type(start_profile).__name__}.")
        for name, value in settings.items():
            without_effect(f"mindspore.Profiler.{name}", value)
        self._folder = Path(resolve(output_path)) / "profiler"
        activities = [ProfilerActivity.CPU, *([ProfilerActivity.CUDA] if torch.cuda.is_available() else [])]
        self._profile = profile(activities=activities, profile_memory=bool(profile_memory), acc_events=True)
        self._is_running = False
        self._has_run = False
        if start_profile:
            self.start()

    def start(self) -> None:
        """Begin to record.

        Raises:
            RuntimeError: it records already, or has been stopped: a Profiler records once.
        """
        if self._is_running or self._has_run:
            raise RuntimeError("For 'Profiler', start must be called once, and before stop; make another Profiler.")
        self._profile.start()
        self._is_running = True

    def stop(self) -> None:
        """End the record.

        Raises:
            RuntimeError: nothing is recorded.
        """
        if not self._is_running:
            raise RuntimeError("For 'Profiler', stop was called before start.")
        self._profile.stop()
        self._is_running = False
        self._has_run = True

    def analyse(self) -> None:
        """End the record if that was not done, and write the timeline (trace.json) and a table of the operators.

        Raises:
            RuntimeError: nothing was recorded.
        """
        if not self._has_run:
            self.stop()
        self._folder.mkdir(parents=True, exist_ok=True)
        with folder_for(self._folder / TRACE) as folder:
            self._profile.export_chrome_trace(str(folder / TRACE))
            copy(folder / TRACE, self._folder / TRACE)
        table = self._profile.key_averages().table(sort_by="self_cpu_time_total", row_limit=-1)
        write_text(self._folder / TABLE, table)
