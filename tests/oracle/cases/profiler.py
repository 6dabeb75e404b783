"""mindspore.profiler: the schedule, the enumerations and the options, as the CPU build answers."""

from mindspore import profiler  # noqa: F401  used by the expressions
from mindspore.profiler import schedule

from tests.oracle.case import Case, each


def actions(steps: int, **settings: int) -> list[str]:
    return [schedule(**settings)(step).name for step in range(steps)]


CASES = [
    *each("""
        actions(12, wait=1, active=2, warmup=1, repeat=2, skip_first=1)
        actions(4, wait=0, active=1), actions(5, wait=2, active=1), actions(5, wait=0, active=2, repeat=1)
        repr(schedule(wait=1, active=2, warmup=1, repeat=3, skip_first=4))
        schedule(wait=1, active=2, warmup=1).to_dict()
        [one.value for one in profiler.ProfilerLevel], [one.value for one in profiler.ProfilerActivity]
        [one.value for one in profiler.AicoreMetrics], [one.value for one in profiler.ExportType]
        [one.name for one in profiler.HostSystem], profiler.AicoreMetrics.AiCoreNone.value
        profiler._ExperimentalConfig().profiler_level.name, profiler._ExperimentalConfig().data_simplification
        profiler._ExperimentalConfig().export_type, profiler._ExperimentalConfig().host_sys
        profiler.mstx.mark("step"), profiler.mstx.range_end(0), profiler.mstx.range_start(3)
    """),
    Case("schedule(wait=0, active=1)(-1)", raises=ValueError),
    Case("schedule(1, 1)", raises=TypeError),
    Case("schedule(wait=1)", raises=TypeError),
    Case("profiler.DynamicProfilerMonitor(3)", raises=TypeError),
]
