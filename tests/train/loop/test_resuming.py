"""A run that continues from a checkpoint has the losses of the uninterrupted run, bit for bit."""

import dataclasses
import json
import random
import shutil
import struct
from pathlib import Path

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import dataset as ds
from msbridge import nn, ops
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor
from msbridge.train import Callback, CheckpointConfig, Model, ModelCheckpoint
from msbridge.train.checkpoint.loading import load_checkpoint, load_param_into_net
from msbridge.train.checkpoint.saving import save_checkpoint
from msbridge.train.loop.resuming import ENTRY, RandomState
from tests.processes import python
from tests.train import helpers_resuming as script
from tests.train.helpers_model import data, model
from tests.train.helpers_resuming import Settings

SHORT = Settings(epochs=2)
CASES = {
    "steps": SHORT,
    "no seed": Settings(epochs=2, seed=None),
    "whole batches": Settings(epochs=2, drop_remainder=True, save_steps=5),
    "python": Settings(epochs=2, data="python"),
    "python, no seed": Settings(epochs=2, data="python", seed=None),
    "repeated": Settings(epochs=2, repeat=2, save_steps=9),
    "by epochs": Settings(epochs=2, save_steps=7, by="epoch", seed=None),
    "list of rates": Settings(epochs=2, rate="list"),
    "dynamic loss scale": Settings(epochs=2, loss_scale="dynamic"),
    "fixed loss scale": Settings(epochs=2, loss_scale="fixed", optimizer="Adam", rate="schedule"),
    "O2": Settings(epochs=2, amp_level="O2"),
    "O3": Settings(epochs=2, amp_level="O3", loss_scale="dynamic"),
    "safetensors": Settings(epochs=2, format="safetensors"),
    "sinks of an epoch": Settings(epochs=3, sink_size=-1, save_steps=7),
    "sinks of an epoch, by epochs": Settings(epochs=3, sink_size=-1, save_steps=7, by="epoch", seed=None),
    "sinks of three": Settings(epochs=4, sink_size=3, loss_scale="dynamic"),
    "sinks of three, by epochs": Settings(epochs=4, sink_size=3, by="epoch", seed=None),
    "sinks, PyNative": Settings(epochs=2, sink_size=7, graph=False, save_steps=7),
    "amid a sink, PyNative": Settings(epochs=2, sink_size=7, graph=False, save_steps=5),
    "amid an epoch's sink, PyNative": Settings(epochs=2, sink_size=-1, graph=False, save_steps=5),
}
OPTIMIZERS = (
    *(
        "ASGD",
        "AdaMax",
        "Adadelta",
        "Adagrad",
        "Adam",
        "AdamWeightDecay",
        "FTRL",
        "Lamb",
        "LazyAdam",
        "ProximalAdagrad",
    ),
    *("RMSProp", "Rprop", "SGD"),
)


def saved_files(folder: Path) -> list[Path]:
    return sorted(folder.glob("net*"), key=lambda path: path.stat().st_mtime_ns)


def resumed(settings: Settings, folder: Path) -> tuple[dict[int, str], dict[int, str]]:
    """Train to the end; then from a checkpoint in the middle on: what both printed."""
    whole = script.losses(folder / "whole", settings)
    files = saved_files(folder / "whole")
    (folder / "later").mkdir()
    shutil.copy(files[(len(files) - 1) // 2], folder / "later")
    script.disturb(99)
    return whole, script.losses(folder / "later", settings)


def check(settings: Settings, folder: Path) -> None:
    whole, later = resumed(settings, folder)
    assert 1 < len(later) < len(whole)
    assert later == {step: whole[step] for step in later}


@pytest.mark.parametrize("name", CASES)
def test_losses_are_those_of_the_whole_run(name, tmp_path):
    check(CASES[name], tmp_path)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_every_optimizer_goes_on(optimizer, tmp_path):
    rate = "fixed" if optimizer == "FTRL" else "schedule"
    check(dataclasses.replace(SHORT, optimizer=optimizer, rate=rate), tmp_path)


def test_without_the_random_state_the_losses_differ(tmp_path, monkeypatch):
    monkeypatch.setattr(RandomState, "restore", lambda state: None)
    whole, later = resumed(SHORT, tmp_path)
    assert later != {step: whole[step] for step in later}


def start(*runs: tuple[Path, Settings, int | None]) -> list[tuple[int, dict[int, str]]]:
    """Run the script several times, each in a process of its own; return the exit statuses and the losses."""
    arguments = [json.dumps([str(folder), dataclasses.asdict(settings), moment]) for folder, settings, moment in runs]
    done = python(script.__file__, *arguments)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return [(status, {int(step): loss for step, loss in losses.items()}) for status, losses in found]


KILLED = {
    "steps": (Settings(loss_scale="dynamic", optimizer="Adam", rate="list"), (5, 17)),
    "python": (Settings(data="python", drop_remainder=True, save_steps=4), (9,)),
    "sinks of three": (Settings(epochs=5, sink_size=3, save_steps=3), (6, 12)),
    "sinks of an epoch": (Settings(epochs=4, sink_size=-1, save_steps=7, by="epoch"), (21,)),
}


@pytest.mark.process
def test_killed_and_started_again(tmp_path):
    """Each killed where its row says; after the last kill it comes to its end."""
    runs = [
        (tmp_path / name / folder, settings, moment)
        for name, (settings, moments) in KILLED.items()
        for folder, moment in (("whole", None), *(("killed", moment) for moment in moments), ("killed", None))
    ]
    results = start(*runs)
    assert [status for status, _ in results] == [-9 if moment else 0 for _, _, moment in runs]
    losses: dict[Path, dict[int, str]] = {}
    for (folder, _, _), (_, found) in zip(runs, results, strict=True):
        losses[folder] = losses.get(folder, {}) | found
    for name in KILLED:
        assert losses[tmp_path / name / "killed"] == losses[tmp_path / name / "whole"], name


@pytest.mark.process
def test_killed_without_a_seed(tmp_path):
    """The first run draws its own seed; the second does once more, and alike, what came after the checkpoint."""
    settings = Settings(epochs=3, seed=None, data="python")
    (first_status, first), (status, second) = start((tmp_path, settings, 11), (tmp_path, settings, None))
    assert (first_status, max(first), status) == (-9, 11, 0)
    assert {step: second[step] for step in (10, 11)} == {step: first[step] for step in (10, 11)}


# -- the entry of the checkpoint


def saved(folder: Path, info: list | None, **config: object) -> dict:
    model().train(1, data(2), ModelCheckpoint("p", str(folder), CheckpointConfig(append_info=info, **config)))
    return load_checkpoint(str(folder / "p-1_2.ckpt"))


@pytest.mark.parametrize(
    ("info", "is_there"),
    [(None, False), ([], False), ([{"a": 1}], False), (["epoch_num"], True), ([{"step_num": 4}], True)],
)
def test_the_random_state_is_saved_with_the_position(info, is_there, tmp_path):
    assert (ENTRY in saved(tmp_path, info)) == is_there


def test_save_checkpoint_adds_nothing(tmp_path):
    save_checkpoint(nn.Dense(1, 1), str(tmp_path / "a.ckpt"), append_dict={"epoch_num": 3})
    assert list(load_checkpoint(str(tmp_path / "a.ckpt"))) == ["weight", "bias", "epoch_num"]


def test_loading_takes_no_notice_of_it(tmp_path, recwarn):
    found = saved(tmp_path, ["epoch_num", "step_num"])
    network, before = nn.Dense(3, 1), torch.get_rng_state()
    missing, rest = load_param_into_net(network, found, strict_load=True)
    assert missing == []
    assert ENTRY in found
    assert rest[-2:] == ["epoch_num", "step_num"]
    assert torch.equal(torch.get_rng_state(), before)
    assert not recwarn.list


class Draws(Callback):
    """Notes a random number at the beginning of each epoch."""

    def __init__(self) -> None:
        super().__init__()
        self.drawn: list[float] = []

    def on_train_epoch_begin(self, run_context):
        self.drawn.append(float(torch.rand(())) + float(np.random.rand()) + random.random())


def loaded_model(folder: Path) -> tuple[Model, float]:
    """A model with a checkpoint's state, and the number that is drawn first where a run continues."""
    script.disturb(5)
    expected = float(torch.rand(())) + float(np.random.rand()) + random.random()
    script.disturb(5)
    found = saved(folder, ["epoch_num"])
    script.disturb(99)
    other = model()
    load_param_into_net(other.train_network, found)
    return other, expected


def test_only_a_run_that_goes_on_takes_it(tmp_path):
    started, expected = loaded_model(tmp_path)
    draws = Draws()
    started.train(1, data(2), draws)
    started.train(2, data(2), draws, initial_epoch=1)  # the run before has used it up
    assert expected not in draws.drawn


def test_a_run_that_goes_on_takes_it_once(tmp_path):
    started, expected = loaded_model(tmp_path)
    draws = Draws()
    started.train(2, data(2), draws, initial_epoch=1)
    started.train(2, data(2), draws, initial_epoch=1)
    assert draws.drawn[0] == expected
    assert draws.drawn[1] != expected


def test_an_initial_step_goes_on_too(tmp_path):
    started, expected = loaded_model(tmp_path)
    draws, rows = Draws(), data(2)
    rows.set_init_step(1)
    started.train(1, rows, draws)
    assert draws.drawn == [expected]


def test_where_functions_are_called_once_more_their_generators_stay(tmp_path):
    started, expected = loaded_model(tmp_path)
    draws = Draws()
    ds.config.set_fast_recovery(False)
    try:
        started.train(2, data(2), draws, initial_epoch=1)
    finally:
        ds.config.set_fast_recovery(True)
    assert draws.drawn[0] != expected


DAMAGED = {
    "empty": b"",
    "no format": b"{}\n",
    "no mapping": b"[]\n",
    "of another format": b'{"format": 2}\n',
    "cut off": b'{"format": 1, "data_seed": 1, "sizes": {"a": 4}}\nab',
    "too small": RandomState(1, {"operators": b"1234"}).entry().asnumpy().tobytes(),
    "a place beyond the end": RandomState(1, {"numpy": bytes(2496) + struct.pack("<iid", 10**6, 0, 0.0)})
    .entry()
    .asnumpy()
    .tobytes(),
    "no place": RandomState(1, {"python": bytes(10)}).entry().asnumpy().tobytes(),
}


@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_one_is_told_and_left(content, tmp_path):
    started = model()
    found = saved(tmp_path, ["epoch_num"]) | {ENTRY: Parameter(Tensor(np.frombuffer(content, np.uint8)), ENTRY)}
    load_param_into_net(started.train_network, found)
    with pytest.warns(UserWarning, match="random_state cannot be read"):
        started.train(2, data(2), initial_epoch=1)


# -- other ways to continue


def by_parts(path: Path, network: nn.Cell) -> dict:
    """As many scripts do: the network and the optimizer by themselves."""
    loaded = load_checkpoint(str(path))
    load_param_into_net(network.optimizer, loaded)
    load_param_into_net(network.network, loaded)
    return loaded


def filtered(path: Path, network: nn.Cell) -> dict:
    loaded = load_checkpoint(str(path), filter_prefix="nothing")
    loaded = {name: value for name, value in loaded.items() if not name.startswith("other.")}
    load_param_into_net(network, loaded, strict_load=True)
    return loaded


WAYS = {
    "at once": lambda path, network: load_checkpoint(str(path), net=network),
    "by parts": by_parts,
    "filtered": filtered,
}


def test_ways_to_load(tmp_path):
    whole = script.losses(tmp_path / "whole", SHORT)
    path = saved_files(tmp_path / "whole")[2]
    for name, load in WAYS.items():
        script.disturb(99)
        later = script.losses(tmp_path / name, SHORT, start=lambda network, load=load: load(path, network))
        assert later == {step: whole[step] for step in later}, name
        assert min(later.keys() - {-1}) == 10


@pytest.mark.parametrize("config", [{"async_save": True}, {"enc_key": b"0123456789abcdef"}, {"crc_check": True}])
def test_the_state_is_saved_in_every_manner(config, tmp_path):
    options = {"dec_key": config["enc_key"]} if "enc_key" in config else {}
    model().train(
        1, data(2), ModelCheckpoint("p", str(tmp_path), CheckpointConfig(append_info=["epoch_num"], **config))
    )
    found = load_checkpoint(str(tmp_path / "p-1_2.ckpt"), **options)
    assert RandomState.read(found[ENTRY]).generators.keys() >= {"operators", "numpy", "python"}


class Rows:
    """A dataset of a script's own: MindSpore's methods that Model needs, and none to place it."""

    def __init__(self) -> None:
        self.rows = list(data(2).create_tuple_iterator(num_epochs=1))

    def get_dataset_size(self) -> int:
        return len(self.rows)

    def create_tuple_iterator(self, **options: object) -> list:
        return self.rows


def test_a_dataset_of_another_kind_begins_where_it_likes():
    draws = Draws()
    model().train(3, Rows(), draws, initial_epoch=1)
    assert len(draws.drawn) == 2


def test_sinks_of_graph_mode_begin_at_an_end(ascend):
    rows = data(6)
    rows.set_init_step(5)
    started, seen = model(), Seen()
    with pytest.warns(UserWarning, match="end of epoch 2 at step 4"):
        started.train(3, rows, seen, dataset_sink_mode=True, sink_size=2, initial_epoch=2)
    assert rows.get_init_step() == 4
    expected = Seen()
    model().train(3, data(6), expected, dataset_sink_mode=True, sink_size=2)
    assert seen.steps == 2
    assert expected.steps == 6


class Seen(Callback):
    def on_train_end(self, run_context):
        self.steps = run_context.original_args().cur_step_num


def loop(folder: Path, killed_at: int | None) -> dict[int, str]:
    """A loop by hand, as docs/resume.md has it."""
    ms.set_seed(3)
    network = script.Network()
    optimizer = nn.Adam(network.trainable_params(), 0.01)
    loss_fn = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    step_fn = ms.value_and_grad(lambda x, y: loss_fn(network(x), y), None, optimizer.parameters)
    rows = script.DATA["images"]().batch(3)
    size, path, step, losses = rows.get_dataset_size(), folder / "a.ckpt", 0, {}
    network.set_train()
    if path.exists():
        loaded = load_checkpoint(str(path))
        load_param_into_net(network, loaded)
        load_param_into_net(optimizer, loaded)
        step = int(loaded["step"])
        rows.set_init_step(step)
        ms.set_rng_state(loaded["random"])
    iterator = rows.create_tuple_iterator(num_epochs=2)
    for _ in range(step // size, 2):
        for x, y in iterator:
            loss, gradients = step_fn(x, y)
            optimizer(gradients)
            step += 1
            losses[step] = float(loss).hex()
            if step == killed_at:
                return losses
            both = {one.name: one for one in [*network.get_parameters(), *optimizer.get_parameters()]}
            save_checkpoint(both, str(path), append_dict={"step": step, "random": ms.get_rng_state()})
    return losses


def test_a_loop_by_hand_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(script.ops, "StandardNormal", lambda seed: lambda shape: ops.standard_normal(shape))
    (tmp_path / "whole").mkdir()
    whole = loop(tmp_path / "whole", None)
    assert loop(tmp_path, 6) == {step: whole[step] for step in range(1, 7)}
    script.disturb(98)
    assert loop(tmp_path, None) == {step: whole[step] for step in range(6, 15)}
