"""The name and the number of a device, as `get_current_device` returns them."""

__all__ = ["DeviceInfo"]


class DeviceInfo(tuple[str, int]):
    """A device's name and number.

    Follows: the result of mindspore.get_current_device (2.10).
    """

    __slots__ = ()

    @property
    def device_target(self) -> str:
        """Name of the device: "CPU", "GPU" or "Ascend"."""
        return self[0]

    @property
    def device_id(self) -> int:
        """Number of the device."""
        return self[1]
