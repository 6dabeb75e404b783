"""Models of public libraries: they replace the loop of training, and look at what a Model is made of."""

from typing import Any

import numpy as np

import msbridge as ms
from msbridge import dataset as ds
from msbridge import nn, train
from msbridge.train import RunContext


class OwnLoop(train.Model):
    """Leaves the first steps out, as a training that continues in the middle of an epoch."""

    def __init__(self, network: nn.Cell, local_step: int = 0, **settings: Any) -> None:
        train.Model.__init__(self, network, loss_fn=None, optimizer=None, metrics=None, amp_level="O0", **settings)
        self.local_step = local_step

    def _train_process(
        self,
        epoch: int,
        train_dataset: Any,
        list_callback: Any = None,
        cb_params: Any = None,
        initial_epoch: int = 0,
        valid_infos: Any = None,
    ) -> None:
        dataset_helper, _ = self._exec_preprocess(
            is_train=True, dataset=train_dataset, dataset_sink_mode=False, epoch_num=(epoch - initial_epoch)
        )
        cb_params.cur_step_num = 0
        run_context = RunContext(cb_params)
        list_callback.on_train_begin(run_context)
        for i in range(initial_epoch, epoch):
            cb_params.cur_epoch_num = i + 1
            list_callback.on_train_epoch_begin(run_context)
            for next_element in dataset_helper:
                cb_params.cur_step_num += 1
                if i == initial_epoch and cb_params.cur_step_num <= self.local_step:
                    continue
                list_callback.on_train_step_begin(run_context)
                self._check_network_mode(self._train_network, True)
                cb_params.net_outputs = self._train_network(*next_element)
                list_callback.on_train_step_end(run_context)
            self._eval_during_train(valid_infos, cb_params, list_callback)
            self._flush_from_cache(cb_params)
            list_callback.on_train_epoch_end(run_context)
        list_callback.on_train_end(run_context)


def data() -> ds.Dataset:
    x = np.linspace(0, 1, 16, dtype=np.float32).reshape(8, 2)
    return ds.NumpySlicesDataset((x, x[:, :1]), ["x", "y"], shuffle=False).batch(2)


def test_a_loop_of_ones_own() -> None:
    network = nn.Dense(2, 1)
    step = nn.TrainOneStepCell(nn.WithLossCell(network, nn.MSELoss()), nn.SGD(network.trainable_params(), 0.1))
    history = train.History()
    OwnLoop(step, local_step=3).train(2, data(), callbacks=[history, train.LossMonitor(0)], dataset_sink_mode=False)
    assert int(step.optimizer.global_step.asnumpy().item()) == 5
    assert network.training
    assert len(history.epoch["epoch"]) == 2


def test_what_a_model_is_made_of() -> None:
    network = nn.Dense(2, 1, weight_init="zeros")
    model = train.Model(network, nn.MSELoss(), nn.SGD(network.trainable_params(), 0.1), {"mae"})
    assert list(model._metric_fns) == ["mae"]
    assert (model._eval_indexes, model._device_number, model._parallel_mode) == ([0, 1, 2], 1, "stand_alone")
    other = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    model._eval_network = nn.WithEvalCell(other, nn.MSELoss())
    assert model.eval_network is model._eval_network
    x = np.ones((1, 2), np.float32)
    model._clear_metrics()
    model._update_metrics(model._eval_network(ms.Tensor(x), ms.Tensor([[2.0]])))
    assert model._get_metrics() == {"mae": 0.0}
    assert model._transform_callbacks(None) == []


def test_a_model_without_metrics() -> None:
    model = train.Model(nn.Dense(2, 1))
    assert (model._eval_network, model._eval_indexes, model._metric_fns) == (None, None, None)
    model._update_metrics(ms.Tensor([1.0]))
    assert model._get_metrics() == {}
