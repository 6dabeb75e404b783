"""Training: Model, callbacks, metrics, datasets joined to networks, mixed precision, checkpoints."""

from msbridge.core.releases import overrides
from msbridge.core.runtime.lazy_names import lazy_names
from msbridge.core.tensor import argument_checks
from msbridge.train import callbacks, metrics
from msbridge.train.amp import build_train_network
from msbridge.train.callbacks import *
from msbridge.train.checkpoint.file_formats import ckpt_to_safetensors, safetensors_to_ckpt
from msbridge.train.checkpoint.loading import load_checkpoint, load_checkpoint_async, load_param_into_net
from msbridge.train.checkpoint.saving import async_ckpt_thread_status, save_checkpoint
from msbridge.train.data_sink import DatasetHelper, connect_network_with_dataset, data_sink
from msbridge.train.export import export
from msbridge.train.loss_scale_managers import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager
from msbridge.train.metrics import *
from msbridge.train.mindir import load
from msbridge.train.model import Model
from msbridge.train.sliced import (
    build_searched_strategy,
    get_ckpt_path_with_strategy,
    load_distributed_checkpoint,
    merge_sliced_parameter,
    restore_group_info_list,
)
from msbridge.train.summary import SummaryCollector, SummaryLandscape, SummaryRecord

__all__ = [
    "ConvertModelUtils",
    "ConvertNetUtils",
    "DatasetHelper",
    "DynamicLossScaleManager",
    "FixedLossScaleManager",
    "LossScaleManager",
    "Model",
    "SummaryCollector",
    "SummaryLandscape",
    "SummaryRecord",
    "async_ckpt_thread_status",
    "build_searched_strategy",
    "build_train_network",
    "ckpt_to_safetensors",
    "connect_network_with_dataset",
    "data_sink",
    "export",
    "get_ckpt_path_with_strategy",
    "load",
    "load_checkpoint",
    "load_checkpoint_async",
    "load_distributed_checkpoint",
    "load_param_into_net",
    "merge_sliced_parameter",
    "restore_group_info_list",
    "safetensors_to_ckpt",
    "save_checkpoint",
]
__all__ += callbacks.__all__
__all__ += metrics.__all__

__getattr__, __dir__ = lazy_names(__name__, {"msbridge.contrib.thor.model": "ConvertModelUtils ConvertNetUtils"})

overrides.follow("train", argument_checks.checking)
