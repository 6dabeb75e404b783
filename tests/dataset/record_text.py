"""Ask MindSpore for the results of `text_cases.txt`: `python tests/dataset/record_text.py`, in an environment that "
"has it."""

import gzip
import json
import pathlib
import sys
import tempfile

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore.dataset import text

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from tests.dataset.text_cases import CASES, SETUP, outcome, write_files

TARGET = pathlib.Path(__file__).with_name("text.json.gz")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = write_files(pathlib.Path(folder))
        names = {"ms": ms, "ds": ds, "np": np, "text": text, "NF": text.NormalizeForm, **files}
        exec(SETUP, names)
        found = {module: [outcome(*case, names) for case in cases] for module, cases in CASES.items()}
    content = json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    TARGET.write_bytes(gzip.compress(content, 9, mtime=0))


if __name__ == "__main__":
    main()
