"""The parallel Transformer of r1.3 to r2.2, with its configurations."""

from msbridge.nn.transformer.loss import *
from msbridge.nn.transformer.moe import *
from msbridge.nn.transformer.op_parallel_config import *
from msbridge.nn.transformer.sparse_attention import *
from msbridge.nn.transformer.transformer import *
