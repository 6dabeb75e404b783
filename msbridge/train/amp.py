"""Mixed precision: networks that compute in Float16 where it is safe, and the loss scales that go with it.

Follows: mindspore.amp (2.10).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeVar

import torch

from msbridge import nn, ops
from msbridge.core import dtype as mstype
from msbridge.core.arguments import instance, one_of, positive_int
from msbridge.core.nearest import did_you_mean
from msbridge.core.parameter import Parameter
from msbridge.core.tensor import Tensor, wrap
from msbridge.core.trees import map_tensors, tensors_of
from msbridge.device.precision import ACTIVATIONS, CONVOLUTIONS, OUTER_PRODUCTS, PRODUCTS, Narrowing
from msbridge.nn.cell import Cell
from msbridge.nn.steps.loss_scale import TrainOneStepWithLossScaleCell
from msbridge.nn.steps.micro_batches import micro_batch_share
from msbridge.nn.steps.wrappers import TrainOneStepCell, WithLossCell
from msbridge.train.loss_scale import DynamicLossScaleManager, LossScaleManager

Values = TypeVar("Values")
LEVELS = ("O0", "O1", "O2", "O3", "auto")
_NARROW_CELLS = (
    *("Conv1d", "Conv2d", "Conv3d", "Conv1dTranspose", "Conv2dTranspose", "Conv3dTranspose"),
    *("Dense", "LSTMCell", "RNNCell", "GRUCell"),
)
# The primitives of the white list, and the functions of torch that carry them out.
NARROW_PRIMITIVES: dict[str, frozenset[Any]] = {
    "Conv2D": CONVOLUTIONS,
    "Conv3D": CONVOLUTIONS,
    "Conv2DTranspose": CONVOLUTIONS,
    "Conv3DTranspose": CONVOLUTIONS,
    "Conv2DBackpropInput": CONVOLUTIONS,
    "MatMul": PRODUCTS,
    "BatchMatMul": PRODUCTS,
    "PReLU": ACTIVATIONS,
    "ReLU": ACTIVATIONS,
    "Ger": OUTER_PRODUCTS,
}
_WIDE_CELLS = ("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "LayerNorm")
_DTYPES: dict[mstype.Type, torch.dtype] = {mstype.float16: torch.float16, mstype.bfloat16: torch.bfloat16}
_DEFAULT = object()


def get_white_list() -> list[type]:
    """Return the Cells and primitives that O1 runs in Float16.

    Follows: mindspore.amp.get_white_list (2.10).
    """
    return [getattr(nn, name) for name in _NARROW_CELLS] + [getattr(ops, name) for name in NARROW_PRIMITIVES]


def get_black_list() -> list[type]:
    """Return the Cells that O2 keeps in Float32.

    Follows: mindspore.amp.get_black_list (2.10).
    """
    return [getattr(nn, name) for name in _WIDE_CELLS]


AMP_WHITE_LIST, AMP_BLACK_LIST = get_white_list(), get_black_list()


def auto_mixed_precision(network: Cell, amp_level: str = "O0", dtype: mstype.Type = mstype.float16) -> Cell:
    """Let a network compute in a narrower floating type; its parameters stay Float32.

    Args:
        network: the network; it shares its parameters with the result.
        amp_level: "O0" changes nothing. "O1" and "auto" run convolutions, products and their kin in `dtype`, all else
            in Float32. "O2" runs all in `dtype` but normalisation, and "O3" all; both return Float32 at the end.
        dtype: float16 or bfloat16.

    Returns:
        The network that computes so.

    Raises:
        TypeError: `network` is not a Cell.
        ValueError: unknown level or dtype.

    Follows: mindspore.amp.auto_mixed_precision (2.10).
    """
    if not isinstance(network, Cell):
        raise TypeError(f"For amp_level '{amp_level}', the network type should be Cell.")
    if amp_level not in LEVELS:
        raise ValueError(f"The amp level {amp_level} is not supported.{did_you_mean(amp_level, LEVELS)}")
    _check_dtype(dtype)
    if amp_level == "O0":
        return network
    if amp_level in ("O1", "auto"):
        return _narrowed(network, _all_narrow_functions(), dtype)
    _lower(network, get_black_list() if amp_level == "O2" else [], dtype)
    return _OutputTo32(network)


def custom_mixed_precision(
    network: Cell,
    *,
    white_list: list[type] | None = None,
    black_list: list[type] | None = None,
    dtype: mstype.Type = mstype.float16,
) -> Cell:
    """Let a network compute in a narrower floating type, by a list of one's own.

    Args:
        network: the network; it shares its parameters with the result.
        white_list: Cells and primitives that run in `dtype`, all else in Float32.
        black_list: Cells that run in Float32, all else in `dtype`.
        dtype: float16 or bfloat16.

    Returns:
        The network that computes so.

    Raises:
        TypeError: `network` is not a Cell, or an element of a list is not a class.
        ValueError: both lists or none, unknown dtype, or a primitive that cannot be told apart.

    Follows: mindspore.amp.custom_mixed_precision (2.10).
    """
    if not isinstance(network, Cell):
        raise TypeError(f"The network type should be Cell, but got {type(network)}.")
    if white_list is None and black_list is None:
        raise ValueError("For custom_mixed_precision, one of white_list and black_list must be provided.")
    if white_list is not None and black_list is not None:
        raise ValueError(
            "For custom_mixed_precision, the white_list or black_list cannot be provided at the same time, please "
            "provide one or the other."
        )
    _check_dtype(dtype)
    for name, listed in (("white_list", white_list), ("black_list", black_list)):
        for element in listed or ():
            if not isinstance(element, type):
                raise TypeError(f"The element in {name} should be a class, but got {element}")
    if black_list is not None:
        _lower(network, black_list, dtype)
        return _OutputTo32(network)
    functions: frozenset[Any] = frozenset()
    cells: list[type] = []
    for element in white_list or ():
        if issubclass(element, Cell):
            cells.append(element)
        elif element.__name__ in NARROW_PRIMITIVES:
            functions |= NARROW_PRIMITIVES[element.__name__]
        else:
            raise ValueError(
                f"For custom_mixed_precision, the primitive {element.__name__} cannot be put into another precision; "
                f"these can: {', '.join(NARROW_PRIMITIVES)}."
            )
    for _, cell in network.cells_and_names():
        if isinstance(cell, tuple(cells)):
            cell.to_float(dtype)
            cell.register_forward_hook(lambda cell, inputs, outputs: map_tensors(_to_float32, outputs))
    return _narrowed(network, functions, dtype)


def build_train_network(
    network: Cell,
    optimizer: Any,
    loss_fn: Callable[..., Tensor] | None = None,
    level: str = "O0",
    boost_level: str = "O0",
    *,
    cast_model_type: mstype.Type | None = None,
    keep_batchnorm_fp32: bool | None = None,
    loss_scale_manager: Any = _DEFAULT,
) -> Cell:
    """Compose network, loss and optimizer to a training step in mixed precision.

    Args:
        network: the network; without `loss_fn` it returns the loss.
        optimizer: updates its parameters.
        loss_fn: called with the network's output and the label.
        level: "O0" to "O3" or "auto", as `auto_mixed_precision`; "O2" scales the loss dynamically by default.
        boost_level: with another one than "O0", the steps are those of mindspore.boost.
        cast_model_type: run the network in this type, whatever the level.
        keep_batchnorm_fp32: whether normalisation stays in Float32, whatever the level.
        loss_scale_manager: the loss scale; None is none.

    Returns:
        A TrainOneStepCell, or a TrainOneStepWithLossScaleCell where updates are left out after an overflow.

    Raises:
        TypeError: `network` is not a Cell, or another argument has the wrong type.
        ValueError: unknown level.

    Follows: mindspore.amp.build_train_network (2.10).
    """
    instance(network, "network", None, Cell)
    if level not in LEVELS:
        raise ValueError(f"The 'level' should be in : {list(LEVELS)}, but got {level}.{did_you_mean(level, LEVELS)}")
    one_of(boost_level, "boost_level", "build_train_network", ("O0", "O1", "O2"))
    plain: type[TrainOneStepCell] = TrainOneStepCell
    scaled: type[TrainOneStepWithLossScaleCell] = TrainOneStepWithLossScaleCell
    if boost_level != "O0":
        from msbridge.train.boost.steps import BoostTrainOneStepCell, BoostTrainOneStepWithLossScaleCell

        plain, scaled = BoostTrainOneStepCell, BoostTrainOneStepWithLossScaleCell
    if loss_scale_manager is _DEFAULT:
        loss_scale_manager = DynamicLossScaleManager() if level == "O2" else None
    if loss_scale_manager is not None:
        instance(loss_scale_manager, "loss_scale_manager", None, LossScaleManager)
    model_type = cast_model_type or (mstype.float16 if level in ("O2", "O3") else mstype.float32)
    if level in ("O1", "auto") and cast_model_type is None:
        network = _narrowed(network, _all_narrow_functions(), mstype.float16)
    elif model_type in _DTYPES:
        is_kept = keep_batchnorm_fp32 if keep_batchnorm_fp32 is not None else level == "O2"
        _lower(network, get_black_list() if is_kept else [], model_type)
    if loss_fn is not None:
        network = with_loss(network, loss_fn, model_type)
    sens = micro_batch_share(network)
    if loss_scale_manager is None:
        return plain(network, optimizer, sens)
    update_cell = loss_scale_manager.get_update_cell()
    if update_cell is not None:
        return scaled(network, optimizer, update_cell)
    return plain(network, optimizer, loss_scale_manager.get_loss_scale() * sens)


def _check_dtype(dtype: Any) -> None:
    if dtype not in _DTYPES:
        raise ValueError(f"The dtype should be one of (mstype.float16, mstype.bfloat16), but got {dtype}.")


def _all_narrow_functions() -> frozenset[Any]:
    return frozenset().union(*NARROW_PRIMITIVES.values())


def _narrowed(network: Cell, functions: frozenset[Any], dtype: mstype.Type) -> Cell:
    """Return a Cell that shares everything with `network`, and is called within a `Narrowing`."""
    kind = type(network)

    def call(self: Cell, *args: Any, **kwargs: Any) -> Any:
        with Narrowing(functions, _DTYPES[dtype]):
            return kind.__call__(self, *args, **kwargs)

    narrow_kind: Any = type(f"{kind.__name__}Opt", (kind,), {"__call__": call, "__module__": kind.__module__})
    result: Cell = narrow_kind.__new__(narrow_kind)
    object.__setattr__(result, "__dict__", network.__dict__)
    Cell.total_instance_count += 1
    return result


def with_loss(network: Cell, loss_fn: Callable[..., Tensor], dtype: mstype.Type) -> Cell:
    """Return network and loss as one Cell; the output of a network of `dtype` is Float32 for the loss."""
    return (_WideLossCell if dtype in _DTYPES else WithLossCell)(network, loss_fn)


def _lower(network: Cell, kept: list[type], dtype: mstype.Type) -> None:
    """Let a network and all below it compute in `dtype`, and the Cells of the kept classes in Float32."""
    network.to_float(dtype)
    keep_wide(network, kept, dtype)


def keep_wide(network: Cell, kept: list[type], dtype: mstype.Type) -> None:
    """Let the Cells of the kept classes compute in Float32, and return `dtype`."""
    for _, parent in list(network.cells_and_names()):
        children: dict[str, Cell] = dict(parent._cells)
        for name, cell in children.items():
            if isinstance(cell, tuple(kept)):
                cell.to_float(mstype.float32)
                parent._cells[name] = _OutputTo16(cell, _DTYPES[dtype])


def _to_float32(tensor: Tensor) -> Tensor:
    return wrap(tensor._data.float()) if tensor._data.dtype in _DTYPES.values() else tensor


class _OutputTo16(Cell):
    """A Cell that computes in Float32, within a network that goes on in a narrower type."""

    def __init__(self, backbone: Cell, dtype: torch.dtype) -> None:
        super().__init__(auto_prefix=False)
        self._backbone = backbone
        self._dtype = dtype

    def construct(self, *args: Any) -> Any:
        return map_tensors(self._narrow, self._backbone(*args))

    def _narrow(self, tensor: Tensor) -> Tensor:
        return wrap(tensor._data.to(self._dtype)) if tensor._data.dtype == torch.float32 else tensor


class _OutputTo32(Cell):
    """A network that computes in a narrower type and returns Float32."""

    def __init__(self, backbone: Cell) -> None:
        super().__init__(auto_prefix=False)
        self._backbone = backbone

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        return map_tensors(_to_float32, self._backbone(*args, **kwargs))


class _WideLossCell(Cell):
    """A network that computes in a narrower type, and its loss in Float32."""

    def __init__(self, backbone: Cell, loss_fn: Callable[..., Tensor]) -> None:
        super().__init__(auto_prefix=False)
        self._backbone = backbone
        self._loss_fn = loss_fn

    def construct(self, data: Any, label: Any) -> Tensor:
        return self._loss_fn(map_tensors(_to_float32, self._backbone(data)), map_tensors(_to_float32, label))


def all_finite(inputs: Any, status: Tensor | None = None) -> Tensor:
    """Whether all values are finite, as a bool Tensor on their device.

    Args:
        inputs: Tensors in tuples or lists.
        status: what `init_status` returned, in releases that had it; it has no effect.

    Raises:
        TypeError: there is no Tensor in `inputs`.

    Follows: mindspore.amp.all_finite (2.10).
    """
    datas = [tensor._data.detach() for tensor in tensors_of(inputs)]
    if not datas:
        raise TypeError(f"For 'all_finite', inputs must be Tensors in a tuple or list, got {inputs!r}.")
    if all(data.is_floating_point() for data in datas):
        return wrap(torch.isfinite(torch.stack([norm.float() for norm in torch._foreach_norm(datas, torch.inf)])).all())
    return wrap(torch.stack([torch.isfinite(data).all() for data in datas]).all())


def init_status() -> Tensor:
    """Return the state that releases before 2.1 hand from `init_status` to `all_finite`; it has no effect.

    Follows: mindspore.amp.init_status (2.0).
    """
    return Tensor([0.0] * 8, mstype.float32)


class LossScaler(ABC):
    """Base of the loss scalers of functional training.

    Follows: mindspore.amp.LossScaler (2.10).
    """

    @abstractmethod
    def scale(self, inputs: Values) -> Values:
        """Multiply Tensors by the scale."""

    @abstractmethod
    def unscale(self, inputs: Values) -> Values:
        """Divide Tensors by the scale."""

    @abstractmethod
    def adjust(self, grads_finite: Tensor) -> Any:
        """Change the scale by whether the gradients were finite."""


class StaticLossScaler(LossScaler):
    """A loss scale that stays.

    Args:
        scale_value: the scale, at least 1.

    Raises:
        TypeError: `scale_value` is no number.
        ValueError: it is below 1.

    Follows: mindspore.amp.StaticLossScaler (2.10).
    """

    def __init__(self, scale_value: float) -> None:
        self.scale_value = _scale_parameter(scale_value)

    def scale(self, inputs: Values) -> Values:
        """Multiply Tensors, in tuples, lists or dicts, by the scale."""
        return _grad_scale_map(self.scale_value, inputs)

    def unscale(self, inputs: Values) -> Values:
        """Divide Tensors, in tuples, lists or dicts, by the scale."""
        return _grad_unscale_map(self.scale_value, inputs)

    def adjust(self, grads_finite: Tensor) -> bool:
        """Return False: the scale stays."""
        return False


class DynamicLossScaler(LossScaler):
    """A loss scale that falls after an overflow and grows after `scale_window` good steps in a row.

    Args:
        scale_value: the first scale, at least 1.
        scale_factor: by which it falls and grows.
        scale_window: good steps before it grows.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Follows: mindspore.amp.DynamicLossScaler (2.10).
    """

    def __init__(self, scale_value: float, scale_factor: int, scale_window: int) -> None:
        self.scale_value = _scale_parameter(scale_value)
        self.scale_window = positive_int(scale_window, "scale_window", None)
        self.scale_factor = positive_int(scale_factor, "scale_factor", None)
        self.counter = Parameter(Tensor(0, mstype.int32), name="counter")

    def scale(self, inputs: Values) -> Values:
        """Multiply Tensors, in tuples, lists or dicts, by the scale."""
        return _grad_scale_map(self.scale_value, inputs)

    def unscale(self, inputs: Values) -> Values:
        """Divide Tensors, in tuples, lists or dicts, by the scale."""
        return _grad_unscale_map(self.scale_value, inputs)

    def adjust(self, grads_finite: Tensor) -> bool:
        """Change the scale on the device, without waiting for it, and return True.

        Args:
            grads_finite: whether all gradients of the last step were finite, bool.
        """
        finite = grads_finite._data.reshape(())
        scale, counter = self.scale_value._data, self.counter._data
        is_due = finite & (counter == self.scale_window - 1)
        lowered = (scale / self.scale_factor).clamp(min=1)
        scale.copy_(torch.where(finite, torch.where(is_due, scale * self.scale_factor, scale), lowered))
        counter.copy_(torch.where(finite & ~is_due, counter + 1, 0))
        return True


def _scale_parameter(value: Any) -> Parameter:
    instance(value, "scale_value", None, (float, int))
    if value < 1:
        raise ValueError(f"The argument 'scale_value' must be > 1, but got {value}")
    return Parameter(Tensor(value, mstype.float32), name="scale_value")


def _grad_scale_map(scale_value: Tensor, inputs: Values) -> Values:  # the name that MindSpore's documentation shows
    scale = scale_value._data
    scaled: Values = map_tensors(lambda tensor: wrap(tensor._data * scale.to(tensor._data.dtype)), inputs)
    return scaled


def _grad_unscale_map(scale_value: Tensor, inputs: Values) -> Values:
    reciprocal = scale_value._data.reciprocal()
    scaled: Values = map_tensors(lambda tensor: wrap(tensor._data * reciprocal.to(tensor._data.dtype)), inputs)
    return scaled
