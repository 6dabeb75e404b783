"""AutoParallel: a network, or a whole training step, that runs divided over processes."""

import contextlib
import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from msbridge.core.checks.arguments import above, instance, one_of
from msbridge.core.checks.no_effect_warnings import without_effect
from msbridge.core.context import context
from msbridge.core.context.parallel_settings import BATCHES, LEVELS, SCHEDULERS, check_batch
from msbridge.distributed.groups.group import get_group_size, get_rank
from msbridge.nn.cell.cell import Cell

__all__ = ["AutoParallel", "with_settings_of_network"]

Method = TypeVar("Method", bound=Callable[..., Any])

_MODES = ("semi_auto", "sharding_propagation", "recursive_programming")
_OWNER = "mindspore.parallel.auto_parallel.AutoParallel"
_CONFIG = "mindspore.set_auto_parallel_context.parallel_optimizer_config"


class AutoParallel(Cell):
    """Run a network divided over the processes: batches and weights, as strategies of `shard` say.

    In one process it is the network itself. `Model` takes it in place of the network; a training step written by
    hand is inside of it as a whole.

    Args:
        network: a Cell, or a function.
        parallel_mode: "semi_auto", or "sharding_propagation" and "recursive_programming", in which no strategies are
            searched for here: operators without one follow their inputs, and the batch is divided.

    Raises:
        ValueError: another mode.

    Follows: mindspore.parallel.auto_parallel.AutoParallel (2.10).
    """

    def __init__(self, network: Callable[..., Any], parallel_mode: str = "semi_auto") -> None:
        super().__init__(auto_prefix=False)
        self.network = network
        one_of(parallel_mode, "parallel_mode", None, _MODES)
        self._parallel_mode = parallel_mode
        self._global_rank = get_rank()
        self._device_num = get_group_size()
        self._init_param_in_compile = True
        self._load_strategy_file_path = ""
        self._save_strategy_file_path = ""
        self._only_trainable_params = True
        self._load_operator_strategy_file = ""
        self._save_operator_strategy_file = ""
        self._dataset_strategy_config: Any = "data_parallel"
        self._full_batch = False
        self._enable_parallel_optimizer = False
        self._optimizer_weight_shard_size = -1
        self._parallel_optimizer_threshold = 64
        self._optimizer_level = "level1"
        self._gradient_accumulation_shard = False
        self._pipeline_stages = 1
        self._pipeline_result_broadcast = False
        self._pipeline_interleave = False
        self._pipeline_scheduler = "1f1b"
        self._comm_fusion_config: Any = {}
        self._force_fp32_communication = False
        self._enable_alltoall = True
        self._parameter_broadcast = False
        self._group_ckpt_save_file = ""
        self._dump_local_norm = False
        self._dump_local_norm_path = ""
        self._dump_device_local_norm = False
        self._gradients_mean = False
        self._gradient_fp32_sync = True
        self._loss_repeated_mean = True
        self._memory_offload_config: dict[str, Any] = {}
        self._transformer_opt_config: str | None = None

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        """Run the network."""
        with self.settings_in_force():
            return self.network(*args, **kwargs)

    @contextlib.contextmanager
    def settings_in_force(self) -> Iterator[None]:
        """Put these settings into the parallel context for a while, if there are several processes."""
        if self._device_num == 1 or context.get_auto_parallel_context("auto_parallel_new_interface"):
            yield
            return
        if self._enable_parallel_optimizer and self._pipeline_stages > 1:
            without_effect("mindspore.set_auto_parallel_context.enable_parallel_optimizer")
        with context.preserve_context():
            is_semi = self._parallel_mode == "semi_auto"
            context.reset_auto_parallel_context()
            context.set_auto_parallel_context(
                auto_parallel_new_interface=True,
                device_num=self._device_num,
                global_rank=self._global_rank,
                parallel_mode="semi_auto_parallel" if is_semi else "auto_parallel",
                search_mode="recursive_programming" if is_semi else self._parallel_mode,
                dataset_strategy=self._dataset_strategy_config,
                gradients_mean=self._gradients_mean,
                pipeline_stages=self._pipeline_stages,
                pipeline_scheduler=self._pipeline_scheduler,
                enable_parallel_optimizer=self._enable_parallel_optimizer,
                parallel_optimizer_config={"parallel_optimizer_threshold": self._parallel_optimizer_threshold},
            )
            yield

    def no_init_parameters_in_compile(self) -> None:
        """Keep that parameters are not filled when the network is compiled; here they are filled when they are made."""
        self._init_param_in_compile = False

    def load_param_strategy_file(self, file_path: str) -> None:
        """Keep the file with the strategies of weights, which is not read.

        Raises:
            TypeError: `file_path` is not a str.
        """
        self._load_strategy_file_path = _check_file_path(file_path)
        without_effect(f"{_OWNER}.load_param_strategy_file")

    def save_param_strategy_file(self, file_path: str) -> None:
        """Keep the file for the strategies of weights, which is not written.

        Raises:
            TypeError: `file_path` is not a str.
        """
        self._save_strategy_file_path = _check_file_path(file_path)
        without_effect(f"{_OWNER}.save_param_strategy_file")

    def disable_strategy_file_only_for_trainable_params(self) -> None:
        """Keep that files of strategies have all parameters."""
        self._only_trainable_params = False

    def save_operator_strategy_file(self, file_path: str) -> None:
        """Keep the file for the strategies that were found, of which there are none.

        Raises:
            TypeError: `file_path` is not a str.
            KeyError: it is not an absolute path, or does not end in ".json".
        """
        self._save_operator_strategy_file = _check_json_path(file_path)
        without_effect(f"{_OWNER}.save_operator_strategy_file")

    def load_operator_strategy_file(self, file_path: str) -> None:
        """Keep the file with strategies of operators, which is not read.

        Raises:
            TypeError: `file_path` is not a str.
            KeyError: it is not an absolute path, or does not end in ".json".
        """
        self._load_operator_strategy_file = _check_json_path(file_path)
        without_effect(f"{_OWNER}.load_operator_strategy_file")

    def dataset_strategy(self, config: Any) -> None:
        """Set what each process gets of a batch.

        Args:
            config: "data_parallel", its part of the first axes; "full_batch", all of it; or for each input a tuple with
                the number of parts of each axis, or a Layout.

        Raises:
            ValueError: `config` is None or another name.
            TypeError: it is of another type.
        """
        if config is None:
            raise ValueError("dataset_strategy is none in config!")
        check_batch(config, "AutoParallel.dataset_strategy")
        if config in BATCHES:
            self._full_batch = config == "full_batch"
        self._dataset_strategy_config = config

    def hsdp(self, shard_size: int = -1, threshold: int = 64, optimizer_level: str = "level1") -> None:
        """Divide the state of optimizers and gradients among the processes that hold the same part of a weight.

        Args:
            shard_size: among how many processes; -1 for all of them, and here it is always all.
            threshold: the least size of what is divided, in KiB.
            optimizer_level: "level1", "level2" or "level3", of which the first two mean the same here; the third would
                divide weights between steps, too, and does what they do.

        Raises:
            ValueError: a number is out of range, or the level unknown.
        """
        self._enable_parallel_optimizer = True
        if not isinstance(shard_size, int) or (shard_size <= 0 and shard_size != -1):
            raise ValueError(f"shard_size must be a positive integer or -1, but got {shard_size}.")
        if not isinstance(threshold, int) or threshold < 0:
            raise ValueError(f"threshold must be a positive integer or 0, but got {threshold}.")
        if optimizer_level not in LEVELS:
            raise ValueError(f"Optimizer level should be in {list(LEVELS)}, but got {optimizer_level}.")
        self._optimizer_weight_shard_size = shard_size
        self._parallel_optimizer_threshold = threshold
        self._optimizer_level = optimizer_level
        if shard_size != -1:
            without_effect(f"{_CONFIG}.optimizer_weight_shard_size", shard_size)
        if optimizer_level == "level3":
            without_effect(f"{_CONFIG}.optimizer_level", optimizer_level)

    def pipeline(
        self, stages: int = 1, output_broadcast: bool = False, interleave: bool = False, scheduler: str = "1f1b"
    ) -> None:
        """Set the number of pipeline stages; in one process there is one.

        Args:
            stages: into how many the layers are divided, as `pipeline_stage` of Cells says.
            output_broadcast: whether all stages get the result; here they always do.
            interleave: whether a process computes several runs of layers; here it computes one.
            scheduler: "gpipe" computes all forward passes of micro batches before the backward passes; "1f1b",
                "seqpipe", "seqvpp", "seqsmartvpp" and "zero_bubble_v" let them take turns.

        Raises:
            TypeError: an argument is of another type.
            ValueError: `stages` is not positive, or the scheduler unknown.
        """
        for name, value, kind in (
            ("stages", stages, int),
            ("output_broadcast", output_broadcast, bool),
            ("interleave", interleave, bool),
            ("scheduler", scheduler, str),
        ):
            if not isinstance(value, kind):
                raise TypeError(
                    f"For 'AutoParallel.pipeline', the argument '{name}' must be {kind.__name__} type, "
                    f"but got the type : {type(value)}."
                )
        above(stages, "stages", "AutoParallel.pipeline")
        one_of(scheduler, "scheduler", "AutoParallel.pipeline", SCHEDULERS)
        self._pipeline_stages = stages
        self._pipeline_result_broadcast = output_broadcast
        self._pipeline_interleave = interleave
        self._pipeline_scheduler = scheduler

    def comm_fusion(self, config: dict[str, Any] | None) -> None:
        """Keep how communication is grouped; torch does that.

        Raises:
            TypeError: `config` is not a dict.
        """
        if config is not None and not isinstance(config, dict):
            raise TypeError(f"The parameter '{config}' must be {dict}, but got {type(config)}.")
        self._comm_fusion_config = config

    def enable_fp32_communication(self) -> None:
        """Keep that sums over processes are in float32; they are in the type of what is added."""
        self._force_fp32_communication = True
        without_effect(f"{_OWNER}.enable_fp32_communication")

    def set_group_ckpt_save_file(self, file_path: str) -> None:
        """Keep the file for groups of processes, which is not written.

        Raises:
            TypeError: `file_path` is not a str.
        """
        self._group_ckpt_save_file = _check_file_path(file_path)
        without_effect(f"{_OWNER}.set_group_ckpt_save_file")

    def print_local_norm(self) -> None:
        """Keep that norms of local gradients are printed; they are not."""
        self._dump_local_norm = True
        without_effect(f"{_OWNER}.print_local_norm")

    def dump_local_norm(self, file_path: str) -> None:
        """Keep the folder for norms of local gradients, which are not written.

        Raises:
            TypeError: `file_path` is not a str.
        """
        self._dump_local_norm_path = _check_file_path(file_path)
        self._dump_local_norm = True
        without_effect(f"{_OWNER}.dump_local_norm")

    def enable_device_local_norm(self) -> None:
        """Keep that norms of local gradients are printed for the device; they are not."""
        self._dump_device_local_norm = True
        without_effect(f"{_OWNER}.enable_device_local_norm")

    def enable_gradients_mean(self) -> None:
        """Divide the gradient of a weight by the number of processes that hold the same part of it."""
        self._gradients_mean = True

    def disable_gradient_fp32_sync(self) -> None:
        """Keep that gradients are added in their own type, as they are."""
        self._gradient_fp32_sync = False

    def disable_loss_repeated_mean(self) -> None:
        """Keep that a loss that every process computes counts once for each; here it counts once."""
        self._loss_repeated_mean = False
        without_effect(f"{_OWNER}.disable_loss_repeated_mean")

    def get_pipeline_stages(self) -> int:
        """Return the number of pipeline stages."""
        return self._pipeline_stages

    def transformer_opt(self, file_path: str | None) -> None:
        """Keep the file with settings for the speed of an Ascend.

        Raises:
            TypeError: `file_path` is not a path.
            ValueError: there is no such file.
        """
        if file_path and not Path(file_path).exists():
            raise ValueError(f"For 'AutoParallel.transformer_opt', there is no file {file_path}.")
        self._transformer_opt_config = file_path


def with_settings_of_network(method: Method) -> Method:
    """Let a method of a Model run with the settings of its network, where that is an AutoParallel."""

    @functools.wraps(method)
    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(self._network, AutoParallel):
            return method(self, *args, **kwargs)
        with self._network.settings_in_force():
            return method(self, *args, **kwargs)

    return run  # type: ignore[return-value]


def _check_file_path(file_path: Any) -> str:
    instance(file_path, "file_path", None, str)
    return file_path


def _check_json_path(file_path: Any) -> str:
    path = Path(_check_file_path(file_path))
    if not path.is_absolute():
        raise KeyError("the argument 'file_path' must be an absolute path.")
    if path.suffix != ".json":
        raise KeyError("File type must be .json")
    return str(path)
