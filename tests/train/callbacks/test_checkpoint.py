"""ModelCheckpoint. Judge: MindSpore 2.10 on CPU (names of files recorded there)."""

import errno
import threading
import time

import pytest

from msbridge import nn
from msbridge.converters.files.temporary_files import MARK
from msbridge.converters.formats import ckpt
from msbridge.core.tensor.tensor import Tensor
from msbridge.train import Callback, CheckpointConfig, Model, ModelCheckpoint, load_checkpoint
from tests.train.helpers_model import data, dense, model


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
        ({"save_checkpoint_steps": 0}, []),
        ({"save_checkpoint_steps": None, "save_checkpoint_seconds": None}, []),
        ({"keep_checkpoint_max": None, "keep_checkpoint_per_n_minutes": 10}, ["p-1_1.ckpt", "p-3_4.ckpt"]),
    ],
)
def test_which_files_are_there_at_the_end(settings, expected, tmp_path):
    run(tmp_path, CheckpointConfig(**settings))
    assert names(tmp_path) == expected


def test_further_keywords_are_warned_of(tmp_path):
    with pytest.warns(UserWarning, match="'save_steps' is no argument"):
        run(tmp_path, CheckpointConfig(save_steps=1), epochs=1, batches=1)
    assert names(tmp_path) == ["p-1_1.ckpt"]


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


@pytest.mark.parametrize(
    ("existing", "prefix"),
    [
        ("p_3-1_1.ckpt", "p_4"),
        ("p-1_1_breakpoint.ckpt", "p"),
        ("p12-1_1.ckpt", "p_3"),
        ("pa-1_1.ckpt", "p"),
        ("p.7-x.ckpt", "p_8"),
        ("p-x.txt", "p"),
        ("p_2.ckpt", "p"),
        ("p-5-1_1.ckpt", "p_1"),
        ("p_1-1_1.safetensors", "p_2"),
    ],
)
def test_which_files_make_another_prefix(existing, prefix, tmp_path):
    (tmp_path / existing).touch()
    run(tmp_path, epochs=1, batches=1)
    assert names(tmp_path) == sorted([existing, f"{prefix}-1_1.ckpt"])


def test_the_prefix_is_chosen_when_the_callback_is_made(tmp_path):
    made = [ModelCheckpoint("p", str(tmp_path), CheckpointConfig(save_checkpoint_steps=steps)) for steps in (2, 3)]
    model().train(1, data(4), callbacks=made)
    assert names(tmp_path) == ["p-1_2.ckpt", "p-1_3.ckpt", "p-1_4.ckpt"]


def test_files_named_by_a_function_stay(tmp_path):
    config = CheckpointConfig(keep_checkpoint_max=1)
    checkpoint = ModelCheckpoint(lambda params: f"s{params.cur_step_num}", str(tmp_path), config)
    model().train(1, data(3), callbacks=checkpoint)
    assert names(tmp_path) == ["s1.ckpt", "s2.ckpt", "s3.ckpt"]


def test_what_this_run_has_not_saved_stays(tmp_path):
    """MindSpore would remove the file of the other run, as a folder by a function makes no other prefix."""
    (tmp_path / "p-9_9.ckpt").touch()
    checkpoint = ModelCheckpoint("p", lambda params: str(tmp_path), CheckpointConfig(keep_checkpoint_max=2))
    model().train(1, data(3), callbacks=checkpoint)
    assert names(tmp_path) == ["p-1_2.ckpt", "p-1_3.ckpt", "p-9_9.ckpt"]


def test_each_folder_has_its_own_newest(tmp_path):
    def folder(params):
        return str(tmp_path / f"{params.cur_step_num % 2}")

    model().train(1, data(5), callbacks=ModelCheckpoint("p", folder, CheckpointConfig(keep_checkpoint_max=1)))
    assert names(tmp_path / "0") == ["p-1_4.ckpt"]
    assert names(tmp_path / "1") == ["p-1_5.ckpt"]


class Remove(Callback):
    def __init__(self, path, step):
        self.path, self.step = path, step

    def on_train_step_end(self, run_context):
        if run_context.original_args().cur_step_num == self.step:
            self.path.unlink()


def test_what_someone_else_has_removed_does_not_count(tmp_path):
    config = CheckpointConfig(keep_checkpoint_max=3)
    run(tmp_path, config, epochs=1, others=[Remove(tmp_path / "p-1_2.ckpt", 3)])
    assert names(tmp_path) == ["p-1_1.ckpt", "p-1_3.ckpt", "p-1_4.ckpt"]


@pytest.mark.parametrize(
    ("minutes", "steps", "kept"),
    [(3, 12, [1, 3, 5, 7, 9, 11, 12]), (1, 4, [1, 2, 3, 4]), (10, 25, [1, 10, 19, 25])],
)
def test_which_files_stay_of_one_every_minute(minutes, steps, kept, tmp_path, monkeypatch):
    now_s = [0.0]

    class Tick(Callback):
        def on_train_step_end(self, run_context):
            now_s[0] += 60

    monkeypatch.setattr(time, "monotonic", lambda: now_s[0])
    config = CheckpointConfig(keep_checkpoint_max=None, keep_checkpoint_per_n_minutes=minutes)
    run(tmp_path, config, epochs=1, batches=steps, others=[Tick()])
    assert names(tmp_path) == sorted(f"p-1_{step}.ckpt" for step in kept)


# -- nothing is lost ---------------------------------------------------------------------------------------------------
@pytest.fixture
def written(tmp_path, monkeypatch):
    """What is in the folder whenever a file is about to be written."""
    found, real = [], ckpt.write

    def write(path, *arguments, **options):
        found.append(names(tmp_path))
        real(path, *arguments, **options)

    monkeypatch.setattr(ckpt, "write", write)
    return found


@pytest.mark.parametrize("mode", [False, True])
@pytest.mark.parametrize(
    "keep", [{"keep_checkpoint_max": 1}, {"keep_checkpoint_max": None, "keep_checkpoint_per_n_minutes": 9}]
)
def test_an_older_file_stays_until_the_new_one_is_complete(mode, keep, tmp_path, written):
    run(tmp_path, CheckpointConfig(async_save=mode, **keep), epochs=1, batches=3)
    assert written[:2] == [[], ["p-1_1.ckpt"]]
    assert all(written[1:])
    assert "p-1_3.ckpt" in names(tmp_path)
    assert len(names(tmp_path)) == (1 if "keep_checkpoint_per_n_minutes" not in keep else 2)


def test_a_file_that_is_being_written_replaces_nothing_yet(tmp_path, monkeypatch):
    gate, real, seen = threading.Event(), ckpt.write, []

    def write(path, *arguments, **options):
        if path.endswith("1_2.ckpt"):
            assert gate.wait(60)
        real(path, *arguments, **options)

    class Look(Callback):
        def on_train_step_end(self, run_context):
            if run_context.original_args().cur_step_num == 2:
                seen.extend([names(tmp_path), checkpoint.latest_ckpt_file_name])
                gate.set()

    monkeypatch.setattr(ckpt, "write", write)
    checkpoint = ModelCheckpoint("p", str(tmp_path), CheckpointConfig(keep_checkpoint_max=1, async_save=True))
    model().train(1, data(2), callbacks=[checkpoint, Look()])
    assert seen == [["p-1_1.ckpt"], str(tmp_path / "p-1_1.ckpt")]
    assert names(tmp_path) == ["p-1_2.ckpt"]
    assert checkpoint.latest_ckpt_file_name == str(tmp_path / "p-1_2.ckpt")


@pytest.mark.parametrize("mode", [False, True])
@pytest.mark.parametrize("step", [2, 3])
def test_a_save_that_fails_ends_the_training_and_leaves_the_older_file(mode, step, tmp_path, monkeypatch):
    real = ckpt.write

    def write(path, *arguments, **options):
        if path.endswith(f"1_{step}.ckpt"):
            raise OSError(errno.ENOSPC, "No space left on device", path)
        real(path, *arguments, **options)

    monkeypatch.setattr(ckpt, "write", write)
    checkpoint = ModelCheckpoint("p", str(tmp_path), CheckpointConfig(keep_checkpoint_max=1, async_save=mode))
    with pytest.raises(OSError, match=rf"No space left on device: .*1_{step}\.ckpt"):
        model().train(1, data(3), callbacks=checkpoint)
    for thread in threading.enumerate():
        if thread.name == "asyn_save_ckpt":
            thread.join()
    assert f"p-1_{step}.ckpt" not in names(tmp_path)
    assert checkpoint.latest_ckpt_file_name in [str(path) for path in tmp_path.iterdir()]


def test_what_a_killed_run_was_writing_goes_with_the_next_run(tmp_path):
    for name in ("p-1_1.ckpt", "p_2-3_4.safetensors", "p-1_3_breakpoint.ckpt", "q-1_1.ckpt", "pp-1_1.ckpt"):
        (tmp_path / f"{name}{MARK}1-ab").touch()
    run(tmp_path, epochs=1, batches=1)
    assert names(tmp_path) == ["p-1_1.ckpt", f"pp-1_1.ckpt{MARK}1-ab", f"q-1_1.ckpt{MARK}1-ab"]


def test_a_file_that_cannot_be_removed_is_told_and_the_training_goes_on(tmp_path, monkeypatch):
    def refusing(path, *arguments, **options):
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(type(tmp_path), "unlink", refusing)
    with pytest.warns(UserWarning, match=r"An older checkpoint could not be removed: .*p-1_1\.ckpt"):
        run(tmp_path, CheckpointConfig(keep_checkpoint_max=1), epochs=1, batches=2)
    assert {"p-1_1.ckpt", "p-1_2.ckpt"} <= set(names(tmp_path))


# -- the rest ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("asked", "expected"), [(True, ["p-1_3_breakpoint.ckpt"]), (False, [])])
def test_save_at_an_exception(asked, expected, tmp_path):
    config = CheckpointConfig(save_checkpoint_steps=100, exception_save=asked)
    with pytest.raises(KeyError, match="boom"):
        run(tmp_path, config, others=[Boom()])
    assert names(tmp_path) == expected


def test_what_an_exception_has_saved_keeps_the_prefix_and_is_not_the_latest(tmp_path):
    for _ in range(2):
        checkpoint = ModelCheckpoint("p", str(tmp_path), CheckpointConfig(save_checkpoint_steps=2, exception_save=True))
        with pytest.raises(KeyError, match="boom"):
            model().train(1, data(4), callbacks=[checkpoint, Boom()])
    expected = ["p-1_2.ckpt", "p-1_3_breakpoint.ckpt", "p_1-1_2.ckpt", "p_1-1_3_breakpoint.ckpt"]
    assert names(tmp_path) == expected
    assert checkpoint.latest_ckpt_file_name == str(tmp_path / "p_1-1_2.ckpt")


def test_nothing_is_saved_by_an_evaluation(tmp_path):
    model(metrics={"mse"}).eval(data(2), callbacks=ModelCheckpoint("p", str(tmp_path)))
    assert names(tmp_path) == []


def test_settings_are_read_only_properties():
    config = CheckpointConfig(
        5, 9, 3, 9, async_save="thread", append_info=["epoch_num", {"lr": 0.1}], enc_key=b"0" * 16
    )
    values = {
        "save_checkpoint_steps": 5,
        "save_checkpoint_seconds": None,
        "keep_checkpoint_max": 3,
        "keep_checkpoint_per_n_minutes": None,
        "integrated_save": True,
        "async_save": "thread",
        "saved_network": None,
        "enc_key": b"0" * 16,
        "enc_mode": "AES-GCM",
        "crc_check": False,
        "format": "ckpt",
        "append_dict": {"epoch_num": 0, "lr": 0.1},
        "map_param_inc": False,
    }
    for name, value in values.items():
        assert isinstance(getattr(CheckpointConfig, name), property)
        assert getattr(config, name) == value
        with pytest.raises(AttributeError):
            setattr(config, name, value)


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
