"""Explains the decisions of a classifier on a dataset, and writes what it finds into a folder."""

import copy
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from msbridge.contrib.explainer.batches import Batch, check_labels, read_batch
from msbridge.contrib.explainer.benchmark.localization import Localization
from msbridge.contrib.explainer.benchmark.metric import AttributionMetric, LabelAgnosticMetric, LabelSensitiveMetric
from msbridge.contrib.explainer.explanation.attribution import Attribution
from msbridge.contrib.explainer.explanation.sampling import RISE
from msbridge.contrib.explainer.hierarchy import Searcher, blur_radius
from msbridge.contrib.explainer.pictures import Pictures
from msbridge.contrib.explainer.spread import Spread
from msbridge.converters.messages.summary import Explain
from msbridge.core.checks.arguments import instance
from msbridge.core.runtime.path_mapping import resolve
from msbridge.core.tensor.tensor import Tensor
from msbridge.dataset.engine.dataset import Dataset
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.containers import SequentialCell
from msbridge.train.summary.tensorboard import EventFile

__all__ = ["ImageClassificationRunner"]

OWNER = "ImageClassificationRunner"
DECIDED = 0.5  # the probability of a class that counts as predicted


class ImageClassificationRunner:
    """Explains the decisions of a classifier on a dataset, and writes what it finds into a folder.

    The folder gets the images and the maps as .jpg files (`_explain_TIME/origin_images` and `heatmap`), a
    `manifest.json` that says what is there, and an event file of TensorBoard that has MindSpore's records as texts;
    MindInsight, which read them, is no longer made.

    Args:
        summary_dir: the folder; created if it is missing.
        data: a dataset of batches, and the names of the classes. Its columns are images (n, c, h, w), and perhaps
            labels, and perhaps boxes (n, boxes, 4) of x, y, width and height.
        network: the classifier, which returns logits of shape (n, classes).
        activation_fn: what makes probabilities of logits, such as nn.Softmax().

    Raises:
        TypeError: an argument is of another type.
        ValueError: names are empty or doubled, the dataset is empty or of other columns, or the network has not as many
            classes as there are names.

    Follows: mindspore.explainer.ImageClassificationRunner (1.3), which needs an Ascend or a GPU, and PyNative mode.
    """

    def __init__(self, summary_dir: str, data: tuple[Any, list[str]], network: Cell, activation_fn: Cell) -> None:
        instance(data, "data", OWNER, tuple)
        if len(data) != 2:
            raise ValueError(
                f"For '{OWNER}', data must be a dataset and the names of the classes, got {len(data)} values."
            )
        self._dataset: Any = instance(data[0], "data[0]", OWNER, Dataset)
        self._labels: list[str] = instance(data[1], "data[1]", OWNER, list)
        check_labels(self._labels)
        self._folder = Path(resolve(instance(summary_dir, "summary_dir", OWNER, str)))
        self._network: Cell = instance(network, "network", OWNER, Cell)
        self._activation_fn: Cell = instance(activation_fn, "activation_fn", OWNER, Cell)
        self._full_network = SequentialCell([network, activation_fn])
        self._explainers: list[Attribution] = []
        self._benchmarkers: list[AttributionMetric] = []
        self._spread: Spread | None = None
        self._searcher: Searcher | None = None
        first = next(self._batches(), None)
        if first is None:
            raise ValueError(f"For '{OWNER}', the dataset is empty.")
        classes = self._full_network(Tensor(first.images)).shape[1]
        if classes != len(self._labels):
            raise ValueError(
                f"For '{OWNER}', the network has {classes} classes, and there are {len(self._labels)} names."
            )

    def register_saliency(
        self, explainers: list[Attribution], benchmarkers: list[AttributionMetric] | None = None
    ) -> None:
        """Request maps of the labels of every image, those it has and those predicted.

        Args:
            explainers: methods, of mindspore.explainer.explanation, of different classes, on the same network.
            benchmarkers: measures of them, of mindspore.explainer.benchmark, of different classes.

        Raises:
            TypeError: an argument is of another type.
            ValueError: there is none, a class is there twice, an explainer has another network, or a measure another
                number of classes; or boxes are missing for Localization.
            RuntimeError: it was called before.

        Follows: mindspore.explainer.ImageClassificationRunner.register_saliency (1.3).
        """
        owner = f"{OWNER}.register_saliency"
        if self._explainers:
            raise RuntimeError(f"'{owner}' was called before.")
        for name, objects, base in (
            ("explainers", explainers, Attribution),
            ("benchmarkers", benchmarkers or [], AttributionMetric),
        ):
            instance(objects, name, owner, list)
            for number, each in enumerate(objects):
                instance(each, f"{name}[{number}]", owner, base)
            if len({type(one) for one in objects}) < len(objects):
                raise ValueError(f"For '{owner}', the classes of {name} must differ.")
        if not explainers:
            raise ValueError(f"For '{owner}', there must be an explainer.")
        if any(one.network is not self._network for one in explainers):
            raise ValueError(f"For '{owner}', the explainers must be of the runner's network.")
        for each in benchmarkers or []:
            if isinstance(each, LabelSensitiveMetric) and each.num_labels != len(self._labels):
                raise ValueError(f"For '{owner}', num_labels of {type(each).__name__} must be {len(self._labels)}.")
            if isinstance(each, Localization) and next(self._batches()).boxes is None:
                raise ValueError(f"For '{owner}', Localization needs boxes in the dataset's third column.")
        self._explainers, self._benchmarkers = list(explainers), list(benchmarkers or [])

    def register_hierarchical_occlusion(self) -> None:
        """Request the parts of every image that suffice for the classes that are predicted.

        Raises:
            ValueError: images have not 3 channels, or fewer than 56 pixels along a side.
            RuntimeError: it was called before.

        Follows: mindspore.explainer.ImageClassificationRunner.register_hierarchical_occlusion (1.3).
        """
        owner = f"{OWNER}.register_hierarchical_occlusion"
        if self._searcher is not None:
            raise RuntimeError(f"'{owner}' was called before.")
        shape = next(self._batches()).images.shape
        if shape[1] != 3 or min(shape[2:]) < 56:
            raise ValueError(
                f"For '{owner}', images must have 3 channels and 56 pixels along every side, got {shape[1:]}."
            )
        self._searcher = Searcher(self._full_network)

    def register_uncertainty(self) -> None:
        """Request the standard deviations of probabilities under dropout, with their intervals of 95 %.

        Raises:
            ValueError: the network has no layer nn.Dropout.
            RuntimeError: it was called before.

        Follows: mindspore.explainer.ImageClassificationRunner.register_uncertainty (1.3).
        """
        owner = f"{OWNER}.register_uncertainty"
        if self._spread is not None:
            raise RuntimeError(f"'{owner}' was called before.")
        self._spread = Spread(copy.deepcopy(self._full_network))

    def run(self) -> None:
        """Explain, and write the files.

        Raises:
            ImportError: TensorBoard or Pillow is not installed; for intervals, SciPy.
            RuntimeError: only hierarchical occlusion was asked for, and found nothing.
            ValueError: nothing was registered, or only uncertainty.

        Follows: mindspore.explainer.ImageClassificationRunner.run (1.3).
        """
        if not self._explainers and self._searcher is None:
            raise ValueError(
                f"For '{OWNER}.run', register_saliency or register_hierarchical_occlusion must be called before."
            )
        begin_s = time.time()
        file = EventFile(self._folder, "_MS", None, False)
        pictures = Pictures(self._folder, int(begin_s))
        manifest = dict.fromkeys(("saliency_map", "benchmark", "uncertainty", "hierarchical_occlusion"), False)
        try:
            self._write(file, pictures, manifest)
        finally:
            file.close()
        if not self._explainers and not manifest["hierarchical_occlusion"]:
            raise RuntimeError("Hierarchical occlusion found no parts that suffice, in any image.")
        (pictures.folder / "manifest.json").write_text(json.dumps(manifest, indent=4), encoding="utf-8")
        print(f"Finish running and writing. Total time elapsed: {time.time() - begin_s:.3f} s")  # noqa: T201

    def _batches(self) -> Iterator[Batch]:
        for columns in self._dataset.create_tuple_iterator(num_epochs=1, output_numpy=True):
            yield read_batch(columns, len(self._labels))

    def _write(self, file: EventFile, pictures: Pictures, manifest: dict[str, bool]) -> None:
        def note(name: str, explain: Explain) -> None:
            file.write("explainer", f"explainer/{name}", str(explain), 1)

        names = [[type(one).__name__ for one in group] for group in (self._explainers, self._benchmarkers)]
        metadata = Explain.Metadata(label=self._labels, explain_method=names[0], benchmark_method=names[1])
        note("metadata", Explain(metadata=metadata))
        wanted: list[list[int]] = []
        for batch in self._batches():
            probabilities = self._full_network(Tensor(batch.images)).asnumpy()
            spread = self._spread.of(batch.images) if self._spread else None
            manifest["uncertainty"] |= spread is not None
            for number, image in enumerate(batch.images):
                sample = len(wanted)
                explain, labels = _inference(probabilities[number], batch.labels[number], spread and spread[number])
                explain.sample_id = sample
                note("sample", Explain(sample_id=sample, image_path=pictures.save_image(sample, image)))
                note("inference", explain)
                wanted.append(labels)
                if self._searcher is not None and (found := _parts(self._searcher, image, probabilities[number])):
                    note("hoc", Explain(sample_id=sample, hoc=found))
                    manifest["hierarchical_occlusion"] = True
        for explainer in self._explainers:
            self._explain(explainer, wanted, pictures, note)
            manifest["saliency_map"] |= any(wanted)
            manifest["benchmark"] |= bool(self._benchmarkers)

    def _explain(
        self, explainer: Attribution, wanted: list[list[int]], pictures: Pictures, note: Callable[[str, Explain], None]
    ) -> None:
        method, sample = type(explainer).__name__, 0
        for benchmarker in self._benchmarkers:
            benchmarker.reset()  # type: ignore[attr-defined]  # both kinds of measures have it
        for batch in self._batches():
            for number, image in enumerate(batch.images):
                labels, single = wanted[sample], Tensor(image[None])
                maps = _maps(explainer, single, labels)
                explain = Explain(sample_id=sample)
                for label, saliency in maps.items():
                    path = pictures.save_map(method, sample, label, saliency.asnumpy()[0, 0])
                    explain.explanation.add(explain_method=method, label=label, heatmap_path=path)
                note("explanation", explain)
                for benchmarker in self._benchmarkers:
                    _measure(benchmarker, explainer, single, maps, batch.mask_of(number))
                sample += 1
        if self._benchmarkers:
            note("benchmark", Explain(benchmark=[_score(one, method) for one in self._benchmarkers]))


def _inference(probabilities: np.ndarray, labels: list[int], spread: Any) -> tuple[Explain, list[int]]:
    """Return the record of an image's probabilities, and the labels that it has or is predicted to have."""
    predicted = [int(one) for one in (probabilities > DECIDED).nonzero()[0]]
    explain = Explain(ground_truth_label=labels)
    record = explain.inference
    record.predicted_label.extend(predicted)
    for name, chosen in (("ground_truth", labels), ("predicted", predicted)):
        getattr(record, f"{name}_prob").extend(float(probabilities[one]) for one in chosen)
        if spread is not None:
            for kind, values in spread.of(probabilities).items():
                getattr(record, f"{name}_prob_{kind}").extend(float(values[one]) for one in chosen)
    return explain, sorted({*labels, *predicted})


def _parts(searcher: Searcher, image: np.ndarray, probabilities: np.ndarray) -> list[Any]:
    layers_of_label = []
    for label in (probabilities > searcher.threshold).nonzero()[0]:
        if findings := searcher.search(image, int(label)):
            layers = [
                Explain.HocLayer(prob=one.output, box=[side for box in one.boxes for side in box]) for one in findings
            ]
            layers_of_label.append(Explain.Hoc(label=int(label), mask=f"gaussian:{blur_radius(image)}", layer=layers))
    return layers_of_label


def _maps(explainer: Attribution, image: Tensor, labels: list[int]) -> dict[int, Tensor]:
    if isinstance(explainer, RISE) and labels:  # its masks serve all labels
        maps = explainer(image, Tensor(np.array([labels], np.int32))).asnumpy()
        return {label: Tensor(maps[:, place : place + 1]) for place, label in enumerate(labels)}
    return {label: explainer(image, label) for label in labels}


def _measure(
    benchmarker: Any, explainer: Attribution, image: Tensor, maps: dict[int, Tensor], masks: dict[int, np.ndarray]
) -> None:
    if isinstance(benchmarker, LabelAgnosticMetric):
        benchmarker.aggregate(benchmarker.evaluate(explainer, image))  # type: ignore[attr-defined]
        return
    for label, saliency in maps.items():
        if isinstance(benchmarker, Localization):
            if label in masks:
                result = benchmarker.evaluate(explainer, image, label, saliency, masks[label])
                benchmarker.aggregate(result, label)
        else:
            benchmarker.aggregate(benchmarker.evaluate(explainer, image, label, saliency), label)


def _score(benchmarker: Any, method: str) -> Any:
    scores = benchmarker.class_performances if isinstance(benchmarker, LabelSensitiveMetric) else []
    return Explain.Benchmark(
        benchmark_method=type(benchmarker).__name__,
        explain_method=method,
        total_score=benchmarker.performance,
        label_score=scores,
    )
