"""Arguments that readers have in common, and their lines in the readers' docstrings.

A docstring names them in one line, `num_samples, shuffle, cache: as in every reader.`, which is a line for each when
the class is defined: `help` and documentation show all of them, and their sentences are written once.
"""

import re
from collections.abc import Mapping

__all__ = ["INDEXED", "STREAMED", "with_common_arguments"]

# Of readers that find a row by its number.
INDEXED: Mapping[str, str] = {
    "num_samples": "at most how many rows; None is all.",
    "num_parallel_workers": "threads for decoding and transforms; None takes the global setting.",
    "shuffle": "None and True read in random order.",
    "decode": "read images (H, W, 3) instead of bytes.",
    "sampler": "chooses rows; excludes num_samples, shuffle, num_shards and shard_id.",
    "num_shards": "into how many parts the rows are divided.",
    "shard_id": "which part is read.",
    "cache": "a DatasetCache that keeps rows in this process; None keeps none.",
}
# Of readers that run through files.
STREAMED: Mapping[str, str] = {
    "num_samples": "at most how many rows of each shard; None and 0 are all.",
    "num_parallel_workers": "into how many queues files are dealt out; None takes the global setting.",
    "num_shards": INDEXED["num_shards"],
    "shard_id": INDEXED["shard_id"],
    "cache": "accepted; the files are read in each pass.",
}
_LINE = re.compile(r"^( *)(\w+(?:, \w+)*): as in every reader\.$", re.MULTILINE)


def with_common_arguments(doc: str, sentences: Mapping[str, str]) -> str:
    """Return a docstring in which each common argument has a line of its own.

    Raises:
        KeyError: it names an argument that `sentences` does not have.
    """

    def describe(line: re.Match[str]) -> str:
        return "\n".join(f"{line[1]}{name}: {sentences[name]}" for name in line[2].split(", "))

    return _LINE.sub(describe, doc)
