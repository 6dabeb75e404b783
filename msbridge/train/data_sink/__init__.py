"""Datasets joined to networks: how often a network is called, the way of the data, and what scripts hold of both."""

from msbridge.train.data_sink.calls import *
from msbridge.train.data_sink.connecting import *
from msbridge.train.data_sink.functions import *
from msbridge.train.data_sink.helper import *
from msbridge.train.data_sink.plan import *
