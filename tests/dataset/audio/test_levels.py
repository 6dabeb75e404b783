from audio_tests import RecordedTests, RefusalTests

from msbridge.dataset.audio import levels


class TestLevels(RecordedTests, RefusalTests):
    module = levels
