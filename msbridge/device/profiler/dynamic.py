"""A profiler that is switched on by a file while a training runs."""

import json
import time
import warnings
from pathlib import Path
from typing import Any

from msbridge.converters.files.atomic_write import write_text
from msbridge.core.checks.arguments import instance
from msbridge.core.runtime.callback import Callback, RunContext
from msbridge.core.runtime.path_mapping import StrPath, resolve
from msbridge.device.profiler.profiler import profile, tensorboard_trace_handler

__all__ = ["DynamicProfilerMonitor"]

CONFIG = "profiler_config.json"
_OFF = {"start_step": -1, "stop_step": -1}


class DynamicProfilerMonitor(Callback):
    """Records the steps of a training that a file names, which may be changed meanwhile.

    The file is "profiler_config.json" in `cfg_path`; it is written if it is not there. Its "start_step" and "stop_step"
    are the first and the last step, counted from 1; -1 represents none. Other keys are those of an Ascend's counters.

    Args:
        cfg_path: the folder of the file.
        output_path: where traces go.
        poll_interval: seconds after which the file is looked at again.
        kwargs: taken, as MindSpore does.

    Raises:
        TypeError: `cfg_path` is not a str.

    Follows: mindspore.profiler.DynamicProfilerMonitor (2.10).
    """

    def __init__(
        self,
        cfg_path: str | None = None,
        output_path: StrPath = "./dyn_profile_data",
        poll_interval: int = 2,
        **kwargs: Any,
    ) -> None:
        folder = Path(resolve(instance(cfg_path, "cfg_path", "DynamicProfilerMonitor", str)))
        self._file = folder / CONFIG
        self._output = resolve(output_path)
        self._interval_s = instance(poll_interval, "poll_interval", "DynamicProfilerMonitor", (int, float))
        self._looked_s = float("-inf")
        self._steps = dict(_OFF)
        self._step = 0
        self._profile: profile | None = None
        folder.mkdir(parents=True, exist_ok=True)
        if not self._file.exists():
            write_text(self._file, json.dumps(_OFF, indent=4))

    def step_begin(self, run_context: RunContext) -> None:
        """Begin a record when its first step begins."""
        self._step += 1
        if time.monotonic() - self._looked_s >= self._interval_s and self._profile is None:
            self._looked_s = time.monotonic()
            self._steps = self._read()
        if self._profile is None and self._step == self._steps["start_step"]:
            self._profile = profile(on_trace_ready=tensorboard_trace_handler(self._output))

    def step_end(self, run_context: RunContext) -> None:
        """End the record with its last step."""
        if self._profile is not None and self._step >= self._steps["stop_step"]:
            self.end(run_context)

    def end(self, run_context: RunContext) -> None:
        """End a record that is under way."""
        if self._profile is not None:
            self._profile.stop()
            self._profile = None

    def _read(self) -> dict[str, int]:
        try:
            found = json.loads(self._file.read_text(encoding="utf-8"))
            return {name: int(found[name]) for name in _OFF}
        except (OSError, ValueError, KeyError, TypeError) as error:
            warnings.warn(f"{self._file}: start_step and stop_step cannot be read: {error!r}.", stacklevel=2)
            return self._steps
