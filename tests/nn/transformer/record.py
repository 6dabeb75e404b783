"""Record what the parallel Transformer of the real MindSpore 2.0.0 does: run this file there.

    PYTHON tests/nn/transformer/record.py

PYTHON is the interpreter of an environment with `mindspore==2.0.0`, whose folder `parallel._transformer` later releases
do not have.
"""

import gzip
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2]))


def main() -> None:
    import mindspore as ms
    from mindspore.parallel import _transformer as package
    from mindspore.parallel._transformer import layers, moe, op_parallel_config, transformer

    from tests.nn.transformer.cases import CASES, answer, names

    if ms.__version__ != "2.0.0":
        raise SystemExit(f"this is MindSpore {ms.__version__}, not 2.0.0")
    ms.set_context(mode=ms.PYNATIVE_MODE)
    scope = names(ms, package, {"T": transformer, "L": layers, "M": moe, "C": op_parallel_config})
    answers = {case: answer(case, scope) for case in CASES}
    with gzip.GzipFile(HERE / "record.json.gz", "wb", mtime=0) as file:
        file.write(json.dumps(answers, separators=(",", ":")).encode())
    for case, found in answers.items():
        if "raises" in found:
            print(found["raises"], case)


if __name__ == "__main__":
    main()
