"""Inputs by kind: images, ids, masks and numbers, from one line of text, or from a file."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from msbridge.converters.errors import CheckpointError
from msbridge.converters.files.atomic_write import replacing_path
from msbridge.converters.formats import npz
from msbridge.core.runtime.path_mapping import resolve
from msbridge.mindir.func_graph import FuncGraph

PATTERN = re.compile(r"(?:(?P<kind>[a-z_]+)(?:<(?P<limit>\d+))?(?:@(?P<dtype>[a-z0-9]+))?:)?(?P<shape>\d*(?:[,x]\d+)*)")
Maker = Callable[[tuple[int, ...], int, torch.Generator], torch.Tensor]


def _image(shape: tuple[int, ...], _: int, generator: torch.Generator) -> torch.Tensor:
    """Make smooth patches with noise on them, as normalised photographs have: about mean 0 and deviation 1."""
    size = shape[-2:] if len(shape) >= 2 else shape
    coarse = torch.randn(*shape[: -len(size)], *(max(1, -(-one // 8)) for one in size), generator=generator)
    for axis, one in zip(range(-len(size), 0), size, strict=True):
        coarse = coarse.repeat_interleave(8, dim=axis).narrow(axis, 0, one)
    return coarse + 0.2 * torch.randn(shape, generator=generator)


def _mask(shape: tuple[int, ...], _: int, generator: torch.Generator) -> torch.Tensor:
    """Make ones for the first, and zeros for the padded last part of each row; the first row is full."""
    length = shape[-1]
    rows = torch.randint((length + 1) // 2, length + 1, shape[:-1], generator=generator)
    if rows.dim():
        rows[(0,) * rows.dim()] = length
    return (torch.arange(length) < rows.unsqueeze(-1)).long()


def _special(shape: tuple[int, ...], _: int, generator: torch.Generator) -> torch.Tensor:
    """Make numbers of every size, with zeros and infinities of both signs among them."""
    data = torch.randn(shape, generator=generator) * 10 ** torch.randint(-6, 5, shape, generator=generator).float()
    odd = torch.tensor([0.0, -0.0, torch.inf, -torch.inf])
    flat = data.flatten()
    places = torch.randperm(flat.numel(), generator=generator)[: len(odd)]
    flat[places] = odd[: len(places)]
    return flat.reshape(shape)


# kind → (what makes it, its default dtype)
KINDS: dict[str, tuple[Maker, str]] = {
    "bool": (lambda shape, _, generator: torch.rand(shape, generator=generator) < 0.5, "bool"),
    "ids": (lambda shape, limit, generator: torch.randint(0, limit, shape, generator=generator), "int64"),
    "image": (_image, "float32"),
    "mask": (_mask, "int64"),
    "normal": (lambda shape, _, generator: torch.randn(shape, generator=generator), "float32"),
    "ones": (lambda shape, _, __: torch.ones(shape), "float32"),
    "special": (_special, "float32"),
    "uniform": (lambda shape, _, generator: torch.rand(shape, generator=generator), "float32"),
    "zeros": (lambda shape, _, __: torch.zeros(shape), "float32"),
}


def make(specs: Sequence[str], seed: int = 0) -> list[torch.Tensor]:
    """Make one tensor of each text: `[KIND[<LIMIT][@DTYPE]:]SHAPE`.

    Without a kind, four axes make an image and others normal numbers. `ids` are below LIMIT (100).

    Raises:
        ValueError: a text has another form, or names no kind or dtype.

    Examples:
        >>> from msbridge.verify.record.inputs import make
        >>> [tuple(one.shape) for one in make(["2,3,8,8", "ids<30:2,5", "mask@float32:2,5"])]
        [(2, 3, 8, 8), (2, 5), (2, 5)]
    """
    return [_generate(text, torch.Generator().manual_seed(seed + number)) for number, text in enumerate(specs)]


def _generate(text: str, generator: torch.Generator) -> torch.Tensor:
    parts = PATTERN.fullmatch(text.strip())
    if not parts:
        raise ValueError(
            f"an input is [KIND[<LIMIT][@DTYPE]:]SHAPE, such as image:1,3,224,224 or ids<30522:2,128; got {text!r}."
        )
    shape = tuple(int(one) for one in re.split("[,x]", parts["shape"]) if one)
    kind = parts["kind"] or ("image" if len(shape) == 4 else "normal")
    if kind not in KINDS:
        raise ValueError(f"an input's kind is one of {', '.join(KINDS)}; got {kind!r}.")
    maker, usual = KINDS[kind]
    dtype = getattr(torch, parts["dtype"] or usual, None)
    if not isinstance(dtype, torch.dtype):
        raise ValueError(f"{parts['dtype']!r} is not a dtype; float32, float16, int32 … are.")
    return maker(shape, int(parts["limit"] or 100), generator).to(dtype)


def specs_of(graph: FuncGraph) -> list[str]:
    """Return texts for the inputs of a network from a file, as it describes them; whole numbers are 0 or 1.

    Raises:
        ValueError: it does not determine a length, or an input is not a tensor.
    """
    specs = []
    for name, described in graph.model.input_types().items():
        if described is None or any(length < 0 for length in described.shape):
            raise ValueError(f"{graph.model.path.name} says too little of its input {name}: pass --input or --inputs.")
        dtype = getattr(torch, described.dtype)
        kind = "normal" if dtype.is_floating_point else "bool" if dtype is torch.bool else "ids<2"
        specs.append(f"{kind}@{described.dtype}:{','.join(map(str, described.shape))}")
    return specs


def read(path: str | Path) -> list[torch.Tensor]:
    """Read the arrays of an .npz file (or the one of an .npy file), in their order.

    Raises:
        OSError: the file cannot be read.
        ValueError: it holds objects, or is not an .npz or .npy file.
    """
    return list(arrays_of(path).values())


def arrays_of(path: str | Path) -> dict[str, torch.Tensor]:
    """Read the arrays of an .npz file by name; the one of an .npy file has the empty name.

    Raises:
        OSError: the file cannot be read.
        ValueError: it holds objects, or is not an .npz or .npy file.
    """
    place = Path(resolve(path))
    place.stat()
    try:
        arrays = npz.read_all(place)
    except CheckpointError as error:
        raise ValueError(f"{path} is damaged, no .npz or .npy file, or holds Python objects: {error}") from error
    if not arrays:
        raise ValueError(f"{path} holds no arrays.")
    return arrays


def write(path: str | Path, data: Sequence[torch.Tensor]) -> None:
    """Save inputs, so that the comparison can be repeated with them."""
    plain = [one.float() if one.dtype is torch.bfloat16 else one for one in data]
    arrays: dict[str, Any] = {f"input{number}": one.cpu().numpy() for number, one in enumerate(plain)}
    write_arrays(path, arrays)


def write_arrays(path: str | Path, arrays: dict[str, Any]) -> None:
    """Write a compressed archive of arrays; it appears when it is complete."""
    with replacing_path(path) as partial, partial.open("wb") as file:  # numpy would add .npz to another name
        np.savez_compressed(file, **arrays)
