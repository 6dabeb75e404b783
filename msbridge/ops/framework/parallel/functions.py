"""Division of functions and Tensors over processes.

Follows: mindspore.ops.shard (2.2), mindspore.ops.reshard (2.1).
"""

from msbridge.distributed.shard import reshard, shard

SAME = {"reshard": reshard, "shard": shard}
