"""A parameter of eight rows, cut into as many pieces as there are devices."""

from pathlib import Path

import torch

from msbridge.converters.messages.node_strategy import ParallelStrategyMap
from msbridge.converters.shards.resharding import write
from msbridge.converters.tensors.entry import entry

WHOLE = torch.arange(24.0).reshape(8, 3)


def strategy_file(path: Path, devices: int, stage: int = 0) -> str:
    """Write a strategy file."""
    made = ParallelStrategyMap(current_stage=stage)
    made.parallel_strategy_item.add(node_name="op", parallel_strategys={"stage": stage})
    one = made.parallel_layout_item.add(param_name="w").parallel_layouts
    one.dev_matrix.add(dim=[devices])
    one.tensor_map.add(dim=[0, -1])
    one.field = one.opt_weight_shard_step = one.opt_weight_shard_size = 0
    if stage:  # a file that has a part of what another one has
        path.write_bytes(made.SerializeToString())
        return str(path)
    more = made.parallel_layout_item.add(param_name="more")
    more.CopyFrom(made.parallel_layout_item[0])
    more.param_name = "more"
    path.write_bytes(made.SerializeToString())
    return str(path)


def saved(folder: Path, ranks: int, suffix: str = "ckpt", first: int = 0) -> Path:
    """Save the pieces of some ranks."""
    for rank in range(ranks):
        file = folder / f"rank_{rank + first}" / f"net.{suffix}"
        file.parent.mkdir(parents=True, exist_ok=True)
        write(file, [entry("w", WHOLE.chunk(4 if first else ranks)[rank])])
    return folder
