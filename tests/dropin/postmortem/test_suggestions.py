"""What a script meant that ends with a misspelt argument or attribute."""

import sys
from pathlib import Path
from typing import Any

import pytest

from msbridge import Tensor, ops
from msbridge.dropin.postmortem import tracebacks
from msbridge.dropin.postmortem.suggestions import suggestion

PYTHONS = ". Did you mean 'a'?" if sys.version_info >= (3, 13) else ""
PARTS = """
import numpy as np
import msbridge as ms, msbridge.dataset as ds, msbridge.nn as nn
from msbridge import ops, Tensor
from msbridge.train import Model
x = Tensor([1.0, 2.0])
data = ds.NumpySlicesDataset([1, 2, 3])
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 1, 3)
    def construct(self, x, mask=None):
        return self.covn(x)
net = Net()
model = Model(net)
"""
ENDS = {
    "nn.Conv2d(1, 2, kernal_size=3)": "argument 'kernal_size'. Did you mean: 'kernel_size'?",
    "nn.Conv2d(\n    1,\n    2,\n    kernal_size=3,\n)": "argument 'kernal_size'. Did you mean: 'kernel_size'?",
    "ops.softmax(x, dim=1)": "argument 'dim'. Did you mean: 'axis'?",
    "ops.ReduceSum(keepdims=True)": "argument 'keepdims'. Did you mean: 'keep_dims'?",
    "nn.Momentum(net.trainable_params(), lr=0.1)": "argument 'lr'. Did you mean: 'learning_rate'?",
    "data.batch(batchsize=2)": "argument 'batchsize'. Did you mean: 'batch_size'?",
    "model.train(epochs=1)": "argument 'epochs'. Did you mean: 'epoch'?",
    "net(x, maks=1)": "maks=1 (int)). Did you mean: 'mask'?",
    "Tensor(data=3)": "The arguments are: input_data, dtype, shape, init, const_arg, device.",
    "x.cuda()": "no attribute 'cuda'. Did you mean: 'move_to'?",
    "x.relu()": "no attribute 'relu'. Did you mean: 'mindspore.ops.relu'?",
    "Tensor.asnumpyy": "no attribute 'asnumpyy'. Did you mean: 'asnumpy'?",
    "x.getitem_index_info()": "it belongs to the C++ Tensor of MindSpore.",
    "data.bacth(2)": "no attribute 'bacth'. Did you mean: 'batch'?",
    "model.trian(1, data)": "no attribute 'trian'. Did you mean: 'train'?",
    "net(x)": "no attribute 'covn'. Did you mean: 'conv'?",
    "net.parameters()": "no attribute 'parameters'. Did you mean: 'get_parameters'?",
    "[].apend(1)": "'list' object has no attribute 'apend'. Did you mean: 'append'?",
    "prnt(1)": "NameError: name 'prnt' is not defined. Did you mean: 'print'?",
    "np.arrange(3)": "has no attribute 'arrange'. Did you mean: 'arange'?",
    "(lambda a: a)(aa=1)": "got an unexpected keyword argument 'aa'" + PYTHONS,
}


@pytest.mark.parametrize("line", ENDS)
def test_the_last_line_says_what_was_meant(line: str, tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text(f"{PARTS}{line}\n")
    namespace: dict[str, Any] = {"__name__": "__main__"}
    with pytest.raises((AttributeError, NameError, TypeError)) as caught:
        exec(compile(path.read_text(), str(path), "exec"), namespace)
    assert caught.value.__traceback__ is not None
    text = tracebacks.short(caught.value, caught.value.__traceback__.tb_next)
    assert text.endswith(f"{ENDS[line]}\n")
    assert text.count("Did you mean") <= 1


def test_a_text_whose_file_is_gone_is_left_as_it_is() -> None:
    with pytest.raises(TypeError) as caught:
        exec(compile("(lambda a: a)(b=1)", "gone.py", "exec"))
    text = tracebacks.short(caught.value, caught.value.__traceback__)
    assert text.endswith("got an unexpected keyword argument 'b'\n")


def test_an_old_name_is_told_with_the_release_that_takes_it() -> None:
    with pytest.raises(TypeError) as caught:
        ops.softmax(x=Tensor([1.0]))
    assert suggestion(caught.value) == "It is 'input' since MindSpore 2.3; `msbridge run --release 2.2` takes 'x'."
