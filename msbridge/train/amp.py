"""Mixed precision: networks that compute in Float16 where it is safe, and the loss scales that go with it."""

import functools
import inspect
from collections.abc import Callable
from typing import Any

import torch

from msbridge import nn, ops
from msbridge.core.checks.arguments import instance, one_of
from msbridge.core.checks.suggestions import did_you_mean
from msbridge.core.runtime.lazy_names import import_path
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.device.precision import ACTIVATIONS, CONVOLUTIONS, OUTER_PRODUCTS, PRODUCTS
from msbridge.nn.cell.cell import Cell
from msbridge.nn.steps.loss_scaling import TrainOneStepWithLossScaleCell
from msbridge.nn.steps.micro_batches import micro_batch_share
from msbridge.nn.steps.wrappers import TrainOneStepCell, WithLossCell
from msbridge.ops.framework.composite.functions import mixed_precision_cast
from msbridge.ops.listed_precision import ListedNarrowing, names_of_primitives
from msbridge.ops.precision import ComputingIn
from msbridge.ops.primitive.primitive import Primitive
from msbridge.train.loss_scale_managers import DynamicLossScaleManager, LossScaleManager
from msbridge.train.loss_scalers import DynamicLossScaler as DynamicLossScaler
from msbridge.train.loss_scalers import LossScaler as LossScaler
from msbridge.train.loss_scalers import StaticLossScaler as StaticLossScaler
from msbridge.train.loss_scalers import _grad_scale_map as _grad_scale_map
from msbridge.train.loss_scalers import _grad_unscale_map as _grad_unscale_map
from msbridge.train.loss_scalers import all_finite as all_finite
from msbridge.train.loss_scalers import init_status as init_status

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

    Returns:
        A new list of classes, which a script may change.

    Follows: mindspore.amp.get_white_list (2.10).
    """
    return [getattr(nn, name) for name in _NARROW_CELLS] + [getattr(ops, name) for name in NARROW_PRIMITIVES]


def get_black_list() -> list[type]:
    """Return the Cells that O2 keeps in Float32.

    Returns:
        A new list of classes, which a script may change.

    Follows: mindspore.amp.get_black_list (2.10).
    """
    return [getattr(nn, name) for name in _WIDE_CELLS]


AMP_WHITE_LIST, AMP_BLACK_LIST = get_white_list(), get_black_list()


def auto_mixed_precision(network: Cell, amp_level: str = "O0", dtype: mstype.Type = mstype.float16) -> Cell:
    """Let a network compute in a narrower floating type; its parameters stay Float32.

    Args:
        network: the network; it shares its parameters with the result.
        amp_level: "O0" changes nothing. "O1" runs convolutions, products and their kin in `dtype`, all else in
            Float32. "auto" has each operator choose: those, wherever they are called, return `dtype`; what loses by it
            runs in Float32; the others run in the widest type of their inputs. "O2" runs all in `dtype` but
            normalisation, and "O3" all; both return Float32 at the end.
        dtype: float16 or bfloat16.

    Returns:
        The network that computes so.

    Raises:
        TypeError: `network` is not a Cell.
        ValueError: unknown level or dtype.

    Follows: mindspore.amp.auto_mixed_precision (2.10).
    """
    is_function = amp_level == "auto" and (inspect.isfunction(network) or inspect.ismethod(network))
    if not (isinstance(network, Cell) or is_function):
        or_function = " or function" if amp_level == "auto" else ""
        raise TypeError(f"For amp_level '{amp_level}', the network type should be Cell{or_function}.")
    if amp_level not in LEVELS:
        raise ValueError(f"The amp level {amp_level} is not supported.{did_you_mean(amp_level, LEVELS)}")
    _check_dtype(dtype)
    if amp_level == "O0":
        return network
    if amp_level == "auto":
        network = _compute_in_chosen(network, dtype)
    elif amp_level == "O1":
        network = _narrow_listed(network, get_white_list(), dtype)
    else:
        _lower(network, get_black_list() if amp_level == "O2" else [], dtype)
        network = _OutputTo32(network)
    network._amp_level = amp_level
    return network


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
        ValueError: both lists or none, or unknown dtype.

    Follows: mindspore.amp.custom_mixed_precision (2.10).
    """
    instance(network, "network", None, Cell)
    if white_list is None and black_list is None:
        raise ValueError("For custom_mixed_precision, one of white_list and black_list must be provided.")
    if white_list is not None and black_list is not None:
        raise ValueError(
            "For custom_mixed_precision, the white_list or black_list cannot be provided at the same time, please "
            "provide one or the other."
        )
    _check_dtype(dtype)
    for name, listed in (("white_list", white_list), ("black_list", black_list)):
        _check_list(listed, name, (Cell,) if name == "black_list" else (Cell, Primitive))
    if black_list is not None:
        _lower(network, black_list, dtype)
        return _OutputTo32(network)
    return _narrow_listed(network, white_list or [], dtype)


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
    **others: Any,
) -> Cell:
    """Compose network, loss and optimizer to a training step in mixed precision.

    Args:
        network: the network; without `loss_fn` it returns the loss.
        optimizer: updates its parameters.
        loss_fn: called with the network's output and the label.
        level: "O0" to "O3" or "auto", as `auto_mixed_precision`; "O2" scales the loss dynamically by default.
        boost_level: with another one than "O0", the steps are those of mindspore.boost.
        cast_model_type: run the network in this type, at any level.
        keep_batchnorm_fp32: whether normalisation stays in Float32, at any level.
        loss_scale_manager: the loss scale; None is not one.
        others: refused.

    Returns:
        A TrainOneStepCell, or a TrainOneStepWithLossScaleCell where updates are left out after an overflow; it trains.

    Raises:
        TypeError: `network` is not a Cell, or another argument has the wrong type.
        ValueError: unknown level, or an argument that there is not.

    Follows: mindspore.amp.build_train_network (2.10).
    """
    instance(network, "network", None, Cell)
    instance(level, "level", "build_train_network", str)
    if level not in LEVELS:
        raise ValueError(f"The 'level' should be in : {list(LEVELS)}, but got {level}.{did_you_mean(level, LEVELS)}")
    instance(optimizer, "optimizer", "build_train_network", Cell)
    one_of(boost_level, "boost_level", "build_train_network", ("O0", "O1", "O2"))
    for name in others:
        raise ValueError(f"For 'build_train_network', there is no argument {name!r}.")
    if cast_model_type not in (None, mstype.float32, *_DTYPES):
        raise TypeError(f"For 'build_train_network', cast_model_type is a floating type, but got {cast_model_type}.")
    if keep_batchnorm_fp32 is not None:
        instance(keep_batchnorm_fp32, "keep_batchnorm_fp32", "build_train_network", bool)
    plain: type[TrainOneStepCell] = TrainOneStepCell
    scaled: type[TrainOneStepWithLossScaleCell] = TrainOneStepWithLossScaleCell
    if boost_level != "O0":
        plain = import_path("msbridge.contrib.boost.steps.BoostTrainOneStepCell")
        scaled = import_path("msbridge.contrib.boost.steps.BoostTrainOneStepWithLossScaleCell")
    if loss_scale_manager is _DEFAULT:
        loss_scale_manager = DynamicLossScaleManager() if level == "O2" else None
    if loss_scale_manager is not None:
        instance(loss_scale_manager, "loss_scale_manager", None, LossScaleManager)
    model_type = cast_model_type or (mstype.float16 if level in ("O2", "O3") else mstype.float32)
    is_kept = keep_batchnorm_fp32 if keep_batchnorm_fp32 is not None else level == "O2"
    if model_type in _DTYPES:
        _lower(network, get_black_list() if is_kept else [], model_type)
    elif level == "O2" and not is_kept:
        network.to_float(mstype.float16)
    elif level in ("O1", "auto"):
        network = auto_mixed_precision(network, level)
    if loss_fn is not None:
        network = with_loss(network, loss_fn, model_type)
    sens = micro_batch_share(network)
    if loss_scale_manager is None:
        return plain(network, optimizer, sens).set_train()
    update_cell = loss_scale_manager.get_update_cell()
    if update_cell is not None:
        return scaled(network, optimizer, update_cell).set_train()
    return plain(network, optimizer, loss_scale_manager.get_loss_scale() * sens).set_train()


def _check_list(listed: Any, name: str, kinds: tuple[type, ...]) -> None:
    if listed is None:
        return
    instance(listed, name, None, list)
    for element in listed:
        if not isinstance(element, type):
            raise TypeError(f"The element in {name} should be a class, but got {element}")
        if not issubclass(element, kinds):
            allowed = " and ".join(repr(kind.__name__) for kind in kinds)
            raise TypeError(f"The subclass of element in {name} should be one of {allowed}, but got {element}")


def _check_dtype(dtype: Any) -> None:
    one_of(dtype, "dtype", None, _DTYPES)


def _compute_in_chosen(network: Any, dtype: mstype.Type) -> Any:
    """Let a function, or the `construct` of a Cell, run with types that its operators choose."""
    function = network.construct if isinstance(network, Cell) else network

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        with ComputingIn(_DTYPES[dtype], is_chosen=True):
            return function(*args, **kwargs)

    if not isinstance(network, Cell):
        return run
    network.__dict__["construct"] = run
    return network


def _narrow_listed(network: Cell, white_list: list[type], dtype: mstype.Type) -> Cell:
    """Let listed Cells and primitives below a network compute in `dtype`; return the network that does so itself, too.

    The Cells below are changed in place, as in MindSpore: whoever calls the network that was given meets them.
    """
    cells = {kind for kind in white_list if issubclass(kind, Cell)}
    names = names_of_primitives([kind.__name__ for kind in white_list if not issubclass(kind, Cell)])
    _narrow_below(network, cells, names, dtype)
    kind = type(network)
    result: Cell = object.__new__(_narrow_class(f"{kind.__name__}Opt", kind, names, dtype, kind in cells))
    object.__setattr__(result, "__dict__", network.__dict__)
    Cell.total_instance_count += 1
    return result


def _narrow_below(network: Cell, cells: set[type], names: frozenset[str], dtype: mstype.Type) -> None:
    for child in network._cells.values():
        if child is None or hasattr(type(child), "_narrows") or _has_precision(child):
            continue
        if type(child) in cells:
            child.to_float(dtype)
            child.register_forward_hook(lambda cell, inputs, outputs: _to_float32(outputs))
            continue
        if type(child) not in (nn.SequentialCell, nn.CellList):
            kind = type(child)
            object.__setattr__(child, "__class__", _narrow_class(kind.__name__, kind, names, dtype, False))
        _narrow_below(child, cells, names, dtype)


def _has_precision(cell: Cell) -> bool:
    flags = cell.get_flags()
    return any(flags.get(name) for name in ("fp16", "fp32", "bf16"))


def _narrow_class(name: str, kind: type[Cell], names: frozenset[str], dtype: mstype.Type, is_listed: bool) -> Any:
    """Return a subclass whose calls have listed operators compute in `dtype`; its own product, where it is listed."""

    def call(self: Cell, *args: Any, **kwargs: Any) -> Any:
        with ListedNarrowing(names, _DTYPES[dtype], narrow_kind if is_listed else None):
            return kind.__call__(self, *args, **kwargs)

    members = {"__call__": call, "__module__": kind.__module__, "_narrows": True}
    narrow_kind = type(name, (kind,), members)
    return narrow_kind


def with_loss(network: Cell, loss_fn: Callable[..., Tensor], dtype: mstype.Type) -> Cell:
    """Return network and loss as one Cell; the output of a network of `dtype` is Float32 for the loss."""
    is_narrow = dtype in _DTYPES or getattr(network, "_amp_level", None) in ("O2", "O3", "auto")
    return (_WideLossCell if is_narrow else WithLossCell)(network, loss_fn)


def _lower(network: Cell, kept: list[type], dtype: mstype.Type) -> None:
    """Let a network and all below it compute in `dtype`, and the Cells of the kept classes in Float32."""
    network.to_float(dtype)
    keep_wide(network, kept, dtype)


def keep_wide(network: Cell, kept: list[Any], dtype: mstype.Type) -> None:
    """Let the Cells of the kept classes compute in Float32, and return `dtype`."""
    children: dict[str, Any] = dict(network._cells)
    for name, cell in children.items():
        is_kept = isinstance(cell, tuple(kept))
        if is_kept:
            cell.to_float(mstype.float32)
            network._replace_child(name, _OutputTo16(cell, dtype))
        elif cell is not None and cell is not network:
            keep_wide(cell, kept, dtype)


_to_float32 = functools.partial(mixed_precision_cast, mstype.float32)


class _OutputTo16(Cell):
    """A Cell that computes in Float32, within a network that continues in a narrower type."""

    def __init__(self, backbone: Cell, dtype: mstype.Type = mstype.float16) -> None:
        super().__init__(auto_prefix=False)
        self._backbone = backbone
        self.dtype = dtype

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        return mixed_precision_cast(self.dtype, self._backbone(*args, **kwargs))


class _OutputTo32(Cell):
    """A network that computes in a narrower type and returns Float32."""

    def __init__(self, backbone: Cell) -> None:
        super().__init__(auto_prefix=False)
        self._backbone = backbone

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        return _to_float32(self._backbone(*args, **kwargs))


class _WideLossCell(Cell):
    """A network that computes in a narrower type, and its loss in Float32."""

    def __init__(self, backbone: Cell, loss_fn: Callable[..., Tensor]) -> None:
        super().__init__(auto_prefix=False)
        self._backbone = backbone
        self._loss_fn = loss_fn

    def construct(self, data: Any, label: Any) -> Tensor:
        return self._loss_fn(_to_float32(self._backbone(data)), _to_float32(label))


_WideLossCell.__name__ = _WideLossCell.__qualname__ = "WithLossCell"  # as MindSpore calls and prints its own
