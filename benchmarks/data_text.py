"""Text pipelines: rows per second against MindSpore's own engine.

    python -m benchmarks.data_text [--oracle PYTHON]

Sentences of 8 to 40 English words, and of 8 to 60 Chinese characters, go through tokenizers and a vocabulary. PYTHON
names an interpreter with the real MindSpore; it runs the same lines in a process of its own.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.table import Row, at_least

_PEER = """
import json
import mindspore.dataset as ds
from benchmarks.data_text import rates
print("rates", json.dumps(rates(ds)))
"""
ROOT = str(Path(__file__).parent.parent)
ROWS, PASSES, LIMIT = 1000, 5, 1.0
ENGLISH = """the of and to in a is that for it was on are as with they be at this have from or one had by word but not
what all were we when your can said there use an each which she do how their if will up other about out many then them
these so some her would make like him into time has look two more write go see number no way could people my than
Tokenization embedding Transformer language, modelling. pre-trained (BERT) don't state-of-the-art 1998"""
CHINESE = """的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生自会那后能对着事其里
所去行过家十用发天如然作方成者多日都三小军二无同么经法当起与好看学进种将还分此心前面又定见只主没公从"""


def run(oracle: str | None = None) -> list[Row]:
    """Measure, and give one row for each language and pipeline; none without an oracle.

    Args:
        oracle: an interpreter with the real MindSpore.
    """
    if oracle is None:
        return []
    command = [oracle, "-c", _PEER]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": ROOT})
    theirs = json.loads(done.stdout.rsplit("rates", 1)[1])
    import msbridge.dataset as ds

    return [
        at_least(f"text pipeline, {name}", rate, "MindSpore", theirs[name], LIMIT, "rows/s")
        for name, rate in rates(ds).items()
    ]


def rates(ds: Any) -> dict[str, float]:
    """Measure all pipelines of a `mindspore.dataset`; gives rows per second by name."""
    text, found = ds.text, {}
    for language, rows in sentences().items():
        vocab = text.Vocab.from_list(["[UNK]", *sorted({*ENGLISH.lower().split(), *"".join(rows)})])
        operations = {
            "WhitespaceTokenizer": [text.WhitespaceTokenizer()],
            "BasicTokenizer": [text.BasicTokenizer(True)],
            "BertTokenizer": [text.BertTokenizer(vocab, lower_case=True)],
            "BertTokenizer and Lookup": [text.BertTokenizer(vocab, lower_case=True), text.Lookup(vocab, "[UNK]")],
            "UnicodeCharTokenizer and Lookup": [text.UnicodeCharTokenizer(), text.Lookup(vocab, "[UNK]")],
        }
        for name, steps in operations.items():
            data = ds.NumpySlicesDataset({"text": rows}, shuffle=False)
            for step in steps:
                data = data.map(step, "text")
            found[f"{language}, {name}"] = _rate(data.create_tuple_iterator(output_numpy=True))
    return found


def sentences() -> dict[str, list[str]]:
    """Make the rows, the same in every process."""
    draw = random.Random(0)
    english = [" ".join(draw.choices(ENGLISH.split(), k=draw.randint(8, 40))).capitalize() + "." for _ in range(ROWS)]
    chinese = ["".join(draw.choices(CHINESE.replace("\n", ""), k=draw.randint(8, 60))) + "。" for _ in range(ROWS)]
    return {"English": english, "Chinese": chinese}


def _rate(iterator: Any) -> float:
    measured = []
    for _ in range(PASSES):
        start = time.perf_counter()
        count = sum(1 for _ in iterator)
        measured.append(count / (time.perf_counter() - start))
    return statistics.median(measured)


def main() -> None:
    """Measure and print the rows."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.data_text", description=__doc__.partition("\n")[0])
    parser.add_argument("--oracle", metavar="PYTHON", help="an interpreter with the real MindSpore, to compare with")
    rows = run(parser.parse_args().oracle)
    for row in rows:
        print(f"{row.name}: {row.ours}; {row.peer}; ratio {row.ratio:.2f}, target {row.target}")
    sys.exit(0 if all(row.is_met for row in rows) else 1)


if __name__ == "__main__":
    main()
