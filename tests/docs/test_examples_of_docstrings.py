"""The examples of docstrings run and print what they say; the names that public scripts use most have one.

A name is resolved in MindSpore's modules, as a script does.
"""

import doctest
import inspect
import os
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from msbridge.core.context.context import preserve_context

MOST_USED = """
CheckpointConfig FixedLossScaleManager LossMonitor Model ModelCheckpoint Parameter ParameterTuple Profiler TimeMonitor
Callback get_auto_parallel_context get_context load_checkpoint load_param_into_net reset_auto_parallel_context
save_checkpoint set_auto_parallel_context set_context set_seed
common.initializer.initializer common.initializer.TruncatedNormal communication.get_group_size communication.get_rank
communication.init dataset.ImageFolderDataset
dataset.GeneratorDataset dataset.MindDataset dataset.transforms.TypeCast dataset.vision.CenterCrop dataset.vision.Decode
dataset.vision.HWC2CHW dataset.vision.Normalize dataset.vision.RandomHorizontalFlip dataset.vision.Rescale
dataset.vision.Resize mindrecord.FileWriter
nn.Adam nn.AvgPool2d nn.BatchNorm2d nn.Cell nn.CellList nn.ClipByNorm nn.Conv2d nn.Conv2dTranspose nn.Dense
nn.DistributedGradReducer nn.Dropout
nn.Embedding nn.Flatten nn.LayerNorm nn.LeakyReLU nn.LossBase nn.MaxPool2d nn.Momentum nn.ReLU nn.SGD nn.SequentialCell
nn.Sigmoid nn.Softmax nn.SoftmaxCrossEntropyWithLogits nn.TrainOneStepCell
ops.Add ops.BatchMatMul ops.Cast ops.Concat ops.DType ops.ExpandDims ops.Fill ops.GradOperation ops.HyperMap ops.MatMul
ops.Mul ops.MultitypeFuncGraph ops.OneHot ops.ReLU ops.ReduceMean ops.ReduceSum ops.Reshape ops.Select ops.Shape
ops.Split ops.Squeeze ops.Tile ops.Transpose ops.assign ops.cast ops.clip_by_value ops.depend ops.dtype ops.reshape
ops.shape ops.stop_gradient ops.tuple_to_array value_and_grad
Tensor.argmax Tensor.astype Tensor.max Tensor.mean Tensor.reshape Tensor.split Tensor.sum Tensor.transpose Tensor.view
"""


def find(path: str) -> Any:
    """Return what a name of the package leads to."""
    value: Any = import_module("mindspore")
    for name in path.split("."):
        value = getattr(value, name)
    return value


@pytest.fixture
def names(mindspore_is_msbridge: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """The names that examples take for granted; they run in an empty folder, and leave the context as it was."""
    monkeypatch.chdir(tmp_path)
    mindspore = import_module("mindspore")
    with preserve_context():
        yield {
            "initializer": import_module("mindspore.common.initializer").initializer,
            "ds": import_module("mindspore.dataset"),
            "FileWriter": import_module("mindspore.mindrecord").FileWriter,
            "ms": mindspore,
            "mint": mindspore.mint,
            "nn": mindspore.nn,
            "np": np,
            "ops": mindspore.ops,
            "os": os,
            "Parameter": mindspore.Parameter,
            "Tensor": mindspore.Tensor,
            "transforms": import_module("mindspore.dataset.transforms"),
            "vision": import_module("mindspore.dataset.vision"),
        }


@pytest.mark.parametrize("name", [*MOST_USED.split(), pytest.param("export", marks=pytest.mark.compiles)])
def test_examples_print_what_they_say(name: str, names: dict[str, Any]) -> None:
    value, last = find(name), name.rpartition(".")[2]
    example = doctest.DocTestParser().get_doctest(inspect.getdoc(value) or "", names | {last: value}, name, None, 0)
    assert example.examples, "it has no example"
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    said: list[str] = []
    runner.run(example, out=said.append)
    assert not runner.failures, "".join(said)
