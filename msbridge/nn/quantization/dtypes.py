"""The integer types that training simulates."""

import enum

__all__ = ["QuantDtype"]


class QuantDtype(enum.Enum):
    """An integer type of 2 to 8 bits, with or without a sign.

    Follows: mindspore.compression.common.QuantDtype (1.9).
    """

    INT2 = "INT2"
    INT3 = "INT3"
    INT4 = "INT4"
    INT5 = "INT5"
    INT6 = "INT6"
    INT7 = "INT7"
    INT8 = "INT8"
    UINT2 = "UINT2"
    UINT3 = "UINT3"
    UINT4 = "UINT4"
    UINT5 = "UINT5"
    UINT6 = "UINT6"
    UINT7 = "UINT7"
    UINT8 = "UINT8"

    def __str__(self) -> str:
        return self.name

    @property
    def num_bits(self) -> int:
        """The number of bits."""
        return int(self.name[-1])

    @staticmethod
    def is_signed(dtype: "QuantDtype") -> bool:
        """Return whether the type has negative values.

        Follows: mindspore.compression.common.QuantDtype.is_signed (1.9).
        """
        return dtype in QuantDtype and dtype.name[0] == "I"

    @staticmethod
    def switch_signed(dtype: "QuantDtype") -> "QuantDtype":
        """Return the type of as many bits with a sign for one without, and the other way round.

        Follows: mindspore.compression.common.QuantDtype.switch_signed (1.9).
        """
        return QuantDtype[dtype.name[1:] if dtype.name[0] == "U" else "U" + dtype.name]
