"""Model without sinks. Judge: MindSpore 2.10 on CPU (values and errors recorded there), except where a test says so."""

import numpy as np
import pytest

from msbridge import nn
from msbridge.core.context import context
from msbridge.core.releases import release
from msbridge.core.tensor.tensor import Tensor
from msbridge.dataset import NumpySlicesDataset
from msbridge.device import ledger
from msbridge.train import Callback, LossMonitor, Model
from tests.train.helpers_model import data, dense, model, momentum


class Stop(Callback):
    """Asks to stop at a moment, and notes what is called."""

    def __init__(self, moment):
        self.calls = []
        setattr(self, moment, lambda run_context: (self.calls.append(moment), run_context.request_stop()))

    def on_train_step_end(self, run_context):
        self.calls.append("step")

    def on_train_epoch_end(self, run_context):
        self.calls.append("epoch")

    def on_train_end(self, run_context):
        self.calls.append("end")


class Peek(Callback):
    """Keeps the parameters at the end of a step."""

    def on_train_step_end(self, run_context):
        self.params = dict(run_context.original_args())

    def on_eval_step_end(self, run_context):
        self.eval_params = dict(run_context.original_args())

    def on_train_epoch_end(self, run_context):
        self.results = run_context.original_args().get("eval_results")


def lines(capsys):
    return capsys.readouterr().out.splitlines()


def test_train_gives_none_and_leaves_the_network_in_training():
    trained = model(metrics={"mse"})
    assert trained.train(1, data(1)) is None
    assert trained._network.training
    trained.eval(data(1))
    assert not trained._network.training


class Evaluates(Callback):
    """Evaluates the network after the first epoch, by a model of its own; notes the modes and the moving mean."""

    def __init__(self, network):
        self.network, self.means, self.modes = network, [], []

    def on_train_step_end(self, run_context):
        self.means.append(float(self.network[0].moving_mean[0]))
        self.modes.append(self.network.training)

    def on_train_epoch_end(self, run_context):
        Model(self.network, nn.MSELoss(), metrics={"loss"}).eval(data(1))


@pytest.mark.parametrize("mode", [context.GRAPH_MODE, context.PYNATIVE_MODE])
def test_an_evaluation_of_the_network_leaves_compiled_training_as_it_was(mode):
    context.set_context(mode=mode)
    network = nn.SequentialCell(nn.BatchNorm1d(3), nn.Dense(3, 1))
    step = nn.TrainOneStepCell(nn.WithLossCell(network, nn.MSELoss()), nn.SGD(network.trainable_params(), 0.01))
    peek = Evaluates(network)
    Model(step).train(2, data(2), callbacks=peek, dataset_sink_mode=False)
    assert peek.modes == [True, True, False, False]
    assert len(set(peek.means)) == (4 if mode == context.GRAPH_MODE else 2)


def test_parameters_that_callbacks_see():
    peek = Peek()
    model().train(1, data(1), callbacks=peek)
    assert sorted(peek.params) == [
        *("batch_num", "cur_epoch_num", "cur_step_num", "dataset_sink_mode", "device_number", "epoch_num"),
        *("initial_step", "last_save_ckpt_step", "latest_ckpt_file", "list_callback", "loss_fn", "loss_scale_mananger"),
        *("mode", "net_outputs", "network", "optimizer", "parallel_mode", "train_dataset", "train_dataset_element"),
        "train_network",
    ]
    assert (peek.params["mode"], peek.params["parallel_mode"]) == ("train", "stand_alone")
    assert type(peek.params["train_network"]).__name__ == "TrainOneStepCell"
    assert isinstance(peek.params["train_dataset_element"], list)


def test_parameters_that_callbacks_see_in_evaluation():
    peek = Peek()
    model(metrics={"mse"}).eval(data(1), callbacks=peek)
    assert sorted(peek.eval_params) == [
        *("batch_num", "cur_step_num", "dataset_sink_mode", "eval_dataset_element", "eval_network"),
        *("list_callback", "mode", "net_outputs", "network", "valid_dataset"),
    ]


def test_networks_of_a_model():
    trained = model(metrics={"mse"})
    kinds = [type(cell).__name__ for cell in (trained.train_network, trained.predict_network, trained.eval_network)]
    assert kinds == ["TrainOneStepCell", "Dense", "WithEvalCell"]
    assert model().eval_network is None


def test_without_optimizer_nothing_changes(capsys):
    network = dense()
    Model(network, nn.MSELoss()).train(1, data(1), callbacks=LossMonitor())
    assert network.weight.asnumpy().tolist() == [[1, 1, 1]]
    assert lines(capsys)[0].startswith("epoch: 1 step: 1, loss is ")


def test_without_loss_the_network_gives_it(capsys):
    network = nn.WithLossCell(dense(), nn.MSELoss())
    Model(network, None, nn.SGD(network.trainable_params(), 0.01)).train(1, data(2), callbacks=LossMonitor())
    assert float(lines(capsys)[0].split()[-1]) == pytest.approx(7.365286827087402)


@pytest.mark.parametrize(
    ("moment", "calls"),
    [
        ("on_train_begin", ["on_train_begin", "step", "epoch", "end"]),
        ("on_train_epoch_begin", ["on_train_epoch_begin", "step", "epoch", "end"]),
        ("on_train_step_begin", ["on_train_step_begin", "step", "epoch", "end"]),
    ],
)
def test_request_to_stop_ends_after_the_step(moment, calls):
    stop = Stop(moment)
    model().train(3, data(3), callbacks=stop)
    assert stop.calls == calls


def test_initial_epoch(capsys):
    model().train(3, data(1), callbacks=LossMonitor(), initial_epoch=2)
    assert [line.split(",")[0] for line in lines(capsys)] == ["epoch: 3 step: 1"]


def test_evaluation():
    network = dense()
    result = Model(network, nn.MSELoss(), metrics={"mse", "mae", "loss"}).eval(data(2))
    assert sorted(result) == ["loss", "mae", "mse"]
    assert result["mse"] == pytest.approx(4.400083422660828)
    assert result["loss"] == pytest.approx(result["mse"])


def test_evaluation_reads_once_per_metric():
    Model(dense(), nn.MSELoss(), metrics={"mse"}).eval(data(4))
    assert (ledger.steps, ledger.host_syncs) == (4, 1)


def test_results_of_fit():
    peek = Peek()
    model(momentum(0.01), metrics={"mse"}).fit(1, data(2), data(2), callbacks=peek)
    assert peek.results == pytest.approx({"mse": 2.5324228405952454, "eval_loss": 1.0280166864395142})


@pytest.mark.parametrize(("frequency", "epochs"), [(2, [2, 4]), ([1, 3], [1, 3])])
def test_when_fit_evaluates(frequency, epochs):
    found = []

    class Note(Callback):
        def on_eval_begin(self, run_context):
            found.append(run_context.original_args().cur_epoch_num)

    model(metrics={"mse"}).fit(4, data(1), data(1), valid_frequency=frequency, callbacks=Note())
    assert found == epochs


def test_stop_in_an_evaluation_of_fit_ends_that_evaluation_only():
    calls = []

    class Note(Callback):
        def on_train_step_end(self, run_context):
            calls.append("train")

        def on_eval_step_end(self, run_context):
            calls.append("eval")
            run_context.request_stop()

    model(metrics={"mse"}).fit(2, data(1), data(2), callbacks=Note())
    assert calls == ["train", "eval"] * 2


def test_custom_eval_network():
    class Eval(nn.Cell):
        def construct(self, x, y):
            return y, y + 1

    assert Model(dense(), metrics={"mse"}, eval_network=Eval()).eval(data(2)) == {"mse": pytest.approx(1.0)}


def test_eval_indexes_choose_outputs():
    class Eval(nn.Cell):
        def construct(self, x, y):
            return y, Tensor(np.float32(3)), y + 2

    result = Model(dense(), metrics={"mse", "loss"}, eval_network=Eval(), eval_indexes=[1, 0, 2]).eval(data(2))
    assert result == {"loss": 3.0, "mse": pytest.approx(4.0)}


def test_predict_switches_to_inference():
    network = dense()
    network.set_train()
    result = Model(network).predict(Tensor(np.ones((2, 3), np.float32)))
    assert result.asnumpy().tolist() == [[3], [3]]
    assert not network.training


def test_dynamic_loss_scale_is_read_when_asked_for():
    from msbridge.train import DynamicLossScaleManager

    manager = DynamicLossScaleManager(2.0**10, 2, 3)
    model(loss_scale_manager=manager).train(1, data(4))
    assert manager.get_loss_scale() == 2.0**11


EMPTY = NumpySlicesDataset((np.zeros((1, 3), "f4"), np.zeros((1, 1), "f4"))).batch(5, drop_remainder=True)
THREE = NumpySlicesDataset((np.zeros((2, 3), "f4"),) * 3).batch(1)
ERRORS = [
    (lambda: Model(1), TypeError, "The type of 'network' should be 'Cell', but got type 'int'."),
    (lambda: Model(dense(), nn.MSELoss(), 3), TypeError, "optimizer"),
    (lambda: Model(dense(), 3), TypeError, "loss_fn"),
    (lambda: Model(dense(), nn.MSELoss(), amp_level="O2"), ValueError, "'optimizer' is None"),
    (lambda: model(amp_level="O9"), ValueError, "The 'level' should be in"),
    (lambda: model(boost_level="x"), ValueError, "boost_level"),
    (lambda: model(foo=1), ValueError, "'foo'"),
    (lambda: model(metrics=["mse"]), TypeError, "None, dict or set"),
    (lambda: model(metrics={"foo"}), KeyError, "unsupported metric foo"),
    (lambda: Model(dense(), metrics={"mse"}), ValueError, "eval_network"),
    (lambda: Model(dense(), metrics={"mse"}, eval_network=dense(), eval_indexes=[0]), ValueError, "eval_indexes"),
    (lambda: model().train(0, data(1)), ValueError, "must be int and must > 0, but got '0'"),
    (lambda: model().train(1.5, data(1)), TypeError, "must be int, but got 'float'"),
    (lambda: model().train(1, [1, 2]), AttributeError, "get_dataset_size"),
    (lambda: model().train(1, data(1), callbacks=[1]), TypeError, "must be Callback"),
    (lambda: model().train(1, data(1), callbacks=1), TypeError, "must be Callback"),
    (lambda: model().train(1, EMPTY), ValueError, "There is no valid data in dataset"),
    (lambda: model().train(1, THREE), ValueError, "should return two elements, but got 3"),
    (lambda: model().train(1, data(1), dataset_sink_mode=1), TypeError, "bool"),
    (lambda: model().train(1, data(1), sink_size=0), ValueError, "must be -1 or positive, but got 0"),
    (lambda: model().train(1, data(1), sink_size=-2), ValueError, "must be -1 or positive, but got -2"),
    (lambda: model().train(1, data(1), sink_size=1.5), TypeError, "int"),
    (lambda: model().train(2, data(1), initial_epoch=2), ValueError, "'initial_epoch' is 2"),
    (lambda: model().train(1, data(1), initial_epoch=-1), ValueError, "must >= 0"),
    (lambda: model().eval(data(1)), ValueError, "'metrics' can not be None or empty"),
    (lambda: model(metrics={"mse"}).eval([1]), AttributeError, "get_dataset_size"),
    (lambda: model(metrics={"mse"}).eval(EMPTY), RuntimeError, "number of samples is 0"),
    (lambda: model().fit(1, data(1), data(1)), ValueError, "metrics"),
    (lambda: model(metrics={"mse"}).fit(1, data(1), data(1), valid_frequency="a"), TypeError, "valid_frequency"),
    (lambda: Model(dense()).predict(np.ones((2, 3), "f4")), TypeError, "wrap it in Tensor"),
    (lambda: Model(dense()).predict(backend="lite"), ValueError, "backend"),
    (lambda: model().build(data(1)), RuntimeError, "only supports Ascend"),
    (lambda: model().infer_train_layout(data(1)), RuntimeError, "semi_auto_parallel"),
]


@pytest.mark.parametrize(("action", "error", "words"), ERRORS)
def test_bad_argument(action, error, words):
    with pytest.raises(error) as caught:
        action()
    assert words in str(caught.value)


def test_callback_with_old_names_is_refused_by_fit():
    class Old(Callback):
        def step_end(self, run_context):
            pass

    with pytest.raises(ValueError, match="step_end"):
        model(metrics={"mse"}).fit(1, data(1), data(1), callbacks=Old())


@pytest.mark.parametrize("name", ["boost_level", "acc_level"])
def test_boost_has_two_names(name):
    assert type(model(**{name: "O1"}).train_network).__name__ == "BoostTrainOneStepCell"


@pytest.mark.parametrize(("version", "sinks"), [("1.1", True), ("2.0", False)])
def test_default_of_sink_mode_by_release(version, sinks, ascend):
    release.set_release(version)
    peek = Peek()
    model().train(1, data(1), callbacks=peek)
    assert peek.params["dataset_sink_mode"] is sinks
