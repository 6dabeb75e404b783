"""Compiling with torch: what jit_level "O2" asks for, and "O1" on CUDA.

A function is compiled as one graph where that can be done; else in pieces, between which Python runs; and where there
is not a piece, or torch fails, not at all. Each is said in one line with the lines of the script at
fault. Compiled code is kept on disk, so that a second start finds it.
"""

import functools
import inspect
import logging
import operator
import os
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from msbridge.core import torch_private
from msbridge.core.checks.no_effect_warnings import is_first, level_of_user
from msbridge.core.context import context
from msbridge.core.jit.graph_breaks import TORCH, CompileWarning, GraphBreak, at, format_breaks, name_of
from msbridge.core.tensor.tensor import Tensor

__all__ = [
    "Compiled",
    "backend_of",
    "graph_breaks",
    "is_compiling",
    "keep_out_of_graphs",
    "level_of_context",
    "prepare",
    "rewrite_graphs",
]

VARIABLE = "MSBRIDGE_COMPILE"

BACKENDS = {"O1": "cudagraphs", "O2": "inductor"}  # torch's names of what makes code of graphs

_CACHE = "~/.cache/msbridge/compiled"
_OPERATORS = tuple(f"{Path(__file__).parents[2] / room}{os.sep}" for room in ("core", "ops"))
_NOISY = ("torch._dynamo.convert_frame", "torch._subclasses.fake_tensor", "torch._dynamo.symbolic_convert")

_left_out: list[tuple[type, str]] = []
_rewrites: list[Callable[[torch.fx.Graph], None]] = []
_LEFT_OUT = "msbridge leaves it out of graphs"  # how a break says that it was to be
_lock = threading.Lock()
_is_prepared = False


class _Thread(threading.local):
    is_inside = False  # a compiled function is running


_thread = _Thread()


def backend_of(level: str) -> str | None:
    """Return torch's backend for a jit_level; None where functions run as they are."""
    backend = BACKENDS.get(level)
    return None if backend == "cudagraphs" and not torch.cuda.is_available() else backend


def level_of_context() -> str:
    """Return the jit_level of the context where it is to act: with MSBRIDGE_COMPILE=1.

    Scripts set "O2" for the compiler of an Ascend. torch's takes minutes at the first start, and eager steps are fast;
    so a script that is run unmodified stays eager, with one warning.
    """
    level = context.jit_level()
    if os.environ.get(VARIABLE, "") not in ("", "0"):
        return level
    if level == "O2" and is_first(VARIABLE):
        warnings.warn(
            'jit_level "O2" in the context is for the compiler of an Ascend: networks run as they are. '
            f"{VARIABLE}=1 has torch compile them, which takes minutes at the first start.",
            CompileWarning,
            stacklevel=level_of_user(),
        )
    return ""


def is_compiling() -> bool:
    """Whether torch traces this code now, or runs it as a part of a compiled function."""
    return torch.compiler.is_compiling() or _thread.is_inside


def keep_out_of_graphs(kind: type, method: str) -> None:
    """Break the graph at a method, which compiled code calls in Python: it gains nothing in a graph."""
    _left_out.append((kind, method))
    if _is_prepared:
        _leave_out(kind, method)


def rewrite_graphs(rewrite: Callable[[torch.fx.Graph], None]) -> None:
    """Let `rewrite` change every graph of ATen's operators before code is made of it."""
    _rewrites.append(rewrite)


class Compiled:
    """A function that torch compiles when it is called.

    Args:
        function: what to compile.
        backend: torch's name of what makes code of graphs.
        is_dynamic: compile for changing shapes at once.
        is_full: refuse to compile in pieces.

    Attributes:
        breaks: where its graphs end; filled by the first call.
    """

    def __init__(
        self, function: Callable[..., Any], backend: str, *, is_dynamic: bool = False, is_full: bool = False
    ) -> None:
        self.breaks: list[GraphBreak] = []
        self._function = self._run = function
        self._backend = backend
        self._is_dynamic = is_dynamic
        self._is_full = is_full
        self._is_new = True
        self._failure = ""
        self._graphs = 0

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if _thread.is_inside or (self._run is self._function and not self._is_new):
            return self._function(*args, **kwargs)
        _thread.is_inside = True
        try:
            if self._is_new:
                self._is_new = False
                return self._first_call(args, kwargs)
            return self._call_guarded(args, kwargs)
        finally:
            _thread.is_inside = False

    def _first_call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        prepare()
        if self._backend == "inductor":
            _keep_on_disk()
            if reason := _missing_compiler():
                self._say(f"runs as it is: {reason}")
                return self._function(*args, **kwargs)
        from msbridge.core.torch_private import TorchDynamoException

        if not self._is_full and _has_parts_left_out(self._function):
            return self._in_pieces(args, kwargs)
        self._run = self._compile_function(is_whole=True)
        try:
            return self._run(*args, **kwargs)
        except TorchDynamoException as error:  # while tracing: nothing has been run
            if self._is_full:
                self._run = self._function
                raise
            self._note(getattr(error, "real_stack", None), str(error))
        finally:
            if self._failure:
                self._say(f"runs in part as it is: {self._failure}")
        return self._in_pieces(args, kwargs)

    def _compile_function(self, is_whole: bool) -> Callable[..., Any]:
        dynamic = True if self._is_dynamic else None
        return torch.compile(self._function, fullgraph=is_whole, dynamic=dynamic, backend=self._compile)

    def _in_pieces(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        from msbridge.core.torch_private import dynamo_config

        self._run = self._compile_function(is_whole=False)
        with dynamo_config.patch(suppress_errors=True):
            result = self._run(*args, **kwargs)
        if not self._graphs:
            self._run = self._function
            self._say(f"runs as it is: {format_breaks(self.breaks)}")
        elif self.breaks:
            self._say(f"is compiled in pieces: {format_breaks(self.breaks)}")
        return result

    def _call_guarded(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        from msbridge.core.torch_private import TorchDynamoException

        try:
            return self._run(*args, **kwargs)
        except TorchDynamoException as error:  # other inputs, for which it had to be compiled again
            if self._is_full:
                raise
            result = self._function(*args, **kwargs)  # what is wrong with the inputs is reported in MindSpore's words
            self._run = self._function
            self._say(f"runs as it is from now on: {at(getattr(error, 'real_stack', None), str(error))}")
            return result

    def _compile(self, graph: torch.fx.GraphModule, inputs: list[torch.Tensor]) -> Any:
        """Make code of a graph; torch calls this."""
        from msbridge.core.torch_private import lookup_backend

        is_of_cpu = self._backend == "inductor" and all(getattr(one, "is_cpu", True) for one in inputs)
        options = {"config_patches": _settings_on_cpus()} if is_of_cpu else {}
        reason: Any = getattr(graph, "compile_subgraph_reason", None)
        self._graphs += 1
        if reason is not None and reason.graph_break:
            self._note(reason.user_stack, reason.reason)
        try:
            return lookup_backend(self._backend)(graph, inputs, **options)
        except Exception as error:
            self._failure = str(error).strip().partition("\n")[0] or type(error).__name__
            return graph.forward

    def _note(self, stack: Any, reason: str) -> None:
        found = at(stack, reason)
        if found not in self.breaks and _LEFT_OUT not in reason:
            self.breaks.append(found)

    def _say(self, what: str) -> None:
        warnings.warn(f"{name_of(self._function)} {what}", CompileWarning, stacklevel=level_of_user((TORCH,)))


def graph_breaks(function: Callable[..., Any], *args: Any, **kwargs: Any) -> list[GraphBreak]:
    """Run a function or Cell once, and list the places that could not be in one graph with the rest at "O2".

    Nothing is compiled to machine code, so it takes as long as tracing. Where a function can be one graph, the list is
    empty.

    Args:
        function: what to look at.
        args: what it is called with.
        kwargs: likewise.

    Returns:
        One for each place, in the order in which they were found; after a place inside of a Cell or function that the
        function calls, what follows may not be looked at.
    """
    target: Any = getattr(function, "construct", None) or getattr(function, "__wrapped__", function)
    compiled = Compiled(target, "eager")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CompileWarning)
        compiled(*args, **kwargs)
    return compiled.breaks


def prepare() -> None:
    """Register our functions with torch's tracer, once."""
    global _is_prepared
    with _lock:
        if _is_prepared:
            return

        _trace_operators_of_objects()
        _trace_frames_with_tensors()
        if "TORCH_LOGS" not in os.environ:
            for name in _NOISY:  # pages of traceback about what `Compiled` reports in a line
                logging.getLogger(name).setLevel(logging.CRITICAL)
        for kind, method in _left_out:
            _leave_out(kind, method)
        _is_prepared = True


def _keep_on_disk() -> None:
    """Keep compiled code for the next start, in TORCHINDUCTOR_CACHE_DIR: else torch's own choice is in /tmp."""
    folder = os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(Path(_CACHE).expanduser()))
    Path(folder).mkdir(parents=True, exist_ok=True)


@functools.cache
def _settings_on_cpus() -> dict[str, Any]:
    """Return settings of torch's compiler: it applies `_rewrites`, whose source is a part of its cache's keys.

    And it leaves the layout of images as it is (torch 2.13): into channels last, with the weights in every step, a
    training step of ResNet-18 takes 1.44 of the eager one's time, without 0.88.
    """
    from msbridge.core.torch_private import CustomGraphPass

    class Rewriting(CustomGraphPass):  # type: ignore[misc]
        def __call__(self, graph: torch.fx.Graph) -> None:
            for rewrite in _rewrites:
                rewrite(graph)

        def uuid(self) -> Any:
            return [inspect.getsource(inspect.getmodule(rewrite)) for rewrite in _rewrites]  # type: ignore[arg-type]

    return {"layout_optimization": False, "post_grad_custom_pre_pass": Rewriting()}


def _has_parts_left_out(function: Callable[..., Any]) -> bool:
    """Whether this is the method of a Cell with a part that stays out of graphs: one graph would be traced in vain."""
    kinds = tuple(kind for kind, _ in _left_out)
    return any(isinstance(part, kinds) for part in vars(getattr(function, "__self__", None) or object).values())


def _leave_out(kind: type, method: str) -> None:
    run = kind.__dict__.get(method) or _inherited_method(kind, method)
    setattr(kind, method, torch_private.disable(run, reason=_LEFT_OUT))


def _inherited_method(kind: type, method: str) -> Callable[..., Any]:
    """Return a method that calls what `kind` inherits at the time: a Cell's call changes with the context."""

    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(super(kind, self), method)(*args, **kwargs)

    return run


def _trace_operators_of_objects() -> None:
    """Make Dynamo trace `a @ b` and `~a` of objects that define them; its table of operators lacks these (torch 2.13).

    Without the table, as in another release of torch, they stay graph breaks.
    """
    from msbridge.core.torch_private import BuiltinVariable

    if not hasattr(BuiltinVariable, "_binops") or hasattr(BuiltinVariable, "call_invert"):
        return

    def call_invert(self: Any, tx: Any, value: Any) -> Any:
        is_object = isinstance(value.realize(), UserDefinedObjectVariable)
        return value.call_method(tx, "__invert__", [], {}) if is_object else None

    from msbridge.core.torch_private import UserDefinedObjectVariable

    names = ["__matmul__", "__rmatmul__", "__imatmul__"]
    BuiltinVariable._binops()[operator.matmul] = (names, operator.imatmul)
    BuiltinVariable.call_invert = call_invert
    BuiltinVariable._binop_handlers.cache_clear()
    BuiltinVariable.call_function_handler_cache.clear()


def _trace_frames_with_tensors() -> None:
    """Make Dynamo begin graphs where Python runs between them, in frames with our Tensors and Cells.

    It looks only for torch's (torch 2.13). And it begins none in an operator of ours, which would be a graph of one
    operator, slower than without; called from a graph, operators are a part of it as ever.
    """
    from msbridge.core.torch_private import convert_frame

    of_torch = getattr(convert_frame, "has_tensor_in_frame", None)
    if of_torch is None:
        return

    def has_tensor_in_frame(frame: Any) -> bool:
        if frame.f_code.co_filename.startswith(_OPERATORS) and frame.f_code not in always_optimize_code_objects:
            return False
        ours = any(
            isinstance(value, Tensor) or hasattr(type(value), "set_jit_config") for value in frame.f_locals.values()
        )
        return ours or of_torch(frame)

    from msbridge.core.torch_private import always_optimize_code_objects

    convert_frame.has_tensor_in_frame = has_tensor_in_frame


def _missing_compiler() -> str:
    """Return why C++ code cannot be compiled; "" if it can."""
    from msbridge.core.torch_private import cpp_builder
    from msbridge.core.torch_private import inductor_exc as exc

    try:
        cpp_builder.get_cpp_compiler()
    except exc.InvalidCxxCompiler:
        return "no C++ compiler is found; install g++, or set CXX to one"
    return ""
