"""Uncertainty of networks, trained on the way."""

from pathlib import Path

import numpy as np
import pytest

import msbridge as ms
from msbridge import dataset as ds
from msbridge import nn
from msbridge.train.uncertainty import UncertaintyEvaluation

X = np.random.default_rng(0).normal(size=(16, 6)).astype(np.float32)
DATA = {"classification": (X[:, 0] > 0).astype(np.int32), "regression": X[:, :2] * 2}


class Network(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.fc1 = nn.Dense(6, 8, activation="relu")
        self.fc2 = nn.Dense(8, 2)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return self.fc2(self.fc1(x))


def data(task: str) -> ds.Dataset:
    return ds.NumpySlicesDataset((X, DATA[task]), ["image", "label"], shuffle=False).batch(8)


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_both_uncertainties_lie_between_0_and_1(task: str, capsys: pytest.CaptureFixture[str]) -> None:
    evaluation = UncertaintyEvaluation(model=Network(), train_dataset=data(task), task_type=task, num_classes=2)
    epistemic = evaluation.eval_epistemic_uncertainty(ms.Tensor(X))
    aleatoric = evaluation.eval_aleatoric_uncertainty(ms.Tensor(X))
    assert (epistemic.shape, aleatoric.shape) == ((16, 2), (16,))
    for found in (epistemic, aleatoric):
        assert (found.min(), found.max()) == (0, 1)
    assert "loss is" in capsys.readouterr().out


def test_networks_are_saved_and_loaded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = {"epi_uncer_model_path": str(tmp_path / "epi"), "ale_uncer_model_path": str(tmp_path / "ale")}
    saving = UncertaintyEvaluation(Network(), data("regression"), "regression", save_model=True, **paths)
    saving.eval_aleatoric_uncertainty(ms.Tensor(X))
    (saved,) = (tmp_path / "ale").glob("*.ckpt")
    capsys.readouterr()
    loading = UncertaintyEvaluation(Network(), None, "regression", ale_uncer_model_path=str(saved))
    loading.eval_aleatoric_uncertainty(ms.Tensor(X))
    assert capsys.readouterr().out == ""  # it was not trained


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="task_type"):
        UncertaintyEvaluation(Network(), None, "clustering")
    with pytest.raises(ValueError, match="save_model"):
        UncertaintyEvaluation(Network(), None, "regression", save_model=True)
    with pytest.raises(TypeError, match="Cell"):
        UncertaintyEvaluation(None, None, "regression")
    with pytest.raises(ValueError, match="Dense"):
        UncertaintyEvaluation(nn.ReLU(), None, "regression").eval_epistemic_uncertainty(ms.Tensor(X))
