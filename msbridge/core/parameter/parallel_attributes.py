"""Attributes of a Parameter for parallel training, which scripts and libraries set and read again."""

from collections.abc import Callable
from typing import Any, ClassVar

from msbridge.core.checks.arguments import boolean, non_negative_int

__all__ = ["Marks", "ParamInfo", "attribute"]


def attribute(name: str, unset: Any, check: Callable[[Any], Any] | None = None) -> Any:
    """Return a property that is `unset` until it is set to what `check` does not refuse."""
    key = f"_{name}"

    def write(parameter: Any, value: Any) -> None:
        parameter.__dict__[key] = value if check is None else check(value)

    return property(lambda parameter: parameter.__dict__.get(key, unset), write)


def _of(kind: type | tuple[type, ...], name: str) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if not isinstance(value, kind):
            raise TypeError(f"For 'Parameter', {name} cannot be {value!r} of type {type(value).__name__}.")
        return value

    return check


class Marks:
    """Notes on a Parameter; one process has all of every weight, so that most of them mean nothing here."""

    __slots__ = ()

    comm_fusion: Any = attribute("comm_fusion", 1, lambda value: non_negative_int(value, "comm_fusion", "Parameter"))
    parallel_optimizer_comm_recompute: Any = attribute(
        *("parallel_optimizer_comm_recompute", False),
        lambda value: boolean(value, "parallel_optimizer_comm_recompute", "Parameter"),
    )
    layerwise_parallel: Any = attribute("layerwise_parallel", False, _of(bool, "layerwise_parallel"))
    parallel_optimizer: Any = attribute("parallel_optimizer", True, _of(bool, "parallel_optimizer"))
    cache_enable: Any = attribute("cache_enable", False, _of(bool, "cache_enable"))
    cache_shape: Any = attribute("cache_shape", [], lambda value: list(_of((tuple, list), "cache_shape")(value)))
    key: Any = attribute("key", -1, _of(int, "key"))
    sliced: Any = attribute("sliced", False)
    unique: Any = attribute("unique", False)

    storage_format = ""
    is_init: Any = False
    is_in_parallel = False
    requires_aggr = True
    init_mode: Any = None

    def add_pipeline_stage(self, stage: int) -> None:
        """Note a stage of a pipeline to which this belongs.

        Raises:
            TypeError: it is not an int, or negative.

        Follows: mindspore.Parameter.add_pipeline_stage (2.10).
        """
        if not isinstance(stage, int) or stage < 0:
            raise TypeError(f"For 'add_pipeline_stage', the stage must be an int of at least 0, got {stage!r}.")
        stages: list[int] = self.__dict__.setdefault("_pipeline_stage_list", [])
        stages.append(stage)

    @property
    def param_info(self) -> "ParamInfo":
        """The notes by MindSpore's names for them."""
        return ParamInfo(self)

    @param_info.setter
    def param_info(self, info: "ParamInfo") -> None:
        ParamInfo(self).take(info)

    _param_info = param_info

    def _raise_type_error(self, incoming: Any) -> None:
        raise TypeError(
            f"For 'Parameter.set_data', values of {incoming} are not cast to {self.dtype}; "  # type: ignore[attr-defined]
            "Parameter.set_dtype changes the dtype."
        )

    @staticmethod
    def _get_init_data_args(layout: Any = None) -> tuple[Any, ...]:
        """Check a layout of parallel training; one process has all of every weight.

        Raises:
            TypeError: it is not a tuple.
            ValueError: it has fewer than six entries.
        """
        if layout and not isinstance(layout, tuple):
            raise TypeError(f"For 'Parameter.init_data', layout must be a tuple, got {layout!r}.")
        if layout and len(layout) < 6:
            raise ValueError(f"For 'Parameter.init_data', layout must have at least 6 entries, got {len(layout)}.")
        return ()

    def __parameter__(self) -> None:
        """Mark this as a Parameter for compilers."""


class ParamInfo:
    """The notes on a Parameter; setting one sets it there.

    Args:
        parameter: the Parameter; None for notes of their own.

    Follows: mindspore._c_expression.ParamInfo (2.10).
    """

    _HERE: ClassVar[dict[str, Any]] = {
        "alias_name": [],
        "device_matrix": [],
        "interleaved_parallel": False,
        "is_in_pynative_shard": False,
        "is_param_init": False,
        "is_pipeline_shared_param": False,
        "is_quant_int4": False,
        "origin_shape": [],
        "param_strategy": [],
        "quant_shape": [],
        "tensor_map": [],
        "use_persistent_storage": False,
    }
    _THERE = (
        *("cache_enable", "cache_shape", "comm_fusion", "key", "layerwise_parallel", "name", "parallel_optimizer"),
        *("parallel_optimizer_comm_recompute", "requires_aggr", "requires_grad", "storage_format"),
    )

    def __init__(self, parameter: Any) -> None:
        self.__dict__["obj"] = parameter

    @property
    def parameter_shape(self) -> list[int]:
        """Length of each axis."""
        return list(self.obj.shape)

    def __getattr__(self, name: str) -> Any:
        if name in self._THERE:
            return getattr(self.obj, name)
        noted = self.obj.__dict__.get("_info", {})
        if name in noted:
            return noted[name]
        if name in self._HERE:
            return self._HERE[name]
        raise AttributeError(f"'ParamInfo' has no attribute {name!r}.", name=name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._THERE:
            setattr(self.obj, name, value)
        elif name not in ("obj", "parameter_shape"):
            self.obj.__dict__["_info"] = self.obj.__dict__.get("_info", {}) | {name: value}

    def take(self, other: "ParamInfo") -> None:
        """Set everything to what another one says."""
        for name in self._THERE:
            setattr(self, name, getattr(other, name))
        self.obj.__dict__["_info"] = dict(other.obj.__dict__.get("_info", {}))

    def clone(self) -> "ParamInfo":
        """Return the notes on a copy of the Parameter."""
        return ParamInfo(self.obj.clone())
