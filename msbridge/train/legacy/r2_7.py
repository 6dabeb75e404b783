"""Names that 2.7 had, and 2.8 no more: the reader of what `ops.Print` wrote."""

from pathlib import Path

import numpy as np

from msbridge.converters.messages.print_records import Print, TensorProto
from msbridge.converters.messages.schema import parse
from msbridge.converters.messages.wire import DecodeError
from msbridge.core.tensor.tensor import Tensor


def parse_print(print_file_name: str) -> list[str | Tensor]:
    """Read the texts and Tensors of a file that `ops.Print` wrote.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is empty or damaged.

    Follows: mindspore.parse_print (2.7).
    """
    content = Path(print_file_name).read_bytes()
    if not content:
        raise ValueError(f"For 'parse_print', the file {print_file_name} is empty.")
    try:
        values = parse(Print, content).value
    except DecodeError as error:
        raise ValueError(f"For 'parse_print', the file {print_file_name} is damaged: {error}") from error
    return [one.desc if one.HasField("desc") else _tensor(one.tensor) for one in values]


def _tensor(tensor: TensorProto) -> Tensor:
    data = np.frombuffer(tensor.tensor_content, tensor.tensor_type.lower())
    return Tensor(data.reshape(() if tensor.dims == [0] else tuple(tensor.dims)))


OVERRIDES = {"parse_print": parse_print, "train.parse_print": parse_print}
