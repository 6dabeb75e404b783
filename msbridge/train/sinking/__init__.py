"""Datasets joined to networks: how often a network is called, the way of the data, and what scripts hold of both."""

from msbridge.train.sinking.calls import Calls
from msbridge.train.sinking.connecting import SunkNetwork, connect_network_with_dataset
from msbridge.train.sinking.functions import data_sink
from msbridge.train.sinking.helper import DatasetHelper
from msbridge.train.sinking.plan import AUTO, SinkPlan, SinkSize, checked_sink_size, plan_evaluation, plan_sinks

__all__ = [
    "AUTO",
    "Calls",
    "DatasetHelper",
    "SinkPlan",
    "SinkSize",
    "SunkNetwork",
    "checked_sink_size",
    "connect_network_with_dataset",
    "data_sink",
    "plan_evaluation",
    "plan_sinks",
]
