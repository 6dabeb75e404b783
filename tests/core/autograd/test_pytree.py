"""Nested values with Tensors in them. Judge: a Cell of 2.10.0 with `to_float`, asked once by hand."""

from collections import OrderedDict

import msbridge as ms
from msbridge import Tensor, nn
from msbridge.core.autograd.pytree import map_tensors


class Output(OrderedDict):
    """What models of a library return."""

    def __getattr__(self, name: str) -> object:
        return self[name]


def test_a_dict_of_another_class_keeps_it() -> None:
    given = Output(loss=Tensor([1.0]), name="a")
    mapped = map_tensors(lambda tensor: tensor * 2, given)
    assert type(mapped) is Output
    assert (mapped.loss.tolist(), mapped.name, given.loss.tolist()) == ([2.0], "a", [1.0])


def test_a_cell_in_another_precision_gets_the_class_that_was_given() -> None:
    class Network(nn.Cell):
        def construct(self, output: Output) -> Tensor:
            return output.loss

    assert Network().to_float(ms.float16)(Output(loss=Tensor([1.0]))).shape == (1,)
