"""Names of `mindspore.utils` that training on a cluster uses: requests to leave, and controllers of faults."""

import importlib
import os
import traceback
from collections.abc import Callable
from typing import Any, ClassVar

from msbridge.core.context import context
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.distributed.groups.group import get_group_size
from msbridge.dropin import log
from msbridge.ops import operations

__all__ = ["ExitByRequest", "RSCPluginHandle", "TFTCommValue", "TftHandle", "TraceBack", "tft_handler"]


class ExitByRequest:
    """Finds out in a training step whether every process was asked to leave.

    Follows: mindspore.utils.ExitByRequest (2.10).
    """

    def __init__(self) -> None:
        self.all_reduce = operations.AllReduce()
        self.equal = operations.Equal()
        self.assign = operations.Assign()
        self.reduce_all = operations.ReduceAll(keep_dims=False)
        self.group_size = get_group_size()
        self.is_distributed = self.group_size > 1
        if self.is_distributed:
            self.base = Tensor([self.group_size], mstype.int32)
        self.base1 = Tensor([1], mstype.int32)
        self.true = Tensor(True, mstype.bool_)

    def exit_by_request(self, grad: Any, init_value: Tensor, exit_value: Tensor) -> Any:
        """Assign to `exit_value` whether `init_value` is 1 in every process, and return `grad`.

        A process by itself only returns it.

        Args:
            grad: anything.
            init_value: (1,) int32, 1 where this process was asked to leave.
            exit_value: () bool, a Parameter.
        """
        if self.is_distributed:
            self.assign(exit_value, self.reduce_all(self.equal(self.all_reduce(init_value), self.base)))
        return grad


class TFTCommValue:
    """Switches of the variable MS_ENABLE_TFT, by what they need.

    Follows: mindspore.utils.TFTCommValue (2.10).
    """

    ENABLE_MINDX: ClassVar = ["TTP:1", "UCE:1", "ARF:1", "TSP:1", "HCCE:1", "RSC:1"]
    NEED_MINDIO: ClassVar = ["TTP:1", "UCE:1", "ARF:1", "TSP:1", "HCCE:1"]
    DISABLE_WATCHDOG: ClassVar = ["ARF:1", "TSP:1", "HCCE:1"]


def _switches() -> str:
    return os.environ.get("MS_ENABLE_TFT", "").strip()


class RSCPluginHandle:
    """Hands functions to the controller of a cluster, the package taskd, if it is installed.

    Follows: mindspore.utils.RSCPluginHandle (2.10).
    """

    def __init__(self) -> None:
        self.tft_env = _switches()
        self.enable = any(switch in self.tft_env for switch in TFTCommValue.ENABLE_MINDX)
        self.msmgr: Any = None
        self.init_taskd_agent: Any = None
        self.start_taskd_agent: Any = None
        self.register_func: Any = None
        self.using_agent = False

    def check_enable(self) -> bool:
        """Return whether a switch of MS_ENABLE_TFT asks for the controller."""
        return self.enable

    def register_callback(self, func_map: dict[str, Callable[..., Any]]) -> bool:
        """Register functions with the controller by name, and return whether there is one.

        Raises:
            ValueError: `func_map` is not a dict.
        """
        if not isinstance(func_map, dict):
            raise ValueError(f"func_map must be a dict, got {func_map!r}.")
        for register in (self._to_agent, self._to_manager):
            try:
                if register(func_map):
                    return True
            except Exception as error:  # a foreign package may raise anything
                log.warning(f"No functions were handed to taskd: {error}")
        return False

    def _to_agent(self, functions: dict[str, Callable[..., Any]]) -> bool:
        agent = importlib.import_module("taskd.api.taskd_agent_api")
        self.init_taskd_agent, self.register_func = agent.init_taskd_agent, agent.register_func
        self.start_taskd_agent = agent.start_taskd_agent
        if not self.init_taskd_agent({"Framework": "MindSpore"}):
            return False
        for name, function in functions.items():
            self.register_func(name, function)
        self.using_agent = True
        return True

    def _to_manager(self, functions: dict[str, Callable[..., Any]]) -> bool:
        self.using_agent = False
        self.msmgr = importlib.import_module("taskd.python.framework.agent.ms_mgr.msrun_plugin").MSRunPlugin()
        for name, function in functions.items():
            self.msmgr.register_callbacks(name, function)
        return True

    def start(self) -> None:
        """Let the controller begin.

        Raises:
            RuntimeError: there is none.
        """
        if self.using_agent:
            self.start_taskd_agent()
        elif self.msmgr is None:
            raise RuntimeError("There is no controller: the package taskd is not here, or refused the functions.")
        else:
            self.msmgr.start()


class TftHandle:
    """The handle for MindIO, which repairs training on Ascend clusters; without an Ascend it does nothing.

    Follows: mindspore.utils.utils.TftHandle (2.10).
    """

    def __init__(self) -> None:
        self.tft: Any = None
        self.enable_mindx = False
        self.tft_notify_controller_prepare_action: Any = None
        self.tft_notify_controller_change_strategy: Any = None

    def get_tft(self) -> Any:
        """Return MindIO's module; None, as long as it was not started."""
        return self.tft

    def init(self, **kwargs: Any) -> None:
        """Check the switches; on another device than an Ascend, log a warning that nothing is done.

        Raises:
            ValueError: no switch of MS_ENABLE_TFT asks for MindIO.
            ModuleNotFoundError: the device is an Ascend: MindIO knows only MindSpore's own runtime.
        """
        switches = _switches()
        if not any(switch in switches for switch in TFTCommValue.NEED_MINDIO):
            raise ValueError(f"MS_ENABLE_TFT must have one of {TFTCommValue.NEED_MINDIO}, got {switches!r}.")
        if "ARF:1" in switches:
            if "TTP:1" not in switches:
                given = [one.strip() for one in switches.strip("{}").split(",")]
                os.environ["MS_ENABLE_TFT"] = "{" + ",".join([*given, "TTP:1"]) + "}"
            os.environ["MS_ENABLE_RECOVERY"] = "1"
        device = context.get_context("device_target")
        if device != "Ascend":
            log.warning(f"MindIO repairs training on an Ascend only; on the {device}, nothing is done.")
            return
        raise ModuleNotFoundError(
            "MindIO repairs the training of MindSpore's own runtime: it is not served here. Use ModelCheckpoint, and "
            "training that continues from its files."
        )

    def unregister_tft(self) -> None:
        """Let MindIO end.

        Raises:
            RuntimeError: it was not started.
        """
        if self.tft is None:
            raise RuntimeError("MindIO was not started.")
        self.tft.tft_destroy_processor()


tft_handler = TftHandle()


class TraceBack:
    """Wraps methods so that a warning says where each was called, once for each place.

    Follows: mindspore.utils.dryrun.TraceBack (2.10).
    """

    def __init__(self) -> None:
        self.stack_str_set: set[str] = set()

    def inject(self, method: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that warns, and calls `method`."""

        def new_method(*args: Any, **kwargs: Any) -> Any:
            frames = "".join(traceback.format_stack())
            if "Parameter" not in frames and frames not in self.stack_str_set:
                self.stack_str_set.add(frames)
                log.warning(f"The value of a Tensor is asked for, which a simulated run does not have:\n{frames}")
            return method(*args, **kwargs)

        return new_method


def no_inject_traceback_for_print(self: Tensor) -> str:
    """Return the values of a Tensor as text.

    Follows: mindspore.utils.dryrun.no_inject_traceback_for_print (2.10).
    """
    return str(self.asnumpy())
