"""Columns of a MindRecord file that a dataset is asked for."""

# ruff: noqa: F401

import mindspore.dataset as ds
from mindspore.mindrecord import FileWriter

from tests.oracle.case import each
from tests.oracle.cases.dataset._files import case_context, rows, tries


def made(n=3):
    writer = FileWriter("a.mr", overwrite=True)
    writer.add_schema({"a": {"type": "int32"}, "s": {"type": "string"}}, "s")
    writer.write_raw_data([{"a": i, "s": f"x{i}"} for i in range(n)])
    writer.commit()


def md(*names, **options):
    made()
    d = ds.MindDataset("a.mr", *([list(names)] if names else []), **{"shuffle": False, **options})
    return tries(d.get_dataset_size, lambda: rows(d), d.get_col_names, lambda: d.batch(2).get_dataset_size())


CASES = each(
    r"""
md()
md("a")
md("s", "a")
md("zz")
md("a", "zz")
md("a", "a")
md("A")
md("")
md("zz", num_samples=2)
md("zz", num_samples=9)
md("zz", num_shards=2, shard_id=1)
md("zz", padded_sample={"zz": 1}, num_padded=1)
md("a", padded_sample={"a": 1}, num_padded=2, num_shards=2, shard_id=0)
md("a", padded_sample={"a": 1}, num_padded=1, num_shards=2, shard_id=0)
md("zz", padded_sample={"zz": 1}, num_padded=2, num_shards=2, shard_id=0)
md("a", padded_sample={"a": "x"}, num_padded=1)
""",
    may_raise=True,
)
