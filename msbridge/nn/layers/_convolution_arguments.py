"""Argument checks of the convolutions, in the order in which each layer of MindSpore makes them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from msbridge.core.checks.arguments import instance, integer, non_negative_int, one_of, per_axis, positive_int
from msbridge.ops.kernel_calls.windows import Sizes

_FORMATS = {1: ("NCHW",), 2: ("NCHW", "NHWC"), 3: ("NCDHW",)}  # by the number of axes that the window has


@dataclass(frozen=True, slots=True)
class ConvolutionArguments:
    """Arguments of a convolution's constructor."""

    op: str  # the layer
    rank: int  # how many axes its window has
    in_channels: int
    out_channels: int
    kernel_size: Sizes
    stride: Sizes
    padding: Sizes
    dilation: Sizes
    group: int
    data_format: str
    output_padding: Sizes

    def check(self, is_transposed: bool) -> None:
        """Refuse what does not fit: of several arguments that do not, the first that the layer looks at.

        Raises:
            TypeError: an argument is of another type.
            ValueError: an argument is out of range, or the groups do not divide the channels.
        """
        for step in _ORDERS[self.rank, is_transposed]:
            step(self)

    def sizes(self) -> Mapping[str, Sizes]:
        """Return the sizes of the window by the names of the arguments."""
        return {"kernel_size": self.kernel_size, "stride": self.stride, "dilation": self.dilation}

    def check_types(self) -> None:
        """Check the types of the sizes: only ints over one axis."""
        if self.rank > 1:
            for name, size in self.sizes().items():
                per_axis(size, name, self.op, self.rank, None, is_exact=True)
            return
        sizes = {"kernel_size": self.kernel_size, "stride": self.stride, "padding": self.padding}
        for name, size in {**sizes, "dilation": self.dilation}.items():
            instance(size, name, self.op, int)

    def check_values(self) -> None:
        """Check that the sizes are positive."""
        per_axis(self.kernel_size, "kernel_size", self.op, self.rank, 1)
        per_axis(self.stride, "stride", self.op, self.rank, 1)
        if self.rank == 1:
            non_negative_int(self.padding, "padding", self.op)
        per_axis(self.dilation, "dilation", self.op, self.rank, 1)

    def check_sizes(self) -> None:
        """Check type and values of a size, then those of the next."""
        for name, size in self.sizes().items():
            instance(size, name, self.op, (int, tuple))
            self._fill(size, name, 1)

    def check_group(self) -> None:
        """Check that the number of groups is positive."""
        positive_int(self.group, "group", self.op)

    def check_divisors(self) -> None:
        """Check that the groups divide the channels, of which a float is taken here, too."""
        for name, channels in {"in_channels": self.in_channels, "out_channels": self.out_channels}.items():
            try:
                rest = channels % self.group
            except (TypeError, ZeroDivisionError):
                integer(channels, name, self.op)
                self.check_group()
                raise
            if rest:
                raise ValueError(
                    f"For '{self.op}', '{name}' must be divisible by 'group', but got {channels} and {self.group}."
                )

    def check_channels(self) -> None:
        """Check that there are channels."""
        positive_int(self.in_channels, "in_channels", self.op)
        positive_int(self.out_channels, "out_channels", self.op)

    def check_format(self) -> None:
        """Check the layout of the data."""
        one_of(self.data_format, "data_format", self.op, _FORMATS[self.rank])

    def check_padding(self) -> None:
        """Check the type of the padding and how many sides it is for, where a layer wants all of them."""
        instance(self.padding, "padding", self.op, (int, tuple))
        if isinstance(self.padding, tuple) and len(self.padding) != 2 * self.rank:
            raise ValueError(f"For '{self.op}', 'padding' must be an int or {2 * self.rank}, but got {self.padding!r}.")

    def check_sides(self) -> None:
        """Check that the padding is not negative."""
        for side in self.padding if isinstance(self.padding, tuple) else (self.padding,):
            non_negative_int(side, "padding", self.op)

    def check_output_padding(self) -> None:
        """Check the padding of the output; over two axes its values wait."""
        instance(self.output_padding, "output_padding", self.op, (int, tuple))
        self._fill(self.output_padding, "output_padding", 0 if self.rank == 3 else None)

    def check_sides_of_any_count(self) -> None:
        """Check type and values of the padding, but not of how many sides it is."""
        instance(self.padding, "padding", self.op, (int, tuple))
        self.check_sides()

    def _fill(self, size: Any, name: str, least: int | None) -> None:
        try:
            per_axis(size, name, self.op, self.rank, least, is_exact=True)
        except TypeError as error:
            raise ValueError(*error.args) from error


_Step = Callable[[ConvolutionArguments], None]
_A = ConvolutionArguments
_ORDERS: Mapping[tuple[int, bool], tuple[_Step, ...]] = {
    (1, False): (_A.check_types, _A.check_values, _A.check_group, _A.check_divisors, _A.check_channels),
    (1, True): (_A.check_types, _A.check_values, _A.check_channels, _A.check_group, _A.check_divisors),
    (2, False): (
        *(_A.check_types, _A.check_group, _A.check_divisors, _A.check_channels, _A.check_format),
        *(_A.check_sides_of_any_count, _A.check_values),
    ),
    (2, True): (
        *(_A.check_types, _A.check_padding, _A.check_output_padding, _A.check_channels, _A.check_sides),
        *(_A.check_group, _A.check_values, _A.check_divisors),
    ),
    (3, False): (
        *(_A.check_divisors, _A.check_sizes, _A.check_padding, _A.check_channels, _A.check_format),
        *(_A.check_sides, _A.check_group),
    ),
    (3, True): (
        *(_A.check_divisors, _A.check_sizes, _A.check_padding, _A.check_output_padding, _A.check_channels),
        *(_A.check_format, _A.check_sides, _A.check_group),
    ),
}
"""By the number of axes of the window and whether the convolution is transposed."""
