"""The zip archives of torch: a pickle, and a member for each storage (for the layout see pth_writing.py).

An archive of TorchScript has two such pairs beside its code: `data`, the attributes of its modules, and `constants`.
"""

from collections.abc import Mapping
from typing import Any

from msbridge.converters.errors import CheckpointError
from msbridge.converters.files.memory_budget import Allowance
from msbridge.converters.files.source import Source
from msbridge.converters.formats import pickles, zip_reading
from msbridge.converters.formats.pth_pickle import Reader
from msbridge.converters.formats.pth_script import Module, ScriptReader

MAX_PICKLE_BYTES = 256 << 20  # names and shapes; a hundred thousand tensors take 20 MB
Places = dict[str, tuple[int, int]]  # storage → offset in the file, bytes
Members = Mapping[str, zip_reading.Member]


def load(source: Source, allowance: Allowance) -> tuple[Any, Places]:
    """Read the pickles of an archive.

    Returns:
        What it holds, a `Module` if it is of TorchScript; where the storages lie.

    Raises:
        CheckpointError: it is damaged, or no torch file.
    """
    members = {one.name: one for one in zip_reading.members(source, allowance)}
    folder = _folder(source, members)
    order = members.get(folder + "byteorder")
    if order and source.read(order.offset, min(order.size, 8)) == b"big":
        raise CheckpointError(f"{source.path}: its numbers are big-endian, which is not read; save it again elsewhere.")
    if folder + "constants.pkl" not in members:
        return _unpickle_part(source, members, folder, "data", Reader, allowance)
    state, places = _unpickle_part(source, members, folder, "data", ScriptReader, allowance)
    constants, more = _unpickle_part(source, members, folder, "constants", ScriptReader, allowance)
    if not isinstance(state, Module):
        state = Module(data=state)
    if constants:
        state["constants" if "constants" not in state else "CONSTANTS"] = constants
    return state, places | more


def _folder(source: Source, members: Members) -> str:
    """Return the folder of an archive that all of it lies in, with a slash behind it."""
    found = [name.removesuffix("data.pkl") for name in members if name.rpartition("/")[2] == "data.pkl"]
    least = min((one.count("/") for one in found), default=0)  # a TorchScript archive has files of the user's deeper
    outer = [one for one in found if one.count("/") == least]
    if len(outer) != 1:
        raise CheckpointError(f"{source.path}: {len(outer)} members are called data.pkl; a torch file has one.")
    return outer[0]


def _unpickle_part(
    source: Source, members: Members, folder: str, part: str, reader: type[Reader], allowance: Allowance
) -> tuple[Any, Places]:
    """Read the pickle of a part of an archive; its storages are called by the part and their number."""
    pickled, inside = members[f"{folder}{part}.pkl"], f"{folder}{part}/"
    used = [pickled, *(one for name, one in members.items() if name.startswith(inside))]
    for member in used:
        if not member.is_stored:
            raise CheckpointError(
                f"{zip_reading.describe(source, member)} is compressed or claims to be; "
                "torch stores members as they are."
            )
    if pickled.size > MAX_PICKLE_BYTES:
        raise CheckpointError(f"{zip_reading.describe(source, pickled)}: a pickle of {pickled.size} bytes: refused.")
    zip_reading.check_sum(source, pickled)
    data = source.read(pickled.offset, pickled.size)
    made = reader(data, 0, f"{source.path}: {pickled.name!r:.200}", allowance, f"{part}/")
    return pickles.load(made), {one.name.removeprefix(folder): (one.offset, one.size) for one in used[1:]}
