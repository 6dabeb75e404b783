"""Packed maps come back; damaged ones are refused."""

import pytest

from msbridge.dataset.mindrecord.format.msgpack_rows import pack, unpack


@pytest.mark.parametrize(
    "data", [b"", b"\x81", b"\x81\xa1", b"\x81\xa1a", b"\x81\xa1a\xda\xff", b"\x81\x01\x01", b"\x80\x80"]
)
def test_a_damaged_map_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"map|string|name"):
        unpack(data, ["a"])


def test_maps_come_back() -> None:
    for value in (
        0,
        127,
        128,
        -32,
        -33,
        1 << 16,
        -(1 << 31),
        (1 << 63) - 1,
        -(1 << 63),
        0.5,
        0.1,
        1e300,
        "",
        "é" * 40000,
    ):
        assert unpack(pack({"value": value}), ["value"]) == {"value": value}
    many = {f"f{number}": number for number in range(70)}
    assert unpack(pack(many), many) == many
