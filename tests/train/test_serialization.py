"""Judge: what MindSpore 2.10 does with the same calls; its files are compared in tests/converters."""

import stat
import threading

import numpy as np
import pytest
import torch

from msbridge.core import dtype as mstype
from msbridge.core.parameter import Parameter
from msbridge.core.release import set_release
from msbridge.core.tensor import Tensor
from msbridge.train.serialization import (
    async_ckpt_thread_status,
    load_checkpoint,
    load_checkpoint_async,
    load_param_into_net,
    save_checkpoint,
)

P = [{"name": "p", "data": Tensor([1.0])}]
P_BYTES = bytes.fromhex("0a160a0170121108011207") + b"Float32" + bytes.fromhex("1a040000803f")


class Net:
    """What serialization asks of a Cell: its parameters and their names."""

    def __init__(self, prefix: str = ""):
        shapes = {"fc.weight": (3, 2), "fc.bias": (3,), "bn.moving_mean": (3,), "bn.gamma": (3,)}
        self.parameters = {
            prefix + name: Parameter(Tensor(np.full(shape, i, np.float32)), prefix + name)
            for i, (name, shape) in enumerate(shapes.items())
        }

    def parameters_and_names(self):
        return iter(self.parameters.items())

    def __getitem__(self, name: str) -> Parameter:
        return self.parameters[name]


def parameter(values, name: str, dtype=mstype.float32) -> Parameter:
    return Parameter(Tensor(np.array(values), dtype), name=name)


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def saved(here):
    save_checkpoint(Net(), "a.ckpt")
    return load_checkpoint("a.ckpt")


# -- save_checkpoint ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "file"), [("a.ckpt", "a.ckpt"), ("b", "b.ckpt"), ("c.foo", "c.foo.ckpt")])
def test_the_suffix_is_added(here, name, file):
    assert save_checkpoint(P, name) is None
    assert (here / file).read_bytes() == P_BYTES
    assert stat.S_IMODE((here / file).stat().st_mode) == 0o400


@pytest.mark.parametrize(
    "thing",
    [
        P,
        [parameter([1.0], "p")],
        {"p": parameter([1.0], "another name")},
        {"p": Tensor([1.0])},
        {"p": np.ones(1, np.float32)},
        [{"name": "p", "data": Tensor([3.0])}, *P],
    ],
)
def test_what_can_be_saved(here, thing):
    save_checkpoint(thing, "x.ckpt")
    assert (here / "x.ckpt").read_bytes() == P_BYTES


def test_cell_is_saved_in_the_order_of_its_parameters(saved):
    assert list(saved) == ["fc.weight", "fc.bias", "bn.moving_mean", "bn.gamma"]
    assert [type(one) for one in saved.values()] == [Parameter] * 4
    assert saved["fc.bias"].name == "fc.bias"
    assert saved["bn.moving_mean"].requires_grad


def test_append_dict(here):
    more = {"lr": 0.01, "epoch": 3, "flag": True, "t": Tensor([1.0]), "s": "hello", "p": 5}
    save_checkpoint(P, "x.ckpt", append_dict=more)
    found = load_checkpoint("x.ckpt")
    kinds = {name: str(one.dtype) for name, one in found.items() if name != "s"}
    assert kinds == {"p": "Int64", "lr": "Float32", "epoch": "Int64", "flag": "Bool", "t": "Float32"}
    assert found["s"] == "hello"
    assert found["lr"].shape == ()
    assert more["s"] == "hello"


def test_choice_func_chooses(here):
    save_checkpoint(Net(), "x.ckpt", choice_func=lambda name: "fc" in name)
    assert list(load_checkpoint("x.ckpt")) == ["fc.weight", "fc.bias"]


@pytest.mark.parametrize("mode", [True, "thread", "process"])
def test_async_save_writes_the_values_of_the_call(here, mode):
    one = parameter([1.0], "p")
    save_checkpoint([one], "x.ckpt", async_save=mode)
    one.set_data(Tensor([2.0]))
    for thread in threading.enumerate():
        if thread.name == "asyn_save_ckpt":
            thread.join()
    assert not async_ckpt_thread_status()
    assert load_checkpoint("x.ckpt")["p"].asnumpy() == 1.0


def test_crc_check(here):
    save_checkpoint(P, "x.ckpt", crc_check=True)
    assert (here / "x.ckpt").read_bytes() == P_BYTES + b"crc_num" + bytes.fromhex("0000000000006af256aa")
    assert list(load_checkpoint("x.ckpt", crc_check=True)) == ["p"]
    save_checkpoint(P, "y.ckpt")
    with pytest.warns(UserWarning, match="no check sum"):
        load_checkpoint("y.ckpt", crc_check=True)


def test_crc_check_finds_damage(here):
    save_checkpoint(P, "x.ckpt", crc_check=True)
    data = bytearray((here / "x.ckpt").read_bytes())
    data[-20] ^= 1
    (here / "x.ckpt").unlink()
    (here / "x.ckpt").write_bytes(data)
    with pytest.raises(ValueError, match="check sum"):
        load_checkpoint("x.ckpt", crc_check=True)


@pytest.mark.parametrize("crc_check", [False, True])
def test_safetensors(here, crc_check):
    save_checkpoint(Net(), "s", format="safetensors", crc_check=crc_check)
    found = load_checkpoint("s.safetensors", format="safetensors", crc_check=crc_check)
    assert list(found) == ["bn.gamma", "bn.moving_mean", "fc.bias", "fc.weight"]
    assert b'{"__metadata__":{"format":"ms"' in (here / "s.safetensors").read_bytes()


def test_bfloat16_keeps_its_bits(here):
    bits = torch.arange(-300, 300, dtype=torch.int16).view(torch.bfloat16)
    save_checkpoint({"p": Tensor(bits)}, "x.ckpt")
    found = load_checkpoint("x.ckpt")["p"]
    assert str(found.dtype) == "BFloat16"
    assert torch.equal(found._data.view(torch.int16), bits.view(torch.int16))


@pytest.mark.needs(package="cryptography")
@pytest.mark.parametrize(("mode", "size"), [("AES-GCM", 16), ("AES-GCM", 32), ("AES-CBC", 24), ("SM4-CBC", 16)])
def test_encryption(here, mode, size):
    key = bytes(range(size))
    save_checkpoint(P, "x.ckpt", enc_key=key, enc_mode=mode)
    assert P_BYTES not in (here / "x.ckpt").read_bytes()
    assert load_checkpoint("x.ckpt", dec_key=key, dec_mode=mode)["p"].asnumpy() == 1.0
    with pytest.raises(ValueError, match="encrypted"):
        load_checkpoint("x.ckpt")
    with pytest.raises(ValueError, match="wrong key"):
        load_checkpoint("x.ckpt", dec_key=bytes(size), dec_mode=mode)


BAD_SAVES = [
    (1, "x", {}, TypeError, "must be nn.Cell, list or dict"),
    ((P[0],), "x", {}, TypeError, "must be nn.Cell, list or dict"),
    ([{"name": "p", "data": 3}], "x", {}, TypeError, "'data': Tensor"),
    ([{"name": "p"}], "x", {}, TypeError, "a list must hold"),
    (["p"], "x", {}, TypeError, "a list must hold"),
    ({"p": 3}, "x", {}, TypeError, "must map str to Parameter"),
    ({3: Tensor(1)}, "x", {}, TypeError, "must map str to Parameter"),
    (P, 3, {}, TypeError, "'ckpt_file_name' must be string"),
    (P, "", {}, IsADirectoryError, "is a folder"),
    (P, "nowhere/x", {}, FileNotFoundError, "nowhere"),
    (P, "x", {"format": "foo"}, ValueError, "'safetensors' or 'ckpt', but got foo"),
    (P, "x", {"integrated_save": 1}, TypeError, "bool"),
    (P, "x", {"async_save": 1}, TypeError, "bool or str"),
    (P, "x", {"async_save": "soon"}, ValueError, "'process' or 'thread'"),
    (P, "x", {"append_dict": [1]}, TypeError, "must be dict"),
    (P, "x", {"append_dict": {"a": None}}, TypeError, "int, float, bool, str"),
    (P, "x", {"append_dict": {"a": [1]}}, TypeError, "int, float, bool, str"),
    (P, "x", {"append_dict": {1: 2}}, TypeError, "int, float, bool, str"),
    (P, "x", {"crc_check": 3}, ValueError, "crc_check"),
    (P, "x", {"enc_key": b"short"}, ValueError, "5 bytes"),
    (P, "x", {"enc_key": b"0" * 16, "enc_mode": "ROT-13"}, ValueError, "AES-GCM"),
    (P, "x", {"enc_key": b"0" * 16, "format": "safetensors"}, ValueError, "must be None"),
    (P, "x", {"enc_key": b"0" * 16, "crc_check": True}, ValueError, "does not go with"),
    (P, "x", {"incremental": True}, ValueError, "incremental can only be False"),
]


@pytest.mark.parametrize(("thing", "name", "options", "kind", "says"), BAD_SAVES)
def test_bad_arguments_of_save_checkpoint(here, thing, name, options, kind, says):
    with pytest.raises(kind, match=says):
        save_checkpoint(thing, name, **options)
    assert not any(here.iterdir())


# -- load_checkpoint ---------------------------------------------------------------------------------------------------

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
    (folder / "garbage.ckpt").write_bytes(b"garbage garbage") if name == "garbage.ckpt" else None
    (folder / "empty.ckpt").touch() if name == "empty.ckpt" else None
    torch.save({"p": torch.ones(1)}, "torch.pth") if name == "torch.pth" else None
    with pytest.raises(kind, match=says):
        load_checkpoint(name, **options)


# -- load_param_into_net -----------------------------------------------------------------------------------------------


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
    try:
        assert load_param_into_net(Net(), saved) == []
    finally:
        set_release(None)


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
