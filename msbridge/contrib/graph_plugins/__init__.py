"""Plugins that a script adds to the compilation of graphs.

Follows: mindspore.graph (2.10).
"""

from msbridge.contrib.graph_plugins.operators import *
from msbridge.contrib.graph_plugins.plugins import *
