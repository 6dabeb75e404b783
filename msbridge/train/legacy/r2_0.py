"""Training as 2.0 had it: what callbacks see, and what a checkpoint keeps beside the parameters."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.tensor import Tensor
from msbridge.train import model
from msbridge.train.callbacks import callback
from msbridge.train.checkpoint import saving

_today_appended, _today_list_element = saving._convert_append_dict, saving._list_element


class InternalCallbackParam(callback.InternalCallbackParam):
    """The parameters of a run for its callbacks, without what later releases add."""

    _later: ClassVar[tuple[str, ...]] = ("dataset_helper", "initial_step", "loss_scale_mananger", "sink_size")

    def __init__(self, *args: Any, **entries: Any) -> None:
        super().__init__(*args, **entries)
        self._forget()

    def __setitem__(self, name: str, value: Any) -> None:
        if name not in self._later:
            super().__setitem__(name, value)

    def update(self, *args: Any, **entries: Any) -> None:
        super().update(*args, **entries)
        self._forget()

    def _forget(self) -> None:
        for name in self._later:
            self.pop(name, None)


def _convert_append_dict(append_dict: Mapping[str, Any] | None) -> Iterator[tuple[str, Any]]:
    """Yield the values saved beside the parameters; bools as vectors of one element."""
    for name, value in _today_appended(append_dict):
        is_flag = append_dict is not None and isinstance(append_dict[name], bool)
        yield name, Tensor([append_dict[name]]) if is_flag and append_dict is not None else value


def _list_element(element: Any) -> tuple[Any, Any]:
    """Return the name and value of an element of a list to save: text is a value, too."""
    is_text = isinstance(element, dict) and isinstance(element["name"], str) and isinstance(element["data"], str)
    return (element["name"], element["data"]) if is_text else _today_list_element(element)


OVERRIDES = {
    "train.Model": Part(model, "InternalCallbackParam", InternalCallbackParam),
    "train.save_checkpoint": [
        Part(saving, "_convert_append_dict", _convert_append_dict),
        Part(saving, "_list_element", _list_element),
    ],
}
