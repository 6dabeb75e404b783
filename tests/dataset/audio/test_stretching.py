from audio_tests import RecordedTests, RefusalTests

from msbridge.dataset.audio import stretching


class TestStretching(RecordedTests, RefusalTests):
    module = stretching
