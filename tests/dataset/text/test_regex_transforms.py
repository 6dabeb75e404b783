"""msbridge.dataset.text.regex_transforms against MindSpore's recorded results."""

from tests.dataset.text_tests import RecordedTests


class TestRecorded(RecordedTests):
    module = "regular"
