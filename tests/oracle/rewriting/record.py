"""Record what the real MindSpore gives for the scripts, in `2.10.0.json.gz`.

    PYTHON tests/oracle/rewriting/record.py

PYTHON is the interpreter of an environment with `mindspore==2.10.0` and `numpy<2`.
"""

import gzip
import json
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> int:
    os.chdir(sys.argv[1] if len(sys.argv) > 1 else "/tmp")  # MindSpore writes the code of networks below
    import mindspore
    import scripts

    if hasattr(mindspore, "install"):
        raise SystemExit("this `mindspore` is msbridge; run it with the interpreter of a real one")
    text = json.dumps(scripts.outcomes())
    path = HERE / f"{mindspore.__version__}.json.gz"
    with path.open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
        packed.write(text.encode())
    print(f"{len(scripts.SCRIPTS)} scripts; {path.stat().st_size} bytes in {path.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
