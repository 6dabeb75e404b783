import pytest

from msbridge.dropin.checkparam import shapes


def test_sizes_of_three_axes_are_read_as_in_2_10() -> None:
    read = shapes.check_3d_int_or_tuple
    assert read("kernel", 2, "Conv3d") == (2, 2, 2)
    assert read("kernel", 2, "Conv3d", ret_five=True) == (1, 1, 2, 2, 2)
    assert read("kernel", (1, 1, 1, 2, 3), "Conv3d", allow_five=True) == (1, 2, 3)
    assert read("kernel", (0, 1, 2), "Conv3d", greater_zero=False) == (0, 1, 2)
    for value, kind in ((True, TypeError), ([1, 2, 3], TypeError), ((2, 3), ValueError), ((1.0, 2, 3), ValueError)):
        with pytest.raises(kind, match="kernel"):
            read("kernel", value, "Conv3d")
    with pytest.raises(ValueError, match="depth"):
        read("kernel", 2, "Conv3d", third_one=True)
