"""Data-parallel training in MindSpore's words: every process trains on its part of the data, gradients are averaged.

msbridge run --nproc 2 examples/data_parallel/train.py
"""

import mindspore as ms
import numpy as np
from mindspore import dataset as ds
from mindspore import nn, train
from mindspore.communication import get_group_size, get_rank, init


def lines(count: int = 256) -> list[tuple[np.ndarray, np.ndarray]]:
    """Points of y = x·(1, 2, 3, 4)."""
    x = np.random.default_rng(0).standard_normal((count, 4)).astype(np.float32)
    return list(zip(x, x @ np.array([[1], [2], [3], [4]], np.float32), strict=True))


def main() -> None:
    """Train, and print this process's weights: they are the same everywhere."""
    ms.set_seed(1)
    init()
    ms.set_auto_parallel_context(parallel_mode=ms.ParallelMode.DATA_PARALLEL, gradients_mean=True)
    rank, size = get_rank(), get_group_size()
    data = ds.GeneratorDataset(lines(), ["x", "y"], num_shards=size, shard_id=rank, shuffle=True).batch(16)
    network = nn.Dense(4, 1)
    model = train.Model(network, nn.MSELoss(), nn.Momentum(network.trainable_params(), 0.1, 0.9))
    model.train(20, data, dataset_sink_mode=False)
    weights = " ".join(f"{weight:.1f}" for weight in network.weight.asnumpy().ravel())
    print(f"rank {rank} of {size}: {weights}\n", end="", flush=True)  # one piece: torchrun's processes share the screen


if __name__ == "__main__":
    main()
