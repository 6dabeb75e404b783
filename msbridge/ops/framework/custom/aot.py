"""Kernels that a script compiles ahead of time: a function of a shared library, called on the memory of tensors.

    int Name(int nparam, void **params, int *ndims, int64_t **shapes, const char **dtypes, void *stream, void *extra)

Follows: mindspore.ops.Custom (2.10), func_type "aot".
"""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch

SOURCES = (".cc", ".cpp")


def locate(func: Any) -> tuple[Path, str]:
    """Return (file, function) of "file:function".

    Raises:
        TypeError: `func` is not of this form, or the file is outside of the folder MS_CUSTOM_AOT_WHITE_LIST.
    """
    if not isinstance(func, str):
        raise TypeError(f"For 'Custom' with func_type 'aot', func must be of type str, got {type(func).__name__}.")
    file, colon, name = func.rpartition(":")
    if not colon or ":" in file:
        raise TypeError(f"For 'Custom' with func_type 'aot', func must be like 'file_name:func_name', got {func!r}.")
    path = Path(os.path.realpath(file))
    allowed = os.environ.get("MS_CUSTOM_AOT_WHITE_LIST")
    if allowed is not None and not path.is_relative_to(os.path.realpath(allowed)):
        raise TypeError(
            f"For 'Custom', {path} is not below {allowed}, the folder that MS_CUSTOM_AOT_WHITE_LIST allows."
        )
    return path, name


def compile_source(source: Path) -> Path:
    """Compile a C++ file to a shared library, and return its path; a library is returned as it is.

    Raises:
        RuntimeError: the compiler fails, or the source is for a GPU.
    """
    if source.suffix == ".cu":
        raise RuntimeError(f"For 'Custom', compile {source.name} with nvcc first, and pass the .so.")
    if source.suffix not in SOURCES:
        return source
    import subprocess

    folder = Path(os.environ.get("MS_COMPILER_CACHE_PATH", "custom_kernel_meta")).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    library = folder / f"{source.name}.so"
    command = ["g++", "-std=c++17", "--shared", "-fPIC", f"-I{source.parent}", "-o", str(library), str(source)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise RuntimeError(f"For 'Custom', {source.name} needs g++ to be compiled, and there is none.") from error
    if done.returncode:
        raise RuntimeError(f"For 'Custom', {source} does not compile:\n{done.stderr}")
    return library


def load_function(library: Path, name: str) -> Callable[..., int]:
    """Return a function of a shared library.

    Raises:
        RuntimeError: there is no such file or function.
    """
    import ctypes

    if not library.exists():
        raise RuntimeError(f"For 'Custom', there is no file {library}.")
    try:
        function = getattr(ctypes.CDLL(str(library)), name)
    except (OSError, AttributeError) as error:
        raise RuntimeError(f"For 'Custom', {library} has no function {name!r}: {error}.") from error
    function.restype = ctypes.c_int
    return function  # type: ignore[no-any-return]


def launch(function: Callable[..., int], inputs: Sequence[torch.Tensor], outputs: Sequence[torch.Tensor]) -> None:
    """Call a function on the memory of contiguous tensors, on the CPU or a GPU.

    Raises:
        RuntimeError: the function returns another number than 0.
    """
    import ctypes

    tensors = [*inputs, *outputs]
    count = len(tensors)
    pointers = (ctypes.c_void_p * count)(*(one.data_ptr() for one in tensors))
    ranks = (ctypes.c_int * count)(*(one.dim() for one in tensors))
    sizes = [(ctypes.c_int64 * max(one.dim(), 1))(*one.shape) for one in tensors]
    shapes = (ctypes.POINTER(ctypes.c_int64) * count)(
        *(ctypes.cast(one, ctypes.POINTER(ctypes.c_int64)) for one in sizes)
    )
    dtypes = (ctypes.c_char_p * count)(*(str(one.dtype).removeprefix("torch.").encode() for one in tensors))
    on_gpu = any(one.is_cuda for one in tensors)
    stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream if on_gpu else None)
    code = function(count, pointers, ranks, shapes, dtypes, stream, None)
    if code:
        raise RuntimeError(
            f"For 'Custom', the function returned {code}: any number but 0 is an error of its own, and ends the call."
        )
