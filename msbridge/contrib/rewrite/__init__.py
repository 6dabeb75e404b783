"""A network's `construct` as nodes: read them, insert, erase and replace some, and get a network of it.

Follows: mindspore.rewrite (2.10), and what 2.0 had besides.
"""

from msbridge.contrib.rewrite.node_types import *
from msbridge.contrib.rewrite.nodes import *
from msbridge.contrib.rewrite.patterns import *
from msbridge.contrib.rewrite.scoped_values import *
from msbridge.contrib.rewrite.sparsifying import *
from msbridge.contrib.rewrite.symbol_trees import *
