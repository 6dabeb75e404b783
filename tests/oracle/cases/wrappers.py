"""Cells around a network: gradients, tangents, and micro batches, whose losses are added up; and few layers."""

import importlib
from typing import Any

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn

from tests.oracle.case import Case, each, rand

parallel = importlib.import_module("mindspore.parallel.nn")  # named by expressions
X = Tensor(np.arange(1, 9).reshape(4, 2), ms.float32)
Y = Tensor(np.arange(4).reshape(4, 1), ms.float32)


def dense() -> nn.Dense:
    return nn.Dense(2, 1, "ones", "zeros")


def net() -> nn.Cell:
    return nn.WithLossCell(dense(), nn.MSELoss())


def both(cell: nn.Cell, *inputs: Any) -> Any:
    return ms.value_and_grad(cell, None, ms.ParameterTuple(cell.trainable_params()))(*inputs)


def weights() -> ms.ParameterTuple:
    return ms.ParameterTuple(dense().trainable_params())


class Square(nn.Cell):
    def construct(self, x: Tensor) -> Tensor:
        return x**2


class Product(nn.Cell):
    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        return x * x * y


class Two(nn.Cell):
    def construct(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        return x * y, x + y


def cube(x: Tensor) -> Tensor:
    return x**3


CASES = [
    *each(
        """
        both(net(), X, Y)
        both(nn.PipelineCell(net(), 2), X, Y)
        both(nn.PipelineCell(net(), 1), X, Y)
        both(nn.GradAccumulationCell(net(), 4), X, Y)
        both(nn.MicroBatchInterleaved(net()), X, Y)
        both(parallel.Pipeline(net(), 2), X, Y)
        both(parallel.PipelineCell(net(), 4), X, Y)
        both(parallel.GradAccumulation(net(), 2), X, Y)
        both(parallel.MicroBatchInterleaved(net(), 4), X, Y)
        [p.name for p in nn.PipelineCell(net(), 2).get_parameters()]
        nn.GradAccumulationCell(net(), 2).micro_size
        nn.MicroBatchInterleaved(net()).interleave_num
        nn.PipelineGradReducer(weights(), 2.0, True)((X, Y))
        parallel.PipelineGradReducer(weights(), 0.5, True)((X.half(), Y))
        [p.name for p in nn.PipelineGradReducer(weights()).get_parameters()]
        nn.WithGradCell(net())(X, Y)
        nn.WithGradCell(dense(), nn.MSELoss())(X, Y)
        nn.WithGradCell(dense(), nn.MSELoss(), Tensor(3.0, ms.float32))(X, Y)
        nn.WithGradCell(dense(), sens=ops.ones((4, 1)))(X)
        nn.WithGradCell(net(), sens=2.0)(X, Y)
        [nn.WithGradCell(net()).training, nn.WithGradCell(net()).network.training]
        nn.VirtualDatasetCellTriple(lambda a, b, c: (c, a))(1, 2, 3)
        nn.Jvp(Square())(X, ops.ones_like(X))
        nn.Jvp(Square())(X, ops.ones((1,)))
        nn.Jvp(cube)(X, X)
        nn.Jvp(Product())(X, Y, (X, Y))
        nn.Jvp(Two())(X, Y, (X, Y))
        nn.Vjp(Square())(X, X)
        nn.Vjp(cube)(X, ops.ones((1,)))
        nn.Vjp(Product())(X, X, X)
        nn.Vjp(Two())(X, Y, (X, X))
        nn.Vjp(dense())(X, Y)
        """
    ),
    Case("nn.PipelineCell(net(), 2, {'_backbone': 1}).network._backbone.pipeline_stage"),
    Case("nn.PipelineCell(net(), 2, None, {'_backbone': 3}).network._backbone.pipeline_segment"),
    Case("nn.PipelineCell(net(), 3)(X, Y)", raises=ValueError, says="4"),
    Case("nn.PipelineCell(net(), 0)", raises=ValueError, says="micro_size"),
    Case("nn.PipelineCell(net(), 2.0)", raises=TypeError, says="micro_size"),
    Case("nn.PipelineCell(3, 2)", raises=TypeError, says="network"),
    Case("nn.PipelineCell(net(), 2, {'nope': 1})", raises=KeyError, says="nope"),
    Case("nn.PipelineCell(net(), 2, None, {'nope': 1})", raises=KeyError, says="nope"),
    Case("nn.PipelineCell(net(), 2).shard(((1, 1),))", raises=ValueError, says="shard"),
    Case("nn.PipelineCell(net(), 2)(X, 3)", raises=TypeError, says="Tensor"),
    Case("nn.GradAccumulationCell(3, 2)", raises=TypeError, says="network"),
    Case("nn.GradAccumulationCell(net(), -1)", raises=ValueError, says="micro_size"),
    Case("nn.GradAccumulationCell(net(), 'a')", raises=TypeError, says="micro_size"),
    Case("nn.MicroBatchInterleaved(net(), 0)", raises=ValueError, says="interleave_num"),
    Case("nn.MicroBatchInterleaved(net(), 1.0)", raises=TypeError, says="interleave_num"),
    Case("parallel.GradAccumulation(net(), 3)(X, Y)", raises=ValueError, says="4"),
    *each(
        """
        nn.layer.CosineSimilarity()(x, y)
        nn.layer.CosineSimilarity(0, 1e-3)(x, y)
        nn.layer.CosineSimilarity(-1, 10.0)(x, y)
        """,
        grad=True,
        x=rand(2, 3),
        y=rand(2, 3),
    ),
    Case("nn.layer.CosineSimilarity()(X * 0, X)"),
    Case("nn.layer.CosineSimilarity()(3, X)", raises=TypeError, says="x1"),
    Case("nn.Jvp(3)(X, X)", raises=ValueError, says=""),
    Case("nn.Jvp(Square())(X)", raises=TypeError, says=""),
    Case("nn.Jvp(Product())(X, Y, X, Y)", raises=TypeError, says=""),
    Case("nn.Vjp(Square())(X)", raises=TypeError, says=""),
    Case("nn.Vjp(Two())(X, Y, X, X)", raises=TypeError, says=""),
]
