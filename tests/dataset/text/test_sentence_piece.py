"""msbridge.dataset.text.sentence_piece against MindSpore's recorded results."""

from tests.dataset.text_tests import RecordedTests


class TestRecorded(RecordedTests):
    module = "sentence_piece"
