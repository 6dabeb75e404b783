"""Model and checkpoints as r1.0 had them."""

import functools
from typing import Any

from msbridge import train
from msbridge.core.releases.overrides import Part
from msbridge.train import metrics, model
from msbridge.train.callbacks.checkpoint import CheckpointConfig
from msbridge.train.checkpoint import loading
from msbridge.train.metrics import registry
from msbridge.train.model import Model

_today_policy = CheckpointConfig.get_checkpoint_policy
_today_train = Model.train
_today_update = loading._update
_METRICS = ("F1", "acc", "accuracy", "loss", "mae", "mse", "precision", "recall")
_TOP = ("top_1_accuracy", "top_5_accuracy", "topk")


@functools.wraps(_today_train)
def _train(self: Model, epoch: Any, train_dataset: Any, *args: Any, **kwargs: Any) -> None:
    """Train; the dataset is asked for its size before anything is checked."""
    train_dataset.get_dataset_size  # noqa: B018  # an AttributeError where it is not a dataset
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


OVERRIDES = {
    "train.CheckpointConfig.get_checkpoint_policy": _policy,
    "train.Model": Part(model, "_check_loss", lambda loss_fn: None),
    "train.Model.train": _train,
    "train.load_checkpoint": Part(loading, "_check_name", _check_name),
    "train.load_param_into_net": Part(loading, "_update", _update),
    "train.names": [Part(registry, "names", _names), Part(metrics, "names", _names), Part(train, "names", _names)],
}
