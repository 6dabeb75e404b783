"""Which of its own methods a Model calls, in which order: subclasses replace them."""

import numpy as np
from mindspore import Model, dataset, nn

from tests.oracle.case import each
from tests.oracle.cases._fixed import fixed

METHODS = (
    *("_check_kwargs", "_process_amp_args", "_check_amp_level_arg", "_build_boost_network", "_build_train_network"),
    *("_build_eval_network", "_build_predict_network", "_train", "_train_process", "_exec_preprocess"),
    *("_check_network_mode", "_eval_during_train", "_should_eval", "_eval_in_fit", "_eval_process", "_clear_metrics"),
    *("_update_metrics", "_get_metrics", "_flush_from_cache"),
)


class Watched(Model):
    """Notes the calls of its methods."""

    def __init__(self, *args, **kwargs):
        self.calls = []
        super().__init__(*args, **kwargs)


def watching(name):
    def call(self, *args, **kwargs):
        values = (*args, *kwargs.values())
        self.calls.append((name, *kwargs.keys(), *(v for v in values if isinstance(v, bool | int | str))))
        return getattr(super(Watched, self), name)(*args, **kwargs)

    return call


for method in METHODS:
    setattr(Watched, method, watching(method))


def data():
    ones = np.ones((4, 3), np.float32)
    return dataset.NumpySlicesDataset({"x": ones, "y": ones[:, :2]}).batch(2)


def model(**settings) -> Watched:
    network = fixed(nn.Dense(3, 2))
    return Watched(network, nn.MSELoss(), nn.Momentum(network.trainable_params(), 0.01, 0.9), {"loss"}, **settings)


def calls(run, **settings) -> list:
    """What a run calls after the construction; how many steps the arguments say differs with the mode."""
    watched = model(**settings)
    watched.calls.clear()
    run(watched)
    return [call[0] if call[0] == "_train" else call for call in watched.calls]


class OwnNetworks(Model):
    """Builds the networks itself."""

    def _build_train_network(self):
        return nn.TrainOneStepCell(nn.WithLossCell(self._network, self._loss_fn), self._optimizer, sens=2.0)

    def _build_eval_network(self, metrics, eval_network, eval_indexes):
        self._metric_fns = {"mine": nn.MSE()}
        self._eval_network = nn.WithEvalCell(self._network, nn.L1Loss())
        self._eval_indexes = [0, 1, 2]


def own() -> tuple:
    network = fixed(nn.Dense(3, 2))
    own = OwnNetworks(network, nn.MSELoss(), nn.SGD(network.trainable_params(), 0.1))
    own.train(1, data(), dataset_sink_mode=False)
    return own.train_network.sens, own.eval(data(), dataset_sink_mode=False), network.weight


def after_training() -> tuple:
    run = model()
    before = run.batch_num, run._current_epoch_num, run._current_step_num, sorted(run._metrics), run._keep_bn_fp32
    run.train(3, data(), dataset_sink_mode=False)
    return before, run.batch_num, run._current_epoch_num, run._current_step_num, run._get_scaling_sens()


CASES = each(
    """
    model().calls
    calls(lambda m: m.train(2, data(), dataset_sink_mode=False))
    calls(lambda m: m.fit(2, data(), data(), 2, dataset_sink_mode=False, valid_dataset_sink_mode=False))
    calls(lambda m: m.eval(data(), dataset_sink_mode=False))
    calls(lambda m: m.predict(Tensor(np.ones((2, 3)), ms.float32)))
    own()
    after_training()
    [Model._should_eval(epoch, which) for epoch in (1, 2, 3) for which in (1, 2, [2, 3])]
    Model(nn.Dense(2, 1))._metric_fns, Model(nn.Dense(2, 1), eval_network=nn.ReLU()).eval_network is None
"""
)
