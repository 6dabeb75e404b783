from audio_tests import RecordedTests, RefusalTests

from msbridge.dataset.audio import amplitude


class TestLevels(RecordedTests, RefusalTests):
    module = amplitude
