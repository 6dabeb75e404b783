"""Names of summaries.

Follows: mindspore.train.summary.enums (2.10).
"""

from enum import Enum
from typing import Any

__all__ = ["BaseEnum", "ModeEnum", "PluginEnum", "WriterPluginEnum"]


class BaseEnum(Enum):
    """Base of enumerations that list their values."""

    @classmethod
    def to_list(cls) -> list[Any]:
        """Return the values."""
        return [member.value for member in cls]


class PluginEnum(BaseEnum):
    """Kinds of values that a SummaryRecord takes."""

    GRAPH = "graph"
    SCALAR = "scalar"
    IMAGE = "image"
    TENSOR = "tensor"
    HISTOGRAM = "histogram"
    TRAIN_LINEAGE = "train_lineage"
    EVAL_LINEAGE = "eval_lineage"
    CUSTOM_LINEAGE_DATA = "custom_lineage_data"
    DATASET_GRAPH = "dataset_graph"
    EXPLAINER = "explainer"
    LANDSCAPE = "landscape"


class WriterPluginEnum(Enum):
    """Kinds of MindSpore's writers."""

    EXPORTER = "exporter"
    EXPLAINER = "explainer"
    SUMMARY = "summary"
    LINEAGE = "lineage"


class ModeEnum(BaseEnum):
    """Phases of a run."""

    TRAIN = "train"
    EVAL = "eval"
