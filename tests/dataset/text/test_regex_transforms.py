"""msbridge.dataset.text.regex_transforms against MindSpore's recorded results."""

from text_tests import RecordedTests


class TestRecorded(RecordedTests):
    module = "regular"
