"""Options of a profiler. Counters of an Ascend have nothing to count here, and say so."""

import inspect
from collections.abc import Iterable
from enum import Enum

from torch.profiler import ProfilerActivity as TorchActivity
from torch.profiler import supported_activities

from msbridge.core.checks.no_effect_warnings import without_effect

__all__ = ["AicoreMetrics", "ExportType", "HostSystem", "ProfilerActivity", "ProfilerLevel", "_ExperimentalConfig"]


class ProfilerActivity(Enum):
    """The places of recording: CPU the host, NPU and GPU the device of any kind.

    Follows: mindspore.profiler.ProfilerActivity (2.10).
    """

    NPU = "NPU"
    GPU = "GPU"
    CPU = "CPU"


class ProfilerLevel(Enum):
    """The level of detail that an Ascend records; torch's profiler has no levels.

    Follows: mindspore.profiler.ProfilerLevel (2.10).
    """

    LevelNone = "LevelNone"
    Level0 = "Level0"
    Level1 = "Level1"
    Level2 = "Level2"


class AicoreMetrics(Enum):
    """The counters of an Ascend's cores.

    Follows: mindspore.profiler.AicoreMetrics (2.10).
    """

    PipeUtilization = "PipeUtilization"
    ArithmeticUtilization = "ArithmeticUtilization"
    Memory = "Memory"
    MemoryL0 = "MemoryL0"
    MemoryUB = "MemoryUB"
    ResourceConflictRatio = "ResourceConflictRatio"
    L2Cache = "L2Cache"
    MemoryAccess = "MemoryAccess"
    AiCoreNone = "None"


class ExportType(Enum):
    """Form of what is written; here it is a trace in JSON in any case.

    Follows: mindspore.profiler.ExportType (2.10).
    """

    Db = "db"
    Text = "text"


class HostSystem(Enum):
    """The parts of the host's system that an Ascend's profiler records.

    Follows: mindspore.profiler.HostSystem (2.10).
    """

    CPU = "cpu"
    MEM = "mem"
    DISK = "disk"
    NETWORK = "network"
    OSRT = "osrt"


class _ExperimentalConfig:
    """Further counters of an Ascend's profiler: kept, without effect, which is warned of once.

    Follows: mindspore.profiler._ExperimentalConfig (2.10).
    """

    def __init__(
        self,
        profiler_level: ProfilerLevel = ProfilerLevel.Level0,
        aic_metrics: AicoreMetrics = AicoreMetrics.AiCoreNone,
        l2_cache: bool = False,
        mstx: bool = False,
        data_simplification: bool = True,
        export_type: list[ExportType] | None = None,
        mstx_domain_include: list[str] | None = None,
        mstx_domain_exclude: list[str] | None = None,
        sys_io: bool = False,
        sys_interconnection: bool = False,
        host_sys: list[HostSystem] | None = None,
    ) -> None:
        self.profiler_level = profiler_level
        self.aic_metrics = aic_metrics
        self.l2_cache = l2_cache
        self.mstx = mstx  # ranges are recorded in any case
        self.data_simplification = data_simplification
        self.export_type = export_type
        self.mstx_domain_include = mstx_domain_include
        self.mstx_domain_exclude = mstx_domain_exclude
        self.sys_io = sys_io
        self.sys_interconnection = sys_interconnection
        self.host_sys = host_sys
        for name, parameter in inspect.signature(_ExperimentalConfig).parameters.items():
            if (value := vars(self)[name]) != parameter.default:
                without_effect(f"mindspore.profiler._ExperimentalConfig.{name}", value)


def torch_activities(activities: Iterable[ProfilerActivity] | None) -> list[TorchActivity]:
    """Return torch's activities for those that a script asks for; None means all.

    The device is what torch's profiler can see of one (CUDA, or an NPU as a private backend); where that is
    nothing, the host is recorded.

    Raises:
        TypeError: one of them is not a ProfilerActivity.
    """
    asked = list(ProfilerActivity if activities is None else activities)
    for one in asked:
        if not isinstance(one, ProfilerActivity):
            raise TypeError(f"activities are members of mindspore.profiler.ProfilerActivity, got {one!r}.")
    is_host, is_device = ProfilerActivity.CPU in asked, {ProfilerActivity.NPU, ProfilerActivity.GPU} & set(asked)
    seen = [one for one in supported_activities() if (is_host if one == TorchActivity.CPU else is_device)]
    return seen or [TorchActivity.CPU]
