"""msbridge.dataset.text.numbers against MindSpore's recorded results."""

from tests.dataset.text_tests import RecordedTests


class TestRecorded(RecordedTests):
    module = "numbers"
