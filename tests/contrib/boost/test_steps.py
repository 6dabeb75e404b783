"""Training steps with boost: MindSpore's own return nothing on a CPU, and are judged by plain steps."""

import numpy as np
import pytest

from msbridge import Tensor, nn
from msbridge.contrib.boost import BoostTrainOneStepCell, BoostTrainOneStepWithLossScaleCell, FreezeOpt

X, Y = Tensor(np.arange(12.0).reshape(4, 3).astype(np.float32)), Tensor(np.ones((4, 1), np.float32))


def made() -> tuple[nn.Cell, nn.Cell]:
    net = nn.SequentialCell(nn.Dense(3, 2, "ones", "zeros"), nn.Dense(2, 1, "ones", "zeros"))
    return net, nn.WithLossCell(net, nn.MSELoss())


def weights(net: nn.Cell) -> list[np.ndarray]:
    return [parameter.asnumpy().copy() for parameter in net.trainable_params()]


def test_a_plain_optimizer_steps_as_ever() -> None:
    (one, loss), (other, same) = made(), made()
    step = BoostTrainOneStepCell(loss, nn.Momentum(one.trainable_params(), 1e-3, 0.9), sens=2.0)
    plain = nn.TrainOneStepCell(same, nn.Momentum(other.trainable_params(), 1e-3, 0.9), sens=2.0)
    for _ in range(3):
        assert np.array_equal(step(X, Y).asnumpy(), plain(X, Y).asnumpy())


def test_frozen_steps_train_only_their_group() -> None:
    net, loss = made()
    groups = [net.trainable_params(), net.trainable_params()[2:]]
    step = BoostTrainOneStepCell(loss, FreezeOpt(nn.SGD(net.trainable_params(), 1e-3), groups, [0, 1]))
    start = weights(net)
    step(X, Y)
    first = weights(net)
    assert not np.array_equal(start[0], first[0])
    step(X, Y)
    second = weights(net)
    assert np.array_equal(first[0], second[0])
    assert not np.array_equal(first[2], second[2])
    assert step.step.asnumpy() == 0
    assert [p.name for p in net.trainable_params()] == ["0.weight", "0.bias", "1.weight", "1.bias"]


def test_a_list_of_rates_is_dealt_to_the_groups() -> None:
    net, _ = made()
    groups = [net.trainable_params(), net.trainable_params()[2:]]
    frozen = FreezeOpt(nn.SGD(net.trainable_params(), [0.4, 0.3, 0.2, 0.1]), groups, [0, 1, 0, 1])
    assert [opt.init_learning_rate for opt in frozen.opts] == [[0.4, 0.2], [0.3, 0.1]]
    names = [p.name for p in frozen.opts[1].get_parameters()]
    assert "boost_1.accum.1.weight" in names


def test_a_scaled_loss_steps_as_ever() -> None:
    net, loss = made()
    step = BoostTrainOneStepWithLossScaleCell(loss, nn.SGD(net.trainable_params(), 1e-3), Tensor(8.0))
    value, overflow, scale = step(X, Y)
    assert (bool(overflow.asnumpy()), float(scale.asnumpy())) == (False, 8.0)
    assert value.asnumpy() > 0
    with pytest.raises(NotImplementedError):
        BoostTrainOneStepWithLossScaleCell(loss, FreezeOpt(nn.SGD(net.trainable_params(), 1e-3)), Tensor(8.0))
