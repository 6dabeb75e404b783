"""msbridge.dataset.text.token_sequences against MindSpore's recorded results."""

from tests.dataset.text_tests import RecordedTests


class TestRecorded(RecordedTests):
    module = "sequences"
