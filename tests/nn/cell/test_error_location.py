"""Where a failure was: the layer that the message names, and its place in the network."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, nn

IMAGE = Tensor(np.ones((1, 2, 4, 4), np.float32))


class Block(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.features = nn.SequentialCell(nn.Conv2d(3, 4, 3), nn.ReLU())

    def construct(self, x: Tensor) -> Tensor:
        return self.features(x)


class Network(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.blocks = nn.CellList([Block(), Block()])

    def construct(self, x: Tensor) -> Tensor:
        for block in self.blocks:
            x = block(x)
        return x


class Mistaken(nn.Cell):
    def construct(self, x: Tensor) -> Tensor:
        return x.nothing


def failure(cell: nn.Cell, *inputs: object) -> Exception:
    with pytest.raises((AttributeError, RuntimeError, TypeError, ValueError)) as caught:
        cell(*inputs)
    return caught.value


def notes(error: Exception) -> list[str]:
    return getattr(error, "__notes__", [])


def test_the_way_to_the_layer_is_a_note() -> None:
    error = failure(Network(), IMAGE)
    assert str(error).startswith("For 'Conv2d', ")
    assert notes(error) == ["in Network.blocks[0].features[0] (Conv2d)"]


def test_training_steps_are_no_part_of_the_way() -> None:
    network = Network()
    step = nn.TrainOneStepCell(nn.WithLossCell(network, nn.MSELoss()), nn.SGD(network.trainable_params(), 0.1))
    assert notes(failure(step, IMAGE, IMAGE)) == ["in Network.blocks[0].features[0] (Conv2d)"]


def test_a_layer_that_is_called_alone_needs_no_note() -> None:
    assert notes(failure(nn.Conv2d(3, 4, 3), IMAGE)) == []


def test_a_cell_that_is_no_attribute_is_named() -> None:
    class Local(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            return nn.Dense(3, 2)(x)

    assert notes(failure(Local(), IMAGE)) == ["in Local, in a call of Dense"]


def test_a_failure_of_the_user_keeps_its_class_and_words() -> None:
    error = failure(nn.SequentialCell(nn.ReLU(), Mistaken()), IMAGE)
    assert type(error) is AttributeError
    assert str(error) == "'Tensor' object has no attribute 'nothing'"
    assert notes(error) == ["in SequentialCell[1] (Mistaken)"]


def test_a_failure_outside_of_operators_is_in_the_words_of_the_layer() -> None:
    error = failure(nn.BatchNorm2d(2), None)
    assert type(error) is TypeError
    assert str(error) == "For 'BatchNorm2d', x must be a Tensor, got None (NoneType)."


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ((), "missing 1 required positional argument: 'x'"),
        ((1.0, 2.0), r"too many positional arguments: it takes \(x\)"),
    ],
)
def test_inputs_that_construct_does_not_take_are_listed(inputs: tuple, words: str) -> None:
    with pytest.raises(TypeError, match=f"For 'Dense', {words}"):
        nn.Dense(3, 2)(*inputs)


def test_a_signal_of_the_user_passes_unchanged() -> None:
    class Enough(Exception):
        pass

    class Stopping(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            raise Enough

    with pytest.raises(Enough):
        nn.SequentialCell(Stopping())(ms.Tensor(1.0))
