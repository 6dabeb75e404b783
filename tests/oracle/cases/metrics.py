"""Metrics: what they count, over one and several updates, and what they refuse."""

import mindspore as ms
from mindspore import Tensor, train

from tests.oracle.case import Case, each

SCORES = Tensor([[0.1, 0.6, 0.3], [0.7, 0.2, 0.1], [0.2, 0.3, 0.5], [0.3, 0.4, 0.3]])
LABELS = Tensor([1, 0, 1, 1], ms.int32)
ONE_HOT = Tensor([[0, 1, 0], [1, 0, 0], [0, 1, 0], [0, 1, 0]], ms.int32)


def after(metric: train.Metric, *updates: tuple) -> object:
    """Clear, update, evaluate."""
    metric.clear()
    for update in updates:
        metric.update(*update)
    return metric.eval()


class Largest(train.Metric):
    """A user's own metric."""

    def __init__(self) -> None:
        super().__init__()
        self.clear()

    def clear(self) -> None:
        self.largest = 0.0

    def update(self, *inputs: object) -> None:
        self.largest = max(self.largest, float(self._convert_data(inputs[0]).max()))

    def eval(self) -> float:
        return self.largest


TWICE = "(SCORES, LABELS), (SCORES[:2], LABELS[2:])"
CASES = [
    *each(f"""
        after(train.Accuracy(), (SCORES, LABELS))
        after(train.Accuracy(), {TWICE})
        after(train.Accuracy(), (SCORES, ONE_HOT))
        after(train.Accuracy('classification'), (SCORES.asnumpy(), LABELS.asnumpy()))
        after(train.Accuracy('multilabel'), (Tensor([[0, 1, 1], [1, 0, 0]]), Tensor([[0, 1, 1], [1, 0, 1]])))
        after(train.Loss(), (Tensor(2.0),), (Tensor([4.0]),))
        after(train.Loss(), (Tensor([1.0, 2.0]),))
        after(train.MAE(), (Tensor([1.0, 2.0]), Tensor([2.0, 4.0])), (Tensor([0.0]), Tensor([3.0])))
        after(train.MSE(), (Tensor([1.0, 2.0]), Tensor([2.0, 4.0])), (Tensor([0.0]), Tensor([3.0])))
        after(train.MAE(), (Tensor([[1.0, 2.0]]), Tensor([[2.0, 4.0]])))
        after(train.Top1CategoricalAccuracy(), {TWICE})
        after(train.TopKCategoricalAccuracy(2), {TWICE})
        after(train.TopKCategoricalAccuracy(k=3), (SCORES, ONE_HOT))
        after(train.Top5CategoricalAccuracy(), (Tensor(np.arange(12).reshape(2, 6) % 5, ms.float32), Tensor([0, 4])))
        after(train.Precision(), (SCORES, LABELS))
        after(train.Precision(), {TWICE})
        after(train.Recall(), {TWICE})
        after(train.F1(), {TWICE})
        after(train.Fbeta(2), {TWICE})
        after(train.Precision('multilabel'), (Tensor([[0, 1, 1], [1, 0, 0]]), Tensor([[0, 1, 1], [1, 0, 1]])))
        after(train.Recall('multilabel'), (Tensor([[0, 1, 1], [1, 0, 0]]), Tensor([[0, 1, 1], [1, 0, 1]])))
        after(train.Perplexity(), (SCORES, LABELS))
        after(train.ConfusionMatrix(3), (Tensor([0, 1, 2, 1]), Tensor([0, 1, 1, 1])))
        after(train.ConfusionMatrix(3), (SCORES, LABELS)), after(train.ConfusionMatrix(3), {TWICE})
        after(train.ConfusionMatrix(2), (Tensor([0.2, 0.9, 0.5]), Tensor([1, 0, 1])))
        after(train.ConfusionMatrix(2, threshold=0.3), (Tensor([0.2, 0.9, 0.3]), Tensor([1.0, 0.0, 1.0])))
        after(train.ConfusionMatrix(2, 'all'), (Tensor([0.2, 1.9, 0.5]), Tensor([1, 0, 1])))
        after(train.CosineSimilarity(), (np.array([[1.0, 2.0], [3.0, 4.0]]),))
        after(train.Dice(), (Tensor([[0.2, 0.5], [0.3, 0.1]]), Tensor([[0, 1], [1, 0]])))
        after(train.BleuScore(n_gram=2), ([['a', 'b', 'c']], [[['a', 'b', 'd']]]))
        after(Largest(), (Tensor([1.0, 5.0]),), (Tensor([3.0]),))
        after(train.Accuracy().set_indexes([1, 0]), (LABELS, SCORES))
        (lambda m: (after(m, (SCORES, LABELS)), m.clear(), after(m, (SCORES[:2], LABELS[:2]))))(train.Accuracy())
        type(train.get_metric_fn('accuracy')).__name__, type(train.get_metric_fn('loss')).__name__
        [type(train.get_metric_fn(n)).__name__ for n in ('acc', 'mae', 'mse', 'F1', 'precision', 'recall')]
        [type(train.get_metric_fn(n)).__name__ for n in ('top_1_accuracy', 'top_5_accuracy')]
        nn.Accuracy is train.Accuracy
        issubclass(nn.Accuracy, nn.Metric)
    """),
    *each(
        """
        train.Accuracy().eval()
        train.Loss().eval()
        train.MSE().eval()
        train.TopKCategoricalAccuracy(2).eval()
        train.Precision().eval()
    """,
        raises=RuntimeError,
    ),
    *each(
        """
        after(train.Accuracy(), (SCORES,))
        after(train.Loss(), (Tensor(1.0), Tensor(2.0)))
        after(train.MSE(), (Tensor([1.0]),))
        after(train.Accuracy(), (SCORES, LABELS[:2]))
        train.TopKCategoricalAccuracy(0)
        after(train.ConfusionMatrix(2), (Tensor([0, 1, 5]), Tensor([1, 0, 0])))
        after(train.ConfusionMatrix(2), (Tensor([1, 0, 0]), Tensor([0, 1, 5])))
        after(train.ConfusionMatrix(2), (Tensor([1, 0, 0]), Tensor([0, -1, 1])))
    """,
        raises=ValueError,
    ),
    *each(
        """
        train.TopKCategoricalAccuracy(2.5)
        train.Accuracy('foo')
        after(train.Accuracy(), ('a', 'b'))
    """,
        raises=TypeError,
    ),
    Case("train.get_metric_fn('foo')", raises=KeyError, says="foo"),
]
