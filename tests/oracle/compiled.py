"""A function of one argument made of the text of its body, and marked with `jit`."""

import linecache
import textwrap
import zlib
from collections.abc import Callable
from typing import Any

import mindspore as ms
import numpy as np
from mindspore import Tensor, mint, nn, ops

KNOWN = {"Tensor": Tensor, "mint": mint, "ms": ms, "nn": nn, "np": np, "ops": ops, "__name__": __name__}


def compiled(body: str, **settings: Any) -> Callable[..., Any]:
    """Return `jit` of a function of `x`; MindSpore reads its source, so this is put where `inspect` looks for it."""
    source = "def f(x):\n" + textwrap.indent(body, "    ") + "\n"
    place = f"<body {zlib.crc32(body.encode()):08x}>"
    linecache.cache[place] = len(source), None, source.splitlines(keepends=True), place
    scope: dict[str, Any] = dict(KNOWN)
    exec(compile(source, place, "exec"), scope)
    return ms.jit(scope["f"], **settings)  # type: ignore[no-any-return]
