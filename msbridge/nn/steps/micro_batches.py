"""Cells that run a network on equal parts of a batch, in sequence, and add up its losses."""

from collections.abc import Mapping, Sequence
from typing import Any

from msbridge.core.checks.arguments import above, instance
from msbridge.core.checks.no_effect_warnings import without_effect
from msbridge.core.context import context
from msbridge.core.errors.explain import explain
from msbridge.core.parameter.parameter import Parameter, ParameterTuple
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.distributed.pipeline.running import running
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.containers import CellList

__all__ = ["GradAccumulationCell", "MicroBatchInterleaved", "PipelineCell", "PipelineGradReducer"]


class _MicroBatch(Cell):
    """One of `micro_size` equal parts of inputs.

    Args:
        micro_size: how many parts there are.
    """

    def __init__(self, micro_size: int) -> None:
        super().__init__()
        self.micro_size = micro_size

    def construct(self, i: int, *inputs: Tensor) -> tuple[Tensor, ...]:
        """Return part `i` of each input."""
        return tuple(wrap(x._data.tensor_split(self.micro_size)[i]) for x in inputs)


class _MicroBatches(Cell):
    """Runs a network on `count` equal parts of its inputs, and returns the sum of what it returns."""

    _shown = "micro_inputs"  # the Cells of the parts, in MindSpore's words

    def __init__(self, network: Any, count: int, name: str) -> None:
        super().__init__(auto_prefix=False)
        if not isinstance(count, int):
            raise TypeError(f"For '{self.cls_name}', '{name}' must be int, but got {type(count).__name__}.")
        above(count, name, self.cls_name)
        self.network = network
        self._count = count
        setattr(self, self._shown, CellList([_MicroBatch(count) for _ in range(count)]))
        self._compile_like(network)

    def construct(self, *inputs: Tensor) -> Any:
        """Return the sum of the network's outputs for the parts of the inputs.

        Raises:
            TypeError: an input is not a Tensor.
            ValueError: an input's first axis cannot be divided.
        """
        return self._sum_over(list(zip(*(self._split_batch(x) for x in inputs), strict=True)))

    def _sum_over(self, parts: Sequence[tuple[Tensor, ...]]) -> Any:
        total = self.network(*parts[0])
        for part in parts[1:]:
            total = total + self.network(*part)
        return total

    def _split_batch(self, x: Tensor) -> list[Tensor]:
        try:
            data = x._data
            if data.shape[0] % self._count == 0:
                return [wrap(part) for part in data.split(max(data.shape[0] // self._count, 1))]
        except Exception as error:
            raise explain(error, self.cls_name, input=x) from error
        raise ValueError(
            f"For '{self.cls_name}', the first axis of an input, {x.shape[0]}, must be divisible by the number "
            f"of parts, {self._count}."
        )


class PipelineCell(_MicroBatches):
    """Add up the losses of micro batches, which pass the stages of a pipeline in sequence.

    As the losses are added up, the gradients are `micro_size` times those of the whole batch's mean loss; a training
    step of `mindspore.amp` divides them where the parallel context has several pipeline stages.

    Args:
        network: returns the loss.
        micro_size: the number of micro batches.
        stage_config: the stage of Cells, by their names.
        segment_config: the segment of Cells, by their names; kept with them.

    Inputs:
        inputs: what `network` takes; axis 0 of each is divided into as many equal parts.

    Outputs:
        The sum of what `network` returns for the parts.

    Raises:
        TypeError: an argument is of another type.
        ValueError: `micro_size` is not positive.
        KeyError: there is no Cell of a name.

    Follows: mindspore.nn.PipelineCell (2.10).
    """

    def __init__(
        self,
        network: Cell,
        micro_size: int,
        stage_config: Mapping[str, int] | None = None,
        segment_config: Mapping[str, int] | None = None,
    ) -> None:
        _check_network(network, type(self).__name__)
        super().__init__(network, micro_size, "micro_size")
        self.micro_size = micro_size
        if stage_config is not None:
            self._mark("stage_config", "pipeline_stage", stage_config)
        if segment_config is not None:
            without_effect("mindspore.nn.PipelineCell.segment_config")
            self._mark("segment_config", "pipeline_segment", segment_config)

    def _sum_over(self, parts: Sequence[tuple[Tensor, ...]]) -> Any:
        if running.depth:  # in stages, over processes
            from msbridge.distributed.pipeline import schedule

            if schedule.is_scheduled():
                return schedule.sum_of_losses(self.network, parts)
        return super()._sum_over(parts)

    def _mark(self, argument: str, attribute: str, config: Mapping[str, int]) -> None:
        cells = dict(self.network.cells_and_names())
        cells = {name: cell for name, cell in cells.items() if name} | {str(self.network): self.network}
        if unknown := [name for name in config if name not in cells]:
            raise KeyError(f"For '{self.cls_name}', '{argument}' names Cells that the network has not: {unknown}.")
        for name, number in config.items():
            setattr(cells[name], attribute, number)

    def shard(self, *args: Any, **kwargs: Any) -> Cell:
        """Refuse: the network inside is what can be divided.

        Raises:
            ValueError: always.
        """
        raise ValueError(f"For '{self.cls_name}', 'shard' is not allowed; call it on the network inside.")


class Pipeline(PipelineCell):
    """Add up the losses of micro batches; see `PipelineCell`.

    Follows: mindspore.parallel.nn.Pipeline (2.10).
    """

    shard = Cell.shard


class GradAccumulationCell(_MicroBatches):
    """Add up the losses of micro batches; a training step of `mindspore.amp` divides the gradients by their number.

    A step with a dynamic loss scale does not divide them, as there.

    Args:
        network: returns the loss.
        micro_size: the number of micro batches.

    Inputs:
        inputs: what `network` takes; axis 0 of each is divided into as many equal parts.

    Outputs:
        The sum of what `network` returns for the parts.

    Raises:
        TypeError: an argument is of another type.
        ValueError: `micro_size` is not positive.

    Follows: mindspore.nn.GradAccumulationCell (2.10).
    """

    def __init__(self, network: Cell, micro_size: int) -> None:
        _check_network(network, type(self).__name__)
        super().__init__(network, micro_size, "micro_size")
        self.micro_size = micro_size


class GradAccumulation(GradAccumulationCell):
    """Add up the losses of micro batches; see `GradAccumulationCell`.

    Follows: mindspore.parallel.nn.GradAccumulation (2.10).
    """


class MicroBatchInterleaved(_MicroBatches):
    """Add up the outputs for parts of a batch, which devices would exchange and compute in turns.

    Args:
        network: returns the loss.
        interleave_num: the number of parts.

    Inputs:
        inputs: what `network` takes; axis 0 of each is divided into as many equal parts.

    Outputs:
        The sum of what `network` returns for the parts.

    Raises:
        TypeError: `interleave_num` is not an int.
        ValueError: it is not positive.

    Follows: mindspore.nn.MicroBatchInterleaved (2.10).
    """

    _shown = "interleave_inputs"

    def __init__(self, network: Cell, interleave_num: int = 2) -> None:
        super().__init__(network, interleave_num, "interleave_num")
        self.interleave_num = interleave_num


class PipelineGradReducer(Cell):
    """Divide gradients by a scale; those of a pipeline's micro batches are added up already.

    Args:
        parameters: the parameters that the gradients belong to.
        scale_sense: by what to divide.
        opt_shard: whether the optimizer's state is divided; the same here.

    Inputs:
        grads: the gradients, in the order of the parameters.

    Returns:
        A tuple of Tensors.

    Follows: mindspore.nn.PipelineGradReducer (2.10), in a pipeline. On one process without `opt_shard` that one returns
        zeros: nothing collects gradients for it.
    """

    def __init__(self, parameters: ParameterTuple, scale_sense: float = 1.0, opt_shard: bool | None = None) -> None:
        super().__init__(auto_prefix=False)
        self.accu_grads = parameters.clone(prefix="accu_grads", init="zeros")
        self.scale_sense = Parameter(Tensor(scale_sense, mstype.float32), name="scale_sense")
        self.degree = Tensor(1, mstype.float32)
        is_asked = opt_shard is None
        self.opt_shard = context.get_auto_parallel_context("enable_parallel_optimizer") if is_asked else opt_shard

    def construct(self, grads: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """Return the gradients, divided by the scale."""
        factor = (self.scale_sense * self.degree)._data.reciprocal()
        return tuple(wrap(grad._data * factor.to(grad._data.dtype)) for grad in grads)


def micro_batch_share(network: Cell) -> float:
    """Return the factor of the gradients that a training step applies: 1 / the number of micro batches, or 1.0.

    It applies where a GradAccumulationCell adds up losses, and where the parallel context has several pipeline stages.
    """
    cells = [cell for _, cell in network.cells_and_names()]
    is_pipeline = context.get_auto_parallel_context("pipeline_stages") > 1
    if not is_pipeline and not any(isinstance(cell, GradAccumulationCell) for cell in cells):
        return 1.0
    return 1.0 / next((cell.micro_size for cell in cells if hasattr(cell, "micro_size")), 1)


def _check_network(network: Any, owner: str) -> None:
    instance(network, "network", owner, Cell)
