"""ModelCheckpoint. Judge: MindSpore 2.10 on CPU (names of files recorded there)."""

import pytest
from helpers_model import data, dense, model

from msbridge import nn
from msbridge.core.tensor import Tensor
from msbridge.train import Callback, CheckpointConfig, Model, ModelCheckpoint, load_checkpoint


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def run(folder, config=None, epochs=3, batches=4, prefix="p", others=()):
    checkpoint = ModelCheckpoint(prefix, str(folder), config)
    model().train(epochs, data(batches), callbacks=[checkpoint, *others])
    return checkpoint


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"save_checkpoint_steps": 5}, ["p-2_1.ckpt", "p-3_2.ckpt", "p-3_4.ckpt"]),
        ({"save_checkpoint_steps": 100}, ["p-3_4.ckpt"]),
        ({"save_checkpoint_steps": 1, "keep_checkpoint_max": 2}, ["p-3_3.ckpt", "p-3_4.ckpt"]),
        ({"save_checkpoint_steps": 1, "keep_checkpoint_max": 0}, ["p-3_4.ckpt"]),
        ({"save_checkpoint_steps": None, "save_checkpoint_seconds": 100}, ["p-3_4.ckpt"]),
        ({"keep_checkpoint_max": None, "keep_checkpoint_per_n_minutes": 10}, ["p-1_1.ckpt", "p-3_4.ckpt"]),
    ],
)
def test_which_files_are_there_at_the_end(settings, expected, tmp_path):
    run(tmp_path, CheckpointConfig(**settings))
    assert names(tmp_path) == expected


def test_defaults(tmp_path):
    model().train(1, data(3), callbacks=ModelCheckpoint(directory=str(tmp_path)))
    assert names(tmp_path) == ["CKP-1_1.ckpt", "CKP-1_2.ckpt", "CKP-1_3.ckpt"]


def test_latest_file_is_absolute(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    checkpoint = ModelCheckpoint("p", "folder")
    model().train(1, data(1), callbacks=checkpoint)
    assert checkpoint.latest_ckpt_file_name == str(tmp_path / "folder" / "p-1_1.ckpt")


def test_files_of_an_earlier_run_stay(tmp_path):
    for _ in range(3):
        run(tmp_path, epochs=1, batches=1)
    assert names(tmp_path) == ["p-1_1.ckpt", "p_1-1_1.ckpt", "p_2-1_1.ckpt"]


def test_names_by_functions(tmp_path):
    checkpoint = ModelCheckpoint(lambda params: f"step{params.cur_step_num}", lambda params: str(tmp_path / "by"))
    model().train(1, data(2), callbacks=checkpoint)
    assert names(tmp_path / "by") == ["step1.ckpt", "step2.ckpt"]


def test_training_state_is_saved(tmp_path):
    run(tmp_path, epochs=1, batches=1)
    assert sorted(load_checkpoint(str(tmp_path / "p-1_1.ckpt"))) == [
        *("accum.bias", "accum.weight", "bias", "global_step", "learning_rate", "momentum"),
        *("stat.bias", "stat.weight", "weight"),
    ]


def test_saved_network(tmp_path):
    network = dense()
    trained = Model(network, nn.MSELoss(), nn.SGD(network.trainable_params(), 0.1))
    trained.train(1, data(1), callbacks=ModelCheckpoint("s", str(tmp_path), CheckpointConfig(saved_network=network)))
    assert sorted(load_checkpoint(str(tmp_path / "s-1_1.ckpt"))) == ["bias", "weight"]


def test_append_info(tmp_path):
    info = ["epoch_num", "step_num", {"a": 1, "b": "x", "c": True, "d": 1.5, "e": Tensor([1.0])}]
    run(tmp_path, CheckpointConfig(append_info=info), epochs=2, batches=1)
    loaded = load_checkpoint(str(tmp_path / "p-2_1.ckpt"))
    found = {name: loaded[name] for name in ("epoch_num", "step_num", "a", "b", "c", "d", "e")}
    assert (int(found["epoch_num"]), int(found["step_num"]), int(found["a"])) == (2, 2, 1)
    assert (found["b"], bool(found["c"]), float(found["d"]), found["e"].shape) == ("x", True, 1.5, (1,))


def test_safetensors(tmp_path):
    run(tmp_path, CheckpointConfig(format="safetensors"), epochs=1, batches=1)
    assert names(tmp_path) == ["p-1_1.safetensors"]


class Boom(Callback):
    def on_train_step_end(self, run_context):
        if run_context.original_args().cur_step_num == 3:
            raise KeyError("boom")


@pytest.mark.parametrize(("asked", "expected"), [(True, ["p-1_3_breakpoint.ckpt"]), (False, [])])
def test_save_at_an_exception(asked, expected, tmp_path):
    config = CheckpointConfig(save_checkpoint_steps=100, exception_save=asked)
    with pytest.raises(KeyError, match="boom"):
        run(tmp_path, config, others=[Boom()])
    assert names(tmp_path) == expected


def test_nothing_is_saved_by_an_evaluation(tmp_path):
    model(metrics={"mse"}).eval(data(2), callbacks=ModelCheckpoint("p", str(tmp_path)))
    assert names(tmp_path) == []


def test_policy():
    assert CheckpointConfig(save_checkpoint_steps=3, save_checkpoint_seconds=5).get_checkpoint_policy() == {
        "save_checkpoint_steps": 3,
        "save_checkpoint_seconds": None,
        "keep_checkpoint_max": 5,
        "keep_checkpoint_per_n_minutes": None,
        "saved_network": None,
    }


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: ModelCheckpoint("a/b"), ValueError, "'/'"),
        (lambda: ModelCheckpoint(1), ValueError, "prefix"),
        (lambda: ModelCheckpoint(directory=1), TypeError, "path"),
        (lambda: ModelCheckpoint(config=1), TypeError, "CheckpointConfig"),
        (lambda: CheckpointConfig(None, None, None, None), ValueError, "all None or 0"),
        (lambda: CheckpointConfig(save_checkpoint_steps=-1), ValueError, "must >= 0"),
        (lambda: CheckpointConfig(save_checkpoint_steps="a"), TypeError, "must be int"),
        (lambda: CheckpointConfig(integrated_save=1), TypeError, "bool"),
        (lambda: CheckpointConfig(async_save=1), TypeError, "async_save"),
        (lambda: CheckpointConfig(saved_network=1), TypeError, "saved_network"),
        (lambda: CheckpointConfig(append_info=1), TypeError, "list"),
        (lambda: CheckpointConfig(append_info=["foo"]), ValueError, "foo"),
        (lambda: CheckpointConfig(append_info=[1]), TypeError, "str or dict"),
        (lambda: CheckpointConfig(append_info=[{"a": [1]}]), TypeError, "value type"),
        (lambda: CheckpointConfig(append_info=[{"a": 1}, {"b": 1}]), TypeError, "only one dict"),
        (lambda: CheckpointConfig(enc_key="a"), ValueError, "enc_key"),
    ],
)
def test_bad_argument(make, error, words):
    with pytest.raises(error, match=words):
        make()
