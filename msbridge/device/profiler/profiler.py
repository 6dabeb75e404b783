"""`Profiler`, `profile` and what writes their traces.

Misuse is answered as MindSpore's profiler does: with a warning, not with an error that ends a training.
"""

import atexit
import json
import warnings
import weakref
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Self

from msbridge.core.checks.arguments import instance
from msbridge.core.checks.no_effect_warnings import without_effect
from msbridge.core.runtime.path_mapping import StrPath, resolve
from msbridge.device.profiler.options import ProfilerActivity, _ExperimentalConfig
from msbridge.device.profiler.recording import Recording, encode_metadata, trace_file
from msbridge.device.profiler.steps import ProfilerAction

__all__ = ["Profiler", "analyse", "profile", "tensorboard_trace_handler"]

TRACE = "trace.json"
TABLE = "operators.txt"
FOLDER = "./data"

_ABOUT_ASCEND = frozenset(
    [
        "aicore_metrics",
        "ascend_job_id",
        "data_process",
        "data_simplification",
        "env_enable",
        "experimental_config",
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
    ]
)


class _Profiling:
    """The base of both of MindSpore's profilers: begin, continue, end, and keep notes."""

    _owner = "profile"

    def __init__(self, has_schedule: bool, start_profile: bool, make: Callable[[], Recording]) -> None:
        self._has_schedule = has_schedule
        self._make = make
        self._recording: Recording | None = None
        self._metadata: dict[str, str] = {}
        if start_profile:
            self.start()

    def start(self) -> None:
        """Begin to record; with a warning and nothing else while it does already."""
        if self._is_running():
            self._warn("start was called while it records already")
            return
        self._recording = self._make()
        self._recording.metadata = self._metadata
        self._recording.start()
        self._at_exit = _stop_at_exit(self)

    def stop(self) -> None:
        """End the record; with a warning and nothing else where nothing is recorded."""
        if self._recording is None or not self._recording.is_running:
            self._warn("stop was called before start")
            return
        atexit.unregister(self._at_exit)
        self._recording.stop()

    def step(self) -> None:
        """Continue to the next step of the schedule; without one, a warning is all that happens."""
        if not self._has_schedule:
            self._warn("step does nothing without a schedule")
        elif self._recording is None or not self._recording.is_running:
            self._warn("step was called before start")
        else:
            self._recording.step()

    def add_metadata(self, key: str, value: str) -> None:
        """Write a text into the traces from now on; a value that is not a str is left out, with a warning.

        Follows: mindspore.profiler.profile.add_metadata (2.10).
        """
        self._add(key, encode_metadata(key, value, is_json=False))

    def add_metadata_json(self, key: str, value: str) -> None:
        """Write a value, given as JSON, into the traces from now on; one that is not JSON is left out, with a warning.

        Follows: mindspore.profiler.profile.add_metadata_json (2.10).
        """
        self._add(key, encode_metadata(key, value, is_json=True))

    def write_trace(self, folder: StrPath, worker: str | None = None) -> None:
        """Write the trace of the last complete cycle to "WORKER.TIME.pt.trace.json" in a folder."""
        if self._recording is None:
            self._warn("nothing was recorded")
        else:
            self._recording.write_trace(trace_file(Path(resolve(folder)), worker))

    def __enter__(self) -> Self:
        if not self._is_running():
            self.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._is_running():
            self.stop()

    def _add(self, key: str, value: str | None) -> None:
        if value is not None:
            self._metadata[key] = value

    def _is_running(self) -> bool:
        return self._recording is not None and self._recording.is_running

    def _warn(self, text: str) -> None:
        warnings.warn(f"For '{self._owner}', {text}.", stacklevel=3)


class profile(_Profiling):
    """Records operators, layers and a script's own ranges; writes a trace whenever a cycle of the schedule is complete.

    Args:
        activities: ProfilerActivity.CPU for the host, NPU or GPU for the device of any kind; None means all.
        with_stack: record where in the script each operator was called.
        profile_memory: record what memory tensors take and free.
        data_process: without effect, which is said once, as the following are.
        parallel_strategy: see `data_process`.
        start_profile: begin at once.
        hbm_ddr: see `data_process`.
        pcie: see `data_process`.
        sync_enable: see `data_process`.
        record_shapes: record the shapes of operators' inputs.
        schedule: which steps are recorded (`mindspore.profiler.schedule`); all until `stop` where it is None.
        on_trace_ready: called with this object when a cycle is complete; None writes traces below "./data".
        experimental_config: counters of an Ascend, without effect.

    Raises:
        TypeError: an argument is of another type.

    Follows: mindspore.profiler.profile (2.10).
    """

    def __init__(
        self,
        activities: Iterable[ProfilerActivity] | None = None,
        with_stack: bool = False,
        profile_memory: bool = False,
        data_process: bool = False,
        parallel_strategy: bool = False,
        start_profile: bool = True,
        hbm_ddr: bool = False,
        pcie: bool = False,
        sync_enable: bool = True,
        record_shapes: bool = False,
        schedule: Callable[[int], ProfilerAction] | None = None,
        on_trace_ready: Callable[..., Any] | None = None,
        experimental_config: _ExperimentalConfig | None = None,
    ) -> None:
        unused = {
            "data_process": data_process,
            "parallel_strategy": parallel_strategy,
            "hbm_ddr": hbm_ddr,
            "pcie": pcie,
        }
        for name, value in {**unused, "sync_enable": not sync_enable}.items():
            if value:
                without_effect(f"mindspore.profiler.profile.{name}", not value if name == "sync_enable" else value)
        instance(experimental_config, "experimental_config", "profile", (_ExperimentalConfig, type(None)))
        ready = on_trace_ready if on_trace_ready is not None else tensorboard_trace_handler()
        options = _options("profile", activities, with_stack, profile_memory, record_shapes, schedule, ready)

        def make() -> Recording:
            return Recording(*options, schedule, lambda: ready(self))

        super().__init__(schedule is not None, bool(start_profile), make)

    def analyse(self, async_mode: bool = False) -> None:
        """Write the trace of the last complete cycle below "./data"; what `on_trace_ready` may call.

        Args:
            async_mode: without effect: the trace is there when this returns.
        """
        if async_mode:
            without_effect("mindspore.profiler.profile.analyse.async_mode", True)
        self.write_trace(FOLDER)


class Profiler(_Profiling):
    """Records as `profile` does; `analyse` writes what was recorded.

    Args:
        output_path: the folder that `analyse` writes into, below `profiler/`; "./data" when it is not given.
        start_profile: start at once.
        profile_memory: record the memory of tensors, too.
        with_stack: record where in the script each operator was called.
        activities: what is recorded, as for `profile`.
        schedule: which steps are recorded, as for `profile`.
        on_trace_ready: called when a cycle is complete, as for `profile`.
        settings: what else MindSpore's Profiler knows; it chooses counters and forms of Ascend's own, and has no effect
            here, which a warning says.

    Raises:
        TypeError: an argument is unknown or of a wrong type.

    Examples:
        >>> profiler = ms.Profiler(output_path="times")
        >>> total = Tensor([1.0, 2.0]).sum()
        >>> profiler.analyse()
        >>> os.listdir("times")
        ['profiler']

    Follows: mindspore.Profiler (2.10); `mindspore.profiler.Profiler` since 1.0.
    """

    _owner = "Profiler"

    def __init__(
        self,
        output_path: StrPath = FOLDER,
        *,
        start_profile: bool = True,
        profile_memory: bool = False,
        with_stack: bool = False,
        activities: Iterable[ProfilerActivity] | None = None,
        schedule: Callable[[int], ProfilerAction] | None = None,
        on_trace_ready: Callable[..., Any] | None = None,
        **settings: Any,
    ) -> None:
        for name in settings:
            if name not in _ABOUT_ASCEND:
                raise TypeError(f"For 'Profiler', {name!r} is not an argument; the others are {sorted(_ABOUT_ASCEND)}.")
        instance(start_profile, "start_profile", "Profiler", bool)
        for name, value in settings.items():
            without_effect(f"mindspore.Profiler.{name}", value)
        self._folder = Path(resolve(output_path)) / "profiler"
        options = _options("Profiler", activities, with_stack, bool(profile_memory), False, schedule, on_trace_ready)

        def make() -> Recording:
            return Recording(*options, schedule, None if on_trace_ready is None else lambda: on_trace_ready(self))

        super().__init__(schedule is not None, start_profile, make)

    def analyse(
        self,
        offline_path: StrPath | None = None,
        pretty: bool = False,
        step_list: Sequence[int] | None = None,
        mode: str = "sync",
    ) -> None:
        """End the record if that was not done, and write the timeline (trace.json) and a table of the operators.

        Args:
            offline_path: without effect, which is said once, as the following are: everything is written at once.
            pretty: see `offline_path`.
            step_list: see `offline_path`.
            mode: see `offline_path`.
        """
        _say_analyse("mindspore.Profiler.analyse", offline_path=offline_path, pretty=pretty, step_list=step_list)
        if mode != "sync":
            without_effect("mindspore.Profiler.analyse.mode", mode)
        if self._is_running():
            self.stop()
        if self._recording is None:
            self._warn("analyse was called before start: nothing was recorded")
            return
        self._recording.write_trace(self._folder / TRACE)
        self._recording.write_table(self._folder / TABLE)

    @classmethod
    def offline_analyse(
        cls,
        path: StrPath,
        pretty: bool = False,
        step_list: Sequence[int] | None = None,
        data_simplification: bool = True,
    ) -> None:
        """Do nothing, which is said once: what `analyse` writes needs no further work.

        Follows: mindspore.Profiler.offline_analyse (2.10).
        """
        analyse(path, pretty=pretty, step_list=step_list, data_simplification=data_simplification)

    def op_analyse(self, op_name: str | list[str], device_id: int | None = None) -> str:
        """Return the number of runs and the durations of operators, as JSON.

        Args:
            op_name: MindSpore's names, such as "Conv2D"; torch's operators of like names are counted.
            device_id: without effect: one process records one device.

        Returns:
            JSON of a dict: for each of the names, a list of dicts with name, calls, host_time_us and device_time_us.

        Raises:
            TypeError: a name is not a str.

        Follows: mindspore.Profiler.op_analyse (2.10).
        """
        names = [op_name] if isinstance(op_name, str) else op_name
        instance(names, "op_name", "op_analyse", (list, tuple))
        if instance(device_id, "device_id", "op_analyse", (int, type(None))) is not None:
            without_effect("mindspore.Profiler.op_analyse.device_id", device_id)
        rows = [] if self._recording is None else self._recording.operators()
        totals = {
            instance(name, "op_name", "op_analyse", str): [row for row in rows if _plain(row["name"]) == _plain(name)]
            for name in names
        }
        return json.dumps(totals)


def tensorboard_trace_handler(
    dir_name: StrPath | None = None,
    worker_name: str | None = None,
    analyse_flag: bool = True,
    async_mode: bool = False,
) -> Callable[[Any], None]:
    """Return a handler that writes a trace for Chrome and TensorBoard's plugin when a profiler's cycle is complete.

    Args:
        dir_name: the folder; None is "./data".
        worker_name: begins the files' names; host and process where it is None.
        analyse_flag: False writes nothing.
        async_mode: without effect, which is said once: the trace is there when the step continues.

    Raises:
        TypeError: a name is of another type.

    Follows: mindspore.profiler.tensorboard_trace_handler (2.10).
    """
    instance(worker_name, "worker_name", "tensorboard_trace_handler", (str, type(None)))
    folder = resolve(FOLDER if dir_name is None else dir_name)
    if async_mode:
        without_effect("mindspore.profiler.tensorboard_trace_handler.async_mode", True)

    def handle(prof: Any) -> None:
        if analyse_flag:
            prof.write_trace(folder, worker_name)

    return handle


def analyse(
    profiler_path: StrPath,
    max_process_number: int = 1,
    pretty: bool = False,
    step_list: Sequence[int] | None = None,
    data_simplification: bool = True,
) -> None:
    """Do nothing, which is said once: traces are complete when they are written.

    Follows: mindspore.profiler.profiler.analyse (2.10).
    """
    owner = "mindspore.profiler.profiler.analyse"
    _say_analyse(owner, profiler_path=profiler_path, pretty=pretty, step_list=step_list)
    if max_process_number != 1:
        without_effect(f"{owner}.max_process_number", max_process_number)
    if not data_simplification:
        without_effect(f"{owner}.data_simplification", False)


def _say_analyse(owner: str, **settings: Any) -> None:
    for name, value in settings.items():
        if value:
            without_effect(f"{owner}.{name}", value)


def _options(
    owner: str,
    activities: Iterable[ProfilerActivity] | None,
    with_stack: bool,
    profile_memory: bool,
    record_shapes: bool,
    schedule: Any,
    on_trace_ready: Any,
) -> tuple[list[ProfilerActivity] | None, bool, bool, bool]:
    flags = {"with_stack": with_stack, "profile_memory": profile_memory, "record_shapes": record_shapes}
    for name, value in flags.items():
        instance(value, name, owner, bool)
    for name, value in {"schedule": schedule, "on_trace_ready": on_trace_ready}.items():
        if value is not None and not callable(value):
            raise TypeError(f"For '{owner}', {name} must be a function, got {value!r}.")
    if activities is not None and not isinstance(activities, Iterable):
        raise TypeError(f"For '{owner}', activities must be a list of ProfilerActivity, got {activities!r}.")
    return None if activities is None else list(activities), with_stack, profile_memory, record_shapes


def _plain(name: str) -> str:
    """Return the name of an operator of MindSpore or torch without what distinguishes their spellings."""
    return name.rpartition("::")[2].replace("_", "").lower()


def _stop_at_exit(profiling: _Profiling) -> Callable[[], None]:
    """End a record with the program, as long as somebody holds the profiler; what it has seen is written."""
    held = weakref.ref(profiling)

    def stop() -> None:
        found = held()
        if found is not None:
            found.stop()

    atexit.register(stop)
    return stop
