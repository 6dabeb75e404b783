"""What optimizers of scripts call of their base class; the answers are those of MindSpore 2.10."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Parameter, Tensor, nn
from msbridge.nn.optim import experimental


class Own(nn.Optimizer):
    def construct(self, gradients: tuple) -> tuple:
        return gradients


def pair() -> list[Parameter]:
    return [Parameter(Tensor(np.ones((2, 2), np.float32)), name="a"), Parameter(Tensor([1.0, 1.0, 1.0]), name="b")]


def own() -> Own:
    return Own(0.1, pair(), weight_decay=0.5, loss_scale=4.0)


def test_a_weight_decay_is_multiplied_by_the_loss_scale() -> None:
    optimizer = own()
    assert optimizer._preprocess_weight_decay(1) == 4.0
    with pytest.raises(ValueError, match="must >= 0"):
        optimizer._preprocess_weight_decay(-1)
    with pytest.raises(TypeError):
        optimizer._preprocess_weight_decay("a")
    assert not optimizer._is_dynamic_lr_or_weight_decay()
    decay = optimizer._preprocess_weight_decay(nn.ExponentialDecayLR(0.5, 0.5, 1))
    assert decay(Tensor(1, ms.int32)).asnumpy() == 1.0
    assert optimizer._is_dynamic_lr_or_weight_decay()


def test_a_learning_rate_becomes_a_number_or_a_tensor_and_then_a_parameter_or_a_schedule() -> None:
    optimizer = own()
    assert optimizer._preprocess_single_lr(1) == 1.0
    assert optimizer._preprocess_single_lr(Tensor(0.5)).shape == ()
    assert not optimizer.dynamic_lr
    rates = optimizer._preprocess_single_lr([0.25, 0.5])
    assert (rates.dtype, rates.asnumpy().tolist(), optimizer.dynamic_lr) == (ms.float32, [0.25, 0.5], True)
    assert optimizer._build_single_lr(rates, "lr")(Tensor(1, ms.int32)).asnumpy() == 0.5
    for rate in (0.5, Tensor(0.5)):
        built = optimizer._build_single_lr(rate, "lr")
        assert (type(built), built.name, built.shape, built.dtype) == (Parameter, "lr", (), ms.float32)
    assert optimizer._build_single_lr(None, "lr") is None
    schedule = nn.ExponentialDecayLR(0.5, 0.5, 1)
    assert optimizer._preprocess_single_lr(schedule) is schedule
    for rate, error in ((-1.0, ValueError), (Tensor([[0.5]]), ValueError), (None, TypeError)):
        with pytest.raises(error):
            optimizer._preprocess_single_lr(rate)


def test_checks_raise_as_mindspores_do() -> None:
    optimizer, a = own(), pair()[0]
    assert optimizer._check_group_params([{"params": [a]}]) is None
    for group, error in (
        ({"params": [1]}, TypeError),
        ({"params": [a], "q": 1}, KeyError),
        ({"order_params": [a], "lr": 1}, ValueError),
        ({"order_params": 1}, TypeError),
    ):
        with pytest.raises(error):
            optimizer._check_group_params([group])
    for base in (optimizer, experimental.SGD(pair(), lr=0.1)):
        assert base._parameters_base_check((a,), "p") == [a]
        for items, error in ((None, ValueError), ([], ValueError), (3, TypeError)):
            with pytest.raises(error):
                base._parameters_base_check(items, "p")
    assert optimizer._preprocess_grad_centralization(True) is True
    with pytest.raises(TypeError):
        optimizer._preprocess_grad_centralization(1)


def test_an_order_beside_other_keys_is_refused_when_the_optimizer_is_made() -> None:
    parameters = pair()
    with pytest.raises(ValueError, match="order_params"):
        nn.SGD([{"params": parameters}, {"order_params": parameters, "lr": 0.1}])


def test_every_process_updates_all_parameters() -> None:
    optimizer = own()
    assert (optimizer.use_parallel, optimizer.optim_filter, optimizer.param_rank) == (False, (True, True), None)
    optimizer.dev_num = 1
    assert optimizer._get_parameter_group_id() == (0, 0)
    assert optimizer._grad_sparse_indices_deduplicate((1, 2)) == (1, 2)
    supporting = [name for name in dir(nn) if getattr(getattr(nn, name), "_support_parallel_optimizer", False)]
    assert supporting == ["AdaFactor", "AdamWeightDecay", "Lamb"]
    optimizer._set_base_target("CPU")
    assert optimizer.target == "CPU"
    for value, error in (("X", ValueError), (1, TypeError)):
        with pytest.raises(error):
            optimizer._set_base_target(value)


def test_the_experimental_base_answers_as_well() -> None:
    parameters = pair()
    optimizer = experimental.SGD(parameters, lr=0.1)
    assert [each.asnumpy().max() for each in optimizer._decay_weight(0.5, parameters, parameters)] == [1.5, 1.5]
    assert optimizer._decay_weight(0.0, parameters, parameters) is parameters
    alone = Parameter(Tensor([1.0]), name="c")
    assert optimizer._preprocess_param_group({"params": alone}) == {"params": [alone]}
    for group, error in (({"params": parameters}, ValueError), ([alone], TypeError), ({"params": {alone}}, TypeError)):
        with pytest.raises(error):
            optimizer._preprocess_param_group(group)
    assert optimizer._preprocess_weight_decay(1) == 1.0
    with pytest.raises(ValueError, match="must >= 0"):
        optimizer._preprocess_weight_decay(-1)
    assert optimizer._build_single_lr(0.1, "n").name == "n"
    with pytest.raises(ValueError, match="scalar"):
        optimizer._build_single_lr(Tensor([0.1]), "n")
