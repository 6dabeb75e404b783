"""The weights of a run at chosen steps, from which a loss landscape is made, and how they are kept in files."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msbridge.core.checks.arguments import instance
from msbridge.nn.cell.cell import Cell
from msbridge.train.checkpoint.saving import save_checkpoint

__all__ = ["DEFAULTS", "StateKeeper", "check_settings", "read_metadata", "write_metadata"]

DEFAULTS: dict[str, Any] = {
    "landscape_size": 40,
    "unit": "step",
    "num_samples": 2048,
    "create_landscape": {"train": True, "result": True},
    "intervals": None,
}
FOLDER = "ckpt_dir"
METADATA = "train_metadata.json"
MIN_STATES = 3  # states of an interval
SIZES = range(MIN_STATES, 257)


class StateKeeper:
    """Keeps weights of a run at the steps or epochs of its intervals.

    Args:
        folder: where the summaries lie.
        given: the settings `collect_landscape` of a SummaryCollector.

    Raises:
        TypeError: a setting has another type.
        ValueError: there is no such setting, or its value is not allowed.
    """

    def __init__(self, folder: Path, given: Mapping[str, Any]) -> None:
        check_settings("SummaryCollector", given)
        self._settings = DEFAULTS | dict(given)
        check_settings("SummaryCollector", self._settings)
        self._folder = folder / FOLDER
        self._files: dict[str, str] = {}

    def keep(self, unit: str, number: int, network: Cell) -> None:
        """Keep the weights, if they are wanted at this step or epoch."""
        if unit != self._settings["unit"] or not any(number in interval for interval in self._settings["intervals"]):
            return
        backbone = _backbone(network)
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"{type(backbone).__name__}_{number}_{unit}.ckpt"
        save_checkpoint([{"name": one.name, "data": one} for one in backbone.get_parameters()], str(path))
        self._files[str(number)] = str(path)

    def finish(self, step_per_epoch: int) -> None:
        """Write what was kept, and the settings."""
        groups = {str(number): list(interval) for number, interval in enumerate(self._settings["intervals"])}
        others = {name: value for name, value in self._settings.items() if name != "intervals"}
        data = {"epoch_group": groups, "model_params_file_map": self._files, "step_per_epoch": step_per_epoch, **others}
        write_metadata(self._folder.parent, data)


def _backbone(network: Cell) -> Cell:
    """Return the network inside of training steps."""
    while "network" in (cells := network.name_cells()):
        network = cells["network"]
        if "optimizer" in cells:
            break
    return network


def check_settings(owner: str, given: Mapping[str, Any]) -> None:
    """Check those settings of a landscape that are there.

    Raises:
        TypeError: one has another type.
        ValueError: there is no such setting, or its value is not allowed.
    """
    if unknown := set(given) - set(DEFAULTS):
        raise ValueError(f"For '{owner}', the keys {sorted(unknown)} are no settings of a landscape: {list(DEFAULTS)}.")
    for name in ("landscape_size", "num_samples"):
        if name in given:
            instance(given[name], name, owner, int)
    if given.get("landscape_size", MIN_STATES) not in SIZES:
        raise ValueError(f"For '{owner}', landscape_size must be from 3 to 256, got {given['landscape_size']}.")
    if "unit" in given and instance(given["unit"], "unit", owner, str) not in ("step", "epoch"):
        raise ValueError(f"For '{owner}', unit must be 'step' or 'epoch', got {given['unit']!r}.")
    if "create_landscape" in given:
        wanted = instance(given["create_landscape"], "create_landscape", owner, dict)
        if not wanted.keys() <= {"train", "result"}:
            raise ValueError(f"For '{owner}', the keys of create_landscape must be 'train' and 'result', got {wanted}.")
        for name, value in wanted.items():
            instance(value, name, owner, bool)
    for interval in instance(given.get("intervals", []), "intervals", owner, list):
        if len(instance(interval, "each interval", owner, list)) < MIN_STATES:
            raise ValueError(
                f"For '{owner}', each of intervals must have {MIN_STATES} numbers or more, got {interval}."
            )
        for number in interval:
            instance(number, "each number of intervals", owner, int)


def read_metadata(folder: Path) -> dict[str, Any]:
    """Read the metadata that `StateKeeper.finish` has written.

    Raises:
        FileNotFoundError: there is nothing.
        ValueError: a state is missing.
    """
    path = folder / FOLDER / METADATA
    if not path.exists():
        raise FileNotFoundError(f"{path} is missing: a SummaryCollector with collect_landscape writes it in training.")
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    wanted = {number for interval in data["epoch_group"].values() for number in interval}
    if missing := sorted(number for number in wanted if str(number) not in data["model_params_file_map"]):
        raise ValueError(f"The weights of {data['unit']} {missing} are missing: the training did not come to them.")
    return data


def write_metadata(folder: Path, data: Mapping[str, Any]) -> None:
    """Write what `read_metadata` reads."""
    (folder / FOLDER).mkdir(parents=True, exist_ok=True)
    (folder / FOLDER / METADATA).write_text(json.dumps(data), encoding="utf-8")
