"""A callback that reports which share of a chip's peak a run reaches."""

import math
import os
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from msbridge.core.checks.arguments import boolean, positive_int
from msbridge.core.runtime.callback import Callback, RunContext
from msbridge.core.runtime.standard_streams import print_now
from msbridge.device.streams import synchronize
from msbridge.distributed import get_group_size, get_rank

__all__ = ["FlopsUtilizationCollector"]


class FlopsUtilizationCollector(Callback):
    """Counts the floating point operations of the first step, and prints which share of the peak the steps reach.

    Counted are matrix products, convolutions and attention, forward and backward; what recomputation does again counts,
    too. The device is waited for in each step. MindSpore counts those of a compiled graph, and refuses other modes.

    Args:
        data_size: every so many steps, a line is left out.
        computility: the peak, in operations a second.
        full_flops: print the operations of all processes, too.
        enable_ma_collector: write operations and times into the folder that MA_LOG_DIR in the environment names.

    Raises:
        TypeError: an argument is of another type.
        ValueError: `data_size` is not positive; or, in a run, the data is sunk into the device.

    Follows: mindspore.train.FlopsUtilizationCollector (2.10).
    """

    def __init__(
        self, data_size: int, computility: float = 1, full_flops: bool = True, enable_ma_collector: bool = False
    ) -> None:
        super().__init__()
        self.full_flops = boolean(full_flops, "full_flops", None)
        self.ma = boolean(enable_ma_collector, "enable_ma_collector", None)
        self.data_size = positive_int(data_size, "data_size", None)
        self.computility = computility
        self.verbose = not (computility == 1 and enable_ma_collector)
        self.flops: int | None = None
        self._counter: Any = None
        self._began_s = 0.0

    def step_begin(self, run_context: RunContext) -> None:
        """Count, in the first step, and take the time.

        Raises:
            ValueError: the data is sunk into the device: callbacks do not see its steps.
        """
        if run_context.original_args().dataset_sink_mode:
            raise ValueError("FlopsUtilizationCollector counts the steps of runs with dataset_sink_mode=False.")
        if self.flops is None:
            from torch.utils.flop_counter import FlopCounterMode

            self._counter = FlopCounterMode(display=False)
            self._counter.__enter__()
        self._began_s = time.perf_counter()

    def step_end(self, run_context: RunContext) -> None:
        """Print what was counted, and which share of the peak the step has reached."""
        synchronize()
        took_ms = (time.perf_counter() - self._began_s) * 1000
        if self._counter is not None:
            self.flops = self._stop_counting()
            self._tell_count(self.flops)
        cb_params, now = run_context.original_args(), round(time.time() * 1000)
        if self.ma:
            self._write("time_step", f'time_monitor{{type="per_step_time", rank_id="{get_rank()}"}} {took_ms} {now}\n')
        if self.verbose and cb_params.cur_step_num % self.data_size:
            share = _percent(1000 * (self.flops or 0) / self.computility / took_ms)
            print_now(f"{cb_params.mode.title()} per step time: {took_ms:5.3f} ms mfu:{share} hfu:{share}")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._counter is not None:
            self._stop_counting()

    def _stop_counting(self) -> int:
        counter, self._counter = self._counter, None
        counter.__exit__(None, None, None)
        return int(counter.get_total_flops())

    def _tell_count(self, flops: int) -> None:
        if self.ma:
            now = round(time.time() * 1000)
            kinds = ("model_flops", "hardware_flops")
            rows = [f'flops{{type="{kind}", rank_id="{get_rank()}"}} {flops} {now}\n' for kind in kinds]
            self._write("flops", "".join(rows))
        if self.verbose:
            text = f"Shard model flops is {flops}, Shard hardware flops is {flops}"
            if self.full_flops:
                full = flops * get_group_size()
                text = f"Full model flops is {full}, Full hardware flops is {full}, {text}"
            print_now(f"{text}.")

    def _write(self, name: str, text: str) -> None:
        folder = Path(os.environ.get("MA_LOG_DIR", "."))
        (folder / f"{name}_rank_{get_rank()}.txt").write_text(text, encoding="utf-8")


def _percent(share: float) -> str:
    return f"{math.floor(share * 10000) / 100:.2f}%"
