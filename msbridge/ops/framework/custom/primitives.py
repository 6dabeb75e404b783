"""Operators that scripts define: `Custom` in its kinds, and Python functions as operators."""

import inspect
import json
from collections.abc import Callable, Sequence
from typing import Any

from msbridge.core.autograd.custom_bprop import with_bprop
from msbridge.core.checks.arguments import instance, one_of
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.framework.custom import aot, hybrid, outputs
from msbridge.ops.primitive.primitive import PrimitiveWithInfer

Function = Callable[..., Any]
KINDS = ("hybrid", "akg", "tbe", "aicpu", "aot", "pyfunc")
TARGETS = {"AiCore": "Ascend", "CUDA": "GPU", "CPU": "CPU", "TBE": "Ascend", "AiCPU": "Ascend"}
COMPILED = {"akg", "tvm", "te", "compute", "ir_builder"}


class Custom(PrimitiveWithInfer):
    """An operator that a script defines.

    Args:
        func: a function of numpy arrays ("pyfunc"), one in the hybrid language, which `kernel` decorates ("hybrid",
            "akg"), or "file:function" of a shared library or C++ source ("aot").
        out_shape: the output's shape, a tuple of them for several outputs, or a function of the inputs' shapes. None is
            for "hybrid" only: the shape is the result's.
        out_dtype: likewise, the types.
        func_type: "pyfunc", "hybrid", "akg" or "aot"; "tbe" and "aicpu" are made, and refused when they are called.
        bprop: the gradient, `bprop(*inputs, out, dout)`. "hybrid" has one without it.
        reg_info: descriptions made with `CustomRegOp`.

    Inputs:
        args: Tensors and numbers, as `func` takes them.

    Outputs:
        A Tensor of the declared shape and dtype, or a tuple of them.

    Raises:
        ValueError: `func_type` or the target of a description is none of MindSpore's.
        TypeError: `func` does not fit `func_type`.
        RuntimeError: (when called) the outputs are not as declared, the kernel cannot be had on this machine, or its
            function returns an error; (in the backward pass) there is no `bprop`.

    Follows: mindspore.ops.Custom (2.10); without AKG's compiler for "hybrid", whose functions run as Python.
    """

    def __init__(
        self,
        func: Function | str,
        out_shape: Any = None,
        out_dtype: Any = None,
        func_type: str = "pyfunc",
        bprop: Function | None = None,
        reg_info: str | dict[str, Any] | list[Any] | tuple[Any, ...] | None = None,
    ) -> None:
        super().__init__("Custom")
        one_of(func_type, "func_type", "Custom", KINDS)
        self.func, self.func_type, self.out_shape, self.out_dtype = func, func_type, out_shape, out_dtype
        self.func_name = func if isinstance(func, str) else getattr(func, "__name__", "")
        self.reg_info = getattr(func, "reg_info", None) if reg_info is None else reg_info
        self._run = getattr(self, f"_{func_type}")()
        if not callable(func) and not isinstance(func, str):
            raise TypeError(f"For 'Custom', func must be of type function or str, got {type(func).__name__}.")
        self.add_prim_attr("func_name", self.func_name)
        self.add_prim_attr("func_type", func_type)
        self._dtypes = self._input_types_by_registration()
        self.bprop = bprop
        if bprop is None and self._run == self._on_arrays_of_any_shape:
            self.bprop = hybrid.bprop_of(func)  # type: ignore[arg-type]

    def __call__(self, *args: Any) -> Any:
        """Compute the outputs: a Tensor, or a tuple of them."""
        if self._dtypes:
            self._check_dtypes(args)
        return with_bprop(self._run, self.bprop or _without_gradient, args)

    def get_bprop(self) -> Function | None:
        """Return the gradient, or None."""
        return self.bprop

    def _pyfunc(self) -> Function:
        return self._on_arrays

    def _hybrid(self) -> Function:
        if not hasattr(self.func, "ms_kernel_flag"):
            raise TypeError("For 'Custom' with func_type 'hybrid', func must be a function decorated by kernel.")
        hybrid.check(self.func)  # type: ignore[arg-type]
        return self._on_arrays_of_any_shape

    def _akg(self) -> Function:
        if not callable(self.func):
            raise TypeError(f"For 'Custom' with func_type 'akg', func must be a function, got {self.func!r}.")
        code = inspect.unwrap(self.func).__code__
        words = {*code.co_names, *(name for inner in code.co_consts for name in getattr(inner, "co_names", ()))}
        if "output_tensor" not in words and words & COMPILED:
            return self._refuse
        return self._on_arrays_of_any_shape

    def _tbe(self) -> Function:
        if not callable(self.func):
            raise TypeError(f"For 'Custom' with func_type 'tbe', func must be a function, got {self.func!r}.")
        return self._refuse

    def _aicpu(self) -> Function:
        if self.reg_info is None:
            raise ValueError("For 'Custom' with func_type 'aicpu', reg_info must be given; CustomRegOp makes it.")
        return self._refuse

    def _aot(self) -> Function:
        self.file, self.function = aot.locate(self.func)
        if self.file.suffix in aot.SOURCES:
            self.file = aot.compile_source(self.file)
            self.func = f"{self.file}:{self.function}"
        return self._on_memory

    def _on_arrays(self, *args: Any) -> Any:
        declared = outputs.output_specs(self.out_shape, self.out_dtype, args)
        return outputs.tensors_of(self.func(*outputs.arrays_of(args)), declared)  # type: ignore[operator]

    def _on_arrays_of_any_shape(self, *args: Any) -> Any:
        run = hybrid.with_words(self.func, hybrid.ARRAY_WORDS)  # type: ignore[arg-type]
        result = run(*outputs.arrays_of(args))
        if self.out_shape is not None and self.out_dtype is not None:
            return outputs.tensors_of(result, outputs.output_specs(self.out_shape, self.out_dtype, args))
        return tuple(map(Tensor, result)) if isinstance(result, tuple) else Tensor(result)

    def _on_memory(self, *args: Any) -> Any:
        if self.out_shape is None or self.out_dtype is None or any(info.get("attr") for info in self._infos()):
            raise RuntimeError(
                "For 'Custom' with func_type 'aot', msbridge does not call the C++ functions that infer shapes or read "
                "attributes: pass out_shape and out_dtype, and what an attribute says in the function itself."
            )
        declared = outputs.output_specs(self.out_shape, self.out_dtype, args)
        datas = [instance(value, "input", "Custom", Tensor)._data.contiguous() for value in args]
        made = outputs.empty(declared, datas[0].device if datas else "cpu")  # type: ignore[arg-type]
        aot.launch(aot.load_function(self.file, self.function), datas, made)
        results = tuple(map(wrap, made))
        return results if declared[2] else results[0]

    def _refuse(self, *args: Any) -> Any:
        raise RuntimeError(
            f"For 'Custom', func_type {self.func_type!r} compiles {self.func_name!r} for a chip, which msbridge "
            "cannot: use 'pyfunc' with a function of numpy arrays, 'hybrid', or 'aot'."
        )

    def _infos(self) -> list[dict[str, Any]]:
        return [json.loads(info) if isinstance(info, str) else info for info in _flat(self.reg_info)]

    def _input_types_by_registration(self) -> list[tuple[str, ...]]:
        """Return the types of the inputs that descriptions for the CPU allow; none means any.

        Raises:
            TypeError: a description is not a dict.
            ValueError: its target is not a device of MindSpore's.
        """
        kinds = []
        for info in self._infos():
            instance(info, "reg_info", "Custom", dict)
            target = info.get("target") or ""
            if target not in ("Ascend", "GPU", "CPU"):
                target = TARGETS.get(info.get("processor") or info.get("imply_type") or "", target)
            if target not in ("Ascend", "GPU", "CPU"):
                target = {"pyfunc": "CPU", "tbe": "Ascend"}.get(self.func_type, target)
            one_of(target, "target of reg_info", "Custom", ("Ascend", "GPU", "CPU"))
            for item in info.get("attr", ()):
                if item.get("value") is not None:
                    self.add_prim_attr(item["name"], item["value"])
            if target == "CPU":
                count = len(info.get("inputs", ()))
                kinds += [tuple(pair[0] for pair in pairs[:count]) for pairs in info.get("dtype_format", ())]
        return kinds

    def _check_dtypes(self, args: Sequence[Any]) -> None:
        given = tuple(str(value.dtype).lower() for value in args if isinstance(value, Tensor))
        for allowed in self._dtypes:
            if all(want in ("", have) for want, have in zip(allowed, given, strict=False)):
                return
        raise TypeError(f"For 'Custom', the inputs are {given}; reg_info allows {self._dtypes}.")


class PyFunc(PrimitiveWithInfer):
    """A Python function of numpy arrays as an operator.

    Args:
        fn: the function.
        in_types: the inputs' types.
        in_shapes: the inputs' shapes; an empty one for a number.
        out_types: the outputs' types.
        out_shapes: the outputs' shapes.
        stateful: whether its calls keep their order, which they always do here.

    Inputs:
        args: Tensors of the declared types and shapes.

    Outputs:
        A tuple of Tensors of the declared types and shapes.

    Raises:
        TypeError: one of the four is neither list nor tuple.
        ValueError: types and shapes differ in number.

    Follows: mindspore.ops.operations.other_ops.PyFunc (2.10).
    """

    def __init__(
        self,
        fn: Function,
        in_types: Sequence[Any],
        in_shapes: Sequence[Any],
        out_types: Sequence[Any],
        out_shapes: Sequence[Any],
        stateful: bool = True,
    ) -> None:
        super().__init__("PyFunc")
        self.fn = fn
        for side, types, shapes in (("in", in_types, in_shapes), ("out", out_types, out_shapes)):
            instance(types, f"{side}_types", "PyFunc", (list, tuple))
            instance(shapes, f"{side}_shapes", "PyFunc", (list, tuple))
            if len(types) != len(shapes):
                raise ValueError(f"For 'PyFunc', {side}_types and {side}_shapes must be equal in number.")
            self.add_prim_attr(f"{side}_types", types)
            self.add_prim_attr(f"{side}_shapes", shapes)
        self.add_prim_attr("side_effect_io", stateful)

    def __call__(self, *args: Any) -> Any:
        """Return a tuple of Tensors."""
        declared = outputs.output_specs(tuple(self.out_shapes), tuple(self.out_types), args)
        return with_bprop(lambda *inputs: self._outputs(inputs, declared), _without_gradient, args)

    def _outputs(self, inputs: Sequence[Any], declared: outputs.Declared) -> Any:
        return outputs.tensors_of(self.fn(*outputs.arrays_of(inputs, self.in_shapes)), declared, ())


def _without_gradient(*args: Any) -> Any:
    raise RuntimeError("For 'Custom', there is no gradient: pass bprop to the operator.")


def _flat(info: Any) -> list[Any]:
    if info is None:
        return []
    return [one for each in info for one in _flat(each)] if isinstance(info, list | tuple) else [info]
