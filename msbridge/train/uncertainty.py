"""Uncertainty of a network: about what it was not shown, and because of noise in the data."""

import copy
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import boolean, instance, one_of, positive_int
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.containers import SequentialCell
from msbridge.nn.layers.convolution import Conv2d
from msbridge.nn.layers.dense import Dense
from msbridge.nn.layers.dropout import Dropout
from msbridge.nn.layers.shape import Flatten
from msbridge.nn.losses.classification import SoftmaxCrossEntropyWithLogits
from msbridge.nn.losses.elementwise import MSELoss
from msbridge.nn.optim.cells.adam import Adam
from msbridge.ops.elementwise.elementwise.functions import exp, square
from msbridge.ops.random.distributions.functions import standard_normal
from msbridge.train.callbacks import Callback, CheckpointConfig, LossMonitor, ModelCheckpoint
from msbridge.train.checkpoint.loading import load_checkpoint, load_param_into_net
from msbridge.train.model import Model

__all__ = ["UncertaintyEvaluation"]

TASKS = ("regression", "classification")
DRAWS = 10  # of dropout, and of noise on the logits


class UncertaintyEvaluation:
    """Evaluates the epistemic and the aleatoric uncertainty of a network's outputs.

    The first is the variance of outputs under dropout, the second is learned, as a further output of the network. Both
    are scaled to [0, 1]. The networks are trained when they are asked for first, unless they are loaded.

    Args:
        model: the network.
        train_dataset: what it is trained with.
        task_type: "regression" or "classification".
        num_classes: how many classes there are, for a classification.
        epochs: how often the dataset is gone through.
        epi_uncer_model_path: where the network with dropout is saved to, or its checkpoint without `save_model`.
        ale_uncer_model_path: the same of the network with a variance.
        save_model: save the networks.

    Raises:
        TypeError: `model` is not a Cell, or another argument is of another type.
        ValueError: another task, a number is not positive, or a path is missing; later, the network has no Dense layer
            (for the second), or neither one nor a Conv2d nor a Dropout (for the first).

    Follows: mindspore.nn.probability.toolbox.UncertaintyEvaluation (1.x).
    """

    def __init__(
        self,
        model: Cell,
        train_dataset: Any,
        task_type: str,
        num_classes: int | None = None,
        epochs: int = 1,
        epi_uncer_model_path: str | None = None,
        ale_uncer_model_path: str | None = None,
        save_model: bool = False,
    ) -> None:
        owner = "UncertaintyEvaluation"
        instance(model, "model", None, Cell)
        self.task_type = one_of(task_type, "task_type", owner, TASKS)
        self.epochs = positive_int(epochs, "epochs", owner)
        self.save_model = boolean(save_model, "save_model", owner)
        is_classification = task_type == "classification"
        self.num_classes = positive_int(num_classes, "num_classes", owner) if is_classification else num_classes
        if save_model and (epi_uncer_model_path is None or ale_uncer_model_path is None):
            raise ValueError(
                "If save_model is True, the epi_uncer_model_path and ale_uncer_model_path should not be None."
            )
        self.epi_model = model
        self.ale_model = copy.deepcopy(model)
        self.epi_train_dataset = self.ale_train_dataset = train_dataset
        self.epi_uncer_model_path = epi_uncer_model_path
        self.ale_uncer_model_path = ale_uncer_model_path
        self.epi_uncer_model: EpistemicUncertaintyModel | None = None
        self.ale_uncer_model: AleatoricUncertaintyModel | None = None

    def eval_epistemic_uncertainty(self, eval_data: Tensor) -> np.ndarray:
        """Return the uncertainty about what the network was not shown, in the shape of its outputs."""
        if self.epi_uncer_model is None:
            self.epi_uncer_model = EpistemicUncertaintyModel(self.epi_model)
            if self.epi_uncer_model.drop_count == 0:
                self._train(self.epi_uncer_model, self._loss(), self.epi_uncer_model_path, "epi")
        self.epi_uncer_model.set_train(True)
        outputs = np.stack([self.epi_uncer_model(eval_data).asnumpy() for _ in range(DRAWS)])
        return _scale_to_unit(outputs.var(axis=0))

    def eval_aleatoric_uncertainty(self, eval_data: Tensor) -> np.ndarray:
        """Return the uncertainty because of noise in the data, a number for each sample."""
        if self.ale_uncer_model is None:
            self.ale_uncer_model = AleatoricUncertaintyModel(self.ale_model, self.num_classes, self.task_type)
            self._train(self.ale_uncer_model, AleatoricLoss(self.task_type), self.ale_uncer_model_path, "ale")
        _, variance = self.ale_uncer_model(eval_data)
        return _scale_to_unit(square(variance).sum(1).asnumpy())

    def _loss(self) -> Cell:
        if self.task_type == "classification":
            return SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        return MSELoss()

    def _train(self, network: Cell, loss: Cell, path: str | None, which: str) -> None:
        if path is not None and not self.save_model:
            load_param_into_net(network, load_checkpoint(path))
            return
        callbacks: list[Callback] = [LossMonitor()]
        if self.save_model:
            config = CheckpointConfig(keep_checkpoint_max=self.epochs)
            prefix = f"checkpoint_{which}_uncer_model"
            callbacks.insert(0, ModelCheckpoint(prefix=prefix, directory=path, config=config))
        model = Model(network, loss, Adam(network.trainable_params()))
        model.train(self.epochs, self.epi_train_dataset, callbacks=callbacks)


class EpistemicUncertaintyModel(Cell):
    """A network with dropout: its own, or one of half the outputs of its first Dense or Conv2d layer.

    Args:
        epi_model: the network.
    """

    def __init__(self, epi_model: Cell) -> None:
        super().__init__()
        layers = epi_model.name_cells()
        self.drop_count = sum(isinstance(layer, Dropout) for layer in layers.values())
        if self.drop_count == 0:
            name = next((name for name, layer in layers.items() if isinstance(layer, Conv2d | Dense)), None)
            if name is None:
                raise ValueError(
                    "The model has no Dense and no Conv2d layer: its epistemic uncertainty cannot be evaluated."
                )
            setattr(epi_model, name, SequentialCell([layers[name], Dropout(p=0.5)]))
        self.epi_model = epi_model

    def construct(self, x: Tensor) -> Any:
        return self.epi_model(x)


class AleatoricUncertaintyModel(Cell):
    """A network that returns its output and the logarithm of its variance.

    Args:
        ale_model: the network; its last Dense layer is taken out for a regression.
        num_classes: how many classes there are, for a classification.
        task: "regression" or "classification".
    """

    def __init__(self, ale_model: Cell, num_classes: Any, task: str) -> None:
        super().__init__()
        self.task = task
        if task == "classification":
            self.var_layer = Dense(num_classes, num_classes)
        else:
            dense = [(name, layer) for name, layer in ale_model.name_cells().items() if isinstance(layer, Dense)]
            if not dense:
                raise ValueError("The model has no Dense layer: its aleatoric uncertainty cannot be evaluated.")
            name, self.pred_layer = dense[-1]
            setattr(ale_model, name, Flatten())
            self.var_layer = Dense(self.pred_layer.in_channels, self.pred_layer.out_channels)
        self.ale_model = ale_model

    def construct(self, x: Tensor) -> tuple[Tensor, Tensor]:
        hidden = self.ale_model(x)
        return (hidden if self.task == "classification" else self.pred_layer(hidden)), self.var_layer(hidden)


class AleatoricLoss(Cell):
    """The loss of outputs with a variance.

    Args:
        task: "regression" for a normal likelihood, "classification" for the mean cross entropy under noise.
    """

    def __init__(self, task: str) -> None:
        super().__init__()
        self.task = task
        self.entropy = SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")

    def construct(self, data_pred: tuple[Tensor, Tensor], y: Tensor) -> Tensor:
        prediction, variance = data_pred
        if self.task == "regression":
            return (0.5 * exp(-variance) * square(y - prediction) + 0.5 * variance).mean()
        noise = standard_normal((DRAWS,), 0)
        total: Tensor = self.entropy(prediction + noise[0] * variance, y)
        for draw in range(1, DRAWS):
            total = total + self.entropy(prediction + noise[draw] * variance, y)
        return total / DRAWS


def _scale_to_unit(values: np.ndarray) -> np.ndarray:
    scaled: np.ndarray = (values - values.min()) / (values.max() - values.min())
    return scaled
