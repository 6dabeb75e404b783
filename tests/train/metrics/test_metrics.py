"""Metrics. Judge: MindSpore 2.10 on CPU (values recorded there), except where a test says otherwise."""

import pickle

import numpy as np
import pytest

from msbridge import nn
from msbridge.core.runtime.device_to_host import link
from msbridge.core.tensor.tensor import Tensor
from msbridge.dataset import NumpySlicesDataset
from msbridge.device import ledger
from msbridge.train import Model, metrics
from msbridge.train.metrics import Accuracy, Loss, Metric
from msbridge.train.metrics.metric import EvaluationBase

SCORES = [[0.2, 0.5], [0.3, 0.1], [0.9, 0.6]]
CLASSES = [1, 0, 1]
ONE_HOT = [[0, 1], [1, 0], [0, 1]]
LABELS = [[1, 0, 1], [0, 1, 1]]
TRUE_LABELS = [[1, 0, 1], [1, 1, 1]]
CORPUS = [["i", "have", "a", "pen"]], [[["i", "have", "a", "desk"], ["there", "is", "a", "pen"]]]
MAPS = [[0.2, 0.5], [0.3, 0.1]], [[0, 1], [1, 0]]


def tensor(values):
    array = np.array(values)
    return Tensor(array.astype(np.float32 if array.dtype.kind == "f" else np.int32))


def evaluate(metric, *batches, **arguments):
    for batch in batches:
        metric.update(*map(tensor, batch))
    return metric.eval(**arguments)


VALUES = [
    (Accuracy(), [(SCORES, CLASSES)], {}, 2 / 3),
    (Accuracy(), [(SCORES, ONE_HOT)], {}, 2 / 3),
    (Accuracy(), [([[[0.1, 0.9], [0.8, 0.3]]], [[1, 0]])], {}, 1.0),
    (Accuracy("multilabel"), [(LABELS, TRUE_LABELS)], {}, 0.5),
    (Accuracy("multilabel"), [([[[1, 0], [0, 1]]], [[[1, 0], [0, 0]]])], {}, 0.5),
    (Loss(), [([3.0, 4.0, 5.0],), (0.0,)], {}, 2.0),
    (metrics.MSE(), [([1.0, 2.0], [0.0, 0.0])], {}, 2.5),
    (metrics.MSE(), [([[1.0, 2.0]], [[0.0, 0.0]])], {}, 5.0),
    (metrics.MAE(), [([1.0, 2.0], [0.0, 0.0])], {}, 1.5),
    (metrics.MAE(), [([[1.0, 1.0, 1.0]] * 2, [0.0] * 6)], {}, 1.0),
    (metrics.Top1CategoricalAccuracy(), [(SCORES, CLASSES)], {}, 2 / 3),
    (metrics.TopKCategoricalAccuracy(2), [(SCORES, CLASSES)], {}, 1.0),
    (metrics.TopKCategoricalAccuracy(1), [(SCORES, ONE_HOT)], {}, 2 / 3),
    (metrics.TopKCategoricalAccuracy(2), [([[0.2, 0.2, 0.2]], [2])], {}, 0.0),
    (metrics.Top5CategoricalAccuracy(), [([[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]], [0])], {}, 0.0),
    (metrics.Precision(), [(SCORES, CLASSES)], {}, [0.5, 1.0]),
    (metrics.Precision(), [(SCORES, CLASSES)], {"average": True}, 0.75),
    (metrics.Precision("multilabel"), [(LABELS, TRUE_LABELS)], {}, [1.0, 1.0]),
    (metrics.Recall(), [(SCORES, CLASSES)], {}, [1.0, 0.5]),
    (metrics.Recall("multilabel"), [(LABELS, TRUE_LABELS)], {}, [1.0, 2 / 3]),
    (metrics.Recall("multilabel"), [(LABELS, TRUE_LABELS)], {"average": True}, 5 / 6),
    (metrics.F1(), [(SCORES, CLASSES)], {}, [2 / 3, 2 / 3]),
    (metrics.Fbeta(2), [(SCORES, CLASSES)], {}, [5 / 6, 5 / 9]),
    (metrics.Fbeta(1), [(SCORES, [0, 0, 1])] * 2, {}, [0.5, 0.0]),
    (metrics.ConfusionMatrix(2), [([1, 0, 1, 0], [1, 0, 0, 1])], {}, [[1, 1], [1, 1]]),
    (metrics.ConfusionMatrix(2), [(SCORES, CLASSES)], {}, [[1, 0], [1, 1]]),
    (metrics.ConfusionMatrix(2), [([0.2, 0.7, 0.5], CLASSES)], {}, [[0, 1], [1, 1]]),
    (metrics.ConfusionMatrix(2, "all"), [([1, 0, 1, 0], [1, 0, 0, 1])], {}, [[0.25, 0.25], [0.25, 0.25]]),
    (metrics.ConfusionMatrix(3, "target"), [([0, 2, 1], [1, 2, 2])], {}, [[0, 0, 0], [1, 0, 0], [0, 0.5, 0.5]]),
    (metrics.ConfusionMatrix(2, "prediction"), [(SCORES, CLASSES)], {}, [[0.5, 0], [0.5, 1]]),  # numpy: column sums
    (metrics.Dice(), [MAPS], {}, 0.3347266357603528),
    (metrics.Perplexity(), [(SCORES, CLASSES)], {}, 2.2314431850023855),
    (metrics.Perplexity(0), [(SCORES, CLASSES)], {}, 1.8257418694340384),
]


@pytest.mark.parametrize(("metric", "batches", "arguments", "expected"), VALUES)
def test_value(metric, batches, arguments, expected):
    metric.clear()
    assert np.allclose(evaluate(metric, *batches, **arguments), expected, atol=1e-7)


def test_result_is_a_number_of_numpy():
    result = evaluate(Accuracy(), (SCORES, CLASSES))
    assert type(result) is np.float64
    assert result.item() == 2 / 3


def test_results_of_a_model_print_plainly():
    model = Model(nn.ReLU(), nn.MSELoss(), metrics={"mse"})
    results = model.eval(NumpySlicesDataset((np.float32([[1.0]]), np.float32([[3.0]])), ["x", "y"]).batch(1))
    assert repr(results) == "{'mse': 4.0}"
    restored = pickle.loads(pickle.dumps(results))["mse"]
    assert {type(results["mse"]).__name__, type(restored).__name__} == {"float64"}


def test_clear_starts_again():
    metric = Accuracy()
    evaluate(metric, (SCORES, CLASSES))
    metric.clear()
    assert evaluate(metric, (SCORES[:1], CLASSES[:1])) == 1.0


@pytest.mark.parametrize("inputs", [(np.array(SCORES), np.array(CLASSES)), (SCORES, CLASSES)])
def test_arrays_and_lists_are_taken(inputs):
    metric = Accuracy()
    metric.update(*inputs)
    assert metric.eval() == pytest.approx(2 / 3)


def test_updates_make_the_host_wait_for_nothing():
    metric = Accuracy()
    for _ in range(3):
        link.count_step()
        metric.update(tensor(SCORES), tensor(ONE_HOT))
    assert ledger.host_syncs == 0
    metric.eval()
    assert ledger.host_syncs == 1


ERRORS = [
    (Accuracy, (), [(SCORES,)], ValueError, "needs 2 inputs"),
    (Accuracy, (), [(SCORES, [1, 0])], ValueError, "shape"),
    (Accuracy, (), [([0.1, 0.9], [0, 1])], ValueError, "dimension"),
    (Accuracy, (), [(SCORES, CLASSES), ([[1.0] * 4] * 3, CLASSES)], ValueError, "2 classes, but current"),
    (Accuracy, (), [(SCORES, [[1, 1], [1, 0], [0, 1]])], ValueError, "one-hot"),
    (Accuracy, ("multilabel",), [(SCORES, CLASSES)], ValueError, "multilabel"),
    (Accuracy, ("multilabel",), [(SCORES, ONE_HOT)], ValueError, "0 or 1"),
    (Accuracy, (), [], RuntimeError, "number of samples is 0"),
    (Loss, (), [], RuntimeError, "number of samples is 0"),
    (Loss, (), [([[2.0]],)], ValueError, "dimension"),
    (Loss, (), [(1.0, 1.0)], ValueError, "1 input"),
    (metrics.MSE, (), [([1.0, 2.0], [1.0, 2.0, 3.0])], ValueError, "elements"),
    (metrics.MAE, (), [], RuntimeError, "number of samples is 0"),
    (metrics.TopKCategoricalAccuracy, (5,), [(SCORES, CLASSES)], ValueError, "at least 5"),
    (metrics.TopKCategoricalAccuracy, (1,), [], RuntimeError, "number of samples is 0"),
    (metrics.Precision, (), [], RuntimeError, "number of samples is 0"),
    (metrics.Precision, (), [(SCORES, [0, 0, 5])], ValueError, "classes"),
    (metrics.F1, (), [], RuntimeError, "number of samples is 0"),
    (metrics.ConfusionMatrix, (2,), [], RuntimeError, "update"),
    (metrics.ConfusionMatrix, (2,), [([[[1]]], [1])], ValueError, "axes"),
    (metrics.Dice, (), [(SCORES, CLASSES)], ValueError, "same shape"),
    (metrics.Dice, (), [], RuntimeError, "number of samples is 0"),
    (metrics.ROC, (), [], RuntimeError, "update"),
    (metrics.ROC, (None, 1), [(SCORES, CLASSES)], ValueError, "pos_label"),
    (metrics.Perplexity, (), [(SCORES, [1])], RuntimeError, "shape"),
    (metrics.Perplexity, (), [], RuntimeError, "number of samples is 0"),
]


@pytest.mark.parametrize(("kind", "arguments", "batches", "error", "words"), ERRORS)
def test_bad_input(kind, arguments, batches, error, words):
    with pytest.raises(error, match=words):
        evaluate(kind(*arguments), *batches)


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: Accuracy("foo"), TypeError, "eval_type"),
        (lambda: metrics.Fbeta(0), ValueError, "beta"),
        (lambda: metrics.TopKCategoricalAccuracy(0), ValueError, "at least 1"),
        (lambda: metrics.TopKCategoricalAccuracy(1.5), TypeError, "int"),
        (lambda: metrics.ConfusionMatrix("a"), TypeError, "num_classes"),
        (lambda: metrics.ConfusionMatrix(2, "foo"), ValueError, "normalize"),
        (lambda: metrics.ConfusionMatrix(2, "no_norm", 1), TypeError, "threshold"),
        (lambda: metrics.Dice("a"), TypeError, "smooth"),
        (lambda: metrics.ROC("a"), TypeError, "class_num"),
        (lambda: metrics.Perplexity("a"), TypeError, "ignore_label"),
        (lambda: metrics.CosineSimilarity("foo"), ValueError, "similarity"),
        (lambda: metrics.BleuScore(5), ValueError, "n_gram"),
        (lambda: Accuracy().set_indexes([0, "a"]), ValueError, "indexes"),
        (lambda: Accuracy().update(1, 2), TypeError, "must be tensor, list or numpy.ndarray"),
        (lambda: evaluate(metrics.F1(), (SCORES, CLASSES), average=1), TypeError, "average"),
        (lambda: metrics.get_metric_fn("foo"), KeyError, "unsupported metric foo"),
        (lambda: metrics.get_metrics(["mse"]), TypeError, "None, dict or set"),
        (lambda: metrics.get_metrics({"mine": 1}), TypeError, "must be Metric"),
        (Metric, TypeError, "abstract"),
    ],
)
def test_bad_argument(make, error, words):
    with pytest.raises(error, match=words):
        make()


def test_roc_of_two_classes():
    curve = evaluate(metrics.ROC(pos_label=1), ([0.28, 0.55, 0.15, 0.05], [0, 1, 1, 0]))
    expected = [0, 0, 0.5, 0.5, 1], [0, 0.5, 0.5, 1, 1], [1.55, 0.55, 0.28, 0.15, 0.05]
    assert all(np.allclose(found, wanted) for found, wanted in zip(curve, expected, strict=True))


def test_roc_of_several_classes_judges_each_by_its_column():
    """Judge: the curve of each column alone. MindSpore reshapes the scores wrongly unless they are square."""
    rates = evaluate(metrics.ROC(2), (SCORES, CLASSES))
    alone = evaluate(metrics.ROC(pos_label=1), ([0.5, 0.1, 0.6], CLASSES))
    assert all(np.allclose(found[1], wanted) for found, wanted in zip(rates, alone, strict=True))


def test_auc():
    x, y = np.array([0, 1.0, 0.5]), np.array([0.0, 1.0, 0.5])
    assert metrics.auc(x, y, reorder=True) == 0.5
    with pytest.raises(ValueError, match="increasing or decreasing"):
        metrics.auc(x, y)
    with pytest.raises(TypeError, match=r"np\.ndarray"):
        metrics.auc([0, 1], [0, 1])


def test_bleu():
    metric = metrics.BleuScore(2, smooth=True)
    metric.update(*CORPUS)
    assert metric.eval() == 1.0


def test_cosine_similarity():
    metric = metrics.CosineSimilarity()
    metric.update(np.array([[1.0, 2.0], [3.0, 1.0]]))
    assert np.allclose(metric.eval(), [[0, 0.70710678], [0.70710678, 0]])


def test_indexes_choose_inputs():
    metric = metrics.MSE().set_indexes([0, 2])
    assert metric.indexes == [0, 2]
    assert evaluate(metric, ([1.0], [3.0], [4.0])) == 9.0


def test_own_metric_gets_arrays():
    class Largest(Metric):
        def clear(self):
            self.largest = 0

        @metrics.rearrange_inputs
        def update(self, *inputs):
            self.largest = max(self.largest, self._convert_data(inputs[0]).max())

        def eval(self):
            return self.largest

    metric = Largest()
    metric.clear()
    assert evaluate(metric.set_indexes([1]), (SCORES, CLASSES)) == 1


def test_every_name_has_a_metric():
    assert {name for name in metrics.names() if name not in ("auc", "topk", "confusion_matrix")} == {
        name
        for name in metrics.names()
        if name not in ("auc", "topk", "confusion_matrix") and isinstance(metrics.get_metric_fn(name), Metric)
    }
    assert metrics.get_metric_fn("topk", k=3).k == 3


@pytest.mark.parametrize(
    ("kind", "predictions", "labels"),
    [("classification", (1, 2, 3), (1, 3)), ("multilabel", (2, 3), (2, 3))],
)
def test_base_of_evaluations(kind, predictions, labels):
    class Mine(EvaluationBase):
        def clear(self):
            self.seen = 0

        def update(self, *inputs):
            self._check_shape(*inputs)
            self._check_value(*inputs)
            self.seen += 1

        def eval(self):
            return self.seen

    metric = Mine(kind)
    metric.clear()
    metric.update(np.ones(predictions), np.zeros(labels))
    assert metric.eval() == 1
    with pytest.raises(ValueError, match="shape"):
        metric.update(np.ones(predictions), np.zeros((4, 4)))
    if kind == "multilabel":
        with pytest.raises(ValueError, match="0 or 1"):
            metric.update(np.full(predictions, 2), np.zeros(labels))
    with pytest.raises(TypeError, match="eval_type"):
        Mine("regression")
