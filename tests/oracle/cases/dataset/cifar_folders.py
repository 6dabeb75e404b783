"""CIFAR files that are short, long, many or wrongly named."""

# ruff: noqa: F401

import pathlib

import mindspore.dataset as ds

from tests.oracle.case import each
from tests.oracle.cases.dataset._files import case_context, rows, write

B = "data_batch_%d.bin"


def sparse(name, count, width, marks):
    write(name, b"")
    with pathlib.Path(name).open("r+b") as file:
        file.truncate(count * width)
        for row, label in marks:
            file.seek(row * width)
            file.write(bytes([label, label, 77]))


def c(files, usage="train", reader="Cifar10Dataset", width=3073, at=".", **options):
    for place, (name, count) in enumerate(files.items()):
        sparse(name, count, width, [(0, place + 1), (count - 1, place + 51)])
    data = getattr(ds, reader)(at, usage, shuffle=False, **options)
    labels = data.project(data.get_col_names()[1:]).batch(10000)
    found = [row for batch in rows(labels) for row in zip(*(column.ravel().tolist() for column in batch), strict=True)]
    return [
        data.get_dataset_size(),
        len(found),
        [[place, *labels] for place, labels in enumerate(found) if any(labels)],
    ]


def c1(files, usage="train", **options):
    return c(files, usage, "Cifar100Dataset", 3074, **options)


CASES = each(
    r"""
c({B % 1: 10000})
c({B % 1: 10000, B % 2: 10000})
c({B % 6: 10000})
c({B % 10: 10000})
c({"mydata_batch_1.bin": 10000})
c({"data_batch.bin": 10000})
c({"data_batch_1.BIN": 10000})
c({"data_batch_1": 10000})
c({"data_batch_1.bin.bin": 10000})
c({"data_batch_1.bin.txt": 10000})
c({"data_batch_x.bin": 10000})
c({"sub/data_batch_1.bin": 10000})
c({"sub/data_batch_1.bin": 10000, B % 2: 10000})
c({B % 5: 10000, B % 1: 10000, B % 3: 10000})
c({"test_batch.bin": 10000}, "train")
c({"test_batch.bin": 10000}, "test")
c({"test_batch_2.bin": 10000}, "test")
c({"test_batch.bin": 10000, "atest_batch.bin": 10000}, "test")
c({B % 1: 10000}, "test")
c({"test_batch.bin": 10000}, "all")
c({B % 1: 10000}, "all")
c({"test_batch.bin": 10000, B % 1: 10000, B % 2: 10000}, "all")
c({"test_batch.bin": 10000, B % 1: 10000}, None)
c({"test_batch.bin": 10000, B % 1: 10000, "data.bin": 10000, "train.bin": 10000}, None)
c({"batches/data_batch_1.bin": 10000}, "all", at="batches")
c({B % 1: 10000, "data_batch_7.bin": 10000})
c({B % 1: 10000, "data_batch_1 (copy).bin": 10000})
c({".data_batch_1.bin": 10000})
c({B % 1: 10000}, num_samples=3)
c({B % 1: 10000}, num_samples=20000)
c({B % 1: 10000}, num_shards=3, shard_id=2)
c1({"train.bin": 50000})
c1({"test.bin": 10000}, "test")
c1({"test.bin": 10000}, "train")
c1({"test.bin": 10000}, "all")
c1({"train.bin": 10000}, "test")
c1({"sub/train.bin": 10000})
c1({"train": 10000})
c1({"train.BIN": 10000})
c1({"test.bin": 10000, "mytest.bin": 10000}, "test")
c1({"atrain.bin": 50000})
c1({"train_2.bin": 50000})
c1({"train.bin": 50000}, "all")
c1({"x/test/train.bin": 50000}, "test", at="x/test")
c1({"x/train/test.bin": 10000}, "train", at="x/train")
c1({"x/train/test.bin": 10000}, "test", at="x/train")
c1({"traintest.bin": 10000}, "test")
c1({"test_train.bin": 10000}, "all")
c1({"TRAIN.bin": 50000})
c({"x/data_batch/test_batch.bin": 10000}, "train", at="x/data_batch")
c({"data_batch_test_batch.bin": 10000}, "test")
c({"data_batch_test_batch.bin": 10000}, "all")
c({"DATA_BATCH_1.bin": 10000})
c({"data_batch_1.bin": 10000, "data_batch_2.txt": 3, "data_batch_3": 2})
""",
    may_raise=True,
)
