"""A run ends when its process is asked to, and is continued."""

import json
import signal
from pathlib import Path

import numpy as np
import pytest

from msbridge import Tensor, nn, ops, train
from msbridge import dataset as ds


class Asking(train.Callback):
    """Sends the signal in the third step."""

    def __init__(self) -> None:
        self.steps = 0

    def on_train_step_begin(self, run_context: train.RunContext) -> None:
        self.steps += 1
        if self.steps == 3:
            signal.raise_signal(signal.SIGTERM)

    def on_eval_step_begin(self, run_context: train.RunContext) -> None:
        self.on_train_step_begin(run_context)


def model_of(network: nn.Cell) -> train.Model:
    return train.Model(network, nn.MSELoss(), nn.Momentum(network.trainable_params(), 0.1, 0.9), {"mae"})


def data() -> ds.Dataset:
    x = np.linspace(0, 1, 16, dtype=np.float32).reshape(8, 2)
    return ds.NumpySlicesDataset((x, x[:, :1]), ["x", "y"], shuffle=False).batch(2)


def exit_of(tmp_path: Path, **options: object) -> train.OnRequestExit:
    return train.OnRequestExit(save_mindir=False, directory=str(tmp_path), **options)


def test_a_training_ends_after_the_step_and_its_network_is_loaded_again(tmp_path: Path) -> None:
    before, network, asking = signal.getsignal(signal.SIGTERM), nn.Dense(2, 1), Asking()
    model_of(network).train(2, data(), callbacks=[asking, exit_of(tmp_path)])
    assert asking.steps == 3
    assert signal.getsignal(signal.SIGTERM) is before
    assert (tmp_path / "rank_0" / "Net_train.ckpt").exists()
    other = nn.Dense(2, 1)
    model_of(other).eval(data(), callbacks=exit_of(tmp_path))
    np.testing.assert_array_equal(other.weight.asnumpy(), network.weight.asnumpy())


def test_an_evaluation_ends_too(tmp_path: Path) -> None:
    asking = Asking()
    model_of(nn.Dense(2, 1)).eval(data(), callbacks=[asking, exit_of(tmp_path, file_name="Own")])
    assert asking.steps == 3
    assert (tmp_path / "rank_0" / "Own_eval.ckpt").exists()


def test_a_file_asks_as_well(tmp_path: Path) -> None:
    asked, counted = tmp_path / "asked.json", Asking()
    asked.write_text("{")
    callback = exit_of(tmp_path, config_file=str(asked), save_ckpt=False)
    assert not callback._is_asked_by_file()
    asked.write_text(json.dumps({"GracefulExit": 1}))
    model_of(nn.Dense(2, 1)).train(2, data(), callbacks=[counted, callback])
    assert counted.steps == 1


def test_networks_are_written(tmp_path: Path) -> None:
    network = nn.Dense(2, 1)
    for run in (
        lambda model, calls: model.train(2, data(), callbacks=calls),
        lambda model, calls: model.eval(data(), calls),
    ):
        callback = train.OnRequestExit(save_ckpt=False, directory=str(tmp_path))
        run(model_of(network), [Asking(), callback])
    x, y = ops.ones((2, 2)), ops.ones((2, 1))
    wanted = [nn.MSELoss()(network(x), y), network(x), y]
    for name, count in (("Net_train", 1), ("Net_eval", 3)):
        found = nn.GraphCell(train.load(str(tmp_path / "rank_0" / f"{name}.mindir")))(x, y)
        for one, other in zip(found if count > 1 else [found], wanted[:count], strict=True):
            np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), 1e-6)


def test_what_cannot_be_written_is_warned_of(tmp_path: Path) -> None:
    class Branching(nn.Dense):
        def construct(self, x: Tensor) -> Tensor:
            return super().construct(x) if x.sum() > 0 else x[:, :1]

    callback = train.OnRequestExit(save_ckpt=False, directory=str(tmp_path))
    with pytest.warns(UserWarning, match=r"cannot write .*Net_train.mindir"):
        model_of(Branching(2, 1)).train(2, data(), callbacks=[Asking(), callback])


def test_what_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="SIGKILL"):
        exit_of(tmp_path, sig=signal.SIGKILL)
    with pytest.raises(ValueError, match="save_ckpt"):
        exit_of(tmp_path, save_ckpt=1)
    with pytest.raises(ValueError, match="sig"):
        exit_of(tmp_path, sig="SIGTERM")
