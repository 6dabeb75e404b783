from audio_tests import RecordedTests, RefusalTests

from msbridge.dataset.audio import fbanks


class TestFbanks(RecordedTests, RefusalTests):
    module = fbanks
