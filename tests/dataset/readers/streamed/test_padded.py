"""PaddedDataset evens out the shards of another dataset. Judge: MindSpore 2.10."""

import numpy as np

import msbridge.dataset as ds
from tests.dataset.pipelines import column, counting


def test_shards_of_a_concatenation() -> None:
    whole = counting(3).project("a").concat(ds.PaddedDataset([{"a": np.array(8)}, {"a": np.array(9)}]))
    found = []
    for shard in range(2):
        whole.use_sampler(ds.DistributedSampler(2, shard, shuffle=False))
        found.append(column(whole))
    assert found == [[0, 2, 9], [1, 8]]
