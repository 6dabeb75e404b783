"""Pickles that ask for more time or memory than a reader has. Before, each of these ran for minutes, or for ever."""

import pickle
import struct
import tracemalloc

import pytest
import torch

from msbridge.converters import CheckpointError, open_checkpoint
from msbridge.converters.errors import UnsafeError
from msbridge.converters.files import memory_budget
from msbridge.converters.files.memory_budget import Allowance
from msbridge.converters.formats import pickles, pth_pickle, pth_reading
from msbridge.converters.formats.inert_objects import Key
from msbridge.converters.formats.pickle_vm import Machine
from tests.converters.pickled import GOOD, archive, called, doubled, nested, scalar, storage, text, torch_file

PAIR = doubled(40, b"K\x01")  # 2 ** 40 numbers, in tuples of two
REBUILD = called("torch._utils._rebuild_tensor_v2")
PARAMETER = called("torch._utils._rebuild_parameter")
MEMOIZED = text("a" * 300) + b"q\x00"
# Where a tuple that is doubled forty times may be: hashing it, comparing it or spelling it would never end.
DOUBLED = {
    "key": (b"}" + PAIR + b"K\x01s", ""),
    "two keys": (b"}(" + PAIR + b"K\x01" + doubled(40, b"K\x01", at=50) + b"K\x01u", ""),
    "set": (b"\x8f(" + PAIR + b"\x90", ""),
    "frozen set": (b"(" + PAIR + b"\x91", ""),
    "set of the builtins": (called("builtins.set") + b"](" + PAIR + b"e\x85R", ""),
    "key of an ordered mapping": (called("collections.OrderedDict") + b"](](" + PAIR + b"K\x01ee\x85R", ""),
    "value": (PAIR, ""),
    "object": (called("my.Thing") + PAIR + b"R", ""),
    "reference": (PAIR + b"Q", "a reference to a tuple of 2"),
    "long reference": (b"(" + PAIR + PAIR + b"K\x01K\x02K\x03tQ", "a reference to a tuple of 5"),
    "key of a storage": (
        b"(" + text("storage") + called("torch.FloatStorage") + PAIR + b"K\x01K\x04tQ",
        "a storage a tuple of 2 without",
    ),
    "part of a storage": (
        b"(" + text("storage") + called("torch.FloatStorage") + text("0") + b"K\x01K\x04" + PAIR + b"tQ",
        "without a place",
    ),
    "shape": (REBUILD + b"(" + storage() + b"K\x00" + PAIR + b"K\x01\x85\x85\x89}tR", "of shape a tuple of 2"),
    "length": (
        REBUILD + b"(" + storage() + b"K\x00" + PAIR + b"\x85K\x01\x85\x89}tR",
        r"of shape \(a tuple of 2,\) and strides \(1,\)",
    ),
    "function": (PAIR + b")R", "a call of a tuple of 2, which is not a function"),
    "module": (PAIR + text("x") + b"\x93", "whose name is not a string"),
    "appending to a number": (b"K\x01" + PAIR + b"a", "items for 1, which is not a list"),
}


@pytest.mark.parametrize("case", DOUBLED)
def test_tuples_that_double_take_no_time(tmp_path, case):
    made, says = DOUBLED[case]
    path = torch_file(tmp_path / "x.pth", {"a": GOOD, "x": made})
    if says:
        with pytest.raises(CheckpointError, match=rf"x\.pth.*the pickle is cut short or damaged: .*{says}"):
            open_checkpoint(path)
    else:
        assert list(open_checkpoint(path)) == ["a"]


# What a file may take in memory is its size four times, and 64 MiB, here 1 MiB: these describe more.
GREEDY = {
    "names": MEMOIZED + b"0" + nested(150, b"h\x00", GOOD, GOOD),
    "names that were skipped": MEMOIZED + b"0" + nested(150, b"h\x00", b"N", GOOD),
    "lists": b"](" + b"]" * 40_000 + b"e",
    "mappings": b"](" + b"}" * 40_000 + b"e",
    "classes": b"](" + b"".join(b"cm\n%d\n" % i for i in range(20_000)) + b"e",
    "objects": called("my.Thing") + b"q\x00](" + b"h\x00)\x81" * 20_000 + b"e",
    "tuples": b"](" + b")\x85" * 40_000 + b"e",
    "places in the memory": b"]" + b"".join(b"r" + struct.pack("<I", 7 * i + 5) for i in range(15_000)),
    "marks": b"(" * 60_000 + b"1" * 60_000 + b"N",
    "numbers": b"](" + b"M\x01\x02" * 60_000 + b"e",
    "the same, over and over": b"](" + (b"](" + GOOD + b"N" * 1000 + b"eq\x00") + b"h\x00" * 3000 + b"e",
}


@pytest.mark.parametrize("case", GREEDY)
def test_what_would_fill_the_memory_is_refused(tmp_path, case, monkeypatch):
    monkeypatch.setattr(memory_budget, "MORE_BYTES", 1 << 20)
    path = torch_file(tmp_path / "x.pth", {"a": GOOD, "x": GREEDY[case]})
    tracemalloc.start()
    try:
        with pytest.raises(CheckpointError, match=r"x\.pth: what it describes takes more than the \d+ bytes of mem"):
            open_checkpoint(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < (2 << 20) + 6 * path.stat().st_size  # the pickle itself, and what is not counted


SLOW = {
    "numbers of many bytes": b"](" + (b"\x8b" + struct.pack("<i", 1_000_000) + b"\x7f" * 1_000_000) * 5 + b"e",
    "a number as a key": b"}" + b"\x8b" + struct.pack("<i", 1_000_000) + b"\x7f" * 1_000_000 + b"Ns",
    "keys with one hash": b"}(" + b"".join(scalar(i * ((1 << 61) - 1)) + b"N" for i in range(1, 30_000)) + b"u",
    "keys with one hash, as floats": b"}("
    + b"".join(b"G" + struct.pack(">d", 2.0 ** (61 * (i % 15)) * (i + 1)) + b"N" for i in range(15_000))
    + b"u",
    "a long call": b"(" + b"N" * 50_000 + b"tq\x000](" + (called("my.Thing") + b"h\x00R") * 9000 + b"e",
    "one mapping in many": b"](}(" + b"K\x01N" * 1000 + b"uq\x00" + b"h\x00" * 50_000 + b"e",
}


@pytest.mark.parametrize("case", SLOW)
def test_what_would_take_forever_takes_no_time(tmp_path, case):
    found = open_checkpoint(torch_file(tmp_path / "x.pth", {"a": GOOD, "x": SLOW[case]}))
    assert list(found) == ["a"]


def test_many_names_for_one_mapping_without_tensors_in_it_take_no_time(tmp_path):
    large = b"}(" + b"".join(scalar(i) + b"N" for i in range(20_000)) + b"uq\x00"
    many = b"".join(scalar(i) + b"h\x00" for i in range(20_000))
    path = archive(
        tmp_path / "x.pth", b"\x80\x02}(" + text("m") + large + many + text("model") + b"}" + text("a") + GOOD + b"su."
    )
    assert list(open_checkpoint(path)) == ["a"]


def test_a_mapping_in_itself_is_no_training_checkpoint(tmp_path):
    body = b"}q\x00(" + text("model") + b"h\x00" + text("z") + b"}" + text("t") + GOOD + b"su."
    with pytest.raises(CheckpointError, match="nested deeper than 200"):
        open_checkpoint(archive(tmp_path / "x.pth", b"\x80\x02" + body))


ODD = {
    "a number in text": (b"I" + b"9" * 5000 + b"\n", "a line of more than 255 bytes"),
    "a long number in text": (b"L" + b"9" * 5000 + b"L\n", "a line of more than 255 bytes"),
    "a number that is none": (b"Iabc\n", "invalid literal"),
    "a negative length": (b"\x8b\xff\xff\xff\xff", "a number of -1 bytes"),
    "a call with too many": (
        called("torch._utils._rebuild_parameter") + b"(" + b"N" * 65 + b"tR",
        "a call with a tuple of 65",
    ),
    "a call with a list": (called("torch._utils._rebuild_parameter") + b"]R", "a call with a list of 0"),
    "a call of a number": (b"K\x05)R", "a call of 5, which is not a function"),
    "a long name of a class": (text("m" * 2000) + text("n") + b"\x93", "with a name of 2001 characters"),
    "a long line of a class": (b"c" + b"m" * 2000 + b"\nn\n", "a line of more than 1000 bytes"),
    "an unknown operation": (b"\xff", "no operation has the number 255"),
    "a buffer": (b"\x97", "outside of the pickle"),
    "a protocol": (b"\x80\x09", "protocol 9"),
    "a half pair": (b"}(Nu", "a key without a value"),
    "items for a tuple": (b")(NNu", "which is not a mapping"),
    "beyond a mark": (b"N(\x85", "a value is missing"),
    "a conjugate of truths": (
        REBUILD + b"(" + storage(4, "torch.BoolStorage") + b"K\x00K\x04\x85K\x01\x85\x89}}" + text("neg") + b"\x88stR",
        "a tensor of torch.bool as a view of complex numbers",
    ),
    "a scale that is none": (
        called("torch._utils._rebuild_qtensor")
        + b"("
        + storage(4, "torch.QInt8Storage")
        + b"K\x00K\x04\x85K\x01\x85"
        + b"("
        + called("torch.per_tensor_affine")
        + b"N]t\x89}tR",
        "that is quantized by",
    ),
}


@pytest.mark.parametrize("case", ODD)
def test_what_no_pickler_writes_is_damage(tmp_path, case):
    made, says = ODD[case]
    with pytest.raises(CheckpointError, match=rf"x\.pth.*the pickle is cut short or damaged: .*{says}"):
        open_checkpoint(torch_file(tmp_path / "x.pth", {"a": GOOD, "x": made}, b"\x80\x04"))


VALUES = {
    "a": [1, -1, 255, 256, 65536, -(1 << 31), 1 << 31, 1 << 200, True, False, None],
    "b": (1.5, float("inf"), "naïve", "\udc80", "x" * 300, b"", b"y" * 300, bytearray(b"z")),
    "c": {"d": [], "e": {}, "f": (), "g": ((1,), (1, 2), (1, 2, 3), (1, 2, 3, 4))},
}


@pytest.mark.parametrize("protocol", range(6))
def test_plain_values_are_those_that_python_reads(protocol):
    values = {**VALUES, "b": VALUES["b"][: (5, 5, 5, 7, 7, 8)[protocol]]}  # bytes are calls in old protocols
    data = pickle.dumps(values, protocol)
    machine = Machine(b"123" + data + b"behind", 3, {}, "x", Allowance("x", len(data)))
    assert pickles.load(machine) == values
    assert machine.at == 3 + len(data)


def test_keys_that_are_no_text_keep_their_spelling():
    data = pickle.dumps({1: "a", 2.5: "b", None: "c", b"d": "d", (1, 2): "e"}, 3)
    found = pickles.load(Machine(data, 0, {}, "x", Allowance("x", len(data))))
    assert list(map(str, found)) == ["1", "2.5", "None", "b'd'", "<an object as a key>"]
    assert found[Key(2.5)] == "b"


def test_calls_of_pythons_own_functions_are_refused_however_their_names_are_put_together():
    for module, name in (("builtins", "eval"), ("builtins", "eval.__call__"), ("a.os", "system"), ("os", "path.join")):
        data = text(module) + text(name) + b"\x93)R."
        with pytest.raises(UnsafeError, match="refused: the pickle asks for"):
            pth_pickle.load(data, 0, "x", Allowance("x", len(data)))


def test_a_long_pickle_at_the_beginning_of_an_old_file_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(pth_reading, "FIRST_BYTES", 16)
    state = {f"layer{i}.weight": torch.full((2,), float(i)) for i in range(50)}
    torch.save(state, tmp_path / "x.pth", _use_new_zipfile_serialization=False)
    found = open_checkpoint(tmp_path / "x.pth")
    assert all(torch.equal(found[name], state[name]) for name in state)
