"""Readers of lines. Judge: what MindSpore 2.10 answered."""

from stream_tests import replayed

test_answers = replayed("TextFileDataset", "PennTreebankDataset", "WikiTextDataset", "EnWik9Dataset")
