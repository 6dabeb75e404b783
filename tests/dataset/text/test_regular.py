"""msbridge.dataset.text.regular against MindSpore's recorded results."""

from text_tests import RecordedTests


class TestRecorded(RecordedTests):
    module = "regular"
