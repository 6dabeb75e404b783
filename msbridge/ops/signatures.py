"""Signatures of primitives: how an argument is read or written, and which arguments share a dtype.

They are kept with the primitive; types are promoted by the operators themselves.

Follows: mindspore.ops.signature (2.10).
"""

from dataclasses import dataclass
from enum import Enum
from typing import Any

__all__ = ["Signature", "make_sig", "sig_dtype", "sig_kind", "sig_rw"]


class sig_rw(Enum):  # MindSpore's name
    """Whether an argument is read or written."""

    RW_READ = 0
    RW_WRITE = 1
    RW_REF = 2
    RW_EMPTY_DEFAULT_VALUE = 3


class sig_kind(Enum):  # MindSpore's name
    """How an argument is given."""

    KIND_POSITIONAL_KEYWORD = 0
    KIND_VAR_POSITIONAL = 1
    KIND_KEYWORD_ONLY = 2
    KIND_VAR_KEYWARD = 3
    KIND_EMPTY_DEFAULT_VALUE = 4


sig_dtype = Enum("sig_dtype", ["T", *(f"T{number}" for number in range(1, 10)), "T_EMPTY_DEFAULT_VALUE"], start=0)


@dataclass(frozen=True, slots=True)
class Signature:
    """The signature of one argument; made by `make_sig`."""

    name: str
    rw: sig_rw
    kind: sig_kind
    default: Any
    dtype: Any


def make_sig(
    name: str = "var",
    rw: sig_rw = sig_rw.RW_READ,
    kind: sig_kind = sig_kind.KIND_POSITIONAL_KEYWORD,
    default: Any = sig_kind.KIND_EMPTY_DEFAULT_VALUE,
    dtype: Any = sig_dtype.T_EMPTY_DEFAULT_VALUE,
) -> Signature:
    """Make the signature of one argument.

    Follows: mindspore.ops.signature.make_sig (2.10).
    """
    return Signature(name, rw, kind, default, dtype)
