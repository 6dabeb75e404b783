"""Tiny texts for pretraining, for the jobs of the acceptance run."""

import sys
from pathlib import Path

import numpy as np
from data import Maker

sys.path.append(str(Path(__file__).parents[1] / "dataset"))

from tfrecords import tfrecord

__all__ = ["documents", "masked"]


def documents(count: int = 12, sentences: int = 6) -> Maker:
    """Documents of a sentence a line with blank lines between, `text.txt`, and BERT's list of words, `vocab.txt`."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        at.mkdir(parents=True, exist_ok=True)
        words = [f"{one}{other}" for one in "bdfgklmn" for other in ("ado", "ine", "oru")]
        (at / "vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words]) + "\n")
        texts = ["\n".join(" ".join(rng.choice(words, 7)) for _ in range(sentences)) for _ in range(count)]
        (at / "text.txt").write_text("\n\n".join(texts) + "\n")

    return make


def masked(rows: int = 16, length: int = 32, words: int = 100, guesses: int = 4) -> Maker:
    """BERT's examples for pretraining in TFRecord files, `part.tfrecord`."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        at.mkdir(parents=True, exist_ok=True)
        examples = []
        for number in range(rows):
            ids = rng.integers(5, words, length)
            places = np.sort(rng.choice(length, guesses, replace=False))
            hidden = ids[places].tolist()
            ids[places] = 4
            examples.append(
                {
                    "input_ids": ids.tolist(), "input_mask": [1] * length, "segment_ids": [0] * length,
                    "next_sentence_labels": [number % 2], "masked_lm_positions": places.tolist(),
                    "masked_lm_ids": hidden, "masked_lm_weights": [1.0] * guesses,
                }
            )  # fmt: skip
        (at / "part.tfrecord").write_bytes(tfrecord(examples))

    return make
