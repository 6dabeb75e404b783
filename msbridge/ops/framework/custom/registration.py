"""Registration of a kernel by a script: inputs, outputs, attributes, and pairs of type and format.

The descriptions are kept as MindSpore keeps them; the formats are those of the Ascend chip, and no Tensor has them.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, Self

from msbridge.core.checks.arguments import instance
from msbridge.ops.framework.custom.data_types import DataType

__all__ = [
    "AiCPURegOp",
    "AkgAscendRegOp",
    "AkgCpuRegOp",
    "AkgGpuRegOp",
    "AkgRegOp",
    "CpuRegOp",
    "CustomRegOp",
    "DataType",
    "RegOp",
    "TBERegOp",
    "custom_info_register",
    "op_info_register",
]

Description = dict[str, Any]


class RegOp:
    """A description of a kernel, written by calls in sequence.

    Args:
        op_name: the operator's name.

    Raises:
        ValueError: the name is not a string, or empty.

    Follows: mindspore.ops.op_info_register.RegOp (2.10).
    """

    imply_type: str

    def __init__(self, op_name: str = "") -> None:
        if not isinstance(op_name, str) or not op_name.strip():
            raise ValueError(f"For '{type(self).__name__}', op_name must be a string with letters, got {op_name!r}.")
        self.op_name = op_name
        self.inputs: list[Description] = []
        self.outputs: list[Description] = []
        self.attr_: list[Description] = []
        self.fusion_type_ = ""
        self.dtype_format_: list[tuple[tuple[str, ...], ...]] = []

    def fusion_type(self, fusion_type: str) -> Self:
        """Set how the kernel may be fused."""
        return self._set(fusion_type_=(fusion_type, str))

    def dtype_format(self, *args: tuple[str, ...]) -> Self:
        """Add a combination of types and formats: a pair for every input and output, in order.

        Raises:
            ValueError: there are more or fewer pairs, or one is not a tuple of two or three texts.
            TypeError: a type or format is not a string.
        """
        count = len(self.inputs) + len(self.outputs)
        if len(args) != count:
            raise ValueError(
                f"dtype_format needs one pair for each of the {count} inputs and outputs, got {len(args)}."
            )
        for pair in args:
            if not isinstance(pair, tuple) or len(pair) not in (2, 3):
                raise ValueError(f"dtype and format must be a tuple of two or three elements, got {pair!r}.")
            for word in pair:
                instance(word, "dtype and format", None, str)
        self.dtype_format_.append(args)
        return self

    def get_op_info(self) -> Description:
        """Return the description."""
        return {_KEYS.get(name, name.rstrip("_")): value for name, value in vars(self).items()}

    def _set(self, **values: tuple[Any, type]) -> Self:
        for name, (value, kind) in values.items():
            setattr(self, name, _of(kind, value, name.rstrip("_")))
        return self


def _of(kind: type, value: Any, name: str) -> Any:
    return instance(value, name, None, kind)


def _description(extra: Mapping[str, Any], **values: tuple[Any, type]) -> Description:
    """Return the description of an input, output or attribute, without the fields that were left out."""
    said = {key: _of(kind, value, key) for key, (value, kind) in values.items() if value is not None}
    return said | dict(extra)


_KEYS = {
    "dynamic_shape_support_": "dynamicShapeSupport",
    "dynamic_rank_support_": "dynamicRankSupport",
    "dynamic_compile_static_": "dynamicCompileStatic",
    "need_check_support_": "needCheckSupport",
    "dynamic_format_": "dynamicFormat",
}


class _NamedRegOp(RegOp):
    def input(
        self, index: int | None = None, name: str | None = None, param_type: str | None = None, **kwargs: Any
    ) -> Self:
        """Add an input."""
        self.inputs.append(_description(kwargs, index=(index, int), name=(name, str), paramType=(param_type, str)))
        return self

    def output(
        self, index: int | None = None, name: str | None = None, param_type: str | None = None, **kwargs: Any
    ) -> Self:
        """Add an output."""
        self.outputs.append(_description(kwargs, index=(index, int), name=(name, str), paramType=(param_type, str)))
        return self


class CpuRegOp(_NamedRegOp):
    """A description of a kernel for the CPU. Follows: mindspore.ops.CpuRegOp (2.10)."""

    def __init__(self, op_name: str) -> None:
        super().__init__(op_name)
        self.imply_type = "CPU"

    def attr(
        self, name: str | None = None, value_type: str | None = None, value: str | None = None, **kwargs: Any
    ) -> Self:
        """Add an attribute."""
        self.attr_.append(_description(kwargs, name=(name, str), type=(value_type, str), value=(value, str)))
        return self


class AiCPURegOp(CpuRegOp):
    """A description of a kernel for the chip's own CPU. Follows: mindspore.ops.AiCPURegOp (2.10)."""

    def __init__(self, op_name: str) -> None:
        super().__init__(op_name)
        self.imply_type = "AiCPU"


class AkgRegOp(_NamedRegOp):
    """A description of a kernel that AKG compiles.

    Args:
        op_name: the operator's name.
        processor: "CUDA", "AiCore" or "CPU".

    Follows: mindspore.ops.op_info_register.AkgRegOp (2.10).
    """

    def __init__(self, op_name: str, processor: str) -> None:
        super().__init__(op_name)
        self.imply_type = "AKG"
        self.processor = processor

    def output(self, index: int | None = None, name: str | None = None, **kwargs: Any) -> Self:
        """Add an output."""
        self.outputs.append(_description(kwargs, index=(index, int), name=(name, str)))
        return self

    def attr(
        self, name: str | None = None, param_type: str | None = None, value_type: str | None = None, **kwargs: Any
    ) -> Self:
        """Add an attribute."""
        self.attr_.append(_description(kwargs, name=(name, str), paramType=(param_type, str), type=(value_type, str)))
        return self


class AkgGpuRegOp(AkgRegOp):
    """A description of a kernel that AKG compiles for a GPU. Follows: mindspore.ops.AkgGpuRegOp (2.10)."""

    def __init__(self, op_name: str) -> None:
        super().__init__(op_name, "CUDA")


class AkgAscendRegOp(AkgRegOp):
    """A description of a kernel that AKG compiles for an Ascend. Follows: mindspore.ops.AkgAscendRegOp (2.10)."""

    def __init__(self, op_name: str) -> None:
        super().__init__(op_name, "AiCore")


class AkgCpuRegOp(AkgRegOp):
    """A description of a kernel that AKG compiles for a CPU.

    Follows: mindspore.ops.op_info_register.AkgCpuRegOp (2.10).
    """

    def __init__(self, op_name: str) -> None:
        super().__init__(op_name, "CPU")


class CustomRegOp(RegOp):
    """A description of the function that `Custom` is given.

    Args:
        op_name: the kernel's name.

    Follows: mindspore.ops.CustomRegOp (2.10).
    """

    def __init__(self, op_name: str = "Custom") -> None:
        super().__init__(op_name)
        self.target_: str | None = "UnKnown"

    def input(
        self, index: int | None = None, name: str | None = None, param_type: str | None = "required", **kwargs: Any
    ) -> Self:
        """Add an input: "required", "dynamic" (one or more tensors) or "optional"."""
        self.inputs.append(_description(kwargs, index=(index, int), name=(name, str), paramType=(param_type, str)))
        return self

    def output(
        self, index: int | None = None, name: str | None = None, param_type: str | None = "required", **kwargs: Any
    ) -> Self:
        """Add an output: "required", "dynamic" or "optional"."""
        self.outputs.append(_description(kwargs, index=(index, int), name=(name, str), paramType=(param_type, str)))
        return self

    def attr(
        self,
        name: str | None = None,
        param_type: str | None = None,
        value_type: str | None = None,
        default_value: str | None = None,
        **kwargs: Any,
    ) -> Self:
        """Add an attribute."""
        said = {"name": name, "paramType": param_type, "type": value_type, "defaultValue": default_value}
        self.attr_.append(_description(kwargs, **{key: (value, str) for key, value in said.items()}))
        return self

    def target(self, target: str | None = None) -> Self:
        """Set for which device: "Ascend", "GPU" or "CPU"."""
        self.target_ = None if target is None else _of(str, target, "target")
        return self


class TBERegOp(RegOp):
    """A description of a kernel for the Ascend's tensor engine.

    Follows: mindspore.ops.TBERegOp (2.10).
    """

    def __init__(self, op_name: str) -> None:
        super().__init__(op_name)
        self.imply_type = "TBE"
        self.async_flag_ = False
        self.binfile_ = ""
        self.compute_cost_ = 10
        self.kernel_ = ""
        self.partial_flag_ = False
        self.reshape_type_ = ""
        self.dynamic_rank_support_ = False
        self.dynamic_shape_support_ = False
        self.dynamic_compile_static_ = False
        self.need_check_support_ = False
        self.dynamic_format_ = False
        self.op_pattern_ = ""
        self.real_input_index_: list[Any] = []
        self.input_to_attr_index_: list[Any] = []
        self.unknown_shape_formats_: list[Any] = []

    def unknown_shape_formats(self, unknown_shape_formats: list[Any]) -> Self:
        """Add the formats for shapes that are not known."""
        self.unknown_shape_formats_.append(unknown_shape_formats)
        return self

    def dynamic_rank_support(self, dynamic_rank_support: bool) -> Self:
        """Set whether the number of axes may differ from call to call."""
        return self._set(dynamic_rank_support_=(dynamic_rank_support, bool))

    def real_input_index(self, real_input_index: list[Any]) -> Self:
        """Set which input is which of the kernel's."""
        self.real_input_index_ = real_input_index
        return self

    def input_to_attr_index(self, input_to_attr_index: list[Any]) -> Self:
        """Set which inputs are attributes of the kernel."""
        self.input_to_attr_index_ = input_to_attr_index
        return self

    def async_flag(self, async_flag: bool = False) -> Self:
        """Set whether the kernel runs asynchronously."""
        return self._set(async_flag_=(async_flag, bool))

    def binfile_name(self, binfile_name: str) -> Self:
        """Name the kernel's file."""
        return self._set(binfile_=(binfile_name, str))

    def compute_cost(self, compute_cost: int = 10) -> Self:
        """Estimate the kernel's cost."""
        return self._set(compute_cost_=(compute_cost, int))

    def kernel_name(self, kernel_name: str) -> Self:
        """Name the kernel."""
        return self._set(kernel_=(kernel_name, str))

    def partial_flag(self, partial_flag: bool = True) -> Self:
        """Keep the flag of partial kernels."""
        return self._set(partial_flag_=(partial_flag, bool))

    def reshape_type(self, reshape_type: str) -> Self:
        """Set how shapes are filled up to four axes."""
        return self._set(reshape_type_=(reshape_type, str))

    def dynamic_shape(self, dynamic_shape: bool = False) -> Self:
        """Set whether shapes may differ from call to call."""
        return self._set(dynamic_shape_support_=(dynamic_shape, bool))

    def dynamic_compile_static(self, dynamic_compile_static: bool = False) -> Self:
        """Set whether a kernel for one shape is compiled as for any."""
        return self._set(dynamic_compile_static_=(dynamic_compile_static, bool))

    def need_check_supported(self, need_check_supported: bool = False) -> Self:
        """Set whether the kernel is asked whether it can."""
        return self._set(need_check_support_=(need_check_supported, bool))

    def is_dynamic_format(self, is_dynamic_format: bool = False) -> Self:
        """Set whether the kernel chooses the formats."""
        return self._set(dynamic_format_=(is_dynamic_format, bool))

    def op_pattern(self, pattern: str | None = None) -> Self:
        """Set of which pattern the kernel is, e.g. "broadcast"."""
        return self if pattern is None else self._set(op_pattern_=(pattern, str))

    def attr(
        self,
        name: str | None = None,
        param_type: str | None = None,
        value_type: str | None = None,
        value: str | None = None,
        default_value: str | None = None,
        **kwargs: Any,
    ) -> Self:
        """Add an attribute."""
        said = {
            "name": name,
            "paramType": param_type,
            "type": value_type,
            "value": value,
            "defaultValue": default_value,
        }
        self.attr_.append(_description(kwargs, **{key: (word, str) for key, word in said.items()}))
        return self

    def input(
        self,
        index: int | None = None,
        name: str | None = None,
        need_compile: bool | None = None,
        param_type: str | None = None,
        shape: str | None = None,
        value_depend: str | None = None,
        **kwargs: Any,
    ) -> Self:
        """Add an input.

        Raises:
            ValueError: `value_depend` is not "ignored", "optional" or "required".
        """
        said = _description(
            kwargs,
            index=(index, int),
            name=(name, str),
            needCompile=(need_compile, bool),
            paramType=(param_type, str),
            shape=(shape, str),
            valueDepend=(value_depend, str),
        )
        if value_depend and value_depend.lower() not in ("ignored", "optional", "required"):
            raise ValueError(f"value_depend of input {index} of {self.op_name} must be ignored, optional or required.")
        self.inputs.append(said)
        return self

    def output(
        self,
        index: int | None = None,
        name: str | None = None,
        need_compile: bool | None = None,
        param_type: str | None = None,
        shape: str | None = None,
        **kwargs: Any,
    ) -> Self:
        """Add an output."""
        said = _description(
            kwargs,
            index=(index, int),
            name=(name, str),
            need_compile=(need_compile, bool),
            paramType=(param_type, str),
            shape=(shape, str),
        )
        self.outputs.append(said)
        return self


def op_info_register(op_info: str | Description) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate a kernel of MindSpore's own with its description, which is kept; nothing here compiles such kernels.

    Args:
        op_info: the description, or its JSON.

    Raises:
        TypeError: (when it decorates) `op_info` is neither.

    Follows: mindspore.ops.op_info_register (2.10).
    """

    def keep(func: Callable[..., Any]) -> Callable[..., Any]:
        _of(str, json.dumps(op_info) if isinstance(op_info, dict) else op_info, "op_info")
        func.op_info = op_info  # type: ignore[attr-defined]
        return func

    return keep


def custom_info_register(*reg_info: str | Description) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate the function of a `Custom` with descriptions, one for each device.

    Follows: mindspore.ops.custom_info_register (2.10).
    """

    def keep(func: Callable[..., Any]) -> Callable[..., Any]:
        func.reg_info = reg_info  # type: ignore[attr-defined]
        return func

    return keep
