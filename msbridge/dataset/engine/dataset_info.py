"""What a dataset tells about itself beyond its rows, and what is done with all of them at once."""

from typing import Any

from msbridge.core.checks.arguments import typed
from msbridge.core.html.notebook_table import html_table
from msbridge.dataset.engine.iterators import IterableNode
from msbridge.dataset.engine.pipeline_json import pipeline_json, steps_of, write_plan
from msbridge.dataset.engine.saving import save_rows


class InspectedNode(IterableNode):
    """A node whose rows can be read, counted, described and written to files."""

    _input_indexs: Any = ()

    @property
    def dataset_size(self) -> int | None:
        """The number of rows that `get_dataset_size` told last; None before.

        Follows: mindspore.dataset.Dataset.dataset_size (2.10).
        """
        return self._last_size

    @property
    def input_indexs(self) -> Any:
        """What was set for the inputs of a graph; nothing here depends on it.

        Follows: mindspore.dataset.Dataset.input_indexs (2.10).
        """
        return self._input_indexs or (self.children[0].input_indexs if self.children else self._input_indexs)  # type: ignore[attr-defined]

    @input_indexs.setter
    def input_indexs(self, value: Any) -> None:
        self._input_indexs = value

    def sync_update(self, condition_name: str, num_batch: int | None = None, data: Any = None) -> None:
        """Let rows pass at a `sync_wait`, and hand data to its callback.

        Args:
            condition_name: the name that was given to `sync_wait`.
            num_batch: how many batches pass; None is as many as `sync_wait` says.
            data: what the callback takes.

        Raises:
            TypeError: `condition_name` is not a string.
            RuntimeError: there is no such condition, or `num_batch` is not a positive int.

        Follows: mindspore.dataset.Dataset.sync_update (2.10).
        """
        if num_batch is not None and not (isinstance(num_batch, int) and num_batch > 0):
            self.disable_sync()
            raise RuntimeError(f"Sync_update batch size can only be positive integer, got: {num_batch}.")
        releases = self.get_sync_notifiers()
        if typed(condition_name, "condition_name", str) not in releases:
            self.disable_sync()
            raise RuntimeError(f"Condition name not found: {condition_name!r}; there are {list(releases)}.")
        releases[condition_name](None if num_batch is None else num_batch * self.get_batch_size(), data)

    def save(self, file_name: str, num_files: int = 1, file_type: str = "mindrecord") -> None:
        """Write the rows of one pass to MindRecord files; `MindDataset` reads them.

        Integers and booleans are stored as int32 or int64, floats as float32 or float64, whichever holds them.

        Args:
            file_name: the file; with several, numbers are appended.
            num_files: how many files, up to 1000.
            file_type: only "mindrecord".

        Raises:
            TypeError: an argument is of another type.
            ValueError: `num_files` or `file_type` is not one that is allowed.
            RuntimeError: a file exists already, its folder does not, or the rows differ in shape beyond the first axis.

        Follows: mindspore.dataset.Dataset.save (2.10).
        """
        save_rows(self, file_name, num_files, file_type)

    def _repr_html_(self) -> str:
        return html_table(("node", "settings"), steps_of(self))

    def to_json(self, filename: str = "") -> dict[str, Any]:
        """Return what the pipeline is made of, as a dict that JSON holds; with `filename`, write it there too.

        Follows: mindspore.dataset.Dataset.to_json (2.10).
        """
        plan = pipeline_json(self)
        if filename:
            write_plan(plan, filename)
        return plan

    def reset(self) -> None:
        """Do nothing: a dataset holds no position; the next iterator begins at the first row.

        Follows: mindspore.dataset.Dataset.reset (2.10).
        """
