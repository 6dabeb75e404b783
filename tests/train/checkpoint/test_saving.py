"""Judge: what MindSpore 2.10 does with the same calls; its files are compared in tests/converters."""

import stat
import textwrap
import threading

import numpy as np
import pytest
import torch

from msbridge.converters.formats import ckpt
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor
from msbridge.train.checkpoint import background_saving
from msbridge.train.checkpoint.loading import load_checkpoint
from msbridge.train.checkpoint.saving import async_ckpt_thread_status, save_checkpoint
from tests.processes import python
from tests.train.helpers_checkpoint import Net, parameter

P = [{"name": "p", "data": Tensor([1.0])}]
P_BYTES = bytes.fromhex("0a160a0170121108011207") + b"Float32" + bytes.fromhex("1a040000803f")


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


@pytest.fixture
def slow(monkeypatch):
    """Nothing called "slow" is written before the gate is open."""
    gate, real = threading.Event(), ckpt.write

    def write(path, *arguments, **options):
        assert "slow" not in path or gate.wait(60)
        real(path, *arguments, **options)

    monkeypatch.setattr(ckpt, "write", write)
    yield gate
    gate.set()
    background_saving.wait()


@pytest.fixture
def opened_by_waiting(slow, monkeypatch):
    """The gate opens when somebody waits for what is being written."""
    real = background_saving.wait

    def wait(path=None):
        slow.set()
        real(path)

    monkeypatch.setattr(background_saving, "wait", wait)


@pytest.mark.usefixtures("opened_by_waiting")
def test_a_save_waits_for_the_one_of_the_same_file_in_the_thread(here):
    save_checkpoint([parameter([1.0], "p")], "slow.ckpt", async_save=True)
    save_checkpoint([parameter([2.0], "p")], "slow.ckpt")
    assert not async_ckpt_thread_status()
    assert load_checkpoint("slow.ckpt")["p"].asnumpy() == 2.0


@pytest.mark.usefixtures("opened_by_waiting")
def test_what_is_being_written_in_the_thread_is_waited_for_when_it_is_loaded(here):
    save_checkpoint(P, "slow.ckpt", async_save=True)
    assert list(load_checkpoint("slow.ckpt")) == ["p"]


def test_a_save_of_another_file_does_not_wait_for_the_thread(here, slow):
    save_checkpoint(P, "slow.ckpt", async_save=True)
    save_checkpoint(P, "x.ckpt")
    assert async_ckpt_thread_status()
    assert [file.name for file in here.iterdir()] == ["x.ckpt"]


def test_what_failed_in_the_thread_is_raised_by_the_next_save_which_is_done(here):
    (here / "folder").mkdir()
    target = here / "folder" / "x.ckpt"
    (here / "folder").rmdir()
    save_checkpoint(P, target, async_save=True)
    background_saving.wait()
    with pytest.raises(FileNotFoundError, match=r"folder/x\.ckpt") as caught:
        save_checkpoint(P, "y.ckpt")
    assert caught.value.__notes__ == [f"This kept {target} from being written, which was saved asynchronously before."]
    assert list(load_checkpoint("y.ckpt")) == ["p"]
    save_checkpoint(P, "y.ckpt")


def test_what_fails_at_once_is_raised_by_the_next_save_too(here, monkeypatch):
    real = background_saving.raise_failure
    monkeypatch.setattr(background_saving, "raise_failure", lambda **how: (background_saving.wait(), real(**how)))
    save_checkpoint(P, here / "missing" / "x.ckpt", async_save=True)
    with pytest.raises(FileNotFoundError):
        save_checkpoint(P, here / "missing" / "y.ckpt", async_save=True)
    with pytest.raises(FileNotFoundError, match=r"y\.ckpt"):
        save_checkpoint(P, "z.ckpt")


@pytest.mark.process
def test_what_failed_in_the_thread_is_said_at_the_end(tmp_path):
    path = tmp_path / "missing" / "x.ckpt"
    program = """
        import sys
        from msbridge import Tensor, save_checkpoint
        save_checkpoint({"p": Tensor([1.0])}, sys.argv[1], async_save=True)
    """
    done = python("-c", textwrap.dedent(program), str(path))
    said = f"{path} was not written: FileNotFoundError: [Errno 2] No such file or directory: '{path}'\n"
    assert done.stderr == said


def test_crc_check(here):
    save_checkpoint(P, "x.ckpt", crc_check=True)
    assert (here / "x.ckpt").read_bytes() == P_BYTES + b"crc_num" + bytes.fromhex("0000000000006af256aa")
    assert list(load_checkpoint("x.ckpt", crc_check=True)) == ["p"]
    save_checkpoint(P, "y.ckpt")
    with pytest.warns(UserWarning, match="no checksum"):
        load_checkpoint("y.ckpt", crc_check=True)


def test_crc_check_finds_damage(here):
    save_checkpoint(P, "x.ckpt", crc_check=True)
    data = bytearray((here / "x.ckpt").read_bytes())
    data[-20] ^= 1
    (here / "x.ckpt").unlink()
    (here / "x.ckpt").write_bytes(data)
    with pytest.raises(ValueError, match="checksum"):
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
    (P, "x", {"format": "foo"}, ValueError, "'safetensors'\\], but got 'foo'"),
    (P, "x", {"integrated_save": 1}, TypeError, "bool"),
    (P, "x", {"async_save": 1}, TypeError, "'bool', 'str'"),
    (P, "x", {"async_save": "soon"}, ValueError, "'process' or 'thread'"),
    (P, "x", {"append_dict": [1]}, TypeError, "should be 'dict'"),
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
