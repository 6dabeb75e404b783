"""MindRecord files: schemas, values, indexes, padding, pages, shards, damage."""

# ruff: noqa: E501, F401, E741

import os
import pathlib

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import mindrecord
from mindspore.mindrecord import FileReader, FileWriter, MindPage

from tests.oracle.case import each
from tests.oracle.cases.dataset._files import case_context, rows, tries, write

N = {"number": {"type": "int32"}, "text": {"type": "string"}, "data": {"type": "bytes"}}
I, A = np.int32, np.array


def rws(count=5):
    return [{"number": i, "text": f"c{i % 3}", "data": bytes([65 + i]) * (i + 1)} for i in range(count)]


def put(name="m", count=5, schema=N, index=None, shards=1, data=None, **options):
    writer = FileWriter(name, shards, **options)
    writer.add_schema(schema, "s")
    if index:
        writer.add_index(index)
    writer.write_raw_data(rws(count) if data is None else data)
    writer.commit()
    return True


def W(name="x", schema=N, **options):
    writer = FileWriter(name, **options)
    writer.add_schema(schema, "s")
    return writer


def got(*arguments, **options):
    data = ds.MindDataset(*arguments, **{"shuffle": False, **options})
    return [data.get_col_names(), data.get_dataset_size(), rows(data)]


def rd(name, **options):
    reader = FileReader(name, **options)
    found = list(reader.get_next())
    reader.close()
    return found


def wr(schema, data, index=None, name="w"):
    put(name, schema=schema, index=index, data=data)
    return rd(name)


def pg(field="text"):
    put(index=["text", "number"])
    page = MindPage("m")
    page.category_field = field
    return page


ALL = {"i": {"type": "int32"}, "j": {"type": "int64"}, "f": {"type": "float32"}, "d": {"type": "float64"}}
ALL |= {
    "s": {"type": "string"},
    "b": {"type": "bytes"},
    "a": {"type": "int32", "shape": [2]},
    "v": {"type": "float32", "shape": [-1]},
}


def pad(name, value):
    found = [
        {
            "i": k,
            "j": k,
            "f": k / 2,
            "d": k / 4,
            "s": str(k),
            "b": bytes([k]),
            "a": A([k, k], I),
            "v": A([0.5] * (k + 1), "f4"),
        }
        for k in range(3)
    ]
    put(schema=ALL, data=found)
    return got("m", columns_list=[name], padded_sample={name: value}, num_padded=1, num_shards=2, shard_id=1)


CASES = each(
    r"""
wr({"a": {"type": "int32"}}, [{"a": 1}])
wr({"a": {"type": "int32"}}, [{"a": "1"}])
wr({"a": {"type": "int32"}}, [{"a": 1.5}])
wr({"a": {"type": "int32"}}, [{"a": True}])
wr({"a": {"type": "int32"}}, [{"a": None}])
wr({"a": {"type": "int32"}}, [{"a": I(3)}])
wr({"a": {"type": "int32"}}, [{"a": np.int64(3)}])
wr({"a": {"type": "int32"}}, [{"a": 2**31}])
wr({"a": {"type": "int32"}}, [{"a": -2**31 - 1}])
wr({"a": {"type": "int32"}}, [{"a": 2**63}])
wr({"a": {"type": "int64"}}, [{"a": 2**63}])
wr({"a": {"type": "int64"}}, [{"a": 2**63 - 1}])
wr({"a": {"type": "int32"}}, [{}])
wr({"a": {"type": "int32"}}, [{"b": 1}])
wr({"a": {"type": "int32"}}, [{"a": 1, "b": 2}])
wr({"a": {"type": "int32"}}, [{"a": 1}, {"a": "x"}])
wr({"a": {"type": "int32"}}, [])
wr({"a": {"type": "int32"}}, {})
wr({"a": {"type": "int32"}}, {"a": 1})
wr({"a": {"type": "int32"}}, ({"a": 1},))
wr({"a": {"type": "int32"}}, [[1]])
wr({"a": {"type": "int32"}}, None)
wr({"a": {"type": "int32"}}, "a")
wr({"a": {"type": "int32"}}, [{"a": [1]}])
wr({"a": {"type": "int32"}}, [{"a": A(1, I)}])
wr({"a": {"type": "int32"}}, [{"a": A([1], I)}])
wr({"a": {"type": "int32"}}, [{"a": A([1, 2], I)}])
wr({"a": {"type": "int32", "shape": [2]}}, [{"a": A([1, 2], I)}])
wr({"a": {"type": "int32", "shape": [2]}}, [{"a": [1, 2]}])
wr({"a": {"type": "int32", "shape": [2]}}, [{"a": A([1, 2, 3], I)}])
wr({"a": {"type": "int32", "shape": [2]}}, [{"a": A([1, 2])}])
wr({"a": {"type": "int32", "shape": [-1]}}, [{"a": A([1, 2], I)}, {"a": A([1], I)}])
wr({"a": {"type": "int32", "shape": [-1, 2]}}, [{"a": A([[1, 2]], I)}])
wr({"a": {"type": "int32", "shape": [-1, 2]}}, [{"a": A([1, 2, 3], I)}])
wr({"a": {"type": "int32", "shape": [2, -1]}}, [{"a": A([1, 2], I)}])
wr({"a": {"type": "int32", "shape": [1, 2]}}, [{"a": A([1, 2], I)}])
wr({"a": {"type": "int32", "shape": [0]}}, [{"a": A([], I)}])
wr({"a": {"type": "int32", "shape": [-2]}}, [{"a": A([1], I)}])
wr({"a": {"type": "string", "shape": [2]}}, [{"a": "x"}])
wr({"a": {"type": "bytes", "shape": [2]}}, [{"a": b"xx"}])
wr({"a": {"type": "string"}}, [{"a": 3}])
wr({"a": {"type": "string"}}, [{"a": b"x"}])
wr({"a": {"type": "string"}}, [{"a": ""}])
wr({"a": {"type": "string"}}, [{"a": "é\n\x00"}])
wr({"a": {"type": "string"}}, [{"a": None}])
wr({"a": {"type": "bytes"}}, [{"a": "x"}])
wr({"a": {"type": "bytes"}}, [{"a": b""}])
wr({"a": {"type": "bytes"}}, [{"a": bytearray(b"x")}])
wr({"a": {"type": "bytes"}}, [{"a": A([1], "u1")}])
wr({"a": {"type": "bytes"}}, [{"a": 1}])
wr({"a": {"type": "float32"}}, [{"a": 1}])
wr({"a": {"type": "float32"}}, [{"a": "1"}])
wr({"a": {"type": "float32"}}, [{"a": np.float64(.5)}])
wr({"a": {"type": "float64"}}, [{"a": np.float32(.5)}])
wr({"a": {"type": "float16"}}, [{"a": 1.0}])
wr({"a": {"type": "int8"}}, [{"a": 1}])
wr({"a": {"type": "uint8"}}, [{"a": 1}])
wr({"a": {"type": "bool"}}, [{"a": True}])
wr({"a": {"type": "float32", "shape": [2]}}, [{"a": A([1, 2], "f4")}])
wr({"a": {"type": "float32", "shape": [2]}}, [{"a": A([1, 2], "f8")}])
wr({"a": {"type": "float32", "shape": [2]}}, [{"a": A([1, 2], "f2")}])
wr({"a": {"type": "int64", "shape": [2]}}, [{"a": A([1, 2], "u8")}])
wr({"a": {"type": "int32", "shape": [2]}}, [{"a": A([1, 2], "u1")}])
wr({"a": {"type": "int32"}, "b": {"type": "int32", "shape": [1]}}, [{"a": 1, "b": A([2], I)}])
wr({"a": {"type": "INT32"}}, [{"a": 1}])
wr({"a": {"type": "int"}}, [{"a": 1}])
wr({"a": {"type": ms.int32}}, [{"a": 1}])
wr({"a": {"type": np.int32}}, [{"a": 1}])
wr({"a": {}}, [{"a": 1}])
wr({"a": "int32"}, [{"a": 1}])
wr({"a": {"type": "int32", "x": 1}}, [{"a": 1}])
wr({"a": {"type": "int32", "shape": None}}, [{"a": 1}])
wr({"a": {"shape": [1]}}, [{"a": 1}])
wr({}, [{"a": 1}])
wr([], [{"a": 1}])
wr({"": {"type": "int32"}}, [{"": 1}])
wr({"a-b": {"type": "int32"}}, [{"a-b": 1}])
wr({"a b": {"type": "int32"}}, [{"a b": 1}])
wr({"é": {"type": "int32"}}, [{"é": 1}])
wr({"1a": {"type": "int32"}}, [{"1a": 1}])
wr({"a_b": {"type": "int32"}}, [{"a_b": 1}])
wr({"A": {"type": "int32"}, "a": {"type": "int32"}}, [{"a": 1, "A": 2}])
wr({"a.b": {"type": "int32"}}, [{"a.b": 1}])
wr({3: {"type": "int32"}}, [{3: 1}])
wr({"z": {"type": "int32"}, "a": {"type": "bytes"}, "m": {"type": "string"}}, [{"a": b"x", "z": 1, "m": "y"}])
wr({"a": {"type": "int32"}}, [{"a": 1}], ["a"])
wr({"a": {"type": "int32"}}, [{"a": 1}], ["b"])
wr({"a": {"type": "int32"}}, [{"a": 1}], "a")
wr({"a": {"type": "int32"}}, [{"a": 1}], ["a", "a"])
wr({"a": {"type": "int32"}}, [{"a": 1}], [1])
wr({"a": {"type": "int32"}}, [{"a": 1}], ("a",))
wr({"a": {"type": "bytes"}}, [{"a": b"x"}], ["a"])
wr({"a": {"type": "int32", "shape": [1]}}, [{"a": A([1], I)}], ["a"])
wr({"a": {"type": "float32"}}, [{"a": .5}], ["a"])
wr({"a": {"type": "string"}}, [{"a": "x'y\"z"}], ["a"])
wr({"a": {"type": "int32"}}, [{"a": 1}], None, "")
wr({"a": {"type": "int32"}}, [{"a": 1}], None, "no/w")
wr({"a": {"type": "int32"}}, [{"a": 1}], None, "w w.mindrecord")
wr({"a": {"type": "int32"}}, [{"a": 1}], None, "é")
wr({"a": {"type": "int32"}}, [{"a": 1}], None, "a*b")
wr({"a": {"type": "int32"}}, [{"a": 1}], None, "a:b")
wr({"a": {"type": "int32"}}, [{"a": 1}], None, "a?b")
wr({"a": {"type": "int32"}}, [{"a": 1}], None, ".hidden")
wr({"a": {"type": "int32"}}, [{"a": 1}], None, "./w")
wr({"a": {"type": "int32"}}, [{"a": 1}], None, None)
(put(), W("m").write_raw_data(rws()))[-1]
(put(), [FileWriter("m", overwrite=True).add_schema(N), 1])[-1]
(put(), FileWriter("m", overwrite=1))[-1]
(put(), FileWriter("m", 1, "yes"))[-1]
(put(), put("m", 3, overwrite=True) and rd("m"))[-1]
(put(), os.remove("m.db") or got("m"))[-1]
(put(), os.remove("m.db") or rd("m"))[-1]
(put(), os.remove("m") or got("m"))[-1]
(put(), write("m", b"") or got("m"))[-1]
(put(), write("m", b"x" * 100) or got("m"))[-1]
(put(), write("m.db", b"x" * 100) or got("m"))[-1]
(put(), write("m.db", b"") or got("m"))[-1]
(put(), write("m", pathlib.Path("m").read_bytes()[:-100]) or got("m"))[-1]
(put(), write("m", pathlib.Path("m").read_bytes()[:20000]) or got("m"))[-1]
(put(), write("m", pathlib.Path("m").read_bytes() + b"x") or got("m"))[-1]
(put(), os.rename("m", "n") or os.rename("m.db", "n.db") or got("n"))[-1]
(put(), os.rename("m", "n") or got("n"))[-1]
(put(), write("d/m", pathlib.Path("m").read_bytes()) or got("d/m"))[-1]
(put(), got("m", columns_list=["text"]))[-1]
(put(), got("m", columns_list=["text", "number"]))[-1]
(put(), got("m", columns_list=["text", "x"]))[-1]
(put(), got("m", columns_list=[]))[-1]
(put(), got("m", columns_list="text"))[-1]
(put(), got("m", columns_list=("text",)))[-1]
(put(), got("m", columns_list=[1]))[-1]
(put(), got("m", columns_list=["text", "text"]))[-1]
(put(), got(["m"]))[-1]
(put(), got(["m", "m"]))[-1]
(put(), got(("m",)))[-1]
(put(), got([]))[-1]
(put(), got(""))[-1]
(put(), got(None))[-1]
(put(), got(3))[-1]
(put(), got("m.db"))[-1]
(put(), got("."))[-1]
(put(), got("~/m"))[-1]
(put(), got("m", num_samples=2))[-1]
(put(), got("m", num_samples=0))[-1]
(put(), got("m", num_samples=-1))[-1]
(put(), got("m", num_samples="2"))[-1]
(put(), got("m", num_samples=100))[-1]
(put(), got("m", num_shards=2, shard_id=0))[-1]
(put(), got("m", num_shards=2, shard_id=1))[-1]
(put(), got("m", num_shards=7, shard_id=6))[-1]
(put(), got("m", num_shards=2, shard_id=2))[-1]
(put(), got("m", num_shards=2))[-1]
(put(), got("m", shard_id=1))[-1]
(put(), got("m", num_shards=0, shard_id=0))[-1]
(put(), got("m", num_shards="2", shard_id=0))[-1]
(put(), got("m", num_shards=2, shard_id=0, num_samples=1))[-1]
(put(), got("m", shuffle=1))[-1]
(put(), got("m", shuffle="x"))[-1]
(put(), got("m", shuffle=None, sampler=ds.SubsetSampler([1, 0])))[-1]
(put(), got("m", shuffle=None, sampler=ds.SequentialSampler(1, 2)))[-1]
(put(), got("m", shuffle=None, sampler=ds.PKSampler(1, None, False, "nope")))[-1]
(put(), got("m", shuffle=False, sampler=ds.SequentialSampler()))[-1]
(put(), got("m", shuffle=None, sampler=ds.SequentialSampler(), num_shards=2, shard_id=0))[-1]
(put(), got("m", padded_sample={"number": -1, "text": "p", "data": b"q"}, num_padded=1))[-1]
(put(), got("m", padded_sample={"number": -1, "text": "p", "data": b"q"}, num_padded=1, num_shards=2, shard_id=0))[-1]
(put(), got("m", padded_sample={"number": -1, "text": "p", "data": b"q"}, num_padded=1, num_shards=2, shard_id=1))[-1]
(put(), got("m", padded_sample={"number": -1, "text": "p", "data": b"q"}, num_padded=2, num_shards=2, shard_id=1))[-1]
(put(), got("m", padded_sample={"number": -1, "text": "p", "data": b"q"}, num_padded=0, num_shards=5, shard_id=1))[-1]
(put(), got("m", padded_sample={"number": -1, "text": "p", "data": b"q"}, num_padded=-1, num_shards=2, shard_id=1))[-1]
(put(), got("m", padded_sample={"number": -1, "text": "p", "data": b"q"}, num_padded="1", num_shards=2, shard_id=1))[-1]
(put(), got("m", padded_sample={"number": -1, "text": "p", "data": b"q"}, num_shards=2, shard_id=1))[-1]
(put(), got("m", num_padded=1, num_shards=2, shard_id=1))[-1]
(put(), got("m", padded_sample={"number": -1, "text": "p"}, num_padded=1, num_shards=2, shard_id=1))[-1]
(put(), got("m", padded_sample={"number": -1, "text": "p"}, num_padded=1, num_shards=2, shard_id=1, columns_list=["number", "text"]))[-1]
(put(), got("m", padded_sample={"number": -1, "x": "p"}, num_padded=1, num_shards=2, shard_id=1, columns_list=["number"]))[-1]
(put(), got("m", padded_sample={"number": -1}, num_padded=1, num_shards=2, shard_id=1, columns_list=["number", "text"]))[-1]
(put(), got("m", padded_sample={"number": "a"}, num_padded=1, num_shards=2, shard_id=1, columns_list=["number"]))[-1]
(put(), got("m", padded_sample={"number": 1.5}, num_padded=1, num_shards=2, shard_id=1, columns_list=["number"]))[-1]
(put(), got("m", padded_sample={"text": 3}, num_padded=1, num_shards=2, shard_id=1, columns_list=["text"]))[-1]
(put(), got("m", padded_sample={"data": "x"}, num_padded=1, num_shards=2, shard_id=1, columns_list=["data"]))[-1]
(put(), got("m", padded_sample=[1], num_padded=1, num_shards=2, shard_id=1, columns_list=["number"]))[-1]
(put(), got("m", padded_sample={}, num_padded=1, num_shards=2, shard_id=1, columns_list=["number"]))[-1]
(put(), got("m", padded_sample={"number": -1}, num_padded=3, num_shards=2, shard_id=1, columns_list=["number"]))[-1]
(put(), got("m", padded_sample={"number": -1}, num_padded=3, num_shards=4, shard_id=3, columns_list=["number"]))[-1]
(put(), got("m", padded_sample={"number": -1}, num_padded=5, columns_list=["number"], shuffle=None, sampler=ds.DistributedSampler(2, 1, False)))[-1]
(put(), got("m", padded_sample={"number": -1}, num_padded=1, columns_list=["number"], shuffle=None, sampler=ds.SequentialSampler()))[-1]
(put(), rd("m", columns=["text"]))[-1]
(put(), rd("m", columns=["text", "x"]))[-1]
(put(), rd("m", columns="text"))[-1]
(put(), rd("m", columns=[]))[-1]
(put(), rd("m", columns=("text",)))[-1]
(put(), rd("m", columns=None))[-1]
(put(), rd("m", num_consumer=1))[-1]
(put(), rd("m", num_consumer=0))[-1]
(put(), rd("m", num_consumer="1"))[-1]
(put(), rd("m", num_consumer=None))[-1]
(put(), rd(["m"]))[-1]
(put(), rd(["m", "m"]))[-1]
(put(), rd("nope"))[-1]
(put(), rd(""))[-1]
(put(), rd(None))[-1]
(put(), rd("."))[-1]
(put(), FileReader("m").len())[-1]
(put(), FileReader("m").schema())[-1]
(put(), [next(FileReader("m").get_next())])[-1]
(put(), tries(lambda: FileReader("m").close(), lambda: [FileReader("m").close(), 1], lambda: (lambda r: [r.close(), r.close()])(FileReader("m")), lambda: (lambda r: [r.close(), list(r.get_next())])(FileReader("m"))))[-1]
(put(), MindPage("m").candidate_fields)[-1]
(put(), MindPage("m").get_category_fields())[-1]
(put(), MindPage("m").category_field)[-1]
(put(), tries(lambda: MindPage("m").read_category_info(), lambda: MindPage("m").set_category_field("number"), lambda: MindPage("m").read_at_page_by_id(0, 0, 1), lambda: MindPage("m").read_at_page_by_name("c0", 0, 1)))[-1]
(put(index=["text", "number"]), pg().read_category_info())[-1]
(put(index=["text", "number"]), pg("number").read_category_info())[-1]
(put(index=["text", "number"]), pg().category_field)[-1]
(put(index=["text", "number"]), MindPage("m").candidate_fields)[-1]
(put(index=["text", "number"]), pg("nope"))[-1]
(put(index=["text", "number"]), pg("data"))[-1]
(put(index=["text", "number"]), pg(None))[-1]
(put(index=["text", "number"]), pg(3))[-1]
(put(index=["text", "number"]), pg(""))[-1]
(put(index=["text", "number"]), pg().read_at_page_by_id(0, 0, 1))[-1]
(put(index=["text", "number"]), pg().read_at_page_by_id(0, 0, 100))[-1]
(put(index=["text", "number"]), pg().read_at_page_by_id(0, 5, 2))[-1]
(put(index=["text", "number"]), pg().read_at_page_by_id(3, 0, 1))[-1]
(put(index=["text", "number"]), pg().read_at_page_by_id(-1, 0, 1))[-1]
(put(index=["text", "number"]), pg().read_at_page_by_id(0, -1, 1))[-1]
(put(index=["text", "number"]), pg().read_at_page_by_id(0, 0, 0))[-1]
(put(index=["text", "number"]), pg().read_at_page_by_id(0, 0, -1))[-1]
(put(index=["text", "number"]), pg().read_at_page_by_id("0", 0, 1))[-1]
(put(index=["text", "number"]), pg().read_at_page_by_id(0, "0", 1))[-1]
(put(index=["text", "number"]), pg().read_at_page_by_id(0, 0, "1"))[-1]
(put(index=["text", "number"]), pg().read_at_page_by_id(0.0, 0, 1))[-1]
(put(index=["text", "number"]), pg().read_at_page_by_id(0, 0, None))[-1]
(put(index=["text", "number"]), pg().read_at_page_by_name("c0", 0, 1))[-1]
(put(index=["text", "number"]), pg().read_at_page_by_name("c0", 0, 100))[-1]
(put(index=["text", "number"]), pg().read_at_page_by_name("c0", 9, 1))[-1]
(put(index=["text", "number"]), pg().read_at_page_by_name("zz", 0, 1))[-1]
(put(index=["text", "number"]), pg().read_at_page_by_name(0, 0, 1))[-1]
(put(index=["text", "number"]), pg().read_at_page_by_name("c0", -1, 1))[-1]
(put(index=["text", "number"]), pg().read_at_page_by_name("c0", 0, 0))[-1]
(put(index=["text", "number"]), pg().read_at_page_by_name("", 0, 1))[-1]
(put(index=["text", "number"]), pg().read_at_page_by_name(None, 0, 1))[-1]
(put(index=["text", "number"]), pg("number").read_at_page_by_name("2", 0, 1))[-1]
(put(index=["text", "number"]), pg("number").read_at_page_by_name(2, 0, 1))[-1]
(put(index=["text", "number"]), pg("number").read_at_page_by_name("x", 0, 1))[-1]
(put(index=["text", "number"]), pg("number").read_at_page_by_id(2, 0, 1))[-1]
FileWriter("x", 0)
FileWriter("x", -1)
FileWriter("x", 1001)
FileWriter("x", 1.5)
FileWriter("x", "2")
FileWriter("x", None)
[FileWriter("x", 1000), 1][1]
FileWriter(None)
FileWriter(3)
FileWriter("x/")
FileWriter("")
FileWriter("a/b/c").add_schema(N)
W().add_schema(N)
W().add_schema(N, 3)
W().add_schema(N, None)
FileWriter("x").add_schema(N)
FileWriter("x").add_schema(N, "")
FileWriter("x").add_schema(None)
FileWriter("x").add_schema("a")
FileWriter("x").write_raw_data(rws())
FileWriter("x").commit()
FileWriter("x").add_index(["a"])
W().commit()
W().write_raw_data(rws(), True)
W().write_raw_data(rws(), False)
W().write_raw_data(rws(), 1)
W().write_raw_data(rws(), parallel_writer="x")
W().add_index([])
W().add_index(None)
W().add_index("number")
W().add_index(["number"])
W().add_index(["number", "text"])
W().add_index(["number", 3])
W().add_index(["data"])
W().add_index({"number": 1})
(lambda w: [w.add_index(["number"]), w.add_index(["text"])])(W())
W().set_header_size(1 << 14)
W().set_header_size(1 << 13)
W().set_header_size(1 << 27)
W().set_header_size(1 << 28)
W().set_header_size(20000)
W().set_page_size(1 << 15)
W().set_page_size(1 << 14)
W().set_page_size(1 << 28)
W().set_page_size(1 << 29)
W().set_page_size(40000)
(lambda w: [w.write_raw_data(rws()), w.commit(), w.write_raw_data(rws())])(W())
(lambda w: [w.write_raw_data(rws()), w.add_schema(N, "s")])(W())
(lambda w: [w.write_raw_data(rws()), w.add_index(["number"])])(W())
(lambda w: [w.write_raw_data(rws()), w.write_raw_data(rws(2)), w.commit(), len(rd("x"))])(W())
(lambda w: [w.write_raw_data([{"number": 1}] + rws(2)), w.commit(), len(rd("x"))])(W())
(lambda w: [w.write_raw_data([{"number": 1, "text": 3, "data": b"x"}]), w.commit(), len(rd("x"))])(W())
(lambda w: w.set_page_size(1 << 15) or w.write_raw_data([{"number": 1, "text": "a", "data": b"x" * 40000}]))(W())
(lambda w: w.set_header_size(1 << 14) or w.commit())(FileWriter("x"))
(put("m", 3), (lambda w: [w.write_raw_data(rws(2)), w.commit()])(FileWriter.open_for_append("m")), len(rd("m")))[-1]
(put("m", 3), FileWriter.open_for_append("m").add_schema(N))
(put("m", 3), FileWriter.open_for_append("m").add_index(["number"]))
(put("m", 3), FileWriter.open_for_append("m").commit())[-1]
(put("m", 3), FileWriter.open_for_append("m").write_raw_data([{"number": 1}]))
(put("m", 3), (lambda w: [w.write_raw_data([{"x": 1}]), w.commit()])(FileWriter.open_for_append("m")))
FileWriter.open_for_append("nope")
FileWriter.open_for_append(None)
FileWriter.open_for_append(["a"])
(put("m", 12, shards=3), sorted(os.listdir(".")))[-1]
(put("m", 12, shards=3), got("m0"))[-1]
(put("m", 12, shards=3), got("m"))[-1]
(put("m", 12, shards=3), got(["m0", "m1"]))[-1]
(put("m", 12, shards=3), got(["m2", "m0", "m1"]))[-1]
(put("m", 12, shards=3), os.remove("m1"), got("m0"))[-1]
(put("m", 12, shards=3), os.remove("m1"), os.remove("m1.db"), got("m0"))[-1]
(put("m", 2, shards=3), got("m0"))[-1]
(put("m", 12, shards=3), FileReader("m0").len())[-1]
(put("m", 12, shards=3), FileReader(["m0"]).len())[-1]
(put("m", 12, shards=3), FileWriter.open_for_append("m0").commit())[-1]
(put("m", 12, shards=3), MindPage(["m0", "m1", "m2"]).candidate_fields)[-1]
(put("m", 3), put("n", 2, {"a": {"type": "int32"}}, data=[{"a": 1}]), got(["m", "n"]))[-1]
(put("m", 3), put("n", 2), got(["n", "m"]))[-1]
(put("m", 3), put("n", 2), rd(["n", "m"]))[-1]
(put("m", 3), put("n", 2), got("[mn]"))[-1]
(put("m", 3), write("n", b"x"), got(["m", "n"]))[-1]
(put("m", 3), write("n", b"x"), rd(["m", "n"]))[-1]
mindrecord.set_enc_key("0123456789abcdef")
mindrecord.set_enc_key("short")
mindrecord.set_enc_key(3)
mindrecord.set_enc_key(None)
mindrecord.set_enc_mode("AES-GCM")
mindrecord.set_enc_mode("AES-CBC")
mindrecord.set_enc_mode("x")
mindrecord.set_enc_mode(None)
mindrecord.set_dec_mode("AES-GCM")
mindrecord.set_dec_mode("x")
mindrecord.set_dec_mode(None)
mindrecord.set_dec_mode(3)
mindrecord.set_hash_mode("sha256")
mindrecord.set_hash_mode("md5")
mindrecord.set_hash_mode("x")
mindrecord.set_hash_mode(None)
mindrecord.set_hash_mode(3)
pad("i", 5)
pad("i", True)
pad("i", 1.0)
pad("i", np.float32(5))
pad("i", A(5))
pad("i", A([5], I))
pad("i", None)
pad("i", "5")
pad("i", 2**40)
pad("i", -1)
pad("i", b"5")
pad("i", [5])
pad("j", 2**40)
pad("j", 2**64)
pad("j", 1.5)
pad("j", "1")
pad("f", 1)
pad("f", 1.5)
pad("f", "1.5")
pad("f", True)
pad("f", np.float64(.5))
pad("f", None)
pad("f", float("nan"))
pad("d", 1)
pad("d", 1.5)
pad("d", np.float64(.5))
pad("d", "x")
pad("s", "x")
pad("s", 3)
pad("s", 1.5)
pad("s", True)
pad("s", None)
pad("s", b"x")
pad("s", np.str_("x"))
pad("s", ["x"])
pad("s", {"x": 1})
pad("s", "")
pad("s", 'é"\n')
pad("b", b"x")
pad("b", "x")
pad("b", b"")
pad("b", bytearray(b"xy"))
pad("b", A([1, 2], "u1"))
pad("b", 3)
pad("b", None)
pad("a", A([5, 6], I))
pad("a", [5, 6])
pad("a", A([5, 6, 7], I))
pad("a", A([5], I))
pad("a", 3)
pad("a", None)
pad("a", b"\0\0\0\0\1\0\0\0")
pad("v", A([1., 2.], "f4"))
pad("v", [1.])
""",
    may_raise=True,
)
