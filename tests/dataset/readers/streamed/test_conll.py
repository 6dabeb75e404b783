"""Readers of tagged. Judge: what MindSpore 2.10 answered."""

from tests.dataset.stream_tests import replayed

test_answers = replayed("CoNLL2000Dataset", "UDPOSDataset")
