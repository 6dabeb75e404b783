"""Directions of a translation: from torch to MindSpore, and back."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from msbridge.scan.torch_names.rows import WRITTEN

__all__ = ["TO_MINDSPORE", "TO_TORCH", "Direction", "is_for_torch"]


@dataclass(frozen=True, slots=True, eq=False)
class Direction:
    """The settings of a translation from one framework to the other.

    Attributes:
        packages: those whose names are translated.
        imports: what the new source imports, by the name it uses.
        conventions: what names are in a file that gets them from another file's star import.
        drops: whether the import of a name goes.
        helpers: the files of helpers, and the modules to whose names each answers.
        prefix: goes before an imported name that the file has for something else.
        suffix: goes behind a helper's name that the file has for something else.
        header: the comment above helpers.
    """

    packages: tuple[str, ...]
    imports: Mapping[str, str]
    conventions: Mapping[str, str]
    drops: Callable[[str], bool]
    helpers: Mapping[str, tuple[str, ...]]
    prefix: str
    suffix: str
    header: str


def is_for_torch(path: str) -> bool:
    """Whether a name is of the part that another package has for torch, such as safetensors.torch."""
    return "torch" in path.split(".")[1:]


def _is_of_torch(path: str) -> bool:
    is_data = path.startswith(("torchvision.transforms", "torchvision.datasets"))
    return path.partition(".")[0] == "torch" or is_data or is_for_torch(path)


def _is_of_mindspore(path: str) -> bool:
    return path.partition(".")[0] == "mindspore"


PLAIN = {"math": "import math", "np": "import numpy as np"}
TO_MINDSPORE = Direction(
    packages=("torch", "torchaudio", "torchtext", "torchvision"),
    imports=PLAIN
    | {"ms": "import mindspore as ms"}
    | {name: f"from {path.rpartition('.')[0]} import {name}" for name, path in WRITTEN.items() if "." in path},
    conventions={"F": "torch.nn.functional", "Tensor": "torch.Tensor", "nn": "torch.nn", "torch": "torch"},
    drops=_is_of_torch,
    helpers={
        "functions": ("torch", "torch.nn.functional", "torch.Tensor", "torch.linalg", "torch.special"),
        "init": ("torch.nn.init",),
        "layers": ("torch.nn",),
        "networks": ("torch.utils.data",),
        "untranslated": (),
    },
    prefix="ms",
    suffix="torch",
    header="# What torch has and MindSpore has not under that name, written out by `msbridge translate`.\n",
)
TO_TORCH = Direction(
    packages=("mindspore",),
    imports=PLAIN
    | {"torch": "import torch", "nn": "from torch import nn", "F": "from torch.nn import functional as F"},
    conventions={"ms": "mindspore", "nn": "mindspore.nn", "ops": "mindspore.ops", "Tensor": "mindspore.Tensor"},
    drops=_is_of_mindspore,
    helpers={
        "torch_functions": ("mindspore.ops", "mindspore.numpy", "mindspore"),
        "torch_initializers": ("mindspore.common.initializer",),
        "torch_layers": ("mindspore.nn",),
        "torch_primitives": ("mindspore.ops",),
        "untranslated": (),
    },
    prefix="torch",
    suffix="mindspore",
    header="# What MindSpore has and torch has not under that name, written out by `msbridge translate`.\n",
)
