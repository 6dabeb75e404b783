"""Judge: what MindSpore 2.10 does with the same calls; its files are compared in tests/converters."""

import os
import socket
import textwrap
import time

import numpy as np
import pytest
import torch

from msbridge.core.releases.release import set_release
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.train.checkpoint.loading import load_checkpoint, load_checkpoint_async, load_param_into_net
from msbridge.train.checkpoint.saving import save_checkpoint
from tests.processes import python
from tests.train.helpers_checkpoint import Net, parameter

FILTERS = [
    ({"filter_prefix": "bn"}, ["fc.weight", "fc.bias"]),
    ({"filter_prefix": ["bn.gamma", "fc"]}, ["bn.moving_mean"]),
    ({"specify_prefix": "fc"}, ["fc.weight", "fc.bias"]),
    ({"specify_prefix": ("fc", "bn.g"), "filter_prefix": "fc.b"}, ["fc.weight", "bn.gamma"]),
    ({"choice_func": lambda name: name.endswith("weight")}, ["fc.weight"]),
    ({"choice_func": lambda name: False, "specify_prefix": "fc"}, ["fc.weight", "fc.bias"]),
]


@pytest.mark.parametrize(("options", "names"), FILTERS)
def test_filters(saved, options, names):
    assert list(load_checkpoint("a.ckpt", **options)) == names


def test_content_decides_not_the_suffix(here, saved):
    (here / "a.ckpt").rename(here / "weights.bin")
    assert list(load_checkpoint("weights.bin")) == list(saved)


def test_loads_into_a_net(saved):
    net = Net()
    net["fc.bias"].set_data(Tensor(np.full(3, 9.0, np.float32)))
    assert list(load_checkpoint("a.ckpt", net)) == list(saved)
    assert net["fc.bias"].asnumpy().tolist() == [1, 1, 1]


def test_loaded_parameters_own_their_memory(here, saved):
    saved["fc.bias"].set_data(Tensor(np.zeros(3, np.float32)))
    (here / "a.ckpt").unlink()
    assert saved["fc.weight"].asnumpy().sum() == 0


def test_load_checkpoint_async(saved):
    assert list(load_checkpoint_async("a.ckpt").result()) == list(saved)


BAD_LOADS = [
    ("nope.ckpt", {}, ValueError, "nope.ckpt does not exist"),
    ("garbage.ckpt", {}, ValueError, "garbage.ckpt"),
    ("empty.ckpt", {}, ValueError, "0 bytes"),
    (".", {}, ValueError, "no checkpoint"),
    ("pipe.ckpt", {}, ValueError, "is a .*, not a file; a checkpoint is read by position"),
    ("/dev/zero", {}, ValueError, "is a .*, not a file; a checkpoint is read by position"),
    ("socket.ckpt", {}, ValueError, "is a .*, not a file; a checkpoint is read by position"),
    ("circle.ckpt", {}, ValueError, "cannot be opened"),
    ("y" * 300, {}, ValueError, "cannot be opened"),
    (3, {}, TypeError, "must be string"),
    ("a.ckpt", {"filter_prefix": ["bn", "fc"]}, ValueError, "empty"),
    ("a.ckpt", {"filter_prefix": 3}, TypeError, "string"),
    ("a.ckpt", {"specify_prefix": [3]}, TypeError, "string"),
    ("a.ckpt", {"filter_prefix": ""}, ValueError, "can't include ''"),
    ("a.ckpt", {"dec_key": "text"}, ValueError, "dec_key"),
    ("a.ckpt", {"crc_check": 3}, ValueError, "crc_check"),
    ("a.ckpt", {"format": "foo"}, ValueError, "format"),
    ("a.ckpt", {"net": 3}, TypeError, "should be a Cell"),
    ("torch.pth", {}, ValueError, "msbridge convert"),
]


@pytest.mark.parametrize(("name", "options", "kind", "says"), BAD_LOADS)
def test_bad_arguments_of_load_checkpoint(tmp_path_factory, monkeypatch, name, options, kind, says):
    folder = tmp_path_factory.mktemp("bad")
    monkeypatch.chdir(folder)
    if name == "a.ckpt":
        save_checkpoint(Net(), "a.ckpt")
    os.mkfifo(folder / "pipe.ckpt") if name == "pipe.ckpt" else None
    (folder / "circle.ckpt").symlink_to("circle.ckpt") if name == "circle.ckpt" else None
    with socket.socket(socket.AF_UNIX) as one:
        one.bind("socket.ckpt") if name == "socket.ckpt" else None
    (folder / "garbage.ckpt").write_bytes(b"garbage garbage") if name == "garbage.ckpt" else None
    (folder / "empty.ckpt").touch() if name == "empty.ckpt" else None
    torch.save({"p": torch.ones(1)}, "torch.pth") if name == "torch.pth" else None
    with pytest.raises(kind, match=says):
        load_checkpoint(name, **options)


def test_everything_fits(saved):
    assert load_param_into_net(Net(), saved) == ([], [])


def test_missing_and_extra_names_are_listed(saved):
    del saved["fc.bias"]
    saved["extra"] = parameter([1.0], "extra")
    with pytest.warns(UserWarning, match=r"1 of 4 .*fc\.bias.* Not taken .*extra"):
        assert load_param_into_net(Net(), saved) == (["fc.bias"], ["extra"])
    with pytest.warns(UserWarning, match=r"fc\.bias"):
        assert load_param_into_net(Net(), saved, strict_load=True) == (["fc.bias"], ["extra"])


def test_before_release_2_only_the_missing_names_are_returned(saved):
    set_release("1.10")
    assert load_param_into_net(Net(), saved) == []


@pytest.mark.parametrize("dtype", [mstype.float16, mstype.float64, mstype.bfloat16])
def test_floats_are_cast_unless_strict(saved, dtype):
    saved["fc.bias"] = parameter([1, 2, 3], "fc.bias", dtype)
    net = Net()
    assert load_param_into_net(net, saved) == ([], [])
    assert str(net["fc.bias"].dtype) == "Float32"
    assert net["fc.bias"].asnumpy().tolist() == [1, 2, 3]
    with pytest.raises(RuntimeError, match="same type"):
        load_param_into_net(Net(), saved, strict_load=True)


def test_integers_do_not_become_floats(saved):
    saved["fc.bias"] = parameter([1, 2, 3], "fc.bias", mstype.int32)
    with pytest.raises(RuntimeError, match=r"fc\.bias .*same type .*Float32 .*Int32"):
        load_param_into_net(Net(), saved)


def test_shapes_must_agree(saved):
    saved["fc.bias"] = parameter([1.0], "fc.bias")
    with pytest.raises(RuntimeError, match=r"fc\.bias .*same shape .*\(3,\).*\(1,\)"):
        load_param_into_net(Net(), saved)


def test_trailing_axes_of_one_are_dropped(saved):
    saved["fc.bias"] = parameter([[[1.0]], [[2.0]], [[3.0]]], "fc.bias")
    net = Net()
    load_param_into_net(net, saved)
    assert net["fc.bias"].asnumpy().tolist() == [1, 2, 3]


def test_a_prefix_more_in_the_checkpoint_is_found(saved):
    longer = {f"backbone.{name}": value for name, value in saved.items()}
    net = Net()
    net["fc.bias"].set_data(Tensor(np.full(3, 9.0, np.float32)))
    with pytest.warns(UserWarning, match=r"'backbone\.'"):
        assert load_param_into_net(net, longer) == ([], list(longer))
    assert net["fc.bias"].asnumpy().tolist() == [1, 1, 1]


def test_a_name_that_was_loaded_without_its_prefix_is_not_said_to_be_left(saved):
    longer = {f"backbone.{name}": value for name, value in saved.items()} | {"other": parameter([1.0], "other")}
    del longer["backbone.bn.gamma"]
    with pytest.warns(UserWarning, match="checkpoint") as told:
        missing, left = load_param_into_net(Net(), longer)
    assert (missing, left) == (["bn.gamma"], list(longer))  # as MindSpore returns them
    first, second = (str(one.message) for one in told)
    assert "begin with 'backbone.'" in first
    assert second.endswith("bn.gamma. Not taken from the checkpoint: other.")


def test_several_prefixes_are_found_the_first_of_the_checkpoint_first(saved):
    saved |= {f"b.{name}": parameter(np.full(saved[name].shape, 8.0), name) for name in ("fc.bias", "bn.gamma")}
    saved |= {f"a.{name}": parameter(np.full(saved[name].shape, 9.0), name) for name in ("fc.bias", "fc.weight")}
    for name in ("fc.bias", "fc.weight", "bn.gamma"):
        del saved[name]
    net = Net()
    with pytest.warns(UserWarning, match="begin with"):
        assert load_param_into_net(net, saved)[0] == []
    # fc.weight comes first in the network; only a. has it, and all that a. has is taken.
    assert [net[name].asnumpy().flat[0] for name in ("fc.weight", "fc.bias", "bn.gamma")] == [9, 9, 8]


@pytest.mark.parametrize("prefix", ["body.{}.", "x{}.net."])
def test_time_grows_with_the_number_of_names_alone(prefix):
    """Of 3,000 layers that each have a prefix of their own; two nested loops take minutes."""
    net = Net()
    net.parameters = {f"layers.{i}.w": parameter([0.0], f"layers.{i}.w") for i in range(3000)}
    if "net" not in prefix:
        other = {f"{prefix.format(i)}gamma": parameter([1.0], "x") for i in range(3000)}
    else:
        other = {f"{prefix.format(i)}layers.{i}.w": parameter([1.0], "x") for i in range(3000)}
    began = time.process_time()
    with pytest.warns(UserWarning, match="checkpoint"):
        missing, _ = load_param_into_net(net, other)
    assert time.process_time() - began < 20
    assert len(missing) == (0 if "net" in prefix else 3000)


PEAK = """
    import re, sys
    from pathlib import Path
    import numpy as np
    from msbridge import Tensor, load_checkpoint, save_checkpoint

    def status(key):
        return int(re.search(rf"{key}:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) >> 10

    large = {"a": Tensor(np.ones(20 << 20, np.float32)), "odd": Tensor(np.ones(3, np.int8)),
             "b": Tensor(np.ones(8 << 20, np.float16))}
    for number, (saving, loading) in enumerate(eval(sys.argv[1])):
        small, file = f"small{number}.{saving.get('format', 'ckpt')}", f"large{number}.{saving.get('format', 'ckpt')}"
        save_checkpoint({"a": Tensor(1.0)}, small, **saving)
        save_checkpoint(large, file, **saving)
        load_checkpoint(small, **loading)
        before = status("VmRSS")
        Path("/proc/self/clear_refs").write_text("5")  # sets the peak to what is used now
        found = load_checkpoint(file, **loading)
        print(status("VmHWM") - before - (sum(one._data.nbytes for one in found.values()) >> 20))
        del found
"""
AS_SAFETENSORS = {"format": "safetensors"}
PLAIN = [({}, {}), ({"crc_check": True}, {"crc_check": True}), (AS_SAFETENSORS, AS_SAFETENSORS)]
SUMMED = [(AS_SAFETENSORS | {"crc_check": True}, AS_SAFETENSORS | {"crc_check": True})]
KEY = bytes(16)
ENCRYPTED = [
    ({"enc_key": KEY, "enc_mode": mode}, {"dec_key": KEY, "dec_mode": mode}) for mode in ("AES-GCM", "AES-CBC")
]


@pytest.mark.process
@pytest.mark.parametrize(
    ("kinds", "most_mib"),
    [(PLAIN + SUMMED, 64), pytest.param(ENCRYPTED, 96 + 64, marks=pytest.mark.needs(package="cryptography"))],
    ids=["plain", "encrypted"],
)
def test_the_peak_of_memory_beyond_the_parameters(here, kinds, most_mib):
    """96 MiB of parameters, of which the largest has 80."""
    done = python("-c", textwrap.dedent(PEAK), repr(kinds))
    peaks = [int(line) for line in done.stdout.split()]
    assert len(peaks) == len(kinds)
    assert max(peaks) <= most_mib, peaks


def test_a_prefix_more_in_the_net_is_not_found(saved):
    with pytest.warns(UserWarning, match="4 of 4"):
        assert load_param_into_net(Net("net."), saved)[1] == list(saved)


def test_texts_are_passed_over(saved):
    assert load_param_into_net(Net(), saved | {"note": "text"}) == ([], ["note"])


BAD_NETS = [
    (1, {}, {}, TypeError, "'net' should be a Cell"),
    (Net(), [], {}, TypeError, "should be a dict"),
    (Net(), {"fc.bias": Tensor([1.0])}, {}, TypeError, "'Parameter'"),
    (Net(), {3: parameter([1.0], "x")}, {}, TypeError, "'str'"),
    (Net(), {}, {"strict_load": "yes"}, TypeError, "bool"),
    (Net(), {}, {"remove_redundancy": True}, TypeError, "stand_alone"),
]


@pytest.mark.parametrize(("net", "loaded", "options", "kind", "says"), BAD_NETS)
def test_bad_arguments_of_load_param_into_net(net, loaded, options, kind, says):
    with pytest.raises(kind, match=says):
        load_param_into_net(net, loaded, **options)
