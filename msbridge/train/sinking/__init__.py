"""Datasets joined to networks: how often a network is called, the way of the data, and what scripts hold of both."""

from msbridge.train.sinking.calls import *
from msbridge.train.sinking.connecting import *
from msbridge.train.sinking.functions import *
from msbridge.train.sinking.helper import *
from msbridge.train.sinking.plan import *
