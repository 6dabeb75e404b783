"""msbridge.dataset.text.token_sequences against MindSpore's recorded results."""

from text_tests import RecordedTests


class TestRecorded(RecordedTests):
    module = "sequences"
