"""Model and checkpoints as r1.0 had them."""

import functools
from pathlib import Path
from typing import Any

import numpy as np

from msbridge.converters.messages.print_records import Print, TensorProto
from msbridge.converters.messages.schema import parse
from msbridge.converters.messages.wire import DecodeError
from msbridge.core.checks.arguments import instance as checked_instance
from msbridge.core.releases.overrides import Earlier
from msbridge.core.tensor.tensor import Tensor
from msbridge.train.arguments import check_levels as checked_levels
from msbridge.train.callbacks.checkpoint import CheckpointConfig
from msbridge.train.checkpoint import loading
from msbridge.train.model import Model

_today_policy = CheckpointConfig.get_checkpoint_policy
_today_train = Model.train
_today_update = loading._update
_METRICS = ("F1", "acc", "accuracy", "loss", "mae", "mse", "precision", "recall")
_TOP = ("top_1_accuracy", "top_5_accuracy", "topk")


@functools.wraps(_today_train)
def _train(self: Model, epoch: Any, train_dataset: Any, *args: Any, **kwargs: Any) -> None:
    """Train; the dataset is asked for its size before anything is checked."""
    train_dataset.get_dataset_size  # noqa: B018  # an AttributeError where it is no dataset
    _today_train(self, epoch, train_dataset, *args, **kwargs)


def _check_name(ckpt_file_name: Any) -> None:
    """Check the name of a checkpoint."""
    if not isinstance(ckpt_file_name, str):
        raise ValueError(f"For 'load_checkpoint', 'ckpt_file_name' must be a string, got {ckpt_file_name!r}.")


def _update(parameter: Any, loaded: Any, strict_load: bool) -> None:
    """Copy values; those of more axes, which begin with the parameter's, are refused as values that do not fit."""
    shape, given = parameter.shape, loaded.shape
    if len(given) > len(shape) and given[: len(shape)] == shape and loaded.size != parameter.size:
        raise ValueError(f"For 'load_param_into_net', {parameter.name} has shape {shape}, its values have {given}.")
    _today_update(parameter, loaded, strict_load)


def _check_levels(amp_level: str, *others: Any) -> None:
    """Check the names of further arguments; the level is looked at when it is used."""
    checked_levels("O0", *others)


def _instance(value: Any, name: str, *others: Any) -> Any:
    """Check the class of an argument of Model; the network is looked at when it is used."""
    return value if name == "network" else checked_instance(value, name, *others)


def _policy(self: CheckpointConfig) -> dict[str, Any]:
    """Return the conditions by name; there was no other network to save.

    Follows: mindspore.train.callback.CheckpointConfig.get_checkpoint_policy (1.0).
    """
    return {name: value for name, value in _today_policy(self).items() if name != "saved_network"}


def _names() -> list[str]:
    """Return the names that metrics had.

    Follows: mindspore.nn.names (1.0).
    """
    return sorted((*_METRICS, *_TOP))


def parse_print(print_file_name: str) -> list[str | Tensor]:
    """Read the texts and Tensors of a file that `ops.Print` wrote.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is empty or damaged.

    Follows: mindspore.parse_print (2.7).
    """
    content = Path(print_file_name).read_bytes()
    if not content:
        raise ValueError(f"For 'parse_print', the file {print_file_name} is empty.")
    try:
        values = parse(Print, content).value
    except DecodeError as error:
        raise ValueError(f"For 'parse_print', the file {print_file_name} is damaged: {error}") from error
    return [one.desc if one.HasField("desc") else _tensor(one.tensor) for one in values]


def _tensor(tensor: TensorProto) -> Tensor:
    data = np.frombuffer(tensor.tensor_content, tensor.tensor_type.lower())
    return Tensor(data.reshape(() if tensor.dims == [0] else tuple(tensor.dims)))


ROWS = [
    Earlier("train.callbacks.checkpoint.CheckpointConfig.get_checkpoint_policy", "1.1", _policy),
    Earlier(
        "train.checkpoint.loading._check_name",
        "1.1",
        _check_name,
        seen="`load_checkpoint` of what is no text is a ValueError",
    ),
    Earlier(
        "train.checkpoint.loading._update", "1.1", _update, seen="`load_param_into_net` refuses values of more axes"
    ),
    Earlier("train.model.Model.train", "1.1", _train),
    Earlier("train.metrics.registry.names", "1.1", _names),
    Earlier("train.model._check_loss", "1.1", lambda loss_fn: None, seen="`Model` does not look at its loss"),
    Earlier(
        "train.model.check_levels",
        "1.1",
        _check_levels,
        seen="`Model` does not look at its `amp_level` until it is used",
    ),
    Earlier(
        "train.loop.stages.check_optimizer",
        "1.1",
        lambda optimizer, amp_level: None,
        seen="`Model` does not look at its `amp_level` until it is used",
    ),
    Earlier("train.model.instance", "1.1", _instance, seen="`Model` does not look at its network"),
    *(Earlier(f"train.{place}names", "1.1", _names) for place in ("", "metrics.")),
    Earlier("train.parse_print", "2.8", parse_print),
]
