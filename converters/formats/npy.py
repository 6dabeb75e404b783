"""The header of numpy's `.npy`, and what it says about the elements behind it."""

import functools
import math
import re
import struct
from collections.abc import Callable
from dataclasses import dataclass

from msbridge.converters.errors import CheckpointError
from msbridge.converters.tensors.dtypes import ELEMENTS, Element

MAGIC = b"\x93NUMPY"
MAX_HEADER_BYTES = 1 << 16
USUAL_HEADER_BYTES = 128
MAX_ELEMENTS = 1 << 58  # torch multiplies dimensions, and bytes of an element, in 63 bits
BY_DESCRIPTOR = {element.numpy[1:]: element for element in ELEMENTS if element.numpy}
# A header is a mapping as Python spells it. It is matched, not parsed: Python's parser can be made to run out of stack.
ITEM = re.compile(
    r"""\s*(?P<q>['"])(?P<key>descr|fortran_order|shape)(?P=q)\s*:\s*"""
    r"""(?:(?P<r>['"])(?P<text>[^'"\\]{1,80})(?P=r)|(?P<flag>True|False)|\((?P<dims>[\s\d,L]*)\))\s*(?:,\s*)?"""
)
DIM = re.compile(r"\s*(\d{1,20})L?\s*")  # Python 2 wrote an L behind long integers


@dataclass(frozen=True, slots=True)
class Header:
    """The header before the elements of an array.

    Attributes:
        descriptor: numpy's word for the type of the elements.
        is_fortran: whether the first axis varies fastest.
        shape: the shape.
        start: where the elements begin.
        text_bytes: the bytes of a text, which numpy keeps as a single element of its length; None for other types.
    """

    descriptor: str
    is_fortran: bool
    shape: tuple[int, ...]
    start: int
    text_bytes: int | None

    @property
    def element(self) -> Element:
        """The type of the elements, unless it is a text."""
        return BY_DESCRIPTOR[self.descriptor.lstrip("<>|=")]

    @property
    def is_swapped(self) -> bool:
        """Whether the elements are big-endian."""
        return self.descriptor[0] == ">"

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return math.prod(self.shape) * (self.element.size if self.text_bytes is None else self.text_bytes)


def read_header(read: Callable[[int, int], bytes], size: int, where: str) -> Header:
    """Read a header.

    Args:
        read: returns bytes of the array, by offset and length.
        size: how many bytes the array has, header and elements.
        where: names it in messages.

    Raises:
        CheckpointError: the header is damaged, does not agree with the size, or is of a type that no tensor has.
    """
    head = read(0, min(size, USUAL_HEADER_BYTES))
    start = header_end(head)
    if len(head) < start <= min(size, MAX_HEADER_BYTES):
        head = read(0, start)
    try:
        descriptor, is_fortran, shape = _parse_header(head[:start])
    except ValueError as error:
        raise CheckpointError(f"{where}: {error}.") from error
    code = descriptor.lstrip("<>|=")
    text = re.fullmatch(r"U(\d{1,9})", code)
    if not text and code not in BY_DESCRIPTOR:
        reason = "of numpy type" if "O" not in code else "pickled objects, which are not read; of numpy type"
        raise CheckpointError(f"{where}: {reason} {descriptor!r}, which no tensor has.")
    header = Header(descriptor, is_fortran, shape, start, 4 * int(text[1]) if text else None)
    if not header.nbytes and math.prod(dim or 1 for dim in shape) > MAX_ELEMENTS:
        raise CheckpointError(f"{where}: the impossible shape {shape!r:.200}.")
    if start + header.nbytes != size:
        raise CheckpointError(
            f"{where}: {descriptor} of shape {shape} takes {header.nbytes} bytes, it has {size - start}."
        )
    if text and shape != ():
        raise CheckpointError(f"{where}: an array of texts of shape {shape}; only a single text can be kept.")
    return header


def header(descriptor: str, shape: tuple[int, ...]) -> bytes:
    """Return the header of an array whose last axis varies fastest."""
    text = f"{{'descr': '{descriptor}', 'fortran_order': False, 'shape': {shape!r}, }}".encode("ascii")
    text += b" " * (-(len(text) + 11) % 64) + b"\n"
    return MAGIC + b"\x01\x00" + struct.pack("<H", len(text)) + text


def header_end(head: bytes) -> int:
    """Return the offset of the elements of a `.npy`, by its first bytes."""
    width = 2 if head[6:7] == b"\x01" else 4
    return 8 + width + int.from_bytes(head[8 : 8 + width], "little")


@functools.lru_cache(1024)  # the arrays of an archive have few shapes
def _parse_header(head: bytes) -> tuple[str, bool, tuple[int, ...]]:
    """Read a header; return descriptor, order and shape.

    Raises:
        ValueError: it is damaged, or the array is a structured one.
    """
    if head[:6] != MAGIC or len(head) < header_end(head) or len(head) > MAX_HEADER_BYTES:
        raise ValueError(f"no .npy array, or one with a header of {header_end(head)} bytes")
    text = head[10 if head[6] == 1 else 12 :].decode("latin-1").strip()
    items: dict[str, re.Match[str]] = {}
    at = 1
    while item := ITEM.match(text, at):
        items[item["key"]] = item
        at = item.end()
    is_whole = text[:1] == "{" and text[at:] == "}" and len(items) == 3
    if not is_whole or not items["descr"]["text"] or not items["fortran_order"]["flag"]:
        raise ValueError("the .npy header is damaged, or the array is a structured one")
    dims = items["shape"]["dims"]
    parts = [
        DIM.fullmatch(part) for part in (dims or "").rstrip().removesuffix(",").split(",") if dims and dims.strip()
    ]
    if dims is None or None in parts or len(parts) > 64:
        raise ValueError("the .npy header is damaged: it has no shape, or one of more than 64 axes")
    shape = tuple(int(part[1]) for part in parts if part)
    return items["descr"]["text"], items["fortran_order"]["flag"] == "True", shape
