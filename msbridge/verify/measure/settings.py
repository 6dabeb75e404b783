"""Settings: what a torch layer and its Cell were built with, on one scale."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from msbridge.verify.measure.class_names import kind_of
from msbridge.verify.record.equality import agree
from msbridge.verify.record.trace import Step

MISSING = object()
OF_DEFAULTS = ("alpha", "epsilon", "stride")  # traps that a default of MindSpore's is


@dataclass(frozen=True, slots=True)
class Setting:
    """One property of a kind of layer."""

    name: str  # how the Cell calls it
    torch: Callable[[Any], Any]  # what reads it from the torch layer
    cell: Callable[[Any], Any]  # what reads it from the Cell, in torch's meaning
    trap: str = ""  # names why the two often differ; `report.sentences` says it
    matters: str = "always"  # "always", or in "training" only
    along: tuple[str, ...] = ()  # settings without which this one cannot be given


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A setting in which two matched layers differ."""

    name: str  # how the Cell calls it
    torch: Any  # its value in torch's layer
    cell: Any  # in the Cell, on torch's scale
    trap: str  # names why the two often differ
    matters: str  # "always", or in "training" only
    kind: str = ""  # the class that scripts write, such as `nn.GELU`
    along: tuple[tuple[str, Any], ...] = ()  # (name, torch's value) of other settings that have to be given with it


def _attribute_reader(name: str) -> Callable[[Any], Any]:
    """Read an attribute, also of the layer that the Cell wraps (BatchNorm3d)."""

    def read(layer: Any) -> Any:
        for one in (layer, getattr(layer, "bn2d", None)):
            if one is not None and (value := getattr(one, name, MISSING)) is not MISSING:
                return value
        return MISSING

    return read


def _first(*names: str) -> Callable[[Any], Any]:
    def read(layer: Any) -> Any:
        return next((value for name in names if (value := _attribute_reader(name)(layer)) is not MISSING), MISSING)

    return read


def _sizes(name: str, spatial: int | None = None) -> Callable[[Any], Any]:
    """Read sizes of axes as a tuple; a Cell over one axis keeps a height of 1 in front."""

    def read(layer: Any) -> Any:
        value = _attribute_reader(name)(layer)
        if value is MISSING or value is None or isinstance(value, str):
            return MISSING
        sizes = tuple(value) if isinstance(value, tuple | list) else (value,) * _rank(layer)
        return sizes[-_rank(layer) :]

    return read


def _rank(layer: Any) -> int:
    digits = [int(letter) for letter in type(layer).__name__ if letter in "123"]
    return digits[0] if digits else 1


def _torch_padding(layer: Any) -> Any:
    padding = layer.padding
    if padding == "valid":
        return (0,) * (2 * _rank(layer))
    if padding == "same":
        return "same"
    sizes = tuple(padding) if isinstance(padding, tuple | list) else (padding,) * _rank(layer)
    added = tuple(getattr(layer, "output_padding", ())) or (0,) * len(sizes)  # cuts that much less off the end
    return tuple(size for one, more in zip(sizes, added, strict=True) for size in (one, one - more))


def _read_output_padding(layer: Any) -> Any:
    """Read how many rows of zeros a transposed convolution appends; mint's computes values there, as torch's does."""
    is_meant = "Transpose" in type(layer).__name__ and hasattr(layer, "pad_mode")
    return _sizes("output_padding")(layer) if is_meant else MISSING


def _cell_padding(layer: Any) -> Any:
    if not hasattr(layer, "pad_mode"):  # one of mint's
        return _torch_padding(layer)
    mode = str(getattr(layer, "pad_mode", "")).lower()
    if mode == "valid":
        return (0,) * (2 * _rank(layer))
    if mode == "same":
        sizes = _sizes("kernel_size")(layer)
        return (0,) * (2 * _rank(layer)) if sizes is not MISSING and set(sizes) == {1} else "same"
    padding = getattr(layer, "padding", MISSING)
    if padding is MISSING or mode != "pad":
        return MISSING
    rank = _rank(layer)
    sizes = tuple(padding) if isinstance(padding, tuple | list) else (padding,) * (2 * rank)
    if len(sizes) == rank:
        sizes = tuple(size for one in sizes for size in (one, one))
    return sizes[-2 * rank :]


def _same_padding(layer: Any, size: tuple[int, ...]) -> tuple[int, ...] | str:
    """Return the padding that "same" amounts to for an input of this size: the odd excess comes last."""
    kernel, stride, dilation = (_sizes(name)(layer) for name in ("kernel_size", "stride", "dilation"))
    if dilation is MISSING and kernel is not MISSING:  # a pool without this argument
        dilation = (1,) * len(kernel)
    if MISSING in (kernel, stride, dilation) or len(size) < len(kernel) + 2:
        return "same"
    padding = []
    for length, window, step, gap in zip(size[-len(kernel) :], kernel, stride, dilation, strict=True):
        if "Transpose" in type(layer).__name__:  # what is cut off, so that size · stride is left
            total = max(gap * (window - 1) + 1 - step, 0)
        else:
            total = max((-(-length // step) - 1) * step + gap * (window - 1) + 1 - length, 0)
        padding += [total // 2, total - total // 2]
    return tuple(padding)


def _counts_padding(layer: Any) -> Any:
    """Read whether an average counts the zeros around the input; nothing where there are none."""
    padding = _torch_padding(layer)
    return MISSING if padding is MISSING or not any(padding) else layer.count_include_pad


def _cell_counts_padding(layer: Any) -> Any:
    if str(getattr(layer, "pad_mode", "pad")).lower() == "same":
        return False
    return _counts_padding(layer) if not hasattr(layer, "pad_mode") else layer.count_include_pad


def _read_dropout_rate(layer: Any) -> Any:
    """Read the probability to zero an element."""
    zeroed, p, kept = (getattr(layer, name, None) for name in ("_zeroed", "p", "keep_prob"))
    if zeroed is not None:
        return zeroed
    return p if p is not None else MISSING if kept is None else 1 - kept


def _has(name: str) -> Callable[[Any], Any]:
    return lambda layer: getattr(layer, name, None) is not None


def _uses_batch(layer: Any) -> bool:
    """Whether a Cell normalises by the batch in inference too."""
    value = _attribute_reader("use_batch_statistics")(layer)
    return not getattr(layer, "track_running_stats", True) if value is MISSING else bool(value)


def _axis(layer: Any) -> Any:
    return getattr(layer, "axis", getattr(layer, "dim", MISSING))


def _both(name: str, read: Callable[[Any], Any] | None = None, trap: str = "") -> Setting:
    """Return a setting that both libraries call and write the same."""
    return Setting(name, read or _attribute_reader(name), read or _attribute_reader(name), trap)


def _all(*names: str) -> tuple[Setting, ...]:
    return tuple(map(_both, names))


_STRIDE, _KERNEL = _sizes("stride"), _sizes("kernel_size")
_CONVOLUTION = (
    _both("stride", _STRIDE),
    _both("dilation", _sizes("dilation")),
    _both("kernel_size", _KERNEL),
    Setting("output_padding", lambda layer: (0,) * _rank(layer), _read_output_padding, "appended"),
    Setting("padding", _torch_padding, _cell_padding, "padding"),  # after what "same" depends on
    Setting("group", _attribute_reader("groups"), _first("group", "groups")),
    _both("has_bias", _has("bias"), "bias"),
)
_EPS = Setting("eps", _attribute_reader("eps"), _first("eps", "epsilon"))
_NORMS = (
    _EPS,
    Setting("momentum", _attribute_reader("momentum"), _attribute_reader("momentum"), "momentum", "training"),
    Setting("use_batch_statistics", lambda layer: not layer.track_running_stats, _uses_batch, "batch"),
)
_POOLS = (
    _both("kernel_size", _KERNEL),
    _both("stride", _STRIDE, "stride"),
    _both("dilation", _sizes("dilation")),
    Setting("padding", _torch_padding, _cell_padding, "same"),
    _both("ceil_mode"),
)
_COUNTS = Setting("count_include_pad", _counts_padding, _cell_counts_padding, "same average", along=("padding",))
_AVERAGES = (*_POOLS, _COUNTS)
_RECURRENT = _all("input_size", "hidden_size", "num_layers", "bidirectional", "batch_first")
_SLOPE = _first("alpha", "negative_slope")
_CORNERS = _first("align_corners")
SETTINGS: dict[str, tuple[Setting, ...]] = {
    "AvgPool": _AVERAGES,
    "BatchNorm": _NORMS,
    "CELU": _all("alpha"),
    "Conv": _CONVOLUTION,
    "CrossEntropyLoss": _all("ignore_index", "label_smoothing", "reduction"),
    "Dropout": (Setting("p", _attribute_reader("p"), _read_dropout_rate, "keep", "training"),),
    "ELU": _all("alpha"),
    "Embedding": (
        Setting("padding_idx", _attribute_reader("padding_idx"), _attribute_reader("padding_idx"), matters="training"),
    ),
    "GELU": (_both("approximate", trap="gelu"),),
    "GRU": _RECURRENT,
    "GroupNorm": (_EPS, _both("num_groups")),
    "Hardshrink": _all("lambd"),
    "Hardtanh": _all("min_val", "max_val"),
    "InstanceNorm": (_EPS,),
    "LSTM": _RECURRENT,
    "LayerNorm": (Setting("epsilon", _attribute_reader("eps"), _first("epsilon", "eps"), "epsilon"),),
    "LeakyReLU": (Setting("alpha", _attribute_reader("negative_slope"), _SLOPE, "alpha"),),
    "Linear": (_both("has_bias", _has("bias")),),
    "LogSoftmax": (Setting("axis", _attribute_reader("dim"), _axis),),
    "MaxPool": _POOLS,
    "MultiheadAttention": _all("num_heads", "batch_first"),
    "PixelShuffle": _all("upscale_factor"),
    "RMSNorm": (_EPS,),
    "RNN": _RECURRENT,
    "Softshrink": _all("lambd"),
    "Softmax": (Setting("axis", _attribute_reader("dim"), _axis),),
    "SyncBatchNorm": _NORMS,
    "Upsample": (
        _both("mode"),
        Setting("align_corners", lambda one: bool(one.align_corners), lambda one: _CORNERS(one) is True),
    ),
}


def disagreements(theirs: Step, ours: Step) -> list[Disagreement]:
    """Compare what two matched layers were built with."""
    if theirs.layer is None or ours.layer is None:
        return []
    size = tuple(ours.inputs[0].shape) if ours.inputs else ()
    return list(_compare(theirs.layer, ours.layer, size))


def _compare(theirs: Any, ours: Any, size: tuple[int, ...]) -> Iterator[Disagreement]:
    rows = _rows(type(theirs).__name__)
    for setting in rows:
        try:
            torch_value, other = setting.torch(theirs), setting.cell(ours)
        except AttributeError:
            continue
        if setting.name == "padding" and "same" in (torch_value, other):
            torch_value = _same_padding(theirs, size) if torch_value == "same" else torch_value
            other = _same_padding(ours, size) if other == "same" else other
        if MISSING not in (torch_value, other) and not agree(torch_value, other):
            kind = kind_of(type(ours))
            trap = setting.trap if _is_trapped(setting, ours, other, kind) else ""
            along = tuple((each.name, each.torch(theirs)) for each in rows if each.name in setting.along)
            yield Disagreement(setting.name, torch_value, other, trap, setting.matters, kind, along)


def _is_trapped(setting: Setting, layer: Any, value: Any, kind: str) -> bool:
    """Whether a Cell has a value because nobody passed one; mint's defaults are torch's."""
    if setting.trap not in OF_DEFAULTS:
        return kind.startswith("nn.")
    parameter = inspect.signature(type(layer)).parameters.get(setting.name)
    values = set(value) if isinstance(value, tuple) else {value}
    return kind.startswith("nn.") and parameter is not None and values == {parameter.default}


def _rows(kind: str) -> tuple[Setting, ...]:
    stem = kind.rstrip("123d") if kind.endswith("d") else kind
    stem = "Conv" if stem.startswith("Conv") else stem
    return SETTINGS.get(stem, ())
