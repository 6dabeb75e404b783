"""Write a MindRecord file of random rows, where a network's own preparation downloads; started by jobs.

msbridge run records.py FILE ROWS COLUMN=TYPE:LENGTH:TOP …      # input_ids=int64:128:21128: integers below TOP
"""

import sys

import numpy as np
from mindspore.mindrecord import FileWriter

__all__ = ["main"]


def main(file: str, rows: str, *columns: str) -> None:
    """Write the file."""
    kinds = [(name, *kind.split(":")) for name, kind in (column.split("=") for column in columns)]
    rng = np.random.default_rng(0)
    writer = FileWriter(file, shard_num=1)
    writer.add_schema({name: {"type": kind, "shape": [int(length)]} for name, kind, length, _ in kinds}, "rows")
    writer.write_raw_data(
        [
            {name: rng.integers(0, int(top), int(length)).astype(kind) for name, kind, length, top in kinds}
            for _ in range(int(rows))
        ]
    )
    writer.commit()


if __name__ == "__main__":
    main(*sys.argv[1:])
