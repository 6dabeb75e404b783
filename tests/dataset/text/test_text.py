"""Text transforms in pipelines and with wrong arguments, against MindSpore's results; what is otherwise here."""

import sys

import numpy as np
import pytest

import msbridge.dataset as ds
from msbridge.dataset import text


def test_each_string_of_an_array_is_changed_by_itself() -> None:
    """MindSpore puts all results into the first one."""
    found = text.RegexReplace("a", "b")(np.array([["a", "xa"], ["c", ""]]))
    assert found.tolist() == [["b", "xb"], ["c", ""]]
    assert text.FilterWikipediaXML()(np.array(["A", "1"])).tolist() == ["a", "one"]


def test_a_pair_with_an_empty_sequence_is_cut_by_hand_as_well() -> None:
    """MindSpore does so in pipelines only."""
    first, second = text.TruncateSequencePair(1)(np.array([1, 2]), np.array([], np.int64))
    assert (first.tolist(), second.tolist()) == ([1], [])


def test_rows_of_a_stack_are_what_single_rows_are() -> None:
    lines = ["Hello wörld", "a b c", "", "中文 x"]
    for transform in (
        text.WhitespaceTokenizer(),
        text.BasicTokenizer(True),
        text.UnicodeCharTokenizer(),
        text.CaseFold(),
    ):
        rows = ds.NumpySlicesDataset(lines, ["line"], shuffle=False).map(transform, "line")
        found = [row[0] for row in rows.create_tuple_iterator(output_numpy=True, num_epochs=1)]
        assert [(row.tolist(), row.dtype) for row in found] == [
            (transform(line).tolist(), transform(line).dtype) for line in lines
        ]


def test_ids_of_one_length_become_a_batch() -> None:
    vocab = text.Vocab.from_list(["a", "b", "c"], ["<unk>"])
    steps = [text.WhitespaceTokenizer(), text.Lookup(vocab, "<unk>"), text.Truncate(2)]
    rows = ds.NumpySlicesDataset(["a b c", "c z a"], ["line"], shuffle=False).map(steps, "line").batch(2)
    (batch,) = next(rows.create_tuple_iterator(output_numpy=True))
    assert (batch.tolist(), batch.dtype) == ([[1, 2], [3, 0]], np.int32)


def test_a_vocabulary_of_a_dataset_as_r1_builds_it() -> None:
    rows = ds.NumpySlicesDataset(["b", "a", "b"], ["word"], shuffle=False)
    assert rows.build_vocab("word").vocab() == {"b": 0, "a": 1}
    model = rows.build_sentencepiece_vocab(["word"], 5, 1.0, text.SentencePieceModel.CHAR, {})
    assert text.SentencePieceTokenizer(model, text.SPieceTokenizerOutType.STRING)("ab").tolist() == ["▁", "a", "b"]


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "regex", None)
    with pytest.raises(ImportError, match=r"pip install .msbridge\[text\]"):
        text.RegexTokenizer("never compiled before")("a")
