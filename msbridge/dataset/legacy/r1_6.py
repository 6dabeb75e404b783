"""Data processing of 1.6."""

from msbridge.core.releases.overrides import Part
from msbridge.dataset.engine import dataset_base, pipeline_json
from msbridge.dataset.engine.nodes import Node
from msbridge.dataset.engine.pipeline_json import Plan
from msbridge.dataset.legacy import r1_10


def describe_pipeline(node: Node) -> Plan:
    """Return the description of a pipeline, without the sizes of its queues."""
    plan = r1_10.describe_pipeline(node)
    plan.pop("connector_queue_size", None)
    return plan


OVERRIDES = {
    "dataset.Dataset.to_json": [
        Part(pipeline_json, "pipeline_json", describe_pipeline),
        Part(dataset_base, "pipeline_json", describe_pipeline),
    ],
}
