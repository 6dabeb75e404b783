"""Primitives that draw from rarer distributions.

Follows: mindspore.ops.Cauchy, NonDeterministicInts, ParameterizedTruncatedNormal (2.10); other numbers are drawn.
"""

import math
from typing import Any

import torch

from msbridge.core.checks.arguments import boolean, instance, positive_int
from msbridge.core.context.context import torch_device
from msbridge.core.errors.explain import explain
from msbridge.core.random.seeds import sequence
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.ops.kernel_calls.families import plain_shape
from msbridge.ops.primitive.primitive import Primitive


class Cauchy(Primitive):
    """Draw from the Cauchy distribution.

    Args:
        size: the shape, a list.
        median: where it is densest.
        sigma: half its width at half its height.

    Outputs:
        A Tensor of shape `size`; Float32.

    Raises:
        TypeError: an argument of another type.

    Follows: mindspore.ops.Cauchy (2.10).
    """

    def __init__(self, size: list[int], median: float = 0.0, sigma: float = 1.0) -> None:
        super().__init__("Cauchy")
        self.add_prim_attr("size", instance(size, "size", self.name, list))
        self.add_prim_attr("median", instance(median, "median", self.name, float))
        self.add_prim_attr("sigma", instance(sigma, "sigma", self.name, float))

    def __call__(self) -> Tensor:
        try:
            found = torch.empty(self.attrs["size"], device=torch_device())
            return wrap(found.cauchy_(self.attrs["median"], self.attrs["sigma"]))
        except Exception as error:
            raise explain(error, self.name, size=self.attrs["size"]) from error


class NonDeterministicInts(Primitive):
    """Draw integers from the whole range of their type.

    Args:
        dtype: int32 or int64.

    Inputs:
        shape: that of the result, (rank,); Int32 or Int64.

    Outputs:
        A Tensor of shape `shape` and dtype `dtype`.

    Raises:
        TypeError: another type.

    Follows: mindspore.ops.NonDeterministicInts (2.10).
    """

    def __init__(self, dtype: Type = mstype.int64) -> None:
        super().__init__("NonDeterministicInts")
        if dtype not in (mstype.int32, mstype.int64):
            raise TypeError(f"For '{self.name}', dtype must be int32 or int64, got {dtype}.")
        self.add_prim_attr("dtype", dtype)

    def __call__(self, shape: Tensor) -> Tensor:
        try:
            kind = self.attrs["dtype"].torch
            limits = torch.iinfo(kind)
            found = torch.empty(plain_shape(shape), dtype=kind, device=torch_device())
            return wrap(found.random_(limits.min, None if kind is torch.int64 else limits.max + 1))
        except Exception as error:
            raise explain(error, self.name, shape=shape) from error


class ParameterizedTruncatedNormal(Primitive):
    """Draw from normal distributions what lies within ends; each row has its mean, deviation and ends.

    Args:
        seed: with a seed, this object has a sequence of its own.
        seed2: a second part of the seed.

    Inputs:
        shape: that of the result, (rank,); Int32 or Int64.
        mean: 0-d, or one for each row; floats.
        stdevs: likewise, positive.
        min: likewise.
        max: likewise, above `min`.

    Outputs:
        A Tensor of shape `shape` and the dtype of `mean`.

    Raises:
        TypeError: a seed is not an int.

    Follows: mindspore.ops.ParameterizedTruncatedNormal (2.10).
    """

    def __init__(self, seed: int = 0, seed2: int = 0) -> None:
        super().__init__("ParameterizedTruncatedNormal")
        self.add_prim_attr("seed", instance(seed, "seed", self.name, int))
        self.add_prim_attr("seed2", instance(seed2, "seed2", self.name, int))
        self._generator: torch.Generator | None = None

    def __call__(self, shape: Tensor, mean: Tensor, stdevs: Tensor, min: Tensor, max: Tensor) -> Tensor:
        try:
            sizes = plain_shape(shape)
            middle, width, low, high = (self._rows(one, len(sizes)) for one in (mean, stdevs, min, max))
            first, last = (0.5 * torch.special.erfc(-(end - middle) / width / math.sqrt(2)) for end in (low, high))
            if self._generator is None and (self.attrs["seed"] or self.attrs["seed2"]):
                self._generator = sequence(self.attrs["seed"] * 1_000_003 + self.attrs["seed2"], middle.device)
            drawn = torch.rand(sizes, dtype=torch.float64, device=middle.device, generator=self._generator)
            found = middle + width * torch.special.ndtri(first + (last - first) * drawn)
            return wrap(torch.minimum(torch.maximum(found, low), high).to(mean._data.dtype))
        except Exception as error:
            raise explain(error, self.name, shape=shape, mean=mean, stdevs=stdevs) from error

    @staticmethod
    def _rows(value: Tensor, rank: int) -> Any:
        data = value._data.double()
        return data.reshape(-1, *[1] * (rank - 1)) if data.dim() else data


class SampleDistortedBoundingBoxV2(Primitive):
    """Draw a part of an image that holds enough of one of its boxes: where it begins, its size, and its corners.

    Args:
        seed: with a seed, this object has a sequence of its own.
        seed2: a second part of the seed.
        aspect_ratio_range: least and largest width / height.
        area_range: least and largest share of the image.
        max_attempts: how often it is tried before the whole image is taken.
        use_image_if_no_bounding_boxes: whether the whole image is the box, where there is none.

    Inputs:
        image_size: (height, width, channels), of shape (3,); integers.
        bounding_boxes: (top, left, bottom, right) in [0, 1], (batch, N, 4); Float32.
        min_object_covered: the share of a box that the part holds, 0-d; Float32.

    Outputs:
        (begin, size, corners): of shape (3,) and the dtype of `image_size` twice, and (1, 1, 4), Float32.

    Raises:
        TypeError: an argument of another type.
        ValueError: a range is empty or out of bounds, or there is no box.

    Follows: mindspore.ops.SampleDistortedBoundingBoxV2 (2.10); other numbers are drawn.
    """

    def __init__(
        self,
        seed: int = 0,
        seed2: int = 0,
        aspect_ratio_range: tuple[float, float] = (0.75, 1.33),
        area_range: tuple[float, float] = (0.05, 1.0),
        max_attempts: int = 100,
        use_image_if_no_bounding_boxes: bool = False,
    ) -> None:
        super().__init__("SampleDistortedBoundingBoxV2")
        self.add_prim_attr("seed", instance(seed, "seed", self.name, int))
        self.add_prim_attr("seed2", instance(seed2, "seed2", self.name, int))
        for name, ends in (("aspect_ratio_range", aspect_ratio_range), ("area_range", area_range)):
            low, high = self.add_prim_attr(name, instance(ends, name, self.name, (list, tuple))).attrs[name]
            if not 0 < low < high or (name == "area_range" and high > 1):
                raise ValueError(f"For '{self.name}', {name} must be a range of positive numbers, got {ends}.")
        self.add_prim_attr("max_attempts", positive_int(max_attempts, "max_attempts", self.name))
        is_whole = boolean(use_image_if_no_bounding_boxes, "use_image_if_no_bounding_boxes", self.name)
        self.add_prim_attr("use_image_if_no_bounding_boxes", is_whole)
        self._generator: torch.Generator | None = None

    def __call__(
        self, image_size: Tensor, bounding_boxes: Tensor, min_object_covered: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        try:
            height, width, _ = image_size.tolist()
            boxes = bounding_boxes._data.reshape(-1, 4).tolist()
            if not boxes and not self.attrs["use_image_if_no_bounding_boxes"]:
                raise ValueError("bounding_boxes has no box.")
            least = float(min_object_covered._data.reshape(()))
            top, left, low, right = self._part(height, width, boxes or [[0.0, 0.0, 1.0, 1.0]], least)
            kind, device = image_size._data.dtype, image_size._data.device
            rows = ([top, left, 0], [low - top, right - left, -1])
            corners = [[[top / height, left / width, low / height, right / width]]]
            parts = [torch.tensor(row, dtype=kind, device=device) for row in rows]
            return wrap(parts[0]), wrap(parts[1]), wrap(torch.tensor(corners, device=device))
        except Exception as error:
            raise explain(error, self.name, image_size=image_size, bounding_boxes=bounding_boxes) from error

    def _draw_between(self, low: float, high: float) -> float:
        if self._generator is None and (self.attrs["seed"] or self.attrs["seed2"]):
            self._generator = sequence(self.attrs["seed"] * 1_000_003 + self.attrs["seed2"], torch.device("cpu"))
        return low + (high - low) * float(torch.rand((), generator=self._generator))

    def _part(self, height: int, width: int, boxes: list[list[float]], least: float) -> tuple[int, int, int, int]:
        """Return top, left, bottom and right of the part."""
        for _ in range(self.attrs["max_attempts"]):
            ratio = self._draw_between(*self.attrs["aspect_ratio_range"])
            area = self._draw_between(*self.attrs["area_range"]) * height * width
            rows, columns = round(math.sqrt(area / ratio)), round(math.sqrt(area * ratio))
            if not (0 < rows <= height and 0 < columns <= width):
                continue
            top, left = int(self._draw_between(0, height - rows + 1)), int(self._draw_between(0, width - columns + 1))
            part = (top, left, min(top + rows, height), min(left + columns, width))
            if any(_share_covered(part, box, height, width) >= least for box in boxes):
                return part
        return 0, 0, height, width


def _share_covered(part: tuple[int, int, int, int], box: list[float], height: int, width: int) -> float:
    """Return the share of a box, in shares of the image, that lies in a part of the image."""
    top, left, low, right = box[0] * height, box[1] * width, box[2] * height, box[3] * width
    area = (low - top) * (right - left)
    shared = max(min(low, part[2]) - max(top, part[0]), 0) * max(min(right, part[3]) - max(left, part[1]), 0)
    return shared / area if area > 0 else 0.0
