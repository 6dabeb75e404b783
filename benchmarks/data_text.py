"""Text pipelines: rows per second against MindSpore's own engine.

    python -m benchmarks.data_text [--oracle PYTHON]

Sentences of 8 to 40 English words, and of 8 to 60 Chinese characters, go through tokenizers and a vocabulary. PYTHON
names an interpreter with the real MindSpore; it runs the same lines in a process of its own.
"""

import random
import tempfile
from pathlib import Path
from typing import Any

from benchmarks import peer
from benchmarks.table import Row

ROWS, WORDS = 1000, 50000
# How likely each of jieba's four states comes first, and after each other one: logarithms.
CHANGES = (
    "-0.26 -3.14e+100 -3.14e+100 -1.47",
    "-3.14e+100 -0.51 -0.92 -3.14e+100",
    "-0.59 -3.14e+100 -3.14e+100 -0.81",
    "-3.14e+100 -0.33 -1.26 -3.14e+100",
    "-0.72 -3.14e+100 -3.14e+100 -0.67",
)
ENGLISH = """the of and to in a is that for it was on are as with they be at this have from or one had by word but not
what all were we when your can said there use an each which she do how their if will up other about out many then them
these so some her would make like him into time has look two more write go see number no way could people my than
Tokenization embedding Transformer language, modelling. pre-trained (BERT) don't state-of-the-art 1998"""
CHINESE = """的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生自会那后能对着事其里
所去行过家十用发天如然作方成者多日都三小军二无同么经法当起与好看学进种将还分此心前面又定见只主没公从"""


def run(oracle: str | None = None) -> list[Row]:
    """Measure; two rows for each language and pipeline, none without an oracle."""
    return peer.compare_rates("text pipeline", rates, oracle)


def rates(ds: Any) -> dict[str, tuple[float, float]]:
    """Measure all pipelines of a `mindspore.dataset`; returns what `peer.rate` does by name."""
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
            found[f"{language}, {name}"] = peer.rate(data.create_tuple_iterator(output_numpy=True))
    with tempfile.TemporaryDirectory() as folder:
        words = write_jieba_files(Path(folder))
        rows = ["".join(random.Random(number).choices(words, k=20)) for number in range(ROWS)]
        for mode in text.JiebaMode:
            cut = text.JiebaTokenizer(f"{folder}/hmm_model.utf8", f"{folder}/jieba.dict.utf8", mode)
            data = ds.NumpySlicesDataset({"text": rows}, shuffle=False).map(cut, "text")
            found[f"JiebaTokenizer, {mode.name}"] = peer.rate(data.create_tuple_iterator(output_numpy=True))
    return found


def write_jieba_files(folder: Path) -> list[str]:
    """Write a dictionary of 50,000 words and a model of 3,000 characters, made up; returns the words."""
    draw = random.Random(1)
    characters = [chr(0x4E00 + number) for number in range(3000)]
    often = [1 / (1 + number) ** 0.7 for number in range(len(characters))]
    words = dict.fromkeys(characters)
    while len(words) < WORDS:
        length = draw.choices((2, 3, 4), (60, 25, 15))[0]
        words["".join(draw.choices(characters, often, k=length))] = None
    lines = (f"{word} {int(draw.paretovariate(0.6))} n\n" for word in words)
    (folder / "jieba.dict.utf8").write_text("".join(lines), encoding="utf-8")
    emitted = (",".join(f"{each}:{draw.uniform(-12, -4):.4f}" for each in characters) for _ in range(4))
    (folder / "hmm_model.utf8").write_text("\n".join([*CHANGES, *emitted, ""]), encoding="utf-8")
    return list(words)


def sentences() -> dict[str, list[str]]:
    """Make the rows, the same in every process."""
    draw = random.Random(0)
    english = [" ".join(draw.choices(ENGLISH.split(), k=draw.randint(8, 40))).capitalize() + "." for _ in range(ROWS)]
    chinese = ["".join(draw.choices(CHINESE.replace("\n", ""), k=draw.randint(8, 60))) + "。" for _ in range(ROWS)]
    return {"English": english, "Chinese": chinese}


if __name__ == "__main__":
    peer.main(run, __doc__)
