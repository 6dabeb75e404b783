"""msbridge.dataset.text.byte_strings against MindSpore's recorded results."""

from text_tests import RecordedTests


class TestRecorded(RecordedTests):
    module = "strings"
