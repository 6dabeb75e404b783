"""What samplers keep of their arguments, and refuse."""

# ruff: noqa: F401

import mindspore.dataset as ds
import numpy as np
from mindspore import Tensor

from tests.oracle.case import each
from tests.oracle.cases.dataset._files import case_context

CASES = each(
    r"""
ds.SubsetSampler([1]).indices
ds.SubsetSampler((1, 2)).indices
ds.SubsetSampler(np.array([1, 2])).indices
ds.SubsetSampler(1).indices
ds.SubsetSampler(range(3)).indices
ds.SubsetSampler({3, 1}).indices
ds.SubsetSampler(i for i in (1, 2)).indices
ds.SubsetSampler([np.int64(1)]).indices
ds.SubsetSampler([True]).indices
ds.SubsetSampler([1.5]).indices
ds.SubsetSampler(["a"]).indices
ds.SubsetSampler("12").indices
ds.SubsetSampler([]).indices
ds.SubsetSampler([-1]).indices
ds.SubsetSampler(None)
ds.SubsetSampler(Tensor([1, 2])).indices
ds.SubsetSampler([[1]]).indices
ds.SubsetRandomSampler([1, 2]).indices
ds.SubsetRandomSampler(np.array([1, 2])).indices
ds.SubsetRandomSampler(1).indices
ds.SubsetSampler([1], 3).num_samples
ds.SubsetSampler([1, 2, 3], 2).get_num_samples()
ds.SubsetSampler([1]).get_num_samples()
ds.SubsetSampler([1]).get_child()
ds.SequentialSampler(1, 3).start_index
ds.SequentialSampler("a")
ds.SequentialSampler(1.5)
ds.SequentialSampler(0, -1)
ds.RandomSampler(1)
ds.RandomSampler(True, -1)
ds.RandomSampler("a")
ds.PKSampler("1")
ds.PKSampler(1, 3)
ds.PKSampler(1, None, "a")
ds.PKSampler(1, None, False, 3)
ds.PKSampler(1, -1)
ds.DistributedSampler("2", 0)
ds.DistributedSampler(2, 0, 1)
ds.WeightedRandomSampler(["a"])
ds.WeightedRandomSampler([1], None, 1)
ds.WeightedRandomSampler([1, 2]).weights
""",
    may_raise=True,
)
