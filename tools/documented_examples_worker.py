"""Run examples, each in a fork of this process; the releases' own interpreters, from Python 3.7 on, run this file.

python documented_examples_worker.py PRELUDE EXAMPLES RESULTS SEED
"""

import contextlib
import importlib
import io
import json
import os
import re
import signal
import sys
import warnings
from pathlib import Path

LIMIT_S = 60
IMPORTS = """import mindspore; import mindspore as ms; import numpy as np; from mindspore import *
import mindspore.nn as nn; import mindspore.ops as ops; import mindspore.numpy as mnp; import mindspore.scipy as scipy
from mindspore import Tensor, Parameter, ParameterTuple, context; import mindspore.common.dtype as mstype
import mindspore.ops.functional as F; from mindspore.ops import composite as C
from mindspore.ops import operations as P; from mindspore.ops.operations import nn_ops
from mindspore.ops.composite import GradOperation, MultitypeFuncGraph; from mindspore.ops import Primitive
import mindspore.dataset as ds; import mindspore.dataset.vision as vision; import mindspore.dataset.text as text
import mindspore.dataset.transforms as transforms; import mindspore.dataset.audio as audio
import mindspore.dataset.audio.transforms as audio; import mindspore.dataset.transforms as data_transforms
import mindspore.dataset.vision.c_transforms as c_vision; import mindspore.dataset.vision.py_transforms as py_vision
import mindspore.dataset.transforms.c_transforms as c_transforms
import mindspore.dataset.transforms.py_transforms as py_transforms
from mindspore.dataset.vision import Border, Inter; from mindspore.dataset.text import JiebaMode, NormalizeForm
from mindspore.common.initializer import initializer, One; from mindspore.train import Model; from mindspore import amp
import mindspore.nn.probability.distribution as msd; import mindspore.nn.probability.bijector as msb
from mindspore.communication import init"""
DEVICE = re.compile(r"(device_target\s*=\s*)([\"'])(?:Ascend|GPU)\2")


def names():
    """Return what examples take for granted: imports, a network of theirs, data."""
    known = {"__name__": "__main__"}
    for line in IMPORTS.splitlines():
        for each in line.split("; "):
            with contextlib.suppress(Exception):
                exec(each, known)
    network = network_class(known["nn"])
    known.update(Net=network, LeNet5=network, LeNet=network)
    return known


def network_class(nn):
    """Return a class of networks with layers that examples group by the names of their parameters."""

    class Net(nn.Cell):
        def __init__(self, num_class=10, num_channel=1):
            super().__init__()
            self.conv1 = nn.Conv2d(num_channel, 6, 5, pad_mode="valid")
            self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid")
            self.fc1 = nn.Dense(400, 120)
            self.fc2 = nn.Dense(120, 84)
            self.fc3 = nn.Dense(84, num_class)
            self.relu = nn.ReLU()
            self.max_pool2d = nn.MaxPool2d(kernel_size=2, stride=2)
            self.flatten = nn.Flatten()

        def construct(self, x):
            x = self.max_pool2d(self.relu(self.conv1(x)))
            x = self.flatten(self.max_pool2d(self.relu(self.conv2(x))))
            return self.fc3(self.relu(self.fc2(self.relu(self.fc1(x)))))

    return Net


def data(known):
    """Add the datasets that examples take for granted: images in folders, lines of text, columns of numbers."""
    ds, folder = known["ds"], Path(os.environ["EXAMPLES_DATA"])
    images, lines = str(folder / "images"), str(folder / "text.txt")
    known.update(image_folder_dataset_dir=images, text_file_dataset_dir=lines)
    rows = [[1, 2], [3, 4], [5, 6], [7, 8]]
    with contextlib.suppress(Exception):
        known["image_folder_dataset"] = ds.ImageFolderDataset(images, shuffle=False)
    with contextlib.suppress(Exception):
        known["text_file_dataset"] = ds.TextFileDataset(lines, shuffle=False)
    with contextlib.suppress(Exception):
        for name in (
            "dataset",
            "dataset_1",
            "dataset_2",
            "dataset1",
            "dataset2",
            "data",
            "data1",
            "data2",
            "ds1",
            "ds2",
        ):
            column = {"dataset_2": "column2", "dataset2": "column2"}.get(name, "column1")
            known[name] = ds.NumpySlicesDataset(rows, column_names=[column], shuffle=False)


def seed(known, number):
    """Begin all draws at a seed; numpy's are the same for every seed."""
    with contextlib.suppress(Exception):
        known["ms"].set_seed(number)
    known["np"].random.seed(0)


def run(example, known):
    """Return what the statements of an example print, or the error that ends it."""
    known = dict(known)
    with contextlib.suppress(Exception):
        module = importlib.import_module("mindspore." + example["module"])
        known.setdefault(example["name"], getattr(module, example["name"]))
    with contextlib.suppress(Exception):
        data(known)
    printed, path = [], str(Path("example.py").absolute())
    sources = [DEVICE.sub(r"\1\2CPU\2", each) for each in example["code"]]
    Path(path).write_text("".join(sources), encoding="utf-8")  # compilers of graphs look sources up
    before = 0
    for code in sources:
        shown = io.StringIO()
        try:
            with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(io.StringIO()):
                exec(compile("\n" * before + code, path, "single"), known)
        except BaseException as error:
            return f"{type(error).__name__}: {error}"[:200]
        printed.append(shown.getvalue())
        before += code.count("\n")
    return printed


def main():
    """Run all examples and note their results."""
    prelude, examples, results, number = sys.argv[1:]
    warnings.simplefilter("ignore")
    exec(prelude, {})
    import mindspore.context

    mindspore.context.set_context(device_target="CPU")
    known = names()
    every = json.loads(Path(examples).read_text(encoding="utf-8"))
    for example in every:
        child = os.fork()
        if child:
            os.waitpid(child, 0)
            continue
        signal.alarm(LIMIT_S)  # its default action ends the process
        seed(known, int(number))
        found = run(example, known)
        with Path(results).open("a", encoding="utf-8") as file:
            file.write(json.dumps([example["number"], found]) + "\n")
        os._exit(0)


if __name__ == "__main__":
    main()
