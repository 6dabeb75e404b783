"""Signatures of primitives: how an argument is read or written, and which arguments share a dtype.

They are kept with the primitive; types are promoted by the operators themselves.
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
    """The kinds of arguments."""

    KIND_POSITIONAL_KEYWORD = 0
    KIND_VAR_POSITIONAL = 1
    KIND_KEYWORD_ONLY = 2
    KIND_VAR_KEYWARD = 3
    KIND_EMPTY_DEFAULT_VALUE = 4


class sig_dtype(Enum):  # MindSpore's name
    """Arguments with the same mark are cast to one dtype."""

    T, T1, T2, T3, T4, T5, T6, T7, T8, T9, T_EMPTY_DEFAULT_VALUE = range(11)


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
