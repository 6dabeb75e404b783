"""The loss on a plane through the weights of a run."""

import logging
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import instance
from msbridge.core.checks.no_effect_warnings import without_effect
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor
from msbridge.train.checkpoint.loading import load_checkpoint, load_param_into_net
from msbridge.train.metrics.registry import get_metrics
from msbridge.train.summary.states import FOLDER, check_settings, read_metadata, write_metadata
from msbridge.train.summary.summary_record import SummaryRecord, check_folder

__all__ = ["SummaryLandscape"]

_log = logging.getLogger(__name__)
MARGIN = 0.2  # around the way of the training, as a share of its extent
REACH = 1.0  # of a random plane to each side, in lengths of the weights
MAX_DEVICES = 8
Weights = dict[str, np.ndarray]
Loss = Callable[[Weights], float]


class SummaryLandscape:
    """Computes the loss on planes through the weights that a SummaryCollector with `collect_landscape` has kept.

    Args:
        summary_dir: the folder of that SummaryCollector.

    Raises:
        TypeError: it is not a string.
        ValueError: it is blank.

    Follows: mindspore.train.SummaryLandscape (2.10), whose records are read by MindInsight; here they are JSON texts in
    TensorBoard's file.
    """

    def __init__(self, summary_dir: str) -> None:
        self._folder = check_folder(summary_dir, "summary_dir")

    def clean_ckpt(self) -> None:
        """Remove the weights that were kept.

        Follows: mindspore.train.SummaryLandscape.clean_ckpt (2.10).
        """
        shutil.rmtree(self._folder / FOLDER, ignore_errors=True)

    def gen_landscapes_with_multi_process(
        self,
        callback_fn: Callable[[], tuple[Any, ...]],
        collect_landscape: Mapping[str, Any] | None = None,
        device_ids: Sequence[int] | None = None,
        output: str | None = None,
    ) -> None:
        """Compute the landscapes, and record each as `landscape_[FIRST, LAST]`.

        For each interval ("train") the plane is spanned by two principal components of the differences from the
        last ones; for the last weights ("result") by random directions. Both are scaled, parameter by parameter, to
        the length of the last weights. What is neither "weight" nor "bias" by its name stays.

        Args:
            callback_fn: returns a Model with a loss, its network, a dataset in batches, and a dict of metrics, of which
                "Loss" is a mindspore.train.Loss.
            collect_landscape: settings that replace those of the SummaryCollector: landscape_size, num_samples,
                create_landscape, intervals, unit.
            device_ids: which devices compute in MindSpore, a process each; here the process computes by itself.
            output: the folder of the records; None is that of the summaries.

        Raises:
            FileNotFoundError: no weights were kept.
            TypeError: an argument has another type.
            ValueError: a setting is not allowed, or weights of an interval are missing.

        Follows: mindspore.train.SummaryLandscape.gen_landscapes_with_multi_process (2.10).
        """
        owner = "SummaryLandscape.gen_landscapes_with_multi_process"
        for device in instance(device_ids, "device_ids", owner, (list, type(None))) or ():
            if not 0 <= instance(device, "each of device_ids", owner, int) < MAX_DEVICES:
                raise ValueError(f"For '{owner}', each of device_ids must be from 0 to 7, got {device}.")
        if device_ids is not None and len(device_ids) > 1:
            without_effect(f"mindspore.train.{owner}.device_ids", device_ids)
        check_settings(owner, collect_landscape or {})
        data = read_metadata(self._folder)
        if collect_landscape:
            given = dict(collect_landscape)
            if "intervals" in given:
                data["epoch_group"] = {str(number): one for number, one in enumerate(given.pop("intervals"))}
            data |= given
            write_metadata(self._folder, data)
            data = read_metadata(self._folder)
        folder = self._folder if output is None else check_folder(output, "output")
        with SummaryRecord(str(folder)) as record:
            for numbers, landscape in self._landscapes(data, callback_fn):
                record.add_value("landscape", f"landscape_{numbers}", landscape)
                record.record(0)

    def _landscapes(
        self, data: Mapping[str, Any], callback_fn: Callable[[], tuple[Any, ...]]
    ) -> Iterator[tuple[list[int], dict[str, Any]]]:
        loss = _loss_of(callback_fn(), data["num_samples"])
        about = {"unit": data["unit"], "step_per_epoch": data["step_per_epoch"], "num_samples": data["num_samples"]}
        groups = list(data["epoch_group"].values())
        if data["create_landscape"].get("train"):
            for numbers in groups:
                _log.info("The landscape of %s %s is computed.", data["unit"], numbers)
                states = [_load(data["model_params_file_map"][str(number)]) for number in numbers]
                yield [numbers[0], numbers[-1]], {"intervals": numbers, **_of_training(states, loss, data), **about}
        if data["create_landscape"].get("result"):
            last = groups[-1][-1]
            state = _load(data["model_params_file_map"][str(last)])
            yield [last], {"intervals": [last], **_of_result(state, loss, data["landscape_size"]), **about}


def _load(path: str) -> Weights:
    return {name: value.asnumpy() for name, value in load_checkpoint(path).items() if isinstance(value, Tensor)}


def _loss_of(parts: tuple[Any, ...], samples: int) -> Loss:
    """Return the function that computes the mean loss of the samples with given weights."""
    model, network, dataset, metrics = parts
    batches = dataset.take(max(samples // dataset.get_batch_size(), 1))
    measured = get_metrics(metrics)
    if "Loss" not in measured:
        raise ValueError(f"For 'SummaryLandscape', the metrics must have 'Loss', got {sorted(measured)}.")

    def loss(weights: Weights) -> float:
        load_param_into_net(network, {name: Parameter(Tensor(value), name=name) for name, value in weights.items()})
        model.train_network.set_train(True)
        for metric in measured.values():
            metric.clear()
        for columns in batches.create_tuple_iterator(num_epochs=1):
            outputs = model.train_network(*columns)
            for metric in measured.values():
                metric.update(outputs[0] if isinstance(outputs, tuple) else outputs)
        return float(measured["Loss"].eval())

    return loss


def _moves(name: str) -> bool:
    return ("weight" in name or "bias" in name) and "moment" not in name


def _flat(weights: Weights) -> np.ndarray:
    return np.concatenate([value.reshape(-1) for name, value in weights.items() if _moves(name)]).astype(np.float64)


def _scale_direction(direction: np.ndarray, weights: Weights) -> np.ndarray:
    """Return a direction with the part of each parameter as long as the parameter."""
    parts, position = [], 0
    for name, value in weights.items():
        if _moves(name):
            part = direction[position : position + value.size]
            position += value.size
            length = np.linalg.norm(part)
            parts.append(part * (np.linalg.norm(value) / length) if length else part)
    return np.concatenate(parts)


def _move_weights(weights: Weights, offset: np.ndarray) -> Weights:
    result, position = dict(weights), 0
    for name, value in weights.items():
        if _moves(name):
            part = offset[position : position + value.size].reshape(value.shape)
            result[name] = (value + part).astype(np.float32)
            position += value.size
    return result


def _principal(differences: np.ndarray) -> np.ndarray:
    """Return the first and the second principal component of the rows, as columns.

    Each is as long as its singular value, and its entry of greatest magnitude is positive.
    """
    centred = differences.T - differences.T.mean(0)
    left, values, _ = np.linalg.svd(centred, full_matrices=False)
    left = left[:, :2] * np.sign(left[np.abs(left).argmax(0), np.arange(left.shape[1])])[:2]
    components: np.ndarray = left * np.where(values[:2] == 0, 1e-19, values[:2])
    return components


def _of_training(states: Sequence[Weights], loss: Loss, data: Mapping[str, Any]) -> dict[str, Any]:
    rows, last = np.stack([_flat(state) for state in states]), states[-1]
    differences = rows - rows[-1]
    first, second = (_scale_direction(column, last) for column in _principal(differences[:-1]).T)
    plane = np.stack([first, second], 1)
    places = np.stack([np.linalg.lstsq(plane, row, rcond=None)[0] for row in differences])
    across, down = (_axis(values, data["landscape_size"]) for values in places.T)
    path = [loss(_move_weights(last, plane @ place)) for place in places]
    return {
        "decomposition": "PCA",
        **_grid(last, plane, across, down, loss),
        "path": {"x": places[:, 0].tolist(), "y": places[:, 1].tolist(), "z": path},
        "convergence_point": {"x": 0.0, "y": 0.0, "z": path[-1]},
    }


def _axis(values: np.ndarray, size: int) -> np.ndarray:
    margin = MARGIN * (values.max() - values.min())
    return np.linspace(values.min() - margin, values.max() + margin, size)


def _of_result(state: Weights, loss: Loss, size: int) -> dict[str, Any]:
    count = len(_flat(state))
    plane = np.stack([_scale_direction(np.random.normal(size=count), state) for _ in range(2)], 1)
    axis, middle = np.linspace(-REACH, REACH, size), size // 2
    grid = _grid(state, plane, axis, axis, loss)
    point = {"x": axis[middle], "y": axis[middle], "z": grid["z"][middle][middle]}
    return {"decomposition": "Random", **grid, "convergence_point": point}


def _grid(state: Weights, plane: np.ndarray, across: np.ndarray, down: np.ndarray, loss: Loss) -> dict[str, Any]:
    """Return the axes, and the loss at each of their points, a row for each place of the second."""
    rows = [[loss(_move_weights(state, plane @ np.array([x, y]))) for x in across] for y in down]
    return {"x": across.tolist(), "y": down.tolist(), "z": rows}
