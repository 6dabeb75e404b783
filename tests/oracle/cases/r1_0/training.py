"""Training in 1.0.0: optimizers, losses, metrics, schedules, Model and its callbacks, checkpoints."""

# ruff: noqa: F401  # the expressions use what is imported

import contextlib
import io
import re
import tempfile
from pathlib import Path

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import Tensor, nn
from mindspore.nn import dynamic_lr
from mindspore.train.callback import Callback, CheckpointConfig, LossMonitor, ModelCheckpoint, TimeMonitor
from mindspore.train.loss_scale_manager import DynamicLossScaleManager, FixedLossScaleManager
from mindspore.train.model import Model
from mindspore.train.serialization import load_checkpoint, load_param_into_net, save_checkpoint

from tests.oracle.case import Case, each, ints, rand, values
from tests.oracle.cases.r1_0._graph import fixed, in_graph_mode, run, unless_lacking


class Net(nn.Cell):
    """Two layers."""

    def __init__(self):
        super().__init__()
        self.fc1 = nn.Dense(3, 4, weight_init="ones")
        self.relu = nn.ReLU()
        self.fc2 = nn.Dense(4, 2, weight_init="ones")

    def construct(self, x):
        return self.fc2(self.relu(self.fc1(x)))


def tensor(*shape):
    return Tensor(np.sin(np.arange(np.prod(shape)) * 0.9).reshape(shape).astype(np.float32))


def trained(make, steps=3, loss=None):
    """Let an optimizer make steps on a small network: losses, and every Parameter that it holds."""
    in_graph_mode()
    net = fixed(Net())
    optimizer = make(net.trainable_params())
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss or nn.MSELoss()), optimizer)
    step.set_train()
    labels = tensor(4, 2)
    losses = [float(step(tensor(4, 3), labels).asnumpy()) for _ in range(steps)]
    return losses, {p.name: p.data.asnumpy() for p in optimizer.get_parameters()}


def state(make):
    """Names and shapes of what an optimizer holds."""
    in_graph_mode()
    net = Net()
    return [(p.name, tuple(p.shape), str(p.dtype)) for p in make(net.trainable_params()).get_parameters()]


def grouped(params):
    weights = [p for p in params if "weight" in p.name]
    biases = [p for p in params if "bias" in p.name]
    return [{"params": weights, "lr": 0.05, "weight_decay": 0.1}, {"params": biases}, {"order_params": params}]


def data(samples=8, batch=2):
    x = np.sin(np.arange(samples * 3)).reshape(samples, 3).astype(np.float32)
    y = np.cos(np.arange(samples * 2)).reshape(samples, 2).astype(np.float32)
    return ds.NumpySlicesDataset((x, y), ["x", "y"], shuffle=False).batch(batch)


def classes(samples=8, batch=2):
    x = np.sin(np.arange(samples * 3)).reshape(samples, 3).astype(np.float32)
    y = (np.arange(samples) % 2).astype(np.int32)
    return ds.NumpySlicesDataset((x, y), ["x", "y"], shuffle=False).batch(batch)


def model(**options):
    in_graph_mode()
    net = fixed(Net())
    return Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.01, 0.9), **options)


def classifier(**options):
    in_graph_mode()
    net = fixed(Net())
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    return Model(net, loss, nn.Momentum(net.trainable_params(), 0.01, 0.9), **options)


def printed(action):
    """Lines printed meanwhile; times hidden, losses to five digits."""
    with contextlib.redirect_stdout(io.StringIO()) as text:
        action()
    hidden = re.sub(r"\d+\.\d{3}(?=,|\n| ms)", "T", text.getvalue())
    return re.sub(r"(loss is )([0-9.e-]+)", lambda m: f"{m[1]}{float(m[2]):.4f}", hidden).splitlines()


class Calls(Callback):
    """Notes what is called, with the counters it sees."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def _note(self, name, run_context):
        params = run_context.original_args()
        self.seen.append((name, params.get("cur_epoch_num"), params.get("cur_step_num"), params.get("batch_num")))

    def begin(self, run_context):
        self._note("begin", run_context)

    def epoch_begin(self, run_context):
        self._note("epoch_begin", run_context)

    def epoch_end(self, run_context):
        self._note("epoch_end", run_context)

    def step_begin(self, run_context):
        self._note("step_begin", run_context)

    def step_end(self, run_context):
        self._note("step_end", run_context)

    def end(self, run_context):
        self._note("end", run_context)


class Stop(Callback):
    """Asks for a stop after some steps."""

    def __init__(self, after):
        super().__init__()
        self.after = after

    def step_end(self, run_context):
        if run_context.original_args().cur_step_num >= self.after:
            run_context.request_stop()


class Keys(Callback):
    """Which settings a callback can read."""

    def begin(self, run_context):
        self.keys = sorted(run_context.original_args().keys())


def calls(epochs=2, **options):
    seen = Calls()
    model().train(epochs, data(), callbacks=seen, dataset_sink_mode=False, **options)
    return seen.seen


def files(epochs=2, **options):
    """Names of the files that ModelCheckpoint leaves."""
    with tempfile.TemporaryDirectory() as folder:
        keeper = ModelCheckpoint("net", folder, CheckpointConfig(**options))
        model().train(epochs, data(), callbacks=[keeper], dataset_sink_mode=False)
        return sorted(path.name for path in Path(folder).iterdir())


def saved(thing, load_into=None):
    """What a checkpoint holds, after a way through a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "a.ckpt")
        save_checkpoint(thing, path)
        found = load_checkpoint(path, load_into)
        return {name: (type(p).__name__ != "Tensor", str(p.dtype), p.data.asnumpy()) for name, p in found.items()}


def loaded(entries):
    """The result of loading a dictionary into a network, or what it raises."""
    net = Net()
    found = {name: ms.Parameter(value, name) for name, value in entries.items()}
    result = load_param_into_net(net, found)
    return result, net.fc1.weight.data.asnumpy()


def evaluated(metrics, dataset=None):
    return classifier(metrics=metrics).eval(dataset or classes(), dataset_sink_mode=False)


def metric(made, *pairs, **options):
    """Update with pairs of predictions and labels, evaluate, clear, evaluate again."""
    for prediction, label in pairs:
        made.update(np.array(prediction), np.array(label))
    return made.eval(**options)


P3 = [[0.2, 0.5, 0.3], [0.3, 0.1, 0.6], [0.9, 0.05, 0.05]]
MULTI = [[0, 1, 1], [1, 0, 1], [1, 0, 0]]
OPTIMIZERS = """
    nn.Momentum(p, 0.1, 0.9)
    nn.Momentum(p, 0.1, 0.9, weight_decay=0.1)
    nn.Momentum(p, 0.1, 0.9, loss_scale=2.0)
    nn.Momentum(p, 0.1, 0.9, use_nesterov=True)
    nn.Momentum(params=p, learning_rate=0.1, momentum=0.9)
    nn.Momentum(p, [0.1, 0.05, 0.01], 0.9)
    nn.Momentum(p, Tensor(np.array([0.1, 0.05, 0.01]).astype(np.float32)), 0.9)
    nn.Momentum(grouped(p), 0.1, 0.9)
    nn.Momentum(grouped(p), 0.1, 0.9, weight_decay=0.2)
    nn.Momentum(p, nn.ExponentialDecayLR(0.1, 0.9, 2), 0.9)
    nn.Momentum(p, nn.PolynomialDecayLR(0.1, 0.01, 4, 0.5), 0.9)
    nn.Momentum(p, nn.CosineDecayLR(0.01, 0.1, 4), 0.9)
    nn.Momentum(p, nn.WarmUpLR(0.1, 2), 0.9)
    nn.SGD(p, 0.1)
    nn.SGD(p)
    nn.SGD(p, 0.1, 0.9)
    nn.SGD(p, 0.1, 0.9, 0.0, 0.1)
    nn.Adam(p, 0.1)
    nn.Adam(p)
    nn.Adam(p, learning_rate=0.1, beta1=0.8, beta2=0.9, eps=1e-4, weight_decay=0.1)
    nn.AdamWeightDecay(p, 0.1)
    nn.RMSProp(p, 0.1)
    nn.RMSProp(p, 0.1, centered=True)
    nn.FTRL(p)
    nn.Lamb(p, 0.1)
    nn.LazyAdam(p, 0.1)
    nn.ProximalAdagrad(p)
    nn.LARS(nn.Momentum(p, 0.1, 0.9))
"""
OPTIMIZERS = [line.strip() for line in OPTIMIZERS.strip().splitlines()]

CASES = [
    *[Case(f"trained(lambda p: {line})", tolerance=1e-4) for line in OPTIMIZERS],
    *[Case(f"state(lambda p: {line})") for line in OPTIMIZERS],
    *each(
        """
        [p.name for p in nn.Momentum(grouped(Net().trainable_params()), 0.1, 0.9).parameters]
        nn.Momentum(Net().trainable_params(), 0.1, 0.9).is_group
        nn.Momentum(Net().trainable_params(), [0.1, 0.2], 0.9).dynamic_lr
        nn.Momentum(Net().trainable_params(), 0.1, 0.9).loss_scale
        nn.Momentum(Net().trainable_params(), 0.1, 0.9, loss_scale=4.0).reciprocal_scale
        nn.Momentum(Net().trainable_params(), 0.1, 0.9, weight_decay=0.1).weight_decay
        nn.Momentum(Net().trainable_params(), 0.1, 0.9, weight_decay=0.1).decay_flags
        nn.Momentum(Net().trainable_params(), 0.1, 0.9).learning_rate
        nn.Momentum(Net().trainable_params(), 0.1, 0.9).global_step
        nn.Momentum(Net().trainable_params(), 0.1, 0.9).exec_weight_decay
        nn.Adam(Net().trainable_params()).beta1
        nn.Adam(Net().trainable_params()).eps
        nn.SGD(Net().trainable_params()).learning_rate
        repr(nn.Momentum(Net().trainable_params(), 0.1, 0.9))
        repr(nn.Adam(Net().trainable_params()))
        repr(Net())
        repr(nn.WithLossCell(Net(), nn.MSELoss()))
        [name for name, _ in Net().parameters_and_names()]
        [name for name, _ in Net().cells_and_names()]
        list(Net().name_cells())
        [p.name for p in Net().get_parameters()]
        [p.name for p in nn.WithLossCell(Net(), nn.MSELoss()).get_parameters()]
        [p.name for p in nn.TrainOneStepCell(Net(), nn.Momentum(Net().trainable_params(), 0.1, 0.9)).get_parameters()]
        list(Net().parameters_dict())
        [p.name for p in nn.SequentialCell([Net(), nn.Dense(2, 2)]).get_parameters()]
        [p.name for p in nn.CellList([Net(), nn.Dense(2, 2)]).get_parameters()]
        type(Net().fc1.weight).__name__
        repr(Net().fc1.bias)
        str(Net().fc1.bias)
        Net().fc1.bias.name
        Net().fc1.bias.requires_grad
        type(Net().fc1.bias.data).__name__
        Net().training, Net().set_train().training, Net().set_train(False).training
        Net().phase, Net().set_train().phase
        Net().cls_name
        Net().param_prefix, Net().fc1.param_prefix
        Net().to_float(ms.float16).get_flags()
        Net().get_flags()
    """
    ),
    # learning rates as lists
    *each(
        """
        dynamic_lr.piecewise_constant_lr([2, 5, 10], [0.1, 0.05, 0.01])
        dynamic_lr.exponential_decay_lr(0.1, 0.9, 6, 2, 1)
        dynamic_lr.exponential_decay_lr(0.1, 0.9, 6, 2, 1, True)
        dynamic_lr.natural_exp_decay_lr(0.1, 0.9, 6, 2, 2)
        dynamic_lr.natural_exp_decay_lr(0.1, 0.9, 6, 2, 2, True)
        dynamic_lr.inverse_decay_lr(0.1, 0.5, 6, 1, 1)
        dynamic_lr.inverse_decay_lr(0.1, 0.5, 6, 1, 1, True)
        dynamic_lr.cosine_decay_lr(0.01, 0.1, 6, 2, 2)
        dynamic_lr.polynomial_decay_lr(0.1, 0.01, 6, 2, 2, 0.5)
        dynamic_lr.polynomial_decay_lr(0.1, 0.01, 6, 2, 2, 0.5, True)
        dynamic_lr.warmup_lr(0.1, 12, 2, 3)
    """
    ),
    *[
        Case(f"unless_lacking(lambda: [float(run({made}, Tensor(i, ms.int32)).asnumpy()) for i in (0, 1, 3, 7)])")
        for made in (
            "nn.ExponentialDecayLR(0.1, 0.9, 2)",
            "nn.ExponentialDecayLR(0.1, 0.9, 2, True)",
            "nn.NaturalExpDecayLR(0.1, 0.9, 2)",
            "nn.InverseDecayLR(0.1, 0.9, 2, True)",
            "nn.CosineDecayLR(0.01, 0.1, 4)",
            "nn.PolynomialDecayLR(0.1, 0.01, 4, 0.5)",
            "nn.WarmUpLR(0.1, 4)",
        )
    ],
    # losses
    *each(
        """
        run(nn.MSELoss(), x, y)
        run(nn.MSELoss('sum'), x, y)
        run(nn.MSELoss('none'), x, y)
        run(nn.MSELoss(reduction='mean'), x, y)
        run(nn.L1Loss(), x, y)
        run(nn.L1Loss('sum'), x, y)
        run(nn.SmoothL1Loss(), x, y)
        run(nn.SmoothL1Loss(0.5), x, y)
        run(nn.SoftmaxCrossEntropyWithLogits(), x, y)
        run(nn.SoftmaxCrossEntropyWithLogits(reduction='mean'), x, y)
        run(nn.SoftmaxCrossEntropyWithLogits(False, 'sum'), x, y)
        run(nn.CosineEmbeddingLoss(), x, y, Tensor(np.array([1, -1, 1, -1]), ms.int32))
        nn.MSELoss().cls_name, nn.MSELoss().reduction
        nn.SoftmaxCrossEntropyWithLogits().sparse
        nn.SoftmaxCrossEntropyWithLogits().reduction
    """,
        x=rand(4, 3),
        y=rand(4, 3, low=0),
    ),
    *each(
        """
        run(nn.SoftmaxCrossEntropyWithLogits(sparse=True), x, y)
        run(nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction='mean'), x, y)
        run(nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction='sum'), x, y)
        run(nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction='none'), x, y)
    """,
        x=rand(4, 3),
        y=ints(4, low=0, high=3),
    ),
    # metrics
    *each(
        """
        metric(nn.Accuracy(), (P3, [1, 2, 1]))
        metric(nn.Accuracy('classification'), (P3, [1, 2, 1]), (P3, [0, 2, 0]))
        metric(nn.Accuracy('multilabel'), (MULTI, [[0, 1, 1], [1, 0, 0], [1, 0, 0]]))
        metric(nn.Accuracy(), (P3, [[0, 1, 0], [0, 0, 1], [0, 1, 0]]))
        metric(nn.Precision(), (P3, [1, 2, 1]))
        metric(nn.Precision('classification'), (P3, [1, 2, 1]), average=True)
        metric(nn.Precision('multilabel'), (MULTI, [[0, 1, 1], [1, 0, 0], [1, 0, 0]]))
        metric(nn.Recall(), (P3, [1, 2, 1]))
        metric(nn.Recall('classification'), (P3, [1, 2, 1]), average=True)
        metric(nn.Recall('multilabel'), (MULTI, [[0, 1, 1], [1, 0, 0], [1, 0, 0]]))
        metric(nn.F1(), (P3, [1, 2, 1]))
        metric(nn.F1(), (P3, [1, 2, 1]), average=True)
        metric(nn.Fbeta(2.0), (P3, [1, 2, 1]))
        metric(nn.MAE(), ([0.1, 0.2, 0.6], [0.1, 0.25, 0.7]))
        metric(nn.MSE(), ([0.1, 0.2, 0.6], [0.1, 0.25, 0.7]))
        metric(nn.TopKCategoricalAccuracy(2), (P3, [0, 1, 1]))
        metric(nn.Top1CategoricalAccuracy(), (P3, [1, 2, 1]))
        metric(nn.Top5CategoricalAccuracy(), ([[0.1, 0.2, 0.3, 0.15, 0.2, 0.05]], [5]))
        nn.get_metric_fn('accuracy', eval_type='classification').eval_type
        sorted(nn.names())
    """
    ),
    # Model
    *each(
        """
        printed(lambda: model().train(2, data(), callbacks=LossMonitor(), dataset_sink_mode=False))
        printed(lambda: model().train(1, data(), callbacks=[LossMonitor(2)], dataset_sink_mode=False))
        printed(lambda: model().train(1, data(), callbacks=[LossMonitor(per_print_times=3)], dataset_sink_mode=False))
        printed(lambda: model().train(1, data(), callbacks=[TimeMonitor()], dataset_sink_mode=False))
        printed(lambda: model().train(2, data(), callbacks=[TimeMonitor(4), LossMonitor(4)], dataset_sink_mode=False))
        printed(lambda: model().train(2, data(), dataset_sink_mode=False))
        printed(lambda: classifier().train(1, classes(), callbacks=[LossMonitor()], dataset_sink_mode=False))
        printed(lambda: model(loss_scale_manager=FixedLossScaleManager()).train(1, data(), LossMonitor(), False))
        printed(lambda: model(amp_level='O0').train(1, data(), LossMonitor(), False))
        calls()
        calls(1)
        calls(1, sink_size=2)
        evaluated({'acc'})
        evaluated({'accuracy', 'loss'})
        evaluated({'a': nn.Accuracy(), 'l': nn.Loss()})
        evaluated({'top_1_accuracy', 'top_5_accuracy'})
        model().predict(tensor(2, 3))
        Model(fixed(Net())).predict(tensor(2, 3))
        files()
        files(save_checkpoint_steps=3)
        files(save_checkpoint_steps=2, keep_checkpoint_max=2)
        files(save_checkpoint_steps=1, keep_checkpoint_max=1)
        files(1, save_checkpoint_steps=10)
        saved(Net())
        saved(Net(), Net())
        saved(nn.Momentum(Net().trainable_params(), 0.1, 0.9))
        saved([{'name': 'a', 'data': Tensor(np.ones((2, 2)), ms.float32)}, {'name': 'b', 'data': Tensor(3, ms.int32)}])
        saved([{'name': 'a', 'data': Tensor([1.0], ms.float16)}, {'name': 'b', 'data': Tensor(1.5, ms.float32)}])
        saved(nn.WithLossCell(Net(), nn.MSELoss()))
        saved(nn.LSTM(2, 2))['weight'][:2]
        loaded({'fc1.weight': tensor(4, 3)})
        loaded({'fc1.weight': tensor(4, 3), 'other': tensor(2)})
        loaded({'other': tensor(2)})
        loaded({})
        loaded({f'fc{i}.{k}': tensor(*s) for i, k, s in [(1, 'weight', (4, 3)), (1, 'bias', (4,))]})
        CheckpointConfig().save_checkpoint_steps
        CheckpointConfig().keep_checkpoint_max
        CheckpointConfig().integrated_save
        FixedLossScaleManager().get_loss_scale()
        FixedLossScaleManager(8.0).get_drop_overflow_update()
        DynamicLossScaleManager().get_loss_scale()
        DynamicLossScaleManager(1024, 2, 100).get_loss_scale()
    """,
        tolerance=1e-4,
    ),
]
