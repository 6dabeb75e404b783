"""TFRecord files, odd, compressed or damaged."""

# ruff: noqa: F401

import gzip
import zlib

import mindspore.dataset as ds

from tests.dataset.tfrecords import tfrecord
from tests.oracle.case import each
from tests.oracle.cases.dataset._files import case_context, rows, write

ONE = {"shuffle": False, "num_parallel_workers": 1}
ROWS = [{"a": i, "b": [1.5, i + 0.5], "s": f"x{i}"} for i in range(4)]
RAW = tfrecord(ROWS)
one = tfrecord([ROWS[0]])


def gz(data):
    return gzip.compress(data, mtime=0)


def tf(data, **options):
    write("a.tf", data)
    found = ds.TFRecordDataset("a.tf", **ONE, **options)
    return [
        found.get_col_names(),
        rows(found),
        found.get_dataset_size(),
        str(found.output_shapes()),
        str(found.output_types()),
    ]


def size(data, **options):
    write("a.tf", data)
    return ds.TFRecordDataset("a.tf", **ONE, **options).get_dataset_size()


def gzs(data, **options):
    return tf(gz(data), compression_type="GZIP", **options)


def zls(data, **options):
    return tf(zlib.compress(data), compression_type="ZLIB", **options)


def sch(**columns):
    schema = ds.Schema()
    for name, column in columns.items():
        schema.add_column(name, *column)
    return schema


CASES = each(
    r"""
tf(RAW)
tf(gz(RAW), compression_type="GZIP")
tf(gz(RAW + b"x"), compression_type="GZIP")
tf(gz(RAW + b"x" * 11), compression_type="GZIP")
tf(gz(RAW + b"x" * 12), compression_type="GZIP")
tf(gz(RAW + b"\0" * 12), compression_type="GZIP")
tf(gz(RAW + b"\0" * 16), compression_type="GZIP")
tf(gz(RAW + b"\0" * 400), compression_type="GZIP")
tf(gz(RAW) + b"x", compression_type="GZIP")
tf(gz(RAW) + b"\0" * 10, compression_type="GZIP")
tf(gz(RAW) + b"\0" * 600, compression_type="GZIP")
tf(gz(RAW) + b"trailing text at the end of it", compression_type="GZIP")
tf(gz(RAW) + gz(RAW), compression_type="GZIP")
tf(gz(RAW) + gz(b""), compression_type="GZIP")
tf(gz(RAW)[:-20], compression_type="GZIP")
tf(gz(RAW[:-4]), compression_type="GZIP")
tf(gz(RAW[:-30]), compression_type="GZIP")
tf(gz(b""), compression_type="GZIP")
tf(b"", compression_type="GZIP")
tf(gz(b"abc"), compression_type="GZIP")
tf(gz(RAW)[:-8] + b"\0" * 8, compression_type="GZIP")
tf(zlib.compress(RAW), compression_type="ZLIB")
tf(zlib.compress(RAW) + b"x" * 5, compression_type="ZLIB")
tf(zlib.compress(RAW) + zlib.compress(RAW), compression_type="ZLIB")
tf(zlib.compress(RAW + b"x"), compression_type="ZLIB")
tf(zlib.compress(RAW + b"x" * 12), compression_type="ZLIB")
tf(zlib.compress(RAW, 0), compression_type="ZLIB")
tf(zlib.compress(b""), compression_type="ZLIB")
tf(RAW, compression_type="GZIP")
tf(RAW, compression_type="ZLIB")
tf(gz(RAW))
tf(gz(RAW), compression_type="ZLIB")
tf(RAW, compression_type="gzip")
tf(RAW, compression_type="")
tf(RAW, compression_type=None)
tf(RAW, compression_type="BZ2")
tf(RAW, compression_type=1)
tf(gz(RAW), compression_type="GZIP", num_samples=2)
tf(gz(RAW), compression_type="GZIP", num_samples=9)
tf(gz(RAW), compression_type="GZIP", num_samples=0)
tf(gz(RAW), compression_type="GZIP", num_shards=1, shard_id=0)
tf(gz(RAW), compression_type="GZIP", num_shards=2, shard_id=0)
tf(gz(RAW), compression_type="GZIP", num_shards=2, shard_id=0, shard_equal_rows=True)
size(gz(RAW) + b"x", compression_type="GZIP")
size(gz(RAW) + gz(RAW), compression_type="GZIP")
size(gz(RAW), compression_type="GZIP", num_samples=2)
size(RAW[:-4])
tf(RAW + b"x")
tf(RAW + b"x" * 12)
tf(RAW + b"\0" * 12)
tf(RAW + b"\0" * 16)
tf(RAW + b"\n")
tf(RAW[:-4])
tf(RAW[1:])
tf(tfrecord([{"a": 1, "b": 1.5}, {"a": [1, 2], "b": 2.5}]))
tf(tfrecord([{"a": 1}, {"a": [1, 2]}]), schema=sch(a=("int64", [1])))
tf(tfrecord([{"a": [1, 2]}, {"a": [1, 2]}]), schema=sch(a=("int64", [2])))
tf(tfrecord([{"a": [1, 2]}, {"a": [1, 2]}]), schema=sch(a=("int32", [-1])))
tf(tfrecord([{"a": [1, 2]}, {"a": [1, 2]}]), schema=sch(a=("int32", [2, -1])))
tf(tfrecord([{"a": [1, 2]}, {"a": [1, 2]}]), schema=sch(a=("bool",)))
tf(tfrecord([{"a": [0, 2]}, {"a": [1, 2]}]), schema=sch(a=("bool", [2])))
tf(tfrecord([{"a": [300, -2]}]), schema=sch(a=("uint8", [2])))
tf(tfrecord([{"a": [1.5, 2.5]}]), schema=sch(a=("float64", [2])))
tf(tfrecord([{"a": [1.5, 2.5]}]), schema=sch(a=("float16", [2])))
tf(tfrecord([{"s": ["a", "bc"]}]), schema=sch(s=("string", [2])))
tf(tfrecord([{"s": ["a", "bc"]}]))
tf(tfrecord([{"s": ["a", ""]}]))
tf(tfrecord([{"s": "é"}]))
tf(tfrecord([{"s": b"\x00\x01"}]), schema=sch(s=("uint8", [2])))
tf(tfrecord([{"s": b"\x00\x01"}]), schema=sch(s=("uint8",)))
tf(tfrecord([{"s": b"abcd"}]), schema=sch(s=("int8", [4])))
tf(tfrecord([{"s": b"abcd"}]), schema=sch(s=("float32", [1])))
tf(tfrecord([{"s": b"abcd"}]), schema=sch(s=("uint8", [2, 2])))
tf(tfrecord([{"s": b"abcd"}]), schema=sch(s=("uint8", [5])))
tf(tfrecord([{"a": 1, "z": 2}]), columns_list=["z"])
tf(tfrecord([{"a": 1, "z": 2}]), columns_list=["z", "a"])
tf(tfrecord([{"a": 1, "z": 2}]), columns_list=["q"])
tf(tfrecord([{"a": 1, "z": 2}]), columns_list=("z",))
tf(tfrecord([{"a": 1, "z": 2}]), columns_list="z")
tf(tfrecord([{"a": 1, "z": 2}]), columns_list=[])
tf(tfrecord([{"a": 1, "z": 2}]), columns_list=[1])
tf(tfrecord([{}]))
tf(tfrecord([{}]), schema=sch(a=("int32",)))
tf(tfrecord([{"a": []}]), schema=sch(a=("int32",)))
tf(tfrecord([{"a": []}]))
tf(tfrecord([]))
tf(tfrecord([b"abc"]))
tf(tfrecord([{"a b": 1, "": 2, "é": 3}]))
tf(tfrecord([{"a": 2**63 - 1, "b": -(2**63)}]))
tf(tfrecord([{"a": float("nan"), "b": float("inf")}]))
gzs(RAW + record(b"") + one)
gzs(record(b"") + RAW)
gzs(RAW + b"\0")
gzs(RAW + b"\0\0\0")
gzs(RAW + b"\0" * 8)
gzs(RAW + b"\0" * 11)
gzs(RAW + b"\1")
gzs(RAW + b"\0\0\1")
gzs(RAW + struct.pack("<Q", 5))
gzs(RAW + struct.pack("<Q", 5) + b"\0\0\0\0")
gzs(RAW + struct.pack("<Q", 2) + b"\0\0\0\0" + b"\x0a\0")
gzs(RAW + struct.pack("<Q", 2) + b"\0\0\0\0" + b"\x0a")
gzs(RAW + b"\xff" * 3)
gzs(RAW + b"\xff" * 8)
gzs(RAW + b"\xff" * 12)
gzs(RAW + b"\n")
gzs(RAW + b"\0" * 12 + one)
gzs(RAW + b"\0" * 16 + one)
gzs(RAW + b"\0" * 32 + one)
gzs(RAW + b"\0" * 12, num_samples=2)
gzs(RAW + b"\0" * 12, num_samples=6)
gzs(RAW + b"\0" * 12, num_shards=2, shard_id=1, shard_equal_rows=True)
size(gz(RAW + b"\0" * 12), compression_type="GZIP")
size(gz(RAW + b"\0" * 16), compression_type="GZIP")
size(gz(RAW + b"\0" * 400), compression_type="GZIP")
size(gz(RAW + b"\0"), compression_type="GZIP")
size(gz(RAW + record(b"") + one), compression_type="GZIP")
size(zlib.compress(RAW + b"\0"), compression_type="ZLIB")
size(zlib.compress(RAW + b"\0" * 400), compression_type="ZLIB")
zls(RAW + record(b"") + one)
zls(record(b"") + RAW)
zls(RAW + b"\0")
zls(RAW + b"xx")
zls(RAW + b"x" * 7)
zls(RAW + b"x" * 8)
zls(RAW + b"x" * 9)
zls(RAW + b"x" * 11)
zls(RAW + b"x" * 12)
zls(RAW + b"x" * 13)
zls(RAW + b"\0" * 7)
zls(RAW + b"\0" * 8)
zls(RAW + b"\0" * 12)
zls(RAW + b"\0" * 16)
zls(RAW + b"\0" * 400)
zls(RAW + b"\0" * 16 + one)
zls(RAW + struct.pack("<Q", 2) + b"\0\0\0\0" + b"\x0a\0")
zls(RAW[:-1])
zls(RAW[:-4])
gzs(RAW[:-10])
tf(RAW + record(b"") + one)
tf(record(b"") + RAW)
tf(RAW[:-1])
tf(RAW + b"\0")
tf(RAW + b"\0" * 8)
tf(RAW + b"\0" * 16 + one)
tf(RAW + b"\0" * 400)
tf(RAW + struct.pack("<Q", 2) + b"\0\0\0\0" + b"\x0a\0")
size(RAW + b"\0" * 12)
size(RAW + b"\0" * 16)
tf(tfrecord([{"s": ["", "a"]}]))
tf(tfrecord([{"s": ["a"]}, {"s": [""]}]), schema=sch(s=("string", [1])))
tf(tfrecord([{"s": [""]}]), schema=sch(s=("string", [])))
tf(tfrecord([{"s": [""]}]), schema=sch(s=("uint8", [])))
tf(tfrecord([{"a": [1]}]), schema=sch(a=("string", [1])))
tf(tfrecord([{"a": [1.5]}]), schema=sch(a=("string", [1])))
tf(tfrecord([{"a": [1.5]}]), schema=sch(a=("bool", [1])))
""",
    may_raise=True,
)
